/** Points of one body in the field of another: pushes by hand, and the tree compared with all
 * points. */
#include "algorithms/pst/penetration.h"

#include "algorithms/tests/shapes.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/simd.h"
#include "base/tests/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum { ALL = ALG_WANT_CONTACT | ALG_WANT_DEPTH | ALG_WANT_FORCE, LAYERS = 8, CONTACTS = 65536 };

typedef struct scene {
    base_arena arena;
    geo_mesh a, b;
    void *field;
    alg_pst_body *points;
    alg_pst_penetration pair;
} scene;

static void *prepare(const geo_mesh *mesh, bool is_field, uint32_t voxels)
{
    const alg_mesh body = shape_body(mesh, true);
    const alg_pst_options options = {
        .is_field = is_field,
        .field = {.voxels = voxels, .tolerance = 0.01, .margin = ALG_PST_MARGIN},
        .map = true,
        .layers = LAYERS,
        .points = {.kind = ALG_PST_MESH, .voxels = voxels, .seed = 1},
    };
    void *made;
    alg_build_info info = {0};
    alg_message message = {""};
    cr_assert_eq(alg_pst_body_prepare(&options, &body, &made, &info, &message), ALG_OK, "%s",
                 message.text);
    return made;
}

static void bind(scene *s, alg_pst_penetration *pair)
{
    assert_ok(alg_pst_penetration_bind(pair, &s->arena, ERR));
}

/** Takes ownership of the meshes. moving: true if the field is B's. */
static void open_scene(scene *s, geo_mesh a, geo_mesh b, bool moving, uint32_t voxels)
{
    *s = (scene){.a = a, .b = b};
    s->field = prepare(moving ? &s->b : &s->a, true, voxels);
    s->points = prepare(moving ? &s->a : &s->b, false, voxels);
    s->pair = (alg_pst_penetration){.field = s->field,
                                    .points = &s->points->tree,
                                    .moving = moving,
                                    .layers = LAYERS,
                                    .centroid_b = geo_mesh_measures(&s->b).centroid,
                                    .wanted = ALL};
    bind(s, &s->pair);
}

static void close_scene(scene *s)
{
    base_arena_release(&s->arena);
    alg_destroy(s->field);
    alg_destroy(s->points);
    geo_mesh_release(&s->a);
    geo_mesh_release(&s->b);
}

#define SCOPED_PST_SCENE RELEASED_BY(close_scene) scene

static alg_answer ask(alg_pst_penetration *pair, const geo_pose *pose, alg_contact *contacts)
{
    alg_answer answer = {
        .size = sizeof answer, .contacts = contacts, .contact_capacity = contacts ? CONTACTS : 0};
    alg_pst_penetration_query(pair, pose, &answer);
    return answer;
}

static uint64_t lookups(const alg_answer *a)
{
    return a->counters[ALG_PST_COUNT_SPHERES] + a->counters[ALG_PST_COUNT_POINTS];
}

/* --- The tree and all points ------------------------------------------------------------------ */

static geo_mesh make_shape(int kind)
{
    return kind == 0   ? shape_box((vec3){-1, -0.7, -0.4}, (vec3){1, 0.7, 0.4})
           : kind == 1 ? shape_torus(24, 0.8, 0.3)
           : kind == 2 ? shape_ball((vec3){0.1, 0, 0}, 0.4, 12)
                       : shape_torus(18, 1, 0.15);
}

static void assert_same(alg_pst_penetration *tree, alg_pst_penetration *flat, const geo_pose *pose,
                        alg_contact *contacts, const char *what)
{
    const alg_answer a = ask(tree, pose, contacts), b = ask(flat, pose, contacts + CONTACTS);
    cr_assert_eq(a.contact_count, b.contact_count, "%s: %u and %u", what, a.contact_count,
                 b.contact_count);
    cr_assert_leq(a.contact_count, (uint32_t)CONTACTS);
    cr_assert(memcmp(contacts, contacts + CONTACTS, a.contact_count * sizeof *contacts) == 0, "%s",
              what);
    cr_assert(vec3_equal(a.force, b.force) && vec3_equal(a.torque, b.torque) &&
                  vec3_equal(a.direction, b.direction) && a.depth_m == b.depth_m &&
                  a.colliding == b.colliding,
              "%s", what);
    cr_assert(a.outcome == ALG_CONVERGED && b.outcome == ALG_CONVERGED && tree->hidden == 0, "%s",
              what);
    cr_assert(a.counters[ALG_PST_COUNT_POINTS] <= b.counters[ALG_PST_COUNT_POINTS] &&
                  b.counters[ALG_PST_COUNT_POINTS] == flat->points->points.count &&
                  b.counters[ALG_PST_COUNT_SPHERES] == 0,
              "%s", what);
}

