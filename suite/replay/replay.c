#include "suite/replay/replay.h"

#include "base/memory.h"
#include "base/text.h"
#include "geometry/pose.h"
#include "scenarios/models/models.h"
#include "suite/inputs/plugin.h"
#include "suite/message.h"
#include "suite/output.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- The cell --------------------------------------------------------------------------------- */

static base_status need_fact(const bench_past *past, const char *section, const char *key,
                             const char **value, base_error *err)
{
    *value = bench_record_fact(&past->record, section, key);
    return *value ? BASE_OK
                  : base_fail(err, BASE_ERR_INPUT, "'%s' has no fact '%s' in section '%s'",
                              past->record.fact_table.path, key, section);
}

/**
 * Returns `wanted` from `count` names (1 or more, and a NULL), or the only name if `wanted` is
 * NULL. Returns NULL on error, with *err filled: BASE_ERR_ARGUMENT.
 */
static const char *choose(const char *kind, const char *place, const char *wanted,
                          const char *const *names, size_t count, base_error *err)
{
    char near[512];
    if (!wanted && count == 1) {
        return names[0];
    }
    if (!wanted) {
        (void)base_fail(err, BASE_ERR_ARGUMENT, "'%s' has several: --%s is needed", place, kind);
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        if (strcmp(names[i], wanted) == 0) {
            return names[i];
        }
    }
    base_text_near(wanted, names, near, sizeof near);
    (void)base_fail(err, BASE_ERR_ARGUMENT, "'%s' has no %s '%s'%s", place, kind, wanted, near);
    return NULL;
}

/** Finds the cell. names: room for the names of all cells and a NULL. */
static base_status find_cell(bench_past *past, const char *scenario, const char *variant,
                             const char **names, base_error *err)
{
    const bench_record *const r = &past->record;
    size_t count = 0;
    for (size_t first = 0; first < r->cell_count; first = bench_record_scenario_end(r, first)) {
        names[count++] = r->cells[first].scenario;
    }
    names[count] = NULL;
    if (count == 0) {
        return base_fail(err, BASE_ERR_INPUT, "'%s' has no rows", r->cell_table.path);
    }
    scenario = choose("scenario", r->cell_table.path, scenario, names, count, err);
    if (!scenario) {
        return BASE_ERR_ARGUMENT;
    }
    count = 0;
    for (size_t i = 0; i < r->cell_count; i++) {
        if (strcmp(r->cells[i].scenario, scenario) == 0) {
            names[count++] = r->cells[i].variant;
        }
    }
    names[count] = NULL;
    variant = choose("variant", scenario, variant, names, count, err);
    if (!variant) {
        return BASE_ERR_ARGUMENT;
    }
    past->cell = bench_record_find(r, scenario, variant);
    return bench_quantities_parse(past->cell->quantity, &past->quantities, err);
}

/** Reads bodies, seed, trajectory and frames of the cell that was found. */
static base_status read_cell(bench_past *past, base_error *err)
{
    const char *seed;
    const char *const scenario = past->cell->scenario;
    base_status status = need_fact(past, scenario, "a", &past->a, err);
    if (status == BASE_OK) {
        status = need_fact(past, scenario, "b", &past->b, err);
    }
    if (status == BASE_OK) {
        status = need_fact(past, "run", "seed", &seed, err);
    }
    if (status == BASE_OK && sscanf(seed, "%" SCNu64, &past->seed) != 1) {
        status = base_fail(err, BASE_ERR_INPUT, "'%s': the seed is '%s'",
                           past->record.fact_table.path, seed);
    }
    if (status == BASE_OK) {
        status = bench_record_trajectory(&past->record, scenario, &past->trajectory, err);
    }
    if (status == BASE_OK) {
        status = bench_record_frames(&past->record, past->cell, &past->frames, err);
    }
    if (status == BASE_OK && past->frames.columns > 0 &&
        past->frames.rows != past->trajectory.frame_count) {
        status = base_fail(err, BASE_ERR_INPUT, "'%s' has %zu frames, and its trajectory %zu",
                           past->frames.path, past->frames.rows, past->trajectory.frame_count);
    }
    return status;
}

