/** A session of `record` (record/session.h): its variants answer in workers of this program. */
#include "base/memory.h"
#include "geometry/pose.h"
#include "suite/clock.h"
#include "suite/inputs/truth_entries.h"
#include "suite/record/session.h"
#include "suite/tests/simulate.h"

#include <math.h>
#include <pthread.h>
#include <sys/stat.h>
#include <time.h>

static bench_pair pair;
static alg_variant variant, hand;
static bench_session_options options;
static bench_session *session;
static pthread_t runner;
static char out[128], state[1 << 16];
static base_error err, run_error;
static base_status ran;

static alg_variant parse(const char *text)
{
    alg_variant parsed;
    alg_message message;
    cr_assert_eq(alg_variant_parse(text, 1, &parsed, &message), ALG_OK, "%s", message.text);
    return parsed;
}

static void *run(void *unused)
{
    ran = bench_session_run(session, &run_error);
    return unused;
}

/** Opens a session: A is the cube from (1, 1, 1) to (2, 2, 2), B a cube of 1 m at (3, 1, 1). */
static void open_session(const char *text)
{
    enter_folder();
    snprintf(out, sizeof out, "%s/t.csv", folder);
    bench_truth_entries_register(); /* in workers, test_simulate_responder.c does this */
    open_cubes((vec3){1, 1, 1}, &pair);
    variant = parse(text);
    hand = parse("exact-volume");
    options = (bench_session_options){.pair = &pair,
                                      .variant = &variant,
                                      .hand = &hand,
                                      .out = out,
                                      .timeout_s = 20,
                                      .build_timeout_s = 600,
                                      .seed = 1,
                                      .position = {3, 1, 1},
                                      .orientation = {0, 0, 0, 1}};
    cr_assert_eq(bench_quantities_choose(NULL, &variant, &options.wanted, &err), BASE_OK);
    cr_assert_eq(bench_session_open(&options, &session, &err), BASE_OK, "%s", err.text);
}

static void start(const char *text)
{
    open_session(text);
    cr_assert_eq(pthread_create(&runner, NULL, run, NULL), 0);
}

static void stop(void)
{
    bench_session_finish(session);
    pthread_join(runner, NULL);
    cr_assert_eq(ran, BASE_OK, "%s", run_error.text);
    bench_session_close(session);
    bench_pair_close(&pair);
}

static void leave(void)
{
    leave_folder();
}
TestSuite(session, .fini = leave);

static const char *look(void)
{
    FILE *const file = fmemopen(state, sizeof state, "w");
    bench_session_put_state(session, file);
    fclose(file);
    return state;
}

/** Waits until the state contains the text. The limit only ends a test that hangs. */
static void wait_for(const char *text)
{
    const struct timespec pause = {.tv_nsec = 2000000};
    for (int i = 0; i < 100000 && !strstr(look(), text); i++) {
        nanosleep(&pause, NULL);
    }
    cr_assert_not_null(strstr(state, text), "no %s in %s", text, state);
}

static void move_to(unsigned epoch, double t_s, vec3 position)
{
    const bench_timed_pose pose = {t_s, position, {0, 0, 0, 1}};
    bench_session_move(session, epoch, &pose, 1);
}

Test(session, the_first_pose_and_every_other_one_are_answered)
{
    start("exact-distance");
    wait_for("\"at\":[3,1,1,0,0,0,1],\"colliding\":false,\"fields\":[[\"colliding\",\"0\"],"
             "[\"distance_m\",\"1\"]");
    const unsigned epoch = bench_session_grab(session);
    move_to(epoch, 0, (vec3){2.5, 1, 1});
    wait_for("\"at\":[2.5,1,1,0,0,0,1],\"colliding\":false,\"fields\":[[\"colliding\",\"0\"],"
             "[\"distance_m\",\"0.5\"]");
    /* Witness points are in the frame of A's file. */
    const char *const witness = strstr(state, "\"witness_a\":[2,");
    cr_assert_not_null(witness, "%s", state);
    move_to(epoch, 1, (vec3){1.5, 1, 1});
    wait_for("\"at\":[1.5,1,1,0,0,0,1],\"colliding\":true");
    cr_assert_not_null(strstr(state, "\"status\":\"ok\""));
    cr_assert_null(strstr(state, "\"takes\":[{"));
    stop();
    struct stat file;
    cr_assert_neq(stat(out, &file), 0);
}

