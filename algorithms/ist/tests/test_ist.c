#include "algorithms/ist/body.h"
#include "algorithms/tests/pair.h"
#include "base/csv.h"
#include "base/elementary.h"
#include "base/tests/support.h"
#include "geometry/mesh.h"
#include "geometry/sphere.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BOTH = ALG_WANT_DISTANCE | ALG_WANT_VOLUME };

/* --- Bodies with known values ----------------------------------------------------------------- */

/** Returns the distance of two axis-aligned boxes. */
static double box_distance(geo_box a, geo_box b)
{
    const vec3 gap =
        vec3_max(vec3_max(vec3_sub(a.lo, b.hi), vec3_sub(b.lo, a.hi)), (vec3){0, 0, 0});
    return vec3_norm(gap);
}

static double box_volume(geo_box a, geo_box b)
{
    const vec3 size = vec3_sub(vec3_min(a.hi, b.hi), vec3_max(a.lo, b.lo));
    return size.x > 0 && size.y > 0 && size.z > 0 ? size.x * size.y * size.z : 0;
}

Test(ist, boxes_keep_the_bounds)
{
    SCOPED_MESH a = shape_box((vec3){-1, -1, -1}, (vec3){1, 1, 1});
    SCOPED_MESH b = shape_box((vec3){-0.5, -1, -0.7}, (vec3){0.5, 1, 0.7});
    SCOPED_PAIR lower = pair_open("ist:radius=primary,voxels=24", &a, &b, BOTH);
    SCOPED_PAIR filled = pair_open("ist:voxels=24", &a, &b, BOTH);
    size_t apart = 0, overlapping = 0;
    double distance_error = 0, volume_error = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        base_random random = base_random_seed(seed);
        geo_pose pose = geo_pose_identity();
        pose.translation = shape_point(&random, 2.5);
        const geo_box moved = {vec3_add(filled.b.box.lo, pose.translation),
                               vec3_add(filled.b.box.hi, pose.translation)};
        const double d = box_distance(filled.a.box, moved);
        const double v = box_volume(filled.a.box, moved);
        const alg_answer x = pair_ask(&lower, &pose), y = pair_ask(&filled, &pose);
        const double slack = 1e-12 * d + 64 * 0x1p-52 * 3.5;
        cr_assert(x.distance_m >= d - slack && x.distance_m == y.distance_m,
                  "seed %lu: %.17g and %.17g for %.17g", seed, x.distance_m, y.distance_m, d);
        cr_assert_leq(x.distance_m, d + 0.2, "seed %lu: %g for %g", seed, x.distance_m, d);
        cr_assert_leq(x.volume_m3, v * (1 + 1e-11), "seed %lu: %g for %g", seed, x.volume_m3, v);
        if (d > 0) {
            apart++;
            distance_error += (x.distance_m - d) / d;
            cr_assert(!x.colliding);
        } else if (v > 0.05) {
            overlapping++;
            volume_error += fabs(y.volume_m3 - v) / v;
            cr_assert(y.colliding);
        }
    }
    cr_assert(apart > 100 && overlapping > 100, "%zu apart, %zu overlapping", apart, overlapping);
    cr_assert_lt(distance_error / (double)apart, 0.1, "%g", distance_error / (double)apart);
    cr_assert_lt(volume_error / (double)overlapping, 0.05, "%g",
                 volume_error / (double)overlapping);
}