base_status bench_past_open(const char *run, const char *scenario, const char *variant,
                            bench_past *past, base_error *err)
{
    char folder[BENCH_RUN_FOLDER_BYTES];
    *past = (bench_past){0};
    base_status status = bench_run_find(run, folder, err);
    if (status == BASE_OK) {
        status =
            bench_record_open(folder, BENCH_RECORD_FACTS | BENCH_RECORD_CELLS, &past->record, err);
    }
    if (status == BASE_OK) {
        const char **const names = base_alloc(past->record.cell_count + 1, sizeof *names);
        status = names ? find_cell(past, scenario, variant, names, err)
                       : base_fail(err, BASE_ERR_MEMORY, "out of memory");
        base_free((void *)names);
    }
    if (status == BASE_OK) {
        status = read_cell(past, err);
    }
    if (status != BASE_OK) {
        bench_past_close(past);
    }
    return status;
}

void bench_past_close(bench_past *past)
{
    scn_trajectory_release(&past->trajectory);
    bench_record_release(&past->record);
    base_csv_release(&past->frames);
    *past = (bench_past){0};
}

/* --- The frames of the cell ------------------------------------------------------------------- */

const char *bench_past_text(const bench_past *past, size_t frame, const char *column)
{
    const int index = past->frames.columns > 0 ? base_csv_find(&past->frames, column) : -1;
    const char *const text = index >= 0 ? base_csv_text(&past->frames, frame, index) : NULL;
    return index >= 0 && !text ? "" : text;
}

/** Returns the absolute value of a recorded number, or NaN if there is no number. */
static double magnitude(const bench_past *past, size_t frame, const char *column)
{
    double value;
    const char *const text = bench_past_text(past, frame, column);
    return text && base_text_number(text, &value) ? fabs(value) : (double)NAN;
}

/**
 * Returns the error of a frame, or NaN if it is not judged. Without a numeric error, a wrong
 * verdict counts as 1 and a right one as 0.
 */
static double error_of(const bench_past *past, size_t frame)
{
    const double distance = magnitude(past, frame, "distance_error_size");
    const double error = fmax(distance, magnitude(past, frame, "volume_error_rel"));
    const char *const verdict = bench_past_text(past, frame, "verdict");
    if (!isnan(error) || !verdict || !*verdict) {
        return error;
    }
    return strcmp(verdict, "fp") == 0 || strcmp(verdict, "fn") == 0;
}

static double time_of(const bench_past *past, size_t frame)
{
    return magnitude(past, frame, "time_min_ns");
}

/** Returns the recorded volume of a frame, or its depth if there is no volume; else NaN. */
static double penetration_of(const bench_past *past, size_t frame)
{
    const double volume = magnitude(past, frame, "volume_m3");
    return isnan(volume) ? magnitude(past, frame, "depth_m") : volume;
}

/** Finds the frame with the largest value. text: the option's value, for the message. */
static base_status find_largest(const bench_past *past, const char *text,
                                double (*value_of)(const bench_past *past, size_t frame),
                                size_t *frame, base_error *err)
{
    double worst = -1;
    for (size_t f = 0; f < past->frames.rows; f++) {
        const double value = value_of(past, f);
        if (value > worst) { /* false for NaN */
            worst = value;
            *frame = f;
        }
    }
    return worst >= 0 ? BASE_OK
                      : base_fail(err, BASE_ERR_ARGUMENT,
                                  "--frame %s: no frame of '%s' on '%s' has a recorded value", text,
                                  past->cell->variant, past->cell->scenario);
}

base_status bench_past_frame(const bench_past *past, const char *text, size_t *frame,
                             base_error *err)
{
    static const char *const words[] = {"worst-time", "worst-error", "deepest", NULL};
    static double (*const values[])(const bench_past *past, size_t frame) = {time_of, error_of,
                                                                             penetration_of};
    const size_t count = past->trajectory.frame_count;
    double number;
    *frame = 0;
    for (size_t i = 0; words[i]; i++) {
        if (strcmp(text, words[i]) == 0) {
            return find_largest(past, text, values[i], frame, err);
        }
    }
    if (!base_text_number(text, &number)) {
        char near[256];
        base_text_near(text, words, near, sizeof near);
        return base_fail(
            err, BASE_ERR_ARGUMENT,
            "--frame '%s' is neither a number nor worst-time, worst-error or deepest%s", text,
            near);
    }
    if (!(number >= 0 && number < (double)count && number == floor(number))) {
        return base_fail(err, BASE_ERR_ARGUMENT, "--frame %s: '%s' has the frames 0 to %zu", text,
                         past->cell->scenario, count - 1);
    }
    *frame = (size_t)number;
    return BASE_OK;
}

