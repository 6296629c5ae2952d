/**
 * Distance, pairs of triangles and depth of two small meshes in exact integers. Together with
 * rational.h they are the references of the oracle. Each algorithm is the simplest one available,
 * and differs from those of the ground truth.
 */
#ifndef GROUNDTRUTH_TESTS_EXACT_H
#define GROUNDTRUTH_TESTS_EXACT_H

#include "geometry/mesh.h"
#include "groundtruth/body/types.h"

#include "rational.h"

typedef struct exact_point {
    mpz_t x[3];
} exact_point;

/** The length sqrt(above / below), in units of 2^-scale m. */
typedef struct exact_length {
    mpz_t above, below;
    unsigned scale;
} exact_length;

/** Two meshes, B with moved corners, as integers in units of 2^-scale m. */
typedef struct exact_pair {
    const geo_mesh *mesh[2];
    const vec3 *corners[2];
    unsigned scale;
    exact_point *points[2];
} exact_pair;

/* --- Vectors ---------------------------------------------------------------------------------- */

static inline void exact_init(exact_point *v)
{
    mpz_inits(v->x[0], v->x[1], v->x[2], NULL);
}

static inline void exact_clear(exact_point *v)
{
    mpz_clears(v->x[0], v->x[1], v->x[2], NULL);
}

static inline void exact_difference(exact_point *r, const exact_point *a, const exact_point *b)
{
    for (int k = 0; k < 3; k++) {
        mpz_sub(r->x[k], a->x[k], b->x[k]);
    }
}

/** Computes the cross product; r must be neither a nor b. */
static inline void exact_cross(exact_point *r, const exact_point *a, const exact_point *b)
{
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        mpz_mul(r->x[k], a->x[l], b->x[m]);
        mpz_submul(r->x[k], a->x[m], b->x[l]);
    }
}

static inline void exact_dot(mpz_t r, const exact_point *a, const exact_point *b)
{
    mpz_mul(r, a->x[0], b->x[0]);
    mpz_addmul(r, a->x[1], b->x[1]);
    mpz_addmul(r, a->x[2], b->x[2]);
}

/* --- Lengths ---------------------------------------------------------------------------------- */

static inline void exact_length_init(exact_length *l)
{
    mpz_inits(l->above, l->below, NULL);
    mpz_set_ui(l->below, 1);
    l->scale = 0;
}

static inline void exact_length_clear(exact_length *l)
{
    mpz_clears(l->above, l->below, NULL);
}

/** Returns the sign of the length minus a double that is not negative. */
static inline int exact_compare(const exact_length *l, double bound)
{
    mpq_t square, own;
    mpq_inits(square, own, NULL);
    mpq_set_d(square, bound);
    mpq_mul(square, square, square);
    mpz_set(mpq_numref(own), l->above);
    mpz_mul_2exp(mpq_denref(own), l->below, 2 * (mp_bitcnt_t)l->scale);
    mpq_canonicalize(own);
    const int sign = mpq_cmp(own, square);
    mpq_clears(square, own, NULL);
    return sign;
}

/** Returns -1 if the length is below the bracket, 1 if it is above, 0 if it is inside. */
static inline int exact_length_outside(const exact_length *l, gt_bracket bracket)
{
    return exact_compare(l, bracket.lo) < 0 ? -1 : exact_compare(l, bracket.hi) > 0;
}

/** Returns the length rounded to about the nearest double, for messages. */
static inline double exact_length_round(const exact_length *l)
{
    mpf_t above, below;
    mpf_init2(above, 256);
    mpf_init2(below, 256);
    mpf_set_z(above, l->above);
    mpf_set_z(below, l->below);
    mpf_div(above, above, below);
    mpf_sqrt(above, above);
    mpf_div_2exp(above, above, l->scale);
    const double length = mpf_get_d(above);
    mpf_clear(above);
    mpf_clear(below);
    return length;
}

/** Sets l to the smaller of l and sqrt(above / below). *any: l already holds a length. */
static inline void exact_keep_least(exact_length *l, bool *any, const mpz_t above,
                                    const mpz_t below)
{
    mpz_t here, best;
    mpz_inits(here, best, NULL);
    if (*any) {
        mpz_mul(here, above, l->below);
        mpz_mul(best, l->above, below);
    }
    if (!*any || mpz_cmp(here, best) < 0) {
        mpz_set(l->above, above);
        mpz_set(l->below, below);
        *any = true;
    }
    mpz_clears(here, best, NULL);
}

