#include "base/memory.h"
#include "base/tests/support.h"
#include "geometry/pose.h"
#include "suite/pictures/canvas.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 8 };

/** The view from +z: x to the right, y upwards. */
static const bench_view above = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
/** One unit per pixel. */
static const bench_frame units = {{0, 0, 0}, SIDE / 2, SIDE / 2};

static const geo_face one_face = {{0, 1, 2}};

static bench_shape triangle(const vec3 corners[3], uint32_t colour)
{
    return (bench_shape){.kind = BENCH_SHAPE_MESH,
                         .mesh = {corners, 3, &one_face, 1},
                         .pose = geo_pose_identity(),
                         .colour = colour};
}

static bench_shape balls(const geo_ball *items, size_t count, uint32_t colour)
{
    return (bench_shape){.kind = BENCH_SHAPE_BALLS,
                         .balls = items,
                         .count = count,
                         .pose = geo_pose_identity(),
                         .colour = colour};
}

static bench_canvas draw(const bench_shape *shapes, size_t count, const bench_view *view,
                         const bench_frame *frame, bool by_depth)
{
    bench_canvas canvas;
    const bench_area all = {0, 0, SIDE, SIDE};
    assert_ok(bench_canvas_open(SIDE, SIDE, &canvas, ERR));
    assert_ok(bench_canvas_draw(&canvas, all, shapes, count, view, frame, by_depth, ERR));
    return canvas;
}

static const unsigned char *pixel(const bench_canvas *canvas, unsigned x, unsigned y)
{
    return &canvas->rgb[(y * canvas->width + x) * 3];
}

static bool is_white(const unsigned char *p)
{
    return p[0] == 255 && p[1] == 255 && p[2] == 255;
}

/** True if only this channel of the pixel is above 0. */
static bool is_pure(const unsigned char *p, int channel)
{
    return p[channel] > 0 && p[(channel + 1) % 3] == 0 && p[(channel + 2) % 3] == 0;
}

/* --- One triangle ----------------------------------------------------------------------------- */

Test(canvas, triangle_covers_the_pixels_of_the_hand_case)
{
    /* Corners (-4, -4), (4, -4), (-4, 4): the lower left half of the picture. */
    const vec3 corners[3] = {{-4, -4, 0}, {4, -4, 0}, {-4, 4, 0}};
    const bench_shape shape = triangle(corners, 0xFF0000);
    SCOPED_CANVAS c = draw(&shape, 1, &above, &units, false);
    for (unsigned y = 0; y < SIDE; y++) {
        for (unsigned x = 0; x < SIDE; x++) {
            const unsigned char *const p = pixel(&c, x, y);
            if (x == y) { /* on the slope: 3 of 9 samples are outside, the others inside or on it */
                cr_expect_eq(p[1], (3 * 255 + 4) / 9, "pixel %u %u: %d", x, y, p[1]);
            } else {
                cr_expect(x > y ? is_white(p) : is_pure(p, 0), "pixel %u %u: %d %d %d", x, y, p[0],
                          p[1], p[2]);
            }
        }
    }
}

Test(canvas, triangle_is_lit_by_its_normal)
{
    /* The normal is that of the viewer: light 0.768, wrapped by 0.35, above an ambient of 0.32. */
    const vec3 corners[3] = {{-9, -9, 0}, {29, -9, 0}, {-9, 29, 0}};
    const vec3 turned[3] = {{-9, -9, 0}, {-9, 29, 0}, {29, -9, 0}};
    const unsigned expected = (unsigned)(255 * (0.32 + 0.68 * (0.768 + 0.35) / 1.35) + 0.5);
    const bench_shape shapes[] = {triangle(corners, 0xFF0000), triangle(turned, 0xFF0000)};
    for (int i = 0; i < 2; i++) {
        SCOPED_CANVAS c = draw(&shapes[i], 1, &above, &units, false);
        cr_expect_eq(pixel(&c, 3, 4)[0], expected, "%d", pixel(&c, 3, 4)[0]);
    }
}

/* --- Depth ------------------------------------------------------------------------------------ */

Test(canvas, hidden_parts_are_hidden_in_either_order)
{
    const vec3 low[3] = {{-9, -9, 0}, {29, -9, 0}, {-9, 29, 0}};
    const vec3 high[3] = {{-9, -9, 1}, {29, -9, 1}, {-9, 29, 1}};
    const bench_shape below = triangle(low, 0xFF0000), over = triangle(high, 0x00FF00);
    const bench_shape orders[2][2] = {{below, over}, {over, below}};
    for (int i = 0; i < 2; i++) {
        SCOPED_CANVAS c = draw(orders[i], 2, &above, &units, false);
        cr_expect(is_pure(pixel(&c, 4, 4), 1), "order %d", i);
    }
}

