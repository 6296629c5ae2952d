#include "algorithms/imp/query.h"

#include "base/simd.h"
#include "algorithms/imp/patches.h"

#include <math.h>
#include <string.h>

/** Sums over the pairs, in A's units. */
typedef struct sums {
    const alg_imp_question *question;
    alg_answer *answer;
    bool pushes; /* depth, force or a list of contacts is wanted */
    bool avx2;
    vec3 force, torque; /* torque about `corner` */
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

static vec3 vector_of(const float v[3])
{
    return (vec3){(double)v[0], (double)v[1], (double)v[2]};
}

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
    return vector_of(body->voxels[voxel].normal);
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
    const vec3 ca = vector_of(at), cb = vector_of(moved);
    push p = {.depth = fmax(a + b - vec3_distance(ca, cb), 0),
              .point = vec3_madd(ca, a / (a + b), vec3_sub(cb, ca)),
              .normal = normal_of(pair->a, hits->level_a, hit->a)};
    if (is_zero(p.normal)) {
        p.normal = normal_against(s->question, hits->level_b, hit->b);
    }
    return p;
}

/* --- Pairs of voxels -------------------------------------------------------------------------- */

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
 * Adds the contributions of a pair that are not summed eight at a time: its force if A's voxel has
 * no normal, its depth if it is the deepest pair, and its entry in the list of contacts.
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

/* --- Contacts of surfaces --------------------------------------------------------------------- */

/** A patch of B, and the patch of A nearest to it, by the distance of their points. */
typedef struct candidate {
    double distance2;
    vec3 point;        /* point of B's patch, in A's frame */
    uint32_t a, voxel; /* patch, and the voxel of the patch */
} candidate;

/** Number of points that are searched together. */
enum { GROUP_MAX = 256 };

/** A group is below a node of 2^3 voxels along an edge, or 2^2 with 64 children. */
enum { GROUP_BITS = 3 };

/** Patches of B below one node that are deep inside of A. */
typedef struct group {
    uint32_t count;
    uint32_t patch[GROUP_MAX], nearest[GROUP_MAX];
    vec3 point[GROUP_MAX]; /* in A's frame */
    alg_imp_near near;
} group;

struct alg_imp_nearest {
    const alg_imp_pair *pair;
    geo_pose pose;
    candidate *of;    /* [patch of B]; valid only if marked */
    uint64_t *marked; /* one bit per patch of B */
    size_t word_count;
    uint32_t hint; /* A's patch that the last search found, where the next one starts */
    group *inside;
};

base_status alg_imp_nearest_create(const alg_imp_pair *pair, base_arena *arena,
                                   alg_imp_nearest **nearest, base_error *err)
{
    const size_t count = pair->b->patch_starts[pair->b->tree.voxel_count];
    const size_t words = (count + 63) / 64;
    alg_imp_nearest *const n = base_arena_alloc(arena, 1, sizeof *n);
    candidate *const of = base_arena_alloc(arena, count, sizeof *of);
    uint64_t *const marked = base_arena_alloc(arena, words, sizeof *marked);
    group *const inside = base_arena_alloc(arena, 1, sizeof *inside);
    *nearest = n;
    if (!n || !of || !marked || !inside) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for contacts of %zu patches", count);
    }
    *n = (alg_imp_nearest){
        .pair = pair, .of = of, .marked = marked, .word_count = words, .inside = inside};
    return BASE_OK;
}

static bool is_marked(const alg_imp_nearest *n, uint32_t patch)
{
    return n->marked[patch / 64] >> patch % 64 & 1;
}

static candidate *candidate_of(alg_imp_nearest *n, uint32_t patch)
{
    candidate *const c = &n->of[patch];
    if (!is_marked(n, patch)) {
        n->marked[patch / 64] |= (uint64_t)1 << patch % 64;
        *c = (candidate){INFINITY, geo_pose_apply(&n->pose, alg_imp_patch_point(n->pair->b, patch)),
                         0, 0};
    }
    return c;
}

static void compare(const alg_imp_body *body, uint32_t voxel, candidate *c)
{
    for (uint32_t a = body->patch_starts[voxel]; a < body->patch_starts[voxel + 1]; a++) {
        const double distance2 = vec3_distance2(alg_imp_patch_point(body, a), c->point);
        /* If several patches are equally near, the one with the smallest number is taken, so that
         * the order of hits does not matter. */
        if (distance2 < c->distance2 || (distance2 == c->distance2 && a < c->a)) {
            c->distance2 = distance2;
            c->a = a;
            c->voxel = voxel;
        }
    }
}

/**
 * Adds hits between voxels. Hits with a full voxel are skipped, because they say nothing about
 * surfaces.
 */
