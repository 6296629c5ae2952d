#include "groundtruth/body/tetgen.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/memory.h"
#include "geometry/box.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* --- Cavities --------------------------------------------------------------------------------- */

/** Six times the volume under a triangle, seen from the origin. */
static double under(geo_triangle t, vec3 origin)
{
    return vec3_dot(vec3_sub(t.p[0], origin),
                    vec3_cross(vec3_sub(t.p[1], origin), vec3_sub(t.p[2], origin)));
}

static vec3 normal_of(geo_triangle t)
{
    return vec3_cross(vec3_sub(t.p[1], t.p[0]), vec3_sub(t.p[2], t.p[0]));
}

/** Where the ray from `from` along `direction` meets t: multiples of direction; or infinity. */
static double hit(geo_triangle t, vec3 from, vec3 direction)
{
    const vec3 n = normal_of(t);
    const double fall = vec3_dot(n, direction);
    if (fall == 0) {
        return INFINITY;
    }
    const double at = vec3_dot(n, vec3_sub(t.p[0], from)) / fall;
    const vec3 p = vec3_madd(from, at, direction);
    for (int i = 0; i < 3; i++) {
        const vec3 edge = vec3_sub(t.p[(i + 1) % 3], t.p[i]);
        if (vec3_dot(n, vec3_cross(edge, vec3_sub(p, t.p[i]))) < 0) {
            return INFINITY;
        }
    }
    return at > 0 ? at : (double)INFINITY;
}

/** Halfway from the middle of a face, along its normal (out of the material), to the next face. */
static vec3 cavity_point(const geo_mesh *mesh, size_t face)
{
    const geo_triangle own = geo_mesh_triangle(mesh, face);
    const vec3 middle = vec3_scale(1.0 / 3, vec3_add(vec3_add(own.p[0], own.p[1]), own.p[2]));
    const vec3 direction = vec3_normalize(normal_of(own));
    double nearest = INFINITY;
    for (size_t f = 0; f < mesh->face_count; f++) {
        if (f != face) {
            const double at = hit(geo_mesh_triangle(mesh, f), middle, direction);
            nearest = at < nearest ? at : nearest;
        }
    }
    return vec3_madd(middle, isfinite(nearest) ? 0.5 * nearest : 0, direction);
}

base_status gt_tetgen_cavities(const geo_mesh *mesh, vec3 **points, size_t *count, base_error *err)
{
    *points = NULL;
    *count = 0;
    base_arena arena = {0};
    uint32_t components = 0;
    uint32_t *const label = base_arena_alloc(&arena, mesh->face_count, sizeof *label);
    if (!label) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for the components");
    }
    base_status status = geo_mesh_components(mesh, label, &components, err);
    if (status != BASE_OK) {
        goto done;
    }
    double *const volume = base_arena_alloc(&arena, components, sizeof *volume);
    double *const largest = base_arena_alloc(&arena, components, sizeof *largest);
    size_t *const face = base_arena_alloc(&arena, components, sizeof *face);
    *points = base_alloc(components, sizeof **points);
    if (!volume || !largest || !face || !*points) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for the components");
        goto done;
    }
    const vec3 centre = geo_box_centre(geo_mesh_box(mesh));
    for (size_t f = 0; f < mesh->face_count; f++) {
        const geo_triangle t = geo_mesh_triangle(mesh, f);
        const double area2 = vec3_norm2(normal_of(t));
        volume[label[f]] += under(t, centre);
        if (area2 > largest[label[f]]) {
            largest[label[f]] = area2;
            face[label[f]] = f;
        }
    }
    for (uint32_t c = 0; c < components; c++) {
        if (volume[c] < 0) {
            (*points)[(*count)++] = cavity_point(mesh, face[c]);
        }
    }
done:
    if (status != BASE_OK) {
        base_free(*points);
        *points = NULL;
    }
    base_arena_release(&arena);
    return status;
}

/* --- Files ------------------------------------------------------------------------------------ */

vec3 gt_tetgen_turn(vec3 p, int turn)
{
    const vec3 q = turn % 3 == 0   ? p
                   : turn % 3 == 1 ? (vec3){p.y, p.z, p.x}
                                   : (vec3){p.z, p.x, p.y};
    return turn < 3 ? q : (vec3){-q.x, -q.y, q.z};
}

