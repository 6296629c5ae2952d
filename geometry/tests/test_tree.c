#include "base/elementary.h"
#include "base/memory.h"
#include "base/tests/support.h"
#include "geometry/pose.h"
#include "geometry/tests/shapes.h"
#include "geometry/tree.h"
#include "geometry/triangle.h"

#include <stdlib.h>

/** Makes a wavy sheet with this number of triangles. */
static geo_mesh sheet(uint32_t count)
{
    geo_mesh_builder mesh = shape_new(count + 2, count);
    for (uint32_t i = 0; i < count + 2; i++) {
        const double a = 0.05 * i;
        mesh.vertices[i] = (vec3){a * base_cos(a), a * base_sin(a), i % 2 == 0 ? 0 : 0.3};
    }
    for (uint32_t i = 0; i < count; i++) {
        mesh.faces[i] = (geo_face){{i, i + 1, i + 2}};
    }
    return geo_mesh_builder_finish(&mesh);
}

static void check_leaf(const geo_tree *tree, uint32_t index, vec3 origin)
{
    const geo_tree_leaf *const leaf = &tree->leaves[index / GEO_TREE_WIDTH];
    for (int k = 0; k < 3; k++) {
        const vec3 p = vec3_sub(tree->triangles[index].p[k], origin);
        for (int axis = 0; axis < 3; axis++) {
            cr_assert_eq(leaf->corner[k][axis][index % GEO_TREE_WIDTH], (float)vec3_get(p, axis),
                         "index %u, corner %d", index, k);
        }
    }
}

static void check_cylinder(const geo_tree *tree, uint32_t level, uint32_t child, vec3 origin)
{
    uint32_t unit = GEO_TREE_WIDTH;
    for (uint32_t k = 1; k < level; k++) {
        unit *= GEO_TREE_WIDTH;
    }
    const geo_cylinder_node *const node = &tree->nodes[level][child / GEO_TREE_WIDTH];
    const int lane = (int)(child % GEO_TREE_WIDTH);
    const vec3 centre = {(double)node->centre[0][lane], (double)node->centre[1][lane],
                         (double)node->centre[2][lane]};
    const vec3 normal = {(double)node->normal[0][lane], (double)node->normal[1][lane],
                         (double)node->normal[2][lane]};
    for (uint32_t i = child * unit; i < (child + 1) * unit && i < tree->count; i++) {
        for (int k = 0; k < 3; k++) {
            const vec3 e = vec3_sub(vec3_sub(tree->triangles[i].p[k], origin), centre);
            const double along = fabs(vec3_dot(e, normal));
            const double across = vec3_norm(vec3_cross(e, vec3_normalize(normal)));
            cr_assert(
                along <= (double)node->thickness[lane] && across <= (double)node->radius[lane],
                "level %u, child %u, index %u: %g above, %g aside", level, child, i, along, across);
        }
    }
}

static void check_tree(const geo_tree *tree, const geo_mesh *mesh, vec3 origin)
{
    bool *const seen = base_alloc(mesh->face_count, sizeof *seen);
    cr_assert_not_null(seen);
    for (uint32_t i = 0; i < tree->count; i++) {
        cr_assert(tree->faces[i] < mesh->face_count && !seen[tree->faces[i]]);
        seen[tree->faces[i]] = true;
        const geo_triangle t = geo_mesh_triangle(mesh, tree->faces[i]);
        cr_assert(memcmp(&t, &tree->triangles[i], sizeof t) == 0, "index %u", i);
        check_leaf(tree, i, origin);
    }
    base_free(seen);
    for (uint32_t level = 1; level < tree->level_count; level++) {
        for (uint32_t child = 0; child < tree->level_size[level - 1]; child++) {
            check_cylinder(tree, level, child, origin);
        }
    }
    cr_assert_eq(tree->level_size[tree->level_count - 1], 1);
}

Test(tree, holds_every_triangle_once_and_bounds_it)
{
    static const uint32_t counts[] = {1, 2, 7, 8, 9, 63, 64, 65, 511, 512, 513, 5000};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        SCOPED_MESH mesh = sheet(counts[i]);
        SCOPED_ARENA arena = {0};
        geo_tree tree;
        const vec3 origin = {0.1, i % 2 == 0 ? 0 : 1e3, -0.3};
        cr_assert_eq(geo_tree_build(&mesh, origin, INFINITY, &arena, &tree, NULL), BASE_OK);
        cr_assert_eq(tree.count, counts[i]);
        check_tree(&tree, &mesh, origin);
    }
}

