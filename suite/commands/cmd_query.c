#include "suite/inputs/plugin.h"
#include "suite/run/run.h"

#include "geometry/csv.h"
#include "geometry/pose.h"
#include "geometry/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct query_options {
    const char *algorithm, *a, *b, *pose, *quantity;
    bench_texts plugins;
    uint64_t seed;
} query_options;

/* --- Reading the question -----------------------------------------------------------------------
 */

enum { POSE_NUMBERS = 7 };

/** One number of a pose; moves *text behind it and its comma or blanks. */
static bool parse_pose_number(const char **text, double *number)
{
    char word[64];
    const size_t length = strcspn(*text, ", \t");
    if (length >= sizeof word) {
        return false;
    }
    memcpy(word, *text, length);
    word[length] = '\0';
    *text += length;
    *text += strspn(*text, " \t");
    *text += **text == ',';
    *text += strspn(*text, " \t");
    return geo_text_number(word, number);
}

/** --pose "x,y,z,qx,qy,qz,qw", or the same as operands. */
static geo_status parse_pose(const query_options *o, int operands, char **argv, vec3 *position,
                             geo_quat *orientation, geo_error *err)
{
    if (o->pose ? operands != 0 : operands != POSE_NUMBERS) {
        return geo_fail(err, GEO_ERR_ARGUMENT,
                        "a pose is needed: --pose \"x,y,z,qx,qy,qz,qw\", or seven operands");
    }
    double n[POSE_NUMBERS];
    const char *text = o->pose;
    for (int i = 0; i < POSE_NUMBERS; i++) {
        if (!(o->pose ? parse_pose_number(&text, &n[i]) : geo_text_number(argv[i], &n[i]))) {
            return geo_fail(err, GEO_ERR_ARGUMENT, "pose '%s': number %d of 7 is missing or none",
                            o->pose ? o->pose : argv[i], i + 1);
        }
    }
    if (o->pose && *text) {
        return geo_fail(err, GEO_ERR_ARGUMENT, "pose '%s': more than 7 numbers", o->pose);
    }
    const double length = sqrt(n[3] * n[3] + n[4] * n[4] + n[5] * n[5] + n[6] * n[6]);
    if (fabs(length - 1) > 1e-3) {
        return geo_fail(err, GEO_ERR_ARGUMENT, "pose: length of the quaternion is %g instead of 1",
                        length);
    }
    *position = vec3_make(n[0], n[1], n[2]);
    *orientation = (geo_quat){n[3], n[4], n[5], n[6]};
    return GEO_OK;
}

static bool answers(const alg_variant *variant, alg_quantity quantity)
{
    return variant->algorithm->contract(&variant->settings, quantity) != ALG_NOT_ANSWERED;
}

/** What --quantity says; without it the first that the variant answers, or distance. */
static geo_status parse_wanted(const query_options *o, const alg_variant *variant, unsigned *wanted,
                               geo_error *err)
{
    if (!o->quantity) {
        int first = ALG_DISTANCE;
        while (first < ALG_QUANTITY_COUNT && !answers(variant, (alg_quantity)first)) {
            first++;
        }
        *wanted = first < ALG_QUANTITY_COUNT ? 1u << first : (unsigned)ALG_WANT_DISTANCE;
        return GEO_OK;
    }
    const geo_status status = bench_quantities_parse(o->quantity, wanted, err);
    for (int quantity = 0; status == GEO_OK && quantity < ALG_QUANTITY_COUNT; quantity++) {
        const unsigned bit = 1u << quantity;
        if ((*wanted & bit) && !answers(variant, (alg_quantity)quantity)) {
            return geo_fail(err, GEO_ERR_ARGUMENT, "'%s' does not answer %s", variant->name,
                            bench_quantities_name(bit));
        }
    }
    return status;
}

/* --- Asking
 * --------------------------------------------------------------------------------------- */

/** unsupported: the status of ALG_UNSUPPORTED, which a body or the question may have caused. */
static geo_status fail_as(const alg_variant *variant, alg_status status, geo_status unsupported,
                          const alg_message *message, geo_error *err)
{
    const geo_status own = status == ALG_UNSUPPORTED     ? unsupported
                           : status == ALG_OUT_OF_MEMORY ? GEO_ERR_MEMORY
                                                         : GEO_ERR_SYSTEM;
    return geo_fail(err, own, "'%s': %s", variant->name, message->text);
}

