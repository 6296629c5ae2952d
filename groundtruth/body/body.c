#include "groundtruth/body/body.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "geometry/pose.h"
#include "geometry/triangle.h"
#include "geometry/vec.h"
#include "groundtruth/body/cache.h"
#include "groundtruth/body/tetgen.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum { TETGEN_SECONDS = 600 };

static double largest(vec3 v)
{
    const vec3 a = vec3_abs(v);
    const double xy = a.x > a.y ? a.x : a.y;
    return xy > a.z ? xy : a.z;
}

double gt_pair_reach(const gt_body *a, const gt_body *b, const geo_pose *pose)
{
    const mat3 m = pose->rotation;
    const mat3 size = {{vec3_abs(m.row[0]), vec3_abs(m.row[1]), vec3_abs(m.row[2])}};
    const vec3 centre = vec3_abs(geo_pose_apply(pose, b->centre));
    const double moved = largest(vec3_add(centre, mat3_mul_vec3(size, b->half)));
    return moved > a->reach ? moved : a->reach;
}

geo_pose gt_origin_pose(const gt_body *a, const gt_body *b, const geo_pose *pose)
{
    return (geo_pose){pose->rotation, vec3_sub(geo_pose_apply(pose, b->origin), a->origin)};
}

/** Bounds the rounding error of a point relative to the origin, and of its transformation by a
 * pose. */
static double relative_margin(const gt_body *body)
{
    return 16 * DBL_EPSILON * body->reach;
}

/** Builds the hierarchy over the boxes relative to the origin, widened by relative_margin(). */
static base_status build_relative(gt_body *body, base_arena *scratch, base_error *err)
{
    const size_t n = body->mesh->face_count;
    geo_box *const boxes = base_arena_alloc(scratch, n, sizeof *boxes);
    body->triangles = base_arena_alloc(&body->arena, n, sizeof *body->triangles);
    if (!boxes || !body->triangles) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu triangles", n);
    }
    const double e = relative_margin(body);
    const vec3 margin = {e, e, e};
    for (size_t f = 0; f < n; f++) {
        const geo_box box = geo_box_of_triangle(geo_mesh_triangle(body->mesh, f));
        boxes[f] = (geo_box){vec3_sub(vec3_sub(box.lo, body->origin), margin),
                             vec3_add(vec3_sub(box.hi, body->origin), margin)};
    }
    const base_status status =
        geo_bvh_build(boxes, n, GEO_BVH_LEAF_MAX, &body->arena, &body->bvh, err);
    for (size_t i = 0; i < n && status == BASE_OK; i++) {
        body->triangles[i] = geo_mesh_triangle(body->mesh, body->bvh.order[i]);
    }
    return status;
}

static base_status build_hierarchy(gt_body *body, base_error *err)
{
    const double radius = vec3_norm(body->half), far = vec3_norm(body->centre);
    if (far <= 4 * radius) {
        body->origin = (vec3){0, 0, 0};
        body->span = far + radius;
        body->bvh = body->shell.surface.bvh;
        body->triangles = body->shell.surface.triangles;
        return BASE_OK;
    }
    base_arena scratch = {0};
    body->origin = body->centre;
    body->span = radius;
    const base_status status = build_relative(body, &scratch, err);
    base_arena_release(&scratch);
    return status;
}

/* --- Blocks ----------------------------------------------------------------------------------- */

enum { CURVE_BITS = 21 };

typedef struct place {
    uint64_t along; /* position along the curve */
    uint32_t face;
} place;

static int compare_places(const void *x, const void *y)
{
    const place *const a = x, *const b = y;
    if (a->along != b->along) {
        return a->along < b->along ? -1 : 1;
    }
    return a->face < b->face ? -1 : a->face > b->face;
}

/**
 * Returns the position of a point on the curve: the bits of its three coordinates in the box,
 * interleaved. Points with close positions are mostly close in space.
 */
static uint64_t along_curve(vec3 p, geo_box box)
{
    uint64_t along = 0, cell[3];
    for (int k = 0; k < 3; k++) {
        const double lo = vec3_get(box.lo, k), edge = vec3_get(box.hi, k) - lo;
        const double at = edge > 0 ? (vec3_get(p, k) - lo) / edge : 0;
        cell[k] = (uint64_t)(at * ((1 << CURVE_BITS) - 1));
    }
    for (int bit = CURVE_BITS - 1; bit >= 0; bit--) {
        for (int k = 0; k < 3; k++) {
            along = along << 1 | (cell[k] >> bit & 1);
        }
    }
    return along;
}