/** A query for contact alone stops early, with the same result. */
static void assert_told(alg_pst_penetration *once, alg_pst_penetration *tree, const geo_pose *pose,
                        const char *what)
{
    const alg_answer told = ask(once, pose, NULL), all = ask(tree, pose, NULL);
    cr_assert(told.colliding == all.colliding && told.answered == ALG_HAS_CONTACT, "%s", what);
}

static void sweep(scene *s, alg_pst_depth depth, base_random *random, const char *what)
{
    SCOPED_FREE alg_contact *const contacts = base_alloc((size_t)2 * CONTACTS, sizeof *contacts);
    alg_pst_penetration tree = s->pair, flat, once;
    tree.depth = depth;
    flat = once = tree;
    flat.flat = true;
    once.wanted = ALG_WANT_CONTACT;
    bind(s, &tree);
    bind(s, &flat);
    bind(s, &once);
    int touching = 0;
    for (int i = 0; i < 60; i++) {
        const double reach = i < 5 ? 0.05 : i < 50 ? 1.2 : 30;
        const geo_pose pose = shape_pose(random, reach);
        char text[96];
        snprintf(text, sizeof text, "%s, depth %d, pose %d", what, (int)depth, i);
        assert_same(&tree, &flat, &pose, contacts, text);
        assert_told(&once, &tree, &pose, text);
        touching += ask(&tree, &pose, NULL).colliding;
    }
    cr_assert(touching > 10 && touching < 60, "%s: %d", what, touching);
}

Test(penetration, the_tree_pushes_the_points_that_a_walk_of_all_does)
{
    base_random random = base_random_seed(16);
    for (int kind = 0; kind < 32; kind += (int)sweep_step(7)) {
        const int a = kind / 8, b = kind / 2 % 4, moving = kind % 2;
        SCOPED_PST_SCENE s;
        char what[64];
        snprintf(what, sizeof what, "shapes %d and %d, moving %d", a, b, moving);
        open_scene(&s, make_shape(a), make_shape(b), moving == 1, 16);
        sweep(&s, ALG_PST_FIELD, &random, what);
        sweep(&s, ALG_PST_LAYERS, &random, what);
    }
}

/** Pushing points outside of the surface are at most `reach` away, by which spheres are left out.
 */
Test(penetration, no_point_pushes_beyond_the_reach)
{
    base_random random = base_random_seed(2);
    for (int kind = 0; kind < 4; kind++) {
        SCOPED_PST_SCENE s;
        open_scene(&s, make_shape(kind), make_shape(2), false, 16);
        const geo_surface *const surface = &s.pair.field->skin->surface;
        const geo_box box = geo_mesh_box(&s.a);
        const vec3 size = vec3_sub(box.hi, box.lo);
        int outside = 0;
        for (int i = 0; i < 200000; i++) {
            const double x = base_random_unit(&random), y = base_random_unit(&random);
            const double z = base_random_unit(&random);
            const vec3 p = vec3_add(box.lo, (vec3){x * size.x, y * size.y, z * size.z});
            if (alg_pst_field_at(&s.pair.field->field, p).value < 0 &&
                !geo_surface_contains(surface, p)) {
                const vec3 q = geo_surface_closest(surface, p, UINT32_MAX).point;
                const double d = vec3_norm(vec3_sub(p, q));
                cr_assert_leq(d, (double)s.pair.queue->reach, "%d: %g", kind, d);
                outside++;
            }
        }
        /* Distances to convex bodies are convex, so interpolation does not make them less. */
        cr_assert(outside > 0 || kind % 2 == 0, "%d", kind);
    }
}

