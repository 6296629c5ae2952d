/**
 * Implicit sphere trees: contact, depth and force from the pairs of voxels that intersect; distance
 * and volume by the same trees.
 */
#include "algorithms/imp/body.h"
#include "algorithms/imp/proximity.h"
#include "algorithms/imp/query.h"
#include "algorithms/life.h"
#include "algorithms/registry.h"
#include "algorithms/voxel/walls.h"

enum {
    VOXELS,
    PROBE,
    PROBE_VOXELS,
    FILL,
    CHILDREN,
    SPHERES,
    ORDER,
    THREADS,
    ONE_CHILD,
    LEVEL,
    CONTACTS_MAX,
    DEPTH,
    TOLERANCE,
    PARAMETER_COUNT
};

/* Values of the parameter "depth". */
enum { BY_BALLS, BY_POINTS };

/* The words are in the order of the enumerations to which their indices are converted. */
/* clang-format off */
static const alg_parameter parameters[] = {
    [VOXELS] = {"voxels", ALG_INTEGER, 128, 2, ALG_IMP_VOXELS_MAX, ALG_WALLS_AUTO,
                "voxels of the fixed body along the longest edge of its box"},
    [PROBE] = {"probe", ALG_CHOICE, ALG_IMP_POINTS, .help = "what represents the moving body",
               .choices = (const alg_choice[]){
                   {"points", "the voxels that hold the points of a pointshell, as in the paper"},
                   {"voxels", "all of its voxels"},
                   {0}}},
    [PROBE_VOXELS] = {"probe-voxels", ALG_INTEGER, 64, 2, ALG_IMP_VOXELS_MAX, ALG_WALLS_AUTO,
                      "voxels of the moving body along the longest edge of its box"},
    [FILL] = {"fill", ALG_CHOICE, ALG_IMP_SURFACE, .help = "which voxels the trees hold",
              .choices = (const alg_choice[]){
                  {"surface", "the voxels that the surface passes through"},
                  {"solid", "these and the voxels inside, so that a body inside the "
                            "other one is in contact"},
                  {0}}},
    [CHILDREN] = {"children", ALG_CHOICE, ALG_IMP_8, .help = "maximum number of children of a node",
                  .choices = (const alg_choice[]){
                      {"8", "halves of each edge: 2 x 2 x 2"},
                      {"64", "quarters of each edge: 4 x 4 x 4"},
                      {"512", "eighths of each edge: 8 x 8 x 8"},
                      {0}}},
    [SPHERES] = {"spheres", ALG_CHOICE, ALG_IMP_PATTERNS, .help = "what a node's ball encloses",
                 .choices = (const alg_choice[]){
                     {"cubes", "its cube; needs no table"},
                     {"patterns", "the existing children, from a table"},
                     {"stored", "the voxels below; stored for each node"},
                     {0}}},
    [ORDER] = {"order", ALG_CHOICE, ALG_IMP_DEPTH, .help = "order of the search",
               .choices = (const alg_choice[]){
                   {"breadth", "level by level"},
                   {"depth", "down to the voxels of a pair before the next pair"},
                   {"threads", "level by level; threads share a level"},
                   {0}}},
    [THREADS] = {"threads", ALG_INTEGER, 2, 1, ALG_IMP_THREADS_MAX, NULL,
                 "number of threads of order=threads"},
    [ONE_CHILD] = {"one-child", ALG_CHOICE, 1,
                   .help = "test of the only child of a node",
                   .choices = (const alg_choice[]){
                       {"off", "its ball is tested, as all others are"},
                       {"on", "its ball is tested only at the last level of the search"},
                       {0}}},
    [LEVEL] = {"level", ALG_INTEGER, 0, 0, ALG_IMP_LEVELS_MAX, NULL,
               "level of nodes at which a search stops; 0: voxels"},
    [CONTACTS_MAX] = {"contacts-max", ALG_INTEGER, 0, 0, ALG_IMP_CONTACTS_MAX, NULL,
                      "number of contacts at which a search stops; 0: no limit"},
    [DEPTH] = {"depth", ALG_CHOICE, BY_POINTS,
               .help = "how the depth of a contact is measured",
               .choices = (const alg_choice[]){
                   [BY_BALLS] = {"balls", "between the balls of two voxels, which extend beyond "
                                          "the surfaces by up to a voxel"},
                   [BY_POINTS] = {"points", "between the surfaces in the voxels: 0 where they are "
                                            "apart, and without an upper limit"},
                   {0}}},
    [TOLERANCE] = {"tolerance", ALG_REAL, 0, 0, 1, NULL,
                   "width of a distance's bracket, relative to the distance"},
};
/* clang-format on */

