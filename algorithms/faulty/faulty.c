#include "algorithms/faulty/faulty.h"

#include "algorithms/life.h"
#include "algorithms/registry.h"
#include "base/memory.h"
#include "base/random.h"
#include "geometry/vec.h"
#include "geometry/mesh.h"
#include "geometry/pose.h"
#include "geometry/triangle.h"

#include <fenv.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- The table of faults ---------------------------------------------------------------------- */

typedef enum moment {
    EACH_QUERY,
    AT_FRAME,         /* at query number `frame` of each pass */
    AT_FRAME_OF_1000, /* at every query whose number is congruent to `frame` modulo 1000 */
} moment;

/** Identifier, word and help text of each fault, and the members that differ from the correct
 * algorithm. */
/* clang-format off */
#define FAULTS(X) \
    X(NONE, "none", "nothing: a correct contestant", .moment = EACH_QUERY) \
    X(ALWAYS_FAR, "always-far", "the distance is always 1000 m", .moment = EACH_QUERY) \
    X(ALWAYS_ZERO, "always-zero", "the bodies always touch", .moment = EACH_QUERY) \
    X(NOISY, "noisy", \
      "distances off by up to 0.1 %, the same in each pass", .moment = EACH_QUERY) \
    X(OFF_BY_1E_6, "off-by-1e-6", "distances too large by 1e-6 m", .moment = EACH_QUERY) \
    X(LYING, "lying", \
      "promises a lower bound and answers 1 % above the truth", .promise = ALG_LOWER_BOUND) \
    X(NAN_DISTANCE, "nan", "at `frame` the distance is NaN", .moment = AT_FRAME) \
    X(SILENT, "silent", "at `frame` it answers nothing", .moment = AT_FRAME) \
    X(STATEFUL, "stateful", \
      "approximate, but depends on the queries of all passes before", .promise = ALG_APPROXIMATE) \
    X(SLOW_5, "slow-5", "each query takes 5 % longer", .slow_percent = 5) \
    X(SLOW_10, "slow-10", "each query takes 10 % longer", .slow_percent = 10) \
    X(SLOW_25, "slow-25", "each query takes 25 % longer", .slow_percent = 25) \
    X(SLOW_50, "slow-50", "each query takes 50 % longer", .slow_percent = 50) \
    X(SLOW_ONCE, "slow-once", "one frame in 1000 takes 50 ms longer", .moment = AT_FRAME_OF_1000) \
    X(ALLOCATING, "allocating", "each query allocates and frees memory", .moment = EACH_QUERY) \
    X(LEAKING, "leaking", "each query keeps 16 KiB until the end", .moment = EACH_QUERY) \
    X(PRINTING, "printing", "each query prints on standard output", .moment = EACH_QUERY) \
    X(FLUSHING, "flushing", \
      "each query flushes all streams: harms where they are shared", .moment = EACH_QUERY) \
    X(CRASHING, "crashing", \
      "at `frame` it writes to an invalid address: SIGSEGV", .moment = AT_FRAME) \
    X(ABORTING, "aborting", "at `frame` it aborts: SIGABRT", .moment = AT_FRAME) \
    X(KILLED, "killed", "at `frame` it is killed: SIGKILL", .moment = AT_FRAME) \
    X(EXITING, "exiting", "at `frame` it exits with status 0", .moment = AT_FRAME) \
    X(HANGING, "hanging", "at `frame` it waits for ever", .moment = AT_FRAME) \
    X(OUT_OF_BOUNDS, "out-of-bounds", \
      "at `frame` it writes beyond the end of its answer", .moment = AT_FRAME) \
    X(WRITES_POSES, "writes-poses", "at `frame` it writes into the poses", .moment = AT_FRAME) \
    X(CORRUPTING_HEAP, "corrupting-heap", \
      "at `frame` it writes in front of a block of the heap", .moment = AT_FRAME) \
    X(CLOSES_DESCRIPTORS, "closes-descriptors", \
      "at `frame` it closes what it did not open, and waits for ever", .moment = AT_FRAME) \
    X(CRASHES_IN_PREPARE, "crashes-in-prepare", \
      "prepare writes to an invalid address: SIGSEGV", .moment = EACH_QUERY) \
    X(HANGS_IN_PREPARE, "hangs-in-prepare", "prepare waits for ever", .moment = EACH_QUERY) \
    X(FAILS_IN_PREPARE, "fails-in-prepare", "prepare fails with a message", .moment = EACH_QUERY) \
    X(OUT_OF_MEMORY, "out-of-memory", \
      "prepare takes memory until it is refused, 4 GiB at most", .moment = EACH_QUERY) \
    X(DECLINES, "declines", "bind declines", .moment = EACH_QUERY) \
    X(BRACKET_MISSES, "bracket-misses", \
      "its bracket ends 1e-6 m beside the distance, on either side in turn", \
      .moment = EACH_QUERY) \
    X(BRACKET_UPSIDE_DOWN, "bracket-upside-down", \
      "at `frame` its bracket has lo > hi", .moment = EACH_QUERY) \
    X(BRACKET_WIDE, "bracket-wide", \
      "true, but its bracket is 1 m wide and more", .moment = EACH_QUERY) \
    X(NO_OUTCOME, "no-outcome", "at `frame` it sets no outcome", .moment = AT_FRAME) \
    X(UNKNOWN_OUTCOME, "unknown-outcome", "at `frame` its outcome is 99", .moment = AT_FRAME) \
    X(COLLIDING_IS_2, "colliding-is-2", \
      "at `frame` its `colliding` is neither true nor false", .moment = AT_FRAME) \
    X(NO_WITNESS, "no-witness", \
      "at `frame` it claims a witness point that it does not fill in", .moment = AT_FRAME) \
    X(NO_CONTACTS, "no-contacts", \
      "at `frame` it claims contacts that it does not fill in", .moment = AT_FRAME) \
    X(COMPLAINING, "complaining", "each query prints on standard error", .moment = EACH_QUERY) \
    X(SHRINKING, "shrinking", \
      "at `frame` it cuts off all files that it finds open", .moment = AT_FRAME) \
    X(FORKING, "forking", \
      "at `frame` it leaves a process that waits for ever", .moment = AT_FRAME) \
    X(SIGNALLING, "signalling", \
      "at `frame` it tells the suite, and its own group, to end", .moment = AT_FRAME) \
    X(ROUNDING, "rounding", \
      "at `frame` it sets another rounding mode, and leaves it so", .moment = AT_FRAME) \
    X(DEPTH_SHORT, "depth-short", "the depth is half of what separates", .moment = EACH_QUERY) \
    X(DEPTH_NOT_UNIT, "depth-not-unit", \
      "its direction is twice as long as a unit vector", .moment = EACH_QUERY) \
    X(FORCE_BACKWARDS, "force-backwards", \
      "the force, which is exact for two boxes, has the wrong sign", .force = ALG_EXACT) \
    X(TORQUE_ELSEWHERE, "torque-elsewhere", \
      "the torque, which is exact for two boxes, is about A's origin", .force = ALG_EXACT) \
    X(CONTACTS_BEYOND, "contacts-beyond", \
      "it writes one contact more than there is room for", .moment = EACH_QUERY) \
    X(PAIRS_SHORT, "pairs-short", "all pairs of triangles but one", .moment = EACH_QUERY) \
    X(PAIRS_NOWHERE, "pairs-nowhere", \
      "a pair of triangles that do not exist", .moment = EACH_QUERY) \
    X(REGIONS_UNFILLED, "regions-unfilled", \
      "it counts all regions that can be counted, and fills in none", .moment = EACH_QUERY) \
    X(STAGES_BACKWARDS, "stages-backwards", \
      "its second stage ends before the first", .moment = EACH_QUERY) \
    X(STAGES_LATE, "stages-late", \
      "its second stage ends a second after the query", .moment = EACH_QUERY) \
    X(BUFFER_DEPENDENT, "buffer-dependent", \
      "approximate, and another distance where there is room for contacts", \
      .promise = ALG_APPROXIMATE) \
    X(WITNESS_MOVED, "witness-moved", \
      "both witness points are 7 m beside the bodies", .moment = EACH_QUERY) \
    X(WITNESS_FAR, "witness-far", \
      "B's witness point is its corner that is farthest from A's", .moment = EACH_QUERY) \
    X(DEPTH_REVERSED, "depth-reversed", \
      "approximate, and its direction leads farther in", .depth = ALG_APPROXIMATE) \
    X(CONTACT_MOVED, "contact-moved", \
      "a contact 7 m beside the bodies, its normal reversed", .moment = EACH_QUERY) \
    X(ESCAPING, "escaping", \
      "at `frame` it leaves a process in a session of its own", .moment = AT_FRAME)

