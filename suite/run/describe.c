#include "suite/run/describe.h"

#include "suite/inputs/experiment.h"
#include "suite/inputs/plugin.h"
#include "suite/results/record.h"

/* --- The run ---------------------------------------------------------------------------------- */

static void describe_clock(const bench_clock_cost *cost, bench_manifest *m)
{
    bench_manifest_add(m, "clock", "name", "%s", bench_clock_name(bench_clock_id));
    const struct {
        const char *key;
        uint64_t ns;
    } facts[] = {
        {"cost_min_ns",    cost->min_ns   },
        {"cost_median_ns", cost->median_ns},
        {"cost_p99_ns",    cost->p99_ns   },
        {"cost_p9999_ns",  cost->p9999_ns },
        {"step_ns",        cost->step_ns  },
    };
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        bench_manifest_add(m, "clock", facts[i].key, "%llu", (unsigned long long)facts[i].ns);
    }
}

/** The words of the command, one a row: --resume begins with them. */
static void describe_arguments(const bench_run_options *options, bench_manifest *m)
{
    for (size_t i = 0; i < options->argument_count; i++) {
        char key[24];
        snprintf(key, sizeof key, "%zu", i);
        bench_manifest_add(m, "arguments", key, "%s", options->arguments[i]);
    }
}

static void describe_command(const bench_run_options *options, bench_manifest *m)
{
    const scn_experiment *const e = options->experiment;
    bench_manifest_add(m, "run", "command", "%s", options->command);
    bench_manifest_add(m, "run", "experiment", "%s", e->name);
    if (e->title) {
        bench_manifest_add(m, "run", "title", "%s", e->title);
    }
    for (size_t i = 0; i < e->figure_count; i++) {
        bench_manifest_add(m, "run", "figure", "%s", e->figures[i]);
    }
    bench_manifest_add(m, "run", "mode", "%s", options->mode->name);
    bench_manifest_add(m, "run", "seed", "%llu", (unsigned long long)e->seed);
    bench_manifest_add(m, "run", "timeout_s", "%.17g", options->timeout_s);
}

/** When the run was begun: now, unless it is resumed and says so. */
static void describe_start(const bench_run_options *options, bench_manifest *m)
{
    bench_record before = {0};
    const char *begun = NULL;
    if (options->resume &&
        bench_record_open(options->directory, BENCH_RECORD_FACTS, &before, NULL) == BASE_OK) {
        begun = bench_record_fact(&before, "run", "start_utc");
    }
    if (begun) {
        bench_manifest_add(m, "run", "start_utc", "%s", begun);
        bench_manifest_add_time(m, "resumed_utc");
    } else {
        bench_manifest_add_time(m, "start_utc");
    }
    bench_record_release(&before);
}

/** The shared libraries whose algorithms take part. */
static void describe_plugins(const bench_run_options *options, bench_manifest *manifest)
{
    const scn_experiment *const e = options->experiment;
    for (size_t v = 0; v < e->variant_count; v++) {
        alg_variant variant;
        const bench_plugin *plugin = NULL;
        if (bench_selected(options->algorithms, e->variants[v]) &&
            alg_variant_parse(e->variants[v], e->seed, &variant, NULL) == ALG_OK) {
            plugin = bench_plugin_of(variant.algorithm);
        }
        if (plugin) {
            char section[160];
            snprintf(section, sizeof section, "plugin %s", variant.name);
            bench_manifest_add(manifest, section, "argument", "%s", plugin->argument);
            bench_manifest_add(manifest, section, "file", "%s", plugin->path);
            bench_manifest_add(manifest, section, "hash", "%s", base_hash_format(plugin->hash).hex);
            bench_manifest_add(manifest, section, "version", "%s", plugin->version);
            bench_manifest_add(manifest, section, "build", "%s", plugin->build);
            bench_manifest_add(manifest, section, "tolerance_ulp", "%u",
                               variant.algorithm->tolerance_ulp);
        }
    }
}

base_status bench_describe_run(const bench_run_options *options, const bench_clock_cost *clock,
                               bench_manifest **manifest, base_error *err)
{
    const base_status status = bench_manifest_create(options->directory, manifest, err);
    if (status != BASE_OK) {
        return status;
    }
    bench_manifest *const m = *manifest;
    describe_command(options, m);
    describe_arguments(options, m);
    describe_start(options, m);
    bench_manifest_add_machine(m);
    describe_clock(clock, m);
    describe_plugins(options, m);
    return bench_manifest_publish(m, err);
}

