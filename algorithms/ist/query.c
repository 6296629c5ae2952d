/**
 * Traversal of two inner sphere trees: distance, volume, or both at once.
 *
 * All in A's frame; B's balls are moved when their node is visited. A lane that is not used is NaN
 * and fails every test.
 */
#include "algorithms/ist/ist.h"

#include "geometry/pose.h"
#include "geometry/sphere.h"

#define K ALG_IST_BRANCHING

typedef struct traversal {
    const alg_ist_pair *pair;
    const geo_pose *pose;
    double slack;   /* what rounding may add to a gap between balls */
    bool seeking;   /* the distance is wanted and not yet known */
    double nearest; /* smallest gap of primary spheres so far */
    uint32_t nearest_a, nearest_b;
    double volume;
    vec3 push;  /* sum of lens volume * (c_b - c_a) */
    vec3 twist; /* sum of lever x the same */
    vec3 centroid_b;
    size_t top;
    uint64_t counters[ALG_COUNTERS_MAX];
} traversal;

/** Middle of the lens, or of the ball inside the other, on the line of centres from a, at d. */
static double lens_middle(double ra, double rb, double d)
{
    return 0.5 * (fmax(-ra, d - rb) + fmin(ra, d + rb));
}

static void add_lens(traversal *t, geo_ball a, geo_ball b, vec3 between, double d)
{
    const double volume = geo_ball_overlap_volume(a, b);
    const double part = d > 0 ? lens_middle(a.radius, b.radius, d) / d : 0;
    const vec3 lever = vec3_sub(vec3_madd(a.centre, part, between), t->centroid_b);
    const vec3 push = vec3_scale(volume, between);
    t->volume += volume;
    t->push = vec3_add(t->push, push);
    t->twist = vec3_add(t->twist, vec3_cross(lever, push));
    t->counters[ALG_IST_COUNT_CONTACTS]++;
}

static void test_leaves(traversal *t, uint32_t a, uint32_t b)
{
    const alg_ist_sphere *const sa = &t->pair->a->spheres[a], *const sb = &t->pair->b->spheres[b];
    const vec3 moved = geo_pose_apply(t->pose, sb->centre);
    const vec3 between = vec3_sub(moved, sa->centre);
    const double d = vec3_norm(between);
    t->counters[ALG_IST_COUNT_LEAVES]++;
    if (t->seeking) {
        const double gap = d - sa->primary - sb->primary;
        if (gap < t->nearest) {
            t->nearest = gap > 0 ? gap : 0;
            t->nearest_a = a;
            t->nearest_b = b;
            t->seeking = gap > 0;
        }
    }
    if (t->pair->wanted & ALG_WANT_VOLUME) {
        const double ra = t->pair->secondary ? sa->secondary : sa->primary;
        const double rb = t->pair->secondary ? sb->secondary : sb->primary;
        if (d < ra + rb) {
            add_lens(t, (geo_ball){sa->centre, ra}, (geo_ball){moved, rb}, between, d);
        }
    }
}

/** A child as a node of its own, so that a leaf meets the children of an inner node. */
static const alg_ist_node *open_child(const alg_ist_tree *tree, uint32_t child, alg_ist_node *one)
{
    if (!(child & ALG_IST_LEAF)) {
        return &tree->nodes[child];
    }
    const alg_ist_sphere *const s = &tree->spheres[child & ~ALG_IST_LEAF];
    for (int i = 0; i < K; i++) {
        one->x[i] = one->y[i] = one->z[i] = one->radius[i] = NAN;
    }
    one->x[0] = s->centre.x;
    one->y[0] = s->centre.y;
    one->z[0] = s->centre.z;
    one->radius[0] = fmax(s->primary, s->secondary);
    one->child[0] = child;
    one->count = 1;
    return one;
}

/** Balls of B's children in A's frame. */
static void move_children(const geo_pose *pose, const alg_ist_node *node, alg_ist_node *moved)
{
    for (int i = 0; i < K; i++) {
        const vec3 c = geo_pose_apply(pose, (vec3){node->x[i], node->y[i], node->z[i]});
        moved->x[i] = c.x;
        moved->y[i] = c.y;
        moved->z[i] = c.z;
        moved->radius[i] = node->radius[i];
        moved->child[i] = node->child[i];
    }
}

/** Gaps up to this one may still matter. */
static double widest_gap(const traversal *t)
{
    return (t->seeking ? t->nearest : 0) + t->slack;
}

/** Puts an entry on the stack; among those above `base` the smallest gap ends up on top. */
static void push_entry(traversal *t, size_t base, alg_ist_entry entry)
{
    alg_ist_entry *const stack = t->pair->stack;
    size_t at = t->top++;
    for (; at > base && stack[at - 1].gap < entry.gap; at--) {
        stack[at] = stack[at - 1];
    }
    stack[at] = entry;
}