Test(canvas, sphere_reaches_its_radius_above_a_plane)
{
    /* Ball of radius 2 around z = 0, plane at z = 1: the cap above it has the radius sqrt(3). */
    const geo_ball ball = {{0, 0, 0}, 2};
    const vec3 plane[3] = {{-9, -9, 1}, {29, -9, 1}, {-9, 29, 1}};
    const bench_shape shapes[] = {triangle(plane, 0xFF0000), balls(&ball, 1, 0x00FF00)};
    const bench_frame fine = {{0, 0, 0}, 2, 2}; /* 4 pixels per unit / 2, 12 samples per 2 units */
    SCOPED_CANVAS c = draw(shapes, 2, &above, &fine, false);
    for (unsigned y = 0; y < SIDE; y++) {
        for (unsigned x = 0; x < SIDE; x++) {
            bool inside = true, outside = true;
            for (unsigned k = 0; k < 9; k++) {
                const double u = (3 * x + k % 3 + 0.5) / 6 - 2, v = (3 * y + k / 3 + 0.5) / 6 - 2;
                const bool in = 4 - u * u - v * v > 1;
                inside = inside && in;
                outside = outside && !in;
            }
            const unsigned char *const p = pixel(&c, x, y);
            cr_expect(!inside || is_pure(p, 1), "pixel %u %u", x, y);
            cr_expect(!outside || is_pure(p, 0), "pixel %u %u", x, y);
        }
    }
}

Test(canvas, line_is_round_and_hidden_behind_a_ball)
{
    const geo_ball ball = {{0, 0, 3}, 1.5};
    const bench_line line = {{-9, 0, 0}, {9, 0, 0}};
    const bench_shape shapes[] = {{.kind = BENCH_SHAPE_LINES,
                                   .lines = &line,
                                   .count = 1,
                                   .radius = 1,
                                   .pose = geo_pose_identity(),
                                   .colour = 0x0000FF},
                                  balls(&ball, 1, 0x00FF00)};
    SCOPED_CANVAS c = draw(shapes, 2, &above, &units, false);
    cr_expect(is_pure(pixel(&c, 0, 3), 2));
    cr_expect(is_pure(pixel(&c, 0, 4), 2));
    cr_expect(is_white(pixel(&c, 0, 2)) && is_white(pixel(&c, 0, 5)));
    cr_expect(is_pure(pixel(&c, 4, 4), 1));
}

Test(canvas, picture_by_depth_is_dark_where_it_is_near)
{
    const vec3 slope[3] = {{-9, -9, -9}, {29, -9, 29}, {-9, 29, -9}}; /* z = x */
    const bench_shape shape = triangle(slope, 0xFF0000);
    SCOPED_CANVAS c = draw(&shape, 1, &above, &units, true);
    for (unsigned x = 0; x + 1 < SIDE; x++) {
        const unsigned char *const p = pixel(&c, x, 4), *const q = pixel(&c, x + 1, 4);
        cr_expect(p[0] > q[0] && p[0] == p[1] && p[1] == p[2], "pixel %u", x);
    }
    /* Middle sample of the outer pixels: 22 / 23 and 1 / 23 of the depth. */
    const double share = 22.0 / 23;
    cr_expect_eq(pixel(&c, 0, 4)[0], (unsigned char)(255 * (0.1 + 0.8 * share) + 0.5));
}

/* --- Transparency ----------------------------------------------------------------------------- */

Test(canvas, glass_shows_what_is_behind_it_and_hides_nothing_before_it)
{
    const geo_ball ball = {{0, 0, 0}, 2};
    const vec3 front[3] = {{-9, -9, 5}, {29, -9, 5}, {-9, 29, 5}};
    const vec3 back[3] = {{-9, -9, -5}, {29, -9, -5}, {-9, 29, -5}};
    bench_shape shapes[] = {balls(&ball, 1, 0x00FF00), triangle(front, 0xFF0000)};
    shapes[1].glass = 1;
    shapes[1].opacity = 0.25;
    SCOPED_CANVAS plain = draw(shapes, 1, &above, &units, false);
    SCOPED_CANVAS c = draw(shapes, 2, &above, &units, false);
    /* A quarter of the red light, and three quarters of the green ball; then of white. */
    const unsigned red = (unsigned)(255 * (0.32 + 0.68 * (0.768 + 0.35) / 1.35) + 0.5);
    cr_expect_float_eq(pixel(&c, 4, 4)[0], 0.25 * red, 1);
    cr_expect_float_eq(pixel(&c, 4, 4)[1], 0.75 * pixel(&plain, 4, 4)[1], 1);
    cr_expect_float_eq(pixel(&c, 0, 0)[1], 0.75 * 255, 1);
    bench_canvas_close(&c);
    shapes[1] = triangle(back, 0xFF0000);
    shapes[1].glass = 1;
    shapes[1].opacity = 0.25;
    c = draw(shapes, 2, &above, &units, false);
    cr_expect_arr_eq(pixel(&c, 4, 4), pixel(&plain, 4, 4), 3);
}

/* --- Views ------------------------------------------------------------------------------------ */

static void expect_vec(vec3 v, double x, double y, double z)
{
    cr_expect(fabs(v.x - x) < 1e-15 && fabs(v.y - y) < 1e-15 && fabs(v.z - z) < 1e-15,
              "%g %g %g, not %g %g %g", v.x, v.y, v.z, x, y, z);
}

