#include "geometry/mesh.h"
#include "scenarios/models/models.h"
#include "suite/commands/commands.h"
#include "suite/message.h"
#include "suite/options.h"
#include "suite/output.h"

#include <stdio.h>
#include <string.h>

static base_status write_model(const char *reference, const char *path, base_error *err)
{
    geo_mesh mesh = {0};
    base_status status = bench_mesh_check_suffix("model", path, err);
    if (status == BASE_OK) {
        status = scn_mesh_open(reference, &mesh, err);
    }
    if (status == BASE_OK) {
        status = bench_mesh_write(&mesh, path, err);
        geo_mesh_release(&mesh);
    }
    return status;
}

int bench_cmd_model(int argc, char **argv)
{
    const char *path = NULL;
    uint64_t triangles = UINT64_MAX;
    const bench_option options[] = {
        BENCH_OPTION("triangles", "N", &triangles,
                     "approximate number of triangles (default: that of the model)"),
        BENCH_OPTION("out", "FILE", &path, "write to FILE instead of standard output"),
        BENCH_OPTION_END,
    };
    const bench_usage usage = {
        .usage = "model NAME [--triangles N] [--out FILE]\n"
                 "model FILE[:scale=X] [--out FILE]",
        .summary =
            "Writes a generated model as OFF, in metres. NAME is a model of 'proxbench list "
            "models', also with parameters, \"bolt:triangles=20000,scale=0.5,sz=2,x=0.1\": the "
            "model is scaled, stretched by sx, sy, sz, then moved by x, y, z. With soup=yes, its "
            "triangles share no vertices; soup=shuffled also gives them a random order and "
            "orientation. A mesh file is converted to OFF; \"mine.stl:scale=0.001\" converts from "
            "millimetres.",
        .notes = "Examples:\n  proxbench model bolt --triangles 20000 --out bolt.off\n"
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
    if (triangles == UINT64_MAX) {
        snprintf(reference, sizeof reference, "%s", argv[1]);
    } else if (strpbrk(argv[1], "./:")) {
        return bench_usage_error("--triangles goes with the name of a model, not with '%s'",
                                 argv[1]);
    } else {
        snprintf(reference, sizeof reference, "%s:triangles=%llu", argv[1],
                 (unsigned long long)triangles);
    }
    base_error err = {0};
    return write_model(reference, path, &err) == BASE_OK ? BENCH_GOOD : bench_error(&err);
}
