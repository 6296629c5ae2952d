#include "algorithms/lpd/boxes.h"

#include "geometry/pose.h"
#include "geometry/vec.h"

/* Bounds of groups are tested in blocks of this size. Each block has a box around all of its
 * bounds. */
enum { BLOCK = 32 };

static const uint32_t NONE = UINT32_MAX;

/** Moments of a set of points. Moments of two disjoint sets can be added. */
typedef struct moments {
    double count;
    vec3 mean;
    mat3 second; /* sum of (p - mean) (p - mean)^T */
} moments;

/**
 * Work space of merging. While groups are merged, a group is identified by the least number of its
 * curves.
 */
struct alg_lpd_groups_space {
    moments *moments; /* count is 0 for a group that was merged into another one */
    geo_box *bounds;  /* around each group's box; empty if the group is not yet added or was
                         merged into another one */
    geo_box *blocks;  /* around each BLOCK of the bounds */
    geo_ball *balls;  /* around each curve */
    uint32_t *next;   /* for each curve another curve of its group; the curves of a group form a
                         ring */
};

typedef struct merger {
    const alg_lpd_segments *segments;
    const alg_lpd_curves *curves;
    double eps_m;
    alg_lpd_groups *groups;
    uint32_t seen; /* curves added so far */
} merger;

base_status alg_lpd_groups_create(uint32_t segments_max, base_arena *arena, alg_lpd_groups *groups,
                                  base_error *err)
{
    const size_t blocks = (size_t)segments_max / BLOCK + 1;
    struct alg_lpd_groups_space *const s = base_arena_alloc(arena, 1, sizeof *s);
    *groups = (alg_lpd_groups){
        .items = base_arena_alloc(arena, segments_max, sizeof *groups->items),
        .curves = base_arena_alloc(arena, segments_max, sizeof *groups->curves),
        .space = s,
    };
    bool there = s && groups->items && groups->curves;
    there = there && (s->moments = base_arena_alloc(arena, segments_max, sizeof *s->moments));
    there = there && (s->bounds = base_arena_alloc(arena, blocks * BLOCK, sizeof *s->bounds));
    there = there && (s->blocks = base_arena_alloc(arena, blocks, sizeof *s->blocks));
    there = there && (s->balls = base_arena_alloc(arena, segments_max, sizeof *s->balls));
    there = there && (s->next = base_arena_alloc(arena, segments_max, sizeof *s->next));
    return there ? BASE_OK
                 : base_fail(err, BASE_ERR_MEMORY, "out of memory for regions of %u segments",
                             segments_max);
}

double alg_lpd_mean_length(const alg_lpd_segments *segments)
{
    double sum = 0;
    for (uint32_t i = 0; i < segments->count; i++) {
        sum += vec3_distance(segments->items[i].end[0], segments->items[i].end[1]);
    }
    return segments->count > 0 ? sum / segments->count : 0;
}

/* --- Moments ---------------------------------------------------------------------------------- */

/** Returns m + s d d^T. */
static mat3 add_square(mat3 m, double s, vec3 d)
{
    for (int i = 0; i < 3; i++) {
        m.row[i] = vec3_madd(m.row[i], s * vec3_get(d, i), d);
    }
    return m;
}

static moments moments_of_curve(const alg_lpd_segments *segments, const alg_lpd_curves *curves,
                                uint32_t number)
{
    const alg_lpd_curve curve = curves->curves[number];
    const uint32_t *const links = curves->links + curve.first;
    const vec3 origin = alg_lpd_link_end(segments, links[0], 0);
    moments m = {.count = 2.0 * curve.count};
    vec3 sum = {0, 0, 0};
    for (uint32_t i = 0; i < 2 * curve.count; i++) {
        const vec3 p = alg_lpd_link_end(segments, links[i / 2], i & 1);
        sum = vec3_add(sum, vec3_sub(p, origin));
    }
    m.mean = vec3_madd(origin, 1 / m.count, sum);
    for (uint32_t i = 0; i < 2 * curve.count; i++) {
        const vec3 p = alg_lpd_link_end(segments, links[i / 2], i & 1);
        m.second = add_square(m.second, 1, vec3_sub(p, m.mean));
    }
    return m;
}