Test(ist, balls_keep_the_bounds)
{
    /* The meshes lie inside the balls. So the distance of the balls is a lower bound of the true
     * distance, and their overlap is an upper bound of the true one. */
    SCOPED_MESH a = shape_ball((vec3){0, 0, 0}, 1, 12), b = shape_ball((vec3){0.3, 0, 0}, 0.7, 12);
    const geo_ball ball_a = {{0, 0, 0}, 1};
    SCOPED_PAIR p = pair_open("ist:radius=primary,voxels=40", &a, &b, BOTH);
    SCOPED_PAIR q = pair_open("ist:voxels=40", &a, &b, BOTH);
    size_t apart = 0, overlapping = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        base_random random = base_random_seed(seed);
        const geo_pose pose = shape_pose(&random, 1.5);
        const geo_ball ball_b = {geo_pose_apply(&pose, (vec3){0.3, 0, 0}), 0.7};
        const double d = fmax(vec3_norm(ball_b.centre) - 1.7, 0);
        const double v = geo_ball_overlap_volume(ball_a, ball_b);
        const alg_answer x = pair_ask(&p, &pose), y = pair_ask(&q, &pose);
        cr_assert(x.distance_m >= d && x.distance_m <= d + 0.06, "seed %lu: %g for %g", seed,
                  x.distance_m, d);
        cr_assert_leq(x.volume_m3, v, "seed %lu", seed);
        cr_assert_float_eq(y.volume_m3, v, 0.08 * v + 0.01, "seed %lu: %g for %g", seed,
                           y.volume_m3, v);
        if (v > 0.1) {
            /* The force of two balls is along the line of centres. */
            const vec3 towards = vec3_normalize(ball_b.centre);
            cr_assert_gt(vec3_dot(towards, vec3_normalize(y.force)), 0.99, "seed %lu", seed);
            /* The pushes of balls that are filled with spheres do not all have the same
             * direction. */
            cr_assert(vec3_norm(y.force) <= y.volume_m3 && vec3_norm(y.force) > 0.5 * y.volume_m3,
                      "seed %lu: %g of %g", seed, vec3_norm(y.force), y.volume_m3);
            /* The force acts at the centre of B, which is not B's origin. */
            cr_assert_leq(vec3_norm(y.torque), 0.03 * y.volume_m3, "seed %lu: %g for %g", seed,
                          vec3_norm(y.torque), y.volume_m3);
        }
        apart += d > 0;
        overlapping += v > 0;
    }
    cr_assert(apart > 40 && overlapping > 40, "%zu apart, %zu overlapping", apart, overlapping);
}

Test(ist, box_in_box)
{
    SCOPED_MESH a = shape_cube((vec3){0, 0, 0}, 2), b = shape_cube((vec3){0, 0, 0}, 0.5);
    SCOPED_PAIR p = pair_open("ist:voxels=32", &a, &b, BOTH);
    const geo_pose pose = shape_shift(0.4, -0.2, 0.7);
    const alg_answer x = pair_ask(&p, &pose);
    cr_assert(x.colliding && x.distance_m == 0);
    cr_assert_float_eq(x.volume_m3, 1, 0.05, "%g", x.volume_m3);
}

Test(ist, finer_voxels_come_nearer)
{
    SCOPED_MESH a = shape_ball((vec3){0, 0, 0}, 1, 8);
    double last = INFINITY;
    for (int voxels = 8; voxels <= 64; voxels *= 2) {
        char name[32];
        snprintf(name, sizeof name, "ist:voxels=%d", voxels);
        SCOPED_PAIR p = pair_open(name, &a, &a, ALG_WANT_DISTANCE);
        double error = 0;
        for (uint64_t seed = 1; seed <= 40; seed++) {
            base_random random = base_random_seed(seed);
            geo_pose pose = shape_pose(&random, 0);
            pose.translation = vec3_scale(2.5, geo_random_direction(&random));
            error += pair_ask(&p, &pose).distance_m - 0.5;
        }
        cr_assert_lt(error, 0.8 * last, "%d voxels: %g after %g", voxels, error, last);
        last = error;
    }
}

Test(ist, finer_shares_come_nearer)
{
    /* The box has 32.1 and 25.1 voxels along y and z: their faces are nearly half an edge too far
     * out. */
    SCOPED_MESH box = shape_box((vec3){0, 0, 0}, (vec3){1, 0.73, 0.57});
    SCOPED_PAIR coarse = pair_open("ist:min-radius=1,radius=centroid,voxels=44", &box, &box, BOTH);
    SCOPED_PAIR fine = pair_open("ist:min-radius=1,radius=shares,voxels=44", &box, &box, BOTH);
    double coarse_error = 0, fine_error = 0;
    size_t overlapping = 0;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        base_random random = base_random_seed(seed);
        geo_pose pose = geo_pose_identity();
        pose.translation = shape_point(&random, 0.7);
        const geo_box moved = {vec3_add(fine.b.box.lo, pose.translation),
                               vec3_add(fine.b.box.hi, pose.translation)};
        const double v = box_volume(fine.a.box, moved);
        const alg_answer x = pair_ask(&coarse, &pose), y = pair_ask(&fine, &pose);
        cr_assert_eq(x.distance_m, y.distance_m, "seed %lu: the spheres are the same", seed);
        if (v > 0.004) {
            overlapping++;
            coarse_error += fabs(x.volume_m3 - v) / v;
            fine_error += fabs(y.volume_m3 - v) / v;
        }
    }
    cr_assert_gt(overlapping, 50);
    cr_assert_lt(fine_error, 0.6 * coarse_error, "means: %g, %g", fine_error / (double)overlapping,
                 coarse_error / (double)overlapping);
}

