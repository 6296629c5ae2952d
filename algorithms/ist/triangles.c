/**
 * Triangles of spheres. The file has the lists of pairs of triangles that intersect, and two
 * algorithms. Their queries first search for the nearest spheres, and then measure triangles that
 * belong to near spheres. IST IV-A mentions this possibility.
 *
 * ist-triangles measures, for two near spheres, the faces nearest to their centres. ist-exact
 * measures, for any two outer balls that are near enough, all faces that their spheres own.
 */
#include "algorithms/ist/body.h"
#include "algorithms/ist/query.h"
#include "algorithms/life.h"
#include "algorithms/registry.h"
#include "geometry/pose.h"
#include "geometry/triangle.h"
#include "geometry/vec.h"

#include <string.h>

/* --- Pairs of triangles that intersect -------------------------------------------------------- */

static const uint64_t no_key = UINT64_MAX;

base_status alg_ist_pairs_bind(const alg_ist_body *a, const alg_ist_body *b,
                               const alg_request *request, base_arena *arena, alg_ist_pairs *pairs,
                               base_error *err)
{
    *pairs = (alg_ist_pairs){.a = a, .b = b};
    if (request->pairs_max == 0 || !(request->wanted & ALG_WANT_CONTACT)) {
        return BASE_OK;
    }
    pairs->most =
        request->pairs_max > ALG_IST_PAIRS_COUNTED ? request->pairs_max : ALG_IST_PAIRS_COUNTED;
    pairs->found = base_arena_alloc(arena, 2 * (size_t)pairs->most, sizeof *pairs->found);
    return pairs->found ? BASE_OK
                        : base_fail(err, BASE_ERR_MEMORY, "out of memory for a list of %u pairs",
                                    pairs->most);
}

/**
 * Returns the entry of a pair in the hash table. If the pair is not in the table, returns the free
 * entry for it.
 */
static uint64_t *find_entry(const alg_ist_pairs *p, uint64_t key)
{
    const size_t size = 2 * (size_t)p->most;
    size_t at = (size_t)((key * 0x9e3779b97f4a7c15u) >> 32) % size;
    while (p->found[at] != no_key && p->found[at] != key) {
        at = at + 1 < size ? at + 1 : 0;
    }
    return &p->found[at];
}

/**
 * Adds the pair to the list if its triangles intersect and it is not listed yet. tb: triangle
 * face_b in A's frame.
 */
static void test_pair(alg_ist_pairs *p, uint32_t face_a, uint32_t face_b, geo_triangle tb)
{
    const geo_triangle ta = geo_mesh_triangle(&p->a->mesh, face_a);
    geo_common common;
    if (!geo_box_overlap(geo_box_of_triangle(ta), geo_box_of_triangle(tb))) {
        return;
    }
    uint64_t *const entry = find_entry(p, (uint64_t)face_a << 32 | face_b);
    if (*entry != no_key || !geo_triangle_common(ta, tb, &common)) {
        return;
    }
    *entry = (uint64_t)face_a << 32 | face_b;
    alg_answer *const answer = p->answer;
    if (answer->pair_count < answer->pair_capacity) {
        answer->pairs[answer->pair_count] = (alg_face_pair){face_a, face_b, common.from, common.to};
    }
    answer->pair_count++;
}

static alg_ist_faces faces_of(const alg_ist_body *body, uint32_t leaf)
{
    return body->skin ? alg_ist_owned(body->skin, leaf)
                      : (alg_ist_faces){&body->solid.faces[leaf], 1};
}