Test(session, poses_of_an_older_epoch_are_refused)
{
    start("exact-distance");
    const unsigned old = bench_session_grab(session), epoch = bench_session_grab(session);
    cr_assert_neq(old, epoch);
    move_to(old, 0, (vec3){9, 1, 1});
    move_to(epoch, 0, (vec3){4, 1, 1});
    wait_for("\"at\":[4,1,1,0,0,0,1]");
    cr_assert_null(strstr(look(), "\"pose\":[9,"));
    move_to(old, 0, (vec3){9, 1, 1});
    cr_assert_not_null(strstr(look(), "\"pose\":[4,1,1,"));
    stop();
}

Test(session, more_poses_than_can_be_answered_are_all_recorded)
{
    enum { POSES = 700 };
    static bench_timed_pose poses[POSES];
    open_session("brute");
    const unsigned epoch = bench_session_grab(session);
    cr_assert_eq(bench_session_record(session, true, &err), BASE_OK);
    for (int i = 0; i < POSES; i++) {
        poses[i] = (bench_timed_pose){i, {3 + i, 1, 1}, {0, 0, 0, 1}};
    }
    /* No thread answers yet. */
    bench_session_move(session, epoch, poses, 200);
    bench_session_move(session, epoch, poses + 200, 200);
    bench_session_move(session, epoch, poses + 400, 300);
    cr_assert_eq(pthread_create(&runner, NULL, run, NULL), 0);
    wait_for("\"at\":[702,1,1,0,0,0,1]");
    cr_assert_not_null(strstr(state, "\"takes\":[{\"poses\":700,"), "%s", state);
    stop();
}

Test(session, another_variant_answers_and_wrong_names_change_nothing)
{
    start("exact-distance");
    cr_assert_eq(bench_session_ask(session, "exact-volume", "volume,force", &err), BASE_OK);
    wait_for("\"variant\":\"exact-volume\",\"quantity\":\"volume+force\",\"status\":\"ok\"");
    move_to(bench_session_grab(session), 0, (vec3){1.5, 1.25, 1.25});
    wait_for("\"colliding\":true,\"fields\":[[\"colliding\",\"1\"],[\"volume_m3\",\"0.28125\"]");
    cr_assert_not_null(strstr(state, "\"force\":[0.5625,0.375,0.375]"), "%s", state);
    cr_assert_eq(bench_session_ask(session, "exact-valume", NULL, &err), BASE_ERR_ARGUMENT);
    cr_assert_not_null(strstr(err.text, "did you mean 'exact-volume'"), "%s", err.text);
    cr_assert_eq(bench_session_ask(session, "exact-distance", "force", &err), BASE_ERR_ARGUMENT);
    cr_assert_not_null(strstr(err.text, "'exact-distance' does not answer force"), "%s", err.text);
    cr_assert_not_null(strstr(look(), "\"variant\":\"exact-volume\""));
    stop();
}

Test(session, a_variant_that_crashes_ends_its_queries_and_not_the_session)
{
    start("faulty:fault=crashing,frame=1");
    wait_for("\"answers\":1,");
    const unsigned epoch = bench_session_grab(session);
    cr_assert_eq(bench_session_record(session, true, &err), BASE_OK);
    move_to(epoch, 0, (vec3){2.5, 1, 1});
    wait_for("\"status\":\"crash\",\"detail\":\"killed by signal 11");
    move_to(epoch, 0.5, (vec3){2.25, 1, 1});
    wait_for("\"pose\":[2.25,1,1,");
    cr_assert_eq(bench_session_ask(session, "brute", "distance", &err), BASE_OK);
    wait_for("\"at\":[2.25,1,1,0,0,0,1],\"colliding\":false,\"fields\":[[\"colliding\",\"0\"],"
             "[\"distance_m\",\"0.25\"]");
    stop();
    scn_trajectory written;
    cr_assert_eq(scn_trajectory_read(out, &written, &err), BASE_OK, "%s", err.text);
    cr_assert_eq(written.frame_count, 501);
    cr_assert_eq(written.frames[500].position.x, 2.25);
    scn_trajectory_release(&written);
}

