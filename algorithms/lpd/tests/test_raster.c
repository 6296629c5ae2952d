/** Drawing and culling of tiles: equal for all instruction sets, and complete. */
#include "algorithms/lpd/raster.h"

#include "algorithms/lpd/tests/pictures.h"
#include "base/simd.h"

#include <math.h>

enum { ALL = (1 << GEO_TREE_WIDTH) - 1, ROOM = 4096 };

typedef bool narrow_function(alg_lpd_narrowing *narrowing);
typedef uint64_t draw_function(const alg_lpd_view *view, alg_lpd_tile tile, float sign,
                               const alg_lpd_pieces *pieces, uint32_t count,
                               alg_lpd_heights *heights);

static narrow_function *const narrowers[] = {alg_lpd_narrow_sse2, alg_lpd_narrow_avx2};
static draw_function *const drawers[] = {alg_lpd_draw_sse2, alg_lpd_draw_avx2};

static int instruction_sets(void)
{
    return base_cpu_avx2() ? 2 : 1;
}

static alg_lpd_pieces root_of(const geo_tree *tree)
{
    return (alg_lpd_pieces){.level = (uint16_t)(tree->level_count - 1), .lanes = ALL};
}

static alg_lpd_window any_window(base_random *random, vec3 centre, double half)
{
    alg_lpd_window w = {.centre = centre, .half = {half, half * base_random_range(random, 0.1, 1)}};
    w.axis[2] = geo_random_direction(random);
    w.axis[0] = vec3_normalize(vec3_cross(w.axis[2], geo_random_direction(random)));
    w.axis[1] = vec3_cross(w.axis[2], w.axis[0]);
    for (int i = 0; i < 2; i++) {
        w.size[i] = 1 + (uint32_t)base_random_below(random, 30);
    }
    return w;
}

static alg_lpd_tile any_tile(base_random *random, const alg_lpd_window *window)
{
    alg_lpd_tile tile;
    for (int i = 0; i < 2; i++) {
        const uint32_t n = window->size[i];
        tile.begin[i] = (uint32_t)base_random_below(random, n);
        const uint32_t most = n - tile.begin[i] < ALG_LPD_TILE ? n - tile.begin[i] : ALG_LPD_TILE;
        tile.end[i] = tile.begin[i] + 1 + (uint32_t)base_random_below(random, most);
    }
    return tile;
}

/** Compares the pixels of a tile with those of the whole picture. */
static void check_tile(const alg_lpd_heights *heights, const alg_lpd_tile *tile,
                       const double *picture, uint32_t width, const char *what, int round)
{
    for (uint32_t j = tile->begin[1]; j < tile->end[1]; j++) {
        for (uint32_t i = tile->begin[0]; i < tile->end[0]; i++) {
            const double drawn = heights->at[j - tile->begin[1]][i - tile->begin[0]];
            const double plain = picture[(size_t)j * width + i];
            cr_assert(drawn == plain, "%s %d, pixel %u %u: %.17g, plainly %.17g", what, round, i, j,
                      drawn, plain);
        }
    }
}

static void check_bounds(const alg_lpd_narrowing *n, const double *picture, int round)
{
    float bottom = INFINITY;
    for (uint32_t k = 0; k < n->count; k++) {
        bottom = n->to[k].bottom < bottom ? n->to[k].bottom : bottom;
    }
    for (uint32_t j = n->tile.begin[1]; j < n->tile.end[1]; j++) {
        for (uint32_t i = n->tile.begin[0]; i < n->tile.end[0]; i++) {
            const double h = picture[(size_t)j * n->view->window->size[0] + i];
            cr_assert(isinf(h) || (h <= (double)n->top && h >= (double)bottom),
                      "%d: %.17g is not from %g to %g", round, h, (double)bottom, (double)n->top);
        }
    }
}

static geo_mesh any_mesh(base_random *random, int round)
{
    switch (round % 4) {
    case 0:
        return shape_soup(random, 1 + base_random_below(random, 700), false);
    case 1:
        return shape_soup(random, 1 + base_random_below(random, 100), true);
    case 2:
        return shape_ball(shape_point(random, 0.3), 1, 12);
    default:
        return shape_torus(20, 1, 0.3);
    }
}