static moments moments_add(const moments *a, const moments *b)
{
    const double count = a->count + b->count;
    const vec3 between = vec3_sub(b->mean, a->mean);
    moments m = {count, vec3_madd(a->mean, b->count / count, between), a->second};
    for (int i = 0; i < 3; i++) {
        m.second.row[i] = vec3_add(m.second.row[i], b->second.row[i]);
    }
    m.second = add_square(m.second, a->count * (b->count / count), between);
    return m;
}

/* --- Boxes ------------------------------------------------------------------------------------ */

/** Returns v or -v: the one whose component with the largest absolute value is positive. */
static vec3 upright(vec3 v)
{
    const vec3 size = vec3_abs(v);
    const double largest = size.x >= size.y && size.x >= size.z ? v.x
                           : size.y >= size.z                   ? v.y
                                                                : v.z;
    return largest < 0 ? vec3_scale(-1, v) : v;
}

/**
 * Extends a box by the endpoints of a curve. The box is in coordinates of `frame`, relative to
 * `origin`.
 */
static geo_box add_curve(geo_box box, const alg_lpd_segments *segments,
                         const alg_lpd_curves *curves, uint32_t number, vec3 origin, mat3 frame)
{
    const alg_lpd_curve curve = curves->curves[number];
    for (uint32_t i = curve.first; i < curve.first + curve.count; i++) {
        const alg_lpd_segment *const s = &segments->items[curves->links[i] / 2];
        const vec3 p = mat3_mul_vec3(frame, vec3_sub(s->end[0], origin));
        const vec3 q = mat3_mul_vec3(frame, vec3_sub(s->end[1], origin));
        box = geo_box_join(box, (geo_box){vec3_min(p, q), vec3_max(p, q)});
    }
    return box;
}

static alg_lpd_box box_from(geo_box local, vec3 origin, mat3 frame)
{
    const vec3 side = vec3_sub(local.hi, local.lo);
    return (alg_lpd_box){
        .centre = vec3_add(origin, mat3_tmul_vec3(frame, geo_box_centre(local))),
        .axis = {frame.row[0], frame.row[1], frame.row[2]},
        .half = {side.x / 2, side.y / 2, side.z / 2},
    };
}

/**
 * Returns the principal axis of points with these second moments, after a projection to the plane
 * of u and v (unit, perpendicular).
 */
static vec3 major_axis(mat3 second, vec3 u, vec3 v)
{
    const vec3 of_u = mat3_mul_vec3(second, u), of_v = mat3_mul_vec3(second, v);
    /* (x, y) is r (cos, sin) of twice the angle from u. */
    const double x = vec3_dot(u, of_u) - vec3_dot(v, of_v), y = 2 * vec3_dot(v, of_u);
    const double r = sqrt(x * x + y * y);
    const vec3 axis =
        x >= 0 ? vec3_madd(vec3_scale(r + x, u), y, v) : vec3_madd(vec3_scale(y, u), r - x, v);
    return r > 0 ? vec3_normalize(axis) : u;
}

alg_lpd_box alg_lpd_box_along(const alg_lpd_segments *segments, const alg_lpd_curves *curves,
                              const alg_lpd_groups *groups, const alg_lpd_group *group, vec3 n)
{
    const uint32_t *const numbers = groups->curves + group->first;
    moments m = moments_of_curve(segments, curves, numbers[0]);
    for (uint32_t i = 1; i < group->count; i++) {
        const moments more = moments_of_curve(segments, curves, numbers[i]);
        m = moments_add(&m, &more);
    }
    const vec3 size = vec3_abs(n);
    const vec3 across = size.x <= size.y && size.x <= size.z ? (vec3){1, 0, 0}
                        : size.y <= size.z                   ? (vec3){0, 1, 0}
                                                             : (vec3){0, 0, 1};
    const vec3 u = vec3_normalize(vec3_cross(n, across));
    const vec3 first = upright(major_axis(m.second, u, vec3_cross(n, u)));
    const mat3 frame = {{first, vec3_cross(n, first), n}};
    geo_box local = geo_box_empty();
    for (uint32_t i = 0; i < group->count; i++) {
        local = add_curve(local, segments, curves, numbers[i], m.mean, frame);
    }
    return box_from(local, m.mean, frame);
}

