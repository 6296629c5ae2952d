#include "geometry/simplify.h"

#include "base/memory.h"
#include "geometry/mesh_check.h"

#include <math.h>
#include <meshoptimizer.h>
#include <stdlib.h>
#include <string.h>

/* A closed surface has at least 4 triangles. */
enum { FACES_LEAST = 4, TRIES = 10 };

/** The mesh, in the form that meshoptimizer reads, and room for its answer. */
typedef struct job {
    const geo_mesh *mesh;
    float *positions; /* 3 of each vertex, from -1 to 1 */
    uint32_t *left;   /* 3 of each remaining face; room for all faces */
    uint32_t *number; /* of each vertex: its number in the result, or UINT32_MAX */
    size_t left_count;
} job;

/* --- Opposite faces --------------------------------------------------------------------------- */

/** A face, with its vertices in ascending order. */
typedef struct sorted_face {
    uint32_t v[3];
    bool odd; /* the order of the face's own vertices is an odd permutation of it */
    uint32_t face;
} sorted_face;

static sorted_face sort_face(const uint32_t *v, uint32_t face)
{
    sorted_face s = {{v[0], v[1], v[2]}, false, face};
    static const int swaps[3][2] = {{0, 1}, {1, 2}, {0, 1}};
    for (int i = 0; i < 3; i++) {
        uint32_t *const a = &s.v[swaps[i][0]], *const b = &s.v[swaps[i][1]];
        if (*a > *b) {
            const uint32_t c = *a;
            *a = *b;
            *b = c;
            s.odd = !s.odd;
        }
    }
    return s;
}

static int compare_faces(const void *left, const void *right)
{
    const sorted_face *const a = left, *const b = right;
    for (int i = 0; i < 3; i++) {
        if (a->v[i] != b->v[i]) {
            return a->v[i] < b->v[i] ? -1 : 1;
        }
    }
    return a->odd != b->odd ? (a->odd ? 1 : -1) : a->face < b->face ? -1 : 1;
}

/**
 * Removes pairs of faces with the same vertices and opposite orientations. Of the faces on the same
 * three vertices, those of one orientation come first in the sorted list, so the pairs are taken
 * from both ends of its run. faces: room for all remaining faces.
 */
static void drop_opposite(job *j, sorted_face *faces)
{
    for (size_t f = 0; f < j->left_count; f++) {
        faces[f] = sort_face(&j->left[3 * f], (uint32_t)f);
    }
    qsort(faces, j->left_count, sizeof *faces, compare_faces);
    for (size_t begin = 0, end; begin < j->left_count; begin = end) {
        for (end = begin + 1; end < j->left_count &&
                              memcmp(faces[end].v, faces[begin].v, sizeof faces[end].v) == 0;) {
            end++;
        }
        for (size_t a = begin, b = end - 1; a < b && !faces[a].odd && faces[b].odd; a++, b--) {
            j->left[3 * faces[a].face] = j->left[3 * faces[b].face] = UINT32_MAX;
        }
    }
    size_t kept = 0;
    for (size_t f = 0; f < j->left_count; f++) {
        if (j->left[3 * f] != UINT32_MAX) {
            memmove(&j->left[3 * kept++], &j->left[3 * f], 3 * sizeof *j->left);
        }
    }
    j->left_count = kept;
}

/* --- One target ------------------------------------------------------------------------------- */

/** Copies the remaining faces and the vertices that they use. */
static base_status copy_left(job *j, geo_mesh_builder *simplified, base_error *err)
{
    const geo_mesh *const mesh = j->mesh;
    size_t count = 0;
    memset(j->number, 0xff, mesh->vertex_count * sizeof *j->number);
    for (size_t i = 0; i < 3 * j->left_count; i++) {
        j->number[j->left[i]] = 0;
    }
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        if (j->number[i] == 0) {
            j->number[i] = (uint32_t)count++;
        }
    }
    const base_status status = geo_mesh_builder_init(count, j->left_count, simplified, err);
    for (size_t i = 0; status == BASE_OK && i < mesh->vertex_count; i++) {
        if (j->number[i] != UINT32_MAX) {
            simplified->vertices[j->number[i]] = mesh->vertices[i];
        }
    }
    for (size_t i = 0; status == BASE_OK && i < 3 * j->left_count; i++) {
        simplified->faces[i / 3].v[i % 3] = j->number[j->left[i]];
    }
    return status;
}

