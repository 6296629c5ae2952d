#include "scenarios/models/models.h"

#include "base/memory.h"
#include "base/random.h"
#include "base/text.h"
#include "geometry/mesh.h"
#include "geometry/mesh_check.h"
#include "geometry/simplify.h"
#include "geometry/vec.h"
#include "scenarios/models/generators.h"
#include "scenarios/models/loft.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The IST paper has bolt and nut with 171 thousand triangles together, and housing and rotor of the
 * pump with 330 thousand; the VPS paper has an artificial model, a brake and a car. */
const scn_model scn_models[] = {
    {"box", "100 x 80 x 60 mm", 12, 12, .build = scn_box_build},
    {"sphere", "100 mm across; 20 n^2 triangles", 20480, 20, .build = scn_sphere_build},
    {"torus", "100 mm across, tube 30 mm", 20000, 120, .design = scn_torus_design,
     .edge_max = 0.0145},
    {"cylinder", "60 mm across, 100 mm long", 20000, 140, .design = scn_cylinder_design,
     .edge_max = 0.0157},
    {"bolt", "hexagon head, thread, 94 mm long", 120000, 3500, .design = scn_bolt_design,
     .edge_max = 0.0031},
    {"nut", "on the bolt's thread", 51000, 1200, .design = scn_nut_design, .edge_max = 0.0031},
    {"pump-housing", "block with two overlapping bores", 180000, 2000,
     .design = scn_pump_housing_design, .edge_max = 0.0032},
    {"pump-rotor", "gear with shaft in the +x bore", 150000, 1500, .design = scn_pump_rotor_design,
     .edge_max = 0.0032},
    {"pump-idler", "its counterpart in the -x bore", 150000, 1500, .design = scn_pump_idler_design,
     .edge_max = 0.0032},
    {"quadruped", "animal with legs, ears and tail", 60000, 5000, .build = scn_quadruped_build},
    {"quadruped-open", "the same without feet: its legs are open below", 60000, 5000,
     .build = scn_quadruped_open_build, .open = true},
    {"coral", "27 branches, deep concavities", 60000, 5000, .build = scn_coral_build},
    {"cube", "62.5 mm; 12 n^2 triangles", 12, 12, .build = scn_cube_build},
    {"slab", "94 x 62.5 mm, 1 nm thick; 12 n^2 triangles", 12, 12, .build = scn_slab_build},
    {"shell", "94 mm cube around an empty one, 62.5 mm; 24 n^2 triangles", 24, 24,
     .build = scn_shell_build},
    {"nested", "three cubic shells in one another; 72 n^2 triangles", 72, 72,
     .build = scn_nested_build},
    {"frame", "94 x 94 x 16 mm with a hole, 31 mm; 32 n^2 triangles", 32, 32,
     .build = scn_frame_build},
    {"needle", "94 mm long, 1 mm thick, pointed; 14 n^2 triangles", 14, 14,
     .build = scn_needle_build},
    {"channel", "94 x 94 x 62 mm, open above, 66 mm wide; 28 n^2 triangles", 28, 28,
     .build = scn_channel_build},
    {"bore", "round plate, 20 mm thick, with a hole, 42 mm", 20000, 200, .design = scn_bore_design,
     .edge_max = 0.012},
    {"pin", "40 mm across, 60 mm long", 20000, 200, .design = scn_pin_design, .edge_max = 0.012},
    {"cone", "80 mm across, 60 mm high, its apex in the origin", 20000, 200,
     .design = scn_cone_design, .edge_max = 0.012},
    {"artificial", "spike, block, fillet, thin disc and hexagon with a hole", 7088, 450,
     .design = scn_artificial_design, .edge_max = 0.012},
    {"brake", "ventilated disc, calliper and pads", 24251, 6732, .build = scn_brake_build},
    {"car", "100 x 49 x 37 mm; thousands of open parts that overlap", 3024231, 11072,
     .build = scn_car_build, .open = true},
    {"enclosure", "box of a device, 108 x 94 x 36 mm, 3 mm walls", 16000, 2064,
     .build = scn_enclosure_build},
    {"bracket", "angle with gussets, a bearing and slots, 64 x 44 x 44 mm", 2000, 496,
     .build = scn_bracket_build},
    {"housing", "half of a gear box, 104 x 72 x 48 mm", 8000, 1976, .build = scn_housing_build},
    {"gear", "24 involute teeth, on a shaft with a keyway, 52 x 52 x 88 mm", 3000, 1058,
     .build = scn_gear_build},
    {"perforated-plate", "100 x 64 mm, 2 mm thick, with 66 holes and two lips", 6000, 2684,
     .build = scn_perforated_plate_build},
    {"heat-sink", "14 fins, 1.6 mm thick, in two blocks, 90 x 64 x 34 mm", 3000, 1500,
     .build = scn_heat_sink_build},
    {"hinge", "two leaves and a pin, 85 x 72 x 8 mm", 2500, 920, .build = scn_hinge_build},
    {"gripper", "palm and two fingers with noses, 32 mm apart, 60 x 20 x 66 mm", 2000, 268,
     .build = scn_gripper_build},
    {"comb", "9 teeth, 4 mm wide, in gaps of 6 mm for a second comb, 92 x 38 x 10 mm", 2000, 408,
     .build = scn_comb_build},
    {"cavity", "block with a keyhole and a chamber behind it, 60 x 60 x 40 mm", 2000, 100,
     .build = scn_cavity_build},
    {"key", "in the cavity, 0.5 mm away from the keyhole, 30 x 11 x 57 mm", 2000, 152,
     .build = scn_key_build},
    {.name = NULL},
};

