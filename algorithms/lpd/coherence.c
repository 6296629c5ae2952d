#include "algorithms/lpd/coherence.h"

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
        if (isfinite(regions[i].way.depth_m)) {
            past->point[past->count] = regions[i].box.centre;
            past->direction[past->count++] = regions[i].way.direction;
        }
    }
}
