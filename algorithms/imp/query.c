#include "algorithms/imp/query.h"

#include "base/elementary.h"

#include <math.h>
#include <string.h>

static const double ROOT3 = 1.7320508075688772;

/** A node of either body, or a voxel. */
typedef struct ball {
    uint32_t level, number;
    uint16_t cell[3];
    float at[3];   /* A's units */
    double radius; /* A's units */
    vec3 normal;   /* A's frame; 0: it has none */
} ball;

/** What is summed up over the pairs, in A's units. */
typedef struct sums {
    const alg_imp_question *question;
    alg_answer *answer;
    bool pushes; /* are asked for, or a list */
    ball b;      /* of the last pair: others with it follow */
    bool b_known;
    vec3 force, torque; /* about A's corner */
    vec3 corner;        /* of A's voxel (0, 0, 0), in metres */
    double deepest;     /* of the pairs with a normal; negative: there is none yet */
    vec3 direction;
    uint64_t order[2]; /* of that pair: B's cell, A's */
} sums;

/* --- Balls ------------------------------------------------------------------------------------ */

static bool is_zero(vec3 v)
{
    return v.x == 0 && v.y == 0 && v.z == 0;
}

/** The first voxel of a node, by number; ALG_IMP_FULL where it has none that is stored. */
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
    const uint32_t voxel = level == 0 ? number : first_voxel(&body->tree, level, number);
    if (voxel == ALG_IMP_FULL) {
        return (vec3){0, 0, 0};
    }
    const float *const n = body->voxels[voxel].normal;
    return (vec3){(double)n[0], (double)n[1], (double)n[2]};
}

/** Of its own body's units and frame. */
static ball find_ball(const alg_imp_body *body, uint32_t level, uint32_t number,
                      const uint16_t cell[3])
{
    ball found = {.level = level, .number = number, .radius = ROOT3};
    memcpy(found.cell, cell, sizeof found.cell);
    alg_imp_sphere sphere = {.radius = 0};
    float half = 1;
    if (level > 0) {
        sphere = alg_imp_sphere_of(&body->tree, level, number);
        half = (float)(1u << level * alg_imp_bits(body->tree.children));
        found.radius = (double)sphere.radius;
    }
    for (int i = 0; i < 3; i++) {
        found.at[i] = (float)(2 * cell[i] + 1) * half + sphere.offset[i];
    }
    found.normal = normal_of(body, level, number);
    return found;
}

/** Carries B's into A's units and frame. */
static void move_ball(const sums *s, ball *b)
{
    const alg_imp_pair *const pair = s->question->pair;
    const float own[3] = {b->at[0], b->at[1], b->at[2]};
    alg_imp_centre_b(pair, own[0], own[1], own[2], b->at);
    b->radius *= (double)pair->ratio;
    b->normal = geo_pose_rotate(s->question->pose, b->normal);
}

/* --- Pairs ------------------------------------------------------------------------------------ */

/** A number by which cells are in order. */
static uint64_t order_of(const uint16_t cell[3])
{
    return (uint64_t)cell[2] << 32 | (uint64_t)cell[1] << 16 | cell[0];
}

static void keep_deepest(sums *s, const ball *a, double depth, vec3 normal)
{
    const uint64_t order[2] = {order_of(s->b.cell), order_of(a->cell)};
    const bool before =
        order[0] < s->order[0] || (order[0] == s->order[0] && order[1] < s->order[1]);
    if (depth > s->deepest || (depth == s->deepest && before)) {
        s->deepest = depth;
        s->direction = normal;
        memcpy(s->order, order, sizeof order);
    }
}

static void add_push(sums *s, vec3 point, vec3 normal, double depth)
{
    const vec3 force = vec3_scale(depth, normal);
    s->force = vec3_add(s->force, force);
    s->torque = vec3_add(s->torque, vec3_cross(point, force));
}

static void list_contact(alg_answer *answer, vec3 point, vec3 normal, double depth_m)
{
    if (answer->contact_count < answer->contact_capacity) {
        answer->contacts[answer->contact_count] = (alg_contact){point, normal, depth_m};
    }
    answer->contact_count++;
}

