#include "groundtruth/force/depth_force.h"

#include "base/elementary.h"
#include "base/heap.h"
#include "base/memory.h"
#include "base/simd.h"
#include "geometry/pose.h"
#include "geometry/triangle.h"
#include "groundtruth/body/body.h"

#include <float.h>
#include <string.h>

/** A rounding: half a unit in the last place of 1. */
#define UNIT 0x1p-53

/** A piece whose bounds without a list are this share of GT_DEPTH_FORCE_WIDTH apart needs no list. */
#define LIST_SHARE 0.5

/** No face: a search without a hint. */
#define NO_FACE UINT32_MAX

/** A piece of the surface inside, in the frame of the field. */
typedef struct piece {
    vec3 corner[3];
    double distance[3]; /* of the corners from the field's surface */
    uint32_t face[3];   /* of the field: nearest to the corners */
    uint32_t of;        /* the piece of the surface that it is a part of */
    double area;
    double
        weight[3]; /* integrals of the estimate of the distance times the barycentric coordinates */
    double width;  /* the upper bound of the integral less the lower one */
    size_t list;   /* in space->lists: the faces that may be nearest to any of its points, or */
    uint32_t listed; /* their number; UNLISTED before they are found */
    uint32_t cuts;   /* made in a row where the nearest face changes */
} piece;

/** Upper and lower bounds of the distance on a piece are linear functions: their corner values. */
typedef struct linear {
    double at[3];
} linear;

enum {
    LIST_MAX = 48,         /* of the faces near a piece; a larger piece is halved without */
    UNLISTED = UINT32_MAX, /* see piece.listed */
    CUTS_MAX = 4,          /* see piece.cuts: then the longest side is halved */
};

struct gt_depth_space {
    gt_flux_surface surface;
    piece *pieces;
    size_t capacity;
    uint64_t *heap; /* keys of pieces: width as a float, then index */
    size_t heap_capacity;
    vec3 *normals; /* per piece of the surface: unit, as its corners run */
    size_t normal_capacity;
    uint32_t *vertex_face; /* per vertex of the surface's body: the nearest face, or NO_FACE */
    size_t vertex_capacity;
    uint32_t *lists; /* of faces, one after the other */
    size_t list_count, list_capacity;
};

typedef struct task {
    const gt_body *field,
        *body; /* distances are to the field's surface, pieces are of the body's */
    gt_depth_space *space;
    size_t count;      /* of pieces */
    double width;      /* of all pieces */
    double integral;   /* of the middles, with signs */
    vec3 centre;       /* B's centroid, in the frame of the field */
    double distance_m; /* what a distance may be off by */
    double relative;   /* what sums may be off by, as a share */
} task;

gt_depth_space *gt_depth_space_create(void)
{
    return base_alloc(1, sizeof(gt_depth_space));
}

void gt_depth_space_destroy(gt_depth_space *space)
{
    if (space) {
        gt_flux_surface_release(&space->surface);
        base_free(space->pieces);
        base_free(space->heap);
        base_free(space->normals);
        base_free(space->vertex_face);
        base_free(space->lists);
        base_free(space);
    }
}

/* --- Three numbers ----------------------------------------------------------------------------- */

static double sum3(const double v[3])
{
    return v[0] + v[1] + v[2];
}

static double largest3(const double v[3])
{
    return fmax(fmax(v[0], v[1]), v[2]);
}

static double least3(const double v[3])
{
    return fmin(fmin(v[0], v[1]), v[2]);
}

static double distance_to_face(const task *q, uint32_t face, vec3 p)
{
    return vec3_distance(geo_triangle_closest(geo_mesh_triangle(q->field->mesh, face), p), p);
}

/** The least linear function above the distance that the nearest face of a corner gives. */
static uint32_t find_upper(const task *q, const piece *p, linear *upper)
{
    double best = INFINITY;
    uint32_t face = p->face[0];
    for (int i = 0; i < 3; i++) {
        if ((i > 0 && p->face[i] == p->face[0]) || (i > 1 && p->face[i] == p->face[1])) {
            continue;
        }
        linear values;
        for (int k = 0; k < 3; k++) {
            const bool known = p->face[k] == p->face[i];
            values.at[k] = known ? p->distance[k] : distance_to_face(q, p->face[i], p->corner[k]);
        }
        if (sum3(values.at) < best) {
            best = sum3(values.at);
            face = p->face[i];
            *upper = values;
        }
    }
    return face;
}

