/**
 * Traversal of two inner sphere trees: distance, volume, or both at once.
 *
 * All in A's frame; B's balls are moved when their node is visited. A lane that is not used is NaN
 * and fails every test.
 */
#include "algorithms/ist/query.h"

#include "geometry/pose.h"
#include "geometry/sphere.h"

#define K ALG_IST_BRANCHING_MAX

typedef struct traversal {
    const alg_ist_pair *pair;
    const geo_pose *pose;
    double slack;   /* what rounding may add to a gap between balls */
    bool near;      /* balls around primary spheres are enough */
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

/** The balls of the children of a node in A's frame. */
typedef struct family {
    uint32_t count;
    vec3 centre[K];
    double radius[K];
    uint32_t child[K];
} family;

/** A leaf is a family of one, so that it meets the children of an inner node. */
static void open_child(const traversal *t, const alg_ist_tree *tree, const geo_pose *pose,
                       uint32_t child, family *f)
{
    f->count = 0;
    if (child & ALG_IST_LEAF) {
        const alg_ist_sphere *const s = &tree->spheres[child & ~ALG_IST_LEAF];
        f->centre[0] = pose != NULL ? geo_pose_apply(pose, s->centre) : s->centre;
        f->radius[0] = t->near ? s->primary : fmax(s->primary, s->secondary);
        f->child[f->count++] = child;
        return;
    }
    const float *const x = alg_ist_lanes(tree, child, ALG_IST_X);
    const float *const y = alg_ist_lanes(tree, child, ALG_IST_Y);
    const float *const z = alg_ist_lanes(tree, child, ALG_IST_Z);
    const float *const r = alg_ist_lanes(tree, child, t->near ? ALG_IST_NEAR : ALG_IST_FAR);
    const uint32_t *const children = alg_ist_children(tree, child);
    for (uint32_t i = 0; i < tree->branching && children[i] != ALG_IST_NOBODY; i++) {
        const vec3 c = {(double)x[i], (double)y[i], (double)z[i]};
        f->centre[i] = pose != NULL ? geo_pose_apply(pose, c) : c;
        f->radius[i] = (double)r[i];
        f->child[i] = children[i];
        f->count++;
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
    for (; t->seeking && at > base && stack[at - 1].gap < entry.gap; at--) {
        stack[at] = stack[at - 1];
    }
    stack[at] = entry;
}

/** Tests the children of one node against those of the other. */
static void expand(traversal *t, uint32_t a, uint32_t b)
{
    family fa, fb;
    open_child(t, t->pair->a, NULL, a, &fa);
    open_child(t, t->pair->b, t->pose, b, &fb);
    t->counters[ALG_IST_COUNT_NODES]++;
    t->counters[ALG_IST_COUNT_BALLS] += (uint64_t)fa.count * fb.count;
    const size_t base = t->top;
    for (uint32_t i = 0; i < fa.count; i++) {
        for (uint32_t j = 0; j < fb.count; j++) {
            const double gap =
                vec3_distance(fa.centre[i], fb.centre[j]) - fa.radius[i] - fb.radius[j];
            if (gap > widest_gap(t)) {
                continue;
            }
            if (fa.child[i] & fb.child[j] & ALG_IST_LEAF) {
                test_leaves(t, fa.child[i] & ~ALG_IST_LEAF, fb.child[j] & ~ALG_IST_LEAF);
            } else {
                push_entry(t, base, (alg_ist_entry){fa.child[i], fb.child[j], gap});
            }
        }
    }
}

static void traverse(traversal *t)
{
    const alg_ist_pair *const pair = t->pair;
    expand(t, 0, 0);
    while (t->top > 0) {
        if (!t->seeking && !(pair->wanted & ALG_WANT_VOLUME)) {
            return; /* they overlap, and how much is not asked */
        }
        const alg_ist_entry entry = pair->stack[--t->top];
        if (entry.gap <= widest_gap(t)) {
            expand(t, entry.a, entry.b);
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
    t.near = !pair->secondary || !(pair->wanted & ALG_WANT_VOLUME);
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
