#include "groundtruth/depth/penetration.h"

#include "base/containers.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "geometry/pose.h"
#include "groundtruth/body/body.h"
#include "groundtruth/body/types.h"
#include "groundtruth/depth/depth.h"
#include "groundtruth/distance/distance.h"

#include <float.h>
#include <string.h>

/* --- The upper end: escapes ------------------------------------------------------------------- */

/*
 * A place is a translation of B. At a place, B overlaps A (the place is blocked) or does not (it is
 * free). The upper end of the penetration depth is the distance from 0 to the nearest free place
 * that a search finds.
 */

typedef struct gt_place {
    vec3 at;     /* translation in A's frame, relative to the given pose */
    double gap;  /* gap between the bodies; 0 if the place is blocked */
    vec3 normal; /* at a free place the direction in which the gap grows fastest, unit; else 0 */
    vec3 common; /* at a blocked place a point where the surfaces meet or are nearest */
} gt_place;

typedef struct gt_way_out {
    const gt_body *a, *b;
    const geo_pose *pose;
    double slack;    /* rounding error of the gap, at all places that are no farther away than the
                      * bodies are large */
    vec3 nearest;    /* the free place nearest to 0 so far */
    double length;   /* length of nearest; infinity at first */
    uint64_t places; /* number of places tested */
    uint64_t starts; /* number of free places from which nearer ones were searched */
} gt_way_out;

/*
 * All places that are closer to a free place than its gap are free, too. The search starts at a
 * free place outside and moves it straight towards 0 until the bodies touch. The contact defines a
 * plane. Places on one side of this plane are free as long as no other parts of the surfaces meet.
 * The search then takes the places that are on the free sides of all known planes, at a small
 * distance from them. It tries the one nearest to 0 next. If that place is blocked, there is an
 * unknown contact on the way to it. The search finds it and adds its plane. The distance from the
 * planes is reduced step by step. A contact of curved surfaces makes a plane that is wrong
 * elsewhere. The plane is forgotten when a free place is found far behind it.
 *
 * Source   The planes of contacts: Je2012. The choice and order of the places tried is our own.
 */

enum {
    STARTS = 8,
    FALL_MAX = 60,  /* largest number of tests on one way towards 0 */
    SLIDE_MAX = 60, /* steps along the contacts */
    HALVINGS = 20,  /* halvings of the way to a blocked place */
    PLANES = 8,     /* number of planes kept */
    SWEEPS = 200,   /* iterations over the planes */
};

/* Distances from the planes at which places are tried, relative to their distance from 0: the first
 * one, and the last ones of a coarse and of a fine search. */
#define MARGIN        0.02
#define MARGIN_COARSE 1e-3
#define MARGIN_FINE   1e-9
/* Gap at which bodies count as touching, relative to the margin. */
#define TOUCHING 0.05
/*
 * A contact counts as grazing if the cosine of the angle between its normal and the fall is not
 * above this. Its plane is then a poor estimate of where the fall ends.
 */
#define GRAZING 0.01
/* If the cosine of the angle between two normals is above this, they belong to the same contact. */
#define SAME_PLANE 0.9999
/* A plane is dropped if a free place is farther behind it than this, relative to the distance of
 * the place from 0. */
#define FORGOTTEN 0.1

/**
 * Tests whether the place is free, by gt_distance_query. This takes 0.04 ms for two meshes of
 * 60,000 triangles.
 */
static gt_place way_out_look(gt_way_out *way, vec3 at)
{
    const geo_pose *const pose = way->pose;
    const geo_pose moved = {pose->rotation, vec3_add(pose->translation, at)};
    gt_distance d;
    gt_distance_query(way->a, way->b, &moved, &d);
    way->places++;
    gt_place place = {.at = at, .common = d.witness_a};
    if (d.distance_m.lo > 0) {
        place.gap = 0.5 * (d.distance_m.lo + d.distance_m.hi);
        place.normal = vec3_normalize(vec3_sub(d.witness_b, d.witness_a));
    }
    return place;
}