/** Tests the triangles of two spheres if the balls of alg_ist_sphere_reach overlap. */
static void test_leaves(alg_ist_traversal *traversal, uint32_t a, uint32_t b)
{
    alg_ist_pairs *const p = traversal->context;
    const alg_ist_solid *const sa = traversal->a, *const sb = traversal->b;
    const vec3 ca = sa->spheres[a].centre,
               cb = geo_pose_apply(traversal->pose, sb->spheres[b].centre);
    const double apart =
        vec3_distance(ca, cb) - alg_ist_sphere_reach(sa, a) - alg_ist_sphere_reach(sb, b);
    if (apart > traversal->rounding) {
        return;
    }
    const alg_ist_faces of_a = faces_of(p->a, a), of_b = faces_of(p->b, b);
    for (uint32_t j = 0; j < of_b.count && traversal->seeking; j++) {
        const geo_triangle tb =
            geo_pose_apply_triangle(p->pose, geo_mesh_triangle(&p->b->mesh, of_b.faces[j]));
        for (uint32_t i = 0; i < of_a.count && traversal->seeking; i++) {
            test_pair(p, of_a.faces[i], of_b.faces[j], tb);
            traversal->seeking = p->answer->pair_count < p->most;
        }
    }
}

void alg_ist_list_pairs(alg_ist_pairs *pairs, alg_ist_node_pair *stack, const geo_pose *pose,
                        alg_answer *answer)
{
    if (!pairs->found || answer->pair_capacity == 0) {
        return;
    }
    memset(pairs->found, 0xff, 2 * (size_t)pairs->most * sizeof *pairs->found);
    pairs->pose = pose;
    pairs->answer = answer;
    alg_ist_traversal traversal = {
        .a = &pairs->a->solid,
        .b = &pairs->b->solid,
        .pose = pose,
        .radius = ALG_IST_FAR, /* skins: the outer balls contain the owned pieces */
        .seeking = true,
        .nearest = 0, /* the search visits all pairs of leaves whose balls overlap */
        .tests_most = UINT64_MAX,
        .decide = test_leaves,
        .context = pairs,
        .stack = stack};
    alg_ist_traverse(&traversal);
    answer->answered |= ALG_HAS_PAIRS;
}

/* --- Search of both entries ------------------------------------------------------------------- */

/** Indices into alg_answer.counters. */
enum { COUNT_BALLS, COUNT_LEAVES, COUNT_NODES, COUNT_TRIANGLES, COUNTERS };

static const char *const counter_names[] = {
    [COUNT_BALLS] = "bv_tests_count",
    [COUNT_LEAVES] = "primitive_tests_count",
    [COUNT_NODES] = "nodes_count",
    [COUNT_TRIANGLES] = "triangle_tests_count",
    [COUNTERS] = NULL,
};

/** A triangle of A and one of B, and their distance. */
typedef struct face_pair {
    uint32_t a, b;
    double distance2;          /* 0 if they intersect */
    vec3 witness_a, witness_b; /* A's frame; the same point if they intersect */
} face_pair;

enum { SEEN = 512 };

/** A bound pair of bodies with skins. It is the first member of the state of both algorithms. */
typedef struct search {
    base_arena arena;
    const alg_ist_body *a, *b;
    alg_ist_pair spheres; /* keeps the nearest spheres of the previous query */
    alg_ist_pairs pairs;
    unsigned wanted;

    /* State of one query. */
    const geo_pose *pose;
    double slack; /* upper bound of the rounding of a distance */
    face_pair best;
    uint64_t seen[SEEN]; /* pairs of faces that were measured, in a hash table whose entries may be
                            overwritten */
    uint64_t triangle_tests;
} search;

static alg_status prepare(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                          void **prepared, alg_build_info *info, alg_message *message)
{
    (void)role;
    alg_ist_options options = alg_ist_options_of(settings);
    options.skin = true;
    return alg_ist_body_prepare(&options, mesh, prepared, info, message);
}

/** Creates a state of `size` bytes whose first member is a search, and binds two bodies to it. */
static alg_status create_search(size_t size, const void *fixed, const void *moving,
                                const alg_request *request, void **held, alg_message *message)
{
    const alg_status status = alg_create(size, held, message);
    if (status != ALG_OK) {
        return status;
    }
    search *const s = *held;
    base_error err = {0};
    s->a = fixed;
    s->b = moving;
    s->wanted = request->wanted;
    s->spheres = (alg_ist_pair){.centroid_b = s->b->centroid, .wanted = ALG_WANT_DISTANCE};
    if (alg_ist_pair_bind(&s->a->solid, &s->b->solid, &s->arena, &s->spheres, &err) != BASE_OK ||
        alg_ist_pairs_bind(s->a, s->b, request, &s->arena, &s->pairs, &err) != BASE_OK) {
        return alg_abandon(held, alg_fail_geo(message, &err));
    }
    return ALG_OK;
}

