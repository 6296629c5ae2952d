#include "suite/record/session.h"

#include "base/memory.h"
#include "suite/clock.h"
#include "suite/inputs/plugin.h"
#include "suite/message.h"
#include "suite/report/json.h"
#include "suite/results/frames.h"
#include "suite/simulate/simulate.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

enum {
    QUEUE_MAX = 256,     /* poses that wait for their answer; older ones are left without */
    CATCH_UP_STEPS = 20, /* a hand that is later than this slows down */
    WAIT_MS = 50,        /* an interrupt is noticed within this time */
};

static const uint64_t step_ns = 1000000, second_ns = 1000000000;
/* While the hand moves B, its pose is answered once in this time. */
static const uint64_t answer_ns = 4000000;
/* Poses that wait longer than this are left without an answer. */
static const uint64_t late_ns = 20000000;
/* A page sends about 60 poses per second. The device covers this share of the way to the last one
 * in each step, which smooths its motion with a time constant of 10 ms. */
#define DEVICE_SHARE 0.1

/** Events per second, counted over a second. */
typedef struct rate {
    uint64_t begin_ns, count;
    double per_s;
} rate;

static void count_event(rate *r, uint64_t events)
{
    const uint64_t now = bench_now_ns();
    r->count += events;
    if (now - r->begin_ns >= second_ns) {
        r->per_s = (double)r->count * 1e9 / (double)(now - r->begin_ns);
        *r = (rate){.begin_ns = now, .per_s = r->per_s};
    }
}

/** A variant in its worker, which answers the poses that are shown. Of the running thread. */
typedef struct asker {
    bench_contestant contestant;
    bench_live_inputs inputs;
    bench_worker worker;
    unsigned wanted, question; /* number of the question that it answers; 0: of none */
    bool ready, anew;
} asker;

/** The simulated hand. Of the running thread. */
typedef struct hand {
    bench_responder responder;
    scn_response response;
    scn_simulation simulation;
    scn_frame frame; /* pose of the device */
    scn_trajectory device;
    uint64_t next_ns; /* time of the next step */
    unsigned turn;    /* number of the request that it serves */
    bool open;        /* it moves B */
} hand;

struct bench_session {
    const bench_session_options *options;
    void (*changed)(void *context);
    void *context;
    asker asker;
    hand hand;
    uint64_t answered_ns; /* time of the last answer */

    pthread_mutex_t lock; /* of all members below */
    pthread_cond_t work;
    uint64_t version, told_ns;
    unsigned epoch;
    bool finished;
    bench_timed_pose body, target; /* the pose of B, and the last one of a page */
    bench_timed_pose queue[QUEUE_MAX];
    size_t queued;
    bench_takes takes;
    char what[160];        /* for the source of trajectory files */
    char take_fault[1024]; /* reason why recording has stopped, or "" */

    alg_variant variant;
    unsigned wanted, question; /* number of the question, from 1 */
    const char *status;        /* of its worker */
    char detail[1024];
    bool answered; /* the next three members are set */
    bench_timed_pose at;
    alg_answer answer;
    uint64_t query_ns, answers; /* number of answers since the start */
    rate answer_rate;

    bool hand_on;
    unsigned hand_turn; /* number of the request */
    const char *hand_status;
    char hand_detail[1024];
    rate step_rate;
};

/** Tells the watcher that the state has changed. */
static void tell(bench_session *s)
{
    pthread_mutex_lock(&s->lock);
    s->version++;
    s->told_ns = bench_now_ns();
    pthread_mutex_unlock(&s->lock);
    if (s->changed) {
        s->changed(s->context);
    }
}

/** Tells it at least once a second, so that the server notices connections that were lost. */
static void tell_at_times(void *context)
{
    bench_session *const s = context;
    pthread_mutex_lock(&s->lock);
    const bool due = bench_now_ns() - s->told_ns >= second_ns;
    count_event(&s->answer_rate, 0);
    count_event(&s->step_rate, 0);
    pthread_mutex_unlock(&s->lock);
    if (due) {
        tell(s);
    }
}

static void set_text(char *text, size_t size, const char *value)
{
    snprintf(text, size, "%s", value);
}