/**
 * Moves from a free place straight towards 0 until the gap is at most `touching`. The length of a
 * step is chosen as if the nearest features were planes. If such a step ends at a blocked place,
 * the next one is only as long as is certainly free.
 */
static gt_place fall(gt_way_out *way, gt_place place, double touching)
{
    bool leap = true;
    for (int i = 0; i < FALL_MAX && place.gap > touching; i++) {
        const vec3 out = vec3_normalize(place.at);
        const double length = vec3_norm(place.at), speed = vec3_dot(place.normal, out);
        const double safe = place.gap - 0.5 * touching;
        const double step = leap && speed > GRAZING ? safe / speed : safe;
        const double left = step < 0.5 * length ? length - step : 0.5 * length;
        const gt_place next = way_out_look(way, vec3_scale(left, out));
        if (next.gap > 0) {
            place = next;
            leap = true;
        } else if (leap) {
            leap = false;
        } else {
            break;
        }
    }
    return place;
}

/** The plane of a contact that was found. Places with normal . at >= offset are on its free
 * side. */
typedef struct plane {
    vec3 normal; /* unit */
    double offset;
} plane;

typedef struct planes {
    plane of[PLANES]; /* the oldest first */
    size_t count;
} planes;

static void forget(planes *p, size_t k)
{
    p->count--;
    memmove(p->of + k, p->of + k + 1, (p->count - k) * sizeof *p->of);
}

/**
 * Adds the contact of a free place. It replaces a known one whose normal is nearly the same.
 * Forgets planes that the place is far behind. Returns true if no known contact was replaced.
 */
static bool learn(planes *p, const gt_place *place)
{
    const double far = FORGOTTEN * vec3_norm(place->at);
    bool new = true;
    for (size_t k = p->count; k-- > 0;) {
        const plane *const known = &p->of[k];
        const bool same = vec3_dot(known->normal, place->normal) > SAME_PLANE;
        if (same || vec3_dot(known->normal, place->at) < known->offset - far) {
            forget(p, k);
        }
        new = new && !same;
    }
    if (p->count == PLANES) {
        forget(p, 0);
    }
    const double offset = vec3_dot(place->normal, place->at) - place->gap;
    p->of[p->count++] = (plane){place->normal, offset};
    return new;
}

/**
 * Returns the point nearest to 0 that is at least `margin` away from all planes. This is a
 * quadratic programme, solved plane by plane (Hildreth1957). If there is no such point, returns an
 * arbitrary one.
 */
static vec3 nearest_on(const planes *p, double margin)
{
    vec3 x = {0, 0, 0};
    double push[PLANES] = {0};
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double largest = 0;
        for (size_t k = 0; k < p->count; k++) {
            const double lack = p->of[k].offset + margin - vec3_dot(p->of[k].normal, x);
            const double change = lack > -push[k] ? lack : -push[k];
            push[k] += change;
            x = vec3_madd(x, change, p->of[k].normal);
            largest = fabs(change) > largest ? fabs(change) : largest;
        }
        if (largest <= DBL_EPSILON * vec3_norm(x)) {
            break;
        }
    }
    return x;
}

/**
 * Returns the goal if it is free. Otherwise halves the way to the goal until the nearest contact of
 * the free end is one that blocks the way, and returns this end.
 */
static gt_place approach(gt_way_out *way, gt_place place, vec3 goal)
{
    const gt_place there = way_out_look(way, goal);
    if (there.gap > 0) {
        return there;
    }
    const vec3 along = vec3_sub(goal, place.at);
    vec3 blocked = goal;
    for (int i = 0; i < HALVINGS && !(vec3_dot(place.normal, along) < 0); i++) {
        const vec3 middle = vec3_scale(0.5, vec3_add(place.at, blocked));
        const gt_place next = way_out_look(way, middle);
        if (next.gap > 0) {
            place = next;
        } else {
            blocked = middle;
        }
    }
    return place;
}

