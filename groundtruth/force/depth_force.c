#include "groundtruth/force/depth_force.h"

#include "base/containers.h"
#include "base/memory.h"
#include "geometry/pose.h"
#include "groundtruth/body/body.h"
#include "groundtruth/force/simplex.h"

#include <float.h>
#include <string.h>

/** Half a unit in the last place of 1, the largest relative rounding error. */
#define UNIT 0x1p-53

/** A piece whose width is below its share of the allowed width needs no list. This share is the
 * number below, divided by the number of pieces at the beginning. */
#define LIST_SHARE 0.25

/** Pieces are cut in rounds. The first round cuts pieces that are wider than FIRST_LIMIT times the
 * mean width. The limit of each further round is ROUND times that of the round before. */
#define FIRST_LIMIT 0.25
#define ROUND       0.7

/** A piece of the surface inside. */
typedef struct piece {
    gt_simplex s;
    double weight[3]; /* integrals of the estimated distance times each barycentric coordinate */
    double width;     /* upper bound of the integral minus its lower bound */
} piece;

struct gt_depth_space {
    gt_flux_surface surface;
    piece *pieces;
    size_t capacity;
    vec3 *normals; /* for each piece of the surface: the unit normal, by the orientation of its
                    * corners */
    size_t normal_capacity;
    uint32_t *vertex_face; /* for each vertex of the surface's body: the nearest face, or
                            * GT_NO_FACE */
    size_t vertex_capacity;
    gt_field field;
};

typedef struct task {
    const gt_body *field,
        *body; /* distances are measured to the field's surface; pieces belong to the body's
                * surface */
    gt_depth_space *space;
    size_t count;    /* number of pieces */
    double width;    /* sum over all pieces */
    double integral; /* sum over all pieces of their integrals, with signs */
    vec3 centre;     /* B's centroid, in the frame of the field */
    double relative; /* relative error of the sums */
    double enough;   /* see gt_simplex_bound */
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
        base_free(space->normals);
        base_free(space->vertex_face);
        gt_field_release(&space->field);
        base_free(space);
    }
}

/* --- Bounds of a piece ------------------------------------------------------------------------ */

static double sum3(const double v[3])
{
    return v[0] + v[1] + v[2];
}

/** Fills weight and width. The estimate of the distance is the mean of the bounds. The integral of
 * l_i l_k l_m is area / 60 for three different indices, and area / 30 if two of them are equal. */
static void bound_piece(const task *q, piece *p)
{
    gt_simplex_bounds bounds[GT_PARTS];
    const int parts = gt_simplex_bound(&q->space->field, &p->s, q->enough, bounds);
    const double area = p->s.measure / parts;
    p->width = p->weight[0] = p->weight[1] = p->weight[2] = 0;
    for (int part = 0; part < parts; part++) {
        const gt_simplex_bounds *const b = &bounds[part];
        const double upper = sum3(b->upper.at), lower = sum3(b->lower.at);
        const double dip = gt_bend_sum(&b->dip, 3), sag = gt_bend_sum(&b->sag, 3);
        p->width += area * fmax(0, (upper - lower) / 3 + (sag - dip) / 12);
        double weight[3];
        for (int i = 0; i < 3; i++) {
            const double twice = upper + b->upper.at[i] + lower + b->lower.at[i];
            const double opposite = b->dip.at[2 - i] + b->sag.at[2 - i];
            weight[i] = area * (twice / 24 - (2 * (dip + sag) - opposite) / 120);
        }
        /* Let l_i be a coordinate of the piece and l'_i that of a part. l_i is l'_i / 2, plus 1/2
         * on part i. On the part in the middle it is (1 - l'_i) / 2. */
        const double sum = sum3(weight);
        for (int i = 0; i < 3; i++) {
            const double share = part == i   ? sum + weight[i]
                                 : part == 3 ? sum - weight[i]
                                             : weight[i];
            p->weight[i] += parts == 1 ? weight[i] : 0.5 * share;
        }
    }
}

/* --- The pieces ------------------------------------------------------------------------------- */

static double sign_of(const task *q, int side, const piece *p)
{
    return q->space->surface.pieces[side][p->s.of].sign;
}

/** Fills a corner from the piece of the surface. If the corner is a vertex, its nearest face may be
 * known from an earlier piece. */