/** Narrows and draws tiles of one view of a body with all instruction sets. */
static void check_view(base_random *random, const alg_lpd_body *body, int round)
{
    static alg_lpd_pieces lists[2][ROOM];
    const geo_pose pose = shape_pose(random, 0.3);
    const double half = ldexp(1, (int)base_random_below(random, 9) - 6);
    const alg_lpd_window window = any_window(random, shape_point(random, 0.7), half);
    const alg_lpd_view view = alg_lpd_view_make(&window, &body->tree, &pose);
    const float sign = base_random_below(random, 2) == 0 ? 1 : -1;
    SCOPED_FREE double *const picture = picture_draw(&window, &body->tree, &pose, (double)sign);
    const alg_lpd_pieces root = root_of(&body->tree);
    for (int k = 0; k < 4; k++) {
        const alg_lpd_tile tile = any_tile(random, &window);
        alg_lpd_narrowing n[2];
        alg_lpd_heights heights;
        uint64_t count[2];
        for (int set = 0; set < instruction_sets(); set++) {
            n[set] = (alg_lpd_narrowing){.view = &view,
                                         .tile = tile,
                                         .sign = sign,
                                         .from = &root,
                                         .from_count = 1,
                                         .to = lists[set],
                                         .room = ROOM};
            cr_assert(narrowers[set](&n[set]));
            check_bounds(&n[set], picture, round);
            drawers[set](&view, tile, sign, &root, 1, &heights);
            check_tile(&heights, &tile, picture, window.size[0], "from the root", round);
            count[set] = drawers[set](&view, tile, sign, lists[set], n[set].count, &heights);
            check_tile(&heights, &tile, picture, window.size[0], "from pieces", round);
        }
        if (instruction_sets() == 2) {
            cr_assert(n[0].count == n[1].count && n[0].leaves == n[1].leaves &&
                          n[0].whole == n[1].whole && count[0] == count[1],
                      "%d: not the same", round);
            cr_assert(memcmp(&n[0].top, &n[1].top, sizeof n[0].top) == 0, "%d: the top", round);
            cr_assert_eq(memcmp(lists[0], lists[1], n[0].count * sizeof *lists[0]), 0, "%d: pieces",
                         round);
        }
    }
}

Test(lpd_raster, tiles_equal_the_whole_picture_in_all_instruction_sets)
{
    base_random random = base_random_seed(1);
    for (int i = 0; i < 80; i++) {
        alg_lpd_body *const body = picture_body(any_mesh(&random, i));
        for (int k = 0; k < 4; k++) {
            check_view(&random, body, 4 * i + k);
        }
        alg_destroy(body);
    }
}

Test(lpd_raster, without_room_there_is_no_list)
{
    alg_lpd_body *const body = picture_body(shape_ball((vec3){0, 0, 0}, 1, 24));
    const geo_pose rest = geo_pose_identity();
    const alg_lpd_window window = {
        .axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .half = {1, 1}, .size = {64, 64}};
    const alg_lpd_view view = alg_lpd_view_make(&window, &body->tree, &rest);
    const alg_lpd_pieces root = root_of(&body->tree);
    alg_lpd_pieces list[ROOM];
    for (int set = 0; set < instruction_sets(); set++) {
        alg_lpd_narrowing n = {.view = &view,
                               .tile = {{8, 8}, {30, 30}},
                               .sign = 1,
                               .from = &root,
                               .from_count = 1,
                               .to = list,
                               .room = ROOM};
        cr_assert(narrowers[set](&n));
        const uint32_t wanted = n.count;
        cr_assert(wanted > 2 && n.leaves >= wanted, "%u", wanted);
        for (n.room = 0; n.room < wanted; n.room++) {
            cr_assert(!narrowers[set](&n), "room for %u", n.room);
        }
    }
    alg_destroy(body);
}

/* --- No centre is missed ---------------------------------------------------------------------- */

