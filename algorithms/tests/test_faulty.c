/** Every known-bad algorithm has exactly the fault that its name says. */
#include "algorithms/faulty/faulty.h"
#include "algorithms/tests/pair.h"

#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
static const bool sanitized = true; /* invalid accesses end in a report and an exit */
#else
static const bool sanitized = false;
#endif

enum { FRAMES = 12, FRAME = 5 };

/** Two solids that approach each other and touch in the last frames. */
typedef struct bench {
    geo_mesh cube, ball;
    geo_pose *poses; /* FRAMES poses, in read-only memory */
    alg_answer truth[FRAMES];
} bench;

static bench bench_open(void)
{
    bench b = {.cube = shape_cube((vec3){0, 0, 0}, 1), .ball = shape_ball((vec3){0, 0, 0}, 0.5, 1)};
    b.poses = mmap(NULL, FRAMES * sizeof *b.poses, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert(b.poses != MAP_FAILED);
    pair p = pair_open("brute", &b.cube, &b.ball, ALG_WANT_DISTANCE);
    for (int i = 0; i < FRAMES; i++) {
        b.poses[i] = shape_shift(2.4 - 0.1 * i, 0.1, 0.2);
        b.truth[i] = pair_ask(&p, &b.poses[i]);
    }
    pair_close(&p);
    cr_assert_gt(b.truth[FRAME].distance_m, 0.1);
    cr_assert_eq(b.truth[FRAMES - 1].distance_m, 0);
    cr_assert_eq(mprotect(b.poses, FRAMES * sizeof *b.poses, PROT_READ), 0);
    return b;
}

static void bench_close(bench *b)
{
    munmap(b->poses, FRAMES * sizeof *b->poses);
    geo_mesh_release(&b->cube);
    geo_mesh_release(&b->ball);
}

#define SCOPED_BENCH RELEASED_BY(bench_close) bench

static pair open_fault(const bench *b, const char *fault)
{
    char name[128];
    snprintf(name, sizeof name, "faulty:fault=%s,frame=%d", fault, FRAME);
    return pair_open(name, &b->cube, &b->ball, ALG_WANT_DISTANCE);
}

static void ask_all(const bench *b, pair *p, alg_answer answers[FRAMES])
{
    alg_faulty.reset(p->state);
    for (int i = 0; i < FRAMES; i++) {
        answers[i] = pair_ask(p, &b->poses[i]);
    }
}

static bool same(const alg_answer *x, const alg_answer *y)
{
    return memcmp(x, y, sizeof *x) == 0;
}

Test(faulty, without_a_fault_it_is_its_base)
{
    SCOPED_BENCH b = bench_open();
    pair p = pair_open("faulty", &b.cube, &b.ball, ALG_WANT_DISTANCE);
    for (int pass = 0; pass < 2; pass++) {
        alg_answer answers[FRAMES];
        ask_all(&b, &p, answers);
        for (int i = 0; i < FRAMES; i++) {
            cr_assert(same(&answers[i], &b.truth[i]), "pass %d, frame %d", pass, i);
        }
    }
    pair_close(&p);
    for (int q = 0; q < ALG_DEPTH; q++) {
        cr_assert_eq(alg_faulty.contract(&p.variant.settings, (alg_quantity)q),
                     alg_brute.contract(&p.variant.settings, (alg_quantity)q));
    }
    cr_assert_eq(alg_faulty.contract(&p.variant.settings, ALG_DEPTH), ALG_UPPER_BOUND);
    cr_assert_eq(alg_faulty.contract(&p.variant.settings, ALG_FORCE), ALG_APPROXIMATE);
    for (size_t i = 0; alg_brute.counters[i] || alg_faulty.counters[i]; i++) {
        cr_assert_str_eq(alg_faulty.counters[i], alg_brute.counters[i]);
    }
}

/** Checks the deviation of wrong answers, and their promise. */
Test(faulty, wrong_answers_have_the_documented_error)
{
    static const struct {
        const char *fault;
        alg_contract promise;
        double low, high; /* range of the answer for truth d: low * d to high * d, plus `shift` */
        double shift;
    } cases[] = {
        {"always-far", ALG_EXACT, 0, 0, 1000},     {"always-zero", ALG_EXACT, 0, 0, 0},
        {"noisy", ALG_EXACT, 0.999, 1.001, 0},     {"off-by-1e-6", ALG_EXACT, 1, 1, 1e-6},
        {"lying", ALG_LOWER_BOUND, 1.01, 1.01, 0},
    };
    SCOPED_BENCH b = bench_open();
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        SCOPED_PAIR p = open_fault(&b, cases[c].fault);
        cr_assert_eq(alg_faulty.contract(&p.variant.settings, ALG_DISTANCE), cases[c].promise);
        alg_answer answers[FRAMES], again[FRAMES];
        ask_all(&b, &p, answers);
        ask_all(&b, &p, again);
        for (int i = 0; i < FRAMES; i++) {
            const double truth = b.truth[i].distance_m, d = answers[i].distance_m;
            cr_assert(same(&answers[i], &again[i]), "%s, frame %d", cases[c].fault, i);
            cr_assert(d >= cases[c].low * truth + cases[c].shift &&
                          d <= cases[c].high * truth + cases[c].shift,
                      "%s, frame %d: %.17g for %.17g", cases[c].fault, i, d, truth);
            cr_assert(d != truth || truth == 0, "%s, frame %d", cases[c].fault, i);
        }
    }
}