static const size_t triangles_max = 20000000;

/* A scale in this range turns no coordinate into 0 or infinity. The range of the results is checked
 * for each coordinate. */
#define SCALE_LEAST    1e-60
#define SCALE_GREATEST 1e60

base_status scn_model_make(const scn_model *model, size_t triangles, geo_mesh_builder *mesh,
                           base_error *err)
{
    return model->design ? scn_loft_build(model->design, model->edge_max, triangles, mesh, err)
                         : model->build(triangles, mesh, err);
}

const scn_model *scn_model_find(const char *name)
{
    for (const scn_model *model = scn_models; model->name; model++) {
        if (strcmp(model->name, name) == 0) {
            return model;
        }
    }
    return NULL;
}

/* --- References ------------------------------------------------------------------------------- */

/** The options after the colon. */
typedef struct mesh_options {
    size_t triangles; /* only for a model */
    double scale;
    vec3 stretch;  /* along each axis, in addition to the scale */
    vec3 offset;   /* m, of the scaled body */
    double share;  /* of the triangles that remain after simplification */
    bool soup;     /* no two triangles share a vertex */
    bool shuffled; /* of a soup: the triangles have a random order and orientation */
} mesh_options;

/** A parsed reference. */
typedef struct mesh_request {
    const scn_model *model; /* NULL for a file */
    char *path;             /* path of the file; owned (base_free) */
    mesh_options options;
} mesh_request;

static bool scale_valid(double scale)
{
    return scale >= SCALE_LEAST && scale <= SCALE_GREATEST;
}

/** Reads digits only. A number that exceeds every limit becomes SIZE_MAX. */
static bool read_count(const char *text, size_t *count)
{
    *count = 0;
    for (const char *c = text; *c; c++) {
        if (*c < '0' || *c > '9') {
            return false;
        }
        *count = *count > triangles_max ? SIZE_MAX : *count * 10 + (size_t)(*c - '0');
    }
    return *text != '\0';
}