/* --- Flat faces ------------------------------------------------------------------------------- */

/**
 * Presses a cube of edge 1 onto a cube by its face, in each direction, from 20 % of the edge apart
 * to 20 % deep. There is no force at more than a voxel apart, and a force along the axis from 0.1
 * mm on. The paper's force grows with the depth. The force of the gradient remains near the common
 * area of the faces, 0.49, and oscillates around it because spheres have different sizes.
 */
Test(ist, the_force_on_a_flat_face)
{
    enum { STEPS = 100, VOXELS = 32 };
    static const char *const names[] = {"ist:voxels=32", "ist-gradient:voxels=32"};
    SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, 0.5);
    for (int gradient = 0; gradient < 2; gradient++) {
        SCOPED_PAIR p = pair_open(names[gradient], &cube, &cube, ALG_WANT_FORCE);
        double least[6], most[6], deep[6];
        for (int side = 0; side < 6; side++) {
            const int axis = side / 2;
            const double sign = side % 2 ? -1 : 1;
            double before = 0;
            least[side] = INFINITY;
            most[side] = 0;
            for (int k = 0; k <= STEPS; k++) {
                const double gap = 0.2 - 0.4 * k / STEPS + (k == STEPS / 2 ? -1e-4 : 0);
                double t[3] = {0.3, 0.3, 0.3};
                t[axis] = sign * (1 + gap);
                const geo_pose pose = shape_shift(t[0], t[1], t[2]);
                const vec3 force = pair_ask(&p, &pose).force;
                const double along = sign * vec3_get(force, axis);
                cr_assert(gap < 1.0 / VOXELS || vec3_norm(force) == 0, "%s, side %d, gap %g: %g",
                          names[gradient], side, gap, vec3_norm(force));
                cr_assert(gap > 0 || (along > 0 && (gradient || along > before)),
                          "%s, side %d, gap %g: %g after %g", names[gradient], side, gap, along,
                          before);
                if (gap < -1.0 / VOXELS) {
                    least[side] = fmin(least[side], along);
                    most[side] = fmax(most[side], along);
                }
                before = along;
            }
            deep[side] = before;
        }
        for (int side = 0; side < 6; side++) {
            /* Equal faces push equally, up to the positions of the spheres. */
            cr_assert_float_eq(deep[side] / deep[0], 1, gradient ? 0.05 : 0.01, "%s, side %d: %g",
                               names[gradient], side, deep[side]);
            cr_assert(!gradient || (least[side] > 0.35 && most[side] < 0.57), "side %d: %g to %g",
                      side, least[side], most[side]);
        }
    }
}

/* --- The entry ist ---------------------------------------------------------------------------- */

Test(ist, contracts)
{
    alg_variant v;
    alg_message message;
    cr_assert_eq(alg_variant_parse("ist", 1, &v, &message), ALG_OK);
    const alg_algorithm *const g = v.algorithm;
    cr_assert(g->flags & ALG_NEEDS_SOLIDS);
    cr_assert_str_eq(g->force_unit, "m3");
    cr_assert_eq(g->contract(&v.settings, ALG_DISTANCE), ALG_UPPER_BOUND);
    cr_assert_eq(g->contract(&v.settings, ALG_VOLUME), ALG_APPROXIMATE);
    cr_assert_eq(alg_variant_parse("ist:radius=primary", 1, &v, &message), ALG_OK);
    cr_assert_eq(g->contract(&v.settings, ALG_DISTANCE), ALG_UPPER_BOUND);
    cr_assert_eq(g->contract(&v.settings, ALG_VOLUME), ALG_LOWER_BOUND);
}

/**
 * Tests that every setting of ist-gradient is read from its own index: bodies, volumes and
 * distances are those of ist with the same settings.
 */
