/** Fields and trees that were saved and loaded: the same to the last bit; and bytes nobody saved. */
#include "algorithms/pst/saved.h"

#include "algorithms/tests/saved.h"
#include "base/random.h"
#include "base/tests/sweep.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum {
    ALL = ALG_WANT_CONTACT | ALG_WANT_DEPTH | ALG_WANT_FORCE | ALG_WANT_DISTANCE,
    PARTS_OF_FIELD = 3,
    PARTS_OF_TREE = 2 * 9
};

static const char *const variants[] = {
    "pst:shell-voxels=6,voxels=8",
    "pst:clusters=balanced,depth=layers,shell=two-phase,shell-voxels=6,voxels=8",
    "pst:field=moving,layers=3,shell=blue-noise,shell-voxels=7,voxels=6",
    "pst-deadline:deadline-us=0,shell-voxels=6,voxels=8,walk=flat",
    "pst:shell=mesh,shell-voxels=6,voxels=8,weights=area",
    "pst:field=moving,shell-voxels=7,voxels=6,weights=area",
};
enum { VARIANTS = sizeof variants / sizeof *variants };

typedef struct shapes {
    geo_mesh a, b;
} shapes;

static shapes make_shapes(void)
{
    return (shapes){shape_ball((vec3){0, 0, 0}, 1, 3), shape_torus(8, 0.7, 0.3)};
}

static void release_shapes(shapes *s)
{
    geo_mesh_release(&s->a);
    geo_mesh_release(&s->b);
}

static const void *body_of(const pair *p, int role)
{
    return role == ALG_FIXED ? p->fixed : p->moving;
}

/** The pair with other bodies. */
static pair rebind(const pair *p, void *fixed, void *moving)
{
    pair again = *p;
    alg_message message;
    again.fixed = fixed;
    again.moving = moving;
    cr_assert_eq(p->variant.algorithm->bind(&p->variant.settings, fixed, moving, PAIR_REQUEST(ALL),
                                            &again.state, &message),
                 ALG_OK, "%s", message.text);
    return again;
}

static void add_sphere(void *context, const geo_ball *ball)
{
    double *const sum = context;
    *sum = 0.5 * *sum + vec3_norm(ball->centre) + ball->radius;
}

static double draw(const pair *p, const void *body)
{
    double sum = 0;
    const alg_sink sink = {.size = sizeof sink, .context = &sum, .sphere = add_sphere};
    p->variant.algorithm->draw(body, &sink);
    return sum;
}

Test(saved, answers_bytes_and_pictures_are_the_same)
{
    shapes s = make_shapes();
    for (int i = 0; i < VARIANTS; i++) {
        pair built = pair_open(variants[i], &s.a, &s.b, ALL);
        void *loaded[2];
        for (int role = ALG_FIXED; role <= ALG_MOVING; role++) {
            bytes b = save(&built, body_of(&built, role));
            cr_assert_eq(load(&built, (alg_role)role, &b, &loaded[role]), ALG_OK, "%s, role %d",
                         variants[i], role);
            bytes again = save(&built, loaded[role]);
            cr_assert(again.count == b.count && memcmp(again.items, b.items, b.count) == 0);
            const double drawn = draw(&built, body_of(&built, role));
            cr_assert(draw(&built, loaded[role]) == drawn &&
                      (drawn > 0) == !((const alg_pst_body *)loaded[role])->is_field);
            base_free(b.items);
            base_free(again.items);
        }
        pair other = rebind(&built, loaded[ALG_FIXED], loaded[ALG_MOVING]);
        base_random random = base_random_seed((uint64_t)i);
        size_t pushing = 0, apart = 0;
        for (int k = 0; k < 60; k++) {
            const geo_pose pose = shape_pose(&random, 2);
            const alg_answer x = pair_ask(&built, &pose), y = pair_ask(&other, &pose);
            cr_assert_eq(memcmp(&x, &y, sizeof x), 0, "%s, pose %d", variants[i], k);
            pushing += x.depth_m > 0;
            apart += x.distance_m > 0;
        }
        cr_assert(pushing > 5 && apart > 5, "%s: %zu, %zu", variants[i], pushing, apart);
        pair_close(&built);
        pair_close(&other);
    }
    release_shapes(&s);
}