vec3 gt_tetgen_turn_back(vec3 p, int turn)
{
    const vec3 q = turn < 3 ? p : (vec3){-p.x, -p.y, p.z};
    return turn % 3 == 0 ? q : turn % 3 == 1 ? (vec3){q.z, q.x, q.y} : (vec3){q.y, q.z, q.x};
}

static void write_point(FILE *file, size_t i, vec3 p)
{
    fprintf(file, "%zu %.17g %.17g %.17g\n", i, p.x, p.y, p.z);
}

/** Numbers the vertices that faces use; returns how many. */
static uint32_t number_vertices(const geo_mesh *mesh, uint32_t *number)
{
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        number[v] = UINT32_MAX;
    }
    for (size_t f = 0; f < mesh->face_count; f++) {
        for (int k = 0; k < 3; k++) {
            number[mesh->faces[f].v[k]] = 0;
        }
    }
    uint32_t used = 0;
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        number[v] = number[v] == 0 ? used++ : UINT32_MAX;
    }
    return used;
}

base_status gt_tetgen_write(const geo_mesh *mesh, int turn, FILE *file, uint32_t *number,
                            base_error *err)
{
    vec3 *holes = NULL;
    size_t hole_count = 0;
    const base_status status = gt_tetgen_cavities(mesh, &holes, &hole_count, err);
    if (status != BASE_OK) {
        return status;
    }
    fprintf(file, "%u 3 0 0\n", number_vertices(mesh, number));
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        if (number[v] != UINT32_MAX) {
            write_point(file, number[v], gt_tetgen_turn(mesh->vertices[v], turn));
        }
    }
    fprintf(file, "%zu 0\n", mesh->face_count);
    for (size_t f = 0; f < mesh->face_count; f++) {
        const uint32_t *const v = mesh->faces[f].v;
        fprintf(file, "3 %u %u %u\n", number[v[0]], number[v[1]], number[v[2]]);
    }
    fprintf(file, "%zu\n", hole_count);
    for (size_t h = 0; h < hole_count; h++) {
        write_point(file, h, gt_tetgen_turn(holes[h], turn));
    }
    fprintf(file, "0\n");
    base_free(holes);
    return ferror(file) ? base_fail(err, BASE_ERR_SYSTEM, "cannot write the input of tetgen")
                        : BASE_OK;
}

/** The numbers of a file one after the other; lines that start with '#' are skipped. */
typedef struct scanner {
    const char *next;
    bool good;
} scanner;

static double scan(scanner *s)
{
    while (*s->next == ' ' || *s->next == '\t' || *s->next == '\n' || *s->next == '\r' ||
           *s->next == '#') {
        s->next += *s->next == '#' ? strcspn(s->next, "\n") : 1;
    }
    char *end;
    const double value = strtod(s->next, &end);
    s->good = s->good && end != s->next && isfinite(value);
    s->next = end;
    return value;
}

/** An item's number, then a point. */
static vec3 scan_point(scanner *s, int turn, double *number)
{
    vec3 p;
    *number = scan(s);
    p.x = scan(s);
    p.y = scan(s);
    p.z = scan(s);
    return gt_tetgen_turn_back(p, turn);
}

/** An integer in [0, limit). */
static uint32_t scan_index(scanner *s, double limit)
{
    const double value = scan(s);
    s->good = s->good && value >= 0 && value < limit && value == floor(value);
    return s->good ? (uint32_t)value : 0;
}

static const double numbers_max = 2147483648.0;

/* The shortest lines, "0 0 0 0" and "0 0 1 2 3": a file holds no more than so many of them. */
enum { POINT_BYTES = 7, TETRAHEDRON_BYTES = 9 };

/** Vertices of the file must be those of the mesh, in the order of `number`; new ones follow. */
static bool scan_nodes(scanner *s, const geo_mesh *mesh, int turn, const uint32_t *number,
                       gt_tetrahedra *tetrahedra)
{
    double item;
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        tetrahedra->vertices[v] = mesh->vertices[v];
    }
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        if (number[v] != UINT32_MAX) {
            const vec3 p = scan_point(s, turn, &item);
            s->good = s->good && item == number[v] && vec3_equal(p, mesh->vertices[v]);
        }
    }
    for (size_t v = mesh->vertex_count; v < tetrahedra->vertex_count; v++) {
        tetrahedra->vertices[v] = scan_point(s, turn, &item);
    }
    return s->good;
}

