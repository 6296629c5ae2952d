#include "suite/simulate/responder.h"

#include "base/memory.h"
#include "suite/clock.h"
#include "suite/inputs/prepared.h"
#include "suite/results/judge.h"

#include <math.h>
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

/** Contacts with depths come where a depth is asked, of a variant that answers it. */
static unsigned wanted_of(const alg_variant *variant, bench_response response)
{
    return response == BENCH_BY_FORCE
               ? (unsigned)ALG_WANT_FORCE
               : ALG_WANT_CONTACT | (alg_variant_answers(variant) & (unsigned)ALG_WANT_DEPTH);
}

base_status bench_responder_open(const alg_variant *variant, const bench_pair *pair,
                                 bench_response response, const char *cache_directory,
                                 bench_responder *r, base_error *err)
{
    const uint32_t room = response == BENCH_BY_IMPULSES ? BENCH_STEP_CONTACTS_MAX : 0;
    const alg_request request = {
        .size = sizeof request, .wanted = wanted_of(variant, response), .contacts_max = room};
    *r = (bench_responder){.pair = pair, .response = response, .newtons = 1};
    r->contacts = base_alloc(room, sizeof *r->contacts);
    if (!r->contacts) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    const base_status status =
        bench_solo_open(variant, pair, &request, cache_directory, &r->solo, err);
    if (status != BASE_OK) {
        base_free(r->contacts);
        *r = (bench_responder){0};
        return status;
    }
    alg_answer answer = {0};
    bench_buffers_lend(&r->solo.buffers, &answer); /* fills them with what is no entry */
    return BASE_OK;
}

void bench_responder_close(bench_responder *r)
{
    if (r->solo.variant) {
        bench_solo_close(&r->solo);
    }
    base_free(r->contacts);
    *r = (bench_responder){0};
}

void bench_responder_reset(bench_responder *r)
{
    const alg_algorithm *const a = r->solo.variant->algorithm;
    if (a->reset) {
        a->reset(r->solo.state);
    }
}

/* --- Asking ----------------------------------------------------------------------------------- */

/**
 * Between two questions only the entries that the one before has filled in are made again what is no
 * entry: all of the buffer, megabytes of it, would drive the variant's own data out of the caches.
 */
static void query(bench_responder *r, const geo_pose *pose)
{
    const bench_buffer *const list = &r->solo.buffers.lists[BENCH_LIST_CONTACTS];
    alg_answer *const answer = &r->answer;
    if (r->count > 0) {
        memset(list->items, 0xff, r->count * sizeof(alg_contact));
    }
    bench_answer_clear(answer);
    answer->contacts = (alg_contact *)(void *)list->items;
    answer->contact_capacity = list->capacity;
    const uint64_t start = bench_clock_ns();
    r->solo.variant->algorithm->query(r->solo.state, pose, answer);
    r->query_ns = bench_clock_ns() - start;
    bench_buffers_take_back(answer);
    bench_answer_settle(answer);
    r->count = bench_buffer_count(&r->solo.buffers, BENCH_LIST_CONTACTS, answer);
    r->beyond =
        list->items && answer->contact_count > r->count ? answer->contact_count - r->count : 0;
}

static base_status fail(bench_responder *r, alg_status fault, const char *text, base_error *err)
{
    r->fault = fault;
    return base_fail(err, BASE_ERR_INPUT, "%s", text);
}

/**
 * The contacts in the frame of A's file. One without a normal cannot be resolved; one without a depth is where
 * the bodies just touch.
 */
static base_status take_contacts(bench_responder *r, base_error *err)
{
    const alg_contact *const found = bench_buffer_contacts(&r->solo.buffers);
    if (r->answer.colliding && !(r->answer.answered & ALG_HAS_CONTACTS)) {
        return fail(r, ALG_UNSUPPORTED, "it hands out no contacts", err);
    }
    for (size_t i = 0; i < r->count; i++) {
        r->contacts[i] = (scn_contact){.point = vec3_add(found[i].point, r->pair->centre_a),
                                       .normal = found[i].normal,
                                       .depth_m = fmax(0, found[i].depth_m)};
        r->has_normals = r->has_normals || vec3_norm2(found[i].normal) > 0;
    }
    return r->count > 0 && !r->has_normals
               ? fail(r, ALG_UNSUPPORTED, "its contacts have no normals", err)
               : BASE_OK;
}

base_status bench_responder_ask(bench_responder *r, const geo_pose *pose, base_error *err)
{
    char text[BENCH_FAULT_BYTES];
    const alg_variant *const variant = r->solo.variant;
    query(r, pose);
    const char *const fault =
        bench_answer_fault(variant, wanted_of(variant, r->response), &r->answer);
    if (fault) {
        return fail(r, ALG_FAILED, fault, err);
    }
    if (bench_details_fault(variant->algorithm, &r->solo.buffers, &r->answer, r->solo.face_counts,
                            r->query_ns, text)) {
        return fail(r, ALG_FAILED, text, err);
    }
    return r->response == BENCH_BY_IMPULSES ? take_contacts(r, err) : BASE_OK;
}

/* --- As a simulation has it ------------------------------------------------------------------- */

static base_status find_contacts(void *context, vec3 position, geo_quat orientation,
                                 const scn_contact **contacts, size_t *count, base_error *err)
{
    bench_responder *const r = context;
    const geo_pose pose = bench_pair_pose(r->pair, position, orientation);
    const base_status status = bench_responder_ask(r, &pose, err);
    *contacts = r->contacts;
    *count = r->count;
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