/** Searches along the contacts from a free place, until no contact leads nearer to 0 or the steps
 * are used up. */
static void slide(gt_way_out *way, gt_place place, double finest)
{
    planes met = {.count = 0};
    double margin = MARGIN;
    for (int i = 0; i < SLIDE_MAX && margin >= finest; i++) {
        const double before = vec3_norm(place.at);
        const double touching = TOUCHING * margin * before;
        bool learned = learn(&met, &place);
        place = fall(way, place, touching > 8 * way->slack ? touching : 8 * way->slack);
        learned = learn(&met, &place) || learned;
        const vec3 goal = nearest_on(&met, margin * before);
        if (vec3_norm(goal) < vec3_norm(place.at)) {
            place = approach(way, place, goal);
        }
        if (!learned && !(vec3_norm(place.at) < before * (1 - margin))) {
            margin /= 4;
        }
    }
    const double length = vec3_norm(place.at);
    if (length < way->length) {
        way->length = length;
        way->nearest = place.at;
    }
}

/* Starting points. */

/** Returns direction i of `count` on a spiral from pole to pole. */
static vec3 spiral(size_t i, size_t count)
{
    const double golden = BASE_PI * (3 - sqrt(5));
    const double z = 1 - (2 * (double)i + 1) / (double)count;
    const double r = sqrt(1 - z * z), angle = golden * (double)i;
    return (vec3){r * base_cos(angle), r * base_sin(angle), z};
}

/** Returns the largest u . p of all vertices. */
static double support(const geo_mesh *mesh, vec3 u)
{
    double most = -INFINITY;
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        const double along = vec3_dot(u, mesh->vertices[v]);
        most = along > most ? along : most;
    }
    return most;
}

/** Returns how far B has to move along u until a plane separates the bodies. */
static double far_out(const gt_way_out *way, vec3 u)
{
    const vec3 back = vec3_scale(-1, mat3_tmul_vec3(way->pose->rotation, u));
    return support(way->a->mesh, u) + support(way->b->mesh, back) -
           vec3_dot(u, way->pose->translation);
}

/** Searches from outside, in directions all around. Afterwards a free place is known. */
static void way_out_search(gt_way_out *way)
{
    for (size_t i = 0; i < STARTS; i++) {
        const vec3 u = spiral(i, STARTS);
        const vec3 out = vec3_scale(far_out(way, u) + 16 * way->slack, u);
        const gt_place place = way_out_look(way, out);
        base_assert(place.gap > 0);
        way->starts++;
        slide(way, place, MARGIN_COARSE);
    }
}

/** If the place is free and nearer to 0 than the nearest so far, searches from there. */
static gt_place way_out_try(gt_way_out *way, vec3 at)
{
    const gt_place place = way_out_look(way, at);
    if (place.gap > 0 && vec3_norm(at) < way->length) {
        way->starts++;
        slide(way, place, MARGIN_COARSE);
    }
    return place;
}

/* --- The lower end: blocked translations ------------------------------------------------------ */

/*
 * Finds translations of B at which B certainly overlaps A. They give the lower end of the
 * penetration depth.
 *
 * Let x be a point inside A, at a distance r from A's surface, and inside B, at a distance q from
 * B's surface. If B is moved by less than r + q, it still has a point in the interior of A. So no
 * translation in this ball is free. The same holds if x is outside one of the two bodies and that
 * distance counts as negative. If a cube of translations is inside such a ball, it contains no free
 * place. Other cubes are cut into eight. The cube that is nearest to 0 is always tested next, so no
 * remaining cube is nearer to 0 than this one.
 */

/**
 * A ball of blocked translations. The point proves that no translation nearer to the centre than
 * the radius is free.
 */
typedef struct gt_blocked_ball {
    vec3 centre, point; /* a translation, and a point in A's frame */
    double radius;      /* negative if no ball was found here; a search that starts here may find
                         * one */
} gt_blocked_ball;

