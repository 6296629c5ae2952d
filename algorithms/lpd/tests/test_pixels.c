/** Depths by pixels: by hand, for lenses, and against a reference that draws all triangles four
 * times. */
#include "algorithms/lpd/pixels.h"

#include "algorithms/lpd/tests/pictures.h"
#include "base/tests/support.h"

#include <math.h>

/** Two bodies and the work space. */
typedef struct scene {
    alg_lpd_body *a, *b;
    base_arena arena;
    alg_lpd_screen *screen;
} scene;

static scene make_scene(geo_mesh a, geo_mesh b)
{
    scene s = {.a = picture_body(a), .b = picture_body(b)};
    const alg_lpd_pair pair = {s.a, s.b};
    assert_ok(alg_lpd_screen_create(&pair, true, &s.arena, &s.screen, ERR));
    return s;
}

static void end_scene(scene *s)
{
    base_arena_release(&s->arena);
    alg_destroy(s->a);
    alg_destroy(s->b);
}

#define SCOPED_LPD_SCENE RELEASED_BY(end_scene) scene

static alg_lpd_translation find(scene *s, const geo_pose *pose, const alg_lpd_box *box,
                                alg_lpd_resolution resolution)
{
    const alg_lpd_pair pair = {s->a, s->b};
    uint64_t triangles = 0;
    return alg_lpd_depth_by_pixels(&pair, pose, box, &resolution, s->screen, &triangles);
}

static alg_lpd_translation find_at_rest(scene *s, const alg_lpd_box *box, uint32_t pixels)
{
    const geo_pose rest = geo_pose_identity();
    return find(s, &rest, box, (alg_lpd_resolution){.pixels = pixels});
}

static alg_lpd_box box_upright(vec3 centre, double x, double y)
{
    return (alg_lpd_box){centre, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {x, y, 0}};
}

/** Returns a box with a random rotation about z. */
static alg_lpd_box box_along(base_random *random, vec3 centre, vec3 z, double x, double y)
{
    alg_lpd_box box = {.centre = centre, .half = {x, y, 0}};
    box.axis[2] = z;
    box.axis[0] = vec3_normalize(vec3_cross(z, geo_random_direction(random)));
    box.axis[1] = vec3_cross(z, box.axis[0]);
    return box;
}

static alg_lpd_box reverse(alg_lpd_box box)
{
    box.axis[2] = vec3_scale(-1, box.axis[2]);
    box.axis[1] = vec3_scale(-1, box.axis[1]);
    return box;
}

/* --- Reference implementation ----------------------------------------------------------------- */

static uint32_t plain_size(double half, double pixel)
{
    const double n = ceil(2 * half / pixel);
    return n < 4 ? 4 : n > 512 ? 512 : (uint32_t)n;
}

static alg_lpd_window plain_window(const alg_lpd_box *box, alg_lpd_resolution r)
{
    alg_lpd_window w = {.centre = box->centre, .axis = {box->axis[0], box->axis[1], box->axis[2]}};
    for (int i = 0; i < 2; i++) {
        const double least =
            r.pixels > 0 ? fmax(box->half[0], box->half[1]) / r.pixels : r.pixel_m / 2;
        w.half[i] = fmax(box->half[i], least);
        w.size[i] = r.pixels > 0 ? r.pixels : plain_size(w.half[i], r.pixel_m);
    }
    return w;
}

/** Returns the depth along sign * n. */
static double plain_depth(const scene *s, const geo_pose *pose, const alg_lpd_window *window,
                          double sign)
{
    const geo_pose rest = geo_pose_identity();
    double *const a = picture_draw(window, &s->a->tree, &rest, sign);
    double *const b = picture_draw(window, &s->b->tree, pose, -sign);
    double most = -1;
    for (size_t i = 0; i < (size_t)window->size[0] * window->size[1]; i++) {
        const double sum = a[i] + b[i];
        most = isfinite(sum) && sum > most ? sum : most;
    }
    base_free(a);
    base_free(b);
    return most < 0 ? (double)INFINITY : most;
}

typedef struct tally {
    uint32_t found, reversed, unseen;
} tally;