/** Squares of the sides, each opposite to its corner. */
static void find_sides(const piece *p, double side2[3])
{
    for (int i = 0; i < 3; i++) {
        side2[i] = vec3_distance2(p->corner[(i + 1) % 3], p->corner[(i + 2) % 3]);
    }
}

/* --- Faces that may be nearest ---------------------------------------------------------------- */

/** Lists the faces whose boxes are within a radius of p. Returns their number; above LIST_MAX they
 * are not all listed. */
static uint32_t list_near(const geo_surface *surface, vec3 p, double radius,
                          uint32_t faces[LIST_MAX])
{
    const f32x8 zero = f32x8_set(0);
    const double limit2 = radius * radius * (1 + 0x1p-20) + (double)FLT_MIN;
    const f32x8 limit = f32x8_set(base_float_above(limit2));
    f32x8 below[3], above[3];
    for (int axis = 0; axis < 3; axis++) {
        below[axis] = f32x8_set(base_float_below(vec3_get(p, axis)));
        above[axis] = f32x8_set(base_float_above(vec3_get(p, axis)));
    }
    uint32_t stack[GEO_BVH_DEPTH_MAX * GEO_BVH_WIDTH], count = 0;
    size_t top = 0;
    stack[top++] = 0;
    while (top > 0) {
        const geo_bvh_node *const node = &surface->bvh.nodes[stack[--top]];
        f32x8 sum = zero;
        for (int axis = 0; axis < 3; axis++) {
            const f32x8 under = f32x8_sub(f32x8_load(node->lo[axis]), above[axis]);
            const f32x8 over = f32x8_sub(below[axis], f32x8_load(node->hi[axis]));
            const f32x8 gap = f32x8_max(f32x8_max(under, over), zero);
            sum = f32x8_add(sum, f32x8_mul(gap, gap));
        }
        for (unsigned left = m32x8_bits(f32x8_le(sum, limit)); left != 0; left &= left - 1) {
            const int lane = __builtin_ctz(left);
            if (!geo_bvh_lane_used(node, lane)) {
                continue;
            }
            if (node->count[lane] == 0) {
                stack[top++] = node->first[lane];
            }
            for (uint32_t i = 0; i < node->count[lane]; i++) {
                if (count == LIST_MAX) {
                    return LIST_MAX + 1;
                }
                faces[count++] = surface->bvh.order[node->first[lane] + i];
            }
        }
    }
    return count;
}

/** A linear function below the distance from one face: its tangent at the middle of the piece, or
 * the distance from the face's plane, whichever is larger. Each is lowered by what its direction may
 * be off by, times the way. */
static linear below_face(const task *q, uint32_t face, const piece *p, vec3 middle)
{
    const geo_triangle t = geo_mesh_triangle(q->field->mesh, face);
    const vec3 off = vec3_sub(middle, geo_triangle_closest(t, middle));
    const vec3 u = vec3_sub(t.p[1], t.p[0]), v = vec3_sub(t.p[2], t.p[0]);
    const vec3 across = vec3_cross(u, v), normal = vec3_normalize(across);
    const double distance = vec3_norm(off), area2 = vec3_norm(across);
    const double side = vec3_dot(normal, off) < 0 ? -1 : 1;
    const double foot_error = 0.25 * q->distance_m / fmax(distance, q->distance_m);
    const double normal_error = 16 * UNIT * vec3_norm(u) * vec3_norm(v) / area2;
    linear tangent, plane;
    for (int k = 0; k < 3; k++) {
        const vec3 way = vec3_sub(p->corner[k], middle), from = vec3_sub(p->corner[k], t.p[0]);
        tangent.at[k] = distance + vec3_dot(way, off) / fmax(distance, q->distance_m) -
                        foot_error * vec3_norm(way);
        plane.at[k] = side * vec3_dot(normal, from) - normal_error * vec3_norm(from);
    }
    return sum3(plane.at) >= sum3(tangent.at) ? plane : tangent;
}

