#include "suite/replay/solo.h"

#include "suite/clock.h"
#include "suite/inputs/prepared.h"

/**
 * Converts a status to an error. unsupported: the error for ALG_UNSUPPORTED, which a body or the
 * request may have caused.
 */
static base_status fail_as(const alg_variant *variant, alg_status status, base_status unsupported,
                           const alg_message *message, base_error *err)
{
    const base_status own = status == ALG_UNSUPPORTED     ? unsupported
                            : status == ALG_OUT_OF_MEMORY ? BASE_ERR_MEMORY
                                                          : BASE_ERR_SYSTEM;
    return base_fail(err, own, "'%s': %s", variant->name, message->text);
}

base_status bench_solo_open(const alg_variant *variant, const bench_pair *pair,
                            const alg_request *request, const char *cache_directory,
                            bench_solo *solo, base_error *err)
{
    const alg_algorithm *const a = variant->algorithm;
    const bench_body *const bodies[] = {&pair->a, &pair->b};
    *solo = (bench_solo){.variant = variant};
    bench_built built;
    alg_message message = {""};
    alg_status status = alg_variant_may_answer(variant, request->wanted, &message);
    if (status != ALG_OK) {
        return fail_as(variant, status, BASE_ERR_ARGUMENT, &message, err);
    }
    for (int i = 0; i < 2 && status == ALG_OK; i++) {
        const alg_role role = i == 0 ? ALG_FIXED : ALG_MOVING;
        status = bench_own_body_open(variant, &bodies[i]->view, role, &solo->bodies[i], &message);
        if (status == ALG_OK) {
            status = bench_prepare(variant, &solo->bodies[i].view, role, cache_directory,
                                   &solo->prepared[i], &built, &message);
        }
    }
    base_status unsupported = BASE_ERR_INPUT;
    if (status == ALG_OK) {
        const base_status room = bench_buffers_open(request, &solo->buffers, err);
        if (room != BASE_OK) {
            bench_solo_close(solo);
            return room;
        }
        unsupported = BASE_ERR_ARGUMENT;
        status = a->bind(&variant->settings, solo->prepared[0], solo->prepared[1], request,
                         &solo->state, &message);
    }
    if (status != ALG_OK) {
        bench_solo_close(solo);
        return fail_as(variant, status, unsupported, &message, err);
    }
    if (a->reset) {
        a->reset(solo->state);
    }
    return BASE_OK;
}

void bench_solo_close(bench_solo *solo)
{
    const alg_algorithm *const a = solo->variant->algorithm;
    if (solo->state) {
        a->release(solo->state);
    }
    for (int i = 1; i >= 0; i--) {
        if (solo->prepared[i]) {
            a->dispose(solo->prepared[i]);
        }
        bench_own_body_close(&solo->bodies[i]);
    }
    bench_buffers_close(&solo->buffers);
    *solo = (bench_solo){.variant = solo->variant};
}

void bench_solo_ask(const bench_solo *solo, const geo_pose *pose, alg_answer *answer)
{
    bench_answer_clear(answer);
    solo->variant->algorithm->query(solo->state, pose, answer);
    bench_answer_settle(answer);
}

bool bench_solo_ask_details(const bench_solo *solo, const geo_pose *pose, alg_answer *answer,
                            char fault[BENCH_FAULT_BYTES])
{
    const alg_algorithm *const a = solo->variant->algorithm;
    bench_answer_clear(answer);
    bench_buffers_lend(&solo->buffers, answer);
    const uint64_t start = bench_clock_ns();
    a->query(solo->state, pose, answer);
    const uint64_t took = bench_clock_ns() - start;
    bench_buffers_take_back(answer);
    bench_answer_settle(answer);
    const size_t face_counts[2] = {solo->bodies[0].view.face_count,
                                   solo->bodies[1].view.face_count};
    return !bench_details_fault(a, &solo->buffers, answer, face_counts, took, fault);
}

const char *bench_outcome_name(alg_outcome outcome)
{
    static const char *const names[] = {"unset", "converged", "budget reached", "degenerate"};
    return outcome <= ALG_DEGENERATE ? names[outcome] : "unknown";
}