#define AS_KIND(kind, word, help, ...)   kind,
#define AS_FAULT(kind, word, help, ...)  {kind, __VA_ARGS__},
#define AS_CHOICE(kind, word, help, ...) {word, help},

typedef enum kind { FAULTS(AS_KIND) } kind;

/** A fault. A member that is 0 has the value of the correct algorithm. */
typedef struct faulty_fault {
    kind kind;
    moment moment;
    unsigned slow_percent; /* extra time, in percent of the time of alg_brute's query */
    alg_contract promise;  /* for distance and contact; ALG_NOT_ANSWERED means exact */
    alg_contract depth;    /* for the depth; ALG_NOT_ANSWERED means an upper bound */
    alg_contract force;    /* for the force; ALG_NOT_ANSWERED means approximate */
} faulty_fault;

static const faulty_fault faults[] = {FAULTS(AS_FAULT)};
static const alg_choice choices[] = {FAULTS(AS_CHOICE) {0}};
/* clang-format on */

enum { PARAMETER_FAULT, PARAMETER_FRAME, PARAMETER_COUNT };

static const alg_parameter parameters[] = {
    [PARAMETER_FAULT] = {"fault", ALG_CHOICE, 0, .help = "what is wrong with it",
                         .choices = choices},
    [PARAMETER_FRAME] = {"frame", ALG_INTEGER, 10, 0, 1e9, NULL,
                         "query of a pass, from 0, at which a fault strikes that does so once"},
};

