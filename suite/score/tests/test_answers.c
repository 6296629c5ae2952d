/** Files of answers: what is read from them, and which are refused with file and line. */
#include "suite/score/tests/scored.h"

/** Reads a text as the answers of the three frames of a pair whose A is centred at (0.2, 0, 0). */
static base_status read_text(const char *text, unsigned asked, bench_score_answers *answers,
                             base_error *err)
{
    char path[] = "/tmp/proxbench-answers-XXXXXX";
    const bench_pair pair = {.centre_a = {0.2, 0, 0}};
    const int file = mkstemp(path);
    cr_assert(file >= 0);
    cr_assert(base_file_write(file, text, strlen(text)));
    close(file);
    const base_status status = bench_score_answers_read(path, &pair, 3, asked, answers, err);
    unlink(path);
    return status;
}

Test(answers, refused_with_line_and_reason)
{
    static const struct {
        const char *text, *reason;
    } files[] = {
        {"frame,distance_m\n0,1\n1,2\n1,2\n", "line 4: frame 1 is there twice, first in line 3"},
        {"frame,distance_m\n3,1\n", "line 2: there is no frame 3: the scenario has the frames 0 to "
                                    "2 (are yours numbered from 1?)"},
        {"frame,distance_m\n4,1\n", "line 2: there is no frame 4: the scenario has the frames 0 to "
                                    "2"},
        {"frame,distance_m\n-1,1\n", "line 2: column 'frame': '-1' is no whole number from 0"},
        {"frame,distance_m\n0.5,1\n", "line 2: column 'frame': '0.5' is no whole number from 0"},
        {"frame,distance_m\n1e300,1\n", "line 2: column 'frame': '1e300' is no whole number"},
        {"frame,distance_m\n0,nan\n", "line 2: column 'distance_m': 'nan' is not a finite number"},
        {"frame,distance\n0,1\n", "line 1: unknown column 'distance'; did you mean 'distance_m'?"},
        {"distance_m\n1\n", "line 1: column 'frame' is missing"},
        {"frame,time_ns\n0,1\n", "line 1: no column is an answer"},
        {"frame,distance_m\n0,\n", "no frame has an answer"},
        {"frame,witness_ax_m\n0,1\n", "line 1: column 'witness_ay_m' is missing: 'witness_ax_m'"},
        {"frame,depth_m\n0,1\n", "line 1: column 'nx' is missing: 'depth_m' needs it"},
        {"frame,depth_m,nx,ny,nz\n0,1,1,,0\n", "line 2: column 'ny' is empty"},
        {"frame,fx_m2,fy_m2,fz_m2,tx_m2_m,ty_m2_m,tz_m3_m\n0,0,0,0,0,0,0\n",
         "line 1: column 'tz_m2_m' is missing: 'fx_m2' needs it"},
        {"frame,fx_m2,fy_m2,fz_m2,tx_m2_m,ty_m2_m,tz_m2_m,fx_N\n0,0,0,0,0,0,0,0\n",
         "line 1: forces in two units, m2 and N"},
        {"frame,colliding\n0,2\n", "line 2: column 'colliding': 2 is neither 0 nor 1"},
        {"frame,distance_m,time_ns\n0,1,-5\n", "line 2: column 'time_ns': '-5' is no time"},
        {"frame,intersecting_pairs_count\n0,4294967296\n", "line 2: too many pairs"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        bench_score_answers answers;
        base_error err = {0};
        cr_expect_eq(read_text(files[i].text, 0, &answers, &err), BASE_ERR_INPUT, "%s",
                     files[i].text);
        cr_expect_not_null(strstr(err.text, files[i].reason), "%s: %s", files[i].text, err.text);
        cr_expect_null(answers.items);
    }
}

Test(answers, every_column_is_read)
{
    bench_score_answers a;
    base_error err = {0};
    const char *const text =
        "frame,time_ns,distance_m,volume_m3,depth_m,nx,ny,nz,witness_ax_m,witness_ay_m,"
        "witness_az_m,witness_bx_m,witness_by_m,witness_bz_m,distance_lo_m,distance_hi_m,"
        "volume_lo_m3,volume_hi_m3,fx_m3,fy_m3,fz_m3,tx_m3_m,ty_m3_m,tz_m3_m,"
        "intersecting_pairs_count,colliding\n"
        "2,7.6,1,2,3,4,5,6,7.2,8,9,10.2,11,12,13,14,15,16,17,18,19,20,21,22,23,1\n"
        "0,,0.25,,0,,,,,,,,,,,,,,,,,,,,,\n";
    cr_assert_eq(read_text(text, ALG_WANT_CONTACT, &a, &err), BASE_OK, "%s", err.text);
    const alg_answer *const x = &a.items[2];
    cr_expect_eq(x->answered, ALG_HAS_DISTANCE | ALG_HAS_VOLUME | ALG_HAS_DEPTH | ALG_HAS_WITNESS |
                                  ALG_HAS_DISTANCE_BRACKET | ALG_HAS_VOLUME_BRACKET |
                                  ALG_HAS_FORCE | ALG_HAS_PAIRS | ALG_HAS_CONTACT);
    cr_expect(x->distance_m == 1 && x->volume_m3 == 2 && x->depth_m == 3);
    cr_expect(vec3_equal(x->direction, (vec3){4, 5, 6}));
    cr_expect(vec3_equal(x->witness_a, (vec3){7.2 - 0.2, 8, 9}), "in the frame of the pair");
    cr_expect(vec3_equal(x->witness_b, (vec3){10.2 - 0.2, 11, 12}));
    cr_expect(x->distance_lo_m == 13 && x->distance_hi_m == 14);
    cr_expect(x->volume_lo_m3 == 15 && x->volume_hi_m3 == 16);
    cr_expect(vec3_equal(x->force, (vec3){17, 18, 19}));
    cr_expect(vec3_equal(x->torque, (vec3){20, 21, 22}));
    cr_expect(x->pair_count == 23 && x->colliding && x->outcome == ALG_CONVERGED);
    cr_expect_str_eq(a.force_unit, "m3");
    cr_expect_eq(a.times_ns[2], 8);
    cr_expect_eq(a.times_ns[0], UINT64_MAX);
    /* A depth of 0 needs no direction. */
    cr_expect_eq(a.items[0].answered, ALG_HAS_DISTANCE | ALG_HAS_DEPTH);
    cr_expect(!a.items[0].colliding);
    cr_expect(a.items[1].answered == 0 && a.missing == 1 && a.first_missing == 1);
    cr_expect_eq(a.quantities, BENCH_ALL_QUANTITIES);
    bench_score_answers_release(&a);
}

/** Without a column, the collision follows from the first answer that tells it. */
Test(answers, colliding_follows_from_answers)
{
    static const struct {
        const char *text;
        unsigned asked;
        bool colliding;
        unsigned quantities;
    } files[] = {
        {"frame,distance_m\n0,0\n", 0, true, ALG_WANT_DISTANCE},
        {"frame,distance_m\n0,1\n", 0, false, ALG_WANT_DISTANCE},
        {"frame,volume_m3\n0,1\n", 0, true, ALG_WANT_VOLUME},
        {"frame,volume_m3\n0,0\n", 0, false, ALG_WANT_VOLUME},
        {"frame,depth_m,nx,ny,nz\n0,1,1,0,0\n", 0, true, ALG_WANT_DEPTH},
        {"frame,intersecting_pairs_count\n0,0\n", 0, false, ALG_WANT_CONTACT},
        {"frame,intersecting_pairs_count\n0,5\n", 0, true, ALG_WANT_CONTACT},
        {"frame,fx_N,fy_N,fz_N,tx_N_m,ty_N_m,tz_N_m\n0,0,1,0,0,0,0\n", 0, true, ALG_WANT_FORCE},
        /* A column `colliding` counts as an answer of the contact only if it is asked, or alone. */
        {"frame,colliding\n0,1\n", 0, true, ALG_WANT_CONTACT},
        {"frame,distance_m,colliding\n0,1,1\n", 0, true, ALG_WANT_DISTANCE},
        {"frame,distance_m,colliding\n0,0,0\n", ALG_WANT_CONTACT, false,
         ALG_WANT_DISTANCE | ALG_WANT_CONTACT},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        bench_score_answers a;
        base_error err = {0};
        cr_assert_eq(read_text(files[i].text, files[i].asked, &a, &err), BASE_OK, "%s", err.text);
        cr_expect_eq(a.items[0].colliding, files[i].colliding, "%s", files[i].text);
        cr_expect_eq(a.quantities, files[i].quantities, "%s", files[i].text);
        bench_score_answers_release(&a);
    }
}
