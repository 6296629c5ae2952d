#include "suite/report/space.h"

#include "base/memory.h"
#include "geometry/pose.h"
#include "suite/inputs/plugin.h"
#include "suite/replay/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static base_status no_memory(base_error *err)
{
    return base_fail(err, BASE_ERR_MEMORY, "out of memory");
}

/* --- Positions of 16 bits --------------------------------------------------------------------- */

/** Coordinates are corner + step * integer. */
typedef struct steps {
    vec3 corner;
    double step;
} steps;

static steps steps_of(geo_box box)
{
    const vec3 size = vec3_sub(box.hi, box.lo);
    const double side = base_larger(size.x, base_larger(size.y, size.z));
    return (steps){box.lo, side > 0 ? side / UINT16_MAX : 1};
}

static uint16_t quantised(double length, double step)
{
    const double number = floor(length / step + 0.5);
    return (uint16_t)(number < 0 ? 0 : number > UINT16_MAX ? UINT16_MAX : number);
}

static void quantise(const steps *s, vec3 point, uint16_t out[3])
{
    const vec3 offset = vec3_sub(point, s->corner);
    out[0] = quantised(offset.x, s->step);
    out[1] = quantised(offset.y, s->step);
    out[2] = quantised(offset.z, s->step);
}

static void put_steps(const steps *s, bench_json *json)
{
    bench_json_number(json, "step", s->step);
    bench_json_open(json, "corner", '[');
    bench_json_number(json, NULL, s->corner.x);
    bench_json_number(json, NULL, s->corner.y);
    bench_json_number(json, NULL, s->corner.z);
    bench_json_close(json, ']');
}

static void put_index(bench_json *json, const char *key, size_t index)
{
    bench_json_number(json, key, (double)index);
}

/* --- Bodies ----------------------------------------------------------------------------------- */

/** A vertex and its cell of a grid. */
typedef struct placed {
    uint64_t cell;
    uint32_t vertex;
} placed;

static int by_cell(const void *a, const void *b)
{
    const placed *const p = a, *const q = b;
    const int order = (p->cell > q->cell) - (p->cell < q->cell);
    return order ? order : (p->vertex > q->vertex) - (p->vertex < q->vertex);
}

/** Sets merged[v] to the first vertex in the cell of v. cells: along the box's longest side. */
static void merge(const geo_mesh *mesh, uint64_t cells, placed *sorted, uint32_t *merged)
{
    const geo_box box = geo_mesh_box(mesh);
    const vec3 size = vec3_sub(box.hi, box.lo);
    const double side = base_larger(size.x, base_larger(size.y, size.z));
    const double scale = side > 0 ? (double)cells / side : 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const vec3 at = vec3_scale(scale, vec3_sub(mesh->vertices[v], box.lo));
        const uint64_t x = (uint64_t)base_larger(0, at.x), y = (uint64_t)base_larger(0, at.y),
                       z = (uint64_t)base_larger(0, at.z);
        sorted[v] = (placed){(z * (cells + 1) + y) * (cells + 1) + x, v};
    }
    qsort(sorted, mesh->vertex_count, sizeof *sorted, by_cell);
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        const bool first = i == 0 || sorted[i].cell != sorted[i - 1].cell;
        merged[sorted[i].vertex] = first ? sorted[i].vertex : merged[sorted[i - 1].vertex];
    }
}

static bool is_left(const geo_face *face, const uint32_t *merged)
{
    const uint32_t a = merged[face->v[0]], b = merged[face->v[1]], c = merged[face->v[2]];
    return a != b && b != c && c != a;
}

/** Builds the mesh of the triangles that are left, with the vertices that they use. */
static base_status build(const geo_mesh *mesh, const uint32_t *merged, size_t left,
                         geo_mesh *reduced, base_error *err)
{
    uint32_t *const numbers = base_alloc(mesh->vertex_count + 1, sizeof *numbers); /* from 1 */
    vec3 *const vertices = base_alloc(mesh->vertex_count + 1, sizeof *vertices);
    geo_face *const faces = base_alloc(left + 1, sizeof *faces);
    *reduced = (geo_mesh){vertices, 0, faces, 0};
    if (!numbers || !vertices || !faces) {
        base_free(numbers);
        geo_mesh_release(reduced);
        return no_memory(err);
    }
    for (size_t f = 0; f < mesh->face_count; f++) {
        for (int k = 0; k < 3 && is_left(&mesh->faces[f], merged); k++) {
            const uint32_t v = merged[mesh->faces[f].v[k]];
            if (numbers[v] == 0) {
                vertices[reduced->vertex_count++] = mesh->vertices[v];
                numbers[v] = (uint32_t)reduced->vertex_count;
            }
            faces[reduced->face_count].v[k] = numbers[v] - 1;
            reduced->face_count += k == 2;
        }
    }
    base_free(numbers);
    return BASE_OK;
}

