#include "base/text.h"
#include "scenarios/trajectories/trajectory.h"
#include "suite/commands/commands.h"
#include "suite/inputs/pair.h"
#include "suite/message.h"
#include "suite/options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/** Option values. NULL, NaN or UINT64_MAX means that the option is not given. */
typedef struct trajectory_options {
    bench_bodies bodies;
    const char *target, *out, *pose_a, *pose_b, *mount_a, *mount_b;
    double lo, hi, step;
    uint64_t frames, seed, hold, ways;
    bool quiet;
} trajectory_options;

enum { FRAMES_DEFAULT = SCN_PRESS_FRAMES, SEED_DEFAULT = 1 };

/* --- Recordings ------------------------------------------------------------------------------- */

/** The suite's own format of trajectories. */
static const char own_format[] = "csv";

const char *bench_recording_format(size_t index)
{
    return index < SCN_FORMATS    ? scn_format_name((scn_format)index)
           : index == SCN_FORMATS ? own_format
                                  : NULL;
}

/** Reads a file in one of the formats. */
static base_status read_recording(const char *format, const char *path, scn_trajectory *recording,
                                  base_error *err)
{
    const char *names[SCN_FORMATS + 2] = {NULL};
    for (size_t i = 0; bench_recording_format(i); i++) {
        names[i] = bench_recording_format(i);
        if (strcmp(format, names[i]) == 0) {
            return names[i] == own_format
                       ? scn_trajectory_read(path, recording, err)
                       : scn_trajectory_import(path, (scn_format)i, recording, err);
        }
    }
    char near[256], choices[64];
    base_text_near(format, names, near, sizeof near);
    base_text_choices(names, choices, sizeof choices);
    return base_fail(err, BASE_ERR_ARGUMENT, "unknown format '%s': %s%s", format, choices, near);
}

/** Parses --mount-a or --mount-b. text: NULL if the option is not given; then the frames of tracker
 * and body are identical. */
static base_status read_mounting(const char *what, const char *text, scn_mounting *mount,
                                 base_error *err)
{
    *mount = scn_mounting_none();
    return text ? bench_pose_parse(what, text, &mount->position, &mount->orientation, err)
                : BASE_OK;
}

/** Computes the poses of B in A's frame from the recordings of both trackers. If pose_a is NULL,
 * only the tracker of B is recorded. */
static base_status join_recordings(const char *format, const char *pose_a, const char *pose_b,
                                   const scn_mounting *mount_a, const scn_mounting *mount_b,
                                   scn_trajectory *joined, base_error *err)
{
    scn_trajectory a = {0}, b = {0};
    base_status status = pose_a ? read_recording(format, pose_a, &a, err) : BASE_OK;
    if (status == BASE_OK) {
        status = read_recording(format, pose_b, &b, err);
    }
    if (status == BASE_OK) {
        status = scn_trajectory_relative(pose_a ? &a : NULL, &b, mount_a, mount_b, joined, err);
    }
    if (status == BASE_OK && pose_a && joined->frame_count < a.frame_count) {
        bench_warn("%zu of %zu frames of '%s' lie outside of the times of '%s' and are left out",
                   a.frame_count - joined->frame_count, a.frame_count, pose_a, pose_b);
    }
    scn_trajectory_release(&a);
    scn_trajectory_release(&b);
    return status;
}

/** Reads the file `path`, or the files of --pose-a and --pose-b if path is NULL. Applies the
 * mountings. */