/* --- Check of the inputs ---------------------------------------------------------------------- */

static base_status check_hash(const bench_past *past, const char *key, base_hash hash,
                              const char *what, base_error *err)
{
    const char *recorded;
    const base_status status = need_fact(past, past->cell->scenario, key, &recorded, err);
    if (status != BASE_OK || strcmp(recorded, base_hash_format(hash).hex) == 0) {
        return status;
    }
    return base_fail(err, BASE_ERR_INPUT, "%s not what the run had: hash %s, recorded %s", what,
                     base_hash_format(hash).hex, recorded);
}

base_status bench_past_check(const bench_past *past, const bench_pair *pair, const geo_pose *poses,
                             base_error *err)
{
    char what[1024];
    snprintf(what, sizeof what, "body A, '%s', is", past->a);
    base_status status = check_hash(past, "a_hash", pair->a.hash, what, err);
    if (status != BASE_OK) {
        return status;
    }
    snprintf(what, sizeof what, "body B, '%s', is", past->b);
    status = check_hash(past, "b_hash", pair->b.hash, what, err);
    if (status != BASE_OK) {
        return status;
    }
    base_hash hash;
    status = bench_poses_hash(poses, past->trajectory.frame_count, &hash, err);
    snprintf(what, sizeof what, "the poses of '%s' are", past->cell->scenario);
    return status == BASE_OK ? check_hash(past, "poses_hash", hash, what, err) : status;
}

/* --- A frame again ---------------------------------------------------------------------------- */

/** Copies the variant's part of a contestant's name: "ist" of "ist@twin". */
static void cut_label(const char *name, char *variant, size_t size)
{
    snprintf(variant, size, "%.*s", (int)strcspn(name, "@"), name);
}

/**
 * Converts a name to its form in cells.csv: keys sorted, defaults left out. Other names are
 * unchanged.
 */
static void canonical_name(const char *name, char *canonical, size_t size)
{
    char variant[sizeof((alg_variant *)NULL)->name];
    alg_variant parsed;
    cut_label(name, variant, sizeof variant);
    const bool known = alg_variant_parse(variant, 1, &parsed, NULL) == ALG_OK;
    snprintf(canonical, size, "%s%s", known ? parsed.name : variant, name + strcspn(name, "@"));
}

/** True if the contestant ran the old code of `check --against`, not the code of this program. */
static bool is_old_code(const bench_past *past)
{
    const char *const label = strchr(past->cell->variant, '@');
    if (!label) {
        return false;
    }
    for (size_t i = 0; past->cell->twin && i < past->record.cell_count; i++) {
        if (strstr(past->record.cells[i].variant, "@base")) {
            return true; /* the twin of the old code */
        }
    }
    return strcmp(label, "@base") == 0;
}

static base_status find_variant(bench_replay *r, base_error *err)
{
    char name[sizeof r->variant.name], section[sizeof name + 16];
    alg_message message;
    if (*r->past.cell->elsewhere) {
        return base_fail(err, BASE_ERR_INPUT,
                         "'%s' cannot be asked again: its answers were made elsewhere (%s)",
                         r->past.cell->variant, r->past.cell->elsewhere);
    }
    cut_label(r->past.cell->variant, name, sizeof name);
    snprintf(section, sizeof section, "plugin %s", name);
    if (alg_variant_parse(name, r->past.seed, &r->variant, &message) != ALG_OK) {
        const char *const argument = bench_record_fact(&r->past.record, section, "argument");
        return base_fail(err, BASE_ERR_ARGUMENT, "%s%s%s", message.text,
                         argument ? "; the run had it by --plugin " : "", argument ? argument : "");
    }
    /* Another plug-in is no error, because it may be the reason for the replay. */
    const bench_plugin *const plugin = bench_plugin_of(r->variant.algorithm);
    const char *const hash = bench_record_fact(&r->past.record, section, "hash");
    if (plugin && hash && strcmp(hash, base_hash_format(plugin->hash).hex) != 0) {
        bench_warn("plug-in '%s' is not the file that the run had: hash %s, recorded %s",
                   plugin->path, base_hash_format(plugin->hash).hex, hash);
    }
    if (is_old_code(&r->past)) {
        bench_warn("'%s' was answered by the old code of --against; this is the present code",
                   r->past.cell->variant);
    }
    return BASE_OK;
}