Test(session, a_variant_that_hangs_ends_its_queries_and_poses_are_recorded_meanwhile)
{
    open_session("faulty:fault=hanging,frame=1");
    options.timeout_s = 1;
    cr_assert_eq(pthread_create(&runner, NULL, run, NULL), 0);
    wait_for("\"answers\":1,");
    const unsigned epoch = bench_session_grab(session);
    cr_assert_eq(bench_session_record(session, true, &err), BASE_OK);
    move_to(epoch, 0, (vec3){2.5, 1, 1}); /* the query of this pose hangs */
    move_to(epoch, 1, (vec3){2.25, 1, 1});
    cr_assert_not_null(strstr(look(), "\"takes\":[{\"poses\":2,"), "%s", state);
    wait_for("\"status\":\"timeout\",\"detail\":\"no reply within 1 s during a query\"");
    cr_assert_eq(bench_session_ask(session, "exact-distance", NULL, &err), BASE_OK);
    wait_for("\"at\":[2.25,1,1,0,0,0,1],\"colliding\":false");
    stop();
}

Test(session, an_invalid_answer_is_shown_as_wrong)
{
    start("faulty:fault=nan,frame=0");
    wait_for("\"status\":\"wrong\",\"detail\":\"");
    /* JSON has no NaN. */
    cr_assert_null(strstr(state, ":nan"), "%s", state);
    cr_assert_null(strstr(state, "[nan"), "%s", state);
    stop();
}

/** Returns the number after the text in the state. */
static double number_after(const char *text)
{
    const char *const found = strstr(look(), text);
    cr_assert_not_null(found, "no %s in %s", text, state);
    return strtod(found + strlen(text), NULL);
}

Test(session, the_hand_keeps_the_body_out_and_its_motion_is_recorded)
{
    scn_trajectory written;
    start("exact-volume");
    unsigned epoch = bench_session_grab(session);
    cr_assert_eq(bench_session_record(session, true, &err), BASE_OK);
    move_to(epoch, 0, (vec3){2.5, 1, 1});
    move_to(epoch, 0.25, (vec3){2.5, 1, 1});
    const unsigned before = epoch;
    epoch = bench_session_hand(session, true);
    cr_assert_neq(before, epoch);
    wait_for("\"status\":\"on\"");
    move_to(epoch, 0.5, (vec3){1.5, 1, 1}); /* the device goes half a metre into A */
    while (number_after("\"pushed\":") < 600) {
        wait_for("\"on\":true");
    }
    const double x = number_after("\"pose\":[");
    cr_assert(x > 1.9 && x < 2.1, "%.17g", x);
    /* B stays where the hand has left it. */
    epoch = bench_session_hand(session, false);
    wait_for("\"on\":false");
    const double left = number_after("\"pose\":[");
    move_to(epoch, 7, (vec3){left + 0.5, 1, 1});
    cr_assert_eq(bench_session_record(session, false, &err), BASE_OK);
    const double seconds = number_after("\"seconds\":");
    cr_assert_eq(bench_session_write(session, 0, 0.25, seconds, &err), BASE_OK, "%s", err.text);
    cr_assert_eq(bench_session_write(session, 1, 0, 0, &err), BASE_ERR_ARGUMENT);
    stop();
    cr_assert_eq(scn_trajectory_read(out, &written, &err), BASE_OK, "%s", err.text);
    cr_assert(written.frame_count > 600);
    cr_assert_not_null(strstr(written.source, " by the simulated hand, from 0.25 to "), "%s",
                       written.source);
    cr_assert_not_null(strstr(written.source, "hand exact-volume"), "%s", written.source);
    /* B does not jump to the device, which was half a metre away. The last pose is the page's. */
    for (size_t i = 1; i + 1 < written.frame_count; i++) {
        const double moved =
            vec3_distance2(written.frames[i - 1].position, written.frames[i].position);
        cr_assert(moved < 0.1 * 0.1, "frame %zu: %g", i, sqrt(moved));
    }
    scn_trajectory_release(&written);
}

