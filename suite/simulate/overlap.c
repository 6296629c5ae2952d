#include "suite/simulate/overlap.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "geometry/pose.h"
#include "geometry/surface.h"

#include <math.h>

/* The work space of the flux grows with the bodies, so there is one per chunk of poses, not one per
 * pose. */
enum { CHUNKS = 8 };

/** The vertices that faces use. */
typedef struct corners {
    vec3 *points; /* owned */
    size_t count;
} corners;

struct bench_overlap {
    const bench_pair *pair;
    base_arena arena;
    geo_surface a, b;
    corners of_a, of_b;
    gt_flux_space *spaces[CHUNKS];
};

/* --- Opening ---------------------------------------------------------------------------------- */

static base_status list_corners(const geo_mesh *mesh, corners *list, base_error *err)
{
    bool *const used = base_alloc(mesh->vertex_count, sizeof *used);
    list->points = base_alloc(mesh->vertex_count, sizeof *list->points);
    if (!used || !list->points) {
        base_free(used);
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    for (size_t f = 0; f < mesh->face_count; f++) {
        for (int k = 0; k < 3; k++) {
            used[mesh->faces[f].v[k]] = true;
        }
    }
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        if (used[v]) {
            list->points[list->count++] = mesh->vertices[v];
        }
    }
    base_free(used);
    return BASE_OK;
}

static base_status open_parts(bench_overlap *o, base_error *err)
{
    base_status status = geo_surface_build(&o->pair->a.mesh, &o->arena, &o->a, err);
    if (status == BASE_OK) {
        status = geo_surface_build(&o->pair->b.mesh, &o->arena, &o->b, err);
    }
    if (status == BASE_OK) {
        status = list_corners(&o->pair->a.mesh, &o->of_a, err);
    }
    if (status == BASE_OK) {
        status = list_corners(&o->pair->b.mesh, &o->of_b, err);
    }
    for (size_t i = 0; i < CHUNKS && status == BASE_OK; i++) {
        o->spaces[i] = gt_flux_space_create();
        if (!o->spaces[i]) {
            status = base_fail(err, BASE_ERR_MEMORY, "out of memory");
        }
    }
    return status;
}

base_status bench_overlap_create(const bench_pair *pair, bench_overlap **overlap, base_error *err)
{
    *overlap = base_alloc(1, sizeof **overlap);
    if (!*overlap) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    (*overlap)->pair = pair;
    const base_status status = open_parts(*overlap, err);
    if (status != BASE_OK) {
        bench_overlap_destroy(*overlap);
        *overlap = NULL;
    }
    return status;
}

void bench_overlap_destroy(bench_overlap *o)
{
    if (!o) {
        return;
    }
    for (size_t i = 0; i < CHUNKS; i++) {
        gt_flux_space_destroy(o->spaces[i]);
    }
    base_free(o->of_a.points);
    base_free(o->of_b.points);
    base_arena_release(&o->arena);
    base_free(o);
}

/* --- Depth of points -------------------------------------------------------------------------- */

/**
 * State of the search over the vertices of a body. Each search starts at the face that the previous
 * search found.
 */
typedef struct search {
    double deepest2;
    uint32_t hint;
} search;

static void take_depth(search *s, const geo_surface *surface, vec3 p)
{
    const geo_closest closest = geo_surface_closest(surface, p, s->hint);
    s->hint = closest.face;
    s->deepest2 = fmax(s->deepest2, closest.distance2);
}

static bool is_in(const geo_box *box, vec3 p)
{
    return p.x >= box->lo.x && p.y >= box->lo.y && p.z >= box->lo.z && p.x <= box->hi.x &&
           p.y <= box->hi.y && p.z <= box->hi.z;
}

static double find_depth(const bench_overlap *o, const geo_pose *pose)
{
    const geo_box *const box_a = &o->pair->a.report.box, *const box_b = &o->pair->b.report.box;
    const geo_pose into_b = geo_pose_inverse(pose);
    search in_a = {.hint = UINT32_MAX}, in_b = {.hint = UINT32_MAX};
    for (size_t i = 0; i < o->of_b.count; i++) {
        const vec3 p = geo_pose_apply(pose, o->of_b.points[i]);
        if (is_in(box_a, p) && geo_surface_contains(&o->a, p)) {
            take_depth(&in_a, &o->a, p);
        }
    }
    for (size_t i = 0; i < o->of_a.count; i++) {
        const vec3 p = o->of_a.points[i], q = geo_pose_apply(&into_b, p);
        if (is_in(box_b, q) && geo_surface_contains_moved(&o->b, pose, p)) {
            take_depth(&in_b, &o->b, q);
        }
    }
    return sqrt(fmax(in_a.deepest2, in_b.deepest2));
}

/* --- Poses ------------------------------------------------------------------------------------ */

static base_status ask(bench_overlap *o, const geo_pose *pose, gt_flux_space *space, gt_flux *flux,
                       base_error *err)
{
    const base_status status =
        gt_flux_query(o->pair->a.truth, o->pair->b.truth, pose, space, flux, err);
    if (status == BASE_OK && flux->flaws > 0) {
        return base_fail(err, BASE_ERR_INPUT,
                         "'%s' and '%s' cannot be judged: their surfaces contradict each other in "
                         "%llu places",
                         o->pair->a.reference, o->pair->b.reference,
                         (unsigned long long)flux->flaws);
    }
    return status;
}

typedef struct work {
    bench_overlap *overlap;
    bench_overlap_at *at;
    size_t chunk;
    base_status statuses[CHUNKS];
    base_error errors[CHUNKS];
} work;

static void find_some(void *context, size_t begin, size_t end)
{
    work *const w = context;
    const size_t c = begin / w->chunk;
    for (size_t i = begin; i < end && w->statuses[c] == BASE_OK; i++) {
        bench_overlap_at *const at = &w->at[i];
        gt_flux flux = {0};
        w->statuses[c] = ask(w->overlap, &at->pose, w->overlap->spaces[c], &flux, &w->errors[c]);
        at->volume_m3 = flux.value_m3;
        at->point_depth_m = !at->depth          ? (double)NAN
                            : flux.value_m3 > 0 ? find_depth(w->overlap, &at->pose)
                                                : 0;
    }
}

base_status bench_overlap_find(bench_overlap *o, bench_overlap_at *at, size_t count,
                               base_error *err)
{
    work w = {.overlap = o, .at = at, .chunk = (count + CHUNKS - 1) / CHUNKS};
    base_parallel_for(count, w.chunk, 0, find_some, &w);
    for (size_t c = 0; c < CHUNKS; c++) {
        if (w.statuses[c] != BASE_OK) {
            return base_fail(err, w.statuses[c], "%s", w.errors[c].text);
        }
    }
    return BASE_OK;
}

base_status bench_overlap_gradient(bench_overlap *o, const geo_pose *pose, vec3 *force_m2,
                                   base_error *err)
{
    gt_flux flux = {0};
    const base_status status = ask(o, pose, o->spaces[0], &flux, err);
    *force_m2 = vec3_scale(flux.value_m3 > 0 ? -1 : 0, flux.gradient_m2);
    return status;
}
