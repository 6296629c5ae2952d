/**
 * The intersection of two small closed meshes in exact rationals: the reference of volume, gradient
 * and moment. It shares no code with the tested methods.
 *
 * A closed mesh is the signed sum of the tetrahedra from one of its vertices to its faces. So the
 * volume of the intersection is the signed sum over pairs of tetrahedra, each convex, and the part
 * of B's surface inside A is the signed sum of the parts of its faces in A's tetrahedra.
 *
 * A point is four integers, (x, y, z) / w with w > 0, and cutting never divides: every decision and
 * every corner of a piece is exact. The sums over pieces have SUM_BITS binary digits.
 */
#ifndef GROUNDTRUTH_TESTS_RATIONAL_H
#define GROUNDTRUTH_TESTS_RATIONAL_H

#include "base/memory.h"
#include "geometry/mesh.h"
#include "geometry/pose.h"
#include "geometry/vec.h"

#include <gmp.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { SUM_BITS = 1024 };

/**
 * A point x, y, z, w; or a plane: its normal and its negative offset, so that the product is 0 at
 * its points.
 */
typedef struct rational4 {
    mpz_t x[4];
} rational4;

static inline void rational4_init(rational4 *v)
{
    for (int k = 0; k < 4; k++) {
        mpz_init(v->x[k]);
    }
}

static inline void rational4_clear(rational4 *v)
{
    for (int k = 0; k < 4; k++) {
        mpz_clear(v->x[k]);
    }
}

/** Returns the least scale, from `scale` on, for which 2^scale p are integers for all points. */
static inline unsigned rational_scale(const vec3 *p, size_t count, unsigned scale)
{
    for (size_t i = 0; i < 3 * count; i++) {
        int exponent;
        const double x = vec3_get(p[i / 3], (int)(i % 3)), share = frexp(x, &exponent);
        if (x != 0) {
            const int last = exponent - 53 + __builtin_ctzll((uint64_t)ldexp(fabs(share), 53));
            scale = -last > (int)scale ? (unsigned)-last : scale;
        }
    }
    return scale;
}

/** Sets v to 2^scale p. */
static inline void rational4_set(rational4 *v, vec3 p, unsigned scale)
{
    for (int k = 0; k < 3; k++) {
        int exponent;
        const double share = frexp(vec3_get(p, k), &exponent);
        mpz_set_d(v->x[k], ldexp(share, 53));
        const int up = exponent - 53 + (int)scale;
        if (up >= 0) {
            mpz_mul_2exp(v->x[k], v->x[k], (mp_bitcnt_t)up);
        } else {
            mpz_tdiv_q_2exp(v->x[k], v->x[k], (mp_bitcnt_t)-up); /* the removed bits are 0 */
        }
    }
    mpz_set_ui(v->x[3], 1);
}

/** Computes w times the distance of a point inside a plane, not normalised. */
static inline void rational4_side(mpz_t side, const rational4 *plane, const rational4 *p)
{
    mpz_set_ui(side, 0);
    for (int k = 0; k < 4; k++) {
        mpz_addmul(side, plane->x[k], p->x[k]);
    }
}

/** Computes the point where the edge from p (inside by a > 0) to q (by b <= 0) meets the plane. */
static inline void rational4_meet(rational4 *r, const rational4 *p, const mpz_t a,
                                  const rational4 *q, const mpz_t b)
{
    for (int k = 0; k < 4; k++) {
        mpz_mul(r->x[k], a, q->x[k]);
        mpz_submul(r->x[k], b, p->x[k]);
    }
}

/* --- Sums ------------------------------------------------------------------------------------- */

typedef struct long3 {
    mpf_t x[3];
} long3;

static inline void long3_init(long3 *v)
{
    for (int k = 0; k < 3; k++) {
        mpf_init2(v->x[k], SUM_BITS);
    }
}

static inline void long3_clear(long3 *v)
{
    for (int k = 0; k < 3; k++) {
        mpf_clear(v->x[k]);
    }
}

static inline void long3_set(long3 *v, const rational4 *p)
{
    mpf_t w;
    mpf_init2(w, SUM_BITS);
    mpf_set_z(w, p->x[3]);
    for (int k = 0; k < 3; k++) {
        mpf_set_z(v->x[k], p->x[k]);
        mpf_div(v->x[k], v->x[k], w);
    }
    mpf_clear(w);
}

static inline void long3_add(long3 *r, const long3 *a, const long3 *b)
{
    for (int k = 0; k < 3; k++) {
        mpf_add(r->x[k], a->x[k], b->x[k]);
    }
}

