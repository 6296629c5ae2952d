/** Segments of two bodies: the pairs that have one, its direction, and the counters; dropped and
 * moved segments. */
#include "algorithms/lpd/segments.h"
#include "algorithms/lpd/tests/drawing.h"
#include "algorithms/lpd/tests/meeting.h"
#include "geometry/predicates.h"
#include "geometry/triangle.h"

static void find(meeting *m, const geo_pose *pose)
{
    alg_lpd_segments_find(&m->pair, pose, &m->segments);
    const alg_lpd_segments *const s = &m->segments;
    cr_assert_eq(s->pair_count, s->count + s->point_count + s->area_count + s->left_count);
    cr_assert(s->tests >= s->pair_count);
}

/* --- By hand ---------------------------------------------------------------------------------- */

/** A triangle in the plane z = 0, with its normal up. */
static geo_mesh floor_triangle(void)
{
    return one_triangle((vec3){-4, -4, 0}, (vec3){8, -4, 0}, (vec3){-4, 8, 0});
}

Test(lpd_segments, a_segment_runs_along_the_normal_of_a_times_that_of_b)
{
    /* In the plane y = 0; the normal is -y, or y if turned. */
    const vec3 p = {0, 0, -1}, q = {2, 0, -1}, r = {1, 0, 1};
    for (int turned = 0; turned < 2; turned++) {
        SCOPED_MEETING m =
            meeting_open(floor_triangle(), one_triangle(p, turned ? r : q, turned ? q : r));
        const geo_pose still = geo_pose_identity();
        find(&m, &still);
        cr_assert_eq(m.segments.count, 1);
        const alg_lpd_segment s = m.segments.items[0];
        const vec3 low = {0.5, 0, 0}, high = {1.5, 0, 0};
        cr_assert(vec3_equal(s.end[turned], low) && vec3_equal(s.end[!turned], high),
                  "turned %d: from %g to %g", turned, s.end[0].x, s.end[1].x);
    }
}

Test(lpd_segments, a_segment_with_corners_in_the_other_plane_runs_so_too)
{
    /* One edge lies in the floor. */
    const vec3 p = {0, 0, 0}, q = {2, 0, 0}, r = {1, 0, 1};
    const vec3 corners[3] = {p, q, r};
    for (int first = 0; first < 3; first++) {
        for (int turned = 0; turned < 2; turned++) {
            const vec3 next = corners[(first + 1) % 3], last = corners[(first + 2) % 3];
            SCOPED_MEETING m =
                meeting_open(floor_triangle(), one_triangle(corners[first], turned ? last : next,
                                                            turned ? next : last));
            const geo_pose still = geo_pose_identity();
            find(&m, &still);
            cr_assert_eq(m.segments.count, 1);
            const alg_lpd_segment s = m.segments.items[0];
            cr_assert(vec3_equal(s.end[turned], p) && vec3_equal(s.end[!turned], q),
                      "first %d turned %d: from %g to %g", first, turned, s.end[0].x, s.end[1].x);
        }
    }
}

/** A wall in a plane of constant y over the floor, with or without its edge in the floor, inside or
 * at the floor's own edge. */
Test(lpd_segments, along_edges_count_by_halves)
{
    static const struct {
        double low, y, share;
    } cases[] = {
        {-1, 0, 1},    /* across */
        {0, 0, 0.5},   /* an edge of the wall lies in the floor */
        {-1, -4, 0.5}, /* the wall is over an edge of the floor */
        {0, -4, 0.25}, /* an edge lies on an edge */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double low = cases[i].low, y = cases[i].y;
        for (int swapped = 0; swapped < 2; swapped++) {
            geo_mesh wall =
                one_triangle((vec3){0, y, low}, (vec3){2, y, low}, (vec3){1, y, low + 2});
            SCOPED_MEETING m = swapped ? meeting_open(wall, floor_triangle())
                                       : meeting_open(floor_triangle(), wall);
            const geo_pose still = geo_pose_identity();
            find(&m, &still);
            cr_assert_eq(m.segments.count, 1, "case %zu", i);
            cr_assert_eq(m.segments.items[0].share, cases[i].share, "case %zu: %g", i,
                         m.segments.items[0].share);
        }
    }
}

