#include "algorithms/imp/proximity.h"

#include "algorithms/imp/patches.h"

#include <float.h>
#include <math.h>

/* Upper bound of the rounding error of a few sums of doubles, relative to the largest length. */
#define ROUNDING_SHARE 1e-14
/* Upper bound of the relative error of a volume that is summed from voxels or from triangles. */
#define ROUNDING 1e-9

/** A node or voxel, with its ball in A's frame, in metres. */
typedef struct node {
    vec3 centre;
    double radius;
    uint32_t level, number;
    uint32_t cell[3];
} node;

/** A body at a pose. */
typedef struct side {
    const alg_imp_body *body;
    geo_pose pose; /* of the body's frame in A's frame */
    vec3 corner;   /* corner of voxel (0, 0, 0), in A's frame */
    vec3 axes[3];  /* [axis]: half an edge of a voxel along the body's axis, in A's frame */
    uint32_t stop; /* nodes of this level count as voxels */
    /** [l][n]: number of full voxels below node n of level l. Arena; filled for B only. */
    uint64_t *full_below[ALG_IMP_LEVELS_MAX + 1];
} side;

struct alg_imp_measure {
    alg_imp_measure_options options;
    side a, b;
    double slack_m;       /* bound of the rounding error of the gap of two balls */
    double point_slack_m; /* bound of the rounding error of the distance of two points (floats) */
    uint64_t tests, nodes;

    /* State of a distance query. */
    double lo, hi;
    double enough; /* if the lower end is 0, the search stops when the upper end is at most this */
    vec3 witness_a, witness_b;

    /* State of a volume query, in voxels of B. */
    double inside_full, inside, touched, estimate;
    node *candidates; /* arena; nodes of A's surface that a node of B meets: one list per step of
                         the descent, stored one after the other */
    size_t room;
};

/* --- Nodes ------------------------------------------------------------------------------------ */

static void place_ball(const side *s, node *n)
{
    const alg_imp_sphere ball = alg_imp_sphere_of(&s->body->tree, n->level, n->number);
    const double half = (double)((uint64_t)1 << alg_imp_bits(s->body->tree.children) * n->level);
    vec3 centre = s->corner;
    for (int i = 0; i < 3; i++) {
        centre = vec3_madd(centre, half * (2 * (double)n->cell[i] + 1) + (double)ball.offset[i],
                           s->axes[i]);
    }
    n->centre = centre;
    n->radius = (double)ball.radius * 0.5 * s->body->grid.edge;
}

static node root_of(const side *s)
{
    node root = {.level = s->body->tree.root_level};
    place_ball(s, &root);
    return root;
}

/**
 * Opens a node: lists its children. The level of the node is above its side's stop level. Full
 * children are listed only if `full` is true. Returns the number of listed children.
 */
static size_t open_node(alg_imp_measure *m, const side *s, const node *parent, bool full,
                        node children[ALG_IMP_CHILDREN_MAX])
{
    const alg_imp_tree *const tree = &s->body->tree;
    const uint32_t bits = alg_imp_bits(tree->children),
                   mask_bytes = alg_imp_mask_bytes(tree->children);
    const bool is_full = parent->number == ALG_IMP_FULL;
    const alg_imp_level *const level = &tree->levels[parent->level];
    uint32_t next = is_full ? 0 : level->first[parent->number];
    const alg_imp_cell of_parent = {parent->cell[0], parent->cell[1], parent->cell[2]};
    size_t count = 0;
    m->nodes++;
    for (uint32_t child = 0; child < 8 * mask_bytes; child++) {
        const size_t byte = is_full ? 0 : (size_t)parent->number * mask_bytes + child / 8;
        const uint32_t bit = 1u << child % 8;
        const bool child_full = is_full || (level->full && level->full[byte] & bit);
        if (!is_full && !(level->present[byte] & bit)) {
            continue;
        }
        const uint32_t number = child_full ? ALG_IMP_FULL : next++;
        if (child_full && !full) {
            continue;
        }
        node *const n = &children[count++];
        const alg_imp_cell cell = alg_imp_child_cell(of_parent, child, bits);
        *n = (node){.level = parent->level - 1, .number = number, .cell = {cell.x, cell.y, cell.z}};
        place_ball(s, n);
    }
    return count;
}