static const char *const counter_names[] = {
    [ALG_IMP_COUNT_CONTACTS] = "contacts_count",
    [ALG_IMP_COUNT_TESTS] = "tests_count",
    [ALG_IMP_COUNT_NODES] = "nodes_count",
    [ALG_IMP_COUNTERS] = NULL,
};

/* The quantities that a search for pairs answers, and those that a measure answers. */
enum {
    OF_PAIRS = ALG_WANT_CONTACT | ALG_WANT_DEPTH | ALG_WANT_FORCE,
    OF_MEASURES = ALG_WANT_DISTANCE | ALG_WANT_VOLUME
};

/** State of a bound pair. */
typedef struct state {
    base_arena arena;
    unsigned wanted;
    alg_imp_pair pair;
    alg_imp_search *search;
    alg_imp_nearest *nearest; /* NULL if depth=balls */
    alg_imp_measure *measure; /* NULL if neither distance nor volume is wanted */
} state;

/* --- Contract --------------------------------------------------------------------------------- */

/**
 * No contact is missed if both solids are completely covered by voxels: a common point lies in a
 * voxel of each body, and the balls of these two voxels contain it, so the balls intersect. A
 * search that stops early does not miss a contact either. A breadth-first search stops only after
 * it has listed all pairs of a level, and the ball of a node encloses the balls of all voxels below
 * it. A depth-first search stops only after it has found contacts.
 *
 * With fill=surface, a contact is missed if one body is completely inside the other one. With
 * probe=points, a contact is missed if it lies between the points. Voxels extend beyond the
 * surface, so a contact may be reported although the bodies are apart.
 *
 * Distances and volumes are answered only if voxels cover both solids completely. A distance is an
 * upper bound, because it is measured between two points of the solids.
 */
static alg_contract contract(const alg_settings *settings, alg_quantity quantity)
{
    const double *const values = settings->values;
    const bool all = values[FILL] == ALG_IMP_SOLID && values[PROBE] == ALG_IMP_ALL_VOXELS;
    switch (quantity) {
    case ALG_CONTACT:
        return all ? ALG_UPPER_BOUND : ALG_APPROXIMATE;
    case ALG_DISTANCE:
        return all ? ALG_UPPER_BOUND : ALG_NOT_ANSWERED;
    case ALG_VOLUME:
        return all ? ALG_APPROXIMATE : ALG_NOT_ANSWERED;
    case ALG_DEPTH:
    case ALG_FORCE:
        return ALG_APPROXIMATE;
    default:
        return ALG_NOT_ANSWERED;
    }
}

/* --- Bodies ----------------------------------------------------------------------------------- */

/** Resets the settings that only queries read. */
static void body_settings(alg_settings *settings)
{
    static const int of_queries[] = {CONTACTS_MAX, DEPTH,   LEVEL,    ONE_CHILD,
                                     ORDER,        THREADS, TOLERANCE};
    for (size_t i = 0; i < sizeof of_queries / sizeof *of_queries; i++) {
        settings->values[of_queries[i]] = parameters[of_queries[i]].fallback;
    }
}

static alg_status prepare(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                          void **prepared, alg_build_info *info, alg_message *message)
{
    const double *const values = settings->values;
    const int row = role == ALG_FIXED ? VOXELS : PROBE_VOXELS;
    alg_resolution resolution;
    const alg_status status =
        alg_walls_resolve(mesh, (uint32_t)values[row], (uint32_t)parameters[row].fallback,
                          ALG_IMP_VOXELS_MAX, &resolution, message);
    if (status != ALG_OK) {
        *prepared = NULL;
        return status;
    }
    const alg_imp_options options = {
        .role = role,
        .resolution = resolution,
        .fill = (alg_imp_fill)values[FILL],
        .probe = (alg_imp_probe)values[PROBE],
        .tree = {.children = (alg_imp_children)values[CHILDREN],
                 .spheres = (alg_imp_spheres)values[SPHERES]},
    };
    return alg_imp_body_prepare(&options, mesh, prepared, info, message);
}