/* --- Pairs of meshes -------------------------------------------------------------------------- */

/** Makes a pair; all arguments are borrowed. Memory: exact_pair_clear. */
static inline exact_pair exact_pair_make(const geo_mesh *a, const geo_mesh *b, const vec3 *moved)
{
    exact_pair pair = {.mesh = {a, b}, .corners = {a->vertices, moved}};
    for (int s = 0; s < 2; s++) {
        pair.scale = rational_scale(pair.corners[s], pair.mesh[s]->vertex_count, pair.scale);
    }
    for (int s = 0; s < 2; s++) {
        const size_t n = pair.mesh[s]->vertex_count;
        pair.points[s] = base_alloc(n, sizeof *pair.points[s]);
        if (!pair.points[s]) {
            abort();
        }
        for (size_t v = 0; v < n; v++) {
            rational4 p;
            rational4_init(&p);
            rational4_set(&p, pair.corners[s][v], pair.scale);
            for (int k = 0; k < 3; k++) {
                mpz_init_set(pair.points[s][v].x[k], p.x[k]);
            }
            rational4_clear(&p);
        }
    }
    return pair;
}

static inline void exact_pair_clear(exact_pair *pair)
{
    for (int s = 0; s < 2; s++) {
        for (size_t v = 0; v < pair->mesh[s]->vertex_count; v++) {
            exact_clear(&pair->points[s][v]);
        }
        base_free(pair->points[s]);
    }
}

/* --- Triangles -------------------------------------------------------------------------------- */

/** The least distance found so far, and numbers to compute with. */
typedef struct exact_search {
    exact_length *least;
    bool any;
    exact_point u, v, w, n, m;
    mpz_t a, b, c, d, e, f;
} exact_search;

static inline void exact_search_init(exact_search *s, exact_length *least)
{
    s->least = least;
    s->any = false;
    mpz_inits(s->a, s->b, s->c, s->d, s->e, s->f, NULL);
    exact_init(&s->u);
    exact_init(&s->v);
    exact_init(&s->w);
    exact_init(&s->n);
    exact_init(&s->m);
}

static inline void exact_search_clear(exact_search *s)
{
    mpz_clears(s->a, s->b, s->c, s->d, s->e, s->f, NULL);
    exact_clear(&s->u);
    exact_clear(&s->v);
    exact_clear(&s->w);
    exact_clear(&s->n);
    exact_clear(&s->m);
}

/** Adds the distance of a corner and an edge. */
static inline void exact_corner_to_edge(exact_search *s, const exact_point *p,
                                        const exact_point *q0, const exact_point *q1)
{
    exact_difference(&s->v, q1, q0);
    exact_difference(&s->w, p, q0);
    exact_dot(s->c, &s->v, &s->v);
    exact_dot(s->d, &s->v, &s->w);
    if (mpz_sgn(s->d) > 0 && mpz_cmp(s->d, s->c) < 0) {
        exact_cross(&s->n, &s->v, &s->w);
        exact_dot(s->a, &s->n, &s->n);
        exact_keep_least(s->least, &s->any, s->a, s->c);
        return;
    }
    exact_difference(&s->w, p, mpz_sgn(s->d) <= 0 ? q0 : q1);
    exact_dot(s->a, &s->w, &s->w);
    mpz_set_ui(s->c, 1);
    exact_keep_least(s->least, &s->any, s->a, s->c);
}

/** Adds the distance of two edges if their nearest points are between their ends. */
static inline void exact_edge_to_edge(exact_search *s, const exact_point *p0, const exact_point *p1,
                                      const exact_point *q0, const exact_point *q1)
{
    exact_difference(&s->u, p1, p0);
    exact_difference(&s->v, q1, q0);
    exact_difference(&s->w, q0, p0);
    exact_cross(&s->n, &s->u, &s->v);
    exact_dot(s->c, &s->n, &s->n);
    if (mpz_sgn(s->c) == 0) {
        return;
    }
    exact_cross(&s->m, &s->w, &s->v);
    exact_dot(s->d, &s->m, &s->n); /* times |n|^2: parameter on p */
    exact_cross(&s->m, &s->w, &s->u);
    exact_dot(s->e, &s->m, &s->n); /* parameter on q */
    if (mpz_sgn(s->d) >= 0 && mpz_cmp(s->d, s->c) <= 0 && mpz_sgn(s->e) >= 0 &&
        mpz_cmp(s->e, s->c) <= 0) {
        exact_dot(s->a, &s->w, &s->n);
        mpz_mul(s->a, s->a, s->a);
        exact_keep_least(s->least, &s->any, s->a, s->c);
    }
}