base_status bench_mesh_reduce(const geo_mesh *mesh, size_t triangles_most, geo_mesh *reduced,
                              base_error *err)
{
    enum { FINEST = 4096 };
    placed *const sorted = base_alloc(mesh->vertex_count + 1, sizeof *sorted);
    uint32_t *const merged = base_alloc(mesh->vertex_count + 1, sizeof *merged);
    base_status status = sorted && merged ? BASE_OK : no_memory(err);
    *reduced = (geo_mesh){0};
    size_t left = mesh->face_count;
    for (uint32_t v = 0; v < mesh->vertex_count && status == BASE_OK; v++) {
        merged[v] = v;
    }
    for (uint64_t cells = FINEST; left > triangles_most && cells > 1 && status == BASE_OK;
         cells = cells * 3 / 4) {
        merge(mesh, cells, sorted, merged);
        left = 0;
        for (size_t f = 0; f < mesh->face_count; f++) {
            left += is_left(&mesh->faces[f], merged);
        }
    }
    if (status == BASE_OK) {
        status = build(mesh, merged, left, reduced, err);
    }
    base_free(sorted);
    base_free(merged);
    return status;
}

base_status bench_space_put_body(const char *key, const char *reference, const geo_mesh *mesh,
                                 bench_arrays *arrays, bench_json *json, base_error *err)
{
    geo_mesh shown;
    base_status status = bench_mesh_reduce(mesh, BENCH_SPACE_TRIANGLES, &shown, err);
    if (status != BASE_OK) {
        return status;
    }
    const steps s = steps_of(geo_mesh_box(&shown));
    const size_t corners = 3 * shown.face_count;
    uint16_t *const positions = base_alloc(3 * shown.vertex_count + 1, sizeof *positions);
    uint32_t *const faces = base_alloc(corners + 1, sizeof *faces);
    uint16_t *const short_faces = base_alloc(corners + 1, sizeof *short_faces);
    if (positions && faces && short_faces) {
        for (size_t v = 0; v < shown.vertex_count; v++) {
            quantise(&s, shown.vertices[v], &positions[3 * v]);
        }
        for (size_t i = 0; i < corners; i++) {
            faces[i] = shown.faces[i / 3].v[i % 3];
            short_faces[i] = (uint16_t)faces[i];
        }
        bench_json_open(json, key, '{');
        bench_json_text(json, "reference", reference);
        put_steps(&s, json);
        bench_json_number(json, "triangles", (double)mesh->face_count);
        bench_json_number(json, "shown", (double)shown.face_count);
        put_index(json, "positions",
                  bench_arrays_add(arrays, BENCH_ARRAY_U16, positions, 3 * shown.vertex_count));
        const bool few = shown.vertex_count <= UINT16_MAX + 1u;
        put_index(json, "faces",
                  few ? bench_arrays_add(arrays, BENCH_ARRAY_U16, short_faces, corners)
                      : bench_arrays_add(arrays, BENCH_ARRAY_U32, faces, corners));
        bench_json_close(json, '}');
    } else {
        status = no_memory(err);
    }
    base_free(positions);
    base_free(faces);
    base_free(short_faces);
    geo_mesh_release(&shown);
    return status;
}

/* --- A scenario ------------------------------------------------------------------------------- */

static void close_scenario(bench_space *space)
{
    base_free(space->poses);
    space->poses = NULL;
    bench_past_close(&space->past);
}

void bench_space_close(bench_space *space)
{
    close_scenario(space);
    if (space->has_pair) {
        bench_pair_close(&space->pair);
    }
    *space = (bench_space){0};
}

