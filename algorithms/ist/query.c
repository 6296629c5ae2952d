/**
 * Traversal of two inner sphere trees: distance, volume, or both at once.
 *
 * All in A's frame; B's balls are moved when their node is visited. A lane that is not used is NaN
 * and fails every test.
 */
#include "algorithms/ist/ist.h"

#include "geometry/pose.h"
#include "geometry/simd.h"
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

/** moved: centre of b's sphere in A's frame. */
static void test_leaves(traversal *t, uint32_t a, uint32_t b, vec3 moved)
{
    const alg_ist_sphere *const sa = &t->pair->a->spheres[a], *const sb = &t->pair->b->spheres[b];
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

/** Centres of B's children in A's frame: geo_pose_apply, lane by lane. */
static void move_centres(const geo_pose *pose, const alg_ist_node *node, double moved[3][K])
{
    const double shift[3] = {pose->translation.x, pose->translation.y, pose->translation.z};
    for (int i = 0; i < K; i += 2) {
        const f64x2 x = f64x2_load(node->x + i), y = f64x2_load(node->y + i);
        const f64x2 z = f64x2_load(node->z + i);
        for (int axis = 0; axis < 3; axis++) {
            const vec3 row = pose->rotation.row[axis];
            const f64x2 xy =
                f64x2_add(f64x2_mul(f64x2_set(row.x), x), f64x2_mul(f64x2_set(row.y), y));
            const f64x2 xyz = f64x2_add(xy, f64x2_mul(f64x2_set(row.z), z));
            f64x2_store(moved[axis] + i, f64x2_add(xyz, f64x2_set(shift[axis])));
        }
    }
}

/** Balls of one node against those of another: bit i * K + j for a's child i and b's child j. */
static unsigned compare_children(const alg_ist_node *a, double b_centres[3][K],
                                 const alg_ist_node *b, double widest, double d2[K * K])
{
    unsigned near = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        const f64x2 x = f64x2_set(a->x[i]), y = f64x2_set(a->y[i]), z = f64x2_set(a->z[i]);
        const f64x2 reach_a = f64x2_set(a->radius[i] + widest);
        for (uint32_t j = 0; j < K; j += 2) {
            const f64x2 dx = f64x2_sub(f64x2_load(b_centres[0] + j), x);
            const f64x2 dy = f64x2_sub(f64x2_load(b_centres[1] + j), y);
            const f64x2 dz = f64x2_sub(f64x2_load(b_centres[2] + j), z);
            const f64x2 dxy = f64x2_add(f64x2_mul(dx, dx), f64x2_mul(dy, dy));
            const f64x2 square = f64x2_add(dxy, f64x2_mul(dz, dz));
            const f64x2 reach = f64x2_add(f64x2_load(b->radius + j), reach_a);
            f64x2_store(d2 + i * K + j, square);
            near |= m64x2_bits(f64x2_le(square, f64x2_mul(reach, reach))) << (i * K + j);
        }
    }
    return near;
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
static void expand(traversal *t, const alg_ist_node *a, const alg_ist_node *b)
{
    double centres[3][K], d2[K * K];
    move_centres(t->pose, b, centres);
    t->counters[ALG_IST_COUNT_NODES]++;
    t->counters[ALG_IST_COUNT_BALLS] += (uint64_t)a->count * b->count;
    const size_t base = t->top;
    for (unsigned near = compare_children(a, centres, b, widest_gap(t), d2); near != 0;
         near &= near - 1) {
        const int bit = __builtin_ctz(near), i = bit / K, j = bit % K;
        const uint32_t child_a = a->child[i], child_b = b->child[j];
        if (child_a & child_b & ALG_IST_LEAF) {
            const vec3 moved = {centres[0][j], centres[1][j], centres[2][j]};
            test_leaves(t, child_a & ~ALG_IST_LEAF, child_b & ~ALG_IST_LEAF, moved);
        } else {
            const double gap = t->seeking ? sqrt(d2[bit]) - a->radius[i] - b->radius[j] : 0;
            push_entry(t, base, (alg_ist_entry){child_a, child_b, gap});
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