static const faulty_fault *fault_of(const alg_settings *settings)
{
    return &faults[(size_t)settings->values[PARAMETER_FAULT]];
}

/* --- Bodies and pairs ------------------------------------------------------------------------- */

/** Memory that each query of `leaking` keeps. */
typedef struct leak_block {
    struct leak_block *next;
    char bytes[FAULTY_LEAK_BYTES];
} leak_block;

/** A prepared body. */
typedef struct body {
    void *base; /* prepared body of the correct algorithm */
    alg_mesh mesh;
} body;

/** A pair with a fault. */
typedef struct faulty {
    const faulty_fault *fault;
    const body *a, *b;
    void *base;      /* state of the correct algorithm */
    unsigned wanted; /* requested quantities */
    bool stages;
    uint64_t frame;    /* number of the query at which a fault happens once in a pass */
    uint64_t query;    /* number of previous queries in this pass */
    uint64_t lifetime; /* number of previous queries since bind; answers must not depend on it */
    uint64_t seed;     /* seed of the run */
    uint64_t clock_ns; /* cost of one clock reading */
    leak_block *leaks; /* owned */
    vec3 witness_a;    /* initial value in the caller's answer of this query */
} faulty;

/* --- Correct answers -------------------------------------------------------------------------- */

/*
 * Depth, force and pairs of triangles before the fault changes them, by simple methods.
 *
 * Depth  the shortest translation along one of A's axes that separates the boxes around the bodies.
 *        It is an upper bound.
 * Force  minus the gradient of the volume that these boxes share, and its torque about B's
 *        centroid. It is exact if both bodies are boxes along A's axes, and approximate otherwise.
 * Pairs  all pairs of triangles that share a point. Each pair is tested.
 */

static vec3 along_axis(int axis, double length)
{
    return (vec3){axis == 0 ? length : 0, axis == 1 ? length : 0, axis == 2 ? length : 0};
}

static void answer_depth(geo_box a, geo_box b, alg_answer *answer)
{
    double least = INFINITY;
    for (int direction = 0; answer->colliding && direction < 6; direction++) {
        const int axis = direction % 3;
        const double length = direction < 3 ? vec3_get(a.hi, axis) - vec3_get(b.lo, axis)
                                            : vec3_get(b.hi, axis) - vec3_get(a.lo, axis);
        if (length < least) {
            least = length;
            answer->depth_m = length;
            answer->direction = along_axis(axis, direction < 3 ? 1 : -1);
        }
    }
    answer->answered |= ALG_HAS_DEPTH;
}

