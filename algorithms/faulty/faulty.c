#include "algorithms/faulty/faulty.h"

#include "algorithms/faulty/honest.h"
#include "algorithms/life.h"
#include "algorithms/registry.h"
#include "base/memory.h"
#include "base/random.h"
#include "geometry/pose.h"

#include <fenv.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/wait.h>
#include <unistd.h>

/** Memory that a leaking algorithm keeps with each query. */
typedef struct leak_block {
    struct leak_block *next;
    char bytes[FAULTY_LEAK_BYTES];
} leak_block;

/** A prepared body. */
typedef struct body {
    void *base; /* prepared body of the correct algorithm */
    alg_mesh mesh;
} body;

typedef struct faulty faulty;

typedef enum moment {
    EACH_QUERY,
    AT_FRAME,         /* at query number `frame` of each pass */
    AT_FRAME_OF_1000, /* at every query whose number is congruent to `frame` modulo 1000 */
} moment;

/** A fault. Members that are not set are those of the correct algorithm. */
typedef struct faulty_fault {
    moment moment;
    void (*act)(faulty *f, const geo_pose *pose, alg_answer *answer); /* changes the exact answer */
    unsigned slow_percent; /* by how many percent a query takes longer than the exact answer */
    alg_contract promise;  /* for distance and contact; ALG_NOT_ANSWERED means exact */
    alg_contract depth;    /* for the depth; ALG_NOT_ANSWERED means an upper bound */
    alg_contract force;    /* for the force; ALG_NOT_ANSWERED means approximate */
    alg_status fails_bind; /* return value of bind */
    alg_status (*prepare)(alg_message *message); /* called before the correct prepare */
} faulty_fault;

/** A pair with a fault. */
struct faulty {
    const faulty_fault *fault;
    const body *a, *b;
    void *base;      /* state of the correct algorithm */
    unsigned wanted; /* requested quantities */
    bool stages;
    uint64_t frame;    /* number of the query at which a fault happens once in a pass */
    uint64_t query;    /* number of previous queries in this pass */
    uint64_t lifetime; /* the same since bind; answers must not depend on it */
    uint64_t seed;     /* seed of the run */
    uint64_t clock_ns; /* cost of one clock reading */
    leak_block *leaks; /* owned */
    vec3 witness_a;    /* value before the correct answer of this query */
};

/* --- Wrong answers ---------------------------------------------------------------------------- */

static void answer_far(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)f, (void)pose;
    answer->distance_m = 1000;
    answer->colliding = false;
}

static void answer_zero(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)f, (void)pose;
    answer->distance_m = 0;
    answer->colliding = true;
}

/** Adds noise that is the same for a frame in every pass, so that only a comparison with the truth
 * finds it. */
static void add_noise(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)pose;
    base_random random = base_random_seed(f->seed + f->query);
    answer->distance_m *= 1 + base_random_range(&random, -1e-3, 1e-3);
}

static void add_micrometre(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)f, (void)pose;
    answer->distance_m += 1e-6;
}

static void answer_above(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)f, (void)pose;
    answer->distance_m *= 1.01;
}

static void answer_nan(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)f, (void)pose;
    answer->distance_m = NAN;
}

static void answer_nothing(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)f, (void)pose;
    answer->answered = 0;
}

/** Answers a bracket around the exact answer. */
static void answer_bracket(alg_answer *answer, double lo, double hi)
{
    answer->distance_lo_m = lo;
    answer->distance_hi_m = hi;
    answer->answered |= ALG_HAS_DISTANCE_BRACKET;
}

static void answer_bracket_beside(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)pose;
    const double d = answer->distance_m, off = f->query % 2 ? 1e-6 : -1e-6;
    answer_bracket(answer, off > 0 ? d + off : d + 2 * off, off > 0 ? d + 2 * off : d + off);
}

static void answer_bracket_upside_down(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)pose;
    const double d = answer->distance_m, half = f->query == f->frame ? -1e-6 : 1e-6;
    answer_bracket(answer, d - half, d + half);
}

/** The bodies have unit size. */
static void answer_wide_bracket(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)f, (void)pose;
    answer_bracket(answer, 0, answer->distance_m + 1);
}