static geo_ball ball_of_block(const geo_mesh *mesh, const uint32_t *faces, size_t count)
{
    geo_box box = geo_box_of_triangle(geo_mesh_triangle(mesh, faces[0]));
    for (size_t i = 1; i < count; i++) {
        box = geo_box_join(box, geo_box_of_triangle(geo_mesh_triangle(mesh, faces[i])));
    }
    geo_ball ball = {geo_box_centre(box), 0};
    for (size_t i = 0; i < count; i++) {
        const geo_triangle t = geo_mesh_triangle(mesh, faces[i]);
        for (int k = 0; k < 3; k++) {
            const double r = vec3_distance(ball.centre, t.p[k]) * (1 + 16 * DBL_EPSILON);
            ball.radius = r > ball.radius ? r : ball.radius;
        }
    }
    return ball;
}

static base_status build_blocks(const geo_mesh *mesh, base_arena *arena, gt_blocks *blocks,
                                base_error *err)
{
    const size_t n = mesh->face_count;
    place *const places = base_alloc(n, sizeof *places);
    blocks->count = (n + GT_BLOCK - 1) / GT_BLOCK;
    blocks->order = base_arena_alloc(arena, n, sizeof *blocks->order);
    blocks->balls = base_arena_alloc(arena, blocks->count, sizeof *blocks->balls);
    blocks->corners = base_arena_alloc(arena, blocks->count, sizeof *blocks->corners);
    if (!places || !blocks->order || !blocks->balls || !blocks->corners) {
        base_free(places);
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu triangles", n);
    }
    const geo_box box = geo_mesh_box(mesh);
    for (size_t f = 0; f < n; f++) {
        places[f] = (place){along_curve(geo_mesh_triangle(mesh, f).p[0], box), (uint32_t)f};
    }
    qsort(places, n, sizeof *places, compare_places);
    for (size_t i = 0; i < n; i++) {
        blocks->order[i] = places[i].face;
    }
    base_free(places);
    for (size_t b = 0; b < blocks->count; b++) {
        const uint32_t *const faces = &blocks->order[b * GT_BLOCK];
        const size_t left = n - b * GT_BLOCK;
        blocks->balls[b] = ball_of_block(mesh, faces, left < GT_BLOCK ? left : GT_BLOCK);
        blocks->corners[b] = geo_mesh_triangle(mesh, faces[0]).p[0];
    }
    return BASE_OK;
}

/* --- The body --------------------------------------------------------------------------------- */

