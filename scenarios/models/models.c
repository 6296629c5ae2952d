#include "scenarios/models/models.h"

#include "base/text.h"
#include "geometry/mesh_file.h"
#include "geometry/vec.h"
#include "scenarios/models/generators.h"

#include <stdio.h>
#include <string.h>

/* IST has bolt and nut at 171 thousand triangles together, housing and rotor of the pump at 330. */
const scn_model scn_models[] = {
    {"box",          "100 x 80 x 60 mm",                                          12,     12,   scn_box_build         },
    {"sphere",       "100 mm across; 20 n^2 triangles",                           20480,  20,   scn_sphere_build      },
    {"torus",        "100 mm across, tube 30 mm",                                 20000,  120,  scn_torus_build       },
    {"cylinder",     "60 mm across, 100 mm long",                                 20000,  140,  scn_cylinder_build    },
    {"bolt",         "hexagon head, thread, 94 mm long",                          120000, 3500, scn_bolt_build        },
    {"nut",          "on the bolt's thread",                                      51000,  1200, scn_nut_build         },
    {"pump-housing", "block with two overlapping bores",                          180000, 2000, scn_pump_housing_build},
    {"pump-rotor",   "gear with shaft in the +x bore",                            150000, 1500, scn_pump_rotor_build  },
    {"pump-idler",   "its counterpart in the -x bore",                            150000, 1500, scn_pump_idler_build  },
    {"quadruped",    "animal with legs, ears and tail",                           60000,  5000, scn_quadruped_build   },
    {"coral",        "27 branches, deep concavities",                             60000,  5000, scn_coral_build       },
    {"cube",         "62.5 mm; 12 n^2 triangles",                                 12,     12,   scn_cube_build        },
    {"slab",         "94 x 62.5 mm, 1 nm thick; 12 n^2 triangles",                12,     12,   scn_slab_build        },
    {"shell",        "94 mm cube around an empty one, 62.5 mm; 24 n^2 triangles", 24,     24,   scn_shell_build       },
    {"nested",       "three cubic shells in one another; 72 n^2 triangles",       72,     72,   scn_nested_build      },
    {"frame",        "94 x 94 x 16 mm with a hole, 31 mm; 32 n^2 triangles",      32,     32,   scn_frame_build       },
    {"needle",       "94 mm long, 1 mm thick, pointed; 14 n^2 triangles",         14,     14,   scn_needle_build      },
    {NULL,           NULL,                                                        0,      0,    NULL                  },
};

static const size_t triangles_max = 20000000;

const scn_model *scn_model_find(const char *name)
{
    for (const scn_model *model = scn_models; model->name; model++) {
        if (strcmp(model->name, name) == 0) {
            return model;
        }
    }
    return NULL;
}

static base_status fail_unknown(const char *name, base_error *err)
{
    const char *names[sizeof scn_models / sizeof *scn_models];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        names[i] = scn_models[i].name;
    }
    char near[256];
    base_text_near(name, names, near, sizeof near);
    return base_fail(err, BASE_ERR_ARGUMENT, "unknown model '%s'%s", name, near);
}

/* --- References ------------------------------------------------------------------------------- */

/** What stands behind the colon. */
typedef struct model_options {
    size_t triangles;
    double scale;
    vec3 offset; /* m, of the scaled body */
} model_options;

/** Reads digits alone; a number too large to matter becomes SIZE_MAX. */
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

/** One option, "key=value"; false: it is none. */
static bool read_option(const char *text, model_options *options)
{
    const char *const value = strchr(text, '=') ? strchr(text, '=') + 1 : text;
    const struct {
        const char *key;
        double *number;
    } numbers[] = {
        {"scale=", &options->scale   },
        {"x=",     &options->offset.x},
        {"y=",     &options->offset.y},
        {"z=",     &options->offset.z},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (strncmp(text, numbers[i].key, strlen(numbers[i].key)) == 0) {
            return base_text_number(value, numbers[i].number) && options->scale > 0;
        }
    }
    static const char triangles[] = "triangles=";
    return strncmp(text, triangles, sizeof triangles - 1) == 0 &&
           read_count(value, &options->triangles);
}

static base_status read_options(const scn_model *model, const char *text, model_options *options,
                                base_error *err)
{
    for (bool more = true; more;) {
        char option[64];
        const size_t length = strcspn(text, ",");
        snprintf(option, sizeof option, "%.*s", (int)length, text);
        if (length >= sizeof option || !read_option(option, options)) {
            return base_fail(err, BASE_ERR_ARGUMENT,
                             "model '%s' takes 'triangles=NUMBER', 'scale=FACTOR' and 'x=', 'y=', "
                             "'z=METRES' after the colon, with commas between them, not '%.*s'",
                             model->name, (int)length, text);
        }
        more = text[length] == ',';
        text += length + more;
    }
    if (options->triangles < model->triangles_min || options->triangles > triangles_max) {
        return base_fail(err, BASE_ERR_ARGUMENT, "model '%s' takes %zu to %zu triangles, not '%zu'",
                         model->name, model->triangles_min, triangles_max, options->triangles);
    }
    return BASE_OK;
}

bool scn_mesh_is_file(const char *reference)
{
    return strcspn(reference, "/.") < strcspn(reference, ":");
}

/** A reference that is no file: its model and what it is to be like. */
static base_status read_reference(const char *reference, const scn_model **model,
                                  model_options *options, base_error *err)
{
    char name[64];
    const size_t length = strcspn(reference, ":");
    if (length >= sizeof name) {
        return base_fail(err, BASE_ERR_ARGUMENT, "unknown model '%s'", reference);
    }
    memcpy(name, reference, length);
    name[length] = '\0';
    *model = scn_model_find(name);
    if (!*model) {
        return fail_unknown(name, err);
    }
    *options = (model_options){.triangles = (*model)->triangles, .scale = 1};
    return reference[length] == ':' ? read_options(*model, reference + length + 1, options, err)
                                    : BASE_OK;
}

base_status scn_mesh_check(const char *reference, base_error *err)
{
    const scn_model *model;
    model_options options;
    return scn_mesh_is_file(reference) ? BASE_OK : read_reference(reference, &model, &options, err);
}

base_status scn_mesh_open(const char *reference, geo_mesh *mesh, base_error *err)
{
    *mesh = (geo_mesh){0};
    if (scn_mesh_is_file(reference)) {
        return geo_mesh_load(reference, mesh, err);
    }
    const scn_model *model;
    model_options options;
    geo_mesh_builder built;
    base_status status = read_reference(reference, &model, &options, err);
    if (status != BASE_OK) {
        return status;
    }
    status = model->build(options.triangles, &built, err);
    if (status != BASE_OK) {
        return status;
    }
    const bool placed = options.scale != 1 || vec3_norm(options.offset) > 0;
    for (size_t i = 0; placed && i < built.vertex_count; i++) {
        const vec3 p = vec3_madd(options.offset, options.scale, built.vertices[i]);
        built.vertices[i] = p;
        for (int k = 0; k < 3; k++) {
            if (!geo_coordinate_valid(vec3_get(p, k))) {
                geo_mesh_builder_release(&built);
                return base_fail(err, BASE_ERR_ARGUMENT, "'%s': coordinate %g %s", reference,
                                 vec3_get(p, k), geo_coordinate_fault(vec3_get(p, k)));
            }
        }
    }
    *mesh = geo_mesh_builder_finish(&built);
    return BASE_OK;
}
