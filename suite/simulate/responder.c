#include "suite/simulate/responder.h"

#include "base/memory.h"
#include "suite/clock.h"
#include "suite/inputs/plugin.h"
#include "suite/results/judge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- Force or impulses ------------------------------------------------------------------------ */

static const char *const names[] = {
    [BENCH_BY_FORCE] = "force",
    [BENCH_BY_IMPULSES] = "impulses",
};

const char *bench_response_name(bench_response response)
{
    return names[response];
}

base_status bench_response_choose(const char *asked, const alg_variant *variant,
                                  bench_response *response, base_error *err)
{
    if (strcmp(asked, "auto") == 0) {
        const bool has_force = alg_variant_answers(variant) & ALG_WANT_FORCE;
        const bool by_contacts = variant->algorithm->flags & ALG_BY_CONTACTS;
        *response = has_force && !by_contacts ? BENCH_BY_FORCE : BENCH_BY_IMPULSES;
        return BASE_OK;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(asked, names[i]) == 0) {
            *response = (bench_response)i;
            return BASE_OK;
        }
    }
    return base_fail(err, BASE_ERR_ARGUMENT, "unknown response '%s': auto, force or impulses",
                     asked);
}

/* --- Opening ---------------------------------------------------------------------------------- */

/**
 * Returns the quantities that are asked. A depth is asked if the variant answers it, because
 * contacts have depths only then.
 */
static unsigned wanted_of(const alg_variant *variant, bench_response response)
{
    return response == BENCH_BY_FORCE
               ? (unsigned)ALG_WANT_FORCE
               : ALG_WANT_CONTACT | (alg_variant_answers(variant) & (unsigned)ALG_WANT_DEPTH);
}

/** Reports a fault of the variant. */
static base_status fail(bench_responder *r, bench_status fault, const char *text, base_error *err)
{
    r->fault = fault;
    return base_fail(err, BASE_ERR_INPUT, "%s", text);
}

static base_status fail_as_worker(bench_responder *r, base_error *err)
{
    return fail(r, r->worker.status, r->worker.detail, err);
}

static uint32_t room_of(bench_response response)
{
    return response == BENCH_BY_IMPULSES ? BENCH_STEP_CONTACTS_MAX : 0;
}

