/** Launches of a cell with known times: all numbers are computed by hand. */
#include "base/tests/support.h"
#include "scenarios/experiment.h"
#include "suite/results/launches.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FRAMES = 5, PASSES_MAX = 512, ROOM = PASSES_MAX * FRAMES };

/** A cell in memory: passes are added in the order in which they were made. */
typedef struct made_up {
    bench_cell cell;
    bench_pass_row passes[PASSES_MAX];
    uint64_t warm_ns[ROOM], evicted_ns[ROOM];
} made_up;

static void start(made_up *m, size_t frames)
{
    *m = (made_up){.cell = {.scenario = "s", .name = "v@head", .baseline = "v@base"}};
    m->cell.frame_count = frames;
    m->cell.passes = m->passes;
    m->cell.warm_ns = m->warm_ns;
    m->cell.evicted_ns = m->evicted_ns;
}

static bench_pass *put_pass(made_up *m, uint32_t block, uint32_t launch, bench_protocol protocol,
                            const uint64_t *times_ns)
{
    bench_pass *const pass = &m->passes[m->cell.pass_count++].pass;
    const size_t n = m->cell.frame_count;
    *pass = (bench_pass){.block = block, .launch = launch, .protocol = protocol};
    if (protocol == BENCH_WARM) {
        memcpy(m->warm_ns + m->cell.warm_count++ * n, times_ns, n * sizeof *times_ns);
    } else if (protocol == BENCH_EVICTED) {
        memcpy(m->evicted_ns + m->cell.evicted_count++ * n, times_ns, n * sizeof *times_ns);
    }
    return pass;
}

/** Adds a pass whose frames all take the same time. */
static bench_pass *put_even(made_up *m, uint32_t block, uint32_t launch, bench_protocol protocol,
                            uint64_t ns)
{
    const uint64_t times_ns[FRAMES] = {ns, ns, ns, ns, ns};
    return put_pass(m, block, launch, protocol, times_ns);
}

/** Checks that the launches of a protocol are found in order, each once. */
static void expect_launches(const made_up *m, bench_protocol protocol, const bench_launch *expected,
                            size_t count)
{
    const char *const name = bench_protocol_name(protocol);
    uint64_t medians[FRAMES];
    bench_launch l;
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        const bench_launch *const e = &expected[i];
        cr_assert(bench_cell_launch(&m->cell, protocol, &at, medians, &l), "%s: %zu of %zu", name,
                  i, count);
        cr_assert(l.block == e->block && l.launch == e->launch && l.protocol == protocol,
                  "%s %zu: block %zu, launch %zu", name, i, (size_t)l.block, (size_t)l.launch);
        cr_assert_eq(l.rounds, e->rounds, "%s %zu: %zu rounds", name, i, l.rounds);
        cr_assert_eq(l.query_ns, e->query_ns, "%s %zu: query %zu", name, i, (size_t)l.query_ns);
        cr_assert_eq(l.p50_ns, e->p50_ns, "%s %zu: p50 %zu", name, i, (size_t)l.p50_ns);
        cr_assert_eq(l.p99_ns, e->p99_ns, "%s %zu: p99 %zu", name, i, (size_t)l.p99_ns);
        cr_assert_eq(l.max_ns, e->max_ns, "%s %zu: max %zu", name, i, (size_t)l.max_ns);
    }
    cr_assert_not(bench_cell_launch(&m->cell, protocol, &at, medians, &l), "%s: more than %zu",
                  name, count);
}

/* The first frame is cold. The second launch has an interruption of 8 ms, and its first evicted
 * pass has one, too: of two values, the nearest-rank median is the lower one. */
static const uint64_t first_launch[][FRAMES] = {
    {900, 10, 40, 20, 30},
    {900, 12, 44, 22, 33},
    {900, 11, 41, 21, 31},
};
static const uint64_t second_launch[][FRAMES] = {
    {900, 100, 101, 102, 103},
    {900, 100, 101, 8000102, 103},
    {900, 100, 101, 104, 103},
};
static const uint64_t evicted[][FRAMES] = {
    {9000, 8000500, 501, 502, 503},
    {9000, 600, 601, 602, 603},
};