static void add_surfaces(alg_imp_nearest *nearest, const alg_imp_hits *hits)
{
    const alg_imp_body *const a = nearest->pair->a;
    const uint32_t *const starts = nearest->pair->b->patch_starts;
    for (uint32_t i = 0; i < hits->count; i++) {
        const alg_imp_hit *const hit = &hits->items[i];
        if (hit->a == ALG_IMP_FULL || hit->b == ALG_IMP_FULL) {
            continue;
        }
        const bool bare = a->patch_starts[hit->a] == a->patch_starts[hit->a + 1];
        for (uint32_t b = starts[hit->b]; !bare && b < starts[hit->b + 1]; b++) {
            compare(a, hit->a, candidate_of(nearest, b));
        }
    }
}

/**
 * Adds the contact of a patch of B if its point is behind A's surface. `on_b`: the point, in A's
 * frame. Of equally deep contacts, the first one counts as the deepest.
 */
static void add_touch(sums *s, uint32_t patch, vec3 on_b, vec3 normal, double depth)
{
    const alg_imp_nearest *const n = s->question->nearest;
    const alg_imp_patch *const b = &n->pair->b->patches[patch];
    const double per_unit = 1 / n->pair->unit_m;
    if (!(depth > 0 && vec3_norm2(normal) > 0)) {
        return;
    }
    const vec3 own = geo_pose_rotate(&n->pose, vector_of(b->normal));
    const vec3 point = vec3_madd(on_b, 0.5 * depth, normal); /* halfway between B's point and A's
                                                                surface */
    const vec3 force = vec3_scale(per_unit, vec3_scale(-depth * (double)b->faces, own));
    const vec3 lever = vec3_scale(per_unit, vec3_sub(on_b, s->corner));
    const push p = {.depth = per_unit * depth,
                    .point = vec3_scale(per_unit, vec3_sub(point, s->corner)),
                    .normal = normal};
    s->force = vec3_add(s->force, force);
    s->torque = vec3_add(s->torque, vec3_cross(lever, force));
    if (p.depth > s->deepest) {
        s->deepest = p.depth;
        s->direction = p.normal;
    }
    list_contact(s, &p);
    s->answer->contact_count++;
}

/** Adds the contacts of the patches near A's surface. */
static void add_planes(sums *s)
{
    const alg_imp_nearest *const n = s->question->nearest;
    for (size_t word = 0; word < n->word_count; word++) {
        for (uint64_t left = n->marked[word]; left != 0; left &= left - 1) {
            const uint32_t b = (uint32_t)(64 * word) + (uint32_t)__builtin_ctzll(left);
            const candidate *const c = &n->of[b];
            const alg_imp_side side = alg_imp_side_of(n->pair->a, c->voxel, c->a, c->point);
            add_touch(s, b, c->point, side.normal, side.depth);
        }
    }
}

/**
 * Adds the contact of a patch deep inside of A. A's surface is represented by a round plate at A's
 * nearest patch; its radius is half a voxel's diagonal. If the point is not below the plate, as it
 * may be at a concave edge, the nearest point of the plate is on its rim.
 */
static void add_plate(sums *s, uint32_t patch, vec3 on_b, uint32_t nearest_a)
{
    const alg_imp_body *const a = s->question->nearest->pair->a;
    const vec3 normal = vector_of(a->patches[nearest_a].normal);
    const vec3 to_a = vec3_sub(alg_imp_patch_point(a, nearest_a), on_b);
    const double height = vec3_dot(to_a, normal);
    const vec3 across = vec3_madd(to_a, -height, normal);
    const double beside = fmax(0, 1 - ALG_IMP_POINT_REACH * a->grid.edge / vec3_norm(across));
    const vec3 out = vec3_add(vec3_scale(height, normal), vec3_scale(beside, across));
    add_touch(s, patch, on_b, vec3_normalize(out), vec3_norm(out));
}

/** True if the position, in half edges of A's voxels, is in a full voxel of A. */
static bool is_full(const alg_imp_body *a, const float at[3])
{
    const uint32_t *const n = a->grid.size;
    for (int i = 0; i < 3; i++) {
        if (!(at[i] >= 0 && at[i] < (float)(2 * n[i]))) {
            return false;
        }
    }
    return alg_imp_descriptor_at(a, (uint32_t)at[0] / 2, (uint32_t)at[1] / 2,
                                 (uint32_t)at[2] / 2) == ALG_IMP_VOXEL_FULL;
}

/** Adds the contacts of the group, and empties it. */
static void end_group(sums *s)
{
    alg_imp_nearest *const n = s->question->nearest;
    group *const g = n->inside;
    if (g->count > 0) {
        n->hint =
            alg_imp_closest_patches(n->pair->a, g->point, g->count, n->hint, &g->near, g->nearest);
    }
    for (uint32_t i = 0; i < g->count; i++) {
        add_plate(s, g->patch[i], g->point[i], g->nearest[i]);
    }
    g->count = 0;
}

/**
 * Adds the contacts of the voxels below a node of B that are completely inside of A. If only
 * contact is wanted, the first such voxel ends the search. Because of the padding of grids, a tree
 * has at least 2^3 voxels along an edge, so a node ends each group.
 */