static void check_plain(scene *s, const geo_pose *pose, const alg_lpd_box *box,
                        alg_lpd_resolution resolution, const char *what, int round, tally *t)
{
    const alg_lpd_pair pair = {s->a, s->b};
    const alg_lpd_window window = plain_window(box, resolution);
    const double forth = plain_depth(s, pose, &window, 1), back = plain_depth(s, pose, &window, -1);
    const double least = back < forth ? back : forth;
    const vec3 n = box->axis[2];
    for (int all = 0; all < 2; all++) {
        resolution.draws_all = all == 1;
        const alg_lpd_translation translation = find(s, pose, box, resolution);
        cr_assert(translation.depth_m == least, "%s %d: %.17g, plainly %.17g and %.17g", what,
                  round, translation.depth_m, forth, back);
        cr_assert(vec3_equal(translation.direction, back < forth ? vec3_scale(-1, n) : n),
                  "%s %d: the wrong way of %.17g and %.17g", what, round, forth, back);
        const double along = alg_lpd_pixels_along(&pair, pose, box, &resolution, s->screen, NULL);
        cr_assert(along == forth, "%s %d: %.17g along n, plainly %.17g", what, round, along, forth);
    }
    t->found += least < (double)INFINITY;
    t->reversed += back < forth;
    t->unseen += least == (double)INFINITY;
}

/* --- By hand ---------------------------------------------------------------------------------- */

/** B is 0.25 deep in A's upper face. */
Test(lpd_pixels, flat_faces_are_as_deep_as_they_are)
{
    SCOPED_LPD_SCENE s =
        make_scene(shape_cube((vec3){0, 0, 0}, 1), shape_cube((vec3){0.5, 0.25, 1.75}, 1));
    const alg_lpd_box box = box_upright((vec3){0.25, 0.125, 0.875}, 0.75, 0.875);
    const alg_lpd_box down = reverse(box);
    static const uint32_t sizes[] = {1, 2, 3, 5, 8, 9, 64, 100, 512};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const alg_lpd_translation up = find_at_rest(&s, &box, sizes[i]);
        cr_assert(up.depth_m == 0.25 && vec3_equal(up.direction, (vec3){0, 0, 1}),
                  "%u pixels: %.17g along %g", sizes[i], up.depth_m, up.direction.z);
        const alg_lpd_translation same = find_at_rest(&s, &down, sizes[i]);
        cr_assert(same.depth_m == 0.25 && vec3_equal(same.direction, (vec3){0, 0, 1}),
                  "%u pixels, turned: %.17g", sizes[i], same.depth_m);
    }
}

/** A corner, 0.25 below A's face, at the centre of the middle pixel. */
Test(lpd_pixels, a_corner_is_as_deep_as_its_tip)
{
    SCOPED_LPD_SCENE s = make_scene(shape_cube((vec3){0, 0, 0}, 1), shape_cube((vec3){0, 0, 0}, 1));
    /* The pose maps the diagonal (1, 1, 1) to -z. */
    const double third = 1 / sqrt(3), half = 1 / sqrt(2), sixth = 1 / sqrt(6);
    const geo_pose pose = {
        {{{half, -half, 0}, {-sixth, -sixth, 2 * sixth}, {-third, -third, -third}}},
        {0.125, -0.25, 0.75 + sqrt(3)}};
    const alg_lpd_box box = box_upright((vec3){0.125, -0.25, 0.9}, 0.3, 0.4);
    static const uint32_t sizes[] = {1, 3, 9, 65};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const alg_lpd_translation translation =
            find(&s, &pose, &box, (alg_lpd_resolution){.pixels = sizes[i]});
        cr_assert(fabs(translation.depth_m - 0.25) < 1e-15 && translation.direction.z == 1,
                  "%u pixels: %.17g", sizes[i], translation.depth_m);
    }
    /* With an even number of pixels, the tip is half a pixel off along both sides. */
    const alg_lpd_translation translation =
        find(&s, &pose, &box, (alg_lpd_resolution){.pixels = 64});
    cr_assert(translation.depth_m < 0.2499 && translation.depth_m > 0.24, "%.17g",
              translation.depth_m);
}

