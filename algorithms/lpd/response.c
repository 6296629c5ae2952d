#include "algorithms/lpd/response.h"

/** A list that counts all contacts and stores those for which it has room. */
typedef struct output {
    alg_contact *contacts;
    uint32_t count, capacity;
} output;

/**
 * Appends a contact. B has moved far enough when its rear side has passed the front side of A. If a
 * point is ahead of the box's centre by some length along the direction, B passes it later by this
 * length, so its depth is larger by it.
 */
static void put_contact(output *to, const alg_lpd_region *region, vec3 point)
{
    const vec3 direction = region->translation.direction;
    const double depth =
        region->translation.depth_m + vec3_dot(vec3_sub(point, region->box.centre), direction);
    if (to->count < to->capacity) {
        to->contacts[to->count] = (alg_contact){point, direction, depth > 0 ? depth : 0};
    }
    to->count++;
}

/** Appends the begin of every link, and its end if the next link does not begin there. */
static void put_curve(output *to, const alg_lpd_regions *regions, const alg_lpd_region *region,
                      const alg_lpd_curve *curve)
{
    const uint32_t *const links = regions->curves->links + curve->first;
    for (uint32_t i = 0; i < curve->count; i++) {
        const bool last = i + 1 == curve->count;
        const vec3 end = alg_lpd_link_end(regions->segments, links[i], 1);
        const vec3 next = alg_lpd_link_end(regions->segments, links[last ? 0 : i + 1], 0);
        put_contact(to, region, alg_lpd_link_end(regions->segments, links[i], 0));
        if ((last && !curve->closed) || !vec3_equal(end, next)) {
            put_contact(to, region, end);
        }
    }
}

uint32_t alg_lpd_contacts(const alg_lpd_regions *regions, alg_contact *contacts, uint32_t capacity)
{
    output to = {contacts, 0, capacity};
    for (uint32_t r = 0; r < regions->count; r++) {
        const alg_lpd_region *const region = &regions->items[r];
        const alg_lpd_group *const group = &regions->groups->items[region->group];
        const uint32_t *const numbers = regions->groups->curves + group->first;
        for (uint32_t i = 0; i < group->count && isfinite(region->translation.depth_m); i++) {
            put_curve(&to, regions, region, &regions->curves->curves[numbers[i]]);
        }
    }
    return to.count;
}

/** Returns the vector area's component along the direction of the depth, as an absolute value. */
static double area_of(const alg_lpd_region *region)
{
    return fabs(vec3_dot(region->patch.area, region->translation.direction));
}

/** Returns the force of a region per metre of its depth, and its torque about a point. */
static alg_lpd_wrench push_of(const alg_lpd_regions *regions, const alg_lpd_region *region,
                              alg_lpd_pushing along, vec3 about)
{
    if (along == ALG_LPD_ALONG_DEPTH) {
        const vec3 force = vec3_scale(area_of(region), region->translation.direction);
        return (alg_lpd_wrench){force, vec3_cross(vec3_sub(region->box.centre, about), force)};
    }
    const alg_lpd_patch *const patch = &region->patch;
    const vec3 lever = vec3_sub(regions->groups->items[region->group].box.centre, about);
    return (alg_lpd_wrench){patch->area, vec3_add(patch->moment, vec3_cross(lever, patch->area))};
}

alg_lpd_wrench alg_lpd_force(const alg_lpd_regions *regions, alg_lpd_pushing along, vec3 about)
{
    alg_lpd_wrench sum = {0};
    for (uint32_t r = 0; r < regions->count; r++) {
        const alg_lpd_region *const region = &regions->items[r];
        if (isfinite(region->translation.depth_m)) {
            const alg_lpd_wrench push = push_of(regions, region, along, about);
            sum.force = vec3_madd(sum.force, region->translation.depth_m, push.force);
            sum.torque = vec3_madd(sum.torque, region->translation.depth_m, push.torque);
        }
    }
    return sum;
}

uint32_t alg_lpd_entries(const alg_lpd_regions *regions, alg_region *entries, uint32_t capacity)
{
    uint32_t count = 0;
    for (uint32_t r = 0; r < regions->count; r++) {
        const alg_lpd_region *const region = &regions->items[r];
        if (!isfinite(region->translation.depth_m)) {
            continue;
        }
        if (count < capacity) {
            entries[count] = (alg_region){
                .direction = region->translation.direction,
                .depth_m = region->translation.depth_m,
                .area_m2 = area_of(region),
                .loop = regions->groups->items[region->group].closed,
                .point = region->box.centre,
                .side_u = region->box.axis[0],
                .side_v = region->box.axis[1],
                .half_u_m = region->box.half[0],
                .half_v_m = region->box.half[1],
            };
        }
        count++;
    }
    return count;
}