/* --- Parts of long triangles ------------------------------------------------------------------ */

/**
 * Makes a strip of `count` small triangles and, from its first corner, a fan of `fan` triangles
 * that are 200 times as long.
 */
static geo_mesh strip_with_fan(uint32_t count, uint32_t fan)
{
    geo_mesh_builder mesh = shape_new(count + 2 + fan + 1, count + fan);
    for (uint32_t i = 0; i < count + 2; i++) {
        mesh.vertices[i] = (vec3){0.05 * (i / 2), i % 2 == 0 ? 0 : 0.05, 0.01 * i};
    }
    for (uint32_t i = 0; i < count; i++) {
        mesh.faces[i] = (geo_face){{i, i + 1, i + 2}};
    }
    for (uint32_t i = 0; i <= fan; i++) {
        const double angle = 0.9 + 0.002 * i;
        mesh.vertices[count + 2 + i] =
            (vec3){-10 * base_cos(angle), -10 * base_sin(angle), 1.0 / 3};
    }
    for (uint32_t i = 0; i < fan; i++) {
        mesh.faces[count + i] = (geo_face){{0, count + 2 + i, count + 3 + i}};
    }
    return geo_mesh_builder_finish(&mesh);
}

static double area_of(const vec3 p[3])
{
    return 0.5 * vec3_norm(vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0])));
}

/** The corners of a part, as the leaf has them. */
static void corners_of(const geo_tree *tree, uint32_t index, vec3 p[3])
{
    const geo_tree_leaf *const leaf = &tree->leaves[index / GEO_TREE_WIDTH];
    const uint32_t lane = index % GEO_TREE_WIDTH;
    for (int k = 0; k < 3; k++) {
        p[k] = (vec3){(double)leaf->corner[k][0][lane], (double)leaf->corner[k][1][lane],
                      (double)leaf->corner[k][2][lane]};
    }
}

/**
 * Each part is in its triangle and short, and the areas of the parts of a triangle add up to its
 * area. So the parts cover it.
 */
Test(tree, parts_of_long_triangles_cover_them)
{
    SCOPED_MESH mesh = strip_with_fan(500, 40);
    SCOPED_ARENA arena = {0};
    geo_tree tree;
    const vec3 origin = {0, 0, 0};
    const double longest = geo_tree_longest_edge(&mesh);
    cr_assert(longest > 0.1 && longest < 2, "%g", longest);
    cr_assert_eq(geo_tree_build(&mesh, origin, longest, &arena, &tree, NULL), BASE_OK);
    cr_assert(tree.divided && tree.count > 700 && tree.count <= 8 * 540, "%u parts", tree.count);
    double area[540] = {0};
    for (uint32_t i = 0; i < tree.count; i++) {
        const uint32_t face = tree.faces[i];
        const geo_triangle whole = geo_mesh_triangle(&mesh, face);
        cr_assert(memcmp(&whole, &tree.triangles[i], sizeof whole) == 0, "part %u", i);
        vec3 p[3];
        corners_of(&tree, i, p);
        area[face] += area_of(p);
        for (int k = 0; k < 3; k++) {
            cr_assert(vec3_distance(p[k], p[(k + 1) % 3]) <= longest * (1 + 1e-6), "part %u", i);
            const vec3 nearest = geo_triangle_closest(whole, p[k]);
            cr_assert(vec3_distance(nearest, p[k]) < 1e-5, "part %u of face %u", i, face);
        }
    }
    for (uint32_t f = 0; f < 540; f++) {
        const double expected = area_of(geo_mesh_triangle(&mesh, f).p);
        cr_assert(fabs(area[f] - expected) < 1e-5 * (1 + expected), "face %u: %g, not %g", f,
                  area[f], expected);
    }
    for (uint32_t child = 0; child < tree.level_size[0]; child++) {
        const geo_cylinder_node *const node = &tree.nodes[1][child / GEO_TREE_WIDTH];
        cr_assert((double)node->radius[child % GEO_TREE_WIDTH] < 8 * longest,
                  "leaf %u is as large as a "
                  "long triangle",
                  child);
    }
}

