/**
 * The search of exact.h: a packet of eight parts of one surface is searched for in the tree of the
 * other surface.
 *
 * Bounds are computed in float, with a margin for all of their rounding. Pairs that no bound leaves
 * out are computed in double, several at a time.
 */
#include "algorithms/pst/exact.h"
#include "base/simd.h"
#include "geometry/lanes.h"

enum {
    WIDTH = GEO_TREE_WIDTH,
    STACK_MAX = GEO_TREE_LEVELS_MAX * WIDTH,
};
_Static_assert((int)WIDTH == (int)ALG_PST_WIDTH, "a triangle of a leaf meets a packet at once");

typedef struct vec8 {
    f32x8 x, y, z;
} vec8;

/** Loads float v[3][WIDTH]. This is a macro, because in C a function cannot take both const and
 * other arrays of arrays. */
#define vec8_load(v) ((vec8){f32x8_load((v)[0]), f32x8_load((v)[1]), f32x8_load((v)[2])})

static inline vec8 vec8_set(const float v[3])
{
    return (vec8){f32x8_set(v[0]), f32x8_set(v[1]), f32x8_set(v[2])};
}

static inline vec8 vec8_lane(const float v[3][WIDTH], uint32_t lane)
{
    return (vec8){f32x8_set(v[0][lane]), f32x8_set(v[1][lane]), f32x8_set(v[2][lane])};
}

static inline vec8 vec8_add(vec8 a, vec8 b)
{
    return (vec8){f32x8_add(a.x, b.x), f32x8_add(a.y, b.y), f32x8_add(a.z, b.z)};
}

static inline vec8 vec8_sub(vec8 a, vec8 b)
{
    return (vec8){f32x8_sub(a.x, b.x), f32x8_sub(a.y, b.y), f32x8_sub(a.z, b.z)};
}

static inline f32x8 vec8_dot(vec8 a, vec8 b)
{
    return f32x8_add(f32x8_add(f32x8_mul(a.x, b.x), f32x8_mul(a.y, b.y)), f32x8_mul(a.z, b.z));
}

static inline vec8 vec8_third(vec8 sum)
{
    const f32x8 third = f32x8_set(1.0F / 3);
    return (vec8){f32x8_mul(sum.x, third), f32x8_mul(sum.y, third), f32x8_mul(sum.z, third)};
}

/** A node or leaf that is still to be searched. */
typedef struct open_node {
    float gap; /* lower bound of its distance from the packet */
    uint32_t level, index;
} open_node;

typedef struct packet {
    alg_pst_exact_search *search;

    /* The parts; unused lanes repeat the last part. */
    uint32_t count, face[WIDTH];
    geo_triangle given[WIDTH]; /* parts, in the frame of their body */
    float corner[3][3][WIDTH]; /* [k][axis]: corner k of each part, in the tree's frame */
    float centre[3], radius;   /* ball around the parts */
    unsigned cut;              /* mask of the lanes whose face has several parts */

    float margin; /* bound of a gap's error: rounding in float, and search->error */
    float limit;  /* distance of the best pair + margin: greater gaps are left out */
    float axis[3];
    float end;         /* least coordinate of the parts along the axis */
    float ends[WIDTH]; /* least coordinate of each part */

    geo_distance_batch batch;
    uint32_t batch_index[GEO_DISTANCE_LANES], batch_lane[GEO_DISTANCE_LANES];
    int batch_size;

    open_node stack[STACK_MAX];
    size_t depth;
} packet;

/* --- The packet ------------------------------------------------------------------------------- */

static void gather(packet *q, const uint32_t *parts, uint32_t count)
{
    const alg_pst_parts *const all = q->search->parts;
    q->count = count;
    q->cut = 0;
    for (uint32_t i = 0; i < WIDTH; i++) {
        const uint32_t part = parts[i < count ? i : count - 1];
        const uint32_t *const c = all->parts[part].corner;
        q->given[i] = (geo_triangle){{all->points[c[0]], all->points[c[1]], all->points[c[2]]}};
        q->face[i] = all->parts[part].face;
        q->cut |= (unsigned)(all->of_face[q->face[i]] > 1) << i;
        for (int k = 0; k < 3; k++) {
            const vec3 p = geo_pose_apply(&q->search->to_tree, q->given[i].p[k]);
            q->corner[k][0][i] = (float)p.x;
            q->corner[k][1][i] = (float)p.y;
            q->corner[k][2][i] = (float)p.z;
        }
    }
}

