#include "suite/replay/scene.h"

#include "base/memory.h"
#include "geometry/pose.h"
#include "scenarios/models/models.h"
#include "suite/output.h"

#include <stdlib.h>

/* --- Wavefront OBJ ---------------------------------------------------------------------------- */

/**
 * State of the output. Every element follows its own vertices, and indices count from 1 over the
 * whole file.
 */
typedef struct obj_file {
    FILE *file;
    size_t vertex_count; /* vertices written so far */
} obj_file;

static void put_vertex(obj_file *obj, vec3 p)
{
    fprintf(obj->file, "v %.17g %.17g %.17g\n", p.x, p.y, p.z);
    obj->vertex_count++;
}

static void put_group(obj_file *obj, const char *name)
{
    /* Some programs split a file by groups, others by objects. In this order, none does both. */
    fprintf(obj->file, "g %s\no %s\n", name, name);
}

/** Puts a mesh. pose: NULL for the identity. */
static void put_mesh(obj_file *obj, const geo_mesh *mesh, const geo_pose *pose)
{
    const size_t first = obj->vertex_count + 1;
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        put_vertex(obj, pose ? geo_pose_apply(pose, mesh->vertices[i]) : mesh->vertices[i]);
    }
    for (size_t f = 0; f < mesh->face_count; f++) {
        const uint32_t *const v = mesh->faces[f].v;
        fprintf(obj->file, "f %zu %zu %zu\n", first + v[0], first + v[1], first + v[2]);
    }
}

static void put_line(obj_file *obj, vec3 from, vec3 to)
{
    put_vertex(obj, from);
    put_vertex(obj, to);
    fprintf(obj->file, "l %zu %zu\n", obj->vertex_count - 1, obj->vertex_count);
}