/** A cube of translations. */
typedef struct gt_blocked_cell {
    vec3 centre;
    double half;          /* half the edge */
    gt_blocked_ball near; /* the ball found for the centre of the larger cell that contains this
                           * one; after is_blocked, the one found for the centre of this cell */
} gt_blocked_cell;

enum {
    GT_CELLS_MAX = 60000, /* largest number of cells made in one search */
    GT_BALLS_MAX = 2048,  /* balls kept for all cells: the first ones, which are large */
};

/** Memory of a search. */
typedef struct gt_blocked_space {
    gt_blocked_cell cells[GT_CELLS_MAX];
    uint64_t queue[GT_CELLS_MAX]; /* a heap; the cell nearest to 0 is first */
    gt_blocked_ball balls[GT_BALLS_MAX];
    size_t cell_count, queue_count, ball_count;
} gt_blocked_space;

typedef struct gt_blocked {
    double least_m; /* no place nearer to 0 than this is free */
    uint64_t cells; /* number of cells tested */
} gt_blocked;

/* A cell is not tested if its distance from 0 is below the upper end by no more than this share. */
#define TIGHT 5e-3

/* Most steps to a larger ball. */
enum { CLIMB = 8 };

typedef struct search {
    gt_way_out *way;
    gt_blocked_space *space;
    double slack;     /* rounding error of distances to surfaces */
    uint32_t face[2]; /* faces of A and of B with the last nearest points */
} search;

/**
 * Returns the depth of p inside the surface; it is negative outside. *inward: unit, the direction
 * in which the depth grows.
 */
static double depth_inside(const geo_surface *surface, vec3 p, uint32_t *face, vec3 *inward)
{
    const geo_closest closest = geo_surface_closest(surface, p, *face);
    const double side = geo_surface_contains(surface, p) ? 1 : -1;
    *face = closest.face;
    *inward = vec3_scale(side, vec3_normalize(vec3_sub(p, closest.point)));
    return side * sqrt(closest.distance2);
}

/**
 * Returns the ball that the point proves. *uphill: unit, the direction in which the point has to
 * move to make the radius grow.
 */
static gt_blocked_ball ball_around(search *s, vec3 centre, vec3 point, vec3 *uphill)
{
    const geo_pose *const pose = s->way->pose;
    const vec3 to_b = vec3_sub(point, vec3_add(pose->translation, centre));
    vec3 into_a, into_b;
    const double r = depth_inside(&s->way->a->shell.surface, point, &s->face[0], &into_a);
    const double q = depth_inside(&s->way->b->shell.surface, mat3_tmul_vec3(pose->rotation, to_b),
                                  &s->face[1], &into_b);
    *uphill = vec3_normalize(vec3_add(into_a, geo_pose_rotate(pose, into_b)));
    return (gt_blocked_ball){centre, point, r + q - s->slack};
}

/**
 * Searches for the largest ball around the centre. Moves the point in the direction in which the
 * radius grows, and stops at a radius of `enough`.
 */
static gt_blocked_ball climb(search *s, vec3 centre, vec3 point, double enough)
{
    vec3 uphill;
    double step = 0.5 * enough;
    gt_blocked_ball top = ball_around(s, centre, point, &uphill);
    for (int i = 0; i < CLIMB && top.radius < enough; i++) {
        vec3 next_uphill;
        const vec3 next_point = vec3_madd(top.point, step, uphill);
        const gt_blocked_ball next = ball_around(s, centre, next_point, &next_uphill);
        if (next.radius > top.radius) {
            top = next;
            uphill = next_uphill;
            step *= 1.5;
        } else {
            step *= 0.4;
        }
    }
    return top;
}

/**
 * Does the same, starting from the point of another ball. B has moved from the centre of that ball
 * to the new one. The point is moved by half of this way, so that it loses as much depth in A as in
 * B.
 */
