#include "suite/commands/commands.h"
#include "suite/inputs/plugin.h"
#include "suite/message.h"
#include "suite/output.h"
#include "suite/replay/picture.h"
#include "suite/replay/replay.h"
#include "suite/results/frames.h"
#include "suite/results/run_folder.h"
#include "suite/share.h"

#include <string.h>

typedef struct replay_options {
    const char *run, *scenario, *variant, *frame, *obj, *out, *cache;
    const char *picture, *layers, *view;
    bench_texts plugins;
    uint64_t contacts, spheres, width;
    bool no_cache;
} replay_options;

/** A frame that is asked again. */
typedef struct replay {
    const replay_options *options;
    bench_replay asked;
    bench_field fields[BENCH_FIELDS_MAX];
    size_t field_count;
    bench_scene_counts drawn;
} replay;

/* --- Drawing ---------------------------------------------------------------------------------- */

enum { REGIONS_MAX = 1000 };

static size_t contacts_drawn(const replay *r)
{
    return bench_buffer_count(&r->asked.solo.buffers, BENCH_LIST_CONTACTS, &r->asked.listed);
}

static base_status draw_picture(replay *r, const bench_scene *scene, base_error *err)
{
    const replay_options *const o = r->options;
    const unsigned width = (unsigned)o->width;
    const bench_area all = {0, 0, width, width * 3 / 4};
    bench_panel panel = {.layers = o->layers, .spheres = o->spheres, .zoom = 1};
    bench_canvas canvas;
    base_status status = bench_view_parse(o->view, &panel.view, err);
    if (status != BASE_OK) {
        return status;
    }
    status = bench_canvas_open(all.width, all.height, &canvas, err);
    if (status == BASE_OK) {
        r->drawn = (bench_scene_counts){0};
        status = bench_panel_draw(scene, &panel, &canvas, all, &r->drawn, err);
    }
    if (status == BASE_OK) {
        status = bench_canvas_save(&canvas, o->picture, err);
    }
    bench_canvas_close(&canvas);
    return status;
}

/** Writes the OBJ and the picture. */
static base_status draw(replay *r, base_error *err)
{
    bench_scene scene = bench_replay_scene(&r->asked);
    scene.spheres_most = r->options->spheres;
    base_status status = BASE_OK;
    if (r->options->obj) {
        status = bench_scene_write(&scene, r->options->obj, &r->drawn, err);
    }
    return status == BASE_OK && r->options->picture ? draw_picture(r, &scene, err) : status;
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
    for (size_t column = 0; column < r->asked.past.frames.columns; column++) {
        const char *const name = r->asked.past.frames.cells[column];
        bool answer = strcmp(name, "frame") == 0;
        for (size_t i = 0; i < r->field_count && !answer; i++) {
            answer = strcmp(r->fields[i].name, name) == 0;
        }
        const char *const recorded = bench_past_text(&r->asked.past, r->asked.frame, name);
        if (!answer && *recorded) {
            put_row(w, name, NULL, recorded);
        }
    }
}