/* --- Translation out of all regions ----------------------------------------------------------- */

/* Share of the limit by which the translation may fall short of a depth. */
static const double SLACK = 1e-12;

/* Normals are parallel if the sine of their angle is at most this. */
static const double PARALLEL = 1e-12;

typedef struct program {
    const alg_lpd_region *regions;
    double limit_m;
} program;

/**
 * Returns the length by which t falls short of a region's depth; 0 if it does not, or if the depth
 * is infinite.
 */
static double missing(const program *p, uint32_t region, vec3 t)
{
    const alg_lpd_translation *const own = &p->regions[region].translation;
    const double left = isfinite(own->depth_m) ? own->depth_m - vec3_dot(own->direction, t) : 0;
    return left > SLACK * p->limit_m ? left : 0;
}

/**
 * Finds the shortest vector *t + s along, over all numbers s, that satisfies the first `count`
 * regions. `along` has unit length and is perpendicular to *t. Returns false if there is none
 * within the limit.
 */
static bool on_line(const program *p, uint32_t count, vec3 along, vec3 *t)
{
    double lo = -(double)INFINITY, hi = (double)INFINITY;
    for (uint32_t k = 0; k < count; k++) {
        const alg_lpd_translation *const own = &p->regions[k].translation;
        const double slope = vec3_dot(own->direction, along);
        if (!isfinite(own->depth_m)) {
            continue;
        }
        if (fabs(slope) <= PARALLEL) {
            if (missing(p, k, *t) > 0) {
                return false;
            }
            continue;
        }
        const double at = (own->depth_m - vec3_dot(own->direction, *t)) / slope;
        lo = slope > 0 && at > lo ? at : lo;
        hi = slope < 0 && at < hi ? at : hi;
    }
    /* At a point where two planes meet, rounding may make lo slightly larger than hi. */
    if (lo - hi > SLACK * p->limit_m) {
        return false;
    }
    *t = vec3_madd(*t, lo > 0 ? lo : hi < 0 ? hi : 0, along);
    return vec3_norm(*t) <= p->limit_m;
}

/**
 * Finds the shortest t that satisfies a region with equality, and all regions before it. Returns
 * false if there is none within the limit.
 */
static bool in_plane(const program *p, uint32_t region, vec3 *t)
{
    const alg_lpd_translation *const own = &p->regions[region].translation;
    const vec3 n = own->direction, foot = vec3_scale(own->depth_m, n);
    vec3 best = foot;
    for (uint32_t j = 0; j < region; j++) {
        const double left = missing(p, j, best);
        if (left == 0) {
            continue;
        }
        const vec3 other = p->regions[j].translation.direction, along = vec3_cross(n, other);
        const double sine = vec3_norm(along);
        if (sine <= PARALLEL) {
            return false;
        }
        /* The planes of both regions intersect in a line. Its point nearest to the foot is the
         * start of the search on the line. */
        const vec3 across = vec3_cross(vec3_scale(1 / sine, along), n);
        const double step_m =
            (p->regions[j].translation.depth_m - vec3_dot(other, foot)) / vec3_dot(other, across);
        best = vec3_madd(foot, step_m, across);
        if (!on_line(p, j, vec3_scale(1 / sine, along), &best)) {
            return false;
        }
    }
    *t = best;
    return vec3_norm(best) <= p->limit_m;
}

bool alg_lpd_translation_of_all(const alg_lpd_region *regions, uint32_t count, double limit_m,
                                vec3 *t)
{
    const program p = {regions, limit_m};
    vec3 best = {0, 0, 0};
    for (uint32_t i = 0; i < count; i++) {
        if (missing(&p, i, best) > 0 && !in_plane(&p, i, &best)) {
            return false;
        }
    }
    *t = best;
    return true;
}

/* --- Coherence -------------------------------------------------------------------------------- */

bool alg_lpd_past_direction(const alg_lpd_past *past, const alg_lpd_box *box, vec3 *direction)
{
    const vec3 half = {box->half[0], box->half[1], box->half[2]};
    double nearest2 = 4 * vec3_norm2(half);
    bool found = false;
    for (uint32_t i = 0; i < past->count; i++) {
        const double distance2 = vec3_distance2(past->point[i], box->centre);
        if (distance2 <= nearest2) {
            nearest2 = distance2;
            *direction = past->direction[i];
            found = true;
        }
    }
    return found;
}

void alg_lpd_past_keep(alg_lpd_past *past, const alg_lpd_region *regions, uint32_t count)
{
    past->count = 0;
    for (uint32_t i = 0; i < count && past->count < ALG_LPD_PAST_MAX; i++) {
        if (isfinite(regions[i].translation.depth_m)) {
            past->point[past->count] = regions[i].box.centre;
            past->direction[past->count++] = regions[i].translation.direction;
        }
    }
}