/**
 * When B moves, the common volume changes where B's surface is inside A. So a side of B's box
 * contributes if its plane cuts A's box. The part of the side in A's box pushes B, opposite to the
 * outward normal of the side. The push is as large as the area of the part, and acts at the part's
 * centre.
 */
static void answer_force(geo_box a, geo_box b, vec3 centroid, alg_answer *answer)
{
    const vec3 lo = vec3_max(a.lo, b.lo), hi = vec3_min(a.hi, b.hi);
    for (int side = 0; answer->colliding && side < 6; side++) {
        const int axis = side % 3, next = (axis + 1) % 3, last = (axis + 2) % 3;
        const double at = vec3_get(side < 3 ? b.hi : b.lo, axis);
        if (at <= vec3_get(a.lo, axis) || at >= vec3_get(a.hi, axis)) {
            continue;
        }
        const double area =
            (vec3_get(hi, next) - vec3_get(lo, next)) * (vec3_get(hi, last) - vec3_get(lo, last));
        const vec3 push = along_axis(axis, side < 3 ? -area : area);
        const vec3 mid = vec3_scale(0.5, vec3_add(lo, hi));
        const vec3 middle = vec3_add(mid, along_axis(axis, at - vec3_get(mid, axis)));
        answer->force = vec3_add(answer->force, push);
        answer->torque = vec3_add(answer->torque, vec3_cross(vec3_sub(middle, centroid), push));
    }
    answer->answered |= ALG_HAS_FORCE;
}

static void answer_pairs(const faulty *f, const geo_pose *pose, alg_answer *answer)
{
    const geo_mesh a = alg_mesh_view(&f->a->mesh), b = alg_mesh_view(&f->b->mesh);
    for (size_t j = 0; j < b.face_count; j++) {
        const geo_triangle t = geo_pose_apply_triangle(pose, geo_mesh_triangle(&b, j));
        for (size_t i = 0; i < a.face_count; i++) {
            if (!geo_triangle_intersect(geo_mesh_triangle(&a, i), t)) {
                continue;
            }
            if (answer->pair_count < answer->pair_capacity) {
                answer->pairs[answer->pair_count] =
                    (alg_face_pair){.face_a = (uint32_t)i, .face_b = (uint32_t)j};
            }
            answer->pair_count++;
        }
    }
    answer->answered |= ALG_HAS_PAIRS;
}

/** Answers the wanted quantities that alg_brute does not answer. Its `colliding` is used. */
static void answer_honestly(const faulty *f, const geo_pose *pose, alg_answer *answer)
{
    const alg_mesh *const a = &f->a->mesh, *const b = &f->b->mesh;
    geo_box moved = geo_box_empty();
    for (size_t i = 0; i < b->vertex_count; i++) {
        moved = geo_box_add(moved, geo_pose_apply(pose, b->vertices[i]));
    }
    if (f->wanted & ALG_WANT_CONTACT) {
        answer_pairs(f, pose, answer);
    }
    if (f->wanted & ALG_WANT_DEPTH) {
        answer_depth(a->box, moved, answer);
    }
    if (f->wanted & ALG_WANT_FORCE) {
        answer_force(a->box, moved, geo_pose_apply(pose, b->centroid), answer);
    }
}

/* --- Wrong answers ---------------------------------------------------------------------------- */

static void distort_distance(const faulty *f, alg_answer *answer)
{
    base_random random = base_random_seed(f->seed + f->query);
    switch (f->fault->kind) {
    case ALWAYS_FAR:
        answer->distance_m = 1000;
        answer->colliding = false;
        break;
    case ALWAYS_ZERO:
        answer->distance_m = 0;
        answer->colliding = true;
        break;
    case NOISY: /* equal in all passes, so only a comparison with the truth detects it */
        answer->distance_m *= 1 + base_random_range(&random, -1e-3, 1e-3);
        break;
    case OFF_BY_1E_6:
        answer->distance_m += 1e-6;
        break;
    case LYING:
        answer->distance_m *= 1.01;
        break;
    case NAN_DISTANCE:
        answer->distance_m = NAN;
        break;
    case STATEFUL:
        answer->distance_m += 1e-9 * (double)f->lifetime;
        break;
    case BUFFER_DEPENDENT:
        answer->distance_m += answer->contact_capacity > 0 ? 1e-9 : 0;
        break;
    default:
        break;
    }
}