static void put_two_launches(made_up *m)
{
    start(m, FRAMES);
    for (uint32_t launch = 0; launch < 2; launch++) {
        put_even(m, 0, launch, BENCH_WARM_UP, 0);
        for (size_t r = 0; r < 3; r++) {
            put_pass(m, 0, launch, BENCH_WARM, launch == 0 ? first_launch[r] : second_launch[r]);
        }
        for (size_t r = 0; r < 2; r++) {
            put_pass(m, 0, launch, BENCH_EVICTED, evicted[launch == 0 ? 1 : r]);
        }
    }
}

/** The sum is one of medians, so it is the same with the interruption in any round of any frame. */
Test(launch, an_interruption_is_no_part_of_it)
{
    static made_up m;
    put_two_launches(&m);
    const bench_launch warm[] = {
        {.launch = 0, .rounds = 3, .query_ns = 104, .p50_ns = 21, .p99_ns = 41, .max_ns = 41},
        {.launch = 1, .rounds = 3, .query_ns = 408, .p50_ns = 101, .p99_ns = 104, .max_ns = 104},
    };
    const bench_launch between_evictions[] = {
        {.launch = 0, .rounds = 2, .query_ns = 2406, .p50_ns = 601, .p99_ns = 603, .max_ns = 603},
        {.launch = 1, .rounds = 2, .query_ns = 2106, .p50_ns = 502, .p99_ns = 600, .max_ns = 600},
    };
    expect_launches(&m, BENCH_WARM, warm, 2);
    expect_launches(&m, BENCH_EVICTED, between_evictions, 2);
    for (size_t round = 0; round < 3; round++) {
        for (size_t frame = 1; frame < FRAMES; frame++) {
            start(&m, FRAMES);
            for (size_t r = 0; r < 3; r++) {
                uint64_t times_ns[FRAMES] = {900, 50, 51, 52, 53};
                times_ns[frame] += r == round ? 8000000 : 0;
                put_pass(&m, 0, 0, BENCH_WARM, times_ns);
            }
            const bench_launch expected = {
                .rounds = 3, .query_ns = 206, .p50_ns = 51, .p99_ns = 53, .max_ns = 53};
            expect_launches(&m, BENCH_WARM, &expected, 1);
        }
    }
}

/**
 * Frames that are too short for the clock: the duration of whole passes is used, separately for
 * each protocol.
 */
Test(launch, a_batch_has_the_median_pass)
{
    static made_up m;
    start(&m, FRAMES);
    const uint64_t passes_ns[] = {70, 8000000, 60, 80};
    put_even(&m, 0, 0, BENCH_WARM_UP, 0)->cost.query_ns = 999;
    for (size_t r = 0; r < 4; r++) {
        bench_pass *const pass = put_even(&m, 0, 0, BENCH_WARM, 20 + r);
        pass->batch = 1;
        pass->cost.query_ns = passes_ns[r];
    }
    for (size_t r = 0; r < 3; r++) {
        bench_pass *const pass = put_even(&m, 0, 0, BENCH_EVICTED, 30);
        pass->batch = 1;
        pass->cost.query_ns = 300 - r;
    }
    const bench_launch warm = {
        .rounds = 4, .query_ns = 70, .p50_ns = 21, .p99_ns = 21, .max_ns = 21};
    const bench_launch between_evictions = {
        .rounds = 3, .query_ns = 299, .p50_ns = 30, .p99_ns = 30, .max_ns = 30};
    expect_launches(&m, BENCH_WARM, &warm, 1);
    expect_launches(&m, BENCH_EVICTED, &between_evictions, 1);
}

/** A resumed run: the second block begins with the launch in which the first block ended. */
Test(launch, blocks_keep_their_launches_apart)
{
    static made_up m;
    start(&m, FRAMES);
    const uint32_t places[][2] = {{0, 0}, {0, 1}, {1, 1}, {1, 2}, {3, 0}};
    bench_launch expected[5];
    for (size_t i = 0; i < 5; i++) {
        const uint64_t ns = 10 * (i + 1);
        for (size_t r = 0; r <= i; r++) {
            put_even(&m, places[i][0], places[i][1], BENCH_WARM, ns);
        }
        expected[i] = (bench_launch){.block = places[i][0],
                                     .launch = places[i][1],
                                     .rounds = i + 1,
                                     .query_ns = 4 * ns,
                                     .p50_ns = ns,
                                     .p99_ns = ns,
                                     .max_ns = ns};
    }
    expect_launches(&m, BENCH_WARM, expected, 5);
    expect_launches(&m, BENCH_EVICTED, NULL, 0);
}