static base_status open_pair(bench_space *space, base_error *err)
{
    if (space->has_pair && strcmp(space->a, space->past.a) == 0 &&
        strcmp(space->b, space->past.b) == 0) {
        return BASE_OK;
    }
    if (space->has_pair) {
        bench_pair_close(&space->pair);
        space->has_pair = false;
    }
    const base_status status = bench_pair_open(space->past.a, space->past.b, &space->pair, err);
    if (status == BASE_OK) {
        space->has_pair = true;
        snprintf(space->a, sizeof space->a, "%s", space->past.a);
        snprintf(space->b, sizeof space->b, "%s", space->past.b);
    }
    return status;
}

base_status bench_space_open(bench_space *space, const bench_record *record,
                             const bench_cell_row *first, base_error *err)
{
    close_scenario(space);
    base_status status =
        bench_past_open(record->folder, first->scenario, first->variant, &space->past, err);
    if (status == BASE_OK) {
        status = open_pair(space, err);
    }
    if (status == BASE_OK) {
        status = bench_pair_poses(&space->pair, &space->past.trajectory, &space->poses, err);
    }
    return status == BASE_OK ? bench_past_check(&space->past, &space->pair, space->poses, err)
                             : status;
}

static void take_point(float **at, vec3 p)
{
    *(*at)++ = (float)p.x;
    *(*at)++ = (float)p.y;
    *(*at)++ = (float)p.z;
}

base_status bench_space_put(bench_space *space, bool distance, bench_arrays *arrays,
                            bench_json *json, base_error *err)
{
    enum { POSE = 12, WITNESS = 6 };
    const bench_pair *const pair = &space->pair;
    const size_t count = space->past.trajectory.frame_count;
    float *const poses = base_alloc(count * POSE + 1, sizeof *poses), *at = poses;
    float *const witness = base_alloc(count * WITNESS + 1, sizeof *witness), *end = witness;
    base_status status = poses && witness ? BASE_OK : no_memory(err);
    for (size_t f = 0; f < count && status == BASE_OK; f++) {
        const geo_pose *const pose = &space->poses[f];
        take_point(&at, pose->rotation.row[0]);
        take_point(&at, pose->rotation.row[1]);
        take_point(&at, pose->rotation.row[2]);
        take_point(&at, pose->translation);
        if (distance) {
            gt_distance exact;
            gt_distance_query(pair->a.truth, pair->b.truth, pose, &exact);
            take_point(&end, exact.witness_a);
            take_point(&end, exact.witness_b);
        }
    }
    if (status == BASE_OK) {
        bench_json_number(json, "size", pair->diagonal_a);
        bench_json_open(json, "centre", '[');
        bench_json_number(json, NULL, pair->centre_a.x);
        bench_json_number(json, NULL, pair->centre_a.y);
        bench_json_number(json, NULL, pair->centre_a.z);
        bench_json_close(json, ']');
        put_index(json, "poses", bench_arrays_add(arrays, BENCH_ARRAY_F32, poses, count * POSE));
        if (distance) {
            put_index(json, "witness",
                      bench_arrays_add(arrays, BENCH_ARRAY_F32, witness, count * WITNESS));
        }
        status = bench_space_put_body("a", pair->a.reference, &pair->a.mesh, arrays, json, err);
    }
    if (status == BASE_OK) {
        status = bench_space_put_body("b", pair->b.reference, &pair->b.mesh, arrays, json, err);
    }
    base_free(poses);
    base_free(witness);
    return status;
}

/* --- Parts that a variant has built ----------------------------------------------------------- */

enum { SPHERES_MAX = 8000, POINTS_MAX = 12000 };

/** Lists points[count] and, for spheres, a radius of each. */
static base_status put_points(const char *kind, const vec3 *points, const double *radii,
                              size_t count, size_t total, double size, bench_arrays *arrays,
                              bench_json *json, base_error *err)
{
    const size_t numbers = radii ? 4 : 3;
    uint16_t *const items = base_alloc(numbers * count + 1, sizeof *items);
    geo_box box = {points[0], points[0]};
    if (!items) {
        return no_memory(err);
    }
    for (size_t i = 0; i < count; i++) {
        const double r = radii ? radii[i] : 0;
        box.lo = vec3_min(box.lo, vec3_sub(points[i], (vec3){r, r, r}));
        box.hi = vec3_max(box.hi, vec3_add(points[i], (vec3){r, r, r}));
    }
    const steps s = steps_of(box);
    for (size_t i = 0; i < count; i++) {
        quantise(&s, points[i], &items[numbers * i]);
        if (radii) {
            items[numbers * i + 3] = quantised(radii[i], s.step);
        }
    }
    bench_json_open(json, NULL, '{');
    bench_json_text(json, "kind", kind);
    bench_json_number(json, "total", (double)total);
    bench_json_number(json, "shown", (double)count);
    bench_json_number(json, "size", size);
    put_steps(&s, json);
    put_index(json, "items", bench_arrays_add(arrays, BENCH_ARRAY_U16, items, numbers * count));
    bench_json_close(json, '}');
    base_free(items);
    return BASE_OK;
}

