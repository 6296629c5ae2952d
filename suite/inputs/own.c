#include "suite/inputs/own.h"

#include "suite/inputs/experiment.h"
#include "suite/message.h"
#include "suite/quantity.h"
#include "suite/tolerance.h"

#include <stdio.h>
#include <string.h>

enum { QUERIES_MAX = 16 };

static base_status out_of_memory(base_error *err)
{
    return base_fail(err, BASE_ERR_MEMORY, "out of memory");
}

/** Splits "distance,volume+force" into a mask for each query. */
static base_status split_quantities(const char *text, unsigned masks[QUERIES_MAX], size_t *count,
                                    base_error *err)
{
    *count = 0;
    for (const char *at = text;; at++) {
        char piece[128];
        const size_t length = strcspn(at, ",");
        snprintf(piece, sizeof piece, "%.*s", (int)length, at);
        if (*count == QUERIES_MAX) {
            return base_fail(err, BASE_ERR_ARGUMENT, "over %d quantities in '%.40s...'",
                             QUERIES_MAX, text);
        }
        const base_status status = bench_quantities_parse(piece, &masks[*count], err);
        if (status != BASE_OK) {
            return status;
        }
        for (size_t i = 0; i < *count; i++) {
            if (masks[i] == masks[*count]) {
                return base_fail(err, BASE_ERR_ARGUMENT, "quantity '%s' is there twice", piece);
            }
        }
        ++*count;
        at += length;
        if (*at == '\0') {
            return BASE_OK;
        }
    }
}

static base_status name_scenario(scn_experiment *e, bool single, unsigned quantities, char **name,
                                 base_error *err)
{
    char text[128] = "pair";
    if (!single) {
        snprintf(text, sizeof text, "pair/%s", bench_quantities_name(quantities).text);
    }
    for (char *plus = strchr(text, '+'); plus; plus = strchr(plus, '+')) {
        *plus = '-'; /* names of scenarios must not contain '+' */
    }
    *name = base_arena_text(&e->arena, text);
    return *name ? BASE_OK : out_of_memory(err);
}

/** Finds the tolerances of the pair: the defaults, with the user's values in their place. */
static base_status find_tolerances(const bench_own *own, bench_tolerances *tolerances,
                                   base_error *err)
{
    const base_status status = bench_tolerances_parse(BENCH_OWN_PAIR_TOLERANCE, tolerances, err);
    return status == BASE_OK && own->tolerance
               ? bench_tolerances_change(own->tolerance, tolerances, err)
               : status;
}

static base_status make_scenarios(const bench_own *own, const unsigned *masks, size_t count,
                                  scn_experiment *e, base_error *err)
{
    const char *a, *b;
    char tolerance[BENCH_TOLERANCE_BYTES];
    bench_tolerances tolerances;
    base_status status = find_tolerances(own, &tolerances, err);
    if (status == BASE_OK) {
        status = bench_bodies_scale(&own->bodies, &e->arena, &a, &b, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    e->scenarios = base_arena_alloc(&e->arena, count, sizeof *e->scenarios);
    if (!e->scenarios) {
        return out_of_memory(err);
    }
    e->scenario_count = count;
    for (size_t i = 0; i < count && status == BASE_OK; i++) {
        scn_scenario *const s = &e->scenarios[i];
        bench_tolerances_format(&tolerances, masks[i], tolerance);
        *s = (scn_scenario){.tolerance = base_arena_text(&e->arena, tolerance),
                            .a = base_arena_text(&e->arena, a),
                            .b = base_arena_text(&e->arena, b),
                            .motion.path = base_arena_text(&e->arena, own->trajectory),
                            .quantities = masks[i]};
        if (!s->a || !s->b || !s->motion.path || !s->tolerance) {
            return out_of_memory(err);
        }
        status = name_scenario(e, count == 1, masks[i], &s->name, err);
    }
    return status;
}

/** Drops the variants whose triangle limit the pair exceeds, with one note. */
static base_status drop_slow(scn_experiment *e, base_error *err)
{
    bool limited = false;
    for (size_t v = 0; v < e->variant_count; v++) {
        limited = limited || e->triangle_limits[v] > 0;
    }
    if (!limited) {
        return BASE_OK;
    }
    size_t triangles, kept = 0;
    const base_status status =
        bench_triangles_count(e->scenarios[0].a, e->scenarios[0].b, &triangles, err);
    if (status != BASE_OK) {
        return status;
    }
    char dropped[512] = "";
    for (size_t v = 0; v < e->variant_count; v++) {
        if (e->triangle_limits[v] > 0 && triangles > e->triangle_limits[v]) {
            const size_t used = strlen(dropped);
            snprintf(dropped + used, sizeof dropped - used, "%s'%s' (limit %zu)", used ? ", " : "",
                     e->variants[v], e->triangle_limits[v]);
        } else {
            e->triangle_limits[kept] = e->triangle_limits[v];
            e->variants[kept++] = e->variants[v];
        }
    }
    e->variant_count = kept;
    if (*dropped) {
        bench_note("left out, too slow for %zu triangles unless named: %s", triangles, dropped);
    }
    return BASE_OK;
}

/**
 * Checks that a variant answers each quantity. A variant that answers nothing (floor) is enough: it
 * shows the cost of a call.
 */
static base_status check_answered(const scn_experiment *e, base_error *err)
{
    for (size_t i = 0; i < e->scenario_count; i++) {
        const unsigned asked = e->scenarios[i].quantities;
        bool answered = false;
        for (size_t v = 0; v < e->variant_count && !answered; v++) {
            alg_variant variant;
            alg_message message;
            if (alg_variant_parse(e->variants[v], e->seed, &variant, &message) != ALG_OK) {
                return base_fail(err, BASE_ERR_ARGUMENT, "%s", message.text);
            }
            const unsigned answers = alg_variant_answers(&variant);
            answered = answers == 0 || !(asked & ~answers);
        }
        if (!answered) {
            return base_fail(err, BASE_ERR_ARGUMENT,
                             "no variant here answers %s: leave it out of --quantity, or add an "
                             "algorithm that answers it (proxbench list algorithms)",
                             bench_quantities_name(asked).text);
        }
    }
    return BASE_OK;
}

base_status bench_own_experiment(const bench_own *own, scn_experiment *e, base_error *err)
{
    unsigned masks[QUERIES_MAX];
    size_t count;
    bench_names list;
    e->seed = 1;
    e->name = base_arena_text(&e->arena, BENCH_OWN_PAIR_NAME);
    e->mode = base_arena_text(&e->arena, own->mode ? own->mode : scn_mode_names[SCN_BENCH]);
    if (!e->name || !e->mode) {
        return out_of_memory(err);
    }
    base_status status = split_quantities(own->quantities, masks, &count, err);
    if (status == BASE_OK) {
        status = make_scenarios(own, masks, count, e, err);
    }
    if (status == BASE_OK) {
        status = bench_names_split(own->algorithms ? own->algorithms : "*", &list, err);
    }
    if (status == BASE_OK) {
        status = bench_variants_expand(&list, masks, count, e, err);
    }
    if (status == BASE_OK) {
        status = drop_slow(e, err);
    }
    return status == BASE_OK ? check_answered(e, err) : status;
}