static void leave_outcome_unset(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)f, (void)pose;
    answer->outcome = ALG_UNSET;
}

static void answer_unknown_outcome(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)f, (void)pose;
    const unsigned unknown = 99;
    memcpy(&answer->outcome, &unknown, sizeof answer->outcome);
}

static void answer_two(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)f, (void)pose;
    memset(&answer->colliding, 2, sizeof answer->colliding);
}

/** Claims witness points, but restores one of them to the caller's initial value. */
static void leave_witness(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)pose;
    answer->witness_a = f->witness_a;
}

/** Moves both points by 7 m: their distance stays right, but they are not on the bodies. */
static void move_witnesses(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)f, (void)pose;
    const vec3 away = {0, 7, 0};
    answer->witness_a = vec3_add(answer->witness_a, away);
    answer->witness_b = vec3_add(answer->witness_b, away);
}

/** Answers points that are on their bodies, but one of them is not the nearest. */
static void answer_far_witness(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    const alg_mesh *const b = &f->b->mesh;
    vec3 far = answer->witness_b;
    for (size_t i = 0; i < b->vertex_count; i++) {
        const vec3 v = geo_pose_apply(pose, b->vertices[i]);
        far =
            vec3_distance2(answer->witness_a, v) > vec3_distance2(answer->witness_a, far) ? v : far;
    }
    answer->witness_b = far;
}

static void claim_contacts(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)f, (void)pose;
    answer->answered |= ALG_HAS_CONTACTS;
    answer->contact_count = 1;
}

static void add_age(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)pose;
    answer->distance_m += 1e-9 * (double)f->lifetime;
}

/* --- Wrong depths and forces ------------------------------------------------------------------ */

static void answer_half_depth(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)f, (void)pose;
    answer->depth_m *= 0.5;
}

static void answer_long_direction(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)f, (void)pose;
    answer->direction = vec3_scale(2, answer->direction);
}

static void reverse_direction(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)f, (void)pose;
    answer->direction = vec3_scale(-1, answer->direction);
}

static void answer_backwards(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)f, (void)pose;
    answer->force = vec3_scale(-1, answer->force);
    answer->torque = vec3_scale(-1, answer->torque);
}

static void answer_torque_elsewhere(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    const vec3 arm = geo_pose_apply(pose, f->b->mesh.centroid);
    answer->torque = vec3_add(answer->torque, vec3_cross(arm, answer->force));
}

/* --- Wrong lists and stages ------------------------------------------------------------------- */

static void list_contacts_beyond(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)f, (void)pose;
    const alg_contact contact = {.point = answer->witness_a};
    answer->answered |= ALG_HAS_CONTACTS;
    answer->contact_count = answer->contact_capacity + 1;
    for (uint32_t i = 0; answer->contacts && i <= answer->contact_capacity; i++) {
        answer->contacts[i] = contact;
    }
}

/** Answers one contact that is 7 m from both bodies, with a normal from B to A. */
static void move_contact(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    const vec3 away = {0, 7, 0}, centre = geo_pose_apply(pose, f->b->mesh.centroid);
    const vec3 back = vec3_normalize(vec3_sub(f->a->mesh.centroid, centre));
    answer->answered |= ALG_HAS_CONTACTS;
    answer->contact_count = 1;
    if (answer->contact_capacity > 0) {
        answer->contacts[0] =
            (alg_contact){.point = vec3_add(answer->witness_a, away), .normal = back};
    }
}

static void leave_out_pair(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)f, (void)pose;
    answer->pair_count -= answer->pair_count > 0;
}

static void list_pair_nowhere(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)pose;
    answer->answered |= ALG_HAS_PAIRS;
    answer->pair_count = 1;
    if (answer->pair_capacity > 0) {
        answer->pairs[0] = (alg_face_pair){.face_a = (uint32_t)f->a->mesh.face_count};
    }
}

static void claim_regions(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)f, (void)pose;
    answer->answered |= ALG_HAS_REGIONS;
    answer->region_count = UINT32_MAX;
}