/** Puts spheres of all sizes: all of them, or SPHERES_MAX evenly from their order by size. */
static base_status put_spheres(const bench_parts *parts, bench_arrays *arrays, bench_json *json,
                               base_error *err)
{
    const size_t count = parts->sphere_count < SPHERES_MAX ? parts->sphere_count : SPHERES_MAX;
    vec3 *const points = base_alloc(count + 1, sizeof *points);
    double *const radii = base_alloc(count + 1, sizeof *radii);
    base_status status = points && radii ? BASE_OK : no_memory(err);
    for (size_t i = 0; i < count && status == BASE_OK; i++) {
        const geo_ball *const ball = &parts->spheres[i * parts->sphere_count / count].ball;
        points[i] = ball->centre;
        radii[i] = ball->radius;
    }
    if (status == BASE_OK) {
        status =
            put_points("spheres", points, radii, count, parts->sphere_count, 0, arrays, json, err);
    }
    base_free(points);
    base_free(radii);
    return status;
}

/** Puts points of a shell: all of them, or each n-th one. */
static base_status put_shell(const bench_parts *parts, bench_arrays *arrays, bench_json *json,
                             base_error *err)
{
    const size_t stride = (parts->point_count + POINTS_MAX - 1) / POINTS_MAX;
    vec3 *const points = base_alloc(parts->point_count / stride + 1, sizeof *points);
    size_t count = 0;
    if (!points) {
        return no_memory(err);
    }
    for (size_t i = 0; i < parts->point_count; i += stride) {
        points[count++] = parts->points[i].point;
    }
    const base_status status =
        put_points("points", points, NULL, count, parts->point_count, 0, arrays, json, err);
    base_free(points);
    return status;
}

/** Puts the centres of surface voxels: all of them, or each n-th one. */
static base_status put_voxels(const bench_parts *parts, bench_arrays *arrays, bench_json *json,
                              base_error *err)
{
    size_t total = 0, count = 0, next = 0;
    for (size_t r = 0; r < parts->run_words; r += 4) {
        total += parts->runs[r + 1] - parts->runs[r];
    }
    const size_t stride = (total + POINTS_MAX - 1) / POINTS_MAX;
    vec3 *const points = base_alloc(total / (stride > 0 ? stride : 1) + 1, sizeof *points);
    if (!points || stride == 0) {
        base_free(points);
        return points ? BASE_OK : no_memory(err);
    }
    for (size_t r = 0; r < parts->run_words; r += 4) {
        const uint32_t *const run = &parts->runs[r];
        for (uint32_t x = run[0]; x < run[1]; x++) {
            if (next++ % stride == 0) {
                points[count++] = bench_parts_corner(parts, x + 0.5, run[2] + 0.5, run[3] + 0.5);
            }
        }
    }
    const base_status status =
        put_points("voxels", points, NULL, count, total, parts->edge, arrays, json, err);
    base_free(points);
    return status;
}

/** Puts a list of what the variant shows of one body. */
static base_status put_parts(const bench_solo *solo, int role, bench_arrays *arrays,
                             bench_json *json, base_error *err)
{
    bench_parts parts;
    base_status status =
        bench_parts_collect(solo->variant->algorithm, solo->prepared[role], 0, &parts, err);
    bench_json_open(json, NULL, '[');
    if (status == BASE_OK && parts.sphere_count > 0) {
        status = put_spheres(&parts, arrays, json, err);
    }
    if (status == BASE_OK && parts.point_count > 0) {
        status = put_shell(&parts, arrays, json, err);
    }
    if (status == BASE_OK && parts.run_words > 0) {
        status = put_voxels(&parts, arrays, json, err);
    }
    bench_json_close(json, ']');
    bench_parts_release(&parts);
    return status;
}