static void begin_corner(const task *q, const gt_flux_piece *from, piece *p, int k)
{
    gt_field *const field = &q->space->field;
    const uint32_t vertex = from->vertex[k];
    if (vertex == GT_FLUX_CROSSING) {
        gt_simplex_measure(field, &p->s, k, GT_NO_FACE);
        return;
    }
    uint32_t *const known = &q->space->vertex_face[vertex];
    if (*known == GT_NO_FACE) {
        gt_simplex_measure(field, &p->s, k, k > 0 ? p->s.face[k - 1] : GT_NO_FACE);
        *known = p->s.face[k];
    } else {
        p->s.face[k] = *known;
        p->s.foot[k] = gt_face_foot(field, *known, p->s.corner[k]);
        p->s.distance[k] = vec3_distance(p->s.foot[k], p->s.corner[k]);
    }
}

/** Copies the pieces of the surface into the frame of the field. */
static base_status begin_pieces(task *q, int side, const geo_pose *to_field, base_error *err)
{
    gt_depth_space *const space = q->space;
    const gt_flux_surface *const surface = &space->surface;
    const size_t count = surface->count[side], vertices = q->body->mesh->vertex_count;
    base_status status = base_reserve(space->pieces, space->capacity, count, err);
    if (status == BASE_OK) {
        status = base_reserve(space->normals, space->normal_capacity, count, err);
    }
    if (status == BASE_OK) {
        status = base_reserve(space->vertex_face, space->vertex_capacity, vertices, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    memset(space->vertex_face, 0xff, vertices * sizeof *space->vertex_face);
    double integral = 0;
    for (size_t i = 0; i < count; i++) {
        const gt_flux_piece *const from = &surface->pieces[side][i];
        piece *const p = &space->pieces[i];
        *p = (piece){.s = {.corners = 3, .of = (uint32_t)i, .listed = GT_UNLISTED}};
        for (int k = 0; k < 3; k++) {
            p->s.corner[k] = geo_pose_apply(to_field, from->t.p[k]);
            begin_corner(q, from, p, k);
        }
        const vec3 area2 = vec3_cross(vec3_sub(p->s.corner[1], p->s.corner[0]),
                                      vec3_sub(p->s.corner[2], p->s.corner[0]));
        p->s.measure = 0.5 * vec3_norm(area2);
        space->normals[i] = vec3_normalize(area2);
        integral += sign_of(q, side, p) * p->s.measure * sum3(p->s.distance) / 3;
    }
    q->count = count;
    q->enough = LIST_SHARE * GT_DEPTH_FORCE_WIDTH * fmax(0, integral) / (double)count;
    for (size_t i = 0; i < count; i++) {
        bound_piece(q, &space->pieces[i]);
    }
    return BASE_OK;
}

/** Cuts a piece. The first part takes its place, and the other part is added at the end. */
static base_status cut_piece(task *q, int side, size_t index, double *integral, base_error *err)
{
    gt_depth_space *const space = q->space;
    const base_status status = base_reserve(space->pieces, space->capacity, q->count + 1, err);
    if (status != BASE_OK) {
        return status;
    }
    piece *const parts[2] = {&space->pieces[index], &space->pieces[q->count++]};
    const double width = parts[0]->width, whole = sum3(parts[0]->weight);
    gt_simplex cut[2];
    gt_simplex_cut(&space->field, &parts[0]->s, cut);
    for (int i = 0; i < 2; i++) {
        parts[i]->s = cut[i];
        bound_piece(q, parts[i]);
    }
    q->width += parts[0]->width + parts[1]->width - width;
    *integral +=
        sign_of(q, side, parts[0]) * (sum3(parts[0]->weight) + sum3(parts[1]->weight) - whole);
    return BASE_OK;
}

/**
 * Cuts the widest pieces until the total width is small enough. *complete: false if the work limit
 * is reached before. Pieces are cut in rounds, each down to a smaller width, because neighbouring
 * pieces need the same faces of the field. If the widest piece were always cut next, these faces
 * would be read from memory again and again.
 */
static base_status refine(task *q, int side, bool *complete, base_error *err)
{
    gt_depth_space *const space = q->space;
    double integral = 0, area = 0;
    for (size_t i = 0; i < q->count; i++) {
        const piece *const p = &space->pieces[i];
        q->width += p->width;
        area += p->s.measure;
        integral += sign_of(q, side, p) * sum3(p->weight);
    }
    const double rounding = space->field.distance_m * area;
    double limit = FIRST_LIMIT * q->width / (double)q->count;
    *complete = true;
    for (size_t i = 0;
         q->width > GT_DEPTH_FORCE_WIDTH * (integral - 0.5 * q->width) && q->width > rounding;) {
        if (q->count >= GT_DEPTH_PIECES_MAX) {
            *complete = false;
            break;
        }
        if (space->pieces[i].width > limit) {
            const base_status status = cut_piece(q, side, i, &integral, err);
            if (status != BASE_OK) {
                return status;
            }
        } else if (++i == q->count) {
            if (limit * (double)q->count <= rounding) {
                break; /* only rounding errors of the sum make q->width larger than this */
            }
            limit *= ROUND;
            i = 0;
        }
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

/**
 * Bounds the effect of rounded corners and of the rounded normal on the integral over a piece. If
 * corners have an error of p, the area vector has one of at most p (edges + 2 p), and distances
 * have one of p. The rounded piece may have no area.
 */
static double rounding_of(const piece *p, double point_m, double distance_m)
{
    const double *const d = p->s.distance;
    double edges = 6 * point_m, longest = 0;
    for (int k = 0; k < 3; k++) {
        const double edge = vec3_distance(p->s.corner[k], p->s.corner[(k + 1) % 3]);
        edges += edge;
        longest = fmax(longest, edge);
    }
    const double deepest = fmax(fmax(d[0], d[1]), d[2]) + longest + 2 * (point_m + distance_m);
    return point_m * (p->s.measure + 2 * edges * deepest) + 32 * UNIT * edges * edges * deepest;
}

static void add_piece(const task *q, const piece *p, double sign, double point_m, sums *sum)
{
    const vec3 normal = q->space->normals[p->s.of];
    vec3 arms = {0, 0, 0}; /* integral of the estimate times x - centre */
    double lever = 0;
    for (int k = 0; k < 3; k++) {
        const vec3 arm = vec3_sub(p->s.corner[k], q->centre);
        arms = vec3_madd(arms, p->weight[k], arm);
        lever = fmax(lever, vec3_norm(arm));
    }
    const double integral = sum3(p->weight);
    const double off = 0.5 * p->width + 2 * q->space->field.distance_m * p->s.measure +
                       rounding_of(p, point_m, q->space->field.distance_m) +
                       q->relative * fabs(integral);
    sum->integral += sign * integral;
    sum->force = vec3_madd(sum->force, integral, normal);
    sum->torque = vec3_add(sum->torque, vec3_cross(arms, normal));
    sum->force_bound += off;
    sum->torque_bound += off * (lever + point_m);
}

/* --- The query -------------------------------------------------------------------------------- */

gt_depth_rounding gt_depth_roundings(const gt_body *a, const gt_body *b, const geo_pose *pose,
                                     gt_depth_role role)
{
    const mat3 square = mat3_mul(mat3_transpose(pose->rotation), pose->rotation);
    const double reach = gt_pair_reach(a, b, pose) + b->reach + vec3_norm(pose->translation);
    const double least = 3 * GEO_COORDINATE_LEAST;
    gt_depth_rounding r = {0};
    for (int i = 0; i < 3; i++) {
        const vec3 one = {i == 0, i == 1, i == 2};
        r.skew = fmax(r.skew, vec3_norm(vec3_sub(square.row[i], one)));
    }
    r.corner_m = ((role == GT_DEPTH_OF_B ? 4 * r.skew : 0) + 32 * UNIT) * reach + least;
    r.distance_m = 64 * DBL_EPSILON * reach + (role == GT_DEPTH_OF_B ? 2 * r.corner_m : 0);
    return r;
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
    const gt_depth_rounding rounding = gt_depth_roundings(a, b, pose, role);
    task q = {
        .body = of_a ? b : a,
        .space = space,
        .relative = 1e-12 + 8 * rounding.skew,
        .centre = of_a ? geo_pose_apply(pose, centroid) : centroid,
    };
    base_status status = gt_field_begin(&space->field, of_a ? &a->shell.surface : &b->shell.surface,
                                        rounding.distance_m, err);
    if (status == BASE_OK) {
        status = gt_flux_surface_query(a, b, pose, flux_space, &space->surface, err);
    }
    if (status == BASE_OK) {
        status = begin_pieces(&q, side, of_a ? &identity : &inverse, err);
    }
    if (status == BASE_OK) {
        status = refine(&q, side, &result->complete, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    const double point_m = space->surface.point_m + rounding.corner_m;
    sums sum = {0};
    for (size_t i = 0; i < q.count; i++) {
        const piece *const p = &space->pieces[i];
        add_piece(&q, p, sign_of(&q, side, p), point_m, &sum);
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
