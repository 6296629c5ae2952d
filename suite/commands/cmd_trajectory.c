#include "base/text.h"
#include "scenarios/trajectories/import.h"
#include "suite/commands/commands.h"
#include "suite/inputs/pair.h"
#include "suite/message.h"
#include "suite/options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct trajectory_options {
    const char *a, *b, *target, *out;
    double lo, hi, step;
    uint64_t frames, seed;
    bool quiet;
} trajectory_options;

/** In the order of scn_format; "csv", the suite's own format, comes behind. */
static const char *const format_names[] = {"tum", "kitti", "euroc", "pqp", "csv", NULL};
enum { FORMAT_CSV = SCN_PQP + 1 };

static base_status read_recording(const char *format, const char *path, scn_trajectory *recording,
                                  base_error *err)
{
    for (int i = 0; format_names[i]; i++) {
        if (strcmp(format, format_names[i]) == 0) {
            return i == FORMAT_CSV ? scn_trajectory_read(path, recording, err)
                                   : scn_trajectory_import(path, (scn_format)i, recording, err);
        }
    }
    char near[256];
    base_text_near(format, format_names, near, sizeof near);
    return base_fail(err, BASE_ERR_ARGUMENT, "unknown format '%s': tum, kitti, euroc, pqp or csv%s",
                     format, near);
}

static base_status make_sampler(const trajectory_options *o, scn_sampler *sampler, base_error *err)
{
    if (!o->a || !o->b) {
        return base_fail(err, BASE_ERR_ARGUMENT, "--a and --b are needed: the two meshes");
    }
    const bool valueless = sampler->kind == SCN_BOXES;
    if (!valueless && (isnan(o->lo) || isnan(o->hi))) {
        return base_fail(err, BASE_ERR_ARGUMENT, "--lo and --hi are needed: the values to sample");
    }
    sampler->lo = valueless ? 0 : o->lo;
    sampler->hi = valueless ? 0 : o->hi;
    sampler->step = o->step;
    sampler->frames = o->frames;
    sampler->seed = o->seed;
    if (strcmp(o->target, "distance") == 0) {
        sampler->target = SCN_TARGET_DISTANCE;
    } else if (strcmp(o->target, "volume") == 0) {
        sampler->target = SCN_TARGET_VOLUME;
    } else {
        return base_fail(err, BASE_ERR_ARGUMENT, "unknown target '%s': distance or volume",
                         o->target);
    }
    return BASE_OK;
}

/** Samples the pair, or follows a recording on it (NULL: none). */
static base_status sample_pair(const trajectory_options *o, const scn_sampler *sampler,
                               const scn_trajectory *recording, scn_trajectory *trajectory,
                               base_error *err)
{
    bench_pair pair;
    base_status status = bench_pair_open(o->a, o->b, &pair, err);
    if (status != BASE_OK) {
        return status;
    }
    status = bench_pair_sample(&pair, sampler, recording, o->quiet, trajectory, err);
    bench_pair_close(&pair);
    return status;
}

static base_status sample(const char *kind, const trajectory_options *o, scn_trajectory *trajectory,
                          base_error *err)
{
    scn_sampler sampler = {0};
    base_status status = scn_sampler_kind_parse(kind, &sampler.kind, err);
    if (status != BASE_OK) {
        return status;
    }
    status = make_sampler(o, &sampler, err);
    return status == BASE_OK ? sample_pair(o, &sampler, NULL, trajectory, err) : status;
}

static base_status follow_recording(const char *format, const char *path,
                                    const trajectory_options *o, scn_trajectory *trajectory,
                                    base_error *err)
{
    scn_sampler sampler = {.kind = SCN_GLIDE};
    scn_trajectory recording = {0};
    base_status status = make_sampler(o, &sampler, err);
    if (status != BASE_OK) {
        return status;
    }
    status = read_recording(format, path, &recording, err);
    if (status != BASE_OK) {
        return status;
    }
    status = sample_pair(o, &sampler, &recording, trajectory, err);
    scn_trajectory_release(&recording);
    return status;
}

