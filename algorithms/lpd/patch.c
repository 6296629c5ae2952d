#include "algorithms/lpd/patch.h"

#include "algorithms/lpd/table.h"

typedef struct summing {
    const alg_lpd_segments *segments;
    const alg_lpd_curves *curves;
    vec3 about;
    alg_lpd_patch sum; /* twice the area and six times the moment */
} summing;

static void add_edge(summing *s, double weight, vec3 from, vec3 to)
{
    const vec3 p = vec3_sub(from, s->about), q = vec3_sub(to, s->about);
    const double squares = vec3_norm2(p) + vec3_dot(p, q) + vec3_norm2(q);
    s->sum.area = vec3_madd(s->sum.area, weight, vec3_cross(p, q));
    s->sum.moment = vec3_madd(s->sum.moment, -weight * squares, vec3_sub(q, p));
}

/** Returns the weight of a link: negative if the curve passes the segment against its direction. */
static double weight_of(const summing *s, uint32_t link)
{
    const double share = s->segments->items[link / 2].share;
    return link & 1 ? -share : share;
}

/** Returns a hash of a point. Zeros of both signs have the same hash. */
static uint64_t number_of(vec3 p)
{
    return alg_lpd_hash_point(vec3_add(p, (vec3){0, 0, 0}));
}

/** Adds the links of a curve. Returns the sum over ends of weight times hash of the point: 0 if
 * equally much begins and ends at every point. */
static uint64_t add_links(summing *s, const alg_lpd_curve *curve)
{
    uint64_t open = 0;
    for (uint32_t i = curve->first; i < curve->first + curve->count; i++) {
        const uint32_t link = s->curves->links[i];
        const double weight = weight_of(s, link);
        const vec3 from = alg_lpd_link_end(s->segments, link, 0);
        const vec3 to = alg_lpd_link_end(s->segments, link, 1);
        add_edge(s, weight, from, to);
        open += (uint64_t)(int64_t)(4 * weight) * (number_of(to) - number_of(from));
    }
    return open;
}

/** Adds chords between consecutive links. A chord has the mean weight of the two segments that it
 * joins, so it counts 0 if their directions disagree. */
static void add_chords(summing *s, const alg_lpd_curve *curve)
{
    for (uint32_t i = 0; i < curve->count; i++) {
        const uint32_t link = s->curves->links[curve->first + i];
        const uint32_t next = s->curves->links[curve->first + (i + 1) % curve->count];
        add_edge(s, (weight_of(s, link) + weight_of(s, next)) / 2,
                 alg_lpd_link_end(s->segments, link, 1), alg_lpd_link_end(s->segments, next, 0));
    }
}

alg_lpd_patch alg_lpd_patch_make(const alg_lpd_segments *segments, const alg_lpd_curves *curves,
                                 const uint32_t *numbers, uint32_t count, vec3 about)
{
    summing s = {segments, curves, about, {{0, 0, 0}, {0, 0, 0}}};
    uint64_t open = 0;
    for (uint32_t i = 0; i < count; i++) {
        open += add_links(&s, &curves->curves[numbers[i]]);
    }
    for (uint32_t i = 0; i < count && open != 0; i++) {
        add_chords(&s, &curves->curves[numbers[i]]);
    }
    return (alg_lpd_patch){vec3_scale(0.5, s.sum.area), vec3_scale(1.0 / 6, s.sum.moment)};
}

alg_lpd_patch alg_lpd_patch_turned(const alg_lpd_patch *p)
{
    return (alg_lpd_patch){vec3_scale(-1, p->area), vec3_scale(-1, p->moment)};
}
