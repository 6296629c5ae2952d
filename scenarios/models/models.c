#include "scenarios/models/models.h"

#include "geometry/text.h"

#include <string.h>

/* IST has bolt and nut at 171 thousand triangles together, housing and rotor of the pump at 330. */
const scn_model scn_models[] = {
    {"box",          "100 x 80 x 60 mm",                 12,     12,   scn_box_build         },
    {"sphere",       "100 mm across; 20 n^2 triangles",  20480,  20,   scn_sphere_build      },
    {"torus",        "100 mm across, tube 30 mm",        20000,  120,  scn_torus_build       },
    {"cylinder",     "60 mm across, 100 mm long",        20000,  140,  scn_cylinder_build    },
    {"bolt",         "hexagon head, thread, 94 mm long", 120000, 3500, scn_bolt_build        },
    {"nut",          "on the bolt's thread",             51000,  1200, scn_nut_build         },
    {"pump-housing", "block with two overlapping bores", 180000, 2000, scn_pump_housing_build},
    {"pump-rotor",   "gear with shaft in the +x bore",   150000, 1500, scn_pump_rotor_build  },
    {"pump-idler",   "its counterpart in the -x bore",   150000, 1500, scn_pump_idler_build  },
    {"quadruped",    "animal with legs, ears and tail",  60000,  5000, scn_quadruped_build   },
    {"coral",        "27 branches, deep concavities",    60000,  5000, scn_coral_build       },
    {NULL,           NULL,                               0,      0,    NULL                  },
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

static geo_status fail_unknown(const char *name, geo_error *err)
{
    const char *names[sizeof scn_models / sizeof *scn_models];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        names[i] = scn_models[i].name;
    }
    char near[256];
    geo_text_near(name, names, near, sizeof near);
    return geo_fail(err, GEO_ERR_ARGUMENT, "unknown model '%s'%s", name, near);
}

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

static geo_status read_options(const scn_model *model, const char *options, size_t *triangles,
                               geo_error *err)
{
    static const char key[] = "triangles=";
    if (strncmp(options, key, sizeof key - 1) != 0 ||
        !read_count(options + sizeof key - 1, triangles)) {
        return geo_fail(err, GEO_ERR_ARGUMENT,
                        "model '%s' takes 'triangles=NUMBER' after the colon, not '%s'",
                        model->name, options);
    }
    if (*triangles < model->triangles_min || *triangles > triangles_max) {
        return geo_fail(err, GEO_ERR_ARGUMENT, "model '%s' takes %zu to %zu triangles, not '%s'",
                        model->name, model->triangles_min, triangles_max, options + sizeof key - 1);
    }
    return GEO_OK;
}

geo_status scn_mesh_open(const char *reference, geo_mesh *mesh, geo_error *err)
{
    *mesh = (geo_mesh){0};
    if (strpbrk(reference, "/.")) {
        return geo_mesh_load(reference, mesh, err);
    }
    char name[64];
    const size_t length = strcspn(reference, ":");
    if (length >= sizeof name) {
        return geo_fail(err, GEO_ERR_ARGUMENT, "unknown model '%s'", reference);
    }
    memcpy(name, reference, length);
    name[length] = '\0';
    const scn_model *const model = scn_model_find(name);
    if (!model) {
        return fail_unknown(name, err);
    }
    size_t triangles = model->triangles;
    if (reference[length] == ':') {
        const geo_status status = read_options(model, reference + length + 1, &triangles, err);
        if (status != GEO_OK) {
            return status;
        }
    }
    return model->build(triangles, mesh, err);
}
