#include "algorithms/lpd/segments.h"

#include "geometry/predicates.h"
#include "geometry/tree.h"

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

/** Context of the search. */
typedef struct finding {
    const alg_lpd_pair *pair;
    const geo_pose *pose;
    alg_lpd_segments *segments;
} finding;

/** Returns the number of corners of s in the plane of t. For a t without an area every point
 * counts. */
static int count_in_plane(const geo_triangle *s, const geo_triangle *t)
{
    int count = 0;
    for (int k = 0; k < 3; k++) {
        count += geo_orient3d(t->p[0], t->p[1], t->p[2], s->p[k]) == 0;
    }
    return count;
}

/** A pair of triangles in A's frame. */
typedef struct crossing {
    geo_triangle a, b;
    vec3 along; /* cross product of the normals of a and b */
} crossing;

static crossing crossing_of(const finding *f, uint32_t face_a, uint32_t face_b)
{
    crossing c;
    c.a = f->pair->a->adjacency.faces[face_a].corners;
    c.b = geo_pose_apply_triangle(f->pose, f->pair->b->adjacency.faces[face_b].corners);
    const vec3 ua = vec3_sub(c.a.p[1], c.a.p[0]), va = vec3_sub(c.a.p[2], c.a.p[0]);
    const vec3 ub = vec3_sub(c.b.p[1], c.b.p[0]), vb = vec3_sub(c.b.p[2], c.b.p[0]);
    c.along = vec3_cross(vec3_cross(ua, va), vec3_cross(ub, vb));
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
    const crossing c = crossing_of(f, face_a, face_b);
    const int of_a = count_in_plane(&c.a, &c.b), of_b = count_in_plane(&c.b, &c.a);
    if (of_a + of_b == 6) {
        segments->area_count++;
        return true;
    }
    if (segments->count == segments->capacity) {
        segments->left_count++;
        return true;
    }
    /* Segments of properly crossing triangles already have this direction, also if rounding
       reversed them. */
    const bool turned =
        vec3_dot(vec3_sub(common->to, common->from), c.along) < 0 && of_a + of_b > 0;
    segments->items[segments->count++] =
        (alg_lpd_segment){{turned ? common->to : common->from, turned ? common->from : common->to},
                          face_a,
                          face_b,
                          (of_a == 2 ? 0.5 : 1) * (of_b == 2 ? 0.5 : 1)};
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