/**
 * Returns the gap of two balls minus the rounding: a lower bound of the distance between their
 * contents; negative if the balls overlap.
 */
static double gap_of(alg_imp_measure *m, const node *a, const node *b)
{
    m->tests++;
    return vec3_distance(a->centre, b->centre) - a->radius - b->radius - m->slack_m;
}

/* --- Distance --------------------------------------------------------------------------------- */

/**
 * Returns a point of the solid below a node, in A's frame: a point of its surface, or the centre of
 * a full node.
 */
static vec3 point_below(const side *s, const node *n)
{
    if (n->number == ALG_IMP_FULL) {
        return n->centre;
    }
    uint32_t number = n->number;
    for (uint32_t level = n->level; level > 0; level--) {
        number = s->body->tree.levels[level].first[number];
    }
    return geo_pose_apply(&s->pose, alg_imp_point(s->body, number));
}

/** True if a full node contains a point with more clearance than the rounding of the point. */
static bool holds(const alg_imp_measure *m, const side *s, const node *n, vec3 point)
{
    if (n->number != ALG_IMP_FULL) {
        return false;
    }
    const double unit = 0.5 * s->body->grid.edge;
    const double half =
        unit * (double)((uint64_t)1 << alg_imp_bits(s->body->tree.children) * n->level);
    const vec3 from_centre = vec3_sub(point, n->centre);
    for (int i = 0; i < 3; i++) {
        if (!(fabs(vec3_dot(from_centre, s->axes[i])) / unit < half - m->point_slack_m)) {
            return false;
        }
    }
    return true;
}

static void measure_pair(alg_imp_measure *m, const node *a, const node *b, double gap)
{
    const vec3 p = point_below(&m->a, a), q = point_below(&m->b, b);
    const bool inside = holds(m, &m->a, a, q) || holds(m, &m->b, b, p);
    const double distance = inside ? 0 : vec3_distance(p, q) + m->point_slack_m;
    m->lo = fmin(m->lo, gap);
    if (distance < m->hi) {
        m->hi = distance;
        m->witness_a = inside ? q : p;
        m->witness_b = q;
    }
}

/** A node of one body and the gap between its ball and that of the other body's node. */
typedef struct neighbour {
    double gap;
    node node;
} neighbour;

/** Sorts by gap, smallest first; stable. */
static void sort_neighbours(neighbour *list, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const neighbour own = list[i];
        size_t at = i;
        for (; at > 0 && list[at - 1].gap > own.gap; at--) {
            list[at] = list[at - 1];
        }
        list[at] = own;
    }
}

/**
 * True if a pair of nodes with this gap can be skipped. Overlapping surfaces may meet in many
 * places: so if the lower end is 0, all pairs are skipped as soon as the upper end is small enough.
 */
static bool is_settled(const alg_imp_measure *m, double gap)
{
    return gap >= (1 - m->options.tolerance) * m->hi || (m->lo <= 0 && m->hi <= m->enough);
}

/**
 * Descends a pair of nodes, nearest children first. The larger node is opened, unless it is at its
 * stop level.
 */
static void approach(alg_imp_measure *m, const node *a, const node *b, double gap)
{
    if (is_settled(m, gap)) {
        m->lo = fmin(m->lo, gap);
        return;
    }
    const bool a_ends = a->level <= m->a.stop, b_ends = b->level <= m->b.stop;
    if (a_ends && b_ends) {
        measure_pair(m, a, b, gap);
        return;
    }
    const bool open_a = b_ends || (!a_ends && a->radius >= b->radius);
    node children[ALG_IMP_CHILDREN_MAX];
    neighbour near[ALG_IMP_CHILDREN_MAX];
    const size_t all = open_node(m, open_a ? &m->a : &m->b, open_a ? a : b, true, children);
    size_t count = 0;
    for (size_t i = 0; i < all; i++) {
        const double own = gap_of(m, &children[i], open_a ? b : a);
        if (is_settled(m, own)) {
            m->lo = fmin(m->lo, own);
        } else {
            near[count++] = (neighbour){own, children[i]};
        }
    }
    sort_neighbours(near, count);
    for (size_t i = 0; i < count; i++) {
        approach(m, open_a ? &near[i].node : a, open_a ? b : &near[i].node, near[i].gap);
    }
}