Test(faulty, a_fault_of_one_frame_strikes_there_in_each_pass)
{
    SCOPED_BENCH b = bench_open();
    pair nan = open_fault(&b, "nan"), silent = open_fault(&b, "silent");
    for (int pass = 0; pass < 2; pass++) {
        alg_answer answers[FRAMES];
        ask_all(&b, &nan, answers);
        for (int i = 0; i < FRAMES; i++) {
            cr_assert_eq(isnan(answers[i].distance_m), i == FRAME, "frame %d", i);
        }
        ask_all(&b, &silent, answers);
        for (int i = 0; i < FRAMES; i++) {
            cr_assert_eq(answers[i].answered == 0, i == FRAME, "frame %d", i);
        }
    }
    pair_close(&nan);
    pair_close(&silent);
}

/** pair_ask and the suite initialise answers; here with zeros. */
Test(faulty, wrong_claims_have_the_documented_error)
{
    SCOPED_BENCH b = bench_open();
    static const char *const faults[] = {"no-outcome", "unknown-outcome", "colliding-is-2",
                                         "no-witness", "no-contacts"};
    enum { COUNT = sizeof faults / sizeof *faults };
    alg_answer answers[COUNT][FRAMES];
    for (size_t c = 0; c < COUNT; c++) {
        pair p = open_fault(&b, faults[c]);
        ask_all(&b, &p, answers[c]);
        pair_close(&p);
        for (int i = 0; i < FRAMES; i++) {
            cr_assert_eq(same(&answers[c][i], &b.truth[i]), i != FRAME, "%s, %d", faults[c], i);
        }
    }
    unsigned char byte;
    memcpy(&byte, &answers[2][FRAME].colliding, 1);
    cr_assert_eq(answers[0][FRAME].outcome, ALG_UNSET);
    cr_assert_eq((unsigned)answers[1][FRAME].outcome, 99);
    cr_assert_eq(byte, 2);
    cr_assert(answers[3][FRAME].answered & ALG_HAS_WITNESS);
    cr_assert(vec3_equal(answers[3][FRAME].witness_a, (vec3){0, 0, 0}));
    cr_assert(answers[4][FRAME].answered & ALG_HAS_CONTACTS);
}

/** Distances stay exact. Either both points are moved, or one of them is a far corner. */
Test(faulty, witness_points_have_the_documented_error)
{
    SCOPED_BENCH b = bench_open();
    pair moved = open_fault(&b, "witness-moved"), far = open_fault(&b, "witness-far");
    alg_answer m[FRAMES], f[FRAMES];
    ask_all(&b, &moved, m);
    ask_all(&b, &far, f);
    for (int i = 0; i < FRAMES; i++) {
        const alg_answer *const truth = &b.truth[i];
        cr_assert_eq(m[i].distance_m, truth->distance_m);
        cr_assert_eq(f[i].distance_m, truth->distance_m);
        cr_assert_float_eq(m[i].witness_a.y, truth->witness_a.y + 7, 1e-12);
        cr_assert_float_eq(m[i].witness_b.y, truth->witness_b.y + 7, 1e-12);
        cr_assert(vec3_equal(f[i].witness_a, truth->witness_a));
        double greatest = 0;
        for (size_t v = 0; v < b.ball.vertex_count; v++) {
            const vec3 p = geo_pose_apply(&b.poses[i], b.ball.vertices[v]);
            greatest = fmax(greatest, vec3_distance(truth->witness_a, p));
        }
        cr_assert_eq(vec3_distance(f[i].witness_a, f[i].witness_b), greatest, "frame %d", i);
        cr_assert_gt(greatest, truth->distance_m + 0.1);
    }
    pair_close(&moved);
    pair_close(&far);
}