Test(lpd_segments, points_and_areas_are_counted_apart)
{
    static const struct {
        const char *what;
        vec3 corner[3];
        uint64_t segments, points, areas;
    } cases[] = {
        {"a corner on the floor", {{0, 0, 0}, {2, 0, 1}, {1, 0, 1}}, 0, 1, 0},
        {"coplanar", {{0, 0, 0}, {2, 0, 0}, {1, 1, 0}}, 0, 0, 1},
        {"coplanar, the other way", {{0, 0, 0}, {1, 1, 0}, {2, 0, 0}}, 0, 0, 1},
        {"coplanar, along an edge", {{-4, -4, 0}, {8, -4, 0}, {0, -9, 0}}, 0, 0, 1},
        {"coplanar, at a corner", {{-4, -4, 0}, {-9, -4, 0}, {-4, -9, 0}}, 0, 1, 0},
        {"nearly coplanar", {{0, 0, 0}, {2, 0, 0}, {1, 1, 1e-15}}, 1, 0, 0},
        {"a needle through it", {{1, 0, -1}, {1, 0, 1}, {1, 0, 0.5}}, 0, 1, 0},
        {"a needle in it", {{1, 0, 0}, {2, 0, 0}, {1.5, 0, 0}}, 0, 0, 1},
        {"a point in it", {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}}, 0, 1, 0},
        {"above it", {{0, 0, 1}, {2, 0, 1}, {1, 0, 2}}, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int swapped = 0; swapped < 2; swapped++) {
            const vec3 *const c = cases[i].corner;
            const geo_mesh other = one_triangle(c[0], c[1], c[2]);
            SCOPED_MEETING m = swapped ? meeting_open(other, floor_triangle())
                                       : meeting_open(floor_triangle(), other);
            const geo_pose still = geo_pose_identity();
            find(&m, &still);
            cr_assert(m.segments.count == cases[i].segments &&
                          m.segments.point_count == cases[i].points &&
                          m.segments.area_count == cases[i].areas,
                      "%s: %u segments, %lu points, %lu areas", cases[i].what, m.segments.count,
                      m.segments.point_count, m.segments.area_count);
        }
    }
}

/** Computed normals of coplanar triangles are not exactly parallel, least of all those of
 * slivers. */
Test(lpd_segments, coplanar_triangles_are_areas)
{
    base_random random = base_random_seed(5);
    uint64_t areas = 0;
    for (int i = 0; i < 200; i++) {
        /* Differences of two coordinates are exact, so that corners are in one slanted plane;
         * products are not exact. */
        const double wide = i % 2 == 0 ? 0x1p20 : 0x1p46;
        vec3 corner[6];
        for (int k = 0; k < 6; k++) {
            const double x = ldexp(floor(base_random_range(&random, 0, 0x1p48)), -40);
            const double y = ldexp(floor(base_random_range(&random, -wide, wide)), -40);
            corner[k] = (vec3){x, y, x - y};
        }
        SCOPED_MEETING m = meeting_open(one_triangle(corner[0], corner[1], corner[2]),
                                        one_triangle(corner[3], corner[4], corner[5]));
        const geo_pose still = geo_pose_identity();
        find(&m, &still);
        cr_assert_eq(m.segments.count, 0, "%d: %u segments", i, m.segments.count);
        areas += m.segments.area_count;
    }
    cr_assert(areas > 100, "%lu areas", areas);
}

Test(lpd_segments, those_without_room_are_counted)
{
    SCOPED_MEETING m =
        meeting_open(shape_ball((vec3){0, 0, 0}, 1, 8), shape_ball((vec3){0, 0, 0}, 1, 8));
    const geo_pose pose = meeting_pose(1, 0.1, 0.2);
    find(&m, &pose);
    const uint32_t all = m.segments.count;
    const alg_lpd_segment last = m.segments.items[9];
    cr_assert(all > 20);
    m.segments.capacity = 10;
    find(&m, &pose);
    cr_assert(m.segments.count == 10 && m.segments.left_count == all - 10);
    cr_assert(memcmp(&last, &m.segments.items[9], sizeof last) == 0);
}

/* --- Against all pairs ------------------------------------------------------------------------ */

static bool coplanar(const geo_triangle *s, const geo_triangle *t)
{
    bool all = true;
    for (int k = 0; k < 3; k++) {
        all = all && geo_orient3d(t->p[0], t->p[1], t->p[2], s->p[k]) == 0 &&
              geo_orient3d(s->p[0], s->p[1], s->p[2], t->p[k]) == 0;
    }
    return all;
}