/** Both directions have the same depth: B is a cube in the middle of A. */
Test(lpd_pixels, of_equal_depths_the_first_is_taken)
{
    SCOPED_LPD_SCENE s =
        make_scene(shape_cube((vec3){0, 0, 0}, 1), shape_cube((vec3){0, 0, 0}, 0.5));
    const alg_lpd_box box = box_upright((vec3){0, 0, 0}, 0.5, 0.5);
    const alg_lpd_box down = reverse(box);
    const alg_lpd_translation up = find_at_rest(&s, &box, 16), other = find_at_rest(&s, &down, 16);
    cr_assert(up.depth_m == 1.5 && up.direction.z == 1, "%.17g %g", up.depth_m, up.direction.z);
    cr_assert(other.depth_m == 1.5 && other.direction.z == -1, "%.17g", other.depth_m);
}

/** A surface through the plane's centre has height 0 on both sides. */
Test(lpd_pixels, triangles_that_touch_the_plane_are_drawn)
{
    SCOPED_LPD_SCENE s = make_scene(shape_box((vec3){-1, -1, -1}, (vec3){1, 1, 0}),
                                    shape_box((vec3){-1, -1, 0}, (vec3){1, 1, 1}));
    const alg_lpd_box box = box_upright((vec3){0, 0, 0}, 0.5, 0.5);
    const alg_lpd_translation translation = find_at_rest(&s, &box, 8);
    const double zero = 0;
    cr_assert_eq(memcmp(&translation.depth_m, &zero, sizeof zero), 0, "%g", translation.depth_m);
    cr_assert(translation.direction.z == 1);
}

Test(lpd_pixels, a_surface_that_hides_nothing_does_not_count)
{
    /* B is beside A in the window: no pixel covers both. */
    SCOPED_LPD_SCENE s =
        make_scene(shape_cube((vec3){-2, 0, 0}, 1), shape_cube((vec3){2, 0, 0}, 1));
    alg_lpd_box box = box_upright((vec3){0, 0, 0}, 4, 4);
    alg_lpd_translation translation = find_at_rest(&s, &box, 64);
    cr_assert(isinf(translation.depth_m) && translation.direction.z == 1);
    /* Nothing is in the window. */
    box.centre.y = 1000;
    translation = find_at_rest(&s, &box, 64);
    cr_assert(isinf(translation.depth_m) && translation.depth_m > 0);
    /* Both bodies are above the plane, so in each direction one of them is behind it and not
       visible. */
    box = box_upright((vec3){0, 0, -5}, 4, 4);
    translation = find_at_rest(&s, &box, 64);
    cr_assert(isinf(translation.depth_m));
}

/** Only along -z the bodies block each other; along z no pixel covers both. */
Test(lpd_pixels, a_way_that_is_free_is_not_taken)
{
    SCOPED_LPD_SCENE s = make_scene(shape_box((vec3){-1, -1, -3}, (vec3){1, 1, -2}),
                                    shape_box((vec3){-1, -1, 1}, (vec3){1, 1, 2}));
    const alg_lpd_box box = box_upright((vec3){0, 0, 0}, 0.5, 0.5);
    const alg_lpd_translation translation = find_at_rest(&s, &box, 8);
    cr_assert(translation.depth_m == 3 && translation.direction.z == -1, "%g", translation.depth_m);
}

/* --- Lenses ----------------------------------------------------------------------------------- */

/** Returns the window of the circle in which two unit balls intersect, whose centres are `apart`
 * along a direction. */
static alg_lpd_box lens_box(base_random *random, vec3 z, double apart)
{
    const double radius = sqrt(1 - apart * apart / 4);
    return box_along(random, vec3_scale(apart / 2, z), z, radius, radius);
}

Test(lpd_pixels, a_lens_is_as_deep_as_it_is_thick)
{
    base_random random = base_random_seed(1);
    SCOPED_LPD_SCENE s =
        make_scene(shape_ball((vec3){0, 0, 0}, 1, 24), shape_ball((vec3){0, 0, 0}, 1, 24));
    for (int i = 0; i < 20; i++) {
        const double apart = base_random_range(&random, 1, 1.95);
        const vec3 z = geo_random_direction(&random);
        geo_pose pose = shape_pose(&random, 0);
        pose.translation = vec3_scale(apart, z);
        alg_lpd_box box = lens_box(&random, z, apart);
        for (int turned = 0; turned < 2; turned++, box = reverse(box)) {
            const alg_lpd_translation translation =
                find(&s, &pose, &box, (alg_lpd_resolution){.pixels = 64});
            cr_assert(vec3_distance(translation.direction, z) < 1e-12, "%d: away", i);
            cr_assert(fabs(translation.depth_m - (2 - apart)) < 0.004, "%d: %g, not %g", i,
                      translation.depth_m, 2 - apart);
        }
    }
}