/* --- Volume ----------------------------------------------------------------------------------- */

/** Returns the number of full voxels below a node of B; 1 for a full voxel. */
static double full_voxels(const side *s, const node *n)
{
    return n->number == ALG_IMP_FULL
               ? (double)((uint64_t)1 << 3 * alg_imp_bits(s->body->tree.children) * n->level)
           : n->level == 0 ? 0
                           : (double)s->full_below[n->level][n->number];
}

/**
 * Returns the number of the first surface voxel below node `number` of a level. If that node has
 * none, the first one of the following nodes is returned. If `number` is one past the last node,
 * the number of voxels is returned.
 */
static uint32_t first_voxel(const alg_imp_tree *tree, uint32_t level, uint32_t number)
{
    for (; level > 0; level--) {
        if (number == tree->levels[level].count) {
            return tree->voxel_count;
        }
        number = tree->levels[level].first[number];
    }
    return number;
}

static double surface_voxels(const side *s, const node *n)
{
    const alg_imp_tree *const tree = &s->body->tree;
    return n->number == ALG_IMP_FULL ? 0
                                     : (double)(first_voxel(tree, n->level, n->number + 1) -
                                                first_voxel(tree, n->level, n->number));
}

/** Returns the descriptor of A's voxel at a point in A's frame. */
static alg_imp_descriptor look_up(const alg_imp_body *a, vec3 point)
{
    uint32_t cell[3];
    for (int i = 0; i < 3; i++) {
        const double t = alg_voxel_coordinate(&a->grid, i, vec3_get(point, i));
        if (!(t >= 0 && t < a->grid.size[i])) {
            return ALG_IMP_VOXEL_EMPTY;
        }
        cell[i] = (uint32_t)t;
    }
    return alg_imp_descriptor_at(a, cell[0], cell[1], cell[2]);
}

/**
 * Counts the voxels of a node of B whose ball meets no surface voxel of A. The node is completely
 * inside or completely outside of A.
 */
static void count_whole(alg_imp_measure *m, const node *b)
{
    if (look_up(m->a.body, b->centre) != ALG_IMP_VOXEL_FULL) {
        return;
    }
    const double full = full_voxels(&m->b, b), surface = surface_voxels(&m->b, b);
    m->inside_full += full;
    m->inside += full + surface;
    m->estimate += full + surface * m->b.body->fill_share;
}

/** A side of a body that cuts a voxel of B. */
typedef struct cut {
    vec3 normal;  /* A's frame */
    double share; /* share of the voxel behind the side */
} cut;

static cut cut_of(const alg_imp_measure *m, vec3 normal, double depth)
{
    double half = 0; /* half extent of the voxel along the normal */
    for (int i = 0; i < 3; i++) {
        half += fabs(vec3_dot(normal, m->b.axes[i]));
    }
    return (cut){normal, fmin(fmax(0.5 + 0.5 * depth / half, 0), 1)};
}

/** Returns the patch of a voxel that is nearest to a point; the voxel has patches. */
static uint32_t nearest_in(const alg_imp_body *body, uint32_t voxel, vec3 point)
{
    uint32_t nearest = body->patch_starts[voxel];
    for (uint32_t i = nearest; i < body->patch_starts[voxel + 1]; i++) {
        const double best = vec3_distance2(alg_imp_patch_point(body, nearest), point);
        nearest = vec3_distance2(alg_imp_patch_point(body, i), point) < best ? i : nearest;
    }
    return nearest;
}

/**
 * Returns the cut of a voxel of B by A's surface, which is represented by the voxel of A at the
 * centre of B's voxel.
 */