static vec3 normal_of(const geo_triangle *t)
{
    return vec3_cross(vec3_sub(t->p[1], t->p[0]), vec3_sub(t->p[2], t->p[0]));
}

/** Returns the length by which a segment runs in the wrong direction. */
static double wrong_way(const alg_lpd_segment *s, const geo_triangle *a, const geo_triangle *b)
{
    const vec3 along = vec3_cross(normal_of(a), normal_of(b));
    return -vec3_dot(vec3_sub(s->end[1], s->end[0]), vec3_normalize(along));
}

static void check_all_pairs(const char *name, meeting *m, const geo_pose *pose)
{
    find(m, pose);
    const alg_lpd_segments *const found = &m->segments;
    uint64_t points = 0, areas = 0, segments = 0;
    for (uint32_t i = 0; i < m->mesh_a.face_count; i++) {
        const geo_triangle a = geo_mesh_triangle(&m->mesh_a, i);
        for (uint32_t j = 0; j < m->mesh_b.face_count; j++) {
            const geo_triangle b = geo_pose_apply_triangle(pose, geo_mesh_triangle(&m->mesh_b, j));
            geo_common c;
            if (!geo_triangle_common(a, b, &c)) {
                continue;
            }
            if (vec3_equal(c.from, c.to) || coplanar(&a, &b)) {
                points += vec3_equal(c.from, c.to);
                areas += !vec3_equal(c.from, c.to);
                continue;
            }
            segments++;
            uint32_t hits = 0;
            for (uint32_t k = 0; k < found->count; k++) {
                const alg_lpd_segment *const s = &found->items[k];
                if (s->face_a == i && s->face_b == j) {
                    hits++;
                    const bool turned = vec3_equal(s->end[0], c.to);
                    cr_assert(vec3_equal(s->end[turned], c.from) &&
                                  vec3_equal(s->end[!turned], c.to),
                              "%s: faces %u, %u", name, i, j);
                    cr_assert(wrong_way(s, &a, &b) < 1e-13, "%s: faces %u, %u run %g back", name, i,
                              j, wrong_way(s, &a, &b));
                }
            }
            cr_assert_eq(hits, 1, "%s: faces %u, %u are there %u times", name, i, j, hits);
        }
    }
    cr_assert(found->count == segments && found->point_count == points &&
                  found->area_count == areas && found->left_count == 0,
              "%s: %u %lu %lu, not %lu %lu %lu", name, found->count, found->point_count,
              found->area_count, segments, points, areas);
}

Test(lpd_segments, are_those_of_all_pairs)
{
    base_random random = base_random_seed(7);
    uint64_t areas = 0, points = 0;
    for (int i = 0; i < 6; i++) {
        meeting balls = meeting_open(shape_ball((vec3){0, 0, 0}, 1, 6), shape_torus(12, 1, 0.4));
        geo_pose pose = shape_pose(&random, 0.7);
        check_all_pairs("ball and torus", &balls, &pose);
        cr_assert(balls.segments.count > 0);
        meeting_close(&balls);
        meeting soups =
            meeting_open(shape_soup(&random, 150, true), shape_soup(&random, 150, true));
        pose = shape_shift(i, 0, 0);
        check_all_pairs("soups of integers", &soups, &pose);
        areas += soups.segments.area_count;
        points += soups.segments.point_count;
        meeting_close(&soups);
        SCOPED_MEETING cubes =
            meeting_open(shape_cube((vec3){0, 0, 0}, 1), shape_cube((vec3){0, 0, 0}, 1));
        pose = shape_shift(0.5 * i, i % 2, 0);
        check_all_pairs("cubes", &cubes, &pose);
    }
    cr_assert(areas > 0 && points > 0, "soups: %lu areas, %lu points", areas, points);
}

Test(lpd_segments, swapped_bodies_have_the_same_in_the_other_sense)
{
    const geo_pose still = geo_pose_identity();
    const vec3 aside = {0.9, 0.31, 0.13};
    SCOPED_MEETING m = meeting_open(shape_ball((vec3){0, 0, 0}, 1, 8), shape_ball(aside, 0.8, 7));
    SCOPED_MEETING n = meeting_open(shape_ball(aside, 0.8, 7), shape_ball((vec3){0, 0, 0}, 1, 8));
    find(&m, &still);
    find(&n, &still);
    cr_assert(m.segments.count > 20 && m.segments.count == n.segments.count);
    for (uint32_t i = 0; i < m.segments.count; i++) {
        const alg_lpd_segment *const s = &m.segments.items[i];
        bool found = false;
        for (uint32_t j = 0; j < n.segments.count && !found; j++) {
            const alg_lpd_segment *const t = &n.segments.items[j];
            found = s->face_a == t->face_b && s->face_b == t->face_a &&
                    vec3_equal(s->end[0], t->end[1]) && vec3_equal(s->end[1], t->end[0]);
        }
        cr_assert(found, "segment %u", i);
    }
}