/** The largest sum is smaller than the maximum over all points by at most the slope of a pixel. */
Test(lpd_pixels, more_pixels_are_more_exact)
{
    base_random random = base_random_seed(2);
    SCOPED_LPD_SCENE s =
        make_scene(shape_ball((vec3){0, 0, 0}, 1, 16), shape_ball((vec3){0, 0, 0}, 1, 16));
    const double apart = 1.5;
    for (int i = 0; i < 8; i++) {
        const vec3 z = geo_random_direction(&random);
        geo_pose pose = shape_pose(&random, 0);
        pose.translation = vec3_scale(apart, z);
        const alg_lpd_box box = lens_box(&random, z, apart);
        const double best = find(&s, &pose, &box, (alg_lpd_resolution){.pixels = 511}).depth_m;
        for (uint32_t pixels = 8; pixels <= 512; pixels *= 2) {
            const double depth =
                find(&s, &pose, &box, (alg_lpd_resolution){.pixels = pixels}).depth_m;
            const double pixel = 2 * box.half[0] / pixels;
            /* Near their deepest points, within a few pixels, both caps are flatter than 1 : 4. */
            cr_assert(fabs(depth - best) <= 2 * 0.25 * pixel, "%d: %u pixels: %g, not %g", i,
                      pixels, depth, best);
        }
    }
}

/* --- Theories --------------------------------------------------------------------------------- */

/** Makes a plate z = slope x + waves of n x n squares in [-1, 1]^2. */
static geo_mesh wavy_plate(uint32_t n, double slope, double wave, double phase)
{
    geo_mesh_builder mesh = shape_new((size_t)(n + 1) * (n + 1), 2 * (size_t)n * n);
    for (uint32_t i = 0; i <= n; i++) {
        for (uint32_t j = 0; j <= n; j++) {
            const double x = 2.0 * i / n - 1, y = 2.0 * j / n - 1;
            mesh.vertices[i * (n + 1) + j] =
                (vec3){x, y, slope * x + wave * (sin(7 * x + phase) + cos(9 * y - phase))};
            if (i < n && j < n) {
                const uint32_t v = i * (n + 1) + j, w = v + n + 1;
                mesh.faces[2 * (i * n + j)] = (geo_face){{v, w, v + 1}};
                mesh.faces[2 * (i * n + j) + 1] = (geo_face){{v + 1, w, w + 1}};
            }
        }
    }
    return geo_mesh_builder_finish(&mesh);
}

Test(lpd_pixels, bodies_may_be_swapped)
{
    base_random random = base_random_seed(3);
    for (int i = 0; i < 30; i++) {
        SCOPED_LPD_SCENE s =
            make_scene(wavy_plate(20, 0.1, 0.05, i), wavy_plate(30, -0.2, 0.03, 2 * i));
        SCOPED_LPD_SCENE t =
            make_scene(wavy_plate(30, -0.2, 0.03, 2 * i), wavy_plate(20, 0.1, 0.05, i));
        const geo_pose pose = geo_pose_make(geo_quat_normalize((geo_quat){0.05, 0.02, 0.3, 1}),
                                            shape_point(&random, 0.05));
        const geo_pose back = geo_pose_inverse(&pose);
        const alg_lpd_box box =
            box_along(&random, shape_point(&random, 0.05),
                      vec3_normalize((vec3){0.1, -0.1, i % 2 ? 1 : -1}), 0.6, 0.4);
        alg_lpd_box there = box;
        there.centre = geo_pose_apply(&back, box.centre);
        for (int k = 0; k < 3; k++) {
            there.axis[k] = geo_pose_rotate(&back, box.axis[k]);
        }
        const alg_lpd_resolution pixels = {.pixels = 33};
        const alg_lpd_translation translation = find(&s, &pose, &box, pixels);
        const alg_lpd_translation other = find(&t, &back, &there, pixels);
        cr_assert(isfinite(translation.depth_m) &&
                      fabs(translation.depth_m - other.depth_m) < 1e-13,
                  "%d: %.17g, swapped %.17g", i, translation.depth_m, other.depth_m);
        const vec3 again = geo_pose_rotate(&pose, other.direction);
        cr_assert(vec3_norm(vec3_add(translation.direction, again)) < 1e-13, "%d: the same way", i);
    }
}