static float greatest8(f32x8 v)
{
    float lanes[WIDTH];
    f32x8_store(lanes, v);
    float most = lanes[0];
    for (int i = 1; i < WIDTH; i++) {
        most = lanes[i] > most ? lanes[i] : most;
    }
    return most;
}

/** Computes a ball around the parts, whose centre is that of their box. Computes the margin, which
 * holds for the parts and for all triangles of the tree that can be near them. */
static void enclose(packet *q)
{
    vec8 p[3];
    for (int k = 0; k < 3; k++) {
        p[k] = vec8_load(q->corner[k]);
    }
    const f32x8 lo[3] = {f32x8_min(f32x8_min(p[0].x, p[1].x), p[2].x),
                         f32x8_min(f32x8_min(p[0].y, p[1].y), p[2].y),
                         f32x8_min(f32x8_min(p[0].z, p[1].z), p[2].z)};
    const f32x8 hi[3] = {f32x8_max(f32x8_max(p[0].x, p[1].x), p[2].x),
                         f32x8_max(f32x8_max(p[0].y, p[1].y), p[2].y),
                         f32x8_max(f32x8_max(p[0].z, p[1].z), p[2].z)};
    for (int axis = 0; axis < 3; axis++) {
        const float least = -greatest8(f32x8_sub(f32x8_set(0), lo[axis]));
        q->centre[axis] = 0.5F * (least + greatest8(hi[axis]));
    }
    const vec8 c = vec8_set(q->centre);
    f32x8 most2 = f32x8_set(0);
    for (int k = 0; k < 3; k++) {
        const vec8 d = vec8_sub(p[k], c);
        most2 = f32x8_max(most2, vec8_dot(d, d));
    }
    q->radius = greatest8(f32x8_sqrt(most2)) * (1 + 4 * FLT_EPSILON);
    const float *const m = q->centre;
    const double out = sqrt((double)(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]));
    const geo_tree *const tree = q->search->tree;
    const double error = (tree->divided ? 2 : 1) * q->search->error; /* parts are rounded too */
    q->margin = geo_motion_margin(tree->span, (double)q->radius, out, error);
}

/** Copies the axis and the limit of the search to float. Computes the ends of the parts. */
static void aim(packet *q)
{
    for (int k = 0; k < 3; k++) {
        q->axis[k] = (float)vec3_get(q->search->axis, k);
    }
    q->limit = base_float_above(sqrt(q->search->distance2) + (double)q->margin);
    const vec8 u = vec8_set(q->axis);
    const f32x8 p0 = vec8_dot(u, vec8_load(q->corner[0]));
    const f32x8 p1 = vec8_dot(u, vec8_load(q->corner[1]));
    const f32x8 ends = f32x8_min(f32x8_min(p0, p1), vec8_dot(u, vec8_load(q->corner[2])));
    f32x8_store(q->ends, ends);
    q->end = -greatest8(f32x8_sub(f32x8_set(0), ends));
}

/* --- Pairs of triangles ----------------------------------------------------------------------- */

static geo_triangle tree_triangle(const packet *q, uint32_t index)
{
    return alg_pst_exact_moved(q->search, 0, q->search->tree->triangles[index]);
}

static geo_triangle face_triangle(const packet *q, uint32_t lane)
{
    const geo_triangle t = (q->cut >> lane & 1) != 0
                               ? geo_mesh_triangle(q->search->mesh[1], q->face[lane])
                               : q->given[lane];
    return alg_pst_exact_moved(q->search, 1, t);
}

/** Computes the pairs of the batch. */
static void flush(packet *q)
{
    const int size = q->batch_size;
    if (size == 0) {
        return;
    }
    q->batch_size = 0;
    q->search->triangles += (uint64_t)size;
    geo_distance_answer answer;
    geo_distance_batch_pad(&q->batch, size);
    geo_distance_batch_measure(&q->batch, &answer);
    const double before = q->search->distance2;
    for (int i = 0; i < size; i++) {
        const bool intersect = (answer.overlap >> i & 1) != 0 &&
                               geo_triangle_intersect(tree_triangle(q, q->batch_index[i]),
                                                      face_triangle(q, q->batch_lane[i]));
        alg_pst_exact_note(q->search, q->search->tree->faces[q->batch_index[i]],
                           q->face[q->batch_lane[i]], answer.distance2[i], intersect);
    }
    if (q->search->distance2 < before && !q->search->intersect) {
        alg_pst_exact_aim(q->search);
        aim(q);
    }
}