/** Finds or shortens the list of a piece, and the linear function below the distances from all faces
 * on it. Returns false where there are too many, or no memory. */
static bool find_lower(task *q, piece *p, const linear *upper, linear *lower)
{
    gt_depth_space *const space = q->space;
    const vec3 sum = vec3_add(vec3_add(p->corner[0], p->corner[1]), p->corner[2]);
    const vec3 middle = vec3_scale(1.0 / 3, sum);
    uint32_t faces[LIST_MAX], kept = 0;
    if (p->listed == UNLISTED) {
        double radius = 0;
        for (int k = 0; k < 3; k++) {
            radius = fmax(radius, vec3_distance(p->corner[k], middle));
        }
        radius += largest3(upper->at) + q->distance_m;
        p->listed = list_near(&q->field->surface, middle, radius, faces);
        if (p->listed > LIST_MAX) {
            p->listed = UNLISTED;
            return false;
        }
    } else {
        memcpy(faces, &space->lists[p->list], p->listed * sizeof *faces);
    }
    if (base_reserve(space->lists, space->list_capacity, space->list_count + p->listed, NULL) !=
        BASE_OK) {
        return false;
    }
    *lower = *upper;
    p->list = space->list_count;
    for (uint32_t i = 0; i < p->listed; i++) {
        const linear below = below_face(q, faces[i], p, middle);
        bool nearer = false;
        for (int k = 0; k < 3; k++) {
            nearer = nearer || below.at[k] < upper->at[k];
            lower->at[k] = fmin(lower->at[k], below.at[k]);
        }
        if (nearer) {
            space->lists[p->list + kept++] = faces[i];
        }
    }
    p->listed = kept;
    space->list_count += kept;
    return true;
}

/* --- Bounds of a piece ------------------------------------------------------------------------ */

/** Fills weight and width. */
static void bound_piece(task *q, piece *p)
{
    linear upper, lower;
    double side2[3];
    find_upper(q, p, &upper);
    find_sides(p, side2);
    const double least = least3(p->distance), longest2 = largest3(side2), sum2 = sum3(side2);
    const double root2 = least * least - longest2 / 3;
    const double k = least + (root2 > 0 ? sqrt(root2) : 0);
    const double above = sum3(upper.at) / 3;
    const double round = k > 0 ? sum3(p->distance) / 3 - sum2 / (12 * k) : 0;
    const bool narrow = above - round <= LIST_SHARE * GT_DEPTH_FORCE_WIDTH * above;
    const bool listed = !narrow && find_lower(q, p, &upper, &lower);
    const double flat = listed ? sum3(lower.at) / 3 : 0;
    if (round > 0 && round >= flat) {
        p->width = p->area * (above - round);
        for (int i = 0; i < 3; i++) {
            const double twice = sum3(upper.at) + upper.at[i] + sum3(p->distance) + p->distance[i];
            p->weight[i] = p->area * (twice / 24 - (2 * sum2 - side2[i]) / (120 * k));
        }
        return;
    }
    if (!(flat > 0)) {
        lower = (linear){
            {0, 0, 0}
        };
    }
    p->width = p->area * (above - fmax(flat, 0));
    for (int i = 0; i < 3; i++) {
        const double twice = sum3(upper.at) + upper.at[i] + sum3(lower.at) + lower.at[i];
        p->weight[i] = p->area * twice / 24;
    }
}

/* --- The pieces ------------------------------------------------------------------------------- */

static uint64_t key_of(const piece *p, size_t index)
{
    const float width = (float)p->width;
    uint32_t bits;
    memcpy(&bits, &width,
           sizeof bits); /* floats that are not negative are in the order of their bits */
    return (uint64_t)bits << 32 | index;
}

/** Where on the side from..to the distances from the nearest faces of its ends are equal, as a share
 * of the side. */
static double find_change(const task *q, const piece *p, int from, int to)
{
    const vec3 way = vec3_sub(p->corner[to], p->corner[from]);
    double lo = 0, hi = 1;
    for (int i = 0; i < 50; i++) {
        const double at = lo + 0.5 * (hi - lo);
        const vec3 x = vec3_madd(p->corner[from], at, way);
        const bool before =
            distance_to_face(q, p->face[from], x) < distance_to_face(q, p->face[to], x);
        *(before ? &lo : &hi) = at;
    }
    return lo + 0.5 * (hi - lo);
}