Test(ist, a_gradient_has_the_settings_and_the_volume_of_ist)
{
    static const char *const settings[] = {"voxels=16", "branching=2,radius=primary,voxels=12",
                                           "error=20,hierarchy=layered,min-radius=0.6",
                                           "packing=refined,spheres=60,stop=fixed,voxels=12",
                                           "radius=centroid,start=last,voxels=12"};
    SCOPED_MESH a = shape_ball((vec3){0.1, 0, 0}, 1, 5), b = shape_torus(12, 0.7, 0.3);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        char name[96];
        snprintf(name, sizeof name, "ist:%s", settings[i]);
        SCOPED_PAIR p = pair_open(name, &a, &b, ALG_WANT_DISTANCE | ALG_WANT_VOLUME);
        snprintf(name, sizeof name, "ist-gradient:%s", settings[i]);
        SCOPED_PAIR q = pair_open(name, &a, &b, ALG_WANT_DISTANCE | ALG_WANT_VOLUME);
        const alg_algorithm *const g = q.variant.algorithm;
        cr_assert(p.info_a.bytes == q.info_a.bytes && p.info_b.primitives == q.info_b.primitives);
        cr_assert_eq(p.variant.algorithm->contract(&p.variant.settings, ALG_VOLUME),
                     g->contract(&q.variant.settings, ALG_VOLUME));
        base_random random = base_random_seed(i);
        for (int k = 0; k < 20; k++) {
            const geo_pose pose = shape_pose(&random, 1.5);
            const alg_answer x = pair_ask(&p, &pose), y = pair_ask(&q, &pose);
            cr_assert(x.distance_m == y.distance_m && x.volume_m3 == y.volume_m3 &&
                          memcmp(x.counters, y.counters, sizeof x.counters) == 0,
                      "%s, pose %d", name, k);
        }
    }
    alg_variant v = pair_variant("ist-gradient:radius=primary,start=last,stop=fixed,voxels=9");
    const alg_variant w = pair_variant("ist-gradient:stop=fixed,voxels=9");
    v.algorithm->body_settings(&v.settings);
    cr_assert_eq(memcmp(&v.settings, &w.settings, sizeof v.settings), 0);
    cr_assert_str_eq(v.algorithm->force_unit, "m2");
}

static alg_status prepare(const char *name, const alg_mesh *mesh, alg_message *message,
                          alg_build_info *info)
{
    alg_variant v;
    cr_assert_eq(alg_variant_parse(name, 1, &v, message), ALG_OK, "%s", message->text);
    void *prepared = &v;
    const alg_status status =
        v.algorithm->prepare(&v.settings, mesh, ALG_FIXED, &prepared, info, message);
    cr_assert_eq(status == ALG_OK, prepared != NULL);
    v.algorithm->dispose(prepared);
    return status;
}

Test(ist, declines_what_it_cannot_fill)
{
    alg_message message = {""};
    alg_build_info info;
    SCOPED_MESH cube = shape_cube((vec3){0, 0, 0}, 1);
    const alg_mesh surface = shape_body(&cube, false);
    cr_assert_eq(prepare("ist:voxels=8", &surface, &message, &info), ALG_UNSUPPORTED);
    cr_assert_not_null(strstr(message.text, "solid"), "%s", message.text);
    SCOPED_MESH plates = shape_join(shape_box((vec3){0, 0, 0}, (vec3){8, 1, 0.4}),
                                    shape_box((vec3){0, 0, 0.6}, (vec3){8, 1, 1}));
    const alg_mesh thin = shape_body(&plates, true);
    cr_assert_eq(prepare("ist:voxels=8", &thin, &message, &info), ALG_UNSUPPORTED);
    cr_assert_not_null(strstr(message.text, "more voxels"), "%s", message.text);
    cr_assert_eq(prepare("ist:voxels=64", &thin, &message, &info), ALG_OK);
    const alg_mesh solid = shape_body(&cube, true);
    cr_assert_eq(prepare("ist:min-radius=50,voxels=8", &solid, &message, &info), ALG_UNSUPPORTED);
    cr_assert_not_null(strstr(message.text, "min-radius"), "%s", message.text);
}

Test(ist, facts_describe_the_tree)
{
    SCOPED_MESH ball = shape_ball((vec3){0, 0, 0}, 1, 5);
    const alg_mesh body = shape_body(&ball, true);
    alg_message message;
    alg_build_info few, many;
    cr_assert_eq(prepare("ist:spheres=100,voxels=30", &body, &message, &few), ALG_OK);
    cr_assert_eq(prepare("ist:voxels=30", &body, &message, &many), ALG_OK);
    cr_assert_eq(few.primitives, 100);
    cr_assert_gt(many.primitives, 500);
    const char *const *const facts = alg_find("ist")->facts;
    size_t named = 0;
    for (size_t i = 0; facts[i]; i++) {
        const bool of_auto = i == ALG_IST_FACT_WALL || i == ALG_IST_FACT_ERROR;
        cr_assert_neq(isfinite(many.facts[i]), of_auto, "%s", facts[i]);
        if (strcmp(facts[i], "children_mean") == 0) {
            cr_assert(many.facts[i] > 2 && many.facts[i] <= 4, "%g", many.facts[i]);
            named++;
        }
        if (strcmp(facts[i], "levels_count") == 0) {
            cr_assert_gt(many.facts[i], few.facts[i]);
            named++;
        }
    }
    cr_assert_eq(named, 2);
}