/** Tests the children of one node against those of the other. */
static void expand(traversal *t, const alg_ist_node *a, const alg_ist_node *node_b)
{
    alg_ist_node b;
    move_children(t->pose, node_b, &b);
    t->counters[ALG_IST_COUNT_NODES]++;
    t->counters[ALG_IST_COUNT_BALLS] += (uint64_t)a->count * node_b->count;
    const size_t base = t->top;
    for (int i = 0; i < K; i++) {
        double d2[K];
        for (int j = 0; j < K; j++) {
            const double dx = b.x[j] - a->x[i], dy = b.y[j] - a->y[i], dz = b.z[j] - a->z[i];
            d2[j] = dx * dx + dy * dy + dz * dz;
        }
        for (int j = 0; j < K; j++) {
            const double radii = a->radius[i] + b.radius[j];
            const double reach = radii + widest_gap(t);
            if (!(d2[j] <= reach * reach)) {
                continue;
            }
            if (a->child[i] & b.child[j] & ALG_IST_LEAF) {
                test_leaves(t, a->child[i] & ~ALG_IST_LEAF, b.child[j] & ~ALG_IST_LEAF);
            } else {
                push_entry(t, base, (alg_ist_entry){a->child[i], b.child[j], sqrt(d2[j]) - radii});
            }
        }
    }
}

static void traverse(traversal *t)
{
    const alg_ist_pair *const pair = t->pair;
    expand(t, &pair->a->nodes[0], &pair->b->nodes[0]);
    while (t->top > 0) {
        if (!t->seeking && !(pair->wanted & ALG_WANT_VOLUME)) {
            return; /* they overlap, and how much is not asked */
        }
        const alg_ist_entry entry = pair->stack[--t->top];
        if (entry.gap <= widest_gap(t)) {
            alg_ist_node one_a, one_b;
            expand(t, open_child(pair->a, entry.a, &one_a), open_child(pair->b, entry.b, &one_b));
        }
    }
}

static void answer_distance(const traversal *t, alg_answer *answer)
{
    const alg_ist_sphere *const a = &t->pair->a->spheres[t->nearest_a];
    const alg_ist_sphere *const b = &t->pair->b->spheres[t->nearest_b];
    const vec3 moved = geo_pose_apply(t->pose, b->centre);
    const vec3 between = vec3_sub(moved, a->centre);
    const double d = vec3_norm(between);
    if (t->nearest > 0) {
        answer->witness_a = vec3_madd(a->centre, a->primary / d, between);
        answer->witness_b = vec3_madd(moved, -b->primary / d, between);
    } else {
        const double part = d > 0 ? lens_middle(a->primary, b->primary, d) / d : 0;
        answer->witness_a = answer->witness_b = vec3_madd(a->centre, part, between);
    }
    answer->distance_m = t->nearest;
    answer->colliding |= t->nearest == 0;
    answer->answered |= ALG_HAS_DISTANCE | ALG_HAS_WITNESS;
}

static void answer_volume(const traversal *t, alg_answer *answer)
{
    const double length = vec3_norm(t->push);
    answer->volume_m3 = t->volume;
    if (length > 0) {
        answer->force = vec3_scale(t->volume / length, t->push);
        answer->torque = vec3_scale(t->volume / length, t->twist);
    }
    answer->colliding |= t->volume > 0;
    answer->answered |= ALG_HAS_VOLUME | ALG_HAS_FORCE;
}

size_t alg_ist_stack_size(const alg_ist_tree *a, const alg_ist_tree *b)
{
    /* Each expansion takes one entry and adds up to K * K, on at most as many levels as the deeper
     * tree has. */
    return (size_t)(a->depth > b->depth ? a->depth : b->depth) * (K * K - 1) + 1;
}

void alg_ist_query(const alg_ist_pair *pair, const geo_pose *pose, alg_answer *answer)
{
    traversal t = {.pair = pair, .pose = pose, .nearest = INFINITY};
    const vec3 shift = vec3_abs(pose->translation);
    t.slack =
        32 * 0x1p-52 * (pair->a->reach + pair->b->reach + fmax(shift.x, fmax(shift.y, shift.z)));
    t.seeking = (pair->wanted & ALG_WANT_DISTANCE) != 0;
    t.centroid_b = geo_pose_apply(pose, pair->centroid_b);
    traverse(&t);
    if (pair->wanted & ALG_WANT_DISTANCE) {
        answer_distance(&t, answer);
    }
    if (pair->wanted & ALG_WANT_VOLUME) {
        answer_volume(&t, answer);
    }
    for (int i = 0; i < ALG_COUNTERS_MAX; i++) {
        answer->counters[i] = t.counters[i];
    }
    answer->outcome = ALG_CONVERGED;
}