/** Draws one tile and checks that all of its pixels are covered. */
static void check_covered(const alg_lpd_body *body, const alg_lpd_window *window, const char *what,
                          int round)
{
    const geo_pose rest = geo_pose_identity();
    const alg_lpd_view view = alg_lpd_view_make(window, &body->tree, &rest);
    const alg_lpd_pieces root = root_of(&body->tree);
    alg_lpd_heights heights;
    const alg_lpd_tile tile = {{0, 0}, {window->size[0], window->size[1]}};
    for (int set = 0; set < instruction_sets(); set++) {
        for (float sign = -1; sign < 2; sign += 2) {
            drawers[set](&view, tile, sign, &root, 1, &heights);
            for (uint32_t j = 0; j < tile.end[1]; j++) {
                for (uint32_t i = 0; i < tile.end[0]; i++) {
                    cr_assert(isfinite(heights.at[j][i]), "%s %d: a hole at %u %u along %g", what,
                              round, i, j, (double)sign);
                }
            }
        }
    }
}

/** The middle pixel's centre is a point of the ball's surface, seen from varying directions. */
Test(lpd_raster, corners_and_edges_at_pixel_centres_leave_no_holes)
{
    base_random random = base_random_seed(2);
    alg_lpd_body *const body = picture_body(shape_ball((vec3){0.1, 0.2, 0.3}, 1, 6));
    const vec3 middle = {0.1, 0.2, 0.3};
    for (int i = 0; i < 3000; i++) {
        const geo_triangle t = body->tree.triangles[base_random_below(&random, body->tree.count)];
        /* A corner, or a point of an edge. */
        const double share = i % 2 ? 0 : base_random_unit(&random);
        const vec3 p = vec3_madd(vec3_scale(1 - share, t.p[0]), share, t.p[1]);
        alg_lpd_window w = any_window(&random, middle, 0.01);
        w.size[0] = w.size[1] = 3;
        w.axis[2] = vec3_normalize(vec3_sub(p, middle));
        w.axis[0] = vec3_normalize(vec3_cross(w.axis[2], geo_random_direction(&random)));
        w.axis[1] = vec3_cross(w.axis[2], w.axis[0]);
        check_covered(body, &w, "ball", i);
    }
    alg_destroy(body);
}

/** A fan around the centre of a pixel, with spokes close to each other, seen from above and from
 * below. */
Test(lpd_raster, fans_have_no_holes)
{
    base_random random = base_random_seed(3);
    for (int i = 0; i < 300; i++) {
        enum { SPOKES = 24 };
        geo_mesh_builder mesh = shape_new(SPOKES + 2, 2 * SPOKES);
        const vec3 centre = shape_point(&random, i % 2 ? 1 : 1000);
        const alg_lpd_window w0 = any_window(&random, centre, 0.1);
        alg_lpd_window w = w0;
        w.size[0] = w.size[1] = 1 + 2 * (uint32_t)base_random_below(&random, 3);
        /* Angles that differ by a quarter turn, or by almost nothing. */
        double angle = 0;
        const double off = i % 3 ? 0 : 1e-15;
        for (uint32_t k = 0; k < SPOKES; k++) {
            angle = k % 6 == 0 ? (k / 6) * 1.5707963 : angle + ldexp(1, -8 * (int)(k % 6));
            const vec3 rim = vec3_madd(vec3_scale(cos(angle), w.axis[0]), sin(angle), w.axis[1]);
            mesh.vertices[k] = vec3_madd(vec3_madd(centre, 0.5, rim), 0.01 * k, w.axis[2]);
            const uint32_t next = (k + 1) % SPOKES;
            mesh.faces[k] = (geo_face){{k, next, SPOKES}};
            mesh.faces[SPOKES + k] = (geo_face){{next, k, SPOKES + 1}};
        }
        mesh.vertices[SPOKES] = vec3_madd(vec3_madd(centre, 1, w.axis[2]), off, w.axis[0]);
        mesh.vertices[SPOKES + 1] = vec3_madd(centre, -1, w.axis[2]);
        alg_lpd_body *const body = picture_body(geo_mesh_builder_finish(&mesh));
        check_covered(body, &w, "fan", i);
        alg_destroy(body);
    }
}

/* --- Heights ---------------------------------------------------------------------------------- */

