#include "suite/score/export.h"

#include "base/csv.h"
#include "base/file.h"
#include "base/memory.h"
#include "scenarios/models/models.h"
#include "suite/inputs/experiment.h"
#include "suite/results/run_folder.h"
#include "suite/results/truth.h"
#include "suite/share.h"
#include "suite/build_info.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* --- Facts ------------------------------------------------------------------------------------ */

static const bench_column fact_columns[] = {
    BENCH_COLUMN("key", KEY, "", FACT, bench_set_fact, key, 0, "", "name of the fact"),
    BENCH_COLUMN("value", TEXT, "", FACT, bench_set_fact, value, 0, "", "its value"),
};
const bench_columns bench_set_fact_columns = {fact_columns,
                                              sizeof fact_columns / sizeof *fact_columns};

/* --- The set ---------------------------------------------------------------------------------- */

/** A scenario of the set, for set.cfg and the datasheet. */
typedef struct entry {
    const char *name, *a, *b, *quantities, *tolerance; /* in the arena */
    unsigned mask;                                     /* ALG_WANT_* of `quantities` */
    bool generated;                                    /* both bodies are models */
    size_t triangles[2], frames;
    unsigned asked;                         /* mask of GT_WANT_* */
    size_t certified[GT_QUANTITY_COUNT][3]; /* number of frames with each certificate */
} entry;

struct bench_export {
    char folder[BENCH_RUN_FOLDER_BYTES];
    const char *licence;
    entry *entries;
    size_t count, capacity;
    char **files; /* paths in the folder, in the arena, for hashes.txt */
    size_t file_count, file_capacity;
    base_arena arena;
};

base_status bench_export_begin(const char *folder, const char *licence, bench_export **set,
                               base_error *err)
{
    bench_export *const s = base_alloc(1, sizeof *s);
    *set = s;
    if (!s) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    *s = (bench_export){.licence = licence};
    return bench_run_folder(folder, "set", s->folder, err);
}

void bench_export_destroy(bench_export *set)
{
    if (set) {
        base_free(set->entries);
        base_free(set->files);
        base_arena_release(&set->arena);
        base_free(set);
    }
}

/** A file of the set during writing. */
typedef struct set_file {
    char path[BENCH_RUN_PATH_BYTES];
    bench_output output;
} set_file;

/** Opens a file for writing and remembers it for hashes.txt. */
static base_status open_file(bench_export *set, set_file *file, base_error *err, const char *format,
                             ...) BASE_PRINTF(4, 5);