/** Compares the queue of a tree traversal, all of its clusters, and its hits. */
static void check_trees(scene *s, alg_pst_queue *q, const geo_pose *pose, uint32_t words)
{
    const uint32_t count = q->tree->points.count;
    SCOPED_FREE alg_pst_item *const items =
        base_alloc((size_t)q->tree->node_count * ALG_PST_WIDTH + 1, sizeof *items);
    SCOPED_FREE uint64_t *const hits = base_alloc(words, sizeof *hits);
    uint64_t spheres[2], looked_up[2];
    uint32_t tail[2];
    for (int isa = 0; isa < 2; isa++) {
        ask(&s->pair, pose, NULL);
        q->head = q->tail = 0;
        q->spheres = q->points = 0;
        q->items[q->tail++] = (alg_pst_item){0, count, 0, 0};
        (isa == 0 ? alg_pst_open_clusters_sse2 : alg_pst_open_clusters_avx2)(q);
        spheres[isa] = q->spheres;
        looked_up[isa] = q->points;
        tail[isa] = q->tail;
        cr_assert(q->head == q->tail);
        if (isa == 0) {
            memcpy(items, q->items, q->tail * sizeof *items);
            memcpy(hits, q->hits, words * sizeof *hits);
        }
        cr_assert(isa == 0 || memcmp(hits, q->hits, words * sizeof *hits) == 0);
        memset(q->hits, 0, words * sizeof *hits);
    }
    cr_assert(spheres[0] == spheres[1] && looked_up[0] == looked_up[1] && tail[0] == tail[1]);
    cr_assert(memcmp(items, q->items, tail[0] * sizeof *items) == 0);
}

Test(penetration, instruction_sets_find_the_same)
{
    if (!base_cpu_avx2()) {
        cr_skip_test("this CPU has no AVX2");
    }
    SCOPED_PST_SCENE s;
    open_scene(&s, make_shape(1), make_shape(1), false, 32);
    base_random random = base_random_seed(8);
    const uint32_t count = s.pair.points->points.count, words = count / 64 + 1;
    SCOPED_FREE uint64_t *const found = base_alloc(words, sizeof *found);
    alg_pst_queue *const q = s.pair.queue;
    for (int i = 0; i < 200; i++) {
        const geo_pose pose = shape_pose(&random, 1);
        ask(&s.pair, &pose, NULL); /* sets the motion */
        alg_pst_look_up_points_sse2(q, 0, count);
        memcpy(found, q->hits, words * sizeof *found);
        memset(q->hits, 0, words * sizeof *found);
        alg_pst_look_up_points_avx2(q, 0, count);
        cr_assert(memcmp(found, q->hits, words * sizeof *found) == 0, "pose %d", i);
        memset(q->hits, 0, words * sizeof *found);
        check_trees(&s, q, &pose, words);
    }
}

/** Compares reactions of 1 to 16 points in any order, with and without shares, with scalar
 * functions. */
static void check_reactions(const scene *s, const geo_pose *into, bool turn,
                            const alg_pst_reactions *r, const char *what)
{
    const alg_pst_points *const points = &s->pair.queue->tree->points;
    for (uint32_t k = 0; k < r->count; k++) {
        const uint32_t i = r->point[k];
        const vec3 at = geo_pose_apply(into, points->points[i]);
        const double length = points->shares ? vec3_norm(points->shares[i]) : 0;
        const vec3 normal =
            length > 0 ? vec3_scale(1 / length, points->shares[i]) : points->normals[i];
        const vec3 own = turn ? geo_pose_rotate(into, normal) : normal;
        const float value = alg_pst_field_at(&s->pair.field->field, at).value;
        cr_assert(vec3_equal(at, (vec3){r->at[0][k], r->at[1][k], r->at[2][k]}), "%s, %u", what, k);
        cr_assert(vec3_equal(own, (vec3){r->own[0][k], r->own[1][k], r->own[2][k]}), "%s, %u", what,
                  k);
        cr_assert(r->weight[k] == (points->shares ? length : 1), "%s, %u: %g", what, k,
                  r->weight[k]);
        /* Outside of the blocks values are positive. */
        cr_assert(r->depth[k] == -value || (r->depth[k] == 0 && value > 0), "%s, %u: %g for %g",
                  what, k, (double)r->depth[k], (double)value);
    }
}