/** A is moved, and B's pose and the box with it. Coordinates far away have fewer digits. */
Test(lpd_pixels, all_may_be_moved)
{
    base_random random = base_random_seed(4);
    for (int i = 0; i < 24; i++) {
        const double reach = i % 3 == 0 ? 1 : i % 3 == 1 ? 100 : 1e6;
        const geo_pose move = shape_pose(&random, reach);
        SCOPED_LPD_SCENE s =
            make_scene(wavy_plate(12, 0.1, 0.05, i), shape_ball((vec3){0, 0, 0}, 0.8, 8));
        SCOPED_LPD_SCENE t = make_scene(shape_move(wavy_plate(12, 0.1, 0.05, i), move, 1),
                                        shape_ball((vec3){0, 0, 0}, 0.8, 8));
        geo_pose pose = shape_pose(&random, 0);
        pose.translation = (vec3){0.1, 0.2, 0.7};
        const geo_pose moved = geo_pose_compose(&move, &pose);
        const vec3 z = vec3_normalize((vec3){0.1, -0.1, 1});
        const alg_lpd_box box = box_along(&random, (vec3){0.1, 0.2, 0}, z, 0.4, 0.3);
        alg_lpd_box there = box;
        there.centre = geo_pose_apply(&move, box.centre);
        for (int k = 0; k < 3; k++) {
            there.axis[k] = geo_pose_rotate(&move, box.axis[k]);
        }
        const alg_lpd_resolution pixels = {.pixels = 40};
        const alg_lpd_translation translation = find(&s, &pose, &box, pixels);
        const alg_lpd_translation other = find(&t, &moved, &there, pixels);
        cr_assert(isfinite(translation.depth_m) &&
                      fabs(translation.depth_m - other.depth_m) < 1e-14 * (10 + reach),
                  "%d: %.17g, moved %.17g", i, translation.depth_m, other.depth_m);
    }
}

Test(lpd_pixels, scales_of_two_change_no_digit)
{
    base_random random = base_random_seed(5);
    for (int i = 0; i < 12; i++) {
        const double scale = ldexp(1, 15 * i - 130);
        const geo_pose rest = geo_pose_identity();
        SCOPED_LPD_SCENE s =
            make_scene(wavy_plate(12, 0.1, 0.05, i), shape_ball((vec3){0, 0, 0}, 0.8, 8));
        SCOPED_LPD_SCENE t =
            make_scene(shape_move(wavy_plate(12, 0.1, 0.05, i), rest, scale),
                       shape_move(shape_ball((vec3){0, 0, 0}, 0.8, 8), rest, scale));
        geo_pose pose = shape_pose(&random, 0);
        pose.translation = (vec3){0.1, 0.2, 0.7};
        geo_pose large = pose;
        large.translation = vec3_scale(scale, pose.translation);
        const vec3 z = vec3_normalize((vec3){0.1, -0.1, 1});
        const alg_lpd_box box = box_along(&random, (vec3){0.1, 0.2, 0}, z, 0.4, 0.3);
        alg_lpd_box there = box;
        there.centre = vec3_scale(scale, box.centre);
        for (int k = 0; k < 2; k++) {
            there.half[k] = scale * box.half[k];
        }
        const alg_lpd_translation translation =
            find(&s, &pose, &box, (alg_lpd_resolution){.pixel_m = 0.02});
        const alg_lpd_translation other =
            find(&t, &large, &there, (alg_lpd_resolution){.pixel_m = scale * 0.02});
        cr_assert(isfinite(translation.depth_m) && scale * translation.depth_m == other.depth_m,
                  "times %g: %.17g and %.17g", scale, translation.depth_m, other.depth_m);
    }
}

/* --- Against the reference -------------------------------------------------------------------- */