static base_status read_nodes(const char *text, size_t size, const geo_mesh *mesh, int turn,
                              const uint32_t *number, gt_tetrahedra *tetrahedra, base_error *err)
{
    size_t used = 0;
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        used += number[v] != UINT32_MAX;
    }
    scanner s = {text, true};
    const uint32_t count = scan_index(&s, numbers_max);
    const bool header = scan(&s) == 3 && scan(&s) == 0 && scan(&s) == 0 && s.good && count >= used;
    if (!header || count > size / POINT_BYTES) {
        return base_fail(err, BASE_ERR_SYSTEM, "tetgen wrote a strange list of %u points", count);
    }
    tetrahedra->vertex_count = mesh->vertex_count + (count - used);
    tetrahedra->vertices = base_alloc(tetrahedra->vertex_count, sizeof *tetrahedra->vertices);
    if (!tetrahedra->vertices) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %u points", count);
    }
    return scan_nodes(&s, mesh, turn, number, tetrahedra)
               ? BASE_OK
               : base_fail(err, BASE_ERR_SYSTEM, "tetgen moved a vertex or wrote half a list");
}

static base_status read_elements(const char *text, size_t size, const geo_mesh *mesh,
                                 const uint32_t *number, gt_tetrahedra *tetrahedra, base_error *err)
{
    scanner s = {text, true};
    tetrahedra->count = scan_index(&s, numbers_max);
    const bool header = scan(&s) == 4 && scan(&s) == 0 && s.good && tetrahedra->count > 0;
    if (!header) {
        return base_fail(err, BASE_ERR_SYSTEM, "tetgen made no tetrahedra");
    }
    if (tetrahedra->count > size / TETRAHEDRON_BYTES) {
        return base_fail(err, BASE_ERR_SYSTEM, "tetgen wrote half a list of %zu tetrahedra",
                         tetrahedra->count);
    }
    tetrahedra->corners = base_alloc(tetrahedra->count, sizeof *tetrahedra->corners);
    uint32_t *const original = base_alloc(tetrahedra->vertex_count, sizeof *original);
    if (!tetrahedra->corners || !original) {
        base_free(original);
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu tetrahedra",
                         tetrahedra->count);
    }
    size_t used = 0;
    for (size_t v = 0; v < tetrahedra->vertex_count; v++) {
        if (v >= mesh->vertex_count || number[v] != UINT32_MAX) {
            original[used++] = (uint32_t)v;
        }
    }
    for (size_t i = 0; i < tetrahedra->count && s.good; i++) {
        scan(&s);
        for (int k = 0; k < 4; k++) {
            tetrahedra->corners[i].v[k] = original[scan_index(&s, (double)used)];
        }
    }
    base_free(original);
    return s.good ? BASE_OK
                  : base_fail(err, BASE_ERR_SYSTEM, "tetgen wrote a broken list of tetrahedra");
}

base_status gt_tetgen_read(const char *node_path, const char *ele_path, const geo_mesh *mesh,
                           int turn, const uint32_t *number, gt_tetrahedra *tetrahedra,
                           base_error *err)
{
    *tetrahedra = (gt_tetrahedra){0};
    char *nodes = NULL, *elements = NULL;
    size_t node_bytes, element_bytes;
    base_status status = base_file_read(node_path, &nodes, &node_bytes, err);
    if (status != BASE_OK) {
        return status;
    }
    status = base_file_read(ele_path, &elements, &element_bytes, err);
    if (status != BASE_OK) {
        goto done;
    }
    status = read_nodes(nodes, node_bytes, mesh, turn, number, tetrahedra, err);
    if (status == BASE_OK) {
        status = read_elements(elements, element_bytes, mesh, number, tetrahedra, err);
    }
done:
    base_free(nodes);
    base_free(elements);
    if (status != BASE_OK) {
        gt_tetrahedra_release(tetrahedra);
    }
    return status;
}