static cut cut_by_a(const alg_imp_measure *m, const node *b)
{
    const alg_imp_body *const a = m->a.body;
    const alg_imp_descriptor there = look_up(a, b->centre);
    uint32_t v;
    if (there != ALG_IMP_VOXEL_SURFACE || b->level > 0 ||
        !alg_imp_tree_find(&a->tree, alg_imp_cell_of(&a->grid, b->centre), &v) ||
        v == ALG_IMP_FULL || a->patch_starts[v] == a->patch_starts[v + 1]) {
        const double share = there == ALG_IMP_VOXEL_FULL      ? 1
                             : there == ALG_IMP_VOXEL_SURFACE ? 0.5
                                                              : 0;
        return (cut){{0, 0, 0}, share};
    }
    const alg_imp_side s = alg_imp_side_of(a, v, nearest_in(a, v, b->centre), b->centre);
    return cut_of(m, s.normal, s.depth);
}

/**
 * Returns the cut of a surface voxel of B by B's own surface. A voxel without a patch gets the mean
 * share fill_share.
 */
static cut cut_by_b(const alg_imp_measure *m, const node *b)
{
    const alg_imp_body *const body = m->b.body;
    const uint32_t v = b->number;
    if (body->patch_starts[v] == body->patch_starts[v + 1]) {
        return (cut){{0, 0, 0}, body->fill_share};
    }
    const alg_imp_cell at = {b->cell[0], b->cell[1], b->cell[2]};
    const vec3 middle = alg_voxel_middle(&body->grid, at.x, at.y, at.z);
    const alg_imp_side s = alg_imp_side_of(body, v, nearest_in(body, v, middle), middle);
    return cut_of(m, geo_pose_rotate(&m->b.pose, s.normal), s.depth);
}

/**
 * Returns an estimate of the share of a voxel that is behind two sides. It is exact for parallel
 * sides. For perpendicular sides it is the product of both shares.
 */
static double behind_both(cut a, cut b)
{
    const double c = vec3_dot(a.normal, b.normal);
    const double parallel = c > 0 ? fmin(a.share, b.share) : fmax(0, a.share + b.share - 1);
    return fabs(c) * parallel + (1 - fabs(c)) * a.share * b.share;
}

/** Counts the voxels of a node of B that is not opened further and may be cut by A's surface. */
static void count_touched(alg_imp_measure *m, const node *b)
{
    const double full = full_voxels(&m->b, b), surface = surface_voxels(&m->b, b);
    m->touched += full + surface;
    const cut a = cut_by_a(m, b);
    m->estimate += b->level == 0 && b->number != ALG_IMP_FULL
                       ? behind_both(a, cut_by_b(m, b))
                       : a.share * (full + surface * m->b.body->fill_share);
}

/**
 * True if the ball of B's node meets that of a surface voxel below node a of A. If a level stop is
 * set, nodes of this level count as voxels.
 */
static bool meets_surface(alg_imp_measure *m, const node *a, const node *b)
{
    if (gap_of(m, a, b) > 0) {
        return false;
    }
    if (a->level <= m->a.stop) {
        return true;
    }
    node children[ALG_IMP_CHILDREN_MAX];
    const size_t count = open_node(m, &m->a, a, false, children);
    for (size_t i = 0; i < count; i++) {
        if (meets_surface(m, &children[i], b)) {
            return true;
        }
    }
    return false;
}

/**
 * Lists the nodes of A's surface that a node of B meets, among the candidates [begin, end), and
 * writes them from `end` on. Nodes of A that are larger than B's node are opened once if there is
 * room. Returns the number of listed nodes.
 */
static size_t list_met(alg_imp_measure *m, const node *b, size_t begin, size_t end)
{
    size_t top = end;
    for (size_t i = begin; i < end; i++) {
        const node a = m->candidates[i];
        if (gap_of(m, &a, b) > 0) {
            continue;
        }
        /* Leave room for each remaining candidate. */
        const bool open = a.level > m->a.stop && a.radius > b->radius &&
                          top + ALG_IMP_CHILDREN_MAX + (end - i) <= m->room;
        if (!open) {
            m->candidates[top++] = a;
            continue;
        }
        node children[ALG_IMP_CHILDREN_MAX];
        const size_t count = open_node(m, &m->a, &a, false, children);
        for (size_t k = 0; k < count; k++) {
            if (gap_of(m, &children[k], b) <= 0) {
                m->candidates[top++] = children[k];
            }
        }
    }
    return top - end;
}