/* --- Distances -------------------------------------------------------------------------------- */

/** A box in the coordinates of another box. side[i]: half of its side i, as a vector. */
typedef struct view {
    double centre[3], side[3][3];
} view;

static view view_from(const alg_lpd_box *box, const alg_lpd_box *from)
{
    const vec3 away = vec3_sub(box->centre, from->centre);
    view v;
    for (int k = 0; k < 3; k++) {
        v.centre[k] = vec3_dot(from->axis[k], away);
        for (int i = 0; i < 3; i++) {
            v.side[i][k] = box->half[i] * vec3_dot(from->axis[k], box->axis[i]);
        }
    }
    return v;
}

/** The points mid + t along, for t from -1 to 1. */
typedef struct edge {
    double mid[3], along[3];
} edge;

/** Returns the signed distance of x from the interval [-half, half], 0 inside. */
static double beyond(double x, double half)
{
    return x > half ? x - half : x < -half ? x + half : 0;
}

/** Returns the squared distance from the point at t to the box around the origin. *slope becomes
 * half the derivative by t. */
static double point_distance2(const edge *e, const double half[3], double t, double *slope)
{
    double distance2 = 0;
    *slope = 0;
    for (int k = 0; k < 3; k++) {
        const double d = beyond(e->mid[k] + t * e->along[k], half[k]);
        distance2 += d * d;
        *slope += d * e->along[k];
    }
    return distance2;
}

/**
 * Returns the squared distance from an edge to the box around the origin.
 *
 * As a function of t, the squared distance is convex. The values of t at which the edge crosses the
 * planes of the box's faces divide this function into parabolas. The minimum is on the parabola on
 * which the slope changes its sign.
 */
static double edge_distance2(const edge *e, const double half[3])
{
    double lo = -1, hi = 1, slope_lo, slope_hi;
    const double at_lo = point_distance2(e, half, lo, &slope_lo);
    const double at_hi = point_distance2(e, half, hi, &slope_hi);
    if (slope_lo >= 0 || slope_hi <= 0) {
        return slope_lo >= 0 ? at_lo : at_hi;
    }
    for (int plane = 0; plane < 6; plane++) {
        const int k = plane / 2;
        const double t = ((plane & 1 ? half[k] : -half[k]) - e->mid[k]) / e->along[k];
        if (t > lo && t < hi) {
            double slope;
            point_distance2(e, half, t, &slope);
            *(slope > 0 ? &hi : &lo) = t;
            *(slope > 0 ? &slope_hi : &slope_lo) = slope;
        }
    }
    double slope;
    const double t = lo + (hi - lo) * (slope_lo / (slope_lo - slope_hi));
    return point_distance2(e, half, t, &slope);
}

/** Returns the least squared distance from the twelve edges of a box to the other box. */
static double edges_distance2(const alg_lpd_box *box, const alg_lpd_box *from)
{
    const view v = view_from(box, from);
    double least = INFINITY;
    for (int i = 0; i < 3; i++) {
        const double *const j = v.side[(i + 1) % 3], *const l = v.side[(i + 2) % 3];
        for (int corner = 0; corner < 4; corner++) {
            edge e;
            for (int k = 0; k < 3; k++) {
                e.mid[k] = v.centre[k] + (corner & 1 ? j[k] : -j[k]) + (corner & 2 ? l[k] : -l[k]);
                e.along[k] = v.side[i][k];
            }
            const double distance2 = edge_distance2(&e, from->half);
            least = distance2 < least ? distance2 : least;
        }
    }
    return least;
}

/**
 * If two polytopes intersect, they have a common point on an edge of one of them. If they are
 * apart, one point of some pair of nearest points is on an edge. So the edges of both boxes give
 * the distance.
 */
double alg_lpd_box_distance(const alg_lpd_box *a, const alg_lpd_box *b)
{
    const double of_a = edges_distance2(a, b), of_b = edges_distance2(b, a);
    return sqrt(of_a < of_b ? of_a : of_b);
}