/** Compares with heights of points of planes, by another formula, with more digits. */
Test(lpd_raster, heights_are_those_of_the_plane)
{
    base_random random = base_random_seed(4);
    uint32_t seen = 0;
    for (int i = 0; i < 2000; i++) {
        geo_mesh_builder mesh = shape_edit(shape_soup(&random, 1, false));
        const double far = i % 2 ? 0 : 1e4;
        const geo_pose away = shape_shift(far, -far, far);
        for (int k = 0; k < 3; k++) {
            mesh.vertices[k] = geo_pose_apply(&away, mesh.vertices[k]);
        }
        const vec3 p[3] = {mesh.vertices[0], mesh.vertices[1], mesh.vertices[2]};
        const vec3 inside = vec3_scale(1.0 / 3, vec3_add(vec3_add(p[0], p[1]), p[2]));
        alg_lpd_body *const body = picture_body(geo_mesh_builder_finish(&mesh));
        const geo_pose rest = geo_pose_identity();
        alg_lpd_window w = any_window(&random, inside, 0.05);
        w.centre = vec3_madd(inside, -0.5, w.axis[2]);
        w.size[0] = w.size[1] = 7;
        const alg_lpd_view view = alg_lpd_view_make(&w, &body->tree, &rest);
        const alg_lpd_pieces root = root_of(&body->tree);
        alg_lpd_heights heights;
        alg_lpd_draw_sse2(&view, (alg_lpd_tile){{0, 0}, {7, 7}}, 1, &root, 1, &heights);
        const vec3 n = vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0]));
        const double slope = vec3_norm(n) / fabs(vec3_dot(n, w.axis[2]));
        for (uint32_t k = 0; k < 49; k++) {
            const double h = heights.at[k / 7][k % 7];
            if (slope > 1e3 || !isfinite(h)) {
                continue;
            }
            seen++;
            vec3 q = vec3_madd(w.centre, alg_lpd_pixel(&w, 0, k % 7), w.axis[0]);
            q = vec3_madd(q, alg_lpd_pixel(&w, 1, k / 7), w.axis[1]);
            const double plane = vec3_dot(n, vec3_sub(p[0], q)) / vec3_dot(n, w.axis[2]);
            cr_assert(fabs(h - plane) <= 1e-14 * (1 + far) * slope * slope,
                      "%d: %.17g, not %.17g, slope %g", i, h, plane, slope);
        }
        alg_destroy(body);
    }
    cr_assert_gt(seen, 20000, "%u", seen);
}

/** Corners that are almost on a line: products of coordinates round away their offset from it. */
Test(lpd_raster, heights_of_needles_are_those_of_the_line)
{
    for (int i = 20; i < 52; i++) {
        geo_mesh_builder mesh = shape_new(3, 1);
        mesh.vertices[0] = (vec3){-1, -1, -1};
        mesh.vertices[1] = (vec3){1, 1, 1};
        mesh.vertices[2] = (vec3){0.3125, 0.3125 + ldexp(1, -i), 0.3125};
        mesh.faces[0] = (geo_face){{0, 1, 2}};
        alg_lpd_body *const body = picture_body(geo_mesh_builder_finish(&mesh));
        const geo_pose rest = geo_pose_identity();
        const alg_lpd_window w = {.centre = {0, 0, -2},
                                  .axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                  .half = {0.9, 0.9},
                                  .size = {7, 7}};
        const alg_lpd_view view = alg_lpd_view_make(&w, &body->tree, &rest);
        const alg_lpd_pieces root = root_of(&body->tree);
        alg_lpd_heights heights;
        for (int set = 0; set < instruction_sets(); set++) {
            drawers[set](&view, (alg_lpd_tile){{0, 0}, {7, 7}}, 1, &root, 1, &heights);
            for (uint32_t k = 0; k < 7; k++) {
                const double h = heights.at[k][k], line = 2 + alg_lpd_pixel(&w, 0, k);
                cr_assert(fabs(h - line) < 1e-14 + ldexp(1, -i), "2^-%d: %.17g, not %.17g", i, h,
                          line);
            }
        }
        alg_destroy(body);
    }
}