static void end_stage_early(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)pose;
    if (f->stages) {
        answer->stage_ends_ns[1] = answer->stage_ends_ns[0] / 2;
    }
}

static void end_stage_late(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)pose;
    if (f->stages) {
        answer->stage_ends_ns[1] += 1000000000;
    }
}

static void answer_by_buffer(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)f, (void)pose;
    answer->distance_m += answer->contact_capacity > 0 ? 1e-9 : 0;
}

/* --- Too much time or memory, and output on the screen ---------------------------------------- */

uint64_t faulty_cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t faulty_cpu_clock_cost_ns(void)
{
    enum { READS = 200 };
    const uint64_t start_ns = faulty_cpu_ns();
    uint64_t end_ns = start_ns;
    for (int i = 0; i < READS; i++) {
        end_ns = faulty_cpu_ns();
    }
    return (end_ns - start_ns) / READS;
}

/** Keeps the CPU busy until faulty_cpu_ns() reaches end_ns. */
static void spin_until(uint64_t end_ns)
{
    while (faulty_cpu_ns() < end_ns) {
    }
}

static void take_50_ms(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)f, (void)pose, (void)answer;
    spin_until(faulty_cpu_ns() + 50000000);
}

/** The pointer is volatile so that no compiler removes the pair of calls. */
static void allocate(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)f, (void)pose, (void)answer;
    void *volatile block = malloc(1000);
    free(block);
}

static void leak(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)pose, (void)answer;
    leak_block *const kept = base_alloc(1, sizeof *kept);
    if (kept) {
        memset(kept->bytes, 1, sizeof kept->bytes);
        kept->next = f->leaks;
        f->leaks = kept;
    }
}

static void print(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)pose;
    printf("faulty,%llu,%g\n", (unsigned long long)f->query, answer->distance_m);
    fflush(stdout);
}

static void complain(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)pose, (void)answer;
    fprintf(stderr, "faulty,%llu\n", (unsigned long long)f->query);
}

/** Harmless, unless the process has inherited buffers that its parent has not written yet. */
static void flush_all(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)f, (void)pose, (void)answer;
    fflush(NULL);
}

/* --- Crashes and hangs ------------------------------------------------------------------------ */

/** The pointer is volatile because a compiler may remove an access that is visibly undefined. */
static void access_nowhere(void)
{
    char *volatile nowhere = (char *)(uintptr_t)8;
    *nowhere = 1;
}

static void crash(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)f, (void)pose, (void)answer;
    access_nowhere();
}

static void abort_all(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)f, (void)pose, (void)answer;
    abort();
}

static void kill_itself(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)f, (void)pose, (void)answer;
    raise(SIGKILL);
}

static void exit_well(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)f, (void)pose, (void)answer;
    exit(EXIT_SUCCESS);
}

_Noreturn static void wait_for_ever(void)
{
    for (;;) {
        pause();
    }
}

static void hang(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)f, (void)pose, (void)answer;
    wait_for_ever();
}

static void write_behind_answer(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)f, (void)pose;
    memset((char *)answer + sizeof *answer, 1, 1);
}

static void write_pose(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)f, (void)answer;
    memset((void *)(uintptr_t)pose, 1, sizeof *pose);
}

/** Overwrites the size that malloc stores before a block. */
static void corrupt_heap(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)f, (void)pose, (void)answer;
    char *const block = malloc(1000);
    volatile char *volatile before = block;
    for (int i = 1; block && i <= 16; i++) {
        before[-i] = -1;
    }
    free(block);
}

/** Closes all descriptors except the standard ones, including the connection to the suite, which
 * waits for a message. */
static void close_descriptors(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)f, (void)pose, (void)answer;
    for (int descriptor = 3; descriptor < 1024; descriptor++) {
        close(descriptor);
    }
    wait_for_ever();
}

/* --- Damage to other processes and files ------------------------------------------------------ */

/** A process that has mapped such a file gets SIGBUS at the removed pages. */
static void shrink_files(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)f, (void)pose, (void)answer;
    for (int descriptor = 3; descriptor < 1024; descriptor++) {
        (void)!ftruncate(descriptor, 0);
    }
}

static void leave_child(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)f, (void)pose, (void)answer;
    if (fork() == 0) {
        wait_for_ever();
    }
}

