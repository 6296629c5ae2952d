/**
 * Algorithms with right answers and wrong times. Most of them move a part of the expensive work out
 * of their queries: into an earlier pass, into reset, or into a second thread. READS_AHEAD looks
 * for the next pose. NONE and LAST_ANSWER are harmless. The expensive work is the distance of
 * surfaces by all pairs of triangles. There are two entries, because an entry either has the flag
 * ALG_KEEPS_STATE or not.
 */
#include "algorithms/life.h"
#include "algorithms/registry.h"
#include "base/memory.h"
#include "geometry/mesh.h"
#include "geometry/pose.h"
#include "geometry/triangle.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

/** The cheats, in the order of the words of the parameters. */
typedef enum kind {
    NONE,
    REMEMBERS,
    BY_NUMBER,
    LAST_ANSWER, /* allowed, not a cheat */
    IN_RESET,
    HELPER,
    HALVES,
    READS_AHEAD,
} kind;

/** An answer, or a part of it: the nearest points of A and of all or some faces of B. */
typedef struct part {
    double distance2;
    vec3 on_a, on_b;
} part;

typedef struct memory {
    geo_pose pose;
    part answer;
} memory;

/** Size of the hash table of REMEMBERS, a power of 2. */
enum { TABLE_SIZE = 1 << 12 };

typedef struct cheat {
    kind kind;
    const alg_mesh *a, *b;
    memory *frames; /* owned; frames of the first pass, in order; for HALVES only the current one */
    size_t frame_count, frame_capacity;
    bool first_pass_done;
    size_t query;  /* number of previous queries in this pass */
    memory *table; /* owned; TABLE_SIZE entries, hashed by pose; distance2 == 0: empty */
    memory last;   /* distance2 == 0 if empty */
    /* The helper thread computes frames[ready .. todo - 1] for B's faces from `first_face` on. */
    bool has_helper;
    pthread_t helper;
    pthread_mutex_t lock;
    pthread_cond_t begin, done;
    bool ended;
    size_t ready, todo, first_face;
} cheat;

/* --- The work: distance by all pairs ---------------------------------------------------------- */

/** Returns the nearest points of all of A's faces and B's faces [begin, end). */
static part compare_faces(const cheat *c, const geo_pose *pose, size_t begin, size_t end)
{
    const geo_mesh a = alg_mesh_view(c->a), b = alg_mesh_view(c->b);
    part nearest = {.distance2 = INFINITY};
    for (size_t j = begin; j < end; j++) {
        const geo_triangle tb = geo_pose_apply_triangle(pose, geo_mesh_triangle(&b, j));
        for (size_t i = 0; i < a.face_count; i++) {
            const geo_triangle ta = geo_mesh_triangle(&a, i);
            part p;
            p.distance2 = geo_triangle_distance2(ta, tb, &p.on_a, &p.on_b);
            if (p.distance2 < nearest.distance2) {
                nearest = p;
            }
        }
    }
    return nearest;
}

static part work(const cheat *c, const geo_pose *pose)
{
    return compare_faces(c, pose, 0, c->b->face_count);
}

/* --- The helper thread ------------------------------------------------------------------------ */

