/** Surface voxels of an algorithm, compared with the exact ones. */
#include "suite/run/worker.h"

#include "base/memory.h"
#include "geometry/vec.h"

#include <criterion/criterion.h>
#include <string.h>

/** The grid and voxels that a body reports. */
typedef struct body {
    int grids;
    vec3 corner;
    double edge;
    uint32_t padding, count[3];
    uint32_t runs[4][4];
    int run_count;
    bool voxels_first;
} body;

static void draw(const void *prepared, const alg_sink *sink)
{
    const body *const b = prepared;
    for (int r = 0; r < b->run_count && b->voxels_first; r++) {
        sink->surface_voxels(sink->context, b->runs[r][0], b->runs[r][1], b->runs[r][2],
                             b->runs[r][3]);
    }
    for (int g = 0; g < b->grids; g++) {
        sink->grid(sink->context, &b->corner, b->edge, b->padding, b->count);
    }
    for (int r = 0; r < b->run_count && !b->voxels_first; r++) {
        sink->surface_voxels(sink->context, b->runs[r][0], b->runs[r][1], b->runs[r][2],
                             b->runs[r][3]);
    }
}

static const alg_algorithm drawing = {.name = "drawing", .draw = draw}, silent = {.name = "silent"};

/* A square of two triangles in the plane z = 0.5, from (0, 0) to (2, 1). */
static const vec3 square[] = {
    {0.25, 0.25, 0.5}, {1.75, 0.25, 0.5}, {1.75, 0.75, 0.5}, {0.25, 0.75, 0.5}};
static const geo_face faces[] = {{{0, 1, 2}}, {{0, 2, 3}}};

static alg_mesh mesh_of(const vec3 *vertices)
{
    return (alg_mesh){.size = sizeof(alg_mesh),
                      .vertices = vertices,
                      .vertex_count = 4,
                      .faces = faces,
                      .face_count = 2};
}

static body good(void)
{
    return (body){.grids = 1,
                  .edge = 1,
                  .padding = 1,
                  .count = {4, 3, 3},
                  .runs = {{1, 3, 1, 1}},
                  .run_count = 1};
}

static alg_status judge(const alg_algorithm *algorithm, body *a, body *b, bench_built built[2],
                        alg_message *message)
{
    const alg_mesh mesh = mesh_of(square);
    const alg_mesh *const meshes[2] = {&mesh, &mesh};
    void *const prepared[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        built[i] = (bench_built){.missing_voxels = UINT64_MAX, .excess_voxels = UINT64_MAX};
    }
    return bench_voxels_judge(algorithm, prepared, meshes, built, message);
}

