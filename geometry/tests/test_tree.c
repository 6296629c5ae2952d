#include "base/elementary.h"
#include "geometry/tests/shapes.h"
#include "geometry/tree.h"

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

static void check_leaf(const geo_tree *tree, uint32_t place, vec3 origin)
{
    const geo_tree_leaf *const leaf = &tree->leaves[place / GEO_TREE_WIDTH];
    for (int k = 0; k < 3; k++) {
        const vec3 p = vec3_sub(tree->triangles[place].p[k], origin);
        for (int axis = 0; axis < 3; axis++) {
            cr_assert_eq(leaf->corner[k][axis][place % GEO_TREE_WIDTH], (float)vec3_get(p, axis),
                         "place %u, corner %d", place, k);
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
                "level %u, child %u, place %u: %g above, %g aside", level, child, i, along, across);
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
        cr_assert(memcmp(&t, &tree->triangles[i], sizeof t) == 0, "place %u", i);
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
        geo_mesh mesh = sheet(counts[i]);
        base_arena arena = {0};
        geo_tree tree;
        const vec3 origin = {0.1, i % 2 == 0 ? 0 : 1e3, -0.3};
        cr_assert_eq(geo_tree_build(&mesh, origin, &arena, &tree, NULL), BASE_OK);
        cr_assert_eq(tree.count, counts[i]);
        check_tree(&tree, &mesh, origin);
        base_arena_release(&arena);
        geo_mesh_release(&mesh);
    }
}

Test(tree, coinciding_triangles_are_split)
{
    geo_mesh_builder folded = shape_edit(sheet(3000));
    for (size_t v = 0; v < folded.vertex_count; v++) {
        folded.vertices[v] = (vec3){(double)(v % 3), v % 3 == 1, 0};
    }
    geo_mesh mesh = geo_mesh_builder_finish(&folded);
    base_arena arena = {0};
    geo_tree tree;
    const vec3 origin = {0, 0, 0};
    cr_assert_eq(geo_tree_build(&mesh, origin, &arena, &tree, NULL), BASE_OK);
    check_tree(&tree, &mesh, origin);
    base_arena_release(&arena);
    geo_mesh_release(&mesh);
}

Test(tree, is_the_same_for_any_number_of_threads)
{
    static const char *const threads[] = {"1", "2", "7"};
    geo_mesh mesh = sheet(20000);
    base_arena arena[3] = {{0}};
    geo_tree tree[3];
    for (int i = 0; i < 3; i++) {
        setenv("PROXBENCH_THREADS", threads[i], 1);
        const base_status status =
            geo_tree_build(&mesh, (vec3){0, 0, 0}, &arena[i], &tree[i], NULL);
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
    geo_mesh_release(&mesh);
}

Test(tree, out_of_memory)
{
    geo_mesh mesh = sheet(5000);
    int failed = 0;
    for (size_t n = 0; n < 40; n++) {
        base_arena arena = {0};
        geo_tree tree;
        base_error err = {0};
        base_memory_fail_after(n);
        const base_status status = geo_tree_build(&mesh, (vec3){0, 0, 0}, &arena, &tree, &err);
        base_memory_fail_after(SIZE_MAX);
        base_arena_release(&arena);
        if (status == BASE_OK) {
            break;
        }
        cr_assert(status == BASE_ERR_MEMORY && err.text[0] != 0);
        failed++;
    }
    cr_assert(failed >= 4, "%d", failed);
    geo_mesh_release(&mesh);
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
    geo_mesh mesh = geo_mesh_builder_finish(&made);
    base_arena arena = {0};
    geo_tree tree;
    cr_assert_eq(geo_tree_build(&mesh, (vec3){0, 0, 0}, &arena, &tree, NULL), BASE_OK);
    int without = 0;
    for (uint32_t place = 0; place < COUNT; place++) {
        const geo_tree_leaf *const leaf = &tree.leaves[place / GEO_TREE_WIDTH];
        const uint32_t lane = place % GEO_TREE_WIDTH;
        const vec3 n = {(double)leaf->normal[0][lane], (double)leaf->normal[1][lane],
                        (double)leaf->normal[2][lane]};
        for (int k = 0; k < 3; k++) {
            const double off = vec3_dot(n, tree.triangles[place].p[k]) - (double)leaf->offset[lane];
            cr_assert(fabs(off) <= 0x1p-20 * tree.span, "place %u, corner %d: %g", place, k, off);
        }
        without += vec3_norm2(n) == 0;
    }
    cr_assert(without > 100 && without < COUNT / 2, "%d without a plane", without);
    base_arena_release(&arena);
    geo_mesh_release(&mesh);
}