Test(penetration, reactions_are_those_of_single_points)
{
    base_random random = base_random_seed(31);
    SCOPED_PST_SCENE s;
    open_scene(&s, make_shape(1), make_shape(0), false, 32);
    alg_pst_points *const points = &s.points->tree.points;
    SCOPED_FREE vec3 *const shares = base_alloc(points->count, sizeof *shares);
    for (uint32_t i = 0; i < points->count; i++) {
        const double length = i % 5 == 0 ? 0 : base_random_unit(&random);
        shares[i] = vec3_scale(length, geo_random_direction(&random));
    }
    int deep = 0, zero = 0;
    for (int i = 0; i < 400; i++) {
        points->shares = i % 2 == 0 ? NULL : shares;
        const geo_pose pose = shape_pose(&random, i % 8 == 0 ? 5 : 1);
        alg_pst_reactions r[2];
        r[0].count = 1 + (uint32_t)base_random_below(&random, ALG_PST_REACTIONS);
        for (uint32_t k = 0; k < r[0].count; k++) {
            r[0].point[k] = (uint32_t)base_random_below(&random, points->count);
        }
        r[1] = r[0];
        alg_pst_react_sse2(s.pair.queue, &pose, i % 4 < 2, &r[0]);
        check_reactions(&s, &pose, i % 4 < 2, &r[0], "sse2");
        if (base_cpu_avx2()) {
            alg_pst_react_avx2(s.pair.queue, &pose, i % 4 < 2, &r[1]);
            check_reactions(&s, &pose, i % 4 < 2, &r[1], "avx2");
        }
        for (uint32_t k = 0; k < r[0].count; k++) {
            deep += r[0].depth[k] > 0;
            zero += points->shares && !(vec3_norm(points->shares[r[0].point[k]]) > 0);
        }
    }
    cr_assert(deep > 100 && zero > 100, "%d, %d", deep, zero);
    points->shares = NULL;
}

/* --- By hand ---------------------------------------------------------------------------------- */

/** A cube of edge 1 that is pressed by d into the upper face of a slab. */
Test(penetration, a_face_is_as_deep_as_it_is_pressed)
{
    for (int moving = 0; moving < 2; moving++) {
        SCOPED_PST_SCENE s;
        open_scene(&s, shape_box((vec3){-2, -2, -1}, (vec3){2, 2, 1}),
                   shape_cube((vec3){0, 0, 0}, 0.5), moving == 1, 32);
        for (int i = 1; i <= 6; i++) {
            const double d = 0.03 * i;
            const geo_pose pose = shape_shift(0.125, -0.25, 1.5 - d);
            const alg_answer a = ask(&s.pair, &pose, NULL);
            /* In front of a face the field is exact up to rounding. The cube's own field is curved
             * at its edges, where points of the slab are near them. */
            const double slack = moving ? 0.03 : 1e-5;
            cr_assert(a.colliding, "%d, d %g", moving, d);
            cr_assert_float_eq(a.depth_m, d, slack, "%d, d %g: %g", moving, d, a.depth_m);
            cr_assert(a.force.z > 0.9 * vec3_norm(a.force), "%d, d %g", moving, d);
            cr_assert(a.direction.z > 0.9, "%d, d %g", moving, d);
        }
        const geo_pose apart = shape_shift(0, 0, 1.6);
        const alg_answer a = ask(&s.pair, &apart, NULL);
        cr_assert(!a.colliding && a.depth_m == 0 && a.contact_count == 0 &&
                  vec3_norm(a.force) == 0);
    }
}

/** Force and torque are the sums over the contacts, whichever body has the field. */
Test(penetration, force_and_torque_are_the_sums_of_the_contacts)
{
    SCOPED_FREE alg_contact *const contacts = base_alloc(CONTACTS, sizeof *contacts);
    base_random random = base_random_seed(3);
    for (int moving = 0; moving < 2; moving++) {
        SCOPED_PST_SCENE s;
        open_scene(&s, make_shape(0), make_shape(2), moving == 1, 24);
        for (int i = 0; i < 50; i++) {
            const geo_pose pose = shape_pose(&random, 0.8);
            const alg_answer a = ask(&s.pair, &pose, contacts);
            const vec3 centre = geo_pose_apply(&pose, s.pair.centroid_b);
            vec3 force = {0, 0, 0}, torque = {0, 0, 0};
            double depth = 0;
            for (uint32_t k = 0; k < a.contact_count; k++) {
                const alg_contact *const c = &contacts[k];
                const vec3 f = vec3_scale(c->depth_m, c->normal);
                force = vec3_add(force, f);
                torque = vec3_add(torque, vec3_cross(vec3_sub(c->point, centre), f));
                depth = fmax(depth, c->depth_m);
                cr_assert_float_eq(vec3_norm(c->normal), 1, 1e-12);
                cr_assert_gt(c->depth_m, 0);
            }
            cr_assert(vec3_norm(vec3_sub(force, a.force)) <= 1e-12 * (1 + vec3_norm(force)));
            cr_assert(vec3_norm(vec3_sub(torque, a.torque)) <= 1e-12 * (1 + vec3_norm(torque)));
            cr_assert_eq(depth, a.depth_m);
        }
    }
}

