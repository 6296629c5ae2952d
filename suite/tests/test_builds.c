/**
 * builds.csv: one row for each contestant, body and role, and a column for each fact of any
 * contestant.
 */
#include "suite/results/launches.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const spheres_facts[] = {"packing_density", "gap_m", NULL};
static const char *const layers_facts[] = {"layers_count", "gap_m", NULL};
static const alg_algorithm spheres = {.name = "spheres", .facts = spheres_facts};
static const alg_algorithm layers = {.name = "layers", .facts = layers_facts};
static const alg_algorithm plain = {.name = "plain"};

static char big[] = "bolt", small[] = "nut";

/** Returns a pair of two bodies with names and hashes; other members are not used. */
static bench_pair pair_of(char *a, char *b)
{
    return (bench_pair){.a = {.reference = a, .hash = {1, (uint64_t)a[0]}, .mesh.face_count = 12},
                        .b = {.reference = b, .hash = {1, (uint64_t)b[0]}, .mesh.face_count = 34}};
}

static bench_cell cell_of(const alg_algorithm *algorithm, uint64_t build_ns, double fact)
{
    return (bench_cell){
        .name = algorithm->name,
        .variant.algorithm = algorithm,
        .status = BENCH_CELL_OK,
        .launch_count = 2,
        .build = {{.info = {.bytes = 100, .primitives = 10, .facts = {fact, NAN}},
                   .build_ns = build_ns,
                   .load_ns = UINT64_MAX,
                   .missing_voxels = UINT64_MAX,
                   .excess_voxels = UINT64_MAX},
                  {.info = {.bytes = 200, .primitives = 20, .facts = {2 * fact, -0.25}},
                   .build_ns = build_ns + 1,
                   .load_ns = 7,
                   .missing_voxels = 0,
                   .excess_voxels = 3}}};
}

typedef struct bench {
    char folder[64];
    bench_builds *builds;
    base_csv table;
} bench;

static bench bench_open(void)
{
    bench b = {.folder = "/tmp/proxbench-builds-XXXXXX"};
    base_error err = {0};
    cr_assert_not_null(mkdtemp(b.folder));
    char path[80];
    snprintf(path, sizeof path, "%s/builds.csv", b.folder);
    cr_assert_eq(bench_builds_create(path, &b.builds, &err), BASE_OK, "%s", err.text);
    return b;
}

static void add(const bench *b, const bench_cell *cell, const bench_pair *pair)
{
    base_error err = {0};
    cr_assert_eq(bench_builds_add(b->builds, cell, pair, &err), BASE_OK, "%s", err.text);
}

static void bench_write_and_read(bench *b)
{
    base_error err = {0};
    char path[128];
    snprintf(path, sizeof path, "%s/builds.csv", b->folder);
    cr_assert_eq(bench_builds_write(b->builds, &err), BASE_OK, "%s", err.text);
    cr_assert_eq(base_csv_read(path, NULL, &b->table, &err), BASE_OK, "%s", err.text);
}

static void bench_close(bench *b)
{
    char path[128];
    snprintf(path, sizeof path, "%s/builds.csv", b->folder);
    base_csv_release(&b->table);
    bench_builds_destroy(b->builds);
    unlink(path);
    rmdir(b->folder);
}

/** Returns a field; "" if it is empty. */
static const char *field(const bench *b, size_t row, const char *column)
{
    const int index = base_csv_find(&b->table, column);
    cr_assert_geq(index, 0, "no column '%s'", column);
    const char *const text = base_csv_text(&b->table, row, index);
    return text ? text : "";
}

static void expect_row(const bench *b, size_t row, const char *const (*fields)[2], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        cr_assert_str_eq(field(b, row, fields[i][0]), fields[i][1], "row %zu, %s", row,
                         fields[i][0]);
    }
}

Test(builds, every_field_by_hand)
{
    bench b = bench_open();
    const bench_pair pair = pair_of(big, small);
    const bench_cell one = cell_of(&spheres, 1000, 0.75), two = cell_of(&layers, 2000, 3),
                     three = cell_of(&plain, 3000, 9);
    add(&b, &one, &pair);
    add(&b, &two, &pair);
    add(&b, &three, &pair);
    bench_write_and_read(&b);
    cr_assert_eq(b.table.rows, 6);
    static const char *const first[][2] = {
        {"variant", "spheres"},
        {"file", "spheres"},
        {"body", "bolt"},
        {"role", "fixed"},
        {"status", "ok"},
        {"build_ns", "1000"},
        {"load_ns", ""},
        {"missing_voxels_count", ""},
        {"excess_voxels_count", ""},
        {"bytes", "100"},
        {"primitives_count", "10"},
        {"triangles_count", "12"},
        {"packing_density", "0.75"},
        {"gap_m", ""},        /* NaN */
        {"layers_count", ""}, /* a fact of another algorithm */
    };
    expect_row(&b, 0, first, sizeof first / sizeof *first);
    static const char *const fourth[][2] = {
        {"variant", "layers"},        {"body", "nut"},         {"role", "moving"},
        {"build_ns", "2001"},         {"load_ns", "7"},        {"missing_voxels_count", "0"},
        {"excess_voxels_count", "3"}, {"packing_density", ""}, {"gap_m", "-0.25"},
        {"layers_count", "6"},
    };
    expect_row(&b, 3, fourth, sizeof fourth / sizeof *fourth);
    static const char *const sixth[][2] = {
        {"variant", "plain"},
        {"packing_density", ""},
        {"layers_count", ""},
    };
    expect_row(&b, 5, sixth, sizeof sixth / sizeof *sixth);
    bench_close(&b);
}

