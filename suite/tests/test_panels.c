#include "base/memory.h"
#include "geometry/pose.h"
#include "suite/replay/picture.h"
#include "suite/tests/simulate.h"

#include <criterion/redirect.h>
#include <string.h>

static void enter(void)
{
    enter_folder();
    cr_redirect_stderr();
}

TestSuite(panels, .init = enter, .fini = leave_folder);

/* --- A variant that draws a known body -------------------------------------------------------- */

static alg_contract contract(const alg_settings *settings, alg_quantity quantity)
{
    (void)settings;
    return quantity == ALG_DEPTH ? ALG_APPROXIMATE : ALG_NOT_ANSWERED;
}

static alg_status prepare(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                          void **prepared, alg_build_info *info, alg_message *message)
{
    (void)settings, (void)mesh, (void)message;
    *info = (alg_build_info){0};
    alg_role *const body = base_alloc(1, sizeof *body);
    *body = role;
    *prepared = body;
    return ALG_OK;
}

static alg_status bind(const alg_settings *settings, const void *fixed, const void *moving,
                       const alg_request *request, void **state, alg_message *message)
{
    (void)settings, (void)fixed, (void)moving, (void)request, (void)message;
    *state = base_alloc(1, 1);
    return ALG_OK;
}

/** B separates along -y by 3; there is one region, around (0, -2, 0). */
static void query(void *state, const geo_pose *pose, alg_answer *answer)
{
    (void)state, (void)pose;
    answer->answered = ALG_HAS_DEPTH | ALG_HAS_WITNESS | ALG_HAS_REGIONS;
    answer->outcome = ALG_CONVERGED;
    answer->depth_m = 3;
    answer->direction = (vec3){0, -1, 0};
    answer->witness_a = (vec3){0, -2, 0};
    answer->witness_b = (vec3){0, -2, 1};
    answer->region_count = 1;
    if (answer->region_capacity > 0) {
        answer->regions[0] = (alg_region){.direction = {0, -1, 0},
                                          .depth_m = 3,
                                          .area_m2 = 1,
                                          .point = {0, -2, 0},
                                          .side_u = {1, 0, 0},
                                          .side_v = {0, 0, 1},
                                          .half_u_m = 0.5,
                                          .half_v_m = 0.25};
    }
}

/**
 * Draws a tree. Level 1 has two nodes, at x = -0.5 and 0.5. Each has a node of level 2.
 * B's spheres are those of A, moved by -2.2 along y. A grid of 4 voxels has the middle two.
 */
static void draw(const void *prepared, const alg_sink *sink)
{
    const double y = *(const alg_role *)prepared == ALG_MOVING ? -2.2 : 0;
    const geo_vec3 up = {0, 0, 1}, corner = {-1, y - 0.25, -0.25};
    const geo_vec3 points[] = {{-0.5, y, 0.3}, {-0.4, y, 0.3}, {0.5, y, 0.3}};
    sink->node(sink->context, &(geo_ball){{0, y, 0}, 1}, 0);
    sink->node(sink->context, &(geo_ball){{-0.5, y, 0}, 0.4}, 1);
    sink->sphere(sink->context, &(geo_ball){{-0.5, y, 0}, 0.2});
    sink->point(sink->context, &points[0], &up);
    sink->node(sink->context, &(geo_ball){{-0.5, y, 0.3}, 0.1}, 2);
    sink->sphere(sink->context, &(geo_ball){{-0.5, y, 0.35}, 0.05});
    sink->point(sink->context, &points[1], &up);
    sink->node(sink->context, &(geo_ball){{0.5, y, 0}, 0.3}, 1);
    sink->sphere(sink->context, &(geo_ball){{0.5, y, 0}, 0.25});
    sink->node(sink->context, &(geo_ball){{0.5, y, 0.3}, 0.1}, 2);
    sink->point(sink->context, &points[2], &up);
    sink->grid(sink->context, &corner, 0.5, 0, (uint32_t[]){4, 1, 1});
    sink->surface_voxels(sink->context, 1, 3, 0, 0);
}

static const alg_algorithm tree = {.abi_version = ALG_ABI_VERSION,
                                   .name = "ist-tree",
                                   .summary = "for tests",
                                   .source = "",
                                   .contract = contract,
                                   .prepare = prepare,
                                   .dispose = base_free,
                                   .bind = bind,
                                   .release = base_free,
                                   .query = query,
                                   .draw = draw};
static const alg_variant variant = {.algorithm = &tree, .name = "ist-tree"};

/* --- Drawing ---------------------------------------------------------------------------------- */

enum { SIDE = 100 };

typedef struct shown {
    bench_canvas canvas;
    bench_scene_counts counts;
    base_error err;
} shown;