enum { SPHERES = 500 };

/** Returns the bytes per sphere of a body with SPHERES spheres, without its nodes. */
static double bytes_a_leaf(const char *variant, const alg_mesh *body)
{
    alg_message message;
    alg_build_info info;
    cr_assert_eq(prepare(variant, body, &message, &info), ALG_OK, "%s", variant);
    cr_assert_eq(info.primitives, SPHERES);
    /* A node has four lanes of five floats and a number. */
    const double nodes = (SPHERES - 1) / (info.facts[ALG_IST_FACT_CHILDREN_MEAN] - 1);
    const double of_nodes = nodes * 4 * 24 / SPHERES;
    cr_assert(of_nodes > 44 && of_nodes < 48, "%s: %g bytes of nodes a leaf", variant, of_nodes);
    return (double)info.bytes / SPHERES - of_nodes;
}

Test(ist, leaves_contain_only_requested_data)
{
    SCOPED_MESH ball = shape_ball((vec3){0, 0, 0}, 1, 5);
    const alg_mesh body = shape_body(&ball, true);
    static const struct {
        const char *variant;
        double bytes;
    } leaves[] = {
        {"ist:spheres=500,voxels=30", 44},
        {"ist:radius=centroid,spheres=500,voxels=30", 68},
        {"ist:directions=cones,spheres=500,voxels=30", 68},
        {"ist:directions=cones,radius=centroid,spheres=500,voxels=30", 92},
    };
    for (size_t i = 0; i < sizeof leaves / sizeof *leaves; i++) {
        const double bytes = bytes_a_leaf(leaves[i].variant, &body);
        cr_assert(bytes >= leaves[i].bytes && bytes < leaves[i].bytes + 1, "%s: %g",
                  leaves[i].variant, bytes);
    }
}

typedef struct drawn {
    geo_ball balls[4096];
    size_t count;
} drawn;

static void keep_ball(void *context, const geo_ball *ball)
{
    drawn *const d = context;
    cr_assert_lt(d->count, sizeof d->balls / sizeof *d->balls);
    d->balls[d->count++] = *ball;
}

Test(ist, draws_all_its_spheres)
{
    static drawn d;
    const vec3 centre = {3, -1, 2};
    SCOPED_MESH ball = shape_ball(centre, 1, 5);
    SCOPED_PAIR p = pair_open("ist:voxels=20", &ball, &ball, ALG_WANT_DISTANCE);
    const alg_sink sink = {.size = sizeof sink, .context = &d, .sphere = keep_ball};
    p.variant.algorithm->draw(p.moving, &sink);
    cr_assert_eq(d.count, p.info_b.primitives);
    double volume = 0;
    for (size_t i = 0; i < d.count; i++) {
        const geo_ball b = d.balls[i];
        cr_assert(b.radius > 0 && vec3_distance(b.centre, centre) + b.radius < 1 + 1e-12,
                  "sphere %zu at %g %g %g with radius %g leaves the ball", i, b.centre.x,
                  b.centre.y, b.centre.z, b.radius);
        volume += 4.18879020478639 * b.radius * b.radius * b.radius;
        for (size_t k = 0; k < i; k++) {
            const double gap = vec3_distance(b.centre, d.balls[k].centre);
            cr_assert(gap > (b.radius + d.balls[k].radius) * (1 - 1e-6), "%zu and %zu overlap", i,
                      k);
        }
    }
    const double whole = geo_mesh_measures(&ball).volume_m3;
    cr_assert(volume > 0.5 * whole && volume < whole, "%g of %g", volume, whole);
}

/* --- Accuracy on the reference pairs ---------------------------------------------------------- */

typedef struct reference {
    base_csv poses, expected;
} reference;

