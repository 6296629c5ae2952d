#include "base/random.h"
#include "geometry/pose.h"
#include "groundtruth/body/body.h"
#include "groundtruth/volume/clip_kernel.h"
#include "groundtruth/volume/volume_tetra.h"

#include "shapes.h"

static shape torus(vec3 centre)
{
    shape s = {0};
    shape_add_torus(&s, 16, 10, 1, 0.4);
    const geo_pose there = {geo_pose_identity().rotation, centre};
    shape_move(&s, &there);
    shape_finish(&s);
    shape_tetrahedralise(&s);
    return s;
}

static bool used(const gt_cell *cell)
{
    return cell->volume_m3 > 0;
}

Test(cells, packets_are_full_and_hold_what_their_cells_are)
{
    shape s = torus((vec3){0, 0, 0});
    const gt_cells *const c = &s.body->cells;
    const size_t packets = c->bvh.primitive_count;
    size_t cells = 0;
    double volume = 0;
    for (size_t i = 0; i < packets; i++) {
        for (size_t lane = 0; lane < GT_PACKET; lane++) {
            const gt_cell *const cell = &c->cells[GT_PACKET * i + lane];
            const gt_packet *const p = &c->packets[i];
            cr_assert_eq(used(cell), p->lo[0][lane] <= p->hi[0][lane], "cell %zu %zu", i, lane);
            cells += used(cell);
            volume += cell->volume_m3;
            for (int k = 0; k < 4 && used(cell); k++) {
                const vec3 q = cell->corners.p[k];
                const double n[3] = {(double)p->normal[k][0][lane], (double)p->normal[k][1][lane],
                                     (double)p->normal[k][2][lane]};
                const double side = n[0] * q.x + n[1] * q.y + n[2] * q.z;
                cr_assert(side - (double)p->offset[k][lane] > -1e-6, "cell %zu %zu: %g", i, lane,
                          side);
                cr_assert(fabs(q.y - (double)p->corner[k][1][lane]) <= 0x1p-23);
            }
        }
    }
    cr_assert(packets * GT_PACKET - cells < GT_PACKET, "%zu cells in %zu packets", cells, packets);
    cr_assert(fabs(volume - s.report.measure.volume_m3) <= 1e-14 * volume);
    shape_release(&s);
}

typedef struct sum {
    double volume;
    uint64_t over; /* number of pairs that share a volume */
} sum;

/**
 * Sums over all pairs without rejection: A's cell is cut by B's if it is smaller, else the reverse.
 */
static sum all_pairs(const shape *a, const shape *b, const geo_pose *pose)
{
    const gt_cells *const ca = &a->body->cells, *const cb = &b->body->cells;
    sum s = {0, 0};
    for (size_t j = 0; j < (size_t)GT_PACKET * cb->bvh.primitive_count; j++) {
        gt_cell moved = cb->cells[j];
        for (int i = 0; i < 4; i++) {
            moved.corners.p[i] = geo_pose_apply(pose, moved.corners.p[i]);
        }
        moved.planes = gt_tetrahedron_planes(&moved.corners);
        for (size_t i = 0; i < (size_t)GT_PACKET * ca->bvh.primitive_count; i++) {
            const gt_cell *const cell = &ca->cells[i];
            if (!used(cell) || !used(&moved)) {
                continue;
            }
            const gt_cell *const cut = cell->size < moved.size ? cell : &moved;
            const gt_cell *const by = cell->size < moved.size ? &moved : cell;
            gt_sides sides[4];
            unsigned inside[4];
            clip_sides(&by->corners, &by->planes, &cut->corners, sides, inside);
            const double part = clip_all(sides, inside);
            s.volume += part * cut->volume_m3;
            s.over += part > 1e-12;
        }
    }
    return s;
}