/** Asks a body that may be another than was saved: whatever it answers, it must come back, in numbers. */
static void ask_whatever_it_is(const pair *p, int role, void *prepared, size_t at)
{
    pair q = role == ALG_FIXED ? rebind(p, prepared, p->moving) : rebind(p, p->fixed, prepared);
    base_random random = base_random_seed(at);
    for (int k = 0; k < 3; k++) {
        const geo_pose pose = shape_pose(&random, k == 2 ? 5 : 1.5);
        const alg_answer a = pair_ask(&q, &pose);
        cr_assert(isfinite(a.depth_m) && vec3_isfinite(a.force) && vec3_isfinite(a.torque) &&
                      isfinite(a.distance_m) && isfinite(a.distance_lo_m) &&
                      isfinite(a.distance_hi_m),
                  "role %d, byte %zu, pose %d: %g in [%g, %g], depth %g", role, at, k, a.distance_m,
                  a.distance_lo_m, a.distance_hi_m, a.depth_m);
    }
    draw(p, prepared);
    p->variant.algorithm->release(q.state);
    p->variant.algorithm->dispose(prepared);
}

/** Flips one bit, or all bits, of each byte of the header and of a thousand bytes behind it. */
Test(saved, damage_is_refused_or_harmless)
{
    shapes s = make_shapes();
    for (int i = 0; i < 2; i++) {
        pair p = pair_open(variants[i], &s.a, &s.b, ALL);
        for (int role = ALG_FIXED; role <= ALG_MOVING; role++) {
            size_t refused = 0, taken = 0;
            bytes b = save(&p, body_of(&p, role));
            const size_t step = (b.count / 1000 | 1) * sweep_step(5);
            for (size_t at = 0; at < b.count; at += at < 160 ? 1 : step) {
                const char turned = (char)(at % 3 == 0 ? -1 : 1 << at % 8);
                void *prepared = NULL;
                b.items[at] = (char)(b.items[at] ^ turned);
                if (load(&p, (alg_role)role, &b, &prepared) == ALG_OK) {
                    taken++;
                    ask_whatever_it_is(&p, role, prepared, at);
                } else {
                    refused++;
                }
                b.items[at] = (char)(b.items[at] ^ turned);
            }
            cr_assert(refused > 100 && taken > 100 / sweep_step(5),
                      "role %d: %zu refused, %zu taken", role, refused, taken);
            base_free(b.items);
        }
        pair_close(&p);
    }
    release_shapes(&s);
}

Test(saved, another_length_or_role_is_refused)
{
    shapes s = make_shapes();
    pair p = pair_open(variants[0], &s.a, &s.b, ALL);
    refuse_lengths_and_roles(&p);
    pair_close(&p);
    release_shapes(&s);
}

/** Of another mesh, or of other settings, whose bodies would lie elsewhere. */
Test(saved, bytes_of_another_body_are_refused)
{
    shapes s = make_shapes();
    geo_mesh larger = shape_ball((vec3){0, 0, 0}, 1.01, 3),
             small = shape_ball((vec3){0, 0, 0}, 0.5, 3);
    pair p = pair_open("pst:shell-voxels=6,voxels=8", &s.a, &s.a, ALL);
    bytes field = save(&p, p.fixed), tree = save(&p, p.moving);
    void *prepared;
    pair q = pair_open("pst:shell=two-phase,shell-voxels=6,voxels=9", &s.a, &s.a, ALL);
    cr_assert_eq(load(&q, ALG_FIXED, &field, &prepared), ALG_FAILED, "other voxels");
    cr_assert_eq(load(&q, ALG_MOVING, &tree, &prepared), ALG_FAILED, "other points");
    pair_close(&q);
    q = pair_open("pst:shell-voxels=6,voxels=8", &larger, &small, ALL);
    cr_assert_eq(load(&q, ALG_FIXED, &field, &prepared), ALG_FAILED, "a larger body");
    cr_assert_eq(load(&q, ALG_MOVING, &tree, &prepared), ALG_FAILED, "a smaller body");
    pair_close(&q);
    base_free(field.items);
    base_free(tree.items);
    pair_close(&p);
    geo_mesh_release(&larger);
    geo_mesh_release(&small);
    release_shapes(&s);
}

/* --- Bodies that nobody has built ------------------------------------------------------------- */

/** Holds that the body of a role can be loaded from what it saves, or cannot. */
static void expect(const pair *p, alg_role role, bool good, const char *what)
{
    bytes b = save(p, body_of(p, role));
    void *prepared;
    cr_assert_eq(load(p, role, &b, &prepared), good ? ALG_OK : ALG_FAILED, "%s", what);
    p->variant.algorithm->dispose(prepared);
    base_free(b.items);
}