static void add_inside(sums *s, uint32_t level, const alg_imp_child *node)
{
    alg_imp_nearest *const n = s->question->nearest;
    group *const g = n->inside;
    const alg_imp_body *const a = n->pair->a, *const b = n->pair->b;
    if (!s->pushes && s->answer->colliding) {
        return;
    }
    const alg_imp_sphere ball = alg_imp_sphere_of(&b->tree, level, node->number);
    const uint32_t bits = alg_imp_bits(b->tree.children);
    const float half = (float)(1u << level * bits);
    float centre[3];
    alg_imp_centre_b(n->pair, half * (float)(2 * node->cell.x + 1) + ball.offset[0],
                     half * (float)(2 * node->cell.y + 1) + ball.offset[1],
                     half * (float)(2 * node->cell.z + 1) + ball.offset[2], centre);
    if (level == 0) {
        const bool full = is_full(a, centre);
        const uint32_t end = full && s->pushes ? b->patch_starts[node->number + 1] : 0;
        s->answer->colliding = s->answer->colliding || full;
        for (uint32_t p = b->patch_starts[node->number]; p < end; p++) {
            if (is_marked(n, p)) {
                continue;
            }
            if (g->count == GROUP_MAX) {
                end_group(s);
            }
            g->patch[g->count] = p;
            g->point[g->count++] = geo_pose_apply(&n->pose, alg_imp_patch_point(b, p));
        }
        return;
    }
    if (alg_imp_coarse_misses(a->coarse, centre,
                              ball.radius * n->pair->ratio + 2 * n->pair->slack)) {
        return;
    }
    alg_imp_child children[ALG_IMP_CHILDREN_MAX];
    const uint32_t count = alg_imp_tree_open(&b->tree, level, node, children);
    for (uint32_t i = 0; i < count; i++) {
        add_inside(s, level - 1, &children[i]);
    }
    if (level == GROUP_BITS / bits) {
        end_group(s);
    }
}

/* --- Answers ---------------------------------------------------------------------------------- */

/** Implements alg_imp_taker. */
static bool take(void *context, const alg_imp_hits *hits)
{
    sums *const s = context;
    const bool voxels = hits->level_a == 0 && hits->level_b == 0;
    s->answer->colliding = true;
    if (!voxels) {
        /* If two balls meet, the surfaces in them are no farther apart than the sum of both
         * diameters. No ball of a level is larger than that of a full node. */
        const alg_imp_pair *const pair = s->question->pair;
        const alg_imp_sphere a = alg_imp_sphere_of(&pair->a->tree, hits->level_a, ALG_IMP_FULL);
        const alg_imp_sphere b = alg_imp_sphere_of(&pair->b->tree, hits->level_b, ALG_IMP_FULL);
        const double radii = (double)a.radius + (double)b.radius * (double)pair->ratio;
        s->bound = fmax(s->bound, 2 * (radii + (double)pair->slack));
    }
    if (s->pushes && voxels && s->question->nearest) {
        add_surfaces(s->question->nearest, hits);
    } else if (s->pushes && voxels) {
        add_voxels(s, hits);
    } else if (s->pushes) {
        add_nodes(s, hits);
    }
    return s->pushes;
}

static void answer_force(const sums *s, alg_answer *answer)
{
    const alg_imp_question *const q = s->question;
    const double unit = q->pair->unit_m;
    answer->answered |= ALG_HAS_FORCE;
    /* Without contacts the force remains 0: if the bodies are very far apart, the lever may not be
     * finite. */
    if (answer->contact_count == 0) {
        return;
    }
    const vec3 centroid = geo_pose_apply(q->pose, q->pair->b->centroid);
    const vec3 lever = vec3_scale(1 / unit, vec3_sub(centroid, s->corner));
    const vec3 torque = vec3_sub(s->torque, vec3_cross(lever, s->force));
    answer->force = vec3_scale(unit, s->force);
    answer->torque = vec3_scale(unit * unit, torque);
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
        alg_imp_nearest *const nearest = question->nearest;
        if (nearest && s.pushes) {
            nearest->pose = *question->pose;
            nearest->hint = 0;
            memset(nearest->marked, 0, nearest->word_count * sizeof *nearest->marked);
        }
        whole = alg_imp_search_run(question->search, take, &s, answer->counters);
        if (nearest && s.pushes) {
            add_planes(&s);
        }
        if (nearest && question->pair->a->coarse) {
            const alg_imp_child root = {0};
            add_inside(&s, question->pair->b->tree.root_level, &root);
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
        answer->answered |= ALG_HAS_DEPTH;
    }
    if (question->wanted & ALG_WANT_DEPTH && s.deepest > 0) {
        answer->depth_m = question->pair->unit_m * s.deepest;
        answer->direction = vec3_normalize(s.direction);
    }
    if (question->wanted & ALG_WANT_FORCE) {
        answer_force(&s, answer);
    }
    answer->outcome = whole ? ALG_CONVERGED : ALG_BUDGET_REACHED;
}