static alg_lpd_resolution any_resolution(base_random *random, double half)
{
    static const uint32_t sizes[] = {1, 2, 3, 7, 8, 9, 16, 17, 31, 40};
    return base_random_below(random, 3) == 0
               ? (alg_lpd_resolution){.pixel_m = half * base_random_range(random, 0.03, 1)}
               : (alg_lpd_resolution){.pixels = sizes[base_random_below(random, 10)]};
}

/** Windows of any size and position: much smaller than triangles, much larger than bodies. */
Test(lpd_pixels, soups_equal_a_plain_rasteriser)
{
    base_random random = base_random_seed(6);
    tally t = {0};
    for (int i = 0; i < 60; i++) {
        SCOPED_LPD_SCENE s =
            make_scene(shape_soup(&random, 1 + base_random_below(&random, 300), false),
                       shape_soup(&random, 1 + base_random_below(&random, 300), false));
        for (int k = 0; k < 4; k++) {
            const geo_pose pose = shape_pose(&random, 0.3);
            const double half = ldexp(0.5, (int)base_random_below(&random, 8) - 5);
            const alg_lpd_box box =
                box_along(&random, shape_point(&random, 0.5), geo_random_direction(&random), half,
                          half * base_random_range(&random, 0.1, 1));
            check_plain(&s, &pose, &box, any_resolution(&random, half), "soup", 4 * i + k, &t);
        }
    }
    cr_assert(t.found > 100 && t.reversed > 40 && t.unseen > 20, "%u found, %u reversed, %u not",
              t.found, t.reversed, t.unseen);
}

/** Corners, edges and edge-on faces exactly at the centres of pixels; faces without an area. */
Test(lpd_pixels, integer_corners_equal_a_plain_rasteriser)
{
    base_random random = base_random_seed(7);
    tally t = {0};
    for (int i = 0; i < 600; i++) {
        const bool cells = i % 2 == 0;
        SCOPED_LPD_SCENE s = make_scene(
            cells ? shape_cells(&random, base_random_u64(&random)) : shape_soup(&random, 40, true),
            cells ? shape_cells(&random, base_random_u64(&random)) : shape_soup(&random, 40, true));
        geo_pose pose = geo_pose_identity();
        const vec3 shift = shape_point(&random, 2);
        pose.translation = (vec3){floor(shift.x), floor(shift.y), floor(shift.z)};
        /* Pixels of size 1 or 1/2, with centres on integers and half-integers. */
        const uint32_t pixels = 2 + (uint32_t)base_random_below(&random, i % 4 ? 2 : 11);
        const double pixel = i % 3 == 0 ? 0.5 : 1;
        const vec3 at = shape_point(&random, 3);
        alg_lpd_box box = box_upright((vec3){floor(at.x), floor(at.y), floor(2 * at.z) / 2},
                                      pixel * pixels / 2, pixel * pixels / 2);
        for (int turn = i % 3; turn > 0; turn--) {
            const vec3 z = box.axis[2];
            box.axis[2] = box.axis[1];
            box.axis[1] = box.axis[0];
            box.axis[0] = z;
        }
        check_plain(&s, &pose, &box, (alg_lpd_resolution){.pixels = pixels}, "lattice", i, &t);
    }
    cr_assert(t.found > 40 && t.reversed > 10 && t.unseen > 3, "%u found, %u reversed, %u not",
              t.found, t.reversed, t.unseen);
}

/** Makes triangles whose corners are nearly on a line; many are almost parallel to the view. */
static geo_mesh needles(base_random *random, size_t faces, double width)
{
    geo_mesh_builder mesh = shape_edit(shape_soup(random, faces, false));
    for (size_t f = 0; f < faces; f++) {
        vec3 *const p = &mesh.vertices[3 * f];
        const vec3 along = vec3_scale(base_random_range(random, 1, 8), vec3_sub(p[1], p[0]));
        p[0] = vec3_sub(p[0], along);
        p[1] = vec3_madd(p[0], 2, along);
        p[2] = vec3_madd(p[0], base_random_range(random, 0, 2), along);
        p[2] = vec3_madd(p[2], width, shape_point(random, 1));
    }
    return geo_mesh_builder_finish(&mesh);
}