static void reset(void *held)
{
    alg_ist_pair_reset(&((search *)held)->spheres);
}

/**
 * Begins a query: lists the triangles that intersect, if that is wanted, and finds the nearest
 * spheres. Writes their distance and witnesses to the answer.
 *
 * Returns  false if two spheres overlap. Then the distance is 0 and needs no triangles.
 */
static bool begin_query(search *n, const geo_pose *pose, alg_answer *answer)
{
    const vec3 t = vec3_abs(pose->translation);
    n->pose = pose;
    n->slack = 64 * 0x1p-52 *
               (alg_ist_extent(&n->a->solid.tree) + alg_ist_extent(&n->b->solid.tree) +
                fmax(t.x, fmax(t.y, t.z)));
    n->best = (face_pair){.distance2 = INFINITY};
    n->triangle_tests = 0;
    memset(n->seen, 0xff, sizeof n->seen);
    alg_ist_list_pairs(&n->pairs, n->spheres.stack, pose, answer);
    alg_ist_query(&n->spheres, pose, answer);
    answer->counters[COUNT_TRIANGLES] = 0;
    if (n->wanted & ALG_WANT_CONTACT) {
        answer->answered |= ALG_HAS_CONTACT;
    }
    return answer->distance_m > 0;
}

static face_pair measure_faces(const search *n, uint32_t face_a, uint32_t face_b)
{
    face_pair pair = {.a = face_a, .b = face_b};
    const geo_mesh *const a = &n->a->skin->shell.mesh, *const b = &n->b->skin->shell.mesh;
    const geo_triangle ta = geo_mesh_triangle(a, face_a);
    const geo_triangle tb = geo_pose_apply_triangle(n->pose, geo_mesh_triangle(b, face_b));
    if (geo_box_overlap(geo_box_of_triangle(ta), geo_box_of_triangle(tb)) &&
        geo_triangle_intersect(ta, tb)) {
        pair.witness_a = pair.witness_b = geo_triangle_common_point(ta, tb);
    } else {
        pair.distance2 = geo_triangle_distance2(ta, tb, &pair.witness_a, &pair.witness_b);
    }
    return pair;
}

/**
 * Measures a pair of faces, and keeps it if it is the nearest pair so far. The smallest numbers win
 * a tie. Skips the pair if `seen` shows that this query has measured it already.
 */
static void measure(search *n, uint32_t face_a, uint32_t face_b)
{
    const uint64_t key = (uint64_t)face_a << 32 | face_b;
    uint64_t *const slot = &n->seen[(key * 0x9e3779b97f4a7c15u) >> 55];
    _Static_assert(SEEN == 1 << (64 - 55), "as many slots as the shift leaves");
    if (*slot == key) {
        return;
    }
    *slot = key;
    n->triangle_tests++;
    const face_pair pair = measure_faces(n, face_a, face_b);
    const bool first = face_a < n->best.a || (face_a == n->best.a && face_b < n->best.b);
    if (pair.distance2 < n->best.distance2 || (pair.distance2 == n->best.distance2 && first)) {
        n->best = pair;
    }
}

/**
 * Improves the best pair of faces in at most `rounds` rounds, or until the distance no longer
 * decreases. A round takes the face of A nearest to the witness on B, and then the face of B
 * nearest to the nearest point on A.
 */
static void approach(search *n, uint32_t rounds)
{
    const geo_pose inverse = geo_pose_inverse(n->pose);
    const geo_surface *const a = &n->a->skin->shell.surface, *const b = &n->b->skin->shell.surface;
    for (uint32_t i = 0; i < rounds && n->best.distance2 > 0; i++) {
        const geo_closest on_a = geo_surface_closest(a, n->best.witness_b, n->best.a);
        const geo_closest on_b =
            geo_surface_closest(b, geo_pose_apply(&inverse, on_a.point), n->best.b);
        const face_pair next = measure_faces(n, on_a.face, on_b.face);
        if (!(next.distance2 < n->best.distance2)) {
            return;
        }
        n->best = next;
    }
}

