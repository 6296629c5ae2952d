/** The truth for contestants that answer for surfaces instead of solids. */
#include "suite/run.h"

#include <string.h>

/** Distances between surfaces, which frames that don't overlap share with the solids. */
static void find_frames(void *context, size_t begin, size_t end)
{
    const bench_stage *const s = context;
    for (size_t f = begin; f < end; f++) {
        const gt_bracket solids = s->truths[f].distance_m;
        if (gt_known(solids) && solids.lo <= 0) {
            gt_distance result;
            gt_distance_query(s->pair.a.truth, s->pair.b.truth, &s->poses[f], &result);
            s->surface_truths[f].distance_m = result.surface_m;
        }
    }
}

geo_status bench_stage_surface_truth(bench_stage *s, geo_error *err)
{
    bool any = false;
    for (size_t i = 0; i < s->count; i++) {
        any |= (s->cells[i].variant.algorithm->flags & ALG_SURFACE) != 0;
    }
    if (!any) {
        return GEO_OK;
    }
    const size_t n = s->trajectory.frame_count;
    s->surface_truths = geo_alloc(n, sizeof *s->surface_truths);
    if (!s->surface_truths) {
        return geo_fail(err, GEO_ERR_MEMORY, "out of memory for %zu frames", n);
    }
    memcpy(s->surface_truths, s->truths, n * sizeof *s->truths);
    geo_parallel_for(n, 16, 0, find_frames, s);
    return GEO_OK;
}

const gt_truth *bench_stage_truths(const bench_stage *s, const bench_cell *cell)
{
    const bool surface = cell->variant.algorithm->flags & ALG_SURFACE;
    return surface ? s->surface_truths : s->truths;
}
