#include "algorithms/imp/query.h"

#include "base/simd.h"

#include <math.h>
#include <string.h>

/** Sums over the pairs, in A's units. */
typedef struct sums {
    const alg_imp_question *question;
    alg_answer *answer;
    bool pushes; /* pushes or a list of contacts are wanted */
    bool avx2;
    vec3 force, torque; /* torque about A's corner */
    vec3 corner;        /* corner of A's voxel (0, 0, 0), in metres */
    double bound;       /* error bound of a search that has stopped above the voxels; 0: it has
                           not */
    double deepest;     /* largest depth of a pair with a normal; negative: no such pair yet */
    vec3 direction;
    uint64_t order[2]; /* sort key of that pair: B's cell, A's cell */
} sums;

/** The effect of one pair. */
typedef struct push {
    double depth;
    vec3 point, normal;
} push;

/* --- Nodes ------------------------------------------------------------------------------------ */

static bool is_zero(vec3 v)
{
    return v.x == 0 && v.y == 0 && v.z == 0;
}

/**
 * Returns the number of the first voxel of a node; ALG_IMP_FULL if the node has no stored voxel.
 */
static uint32_t first_voxel(const alg_imp_tree *tree, uint32_t level, uint32_t number)
{
    for (uint32_t l = level; l > 0 && number != ALG_IMP_FULL; l--) {
        const alg_imp_level *const nodes = &tree->levels[l];
        const uint32_t below = l > 1 ? tree->levels[l - 1].count : tree->voxel_count;
        const uint32_t end = number + 1 < nodes->count ? nodes->first[number + 1] : below;
        number = nodes->first[number] < end ? nodes->first[number] : ALG_IMP_FULL;
    }
    return number;
}

static vec3 normal_of(const alg_imp_body *body, uint32_t level, uint32_t number)
{
    const uint32_t voxel = first_voxel(&body->tree, level, number);
    if (voxel == ALG_IMP_FULL) {
        return (vec3){0, 0, 0};
    }
    const float *const n = body->voxels[voxel].normal;
    return (vec3){(double)n[0], (double)n[1], (double)n[2]};
}

/** Returns minus the normal of a node of B, in A's frame. */
static vec3 normal_against(const alg_imp_question *q, uint32_t level, uint32_t number)
{
    const vec3 own = normal_of(q->pair->b, level, number);
    return vec3_scale(-1, geo_pose_rotate(q->pose, own));
}

/** Computes the centre of a node's ball, in its body's units. Returns its radius. */
static double place_ball(const alg_imp_tree *tree, uint32_t level, uint32_t number,
                         const uint16_t cell[3], float at[3])
{
    const alg_imp_sphere sphere = alg_imp_sphere_of(tree, level, number);
    const float half = (float)(1u << level * alg_imp_bits(tree->children));
    for (int i = 0; i < 3; i++) {
        at[i] = (float)(2 * cell[i] + 1) * half + sphere.offset[i];
    }
    return (double)sphere.radius;
}

/** Returns the push of a pair of nodes, for a search that has stopped above the voxels. */
static push push_of_nodes(const sums *s, const alg_imp_hits *hits, const alg_imp_hit *hit)
{
    const alg_imp_pair *const pair = s->question->pair;
    float at[3], own[3], moved[3];
    const double a = place_ball(&pair->a->tree, hits->level_a, hit->a, hit->cell_a, at);
    const double b =
        place_ball(&pair->b->tree, hits->level_b, hit->b, hit->cell_b, own) * (double)pair->ratio;
    alg_imp_centre_b(pair, own[0], own[1], own[2], moved);
    const vec3 ca = {(double)at[0], (double)at[1], (double)at[2]};
    const vec3 cb = {(double)moved[0], (double)moved[1], (double)moved[2]};
    push p = {.depth = fmax(a + b - vec3_distance(ca, cb), 0),
              .point = vec3_madd(ca, a / (a + b), vec3_sub(cb, ca)),
              .normal = normal_of(pair->a, hits->level_a, hit->a)};
    if (is_zero(p.normal)) {
        p.normal = normal_against(s->question, hits->level_b, hit->b);
    }
    return p;
}

/* --- Pairs ------------------------------------------------------------------------------------ */

/** Returns a number that sorts cells by z, then y, then x. */
static uint64_t order_of(const uint16_t cell[3])
{
    return (uint64_t)cell[2] << 32 | (uint64_t)cell[1] << 16 | cell[0];
}

