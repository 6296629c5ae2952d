#include "algorithms/lpd/segments.h"

#include "geometry/vec.h"
#include "geometry/predicates.h"
#include "geometry/tree.h"
#include "geometry/pose.h"

alg_status alg_lpd_body_prepare(const alg_mesh *mesh, void **prepared, alg_build_info *info,
                                alg_message *message)
{
    const alg_status status = alg_create(sizeof(alg_lpd_body), prepared, message);
    if (status != ALG_OK) {
        return status;
    }
    alg_lpd_body *const b = *prepared;
    const geo_mesh view = alg_mesh_view(mesh);
    const vec3 middle = geo_box_centre(mesh->box);
    base_error err = {0};
    if (geo_tree_build(&view, middle, INFINITY, &b->arena, &b->tree, &err) != BASE_OK ||
        geo_adjacency_build(&view, &b->arena, &b->adjacency, &err) != BASE_OK ||
        (mesh->solid && geo_shell_build(view, true, &b->arena, &b->shell, &err) != BASE_OK)) {
        return alg_abandon(prepared, alg_fail_geo(message, &err));
    }
    b->box = mesh->box;
    b->centroid = mesh->solid ? mesh->centroid : middle;
    double edges_m = 0;
    for (size_t face = 0; face < view.face_count; face++) {
        const geo_triangle t = geo_mesh_triangle(&view, face);
        for (int k = 0; k < 3; k++) {
            edges_m += vec3_distance(t.p[k], t.p[k == 2 ? 0 : k + 1]);
        }
    }
    b->mean_edge_m = edges_m / (3 * (double)view.face_count);
    info->bytes = b->arena.bytes;
    info->primitives = mesh->face_count;
    return ALG_OK;
}

/* --- Segments --------------------------------------------------------------------------------- */

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

/** Returns the number of corners of s in the plane of t. If t has no area, all corners count. */
static int count_in_plane(const geo_triangle *s, const geo_triangle *t)
{
    int count = 0;
    for (int k = 0; k < 3; k++) {
        count += geo_orient3d(t->p[0], t->p[1], t->p[2], s->p[k]) == 0;
    }
    return count;
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
    const geo_triangle a = f->pair->a->adjacency.faces[face_a].corners;
    const geo_triangle b =
        geo_pose_apply_triangle(f->pose, f->pair->b->adjacency.faces[face_b].corners);
    const int of_a = count_in_plane(&a, &b), of_b = count_in_plane(&b, &a);
    if (of_a + of_b == 6) {
        segments->area_count++;
        return true;
    }
    if (segments->count == segments->capacity) {
        segments->left_count++;
        return true;
    }
    const vec3 normal_a = vec3_cross(vec3_sub(a.p[1], a.p[0]), vec3_sub(a.p[2], a.p[0]));
    const vec3 normal_b = vec3_cross(vec3_sub(b.p[1], b.p[0]), vec3_sub(b.p[2], b.p[0]));
    const vec3 along = vec3_cross(normal_a, normal_b);
    /* If no corner lies in the plane of the other triangle, the segment already has this direction.
     * Then it is not turned, even if rounded coordinates make it appear reversed. */
    const bool turned = vec3_dot(vec3_sub(common->to, common->from), along) < 0 && of_a + of_b > 0;
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

/* --- Noise ------------------------------------------------------------------------------------ */

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