Test(canvas, views_look_from_their_direction)
{
    bench_view v = bench_view_make(0, 0);
    expect_vec(v.toward, 1, 0, 0);
    expect_vec(v.right, 0, 1, 0);
    expect_vec(v.up, 0, 0, 1);
    v = bench_view_make(90, 0);
    expect_vec(v.toward, 0, 1, 0);
    expect_vec(v.right, -1, 0, 0);
    v = bench_view_make(0, 90);
    expect_vec(v.toward, 0, 0, 1);
    expect_vec(v.up, -1, 0, 0);
}

Test(canvas, views_are_parsed_and_others_refused)
{
    static const char *const wrong[] = {"",     "30",  "30,",      ",30",   "30;20", "361,0",
                                        "0,91", "a,b", "30,20,10", "nan,0", "inf,0"};
    bench_view v;
    base_error err = {0};
    assert_ok(bench_view_parse("90,0", &v, ERR));
    expect_vec(v.toward, 0, 1, 0);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cr_expect_eq(bench_view_parse(wrong[i], &v, &err), BASE_ERR_ARGUMENT, "'%s'", wrong[i]);
    }
}

Test(canvas, frame_contains_all_shapes)
{
    const geo_ball ball = {{5, 0, 0}, 2};
    const bench_line line = {{0, -3, 0}, {0, 1, 7}};
    const bench_shape shapes[] = {balls(&ball, 1, 0),
                                  {.kind = BENCH_SHAPE_LINES,
                                   .lines = &line,
                                   .count = 1,
                                   .radius = 0.5,
                                   .pose = geo_pose_identity()}};
    const bench_frame f = bench_frame_around(shapes, 2, &above);
    expect_vec(f.centre, 3.25, -0.75, 2.75);
    cr_expect_float_eq(f.half_width, 0.54 * 7.5, 1e-12);
    cr_expect_float_eq(f.half_height, 0.54 * 5.5, 1e-12);
    cr_expect_eq(bench_frame_around(shapes, 0, &above).half_width, 0);
}

/* --- Files and errors ------------------------------------------------------------------------- */

Test(canvas, same_bits_twice)
{
    const geo_ball items[] = {{{0.1, 0.2, 0.3}, 2.2}, {{1, -1, 0.7}, 1.3}};
    bench_shape shapes[] = {balls(items, 2, 0x0072B2), balls(items, 1, 0xD55E00)};
    shapes[1].glass = 2;
    shapes[1].opacity = 0.3;
    shapes[1].pose.translation = (vec3){0.3, 0.4, 5};
    const bench_view view = bench_view_make(35, 25);
    char *bytes[2];
    size_t sizes[2];
    for (int i = 0; i < 2; i++) {
        SCOPED_CANVAS c = draw(shapes, 2, &view, &units, false);
        FILE *const file = open_memstream(&bytes[i], &sizes[i]);
        assert_ok(bench_canvas_write(&c, file, ERR));
        fclose(file);
    }
    cr_assert_eq(sizes[0], sizes[1]);
    cr_expect_arr_eq(bytes[0], bytes[1], sizes[0]);
    cr_expect_arr_eq(bytes[0], "\x89PNG\r\n\x1a\n", 8);
    free(bytes[0]);
    free(bytes[1]);
}

Test(canvas, sizes_memory_and_endings_are_checked)
{
    bench_canvas c;
    base_error err = {0};
    cr_expect_eq(bench_canvas_open(0, 10, &c, &err), BASE_ERR_ARGUMENT);
    cr_expect_eq(bench_canvas_open(10, BENCH_CANVAS_MAX + 1, &c, &err), BASE_ERR_ARGUMENT);
    cr_expect_eq(bench_picture_check_suffix("a.png", &err), BASE_OK);
    cr_expect_eq(bench_picture_check_suffix("a.PNG", &err), BASE_OK);
    cr_expect_eq(bench_picture_check_suffix("a.svg", &err), BASE_ERR_ARGUMENT);
    cr_expect_eq(bench_picture_check_suffix("png", &err), BASE_ERR_ARGUMENT);
    const geo_ball ball = {{0, 0, 0}, 1};
    bench_shape shape = balls(&ball, 1, 0);
    shape.glass = 1;
    const bench_area all = {0, 0, SIDE, SIDE};
    base_memory_fail_after(0);
    cr_expect_eq(bench_canvas_open(SIDE, SIDE, &c, &err), BASE_ERR_MEMORY);
    for (size_t n = 0; n < 4; n++) {
        base_memory_fail_after(SIZE_MAX);
        assert_ok(bench_canvas_open(SIDE, SIDE, &c, ERR));
        base_memory_fail_after(n);
        cr_expect_eq(bench_canvas_draw(&c, all, &shape, 1, &above, &units, false, &err),
                     BASE_ERR_MEMORY, "%zu", n);
        bench_canvas_close(&c);
    }
    base_memory_fail_after(SIZE_MAX);
}
