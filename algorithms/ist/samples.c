/**
 * Samples of a surface: corners, edges, faces.
 */
#include "algorithms/ist/cover.h"
#include "base/elementary.h"
#include "base/memory.h"

typedef struct sampler {
    const geo_mesh *mesh;
    double spacing;
    vec3 *normals;         /* owned; of faces, unit or 0 */
    uint32_t *first_faces; /* owned; of each vertex: where its faces begin in vertex_faces */
    uint32_t *vertex_faces;
    alg_ist_samples *samples; /* points NULL: they are only counted */
} sampler;

static void add_sample(sampler *s, vec3 point, vec3 normal)
{
    if (s->samples->points) {
        s->samples->points[s->samples->count] = point;
        s->samples->inwards[s->samples->count] = vec3_normalize(vec3_scale(-1, normal));
    }
    s->samples->count++;
}

/** In how many parts a length is cut. */
static uint64_t parts_of(const sampler *s, double length)
{
    return length > s->spacing ? (uint64_t)ceil(length / s->spacing) : 1;
}

static void sample_vertex(sampler *s, uint32_t vertex)
{
    vec3 normal = {0, 0, 0};
    for (uint32_t i = s->first_faces[vertex]; i < s->first_faces[vertex + 1]; i++) {
        const geo_face face = s->mesh->faces[s->vertex_faces[i]];
        const int k = face.v[0] == vertex ? 0 : face.v[1] == vertex ? 1 : 2;
        const vec3 p = s->mesh->vertices[vertex];
        const vec3 u = vec3_sub(s->mesh->vertices[face.v[(k + 1) % 3]], p);
        const vec3 v = vec3_sub(s->mesh->vertices[face.v[(k + 2) % 3]], p);
        const double angle = base_atan2(vec3_norm(vec3_cross(u, v)), vec3_dot(u, v));
        normal = vec3_madd(normal, angle, s->normals[s->vertex_faces[i]]);
    }
    if (s->first_faces[vertex] < s->first_faces[vertex + 1]) {
        add_sample(s, s->mesh->vertices[vertex], normal);
    }
}

static bool has_corner(geo_face face, uint32_t vertex)
{
    return face.v[0] == vertex || face.v[1] == vertex || face.v[2] == vertex;
}

/** Points of an edge of a face, unless a face of smaller number has it too. */
static void sample_edge(sampler *s, uint32_t face, int edge)
{
    const uint32_t a = s->mesh->faces[face].v[edge], b = s->mesh->faces[face].v[(edge + 1) % 3];
    vec3 normal = {0, 0, 0};
    for (uint32_t i = s->first_faces[a]; i < s->first_faces[a + 1]; i++) {
        const uint32_t other = s->vertex_faces[i];
        if (has_corner(s->mesh->faces[other], b)) {
            if (other < face) {
                return;
            }
            normal = vec3_add(normal, s->normals[other]);
        }
    }
    const vec3 from = s->mesh->vertices[a], along = vec3_sub(s->mesh->vertices[b], from);
    const uint64_t parts = parts_of(s, vec3_norm(along));
    for (uint64_t i = 1; i < parts; i++) {
        add_sample(s, vec3_madd(from, (double)i / (double)parts, along), normal);
    }
}

/** Rows of points parallel to the longest edge. */
static void sample_inside(sampler *s, uint32_t face)
{
    const geo_triangle t = geo_mesh_triangle(s->mesh, face);
    int longest = 0;
    double length = 0;
    for (int k = 0; k < 3; k++) {
        const double d = vec3_distance(t.p[k], t.p[(k + 1) % 3]);
        longest = d > length ? k : longest;
        length = d > length ? d : length;
    }
    const vec3 base = t.p[longest], apex = t.p[(longest + 2) % 3];
    const vec3 u = vec3_sub(t.p[(longest + 1) % 3], base), v = vec3_sub(apex, base);
    const double height = length > 0 ? vec3_norm(vec3_cross(u, v)) / length : 0;
    const uint64_t rows = parts_of(s, height);
    for (uint64_t j = 1; j < rows; j++) {
        const double up = (double)j / (double)rows;
        const uint64_t parts = parts_of(s, (1 - up) * length);
        for (uint64_t i = 0; i < parts; i++) {
            const double along = (1 - up) * (((double)i + 0.5) / (double)parts);
            add_sample(s, vec3_madd(vec3_madd(base, up, v), along, u), s->normals[face]);
        }
    }
}

static void sample_all(sampler *s)
{
    s->samples->count = 0;
    for (uint32_t v = 0; v < s->mesh->vertex_count; v++) {
        sample_vertex(s, v);
    }
    for (uint32_t f = 0; f < s->mesh->face_count; f++) {
        for (int edge = 0; edge < 3; edge++) {
            sample_edge(s, f, edge);
        }
        sample_inside(s, f);
    }
}

/** Normals, and the faces around each vertex. */
static base_status prepare_faces(sampler *s, base_error *err)
{
    const geo_mesh *const mesh = s->mesh;
    s->normals = base_alloc(mesh->face_count, sizeof *s->normals);
    s->first_faces = base_alloc(mesh->vertex_count + 2, sizeof *s->first_faces);
    s->vertex_faces = base_alloc(3 * mesh->face_count, sizeof *s->vertex_faces);
    if (!s->normals || !s->first_faces || !s->vertex_faces) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for samples of %zu faces",
                         mesh->face_count);
    }
    for (size_t f = 0; f < mesh->face_count; f++) {
        const geo_triangle t = geo_mesh_triangle(mesh, f);
        s->normals[f] =
            vec3_normalize(vec3_cross(vec3_sub(t.p[1], t.p[0]), vec3_sub(t.p[2], t.p[0])));
        for (int k = 0; k < 3; k++) {
            s->first_faces[mesh->faces[f].v[k] + 2]++;
        }
    }
    for (size_t v = 2; v < mesh->vertex_count + 2; v++) {
        s->first_faces[v] += s->first_faces[v - 1];
    }
    for (uint32_t f = 0; f < mesh->face_count; f++) {
        for (int k = 0; k < 3; k++) {
            s->vertex_faces[s->first_faces[mesh->faces[f].v[k] + 1]++] = f;
        }
    }
    return BASE_OK;
}

base_status alg_ist_sample(const geo_mesh *mesh, double spacing, base_arena *arena,
                           alg_ist_samples *samples, base_error *err)
{
    *samples = (alg_ist_samples){0};
    sampler s = {.mesh = mesh, .spacing = spacing, .samples = samples};
    base_status status = prepare_faces(&s, err);
    if (status != BASE_OK) {
        goto done;
    }
    sample_all(&s);
    if (samples->count >= 0x80000000u) {
        status = base_fail(err, BASE_ERR_INPUT, "more than 2^31 samples of the surface");
        goto done;
    }
    const size_t count = samples->count;
    vec3 *const points = base_arena_alloc(arena, count, sizeof *points);
    samples->inwards = base_arena_alloc(arena, count, sizeof *samples->inwards);
    if (!points || !samples->inwards) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu samples", count);
        goto done;
    }
    samples->points = points;
    sample_all(&s);
done:
    base_free(s.normals);
    base_free(s.first_faces);
    base_free(s.vertex_faces);
    return status;
}