/** Updates the deepest pair with a pair that is at least as deep. */
static void keep_deepest(sums *s, const alg_imp_hit *hit, const push *p)
{
    const uint64_t order[2] = {order_of(hit->cell_b), order_of(hit->cell_a)};
    const bool before =
        order[0] < s->order[0] || (order[0] == s->order[0] && order[1] < s->order[1]);
    if (!is_zero(p->normal) && (p->depth > s->deepest || before)) {
        s->deepest = p->depth;
        s->direction = p->normal;
        memcpy(s->order, order, sizeof order);
    }
}

static void list_contact(const sums *s, const push *p)
{
    alg_answer *const answer = s->answer;
    const double unit = s->question->pair->unit_m;
    if (answer->contact_count < answer->contact_capacity) {
        answer->contacts[answer->contact_count] = (alg_contact){
            vec3_madd(s->corner, unit, p->point), vec3_normalize(p->normal), unit * p->depth};
    }
}

static void add_force(sums *s, const push *p)
{
    const vec3 force = vec3_scale(p->depth, p->normal);
    s->force = vec3_add(s->force, force);
    s->torque = vec3_add(s->torque, vec3_cross(p->point, force));
}

static void add_nodes(sums *s, const alg_imp_hits *hits)
{
    for (uint32_t i = 0; i < hits->count; i++) {
        const push p = push_of_nodes(s, hits, &hits->items[i]);
        add_force(s, &p);
        if (p.depth >= s->deepest) {
            keep_deepest(s, &hits->items[i], &p);
        }
        list_contact(s, &p);
        s->answer->contact_count++;
    }
}

static vec3 lane_of(float lanes[3][ALG_IMP_PUSHES], uint32_t i)
{
    return (vec3){(double)lanes[0][i], (double)lanes[1][i], (double)lanes[2][i]};
}

/**
 * Adds a pair that needs individual treatment: A's voxel has no normal, or the pair is the deepest,
 * or it is listed.
 */
static void add_alone(sums *s, const alg_imp_hit *hit, alg_imp_pushes *of, uint32_t i)
{
    push p = {(double)of->depth[i], lane_of(of->point, i), lane_of(of->normal, i)};
    if (of->bare >> i & 1) {
        p.normal = normal_against(s->question, 0, hit->b);
        add_force(s, &p);
    }
    if (p.depth >= s->deepest) {
        keep_deepest(s, hit, &p);
    }
    list_contact(s, &p);
}

/** Adds up to eight pairs of voxels. */
static void add_pushes(sums *s, const alg_imp_hit *hits, uint32_t count, alg_imp_pushes *of)
{
    const bool listed = s->answer->contact_count < s->answer->contact_capacity;
    vec3 force = s->force, torque = s->torque;
    uint32_t alone = listed ? 0xff : of->bare;
    for (uint32_t i = 0; i < count; i++) {
        force = vec3_add(force, lane_of(of->force, i));
        torque = vec3_add(torque, lane_of(of->torque, i));
        alone |= (uint32_t)((double)of->depth[i] >= s->deepest) << i;
    }
    s->force = force;
    s->torque = torque;
    for (uint32_t i = 0; i < count; i++) {
        if (alone >> i & 1) {
            add_alone(s, &hits[i], of, i);
        }
        s->answer->contact_count += listed;
    }
    s->answer->contact_count += listed ? 0 : count;
}

static void add_voxels(sums *s, const alg_imp_hits *hits)
{
    const alg_imp_pair *const pair = s->question->pair;
    const uint32_t whole = hits->count - hits->count % ALG_IMP_PUSHES, rest = hits->count - whole;
    alg_imp_pushes of;
    for (uint32_t i = 0; i < whole; i += ALG_IMP_PUSHES) {
        (s->avx2 ? alg_imp_push_avx2 : alg_imp_push_sse2)(pair, hits->items + i, &of);
        add_pushes(s, hits->items + i, ALG_IMP_PUSHES, &of);
    }
    if (rest > 0) {
        alg_imp_hit last[ALG_IMP_PUSHES] = {0};
        memcpy(last, hits->items + whole, rest * sizeof *last);
        (s->avx2 ? alg_imp_push_avx2 : alg_imp_push_sse2)(pair, last, &of);
        add_pushes(s, last, rest, &of);
    }
}

/** Implements alg_imp_touch_visitor. Among equally deep contacts the first one is the deepest. */
static void add_touch(void *context, const alg_imp_touch *touch)
{
    sums *const s = context;
    const double per_unit = 1 / s->question->pair->unit_m;
    const push p = {.depth = per_unit * touch->depth_m,
                    .point = vec3_scale(per_unit, vec3_sub(touch->point, s->corner)),
                    .normal = touch->normal};
    const vec3 force = vec3_scale(per_unit, touch->force);
    const vec3 lever = vec3_scale(per_unit, vec3_sub(touch->on_b, s->corner));
    s->force = vec3_add(s->force, force);
    s->torque = vec3_add(s->torque, vec3_cross(lever, force));
    if (p.depth > s->deepest) {
        s->deepest = p.depth;
        s->direction = p.normal;
    }
    list_contact(s, &p);
    s->answer->contact_count++;
}