Test(tree, a_triangle_is_long_only_beside_shorter_ones)
{
    SCOPED_MESH even = strip_with_fan(500, 0);
    SCOPED_MESH fan = strip_with_fan(2, 60);
    cr_assert(geo_tree_longest_edge(&even) > 1e300);
    const double longest = geo_tree_longest_edge(&fan);
    cr_assert(longest < 10 && longest > 1, "%g", longest);
    SCOPED_ARENA arena = {0};
    geo_tree tree;
    cr_assert_eq(geo_tree_build(&fan, (vec3){0, 0, 0}, longest, &arena, &tree, NULL), BASE_OK);
    cr_assert(tree.count <= 8 * 62, "%u parts", tree.count);
}

/** Corners that are neighbours as doubles have no point between them. */
Test(tree, edges_without_a_middle_end_the_division)
{
    geo_mesh_builder edit = shape_edit(strip_with_fan(50, 1));
    for (size_t v = 0; v < edit.vertex_count; v++) {
        edit.vertices[v] = (vec3){1 + (double)(v % 2) * 0x1p-52, 1, 1 + (double)(v % 3) * 0x1p-52};
    }
    edit.vertices[edit.vertex_count - 1].x = 1 + 0x1p-40;
    SCOPED_MESH tiny = geo_mesh_builder_finish(&edit);
    SCOPED_ARENA arena = {0};
    geo_tree tree;
    const double longest = geo_tree_longest_edge(&tiny);
    cr_assert_eq(geo_tree_build(&tiny, (vec3){1, 1, 1}, longest, &arena, &tree, NULL), BASE_OK);
    cr_assert(tree.count >= 51 && tree.count <= 8 * 51, "%u parts", tree.count);
}

Test(tree, coinciding_triangles_are_split)
{
    geo_mesh_builder folded = shape_edit(sheet(3000));
    for (size_t v = 0; v < folded.vertex_count; v++) {
        folded.vertices[v] = (vec3){(double)(v % 3), v % 3 == 1, 0};
    }
    SCOPED_MESH mesh = geo_mesh_builder_finish(&folded);
    SCOPED_ARENA arena = {0};
    geo_tree tree;
    const vec3 origin = {0, 0, 0};
    cr_assert_eq(geo_tree_build(&mesh, origin, INFINITY, &arena, &tree, NULL), BASE_OK);
    check_tree(&tree, &mesh, origin);
}

Test(tree, is_the_same_for_any_number_of_threads)
{
    static const char *const threads[] = {"1", "2", "7"};
    SCOPED_MESH mesh = sheet(20000);
    base_arena arena[3] = {{0}};
    geo_tree tree[3];
    for (int i = 0; i < 3; i++) {
        setenv("PROXBENCH_THREADS", threads[i], 1);
        const base_status status =
            geo_tree_build(&mesh, (vec3){0, 0, 0}, INFINITY, &arena[i], &tree[i], NULL);
        cr_assert_eq(status, BASE_OK);
        cr_assert(memcmp(tree[i].faces, tree[0].faces, 20000 * sizeof *tree[i].faces) == 0);
        cr_assert(memcmp(tree[i].leaves, tree[0].leaves, 2500 * sizeof *tree[i].leaves) == 0);
        for (uint32_t k = 1; k < tree[0].level_count; k++) {
            cr_assert(memcmp(tree[i].nodes[k], tree[0].nodes[k],
                             tree[0].level_size[k] * sizeof *tree[0].nodes[k]) == 0,
                      "%s threads, level %u", threads[i], k);
        }
    }
    unsetenv("PROXBENCH_THREADS");
    for (int i = 0; i < 3; i++) {
        base_arena_release(&arena[i]);
    }
}

Test(tree, out_of_memory)
{
    SCOPED_MESH mesh = sheet(5000);
    base_arena arena = {0};
    geo_tree tree;
    cr_assert_geq(
        COUNT_FAILURES(geo_tree_build(&mesh, (vec3){0, 0, 0}, INFINITY, &arena, &tree, ERR),
                       base_arena_release(&arena)),
        4);
}

/**
 * The computed normals of slivers are noise: one that does not fit its corners would hide pairs.
 */