Test(lpd_pixels, needles_equal_a_plain_rasteriser)
{
    base_random random = base_random_seed(8);
    tally t = {0};
    for (int i = 0; i < 60; i++) {
        /* Plates beside the needles make the needles often the nearest surface. */
        const double width = ldexp(1, -2 * (i % 30));
        geo_mesh a = needles(&random, 100, width), b = needles(&random, 100, width);
        SCOPED_LPD_SCENE s = make_scene(shape_join(a, wavy_plate(3, 0.7, 0.1, i)),
                                        shape_join(b, wavy_plate(3, -0.3, 0.1, i)));
        const geo_pose pose = shape_pose(&random, 0.1);
        /* Pixel centres lie on the needles: the window's centre and others along a side. */
        const geo_triangle *const needle = &s.a->tree.triangles[base_random_below(&random, 100)];
        const vec3 along = vec3_normalize(vec3_sub(needle->p[1], needle->p[0]));
        alg_lpd_box box = box_along(&random, needle->p[0], along, 0.5, 0.5);
        box.axis[2] = box.axis[0];
        box.axis[0] = along;
        box.axis[1] = vec3_cross(box.axis[2], box.axis[0]);
        check_plain(&s, &pose, &box, (alg_lpd_resolution){.pixels = 15}, "needles", i, &t);
    }
    cr_assert(t.found > 20 && t.reversed > 10, "%u found, %u reversed", t.found, t.reversed);
}

/** Closed and open surfaces with many more triangles than pixels, and with fewer. */
Test(lpd_pixels, surfaces_equal_a_plain_rasteriser)
{
    base_random random = base_random_seed(9);
    tally t = {0};
    for (int i = 0; i < 24; i++) {
        SCOPED_LPD_SCENE s =
            make_scene(i % 2 ? shape_ball((vec3){0, 0, 0}, 1, 20) : shape_torus(30, 1, 0.3),
                       i % 3 ? wavy_plate(30, 0.2, 0.1, i) : shape_torus(24, 0.8, 0.2));
        const geo_pose pose = shape_pose(&random, 0.5);
        const double half = base_random_range(&random, 0.05, 1.2);
        const alg_lpd_box box =
            box_along(&random, shape_point(&random, 0.6), geo_random_direction(&random), half,
                      half * base_random_range(&random, 0, 1));
        check_plain(&s, &pose, &box, any_resolution(&random, half), "surface", i, &t);
    }
    cr_assert(t.found > 10 && t.reversed > 3, "%u found, %u reversed", t.found, t.reversed);
}

/** Without culling, each triangle is drawn along both directions. */
Test(lpd_pixels, without_culling_all_triangles_are_drawn)
{
    SCOPED_LPD_SCENE s =
        make_scene(shape_ball((vec3){0, 0, 0}, 1, 24), shape_cube((vec3){0, 0, 1.75}, 1));
    const alg_lpd_pair pair = {s.a, s.b};
    const geo_pose pose = geo_pose_identity();
    const alg_lpd_box box = box_upright((vec3){0, 0, 1}, 0.5, 0.5);
    const alg_lpd_resolution culled = {.pixels = 64}, all = {.pixels = 64, .draws_all = true};
    uint64_t few = 0, many = 0;
    alg_lpd_depth_by_pixels(&pair, &pose, &box, &culled, s.screen, &few);
    alg_lpd_depth_by_pixels(&pair, &pose, &box, &all, s.screen, &many);
    cr_expect_lt(few, many);
    cr_expect_eq(many, 2 * (s.a->tree.count + s.b->tree.count));
    many = 0;
    alg_lpd_pixels_along(&pair, &pose, &box, &all, s.screen, &many);
    cr_expect_eq(many, s.a->tree.count + s.b->tree.count);
}

/* --- Windows ---------------------------------------------------------------------------------- */