/**
 * Asks the frame. If the variant keeps state, all earlier frames are asked first, so that the state
 * is that of the run.
 */
static base_status ask_frame(bench_replay *r, const alg_request *request, const char *cache,
                             base_error *err)
{
    const base_status status =
        bench_solo_open(&r->variant, &r->pair, request, cache, &r->solo, err);
    if (status != BASE_OK) {
        return status;
    }
    if (r->variant.algorithm->flags & ALG_KEEPS_STATE) {
        for (size_t f = 0; f < r->frame; f++) {
            bench_solo_ask(&r->solo, &r->poses[f], &r->answer);
        }
        r->asked_before = r->frame;
    }
    bench_solo_ask(&r->solo, &r->poses[r->frame], &r->answer);
    return BASE_OK;
}

base_status bench_replay_open(const bench_replay_request *wanted, bench_replay *r, base_error *err)
{
    char variant[BENCH_CONTESTANT_NAME_BYTES] = "";
    *r = (bench_replay){0};
    canonical_name(wanted->variant ? wanted->variant : "", variant, sizeof variant);
    base_status status = bench_past_open(wanted->run, wanted->scenario,
                                         wanted->variant ? variant : NULL, &r->past, err);
    if (status == BASE_OK) {
        status = bench_past_frame(&r->past, wanted->frame, &r->frame, err);
    }
    if (status == BASE_OK) {
        status = find_variant(r, err);
    }
    if (status == BASE_OK) {
        status = bench_pair_open(r->past.a, r->past.b, &r->pair, err);
    }
    if (status == BASE_OK) {
        status = bench_pair_poses(&r->pair, &r->past.trajectory, &r->poses, err);
    }
    if (status == BASE_OK) {
        status = bench_past_check(&r->past, &r->pair, r->poses, err);
    }
    const alg_request request = {.size = sizeof request,
                                 .wanted = r->past.quantities,
                                 .contacts_max = wanted->contacts_max,
                                 .regions_max = wanted->regions_max};
    return status == BASE_OK ? ask_frame(r, &request, wanted->cache, err) : status;
}

void bench_replay_close(bench_replay *r)
{
    if (r->solo.variant) {
        bench_solo_close(&r->solo);
    }
    base_free(r->poses);
    bench_pair_close(&r->pair);
    bench_past_close(&r->past);
    *r = (bench_replay){0};
}

bench_scene bench_replay_scene(bench_replay *r)
{
    char fault[BENCH_FAULT_BYTES];
    if (!bench_solo_ask_details(&r->solo, &r->poses[r->frame], &r->listed, fault)) {
        bench_warn("'%s' has answered wrongly: %s", r->variant.name, fault);
    }
    const bench_buffers *const buffers = &r->solo.buffers;
    return (bench_scene){
        .pair = &r->pair,
        .frame = &r->past.trajectory.frames[r->frame],
        .solo = &r->solo,
        .answer = &r->answer,
        .contacts = bench_buffer_contacts(buffers),
        .contact_count = bench_buffer_count(buffers, BENCH_LIST_CONTACTS, &r->listed),
        .regions = bench_buffer_regions(buffers),
        .region_count = bench_buffer_count(buffers, BENCH_LIST_REGIONS, &r->listed)};
}

/* --- Picture of a frame ----------------------------------------------------------------------- */

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
    /* The nearest points of the surfaces, by exact distance. */
    const geo_pose pose = bench_pair_pose(pair, scene->frame->position, scene->frame->orientation);
    gt_distance exact;
    gt_distance_query(pair->a.truth, pair->b.truth, &pose, &exact);
    draw_witness(obj, "truth_witness", exact.witness_a, exact.witness_b, pair->centre_a);
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