static void check_poses(const shape *a, const shape *b, vec3 offset)
{
    base_random random = base_random_seed(8);
    for (int n = 0; n < 6; n++) {
        geo_pose pose = n == 0 ? geo_pose_identity() : random_pose(&random, 1.2);
        pose.translation = vec3_add(pose.translation, offset);
        pose.translation = vec3_sub(pose.translation, geo_pose_rotate(&pose, offset));
        const sum expected = all_pairs(a, b, &pose);
        gt_volume v[2];
        for (int narrow = 0; narrow < 2; narrow++) {
            if (narrow) {
                setenv("PROXBENCH_SIMD", "sse2", 1);
            }
            gt_volume_query(a->body, b->body, &pose, &v[narrow]);
            unsetenv("PROXBENCH_SIMD");
        }
        cr_assert(memcmp(&v[0], &v[1], sizeof v[0]) == 0, "pose %d: %.17g, narrow %.17g", n,
                  middle(v[0].volume_m3), middle(v[1].volume_m3));
        const double got = middle(v[0].volume_m3);
        cr_assert(fabs(got - expected.volume) <= 1e-13 * expected.volume,
                  "pose %d: %.17g, not %.17g", n, got, expected.volume);
        cr_assert(expected.over > 100 && v[0].tetrahedron_tests >= expected.over,
                  "pose %d: %llu tests, %llu pairs", n, (unsigned long long)v[0].tetrahedron_tests,
                  (unsigned long long)expected.over);
    }
}

Test(cells, nothing_is_rejected_that_counts)
{
    shape a = torus((vec3){0, 0, 0});
    check_poses(&a, &a, (vec3){0, 0, 0});
    shape_release(&a);
}

Test(cells, nor_far_from_0)
{
    const vec3 far = {1e4, -2e4, 3e3};
    shape a = torus(far);
    cr_assert(vec3_norm(a.body->origin) > 1e4);
    check_poses(&a, &a, far);
    shape_release(&a);
}

/* --- Two bodies at once ----------------------------------------------------------------------- */

static shape ball_of(uint32_t n)
{
    shape s = {0};
    shape_add_ball(&s, 2 * n, n, 1);
    shape_finish(&s);
    return s;
}

static shape open_box(void)
{
    shape s = {0};
    shape_add_box(&s, (vec3){-1, -1, -1}, (vec3){1, 1, 1}, false);
    s.parts.face_count--;
    shape_finish(&s);
    return s;
}

Test(cells, both_bodies_at_once_are_the_same_as_each)
{
    shape a[2] = {ball_of(6), ball_of(6)}, b[2] = {ball_of(9), ball_of(9)};
    shape_tetrahedralise(&a[0]);
    shape_tetrahedralise(&b[0]);
    base_error err = {0};
    cr_assert_eq(gt_bodies_tetrahedralise(a[1].body, b[1].body, NULL, &err), BASE_OK, "%s",
                 err.text);
    cr_assert_eq(gt_bodies_tetrahedralise(a[1].body, a[1].body, NULL, &err), BASE_OK);
    const geo_pose pose = {geo_pose_identity().rotation, {0.3, 0.2, 0.1}};
    gt_volume v[2];
    for (int i = 0; i < 2; i++) {
        gt_volume_query(a[i].body, b[i].body, &pose, &v[i]);
    }
    cr_assert(v[0].volume_m3.lo > 0.1 && memcmp(&v[0], &v[1], sizeof v[0]) == 0);
    for (int i = 0; i < 2; i++) {
        shape_release(&a[i]);
        shape_release(&b[i]);
    }
}

Test(cells, the_error_is_that_of_the_first_body)
{
    shape good = ball_of(6), open = open_box(), flipped = {0};
    shape_add_box(&flipped, (vec3){-1, -1, -1}, (vec3){1, 1, 1}, true);
    shape_finish(&flipped);
    const struct {
        const shape *a, *b;
        const char *says;
    } cases[] = {
        {&good, &open, "open edge"},
        {&open, &good, "open edge"},
        {&open, &flipped, "open edge"},
        {&flipped, &open, "inside out"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        base_error err = {0};
        cr_assert_eq(gt_bodies_tetrahedralise(cases[i].a->body, cases[i].b->body, NULL, &err),
                     BASE_ERR_INPUT);
        cr_assert(strstr(err.text, cases[i].says), "case %zu: %s", i, err.text);
    }
    shape_release(&good);
    shape_release(&open);
    shape_release(&flipped);
}
