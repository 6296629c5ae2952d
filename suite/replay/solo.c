#include "suite/replay/solo.h"

#include "base/memory.h"
#include "suite/inputs/prepared.h"

#include <math.h>

/** unsupported: the status of ALG_UNSUPPORTED, which a body or the question may have caused. */
static base_status fail_as(const alg_variant *variant, alg_status status, base_status unsupported,
                           const alg_message *message, base_error *err)
{
    const base_status own = status == ALG_UNSUPPORTED     ? unsupported
                            : status == ALG_OUT_OF_MEMORY ? BASE_ERR_MEMORY
                                                          : BASE_ERR_SYSTEM;
    return base_fail(err, own, "'%s': %s", variant->name, message->text);
}

static base_status check_solids(const alg_variant *variant, const bench_body *body, base_error *err)
{
    if (!(variant->algorithm->flags & ALG_NEEDS_SOLIDS) || body->report.solid) {
        return BASE_OK;
    }
    return base_fail(err, BASE_ERR_INPUT, "'%s' needs solids, and '%s' is none", variant->name,
                     body->reference);
}

base_status bench_solo_open(const alg_variant *variant, const bench_pair *pair, unsigned quantities,
                            const char *cache_directory, bench_solo *solo, base_error *err)
{
    const alg_algorithm *const a = variant->algorithm;
    const bench_body *const bodies[] = {&pair->a, &pair->b};
    *solo = (bench_solo){.variant = variant};
    bench_built built;
    alg_message message = {""};
    alg_status status = alg_variant_may_answer(variant, quantities, &message);
    if (status != ALG_OK) {
        return fail_as(variant, status, BASE_ERR_ARGUMENT, &message, err);
    }
    for (int i = 0; i < 2 && status == ALG_OK; i++) {
        const base_status solid = check_solids(variant, bodies[i], err);
        if (solid != BASE_OK) {
            bench_solo_close(solo);
            return solid;
        }
        status = bench_prepare(variant, &bodies[i]->view, i == 0 ? ALG_FIXED : ALG_MOVING,
                               cache_directory, &solo->prepared[i], &built, &message);
    }
    base_status unsupported = BASE_ERR_INPUT;
    if (status == ALG_OK) {
        const alg_request request = {.size = sizeof request, .wanted = quantities};
        unsupported = BASE_ERR_ARGUMENT;
        status = a->bind(&variant->settings, solo->prepared[0], solo->prepared[1], &request,
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
    }
    *solo = (bench_solo){.variant = solo->variant};
}

void bench_solo_ask(const bench_solo *solo, const geo_pose *pose, alg_answer *answer)
{
    bench_answer_clear(answer);
    solo->variant->algorithm->query(solo->state, pose, answer);
    bench_answer_settle(answer);
}

base_status bench_solo_contacts(const bench_solo *solo, const geo_pose *pose, uint64_t most,
                                bench_contacts *contacts, base_error *err)
{
    *contacts = (bench_contacts){0};
    if (most > INT32_MAX) {
        return base_fail(err, BASE_ERR_ARGUMENT, "room for %llu contacts is too much",
                         (unsigned long long)most);
    }
    if (most == 0) {
        return BASE_OK;
    }
    contacts->items = base_alloc(most, sizeof *contacts->items);
    if (!contacts->items) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %llu contacts",
                         (unsigned long long)most);
    }
    for (uint64_t i = 0; i < most; i++) {
        contacts->items[i] =
            (alg_contact){.depth_m = NAN}; /* of one that is counted and not filled */
    }
    alg_answer answer;
    bench_answer_clear(&answer);
    answer.contacts = contacts->items;
    answer.contact_capacity = (uint32_t)most;
    solo->variant->algorithm->query(solo->state, pose, &answer);
    contacts->answered = answer.answered & ALG_HAS_CONTACTS;
    contacts->found = contacts->answered ? answer.contact_count : 0;
    contacts->count = contacts->found < most ? contacts->found : (uint32_t)most;
    return BASE_OK;
}

void bench_contacts_release(bench_contacts *contacts)
{
    base_free(contacts->items);
    *contacts = (bench_contacts){0};
}

const char *bench_outcome_name(alg_outcome outcome)
{
    static const char *const names[] = {"unset", "converged", "budget reached", "degenerate"};
    return outcome <= ALG_DEGENERATE ? names[outcome] : "unknown";
}
