#include "base/memory.h"
#include "suite/commands/commands.h"
#include "suite/inputs/plugin.h"
#include "suite/message.h"
#include "suite/output.h"
#include "suite/replay/replay.h"
#include "suite/replay/solo.h"
#include "suite/results/frames.h"
#include "suite/results/run_folder.h"
#include "suite/share.h"

#include <string.h>

typedef struct replay_options {
    const char *run, *scenario, *variant, *frame, *obj, *out, *cache;
    bench_texts plugins;
    uint64_t contacts, spheres;
    bool no_cache;
} replay_options;

/** A frame that is asked again. */
typedef struct replay {
    const replay_options *options;
    bench_past past;
    alg_variant variant;
    bench_pair pair;
    geo_pose *poses; /* of all frames */
    size_t frame;
    size_t asked_before; /* number of earlier frames that were asked first */
    bench_solo solo;
    alg_answer answer;
    bench_field fields[BENCH_FIELDS_MAX];
    size_t field_count;
    alg_answer listed; /* the same answer, with contacts; zeroed if not asked */
    bench_scene_counts drawn;
} replay;

/* --- The variant ------------------------------------------------------------------------------ */

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

static base_status find_variant(replay *r, base_error *err)
{
    char name[sizeof r->variant.name], section[sizeof name + 16];
    alg_message message;
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

/* --- Asking ----------------------------------------------------------------------------------- */

/**
 * Asks the frame. If the variant keeps state, all earlier frames are asked first, so that the state
 * is that of the run.
 */
static base_status ask_frame(replay *r, base_error *err)
{
    const replay_options *const o = r->options;
    const uint32_t most = o->contacts < UINT32_MAX ? (uint32_t)o->contacts : UINT32_MAX;
    const alg_request request = {
        .size = sizeof request, .wanted = r->past.quantities, .contacts_max = o->obj ? most : 0};
    const base_status status =
        bench_solo_open(&r->variant, &r->pair, &request,
                        o->no_cache ? NULL : bench_cache_directory(o->cache), &r->solo, err);
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
    r->field_count =
        bench_answer_fields(r->variant.algorithm, r->pair.centre_a, &r->answer, r->fields);
    return BASE_OK;
}

static size_t contacts_drawn(const replay *r)
{
    return bench_buffer_count(&r->solo.buffers, BENCH_LIST_CONTACTS, &r->listed);
}

/** Writes the OBJ. */
static base_status draw(replay *r, base_error *err)
{
    char fault[BENCH_FAULT_BYTES];
    if (!bench_solo_ask_details(&r->solo, &r->poses[r->frame], &r->listed, fault)) {
        bench_warn("'%s' has answered wrongly: %s", r->variant.name, fault);
    }
    const bench_scene scene = {.pair = &r->pair,
                               .frame = &r->past.trajectory.frames[r->frame],
                               .solo = &r->solo,
                               .answer = &r->answer,
                               .contacts = bench_buffer_contacts(&r->solo.buffers),
                               .contact_count = contacts_drawn(r),
                               .spheres_most = r->options->spheres};
    return bench_scene_write(&scene, r->options->obj, &r->drawn, err);
}

/* --- Output ----------------------------------------------------------------------------------- */

static void put_row(base_csv_writer *w, const char *name, const char *value, const char *recorded)
{
    base_csv_put_text(w, name);
    base_csv_put_text(w, value);
    base_csv_put_text(w, recorded);
    base_csv_end(w);
}

static void put_count(base_csv_writer *w, const char *name, uint64_t value)
{
    base_csv_put_text(w, name);
    base_csv_put_count(w, value);
    base_csv_put_empty(w);
    base_csv_end(w);
}

/** Prints the columns that are not part of the answer: truth, errors, verdict, times. */
static void print_judgement(const replay *r, base_csv_writer *w)
{
    for (size_t column = 0; column < r->past.frames.columns; column++) {
        const char *const name = r->past.frames.cells[column];
        bool answer = strcmp(name, "frame") == 0;
        for (size_t i = 0; i < r->field_count && !answer; i++) {
            answer = strcmp(r->fields[i].name, name) == 0;
        }
        const char *const recorded = bench_past_text(&r->past, r->frame, name);
        if (!answer && *recorded) {
            put_row(w, name, NULL, recorded);
        }
    }
}

static void print_drawn(const replay *r, base_csv_writer *w)
{
    if ((r->listed.answered & ALG_HAS_CONTACTS) && r->options->contacts > 0) {
        put_count(w, "contacts_found_count", r->listed.contact_count);
        put_count(w, "contacts_drawn_count", contacts_drawn(r));
    }
    for (int role = 0; role < 2; role++) {
        char name[40];
        if (r->drawn.spheres[role] > 0) {
            snprintf(name, sizeof name, "spheres_%c_count", "ab"[role]);
            put_count(w, name, r->drawn.spheres[role]);
            snprintf(name, sizeof name, "spheres_%c_drawn_count", "ab"[role]);
            put_count(w, name, r->drawn.drawn[role]);
        }
    }
}

static base_status print(const replay *r, const char *compared, base_error *err)
{
    bench_output output;
    base_status status = bench_output_open(r->options->out, &output, err);
    if (status != BASE_OK) {
        return status;
    }
    base_csv_writer w = {.file = output.file};
    put_row(&w, "name", "value", "recorded");
    put_row(&w, "scenario", r->past.cell->scenario, r->past.cell->scenario);
    put_row(&w, "variant", r->variant.name, r->past.cell->variant);
    put_count(&w, "frame", r->frame);
    put_count(&w, "frames_asked_before_count", r->asked_before);
    put_row(&w, "compared", compared, NULL);
    put_row(&w, "outcome", bench_outcome_name(r->answer.outcome), NULL);
    for (size_t i = 0; i < r->field_count; i++) {
        const bench_field *const field = &r->fields[i];
        const char *const recorded = bench_past_text(&r->past, r->frame, field->name);
        if (field->answered || (recorded && *recorded)) {
            put_row(&w, field->name, field->text, recorded);
        }
    }
    print_judgement(r, &w);
    print_drawn(r, &w);
    return bench_output_close(&output, BASE_OK, err);
}

/** Prints the answer and the differences. Sets the exit status. */
static base_status report(const replay *r, int *exit_status, base_error *err)
{
    char differing[2048] = ""; /* names of the columns that differ, as text of 17 digits */
    size_t used = 0;
    for (size_t i = 0; i < r->field_count; i++) {
        const char *const recorded = bench_past_text(&r->past, r->frame, r->fields[i].name);
        if (recorded && strcmp(recorded, r->fields[i].text) != 0 && used < sizeof differing) {
            used += (size_t)snprintf(differing + used, sizeof differing - used, "%s%s",
                                     used ? ", " : "", r->fields[i].name);
        }
    }
    const bool has_record = r->past.frames.columns > 0, differs = has_record && used > 0;
    const base_status status = print(r,
                                     !has_record ? "nothing recorded"
                                     : differs   ? "different"
                                                 : "equal",
                                     err);
    if (status != BASE_OK) {
        return status;
    }
    const bool gated = !alg_variant_reads_clock(&r->variant);
    if (differs && gated) {
        bench_warn("frame %zu of '%s' is not answered as recorded: %s", r->frame,
                   r->past.cell->variant, differing);
    }
    *exit_status =
        (differs && gated) || !bench_answer_finite(&r->answer) ? BENCH_WRONG : BENCH_GOOD;
    return BASE_OK;
}

/* --- The command ------------------------------------------------------------------------------ */

static base_status run_replay(replay *r, int *exit_status, base_error *err)
{
    const replay_options *const o = r->options;
    char variant[BENCH_CONTESTANT_NAME_BYTES] = "";
    base_status status = bench_plugins_load(&o->plugins, err);
    canonical_name(o->variant ? o->variant : "", variant, sizeof variant);
    if (status == BASE_OK) {
        status = bench_past_open(o->run, o->scenario, o->variant ? variant : NULL, &r->past, err);
    }
    if (status == BASE_OK) {
        status = bench_past_frame(&r->past, o->frame, &r->frame, err);
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
    if (status == BASE_OK) {
        status = ask_frame(r, err);
    }
    if (status == BASE_OK && o->obj) {
        status = draw(r, err);
    }
    return status == BASE_OK ? report(r, exit_status, err) : status;
}

int bench_cmd_replay(int argc, char **argv)
{
    replay_options o = {.contacts = 1000, .spheres = 2000};
    const bench_option options[] = {
        BENCH_OPTION("scenario", "NAME", &o.scenario, "name in the run's cells.csv"),
        BENCH_OPTION("variant", "NAME", &o.variant,
                     "name in the run's cells.csv; NAME@twin is a second copy of NAME"),
        BENCH_OPTION("frame", "N", &o.frame,
                     "index from 0; or worst-time or worst-error of the recorded frames "
                     "(time_min_ns; error of the distance relative to the size, of the volume "
                     "relative to the truth)"),
        BENCH_OPTION("out", "FILE", &o.out, "write the rows to FILE instead of standard output"),
        BENCH_OPTION("obj", "FILE", &o.obj, "write both bodies at their poses as an OBJ"),
        BENCH_OPTION("contacts", "N", &o.contacts, "largest number of contacts in the OBJ"),
        BENCH_OPTION(
            "spheres", "N", &o.spheres,
            "largest number of spheres of a body in the OBJ; the largest spheres are taken"),
        BENCH_OPTION("plugin", "[LABEL=]FILE", &o.plugins, BENCH_PLUGIN_HELP),
        BENCH_OPTION("cache", "DIR", &o.cache, "folder of built bodies"),
        BENCH_DATA_OPTION,
        BENCH_OPTION("no-cache", NULL, &o.no_cache, "neither read nor write the cache"),
        BENCH_OPTION_END,
    };
    const bench_usage usage = {
        .usage = "replay RUN --scenario NAME --variant NAME --frame N [options]",
        .summary =
            "Queries one frame of a run again and compares the answer with the recorded one, bit "
            "by bit, as rows name,value,recorded. RUN is a folder, or the name of a folder in "
            "results/. Bodies, poses, seed and quantities are those of the run, which is checked "
            "by hashes.\n"
            "\n"
            "The frame is queried in this process, without a worker and without limits, so that "
            "a debugger can be used. For a variant that keeps state, the frames before it are "
            "queried first, from the reset state. --scenario and --variant are optional if the "
            "run has only one.",
        .notes =
            "Groups of the OBJ, in A's frame as in its file: A, B; witness and truth_witness, "
            "the answered and the true nearest points; contacts, with normals; spheres_a and "
            "spheres_b of an algorithm that consists of spheres.\n"
            "\n"
            "Exit status: 1 if an answer differs from the recorded one, or is not a number.\n"
            "\n"
            "Examples:\n"
            "  proxbench replay results/bench --scenario bolt --variant ist --frame worst-error\n"
            "  gdb --args proxbench replay bench --scenario bolt --variant ist --frame 17",
    };
    int operands;
    const int ended = bench_parse(argc, argv, options, &usage, &operands);
    if (ended >= 0) {
        return ended;
    }
    if (operands != 1 || !o.frame) {
        return bench_usage_error("replay needs one RUN and --frame");
    }
    if (o.obj && strcmp(o.obj, "-") == 0 && (!o.out || strcmp(o.out, "-") == 0)) {
        return bench_usage_error("--obj - and the rows would mix: --out FILE is needed");
    }
    o.run = argv[1];
    replay r = {.options = &o};
    int exit_status = BENCH_GOOD;
    base_error err = {0};
    const base_status status = run_replay(&r, &exit_status, &err);
    if (r.solo.variant) {
        bench_solo_close(&r.solo);
    }
    base_free(r.poses);
    bench_pair_close(&r.pair);
    bench_past_close(&r.past);
    return status == BASE_OK ? exit_status : bench_error(&err);
}