/** argv: operands. */
static int make_trajectory(int operands, char **argv, const trajectory_options *o)
{
    static const char *const kinds[] = {"sphere", "grid",   "glide",  "press", "tumble",
                                        "boxes",  "import", "follow", NULL};
    const bool import = operands > 0 && strcmp(argv[0], "import") == 0;
    const bool follow = operands > 0 && strcmp(argv[0], "follow") == 0;
    if (operands == 0) {
        return bench_usage_error("trajectory needs a kind: sphere, grid, glide, press, tumble, "
                                 "boxes, import or follow");
    }
    size_t kind = 0;
    while (kinds[kind] && strcmp(kinds[kind], argv[0]) != 0) {
        kind++;
    }
    if (!kinds[kind]) {
        char near[128];
        base_text_near(argv[0], kinds, near, sizeof near);
        return bench_usage_error("trajectory has no kind '%s' (sphere, grid, glide, press, tumble, "
                                 "boxes, import or follow)%s",
                                 argv[0], near);
    }
    if (operands != (import || follow ? 3 : 1)) {
        return import || follow ? bench_usage_error("trajectory %s needs FORMAT FILE", argv[0])
                                : bench_usage_error("trajectory: '%s' is one too many", argv[1]);
    }
    base_error err = {0};
    scn_trajectory trajectory = {0};
    bench_catch_interrupts();
    base_status status = import   ? read_recording(argv[1], argv[2], &trajectory, &err)
                         : follow ? follow_recording(argv[1], argv[2], o, &trajectory, &err)
                                  : sample(argv[0], o, &trajectory, &err);
    if (status == BASE_OK) {
        status = bench_trajectory_write(&trajectory, o->out, &err);
    }
    scn_trajectory_release(&trajectory);
    if (status != BASE_OK && bench_interrupted()) {
        return BENCH_INTERRUPTED;
    }
    return status == BASE_OK ? BENCH_GOOD : bench_error(&err);
}

int bench_cmd_trajectory(int argc, char **argv)
{
    trajectory_options o = {
        .target = "distance", .lo = NAN, .hi = NAN, .step = 0.01, .frames = 100, .seed = 1};
    const bench_option options[] = {
        BENCH_OPTION("a", "MESH", &o.a, "fixed body: a model or a mesh file"),
        BENCH_OPTION("b", "MESH", &o.b, "moving body"),
        BENCH_OPTION("target", "distance|volume", &o.target, "what --lo and --hi speak of"),
        BENCH_OPTION("lo", "X", &o.lo,
                     "smallest value: a distance as a part of the diagonal of A's box, or a volume "
                     "as a part of the smaller body"),
        BENCH_OPTION("hi", "X", &o.hi, "largest value"),
        BENCH_OPTION("frames", "N", &o.frames, "frames to make"),
        BENCH_OPTION("seed", "N", &o.seed, "of everything that is drawn"),
        BENCH_OPTION("step", "X", &o.step,
                     "largest motion of B's surface a frame, as a part of A's longest box edge"),
        BENCH_OPTION("out", "FILE", &o.out, "write to FILE instead of standard output"),
        BENCH_OPTION("quiet", NULL, &o.quiet, "no progress"),
        BENCH_OPTION_END,
    };
    const bench_usage usage = {
        .usage =
            "trajectory sphere|grid|glide|press|tumble --a MESH --b MESH --lo X --hi X [options]\n"
            "trajectory boxes --a MESH --b MESH [options]\n"
            "trajectory import tum|kitti|euroc|pqp FILE [--out FILE]\n"
            "trajectory follow tum|kitti|euroc|pqp|csv FILE --a MESH --b MESH --lo X --hi X "
            "[options]",
        .summary = "Makes a trajectory of B in A's frame, as CSV.\n"
                   "\n"
                   "  sphere  independent poses at prescribed values: directions times rotations\n"
                   "  grid    independent poses that also reach cavities\n"
                   "  glide   along the body at a prescribed value\n"
                   "  press   approach, penetrate, retract\n"
                   "  tumble  full turns at a fixed distance of the centres\n"
                   "  boxes   two boxes at places where faces, edges and corners meet\n"
                   "  import  a recording as it is\n"
                   "  follow  a recording at 1 kHz, slowed to the step, kept at the value",
        .notes = "Example:\n  proxbench trajectory sphere --a bolt --b nut --lo 0.01 --hi 0.3 "
                 "--out far.csv",
    };
    int operands;
    const int ended = bench_parse(argc, argv, options, &usage, &operands);
    return ended >= 0 ? ended : make_trajectory(operands, argv + 1, &o);
}