/** The second process has another session, another process group, and no parent. */
static void leave_session(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)f, (void)pose, (void)answer;
    const pid_t child = fork();
    if (child == 0) {
        setsid();
        if (fork() == 0) {
            wait_for_ever();
        }
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

/** Sends the signals of Ctrl-C and kill. */
static void signal_others(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)f, (void)pose, (void)answer;
    static const int signals[] = {SIGTERM, SIGINT};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        kill(getppid(), signals[i]);
        kill(0, signals[i]);
    }
}

static void round_upwards(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    (void)f, (void)pose, (void)answer;
    fesetround(FE_UPWARD);
}

/* --- Faults in prepare and bind --------------------------------------------------------------- */

static alg_status crash_in_prepare(alg_message *message)
{
    (void)message;
    access_nowhere();
    return ALG_OK;
}

static alg_status hang_in_prepare(alg_message *message)
{
    (void)message;
    wait_for_ever();
}

static alg_status fail_in_prepare(alg_message *message)
{
    return alg_fail(message, ALG_FAILED, "faulty fails, as it was told to");
}

/**
 * Allocates memory until an allocation fails. It stops before the machine is short of memory, and
 * reports so if the suite sets no limit.
 */
static alg_status use_up_memory(alg_message *message)
{
    void **blocks = NULL; /* each block begins with the address of the previous one */
    const size_t block_bytes = (size_t)16 << 20;
    const size_t free_pages = (size_t)sysconf(_SC_AVPHYS_PAGES);
    const size_t free_blocks = free_pages * (size_t)sysconf(_SC_PAGESIZE) / block_bytes;
    const size_t most = free_blocks / 2 < 256 ? free_blocks / 2 : 256;
    bool refused = false;
    for (size_t i = 0; i < most && !refused; i++) {
        void **const block = malloc(block_bytes);
        refused = !block;
        if (!refused) {
            memset(block, 1, block_bytes);
            *block = blocks;
            blocks = block;
        }
    }
    while (blocks) {
        void **const next = *blocks;
        free(blocks);
        blocks = next;
    }
    return refused ? alg_fail(message, ALG_OUT_OF_MEMORY, "faulty was refused more memory")
                   : alg_fail(message, ALG_FAILED, "faulty was given all memory that it asked for");
}

/* --- The table of faults ---------------------------------------------------------------------- */

#define ONCE(action) .moment = AT_FRAME, .act = action