static void find_distance(const task *q, piece *p, int corner, uint32_t hint)
{
    const geo_closest closest = geo_surface_closest(&q->field->surface, p->corner[corner], hint);
    p->distance[corner] = sqrt(closest.distance2);
    p->face[corner] = closest.face;
}

/** Fills halves of a piece that is cut at a point of the side from..to. */
static void cut(const task *q, const piece *whole, int from, int to, double at, piece halves[2])
{
    halves[0] = halves[1] = *whole;
    halves[0].area = at * whole->area;
    halves[1].area = whole->area - halves[0].area;
    const vec3 way = vec3_sub(whole->corner[to], whole->corner[from]);
    halves[0].corner[to] = halves[1].corner[from] = vec3_madd(whole->corner[from], at, way);
    find_distance(q, &halves[0], to, whole->face[at < 0.5 ? from : to]);
    halves[1].distance[from] = halves[0].distance[to];
    halves[1].face[from] = halves[0].face[to];
}

/**
 * Cuts a piece where the nearest face changes from that which is best for all of it to that of a
 * corner: along creases of the field and seams of its flat parts the bounds are exact afterwards.
 * Returns false where there is no such corner, or where a third face is nearer in between.
 */
static bool cut_at_change(const task *q, const piece *whole, piece halves[2])
{
    linear upper;
    const uint32_t best = find_upper(q, whole, &upper);
    for (int i = 0; i < 6 && whole->cuts < CUTS_MAX; i++) {
        const int to = i % 3, from = (to + 1 + i / 3) % 3;
        const double excess = upper.at[to] - whole->distance[to];
        if (whole->face[from] != best || !(excess > 1e-9 * upper.at[to] + q->distance_m)) {
            continue;
        }
        const double at = find_change(q, whole, from, to);
        if (at < 1e-9 || at > 1 - 1e-9) {
            continue;
        }
        cut(q, whole, from, to, at, halves);
        const double nearest = halves[0].distance[to];
        const double expected = distance_to_face(q, best, halves[0].corner[to]);
        if (nearest >= (1 - 1e-9) * expected - q->distance_m) {
            halves[0].cuts = halves[1].cuts = whole->cuts + 1;
            return true;
        }
    }
    return false;
}

/** The two parts of a piece: cut where the nearest face changes, or halved across its longest side. */
static void halve(task *q, const piece *whole, piece halves[2])
{
    if (!cut_at_change(q, whole, halves)) {
        double side2[3];
        find_sides(whole, side2);
        const int apex = side2[0] >= side2[1] && side2[0] >= side2[2] ? 0
                         : side2[1] >= side2[2]                       ? 1
                                                                      : 2;
        cut(q, whole, (apex + 1) % 3, (apex + 2) % 3, 0.5, halves);
        halves[0].cuts = halves[1].cuts = 0;
    }
    for (int i = 0; i < 2; i++) {
        bound_piece(q, &halves[i]);
    }
}

static base_status reserve_pieces(gt_depth_space *space, size_t count, base_error *err)
{
    const base_status status = base_reserve(space->pieces, space->capacity, count, err);
    return status == BASE_OK ? base_reserve(space->heap, space->heap_capacity, count, err) : status;
}

/** Fills a corner from the piece of the surface. A vertex has its nearest face from an earlier piece. */
static void begin_corner(task *q, const gt_flux_piece *from, piece *p, int k)
{
    const uint32_t vertex = from->vertex[k];
    if (vertex == GT_FLUX_CROSSING) {
        find_distance(q, p, k, NO_FACE);
        return;
    }
    uint32_t *const known = &q->space->vertex_face[vertex];
    if (*known == NO_FACE) {
        find_distance(q, p, k, k > 0 ? p->face[k - 1] : NO_FACE);
        *known = p->face[k];
    } else {
        p->face[k] = *known;
        p->distance[k] = distance_to_face(q, *known, p->corner[k]);
    }
}