/** The view from -y: x to the right, z upwards. */
static bench_panel panel_of(const char *layers)
{
    return (bench_panel){
        .layers = layers, .view = bench_view_make(-90, 0), .spheres = UINT64_MAX, .zoom = 1};
}

/** Draws a box of 2 x 2 x 2 around the origin, and another one moved by (0, -2.2, 0). */
static base_status show(const bench_panel *panel, shown *s)
{
    *s = (shown){.counts = {{0}, {0}}};
    bench_pair pair;
    bench_solo solo;
    char a[128], b[128], fault[BENCH_FAULT_BYTES];
    write_box("a.off", (vec3){-1, -1, -1}, (vec3){1, 1, 1}, a);
    write_box("b.off", (vec3){-1, -1, -1}, (vec3){1, 1, 1}, b);
    open_pair(a, b, &pair);
    const alg_request request = {
        .size = sizeof request, .wanted = ALG_WANT_DEPTH, .regions_max = 4};
    cr_assert_eq(bench_solo_open(&variant, &pair, &request, NULL, &solo, &s->err), BASE_OK, "%s",
                 s->err.text);
    const scn_frame frame = {.position = {0, 0, 0}, .orientation = {0, 0, 0, 1}};
    const geo_pose pose = bench_pair_pose(&pair, frame.position, frame.orientation);
    alg_answer answer;
    cr_assert(bench_solo_ask_details(&solo, &pose, &answer, fault), "%s", fault);
    const bench_scene scene = {.pair = &pair,
                               .frame = &frame,
                               .solo = &solo,
                               .answer = &answer,
                               .regions = bench_buffer_regions(&solo.buffers),
                               .region_count =
                                   bench_buffer_count(&solo.buffers, BENCH_LIST_REGIONS, &answer)};
    cr_assert_eq(scene.region_count, 1);
    cr_assert_eq(bench_canvas_open(SIDE, SIDE, &s->canvas, &s->err), BASE_OK);
    const bench_area all = {0, 0, SIDE, SIDE};
    const base_status status =
        bench_panel_draw(&scene, panel, &s->canvas, all, &s->counts, &s->err);
    bench_solo_close(&solo);
    bench_pair_close(&pair);
    return status;
}

static shown show_layers(const char *layers)
{
    shown s;
    const bench_panel panel = panel_of(layers);
    cr_assert_eq(show(&panel, &s), BASE_OK, "%s", s.err.text);
    return s;
}

static const unsigned char *pixel(const shown *s, unsigned x, unsigned y)
{
    return &s->canvas.rgb[(y * SIDE + x) * 3];
}

static bool is_white(const unsigned char *p)
{
    return p[0] == 255 && p[1] == 255 && p[2] == 255;
}

/** Share of pixels that are not white, in a range of columns. */
static double covered(const shown *s, unsigned first, unsigned last)
{
    unsigned count = 0;
    for (unsigned y = 0; y < SIDE; y++) {
        for (unsigned x = first; x < last; x++) {
            count += !is_white(pixel(s, x, y));
        }
    }
    return count / (double)(SIDE * (last - first));
}

static void release(shown *s)
{
    bench_canvas_close(&s->canvas);
}

/* --- Layers ----------------------------------------------------------------------------------- */

Test(panels, bodies_fill_the_picture)
{
    shown s = show_layers("a");
    cr_expect_float_eq(covered(&s, 0, SIDE), 1 / (1.08 * 1.08), 0.03, "%g", covered(&s, 0, SIDE));
    release(&s);
}

Test(panels, spheres_are_limited_and_the_largest_come_first)
{
    shown s;
    bench_panel panel = panel_of("a,a-spheres");
    panel.layers = "a-glass,a-spheres";
    panel.spheres = 1;
    cr_assert_eq(show(&panel, &s), BASE_OK, "%s", s.err.text);
    cr_expect(s.counts.spheres[0] == 3 && s.counts.drawn[0] == 1 && s.counts.drawn[1] == 0);
    /* The largest is at x = 0.5: blue there, but not at x = -0.5. */
    const unsigned char *const right = pixel(&s, 73, 50), *const left = pixel(&s, 27, 50);
    cr_expect(right[2] > right[0] + 40, "%d %d %d", right[0], right[1], right[2]);
    cr_expect(left[2] < left[0] + 20, "%d %d %d", left[0], left[1], left[2]);
    release(&s);
}