/** Adds the counters of a traversal, and the triangle tests, to the counters of the answer. */
static void count_work(search *n, const alg_ist_traversal *traversal, alg_answer *answer)
{
    answer->counters[COUNT_BALLS] += traversal->counters[ALG_IST_COUNT_BALLS];
    answer->counters[COUNT_LEAVES] += traversal->counters[ALG_IST_COUNT_LEAVES];
    answer->counters[COUNT_NODES] += traversal->counters[ALG_IST_COUNT_NODES];
    answer->counters[COUNT_TRIANGLES] = n->triangle_tests;
}

/** Writes the best pair of faces to the answer. */
static void answer_best(const search *n, alg_answer *answer)
{
    answer->distance_m = sqrt(n->best.distance2);
    answer->witness_a = n->best.witness_a;
    answer->witness_b = n->best.witness_b;
    answer->colliding = answer->distance_m == 0;
}

/* --- ist-triangles ---------------------------------------------------------------------------- */

/*
 * Measures the triangles that are nearest to near spheres. By this method the paper reaches the
 * accuracy of triangles.
 *
 * Let g be the smallest distance of two inner spheres. Candidates are the pairs of spheres whose
 * distance is at most g plus `band` times the sum of the mean gaps of both bodies. Each sphere
 * gives the face nearest to its centre. The nearest pair of these faces is then improved in up to
 * `rounds` rounds (approach). The answer is the smaller one of its distance and g. Both are
 * distances of two points of the bodies, so the answer is an upper bound.
 *
 * The candidates depend only on g, and the nearest pair of faces is unique, since numbers decide a
 * tie. So neither the order of the search nor its start changes an answer. An exception is the
 * contact point of overlapping spheres.
 */

enum { NEAR_BAND = ALG_IST_SHARED, NEAR_ROUNDS, NEAR_PARAMETER_COUNT };

/* clang-format off */
static const alg_parameter near_parameters[] = {
    ALG_IST_ROWS,
    [NEAR_BAND] = {"band", ALG_REAL, 0, 0, 100, NULL,
                   "largest excess of a candidate's distance, in mean gaps"},
    [NEAR_ROUNDS] = {"rounds", ALG_INTEGER, 5, 0, 100, NULL,
                     "of projections from surface to surface"},
};
/* clang-format on */

/** The state of a bound pair of ist-triangles. */
typedef struct near_state {
    search search;
    double band_m; /* a candidate's distance exceeds that of the nearest spheres by at most this */
    uint32_t rounds;
} near_state;

static alg_contract near_contract(const alg_settings *settings, alg_quantity quantity)
{
    (void)settings;
    return quantity == ALG_DISTANCE  ? ALG_UPPER_BOUND
           : quantity == ALG_CONTACT ? ALG_LOWER_BOUND
                                     : ALG_NOT_ANSWERED;
}

static void near_body_settings(alg_settings *settings)
{
    settings->values[NEAR_BAND] = near_parameters[NEAR_BAND].fallback;
    settings->values[NEAR_ROUNDS] = near_parameters[NEAR_ROUNDS].fallback;
    settings->values[ALG_IST_START] = near_parameters[ALG_IST_START].fallback;
}

static alg_status near_bind(const alg_settings *settings, const void *fixed, const void *moving,
                            const alg_request *request, void **held, alg_message *message)
{
    const alg_ist_body *const a = fixed, *const b = moving;
    *held = NULL;
    const alg_status status =
        create_search(sizeof(near_state), fixed, moving, request, held, message);
    if (status != ALG_OK) {
        return status;
    }
    near_state *const s = *held;
    s->search.spheres.coherent = settings->values[ALG_IST_START] == 1;
    s->band_m = settings->values[NEAR_BAND] * (a->skin->gap.mean_m + b->skin->gap.mean_m);
    s->rounds = (uint32_t)settings->values[NEAR_ROUNDS];
    return ALG_OK;
}

static void measure_candidate(search *n, uint32_t a, uint32_t b)
{
    measure(n, n->a->solid.faces[a], n->b->solid.faces[b]);
}