static void *help(void *argument)
{
    cheat *const c = argument;
    pthread_mutex_lock(&c->lock);
    while (!c->ended) {
        if (c->ready >= c->todo) {
            pthread_cond_wait(&c->begin, &c->lock);
            continue;
        }
        memory *const frame = &c->frames[c->ready];
        pthread_mutex_unlock(&c->lock);
        const part p = compare_faces(c, &frame->pose, c->first_face, c->b->face_count);
        pthread_mutex_lock(&c->lock);
        frame->answer = p;
        c->ready++;
        pthread_cond_signal(&c->done);
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

/** Makes the helper recompute the first `count` frames. */
static void begin_help(cheat *c, size_t count)
{
    pthread_mutex_lock(&c->lock);
    c->ready = 0;
    c->todo = count;
    pthread_cond_signal(&c->begin);
    pthread_mutex_unlock(&c->lock);
}

static part await_help(cheat *c, size_t frame)
{
    pthread_mutex_lock(&c->lock);
    while (c->ready <= frame) {
        pthread_cond_wait(&c->done, &c->lock);
    }
    const part p = c->frames[frame].answer;
    pthread_mutex_unlock(&c->lock);
    return p;
}

/* --- Answers ---------------------------------------------------------------------------------- */

static bool same_pose(const geo_pose *a, const geo_pose *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/** Computes the answer and stores it for the frame. If memory is exhausted, it is not stored. */
static part work_and_keep(cheat *c, const geo_pose *pose)
{
    const memory m = {*pose, work(c, pose)};
    if (base_reserve(c->frames, c->frame_capacity, c->frame_count + 1, NULL) == BASE_OK) {
        c->frames[c->frame_count++] = m;
    }
    return m.answer;
}

/** Returns the answer that the table has for the pose, or computes and stores it. If the table is
 * full, it is not stored. */
static part remember(cheat *c, const geo_pose *pose)
{
    uint64_t words[sizeof *pose / sizeof(uint64_t)], hash = 0;
    memcpy(words, pose, sizeof words);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    for (size_t tries = 0; tries < TABLE_SIZE; tries++) {
        memory *const m = &c->table[(hash + tries) % TABLE_SIZE];
        if (m->answer.distance2 == 0) {
            *m = (memory){*pose, work(c, pose)};
            return m->answer;
        }
        if (same_pose(&m->pose, pose)) {
            return m->answer;
        }
    }
    return work(c, pose);
}

/** Answers from the first pass, by the number of the query alone. A pass begins with the first pose
 * of the first pass; an entry without a reset has no other sign of it. */
static part answer_by_number(cheat *c, const geo_pose *pose)
{
    if (c->frame_count > 0 && same_pose(pose, &c->frames[0].pose)) {
        c->first_pass_done = true;
        c->query = 0;
    }
    if (!c->first_pass_done) {
        return work_and_keep(c, pose);
    }
    return c->frames[c->query++ % c->frame_count].answer;
}

/** Computes the answer in the first pass. In later passes it returns the answer that reset or the
 * helper has computed for this frame. */
static part take_computed(cheat *c, const geo_pose *pose)
{
    if (!c->first_pass_done) {
        return work_and_keep(c, pose);
    }
    const size_t frame = c->query++;
    if (frame >= c->frame_count || !same_pose(pose, &c->frames[frame].pose)) {
        return work(c, pose);
    }
    const part p = c->kind == HELPER ? await_help(c, frame) : c->frames[frame].answer;
    if (c->kind == HELPER && frame + 1 == c->frame_count) {
        begin_help(c, c->frame_count); /* for the next pass, while other algorithms are measured */
    }
    return p;
}

static part answer_of(cheat *c, const geo_pose *pose)
{
    part own, other;
    switch (c->kind) {
    case REMEMBERS:
        return remember(c, pose);
    case BY_NUMBER:
        return answer_by_number(c, pose);
    case LAST_ANSWER:
        if (c->last.answer.distance2 == 0 || !same_pose(pose, &c->last.pose)) {
            c->last = (memory){*pose, work(c, pose)};
        }
        return c->last.answer;
    case IN_RESET:
    case HELPER:
        return take_computed(c, pose);
    case HALVES:
        c->frames[0].pose = *pose;
        begin_help(c, 1);
        own = compare_faces(c, pose, 0, c->first_face);
        other = await_help(c, 0);
        return other.distance2 < own.distance2 ? other : own;
    case READS_AHEAD: {
        /* Reads the memory after the pose, where the next pose might be stored. */
        const volatile double *const next = &pose[1].translation.x;
        (void)*next;
        break;
    }
    case NONE:
        break;
    }
    return work(c, pose);
}

static void query(void *held, const geo_pose *pose, alg_answer *answer)
{
    const part p = answer_of(held, pose);
    answer->distance_m = sqrt(p.distance2);
    answer->colliding = p.distance2 == 0;
    answer->witness_a = p.on_a;
    answer->witness_b = p.on_b;
    answer->answered = ALG_HAS_DISTANCE | ALG_HAS_WITNESS;
    answer->outcome = ALG_CONVERGED;
}

static void reset(void *held)
{
    cheat *const c = held;
    c->query = 0;
    if (c->frame_count == 0 || (c->kind != IN_RESET && c->kind != HELPER)) {
        return;
    }
    if (c->kind == HELPER && !c->first_pass_done) {
        begin_help(c, c->frame_count);
    }
    c->first_pass_done = true;
    for (size_t f = 0; c->kind == IN_RESET && f < c->frame_count; f++) {
        c->frames[f].answer = work(c, &c->frames[f].pose);
    }
}

/* --- The entries ------------------------------------------------------------------------------ */

/* clang-format off */
#define STATELESS_CHEATS \
    [NONE] = {"none", "nothing: a correct contestant"}, \
    [REMEMBERS] = {"remembers", "answers are stored by pose and used again in later passes"}, \
    [BY_NUMBER] = {"by-number", "later passes repeat the first one's answers, by the number of " \
                                "the query"}, \
    [LAST_ANSWER] = {"last-answer", "harmless: only the last answer is stored"}

#define HELP "how the times leave out work"

static const alg_parameter parameters[] = {
    {"cheat", ALG_CHOICE, NONE, .help = HELP,
     .choices = (const alg_choice[]){
         STATELESS_CHEATS,
         [IN_RESET] = {"in-reset", "reset computes all answers of the pass"},
         [HELPER] = {"helper", "a second thread computes the answers of the next pass"},
         [HALVES] = {"halves", "a second thread does half of the work of each query"},
         [READS_AHEAD] = {"reads-ahead", "it reads behind its pose, where the next pose might be"},
         {0}}},
};

static const alg_parameter stateless_parameters[] = {
    {"cheat", ALG_CHOICE, NONE, .help = HELP,
     .choices = (const alg_choice[]){STATELESS_CHEATS, {0}}},
};
/* clang-format on */

static alg_contract contract(const alg_settings *settings, alg_quantity quantity)
{
    (void)settings;
    return quantity == ALG_DISTANCE ? ALG_EXACT : ALG_NOT_ANSWERED;
}

static alg_status prepare(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                          void **prepared, alg_build_info *info, alg_message *message)
{
    (void)settings, (void)role;
    alg_mesh *const kept = base_alloc(1, sizeof *kept);
    *prepared = kept;
    if (!kept) {
        return alg_fail(message, ALG_OUT_OF_MEMORY, "out of memory");
    }
    *kept = *mesh;
    info->bytes = sizeof *kept;
    info->primitives = mesh->face_count;
    return ALG_OK;
}

static void dispose(void *prepared)
{
    base_free(prepared);
}

static void release(void *held)
{
    cheat *const c = held;
    if (c && c->has_helper) {
        pthread_mutex_lock(&c->lock);
        c->ended = true;
        pthread_cond_signal(&c->begin);
        pthread_mutex_unlock(&c->lock);
        pthread_join(c->helper, NULL);
    }
    if (c) {
        base_free(c->frames);
        base_free(c->table);
    }
    base_free(c);
}

static alg_status bind(const alg_settings *settings, const void *fixed, const void *moving,
                       const alg_request *request, void **held, alg_message *message)
{
    (void)request;
    cheat *const c = base_alloc(1, sizeof *c);
    *held = c;
    bool bound = c;
    if (c) {
        c->kind = (kind)settings->values[0];
        c->a = fixed;
        c->b = moving;
        c->table = base_alloc(c->kind == REMEMBERS ? TABLE_SIZE : 0, sizeof *c->table);
        bound = c->table && base_reserve(c->frames, c->frame_capacity, 1, NULL) == BASE_OK;
    }
    if (bound && (c->kind == HELPER || c->kind == HALVES)) {
        c->first_face = c->kind == HALVES ? c->b->face_count / 2 : 0;
        pthread_mutex_init(&c->lock, NULL);
        pthread_cond_init(&c->begin, NULL);
        pthread_cond_init(&c->done, NULL);
        bound = c->has_helper = pthread_create(&c->helper, NULL, help, c) == 0;
    }
    if (!bound) {
        release(c);
        *held = NULL;
        return alg_fail(message, ALG_OUT_OF_MEMORY, "out of memory, or of threads");
    }
    return ALG_OK;
}

static const char *const no_counters[] = {NULL};

const alg_algorithm alg_cheats = {
    .abi_version = ALG_ABI_VERSION,
    .name = "cheats",
    .summary = "exact, with times that leave out work: what the suite must catch",
    .source = "",
    .flags = ALG_KEEPS_STATE | ALG_KNOWN_BAD | ALG_SURFACE,
    .parameters = parameters,
    .parameter_count = 1,
    .contract = contract,
    .counters = no_counters,
    .prepare = prepare,
    .dispose = dispose,
    .bind = bind,
    .release = release,
    .reset = reset,
    .query = query,
};

const alg_algorithm alg_cheats_stateless = {
    .abi_version = ALG_ABI_VERSION,
    .name = "cheats-stateless",
    .summary = "the same by an entry that declares that it keeps no state",
    .source = "",
    .flags = ALG_KNOWN_BAD | ALG_SURFACE,
    .parameters = stateless_parameters,
    .parameter_count = 1,
    .contract = contract,
    .counters = no_counters,
    .prepare = prepare,
    .dispose = dispose,
    .bind = bind,
    .release = release,
    .query = query,
};