/** Adds a pair to the batch. A divided face is measured as a whole. If the pair of whole faces was
 * already measured in this query, it is not added. The table records such pairs; a pair replaces
 * another pair with the same hash, so some are measured again. */
static void add_pair(packet *q, uint32_t index, uint32_t lane)
{
    if (q->search->tree->divided || (q->cut >> lane & 1) != 0) {
        const uint32_t face = q->search->tree->faces[index], other = q->face[lane];
        const uint64_t key = ((uint64_t)face << 32 | other) * 0x9e3779b97f4a7c15u;
        alg_pst_seen *const seen = &q->search->seen[key >> 54];
        _Static_assert(ALG_PST_SEEN == 1 << (64 - 54), "one entry for each hash");
        if (seen->query == q->search->query && seen->face[0] == face && seen->face[1] == other) {
            return;
        }
        *seen = (alg_pst_seen){{face, other}, q->search->query};
    }
    const geo_triangle s = tree_triangle(q, index), t = face_triangle(q, lane);
    const int at = q->batch_size++;
    q->batch_index[at] = index;
    q->batch_lane[at] = lane;
    geo_distance_batch_put(&q->batch, at, &s, &t);
    if (q->batch_size == GEO_DISTANCE_LANES) {
        flush(q);
    }
}

/** Returns the mask of the lanes whose parts may be near enough to a triangle of a leaf. The test
 * projects both on the line through their centroids. */
static unsigned near_lanes(const packet *q, const geo_tree_leaf *leaf, uint32_t lane)
{
    const vec8 p0 = vec8_lane(leaf->corner[0], lane), p1 = vec8_lane(leaf->corner[1], lane),
               p2 = vec8_lane(leaf->corner[2], lane);
    const vec8 q0 = vec8_load(q->corner[0]), q1 = vec8_load(q->corner[1]),
               q2 = vec8_load(q->corner[2]);
    const vec8 line = vec8_sub(vec8_third(vec8_add(vec8_add(q0, q1), q2)),
                               vec8_third(vec8_add(vec8_add(p0, p1), p2)));
    const f32x8 end_p =
        f32x8_max(f32x8_max(vec8_dot(line, p0), vec8_dot(line, p1)), vec8_dot(line, p2));
    const f32x8 end_q =
        f32x8_min(f32x8_min(vec8_dot(line, q0), vec8_dot(line, q1)), vec8_dot(line, q2));
    const f32x8 length = f32x8_sqrt(vec8_dot(line, line));
    const f32x8 far = f32x8_mul(length, f32x8_set(q->limit));
    return ~m32x8_bits(f32x8_lt(far, f32x8_sub(end_q, end_p)));
}

static unsigned lanes_of(uint32_t size, uint32_t parent)
{
    const uint32_t left = size - parent * WIDTH;
    return left < WIDTH ? (1u << left) - 1 : (1u << WIDTH) - 1;
}

static void test_leaf(packet *q, uint32_t index)
{
    const geo_tree *const tree = q->search->tree;
    const geo_tree_leaf *const leaf = &tree->leaves[index];
    const vec8 u = vec8_set(q->axis);
    const f32x8 p0 = vec8_dot(u, vec8_load(leaf->corner[0])),
                p1 = vec8_dot(u, vec8_load(leaf->corner[1])),
                p2 = vec8_dot(u, vec8_load(leaf->corner[2]));
    float reach[WIDTH];
    f32x8_store(reach, f32x8_add(f32x8_max(f32x8_max(p0, p1), p2), f32x8_set(q->limit)));
    const f32x8 ends = f32x8_load(q->ends);
    unsigned near[WIDTH], rows = lanes_of(tree->count, index);
    for (uint32_t i = 0; i < WIDTH; i++) {
        near[i] = ~m32x8_bits(f32x8_lt(f32x8_set(reach[i]), ends)) & ((1u << q->count) - 1);
        rows &= near[i] != 0 ? ~0u : ~(1u << i);
    }
    for (; rows != 0; rows &= rows - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(rows);
        unsigned left = near[i] & near_lanes(q, leaf, i);
        for (; left != 0 && !q->search->intersect; left &= left - 1) {
            add_pair(q, index * WIDTH + i, (uint32_t)__builtin_ctz(left));
        }
    }
}