/** Plates that intersect in a straight line: the window is widened to one pixel. */
Test(lpd_pixels, a_straight_curve_has_a_window)
{
    SCOPED_LPD_SCENE s = make_scene(wavy_plate(2, 0.5, 0, 0), wavy_plate(4, -0.25, 0, 0));
    const geo_pose rest = geo_pose_identity();
    alg_lpd_box box = {
        .centre = {0, 0, 0}, .axis = {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}}, .half = {0.75, 0, 0}};
    const double depth = find_at_rest(&s, &box, 64).depth_m;
    const double wide = 0.75 / 64, farthest = 63.0 / 64 * wide;
    cr_assert(fabs(depth - 0.75 * farthest) < 1e-15, "%.17g", depth);
    const double other = find(&s, &rest, &box, (alg_lpd_resolution){.pixel_m = 0.02}).depth_m;
    cr_assert(fabs(other - 0.75 * 0.01 * 0.75) < 1e-15, "%.17g", other);
    /* A single point. */
    box.half[0] = 0;
    cr_assert_eq(find_at_rest(&s, &box, 64).depth_m, 0);
    cr_assert(find(&s, &rest, &box, (alg_lpd_resolution){.pixel_m = 0.02}).depth_m < 0.01);
}

Test(lpd_pixels, adaptive_windows_have_the_requested_pixel_size)
{
    /* A step of 1/8 at x = 0.2, over a flat floor: visible as soon as a pixel's centre is beyond
       it. */
    SCOPED_LPD_SCENE s = make_scene(shape_box((vec3){-1, -1, -1}, (vec3){1, 1, 0}),
                                    shape_box((vec3){0.2, -1, -0.125}, (vec3){1, 1, 1}));
    const geo_pose rest = geo_pose_identity();
    static const double pixels[] = {1e-9, 1e-3, 0.02, 0.11, 0.3, 1, 1e9};
    for (size_t i = 0; i < sizeof pixels / sizeof *pixels; i++) {
        for (double half = 1e-4; half < 0.9; half *= 1.7) {
            const alg_lpd_box box = box_upright((vec3){0, 0, -0.0625}, half, 0.1);
            const alg_lpd_resolution resolution = {.pixel_m = pixels[i]};
            const alg_lpd_window w = plain_window(&box, resolution);
            const double last = (1 - 1.0 / w.size[0]) * w.half[0];
            if (last > 1 || w.half[1] > 1) {
                continue;
            }
            const double depth = find(&s, &rest, &box, resolution).depth_m;
            cr_assert_eq(depth, last > 0.2 ? 0.125 : (double)INFINITY, "pixel %g, half %g: %g",
                         pixels[i], half, depth);
        }
    }
}

/** Faces up to 2^37 times as large as the window. */
Test(lpd_pixels, a_window_may_be_tiny)
{
    SCOPED_LPD_SCENE s =
        make_scene(shape_cube((vec3){0, 0, 0}, 1), shape_cube((vec3){0, 0, 1.5}, 1));
    for (double half = 0.5; half > 1e-12; half /= 8) {
        const alg_lpd_box box = box_upright((vec3){0.3, 0.2, 0.75}, half, half / 2);
        const alg_lpd_translation translation = find_at_rest(&s, &box, 64);
        cr_assert(translation.depth_m == 0.5 && translation.direction.z == 1, "half %g: %.17g",
                  half, translation.depth_m);
    }
}

/** So many pieces in each tile that the lists have no room for them. */
Test(lpd_pixels, tiles_with_too_many_pieces_equal_a_plain_rasteriser)
{
    base_random random = base_random_seed(11);
    geo_mesh_builder large[2];
    for (int i = 0; i < 2; i++) {
        large[i] = shape_edit(shape_soup(&random, 20000, false));
        for (size_t v = 0; v < large[i].vertex_count; v++) {
            /* Each triangle is about as large as the soup, above and below the plane. */
            const vec3 p = large[i].vertices[v];
            large[i].vertices[v] = vec3_add(p, shape_point(&random, 4));
        }
    }
    SCOPED_LPD_SCENE s =
        make_scene(geo_mesh_builder_finish(&large[0]), geo_mesh_builder_finish(&large[1]));
    tally t = {0};
    size_t drawn = 0;
    for (int i = 0; i < 8; i += (int)sweep_step(3), drawn++) {
        const geo_pose pose = shape_pose(&random, 0.1);
        const alg_lpd_box box =
            box_along(&random, shape_point(&random, 1), geo_random_direction(&random), 4, 3);
        check_plain(&s, &pose, &box, (alg_lpd_resolution){.pixels = 11}, "many", i, &t);
    }
    cr_assert_eq(t.found, drawn);
}