static void read_table(const char *set, const char *what, const char *kind, base_csv *table)
{
    char path[256];
    snprintf(path, sizeof path, "../shared/reference/%s-%s.%s.csv", set, what, kind);
    assert_ok(base_csv_read(path, NULL, table, ERR));
}

static double cell(const base_csv *table, size_t row, const char *column)
{
    double value;
    assert_ok(base_csv_number(table, row, base_csv_find(table, column), &value, ERR));
    return value;
}

static geo_pose frame(const base_csv *t, size_t row)
{
    return geo_pose_make(
        (geo_quat){cell(t, row, "qx"), cell(t, row, "qy"), cell(t, row, "qz"), cell(t, row, "qw")},
        (vec3){cell(t, row, "x_m"), cell(t, row, "y_m"), cell(t, row, "z_m")});
}

/**
 * Mean errors: of the distance relative to itself and to the diagonal, of the volume relative to
 * itself.
 */
typedef struct accuracy {
    double distance_rel, distance_size, volume_rel;
} accuracy;

static accuracy measure(const pair *distance, const pair *volume, const char *set, vec3 centre)
{
    accuracy sum = {0};
    base_csv poses, expected;
    const double diagonal = geo_box_diagonal(distance->a.box);
    for (int quantity = 0; quantity < 2; quantity++) {
        const char *const what = quantity ? "volume" : "distance";
        read_table(set, what, "trajectory", &poses);
        read_table(set, what, "expected", &expected);
        const double n = (double)poses.rows;
        for (size_t f = 0; f < poses.rows; f++) {
            geo_pose pose = frame(&poses, f);
            pose.translation = vec3_sub(pose.translation, centre);
            if (quantity == 0) {
                const double d = cell(&expected, f, "distance_m");
                const double error = pair_ask(distance, &pose).distance_m - d;
                cr_assert_geq(error, -1e-12 * d, "%s frame %zu: below the truth", set, f);
                sum.distance_rel += error / d / n;
                sum.distance_size += error / diagonal / n;
            } else {
                const double v = cell(&expected, f, "volume_m3");
                sum.volume_rel += fabs(pair_ask(volume, &pose).volume_m3 - v) / v / n;
            }
        }
        base_csv_release(&poses);
        base_csv_release(&expected);
    }
    return sum;
}

static void check_reference(const char *set, const char *file_a, const char *file_b)
{
    if (access("../shared/reference", R_OK) != 0) {
        cr_skip_test("skipped: ../shared is not there");
    }
    SCOPED_MESH a, b;
    base_error err = {0};
    cr_assert(geo_mesh_load(file_a, &a, &err) == BASE_OK &&
                  geo_mesh_load(file_b, &b, &err) == BASE_OK,
              "%s", err.text);
    const vec3 centre = geo_box_centre(geo_mesh_box(&a));
    geo_mesh_translate(&a, vec3_scale(-1, centre));
    /* A short sweep has fewer spheres, which are less accurate. */
    const bool all = sweep_step(2) == 1;
    const double most = all ? 1 : 4;
    SCOPED_PAIR p = pair_open(all ? "ist" : "ist:voxels=64", &a, &b, ALG_WANT_DISTANCE);
    pair q = p;
    alg_message message;
    cr_assert_eq(p.variant.algorithm->bind(&p.variant.settings, p.fixed, p.moving,
                                           PAIR_REQUEST(ALG_WANT_VOLUME), &q.state, &message),
                 ALG_OK);
    cr_assert(p.info_a.primitives <= 100000 && p.info_b.primitives <= 100000, "%lu and %lu spheres",
              p.info_a.primitives, p.info_b.primitives);
    const accuracy x = measure(&p, &q, set, centre);
    cr_assert_lt(x.distance_rel, most * 0.02, "%s: distances %.3f %% too large", set,
                 100 * x.distance_rel);
    cr_assert_lt(x.distance_size, most * 0.0015, "%s: %.4f %% of the size", set,
                 100 * x.distance_size);
    cr_assert_lt(x.volume_rel, most * 0.02, "%s: volumes %.3f %% off", set, 100 * x.volume_rel);
    p.variant.algorithm->release(q.state);
}

Test(ist, spot_and_rocker_arm)
{
    check_reference("spot-rocker", "../shared/models/c3d-spot.off",
                    "../shared/models/c3d-rocker-arm.off");
}

Test(ist, two_bunnies)
{
    check_reference("bunny-bunny", "../shared/models/oded-bunny_hr.off",
                    "../shared/models/oded-bunny_hr.off");
}