static gt_blocked_ball climb_from(search *s, const gt_blocked_ball *other, vec3 centre,
                                  double enough)
{
    const vec3 half_way = vec3_scale(0.5, vec3_sub(centre, other->centre));
    return climb(s, centre, vec3_add(other->point, half_way), enough);
}

static const gt_blocked_ball *larger(const gt_blocked_ball *x, const gt_blocked_ball *y)
{
    return y->radius > x->radius ? y : x;
}

/** Returns a lower bound, tight up to rounding, of the length of any translation in the cell. */
static double least_length(const gt_blocked_cell *c)
{
    const vec3 off = vec3_sub(vec3_abs(c->centre), (vec3){c->half, c->half, c->half});
    return vec3_norm(vec3_max(off, (vec3){0, 0, 0})) * (1 - 4 * DBL_EPSILON);
}

/** Returns a key for the heap, which returns the largest key first. The order of floats >= 0 is
 * that of their bits. */
static uint64_t key_of(const gt_blocked_cell *c, size_t place)
{
    const float length = base_float_below(least_length(c));
    uint32_t bits;
    memcpy(&bits, &length, sizeof bits);
    return (uint64_t)~bits << 32 | place;
}

static void push(gt_blocked_space *space, const gt_blocked_cell *c)
{
    const uint64_t key = key_of(c, space->cell_count);
    size_t at = space->queue_count++;
    space->cells[space->cell_count++] = *c;
    for (; at > 0 && space->queue[(at - 1) / 2] < key; at = (at - 1) / 2) {
        space->queue[at] = space->queue[(at - 1) / 2];
    }
    space->queue[at] = key;
}

/** Returns how far the ball reaches beyond a place; negative if the place is outside of it. */
static double reach_beyond(const gt_blocked_ball *ball, vec3 at)
{
    return ball->radius - vec3_distance(at, ball->centre);
}

/**
 * Returns the ball that reaches farthest beyond the cell's centre, out of the balls that were kept
 * and the one of the cell.
 */
static const gt_blocked_ball *find_ball(const gt_blocked_space *space, const gt_blocked_cell *c)
{
    const gt_blocked_ball *best = &c->near;
    double farthest = reach_beyond(best, c->centre);
    for (size_t k = 0; k < space->ball_count; k++) {
        const double reach = reach_beyond(&space->balls[k], c->centre);
        if (reach > farthest) {
            farthest = reach;
            best = &space->balls[k];
        }
    }
    return best;
}

/**
 * True if the cell is inside a ball. First tries the known ball that reaches farthest. Then
 * searches for a ball around the cell's centre: from the point of that ball, from the point of the
 * larger cell's ball, and from the point where the surfaces meet when B is at the centre.
 */
static bool is_blocked(search *s, gt_blocked_cell *c)
{
    const double enough = sqrt(3) * c->half * (1 + 4 * DBL_EPSILON);
    const gt_blocked_ball *const known = find_ball(s->space, c);
    if (reach_beyond(known, c->centre) >= enough) {
        return true;
    }
    gt_blocked_ball best = climb_from(s, known, c->centre, enough);
    if (best.radius < enough && known != &c->near) {
        const gt_blocked_ball found = climb_from(s, &c->near, c->centre, enough);
        best = *larger(&best, &found);
    }
    if (best.radius < enough) {
        const gt_place place = way_out_try(s->way, c->centre);
        if (!(place.gap > 0)) {
            const gt_blocked_ball found = climb(s, c->centre, place.common, enough);
            best = *larger(&best, &found);
        }
    }
    if (s->space->ball_count < GT_BALLS_MAX) {
        s->space->balls[s->space->ball_count++] = best;
    }
    c->near = best;
    return best.radius >= enough;
}