static inline void long3_sub(long3 *r, const long3 *a, const long3 *b)
{
    for (int k = 0; k < 3; k++) {
        mpf_sub(r->x[k], a->x[k], b->x[k]);
    }
}

/** Computes the cross product; r must be neither a nor b. */
static inline void long3_cross(long3 *r, const long3 *a, const long3 *b)
{
    mpf_t t;
    mpf_init2(t, SUM_BITS);
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        mpf_mul(r->x[k], a->x[l], b->x[m]);
        mpf_mul(t, a->x[m], b->x[l]);
        mpf_sub(r->x[k], r->x[k], t);
    }
    mpf_clear(t);
}

static inline void long3_scale(long3 *v, unsigned divisor, unsigned scale)
{
    for (int k = 0; k < 3; k++) {
        mpf_div_ui(v->x[k], v->x[k], divisor);
        mpf_div_2exp(v->x[k], v->x[k], scale);
    }
}

/* --- Tetrahedra ------------------------------------------------------------------------------- */

typedef struct rational_cell {
    int sign; /* its sign in the sum that is its mesh; 0: flat */
    geo_box box;
    rational4 corner[4], plane[4]; /* positive inside */
} rational_cell;

/** Computes the plane through three points with w = 1. */
static inline void rational_plane(rational4 *plane, const rational4 *o, const rational4 *p,
                                  const rational4 *q)
{
    mpz_t u[3], v[3];
    for (int k = 0; k < 3; k++) {
        mpz_inits(u[k], v[k], NULL);
        mpz_sub(u[k], p->x[k], o->x[k]);
        mpz_sub(v[k], q->x[k], o->x[k]);
    }
    mpz_set_ui(plane->x[3], 0);
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        mpz_mul(plane->x[k], u[l], v[m]);
        mpz_submul(plane->x[k], u[m], v[l]);
        mpz_submul(plane->x[3], plane->x[k], o->x[k]);
    }
    for (int k = 0; k < 3; k++) {
        mpz_clears(u[k], v[k], NULL);
    }
}

/** Makes the tetrahedron of corners 0, 1, 2 of a face and an apex. */
static inline void rational_cell_make(rational_cell *c, const vec3 p[4], unsigned scale)
{
    mpz_t height;
    mpz_init(height);
    c->box = geo_box_empty();
    for (int i = 0; i < 4; i++) {
        c->box = geo_box_add(c->box, p[i]);
        rational4_init(&c->corner[i]);
        rational4_set(&c->corner[i], p[i], scale);
    }
    for (int i = 0; i < 4; i++) {
        rational4_init(&c->plane[i]);
        rational_plane(&c->plane[i], &c->corner[(i + 1) % 4], &c->corner[(i + 2) % 4],
                       &c->corner[(i + 3) % 4]);
        rational4_side(height, &c->plane[i], &c->corner[i]);
        c->sign = -mpz_sgn(height); /* the last one: the apex of a positive tetrahedron is behind
                                     * its face */
        for (int k = 0; k < 4 && mpz_sgn(height) < 0; k++) {
            mpz_neg(c->plane[i].x[k], c->plane[i].x[k]);
        }
    }
    mpz_clear(height);
}

static inline void rational_cell_clear(rational_cell *c)
{
    for (int i = 0; i < 4; i++) {
        rational4_clear(&c->corner[i]);
        rational4_clear(&c->plane[i]);
    }
}

/* --- Cutting ---------------------------------------------------------------------------------- */

/** Adds six times the volume of a tetrahedron. */
static inline void rational_measure(const rational4 *const p[4], mpf_t sum)
{
    long3 at[4], cross;
    long3_init(&cross);
    for (int k = 0; k < 4; k++) {
        long3_init(&at[k]);
        long3_set(&at[k], p[k]);
    }
    for (int k = 1; k < 4; k++) {
        long3_sub(&at[k], &at[k], &at[0]);
    }
    long3_cross(&cross, &at[1], &at[2]);
    mpf_mul(at[0].x[0], cross.x[0], at[3].x[0]);
    for (int k = 1; k < 3; k++) {
        mpf_mul(at[0].x[k], cross.x[k], at[3].x[k]);
        mpf_add(at[0].x[0], at[0].x[0], at[0].x[k]);
    }
    mpf_abs(at[0].x[0], at[0].x[0]);
    mpf_add(sum, sum, at[0].x[0]);
    for (int k = 0; k < 4; k++) {
        long3_clear(&at[k]);
    }
    long3_clear(&cross);
}