/**
 * Counts the voxels below a node of B. The candidates [begin, end) hold all nodes of A's surface
 * that the node can meet.
 */
static void weigh(alg_imp_measure *m, const node *b, size_t begin, size_t end)
{
    if (b->level <= m->b.stop || end + (end - begin) > m->room) {
        bool met = false;
        for (size_t i = begin; i < end && !met; i++) {
            const node a = m->candidates[i];
            met = meets_surface(m, &a, b);
        }
        if (met) {
            count_touched(m, b);
        } else {
            count_whole(m, b);
        }
        return;
    }
    const size_t count = list_met(m, b, begin, end);
    if (count == 0) {
        count_whole(m, b);
        return;
    }
    node children[ALG_IMP_CHILDREN_MAX];
    const size_t parts = open_node(m, &m->b, b, true, children);
    for (size_t i = 0; i < parts; i++) {
        weigh(m, &children[i], end, end + count);
    }
}

/* --- Answers ---------------------------------------------------------------------------------- */

static uint32_t stop_of(const alg_imp_body *body, uint32_t level)
{
    return level < body->tree.root_level ? level : body->tree.root_level;
}

/** Counts the full voxels below each node, from the lowest level up. */
static base_status count_full(side *s, base_arena *arena, base_error *err)
{
    const alg_imp_tree *const tree = &s->body->tree;
    const uint32_t mask_bytes = alg_imp_mask_bytes(tree->children),
                   bits = 3 * alg_imp_bits(tree->children);
    for (uint32_t l = 1; l <= tree->root_level; l++) {
        const alg_imp_level *const level = &tree->levels[l];
        uint64_t *const below = base_arena_alloc(arena, level->count, sizeof *below);
        if (!below) {
            return base_fail(err, BASE_ERR_MEMORY, "out of memory for counts of voxels");
        }
        const uint64_t whole = (uint64_t)1 << bits * (l - 1);
        for (uint32_t n = 0; n < level->count; n++) {
            const uint32_t end = n + 1 < level->count ? level->first[n + 1]
                                 : l > 1              ? tree->levels[l - 1].count
                                                      : 0;
            below[n] = 0;
            for (uint32_t i = 0; level->full && i < mask_bytes; i++) {
                below[n] +=
                    whole * (uint64_t)__builtin_popcount(level->full[(size_t)n * mask_bytes + i]);
            }
            for (uint32_t child = level->first[n]; l > 1 && child < end; child++) {
                below[n] += s->full_below[l - 1][child];
            }
        }
        s->full_below[l] = below;
    }
    return BASE_OK;
}

base_status alg_imp_measure_create(const alg_imp_pair *pair, const alg_imp_measure_options *options,
                                   base_arena *arena, alg_imp_measure **measure, base_error *err)
{
    alg_imp_measure *const m = base_arena_alloc(arena, 1, sizeof *m);
    *measure = m;
    if (!m) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for a measure of voxels");
    }
    *m = (alg_imp_measure){
        .options = *options,
        .a = {.body = pair->a, .stop = stop_of(pair->a, options->level)},
        .b = {.body = pair->b, .stop = stop_of(pair->b, options->level)},
        .room = (size_t)1 << 16,
    };
    m->candidates = base_arena_alloc(arena, m->room, sizeof *m->candidates);
    if (!m->candidates) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for a measure of voxels");
    }
    return count_full(&m->b, arena, err);
}

static void set_side_pose(side *s, const geo_pose *pose)
{
    const alg_voxel_grid *const grid = &s->body->grid;
    s->pose = *pose;
    s->corner = geo_pose_apply(pose, alg_voxel_box(grid, 0, 0, 0).lo);
    const double unit = 0.5 * grid->edge;
    s->axes[0] = geo_pose_rotate(pose, (vec3){unit, 0, 0});
    s->axes[1] = geo_pose_rotate(pose, (vec3){0, unit, 0});
    s->axes[2] = geo_pose_rotate(pose, (vec3){0, 0, unit});
}

/**
 * Returns the diagonal of a body's grid, an upper bound of the distance of the body's points from
 * `grid.corner`.
 */