/**
 * Returns the radius of the largest ball of a level, in its body's units; for level 0 that of a
 * voxel.
 */
static double largest_radius(const alg_imp_tree *tree, uint32_t level)
{
    return (double)alg_imp_sphere_of(tree, level, ALG_IMP_FULL).radius;
}

/**
 * Updates the bound: surfaces in two balls that meet are no farther apart than the sum of both
 * diameters.
 */
static void note_bound(sums *s, const alg_imp_hits *hits)
{
    const alg_imp_pair *const pair = s->question->pair;
    const double a = largest_radius(&pair->a->tree, hits->level_a);
    const double b = largest_radius(&pair->b->tree, hits->level_b) * (double)pair->ratio;
    s->bound = fmax(s->bound, 2 * (a + b + (double)pair->slack));
}

/** Implements alg_imp_taker. */
static bool take(void *context, const alg_imp_hits *hits)
{
    sums *const s = context;
    s->answer->colliding = true;
    if (hits->level_a > 0 || hits->level_b > 0) {
        note_bound(s, hits);
    }
    const bool voxels = hits->level_a == 0 && hits->level_b == 0;
    if (s->pushes && voxels && s->question->nearest) {
        alg_imp_nearest_add(s->question->nearest, hits);
    } else if (s->pushes && voxels) {
        add_voxels(s, hits);
    } else if (s->pushes) {
        add_nodes(s, hits);
    }
    return s->pushes;
}

/* --- Answers ---------------------------------------------------------------------------------- */

static void answer_force(const sums *s, alg_answer *answer)
{
    const alg_imp_question *const q = s->question;
    const double unit = q->pair->unit_m;
    answer->answered |= ALG_HAS_FORCE;
    /* The pose of far bodies may be so large that the lever is not finite. */
    if (answer->contact_count == 0) {
        return;
    }
    const vec3 centroid = geo_pose_apply(q->pose, q->pair->b->centroid);
    const vec3 lever = vec3_scale(1 / unit, vec3_sub(centroid, s->corner));
    const vec3 torque = vec3_sub(s->torque, vec3_cross(lever, s->force));
    answer->force = vec3_scale(unit, s->force);
    answer->torque = vec3_scale(unit * unit, torque);
}

static void answer_depth(const sums *s, alg_answer *answer)
{
    if (s->deepest > 0) {
        answer->depth_m = s->question->pair->unit_m * s->deepest;
        answer->direction = vec3_normalize(s->direction);
    }
    answer->answered |= ALG_HAS_DEPTH;
}

void alg_imp_answer_contacts(const alg_imp_question *question, alg_answer *answer)
{
    sums s = {
        .question = question,
        .answer = answer,
        .pushes =
            (question->wanted & (ALG_WANT_DEPTH | ALG_WANT_FORCE)) || answer->contact_capacity > 0,
        .avx2 = base_cpu_avx2(),
        .corner = alg_voxel_box(&question->pair->a->grid, 0, 0, 0).lo,
        .deepest = -1,
    };
    bool whole = true;
    if (alg_imp_pair_place(question->pair, question->pose)) {
        const bool nearest = s.pushes && question->nearest;
        if (nearest) {
            alg_imp_nearest_begin(question->nearest, question->pose);
        }
        whole = alg_imp_search_run(question->search, take, &s, answer->counters);
        if (nearest) {
            alg_imp_nearest_visit(question->nearest, add_touch, &s);
        }
    }
    if (s.pushes) {
        answer->answered |= ALG_HAS_CONTACTS;
    }
    if (question->wanted & ALG_WANT_CONTACT) {
        answer->answered |= ALG_HAS_CONTACT;
    }
    if (s.bound > 0) {
        answer->distance_lo_m = 0;
        answer->distance_hi_m = question->pair->unit_m * s.bound;
        answer->answered |= ALG_HAS_DISTANCE_BRACKET;
    }
    if (question->wanted & ALG_WANT_DEPTH) {
        answer_depth(&s, answer);
    }
    if (question->wanted & ALG_WANT_FORCE) {
        answer_force(&s, answer);
    }
    answer->outcome = whole ? ALG_CONVERGED : ALG_BUDGET_REACHED;
}