Test(tree, planes_hold_their_corners)
{
    enum { COUNT = 2000 };
    geo_mesh_builder made = shape_new(3 * COUNT, COUNT);
    base_random random = base_random_seed(72);
    for (uint32_t f = 0; f < COUNT; f++) {
        const vec3 p = geo_random_direction(&random), along = geo_random_direction(&random);
        const vec3 aside = vec3_scale(pow(10, -(double)(f % 17)), geo_random_direction(&random));
        made.vertices[3 * f] = p;
        made.vertices[3 * f + 1] = vec3_add(p, along);
        made.vertices[3 * f + 2] = vec3_add(vec3_madd(p, 0.3, along), aside);
        made.faces[f] = (geo_face){{3 * f, 3 * f + 1, 3 * f + 2}};
    }
    SCOPED_MESH mesh = geo_mesh_builder_finish(&made);
    SCOPED_ARENA arena = {0};
    geo_tree tree;
    cr_assert_eq(geo_tree_build(&mesh, (vec3){0, 0, 0}, INFINITY, &arena, &tree, NULL), BASE_OK);
    int without = 0;
    for (uint32_t index = 0; index < COUNT; index++) {
        const geo_tree_leaf *const leaf = &tree.leaves[index / GEO_TREE_WIDTH];
        const uint32_t lane = index % GEO_TREE_WIDTH;
        const vec3 n = {(double)leaf->normal[0][lane], (double)leaf->normal[1][lane],
                        (double)leaf->normal[2][lane]};
        for (int k = 0; k < 3; k++) {
            const double off = vec3_dot(n, tree.triangles[index].p[k]) - (double)leaf->offset[lane];
            cr_assert(fabs(off) <= 0x1p-20 * tree.span, "index %u, corner %d: %g", index, k, off);
        }
        without += vec3_norm2(n) == 0;
    }
    cr_assert(without > 100 && without < COUNT / 2, "%d without a plane", without);
}

/* --- Pairs that may intersect ----------------------------------------------------------------- */

static geo_tree build(const geo_mesh *mesh, base_arena *arena)
{
    geo_tree tree;
    const vec3 origin = {0.1, -0.2, 0.3};
    assert_ok(geo_tree_build(mesh, origin, INFINITY, arena, &tree, ERR));
    return tree;
}

typedef struct visits {
    uint64_t hash, count;
} visits;

static bool note_visit(void *context, uint32_t first, unsigned hits, uint32_t b)
{
    visits *const v = context;
    v->hash = (v->hash ^ first ^ (uint64_t)hits << 32 ^ (uint64_t)b << 40) * 0x9e3779b97f4a7c15;
    v->count++;
    return true;
}

/** All instruction sets visit the same pairs in the same order. */
Test(tree, the_same_visits_from_every_instruction_set)
{
    SCOPED_MESH torus = shape_torus(40, 1, 0.4);
    SCOPED_ARENA arena = {0};
    const geo_tree tree = build(&torus, &arena);
    base_random random = base_random_seed(71);
    uint64_t all = 0;
    for (int i = 0; i < 30; i++) {
        const geo_pose pose = geo_pose_make(geo_random_rotation(&random), shape_point(&random, 1));
        visits wide = {0}, narrow = {0};
        cr_assert(geo_tree_pairs(&tree, &tree, &pose, note_visit, &wide));
        setenv("PROXBENCH_SIMD", "sse2", 1);
        cr_assert(geo_tree_pairs(&tree, &tree, &pose, note_visit, &narrow));
        unsetenv("PROXBENCH_SIMD");
        cr_assert(wide.hash == narrow.hash && wide.count == narrow.count, "pose %d", i);
        all += wide.count;
    }
    cr_assert_gt(all, 1000);
}

/* --- Pairs that intersect --------------------------------------------------------------------- */

enum { FOUND_MAX = 200000 };

typedef struct found {
    uint32_t face[2];
    geo_common common;
} found;

typedef struct list {
    found *pairs;
    size_t count, stop_after;
    bool given; /* true if the visitor got the ends of the intersection each time */
} list;

static list make_list(void)
{
    const list l = {.pairs = base_alloc(FOUND_MAX, sizeof(found)), .given = true};
    cr_assert_not_null(l.pairs);
    return l;
}