/** The pieces of the surface as they come, moved into the frame of the field. */
static base_status begin_pieces(task *q, int side, const geo_pose *to_field, base_error *err)
{
    gt_depth_space *const space = q->space;
    const gt_flux_surface *const surface = &space->surface;
    const size_t count = surface->count[side], vertices = q->body->mesh->vertex_count;
    base_status status = reserve_pieces(space, count, err);
    if (status == BASE_OK) {
        status = base_reserve(space->normals, space->normal_capacity, count, err);
    }
    if (status == BASE_OK) {
        status = base_reserve(space->vertex_face, space->vertex_capacity, vertices, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    space->list_count = 0;
    memset(space->vertex_face, 0xff, vertices * sizeof *space->vertex_face);
    for (size_t i = 0; i < count; i++) {
        const gt_flux_piece *const from = &surface->pieces[side][i];
        piece *const p = &space->pieces[i];
        *p = (piece){.of = (uint32_t)i, .listed = UNLISTED};
        for (int k = 0; k < 3; k++) {
            p->corner[k] = geo_pose_apply(to_field, from->t.p[k]);
            begin_corner(q, from, p, k);
        }
        const vec3 area2 =
            vec3_cross(vec3_sub(p->corner[1], p->corner[0]), vec3_sub(p->corner[2], p->corner[0]));
        p->area = 0.5 * vec3_norm(area2);
        space->normals[i] = vec3_normalize(area2);
        bound_piece(q, p);
    }
    q->count = count;
    return BASE_OK;
}

static double sign_of(const task *q, int side, const piece *p)
{
    return q->space->surface.pieces[side][p->of].sign;
}

/** Halves the widest piece until the widths are small enough. Returns whether they are. */
static base_status refine(task *q, int side, bool *complete, base_error *err)
{
    gt_depth_space *const space = q->space;
    double width = 0, integral = 0, area = 0;
    for (size_t i = 0; i < q->count; i++) {
        const piece *const p = &space->pieces[i];
        space->heap[i] = key_of(p, i);
        width += p->width;
        area += p->area;
        integral += sign_of(q, side, p) * sum3(p->weight);
    }
    base_heap_make(space->heap, q->count);
    *complete = true;
    const double rounding = q->distance_m * area;
    while (width > GT_DEPTH_FORCE_WIDTH * (integral - 0.5 * width) && width > rounding) {
        if (q->count >= GT_DEPTH_PIECES_MAX) {
            *complete = false;
            break;
        }
        const base_status status = reserve_pieces(space, q->count + 1, err);
        if (status != BASE_OK) {
            return status;
        }
        const size_t index = (uint32_t)space->heap[0];
        const piece whole = space->pieces[index];
        piece halves[2];
        halve(q, &whole, halves);
        width += halves[0].width + halves[1].width - whole.width;
        integral += sign_of(q, side, &whole) *
                    (sum3(halves[0].weight) + sum3(halves[1].weight) - sum3(whole.weight));
        space->pieces[index] = halves[0];
        space->pieces[q->count] = halves[1];
        space->heap[0] = key_of(&halves[0], index);
        base_heap_sift_down(space->heap, q->count, 0);
        space->heap[q->count] = key_of(&halves[1], q->count);
        base_heap_sift_up(space->heap, q->count++);
    }
    return BASE_OK;
}

/* --- Sums ------------------------------------------------------------------------------------- */

typedef struct sums {
    double integral; /* with signs */
    vec3 force;      /* integral of d n */
    vec3 torque;     /* integral of (x - centre) x d n */
    double force_bound, torque_bound;
} sums;

/** What rounding may do to the integral over a piece of the surface: its corners, its normal. */
static double rounding_of(const piece *p, double point_m)
{
    double edges = 0, longest = 0;
    for (int k = 0; k < 3; k++) {
        const double edge = vec3_distance(p->corner[k], p->corner[(k + 1) % 3]);
        edges += edge;
        longest = fmax(longest, edge);
    }
    const double deepest = largest3(p->distance) + longest;
    return point_m * (p->area + 2 * edges * deepest) + 32 * UNIT * edges * edges * deepest;
}

static void add_piece(const task *q, const piece *p, double sign, double point_m, sums *sum)
{
    const vec3 normal = q->space->normals[p->of];
    vec3 arms = {0, 0, 0}; /* integral of the estimate times x - centre */
    double lever = 0;
    for (int k = 0; k < 3; k++) {
        const vec3 arm = vec3_sub(p->corner[k], q->centre);
        arms = vec3_madd(arms, p->weight[k], arm);
        lever = fmax(lever, vec3_norm(arm));
    }
    const double integral = sum3(p->weight);
    const double off = 0.5 * p->width + q->distance_m * p->area + rounding_of(p, point_m) +
                       q->relative * fabs(integral);
    sum->integral += sign * integral;
    sum->force = vec3_madd(sum->force, integral, normal);
    sum->torque = vec3_add(sum->torque, vec3_cross(arms, normal));
    sum->force_bound += off;
    sum->torque_bound += off * lever;
}

/* --- The query -------------------------------------------------------------------------------- */

/** Bounds what rounding does in a query. *turned_m: of corners that are turned into B's frame. */
static void find_roundings(task *q, const gt_body *a, const gt_body *b, const geo_pose *pose,
                           gt_depth_role role, double *turned_m)
{
    const mat3 square = mat3_mul(mat3_transpose(pose->rotation), pose->rotation);
    const double reach = gt_pair_reach(a, b, pose) + b->reach + vec3_norm(pose->translation);
    double skew = 0; /* of a rotation that is none */
    for (int i = 0; i < 3; i++) {
        const vec3 one = {i == 0, i == 1, i == 2};
        skew = fmax(skew, vec3_norm(vec3_sub(square.row[i], one)));
    }
    *turned_m =
        role == GT_DEPTH_OF_B ? (4 * skew + 32 * UNIT) * reach + 3 * GEO_COORDINATE_LEAST : 0;
    q->distance_m = 64 * DBL_EPSILON * reach + 2 * *turned_m;
    q->relative = 1e-12 + 8 * skew;
}

base_status gt_depth_force_query(const gt_body *a, const gt_body *b, const geo_pose *pose,
                                 gt_depth_role role, gt_flux_space *flux_space,
                                 gt_depth_space *space, gt_depth_force *result, base_error *err)
{
    base_assert(a->report->solid && b->report->solid);
    *result = (gt_depth_force){.integral_m3 = GT_NONE};
    const bool of_a = role == GT_DEPTH_OF_A;
    const int side = of_a ? 1 : 0;
    const geo_pose identity = geo_pose_identity(), inverse = geo_pose_inverse(pose);
    const vec3 centroid = b->report->measure.centroid;
    double turned_m;
    task q = {
        .field = of_a ? a : b,
        .body = of_a ? b : a,
        .space = space,
        .centre = of_a ? geo_pose_apply(pose, centroid) : centroid,
    };
    find_roundings(&q, a, b, pose, role, &turned_m);
    base_status status = gt_flux_surface_query(a, b, pose, flux_space, &space->surface, err);
    if (status == BASE_OK) {
        status = begin_pieces(&q, side, of_a ? &identity : &inverse, err);
    }
    if (status == BASE_OK) {
        status = refine(&q, side, &result->complete, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    sums sum = {0};
    for (size_t i = 0; i < q.count; i++) {
        const piece *const p = &space->pieces[i];
        add_piece(&q, p, sign_of(&q, side, p), space->surface.point_m + turned_m, &sum);
    }
    const double gap = space->surface.gap_m3[1 - side];
    const double lever = vec3_distance(b->centre, centroid) + vec3_norm(b->half);
    result->force_bound_m3 = sum.force_bound + gap;
    result->torque_bound_m4 = sum.torque_bound + gap * lever;
    result->integral_m3 = gt_bracket_around(sum.integral, result->force_bound_m3);
    result->force_m3 = of_a ? vec3_scale(-1, sum.force) : geo_pose_rotate(pose, sum.force);
    result->torque_m4 = of_a ? vec3_scale(-1, sum.torque) : geo_pose_rotate(pose, sum.torque);
    result->pieces = q.count;
    result->flaws = space->surface.flaws;
    return BASE_OK;
}