/** Launch 0 has only warm passes, 1 only evicted ones, 2 none of these, 3 both. */
Test(launch, without_passes_of_a_protocol_there_is_none)
{
    static made_up m;
    start(&m, FRAMES);
    expect_launches(&m, BENCH_WARM, NULL, 0);
    put_even(&m, 0, 0, BENCH_WARM, 1);
    put_even(&m, 0, 1, BENCH_EVICTED, 2);
    put_even(&m, 0, 2, BENCH_WARM_UP, 3);
    put_even(&m, 0, 3, BENCH_WARM, 4);
    put_even(&m, 0, 3, BENCH_EVICTED, 5);
    const bench_launch warm[] = {
        {.launch = 0, .rounds = 1, .query_ns = 4, .p50_ns = 1, .p99_ns = 1, .max_ns = 1},
        {.launch = 3, .rounds = 1, .query_ns = 16, .p50_ns = 4, .p99_ns = 4, .max_ns = 4},
    };
    const bench_launch between_evictions[] = {
        {.launch = 1, .rounds = 1, .query_ns = 8, .p50_ns = 2, .p99_ns = 2, .max_ns = 2},
        {.launch = 3, .rounds = 1, .query_ns = 20, .p50_ns = 5, .p99_ns = 5, .max_ns = 5},
    };
    expect_launches(&m, BENCH_WARM, warm, 2);
    expect_launches(&m, BENCH_EVICTED, between_evictions, 2);
}

/** A launch may have the maximum number of rounds, and the next launch is still found. */
Test(launch, the_most_rounds)
{
    static made_up m;
    start(&m, FRAMES);
    bench_launch expected[3];
    for (uint32_t launch = 0; launch < 3; launch++) {
        for (uint64_t r = 0; r < SCN_ROUNDS_MAX; r++) {
            put_even(&m, 0, launch, BENCH_WARM, 1000 * (launch + 1) + r);
        }
        const uint64_t median = 1000 * (launch + 1) + SCN_ROUNDS_MAX / 2 - 1;
        expected[launch] = (bench_launch){.launch = launch,
                                          .rounds = SCN_ROUNDS_MAX,
                                          .query_ns = 4 * median,
                                          .p50_ns = median,
                                          .p99_ns = median,
                                          .max_ns = median};
    }
    expect_launches(&m, BENCH_WARM, expected, 3);
    m.cell.warm_count = 2 * SCN_ROUNDS_MAX + 1; /* the times of the other passes were not kept */
    expect_launches(&m, BENCH_WARM, expected, 2);
}

Test(launch, one_frame_is_cold_and_all_there_is)
{
    static made_up m;
    start(&m, 1);
    const uint64_t times_ns[] = {7, 9, 8};
    for (size_t r = 0; r < 3; r++) {
        put_pass(&m, 0, 0, BENCH_WARM, &times_ns[r]);
    }
    const bench_launch expected = {
        .rounds = 3, .query_ns = 8, .p50_ns = 8, .p99_ns = 8, .max_ns = 8};
    expect_launches(&m, BENCH_WARM, &expected, 1);
}

