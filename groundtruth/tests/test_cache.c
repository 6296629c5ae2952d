#include "base/memory.h"
#include "geometry/types.h"
#include "groundtruth/body/cache.h"
#include "groundtruth/trajectory.h"

#include "cache_fixture.h"

static gt_body *fresh_body(const shape *s)
{
    gt_body *body;
    cr_assert_eq(gt_body_create(&s->held->mesh, &s->held->report, &body, NULL), BASE_OK);
    return body;
}

static bool same_cells(const gt_body *x, const gt_body *y)
{
    const size_t packets = x->cells.bvh.primitive_count;
    return packets == y->cells.bvh.primitive_count &&
           memcmp(x->cells.cells, y->cells.cells, packets * GT_PACKET * sizeof(gt_cell)) == 0;
}

Test(cache, tetrahedra_are_read_back)
{
    fixture f;
    setup(&f);
    base_error err = {0};
    gt_body *const made = fresh_body(&f.a), *const read = fresh_body(&f.a);
    cr_assert_eq(gt_body_tetrahedralise(made, &f.options, &err), BASE_OK, "%s", err.text);
    cr_assert_eq(scratch_count(f.cache, NULL), 1);
    cr_assert_eq(setenv("PATH", "/nonexistent", 1), 0);
    cr_assert_eq(gt_body_tetrahedralise(read, &f.options, &err), BASE_OK, "%s", err.text);
    cr_assert(same_cells(made, read));
    gt_body *const other = fresh_body(&f.b);
    cr_assert_eq(gt_body_tetrahedralise(other, &f.options, &err), BASE_ERR_SYSTEM);
    gt_body_destroy(made);
    gt_body_destroy(read);
    gt_body_destroy(other);
    teardown(&f);
}

Test(cache, points_that_were_added_are_kept)
{
    fixture f;
    setup(&f);
    const size_t n = f.a.mesh.vertex_count;
    const vec3 added[2] = {{0.5, 1.0 / 3, -0.0}, {1, 2, 1e99}};
    gt_corners corners[3] = {
        {{0, 1, 2, 3}}, {{0, 1, 2, (uint32_t)n}}, {{4, 5, 6, (uint32_t)n + 1}}};
    gt_tetrahedra t = {base_alloc(n + 2, sizeof(vec3)), n + 2, corners, 3}, read;
    cr_assert_not_null(t.vertices);
    memcpy(t.vertices, f.a.mesh.vertices, n * sizeof(vec3));
    memcpy(t.vertices + n, added, sizeof added);
    cr_assert_eq(gt_cache_store(f.cache, f.a.body, &t, NULL), BASE_OK);
    cr_assert(!gt_cache_load(f.cache, f.b.body, &read));
    cr_assert(gt_cache_load(f.cache, f.a.body, &read));
    cr_assert(read.vertex_count == n + 2 && read.count == 3);
    cr_assert_eq(memcmp(read.vertices, t.vertices, (n + 2) * sizeof(vec3)), 0);
    cr_assert_eq(memcmp(read.corners, corners, sizeof corners), 0);
    gt_tetrahedra_release(&read);
    base_free(t.vertices);
    teardown(&f);
}

Test(cache, damaged_tetrahedra_are_made_anew)
{
    fixture f;
    setup(&f);
    base_error err = {0};
    gt_body *const made = fresh_body(&f.a);
    cr_assert_eq(gt_body_tetrahedralise(made, &f.options, &err), BASE_OK, "%s", err.text);
    char path[1024];
    find_file(&f, ".tetra", path);
    const off_t size = size_of(path);
    gt_tetrahedra t;
    const struct {
        long offset;
        int origin;
    } places[] = {{0, SEEK_SET},   {17, SEEK_SET}, {25, SEEK_SET},
                  {300, SEEK_SET}, {-1, SEEK_END}, {-40, SEEK_END}};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        poke(path, places[i].offset, places[i].origin, 1);
        cr_assert(!gt_cache_load(f.cache, made, &t), "place %zu", i);
        gt_body *const again = fresh_body(&f.a);
        cr_assert_eq(gt_body_tetrahedralise(again, &f.options, &err), BASE_OK, "%s", err.text);
        cr_assert(same_cells(made, again));
        gt_body_destroy(again);
        cr_assert(gt_cache_load(f.cache, made, &t), "place %zu", i);
        gt_tetrahedra_release(&t);
    }
    for (off_t cut = 0; cut < size; cut += 1 + size / 7) {
        cr_assert_eq(truncate(path, cut), 0);
        cr_assert(!gt_cache_load(f.cache, made, &t), "cut at %ld", (long)cut);
    }
    gt_body_destroy(made);
    teardown(&f);
}

/* --- Out of memory ---------------------------------------------------------------------------- */

Test(cache, out_of_memory_is_an_error)
{
    fixture f;
    setup(&f);
    int failures = 0;
    bool done = false;
    for (size_t n = 0; n < 400 && !done; n++) {
        gt_body *a = NULL, *b = NULL;
        gt_truth truths[2];
        base_error err = {0};
        gt_options options = {.cache_directory = n % 2 == 0 ? f.cache : NULL, .threads = 1};
        base_memory_fail_after(n);
        base_status status = gt_body_create(&f.a.held->mesh, &f.a.held->report, &a, &err);
        if (status == BASE_OK) {
            status = gt_body_create(&f.b.held->mesh, &f.b.held->report, &b, &err);
        }
        if (status == BASE_OK) {
            status = gt_trajectory_truth(a, b, f.poses, 2, ALL & ~(unsigned)GT_WANT_DEPTH, &options,
                                         truths, &err);
        }
        base_memory_fail_after(SIZE_MAX);
        cr_assert(status == BASE_OK || status == BASE_ERR_MEMORY, "allocation %zu: %s", n,
                  err.text);
        cr_assert((status == BASE_OK) == (err.text[0] == '\0'));
        failures += status != BASE_OK;
        done = status == BASE_OK && n % 2 == 1;
        gt_body_destroy(a);
        gt_body_destroy(b);
    }
    cr_assert(done && failures > 20, "%d failures", failures);
    teardown(&f);
}