static void add_pair(sums *s, const ball *a)
{
    const ball *const b = &s->b;
    alg_answer *const answer = s->answer;
    const double unit = s->question->pair->unit_m;
    const double distance = sqrt((double)alg_imp_distance2(a->at, b->at));
    const double reach = a->radius + b->radius, share = a->radius / reach;
    const double depth = fmax(reach - distance, 0);
    const vec3 ca = {(double)a->at[0], (double)a->at[1], (double)a->at[2]};
    const vec3 cb = {(double)b->at[0], (double)b->at[1], (double)b->at[2]};
    const vec3 point = vec3_madd(ca, share, vec3_sub(cb, ca));
    const bool has_normal = !is_zero(a->normal) || !is_zero(b->normal);
    const vec3 normal = is_zero(a->normal) ? vec3_sub((vec3){0, 0, 0}, b->normal) : a->normal;
    add_push(s, point, normal, depth);
    if (has_normal && depth >= s->deepest) {
        keep_deepest(s, a, depth, normal);
    }
    list_contact(answer, vec3_madd(s->corner, unit, point), vec3_normalize(normal), unit * depth);
}

/** Surfaces that meet, by their points (nearest.h); the first of equally deep ones is the deepest. alg_imp_touch_visitor */
static void add_touch(void *context, const alg_imp_touch *touch)
{
    sums *const s = context;
    const double per_unit = 1 / s->question->pair->unit_m, depth = per_unit * touch->depth_m;
    const vec3 point = vec3_scale(per_unit, vec3_sub(touch->point, s->corner));
    add_push(s, point, touch->normal, depth);
    if (depth > s->deepest) {
        s->deepest = depth;
        s->direction = touch->normal;
    }
    list_contact(s->answer, touch->point, vec3_normalize(touch->normal), touch->depth_m);
}

/** alg_imp_taker */
static bool take(void *context, const alg_imp_hits *hits)
{
    sums *const s = context;
    const alg_imp_pair *const pair = s->question->pair;
    s->answer->colliding = true;
    if (!s->pushes) {
        return false;
    }
    if (s->question->nearest && hits->level_a == 0 && hits->level_b == 0) {
        alg_imp_nearest_add(s->question->nearest, hits);
        return true;
    }
    for (uint32_t i = 0; i < hits->count; i++) {
        const alg_imp_hit *const hit = &hits->items[i];
        if (!s->b_known || s->b.level != hits->level_b ||
            memcmp(s->b.cell, hit->cell_b, sizeof s->b.cell) != 0) {
            s->b = find_ball(pair->b, hits->level_b, hit->b, hit->cell_b);
            move_ball(s, &s->b);
            s->b_known = true;
        }
        const ball a = find_ball(pair->a, hits->level_a, hit->a, hit->cell_a);
        add_pair(s, &a);
    }
    return true;
}

/* --- Answers ---------------------------------------------------------------------------------- */

static void answer_force(const sums *s, alg_answer *answer)
{
    const alg_imp_question *const q = s->question;
    const double unit = q->pair->unit_m;
    answer->answered |= ALG_HAS_FORCE;
    /* Far bodies may be anywhere, even where levers are no numbers. */
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
        .corner = alg_voxel_box(&question->pair->a->grid, 0, 0, 0).lo,
        .deepest = -1,
    };
    bool whole = true;
    if (alg_imp_pair_place(question->pair, question->pose)) {
        if (question->nearest) {
            alg_imp_nearest_begin(question->nearest, question->pose);
        }
        whole = alg_imp_search_run(question->search, take, &s, answer->counters);
        if (question->nearest) {
            alg_imp_nearest_visit(question->nearest, add_touch, &s);
        }
    }
    if (s.pushes) {
        answer->answered |= ALG_HAS_CONTACTS;
    }
    if (question->wanted & ALG_WANT_CONTACT) {
        answer->answered |= ALG_HAS_CONTACT;
    }
    if (question->wanted & ALG_WANT_DEPTH) {
        answer_depth(&s, answer);
    }
    if (question->wanted & ALG_WANT_FORCE) {
        answer_force(&s, answer);
    }
    answer->outcome = whole ? ALG_CONVERGED : ALG_BUDGET_REACHED;
}