static void distort_bracket(const faulty *f, alg_answer *answer)
{
    const double d = answer->distance_m;
    double lo, hi;
    switch (f->fault->kind) {
    case BRACKET_MISSES:
        lo = f->query % 2 ? d + 1e-6 : d - 2e-6;
        hi = f->query % 2 ? d + 2e-6 : d - 1e-6;
        break;
    case BRACKET_UPSIDE_DOWN:
        lo = f->query == f->frame ? d + 1e-6 : d - 1e-6;
        hi = f->query == f->frame ? d - 1e-6 : d + 1e-6;
        break;
    case BRACKET_WIDE: /* the bodies have unit size */
        lo = 0;
        hi = d + 1;
        break;
    default:
        return;
    }
    answer->distance_lo_m = lo;
    answer->distance_hi_m = hi;
    answer->answered |= ALG_HAS_DISTANCE_BRACKET;
}

/** Distorts members that describe the answer: outcome, colliding, answered, and stages. */
static void distort_state(const faulty *f, alg_answer *answer)
{
    const unsigned unknown = 99;
    switch (f->fault->kind) {
    case SILENT:
        answer->answered = 0;
        break;
    case NO_OUTCOME:
        answer->outcome = ALG_UNSET;
        break;
    case UNKNOWN_OUTCOME:
        memcpy(&answer->outcome, &unknown, sizeof answer->outcome);
        break;
    case COLLIDING_IS_2:
        memset(&answer->colliding, 2, sizeof answer->colliding);
        break;
    case STAGES_BACKWARDS:
        if (f->stages) {
            answer->stage_ends_ns[1] = answer->stage_ends_ns[0] / 2;
        }
        break;
    case STAGES_LATE:
        if (f->stages) {
            answer->stage_ends_ns[1] += 1000000000;
        }
        break;
    default:
        break;
    }
}

static void distort_witnesses(const faulty *f, const geo_pose *pose, alg_answer *answer)
{
    const vec3 away = {0, 7, 0};
    const alg_mesh *const b = &f->b->mesh;
    switch (f->fault->kind) {
    case NO_WITNESS: /* restores the caller's initial value */
        answer->witness_a = f->witness_a;
        break;
    case WITNESS_MOVED: /* the points have the right distance, but they are not on the bodies */
        answer->witness_a = vec3_add(answer->witness_a, away);
        answer->witness_b = vec3_add(answer->witness_b, away);
        break;
    case WITNESS_FAR: /* both points are on their bodies, but B's is not the nearest */
        for (size_t i = 0; i < b->vertex_count; i++) {
            const vec3 v = geo_pose_apply(pose, b->vertices[i]);
            if (vec3_distance2(answer->witness_a, v) >
                vec3_distance2(answer->witness_a, answer->witness_b)) {
                answer->witness_b = v;
            }
        }
        break;
    default:
        break;
    }
}

static void distort_penetration(const faulty *f, const geo_pose *pose, alg_answer *answer)
{
    const vec3 arm = geo_pose_apply(pose, f->b->mesh.centroid);
    switch (f->fault->kind) {
    case DEPTH_SHORT:
        answer->depth_m *= 0.5;
        break;
    case DEPTH_NOT_UNIT:
        answer->direction = vec3_scale(2, answer->direction);
        break;
    case DEPTH_REVERSED:
        answer->direction = vec3_scale(-1, answer->direction);
        break;
    case FORCE_BACKWARDS:
        answer->force = vec3_scale(-1, answer->force);
        answer->torque = vec3_scale(-1, answer->torque);
        break;
    case TORQUE_ELSEWHERE:
        answer->torque = vec3_add(answer->torque, vec3_cross(arm, answer->force));
        break;
    default:
        break;
    }
}