/** Adds poses to the queue. If it is full, the oldest ones are left without an answer. */
static void enqueue(bench_session *s, const bench_timed_pose *poses, size_t count)
{
    if (count > QUEUE_MAX) {
        poses += count - QUEUE_MAX;
        count = QUEUE_MAX;
    }
    const size_t excess = s->queued + count > QUEUE_MAX ? s->queued + count - QUEUE_MAX : 0;
    memmove(s->queue, s->queue + excess, (s->queued - excess) * sizeof *s->queue);
    memcpy(s->queue + s->queued - excess, poses, count * sizeof *poses);
    s->queued += count - excess;
}

/* --- Opening ---------------------------------------------------------------------------------- */

base_status bench_session_response(const alg_variant *variant, bench_response *response,
                                   base_error *err)
{
    const unsigned answers = alg_variant_answers(variant);
    *response = BENCH_BY_FORCE;
    if ((answers & ALG_WANT_FORCE) &&
        (!bench_gain_needed(variant) || alg_variant_contract(variant, ALG_FORCE) == ALG_EXACT)) {
        return BASE_OK;
    }
    *response = BENCH_BY_IMPULSES;
    return answers & ALG_WANT_CONTACT
               ? BASE_OK
               : base_fail(err, BASE_ERR_ARGUMENT,
                           "'%s' cannot be the hand: it answers no exact force, no force in N, and "
                           "no contacts",
                           variant->name);
}

/** Writes both bodies and the hand. */
static void describe(bench_session *s)
{
    const bench_session_options *const o = s->options;
    snprintf(s->what, sizeof s->what, "%.40s in the frame of %.40s, hand %.40s",
             o->pair->b.reference, o->pair->a.reference, o->hand->name);
}

base_status bench_session_open(const bench_session_options *options, bench_session **session,
                               base_error *err)
{
    const base_hash pair[2] = {options->pair->a.hash, options->pair->b.hash};
    bench_session *const s = base_alloc(1, sizeof *s);
    *session = NULL;
    if (!s) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    s->options = options;
    s->body = (bench_timed_pose){0, options->position, options->orientation};
    s->target = s->body;
    enqueue(s, &s->body, 1);
    s->variant = *options->variant;
    s->wanted = options->wanted;
    s->question = 1;
    s->status = "preparing";
    s->hand_status = "off";
    s->asker.worker.socket = s->hand.responder.worker.socket = -1;
    s->asker.inputs.descriptor = s->hand.responder.inputs.descriptor = -1;
    describe(s);
    const base_status status = bench_takes_open(options->out, s->what, pair, &s->takes, err);
    if (status != BASE_OK) {
        base_free(s);
        return status;
    }
    if (s->takes.count > 0) {
        bench_note("%zu takes are restored from '%s'", s->takes.count, s->takes.journal);
    }
    pthread_mutex_init(&s->lock, NULL);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&s->work, &monotonic);
    pthread_condattr_destroy(&monotonic);
    *session = s;
    return BASE_OK;
}

void bench_session_watch(bench_session *s, void (*changed)(void *context), void *context)
{
    s->changed = changed;
    s->context = context;
}

static void close_asker(asker *a)
{
    bench_worker_stop(&a->worker);
    bench_live_inputs_close(&a->inputs);
    *a = (asker){.worker.socket = -1, .inputs.descriptor = -1};
}

static void close_hand(hand *h)
{
    if (h->open) {
        bench_responder_close(&h->responder);
    }
    *h = (hand){.turn = h->turn};
}

void bench_session_close(bench_session *s)
{
    close_asker(&s->asker);
    close_hand(&s->hand);
    bench_takes_close(&s->takes);
    pthread_cond_destroy(&s->work);
    pthread_mutex_destroy(&s->lock);
    base_free(s);
}

/* --- Answers ---------------------------------------------------------------------------------- */

/** Sets the status of the question, unless another one was asked meanwhile. */
static void set_status(bench_session *s, const char *status, const char *detail)
{
    pthread_mutex_lock(&s->lock);
    if (s->asker.question == s->question) {
        s->status = status;
        set_text(s->detail, sizeof s->detail, detail);
    }
    pthread_mutex_unlock(&s->lock);
    tell(s);
}