/** Word and help text of each fault, and the members that differ from the correct algorithm. */
/* clang-format off */
#define FAULTS(X) \
    X("none", "nothing: a good contestant", .act = NULL) \
    X("always-far", "the distance is 1000 m, always", .act = answer_far) \
    X("always-zero", "the bodies touch, always", .act = answer_zero) \
    X("noisy", "distances off by up to 0.1 %, the same in each pass", .act = add_noise) \
    X("off-by-1e-6", "distances too large by 1e-6 m", .act = add_micrometre) \
    X("lying", "promises a lower bound and answers 1 % above the truth", .act = answer_above, \
      .promise = ALG_LOWER_BOUND) \
    X("nan", "at `frame` the distance is NaN", ONCE(answer_nan)) \
    X("silent", "at `frame` it answers nothing", ONCE(answer_nothing)) \
    X("stateful", "approximate, but depends on the queries of all passes before", \
      .act = add_age, .promise = ALG_APPROXIMATE) \
    X("slow-5", "each query takes 5 % longer", .slow_percent = 5) \
    X("slow-10", "each query takes 10 % longer", .slow_percent = 10) \
    X("slow-25", "each query takes 25 % longer", .slow_percent = 25) \
    X("slow-50", "each query takes 50 % longer", .slow_percent = 50) \
    X("slow-once", "one frame in 1000 takes 50 ms longer", .moment = AT_FRAME_OF_1000, \
      .act = take_50_ms) \
    X("allocating", "each query allocates and frees memory", .act = allocate) \
    X("leaking", "each query keeps 16 KiB until the end", .act = leak) \
    X("printing", "each query prints on standard output", .act = print) \
    X("flushing", "each query flushes all streams: harms where they are shared", \
      .act = flush_all) \
    X("crashing", "at `frame` it writes where nothing is: SIGSEGV", ONCE(crash)) \
    X("aborting", "at `frame` it aborts: SIGABRT", ONCE(abort_all)) \
    X("killed", "at `frame` it is killed: SIGKILL", ONCE(kill_itself)) \
    X("exiting", "at `frame` it exits with status 0", ONCE(exit_well)) \
    X("hanging", "at `frame` it waits for ever", ONCE(hang)) \
    X("out-of-bounds", "at `frame` it writes behind its answer", ONCE(write_behind_answer)) \
    X("writes-poses", "at `frame` it writes into the poses", ONCE(write_pose)) \
    X("corrupting-heap", "at `frame` it writes in front of a block of the heap", \
      ONCE(corrupt_heap)) \
    X("closes-descriptors", "at `frame` it closes what it did not open, and waits for ever", \
      ONCE(close_descriptors)) \
    X("crashes-in-prepare", "prepare writes where nothing is: SIGSEGV", \
      .prepare = crash_in_prepare) \
    X("hangs-in-prepare", "prepare waits for ever", .prepare = hang_in_prepare) \
    X("fails-in-prepare", "prepare fails with a message", .prepare = fail_in_prepare) \
    X("out-of-memory", "prepare takes memory until it is refused, 4 GiB at most", \
      .prepare = use_up_memory) \
    X("declines", "bind says that this is not for it", .fails_bind = ALG_UNSUPPORTED) \
    X("bracket-misses", "its bracket ends 1e-6 m beside the distance, on either side in turn", \
      .act = answer_bracket_beside) \
    X("bracket-upside-down", "at `frame` its bracket has lo > hi", \
      .act = answer_bracket_upside_down) \
    X("bracket-wide", "true, but its bracket is 1 m wide and more", .act = answer_wide_bracket) \
    X("no-outcome", "at `frame` it sets no outcome", ONCE(leave_outcome_unset)) \
    X("unknown-outcome", "at `frame` its outcome is 99", ONCE(answer_unknown_outcome)) \
    X("colliding-is-2", "at `frame` its `colliding` is neither true nor false", \
      ONCE(answer_two)) \
    X("no-witness", "at `frame` it claims a witness point that it does not fill in", \
      ONCE(leave_witness)) \
    X("no-contacts", "at `frame` it claims contacts that it does not fill in", \
      ONCE(claim_contacts)) \
    X("complaining", "each query prints on standard error", .act = complain) \
    X("shrinking", "at `frame` it cuts off all files that it finds open", ONCE(shrink_files)) \
    X("forking", "at `frame` it leaves a process that waits for ever", ONCE(leave_child)) \
    X("signalling", "at `frame` it tells the suite, and its own group, to end", \
      ONCE(signal_others)) \
    X("rounding", "at `frame` it sets another rounding mode, and leaves it so", \
      ONCE(round_upwards)) \
    X("depth-short", "the depth is half of what separates", .act = answer_half_depth) \
    X("depth-not-unit", "its direction is twice as long as a unit vector", \
      .act = answer_long_direction) \
    X("force-backwards", "the force, which is exact for two boxes, has the wrong sign", \
      .act = answer_backwards, .force = ALG_EXACT) \
    X("torque-elsewhere", "the torque, which is exact for two boxes, is about A's origin", \
      .act = answer_torque_elsewhere, .force = ALG_EXACT) \
    X("contacts-beyond", "it writes one contact more than there is room for", \
      .act = list_contacts_beyond) \
    X("pairs-short", "all pairs of triangles but one", .act = leave_out_pair) \
    X("pairs-nowhere", "a pair of triangles that are not there", .act = list_pair_nowhere) \
    X("regions-unfilled", "it counts all regions that can be counted, and fills in none", \
      .act = claim_regions) \
    X("stages-backwards", "its second stage ends before the first", .act = end_stage_early) \
    X("stages-late", "its second stage ends a second after the query", .act = end_stage_late) \
    X("buffer-dependent", "approximate, and another distance where there is room for contacts", \
      .act = answer_by_buffer, .promise = ALG_APPROXIMATE) \
    X("witness-moved", "both witness points are 7 m beside the bodies", .act = move_witnesses) \
    X("witness-far", "B's witness point is its corner that is farthest from A's", \
      .act = answer_far_witness) \
    X("depth-reversed", "approximate, and its way out leads farther in", \
      .act = reverse_direction, .depth = ALG_APPROXIMATE) \
    X("contact-moved", "a contact 7 m beside the bodies, its normal reversed", \
      .act = move_contact) \
    X("escaping", "at `frame` it leaves a process in a session of its own", \
      ONCE(leave_session))