/** Adds the distance of a corner and a face if the foot of the corner is in the face. */
static inline void exact_corner_to_face(exact_search *s, const exact_point *p,
                                        const exact_point *const t[3])
{
    exact_difference(&s->u, t[1], t[0]);
    exact_difference(&s->v, t[2], t[0]);
    exact_cross(&s->n, &s->u, &s->v);
    exact_dot(s->c, &s->n, &s->n);
    for (int k = 0; k < 3; k++) {
        exact_difference(&s->u, t[(k + 1) % 3], t[k]);
        exact_difference(&s->w, p, t[k]);
        exact_cross(&s->m, &s->u, &s->w);
        exact_dot(s->d, &s->m, &s->n);
        if (mpz_sgn(s->d) < 0) {
            return;
        }
    }
    if (mpz_sgn(s->c) != 0) {
        exact_dot(s->a, &s->w, &s->n);
        mpz_mul(s->a, s->a, s->a);
        exact_keep_least(s->least, &s->any, s->a, s->c);
    }
}

static inline int exact_side_of(exact_search *s, const exact_point *const t[3],
                                const exact_point *p)
{
    exact_difference(&s->u, t[1], t[0]);
    exact_difference(&s->v, t[2], t[0]);
    exact_difference(&s->w, p, t[0]);
    exact_cross(&s->n, &s->u, &s->v);
    exact_dot(s->a, &s->n, &s->w);
    return mpz_sgn(s->a);
}

/** True if the edge passes through the triangle from one side to the other. */
static inline bool exact_goes_through(exact_search *s, const exact_point *p, const exact_point *q,
                                      const exact_point *const t[3])
{
    if (exact_side_of(s, t, p) * exact_side_of(s, t, q) >= 0) {
        return false; /* ends in the plane are covered as corners at distance 0 */
    }
    int least = 1, most = -1;
    for (int k = 0; k < 3; k++) {
        const exact_point *const around[3] = {t[k], t[(k + 1) % 3], q};
        const int side = exact_side_of(s, around, p);
        least = side < least ? side : least;
        most = side > most ? side : most;
    }
    return least >= 0 || most <= 0;
}

/** Adds a pair of triangles. Returns whether they share a point. */
static inline bool exact_add_pair(exact_search *s, const exact_point *const a[3],
                                  const exact_point *const b[3])
{
    bool through = false;
    for (int k = 0; k < 3 && !through; k++) {
        through = exact_goes_through(s, a[k], a[(k + 1) % 3], b) ||
                  exact_goes_through(s, b[k], b[(k + 1) % 3], a);
    }
    if (through) {
        mpz_set_ui(s->a, 0);
        mpz_set_ui(s->c, 1);
        exact_keep_least(s->least, &s->any, s->a, s->c);
        return true;
    }
    exact_length own;
    exact_length_init(&own);
    exact_length *const least = s->least;
    const bool any = s->any;
    s->least = &own;
    s->any = false;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            exact_corner_to_edge(s, a[i], b[k], b[(k + 1) % 3]);
            exact_corner_to_edge(s, b[i], a[k], a[(k + 1) % 3]);
            exact_edge_to_edge(s, a[i], a[(i + 1) % 3], b[k], b[(k + 1) % 3]);
        }
        exact_corner_to_face(s, a[i], b);
        exact_corner_to_face(s, b[i], a);
    }
    const bool touch = mpz_sgn(own.above) == 0;
    s->least = least;
    s->any = any;
    exact_keep_least(s->least, &s->any, own.above, own.below);
    exact_length_clear(&own);
    return touch;
}

static inline geo_box exact_box_of(const exact_pair *pair, int side, size_t face)
{
    geo_box box = geo_box_empty();
    for (int k = 0; k < 3; k++) {
        box = geo_box_add(box, pair->corners[side][pair->mesh[side]->faces[face].v[k]]);
    }
    return box;
}

/**
 * Returns a lower bound of the squared distance of the contents, except for rounding, which the
 * margin of `far` covers.
 */
static inline double exact_box_gap2(geo_box x, geo_box y)
{
    const vec3 zero = {0, 0, 0};
    return vec3_norm2(vec3_max(zero, vec3_max(vec3_sub(x.lo, y.hi), vec3_sub(y.lo, x.hi))));
}