static base_status start_asker(bench_session *s, const alg_variant *variant, base_error *err)
{
    asker *const a = &s->asker;
    const bench_pair *const pair = s->options->pair;
    const bench_plugin *const plugin = bench_plugin_of(variant->algorithm);
    bench_task task = {
        .quantities = a->wanted, .clock = bench_clock_id, .memory_bytes = bench_memory_budget()};
    a->contestant =
        (bench_contestant){.variant = *variant, .plugin = plugin ? plugin->argument : NULL};
    snprintf(a->contestant.name, sizeof a->contestant.name, "%s", variant->name);
    bench_task_name(variant, a->contestant.plugin, s->options->cache_directory, &task);
    a->worker.watch = tell_at_times;
    a->worker.watch_context = s;
    base_status status = bench_live_inputs_open(&pair->a.view, &pair->b.view, &a->inputs, err);
    if (status == BASE_OK) {
        status = bench_worker_start(&a->contestant, a->inputs.descriptor, 1, 0, &a->worker, err);
    }
    if (status == BASE_OK) {
        a->ready = bench_worker_prepare(&a->worker, &task, s->options->build_timeout_s);
    }
    return status;
}

/** Starts the worker of a new question. */
static void open_asker(bench_session *s)
{
    alg_variant variant;
    base_error err = {0};
    close_asker(&s->asker);
    pthread_mutex_lock(&s->lock);
    variant = s->variant;
    s->asker.wanted = s->wanted;
    s->asker.question = s->question;
    s->asker.anew = true;
    pthread_mutex_unlock(&s->lock);
    set_status(s, "preparing", "");
    const base_status status = start_asker(s, &variant, &err);
    if (s->asker.ready) {
        set_status(s, "ok", "");
    } else if (status != BASE_OK) {
        set_status(s, "failed", err.text);
    } else {
        set_status(s, bench_status_name(s->asker.worker.status), s->asker.worker.detail);
    }
}

/** Answers a pose. Returns false if the worker has ended. */
static bool answer_pose(bench_session *s, const bench_timed_pose *at)
{
    asker *const a = &s->asker;
    alg_message lists;
    if (!a->ready) {
        return false;
    }
    *a->inputs.pose = bench_pair_pose(s->options->pair, at->position, at->orientation);
    a->ready =
        bench_worker_ask(&a->worker, a->anew ? BENCH_QUERY_ANEW : 0, s->options->timeout_s, &lists);
    a->anew = false;
    s->answered_ns = bench_now_ns();
    if (!a->ready) {
        set_status(s, bench_status_name(a->worker.status), a->worker.detail);
        return false;
    }
    const alg_answer answer = a->worker.outputs.answers[0];
    const char *const fault = bench_answer_fault(&a->contestant.variant, a->wanted, &answer);
    pthread_mutex_lock(&s->lock);
    if (a->question == s->question) {
        s->at = *at;
        s->answer = answer;
        s->query_ns = a->worker.outputs.times_ns[0];
        s->answered = true;
        s->answers++;
        s->status = fault ? bench_status_name(BENCH_CELL_WRONG) : "ok";
        set_text(s->detail, sizeof s->detail, fault ? fault : "");
        count_event(&s->answer_rate, 1);
    }
    pthread_mutex_unlock(&s->lock);
    tell(s);
    return true;
}

/** Answers the poses that wait, or only the last one if the others are late. */
static void answer_queue(bench_session *s)
{
    bench_timed_pose poses[QUEUE_MAX];
    pthread_mutex_lock(&s->lock);
    const size_t count = s->queued;
    memcpy(poses, s->queue, count * sizeof *poses);
    s->queued = 0;
    pthread_mutex_unlock(&s->lock);
    const uint64_t start = bench_now_ns();
    for (size_t i = 0; i < count; i++) {
        const bool late = bench_now_ns() - start > late_ns;
        i = late ? count - 1 : i;
        if (!answer_pose(s, &poses[i])) {
            return;
        }
    }
}

/* --- The hand --------------------------------------------------------------------------------- */