Test(panels, spheres_have_the_colours_of_their_nodes)
{
    shown s;
    bench_panel panel = panel_of("a-glass,a-spheres");
    panel.level = 1;
    cr_assert_eq(show(&panel, &s), BASE_OK, "%s", s.err.text);
    /* The first group is blue, the second one yellow. */
    const unsigned char *const right = pixel(&s, 73, 50), *const left = pixel(&s, 27, 50);
    cr_expect(left[2] > left[0] + 40, "%d %d %d", left[0], left[1], left[2]);
    cr_expect(right[0] > right[2] + 40, "%d %d %d", right[0], right[1], right[2]);
    release(&s);
    panel.level = 2;
    panel.branch = 1;
    cr_assert_eq(show(&panel, &s), BASE_OK, "%s", s.err.text);
    cr_expect_eq(s.counts.drawn[0], 2, "%zu", s.counts.drawn[0]);
    release(&s);
    panel.branch = 2;
    cr_assert_eq(show(&panel, &s), BASE_OK, "%s", s.err.text);
    cr_expect_eq(s.counts.drawn[0], 1, "%zu", s.counts.drawn[0]);
    release(&s);
}

Test(panels, points_of_a_level_represent_its_nodes)
{
    shown s;
    double covers[3];
    for (unsigned level = 0; level < 3; level++) {
        bench_panel panel = panel_of("a-glass,a-points");
        panel.level = level;
        cr_assert_eq(show(&panel, &s), BASE_OK, "%s", s.err.text);
        unsigned count = 0; /* of blue pixels */
        for (unsigned y = 0; y < SIDE; y++) {
            for (unsigned x = 0; x < SIDE; x++) {
                count += pixel(&s, x, y)[2] > pixel(&s, x, y)[0] + 30;
            }
        }
        covers[level] = count;
        release(&s);
    }
    cr_expect(covers[1] > 0.5 * covers[2] && covers[1] < 0.8 * covers[2] && covers[2] == covers[0],
              "%g of all, %g of level 1, %g of level 2", covers[0], covers[1], covers[2]);
}

Test(panels, every_layer_draws_a_different_picture)
{
    static const char *const layers[] = {
        "b",         "a-glass,b-glass",    "a-glass,a-spheres", "a-glass,b-spheres",
        "a-nodes",   "a-glass,a-voxels",   "a-glass,a-field",   "a-glass,a-clusters",
        "a,witness", "a-glass,b,regions",  "a-glass,nearest",   "a,b-glass,apart",
        "b-points",  "a-glass,b-clusters", "a-glass,b,curves",
    };
    enum { COUNT = sizeof layers / sizeof *layers };
    shown s[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        bench_panel panel = panel_of(layers[i]);
        panel.level = strstr(layers[i], "nodes") || strstr(layers[i], "clusters") ? 1 : 0;
        panel.view = bench_view_make(-60, 20);
        cr_assert_eq(show(&panel, &s[i]), BASE_OK, "%s: %s", layers[i], s[i].err.text);
        for (size_t k = 0; k < i; k++) {
            cr_expect_neq(memcmp(s[i].canvas.rgb, s[k].canvas.rgb, (size_t)3 * SIDE * SIDE), 0,
                          "%s and %s", layers[i], layers[k]);
        }
    }
    for (size_t i = 0; i < COUNT; i++) {
        release(&s[i]);
    }
}

Test(panels, spheres_that_do_not_overlap_are_not_shown)
{
    shown s;
    const bench_panel panel = panel_of("overlap"), nearest = panel_of("nearest");
    cr_expect_eq(show(&panel, &s), BASE_ERR_INPUT);
    release(&s);
    cr_assert_eq(show(&nearest, &s), BASE_OK, "%s", s.err.text);
    release(&s);
}

Test(panels, the_window_of_a_region_is_the_picture)
{
    shown s;
    for (int along = -1; along <= 1; along += 2) {
        bench_panel panel = panel_of("a");
        panel.along = along;
        cr_assert_eq(show(&panel, &s), BASE_OK, "%s", s.err.text);
        /* The window is 1 x 0.5, so the upper and the lower quarter are white; the face is flat. */
        cr_expect(is_white(pixel(&s, 50, 20)) && is_white(pixel(&s, 50, 80)));
        const unsigned char *const p = pixel(&s, 50, 50);
        cr_expect(p[0] == p[1] && p[0] < 255, "%d %d", p[0], p[1]);
        release(&s);
    }
}

Test(panels, errors_are_one_line)
{
    shown s;
    base_error err = {0};
    cr_expect_eq(bench_layers_check("a,b-glass, witness", &err), BASE_OK, "%s", err.text);
    cr_expect_eq(bench_layers_check("", &err), BASE_ERR_ARGUMENT);
    cr_expect_eq(bench_layers_check("a,a-spherse", &err), BASE_ERR_ARGUMENT);
    cr_expect_str_eq(
        err.text,
        "unknown layer 'a-spherse' of a picture; did you mean 'a-spheres' or 'b-spheres'?", "%s",
        err.text);
    const bench_panel empty = panel_of("contacts");
    cr_expect_eq(show(&empty, &s), BASE_ERR_INPUT);
    cr_expect_str_eq(s.err.text, "'ist-tree' has nothing to show in the layers 'contacts'");
    release(&s);
}
