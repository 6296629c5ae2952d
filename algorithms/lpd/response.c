#include "algorithms/lpd/response.h"

/** A list that counts all contacts and stores those for which it has room. */
typedef struct output {
    alg_contact *contacts;
    uint32_t count, capacity;
} output;

/**
 * Appends a contact. B has moved far enough when its rear side has passed the front side of A. A
 * point of A's surface that is ahead of the middle by some length along the direction is passed
 * later by that length.
 */
static void put_contact(output *to, const alg_lpd_region *region, vec3 point)
{
    const vec3 direction = region->way.direction;
    const double depth =
        region->way.depth_m + vec3_dot(vec3_sub(point, region->box.centre), direction);
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
        for (uint32_t i = 0; i < group->count && isfinite(region->way.depth_m); i++) {
            put_curve(&to, regions, region, &regions->curves->curves[numbers[i]]);
        }
    }
    return to.count;
}

/** Returns the vector area's component along the direction of the depth, as an absolute value. */
static double area_of(const alg_lpd_region *region)
{
    return fabs(vec3_dot(region->patch.area, region->way.direction));
}

/** Returns the force of a region per metre of its depth, and its torque about a point. */
static alg_lpd_wrench push_of(const alg_lpd_regions *regions, const alg_lpd_region *region,
                              alg_lpd_pushing along, vec3 about)
{
    if (along == ALG_LPD_ALONG_DEPTH) {
        const vec3 force = vec3_scale(area_of(region), region->way.direction);
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
        if (isfinite(region->way.depth_m)) {
            const alg_lpd_wrench push = push_of(regions, region, along, about);
            sum.force = vec3_madd(sum.force, region->way.depth_m, push.force);
            sum.torque = vec3_madd(sum.torque, region->way.depth_m, push.torque);
        }
    }
    return sum;
}

uint32_t alg_lpd_entries(const alg_lpd_regions *regions, alg_region *entries, uint32_t capacity)
{
    uint32_t count = 0;
    for (uint32_t r = 0; r < regions->count; r++) {
        const alg_lpd_region *const region = &regions->items[r];
        if (!isfinite(region->way.depth_m)) {
            continue;
        }
        if (count < capacity) {
            entries[count] = (alg_region){
                .direction = region->way.direction,
                .depth_m = region->way.depth_m,
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