static double diagonal_of(const alg_imp_body *body)
{
    const uint32_t *const n = body->grid.size;
    return body->grid.edge * vec3_norm((vec3){n[0], n[1], n[2]});
}

/**
 * Returns the largest distance of a corner of the body's grid from the origin of the body's frame.
 */
static double extent_of(const alg_imp_body *body)
{
    const uint32_t *const n = body->grid.size;
    const vec3 lo = alg_voxel_box(&body->grid, 0, 0, 0).lo;
    const vec3 hi = alg_voxel_box(&body->grid, n[0] - 1, n[1] - 1, n[2] - 1).hi;
    return fmax(vec3_norm(lo), vec3_norm(hi));
}

static void set_pose(alg_imp_measure *m, const geo_pose *pose)
{
    const geo_pose identity = geo_pose_identity();
    const double a = extent_of(m->a.body), b = extent_of(m->b.body);
    set_side_pose(&m->a, &identity);
    set_side_pose(&m->b, pose);
    m->slack_m = ROUNDING_SHARE * (a + b + vec3_norm(pose->translation));
    m->point_slack_m =
        m->slack_m + (double)FLT_EPSILON * (diagonal_of(m->a.body) + diagonal_of(m->b.body));
    m->tests = m->nodes = 0;
}

static void note_work(const alg_imp_measure *m, alg_answer *answer)
{
    answer->counters[ALG_IMP_COUNT_TESTS] += m->tests;
    answer->counters[ALG_IMP_COUNT_NODES] += m->nodes;
}

void alg_imp_measure_distance(alg_imp_measure *measure, const geo_pose *pose, alg_answer *answer)
{
    alg_imp_measure *const m = measure;
    set_pose(m, pose);
    m->lo = m->hi = INFINITY;
    m->enough = 0.5 * fmin(m->a.body->grid.edge, m->b.body->grid.edge);
    const node a = root_of(&m->a), b = root_of(&m->b);
    approach(m, &a, &b, gap_of(m, &a, &b));
    answer->distance_m = m->hi;
    answer->colliding |= m->hi <= 0;
    answer->witness_a = m->witness_a;
    answer->witness_b = m->witness_b;
    answer->distance_lo_m = fmax(0, fmin(m->lo, m->hi));
    answer->distance_hi_m = m->hi;
    answer->answered |= ALG_HAS_DISTANCE | ALG_HAS_WITNESS | ALG_HAS_DISTANCE_BRACKET;
    note_work(m, answer);
}

/**
 * Sets the bracket from the counts of voxels and the volumes of both bodies. The upper end is at
 * most the volume of either body; the lower end is at least B's volume without the part that may be
 * outside. all: number of voxels of B.
 */
static void bound_volume(const alg_imp_measure *m, double all, alg_answer *answer)
{
    const double edge = m->b.body->grid.edge, voxel = edge * edge * edge;
    const double a = m->a.body->volume_m3, b = m->b.body->volume_m3;
    const double hi = fmin(voxel * (m->inside + m->touched), fmin(a, b));
    const double rest = isfinite(b) ? (1 - ROUNDING) * b - voxel * (all - m->inside) : 0;
    answer->volume_hi_m3 = (1 + ROUNDING) * hi;
    answer->volume_lo_m3 = fmax((1 - ROUNDING) * voxel * m->inside_full, rest);
    answer->volume_m3 = fmin(fmax(voxel * m->estimate, answer->volume_lo_m3), answer->volume_hi_m3);
}

void alg_imp_measure_volume(alg_imp_measure *measure, const geo_pose *pose, alg_answer *answer)
{
    alg_imp_measure *const m = measure;
    set_pose(m, pose);
    m->inside_full = m->inside = m->touched = m->estimate = 0;
    const node a = root_of(&m->a), b = root_of(&m->b);
    m->candidates[0] = a;
    weigh(m, &b, 0, 1);
    bound_volume(m, full_voxels(&m->b, &b) + surface_voxels(&m->b, &b), answer);
    answer->colliding |= answer->volume_lo_m3 > 0;
    answer->answered |= ALG_HAS_VOLUME | ALG_HAS_VOLUME_BRACKET;
    note_work(m, answer);
}