/**
 * Measures the faces of a pair of spheres if the spheres are within the band. The band does not
 * change during a traversal.
 */
static void near_decide(alg_ist_traversal *traversal, uint32_t a, uint32_t b)
{
    const alg_ist_sphere *const sa = &traversal->a->spheres[a], *const sb =
                                                                    &traversal->b->spheres[b];
    const double apart = vec3_distance(geo_pose_apply(traversal->pose, sb->centre), sa->centre);
    if (apart - sa->primary - sb->primary <= traversal->nearest) {
        measure_candidate(traversal->context, a, b);
    }
}

static void measure_band(near_state *s, alg_answer *answer)
{
    search *const n = &s->search;
    alg_ist_traversal traversal = {.a = &n->a->solid,
                                   .b = &n->b->solid,
                                   .pose = n->pose,
                                   .radius = ALG_IST_NEAR,
                                   .seeking = true,
                                   .nearest = answer->distance_m + s->band_m,
                                   .tests_most = UINT64_MAX,
                                   .decide = near_decide,
                                   .context = n,
                                   .stack = n->spheres.stack};
    alg_ist_traverse(&traversal);
    count_work(n, &traversal, answer);
}

static void near_query(void *held, const geo_pose *pose, alg_answer *answer)
{
    near_state *const s = held;
    search *const n = &s->search;
    const bool apart = begin_query(n, pose, answer);
    const double spheres_m = answer->distance_m;
    if (apart) {
        measure_candidate(n, n->spheres.last[0], n->spheres.last[1]);
        if (s->band_m > 0) {
            measure_band(s, answer);
        }
        approach(n, s->rounds);
        answer->counters[COUNT_TRIANGLES] = n->triangle_tests;
        if (sqrt(n->best.distance2) < spheres_m) {
            answer_best(n, answer);
        }
    }
    /* The distance of the bodies is at least that of their nearest spheres minus both largest gaps:
     * spheres.h. */
    const double lower = spheres_m - n->a->skin->gap.most_m - n->b->skin->gap.most_m - n->slack;
    answer->distance_lo_m = lower > 0 ? lower : 0;
    answer->distance_hi_m = answer->distance_m;
    answer->answered |= ALG_HAS_DISTANCE_BRACKET;
}

const alg_algorithm alg_ist_triangles = {
    .abi_version = ALG_ABI_VERSION,
    .name = "ist-triangles",
    .summary = "inner sphere trees, then the triangles nearest to the nearest spheres",
    .source = "IST IV-A",
    .flags = ALG_NEEDS_SOLIDS | ALG_KEEPS_STATE,
    .parameters = near_parameters,
    .parameter_count = NEAR_PARAMETER_COUNT,
    .counters = counter_names,
    .contract = near_contract,
    .prepare = prepare,
    .dispose = alg_destroy,
    .bind = near_bind,
    .release = alg_destroy,
    .reset = reset,
    .query = near_query,
    .draw = alg_ist_body_draw,
    .facts = alg_ist_facts,
    .save = alg_ist_body_save,
    .load = alg_ist_body_load,
    .body_settings = near_body_settings,
};

/* --- ist-exact -------------------------------------------------------------------------------- */

/*
 * The exact distance by inner sphere trees. The outer balls contain the surface. If two outer balls
 * are near enough, the triangles that their spheres own are measured.
 *
 * Proof that no triangle is missed: let x on A and y on B be the nearest points of two bodies that
 * do not overlap. The piece of surface with x is owned by a sphere of A, and that with y by a
 * sphere of B. The outer balls of these spheres contain x and y, so their distance is at most that
 * of the bodies. Hence this pair of leaves is never pruned, and the triangles with x and y are in
 * its lists.
 *
 * If the surfaces do not meet, a part of one body may be inside of the other body. One vertex of
 * each part is tested for this (geo_shells_nested).
 */

static const alg_parameter exact_parameters[] = {ALG_IST_ROWS};

/* Rounds of approach. More rounds cost more time than their better bound saves. */
enum { EXACT_ROUNDS = 2 };

/** A face of which a compared sphere owns a piece, in A's frame. */
typedef struct candidate {
    uint32_t face;
    double reach; /* how far the face extends along the axis, towards the other body */
    geo_box box;
} candidate;