/* --- Nodes ------------------------------------------------------------------------------------ */

/**
 * Returns lower bounds of the distance of the packet from the children of a node, which are
 * cylinders. The bound is the greatest of three gaps: along the line from the ball's centre to the
 * cylinder's centre, along the cylinder's axis, and along the axis of the search. The factor 1 + 16
 * eps makes the square roots not less than the exact ones, in spite of rounding.
 */
static f32x8 bound_children(const packet *q, const geo_cylinder_node *node)
{
    const vec8 centre = vec8_load(node->centre), normal = vec8_load(node->normal);
    const f32x8 h = f32x8_load(node->thickness), r = f32x8_load(node->radius);
    const f32x8 zero = f32x8_set(0), wide = f32x8_set(1 + 16 * FLT_EPSILON);
    const vec8 u = vec8_set(q->axis), d = vec8_sub(vec8_set(q->centre), centre);
    const f32x8 between = vec8_dot(u, normal);
    const f32x8 across = f32x8_sqrt(f32x8_max(f32x8_sub(wide, f32x8_mul(between, between)), zero));
    const f32x8 reach = f32x8_add(f32x8_mul(f32x8_abs(between), h), f32x8_mul(across, r));
    const f32x8 gap_axis = f32x8_sub(f32x8_set(q->end), f32x8_add(vec8_dot(u, centre), reach));

    const f32x8 along = f32x8_abs(vec8_dot(d, normal)), length2 = vec8_dot(d, d);
    const f32x8 out =
        f32x8_sqrt(f32x8_max(f32x8_sub(f32x8_mul(length2, wide), f32x8_mul(along, along)), zero));
    const f32x8 length = f32x8_sqrt(length2);
    const f32x8 shadow = f32x8_div(f32x8_add(f32x8_mul(along, h), f32x8_mul(out, r)),
                                   f32x8_max(length, f32x8_set(FLT_MIN)));
    const f32x8 gap_ball =
        f32x8_sub(f32x8_max(f32x8_sub(length, shadow), f32x8_sub(along, h)), f32x8_set(q->radius));
    return f32x8_max(gap_axis, gap_ball);
}

/** Pushes the near children on the stack, the nearest on top. */
static void open_children(packet *q, uint32_t level, uint32_t index)
{
    const geo_tree *const tree = q->search->tree;
    const f32x8 gaps = bound_children(q, &tree->nodes[level][index]);
    float gap[WIDTH];
    f32x8_store(gap, gaps);
    unsigned near = ~m32x8_bits(f32x8_lt(f32x8_set(q->limit), gaps)) &
                    lanes_of(tree->level_size[level - 1], index);
    q->search->nodes++;
    const size_t base = q->depth;
    for (; near != 0; near &= near - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(near);
        size_t at = q->depth++;
        for (; at > base && q->stack[at - 1].gap < gap[lane]; at--) {
            q->stack[at] = q->stack[at - 1];
        }
        q->stack[at] = (open_node){gap[lane], level - 1, index * WIDTH + lane};
    }
}

void BASE_ISA(alg_pst_exact)(alg_pst_exact_search *search, const uint32_t *parts, uint32_t count)
{
    packet q;
    q.search = search;
    q.batch_size = 0;
    q.depth = 0;
    gather(&q, parts, count);
    enclose(&q);
    aim(&q);
    open_children(&q, search->tree->level_count - 1, 0);
    while (q.depth > 0 && !search->intersect) {
        const open_node next = q.stack[--q.depth];
        if (next.gap > q.limit) {
            continue;
        }
        if (next.level == 0) {
            test_leaf(&q, next.index);
        } else {
            open_children(&q, next.level, next.index);
        }
    }
    if (!search->intersect) {
        flush(&q);
    }
}