/** Queues those of the eight parts that may contain places nearer than the upper end. */
static void split(search *s, const gt_blocked_cell *c)
{
    const double h = 0.5 * c->half;
    for (int k = 0; k < 8; k++) {
        const vec3 off = {k & 1 ? h : -h, k & 2 ? h : -h, k & 4 ? h : -h};
        const gt_blocked_cell part = {vec3_add(c->centre, off), h, c->near};
        if (least_length(&part) < s->way->length) {
            push(s->space, &part);
        }
    }
}

/**
 * Runs until least_m is within half a percent of way->length, or the cells are used up or as small
 * as the rounding error. way->length may decrease, because free places that are found are tried. B
 * must overlap A at the given pose.
 */
static void blocked_search(gt_way_out *way, gt_blocked_space *space, gt_blocked *result)
{
    /* This is sixteen times the slack of a gap, because the foot point on a triangle that is almost
     * a sliver is less exact. The second term is for points that are transformed back to B's own
     * frame. */
    const double slack = 16 * way->slack + 64 * DBL_EPSILON * way->b->reach;
    search s = {way, space, slack, {UINT32_MAX, UINT32_MAX}};
    const gt_blocked_cell all = {.half = way->length, .near = {.radius = -INFINITY}};
    space->cell_count = space->queue_count = space->ball_count = 0;
    *result = (gt_blocked){0, 0};
    push(space, &all);
    while (space->queue_count > 0) {
        gt_blocked_cell *const c = &space->cells[(uint32_t)space->queue[0]];
        space->queue[0] = space->queue[--space->queue_count];
        base_heap_sift_down(space->queue, space->queue_count, 0);
        result->least_m = least_length(c);
        if (result->least_m >= (1 - TIGHT) * way->length || c->half < s.slack ||
            space->cell_count + 8 > GT_CELLS_MAX) {
            return;
        }
        result->cells++;
        if (!is_blocked(&s, c)) {
            split(&s, c);
        }
    }
}

/* --- The depth -------------------------------------------------------------------------------- */

struct gt_penetration_space {
    gt_blocked_space blocked;
};

gt_penetration_space *gt_penetration_space_create(void)
{
    return base_alloc(1, sizeof(gt_penetration_space));
}

void gt_penetration_space_destroy(gt_penetration_space *space)
{
    base_free(space);
}

static void by_hulls(const gt_body *a, const gt_body *b, const geo_pose *pose,
                     gt_penetration *result)
{
    gt_depth depth;
    gt_depth_query(a, b, pose, &depth);
    result->depth_m = depth.depth_m;
    result->direction = depth.direction;
    result->proof = GT_DEPTH_HULLS;
}

void gt_penetration_query(const gt_body *a, const gt_body *b, const geo_pose *pose,
                          gt_penetration_space *space, gt_penetration *result)
{
    const double far = gt_pair_reach(a, b, pose) + 2 * (a->span + b->span);
    gt_way_out way = {
        .a = a, .b = b, .pose = pose, .slack = 64 * DBL_EPSILON * far, .length = INFINITY};
    const gt_place here = way_out_look(&way, (vec3){0, 0, 0});
    *result = (gt_penetration){.direction = here.normal, .proof = GT_DEPTH_APART};
    if (here.gap > 0) {
        return;
    }
    if (a->hull && b->hull) {
        by_hulls(a, b, pose, result);
        return;
    }
    way_out_search(&way);
    gt_blocked blocked;
    blocked_search(&way, &space->blocked, &blocked);
    /* Searches once more, down to the limit of precision. The gap that remains is a small multiple
     * of the slack. */
    slide(&way, way_out_look(&way, way.nearest), MARGIN_FINE);
    /* The corners of B are rounded again at the place that was found to be free. */
    const double free_m = way.length + gt_depth_move_slack(a, b, pose);
    result->depth_m = (gt_bracket){blocked.least_m, free_m};
    result->direction = vec3_normalize(way.nearest);
    result->proof = GT_DEPTH_BALLS;
    result->places = way.places;
    result->starts = way.starts;
    result->cells = blocked.cells;
}
