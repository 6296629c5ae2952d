#include "geometry/mesh.h"
#include "geometry/pose.h"
#include "scenarios/models/models.h"
#include "suite/commands/commands.h"
#include "suite/message.h"
#include "suite/options.h"
#include "suite/pictures/canvas.h"

#include <stdio.h>
#include <string.h>

typedef struct model_options {
    const char *out, *picture, *view;
    uint64_t triangles, width;
} model_options;

static base_status draw_model(const geo_mesh *mesh, const bench_view *view,
                              const model_options *options, base_error *err)
{
    const unsigned width = (unsigned)options->width;
    const bench_area area = {0, 0, width, width * 3 / 4};
    const bench_shape body = {.kind = BENCH_SHAPE_MESH,
                              .mesh = *mesh,
                              .pose = geo_pose_identity(),
                              .colour = BENCH_COLOUR_A};
    const bench_frame frame = bench_frame_around(&body, 1, view);
    bench_canvas canvas;
    base_status status = bench_canvas_open(area.width, area.height, &canvas, err);
    if (status == BASE_OK) {
        status = bench_canvas_draw(&canvas, area, &body, 1, view, &frame, false, err);
    }
    if (status == BASE_OK) {
        status = bench_canvas_save(&canvas, options->picture, err);
    }
    bench_canvas_close(&canvas);
    return status;
}

static base_status write_model(const char *reference, const model_options *options, base_error *err)
{
    geo_mesh mesh = {0};
    bench_view view;
    base_status status = bench_mesh_check_suffix("model", options->out, err);
    if (status == BASE_OK) {
        status = bench_view_parse(options->view, &view, err);
    }
    if (status == BASE_OK && options->picture) {
        status = bench_picture_check_suffix(options->picture, err);
    }
    if (status == BASE_OK) {
        status = scn_mesh_open(reference, &mesh, err);
    }
    if (status == BASE_OK && options->picture) {
        status = draw_model(&mesh, &view, options, err);
    }
    if (status == BASE_OK && (options->out || !options->picture)) {
        status = bench_mesh_write(&mesh, options->out, err);
    }
    geo_mesh_release(&mesh);
    return status;
}

int bench_cmd_model(int argc, char **argv)
{
    model_options o = {.view = BENCH_VIEW_USUAL, .triangles = UINT64_MAX, .width = 1000};
    const bench_option options[] = {
        BENCH_OPTION("triangles", "N", &o.triangles,
                     "approximate number of triangles (default: that of the model)"),
        BENCH_OPTION("out", "FILE", &o.out, "write to FILE instead of standard output"),
        BENCH_OPTION("picture", "FILE.png", &o.picture,
                     "draw the model instead; with --out, draw it also"),
        BENCH_OPTION("view", "AZIMUTH,ELEVATION", &o.view, BENCH_VIEW_HELP),
        BENCH_OPTION_WITHIN("width", "PIXELS", &o.width, 16, BENCH_CANVAS_MAX,
                            "width of the picture; the height is 3/4 of it"),
        BENCH_OPTION_END,
    };
    const bench_usage usage = {
        .usage = "model NAME [--triangles N] [--out FILE] [--picture FILE.png]\n"
                 "model FILE[:scale=X] [--out FILE] [--picture FILE.png]",
        .summary =
            "Writes a generated model as OFF, in metres. NAME is a model of 'proxbench list "
            "models', also with parameters, \"bolt:triangles=20000,scale=0.5,sz=2,x=0.1\": the "
            "model is scaled, stretched by sx, sy, sz, then moved by x, y, z. simplify=0.1 leaves "
            "about a tenth of the triangles. With soup=yes, they "
            "share no vertices; soup=shuffled also gives them a random order and "
            "orientation. A mesh file is converted to OFF; \"mine.stl:scale=0.001\" converts from "
            "millimetres.\n"
            "\n"
            "With --picture, a shaded picture of the model is written as PNG.",
        .notes = "Examples:\n  proxbench model bolt --triangles 20000 --out bolt.off\n"
                 "  proxbench model bolt --picture bolt.png --view 60,10\n"
                 "  proxbench model mine.stl:scale=0.001 --out mine.off",
    };
    int operands;
    const int ended = bench_parse(argc, argv, options, &usage, &operands);
    if (ended >= 0) {
        return ended;
    }
    if (operands != 1) {
        return bench_usage_error("model needs one NAME; 'proxbench list models' lists them");
    }
    char reference[4200];
    if (o.triangles == UINT64_MAX) {
        snprintf(reference, sizeof reference, "%s", argv[1]);
    } else if (strpbrk(argv[1], "./:")) {
        return bench_usage_error("--triangles goes with the name of a model, not with '%s'",
                                 argv[1]);
    } else {
        snprintf(reference, sizeof reference, "%s:triangles=%llu", argv[1],
                 (unsigned long long)o.triangles);
    }
    base_error err = {0};
    return write_model(reference, &o, &err) == BASE_OK ? BENCH_GOOD : bench_error(&err);
}