static bool note(void *context, uint32_t a, uint32_t b, const geo_common *common)
{
    list *const l = context;
    cr_assert_lt(l->count, FOUND_MAX);
    found *const f = &l->pairs[l->count];
    *f = (found){.face = {a, b}};
    if (common) {
        f->common = *common;
    } else {
        l->given = false;
    }
    return ++l->count != l->stop_after;
}

static int by_faces(const void *left, const void *right)
{
    const found *const a = left, *const b = right;
    const uint64_t x = (uint64_t)a->face[0] << 32 | a->face[1];
    const uint64_t y = (uint64_t)b->face[0] << 32 | b->face[1];
    return (x > y) - (x < y);
}

/** Makes two soups. Each triangle has an edge that passes through an edge of one of the other
 * soup up to the rounding of doubles; every second one continues inside. */
static void make_touching_soups(base_random *random, size_t faces, geo_mesh out[2])
{
    geo_mesh_builder a = shape_edit(shape_soup(random, faces, false));
    geo_mesh_builder b = shape_copy(&(geo_mesh){.vertices = a.vertices,
                                                .vertex_count = a.vertex_count,
                                                .faces = a.faces,
                                                .face_count = a.face_count});
    for (size_t f = 0; f < faces; f++) {
        const vec3 *const s = &a.vertices[3 * f];
        vec3 *const t = &b.vertices[3 * f];
        const vec3 outwards = vec3_sub(vec3_scale(0.5, vec3_add(s[0], s[1])), s[2]);
        const vec3 on = vec3_madd(s[0], base_random_unit(random), vec3_sub(s[1], s[0]));
        const vec3 d = shape_point(random, 0.2);
        t[0] = vec3_add(on, d);
        t[1] = vec3_sub(on, d);
        t[2] = vec3_madd(vec3_madd(on, 0.3, d), f % 2 == 0 ? 2 : -0.2, outwards);
    }
    out[0] = geo_mesh_builder_finish(&a);
    out[1] = geo_mesh_builder_finish(&b);
}

/**
 * Compares with all pairs, one by one, and their ends to the last bit. Returns the number of pairs.
 */
static size_t check_intersections(const geo_mesh *a, const geo_mesh *b, const geo_pose *pose,
                                  int number)
{
    base_arena arena = {0};
    const geo_tree tree_a = build(a, &arena), tree_b = build(b, &arena);
    list with = make_list(), without = make_list();
    uint64_t tests, again;
    cr_assert(geo_tree_intersections(&tree_a, &tree_b, pose, true, note, &with, &tests));
    cr_assert(geo_tree_intersections(&tree_a, &tree_b, pose, false, note, &without, &again));
    cr_assert(with.count <= tests && tests <= a->face_count * b->face_count && tests == again,
              "case %d: %lu and %lu tests", number, (unsigned long)tests, (unsigned long)again);
    cr_assert(with.given && (without.count == 0 || !without.given), "case %d", number);
    qsort(with.pairs, with.count, sizeof(found), by_faces);
    qsort(without.pairs, without.count, sizeof(found), by_faces);
    size_t count = 0;
    for (uint32_t i = 0; i < a->face_count; i++) {
        for (uint32_t j = 0; j < b->face_count; j++) {
            const geo_triangle s = geo_mesh_triangle(a, i);
            const geo_triangle t = geo_pose_apply_triangle(pose, geo_mesh_triangle(b, j));
            geo_common want;
            const bool meet = geo_triangle_intersect(s, t);
            cr_assert_eq(geo_triangle_common(s, t, &want), meet, "case %d: faces %u and %u", number,
                         i, j);
            if (!meet) {
                continue;
            }
            const found *const f = &with.pairs[count];
            cr_assert(count < with.count && f->face[0] == i && f->face[1] == j,
                      "case %d: faces %u and %u", number, i, j);
            cr_assert(memcmp(&f->common, &want, sizeof want) == 0, "case %d: faces %u and %u",
                      number, i, j);
            cr_assert(count < without.count &&
                          memcmp(without.pairs[count].face, f->face, sizeof f->face) == 0,
                      "case %d: faces %u and %u", number, i, j);
            count++;
        }
    }
    cr_assert(with.count == count && without.count == count, "case %d: %zu of %zu, %zu", number,
              count, with.count, without.count);
    base_free(with.pairs);
    base_free(without.pairs);
    base_arena_release(&arena);
    return count;
}