/**
 * Returns the number of pairs of closed triangles that share a point. *distance: between the
 * surfaces. The distance of two triangles is the least distance of a corner from a face or an edge,
 * or of two edges. It is 0 if an edge passes through the other triangle.
 */
static inline uint64_t exact_surfaces(const exact_pair *pair, exact_length *distance)
{
    exact_search s;
    uint64_t count = 0;
    double far = INFINITY; /* squared, slightly more than the least so far */
    exact_search_init(&s, distance);
    distance->scale = pair->scale;
    for (size_t i = 0; i < pair->mesh[0]->face_count; i++) {
        const geo_box box = exact_box_of(pair, 0, i);
        for (size_t j = 0; j < pair->mesh[1]->face_count; j++) {
            if (exact_box_gap2(box, exact_box_of(pair, 1, j)) > far) {
                continue;
            }
            const exact_point *t[2][3];
            for (int k = 0; k < 3; k++) {
                t[0][k] = &pair->points[0][pair->mesh[0]->faces[i].v[k]];
                t[1][k] = &pair->points[1][pair->mesh[1]->faces[j].v[k]];
            }
            count += exact_add_pair(&s, t[0], t[1]);
            const double least = exact_length_round(distance);
            far = least * least * 1.001;
        }
    }
    exact_search_clear(&s);
    return count;
}

/* --- Depth ------------------------------------------------------------------------------------ */

/** Finds the extremes of n . p over the corners of a body. */
static inline void exact_extremes(const exact_pair *pair, int side, const exact_point *n,
                                  mpz_t least, mpz_t most)
{
    mpz_t here;
    mpz_init(here);
    for (size_t v = 0; v < pair->mesh[side]->vertex_count; v++) {
        exact_dot(here, n, &pair->points[side][v]);
        if (v == 0 || mpz_cmp(here, least) < 0) {
            mpz_set(least, here);
        }
        if (v == 0 || mpz_cmp(here, most) > 0) {
            mpz_set(most, here);
        }
    }
    mpz_clear(here);
}

/** Tries s->n and its opposite. */
static inline void exact_try_direction(const exact_pair *pair, exact_search *s)
{
    exact_dot(s->f, &s->n, &s->n);
    if (mpz_sgn(s->f) == 0) {
        return;
    }
    exact_extremes(pair, 0, &s->n, s->a, s->b);
    exact_extremes(pair, 1, &s->n, s->c, s->d);
    mpz_sub(s->b, s->b, s->c); /* along n */
    mpz_sub(s->d, s->d, s->a); /* along -n */
    mpz_t *const width = mpz_cmp(s->b, s->d) < 0 ? &s->b : &s->d;
    mpz_set_ui(s->e, 0);
    if (mpz_sgn(*width) > 0) {
        mpz_mul(s->e, *width, *width);
    }
    exact_keep_least(s->least, &s->any, s->e, s->f);
}

/**
 * Computes the depth of the convex hulls: the least width of the Minkowski difference along the
 * normals of all triples of corners of a body, and along the cross products of all pairs of corners
 * of one body with all pairs of the other. These directions include the normals of all facets, and
 * the width along any direction is no less than the depth.
 */
static inline void exact_depth(const exact_pair *pair, exact_length *depth)
{
    exact_search s;
    exact_search_init(&s, depth);
    depth->scale = pair->scale;
    for (int side = 0; side < 2; side++) {
        const size_t n = pair->mesh[side]->vertex_count;
        const exact_point *const p = pair->points[side];
        for (size_t i = 0; i < n; i++) {
            for (size_t j = i + 1; j < n; j++) {
                for (size_t k = j + 1; k < n; k++) {
                    exact_difference(&s.u, &p[j], &p[i]);
                    exact_difference(&s.v, &p[k], &p[i]);
                    exact_cross(&s.n, &s.u, &s.v);
                    exact_try_direction(pair, &s);
                }
            }
        }
    }
    const size_t of_a = pair->mesh[0]->vertex_count, of_b = pair->mesh[1]->vertex_count;
    for (size_t i = 0; i < of_a * of_a; i++) {
        for (size_t j = 0; j < of_b * of_b && i / of_a < i % of_a; j++) {
            if (j / of_b < j % of_b) {
                exact_difference(&s.u, &pair->points[0][i % of_a], &pair->points[0][i / of_a]);
                exact_difference(&s.v, &pair->points[1][j % of_b], &pair->points[1][j / of_b]);
                exact_cross(&s.n, &s.u, &s.v);
                exact_try_direction(pair, &s);
            }
        }
    }
    exact_search_clear(&s);
}

#endif