/** Puts an icosahedron with its vertices on the ball. */
static void put_ball(obj_file *obj, const geo_ball *ball)
{
    /* Vertices of golden rectangles, normalised: 1 and the golden ratio over the hypotenuse. */
    static const double s = 0.52573111211913361, l = 0.85065080835203993;
    const vec3 corners[12] = {
        {-s, l, 0},  {s, l, 0},  {-s, -l, 0}, {s, -l, 0}, {0, -s, l},  {0, s, l},
        {0, -s, -l}, {0, s, -l}, {l, 0, -s},  {l, 0, s},  {-l, 0, -s}, {-l, 0, s},
    };
    static const unsigned char faces[20][3] = {
        {0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
        {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
        {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1},
    };
    const size_t first = obj->vertex_count + 1;
    for (size_t i = 0; i < 12; i++) {
        put_vertex(obj, vec3_add(ball->centre, vec3_scale(ball->radius, corners[i])));
    }
    for (size_t f = 0; f < 20; f++) {
        fprintf(obj->file, "f %zu %zu %zu\n", first + faces[f][0], first + faces[f][1],
                first + faces[f][2]);
    }
}

/* --- Spheres ---------------------------------------------------------------------------------- */

/** The spheres of a body: items[0 .. count). */
typedef struct balls {
    geo_ball *items;
    size_t count, capacity;
    base_status status;
    base_error *err;
} balls;

static void collect_ball(void *context, const geo_ball *ball)
{
    balls *const b = context;
    if (b->status == BASE_OK) {
        b->status = base_reserve(b->items, b->capacity, b->count + 1, b->err);
    }
    if (b->status == BASE_OK) {
        b->items[b->count++] = *ball;
    }
}

static int compare(double a, double b)
{
    return (a > b) - (a < b);
}

/**
 * Compares spheres: larger ones first, equal ones by position, so that the file is always the same.
 */
static int by_size(const void *a, const void *b)
{
    const geo_ball *const p = a, *const q = b;
    const int orders[] = {compare(q->radius, p->radius), compare(p->centre.x, q->centre.x),
                          compare(p->centre.y, q->centre.y), compare(p->centre.z, q->centre.z)};
    int order = 0;
    for (size_t i = 0; order == 0 && i < sizeof orders / sizeof *orders; i++) {
        order = orders[i];
    }
    return order;
}

/** Draws the largest spheres of a body. pose: from the body's own frame to that of the picture. */
static base_status draw_spheres(obj_file *obj, const bench_scene *scene, int role,
                                const geo_pose *pose, bench_scene_counts *counts, base_error *err)
{
    const alg_algorithm *const algorithm = scene->solo->variant->algorithm;
    if (!algorithm->draw) {
        return BASE_OK;
    }
    balls b = {.err = err};
    const alg_sink sink = {.size = sizeof sink, .context = &b, .sphere = collect_ball};
    algorithm->draw(scene->solo->prepared[role], &sink);
    if (b.status == BASE_OK && b.count > 0) {
        qsort(b.items, b.count, sizeof *b.items, by_size);
        put_group(obj, role == 0 ? "spheres_a" : "spheres_b");
        counts->spheres[role] = b.count;
        counts->drawn[role] = b.count < scene->spheres_most ? b.count : scene->spheres_most;
    }
    for (size_t i = 0; b.status == BASE_OK && i < counts->drawn[role]; i++) {
        const geo_ball ball = b.items[i];
        put_ball(obj, &(geo_ball){geo_pose_apply(pose, ball.centre), ball.radius});
    }
    base_free(b.items);
    return b.status;
}

/* --- Points ----------------------------------------------------------------------------------- */

static void draw_witness(obj_file *obj, const char *name, vec3 a, vec3 b, vec3 centre_a)
{
    put_group(obj, name);
    put_line(obj, vec3_add(a, centre_a), vec3_add(b, centre_a));
}

/** Draws the nearest points of the surfaces, by exact distance. */
static void draw_truth(obj_file *obj, const bench_scene *scene)
{
    const bench_pair *const pair = scene->pair;
    const geo_pose pose = bench_pair_pose(pair, scene->frame->position, scene->frame->orientation);
    gt_distance d;
    gt_distance_query(pair->a.truth, pair->b.truth, &pose, &d);
    draw_witness(obj, "truth_witness", d.witness_a, d.witness_b, pair->centre_a);
}

/** Length of a contact's normal, as a fraction of the diagonal of A's box. */
static const double normal_length = 0.02;

static void draw_contacts(obj_file *obj, const bench_scene *scene)
{
    if (scene->contact_count == 0) {
        return;
    }
    put_group(obj, "contacts");
    for (size_t i = 0; i < scene->contact_count; i++) {
        const alg_contact *const c = &scene->contacts[i];
        const vec3 from = vec3_add(c->point, scene->pair->centre_a);
        const double length = normal_length * scene->pair->diagonal_a;
        put_line(obj, from, vec3_add(from, vec3_scale(length, c->normal)));
    }
}

/* --- The file --------------------------------------------------------------------------------- */

static base_status draw(obj_file *obj, const bench_scene *scene, bench_scene_counts *counts,
                        base_error *err)
{
    const bench_pair *const pair = scene->pair;
    const geo_pose place_a = {geo_pose_identity().rotation, pair->centre_a};
    const geo_pose place_b = geo_pose_make(scene->frame->orientation, scene->frame->position);
    geo_mesh a; /* read again from its file, because the pair has moved its own copy */
    base_status status = scn_mesh_open(pair->a.reference, &a, err);
    if (status != BASE_OK) {
        return status;
    }
    put_group(obj, "A");
    put_mesh(obj, &a, NULL);
    geo_mesh_release(&a);
    put_group(obj, "B");
    put_mesh(obj, &pair->b.mesh, &place_b);
    if (scene->answer->answered & ALG_HAS_WITNESS) {
        draw_witness(obj, "witness", scene->answer->witness_a, scene->answer->witness_b,
                     pair->centre_a);
    }
    draw_truth(obj, scene);
    draw_contacts(obj, scene);
    status = draw_spheres(obj, scene, ALG_FIXED, &place_a, counts, err);
    return status == BASE_OK ? draw_spheres(obj, scene, ALG_MOVING, &place_b, counts, err) : status;
}

base_status bench_scene_write(const bench_scene *scene, const char *path,
                              bench_scene_counts *counts, base_error *err)
{
    *counts = (bench_scene_counts){0};
    bench_output output;
    base_status status = bench_output_open(path, &output, err);
    if (status != BASE_OK) {
        return status;
    }
    obj_file obj = {.file = output.file};
    status = draw(&obj, scene, counts, err);
    return bench_output_close(&output, status, err);
}
