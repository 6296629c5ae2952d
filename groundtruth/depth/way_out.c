/*
 * Nearer to a free place than its gap all places are free. From outside, a place falls straight
 * towards 0 until the bodies touch. A contact is a plane, on whose one side places are free as long
 * as no other features meet. Of the places on the free sides of all planes met, the one nearest to
 * 0 is tried next, a little away from the planes. When it is not free, a contact that is not known
 * yet is in the way; it is found between the two, and so on, ever nearer to the planes. A contact
 * of curved surfaces makes a plane that is wrong elsewhere: it is forgotten when a place far behind
 * it turns out to be free.
 *
 * Source   The planes of contacts: Je2012. Which places are tried, and in what order, is our own.
 */
#include "groundtruth/depth/way_out.h"

#include "base/elementary.h"
#include "geometry/pose.h"
#include "groundtruth/body/body.h"
#include "groundtruth/distance/distance.h"

#include <float.h>
#include <string.h>

enum {
    STARTS = 8,
    FALL_MAX = 60,  /* looks on one way in */
    SLIDE_MAX = 60, /* falls along the contacts */
    HALVINGS = 20,  /* of the way to a place that is not free */
    PLANES = 8,     /* kept */
    SWEEPS = 200,   /* over the planes */
};

/* Distances from the planes at which a way is tried, relative to the distance from 0: first and
 * last. */
#define MARGIN        0.02
#define MARGIN_COARSE 1e-3
#define MARGIN_FINE   1e-9
/* Gap at which bodies are said to touch, relative to the margin. */
#define TOUCHING 0.05
/* Cosine of a fall and a contact below which the plane of the contact says little of where it ends.
 */
#define GRAZING 0.01
/* Cosine of what normals of one contact may turn by. */
#define SAME_PLANE 0.9999
/* Planes that are wrong by more, relative to the distance from 0, are of no use. */
#define FORGOTTEN 0.1

gt_way_out gt_way_out_make(const gt_body *a, const gt_body *b, const geo_pose *pose)
{
    const double far = gt_pair_reach(a, b, pose) + 2 * (a->span + b->span);
    return (gt_way_out){
        .a = a, .b = b, .pose = pose, .slack = 64 * DBL_EPSILON * far, .length = INFINITY};
}

gt_place gt_way_out_look(gt_way_out *way, vec3 at)
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
 * From a free place straight towards 0 until the gap is no more than `touching`. As if the nearest
 * features were planes; where that goes too far, by what is certainly free.
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
        const gt_place next = gt_way_out_look(way, vec3_scale(left, out));
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

/** Contacts met: the places with normal . at >= offset are on the free side of one. */
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
 * Adds the contact of a free place, instead of one that is the same turned a little. Planes that
 * the place is far behind are forgotten. Returns whether the contact is a new one.
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
 * The point nearest to 0 that is `margin` away from all planes: a quadratic programme, solved plane
 * by plane (Hildreth1957). When there is none, any point.
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
 * The goal if it is free; else a free place on the way to it, so near to the contact that is in the
 * way that no other one is nearer.
 */
static gt_place approach(gt_way_out *way, gt_place place, vec3 goal)
{
    const gt_place there = gt_way_out_look(way, goal);
    if (there.gap > 0) {
        return there;
    }
    const vec3 along = vec3_sub(goal, place.at);
    vec3 blocked = goal;
    for (int i = 0; i < HALVINGS && !(vec3_dot(place.normal, along) < 0); i++) {
        const vec3 middle = vec3_scale(0.5, vec3_add(place.at, blocked));
        const gt_place next = gt_way_out_look(way, middle);
        if (next.gap > 0) {
            place = next;
        } else {
            blocked = middle;
        }
    }
    return place;
}

/** From a free place along the contacts to where none of them leads nearer to 0. */
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

/* --- Where to start --------------------------------------------------------------------------- */

/** Direction i of count, on a spiral from pole to pole. */
static vec3 spiral(size_t i, size_t count)
{
    const double golden = BASE_PI * (3 - sqrt(5));
    const double z = 1 - (2 * (double)i + 1) / (double)count;
    const double r = sqrt(1 - z * z), angle = golden * (double)i;
    return (vec3){r * base_cos(angle), r * base_sin(angle), z};
}

/** The largest u . p of all vertices. */
static double support(const geo_mesh *mesh, vec3 u)
{
    double most = -INFINITY;
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        const double along = vec3_dot(u, mesh->vertices[v]);
        most = along > most ? along : most;
    }
    return most;
}

/** How far B has to go along u until a plane is between the bodies. */
static double far_out(const gt_way_out *way, vec3 u)
{
    const vec3 back = vec3_scale(-1, mat3_tmul_vec3(way->pose->rotation, u));
    return support(way->a->mesh, u) + support(way->b->mesh, back) -
           vec3_dot(u, way->pose->translation);
}

void gt_way_out_search(gt_way_out *way)
{
    for (size_t i = 0; i < STARTS; i++) {
        const vec3 u = spiral(i, STARTS);
        const vec3 out = vec3_scale(far_out(way, u) + 16 * way->slack, u);
        const gt_place place = gt_way_out_look(way, out);
        base_assert(place.gap > 0);
        way->starts++;
        slide(way, place, MARGIN_COARSE);
    }
}

gt_place gt_way_out_try(gt_way_out *way, vec3 at)
{
    const gt_place place = gt_way_out_look(way, at);
    if (place.gap > 0 && vec3_norm(at) < way->length) {
        way->starts++;
        slide(way, place, MARGIN_COARSE);
    }
    return place;
}

void gt_way_out_polish(gt_way_out *way)
{
    slide(way, gt_way_out_look(way, way->nearest), MARGIN_FINE);
}