/** A plate is pushed back to the side from which it came by its own normals. The field's gradient
 * changes its direction behind the middle of the plate. */
Test(penetration, own_normals_push_a_point_back_through_a_thin_body)
{
    for (int moving = 0; moving < 2; moving++) {
        SCOPED_PST_SCENE s;
        geo_mesh plate = shape_box((vec3){-1, -1, -0.05}, (vec3){1, 1, 0.05});
        geo_mesh block = shape_box((vec3){-0.5, -0.5, 0}, (vec3){0.5, 0.5, 0.8});
        /* The field's body is the plate, above the block if the field moves. */
        open_scene(&s, moving ? block : plate, moving ? plate : block, moving == 1, 32);
        const geo_pose pose = moving ? shape_shift(0, 0, 0.02) : shape_shift(0, 0, -0.02);
        for (int i = 0; i < 4; i++) {
            alg_pst_penetration pair = s.pair;
            pair.normals = i % 2 ? ALG_PST_GRADIENT : ALG_PST_OWN;
            pair.depth = i < 2 ? ALG_PST_FIELD : ALG_PST_LAYERS;
            bind(&s, &pair);
            const alg_answer a = ask(&pair, &pose, NULL);
            /* B is the block, above the plate, or the plate, below the block. */
            const double back = (moving ? -1 : 1) * a.force.z / vec3_norm(a.force);
            cr_assert(i % 2 ? back < -0.99 : back > 0.9, "%d, %d: %g", moving, i, back);
        }
    }
}

/** Points weighted by area push like the integral of the depth over the surface. By Gauss' theorem,
 * the force on a ball of radius r in a half-space is the volume below the plane. The force on a
 * block is the area of its face times the depth. */
Test(penetration, weighed_points_push_as_the_surface_does)
{
    for (int kind = ALG_PST_MESH; kind <= ALG_PST_BLUE_NOISE; kind++) {
        geo_mesh slab = shape_box((vec3){-2, -2, -1}, (vec3){2, 2, 0});
        SCOPED_MESH ball = shape_ball((vec3){0, 0, 0}, 0.5, 24);
        const alg_mesh body = shape_body(&ball, true);
        const alg_pst_options options = {
            .points = {.kind = (alg_pst_shell)kind, .voxels = 32, .seed = 1, .weigh = true}};
        SCOPED_PST_SCENE s;
        open_scene(&s, slab, shape_ball((vec3){0, 0, 0}, 0.5, 24), false, 32);
        alg_build_info info = {0};
        alg_message message = {""};
        void *weighed;
        cr_assert_eq(alg_pst_body_prepare(&options, &body, &weighed, &info, &message), ALG_OK);
        alg_pst_penetration pair = s.pair;
        pair.points = &((alg_pst_body *)weighed)->tree;
        bind(&s, &pair);
        const double area = geo_mesh_measures(&ball).area_m2;
        for (int i = 0; i < 8; i++) {
            const double c = 0.06 + 0.05 * i;
            const geo_pose pose = shape_shift(0.1, -0.2, 0.5 - c);
            const alg_answer a = ask(&pair, &pose, NULL);
            const double cap = 3.141592653589793 * c * c * (1.5 - c) / 3;
            const double force = area * a.force.z;
            cr_assert_float_eq(force / cap, 1, i < 2 ? 0.1 : 0.02, "%d, cap %g: %g for %g", kind, c,
                               force, cap);
            cr_assert_lt(hypot(a.force.x, a.force.y), 0.01 * a.force.z);
        }
        alg_destroy(weighed);
    }
}

/** Two balls push along the line of their centres, like the gradient of the volume, and B away from
 * A, whichever body has the field and whatever the depth. */
