#include "algorithms/lpd/noise.h"

#include "geometry/pose.h"

static vec3 moved(base_random *random, vec3 p, double by_m)
{
    const double x = base_random_range(random, -by_m, by_m);
    const double y = base_random_range(random, -by_m, by_m);
    return vec3_add(p, (vec3){x, y, base_random_range(random, -by_m, by_m)});
}

void alg_lpd_noise_add(const alg_lpd_noise *noise, alg_lpd_segments *segments)
{
    if (noise->drop == 0 && noise->move_m == 0) {
        return;
    }
    base_random random = base_random_seed(noise->seed);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < segments->count; i++) {
        alg_lpd_segment s = segments->items[i];
        const bool stays = base_random_unit(&random) >= noise->drop;
        s.end[0] = moved(&random, s.end[0], noise->move_m);
        s.end[1] = moved(&random, s.end[1], noise->move_m);
        if (stays) {
            segments->items[kept++] = s;
        }
    }
    segments->count = kept;
}