static base_status simplify_to(job *j, size_t target, geo_mesh_builder *simplified, base_error *err)
{
    const geo_mesh *const mesh = j->mesh;
    const float any_error = 1; /* only the number of faces ends the simplification */
    j->left_count =
        meshopt_simplify(j->left, mesh->faces->v, 3 * mesh->face_count, j->positions,
                         mesh->vertex_count, 3 * sizeof(float), 3 * target, any_error, 0, NULL) /
        3;
    *simplified = (geo_mesh_builder){0};
    if (j->left_count > target + target / 4) {
        return base_fail(err, BASE_ERR_INPUT,
                         "it cannot be simplified from %zu to %zu triangles: %zu remain (triangles "
                         "that share no vertices must be welded first)",
                         mesh->face_count, target, j->left_count);
    }
    sorted_face *const faces = base_alloc(j->left_count, sizeof *faces);
    if (!faces) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu triangles", j->left_count);
    }
    drop_opposite(j, faces);
    base_free(faces);
    return j->left_count > 0
               ? copy_left(j, simplified, err)
               : base_fail(err, BASE_ERR_INPUT,
                           "it becomes flat if it is simplified to %zu triangles", target);
}

/* --- All targets ------------------------------------------------------------------------------ */

/** Converts the vertices. The box's centre becomes 0, so that a mesh far from 0 loses no digits. */
static void scale_positions(job *j)
{
    const geo_mesh *const mesh = j->mesh;
    const geo_box box = geo_mesh_box(mesh);
    const vec3 centre = geo_box_centre(box), size = vec3_sub(box.hi, box.lo);
    const double half = fmax(fmax(size.x, size.y), size.z) / 2;
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        const vec3 p = vec3_sub(mesh->vertices[i], centre);
        for (int k = 0; k < 3; k++) {
            j->positions[3 * i + (size_t)k] = half > 0 ? (float)(vec3_get(p, k) / half) : 0;
        }
    }
}

static base_status try_targets(job *j, double share, bool solid, geo_mesh_builder *simplified,
                               base_error *err)
{
    const size_t most = (size_t)llround(share * (double)j->mesh->face_count);
    base_status status = BASE_OK;
    bool found = false;
    scale_positions(j);
    for (size_t i = 0; status == BASE_OK && !found && i < (solid ? TRIES : 1); i++) {
        const size_t target = most * (100 - i) / 100;
        geo_mesh_builder candidate;
        status = simplify_to(j, target > FACES_LEAST ? target : FACES_LEAST, &candidate, err);
        if (status == BASE_OK && solid) {
            const geo_mesh view = geo_mesh_builder_view(&candidate);
            geo_mesh_report report;
            status = geo_mesh_check(&view, &report, err);
            found = report.solid;
            geo_mesh_report_release(&report);
        }
        if (status == BASE_OK && (i == 0 || found)) {
            geo_mesh_builder_release(simplified);
            *simplified = candidate;
        } else {
            geo_mesh_builder_release(&candidate);
        }
    }
    return status;
}

base_status geo_mesh_simplify(const geo_mesh *mesh, double share, bool solid,
                              geo_mesh_builder *simplified, base_error *err)
{
    const size_t vertices = mesh->vertex_count, faces = mesh->face_count;
    geo_mesh_builder used = {0}; /* the mesh without unused vertices, which would disturb it */
    job j = {.mesh = mesh,
             .positions = base_alloc(3 * vertices, sizeof *j.positions),
             .left = base_alloc(3 * faces, sizeof *j.left),
             .number = base_alloc(vertices, sizeof *j.number),
             .left_count = faces};
    base_status status;
    *simplified = (geo_mesh_builder){0};
    if (!j.positions || !j.left || !j.number) {
        status =
            base_fail(err, BASE_ERR_MEMORY, "out of memory for simplifying %zu triangles", faces);
    } else {
        memcpy(j.left, mesh->faces, 3 * faces * sizeof *j.left);
        status = copy_left(&j, &used, err);
    }
    if (status == BASE_OK && share < 1) {
        const geo_mesh full = geo_mesh_builder_view(&used);
        j.mesh = &full;
        status = try_targets(&j, share, solid, simplified, err);
        geo_mesh_builder_release(&used);
    } else if (status == BASE_OK) {
        *simplified = used;
    }
    base_free(j.number);
    base_free(j.left);
    base_free(j.positions);
    if (status != BASE_OK) {
        geo_mesh_builder_release(simplified);
    }
    return status;
}