Test(penetration, balls_are_pushed_along_the_line_of_centres)
{
    base_random random = base_random_seed(5);
    /* A brief test uses each field and each depth once. */
    for (int k = 0; k < 4; k += (int)sweep_step(3)) {
        SCOPED_PST_SCENE s;
        open_scene(&s, shape_ball((vec3){0, 0, 0}, 1, 16), shape_ball((vec3){0, 0, 0}, 0.8, 16),
                   k % 2 == 1, 32);
        s.pair.depth = k < 2 ? ALG_PST_FIELD : ALG_PST_LAYERS;
        s.pair.normals = k % 2 ? ALG_PST_GRADIENT : ALG_PST_OWN;
        bind(&s, &s.pair);
        for (int i = 0; i < 40; i++) {
            const double d = base_random_range(&random, 1.2, 1.7);
            geo_pose pose = shape_pose(&random, 1);
            const vec3 line = vec3_normalize(pose.translation);
            pose.translation = vec3_scale(d, line);
            const alg_answer a = ask(&s.pair, &pose, NULL);
            const double along = vec3_dot(a.force, line) / vec3_norm(a.force);
            cr_assert_gt(along, 0.99, "%d, d %g: %g", k, d, along);
            const double arm = vec3_norm(a.torque) / vec3_norm(a.force);
            /* Points of the mesh are not evenly distributed. */
            cr_assert_lt(arm, 0.1, "%d, d %g: %g", k, d, arm);
            if (k < 2) {
                cr_assert_float_eq(a.depth_m, 1.8 - d, 0.02, "%d, d %g: %g", k, d, a.depth_m);
            }
        }
    }
}

/* --- Budgets ---------------------------------------------------------------------------------- */

/** Lookups never exceed the budget, no point is deeper than `hidden`, and a sufficient budget
 * changes nothing. */
Test(penetration, budgets_are_kept)
{
    base_random random = base_random_seed(4);
    /* A brief test uses each field and each depth once. */
    for (int k = 0; k < 4; k += (int)sweep_step(3)) {
        SCOPED_PST_SCENE s;
        open_scene(&s, make_shape(1), make_shape(3), k % 2 == 1, 24);
        s.pair.depth = k < 2 ? ALG_PST_FIELD : ALG_PST_LAYERS;
        bind(&s, &s.pair);
        alg_pst_penetration gated = s.pair, flat = s.pair;
        flat.flat = true;
        bind(&s, &gated);
        bind(&s, &flat);
        int reached = 0, hidden = 0;
        for (int i = 0; i < 200; i++) {
            const geo_pose pose = shape_pose(&random, 1);
            const alg_answer all = ask(&s.pair, &pose, NULL);
            gated.budget = flat.budget = 1 + base_random_below(&random, i < 20 ? 20 : 2000);
            const alg_answer a = ask(&gated, &pose, NULL), b = ask(&flat, &pose, NULL);
            cr_assert(lookups(&a) <= gated.budget && lookups(&b) <= flat.budget, "%d, %d", k, i);
            cr_assert(all.depth_m <= fmax(a.depth_m, gated.hidden), "%d, %d: %g, %g, %g", k, i,
                      all.depth_m, a.depth_m, gated.hidden);
            cr_assert(a.depth_m <= all.depth_m && b.depth_m <= all.depth_m, "%d, %d", k, i);
            const bool whole = a.outcome == ALG_CONVERGED;
            cr_assert(whole || a.outcome == ALG_BUDGET_REACHED);
            cr_assert(!whole || (vec3_equal(a.force, all.force) && gated.hidden == 0), "%d, %d", k,
                      i);
            reached += !whole;
            hidden += !whole && a.contact_count > 0;
            gated.budget = 1000000;
            const alg_answer rich = ask(&gated, &pose, NULL);
            cr_assert(rich.outcome == ALG_CONVERGED && vec3_equal(rich.force, all.force) &&
                          vec3_equal(rich.torque, all.torque) && rich.depth_m == all.depth_m,
                      "%d, %d", k, i);
        }
        cr_assert(reached > 50 && hidden > 20, "%d: %d, %d", k, reached, hidden);
    }
}

