#include "algorithms/faulty/faulty.h"

#include "algorithms/entries.h"
#include "algorithms/life.h"
#include "base/memory.h"

enum { PARAMETER_FAULT, PARAMETER_FRAME, PARAMETER_COUNT };

/* The words of `fault` are those of faulty_faults, in its order. */
static const alg_parameter parameters[PARAMETER_COUNT] = {
    [PARAMETER_FAULT] = {.name = "fault",
                         .type = ALG_CHOICE,
                         .highest = 44,
                         .choices =
                             "none|always-far|always-zero|noisy|off-by-1e-6|lying|nan|silent|"
                             "stateful|slow-5|slow-10|slow-25|slow-50|slow-once|allocating|leaking|"
                             "printing|flushing|crashing|aborting|killed|exiting|hanging|"
                             "out-of-bounds|writes-poses|corrupting-heap|closes-descriptors|"
                             "crashes-in-prepare|hangs-in-prepare|fails-in-prepare|out-of-memory|"
                             "declines|bracket-misses|bracket-upside-down|bracket-wide|no-outcome|"
                             "unknown-outcome|colliding-is-2|no-witness|no-contacts|complaining|"
                             "shrinking|forking|signalling|rounding", .help = "what is wrong with it"},
    [PARAMETER_FRAME] = {.name = "frame",
                         .type = ALG_INTEGER,
                         .fallback = 10,
                         .highest = 1e9,
                         .help = "query of a pass, from 0, at which a fault strikes that does so "
                                 "once"                                                              },
};

static const char *const counter_names[] = {"primitive_tests_count", NULL};

static const faulty_fault *fault_of(const alg_settings *settings)
{
    return &faulty_faults[(size_t)settings->values[PARAMETER_FAULT]];
}

static const char *explain(size_t parameter, size_t choice)
{
    return parameter == PARAMETER_FAULT ? faulty_faults[choice].help : NULL;
}

static alg_contract contract(const alg_settings *settings, alg_quantity quantity)
{
    const alg_contract promise = fault_of(settings)->promise;
    const alg_contract good = alg_brute.contract(settings, quantity);
    return good != ALG_NOT_ANSWERED && promise != ALG_NOT_ANSWERED ? promise : good;
}

static alg_status prepare(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                          void **prepared, alg_build_info *info, alg_message *message)
{
    *prepared = NULL;
    const faulty_fault *const fault = fault_of(settings);
    const alg_status status = fault->prepare ? fault->prepare(message) : ALG_OK;
    return status == ALG_OK ? alg_brute.prepare(settings, mesh, role, prepared, info, message)
                            : status;
}

/** dispose of a prepared body, which is the good contestant's own */
static void dispose(void *prepared)
{
    alg_brute.dispose(prepared);
}

static void release(void *held)
{
    if (!held) {
        return;
    }
    faulty *const f = held;
    while (f->leaks) {
        faulty_leak *const next = f->leaks->next;
        base_free(f->leaks);
        f->leaks = next;
    }
    alg_brute.release(f->base);
    base_free(f);
}

static alg_status bind(const alg_settings *settings, const void *fixed, const void *moving,
                       unsigned wanted, void **held, alg_message *message)
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
                  .frame = (uint64_t)settings->values[PARAMETER_FRAME],
                  .seed = settings->seed,
                  .clock_ns = faulty_cpu_clock_cost_ns()};
    const alg_status status = alg_brute.bind(settings, fixed, moving, wanted, &f->base, message);
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

/** Does the fault strike at this query? */
static bool is_due(const faulty *f)
{
    switch (f->fault->moment) {
    case FAULTY_AT_FRAME:
        return f->query == f->frame;
    case FAULTY_AT_FRAME_OF_1000:
        return f->query % 1000 == f->frame % 1000;
    case FAULTY_EACH_QUERY:
        break;
    }
    return true;
}

/**
 * The good answer, and then time goes by until it has taken slow_percent longer. Looks at the clock
 * are part of it: two around the answer, and the last one, which comes half a look late on average.
 */
static void answer_slowly(const faulty *f, const geo_pose *pose, alg_answer *answer)
{
    const uint64_t start_ns = faulty_cpu_ns();
    alg_brute.query(f->base, pose, answer);
    const uint64_t both_ns = faulty_cpu_ns() - start_ns;
    const uint64_t good_ns = both_ns > f->clock_ns ? both_ns - f->clock_ns : 0;
    const uint64_t slow_ns = good_ns + good_ns * f->fault->slow_percent / 100;
    faulty_spin_until(start_ns + slow_ns - f->clock_ns * 3 / 2);
}

static void query(void *held, const geo_pose *pose, alg_answer *answer)
{
    faulty *const f = held;
    f->witness_a = answer->witness_a;
    if (f->fault->slow_percent > 0) {
        answer_slowly(f, pose, answer);
    } else {
        alg_brute.query(f->base, pose, answer);
    }
    if (f->fault->act && is_due(f)) {
        f->fault->act(f, pose, answer);
    }
    f->query++;
    f->lifetime++;
}

/* Answers do not depend on the clock that the slow ones read: ALG_READS_CLOCK is not theirs. */
const alg alg_faulty = {
    .abi_version = ALG_ABI_VERSION,
    .name = "faulty",
    .summary = "wrong on purpose, in one of many ways: what the suite must catch",
    .source = "",
    .flags = ALG_KEEPS_STATE | ALG_KNOWN_BAD,
    .parameters = parameters,
    .parameter_count = PARAMETER_COUNT,
    .counters = counter_names,
    .contract = contract,
    .prepare = prepare,
    .dispose = dispose,
    .bind = bind,
    .release = release,
    .reset = reset,
    .query = query,
    .explain = explain,
};