/* --- A scenario ------------------------------------------------------------------------------- */

/** Which methods found the truth, and how many frames have which certificate. */
static void describe_truth(const bench_stage *s, bench_manifest *manifest)
{
    const char *const name = s->scenario->name;
    unsigned methods = 0;
    size_t distance[3] = {0}, volume[3] = {0};
    for (size_t f = 0; f < s->trajectory.frame_count; f++) {
        methods |= s->truths[f].methods;
        distance[s->truths[f].distance_certified]++;
        volume[s->truths[f].volume_certified]++;
    }
    bench_manifest_add(manifest, name, "truth_methods", "%s", gt_methods_format(methods).text);
    for (int c = 0; c < 3; c++) {
        char key[40];
        snprintf(key, sizeof key, "distance_certified_%d_frames", c);
        bench_manifest_add(manifest, name, key, "%zu", distance[c]);
    }
    for (int c = 0; c < 3 && (methods & GT_BY_VOLUME); c++) {
        char key[40];
        snprintf(key, sizeof key, "volume_certified_%d_frames", c);
        bench_manifest_add(manifest, name, key, "%zu", volume[c]);
    }
}

static void describe_inputs(const bench_stage *s, bench_manifest *manifest)
{
    const char *const name = s->scenario->name;
    bench_manifest_add(manifest, name, "a", "%s", s->scenario->a);
    bench_manifest_add(manifest, name, "a_hash", "%s", base_hash_format(s->pair.a.hash).hex);
    bench_manifest_add(manifest, name, "a_triangles", "%zu", s->pair.a.mesh.face_count);
    bench_manifest_add(manifest, name, "b", "%s", s->scenario->b);
    bench_manifest_add(manifest, name, "b_hash", "%s", base_hash_format(s->pair.b.hash).hex);
    bench_manifest_add(manifest, name, "b_triangles", "%zu", s->pair.b.mesh.face_count);
    bench_manifest_add(manifest, name, "trajectory", "%s", s->trajectory.source);
    bench_manifest_add(manifest, name, "frames", "%zu", s->trajectory.frame_count);
    base_hasher *const hasher = base_hasher_create();
    if (hasher) {
        base_hasher_add(hasher, s->poses, s->trajectory.frame_count * sizeof *s->poses);
        bench_manifest_add(manifest, name, "poses_hash", "%s",
                           base_hash_format(base_hasher_finish(hasher)).hex);
    }
}

static void describe_plan(const bench_stage *s, bench_manifest *manifest)
{
    const char *const name = s->scenario->name;
    bench_manifest_add(manifest, name, "launches", "%zu", s->plan.launches);
    bench_manifest_add(manifest, name, "rounds_per_launch", "%zu warm-up, %zu warm, %zu evicted",
                       s->plan.warm_up_rounds, s->plan.warm_rounds, s->plan.evicted_rounds);
    bench_manifest_add(manifest, name, "quantities", "%s",
                       bench_quantities_name(s->scenario->quantities));
}

void bench_describe_stage(const bench_stage *s, bench_manifest *manifest)
{
    describe_inputs(s, manifest);
    describe_truth(s, manifest);
    describe_plan(s, manifest);
}

bool bench_describe_workers(const bench_stage *s, bench_manifest *manifest)
{
    for (size_t i = 0; i < s->count; i++) {
        const bench_worker *const worker = &s->entries[i].worker;
        const bench_isolation *const isolation = &worker->isolation;
        if (!*worker->counters) {
            continue; /* not started */
        }
        bench_manifest_add(manifest, "workers", "cpu", "%d", isolation->cpu);
        bench_manifest_add(manifest, "workers", "affinity", "%s", isolation->affinity);
        bench_manifest_add(manifest, "workers", "memory_lock", "%s", isolation->memory_lock);
        bench_manifest_add(manifest, "workers", "scheduler", "%s", isolation->scheduler);
        bench_manifest_add(manifest, "workers", "aslr", "%s", isolation->aslr);
        bench_manifest_add(manifest, "workers", "counters", "%s", worker->counters);
        return true;
    }
    return false;
}