/** Adds six times the volume of the part of a tetrahedron inside the planes of `by` from i on. */
static inline void rational_cut(const rational4 *const p[4], const rational_cell *by, int i,
                                mpf_t sum)
{
    if (i == 4) {
        rational_measure(p, sum);
        return;
    }
    rational4 at[4];
    mpz_t side[4], d;
    const rational4 *q[4]; /* corners inside come first */
    int inside = 0, outside = 4;
    mpz_init(d);
    for (int k = 0; k < 4; k++) {
        rational4_init(&at[k]);
        mpz_init(side[k]);
    }
    for (int k = 0; k < 4; k++) {
        rational4_side(d, &by->plane[i], p[k]);
        const int place = mpz_sgn(d) > 0 ? inside++ : --outside;
        q[place] = p[k];
        mpz_set(side[place], d);
    }
    if (inside == 4) {
        rational_cut(p, by, i + 1, sum);
    } else if (inside == 1) {
        for (int k = 1; k < 4; k++) {
            rational4_meet(&at[k], q[0], side[0], q[k], side[k]);
        }
        const rational4 *const part[4] = {q[0], &at[1], &at[2], &at[3]};
        rational_cut(part, by, i + 1, sum);
    } else if (inside > 1) {
        /* a prism between the triangles a and b, three tetrahedra */
        const rational4 *a[3] = {q[0], q[1], q[2]}, *b[3] = {q[1], &at[2], &at[3]};
        if (inside == 3) {
            for (int k = 0; k < 3; k++) {
                rational4_meet(&at[k], q[k], side[k], q[3], side[3]);
                b[k] = &at[k];
            }
        } else {
            for (int k = 0; k < 4; k++) {
                rational4_meet(&at[k], q[k / 2], side[k / 2], q[2 + k % 2], side[2 + k % 2]);
            }
            a[1] = &at[0];
            a[2] = &at[1];
        }
        const rational4 *const parts[3][4] = {
            {a[0], a[1], a[2], b[2]}, {a[0], a[1], b[1], b[2]}, {a[0], b[0], b[1], b[2]}};
        for (int k = 0; k < 3; k++) {
            rational_cut(parts[k], by, i + 1, sum);
        }
    }
    for (int k = 0; k < 4; k++) {
        rational4_clear(&at[k]);
        mpz_clear(side[k]);
    }
    mpz_clear(d);
}

/** Receives a signed triangle of the part of a face that is inside the other body. */
typedef void rational_visit(void *context, size_t face, int sign, const rational4 *const p[3]);

/** Area vectors and first moments, multiplied by `sign`. */
typedef struct rational_faces {
    rational_visit *visit; /* if not NULL, it receives the triangles and nothing is summed */
    void *context;
    size_t face;
    int sign;
    const long *nudge; /* the direction in which B is moved infinitely little; NULL: (e, e^2,
                        * e^3) */
    long3 normal2;     /* twice the area vector */
    long3 moment6;     /* six times integral of x cross n, about 0 */
} rational_faces;

static inline void rational_measure_face(const rational4 *const p[3], rational_faces *sum)
{
    long3 at[3], u, v;
    long3_init(&u);
    long3_init(&v);
    for (int k = 0; k < 3; k++) {
        long3_init(&at[k]);
        long3_set(&at[k], p[k]);
    }
    long3_sub(&u, &at[1], &at[0]);
    long3_sub(&v, &at[2], &at[0]);
    long3_add(&at[0], &at[0], &at[1]);
    long3_add(&at[0], &at[0], &at[2]);
    long3_cross(&at[1], &u, &v);
    long3_cross(&at[2], &at[0], &at[1]);
    (sum->sign > 0 ? long3_add : long3_sub)(&sum->normal2, &sum->normal2, &at[1]);
    (sum->sign > 0 ? long3_add : long3_sub)(&sum->moment6, &sum->moment6, &at[2]);
    for (int k = 0; k < 3; k++) {
        long3_clear(&at[k]);
    }
    long3_clear(&u);
    long3_clear(&v);
}

/** Computes the distance by which this move brings a point of a plane inside of it. */
static inline void rational_nudge(mpz_t side, const rational4 *plane, const long *nudge)
{
    mpz_set_ui(side, 0);
    for (int k = 0; k < 3 && nudge; k++) {
        mpz_t step;
        mpz_init(step);
        mpz_mul_si(step, plane->x[k], nudge[k]);
        mpz_add(side, side, step);
        mpz_clear(step);
    }
    for (int k = 0; k < 3 && mpz_sgn(side) == 0; k++) {
        mpz_set(side, plane->x[k]);
    }
}