/** The same body in the same role is built again for another scenario, but has one row. */
Test(builds, one_row_for_each_variant_body_and_role)
{
    bench b = bench_open();
    const bench_pair there = pair_of(big, small), back = pair_of(small, big),
                     twice = pair_of(big, big);
    const bench_cell first = cell_of(&spheres, 1000, 1), again = cell_of(&spheres, 5000, 1);
    add(&b, &first, &there);
    add(&b, &again, &there);
    bench_write_and_read(&b);
    cr_assert_eq(b.table.rows, 2);
    cr_assert_str_eq(field(&b, 0, "build_ns"), "1000");
    base_csv_release(&b.table);
    add(&b, &again, &back);
    add(&b, &again, &twice);
    bench_write_and_read(&b);
    cr_assert_eq(b.table.rows, 4, "both bodies in both roles");
    bench_close(&b);
}

Test(builds, a_build_that_failed_says_so_until_one_succeeds)
{
    bench b = bench_open();
    const bench_pair pair = pair_of(big, small);
    bench_cell failed = cell_of(&spheres, 1, 1);
    failed.launch_count = 0;
    failed.status = BENCH_CELL_OOM;
    add(&b, &failed, &pair);
    bench_write_and_read(&b);
    static const char *const empty[][2] = {
        {"status", "oom"},           {"build_ns", ""},
        {"excess_voxels_count", ""}, {"bytes", ""},
        {"primitives_count", ""},    {"packing_density", ""},
        {"triangles_count", "12"},
    };
    expect_row(&b, 0, empty, sizeof empty / sizeof *empty);
    base_csv_release(&b.table);
    /* A fault in the passes does not change the status of the build. */
    bench_cell wrong = cell_of(&spheres, 1000, 1);
    wrong.status = BENCH_CELL_WRONG;
    add(&b, &wrong, &pair);
    add(&b, &failed, &pair);
    bench_write_and_read(&b);
    cr_assert_eq(b.table.rows, 2);
    cr_assert_str_eq(field(&b, 0, "status"), "ok");
    cr_assert_str_eq(field(&b, 0, "build_ns"), "1000");
    bench_close(&b);
}

static const alg_choice kinds[] = {{"plane", NULL}, {"layers", NULL}, {"field", NULL}, {0}};
static const alg_parameter knobs[] = {
    {"width", ALG_REAL, 0, 0, 1, NULL, "how wide"},
    {"depth", ALG_INTEGER, 4, 1, 9, NULL, "how deep"},
    {"kind", ALG_CHOICE, 0, 0, 0, kinds, "which"},
};
static const char *const timed_facts[] = {"stage_one_ns", "layers_count", "_ns", "stage_two_ns",
                                          NULL};
static const alg_algorithm timed = {
    .name = "timed", .facts = timed_facts, .parameters = knobs, .parameter_count = 3};

/**
 * Each launch has rows for the bodies that it has built, with the facts that are times. Loaded
 * bodies have no row.
 */
Test(builds, launches_that_built)
{
    bench_launch_build launches[2] = {
        {.block = 1,
         .launch = 0,
         .build = {{.build_ns = 10, .anew = 1, .info.facts = {1, 2, 3, 4}},
                   {.build_ns = 20, .anew = 0, .info.facts = {1, 2, 3, 4}}}},
        {.block = 1,
         .launch = 5,
         .build = {{.build_ns = 30, .anew = 1, .info.facts = {5, 6, 7, NAN}},
                   {.build_ns = 40, .anew = 1, .info.facts = {8, 9, 10, 11}}}}};
    const bench_cell cell = {.name = "timed:kind=field",
                             .scenario = "s/one",
                             .variant = {.algorithm = &timed, .settings.values = {0.25, 4, 2}},
                             .builds = launches,
                             .launch_count = 2};
    const bench_pair pair = pair_of(big, small);
    bench_extras times = {0};
    base_error err = {0};
    cr_assert_eq(bench_build_times_add(&times, spheres_facts, &err), BASE_OK);
    cr_assert_eq(bench_build_times_add(&times, timed_facts, &err), BASE_OK);
    cr_assert_eq(bench_build_times_add(&times, timed_facts, &err), BASE_OK);
    cr_assert_eq(bench_build_times_add(&times, NULL, &err), BASE_OK);
    cr_assert_eq(times.count, 2);
    char *text = NULL;
    size_t size = 0;
    FILE *const file = open_memstream(&text, &size);
    base_csv_writer w = {.file = file};
    bench_build_launches_put_names(&times, &w);
    bench_build_launches_put(file, &times, &cell, &pair);
    fclose(file);
    cr_assert_str_eq(
        text, "variant,body,role,launch,build_ns,scenario,block,parameters,stage_one_ns,"
              "stage_two_ns\n"
              "timed:kind=field,bolt,fixed,0,10,s/one,1,\"depth=4,kind=field,width=0.25\",1,4\n"
              "timed:kind=field,bolt,fixed,5,30,s/one,1,\"depth=4,kind=field,width=0.25\",5,\n"
              "timed:kind=field,nut,moving,5,40,s/one,1,\"depth=4,kind=field,width=0.25\",8,11\n");
    free(text);
    bench_extras_release(&times);
}
