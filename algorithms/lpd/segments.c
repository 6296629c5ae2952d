#include "algorithms/lpd/segments.h"

#include "geometry/predicates.h"
#include "geometry/tree_intersections.h"

base_status alg_lpd_segments_create(uint32_t capacity, base_arena *arena,
                                    alg_lpd_segments *segments, base_error *err)
{
    *segments = (alg_lpd_segments){
        .items = base_arena_alloc(arena, capacity, sizeof *segments->items), .capacity = capacity};
    if (!segments->items) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %u segments", capacity);
    }
    return BASE_OK;
}

/** The bodies that are asked, and what is found. */
typedef struct finding {
    const alg_lpd_pair *pair;
    const geo_pose *pose;
    alg_lpd_segments *segments;
} finding;

/** Corners of s in the plane of t. Of a triangle without an area every point is in its plane. */
static int count_in_plane(const geo_triangle *s, const geo_triangle *t)
{
    int count = 0;
    for (int k = 0; k < 3; k++) {
        count += geo_orient3d(t->p[0], t->p[1], t->p[2], s->p[k]) == 0;
    }
    return count;
}

/** Exact signs tell coplanar triangles; they are asked for where the sine between the planes, times those of both
 * triangles' angles at their first corners, is below this: a multiple of what rounding makes of 0. */
#define PARALLEL 1e-12

/** One pair of triangles, in one frame. */
typedef struct crossing {
    geo_triangle a, b;
    vec3 along; /* normal of a times normal of b */
} crossing;

static crossing crossing_of(const finding *f, uint32_t face_a, uint32_t face_b, bool *parallel)
{
    crossing c;
    c.a = f->pair->a->adjacency.faces[face_a].corners;
    c.b = geo_pose_apply_triangle(f->pose, f->pair->b->adjacency.faces[face_b].corners);
    const vec3 ua = vec3_sub(c.a.p[1], c.a.p[0]), va = vec3_sub(c.a.p[2], c.a.p[0]);
    const vec3 ub = vec3_sub(c.b.p[1], c.b.p[0]), vb = vec3_sub(c.b.p[2], c.b.p[0]);
    c.along = vec3_cross(vec3_cross(ua, va), vec3_cross(ub, vb));
    /* The errors of computed normals are small for the edges, not for the normals of slivers. */
    const double edges2 = vec3_norm2(ua) * vec3_norm2(va) * (vec3_norm2(ub) * vec3_norm2(vb));
    *parallel = vec3_norm2(c.along) <= PARALLEL * PARALLEL * edges2;
    return c;
}

static bool visit(void *context, uint32_t face_a, uint32_t face_b, const geo_common *common)
{
    const finding *const f = context;
    alg_lpd_segments *const segments = f->segments;
    segments->pair_count++;
    if (vec3_equal(common->from, common->to)) {
        segments->point_count++;
        return true;
    }
    bool parallel;
    const crossing c = crossing_of(f, face_a, face_b, &parallel);
    if (parallel && count_in_plane(&c.a, &c.b) + count_in_plane(&c.b, &c.a) == 6) {
        segments->area_count++;
        return true;
    }
    if (segments->count == segments->capacity) {
        segments->left_count++;
        return true;
    }
    /* Segments of triangles that cross run so already, also those that rounding has turned. */
    const bool turned = vec3_dot(vec3_sub(common->to, common->from), c.along) < 0 &&
                        count_in_plane(&c.a, &c.b) + count_in_plane(&c.b, &c.a) > 0;
    segments->items[segments->count++] = (alg_lpd_segment){
        {turned ? common->to : common->from, turned ? common->from : common->to},
        face_a, face_b
    };
    return true;
}

void alg_lpd_segments_find(const alg_lpd_pair *pair, const geo_pose *pose,
                           alg_lpd_segments *segments)
{
    finding f = {pair, pose, segments};
    segments->count = 0;
    segments->pair_count = segments->point_count = segments->area_count = segments->left_count = 0;
    geo_tree_intersections(&pair->a->tree, &pair->b->tree, pose, true, visit, &f, &segments->tests);
}
