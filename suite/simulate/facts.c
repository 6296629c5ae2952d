#include "suite/simulate/facts.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void describe_command(const bench_facts *facts)
{
    const bench_simulate_options *const o = facts->options;
    bench_manifest *const m = facts->manifest;
    const char *const begun = bench_record_fact(&facts->before, "run", "start_utc");
    bench_manifest_add_command(m, o->folder, o->command);
    bench_manifest_add(m, "run", "experiment", "simulate");
    bench_manifest_add(m, "run", "mode", "simulate");
    bench_manifest_add(m, "run", "seed", "%" PRIu64, o->seed);
    bench_manifest_add(m, "run", "timeout_s", "%.17g", o->timeout_s);
    bench_manifest_add_arguments(m, o->arguments, o->argument_count);
    if (begun) {
        bench_manifest_add(m, "run", "start_utc", "%s", begun);
        bench_manifest_add_time(m, "resumed_utc");
    } else {
        bench_manifest_add_time(m, "start_utc");
    }
    bench_manifest_add_machine(m);
    for (size_t v = 0; v < o->variant_count; v++) {
        bench_manifest_add_plugin(m, &o->variants[v]);
    }
}

/** Copies the facts of scenes from the folder that is resumed. */
static void keep_facts(const bench_facts *facts)
{
    for (size_t s = 0; s < facts->options->scene_count; s++) {
        const char *const section = facts->options->scenes[s].name;
        for (size_t f = 0; f < facts->before.fact_count; f++) {
            const bench_fact *const fact = &facts->before.facts[f];
            if (strcmp(fact->section, section) == 0) {
                bench_manifest_add(facts->manifest, section, fact->key, "%s", fact->value);
            }
        }
    }
}

base_status bench_facts_begin(const bench_simulate_options *o, bench_facts *facts, base_error *err)
{
    base_status status = BASE_OK;
    *facts = (bench_facts){.options = o};
    if (o->resume) {
        status = bench_record_open(o->folder, BENCH_RECORD_FACTS, &facts->before, err);
    }
    if (status == BASE_OK) {
        status = bench_manifest_create(o->folder, &facts->manifest, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    describe_command(facts);
    keep_facts(facts);
    status = bench_manifest_publish(facts->manifest, err);
    if (status != BASE_OK) {
        facts->manifest = NULL;
    }
    return status;
}

base_status bench_facts_end(bench_facts *facts, base_error *err)
{
    const base_status status =
        facts->manifest ? bench_manifest_close(facts->manifest, err) : BASE_OK;
    bench_record_release(&facts->before);
    return status;
}

/**
 * Adds a fact of a scene that its steps depend on. If the resumed folder has it already, the value
 * must be the same. Errors: BASE_ERR_INPUT.
 */
static base_status describe(const bench_facts *facts, const char *section, const char *key,
                            base_error *err, const char *format, ...) BASE_PRINTF(5, 6);
static base_status describe(const bench_facts *facts, const char *section, const char *key,
                            base_error *err, const char *format, ...)
{
    char value[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(value, sizeof value, format, arguments);
    va_end(arguments);
    const char *const before = bench_record_fact(&facts->before, section, key);
    if (!before) {
        bench_manifest_add(facts->manifest, section, key, "%s", value);
        return BASE_OK;
    }
    return strcmp(before, value) == 0
               ? BASE_OK
               : base_fail(err, BASE_ERR_INPUT,
                           "'%s' was begun with another %s of '%s': %s, and now it is %s",
                           facts->options->folder, key, section, before, value);
}

base_hash bench_hash_frames(const scn_trajectory *trajectory)
{
    base_hasher *const hasher = base_hasher_create();
    for (size_t f = 0; hasher && f < trajectory->frame_count; f++) {
        const scn_frame *const frame = &trajectory->frames[f];
        base_hasher_add(hasher, &frame->t_s, sizeof frame->t_s);
        base_hasher_add(hasher, &frame->position, sizeof frame->position);
        base_hasher_add(hasher, &frame->orientation, sizeof frame->orientation);
    }
    return hasher ? base_hasher_finish(hasher) : (base_hash){0};
}

static base_status describe_body(const bench_facts *facts, const char *section, const char *role,
                                 const bench_body *body, base_error *err)
{
    char key[32];
    base_status status = describe(facts, section, role, err, "%s", body->reference);
    snprintf(key, sizeof key, "%s_hash", role);
    if (status == BASE_OK) {
        status = describe(facts, section, key, err, "%s", base_hash_format(body->hash).hex);
    }
    snprintf(key, sizeof key, "%s_triangles", role);
    return status == BASE_OK ? describe(facts, section, key, err, "%zu", body->mesh.face_count)
                             : status;
}

base_status bench_facts_scene(const bench_facts *facts, const bench_simulated *s,
                              const bench_pair *pair, const scn_mass *mass, base_error *err)
{
    const char *const name = s->name;
    const struct {
        const char *key;
        double value;
    } numbers[] = {
        {"density_kg_m3", s->options.density_kg_m3},
        {"mass_kg", mass->mass_kg},
        {"step_s", s->options.step_s},
        {"coupling_n_m", s->options.coupling.stiffness_n_m},
        {"stiffness_n_m2", s->stiffness_n_m2},
        {"resolve", s->options.impulses.resolve},
        {"slop_m", s->options.impulses.slop_m},
    };
    base_status status = describe_body(facts, name, "a", &pair->a, err);
    if (status == BASE_OK) {
        status = describe_body(facts, name, "b", &pair->b, err);
    }
    if (status == BASE_OK) {
        status = describe(facts, name, "device", err, "%s", s->device->source);
    }
    if (status == BASE_OK) {
        status = describe(facts, name, "device_hash", err, "%s",
                          base_hash_format(bench_hash_frames(s->device)).hex);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && status == BASE_OK; i++) {
        status = describe(facts, name, numbers[i].key, err, "%.17g", numbers[i].value);
    }
    if (status == BASE_OK) {
        status = describe(facts, name, "impulses_most", err, "%zu", s->options.impulses.limit);
    }
    if (status == BASE_OK) {
        status = describe(facts, name, "steps", err, "%" PRIu64, s->steps);
    }
    return status == BASE_OK
               ? describe(facts, name, "judge_every", err, "%" PRIu64, facts->options->judge_every)
               : status;
}
