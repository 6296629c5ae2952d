/** An answer under the column names of a run's frames. */
#include "suite/replay/replay.h"

#include "geometry/vec.h"
#include "suite/run/run.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/** Fields that have been put. */
typedef struct fields {
    bench_field *items;
    size_t count;
} fields;

static bench_field *next_field(fields *f, const char *name, bool answered)
{
    bench_field *const field = &f->items[f->count++];
    *field = (bench_field){.answered = answered};
    snprintf(field->name, sizeof field->name, "%s", name);
    return field;
}

static void put_count(fields *f, const char *name, bool answered, uint64_t value)
{
    bench_field *const field = next_field(f, name, answered);
    if (answered) {
        snprintf(field->text, sizeof field->text, "%" PRIu64, value);
    }
}

static void put_number(fields *f, const char *name, bool answered, double value)
{
    bench_field *const field = next_field(f, name, answered);
    if (answered && !isnan(value)) {
        snprintf(field->text, sizeof field->text, "%.17g", value);
    }
}

/** Three of them; the axis stands between prefix and suffix: "nx", "witness_ax_m". */
static void put_vector(fields *f, const char *prefix, const char *suffix, bool answered, vec3 v)
{
    for (int axis = 0; axis < 3; axis++) {
        char name[sizeof f->items->name];
        snprintf(name, sizeof name, "%s%c%s", prefix, "xyz"[axis], suffix);
        put_number(f, name, answered, vec3_get(v, axis));
    }
}

size_t bench_answer_fields(const alg *algorithm, vec3 centre_a, const alg_answer *answer,
                           bench_field items[BENCH_FIELDS_MAX])
{
    fields f = {.items = items};
    const uint32_t has = answer->answered;
    const char *const unit = algorithm->force_unit ? algorithm->force_unit : "";
    char force[32], torque[32]; /* the torque's unit is the force's times m */
    snprintf(force, sizeof force, "_%s", unit);
    snprintf(torque, sizeof torque, "_%s%s", unit, *unit ? "_m" : "");
    put_count(&f, "colliding", has != 0, bench_answer_colliding(answer));
    put_number(&f, "distance_m", has & ALG_HAS_DISTANCE, answer->distance_m);
    put_vector(&f, "witness_a", "_m", has & ALG_HAS_WITNESS, vec3_add(answer->witness_a, centre_a));
    put_vector(&f, "witness_b", "_m", has & ALG_HAS_WITNESS, vec3_add(answer->witness_b, centre_a));
    put_number(&f, "volume_m3", has & ALG_HAS_VOLUME, answer->volume_m3);
    put_number(&f, "depth_m", has & ALG_HAS_DEPTH, answer->depth_m);
    put_vector(&f, "n", "", has & ALG_HAS_DEPTH, answer->direction);
    put_vector(&f, "f", force, has & ALG_HAS_FORCE, answer->force);
    put_vector(&f, "t", torque, has & ALG_HAS_FORCE, answer->torque);
    for (size_t i = 0; algorithm->counters && i < ALG_COUNTERS_MAX && algorithm->counters[i]; i++) {
        put_count(&f, algorithm->counters[i], true, answer->counters[i]);
    }
    put_number(&f, "distance_lo_m", has & ALG_HAS_DISTANCE_BRACKET, answer->distance_lo_m);
    put_number(&f, "distance_hi_m", has & ALG_HAS_DISTANCE_BRACKET, answer->distance_hi_m);
    put_number(&f, "volume_lo_m3", has & ALG_HAS_VOLUME_BRACKET, answer->volume_lo_m3);
    put_number(&f, "volume_hi_m3", has & ALG_HAS_VOLUME_BRACKET, answer->volume_hi_m3);
    return f.count;
}

const char *bench_outcome_name(alg_outcome outcome)
{
    static const char *const names[] = {"unset", "converged", "budget reached", "degenerate"};
    return outcome <= ALG_DEGENERATE ? names[outcome] : "unknown";
}