/** Builds all structures over the triangles of a body whose box is known. */
static base_status build_parts(gt_body *b, base_error *err)
{
    const geo_mesh *const mesh = b->mesh;
    base_status status = geo_shell_build(*mesh, b->report->solid, &b->arena, &b->shell, err);
    if (status != BASE_OK) {
        return status;
    }
    status = build_hierarchy(b, err);
    if (status != BASE_OK) {
        return status;
    }
    status = geo_tree_build(mesh, b->origin, INFINITY, &b->arena, &b->tree, err);
    b->parts = b->tree;
    const double longest_edge_m = geo_tree_longest_edge(mesh);
    if (status == BASE_OK && longest_edge_m < (double)INFINITY) {
        status = geo_tree_build(mesh, b->origin, longest_edge_m, &b->arena, &b->parts, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    status = build_blocks(mesh, &b->arena, &b->blocks, err);
    if (status != BASE_OK || !b->report->solid) {
        return status;
    }
    return gt_flux_body_build(mesh, &b->tree, b->centre, &b->arena, &b->flux, err);
}

base_status gt_body_create(const geo_mesh *mesh, const geo_mesh_report *report, gt_body **body,
                           base_error *err)
{
    gt_body *const b = base_alloc(1, sizeof *b);
    *body = b;
    if (!b) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for a body");
    }
    b->mesh = mesh;
    b->report = report;
    b->hash = geo_mesh_hash(mesh);
    const geo_box box = geo_mesh_box(mesh);
    b->centre = geo_box_centre(box);
    b->half = vec3_max(vec3_sub(box.hi, b->centre), vec3_sub(b->centre, box.lo));
    b->reach = largest(vec3_max(vec3_abs(box.lo), vec3_abs(box.hi)));
    const base_status status = build_parts(b, err);
    if (status != BASE_OK) {
        gt_body_destroy(b);
        *body = NULL;
    }
    return status;
}

void gt_body_destroy(gt_body *body)
{
    if (body) {
        base_arena_release(&body->arena);
        base_free(body);
    }
}

size_t gt_body_bytes(const gt_body *body)
{
    return body->arena.bytes;
}

size_t gt_body_tetrahedron_count(const gt_body *body)
{
    return body->tetrahedron_count;
}

base_status gt_bodies_need_solids(const gt_body *a, const gt_body *b, base_error *err)
{
    const gt_body *const bodies[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        if (!bodies[i]->report->solid) {
            char reason[512];
            geo_mesh_report_reason(bodies[i]->report, reason, sizeof reason);
            return base_fail(err, BASE_ERR_INPUT, "body %c is not a solid: %s", "AB"[i], reason);
        }
    }
    return BASE_OK;
}

/* --- Tetrahedra ------------------------------------------------------------------------------- */

/** Returns BASE_OK if the body is a solid and TetGen has not refused it before. */
static base_status check_askable(const gt_body *body, base_error *err)
{
    if (!body->report->solid) {
        char reason[512];
        geo_mesh_report_reason(body->report, reason, sizeof reason);
        return base_fail(err, BASE_ERR_INPUT, "not a solid: %s", reason);
    }
    return body->refusal ? base_fail(err, BASE_ERR_SYSTEM, "%s", body->refusal) : BASE_OK;
}

/**
 * Loads the tetrahedra from the cache or runs TetGen. The body remembers a failure of TetGen, but
 * not an interrupt.
 */
static base_status find_tetrahedra(gt_body *body, const gt_options *options,
                                   gt_tetrahedra *tetrahedra, base_error *err)
{
    const gt_options o = options ? *options : (gt_options){0};
    if (o.cache_directory && gt_cache_load(o.cache_directory, body, tetrahedra)) {
        return BASE_OK;
    }
    base_error refusal;
    const unsigned limit = o.tetgen_seconds ? o.tetgen_seconds : TETGEN_SECONDS;
    const base_status status =
        gt_tetgen_run(body->mesh, limit, o.interrupted, tetrahedra, &refusal);
    if (status == BASE_ERR_SYSTEM && !(o.interrupted && o.interrupted())) {
        body->refusal = base_arena_text(&body->arena, refusal.text);
    }
    if (status != BASE_OK) {
        return base_fail(err, status, "%s", refusal.text);
    }
    return o.cache_directory ? gt_cache_store(o.cache_directory, body, tetrahedra, err) : BASE_OK;
}

static base_status build_cells(gt_body *body, const gt_tetrahedra *tetrahedra, base_error *err)
{
    body->tetrahedron_count = tetrahedra->count;
    return gt_cells_build(tetrahedra, body->origin, relative_margin(body), &body->arena,
                          &body->cells, err);
}

/**
 * Cuts a body into tetrahedra. twin: another body of the same mesh, which gets the same tetrahedra
 * or the same refusal; NULL if there is none.
 */
static base_status tetrahedralise(gt_body *body, gt_body *twin, const gt_options *options,
                                  base_error *err)
{
    if (body->cells.cells) {
        return BASE_OK;
    }
    base_status status = check_askable(body, err);
    if (status != BASE_OK) {
        return status;
    }
    gt_tetrahedra tetrahedra = {0};
    status = find_tetrahedra(body, options, &tetrahedra, err);
    if (status == BASE_OK) {
        status = build_cells(body, &tetrahedra, err);
    }
    if (status == BASE_OK && twin && !twin->cells.cells) {
        status = build_cells(twin, &tetrahedra, err);
    }
    if (twin && body->refusal) {
        twin->refusal = base_arena_text(&twin->arena, body->refusal);
    }
    gt_tetrahedra_release(&tetrahedra);
    return status;
}

base_status gt_body_tetrahedralise(gt_body *body, const gt_options *options, base_error *err)
{
    return tetrahedralise(body, NULL, options, err);
}

/**
 * True if the mesh of `centred` is that of `body` with the centre of its box moved to 0, bit for
 * bit. The first body of a pair is moved in this way.
 */
static bool is_centred(const gt_body *centred, const gt_body *body)
{
    const geo_mesh *const c = centred->mesh, *const m = body->mesh;
    const vec3 by = vec3_scale(-1, body->centre);
    if (c->vertex_count != m->vertex_count || c->face_count != m->face_count ||
        memcmp(c->faces, m->faces, m->face_count * sizeof *m->faces) != 0) {
        return false;
    }
    for (size_t v = 0; v < m->vertex_count; v++) {
        if (!vec3_equal(c->vertices[v], vec3_add(m->vertices[v], by))) {
            return false;
        }
    }
    return true;
}

/**
 * Makes the tetrahedra of `centred`: those of `body`, with the vertices of the mesh of `centred`
 * and the inner points moved by the same vector. Checks them again.
 */
static base_status move_tetrahedra(const gt_tetrahedra *of, const gt_body *body,
                                   const gt_body *centred, gt_tetrahedra *moved, base_error *err)
{
    const vec3 by = vec3_scale(-1, body->centre);
    const size_t n = centred->mesh->vertex_count;
    *moved = (gt_tetrahedra){.vertex_count = of->vertex_count, .count = of->count};
    moved->vertices = base_alloc(of->vertex_count, sizeof *moved->vertices);
    moved->corners = base_alloc(of->count, sizeof *moved->corners);
    if (!moved->vertices || !moved->corners) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu tetrahedra", of->count);
    }
    memcpy(moved->vertices, centred->mesh->vertices, n * sizeof *moved->vertices);
    memcpy(moved->corners, of->corners, of->count * sizeof *moved->corners);
    for (size_t v = n; v < of->vertex_count; v++) {
        moved->vertices[v] = vec3_add(of->vertices[v], by);
    }
    const base_status status = gt_tetrahedra_orient(moved, err);
    return status == BASE_OK ? gt_tetrahedra_check(moved, centred->mesh, err) : status;
}