/** launches.csv has a row for each launch and protocol, read back by the names of its columns. */
Test(launch, its_file)
{
    static made_up m;
    put_two_launches(&m);
    /* The first launch has built both bodies, the second has loaded one. Passes: a warm-up,
     * three warm ones, two evicted ones. */
    bench_launch_build builds[] = {
        {.launch = 0, .build = {{.anew = 1, .build_ns = 30}, {.anew = 1, .build_ns = 12}}},
        {.launch = 1, .build = {{.anew = 1, .build_ns = 31}, {.build_ns = 12}}},
    };
    m.cell.builds = builds;
    m.cell.launch_count = 2;
    static const uint64_t rss[] = {90, 70, 72, 71, 60, 61, 90, 80, 81, 82, 65, 64};
    for (size_t i = 0; i < m.cell.pass_count; i++) {
        m.passes[i].pass.cost.rss_bytes = rss[i];
    }
    char path[] = "/tmp/proxbench-launches-XXXXXX";
    FILE *const file = fdopen(mkstemp(path), "w");
    cr_assert_not_null(file);
    base_error err = {0};
    SCOPED_CSV table;
    base_csv_writer w = {.file = file};
    bench_columns_put_names(bench_launches_columns, &w);
    base_csv_end(&w);
    assert_ok(bench_launches_put(file, &m.cell, ERR));
    fclose(file);
    const base_status status = base_csv_read(path, NULL, &table, &err);
    unlink(path);
    cr_assert_eq(status, BASE_OK, "%s", err.text);
    const struct {
        const char *column, *rows[4];
    } columns[] = {
        {"scenario", {"s", "s", "s", "s"}},
        {"variant", {"v@head", "v@head", "v@head", "v@head"}},
        {"baseline", {"v@base", "v@base", "v@base", "v@base"}},
        {"block", {"0", "0", "0", "0"}},
        {"launch", {"0", "1", "0", "1"}},
        {"protocol", {"warm", "warm", "evicted", "evicted"}},
        {"rounds", {"3", "3", "2", "2"}},
        {"query_ns", {"104", "408", "2406", "2106"}},
        {"p50_ns", {"21", "101", "601", "502"}},
        {"p99_ns", {"41", "104", "603", "600"}},
        {"max_ns", {"41", "104", "603", "600"}},
        {"file", {"v_head", "v_head", "v_head", "v_head"}},
        {"build_ns", {"42", "", "42", ""}},
        {"rss_bytes", {"72", "82", "61", "65"}},
    };
    cr_assert_eq(table.rows, 4u);
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
        const int index = base_csv_find(&table, columns[c].column);
        for (size_t row = 0; row < 4; row++) {
            const char *const text = base_csv_text(&table, row, index); /* NULL: empty */
            cr_assert_str_eq(text ? text : "", columns[c].rows[row], "%s of row %zu",
                             columns[c].column, row);
        }
    }
}

/* --- Builds ----------------------------------------------------------------------------------- */

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
    cr_assert_not_null(mkdtemp(b.folder));
    char path[80];
    snprintf(path, sizeof path, "%s/builds.csv", b.folder);
    assert_ok(bench_builds_create(path, &b.builds, ERR));
    return b;
}

static void add(const bench *b, const bench_cell *cell, const bench_pair *pair)
{
    assert_ok(bench_builds_add(b->builds, cell, pair, ERR));
}

static void bench_write_and_read(bench *b)
{
    char path[128];
    snprintf(path, sizeof path, "%s/builds.csv", b->folder);
    assert_ok(bench_builds_write(b->builds, ERR));
    assert_ok(base_csv_read(path, NULL, &b->table, ERR));
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
    assert_ok(bench_build_times_add(&times, spheres_facts, ERR));
    assert_ok(bench_build_times_add(&times, timed_facts, ERR));
    assert_ok(bench_build_times_add(&times, timed_facts, ERR));
    assert_ok(bench_build_times_add(&times, NULL, ERR));
    cr_assert_eq(times.count, 2);
    char *text = NULL;
    size_t size = 0;
    FILE *const file = open_memstream(&text, &size);
    base_csv_writer w = {.file = file};
    bench_build_launches_put_names(&times, &w);
    bench_build_launches_put(file, &times, &cell, &pair);
    fclose(file);
    cr_assert_str_eq(
        text,
        "variant,body,role,launch,build_ns,scenario,block,parameters,stage_one_ns,"
        "stage_two_ns\n"
        "timed:kind=field,bolt,fixed,0,10,s/"
        "one,1,\"depth=4,kind=field,width=0.25,simplify=1\",1,4\n"
        "timed:kind=field,bolt,fixed,5,30,s/one,1,\"depth=4,kind=field,width=0.25,simplify=1\",5,\n"
        "timed:kind=field,nut,moving,5,40,s/"
        "one,1,\"depth=4,kind=field,width=0.25,simplify=1\",8,11\n");
    free(text);
    bench_extras_release(&times);
}
