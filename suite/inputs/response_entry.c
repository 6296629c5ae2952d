#include "suite/inputs/response_entry.h"

#include "algorithms/imp/body.h"
#include "algorithms/life.h"
#include "algorithms/registry.h"
#include "geometry/pose.h"
#include "scenarios/simulation/simulation.h"
#include "suite/message.h"

#include <math.h>
#include <string.h>

/* A step, as in simulations, and the density of the moving body. The counters do not depend on the
 * density, because all impulses are proportional to it. */
#define STEP_S        0.001
#define DENSITY_KG_M3 1000.0

/* Room for the contacts of a frame. Further contacts are not resolved. */
enum { ROOM = 65536 };

/* The parameters are those of imp and then these. */
enum { RESOLVE, LIMIT, OWN_COUNT };

/* clang-format off */
static const alg_parameter own_parameters[OWN_COUNT] = {
    [RESOLVE] = {"resolve", ALG_REAL, 1, 0, 1, NULL,
                 "share of a contact's depth that the next step shall remove"},
    [LIMIT] = {"impulses", ALG_INTEGER, 1000, 1, 100000, NULL,
               "maximum number of impulses in a frame"},
};
/* clang-format on */

static alg_parameter parameters[ALG_PARAMETERS_MAX]; /* set once, when it is registered */

/* The counters are those of imp and then these. */
enum { ELIGIBLE, LATER, IMPULSES, LEFT, DEEP };
static const char *counters[ALG_COUNTERS_MAX + 1];

/** A prepared body: that of imp, and the mass if it moves. */
typedef struct entry_body {
    base_arena arena;
    void *body;
    scn_mass mass;
} entry_body;

/** State of a bound pair. */
typedef struct entry_pair {
    base_arena arena;
    void *search; /* bound pair of imp */
    const scn_mass *mass;
    double edge_m; /* of A's voxels */
    scn_impulse_options options;
    alg_contact *found; /* [ROOM], as all below */
    scn_contact *contacts;
    uint32_t *order;
    scn_state last; /* at the previous pose */
    bool has_last;
    size_t counter_count; /* counters of imp */
} entry_pair;

static size_t count_words(const char *const *words)
{
    size_t count = 0;
    while (words[count]) {
        count++;
    }
    return count;
}

static alg_contract contract(const alg_settings *settings, alg_quantity quantity)
{
    return quantity == ALG_CONTACT ? alg_imp.contract(settings, quantity) : ALG_NOT_ANSWERED;
}

/* --- Bodies ----------------------------------------------------------------------------------- */

/** Wraps a body of imp, which `made` is the status of. Without the wrapper the body is disposed. */
static alg_status wrap(alg_status made, void *body, const alg_mesh *mesh, alg_role role,
                       void **prepared, alg_message *message)
{
    *prepared = NULL;
    alg_status status = made == ALG_OK ? alg_create(sizeof(entry_body), prepared, message) : made;
    if (status != ALG_OK) {
        alg_imp.dispose(body);
        return status;
    }
    entry_body *const e = *prepared;
    const geo_mesh view = alg_mesh_view(mesh);
    base_error err = {0};
    e->body = body;
    if (role == ALG_MOVING && scn_mass_of(&view, DENSITY_KG_M3, &e->mass, &err) != BASE_OK) {
        alg_imp.dispose(body);
        return alg_abandon(prepared, alg_fail_geo(message, &err));
    }
    return ALG_OK;
}

static alg_status prepare(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                          void **prepared, alg_build_info *info, alg_message *message)
{
    void *body = NULL;
    const alg_status made = alg_imp.prepare(settings, mesh, role, &body, info, message);
    return wrap(made, body, mesh, role, prepared, message);
}

static alg_status load(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                       const void *bytes, size_t size, void **prepared, alg_build_info *info,
                       alg_message *message)
{
    void *body = NULL;
    const alg_status made = alg_imp.load(settings, mesh, role, bytes, size, &body, info, message);
    return wrap(made, body, mesh, role, prepared, message);
}

static alg_status save(const void *prepared, const alg_writer *to, alg_message *message)
{
    return alg_imp.save(((const entry_body *)prepared)->body, to, message);
}

static void draw(const void *prepared, const alg_sink *sink)
{
    alg_imp.draw(((const entry_body *)prepared)->body, sink);
}

static void dispose(void *prepared)
{
    if (prepared) {
        alg_imp.dispose(((entry_body *)prepared)->body);
        alg_destroy(prepared);
    }
}

static void body_settings(alg_settings *settings)
{
    alg_imp.body_settings(settings);
    for (size_t i = 0; i < OWN_COUNT; i++) {
        settings->values[alg_imp.parameter_count + i] = own_parameters[i].fallback;
    }
}

/* --- Pairs ------------------------------------------------------------------------------------ */