static geo_status check_solids(const alg_variant *variant, const bench_body *body, geo_error *err)
{
    if (!(variant->algorithm->flags & ALG_NEEDS_SOLIDS) || body->report.solid) {
        return GEO_OK;
    }
    return geo_fail(err, GEO_ERR_INPUT, "'%s' needs solids, and '%s' is none", variant->name,
                    body->reference);
}

/** Prepares, binds, asks once and takes everything down again. */
static geo_status ask(const alg_variant *variant, const bench_pair *pair, unsigned wanted,
                      const geo_pose *pose, alg_answer *answer, geo_error *err)
{
    const alg *const algorithm = variant->algorithm;
    const alg_settings *const settings = &variant->settings;
    void *fixed = NULL, *moving = NULL, *state = NULL;
    alg_build_info info;
    alg_message message = {""};
    geo_status unsupported = GEO_ERR_INPUT;
    alg_status status =
        algorithm->prepare(settings, &pair->a.view, ALG_FIXED, &fixed, &info, &message);
    if (status == ALG_OK) {
        status = algorithm->prepare(settings, &pair->b.view, ALG_MOVING, &moving, &info, &message);
    }
    if (status == ALG_OK) {
        unsupported = GEO_ERR_ARGUMENT;
        status = algorithm->bind(settings, fixed, moving, wanted, &state, &message);
    }
    if (status == ALG_OK) {
        if (algorithm->reset) {
            algorithm->reset(state);
        }
        *answer = (alg_answer){.size = sizeof *answer};
        algorithm->query(state, pose, answer);
        algorithm->release(state);
    }
    if (moving) {
        algorithm->dispose(moving);
    }
    if (fixed) {
        algorithm->dispose(fixed);
    }
    return status == ALG_OK ? GEO_OK : fail_as(variant, status, unsupported, &message, err);
}

/* --- Printing the answer
 * -------------------------------------------------------------------------- */

static void put_text(geo_csv_writer *writer, const char *name, const char *value)
{
    geo_csv_put_text(writer, name);
    geo_csv_put_text(writer, value);
    geo_csv_end(writer);
}

static void put_number(geo_csv_writer *writer, const char *name, double value)
{
    geo_csv_put_text(writer, name);
    geo_csv_put_number(writer, value);
    geo_csv_end(writer);
}

/** Three rows; name has an x in the place of the axis: "nx", "witness_ax_m". */
static void put_vector(geo_csv_writer *writer, const char *prefix, const char *suffix, vec3 v)
{
    for (int axis = 0; axis < 3; axis++) {
        char name[64];
        snprintf(name, sizeof name, "%s%c%s", prefix, "xyz"[axis], suffix);
        put_number(writer, name, vec3_get(v, axis));
    }
}

static const char *outcome_name(alg_outcome outcome)
{
    static const char *const names[] = {"unset", "converged", "budget reached", "degenerate"};
    return outcome <= ALG_DEGENERATE ? names[outcome] : "unknown";
}

static void put_counters(geo_csv_writer *writer, const alg *algorithm, const alg_answer *answer)
{
    for (size_t i = 0; algorithm->counters && i < ALG_COUNTERS_MAX && algorithm->counters[i]; i++) {
        geo_csv_put_text(writer, algorithm->counters[i]);
        geo_csv_put_count(writer, answer->counters[i]);
        geo_csv_end(writer);
    }
}

/** Names as in the columns of a run's frames; points in A's frame as it is in its file. */
static void print_answer(const alg_variant *variant, vec3 centre_a, const alg_answer *answer)
{
    geo_csv_writer writer = {.file = stdout};
    const uint32_t has = answer->answered;
    put_text(&writer, "name", "value");
    put_text(&writer, "variant", variant->name);
    put_text(&writer, "outcome", outcome_name(answer->outcome));
    put_number(&writer, "colliding", answer->colliding);
    if (has & ALG_HAS_DISTANCE) {
        put_number(&writer, "distance_m", answer->distance_m);
    }
    if (has & ALG_HAS_WITNESS) {
        put_vector(&writer, "witness_a", "_m", vec3_add(answer->witness_a, centre_a));
        put_vector(&writer, "witness_b", "_m", vec3_add(answer->witness_b, centre_a));
    }
    if (has & ALG_HAS_VOLUME) {
        put_number(&writer, "volume_m3", answer->volume_m3);
    }
    if (has & ALG_HAS_DEPTH) {
        put_number(&writer, "depth_m", answer->depth_m);
        put_vector(&writer, "n", "", answer->direction);
    }
    if (has & ALG_HAS_FORCE) {
        char suffix[32];
        const char *const unit = variant->algorithm->force_unit;
        snprintf(suffix, sizeof suffix, "_%s", unit ? unit : "");
        put_vector(&writer, "f", suffix, answer->force);
        snprintf(suffix, sizeof suffix, "_%s%s", unit ? unit : "", unit ? "_m" : "");
        put_vector(&writer, "t", suffix, answer->torque);
    }
    put_counters(&writer, variant->algorithm, answer);
}