Test(voxel_judge, by_hand)
{
    static const struct {
        const char *what;
        uint32_t runs[3][4];
        int run_count;
        uint64_t missing, excess;
    } cases[] = {
        {"all", {{1, 3, 1, 1}}, 1, 0, 0},
        {"none", {{0}}, 0, 2, 0},
        {"one of two", {{2, 3, 1, 1}}, 1, 1, 0},
        {"one too many", {{1, 4, 1, 1}}, 1, 0, 1},
        {"others", {{0, 4, 0, 0}}, 1, 2, 4},
        {"outside of the grid", {{3, 6, 1, 1}, {1, 2, 7, 0}}, 2, 2, 4},
        {"one at a time, one twice", {{1, 2, 1, 1}, {2, 3, 1, 1}, {1, 2, 1, 1}}, 3, 0, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        body a = good(), b = good();
        bench_built built[2];
        alg_message message = {""};
        memcpy(b.runs, cases[i].runs, sizeof cases[i].runs);
        b.run_count = cases[i].run_count;
        cr_assert_eq(judge(&drawing, &a, &b, built, &message), ALG_OK, "%s", message.text);
        cr_expect_eq(built[0].missing_voxels, 0, "%s", cases[i].what);
        cr_expect_eq(built[0].excess_voxels, 0, "%s", cases[i].what);
        cr_expect_eq(built[1].missing_voxels, cases[i].missing, "%s: %lu missing", cases[i].what,
                     (unsigned long)built[1].missing_voxels);
        cr_expect_eq(built[1].excess_voxels, cases[i].excess, "%s: %lu too many", cases[i].what,
                     (unsigned long)built[1].excess_voxels);
    }
}

/** A body without voxels, such as a pointshell, and an algorithm that draws nothing. */
Test(voxel_judge, an_algorithm_without_voxels_is_not_counted)
{
    body a = good(), none = {0};
    bench_built built[2];
    alg_message message = {""};
    cr_assert_eq(judge(&drawing, &none, &a, built, &message), ALG_OK);
    cr_assert(built[0].missing_voxels == UINT64_MAX && built[0].excess_voxels == UINT64_MAX);
    cr_assert(built[1].missing_voxels == 0 && built[1].excess_voxels == 0);
    cr_assert_eq(judge(&silent, &a, &a, built, &message), ALG_OK);
    cr_assert(built[0].missing_voxels == UINT64_MAX && built[1].missing_voxels == UINT64_MAX);
}

/**
 * Exact voxels are those of the body's own mesh and grid, also if those of the previous body exist.
 */
Test(voxel_judge, each_body_has_its_own)
{
    vec3 other[4];
    for (int i = 0; i < 4; i++) {
        other[i] = vec3_add(square[i], (vec3){1, 0, 0});
    }
    const alg_mesh meshes[2] = {mesh_of(square), mesh_of(other)};
    for (int k = 0; k < 4; k++) {
        const alg_mesh *const both[2] = {&meshes[k & 1], &meshes[k >> 1]};
        body a = good(), b = good();
        void *const prepared[2] = {&a, &b};
        bench_built built[2] = {0};
        alg_message message = {""};
        cr_assert_eq(bench_voxels_judge(&drawing, prepared, both, built, &message), ALG_OK);
        for (int i = 0; i < 2; i++) {
            const uint64_t wrong = both[i] == &meshes[1] ? 1 : 0;
            cr_expect_eq(built[i].missing_voxels, wrong, "case %d, body %d", k, i);
            cr_expect_eq(built[i].excess_voxels, wrong, "case %d, body %d", k, i);
        }
    }
    body a = good(), shifted = good();
    bench_built built[2];
    alg_message message = {""};
    shifted.corner.x = 1;
    cr_assert_eq(judge(&drawing, &a, &shifted, built, &message), ALG_OK);
    cr_expect(built[0].missing_voxels == 0 && built[1].missing_voxels == 1 &&
              built[1].excess_voxels == 1);
    shifted = good();
    shifted.padding = 2;
    cr_assert_eq(judge(&drawing, &a, &shifted, built, &message), ALG_OK);
    cr_expect_eq(built[1].missing_voxels, 2);
    shifted = good();
    shifted.edge = 2;
    cr_assert_eq(judge(&drawing, &a, &shifted, built, &message), ALG_OK);
    cr_expect_eq(built[1].excess_voxels, 1);
}

Test(voxel_judge, what_cannot_be)
{
    body cases[4] = {good(), good(), good(), good()};
    cases[0].voxels_first = true;
    cases[1].grids = 2;
    cases[2].edge = 0;
    cases[3].count[1] = 0;
    static const char *const texts[] = {"voxels before their grid", "two grids of one body",
                                        "do not ascend", "0 voxels along y"};
    for (int i = 0; i < 4; i++) {
        body a = good();
        bench_built built[2];
        alg_message message = {""};
        cr_assert_eq(judge(&drawing, &a, &cases[i], built, &message), ALG_FAILED, "case %d", i);
        cr_assert_not_null(strstr(message.text, texts[i]), "case %d: '%s'", i, message.text);
        cr_assert_eq(built[1].missing_voxels, UINT64_MAX);
    }
}

Test(voxel_judge, out_of_memory_nothing_is_counted)
{
    body a = good(), b = good();
    bench_built built[2];
    alg_message message = {""};
    int failures = 0;
    for (size_t n = 0; n < 100; n++) {
        base_memory_fail_after(n);
        cr_assert_eq(judge(&drawing, &a, &b, built, &message), ALG_OK, "%s", message.text);
        base_memory_fail_after(SIZE_MAX);
        cr_assert(built[1].missing_voxels == 0 || built[1].missing_voxels == UINT64_MAX);
        if (built[1].missing_voxels == 0) {
            break;
        }
        failures++;
    }
    cr_assert(failures > 3 && failures < 20, "%d", failures);
}