/** Reads one option, "key=value". Returns false if it is not a valid option. */
static bool read_option(const char *text, bool of_model, mesh_options *options)
{
    const char *const value = strchr(text, '=') ? strchr(text, '=') + 1 : text;
    const struct {
        const char *key;
        double *number;
    } numbers[] = {
        {"scale=", &options->scale},  {"sx=", &options->stretch.x}, {"sy=", &options->stretch.y},
        {"sz=", &options->stretch.z}, {"x=", &options->offset.x},   {"y=", &options->offset.y},
        {"z=", &options->offset.z},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (strncmp(text, numbers[i].key, strlen(numbers[i].key)) == 0) {
            return base_text_number(value, numbers[i].number) && scale_valid(options->scale) &&
                   scale_valid(options->stretch.x) && scale_valid(options->stretch.y) &&
                   scale_valid(options->stretch.z);
        }
    }
    if (strncmp(text, "simplify=", strlen("simplify=")) == 0) {
        return base_text_number(value, &options->share) && options->share > 0 &&
               options->share <= 1;
    }
    if (strncmp(text, "soup=", strlen("soup=")) == 0) {
        options->shuffled = strcmp(value, "shuffled") == 0;
        options->soup = options->shuffled || strcmp(value, "yes") == 0;
        return options->soup || strcmp(value, "no") == 0;
    }
    static const char triangles[] = "triangles=";
    return of_model && strncmp(text, triangles, sizeof triangles - 1) == 0 &&
           read_count(value, &options->triangles);
}

/** Reads the options `text` of a model or, if model is NULL, of the file `name`. */
static base_status read_options(const scn_model *model, const char *name, const char *text,
                                mesh_options *options, base_error *err)
{
    for (bool more = true; more;) {
        char option[64];
        const size_t length = strcspn(text, ",");
        snprintf(option, sizeof option, "%.*s", (int)length, text);
        if (length >= sizeof option || !read_option(option, model, options)) {
            return base_fail(err, BASE_ERR_ARGUMENT,
                             "%s'%s' takes %s'scale=FACTOR', 'sx=', 'sy=', 'sz=FACTOR', 'x=', "
                             "'y=', 'z=METRES', 'simplify=SHARE' and 'soup=yes' after the colon, "
                             "with commas between them, not '%.*s'",
                             model ? "model " : "", name, model ? "'triangles=NUMBER', " : "",
                             (int)length, text);
        }
        more = text[length] == ',';
        text += length + more;
    }
    if (model &&
        (options->triangles < model->triangles_min || options->triangles > triangles_max)) {
        return base_fail(err, BASE_ERR_ARGUMENT, "model '%s' takes %zu to %zu triangles, not '%zu'",
                         model->name, model->triangles_min, triangles_max, options->triangles);
    }
    return BASE_OK;
}

/** Returns the model whose name precedes the first colon; NULL if there is no such model. */
static const scn_model *named_model(const char *reference)
{
    char name[64];
    const size_t length = strcspn(reference, ":");
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : 0), reference);
    return scn_model_find(name);
}

/** Returns the length of the file name: up to the last colon that is followed by "key=", unless a
 * file of the whole text exists. */
static size_t file_length(const char *reference)
{
    const char *const colon = strrchr(reference, ':');
    const size_t key = colon ? strspn(colon + 1, "abcdefghijklmnopqrstuvwxyz") : 0;
    const bool options = key > 0 && colon[1 + key] == '=' && access(reference, F_OK) != 0;
    return options ? (size_t)(colon - reference) : strlen(reference);
}

bool scn_mesh_is_file(const char *reference)
{
    return strcspn(reference, "/.") < file_length(reference) && !named_model(reference);
}

bool scn_mesh_is_missing(const char *reference)
{
    char path[PATH_MAX];
    if (!scn_mesh_is_file(reference)) {
        return false;
    }
    const int length = (int)file_length(reference);
    return snprintf(path, sizeof path, "%.*s", length, reference) < (int)sizeof path &&
           access(path, F_OK) != 0;
}

/** Reads a reference to a model: its name and options. */
static base_status read_model(const char *reference, mesh_request *request, base_error *err)
{
    const size_t length = strcspn(reference, ":");
    request->model = named_model(reference);
    if (!request->model) {
        const char *names[sizeof scn_models / sizeof *scn_models];
        char name[64], near[256] = "";
        if (length >= sizeof name) {
            return base_fail(err, BASE_ERR_ARGUMENT, "unknown model '%s'", reference);
        }
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            names[i] = scn_models[i].name;
        }
        snprintf(name, sizeof name, "%.*s", (int)length, reference);
        base_text_near(name, names, near, sizeof near);
        return base_fail(err, BASE_ERR_ARGUMENT, "unknown model '%s'%s", name, near);
    }
    request->options.triangles = request->model->triangles;
    return reference[length] == ':' ? read_options(request->model, request->model->name,
                                                   reference + length + 1, &request->options, err)
                                    : BASE_OK;
}