static base_status start(bench_responder *r, const char *cache_directory, base_error *err)
{
    const alg_variant *const variant = &r->contestant.variant;
    bench_task task = {.quantities = wanted_of(variant, r->response),
                       .clock = bench_clock_id,
                       .memory_bytes = bench_memory_budget()};
    bench_task_name(variant, r->contestant.plugin, cache_directory, &task);
    base_status status =
        bench_live_inputs_open(&r->pair->a.view, &r->pair->b.view, &r->inputs, err);
    if (status == BASE_OK) {
        status = bench_worker_start(&r->contestant, r->inputs.descriptor, 1, 0, &r->worker, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    return bench_worker_prepare(&r->worker, &task, r->timeout_s) ? BASE_OK : fail_as_worker(r, err);
}

base_status bench_responder_open(const alg_variant *variant, const bench_pair *pair,
                                 bench_response response, const char *cache_directory,
                                 double timeout_s, bench_responder *r, base_error *err)
{
    const bench_plugin *const plugin = bench_plugin_of(variant->algorithm);
    *r = (bench_responder){.pair = pair,
                           .response = response,
                           .timeout_s = timeout_s,
                           .newtons = 1,
                           .anew = true,
                           .inputs.descriptor = -1,
                           .worker.socket = -1};
    r->contestant = (bench_contestant){.variant = *variant,
                                       .plugin = plugin ? plugin->argument : NULL,
                                       .contacts_max = room_of(response)};
    snprintf(r->contestant.name, sizeof r->contestant.name, "%s", variant->name);
    r->contacts = base_alloc(r->contestant.contacts_max, sizeof *r->contacts);
    r->order = base_alloc(r->contestant.contacts_max, sizeof *r->order);
    if (!r->contacts || !r->order) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    return start(r, cache_directory, err);
}

void bench_responder_close(bench_responder *r)
{
    bench_worker_stop(&r->worker);
    bench_live_inputs_close(&r->inputs);
    base_free(r->contacts);
    base_free(r->order);
    r->contacts = NULL;
    r->order = NULL;
}

/* --- Queries ---------------------------------------------------------------------------------- */

/**
 * Asks the worker. The answer is copied before it is checked, because the worker could still write
 * into its own copy.
 */
static base_status query(bench_responder *r, const geo_pose *pose, unsigned how,
                         alg_message *list_fault, base_error *err)
{
    if (r->worker.pid == 0) {
        return fail_as_worker(r, err);
    }
    *r->inputs.pose = *pose;
    const uint64_t start = bench_clock_ns();
    const bool good = bench_worker_ask(&r->worker, r->anew ? how | BENCH_QUERY_ANEW : how,
                                       r->timeout_s, list_fault);
    r->away_ns = bench_clock_ns() - start;
    if (!good) {
        return fail_as_worker(r, err);
    }
    const uint32_t room = r->worker.outputs.contacts_max;
    r->anew = false;
    r->answer = r->worker.outputs.answers[0];
    r->query_ns = r->worker.outputs.times_ns[0];
    const uint32_t claimed = r->answer.contact_count;
    r->count = !(r->answer.answered & ALG_HAS_CONTACTS) ? 0 : claimed < room ? claimed : room;
    r->beyond = room > 0 && claimed > r->count ? claimed - r->count : 0;
    return BASE_OK;
}

/**
 * Converts the contacts to the frame of A's file. A contact without a normal cannot be resolved. A
 * contact without a depth has depth 0: the bodies just touch there.
 */
static base_status take_contacts(bench_responder *r, base_error *err)
{
    const alg_contact *const found = r->worker.outputs.step_contacts;
    if (r->answer.colliding && !(r->answer.answered & ALG_HAS_CONTACTS)) {
        return fail(r, BENCH_CELL_UNSUPPORTED, "it returns no contacts", err);
    }
    for (size_t i = 0; i < r->count; i++) {
        const alg_contact contact = found[i];
        r->contacts[i] = (scn_contact){.point = vec3_add(contact.point, r->pair->centre_a),
                                       .normal = contact.normal,
                                       .depth_m = fmax(0, contact.depth_m)};
        r->has_normals = r->has_normals || vec3_norm2(contact.normal) > 0;
    }
    return r->count > 0 && !r->has_normals
               ? fail(r, BENCH_CELL_UNSUPPORTED, "its contacts have no normals", err)
               : BASE_OK;
}

base_status bench_responder_ask(bench_responder *r, const geo_pose *pose, base_error *err)
{
    alg_message list_fault;
    const alg_variant *const variant = &r->contestant.variant;
    const base_status status = query(r, pose, 0, &list_fault, err);
    if (status != BASE_OK) {
        return status;
    }
    const char *const fault =
        bench_answer_fault(variant, wanted_of(variant, r->response), &r->answer);
    if (fault || *list_fault.text) {
        return fail(r, BENCH_CELL_WRONG, fault ? fault : list_fault.text, err);
    }
    return r->response == BENCH_BY_IMPULSES ? take_contacts(r, err) : BASE_OK;
}

base_status bench_responder_check_lists(bench_responder *r, const geo_pose *pose, base_error *err)
{
    alg_message fault;
    const base_status status = query(r, pose, BENCH_QUERY_DETAILS, &fault, err);
    return status == BASE_OK && *fault.text ? fail(r, BENCH_CELL_WRONG, fault.text, err) : status;
}

/* --- Response of a simulation ----------------------------------------------------------------- */

static base_status find_contacts(void *context, vec3 position, geo_quat orientation,
                                 scn_contacts *contacts, base_error *err)
{
    bench_responder *const r = context;
    const geo_pose pose = bench_pair_pose(r->pair, position, orientation);
    const base_status status = bench_responder_ask(r, &pose, err);
    *contacts = (scn_contacts){.items = r->contacts, .order = r->order, .count = r->count};
    return status;
}

static base_status find_force(void *context, vec3 position, geo_quat orientation, vec3 *force_n,
                              vec3 *torque_nm, base_error *err)
{
    bench_responder *const r = context;
    const geo_pose pose = bench_pair_pose(r->pair, position, orientation);
    const base_status status = bench_responder_ask(r, &pose, err);
    *force_n = vec3_scale(r->newtons, r->answer.force);
    *torque_nm = vec3_scale(r->newtons, r->answer.torque);
    return status;
}

scn_response bench_responder_response(bench_responder *r)
{
    const bool force = r->response == BENCH_BY_FORCE;
    return (scn_response){
        .context = r, .contacts = force ? NULL : find_contacts, .force = force ? find_force : NULL};
}