#define EXPECT_REFUSED(role, place, value, what)                                                   \
    do {                                                                                           \
        const __typeof__(place) before = (place);                                                  \
        (place) = (value);                                                                         \
        expect(&p, role, false, what);                                                             \
        (place) = before;                                                                          \
    } while (0)

Test(saved, fields_that_no_build_makes_are_refused)
{
    geo_mesh ball = shape_ball((vec3){0, 0, 0}, 1, 3);
    pair p = pair_open("pst:shell-voxels=6,voxels=16", &ball, &ball, ALL);
    alg_pst_field *const f = &((alg_pst_body *)p.fixed)->field;
    const alg_role fixed = ALG_FIXED;
    const uint32_t count = f->brick_count;
    alg_pst_brick *const brick = &f->bricks[count / 2];
    expect(&p, fixed, true, "as it is");
    EXPECT_REFUSED(fixed, f->corner.y, f->corner.y + 1e-9, "another corner");
    EXPECT_REFUSED(fixed, f->edge, NAN, "no edge");
    EXPECT_REFUSED(fixed, f->solid, false, "no solid");
    EXPECT_REFUSED(fixed, f->blocks[0], 0, "a block of no level");
    EXPECT_REFUSED(fixed, f->blocks[0], count << 2 | 1, "a brick behind the last");
    EXPECT_REFUSED(fixed, f->blocks[0], (count - 63) << 2 | 3,
                   "bricks of which the last is behind it");
    EXPECT_REFUSED(fixed, f->blocks[0], (count - 7) << 2 | 2, "and of the level before");
    EXPECT_REFUSED(fixed, f->blocks[0], UINT32_MAX, "a brick nowhere near");
    EXPECT_REFUSED(fixed, brick->values[0], NAN, "no value");
    EXPECT_REFUSED(fixed, brick->values[26], -1e3F, "a value longer than the blocks are");
    EXPECT_REFUSED(fixed, brick->bend[2], INFINITY, "no bend");
    EXPECT_REFUSED(fixed, brick->below, 0x7f80, "an infinite error");
    EXPECT_REFUSED(fixed, brick->above, 0xbf80, "an error below none");
    EXPECT_REFUSED(fixed, brick->face, (uint32_t)ball.face_count, "a face that is not there");
    brick->face = (uint32_t)ball.face_count - 1;
    expect(&p, fixed, true, "the last face");
    pair_close(&p);
    geo_mesh_release(&ball);
}

