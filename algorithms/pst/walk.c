#include "algorithms/pst/walk.h"

#include "base/simd.h"
#include "geometry/vec.h"

#include <float.h>
#include <math.h>

/** Value of alg_pst_walk.worst if the worst candidate is not known. */
#define UNKNOWN UINT32_MAX

/* --- Bounds ----------------------------------------------------------------------------------- */

double alg_pst_surface_bound(const alg_pst_points *points, uint32_t point, double distance)
{
    const double y = fmax(distance - points->reach - points->slack, 0);
    const double square = y * y * (1 - 0x1p-48) - (double)points->patch2[point];
    return square > 0 ? sqrt(square) * (1 - 0x1p-50) : 0;
}

/* --- Start of a traversal --------------------------------------------------------------------- */

/** Returns the distance between the first and the farthest corner of the blocks. */
static double field_extent(const alg_pst_field *field)
{
    const double side = field->edge * ALG_PST_BLOCK_CELLS;
    const vec3 far = {side * field->block_count[0], side * field->block_count[1],
                      side * field->block_count[2]};
    return vec3_norm(far);
}

static void begin(alg_pst_walk *w, const geo_pose *to_field)
{
    const alg_pst_tree *const tree = w->tree;
    const geo_pose moved = {to_field->rotation,
                            vec3_sub(geo_pose_apply(to_field, tree->origin), w->field->corner)};
    w->motion = geo_motion_make(&moved);
    const double apart = vec3_norm(moved.translation);
    const double sizes = tree->extent + apart + field_extent(w->field);
    const double doubles = 16 * DBL_EPSILON *
                           (sizes + vec3_norm(tree->origin) + vec3_norm(w->field->corner) +
                            vec3_norm(to_field->translation));
    const alg_pst_points *const points = &tree->points;
    w->margin = base_float_above((double)tree->packed_rounding + points->slack + points->reach +
                                 16 * 0x1p-24 * sizes + doubles);
    w->count = 0;
    w->worst = UNKNOWN;
    w->rest = INFINITY;
    w->ended = true;
    w->inside = false;
    w->nearest = 0;
    w->nearest_value = INFINITY;
    w->nearest_radius = 0;
    w->spheres = 0;
    w->points = 0;
    w->open_count = 0;
    w->opened = 0;
}

/* --- Called by the traversal ------------------------------------------------------------------ */

alg_pst_sample alg_pst_walk_sample(const alg_pst_walk *walk)
{
    const float *const at = walk->nearest_at;
    const vec3 from_corner = {(double)at[0], (double)at[1], (double)at[2]};
    return alg_pst_field_at(walk->field, vec3_add(walk->field->corner, from_corner));
}

void alg_pst_walk_look_inside(alg_pst_walk *walk)
{
    const alg_pst_sample s = alg_pst_walk_sample(walk);
    walk->inside = s.value + s.above + walk->nearest_radius + walk->margin < 0;
}

/** Removes the candidates that the current limit excludes. */
static void drop_candidates(alg_pst_walk *walk)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < walk->count; i++) {
        const alg_pst_candidate candidate = walk->candidates[i];
        const bool stays = candidate.bound <= walk->limit;
        walk->rest = stays ? walk->rest : fminf(walk->rest, candidate.bound);
        walk->candidates[kept] = candidate;
        kept += stays;
    }
    walk->count = kept;
}

/** Finds the first candidate with the greatest bound. */
static void find_worst(alg_pst_walk *walk)
{
    walk->worst = 0;
    for (uint32_t i = 1; i < walk->count; i++) {
        if (walk->candidates[i].bound > walk->candidates[walk->worst].bound) {
            walk->worst = i;
        }
    }
}

bool alg_pst_walk_make_room(alg_pst_walk *walk, float bound)
{
    /* Candidates are within the limit at their time, so none is excluded before the limit
       decreases. */
    if (walk->worst == UNKNOWN || walk->limit < walk->full_limit) {
        walk->worst = UNKNOWN;
        drop_candidates(walk);
        if (walk->count < walk->capacity) {
            return true;
        }
        walk->full_limit = walk->limit;
        find_worst(walk);
    }
    const float greatest = walk->candidates[walk->worst].bound;
    if (!(bound < greatest)) {
        return false;
    }
    walk->rest = fminf(walk->rest, greatest);
    walk->candidates[walk->worst] = walk->candidates[--walk->count];
    walk->worst = UNKNOWN;
    return true;
}

/* --- The complete traversal ------------------------------------------------------------------- */

size_t alg_pst_walk_room(const alg_pst_tree *tree)
{
    return (size_t)tree->node_count * ALG_PST_WIDTH;
}

void alg_pst_walk_run(alg_pst_walk *walk, const geo_pose *to_field)
{
    begin(walk, to_field);
    (base_cpu_avx2() ? alg_pst_walk_go_avx2 : alg_pst_walk_go_sse2)(walk);
    for (uint32_t i = 0; i < walk->open_count; i++) {
        walk->rest = fminf(walk->rest, walk->open[i].bound);
    }
    drop_candidates(walk);
}