/* Slack as a share of the sizes. It is far above the rounding of box bounds, so that no near box is
 * left out. */
static const double SLACK = 1e-12;

/** Returns true if some face of `from` has all of `box` in front of it, farther than eps_m away. */
static bool faces_part(const alg_lpd_box *box, const alg_lpd_box *from, double eps_m)
{
    const view v = view_from(box, from);
    const double slack = SLACK * vec3_distance(box->centre, from->centre);
    for (int k = 0; k < 3; k++) {
        const double reach =
            from->half[k] + fabs(v.side[0][k]) + fabs(v.side[1][k]) + fabs(v.side[2][k]) + eps_m;
        if (fabs(v.centre[k]) > reach + slack) {
            return true;
        }
    }
    return false;
}

static geo_box bounds_of(const alg_lpd_box *box)
{
    vec3 reach = {0, 0, 0};
    for (int i = 0; i < 3; i++) {
        reach = vec3_madd(reach, box->half[i], vec3_abs(box->axis[i]));
    }
    const double slack = SLACK * (vec3_norm(box->centre) + vec3_norm(reach));
    reach = vec3_add(reach, (vec3){slack, slack, slack});
    return (geo_box){vec3_sub(box->centre, reach), vec3_add(box->centre, reach)};
}

/* --- Merging ---------------------------------------------------------------------------------- */

static void set_bounds(struct alg_lpd_groups_space *s, uint32_t group, geo_box bounds)
{
    const uint32_t block = group / BLOCK;
    s->bounds[group] = bounds;
    s->blocks[block] = geo_box_empty();
    for (uint32_t i = block * BLOCK; i < (block + 1) * BLOCK; i++) {
        s->blocks[block] = geo_box_join(s->blocks[block], s->bounds[i]);
    }
}

/**
 * Returns true if a ball is inside a box. The box is in coordinates of `frame`, relative to
 * `origin`.
 */
static bool holds(const geo_box *local, const geo_ball *ball, vec3 origin, const mat3 *frame)
{
    const vec3 centre = mat3_mul_vec3(*frame, vec3_sub(ball->centre, origin));
    const double r = ball->radius;
    return centre.x - r >= local->lo.x && centre.x + r <= local->hi.x &&
           centre.y - r >= local->lo.y && centre.y + r <= local->hi.y &&
           centre.z - r >= local->lo.z && centre.z + r <= local->hi.z;
}

/** Fits the group's box to all curves of its ring. */
static void fit(const merger *m, uint32_t group)
{
    struct alg_lpd_groups_space *const s = m->groups->space;
    const moments *const of = &s->moments[group];
    alg_lpd_box *const box = &m->groups->items[group].box;
    const geo_eigen e = geo_eigen_symmetric(of->second);
    const vec3 first = upright(e.vector[0]), third = upright(e.vector[2]);
    const mat3 frame = {{first, vec3_cross(third, first), third}};
    geo_box local = geo_box_empty();
    uint32_t curve = group;
    do {
        if (!holds(&local, &s->balls[curve], of->mean, &frame)) {
            local = add_curve(local, m->segments, m->curves, curve, of->mean, frame);
        }
        curve = s->next[curve];
    } while (curve != group);
    *box = box_from(local, of->mean, frame);
    set_bounds(s, group, bounds_of(box));
}

/** Merges two groups. Returns the lesser of their numbers, which identifies the merged group. */
static uint32_t join(const merger *m, uint32_t i, uint32_t j)
{
    struct alg_lpd_groups_space *const s = m->groups->space;
    const uint32_t stays = i < j ? i : j, goes = i < j ? j : i;
    s->moments[stays] = moments_add(&s->moments[stays], &s->moments[goes]);
    s->moments[goes].count = 0;
    set_bounds(s, goes, geo_box_empty());
    /* Swapping the successors of two elements of different rings joins the rings. */
    const uint32_t next = s->next[stays];
    s->next[stays] = s->next[goes];
    s->next[goes] = next;
    fit(m, stays);
    m->groups->merge_count++;
    return stays;
}