/** Adds the part of a triangle inside the planes of `by` from i on. */
static inline void rational_cut_face(const rational4 *const p[3], const rational_cell *by, int i,
                                     rational_faces *sum)
{
    if (i == 4 && sum->visit) {
        sum->visit(sum->context, sum->face, sum->sign, p);
    } else if (i == 4) {
        rational_measure_face(p, sum);
    }
    if (i == 4) {
        return;
    }
    rational4 at[2];
    mpz_t side[3];
    for (int k = 0; k < 3; k++) {
        mpz_init(side[k]);
        rational4_side(side[k], &by->plane[i], p[k]);
    }
    if (mpz_sgn(side[0]) == 0 && mpz_sgn(side[1]) == 0 && mpz_sgn(side[2]) == 0) {
        /* as if B had been moved a little: inside one of the two cells that share the plane */
        rational_nudge(side[0], &by->plane[i], sum->nudge);
        mpz_set(side[1], side[0]);
        mpz_set(side[2], side[0]);
    }
    const rational4 *polygon[4];
    int n = 0, meetings = 0;
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3;
        const bool here = mpz_sgn(side[k]) > 0, there = mpz_sgn(side[l]) > 0;
        if (here) {
            polygon[n++] = p[k];
        }
        if (here != there) {
            rational4 *const meeting = &at[meetings++];
            const int from = here ? k : l, to = here ? l : k;
            rational4_init(meeting);
            rational4_meet(meeting, p[from], side[from], p[to], side[to]);
            polygon[n++] = meeting;
        }
    }
    for (int k = 2; k < n; k++) {
        const rational4 *const part[3] = {polygon[0], polygon[k - 1], polygon[k]};
        rational_cut_face(part, by, i + 1, sum);
    }
    for (int k = 0; k < meetings; k++) {
        rational4_clear(&at[k]);
    }
    for (int k = 0; k < 3; k++) {
        mpz_clear(side[k]);
    }
}

/* --- Two meshes ------------------------------------------------------------------------------- */

typedef struct rational_overlap {
    mpf_t volume;
    long3 gradient, moment; /* as in gt_flux; the moment about A's origin */
} rational_overlap;

static inline void rational_overlap_init(rational_overlap *r)
{
    mpf_init2(r->volume, SUM_BITS);
    long3_init(&r->gradient);
    long3_init(&r->moment);
}

static inline void rational_overlap_clear(rational_overlap *r)
{
    mpf_clear(r->volume);
    long3_clear(&r->gradient);
    long3_clear(&r->moment);
}

/** Two meshes as cells, at a common scale. */
typedef struct rational_pair {
    const geo_mesh *mesh[2];
    vec3 *moved; /* B's vertices */
    unsigned scale;
    rational_cell *cells[2]; /* one for each face */
} rational_pair;

static inline void rational_make_cells(rational_pair *pair, int s, const vec3 *vertices)
{
    const geo_mesh *const mesh = pair->mesh[s];
    pair->cells[s] = base_alloc(mesh->face_count, sizeof *pair->cells[s]);
    if (!pair->cells[s]) {
        abort();
    }
    for (size_t f = 0; f < mesh->face_count; f++) {
        const uint32_t *const v = mesh->faces[f].v;
        const vec3 p[4] = {vertices[v[0]], vertices[v[1]], vertices[v[2]],
                           vertices[mesh->faces[0].v[0]]};
        rational_cell_make(&pair->cells[s][f], p, pair->scale);
    }
}

static inline void rational_volume(const rational_pair *pair, mpf_t volume)
{
    mpf_t part;
    mpf_init2(part, SUM_BITS);
    for (size_t i = 0; i < pair->mesh[0]->face_count; i++) {
        for (size_t j = 0; j < pair->mesh[1]->face_count; j++) {
            const rational_cell *const a = &pair->cells[0][i], *const b = &pair->cells[1][j];
            if (a->sign * b->sign != 0 && geo_box_overlap(a->box, b->box)) {
                const rational4 *const p[4] = {&b->corner[0], &b->corner[1], &b->corner[2],
                                               &b->corner[3]};
                mpf_set_ui(part, 0);
                rational_cut(p, a, 0, part);
                (a->sign == b->sign ? mpf_add : mpf_sub)(volume, volume, part);
            }
        }
    }
    mpf_div_ui(volume, volume, 6);
    mpf_div_2exp(volume, volume, 3 * pair->scale);
    mpf_clear(part);
}