/** A cube of edge 1 and a cube of edge 2: overlap at a side, overlap at a corner, no overlap, and
 * complete containment. */
static const struct {
    vec3 shift;
    double depth_m;
    vec3 direction, force, torque;
} reaching[] = {
    {{1.375, 0.25, 0}, 0.125, {1, 0, 0}, {1, 0, 0}, {0, 0, 0}},
    {{1, -1.25, 0.75}, 0.25, {0, -1, 0}, {0.1875, -0.375, 0.125}, {0, 0.0078125, 0.0234375}},
    {{3, 0, 0}, 0, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
    {{0.25, 0, 0}, 1.25, {1, 0, 0}, {0, 0, 0}, {0, 0, 0}},
};

/** Returns the answers of a fault to each of them. */
static void ask_reaching(const char *fault, alg_answer answers[4])
{
    SCOPED_MESH a = shape_cube((vec3){0, 0, 0}, 1), b = shape_cube((vec3){0, 0, 0}, 0.5);
    char name[64];
    snprintf(name, sizeof name, "faulty:fault=%s", fault);
    SCOPED_PAIR p = pair_open(name, &a, &b, ALG_WANT_CONTACT | ALG_WANT_DEPTH | ALG_WANT_FORCE);
    for (int i = 0; i < 4; i++) {
        const vec3 shift = reaching[i].shift;
        const geo_pose pose = shape_shift(shift.x, shift.y, shift.z);
        answers[i] = pair_ask(&p, &pose);
    }
}

Test(faulty, depth_and_force_are_those_of_boxes)
{
    alg_answer answers[4];
    ask_reaching("none", answers);
    for (int i = 0; i < 4; i++) {
        const alg_answer *const x = &answers[i];
        cr_assert((x->answered & ALG_HAS_DEPTH) && (x->answered & ALG_HAS_FORCE) &&
                  (x->answered & ALG_HAS_PAIRS));
        cr_assert_eq(x->depth_m, reaching[i].depth_m, "pose %d: %g", i, x->depth_m);
        cr_assert(vec3_equal(x->direction, reaching[i].direction), "pose %d", i);
        cr_assert(vec3_equal(x->force, reaching[i].force), "pose %d", i);
        cr_assert(vec3_equal(x->torque, reaching[i].torque), "pose %d: %g %g %g", i, x->torque.x,
                  x->torque.y, x->torque.z);
        cr_assert_eq(x->pair_count > 0, i < 2, "pose %d", i);
    }
}

Test(faulty, depth_force_and_pairs_have_the_documented_error)
{
    static const char *const faults[] = {"depth-short",      "depth-not-unit", "force-backwards",
                                         "torque-elsewhere", "pairs-short",    "depth-reversed"};
    alg_answer good[4], bad[4];
    ask_reaching("none", good);
    for (int fault = 0; fault < 6; fault++) {
        ask_reaching(faults[fault], bad);
        for (int i = 0; i < 4; i++) {
            alg_answer as_said = good[i];
            as_said.depth_m *= fault == 0 ? 0.5 : 1;
            as_said.direction = vec3_scale(fault == 1 ? 2 : fault == 5 ? -1 : 1, good[i].direction);
            as_said.force = vec3_scale(fault == 2 ? -1 : 1, good[i].force);
            as_said.torque = vec3_scale(fault == 2 ? -1 : 1, good[i].torque);
            if (fault == 3) {
                const vec3 about = vec3_cross(reaching[i].shift, good[i].force);
                as_said.torque = vec3_add(as_said.torque, about);
            }
            as_said.pair_count -= fault == 4 && good[i].pair_count > 0;
            const alg_answer *const b = &bad[i];
            cr_assert(b->depth_m == as_said.depth_m && b->pair_count == as_said.pair_count &&
                          vec3_equal(b->direction, as_said.direction) &&
                          vec3_equal(b->force, as_said.force) &&
                          vec3_equal(b->torque, as_said.torque),
                      "%s, pose %d", faults[fault], i);
        }
    }
}

/** The answers stay exact. Only the brackets are wrong, or too wide to be useful. */
Test(faulty, brackets_have_the_documented_error)
{
    SCOPED_BENCH b = bench_open();
    pair misses = open_fault(&b, "bracket-misses"),
         upside_down = open_fault(&b, "bracket-upside-down"), wide = open_fault(&b, "bracket-wide");
    alg_answer m[FRAMES], u[FRAMES], w[FRAMES];
    for (int pass = 0; pass < 2; pass++) {
        ask_all(&b, &misses, m);
        ask_all(&b, &upside_down, u);
        ask_all(&b, &wide, w);
        for (int i = 0; i < FRAMES; i++) {
            const double d = b.truth[i].distance_m;
            cr_assert(m[i].distance_m == d && u[i].distance_m == d && w[i].distance_m == d);
            cr_assert(m[i].answered & u[i].answered & w[i].answered & ALG_HAS_DISTANCE_BRACKET);
            cr_assert(m[i].distance_lo_m < m[i].distance_hi_m, "frame %d", i);
            cr_assert(i % 2 ? m[i].distance_lo_m > d : m[i].distance_hi_m < d, "frame %d", i);
            cr_assert_eq(u[i].distance_lo_m > u[i].distance_hi_m, i == FRAME, "frame %d", i);
            cr_assert(w[i].distance_lo_m <= d && d <= w[i].distance_hi_m &&
                      w[i].distance_hi_m - w[i].distance_lo_m >= 1);
        }
    }
    pair_close(&misses);
    pair_close(&upside_down);
    pair_close(&wide);
}

Test(faulty, a_stateful_one_is_exact_once_and_never_again)
{
    SCOPED_BENCH b = bench_open();
    SCOPED_PAIR p = open_fault(&b, "stateful");
    cr_assert_eq(alg_faulty.contract(&p.variant.settings, ALG_DISTANCE), ALG_APPROXIMATE);
    alg_answer first[FRAMES], second[FRAMES];
    ask_all(&b, &p, first);
    ask_all(&b, &p, second);
    cr_assert(same(&first[0], &b.truth[0]));
    for (int i = 0; i < FRAMES; i++) {
        cr_assert_neq(first[i].distance_m, second[i].distance_m, "frame %d", i);
        cr_assert_lt(fabs(second[i].distance_m - b.truth[i].distance_m), 1e-6, "frame %d", i);
    }
}

/* --- Memory ----------------------------------------------------------------------------------- */

Test(faulty, a_leaking_one_keeps_memory_until_the_end)
{
    SCOPED_BENCH b = bench_open();
    pair p = open_fault(&b, "leaking");
    alg_answer answers[FRAMES];
    const size_t before = mallinfo2().uordblks;
    ask_all(&b, &p, answers);
    const size_t after = mallinfo2().uordblks;
    cr_assert(sanitized || after >= before + FRAMES * FAULTY_LEAK_BYTES, "%zu to %zu", before,
              after);
    pair_close(&p);
    cr_assert(sanitized || mallinfo2().uordblks <= before);
    cr_assert(same(&answers[FRAME], &b.truth[FRAME]));
}

/* --- Exits, signals and hangs ----------------------------------------------------------------- */

/** Runs an algorithm in a child process, at most to the answers of two passes; stdout is a file. */
static pid_t start_life(const bench *b, const char *fault, FILE *output)
{
    char name[128];
    snprintf(name, sizeof name, "faulty:fault=%s,frame=%d", fault, FRAME);
    fflush(NULL);
    const pid_t pid = fork();
    cr_assert_geq(pid, 0);
    if (pid != 0) {
        return pid;
    }
    dup2(fileno(output), STDOUT_FILENO);
    dup2(fileno(output), STDERR_FILENO); /* reports of sanitizers and of malloc */
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *const guarded =
        mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    alg_answer *const answer = (alg_answer *)(void *)(guarded + page - sizeof(alg_answer));
    mprotect(guarded + page, page, PROT_NONE);
    if (!sanitized) {
        setrlimit(RLIMIT_AS, &(struct rlimit){1u << 29, 1u << 29});
    }
    pair p = {.a = shape_body(&b->cube, true), .b = shape_body(&b->ball, true)};
    alg_message message;
    if (alg_variant_parse(name, 1, &p.variant, &message) != ALG_OK) {
        _exit(99);
    }
    const alg_settings *const s = &p.variant.settings;
    alg_status status = alg_faulty.prepare(s, &p.a, ALG_FIXED, &p.fixed, &p.info_a, &message);
    if (status == ALG_OK) {
        status = alg_faulty.prepare(s, &p.b, ALG_MOVING, &p.moving, &p.info_b, &message);
    }
    if (status == ALG_OK) {
        status = alg_faulty.bind(s, p.fixed, p.moving, PAIR_REQUEST(ALG_WANT_DISTANCE), &p.state,
                                 &message);
    }
    for (int i = 0; status == ALG_OK && i < 2 * FRAMES; i++) {
        if (i % FRAMES == 0) {
            alg_faulty.reset(p.state);
        }
        *answer = (alg_answer){.size = sizeof *answer};
        alg_faulty.query(p.state, &b->poses[i % FRAMES], answer);
    }
    _exit(10 + (int)status);
}

/** Returns the wait status of the child; -1 if it does not end in time and is killed. */
static int end_of_life(const bench *b, const char *fault, FILE *output)
{
    const pid_t pid = start_life(b, fault, output);
    const bool waits = strstr(fault, "hang") || strstr(fault, "closes");
    int status = 0;
    pid_t ended = 0;
    for (int i = 0; ended == 0 && !(waits && i > 100); i++) {
        ended = waitpid(pid, &status, WNOHANG);
        usleep(1000);
    }
    if (ended == 0) {
        kill(pid, SIGKILL);
        waitpid(pid, &status, 0);
        return -1;
    }
    return status;
}

/** Excludes faults that damage other processes (shrinking, forking, escaping, signalling), because
 * here these would be the tests. */
Test(faulty, every_process_ends_as_documented)
{
    static const struct {
        const char *fault;
        int signal; /* 0: the process exits; -1: it hangs */
        int exit;   /* 10 + alg_status if the child reaches its end */
    } cases[] = {
        {"none", 0, 10 + ALG_OK},
        {"stateful", 0, 10 + ALG_OK},
        {"slow-50", 0, 10 + ALG_OK},
        {"allocating", 0, 10 + ALG_OK},
        {"leaking", 0, 10 + ALG_OK},
        {"printing", 0, 10 + ALG_OK},
        {"flushing", 0, 10 + ALG_OK},
        {"complaining", 0, 10 + ALG_OK},
        {"rounding", 0, 10 + ALG_OK},
        {"crashing", SIGSEGV, 0},
        {"aborting", SIGABRT, 0},
        {"killed", SIGKILL, 0},
        {"exiting", 0, 0},
        {"hanging", -1, 0},
        {"out-of-bounds", SIGSEGV, 0},
        {"writes-poses", SIGSEGV, 0},
        {"corrupting-heap", SIGABRT, 0},
        {"closes-descriptors", -1, 0},
        {"crashes-in-prepare", SIGSEGV, 0},
        {"hangs-in-prepare", -1, 0},
        {"fails-in-prepare", 0, 10 + ALG_FAILED},
        {"out-of-memory", 0, 10 + ALG_OUT_OF_MEMORY},
        {"declines", 0, 10 + ALG_UNSUPPORTED},
    };
    SCOPED_BENCH b = bench_open();
    FILE *const output = tmpfile();
    cr_assert_not_null(output);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const char *const fault = cases[c].fault;
        if (sanitized && strcmp(fault, "out-of-memory") == 0) {
            continue; /* its address space cannot be limited */
        }
        const int end = end_of_life(&b, fault, output);
        const int signal = end == -1 ? -1 : WIFSIGNALED(end) ? WTERMSIG(end) : 0;
        if (sanitized && (cases[c].signal == SIGSEGV || strcmp(fault, "corrupting-heap") == 0)) {
            cr_expect(signal == SIGABRT || (signal == 0 && WEXITSTATUS(end) == 1), "%s: %d", fault,
                      end);
            continue;
        }
        cr_expect_eq(signal, cases[c].signal, "%s: %d", fault, end);
        cr_expect(signal != 0 || WEXITSTATUS(end) == cases[c].exit, "%s: %d", fault, end);
    }
    fclose(output);
}

Test(faulty, a_printing_one_prints_at_each_query)
{
    SCOPED_BENCH b = bench_open();
    FILE *const output = tmpfile();
    cr_assert_not_null(output);
    cr_assert_eq(WEXITSTATUS(end_of_life(&b, "printing", output)), 10 + ALG_OK);
    rewind(output);
    int lines = 0;
    for (int c = fgetc(output); c != EOF; c = fgetc(output)) {
        lines += c == '\n';
    }
    cr_assert_eq(lines, 2 * FRAMES);
    fclose(output);
}