static bool is_near(const merger *m, uint32_t i, uint32_t j)
{
    const alg_lpd_box *const a = &m->groups->items[i].box, *const b = &m->groups->items[j].box;
    if (faces_part(a, b, m->eps_m) || faces_part(b, a, m->eps_m)) {
        return false;
    }
    m->groups->tests++;
    return alg_lpd_box_distance(a, b) < m->eps_m;
}

/** Returns the first group that is nearer to `group` than eps_m, or NONE. */
static uint32_t first_near(const merger *m, uint32_t group)
{
    const struct alg_lpd_groups_space *const s = m->groups->space;
    const double eps = (1 + SLACK) * m->eps_m;
    const vec3 wider = {eps, eps, eps};
    const geo_box reach = {vec3_sub(s->bounds[group].lo, wider),
                           vec3_add(s->bounds[group].hi, wider)};
    for (uint32_t begin = 0; begin < m->seen; begin += BLOCK) {
        if (!geo_box_overlap(s->blocks[begin / BLOCK], reach)) {
            continue;
        }
        for (uint32_t i = begin; i < begin + BLOCK; i++) {
            if (i != group && geo_box_overlap(s->bounds[i], reach) && is_near(m, group, i)) {
                return i;
            }
        }
    }
    return NONE;
}

/** Adds a curve as a group of its own, and merges this group as long as another one is near. */
static void take_in(merger *m, uint32_t curve)
{
    struct alg_lpd_groups_space *const s = m->groups->space;
    s->moments[curve] = moments_of_curve(m->segments, m->curves, curve);
    s->next[curve] = curve;
    s->balls[curve].radius = INFINITY; /* unknown: fit() reads it and must not skip the curve */
    m->seen = curve + 1;
    fit(m, curve);
    const alg_lpd_box *const box = &m->groups->items[curve].box;
    const double radius = vec3_norm((vec3){box->half[0], box->half[1], box->half[2]});
    s->balls[curve] = (geo_ball){box->centre, radius + SLACK * (vec3_norm(box->centre) + radius)};
    uint32_t group = curve, near;
    while (m->eps_m > 0 && (near = first_near(m, group)) != NONE) {
        group = join(m, group, near);
    }
}

/** Numbers the groups that remain, and lists their curves. */
static void list_groups(const merger *m)
{
    alg_lpd_groups *const g = m->groups;
    uint32_t *const next = g->space->next, first = 0;
    for (uint32_t i = 0; i < m->curves->count; i++) {
        if (g->space->moments[i].count == 0) {
            continue;
        }
        g->items[g->count] = (alg_lpd_group){.first = first, .box = g->items[i].box};
        uint32_t curve = i;
        do { /* The ring is no longer needed: next[] becomes the index of the group. */
            const uint32_t following = next[curve];
            next[curve] = g->count;
            curve = following;
            first++;
        } while (curve != i);
        g->count++;
    }
    for (uint32_t c = 0; c < m->curves->count; c++) {
        alg_lpd_group *const group = &g->items[next[c]];
        g->curves[group->first + group->count++] = c;
    }
}

void alg_lpd_groups_merge(const alg_lpd_segments *segments, const alg_lpd_curves *curves,
                          double eps_m, alg_lpd_groups *groups)
{
    merger m = {segments, curves, eps_m, groups, 0};
    groups->count = 0;
    groups->merge_count = groups->tests = 0;
    for (uint32_t i = 0; i < (curves->count + BLOCK - 1) / BLOCK * BLOCK; i++) {
        groups->space->bounds[i] = geo_box_empty();
    }
    for (uint32_t i = 0; i < curves->count; i++) {
        take_in(&m, i);
    }
    list_groups(&m);
    for (uint32_t i = 0; i < groups->count; i++) {
        alg_lpd_group *const group = &groups->items[i];
        const double *const half = group->box.half;
        const uint32_t *const members = groups->curves + group->first;
        group->patch =
            alg_lpd_patch_make(segments, curves, members, group->count, group->box.centre);
        group->closed = true;
        for (uint32_t k = 0; k < group->count; k++) {
            group->closed &= curves->curves[members[k]].closed;
        }
        group->longer = half[2] > half[0] || half[2] > half[1];
    }
}