static void distort_lists(const faulty *f, const geo_pose *pose, alg_answer *answer)
{
    const vec3 away = {0, 7, 0}, centre = geo_pose_apply(pose, f->b->mesh.centroid);
    const alg_contact contact = {.point = answer->witness_a};
    switch (f->fault->kind) {
    case NO_CONTACTS:
        answer->answered |= ALG_HAS_CONTACTS;
        answer->contact_count = 1;
        break;
    case CONTACTS_BEYOND:
        answer->answered |= ALG_HAS_CONTACTS;
        answer->contact_count = answer->contact_capacity + 1;
        for (uint32_t i = 0; answer->contacts && i <= answer->contact_capacity; i++) {
            answer->contacts[i] = contact;
        }
        break;
    case CONTACT_MOVED: /* 7 m from both bodies, with a normal from B to A */
        answer->answered |= ALG_HAS_CONTACTS;
        answer->contact_count = 1;
        if (answer->contact_capacity > 0) {
            answer->contacts[0] =
                (alg_contact){.point = vec3_add(answer->witness_a, away),
                              .normal = vec3_normalize(vec3_sub(f->a->mesh.centroid, centre))};
        }
        break;
    case PAIRS_SHORT:
        answer->pair_count -= answer->pair_count > 0;
        break;
    case PAIRS_NOWHERE:
        answer->answered |= ALG_HAS_PAIRS;
        answer->pair_count = 1;
        if (answer->pair_capacity > 0) {
            answer->pairs[0] = (alg_face_pair){.face_a = (uint32_t)f->a->mesh.face_count};
        }
        break;
    case REGIONS_UNFILLED:
        answer->answered |= ALG_HAS_REGIONS;
        answer->region_count = UINT32_MAX;
        break;
    default:
        break;
    }
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

static void misuse_resources(faulty *f, const alg_answer *answer)
{
    switch (f->fault->kind) {
    case SLOW_ONCE:
        spin_until(faulty_cpu_ns() + 50000000);
        break;
    case ALLOCATING: {
        /* The pointer is volatile so that no compiler removes the pair of calls. */
        void *volatile block = malloc(1000);
        free(block);
        break;
    }
    case LEAKING: {
        leak_block *const kept = base_alloc(1, sizeof *kept);
        if (kept) {
            memset(kept->bytes, 1, sizeof kept->bytes);
            kept->next = f->leaks;
            f->leaks = kept;
        }
        break;
    }
    case PRINTING:
        printf("faulty,%llu,%g\n", (unsigned long long)f->query, answer->distance_m);
        fflush(stdout);
        break;
    case COMPLAINING:
        fprintf(stderr, "faulty,%llu\n", (unsigned long long)f->query);
        break;
    case FLUSHING: /* harmful only if the process has inherited buffers with unwritten bytes */
        fflush(NULL);
        break;
    default:
        break;
    }
}

/* --- Crashes and hangs ------------------------------------------------------------------------ */

/** Writes to an invalid address. The pointer is volatile, because a compiler may remove an access
 * that it knows to be undefined. */
static void access_nowhere(void)
{
    char *volatile nowhere = (char *)(uintptr_t)8;
    *nowhere = 1;
}

_Noreturn static void wait_for_ever(void)
{
    for (;;) {
        pause();
    }
}

static void crash_or_hang(const faulty *f, const geo_pose *pose, alg_answer *answer)
{
    switch (f->fault->kind) {
    case CRASHING:
        access_nowhere();
        break;
    case ABORTING:
        abort();
    case KILLED:
        raise(SIGKILL);
        break;
    case EXITING:
        exit(EXIT_SUCCESS);
    case HANGING:
        wait_for_ever();
    case OUT_OF_BOUNDS:
        memset((char *)answer + sizeof *answer, 1, 1);
        break;
    case WRITES_POSES:
        memset((void *)(uintptr_t)pose, 1, sizeof *pose);
        break;
    case CORRUPTING_HEAP: {
        /* Overwrites the size that malloc stores before a block. */
        char *const block = malloc(1000);
        volatile char *volatile before = block;
        for (int i = 1; block && i <= 16; i++) {
            before[-i] = -1;
        }
        free(block);
        break;
    }
    case CLOSES_DESCRIPTORS:
        /* This also closes the connection to the suite, which then waits for a message in vain. */
        for (int descriptor = 3; descriptor < 1024; descriptor++) {
            close(descriptor);
        }
        wait_for_ever();
    default:
        break;
    }
}

/* --- Damage to other processes and files ------------------------------------------------------ */

static void harm_others(const faulty *f)
{
    pid_t child;
    switch (f->fault->kind) {
    case SHRINKING: /* a process that has mapped such a file gets SIGBUS at the removed pages */
        for (int descriptor = 3; descriptor < 1024; descriptor++) {
            (void)!ftruncate(descriptor, 0);
        }
        break;
    case FORKING:
        if (fork() == 0) {
            wait_for_ever();
        }
        break;
    case ESCAPING: /* the second child has its own session and group, and its parent exits */
        child = fork();
        if (child == 0) {
            setsid();
            if (fork() == 0) {
                wait_for_ever();
            }
            _exit(0);
        }
        waitpid(child, NULL, 0);
        break;
    case SIGNALLING: /* the signals that kill and Ctrl-C send */
        kill(getppid(), SIGTERM);
        kill(0, SIGTERM);
        kill(getppid(), SIGINT);
        kill(0, SIGINT);
        break;
    case ROUNDING:
        fesetround(FE_UPWARD);
        break;
    default:
        break;
    }
}

/* --- Faults in prepare ------------------------------------------------------------------------ */

/**
 * Allocates memory until an allocation fails, but at most half of the free memory, and at most 4
 * GiB. If no allocation fails, because the suite sets no limit, the message tells that.
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

/** Runs the fault if it is one of prepare. Otherwise returns ALG_OK. */
static alg_status fail_in_prepare(kind fault, alg_message *message)
{
    switch (fault) {
    case CRASHES_IN_PREPARE:
        access_nowhere();
        return ALG_OK;
    case HANGS_IN_PREPARE:
        wait_for_ever();
    case FAILS_IN_PREPARE:
        return alg_fail(message, ALG_FAILED, "faulty fails, as it was told to");
    case OUT_OF_MEMORY:
        return use_up_memory(message);
    default:
        return ALG_OK;
    }
}

/* --- The entry -------------------------------------------------------------------------------- */

static const char *const counter_names[] = {"primitive_tests_count", NULL};
static const char *const stage_names[] = {"brute", "honest", NULL};

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

/** Before a fault changes it, the force is minus the gradient of the boxes' common volume. */
static alg_law law(const alg_settings *settings)
{
    (void)settings;
    return ALG_LAW_AREA;
}

static alg_status prepare(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                          void **prepared, alg_build_info *info, alg_message *message)
{
    *prepared = NULL;
    alg_status status = fail_in_prepare(fault_of(settings)->kind, message);
    if (status != ALG_OK) {
        return status;
    }
    body *const b = base_alloc(1, sizeof *b);
    if (!b) {
        return alg_fail(message, ALG_OUT_OF_MEMORY, "out of memory");
    }
    b->mesh = *mesh;
    status = alg_brute.prepare(settings, mesh, role, &b->base, info, message);
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
    if (fault->kind == DECLINES) {
        return alg_fail(message, ALG_UNSUPPORTED, "faulty declines, as it was told to");
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

/**
 * Computes the answer of alg_brute, then waits until slow_percent more time has passed. The clock
 * readings must not add to this time. They take one and a half readings on average: one reading at
 * the start, and half a reading because the last one is late. So the wait ends that much earlier.
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

/** Applies the fault if it is due at this query. */
static void act(faulty *f, const geo_pose *pose, alg_answer *answer)
{
    const moment due = f->fault->moment;
    if ((due == AT_FRAME && f->query != f->frame) ||
        (due == AT_FRAME_OF_1000 && f->query % 1000 != f->frame % 1000)) {
        return;
    }
    distort_distance(f, answer);
    distort_bracket(f, answer);
    distort_state(f, answer);
    distort_witnesses(f, pose, answer);
    distort_penetration(f, pose, answer);
    distort_lists(f, pose, answer);
    misuse_resources(f, answer);
    crash_or_hang(f, pose, answer);
    harm_others(f);
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
    act(f, pose, answer);
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