Test(tree, intersections_equal_all_pairs)
{
    const uint64_t seed = 70;
    base_random random = base_random_seed(seed);
    SCOPED_MESH torus = shape_torus(14, 1, 0.4), soup = shape_soup(&random, 200, false);
    SCOPED_MESH lattice = shape_soup(&random, 200, true);
    const geo_mesh *const meshes[3] = {&torus, &soup, &lattice};
    size_t some = 0, none = 0;
    const int step = (int)sweep_step(4);
    for (int i = 0; i < 45; i += step) {
        const vec3 offset = vec3_scale(0.12 * i, geo_random_direction(&random));
        const geo_pose pose = geo_pose_make(geo_random_rotation(&random), offset);
        const size_t count = check_intersections(meshes[i % 3], meshes[i / 3 % 3], &pose, i);
        some += count > 0;
        none += count == 0;
    }
    cr_assert(some > 10 / (size_t)step && none > 3 / (size_t)step, "%zu %zu", some, none);
    /* Integer motions keep everything exact: faces that touch in points, edges and planes. */
    SCOPED_MESH cells = shape_cells(&random, 0x0f0f00ff33005512);
    for (int i = 0; i < 8; i++) {
        const geo_pose pose = geo_pose_make(i < 4 ? geo_quat_identity() : (geo_quat){0, 0, 1, 0},
                                            (vec3){i % 4, i % 3, i % 2});
        cr_assert_gt(check_intersections(&cells, &cells, &pose, i), 0);
    }
    const uint32_t few = (uint32_t)sweep_step(2);
    geo_mesh touching[2];
    make_touching_soups(&random, 600 / few, touching);
    const geo_pose same = geo_pose_identity();
    const size_t touch = check_intersections(&touching[0], &touching[1], &same, 99);
    cr_assert(touch > 400 / few, "%zu", touch);
    /* A body and itself: every face meets itself and its neighbours. */
    cr_assert_gt(check_intersections(&torus, &torus, &same, 100), torus.face_count);
    geo_mesh_release(&touching[0]);
    geo_mesh_release(&touching[1]);
}

static int by_point(const void *left, const void *right)
{
    return memcmp(left, right, sizeof(vec3));
}

/**
 * Closed surfaces meet in closed curves: each segment begins where another one ends, bit by bit.
 */
Test(tree, segments_of_closed_surfaces_close)
{
    base_random random = base_random_seed(72);
    SCOPED_MESH torus = shape_torus(40, 1, 0.4), ball = shape_ball((vec3){0, 0, 0}, 0.7, 25);
    SCOPED_ARENA arena = {0};
    const geo_tree a = build(&torus, &arena), b = build(&ball, &arena);
    list l = make_list();
    SCOPED_FREE vec3 *const begins = base_alloc(FOUND_MAX, sizeof *begins);
    SCOPED_FREE vec3 *const ends = base_alloc(FOUND_MAX, sizeof *ends);
    cr_assert(begins && ends);
    size_t all = 0;
    for (int i = 0; i < 50; i++) {
        const geo_pose pose = shape_pose(&random, 1);
        l.count = 0;
        cr_assert(geo_tree_intersections(&a, &b, &pose, true, note, &l, NULL));
        for (size_t k = 0; k < l.count; k++) {
            begins[k] = l.pairs[k].common.from;
            ends[k] = l.pairs[k].common.to;
        }
        qsort(begins, l.count, sizeof *begins, by_point);
        qsort(ends, l.count, sizeof *ends, by_point);
        cr_assert(memcmp(begins, ends, l.count * sizeof *ends) == 0, "pose %d", i);
        all += l.count;
    }
    cr_assert_gt(all, 5000);
    base_free(l.pairs);
}

/** With exchanged bodies: the same pairs, and the same segments in the opposite direction, to
 * the last bit. With both moved: the same pairs, and the segments have moved with them. */