static base_status open_file(bench_export *set, set_file *file, base_error *err, const char *format,
                             ...)
{
    char name[BENCH_RUN_PATH_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    base_status status = base_reserve(set->files, set->file_capacity, set->file_count + 1, err);
    if (status == BASE_OK) {
        set->files[set->file_count] = base_arena_text(&set->arena, name);
        status = set->files[set->file_count++]
                     ? bench_run_file(set->folder, file->path, err, "%s", name)
                     : base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    return status == BASE_OK ? bench_output_open(file->path, &file->output, err) : status;
}

/* --- Files of a scenario ---------------------------------------------------------------------- */

static base_status write_mesh(bench_export *set, const char *scenario, const char *name,
                              const char *reference, base_error *err)
{
    set_file file;
    geo_mesh mesh; /* in the frame of its file: that of the pair is moved */
    base_status status = scn_mesh_open(reference, &mesh, err);
    if (status != BASE_OK) {
        return status;
    }
    status = open_file(set, &file, err, "%s/%s.off", scenario, name);
    if (status == BASE_OK) {
        status = geo_mesh_write_off(&mesh, file.output.file, err);
        status = bench_output_close(&file.output, status, err);
    }
    geo_mesh_release(&mesh);
    return status;
}

static base_status write_trajectory(bench_export *set, const bench_scenario *s, base_error *err)
{
    set_file file;
    base_status status = open_file(set, &file, err, "%s/trajectory.csv", s->asked->name);
    if (status == BASE_OK) {
        status = scn_trajectory_write(&s->trajectory, file.output.file, file.path, err);
        status = bench_output_close(&file.output, status, err);
    }
    return status;
}

static base_status write_truth(bench_export *set, const bench_scenario *s, base_error *err)
{
    set_file file;
    base_status status = open_file(set, &file, err, "%s/" BENCH_SET_TRUTH, s->asked->name);
    if (status != BASE_OK) {
        return status;
    }
    base_csv_writer w = {.file = file.output.file};
    bench_columns_put_names(bench_truth_columns, &w);
    base_csv_end(&w);
    for (size_t f = 0; f < s->trajectory.frame_count; f++) {
        bench_truth_row row;
        bench_truth_row_fill(f, &s->truths[f], &s->trajectory.frames[f].known, &row);
        bench_columns_put(bench_truth_columns, &row, &w);
        base_csv_end(&w);
    }
    return bench_output_close(&file.output, base_csv_check(&w, file.path, err), err);
}

static void put_fact(base_csv_writer *w, const char *key, const char *format, ...)
    BASE_PRINTF(3, 4);
static void put_fact(base_csv_writer *w, const char *key, const char *format, ...)
{
    char value[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(value, sizeof value, format, arguments);
    va_end(arguments);
    base_csv_put_text(w, key);
    base_csv_put_text(w, value);
    base_csv_end(w);
}

static base_status write_facts(bench_export *set, const bench_scenario *s, base_error *err)
{
    set_file file;
    base_hash poses;
    base_status status = bench_poses_hash(s->poses, s->trajectory.frame_count, &poses, err);
    if (status == BASE_OK) {
        status = open_file(set, &file, err, "%s/" BENCH_SET_FACTS, s->asked->name);
    }
    if (status != BASE_OK) {
        return status;
    }
    base_csv_writer w = {.file = file.output.file};
    const bench_body *const bodies[2] = {&s->pair.a, &s->pair.b};
    bench_columns_put_names(bench_set_fact_columns, &w);
    base_csv_end(&w);
    put_fact(&w, "scenario", "%s", s->asked->name);
    for (int i = 0; i < 2; i++) {
        const char role = "ab"[i];
        const vec3 shift = i == 0 ? s->pair.centre_a : (vec3){0, 0, 0};
        const vec3 centroid = vec3_add(bodies[i]->view.centroid, shift);
        const double numbers[] = {bodies[i]->view.volume_m3, centroid.x, centroid.y, centroid.z};
        static const char *const keys[] = {"%c_volume_m3", "%c_centroid_x_m", "%c_centroid_y_m",
                                           "%c_centroid_z_m"};
        char key[32];
        snprintf(key, sizeof key, "%c", role);
        put_fact(&w, key, "%s", bodies[i]->reference);
        snprintf(key, sizeof key, "%c_hash", role);
        put_fact(&w, key, "%s", base_hash_format(bodies[i]->hash).hex);
        snprintf(key, sizeof key, "%c_triangles", role);
        put_fact(&w, key, "%zu", bodies[i]->mesh.face_count);
        snprintf(key, sizeof key, "%c_solid", role);
        put_fact(&w, key, "%d", bodies[i]->report.solid);
        for (size_t k = 0; k < sizeof keys / sizeof *keys && bodies[i]->report.solid; k++) {
            snprintf(key, sizeof key, "%c%s", role, keys[k] + 2);
            put_fact(&w, key, "%.17g", numbers[k]);
        }
    }
    put_fact(&w, "a_diagonal_m", "%.17g", s->pair.diagonal_a);
    put_fact(&w, "trajectory", "%s", s->trajectory.source);
    put_fact(&w, "frames", "%zu", s->trajectory.frame_count);
    put_fact(&w, "poses_hash", "%s", base_hash_format(poses).hex);
    put_fact(&w, "quantities", "%s", bench_quantities_name(s->asked->quantities).text);
    return bench_output_close(&file.output, base_csv_check(&w, file.path, err), err);
}

/* --- A scenario ------------------------------------------------------------------------------- */

/** Returns the truth (mask of GT_WANT_*) of quantities that these bodies have. */
static unsigned truth_of(const bench_scenario *s, unsigned quantities)
{
    unsigned want = GT_WANT_DISTANCE;
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        const bool asked = quantities == 0 || (quantities & 1u << q);
        if (asked && (s->pair.has_volume || !bench_quantities[q].needs_solids)) {
            want |= bench_quantities[q].truth;
        }
    }
    return want & GT_WANT_FORCE ? want | GT_WANT_DEPTH_FORCE | GT_WANT_DEPTH_FORCE_EXCHANGED : want;
}

/** Adds the line of a scenario to the list. */
static base_status add_entry(bench_export *set, const bench_scenario *s, base_error *err)
{
    base_status status = base_reserve(set->entries, set->capacity, set->count + 1, err);
    if (status != BASE_OK) {
        return status;
    }
    entry *const e = &set->entries[set->count++];
    *e = (entry){
        .name = base_arena_text(&set->arena, s->asked->name),
        .a = base_arena_text(&set->arena, s->pair.a.reference),
        .b = base_arena_text(&set->arena, s->pair.b.reference),
        .quantities =
            base_arena_text(&set->arena, bench_quantities_join(s->asked->quantities, "+").text),
        .tolerance = s->asked->tolerance ? base_arena_text(&set->arena, s->asked->tolerance) : "",
        .mask = s->asked->quantities,
        .generated =
            !scn_mesh_is_file(s->pair.a.reference) && !scn_mesh_is_file(s->pair.b.reference),
        .triangles = {s->pair.a.mesh.face_count, s->pair.b.mesh.face_count},
        .frames = s->trajectory.frame_count,
    };
    for (size_t f = 0; f < e->frames; f++) {
        e->asked |= s->truths[f].asked;
        for (int q = 0; q < GT_QUANTITY_COUNT; q++) {
            e->certified[q][gt_certificate(&s->truths[f], (gt_quantity)q)]++;
        }
    }
    return e->name && e->a && e->b && e->quantities && e->tolerance
               ? BASE_OK
               : base_fail(err, BASE_ERR_MEMORY, "out of memory");
}

base_status bench_export_add(bench_export *set, const bench_run_options *options,
                             const scn_scenario *asked, unsigned quantities, base_error *err)
{
    for (size_t i = 0; i < set->count; i++) {
        if (strcmp(set->entries[i].name, asked->name) == 0) {
            return base_fail(err, BASE_ERR_ARGUMENT, "two scenarios have the name '%s'",
                             asked->name);
        }
    }
    bench_scenario s = {.inputs = -1};
    base_status status = bench_scenario_load_frames(options, asked, &s, err);
    if (status == BASE_OK) {
        status = bench_scenario_load_truth(options, truth_of(&s, quantities), &s, err);
    }
    if (status == BASE_OK) {
        status = write_mesh(set, asked->name, "a", asked->a, err);
    }
    if (status == BASE_OK) {
        status = write_mesh(set, asked->name, "b", asked->b, err);
    }
    if (status == BASE_OK) {
        status = write_trajectory(set, &s, err);
    }
    if (status == BASE_OK) {
        status = write_truth(set, &s, err);
    }
    if (status == BASE_OK) {
        status = write_facts(set, &s, err);
    }
    if (status == BASE_OK) {
        status = add_entry(set, &s, err);
    }
    bench_scenario_release(&s);
    return status;
}

/* --- Files of the set ------------------------------------------------------------------------- */

/** Writes the variants of the experiment: for each scenario the first one that answers it. */
static void put_variants(const bench_export *set, FILE *out)
{
    static const char *const candidates[] = {"exact-distance", "exact-volume", "exact-pairs",
                                             "lpd-exact",      "ist",          "pst"};
    enum { CANDIDATES = sizeof candidates / sizeof *candidates };
    bool needed[CANDIDATES] = {false};
    for (size_t i = 0; i < set->count; i++) {
        for (int c = 0; c < CANDIDATES; c++) {
            alg_variant variant;
            if (alg_variant_parse(candidates[c], 1, &variant, NULL) == ALG_OK &&
                !(set->entries[i].mask & ~alg_variant_answers(&variant))) {
                needed[c] = true;
                break;
            }
        }
    }
    const char *separator = "";
    fputs("variants = (", out);
    for (int c = 0; c < CANDIDATES; c++) {
        if (needed[c]) {
            fprintf(out, "%s \"%s\"", separator, candidates[c]);
            separator = ",";
        }
    }
    fputs(" );\n", out);
}

static base_status write_experiment(bench_export *set, base_error *err)
{
    set_file file;
    const base_status status = open_file(set, &file, err, BENCH_SET_EXPERIMENT);
    if (status != BASE_OK) {
        return status;
    }
    FILE *const out = file.output.file;
    fputs("# Scenarios that 'proxbench export' wrote. 'proxbench run' and 'proxbench score' take "
          "this\n"
          "# file. Add variants of your own to the list.\n"
          "name = \"set\";\nmode = \"bench\";\n",
          out);
    put_variants(set, out);
    fputs("scenarios = (\n", out);
    for (size_t i = 0; i < set->count; i++) {
        const entry *const e = &set->entries[i];
        fprintf(out,
                "  { name = \"%s\"; a = \"%s/a.off\"; b = \"%s/b.off\"; quantities = \"%s\";\n",
                e->name, e->name, e->name, e->quantities);
        if (*e->tolerance) {
            fprintf(out, "    tolerance = \"%s\";\n", e->tolerance);
        }
        fprintf(out, "    trajectory = \"%s/trajectory.csv\"; }%s\n", e->name,
                i + 1 < set->count ? "," : "");
    }
    fputs(");\n", out);
    return bench_output_close(&file.output, BASE_OK, err);
}

/** Copies the program that checks answers without this one. */
static base_status copy_checker(bench_export *set, base_error *err)
{
    char from[BENCH_SHARE_BYTES];
    set_file file;
    char *bytes = NULL;
    size_t size = 0;
    base_status status = bench_share_path("examples/check_truth.py", from, err);
    if (status == BASE_OK) {
        status = base_file_read(from, &bytes, &size, err);
    }
    if (status == BASE_OK) {
        status = open_file(set, &file, err, "check_truth.py");
    }
    if (status == BASE_OK) {
        fwrite(bytes, 1, size, file.output.file);
        status = bench_output_close(&file.output, BASE_OK, err);
    }
    base_free(bytes);
    return status;
}

/** Puts the table of the scenarios. */
static void put_scenarios(const bench_export *set, FILE *out)
{
    fputs("| scenario | A | B | frames | truth |\n|---|---|---|---|---|\n", out);
    for (size_t i = 0; i < set->count; i++) {
        const entry *const e = &set->entries[i];
        fprintf(out, "| `%s` | `", e->name);
        bench_markdown_put(out, e->a);
        fprintf(out, "`, %zu triangles | `", e->triangles[0]);
        bench_markdown_put(out, e->b);
        fprintf(out, "`, %zu triangles | %zu | ", e->triangles[1], e->frames);
        const char *separator = "";
        for (int q = 0; q < GT_QUANTITY_COUNT; q++) {
            if (e->asked & 1u << q) {
                fprintf(out, "%s%s %zu/%zu/%zu", separator, gt_quantities[q].name,
                        e->certified[q][2], e->certified[q][1], e->certified[q][0]);
                separator = ", ";
            }
        }
        fputs(" |\n", out);
    }
}

static base_status write_datasheet(bench_export *set, base_error *err)
{
    set_file file;
    bool generated = true;
    const base_status status = open_file(set, &file, err, "README.md");
    if (status != BASE_OK) {
        return status;
    }
    FILE *const out = file.output.file;
    for (size_t i = 0; i < set->count; i++) {
        generated = generated && set->entries[i].generated;
    }
    fprintf(out,
            "# Pairs of bodies with certified answers\n\n"
            "Each scenario is a pair of triangle meshes, a list of poses and the exact answers of "
            "every pose. A program that computes distances, intersections, volumes, penetration "
            "depths or contact forces can be checked against them.\n\n"
            "## What\n\n");
    put_scenarios(set, out);
    fputs("\nThe numbers behind each quantity count the frames with certificate 2, 1 and 0 (see "
          "below).\n\n"
          "| file | contents |\n|---|---|\n"
          "| `SCENARIO/a.off`, `b.off` | the fixed body A and the moving body B: triangles, "
          "counter-clockwise from outside, metres |\n"
          "| `SCENARIO/trajectory.csv` | a pose for each frame: a point p of B's file is at R p + "
          "(x_m, y_m, z_m) in the frame of A's file; R is that of the unit quaternion qx, qy, qz, "
          "qw |\n"
          "| `SCENARIO/truth.csv` | exact answers of each frame as brackets [lo, hi] that contain "
          "the true value: distance (0 where the bodies overlap), volume of the intersection, "
          "number of pairs of triangles that share a point, penetration depth by any translation "
          "with its direction, and force and torque on B by three laws |\n"
          "| `SCENARIO/facts.csv` | hashes, sizes, volumes and centroids of the bodies |\n"
          "| `set.cfg` | the scenarios for `proxbench run set.cfg` and `proxbench score "
          "set.cfg/SCENARIO` |\n"
          "| `check_truth.py` | judges a file of answers; needs Python alone |\n"
          "| `hashes.txt` | checked by `xxh128sum -c hashes.txt` or `proxbench import` |\n\n"
          "Vectors are along A's axes. Torques are about the centroid of B as a solid. An empty "
          "field was not asked, or not found. `proxbench list columns` explains each column.\n\n"
          "## How to use\n\n"
          "Write a CSV with the column `frame` and any of `distance_m`, `volume_m3`, "
          "`colliding`, `depth_m` with `nx`, `ny`, `nz`, the witness points `witness_ax_m` to "
          "`witness_bz_m`, and forces with their unit, `fx_m2` to `tz_m2_m`. Then\n\n"
          "    python3 check_truth.py SCENARIO answers.csv\n\n"
          "names wrong answers and their most likely mistake. `proxbench score` also judges "
          "witness points, directions, forces and other poses.\n\n"
          "## How made\n\n",
          out);
    fprintf(out, "By 'proxbench export' of proxbench %s (%s). ", BENCH_VERSION, BENCH_COMMIT);
    fputs("Models and sampled poses are generated from fixed seeds, so the same version writes the "
          "same files.\n\n"
          "## How certain\n\n"
          "Each answer has a certificate. 2: two methods without common code beyond primitives "
          "agree within the sum of their error bounds, or one of them is a brute force. 1: one "
          "method, and its own checks passed. 0: neither; do not use such an answer. The methods "
          "are bounding volume hierarchies and all pairs of triangles for distances, boundary "
          "integrals and clipped tetrahedra for volumes and forces, Minkowski sums and searches "
          "for depths; the column `truth_methods` names those of a frame.\n\n"
          "## Licence\n\n",
          out);
    fprintf(out, "%s\n\n",
            set->licence ? set->licence
            : generated
                ? "MIT, as proxbench, which generated all bodies and poses."
                : "The meshes and poses are files of their authors, whose licences apply. The "
                  "truth was computed by proxbench and may be used without conditions.");
    fprintf(out,
            "## How to cite\n\n"
            "The proxbench authors: proxbench %s, a benchmarking and validation suite for "
            "collision, proximity and penetration algorithms. Name the version and the hash of "
            "hashes.txt (`xxh128sum hashes.txt`), which identifies every file of this set.\n",
            BENCH_VERSION);
    return bench_output_close(&file.output, BASE_OK, err);
}

static base_status write_hashes(bench_export *set, base_error *err)
{
    char path[BENCH_RUN_PATH_BYTES];
    bench_output output;
    base_status status = bench_run_file(set->folder, path, err, BENCH_SET_HASHES);
    if (status == BASE_OK) {
        status = bench_output_open(path, &output, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    for (size_t i = 0; i < set->file_count && status == BASE_OK; i++) {
        char file[BENCH_RUN_PATH_BYTES];
        base_hash hash;
        status = bench_run_file(set->folder, file, err, "%s", set->files[i]);
        if (status == BASE_OK) {
            status = base_file_hash(file, &hash, err);
        }
        if (status == BASE_OK) {
            fprintf(output.file, "%s  %s\n", base_hash_format(hash).hex, set->files[i]);
        }
    }
    return bench_output_close(&output, status, err);
}

base_status bench_export_end(bench_export *set, base_error *err)
{
    base_status status = write_experiment(set, err);
    if (status == BASE_OK) {
        status = copy_checker(set, err);
    }
    if (status == BASE_OK) {
        status = write_datasheet(set, err);
    }
    return status == BASE_OK ? write_hashes(set, err) : status;
}
