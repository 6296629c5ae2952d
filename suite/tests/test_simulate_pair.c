/** A pair from the command line, from two files to the rows of a folder. */
#include "suite/inputs/truth_entries.h"
#include "suite/message.h"
#include "suite/results/record.h"
#include "suite/results/reference.h"
#include "suite/simulate/simulate.h"
#include "suite/tests/simulate.h"

#include <criterion/redirect.h>
#include <math.h>

static void enter(void)
{
    enter_folder();
    cr_redirect_stdout();
    cr_redirect_stderr();
}

TestSuite(simulate_pair, .init = enter, .fini = leave_folder);

enum { STEPS = 60 };

/** Moves B from 3 m to `end` along z at 60 m/s or more. */
static void make_device(double end, scn_trajectory *device)
{
    for (int i = 0; i <= 1; i++) {
        const scn_frame frame = {.t_s = 0.001 * STEPS * i,
                                 .position = {0, 0, i ? end : 3},
                                 .orientation = geo_quat_identity(),
                                 .target = NAN,
                                 .achieved = NAN};
        assert_ok(scn_trajectory_append(device, &frame, ERR));
    }
}

/** Runs the whole command, with the default coupling and penalty. */
static void simulate(const char *a, const char *b, double end)
{
    static bench_simulated scene;
    int exit_status = -1;
    SCOPED_TRAJECTORY device = {0};
    bench_truth_entries_register();
    const alg_variant exact = {.algorithm = alg_find("exact-volume"), .name = "exact-volume"};
    make_device(end, &device);
    scene = (bench_simulated){.name = "pair",
                              .a = a,
                              .b = b,
                              .device = &device,
                              .options = {.step_s = 1e-3,
                                          .density_kg_m3 = 1000,
                                          .coupling.stiffness_n_m = NAN,
                                          .impulses = {.resolve = 0.2, .limit = 1000}},
                              .stiffness_n_m2 = NAN,
                              .steps = STEPS};
    const bench_simulate_options options = {.scenes = &scene,
                                            .scene_count = 1,
                                            .variants = &exact,
                                            .variant_count = 1,
                                            .response = "auto",
                                            .judge_every = 10,
                                            .every = 1,
                                            .timeout_s = 100,
                                            .folder = folder,
                                            .command = "simulate",
                                            .quiet = true};
    assert_ok(bench_run_claim(folder, ERR));
    assert_ok(bench_simulate(&options, &exit_status, ERR));
    cr_expect_eq(exit_status, BENCH_GOOD);
}

static double fact_of_pair(const char *key)
{
    bench_record record;
    assert_ok(bench_record_open(folder, BENCH_RECORD_FACTS, &record, ERR));
    const char *const text = bench_record_fact(&record, "pair", key);
    cr_assert_not_null(text, "%s", key);
    const double value = strtod(text, NULL);
    bench_record_release(&record);
    return value;
}

static bench_simulation_row only_row(void)
{
    char path[128];
    base_csv table;
    bench_simulation_row row;
    snprintf(path, sizeof path, "%s/simulations.csv", folder);
    assert_ok(base_csv_read(path, NULL, &table, ERR));
    cr_assert_eq(table.rows, 1);
    assert_ok(bench_columns_read(bench_simulation_columns, &table, 0, &row, ERR));
    base_csv_release(&table); /* only numbers of the row are used below */
    return row;
}

/** Writes a plate of 4 x 4 x 0.02 m, and B of 0.5 x 0.3 x 0.4 m. */
static void write_bodies(char a[128], char b[128])
{
    write_box("plate.off", vec3_make(-2, -2, -0.01), vec3_make(2, 2, 0.01), a);
    write_box("b.off", vec3_make(-0.25, -0.15, -0.2), vec3_make(0.25, 0.15, 0.2), b);
}

Test(simulate_pair, stiffness_is_that_of_bs_mass_and_smallest_edge)
{
    char a[128], b[128];
    write_bodies(a, b);
    simulate(a, b, 2.9);
    const double mass = 1000 * 0.5 * 0.3 * 0.4;
    cr_expect_float_eq(fact_of_pair("mass_kg"), mass, 1e-9);
    cr_expect_float_eq(fact_of_pair("coupling_n_m"), 1e4 * mass, 1e-5);
    cr_expect_float_eq(fact_of_pair("stiffness_n_m2"), 2 * 1e4 * mass / 0.3, 1e-4);
    const bench_simulation_row row = only_row();
    cr_expect_eq(row.through, 0);
    cr_expect_eq(row.passed_share, 0);
    cr_expect(isnan(row.first_touch_s));
}

/** At 100 m/s the body jumps over the plate: no step has a common volume. */
Test(simulate_pair, a_body_that_jumps_over_a_plate_went_through)
{
    char a[128], b[128];
    write_bodies(a, b);
    simulate(a, b, -27);
    const bench_simulation_row row = only_row();
    cr_expect_eq(row.through, 1);
    cr_expect_eq(row.passed_share, 1);
}