#define AS_FAULT(word, help, ...)  {__VA_ARGS__},
#define AS_CHOICE(word, help, ...) {word, help},

static const faulty_fault faults[] = {FAULTS(AS_FAULT)};
static const alg_choice choices[] = {FAULTS(AS_CHOICE) {0}};
/* clang-format on */

/* --- The entry -------------------------------------------------------------------------------- */

enum { PARAMETER_FAULT, PARAMETER_FRAME, PARAMETER_COUNT };

static const alg_parameter parameters[] = {
    [PARAMETER_FAULT] = {"fault", ALG_CHOICE, 0, .help = "what is wrong with it",
                         .choices = choices},
    [PARAMETER_FRAME] = {"frame", ALG_INTEGER, 10, 0, 1e9, NULL,
                         "query of a pass, from 0, at which a fault strikes that does so once"},
};

static const char *const counter_names[] = {"primitive_tests_count", NULL};
static const char *const stage_names[] = {"brute", "honest", NULL};

static const faulty_fault *fault_of(const alg_settings *settings)
{
    return &faults[(size_t)settings->values[PARAMETER_FAULT]];
}

static alg_contract contract(const alg_settings *settings, alg_quantity quantity)
{
    const alg_contract promise = fault_of(settings)->promise;
    if (quantity == ALG_DEPTH) {
        const alg_contract depth = fault_of(settings)->depth;
        return depth == ALG_NOT_ANSWERED ? ALG_UPPER_BOUND : depth;
    }
    if (quantity == ALG_FORCE) {
        const alg_contract force = fault_of(settings)->force;
        return force == ALG_NOT_ANSWERED ? ALG_APPROXIMATE : force;
    }
    const alg_contract good = alg_brute.contract(settings, quantity);
    return good != ALG_NOT_ANSWERED && promise != ALG_NOT_ANSWERED ? promise : good;
}

/** Forces of boxes are minus the gradient of their common volume, before the fault changes them. */
static alg_law law(const alg_settings *settings)
{
    (void)settings;
    return ALG_LAW_AREA;
}

static alg_status prepare(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                          void **prepared, alg_build_info *info, alg_message *message)
{
    *prepared = NULL;
    const faulty_fault *const fault = fault_of(settings);
    const alg_status told = fault->prepare ? fault->prepare(message) : ALG_OK;
    if (told != ALG_OK) {
        return told;
    }
    body *const b = base_alloc(1, sizeof *b);
    if (!b) {
        return alg_fail(message, ALG_OUT_OF_MEMORY, "out of memory");
    }
    b->mesh = *mesh;
    const alg_status status = alg_brute.prepare(settings, mesh, role, &b->base, info, message);
    if (status != ALG_OK) {
        base_free(b);
        return status;
    }
    *prepared = b;
    return ALG_OK;
}

static void dispose(void *prepared)
{
    if (prepared) {
        alg_brute.dispose(((body *)prepared)->base);
    }
    base_free(prepared);
}

static void release(void *held)
{
    if (!held) {
        return;
    }
    faulty *const f = held;
    while (f->leaks) {
        leak_block *const next = f->leaks->next;
        base_free(f->leaks);
        f->leaks = next;
    }
    alg_brute.release(f->base);
    base_free(f);
}