static base_status read_motion(const trajectory_options *o, const char *format, const char *path,
                               scn_trajectory *motion, base_error *err)
{
    scn_mounting mount_a, mount_b;
    base_status status = read_mounting("--mount-a", o->mount_a, &mount_a, err);
    if (status == BASE_OK) {
        status = read_mounting("--mount-b", o->mount_b, &mount_b, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    /* A single recording without mountings stays unchanged, to the bit. */
    return path && !o->mount_a && !o->mount_b
               ? read_recording(format, path, motion, err)
               : join_recordings(format, path ? NULL : o->pose_a, path ? path : o->pose_b, &mount_a,
                                 &mount_b, motion, err);
}

/* --- Samplers --------------------------------------------------------------------------------- */

/** Rejects options that the sampler ignores. */
static base_status check_taken(const trajectory_options *o, scn_sampler_kind kind, base_error *err)
{
    const struct {
        const char *key;
        bool given;
    } keys[] = {
        {"target", o->target},     {"lo", !isnan(o->lo)},           {"hi", !isnan(o->hi)},
        {"step", !isnan(o->step)}, {"hold", o->hold != UINT64_MAX}, {"ways", o->ways != UINT64_MAX},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (keys[i].given && !scn_sampler_takes(kind, keys[i].key)) {
            return base_fail(err, BASE_ERR_ARGUMENT, "trajectory %s takes no --%s",
                             scn_sampler_kind_name(kind), keys[i].key);
        }
    }
    return BASE_OK;
}

static base_status make_sampler(const trajectory_options *o, scn_sampler *sampler, base_error *err)
{
    if (!o->bodies.a || !o->bodies.b) {
        return base_fail(err, BASE_ERR_ARGUMENT, "--a and --b are needed: the two meshes");
    }
    const base_status status = check_taken(o, sampler->kind, err);
    if (status != BASE_OK) {
        return status;
    }
    if (scn_sampler_takes(sampler->kind, "hi") && isnan(o->hi)) {
        return base_fail(err, BASE_ERR_ARGUMENT, "--hi is needed: the largest value to sample");
    }
    sampler->lo = isnan(o->lo) ? 0 : o->lo;
    sampler->hi = isnan(o->hi) ? sampler->lo : o->hi;
    sampler->step = isnan(o->step) ? 0 : o->step;
    sampler->frames = o->frames != UINT64_MAX      ? o->frames
                      : sampler->kind == SCN_PRESS ? 0
                                                   : FRAMES_DEFAULT;
    sampler->seed = o->seed != UINT64_MAX ? o->seed : SEED_DEFAULT;
    sampler->hold = o->hold != UINT64_MAX ? o->hold : 0;
    sampler->ways = o->ways != UINT64_MAX ? o->ways : 0;
    if (o->frames == 0) {
        return base_fail(err, BASE_ERR_ARGUMENT, "--frames 0: it must be positive");
    }
    if (o->hold == 0) {
        return base_fail(err, BASE_ERR_ARGUMENT, "--hold 0: it must be positive");
    }
    if (o->ways == 0) {
        return base_fail(err, BASE_ERR_ARGUMENT, "--ways 0: it must be positive");
    }
    if (!isnan(o->step) && o->step == 0) {
        return base_fail(err, BASE_ERR_ARGUMENT, "--step 0: it must be positive");
    }
    return o->target ? scn_target_parse(o->target, &sampler->target, err) : BASE_OK;
}

/** Samples the pair. format and path: format and file of the recording if the kind is "follow";
 * NULL for the other kinds. With --pose-a and --pose-b, path is NULL, too. */
static base_status sample(const trajectory_options *o, const char *kind, const char *format,
                          const char *path, scn_trajectory *trajectory, base_error *err)
{
    scn_sampler sampler = {.kind = SCN_GLIDE};
    scn_trajectory recording = {0};
    bench_pair pair;
    base_status status = format ? BASE_OK : scn_sampler_kind_parse(kind, &sampler.kind, err);
    if (status == BASE_OK) {
        status = make_sampler(o, &sampler, err);
    }
    if (status == BASE_OK && format) {
        status = read_motion(o, format, path, &recording, err);
    }
    if (status == BASE_OK) {
        status = bench_bodies_open(&o->bodies, &pair, err);
    }
    if (status == BASE_OK) {
        status = bench_pair_sample(&pair, &sampler, format ? &recording : NULL, o->quiet,
                                   trajectory, err);
        bench_pair_close(&pair);
    }
    scn_trajectory_release(&recording);
    return status;
}

/* --- The command ------------------------------------------------------------------------------ */

/** Returns an option that an import ignores, or NULL if no such option is given. */
static const char *idle_in_import(const trajectory_options *o)
{
    return o->bodies.a                                        ? "a"
           : o->bodies.b                                      ? "b"
           : o->bodies.scale_a != 1 || o->bodies.scale_b != 1 ? "scale-a and --scale-b"
           : o->target                                        ? "target"
           : !isnan(o->lo)                                    ? "lo"
           : !isnan(o->hi)                                    ? "hi"
           : !isnan(o->step)                                  ? "step"
           : o->frames != UINT64_MAX                          ? "frames"
           : o->seed != UINT64_MAX                            ? "seed"
           : o->hold != UINT64_MAX                            ? "hold"
           : o->ways != UINT64_MAX                            ? "ways"
                                                              : NULL;
}

/** Checks that the operands, KIND or KIND FORMAT [FILE], fit the options. Returns -1 if they do,
 * otherwise the exit status. one_more: the second operand. */
static int check_form(const char *kind, int operands, const char *one_more,
                      const trajectory_options *o)
{
    const bool import = strcmp(kind, "import") == 0,
               recorded = import || strcmp(kind, "follow") == 0;
    const bool posed = o->pose_a || o->pose_b, mounted = o->mount_a || o->mount_b;
    const char *const idle = import ? idle_in_import(o) : NULL;
    if (!recorded && (posed || mounted)) {
        return bench_usage_error("--%s are for import and follow, not for %s",
                                 posed ? "pose-a and --pose-b" : "mount-a and --mount-b", kind);
    }
    if (!recorded && operands != 1) {
        return bench_usage_error("trajectory: unexpected operand '%s'", one_more);
    }
    if (idle) {
        return bench_usage_error("trajectory import takes no --%s", idle);
    }
    if (recorded && operands != (posed ? 2 : 3)) {
        return posed ? bench_usage_error("trajectory %s with --pose-a and --pose-b needs FORMAT "
                                         "and no FILE",
                                         kind)
                     : bench_usage_error("trajectory %s needs FORMAT FILE, or FORMAT with --pose-a "
                                         "and --pose-b",
                                         kind);
    }
    if (posed && !(o->pose_a && o->pose_b)) {
        return bench_usage_error("--pose-a and --pose-b go together: --%s is missing",
                                 o->pose_a ? "pose-b" : "pose-a");
    }
    return -1;
}

/** Makes the trajectory. argv: the operands. */
static int make_trajectory(int operands, char **argv, const trajectory_options *o)
{
    static const char *const kinds[] = {"sphere", "grid",     "glide",     "press",    "tumble",
                                        "boxes",  "response", "insertion", "approach", "lattice",
                                        "import", "follow",   NULL};
    char all[128], near[128];
    base_text_choices(kinds, all, sizeof all);
    if (operands == 0) {
        return bench_usage_error("trajectory needs a kind: %s", all);
    }
    size_t kind = 0;
    while (kinds[kind] && strcmp(kinds[kind], argv[0]) != 0) {
        kind++;
    }
    if (!kinds[kind]) {
        base_text_near(argv[0], kinds, near, sizeof near);
        return bench_usage_error("trajectory has no kind '%s' (%s)%s", argv[0], all, near);
    }
    const int wrong = check_form(argv[0], operands, operands > 1 ? argv[1] : "", o);
    if (wrong >= 0) {
        return wrong;
    }
    const bool recorded = operands > 1, import = strcmp(argv[0], "import") == 0;
    const char *const path = operands > 2 ? argv[2] : NULL;
    base_error err = {0};
    scn_trajectory trajectory = {0};
    bench_catch_interrupts();
    base_status status =
        import ? read_motion(o, argv[1], path, &trajectory, &err)
               : sample(o, argv[0], recorded ? argv[1] : NULL, path, &trajectory, &err);
    if (status == BASE_OK) {
        status = bench_trajectory_write(&trajectory, o->out, &err);
    }
    scn_trajectory_release(&trajectory);
    if (status != BASE_OK && bench_interrupted()) {
        return BENCH_INTERRUPTED;
    }
    return status == BASE_OK ? BENCH_GOOD : bench_error(&err);
}

static const bench_usage usage = {
    .usage =
        "trajectory sphere|lattice|grid|glide|press|approach --a MESH --b MESH [--lo X] --hi X "
        "[options]\n"
        "trajectory tumble --a MESH --b MESH [--lo X] [options]\n"
        "trajectory boxes|response|insertion --a MESH --b MESH [options]\n"
        "trajectory import tum|kitti|euroc|pqp|csv FILE [options]\n"
        "trajectory import tum|kitti|euroc|pqp|csv --pose-a FILE --pose-b FILE [options]\n"
        "trajectory follow tum|kitti|euroc|pqp|csv FILE --a MESH --b MESH [--lo X] --hi X "
        "[options]",
    .summary =
        "Makes a trajectory of B in A's frame, as CSV: metres, seconds, unit quaternions.\n"
        "\n"
        "  sphere  independent poses with distances or volumes (--target) from --lo to --hi:\n"
        "          B approaches from directions all around, in random orientations\n"
        "  lattice the same, in directions and orientations that are multiples of 15 degrees:\n"
        "          drawn from 1,991,808, each of which occurs once before one is repeated\n"
        "  grid    independent poses at these values, also inside of cavities\n"
        "  glide   around A while the value goes from --lo to --hi and back\n"
        "  press   approach, penetrate, retract\n"
        "  approach\n"
        "          straight in at constant velocity, once or from several sides\n"
        "  tumble  full turns at a fixed distance of the centres\n"
        "  boxes   two boxes at positions where faces, edges and corners meet\n"
        "  response\n"
        "          two generated bodies on a path on which every force is known: bore and "
        "pin,\n"
        "          box and cone, box and sphere, box and cube, channel and cube, or sphere\n"
        "          and box\n"
        "  insertion\n"
        "          a peg is put into a hole and drawn out, and is shaken on the way: bore and\n"
        "          pin, or channel and box\n"
        "  import  the motion of a recording, not fitted to a pair\n"
        "  follow  the motion of a recording, fitted to the pair: resampled to 1 kHz,\n"
        "          and slowed down where B moves more than --step per frame. B turns as in the\n"
        "          recording. Across the line from A to B, it also moves as in the recording.\n"
        "          Its position along this line is solved, so that the value goes from --lo\n"
        "          to --hi and back in the course of --frames.\n"
        "          The trajectory ends with the recording or with --frames, whichever is "
        "first\n"
        "\n"
        "sphere, lattice and grid leave out a frame for which no pose is found, with a warning.",
    .notes = "Formats of recordings, positions in metres:\n"
             "  tum    t x y z qx qy qz qw per line; t in seconds\n"
             "  kitti  12 numbers per line, the rows of [R T]; 0.1 s per frame\n"
             "  euroc  t,x,y,z,qw,qx,qy,qz,... per line; t in whole nanoseconds, converted to\n"
             "         seconds since the first frame\n"
             "  pqp    the number of frames, then for each frame the three rows of R and the\n"
             "         row T; 0.1 s per frame\n"
             "  csv    the format of this suite\n"
             "\n"
             "Two tracked bodies: --pose-a and --pose-b are recordings Wa and Wb of their "
             "trackers in one world. --mount-a and --mount-b are Ma and Mb, the poses of the "
             "bodies in their trackers' frames. B's pose in A's frame is inverse(Wa Ma) Wb Mb. It "
             "is computed at each time of Wa that is within the times of Wb. Wb is interpolated "
             "(straight lines, shortest arcs). "
             "With one FILE, Wa is the identity.\n"
             "\n"
             "Examples:\n"
             "  proxbench trajectory sphere --a bolt --b nut --lo 0.01 --hi 0.3 --out far.csv\n"
             "  proxbench trajectory import tum --pose-a head.tum --pose-b hand.tum --out t.csv",
};

int bench_cmd_trajectory(int argc, char **argv)
{
    trajectory_options o = {.bodies = BENCH_BODIES_DEFAULT,
                            .lo = NAN,
                            .hi = NAN,
                            .step = NAN,
                            .frames = UINT64_MAX,
                            .seed = UINT64_MAX,
                            .hold = UINT64_MAX,
                            .ways = UINT64_MAX};
    const bench_option options[] = {
        BENCH_BODIES_OPTIONS(o.bodies),
        BENCH_OPTION("target", "distance|volume", &o.target,
                     "the quantity of --lo and --hi (default: distance)"),
        BENCH_OPTION("lo", "X", &o.lo,
                     "smallest value: a distance in diagonals of A's box, up to 1000, or a volume "
                     "as a fraction of the smaller body, up to 1 (default: 0)"),
        BENCH_OPTION("hi", "X", &o.hi, "largest value"),
        BENCH_OPTION("frames", "N", &o.frames,
                     "number of frames (default: 100; press: or as many as --step needs)"),
        BENCH_OPTION("seed", "N", &o.seed, "seed of all random numbers (default: 1)"),
        BENCH_OPTION("step", "X", &o.step,
                     "glide, press and follow: largest motion of B's surface per frame, as a "
                     "fraction of A's longest box edge, 1e-6 to 1 (default: 0.01)"),
        BENCH_OPTION(
            "hold", "N", &o.hold,
            "sphere, lattice, grid, glide and follow: number of frames at each pose, 1 to 100; "
            "--frames is then the number of poses (default: 1)"),
        BENCH_OPTION("ways", "N", &o.ways,
                     "approach: number of directions, 1 to 1000; --frames is divided among them "
                     "(default: 1)"),
        BENCH_OPTION("pose-a", "FILE", &o.pose_a, "recorded poses of A's tracker in the world"),
        BENCH_OPTION("pose-b", "FILE", &o.pose_b,
                     "recorded poses of B's tracker, with the same clock"),
        BENCH_OPTION("mount-a", "x,y,z,qx,qy,qz,qw", &o.mount_a,
                     "pose of A in its tracker's frame"),
        BENCH_OPTION("mount-b", "x,y,z,qx,qy,qz,qw", &o.mount_b,
                     "pose of B in its tracker's frame"),
        BENCH_OPTION("out", "FILE", &o.out, "write to FILE instead of standard output"),
        BENCH_OPTION("quiet", NULL, &o.quiet, "no progress"),
        BENCH_OPTION_END,
    };
    int operands;
    const int ended = bench_parse(argc, argv, options, &usage, &operands);
    return ended >= 0 ? ended : make_trajectory(operands, argv + 1, &o);
}