/**
 * Cuts a body and its centred copy into tetrahedra with one run of TetGen. The rounding of the move
 * may invert a thin tetrahedron. Only then are the tetrahedra of the copy read from the cache or
 * made by TetGen. So the result does not depend on earlier calls.
 */
static base_status tetrahedralise_centred(gt_body *centred, gt_body *body,
                                          const gt_options *options, base_error *err)
{
    gt_tetrahedra found = {0}, moved = {0};
    base_status status = check_askable(body, err);
    if (status != BASE_OK) {
        return status;
    }
    status = find_tetrahedra(body, options, &found, err);
    if (status == BASE_OK) {
        status = build_cells(body, &found, err);
    }
    if (status == BASE_OK && move_tetrahedra(&found, body, centred, &moved, NULL) == BASE_OK) {
        status = build_cells(centred, &moved, err);
    }
    if (body->refusal) {
        centred->refusal = base_arena_text(&centred->arena, body->refusal);
    }
    gt_tetrahedra_release(&found);
    gt_tetrahedra_release(&moved);
    return status == BASE_OK ? tetrahedralise(centred, NULL, options, err) : status;
}

typedef struct both {
    gt_body *bodies[2];
    const gt_options *options;
    base_status status[2];
    base_error errors[2];
} both;

static void tetrahedralise_some(void *context, size_t begin, size_t end)
{
    both *const x = context;
    for (size_t i = begin; i < end; i++) {
        x->status[i] = tetrahedralise(x->bodies[i], NULL, x->options, &x->errors[i]);
    }
}

base_status gt_bodies_tetrahedralise(gt_body *a, gt_body *b, const gt_options *options,
                                     base_error *err)
{
    both x = {.bodies = {a, b}, .options = options};
    if (a->hash.hi == b->hash.hi && a->hash.lo == b->hash.lo) {
        const base_status status = tetrahedralise(a, a == b ? NULL : b, options, err);
        return status == BASE_OK ? tetrahedralise(b, NULL, options, err) : status;
    }
    if (!a->cells.cells && !b->cells.cells && is_centred(a, b)) {
        return tetrahedralise_centred(a, b, options, err);
    }
    base_parallel_for(2, 1, options ? options->threads : 0, tetrahedralise_some, &x);
    const int failed = x.status[0] != BASE_OK ? 0 : 1;
    return x.status[failed] == BASE_OK
               ? BASE_OK
               : base_fail(err, x.status[failed], "%s", x.errors[failed].text);
}

const char *gt_body_refusal(const gt_body *body)
{
    return body->refusal;
}