static base_status read_file(const char *reference, mesh_request *request, base_error *err)
{
    const size_t length = file_length(reference);
    request->path = base_alloc(length + 1, 1);
    if (!request->path) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    memcpy(request->path, reference, length);
    return reference[length] == ':'
               ? read_options(NULL, request->path, reference + length + 1, &request->options, err)
               : BASE_OK;
}

/** Parses a reference. The caller frees request->path, after an error too. */
static base_status read_reference(const char *reference, mesh_request *request, base_error *err)
{
    *request = (mesh_request){.options = {.scale = 1, .stretch = {1, 1, 1}, .share = 1}};
    return scn_mesh_is_file(reference) ? read_file(reference, request, err)
                                       : read_model(reference, request, err);
}

base_status scn_mesh_check(const char *reference, base_error *err)
{
    mesh_request request;
    const base_status status = read_reference(reference, &request, err);
    base_free(request.path);
    return status;
}

/** Scales and stretches, then moves. */
static base_status transform(const char *reference, const mesh_options *options,
                             geo_mesh_builder *mesh, base_error *err)
{
    const vec3 factor = vec3_scale(options->scale, options->stretch), offset = options->offset;
    if (factor.x == 1 && factor.y == 1 && factor.z == 1 && !(vec3_norm(offset) > 0)) {
        return BASE_OK;
    }
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        const vec3 v = mesh->vertices[i];
        const vec3 p = vec3_add(offset, vec3_make(factor.x * v.x, factor.y * v.y, factor.z * v.z));
        mesh->vertices[i] = p;
        for (int k = 0; k < 3; k++) {
            if (!geo_coordinate_valid(vec3_get(p, k))) {
                return base_fail(err, BASE_ERR_ARGUMENT, "'%s': coordinate %g %s", reference,
                                 vec3_get(p, k), geo_coordinate_fault(vec3_get(p, k)));
            }
        }
    }
    return BASE_OK;
}

/** Simplifies the mesh to a share of its triangles. */
static base_status simplify(const char *reference, double share, geo_mesh_builder *mesh,
                            base_error *err)
{
    const geo_mesh full = geo_mesh_builder_view(mesh);
    geo_mesh_report report;
    geo_mesh_builder simplified;
    base_error reason;
    base_status status = geo_mesh_check(&full, &report, err);
    if (status != BASE_OK) {
        return status;
    }
    status = geo_mesh_simplify(&full, share, report.solid, &simplified, &reason);
    geo_mesh_report_release(&report);
    if (status != BASE_OK) {
        return base_fail(err, status, "'%s': %s", reference, reason.text);
    }
    geo_mesh_builder_release(mesh);
    *mesh = simplified;
    return BASE_OK;
}

/** Gives each triangle three vertices of its own. */
static base_status separate(geo_mesh_builder *mesh, base_error *err)
{
    geo_mesh_builder soup;
    const base_status status =
        geo_mesh_builder_init(3 * mesh->face_count, mesh->face_count, &soup, err);
    if (status == BASE_OK) {
        for (size_t i = 0; i < 3 * mesh->face_count; i++) {
            soup.vertices[i] = mesh->vertices[mesh->faces[i / 3].v[i % 3]];
            soup.faces[i / 3].v[i % 3] = (uint32_t)i;
        }
        geo_mesh_builder_release(mesh);
        *mesh = soup;
    }
    return status;
}

/** Puts the triangles in a random order, and turns about half of them over. */
static void shuffle(geo_mesh_builder *mesh)
{
    base_random random = base_random_seed(1);
    for (size_t f = 0; f < mesh->face_count; f++) {
        geo_face *const other = &mesh->faces[f + base_random_below(&random, mesh->face_count - f)];
        const geo_face face = *other;
        const bool turned = base_random_below(&random, 2) == 1;
        *other = mesh->faces[f];
        mesh->faces[f] = (geo_face){{face.v[0], face.v[turned ? 2 : 1], face.v[turned ? 1 : 2]}};
    }
}