/** The state of a bound pair of ist-exact. */
typedef struct exact_state {
    search search;
    candidate *of_a, *of_b; /* arena; faces of the two spheres that are compared */
    vec3 axis; /* unit vector from A's witness to B's; most faces are pruned by their reach along
                  it */
} exact_state;

static alg_contract exact_contract(const alg_settings *settings, alg_quantity quantity)
{
    (void)settings;
    return quantity == ALG_DISTANCE || quantity == ALG_CONTACT ? ALG_EXACT : ALG_NOT_ANSWERED;
}

static void exact_body_settings(alg_settings *settings)
{
    settings->values[ALG_IST_START] = exact_parameters[ALG_IST_START].fallback;
}

static alg_status exact_bind(const alg_settings *settings, const void *fixed, const void *moving,
                             const alg_request *request, void **held, alg_message *message)
{
    const alg_ist_body *const a = fixed, *const b = moving;
    *held = NULL;
    const alg_status status =
        create_search(sizeof(exact_state), fixed, moving, request, held, message);
    if (status != ALG_OK) {
        return status;
    }
    exact_state *const s = *held;
    s->search.spheres.coherent = settings->values[ALG_IST_START] == 1;
    s->of_a = base_arena_alloc(&s->search.arena, a->skin->owned_most, sizeof *s->of_a);
    s->of_b = base_arena_alloc(&s->search.arena, b->skin->owned_most, sizeof *s->of_b);
    if (!s->of_a || !s->of_b) {
        return alg_abandon(held,
                           alg_fail(message, ALG_OUT_OF_MEMORY, "out of memory for a traversal"));
    }
    return ALG_OK;
}

/** Returns the gap of two boxes. */
static double box_gap(geo_box a, geo_box b)
{
    const vec3 gap =
        vec3_max(vec3_max(vec3_sub(a.lo, b.hi), vec3_sub(b.lo, a.hi)), (vec3){0, 0, 0});
    return vec3_norm(gap);
}

/**
 * Lists the faces of a sphere of one body whose boxes are within `limit` of a ball of the other
 * body. Returns the largest reach of the listed faces along the axis.
 */
static double gather(const alg_ist_body *body, uint32_t sphere, const geo_pose *pose, vec3 axis,
                     geo_ball other, double limit, candidate *out, uint32_t *count)
{
    const alg_ist_faces owned = alg_ist_owned(body->skin, sphere);
    const geo_box centre = {other.centre, other.centre};
    double most = -INFINITY;
    *count = 0;
    for (uint32_t i = 0; i < owned.count; i++) {
        geo_triangle t = geo_mesh_triangle(&body->skin->shell.mesh, owned.faces[i]);
        if (pose) {
            t = geo_pose_apply_triangle(pose, t);
        }
        const geo_box box = geo_box_of_triangle(t);
        if (box_gap(box, centre) - other.radius > limit) {
            continue;
        }
        const double reach =
            fmax(vec3_dot(axis, t.p[0]), fmax(vec3_dot(axis, t.p[1]), vec3_dot(axis, t.p[2])));
        out[(*count)++] = (candidate){owned.faces[i], reach, box};
        most = fmax(most, reach);
    }
    return most;
}

/**
 * Removes a face if its distance along the axis from every face of the other sphere exceeds
 * `limit`.
 */
static void drop_short(candidate *list, uint32_t *count, double most_of_other, double limit)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < *count; i++) {
        if (-most_of_other - list[i].reach <= limit) {
            list[kept++] = list[i];
        }
    }
    *count = kept;
}

static void turn_axis(exact_state *s)
{
    const face_pair *const best = &s->search.best;
    s->axis = vec3_normalize(vec3_sub(best->witness_b, best->witness_a));
}

/**
 * Measures the pairs of faces of two spheres, except pairs that are certainly farther apart than
 * the best pair so far.
 */