/* --- Pairs ------------------------------------------------------------------------------------ */

static base_status make_search(const alg_settings *settings, const alg_request *request, state *s,
                               base_error *err)
{
    const double *const values = settings->values;
    const alg_imp_search_options options = {
        .order = (alg_imp_order)values[ORDER],
        .one_child = values[ONE_CHILD] == 1,
        .level = (uint32_t)values[LEVEL],
        .contacts_max = (uint32_t)values[CONTACTS_MAX],
        .first = (request->wanted & OF_PAIRS) == ALG_WANT_CONTACT && request->contacts_max == 0,
        .threads = (uint32_t)values[THREADS],
    };
    return alg_imp_search_create(&s->pair, &options, &s->arena, &s->search, err);
}

static alg_status bind(const alg_settings *settings, const void *fixed, const void *moving,
                       const alg_request *request, void **held, alg_message *message)
{
    const alg_status status = alg_create(sizeof(state), held, message);
    if (status != ALG_OK) {
        return status;
    }
    state *const s = *held;
    base_error err = {0};
    s->wanted = request->wanted;
    s->pair = alg_imp_pair_of(fixed, moving);
    base_status made = BASE_OK;
    if (s->wanted & OF_MEASURES) {
        const alg_imp_measure_options options = {
            .level = (uint32_t)settings->values[LEVEL],
            .tolerance = settings->values[TOLERANCE],
        };
        made = alg_imp_measure_create(&s->pair, &options, &s->arena, &s->measure, &err);
    }
    if (made == BASE_OK && s->wanted & OF_PAIRS && settings->values[DEPTH] == BY_POINTS) {
        made = alg_imp_nearest_create(&s->pair, &s->arena, &s->nearest, &err);
    }
    /* The search starts threads, which alg_abandon does not end. It is created last, so that
     * nothing can fail while its threads run. */
    if (made == BASE_OK && s->wanted & OF_PAIRS) {
        made = make_search(settings, request, s, &err);
    }
    return made == BASE_OK ? ALG_OK : alg_abandon(held, alg_fail_geo(message, &err));
}

static void release(void *held)
{
    if (held && ((state *)held)->search) {
        alg_imp_search_end(((state *)held)->search);
    }
    alg_destroy(held);
}

static void query(void *held, const geo_pose *pose, alg_answer *answer)
{
    state *const s = held;
    answer->outcome = ALG_CONVERGED;
    if (s->wanted & OF_PAIRS) {
        const alg_imp_question question = {&s->pair, s->search, pose, s->wanted, s->nearest};
        alg_imp_answer_contacts(&question, answer);
    }
    if (s->wanted & ALG_WANT_DISTANCE) {
        alg_imp_measure_distance(s->measure, pose, answer);
    }
    if (s->wanted & ALG_WANT_VOLUME) {
        alg_imp_measure_volume(s->measure, pose, answer);
    }
}

/**
 * With depth=points, each patch of B is pushed along its own normal by its depth below A's surface,
 * which is the law by depth. Forces from balls of voxels or nodes follow no law.
 */
static alg_law law(const alg_settings *settings)
{
    return settings->values[DEPTH] == BY_POINTS && settings->values[LEVEL] == 0 ? ALG_LAW_DEPTH
                                                                                : ALG_LAW_NONE;
}

const alg_algorithm alg_imp = {
    .abi_version = ALG_ABI_VERSION,
    .name = "imp",
    .summary = "implicit sphere trees: all pairs of voxels that meet, distance, volume",
    .source = "IMP 3",
    .flags = ALG_BY_CONTACTS,
    .force_unit = "m",
    .parameters = parameters,
    .parameter_count = PARAMETER_COUNT,
    .counters = counter_names,
    .contract = contract,
    .prepare = prepare,
    .dispose = alg_destroy,
    .bind = bind,
    .release = release,
    .query = query,
    .draw = alg_imp_body_draw,
    .facts = alg_imp_facts,
    .save = alg_imp_body_save,
    .load = alg_imp_body_load,
    .body_settings = body_settings,
    .law = law,
};