/** If the body is wholly inside, each point is looked up once, with and without representatives. */
Test(penetration, no_point_is_looked_up_twice)
{
    SCOPED_PST_SCENE s;
    open_scene(&s, shape_box((vec3){-2, -2, -2}, (vec3){2, 2, 2}), make_shape(1), false, 24);
    alg_pst_penetration gated = s.pair;
    bind(&s, &gated);
    gated.budget = 1000000;
    const geo_pose pose = shape_shift(0.1, 0.2, 0.3);
    const alg_answer all = ask(&s.pair, &pose, NULL), rich = ask(&gated, &pose, NULL);
    const uint64_t count = s.pair.points->points.count;
    cr_assert_eq(all.counters[ALG_PST_COUNT_POINTS], count);
    cr_assert_eq(rich.counters[ALG_PST_COUNT_POINTS], count);
    cr_assert(all.contact_count == count && rich.contact_count == count);
}

/** Representatives of points that were left out have about the force of all points. */
Test(penetration, representatives_push_for_their_clusters)
{
    SCOPED_PST_SCENE s;
    open_scene(&s, shape_box((vec3){-2, -2, -1}, (vec3){2, 2, 1}), shape_cube((vec3){0, 0, 0}, 0.5),
               false, 32);
    const geo_pose pose = shape_shift(0, 0, 1.4);
    const alg_answer all = ask(&s.pair, &pose, NULL);
    alg_pst_penetration gated = s.pair;
    bind(&s, &gated);
    gated.budget = lookups(&all) / 2;
    const alg_answer a = ask(&gated, &pose, NULL);
    cr_assert_eq(a.outcome, ALG_BUDGET_REACHED);
    const double ratio = vec3_norm(a.force) / vec3_norm(all.force);
    cr_assert(ratio > 0.7 && ratio < 1.4, "%g", ratio);
    cr_assert_lt(a.contact_count, all.contact_count);
}

/** Without time nothing is looked up, with enough time everything is. */
Test(penetration, time_ends_walks)
{
    base_random random = base_random_seed(9);
    SCOPED_PST_SCENE s;
    open_scene(&s, make_shape(1), make_shape(1), false, 24);
    alg_pst_penetration timed = s.pair;
    bind(&s, &timed);
    for (int i = 0; i < 100; i++) {
        const geo_pose pose = shape_pose(&random, 1);
        const alg_answer all = ask(&s.pair, &pose, NULL);
        timed.budget_ns = 1;
        const alg_answer none = ask(&timed, &pose, NULL);
        cr_assert(none.outcome == ALG_BUDGET_REACHED || lookups(&none) == 1, "%d", i);
        timed.budget_ns = 10000000000;
        const alg_answer rich = ask(&timed, &pose, NULL);
        cr_assert(rich.outcome == ALG_CONVERGED && vec3_equal(rich.force, all.force), "%d", i);
    }
}

/** For a body far away, one sphere is looked up. */
Test(penetration, far_bodies_end_after_one_sphere)
{
    SCOPED_PST_SCENE s;
    open_scene(&s, make_shape(0), make_shape(1), false, 24);
    const geo_pose pose = shape_shift(1000, 500, 3);
    const alg_answer a = ask(&s.pair, &pose, NULL);
    cr_assert(a.counters[ALG_PST_COUNT_SPHERES] == 1 && a.counters[ALG_PST_COUNT_POINTS] == 0 &&
              !a.colliding && a.outcome == ALG_CONVERGED);
}

/** Only the quantities that are wanted are answered. */
Test(penetration, only_wanted_quantities_are_answered)
{
    static const unsigned wanted[] = {ALG_WANT_CONTACT, ALG_WANT_DEPTH, ALG_WANT_FORCE};
    static const uint32_t answered[] = {ALG_HAS_CONTACT, ALG_HAS_CONTACTS | ALG_HAS_DEPTH,
                                        ALG_HAS_CONTACTS | ALG_HAS_FORCE};
    SCOPED_PST_SCENE s;
    open_scene(&s, make_shape(0), make_shape(2), false, 24);
    const geo_pose pose = geo_pose_identity();
    for (int i = 0; i < 3; i++) {
        alg_pst_penetration pair = s.pair;
        pair.wanted = wanted[i];
        bind(&s, &pair);
        const alg_answer a = ask(&pair, &pose, NULL);
        cr_assert(a.answered == answered[i] && a.colliding, "%d: %u", i, (unsigned)a.answered);
        cr_assert(wanted[i] == ALG_WANT_CONTACT ||
                  a.counters[ALG_PST_COUNT_CONTACTS] == a.contact_count);
    }
}