static alg_status bind(const alg_settings *settings, const void *fixed, const void *moving,
                       const alg_request *request, void **held, alg_message *message)
{
    (void)request;
    const alg_request all = {.size = sizeof all, .wanted = ALG_WANT_CONTACT, .contacts_max = ROOM};
    const entry_body *const a = fixed, *const b = moving;
    const double *const own = settings->values + alg_imp.parameter_count;
    const alg_status status = alg_create(sizeof(entry_pair), held, message);
    if (status != ALG_OK) {
        return status;
    }
    entry_pair *const p = *held;
    p->mass = &b->mass;
    p->edge_m = ((const alg_imp_body *)a->body)->grid.edge;
    p->options =
        (scn_impulse_options){.resolve = own[RESOLVE], .slop_m = 0, .limit = (size_t)own[LIMIT]};
    p->counter_count = count_words(alg_imp.counters);
    p->found = base_arena_alloc(&p->arena, ROOM, sizeof *p->found);
    p->contacts = base_arena_alloc(&p->arena, ROOM, sizeof *p->contacts);
    p->order = base_arena_alloc(&p->arena, ROOM, sizeof *p->order);
    if (!p->found || !p->contacts || !p->order) {
        return alg_abandon(held, alg_fail(message, ALG_OUT_OF_MEMORY, "out of memory"));
    }
    const alg_status bound = alg_imp.bind(settings, a->body, b->body, &all, &p->search, message);
    return bound == ALG_OK ? ALG_OK : alg_abandon(held, bound);
}

static void release(void *held)
{
    if (held) {
        alg_imp.release(((entry_pair *)held)->search);
        alg_destroy(held);
    }
}

static void reset(void *held)
{
    ((entry_pair *)held)->has_last = false;
}

/** Returns the state at a pose, with the velocities of the motion from the previous pose. */
static scn_state state_at(entry_pair *p, const geo_pose *pose)
{
    scn_state now = scn_state_at(p->mass, pose->translation, geo_quat_from_matrix(pose->rotation));
    const scn_state before = p->has_last ? p->last : now;
    p->last = now;
    p->has_last = true;
    now.velocity = vec3_scale(1 / STEP_S, vec3_sub(now.position, before.position));
    now.spin = vec3_scale(1 / STEP_S, scn_turn_between(before.orientation, now.orientation));
    return now;
}

/** Returns the number of contacts that are deeper than an edge of A's voxels. */
static uint64_t count_deep(const entry_pair *p, size_t count)
{
    uint64_t deep = 0;
    for (size_t i = 0; i < count; i++) {
        deep += p->contacts[i].depth_m > p->edge_m;
    }
    return deep;
}

static void query(void *held, const geo_pose *pose, alg_answer *answer)
{
    entry_pair *const p = held;
    alg_answer found = {.size = sizeof found, .contacts = p->found, .contact_capacity = ROOM};
    alg_imp.query(p->search, pose, &found);
    const size_t count = found.contact_count < ROOM ? found.contact_count : ROOM;
    for (size_t i = 0; i < count; i++) {
        p->contacts[i] = (scn_contact){.point = p->found[i].point,
                                       .normal = p->found[i].normal,
                                       .depth_m = fmax(0, p->found[i].depth_m)};
    }
    scn_impulse_options first = p->options, others = p->options;
    first.limit = 1;
    others.limit--;
    const scn_contacts contacts = {.items = p->contacts, .order = p->order, .count = count};
    scn_state state = state_at(p, pose);
    uint64_t *const own = answer->counters + p->counter_count;
    memcpy(answer->counters, found.counters, p->counter_count * sizeof *answer->counters);
    own[ELIGIBLE] = scn_impulses_eligible(&contacts, &p->options, STEP_S, &state);
    own[IMPULSES] = scn_impulses(&contacts, p->mass, &first, STEP_S, &state).count;
    own[LATER] = scn_impulses_eligible(&contacts, &p->options, STEP_S, &state);
    own[IMPULSES] += scn_impulses(&contacts, p->mass, &others, STEP_S, &state).count;
    own[LEFT] = scn_impulses_eligible(&contacts, &p->options, STEP_S, &state);
    own[DEEP] = count_deep(p, count);
    answer->colliding = found.colliding;
    answer->contact_count = found.contact_count;
    for (size_t i = 0; i < count && i < answer->contact_capacity; i++) {
        answer->contacts[i] = p->found[i];
    }
    answer->answered = ALG_HAS_CONTACT | ALG_HAS_CONTACTS;
    answer->outcome = found.outcome;
}

/* --- The entry -------------------------------------------------------------------------------- */

static alg_algorithm entry = {
    .abi_version = ALG_ABI_VERSION,
    .name = "imp-response",
    .summary = "imp, and the impulses that resolve its contacts",
    .source = "IMP 3.3.1",
    .flags = ALG_NEEDS_SOLIDS | ALG_KEEPS_STATE | ALG_BY_NAME,
    .parameters = parameters,
    .counters = counters,
    .contract = contract,
    .prepare = prepare,
    .dispose = dispose,
    .bind = bind,
    .release = release,
    .reset = reset,
    .query = query,
    .draw = draw,
    .save = save,
    .load = load,
    .body_settings = body_settings,
};

void bench_response_entry_register(void)
{
    static const char *const own_counters[] = {[ELIGIBLE] = "eligible_count",
                                               [LATER] = "later_count",
                                               [IMPULSES] = "impulses_count",
                                               [LEFT] = "left_count",
                                               [DEEP] = "deep_count"};
    const size_t first = alg_imp.parameter_count, counted = count_words(alg_imp.counters);
    alg_message message;
    memcpy(parameters, alg_imp.parameters, first * sizeof *parameters);
    memcpy(parameters + first, own_parameters, sizeof own_parameters);
    memcpy(counters, alg_imp.counters, counted * sizeof *counters);
    memcpy(counters + counted, own_counters, sizeof own_counters);
    entry.parameter_count = first + OWN_COUNT;
    entry.facts = alg_imp.facts;
    if (alg_register(&entry, &message) != ALG_OK) {
        bench_warn("%s", message.text);
    }
}