/** Ends the hand of this turn. B stays where it is, and pages take it anew. */
static void end_hand(bench_session *s, const char *status, const char *detail)
{
    pthread_mutex_lock(&s->lock);
    if (s->hand.turn == s->hand_turn) {
        s->hand_on = false;
        s->hand_status = status;
        set_text(s->hand_detail, sizeof s->hand_detail, detail);
        s->target = s->body;
        s->epoch++;
        bench_takes_new_clock(&s->takes);
    }
    pthread_mutex_unlock(&s->lock);
    close_hand(&s->hand);
    tell(s);
}

static base_status start_hand(bench_session *s, base_error *err)
{
    const bench_session_options *const o = s->options;
    hand *const h = &s->hand;
    bench_simulated scene = {.options = bench_own_hand, .stiffness_n_m2 = NAN};
    bench_response response;
    scn_mass mass;
    if (!o->pair->b.report.solid) {
        return base_fail(err, BASE_ERR_INPUT, "'%s' is not a solid: a moving body needs a mass",
                         o->pair->b.reference);
    }
    base_status status = bench_session_response(o->hand, &response, err);
    if (status == BASE_OK) {
        status = scn_mass_of(&o->pair->b.mesh, scene.options.density_kg_m3, &mass, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    bench_simulated_complete(&scene, o->pair, &mass);
    h->open = true;
    status = bench_responder_open(o->hand, o->pair, response, o->cache_directory,
                                  o->build_timeout_s, &h->responder, err);
    if (status != BASE_OK) {
        return status;
    }
    h->responder.timeout_s = o->timeout_s;
    h->responder.newtons = bench_gain_needed(o->hand) ? scene.stiffness_n_m2 : 1;
    h->response = bench_responder_response(&h->responder);
    h->device = (scn_trajectory){.frames = &h->frame, .frame_count = 1};
    pthread_mutex_lock(&s->lock);
    h->frame = (scn_frame){.position = s->body.position, .orientation = s->body.orientation};
    pthread_mutex_unlock(&s->lock);
    h->next_ns = bench_now_ns();
    return scn_simulation_begin(&o->pair->b.mesh, &h->device, &scene.options, NULL, &h->simulation,
                                err);
}

static void open_hand(bench_session *s, unsigned turn)
{
    base_error err = {0};
    close_hand(&s->hand);
    s->hand.turn = turn;
    if (start_hand(s, &err) != BASE_OK) {
        end_hand(s, "failed", err.text);
        return;
    }
    pthread_mutex_lock(&s->lock);
    if (turn == s->hand_turn) {
        s->hand_status = "on";
    }
    pthread_mutex_unlock(&s->lock);
    tell(s);
}

/** Records poses. If that fails, the state says why, and the take has ended. */
static void record_poses(bench_session *s, const bench_timed_pose *poses, size_t count, bool pushed)
{
    base_error err = {0};
    if (bench_takes_add(&s->takes, poses, count, pushed, &err) != BASE_OK) {
        set_text(s->take_fault, sizeof s->take_fault, err.text);
    }
}

/** Makes a step of 1 ms. Returns false if the hand has ended. */
static bool step_hand(bench_session *s)
{
    hand *const h = &s->hand;
    base_error err = {0};
    pthread_mutex_lock(&s->lock);
    const bench_timed_pose target = s->target;
    pthread_mutex_unlock(&s->lock);
    h->frame.position =
        vec3_madd(vec3_scale(1 - DEVICE_SHARE, h->frame.position), DEVICE_SHARE, target.position);
    h->frame.orientation = geo_slerp(h->frame.orientation, target.orientation, DEVICE_SHARE);
    if (scn_simulation_step(&h->simulation, &h->response, &err) != BASE_OK) {
        end_hand(s,
                 h->responder.fault == BENCH_CELL_OK ? "failed"
                                                     : bench_status_name(h->responder.fault),
                 err.text);
        return false;
    }
    bench_timed_pose body = {.t_s = h->simulation.last.t_s};
    scn_state_pose(&h->simulation.last.state, &h->simulation.mass, &body.position,
                   &body.orientation);
    pthread_mutex_lock(&s->lock);
    const bool current = h->turn == s->hand_turn;
    if (current) {
        s->body = body;
        count_event(&s->step_rate, 1);
        record_poses(s, &body, 1, true);
    }
    pthread_mutex_unlock(&s->lock);
    return current;
}

/** Makes the steps that are due, and answers the pose of B from time to time. */
static void move_hand(bench_session *s)
{
    hand *const h = &s->hand;
    uint64_t now = bench_now_ns();
    if (now > h->next_ns + CATCH_UP_STEPS * step_ns) {
        h->next_ns = now - CATCH_UP_STEPS * step_ns;
    }
    for (; h->open && h->next_ns <= now; h->next_ns += step_ns) {
        if (!step_hand(s)) {
            return;
        }
    }
    now = bench_now_ns();
    if (h->open && now - s->answered_ns >= answer_ns) {
        pthread_mutex_lock(&s->lock);
        const bench_timed_pose body = s->body;
        pthread_mutex_unlock(&s->lock);
        if (!answer_pose(s, &body)) {
            s->answered_ns = now;
            tell(s);
        }
    }
}

/* --- The running thread ----------------------------------------------------------------------- */

/** The work that waits. */
typedef struct jobs {
    bool finished, new_question, hand_on;
    unsigned turn;
    bool poses;
} jobs;

static jobs list_jobs(const bench_session *s)
{
    return (jobs){
        .finished = s->finished || bench_interrupted(),
        .new_question = s->question != s->asker.question,
        .hand_on = s->hand_on,
        .turn = s->hand_turn,
        .poses = s->queued > 0,
    };
}

/** Waits for work, at most until the hand's next step or for a short time. */
static jobs wait_for_work(bench_session *s)
{
    const uint64_t now = bench_now_ns();
    uint64_t pause_ns = WAIT_MS * UINT64_C(1000000);
    if (s->hand.open) {
        pause_ns = s->hand.next_ns > now ? s->hand.next_ns - now : 0;
    }
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    const uint64_t until_ns = (uint64_t)until.tv_nsec + pause_ns;
    until.tv_sec += (time_t)(until_ns / second_ns);
    until.tv_nsec = (long)(until_ns % second_ns);
    pthread_mutex_lock(&s->lock);
    jobs j = list_jobs(s);
    const bool idle = !j.finished && !j.new_question && !j.poses && j.turn == s->hand.turn;
    if (idle && pause_ns > 0) {
        pthread_cond_timedwait(&s->work, &s->lock, &until);
        j = list_jobs(s);
    }
    pthread_mutex_unlock(&s->lock);
    return j;
}

static base_status finish(bench_session *s, base_error *err)
{
    pthread_mutex_lock(&s->lock);
    const base_status status = bench_takes_finish(&s->takes, err);
    for (size_t i = 0; i < s->takes.count; i++) {
        const bench_take *const take = &s->takes.items[i];
        if (*take->file) {
            bench_note("take %zu is in '%s'", i + 1, take->file);
        }
    }
    if (status != BASE_OK) {
        bench_note("'%s' keeps all takes", s->takes.journal);
    }
    pthread_mutex_unlock(&s->lock);
    return status;
}

base_status bench_session_run(bench_session *s, base_error *err)
{
    for (;;) {
        const jobs j = wait_for_work(s);
        if (j.finished) {
            return finish(s, err);
        }
        if (j.new_question) {
            open_asker(s);
        }
        if (j.turn != s->hand.turn) {
            close_hand(&s->hand);
            s->hand.turn = j.turn;
            if (j.hand_on) {
                open_hand(s, j.turn);
            }
        }
        answer_queue(s);
        if (s->hand.open) {
            move_hand(s);
        }
        tell_at_times(s);
    }
}

/* --- Requests --------------------------------------------------------------------------------- */

/** Wakes the running thread, and tells the watcher. */
static void unlock_after_request(bench_session *s)
{
    pthread_cond_signal(&s->work);
    pthread_mutex_unlock(&s->lock);
    tell(s);
}

unsigned bench_session_grab(bench_session *s)
{
    pthread_mutex_lock(&s->lock);
    const unsigned epoch = ++s->epoch;
    s->target = s->body;
    bench_takes_new_clock(&s->takes);
    unlock_after_request(s);
    return epoch;
}

void bench_session_move(bench_session *s, unsigned epoch, const bench_timed_pose *poses,
                        size_t count)
{
    pthread_mutex_lock(&s->lock);
    const bool current = epoch == s->epoch && count > 0;
    if (current) {
        s->target = poses[count - 1];
    }
    /* While the hand moves B, the poses of pages only move the device. */
    if (current && !s->hand_on) {
        s->body = s->target;
        record_poses(s, poses, count, false);
        enqueue(s, poses, count);
    }
    pthread_cond_signal(&s->work);
    pthread_mutex_unlock(&s->lock);
}

base_status bench_session_record(bench_session *s, bool on, base_error *err)
{
    base_status status = BASE_OK;
    pthread_mutex_lock(&s->lock);
    s->take_fault[0] = '\0';
    if (on) {
        status = bench_takes_begin(&s->takes, err);
    } else {
        bench_takes_end(&s->takes);
    }
    unlock_after_request(s);
    return status;
}

unsigned bench_session_hand(bench_session *s, bool on)
{
    pthread_mutex_lock(&s->lock);
    s->hand_on = on;
    s->hand_turn++;
    s->hand_status = on ? "preparing" : "off";
    s->hand_detail[0] = '\0';
    s->target = s->body;
    const unsigned epoch = ++s->epoch;
    bench_takes_new_clock(&s->takes);
    unlock_after_request(s);
    return epoch;
}

base_status bench_session_ask(bench_session *s, const char *text, const char *quantity,
                              base_error *err)
{
    alg_variant variant;
    alg_message message;
    unsigned wanted;
    if (alg_variant_parse(text, s->options->seed, &variant, &message) != ALG_OK) {
        return base_fail(err, BASE_ERR_ARGUMENT, "%s", message.text);
    }
    const base_status status = bench_quantities_choose(quantity, &variant, &wanted, err);
    if (status != BASE_OK) {
        return status;
    }
    pthread_mutex_lock(&s->lock);
    s->variant = variant;
    s->wanted = wanted;
    s->question++;
    s->status = "preparing";
    s->detail[0] = '\0';
    s->answered = false;
    s->queued = 0;
    enqueue(s, &s->body, 1);
    unlock_after_request(s);
    return BASE_OK;
}

base_status bench_session_write(bench_session *s, size_t take, double from_s, double to_s,
                                base_error *err)
{
    pthread_mutex_lock(&s->lock);
    base_status status =
        take < s->takes.count && !(s->takes.open && take + 1 == s->takes.count)
            ? BASE_OK
            : base_fail(err, BASE_ERR_ARGUMENT, "there is no finished take %zu", take + 1);
    if (status == BASE_OK) {
        status = bench_takes_write(&s->takes, take, from_s, to_s, err);
    }
    unlock_after_request(s);
    return status;
}

void bench_session_finish(bench_session *s)
{
    pthread_mutex_lock(&s->lock);
    s->finished = true;
    unlock_after_request(s);
}

/* --- State ------------------------------------------------------------------------------------ */

uint64_t bench_session_version(bench_session *s)
{
    pthread_mutex_lock(&s->lock);
    const uint64_t version = s->version;
    pthread_mutex_unlock(&s->lock);
    return version;
}

static void put_pose(bench_json *json, const char *key, const bench_timed_pose *pose)
{
    const vec3 p = pose->position;
    const geo_quat q = pose->orientation;
    bench_json_numbers(json, key, (const double[]){p.x, p.y, p.z, q.x, q.y, q.z, q.w}, 7);
}

/** Puts a vector of an answer, if the answer has it. */
static void put_vector(bench_json *json, const char *key, bool has, vec3 v)
{
    if (has && vec3_isfinite(v)) {
        bench_json_numbers(json, key, (const double[]){v.x, v.y, v.z}, 3);
    }
}

static void put_answer(const bench_session *s, bench_json *json)
{
    const alg_answer *const a = &s->answer;
    const vec3 centre = s->options->pair->centre_a;
    bench_field fields[BENCH_FIELDS_MAX];
    unsigned char colliding; /* a worker may have stored a byte that is not a bool */
    memcpy(&colliding, &a->colliding, 1);
    const size_t count = bench_answer_fields(s->variant.algorithm, centre, a, fields);
    bench_json_open(json, "answer", '{');
    put_pose(json, "at", &s->at);
    bench_json_flag(json, "colliding", colliding);
    bench_json_open(json, "fields", '[');
    for (size_t i = 0; i < count; i++) {
        if (fields[i].answered) {
            bench_json_open(json, NULL, '[');
            bench_json_text(json, NULL, fields[i].name);
            bench_json_text(json, NULL, fields[i].text);
            bench_json_close(json, ']');
        }
    }
    bench_json_close(json, ']');
    const bool witness = a->answered & ALG_HAS_WITNESS;
    put_vector(json, "witness_a", witness, vec3_add(a->witness_a, centre));
    put_vector(json, "witness_b", witness, vec3_add(a->witness_b, centre));
    put_vector(json, "direction", a->answered & ALG_HAS_DEPTH, a->direction);
    put_vector(json, "force", a->answered & ALG_HAS_FORCE, a->force);
    bench_json_close(json, '}');
}

static void put_question(const bench_session *s, bench_json *json)
{
    bench_json_open(json, "question", '{');
    bench_json_text(json, "variant", s->variant.name);
    bench_json_text(json, "quantity", bench_quantities_name(s->wanted).text);
    bench_json_text(json, "status", s->status);
    bench_json_text(json, "detail", s->detail);
    bench_json_number(json, "answers", (double)s->answers);
    bench_json_number(json, "per_s", s->answer_rate.per_s);
    if (s->answered) {
        bench_json_number(json, "query_ns", (double)s->query_ns);
    }
    bench_json_close(json, '}');
}

static void put_hand(const bench_session *s, bench_json *json)
{
    bench_json_open(json, "hand", '{');
    bench_json_text(json, "variant", s->options->hand->name);
    bench_json_text(json, "status", s->hand_status);
    bench_json_text(json, "detail", s->hand_detail);
    bench_json_flag(json, "on", s->hand_on);
    bench_json_number(json, "per_s", s->hand_on ? s->step_rate.per_s : 0);
    bench_json_close(json, '}');
}

static void put_takes(const bench_session *s, bench_json *json)
{
    bench_json_flag(json, "recording", s->takes.open);
    bench_json_text(json, "take_fault", s->take_fault);
    bench_json_open(json, "takes", '[');
    for (size_t i = 0; i < s->takes.count; i++) {
        const bench_take *const take = &s->takes.items[i];
        const size_t poses = take->path.frame_count;
        bench_json_open(json, NULL, '{');
        bench_json_number(json, "poses", (double)poses);
        bench_json_number(json, "seconds", poses > 0 ? bench_take_seconds(take) : 0);
        bench_json_number(json, "pushed", (double)take->pushed);
        bench_json_flag(json, "restored", take->restored);
        bench_json_text(json, "file", take->file);
        bench_json_close(json, '}');
    }
    bench_json_close(json, ']');
}

void bench_session_put_state(bench_session *s, FILE *file)
{
    bench_json json = {.file = file};
    pthread_mutex_lock(&s->lock);
    bench_json_open(&json, NULL, '{');
    bench_json_number(&json, "epoch", s->epoch);
    put_pose(&json, "pose", &s->body);
    put_question(s, &json);
    if (s->answered) {
        put_answer(s, &json);
    }
    put_hand(s, &json);
    put_takes(s, &json);
    bench_json_flag(&json, "finished", s->finished);
    bench_json_close(&json, '}');
    pthread_mutex_unlock(&s->lock);
}

bool bench_session_put_take(bench_session *s, size_t number, FILE *json)
{
    pthread_mutex_lock(&s->lock);
    const bool found = number < s->takes.count;
    const scn_trajectory *const path = found ? &s->takes.items[number].path : NULL;
    fputc('[', json);
    for (size_t i = 0; found && i < path->frame_count; i++) {
        const scn_frame *const f = &path->frames[i];
        const geo_quat q = f->orientation;
        fprintf(json, "%s[%.6f,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g]", i > 0 ? "," : "", f->t_s,
                f->position.x, f->position.y, f->position.z, q.x, q.y, q.z, q.w);
    }
    fputc(']', json);
    pthread_mutex_unlock(&s->lock);
    return found;
}