Test(saved, trees_that_no_build_makes_are_refused)
{
    geo_mesh ball = shape_ball((vec3){0, 0, 0}, 1, 3);
    pair p = pair_open("pst:shell=mesh,shell-voxels=16,voxels=8,weights=area", &ball, &ball, ALL);
    alg_pst_tree *const t = &((alg_pst_body *)p.moving)->tree;
    alg_pst_points *const points = &t->points;
    const alg_role moving = ALG_MOVING;
    const uint32_t i = points->count / 2;
    alg_pst_node *const root = &t->nodes[0], *const last = &t->nodes[t->node_count - 1];
    cr_assert(t->node_count > 3 && root->child[0] == 1 && last->child[0] == ALG_PST_LEAF);
    expect(&p, moving, true, "as it is");
    EXPECT_REFUSED(moving, points->points[i].x, 1.001, "beyond the body");
    EXPECT_REFUSED(moving, points->points[i].z, NAN, "nowhere");
    EXPECT_REFUSED(moving, points->normals[i].x, points->normals[i].x + 1, "too long");
    EXPECT_REFUSED(moving, points->normals[i].z, NAN, "no normal");
    EXPECT_REFUSED(moving, points->patch2[i], -1, "a patch below none");
    EXPECT_REFUSED(moving, points->patch2[i], 1, "a patch that its cluster's does not hold");
    EXPECT_REFUSED(moving, points->faces[i], (uint32_t)ball.face_count, "no face");
    EXPECT_REFUSED(moving, points->shares[i].y, NAN, "no share");
    EXPECT_REFUSED(moving, points->shares[i].x, 1.001, "more than the surface");
    EXPECT_REFUSED(moving, points->shares, NULL, "no shares where they are asked for");
    EXPECT_REFUSED(moving, points->reach, -1, "a reach below none");
    EXPECT_REFUSED(moving, points->slack, NAN, "no slack");
    EXPECT_REFUSED(moving, t->x[i], t->x[i] + 1e-3F, "beside its point");
    EXPECT_REFUSED(moving, t->y[i], t->y[i] + 1e-3F, "beside it");
    EXPECT_REFUSED(moving, t->z[i], NAN, "nowhere");
    EXPECT_REFUSED(moving, t->z[points->count + 6], 7, "another point behind the last");
    EXPECT_REFUSED(moving, t->origin.x, t->origin.x + 1e-3, "another origin");
    EXPECT_REFUSED(moving, t->extent, 0.5, "points beyond the extent");
    EXPECT_REFUSED(moving, t->extent, 1e300, "an extent no body has");
    EXPECT_REFUSED(moving, t->rounding, 0, "no rounding");
    EXPECT_REFUSED(moving, t->ball.radius, 0.5, "points beyond the uppermost sphere");
    EXPECT_REFUSED(moving, t->ball.centre.y, NAN, "no sphere");
    EXPECT_REFUSED(moving, t->level_count, t->level_count + 1, "more levels");
    EXPECT_REFUSED(moving, root->radius[0], 0.9F * root->radius[0], "points beyond a sphere");
    EXPECT_REFUSED(moving, root->radius[0], INFINITY, "a sphere around everything");
    EXPECT_REFUSED(moving, root->centre[1][0], NAN, "no centre");
    EXPECT_REFUSED(moving, root->patch2[0], 0, "a patch less than a point's");
    EXPECT_REFUSED(moving, root->first[0], 1, "the first point is left out");
    EXPECT_REFUSED(moving, root->count[0], root->count[0] - 1, "a point that no lane has");
    EXPECT_REFUSED(moving, root->child[0], ALG_PST_LEAF, "a leaf of too many");
    EXPECT_REFUSED(moving, root->child[0], 0, "a node below itself");
    EXPECT_REFUSED(moving, root->child[0], root->child[1], "a node below two");
    EXPECT_REFUSED(moving, root->child[0], t->node_count, "a node behind the last");
    EXPECT_REFUSED(moving, last->first[0], last->first[0] + 1,
                   "points that are not below its parent");
    EXPECT_REFUSED(moving, last->count[0], points->count, "more points than there are");
    expect(&p, moving, true, "as it was");
    pair_close(&p);
    geo_mesh_release(&ball);
}

/* --- Memory and writers ----------------------------------------------------------------------- */

Test(saved, memory_that_runs_out_is_told)
{
    shapes s = make_shapes();
    pair p = pair_open(variants[1], &s.a, &s.b, ALL);
    for (int role = ALG_FIXED; role <= ALG_MOVING; role++) {
        bytes b = save(&p, body_of(&p, role));
        void *prepared = NULL;
        alg_status status = ALG_OUT_OF_MEMORY;
        size_t n = 0;
        for (; status == ALG_OUT_OF_MEMORY && n < 200; n++) {
            base_memory_fail_after(n);
            status = load(&p, (alg_role)role, &b, &prepared);
            base_memory_fail_after(SIZE_MAX);
        }
        cr_assert_eq(status, ALG_OK);
        cr_assert_gt(n, 5);
        p.variant.algorithm->dispose(prepared);
        base_free(b.items);
    }
    pair_close(&p);
    release_shapes(&s);
}

Test(saved, a_writer_that_wants_no_more_ends_it)
{
    shapes s = make_shapes();
    pair p = pair_open(variants[0], &s.a, &s.b, ALL);
    for (int role = ALG_FIXED; role <= ALG_MOVING; role++) {
        const size_t parts = role == ALG_FIXED ? PARTS_OF_FIELD : PARTS_OF_TREE;
        for (size_t most = 0; most <= parts; most++) {
            size_t calls = most;
            const alg_writer to = {.size = sizeof to, .context = &calls, .write = refuse};
            alg_message message = {""};
            const alg_status status = p.variant.algorithm->save(body_of(&p, role), &to, &message);
            cr_assert_eq(status, most < parts ? ALG_FAILED : ALG_OK, "role %d, %zu calls", role,
                         most);
            cr_assert_eq(*message.text != '\0', most < parts);
        }
    }
    pair_close(&p);
    release_shapes(&s);
}