Test(session, a_hand_that_crashes_lets_go_of_the_body)
{
    open_session("exact-distance");
    hand = parse("faulty:fault=crashing,frame=20");
    cr_assert_eq(pthread_create(&runner, NULL, run, NULL), 0);
    const unsigned before = bench_session_hand(session, true);
    wait_for("\"status\":\"crash\",\"detail\":\"killed by signal 11");
    cr_assert_not_null(strstr(state, "\"on\":false"));
    move_to(before, 0, (vec3){9, 1, 1}); /* the pages must grab B anew */
    cr_assert_null(strstr(look(), "\"pose\":[9,"));
    move_to(bench_session_grab(session), 0, (vec3){4, 1, 1});
    wait_for("\"at\":[4,1,1,0,0,0,1]");
    stop();
}

Test(session, a_moving_body_that_is_no_solid_has_no_hand)
{
    char open[128];
    open_session("exact-distance");
    bench_session_close(session);
    bench_pair_close(&pair);
    snprintf(open, sizeof open, "%s/open.off", folder);
    FILE *const file = fopen(open, "w");
    fputs("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", file);
    fclose(file);
    char a[128];
    snprintf(a, sizeof a, "%s/a.off", folder);
    open_pair(a, open, &pair);
    cr_assert_eq(bench_session_open(&options, &session, &err), BASE_OK, "%s", err.text);
    cr_assert_eq(pthread_create(&runner, NULL, run, NULL), 0);
    (void)bench_session_hand(session, true);
    wait_for("is not a solid: a moving body needs a mass");
    cr_assert_not_null(strstr(state, "\"on\":false"));
    stop();
}

Test(session, a_live_hand_needs_a_force_without_a_gain_or_contacts)
{
    bench_response response;
    bench_truth_entries_register();
    enter_folder();
    const alg_variant exact = parse("exact-volume"), vps = parse("vps"),
                      tetra = parse("exact-tetra");
    cr_assert_eq(bench_session_response(&exact, &response, &err), BASE_OK);
    cr_assert_eq(response, BENCH_BY_FORCE);
    cr_assert_eq(bench_session_response(&vps, &response, &err), BASE_OK);
    cr_assert_eq(response, BENCH_BY_IMPULSES);
    cr_assert_eq(bench_session_response(&tetra, &response, &err), BASE_ERR_ARGUMENT);
    cr_assert_not_null(strstr(err.text, "'exact-tetra' cannot be the hand"), "%s", err.text);
}

Test(session, takes_are_restored_and_listed)
{
    open_session("exact-distance");
    cr_assert_eq(bench_session_record(session, true, &err), BASE_OK);
    const unsigned epoch = bench_session_grab(session);
    move_to(epoch, 5, (vec3){2.5, 1, 1});
    move_to(epoch, 5.5, (vec3){2.25, 1, 1});
    bench_session_close(session); /* killed: it does not finish */
    cr_assert_eq(bench_session_open(&options, &session, &err), BASE_OK, "%s", err.text);
    cr_assert_not_null(strstr(look(), "\"takes\":[{\"poses\":2,\"seconds\":0.5,\"pushed\":0,"
                                      "\"restored\":true,\"file\":\"\"}]"),
                       "%s", state);
    FILE *const file = fmemopen(state, sizeof state, "w");
    cr_assert(bench_session_put_take(session, 0, file));
    fclose(file);
    cr_assert_str_eq(state, "[[0.000000,2.5,1,1,0,0,0,1],[0.500000,2.25,1,1,0,0,0,1]]");
    cr_assert_eq(pthread_create(&runner, NULL, run, NULL), 0);
    stop();
    struct stat written;
    cr_assert_eq(stat(out, &written), 0);
}