static void exact_decide(alg_ist_traversal *traversal, uint32_t a, uint32_t b)
{
    exact_state *const s = traversal->context;
    search *const n = &s->search;
    const alg_ist_sphere *const sa = &traversal->a->spheres[a], *const sb =
                                                                    &traversal->b->spheres[b];
    const double outer_a = alg_ist_outer(traversal->a, a), outer_b = alg_ist_outer(traversal->b, b);
    if (outer_a == 0 || outer_b == 0) {
        return;
    }
    const double limit = traversal->nearest + n->slack;
    const geo_ball ball_a = {sa->centre, outer_a};
    const geo_ball ball_b = {geo_pose_apply(traversal->pose, sb->centre), outer_b};
    if (vec3_distance(ball_a.centre, ball_b.centre) - outer_a - outer_b > limit) {
        return;
    }
    uint32_t count_a, count_b;
    const vec3 back = vec3_scale(-1, s->axis);
    const double most_a = gather(n->a, a, NULL, s->axis, ball_b, limit, s->of_a, &count_a);
    const double most_b = gather(n->b, b, traversal->pose, back, ball_a, limit, s->of_b, &count_b);
    drop_short(s->of_a, &count_a, most_b, limit);
    drop_short(s->of_b, &count_b, most_a, limit);
    const face_pair before = n->best;
    for (uint32_t i = 0; i < count_a; i++) {
        for (uint32_t j = 0; j < count_b; j++) {
            const double still = traversal->nearest + n->slack;
            if (-s->of_b[j].reach - s->of_a[i].reach <= still &&
                box_gap(s->of_a[i].box, s->of_b[j].box) <= still) {
                measure(n, s->of_a[i].face, s->of_b[j].face);
                traversal->nearest = fmin(traversal->nearest, sqrt(n->best.distance2));
            }
        }
    }
    traversal->seeking = traversal->nearest > 0;
    if (n->best.a != before.a || n->best.b != before.b) {
        turn_axis(s);
    }
}

static void exact_query(void *held, const geo_pose *pose, alg_answer *answer)
{
    exact_state *const s = held;
    search *const n = &s->search;
    vec3 in_both;
    if (!begin_query(n, pose, answer)) {
        return;
    }
    /* A first bound: the faces nearest to the nearest spheres, improved by approach. */
    const uint32_t *const spheres = n->spheres.last;
    measure(n, n->a->solid.faces[spheres[0]], n->b->solid.faces[spheres[1]]);
    approach(n, EXACT_ROUNDS);
    turn_axis(s);
    alg_ist_traversal traversal = {.a = &n->a->solid,
                                   .b = &n->b->solid,
                                   .pose = pose,
                                   .radius = ALG_IST_FAR, /* outer balls cover the surface */
                                   .seeking = n->best.distance2 > 0,
                                   .nearest = fmin(sqrt(n->best.distance2), answer->distance_m),
                                   .tests_most = UINT64_MAX,
                                   .decide = exact_decide,
                                   .context = s,
                                   .stack = n->spheres.stack};
    if (traversal.seeking) {
        alg_ist_traverse(&traversal);
    }
    count_work(n, &traversal, answer);
    answer_best(n, answer);
    if (n->best.distance2 > 0 &&
        geo_shells_nested(&n->a->skin->shell, &n->b->skin->shell, pose, &in_both)) {
        answer->distance_m = 0;
        answer->witness_a = answer->witness_b = in_both;
        answer->colliding = true;
    }
}

const alg_algorithm alg_ist_exact = {
    .abi_version = ALG_ABI_VERSION,
    .name = "ist-exact",
    .summary = "inner sphere trees whose outer spheres own the surface: the exact distance",
    .source = "IST IV-A",
    .flags = ALG_NEEDS_SOLIDS | ALG_KEEPS_STATE,
    .parameters = exact_parameters,
    .parameter_count = ALG_IST_SHARED,
    .counters = counter_names,
    .contract = exact_contract,
    .prepare = prepare,
    .dispose = alg_destroy,
    .bind = exact_bind,
    .release = alg_destroy,
    .reset = reset,
    .query = exact_query,
    .draw = alg_ist_body_draw,
    .facts = alg_ist_facts,
    .save = alg_ist_body_save,
    .load = alg_ist_body_load,
    .body_settings = exact_body_settings,
};