static alg_status bind(const alg_settings *settings, const void *fixed, const void *moving,
                       const alg_request *request, void **held, alg_message *message)
{
    *held = NULL;
    const faulty_fault *const fault = fault_of(settings);
    if (fault->fails_bind != ALG_OK) {
        return alg_fail(message, fault->fails_bind, "faulty declines, as it was told to");
    }
    faulty *const f = base_alloc(1, sizeof *f);
    if (!f) {
        return alg_fail(message, ALG_OUT_OF_MEMORY, "out of memory");
    }
    *f = (faulty){.fault = fault,
                  .a = fixed,
                  .b = moving,
                  .wanted = request->wanted,
                  .stages = request->stages,
                  .frame = (uint64_t)settings->values[PARAMETER_FRAME],
                  .seed = settings->seed,
                  .clock_ns = faulty_cpu_clock_cost_ns()};
    const alg_status status =
        alg_brute.bind(settings, f->a->base, f->b->base, request, &f->base, message);
    if (status != ALG_OK) {
        release(f);
        return status;
    }
    *held = f;
    return ALG_OK;
}

static void reset(void *held)
{
    ((faulty *)held)->query = 0;
}

/** True if the fault happens at this query. */
static bool is_due(const faulty *f)
{
    switch (f->fault->moment) {
    case AT_FRAME:
        return f->query == f->frame;
    case AT_FRAME_OF_1000:
        return f->query % 1000 == f->frame % 1000;
    case EACH_QUERY:
        break;
    }
    return true;
}

/**
 * Computes the correct answer, then waits until the query has taken slow_percent longer. Clock
 * readings are part of that time: two around the answer, and the last one, which comes half a
 * reading late on average.
 */
static void answer_slowly(const faulty *f, const geo_pose *pose, alg_answer *answer)
{
    const uint64_t start_ns = faulty_cpu_ns();
    alg_brute.query(f->base, pose, answer);
    const uint64_t both_ns = faulty_cpu_ns() - start_ns;
    const uint64_t good_ns = both_ns > f->clock_ns ? both_ns - f->clock_ns : 0;
    const uint64_t slow_ns = good_ns + good_ns * f->fault->slow_percent / 100;
    spin_until(start_ns + slow_ns - f->clock_ns * 3 / 2);
}

/** Answers the quantities that brute does not answer. */
static void answer_honestly(const faulty *f, const geo_pose *pose, alg_answer *answer)
{
    if (f->wanted & (ALG_WANT_CONTACT | ALG_WANT_DEPTH | ALG_WANT_FORCE)) {
        const honest_pair pair = honest_pair_make(&f->a->mesh, &f->b->mesh, pose);
        if (f->wanted & ALG_WANT_CONTACT) {
            honest_pairs(&pair, answer);
        }
        if (f->wanted & ALG_WANT_DEPTH) {
            honest_depth(&pair, answer);
        }
        if (f->wanted & ALG_WANT_FORCE) {
            honest_force(&pair, answer);
        }
    }
}

static void query(void *held, const geo_pose *pose, alg_answer *answer)
{
    faulty *const f = held;
    alg_stages stages = alg_stages_begin(f->stages);
    f->witness_a = answer->witness_a;
    if (f->fault->slow_percent > 0) {
        answer_slowly(f, pose, answer);
    } else {
        alg_brute.query(f->base, pose, answer);
    }
    alg_stages_end(&stages, answer);
    answer_honestly(f, pose, answer);
    alg_stages_end(&stages, answer);
    if (f->fault->act && is_due(f)) {
        f->fault->act(f, pose, answer);
    }
    f->query++;
    f->lifetime++;
}

/* reads_clock is not set: the slow faults read a clock, but the answers do not depend on it. */
const alg_algorithm alg_faulty = {
    .abi_version = ALG_ABI_VERSION,
    .name = "faulty",
    .summary = "wrong on purpose, in one of many ways: what the suite must catch",
    .source = "",
    .flags = ALG_KEEPS_STATE | ALG_KNOWN_BAD | ALG_ALL_PAIRS,
    .force_unit = "m2",
    .parameters = parameters,
    .parameter_count = PARAMETER_COUNT,
    .counters = counter_names,
    .stages = stage_names,
    .contract = contract,
    .prepare = prepare,
    .dispose = dispose,
    .bind = bind,
    .release = release,
    .reset = reset,
    .query = query,
    .law = law,
};