static geo_status query(const query_options *o, int operands, char **argv, int *exit_status,
                        geo_error *err)
{
    if (!o->algorithm || !o->a || !o->b) {
        return geo_fail(err, GEO_ERR_ARGUMENT, "--algorithm, --a and --b are needed");
    }
    geo_status status = bench_plugins_load(&o->plugins, err);
    if (status != GEO_OK) {
        return status;
    }
    alg_variant variant;
    alg_message message;
    if (alg_variant_parse(o->algorithm, o->seed, &variant, &message) != ALG_OK) {
        return geo_fail(err, GEO_ERR_ARGUMENT, "%s", message.text);
    }
    unsigned wanted = 0;
    vec3 position;
    geo_quat orientation;
    status = parse_wanted(o, &variant, &wanted, err);
    if (status == GEO_OK) {
        status = parse_pose(o, operands, argv, &position, &orientation, err);
    }
    bench_pair pair;
    if (status == GEO_OK) {
        status = bench_pair_open(o->a, o->b, &pair, err);
    }
    if (status != GEO_OK) {
        return status;
    }
    alg_answer answer;
    const geo_pose pose = bench_pair_pose(&pair, position, orientation);
    status = check_solids(&variant, &pair.a, err);
    if (status == GEO_OK) {
        status = check_solids(&variant, &pair.b, err);
    }
    if (status == GEO_OK) {
        status = ask(&variant, &pair, wanted, &pose, &answer, err);
    }
    if (status == GEO_OK) {
        print_answer(&variant, pair.centre_a, &answer);
        *exit_status = bench_answer_finite(&answer) ? BENCH_GOOD : BENCH_WRONG;
    }
    bench_pair_close(&pair);
    return status;
}

int bench_cmd_query(int argc, char **argv)
{
    query_options o = {.seed = 1};
    const bench_option options[] = {
        BENCH_OPTION("algorithm", "VARIANT", &o.algorithm,
                     "such as \"ist:voxels=64\"; see 'proxbench list algorithms'"),
        BENCH_OPTION("a", "MESH", &o.a, "fixed body: a model or a mesh file"),
        BENCH_OPTION("b", "MESH", &o.b, "moving body"),
        BENCH_OPTION("pose", "x,y,z,qx,qy,qz,qw", &o.pose, "of B in A's frame"),
        BENCH_OPTION("quantity", "distance|volume|contact|unified", &o.quantity,
                     "what to ask; without it the first that VARIANT answers"),
        BENCH_OPTION("plugin", "[LABEL=]FILE", &o.plugins, BENCH_PLUGIN_HELP),
        BENCH_OPTION("seed", "N", &o.seed, "of the algorithm's randomness"),
        BENCH_OPTION_END,
    };
    const bench_usage usage = {
        .usage = "query --algorithm VARIANT --a MESH --b MESH --pose POSE [options]\n"
                 "query --algorithm VARIANT --a MESH --b MESH [options] x y z qx qy qz qw",
        .summary =
            "Asks one variant about one pose and prints its answer as rows name,value, under the\n"
            "column names of a run.",
        .notes =
            "Exit status: 1 for an answer that is not a number, 2 when the variant does not "
            "answer\n"
            "the question, 3 when it cannot take a mesh.\n\n"
            "Example:\n  proxbench query --algorithm ist --a bolt --b nut --pose 0.2,0,0,0,0,0,1",
    };
    int operands;
    const int ended = bench_parse(argc, argv, options, &usage, &operands);
    if (ended >= 0) {
        return ended;
    }
    int exit_status = BENCH_GOOD;
    geo_error err = {0};
    if (query(&o, operands, argv + 1, &exit_status, &err) != GEO_OK) {
        return bench_error(&err);
    }
    return exit_status;
}