static void print_drawn(const replay *r, base_csv_writer *w)
{
    if ((r->asked.listed.answered & ALG_HAS_CONTACTS) && r->options->contacts > 0) {
        put_count(w, "contacts_found_count", r->asked.listed.contact_count);
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
    put_row(&w, "scenario", r->asked.past.cell->scenario, r->asked.past.cell->scenario);
    put_row(&w, "variant", r->asked.variant.name, r->asked.past.cell->variant);
    put_count(&w, "frame", r->asked.frame);
    put_count(&w, "frames_asked_before_count", r->asked.asked_before);
    put_row(&w, "compared", compared, NULL);
    put_row(&w, "outcome", bench_outcome_name(r->asked.answer.outcome), NULL);
    for (size_t i = 0; i < r->field_count; i++) {
        const bench_field *const field = &r->fields[i];
        const char *const recorded = bench_past_text(&r->asked.past, r->asked.frame, field->name);
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
        const char *const recorded =
            bench_past_text(&r->asked.past, r->asked.frame, r->fields[i].name);
        if (recorded && !r->fields[i].timed && strcmp(recorded, r->fields[i].text) != 0 &&
            used < sizeof differing) {
            used += (size_t)snprintf(differing + used, sizeof differing - used, "%s%s",
                                     used ? ", " : "", r->fields[i].name);
        }
    }
    const bool has_record = r->asked.past.frames.columns > 0, differs = has_record && used > 0;
    const base_status status = print(r,
                                     !has_record ? "nothing recorded"
                                     : differs   ? "different"
                                                 : "equal",
                                     err);
    if (status != BASE_OK) {
        return status;
    }
    const bool gated = !alg_variant_reads_clock(&r->asked.variant);
    if (differs && gated) {
        bench_warn("frame %zu of '%s' is not answered as recorded: %s", r->asked.frame,
                   r->asked.past.cell->variant, differing);
    }
    *exit_status =
        (differs && gated) || !bench_answer_finite(&r->asked.answer) ? BENCH_WRONG : BENCH_GOOD;
    return BASE_OK;
}

/* --- The command ------------------------------------------------------------------------------ */

static base_status run_replay(replay *r, int *exit_status, base_error *err)
{
    const replay_options *const o = r->options;
    const bool drawn = o->obj || o->picture;
    const uint32_t most = o->contacts < UINT32_MAX ? (uint32_t)o->contacts : UINT32_MAX;
    base_status status = bench_plugins_load(&o->plugins, err);
    if (status == BASE_OK && o->picture) {
        status = bench_picture_check_suffix(o->picture, err);
    }
    if (status == BASE_OK) {
        status = bench_layers_check(o->layers, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    const bench_replay_request wanted = {.run = o->run,
                                         .scenario = o->scenario,
                                         .variant = o->variant,
                                         .frame = o->frame,
                                         .contacts_max = drawn ? most : 0,
                                         .regions_max = o->picture ? REGIONS_MAX : 0,
                                         .cache =
                                             o->no_cache ? NULL : bench_cache_directory(o->cache)};
    status = bench_replay_open(&wanted, &r->asked, err);
    if (status == BASE_OK) {
        r->field_count = bench_answer_fields(r->asked.variant.algorithm, r->asked.pair.centre_a,
                                             &r->asked.answer, r->fields);
    }
    if (status == BASE_OK && drawn) {
        status = draw(r, err);
    }
    return status == BASE_OK ? report(r, exit_status, err) : status;
}

int bench_cmd_replay(int argc, char **argv)
{
    replay_options o = {.contacts = 1000,
                        .spheres = 2000,
                        .layers = BENCH_LAYERS_USUAL,
                        .view = BENCH_VIEW_USUAL,
                        .width = 1000};
    const bench_option options[] = {
        BENCH_OPTION("scenario", "NAME", &o.scenario, "name in the run's cells.csv"),
        BENCH_OPTION("variant", "NAME", &o.variant,
                     "name in the run's cells.csv; NAME@twin is a second copy of NAME"),
        BENCH_OPTION("frame", "N", &o.frame,
                     "index from 0; or worst-time, worst-error or deepest of the recorded frames "
                     "(time_min_ns; error of the distance relative to the size, of the volume "
                     "relative to the truth; volume or depth)"),
        BENCH_OPTION("out", "FILE", &o.out, "write the rows to FILE instead of standard output"),
        BENCH_OPTION("obj", "FILE", &o.obj, "write both bodies at their poses as an OBJ"),
        BENCH_OPTION("picture", "FILE.png", &o.picture, "draw a shaded picture of the frame"),
        BENCH_OPTION("layers", "LIST", &o.layers, BENCH_LAYERS_HELP),
        BENCH_OPTION("view", "AZIMUTH,ELEVATION", &o.view, BENCH_VIEW_HELP),
        BENCH_OPTION_WITHIN("width", "PIXELS", &o.width, 16, BENCH_CANVAS_MAX,
                            "width of the picture; the height is 3/4 of it"),
        BENCH_OPTION("contacts", "N", &o.contacts,
                     "largest number of contacts in the OBJ and the picture"),
        BENCH_OPTION("spheres", "N", &o.spheres,
                     "largest number of spheres of a body in them; the largest spheres are taken"),
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
    bench_replay_close(&r.asked);
    return status == BASE_OK ? exit_status : bench_error(&err);
}