base_status scn_mesh_open(const char *reference, geo_mesh *mesh, base_error *err)
{
    mesh_request request;
    geo_mesh_builder built = {0};
    *mesh = (geo_mesh){0};
    base_status status = read_reference(reference, &request, err);
    if (status == BASE_OK) {
        if (request.model) {
            status = scn_model_make(request.model, request.options.triangles, &built, err);
        } else {
            geo_mesh loaded;
            status = geo_mesh_load(request.path, &loaded, err);
            built = geo_mesh_builder_resume(&loaded);
        }
    }
    if (status == BASE_OK) {
        status = transform(reference, &request.options, &built, err);
    }
    if (status == BASE_OK && request.options.share < 1) {
        status = simplify(reference, request.options.share, &built, err);
    }
    if (status == BASE_OK && request.options.soup) {
        status = separate(&built, err);
    }
    if (status == BASE_OK && request.options.shuffled) {
        shuffle(&built);
    }
    base_free(request.path);
    if (status != BASE_OK) {
        geo_mesh_builder_release(&built);
        return status;
    }
    *mesh = geo_mesh_builder_finish(&built);
    return BASE_OK;
}

/** Writes the shortest decimal that reads back as the same double. */
static void format_shortest(double value, char *text, size_t size)
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, size, "%.*g", digits, value);
        if (strtod(text, NULL) == value) {
            return;
        }
    }
}

base_status scn_mesh_scaled(const char *reference, double scale, base_arena *arena,
                            const char **scaled, base_error *err)
{
    if (!scale_valid(scale)) {
        return base_fail(err, BASE_ERR_ARGUMENT,
                         "scale %g of '%s': it must be positive, from %g to %g", scale, reference,
                         SCALE_LEAST, SCALE_GREATEST);
    }
    *scaled = reference;
    if (scale == 1) {
        return BASE_OK;
    }
    const size_t name =
        scn_mesh_is_file(reference) ? file_length(reference) : strcspn(reference, ":");
    const char *const options = reference + name;
    if (strstr(options, ":scale=") || strstr(options, ",scale=")) {
        return base_fail(err, BASE_ERR_ARGUMENT,
                         "'%s' already has a scale, so it cannot be scaled by %g", reference,
                         scale);
    }
    char number[40];
    format_shortest(scale, number, sizeof number);
    const size_t size = strlen(reference) + sizeof ":scale=" + strlen(number);
    char *const text = base_arena_alloc(arena, size, 1);
    if (!text) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    snprintf(text, size, "%s%cscale=%s", reference, *options ? ',' : ':', number);
    *scaled = text;
    return BASE_OK;
}

base_status scn_mesh_reduced(const char *reference, size_t most, base_arena *arena,
                             const char **reduced, base_error *err)
{
    mesh_request request;
    *reduced = reference;
    const base_status status = read_reference(reference, &request, err);
    base_free(request.path);
    const scn_model *const model = request.model;
    if (status != BASE_OK || !model) {
        return status;
    }
    const size_t triangles = most > model->triangles_min ? most : model->triangles_min;
    if (request.options.triangles <= triangles) {
        return BASE_OK;
    }
    /* The other options, each with a comma before it. */
    const size_t size = strlen(reference) + 64;
    char *const text = base_arena_alloc(arena, size, 1);
    if (!text) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    snprintf(text, size, "%s:triangles=%zu", model->name, triangles);
    for (const char *at = reference + strlen(model->name); *at;) {
        const char *const option = at + 1;
        const size_t length = strcspn(option, ",");
        if (strncmp(option, "triangles=", strlen("triangles=")) != 0) {
            const size_t used = strlen(text);
            snprintf(text + used, size - used, ",%.*s", (int)length, option);
        }
        at = option + length;
    }
    *reduced = text;
    return BASE_OK;
}