/** Cuts the faces of body `side` (0: A, 1: B) to the other body. */
static inline void rational_cut_faces(const rational_pair *pair, int side, rational_faces *faces)
{
    const geo_mesh *const mesh = pair->mesh[side], *const other = pair->mesh[1 - side];
    const vec3 *const vertices = side == 0 ? mesh->vertices : pair->moved;
    for (size_t f = 0; f < mesh->face_count; f++) {
        rational4 corner[3];
        geo_box box = geo_box_empty();
        for (int k = 0; k < 3; k++) {
            const vec3 p = vertices[mesh->faces[f].v[k]];
            box = geo_box_add(box, p);
            rational4_init(&corner[k]);
            rational4_set(&corner[k], p, pair->scale);
        }
        const rational4 *const p[3] = {&corner[0], &corner[1], &corner[2]};
        faces->face = f;
        for (size_t i = 0; i < other->face_count; i++) {
            const rational_cell *const cell = &pair->cells[1 - side][i];
            faces->sign = cell->sign;
            if (cell->sign != 0 && geo_box_overlap(cell->box, box)) {
                rational_cut_face(p, cell, 0, faces);
            }
        }
        for (int k = 0; k < 3; k++) {
            rational4_clear(&corner[k]);
        }
    }
}

/** Computes the derivatives; the sums must begin at 0. */
static inline void rational_derivatives(const rational_pair *pair, const long *nudge,
                                        long3 *gradient, long3 *moment)
{
    rational_faces faces = {.nudge = nudge};
    long3_init(&faces.normal2);
    long3_init(&faces.moment6);
    rational_cut_faces(pair, 1, &faces);
    long3_add(gradient, gradient, &faces.normal2);
    long3_scale(gradient, 2, 2 * pair->scale);
    long3_add(moment, moment, &faces.moment6);
    long3_scale(moment, 6, 3 * pair->scale);
    long3_clear(&faces.normal2);
    long3_clear(&faces.moment6);
}

/** Makes a pair of a, unchanged, and b with its corners as geo_pose_apply moves them. */
static inline rational_pair rational_pair_make(const geo_mesh *a, const geo_mesh *b,
                                               const geo_pose *pose)
{
    rational_pair pair = {.mesh = {a, b}, .moved = base_alloc(b->vertex_count, sizeof *pair.moved)};
    if (!pair.moved) {
        abort();
    }
    for (size_t v = 0; v < b->vertex_count; v++) {
        pair.moved[v] = geo_pose_apply(pose, b->vertices[v]);
    }
    pair.scale = rational_scale(a->vertices, a->vertex_count, 0);
    pair.scale = rational_scale(pair.moved, b->vertex_count, pair.scale);
    rational_make_cells(&pair, 0, a->vertices);
    rational_make_cells(&pair, 1, pair.moved);
    return pair;
}

static inline void rational_pair_clear(rational_pair *pair)
{
    for (int s = 0; s < 2; s++) {
        for (size_t f = 0; f < pair->mesh[s]->face_count; f++) {
            rational_cell_clear(&pair->cells[s][f]);
        }
        base_free(pair->cells[s]);
    }
    base_free(pair->moved);
}

/**
 * Computes the overlap of a pair; r must be 0. Where a face of one body is in a face of the other,
 * the derivatives are those for b moved by a further (e, e^2, e^3).
 */
static inline void rational_overlap_of(const geo_mesh *a, const geo_mesh *b, const geo_pose *pose,
                                       bool derivatives, rational_overlap *r)
{
    rational_pair pair = rational_pair_make(a, b, pose);
    rational_volume(&pair, r->volume);
    if (derivatives) {
        rational_derivatives(&pair, NULL, &r->gradient, &r->moment);
    }
    rational_pair_clear(&pair);
}

/* --- Against doubles -------------------------------------------------------------------------- */

/** Returns value - exact. */
static inline double rational_difference(double value, const mpf_t exact)
{
    mpf_t d;
    mpf_init2(d, SUM_BITS);
    mpf_set_d(d, value);
    mpf_sub(d, d, exact);
    const double difference = mpf_get_d(d);
    mpf_clear(d);
    return difference;
}

/** Returns the length of value - exact. */
static inline double rational_distance(vec3 value, const long3 *exact)
{
    return vec3_norm((vec3){rational_difference(value.x, exact->x[0]),
                            rational_difference(value.y, exact->x[1]),
                            rational_difference(value.z, exact->x[2])});
}

/** Converts the moment about A's origin to that about another point. */
static inline void rational_turn_moment(long3 *moment, const long3 *gradient, vec3 about)
{
    long3 p, turn;
    long3_init(&p);
    long3_init(&turn);
    for (int k = 0; k < 3; k++) {
        mpf_set_d(p.x[k], vec3_get(about, k));
    }
    long3_cross(&turn, &p, gradient);
    long3_sub(moment, moment, &turn);
    long3_clear(&p);
    long3_clear(&turn);
}

#endif