/* --- Contacts --------------------------------------------------------------------------------- */

enum { CONTACT = 7, CONTACTS_OF_FRAME = 64, CONTACTS_MAX = 40000 };

/** Answers all frames again and puts their contacts: point, normal and depth of each. */
static base_status put_contacts(const bench_space *space, const bench_solo *solo,
                                bench_arrays *arrays, bench_json *json, base_error *err)
{
    const size_t frames = space->past.trajectory.frame_count;
    uint32_t *const starts = base_alloc(frames + 1, sizeof *starts);
    float *items = NULL;
    size_t capacity = 0, count = 0;
    base_status status = starts ? BASE_OK : no_memory(err);
    for (size_t f = 0; f < frames && status == BASE_OK; f++) {
        char fault[BENCH_FAULT_BYTES];
        alg_answer answer;
        const bool good = bench_solo_ask_details(solo, &space->poses[f], &answer, fault);
        const size_t found =
            good ? bench_buffer_count(&solo->buffers, BENCH_LIST_CONTACTS, &answer) : 0;
        status = base_reserve(items, capacity, (count + found) * CONTACT + 1, err);
        for (size_t i = 0; i < found && count < CONTACTS_MAX && status == BASE_OK; i++) {
            const alg_contact *const c = &bench_buffer_contacts(&solo->buffers)[i];
            float *at = &items[CONTACT * count++];
            take_point(&at, c->point);
            take_point(&at, c->normal);
            *at = (float)c->depth_m;
        }
        if (status == BASE_OK) {
            starts[f + 1] = (uint32_t)count;
        }
    }
    if (status == BASE_OK && count > 0) {
        bench_json_open(json, "contacts", '{');
        put_index(json, "starts", bench_arrays_add(arrays, BENCH_ARRAY_U32, starts, frames + 1));
        put_index(json, "items", bench_arrays_add(arrays, BENCH_ARRAY_F32, items, CONTACT * count));
        bench_json_close(json, '}');
    }
    base_free(starts);
    base_free(items);
    return status;
}

/* --- A variant -------------------------------------------------------------------------------- */

/** True if the variant can be asked here, soon enough and without a risk. */
static bool may_ask(const bench_space *space, const bench_cell_row *cell, alg_variant *variant)
{
    static const double longest_ns = 20e9;
    alg_message message;
    return bench_cell_row_is_ok(cell) && !strchr(cell->variant, '@') &&
           alg_variant_parse(cell->variant, space->past.seed, variant, &message) == ALG_OK &&
           !bench_plugin_of(variant->algorithm) && !(variant->algorithm->flags & ALG_KNOWN_BAD) &&
           (cell->build_ns == UINT64_MAX || (double)cell->build_ns <= longest_ns) &&
           (double)cell->frames * cell->time_mean_ns <= longest_ns;
}

base_status bench_space_put_variant(bench_space *space, const bench_cell_row *cell,
                                    bool has_contacts, const char *cache, bench_arrays *arrays,
                                    bench_json *json, base_error *err)
{
    alg_variant variant;
    bench_solo solo;
    base_error refused = {0};
    unsigned wanted = 0;
    if (!may_ask(space, cell, &variant) || (!variant.algorithm->draw && !has_contacts) ||
        bench_quantities_parse(cell->quantity, &wanted, NULL) != BASE_OK) {
        return BASE_OK;
    }
    const alg_request request = {.size = sizeof request,
                                 .wanted = wanted,
                                 .contacts_max = has_contacts ? CONTACTS_OF_FRAME : 0};
    base_status status = bench_solo_open(&variant, &space->pair, &request, cache, &solo, &refused);
    if (status != BASE_OK) {
        return status == BASE_ERR_MEMORY ? base_fail(err, status, "%s", refused.text) : BASE_OK;
    }
    if (variant.algorithm->draw) {
        bench_json_open(json, "parts", '[');
        for (int role = 0; role < 2 && status == BASE_OK; role++) {
            status = put_parts(&solo, role, arrays, json, err);
        }
        bench_json_close(json, ']');
    }
    if (status == BASE_OK && has_contacts) {
        status = put_contacts(space, &solo, arrays, json, err);
    }
    bench_solo_close(&solo);
    return status;
}