/* --- Bodies ----------------------------------------------------------------------------------- */

Test(lpd_segments, bodies_know_their_middle_and_their_edges)
{
    const vec3 centre = {3, -1, 2};
    const geo_mesh cube = shape_cube(centre, 1);
    for (int solid = 0; solid < 2; solid++) {
        alg_lpd_body *const body = prepare_body(&cube, solid);
        cr_assert(vec3_distance(body->centroid, centre) < 1e-12);
        cr_assert_float_eq(body->mean_edge_m, (4 + 2 * sqrt(2)) / 3, 1e-12);
        cr_assert(body->adjacency.count == 12 && body->tree.count == 12);
        cr_assert(vec3_equal(body->tree.origin, centre));
        alg_destroy(body);
    }
    SCOPED_MESH release = cube;
    geo_mesh_release(&release);
    /* With a corner cut off, the centroid is the centre of the box. */
    const geo_mesh half = meeting_cut(shape_ball(centre, 1, 6), 2.3);
    alg_lpd_body *const body = prepare_body(&half, false);
    cr_assert(vec3_equal(body->centroid, geo_box_centre(geo_mesh_box(&half))));
    alg_destroy(body);
    release = half;
}

/* --- Noise ------------------------------------------------------------------------------------ */

enum { COUNT = 10000 };

/** Draws segments that have their number as first face. */
static drawing draw(void)
{
    drawing d = drawing_begin(COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        drawing_link(&d, (vec3){i, 0, 0}, (vec3){i + 1, 0, 0}, false);
    }
    return d;
}

Test(lpd_noise, drops_its_share_and_moves_ends_apart)
{
    SCOPED_DRAWING d = draw(), e = draw(), f = draw();
    alg_lpd_noise noise = {.drop = 0.05, .move_m = 0.125, .seed = 3};
    alg_lpd_noise_add(&noise, &d.segments);
    alg_lpd_noise_add(&noise, &e.segments);
    noise.seed = 4;
    alg_lpd_noise_add(&noise, &f.segments);
    cr_assert(d.segments.count > 0.94 * COUNT && d.segments.count < 0.96 * COUNT, "%u",
              d.segments.count);
    cr_assert_eq(d.segments.count, e.segments.count);
    cr_assert_neq(d.segments.items[7].end[0].x, f.segments.items[7].end[0].x);
    double most = 0, sum = 0;
    for (uint32_t i = 0; i < d.segments.count; i++) {
        const alg_lpd_segment *const s = &d.segments.items[i], *const t = &e.segments.items[i];
        cr_assert(i == 0 || s->face_a > d.segments.items[i - 1].face_a, "%u: the order", i);
        for (int k = 0; k < 2; k++) {
            cr_assert(vec3_equal(s->end[k], t->end[k]), "%u: the same again", i);
            const vec3 by = vec3_sub(s->end[k], (vec3){(double)s->face_a + k, 0, 0});
            const vec3 size = vec3_abs(by);
            const double far = fmax(size.x, fmax(size.y, size.z));
            most = fmax(most, far);
            sum += by.x + by.y + by.z;
            cr_assert(far <= 0.125 && size.x > 0 && size.y > 0 && size.z > 0, "%u: %g", i, far);
        }
        cr_assert(!vec3_equal(s->end[0], s->end[1]));
    }
    cr_assert(most > 0.124 && fabs(sum) < 60, "%g, %g", most, sum);
}

Test(lpd_noise, of_nothing_changes_nothing)
{
    SCOPED_DRAWING d = draw();
    alg_lpd_noise_add(&(alg_lpd_noise){.seed = 3}, &d.segments);
    cr_assert_eq(d.segments.count, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        cr_assert(d.segments.items[i].end[0].x == i && d.segments.items[i].face_a == i);
    }
    /* Only one kind of noise. */
    alg_lpd_noise_add(&(alg_lpd_noise){.drop = 1, .seed = 3}, &d.segments);
    cr_assert_eq(d.segments.count, 0);
}