Test(tree, intersections_follow_their_bodies)
{
    const uint64_t seed = 73;
    base_random random = base_random_seed(seed);
    const geo_pose still = geo_pose_identity();
    list l = make_list(), back = make_list(), there = make_list();
    size_t all = 0;
    for (int i = 0; i < 20; i++) {
        const geo_pose placing = shape_pose(&random, 1), both = shape_pose(&random, 2);
        const geo_pose moving = geo_pose_compose(&both, &placing);
        SCOPED_MESH torus = shape_torus(20, 1, 0.4), ball = shape_ball((vec3){0.3, 0, 0}, 0.8, 12);
        SCOPED_MESH placed = shape_move(shape_ball((vec3){0.3, 0, 0}, 0.8, 12), placing, 1);
        SCOPED_MESH elsewhere = shape_move(shape_torus(20, 1, 0.4), both, 1);
        SCOPED_ARENA arena = {0};
        const geo_tree a = build(&torus, &arena), b = build(&placed, &arena);
        const geo_tree moved_a = build(&elsewhere, &arena), free_b = build(&ball, &arena);
        l.count = back.count = there.count = 0;
        geo_tree_intersections(&a, &b, &still, true, note, &l, NULL);
        geo_tree_intersections(&b, &a, &still, true, note, &back, NULL);
        geo_tree_intersections(&moved_a, &free_b, &moving, true, note, &there, NULL);
        for (size_t k = 0; k < back.count; k++) {
            const found f = back.pairs[k];
            back.pairs[k] =
                (found){.face = {f.face[1], f.face[0]}, .common = {f.common.to, f.common.from}};
        }
        qsort(l.pairs, l.count, sizeof(found), by_faces);
        qsort(back.pairs, back.count, sizeof(found), by_faces);
        qsort(there.pairs, there.count, sizeof(found), by_faces);
        cr_assert(l.count == back.count &&
                      memcmp(l.pairs, back.pairs, l.count * sizeof(found)) == 0,
                  "seed %lu pose %d", (unsigned long)seed, i);
        cr_assert_eq(l.count, there.count, "seed %lu pose %d", (unsigned long)seed, i);
        for (size_t k = 0; k < l.count; k++) {
            const found *const f = &l.pairs[k], *const g = &there.pairs[k];
            const double miss =
                vec3_distance(geo_pose_apply(&both, f->common.from), g->common.from) +
                vec3_distance(geo_pose_apply(&both, f->common.to), g->common.to);
            cr_assert(memcmp(f->face, g->face, sizeof f->face) == 0 && miss < 1e-12,
                      "seed %lu pose %d, pair %zu: %g", (unsigned long)seed, i, k, miss);
        }
        all += l.count;
    }
    cr_assert_gt(all, 1000);
    base_free(l.pairs);
    base_free(back.pairs);
    base_free(there.pairs);
}

Test(tree, visitor_stops_the_search)
{
    SCOPED_MESH torus = shape_torus(14, 1, 0.4);
    SCOPED_ARENA arena = {0};
    const geo_tree tree = build(&torus, &arena);
    list l = make_list();
    const geo_pose pose = geo_pose_make(geo_quat_identity(), (vec3){0.3, 0.2, 0});
    for (l.stop_after = 1; l.stop_after < 8; l.stop_after++) {
        l.count = 0;
        cr_assert_not(geo_tree_intersections(&tree, &tree, &pose, false, note, &l, NULL));
        cr_assert_eq(l.count, l.stop_after);
    }
    base_free(l.pairs);
}

/** All instruction sets give the same pairs in the same order, and the same bits. */
Test(tree, the_same_intersections_from_every_instruction_set)
{
    SCOPED_MESH torus = shape_torus(40, 1, 0.4);
    SCOPED_ARENA arena = {0};
    const geo_tree tree = build(&torus, &arena);
    base_random random = base_random_seed(71);
    list wide = make_list(), narrow = make_list();
    size_t all = 0;
    for (int i = 0; i < 30; i++) {
        const geo_pose pose = geo_pose_make(geo_random_rotation(&random), shape_point(&random, 1));
        wide.count = narrow.count = 0;
        geo_tree_intersections(&tree, &tree, &pose, true, note, &wide, NULL);
        setenv("PROXBENCH_SIMD", "sse2", 1);
        geo_tree_intersections(&tree, &tree, &pose, true, note, &narrow, NULL);
        unsetenv("PROXBENCH_SIMD");
        cr_assert(wide.count == narrow.count &&
                      memcmp(wide.pairs, narrow.pairs, wide.count * sizeof(found)) == 0,
                  "pose %d", i);
        all += wide.count;
    }
    cr_assert_gt(all, 1000);
    base_free(wide.pairs);
    base_free(narrow.pairs);
}
