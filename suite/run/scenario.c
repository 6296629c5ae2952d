#include "suite/run/scenario.h"

#include "base/memory.h"
#include "suite/inputs/experiment.h"
#include "suite/results/judge.h"
#include "suite/results/truth.h"
#include "suite/run/exchange.h"

#include <string.h>
#include <unistd.h>

static bool show_progress(void *context, size_t done, size_t ready, size_t total)
{
    (void)ready;
    bench_progress_update(context, done, total);
    return !bench_interrupted();
}

gt_options bench_truth_options(const bench_run_options *options, bench_progress *progress)
{
    return (gt_options){.cache_directory = options->cache_directory,
                        .interrupted = bench_interrupted,
                        .progress = show_progress,
                        .progress_context = progress};
}

/** Sets the title, with the number of the scenario among the selected ones. */
static void name_scenario(const bench_run_options *options, bench_scenario *s)
{
    const scn_experiment *const e = options->experiment;
    size_t number = 0, count = 0;
    for (size_t i = 0; i < e->scenario_count; i++) {
        count += bench_selected(options->scenarios, e->scenarios[i].name);
        number = &e->scenarios[i] == s->asked ? count : number;
    }
    if (count > 1) {
        snprintf(s->title, sizeof s->title, "%zu/%zu %s", number, count, s->asked->name);
    } else {
        snprintf(s->title, sizeof s->title, "%s", s->asked->name);
    }
}

/** Warns of frames in which the distance or an asked quantity is not judged. */
static void warn_uncertified(const bench_scenario *s)
{
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        size_t below = 0;
        for (size_t f = 0; f < s->trajectory.frame_count; f++) {
            below +=
                bench_truth_certificate(&s->truths[f], (alg_quantity)q) < (uint64_t)s->certificate;
        }
        if (below > 0 && (q == ALG_DISTANCE || (s->asked->quantities & 1u << q))) {
            bench_warn("%s: %s is not judged in %zu of %zu frames: their certificate is below %d",
                       s->asked->name, alg_quantity_names[q], below, s->trajectory.frame_count,
                       s->certificate);
        }
    }
}

/** Warns of frames in which the force by a law of depth is not judged. want: mask of GT_WANT_*. */
static void warn_ideals(const bench_scenario *s, unsigned want)
{
    for (int law = ALG_LAW_DEPTH; law < ALG_LAW_COUNT; law++) {
        const gt_quantity quantity = bench_ideal_quantity((alg_law)law);
        size_t below = 0;
        for (size_t f = 0; f < s->trajectory.frame_count && (want & 1u << quantity); f++) {
            below += gt_certificate(&s->truths[f], quantity) < s->certificate;
        }
        if (below > 0) {
            bench_warn("%s: force by the law '%s' is not judged in %zu of %zu frames: their "
                       "certificate is below %d",
                       s->asked->name, alg_law_names[law], below, s->trajectory.frame_count,
                       s->certificate);
        }
    }
}

unsigned bench_scenario_needs(const bench_scenario *s, const bench_plan *plan)
{
    unsigned want = GT_WANT_DISTANCE; /* always needed, because it also determines which frames
                                         collide */
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        if ((s->asked->quantities & 1u << q) &&
            (s->pair.has_volume || !bench_quantities[q].needs_solids)) {
            want |= bench_quantities[q].truth;
        }
    }
    for (size_t i = 0; i < plan->count && (want & GT_WANT_FORCE); i++) {
        want |= bench_ideals_truth(&plan->entrants[i].contestant.variant, &s->trajectory);
    }
    return want;
}

base_status bench_scenario_load_truth(const bench_run_options *options, unsigned want,
                                      bench_scenario *s, base_error *err)
{
    const size_t n = s->trajectory.frame_count;
    char label[sizeof s->title + 16];
    s->truths = base_alloc(n, sizeof *s->truths);
    if (!s->truths) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu frames", n);
    }
    snprintf(label, sizeof label, "%s: truth", s->title);
    bench_progress progress = bench_progress_start(label, options->quiet);
    gt_options how = bench_truth_options(options, &progress);
    how.methods = options->mode->truth_methods;
    const base_status status = gt_trajectory_truth(s->pair.a.truth, s->pair.b.truth, s->poses, n,
                                                   want, &how, s->truths, err);
    bench_progress_end(&progress);
    for (size_t f = 0; status == BASE_OK && f < n; f++) {
        (void)bench_known_check(&s->pair, s->asked->name, &s->trajectory, f, &s->poses[f],
                                &s->truths[f]);
    }
    if (status == BASE_OK && !options->launches_of) { /* otherwise the run that is resumed has
                                                         already warned */
        bench_pair_warn_refusals(&s->pair);
        bench_truth_warn_doubts(s->asked->name, s->truths, n);
        warn_uncertified(s);
        warn_ideals(s, want);
    }
    return status;
}

base_status bench_scenario_load_frames(const bench_run_options *options, const scn_scenario *asked,
                                       bench_scenario *s, base_error *err)
{
    *s = (bench_scenario){.asked = asked, .certificate = options->mode->certificate, .inputs = -1};
    name_scenario(options, s);
    base_status status = bench_pair_open(asked->a, asked->b, &s->pair, err);
    if (status != BASE_OK) {
        return status;
    }
    status = bench_pair_trajectory(&s->pair, &asked->motion, options->cache_directory,
                                   options->quiet, &s->trajectory, err);
    if (status != BASE_OK) {
        return status;
    }
    return bench_pair_poses(&s->pair, &s->trajectory, &s->poses, err);
}

base_status bench_scenario_load(const bench_run_options *options, const scn_scenario *asked,
                                const bench_plan *plan, bench_scenario *s, base_error *err)
{
    base_status status = bench_scenario_load_frames(options, asked, s, err);
    if (status == BASE_OK) {
        status = bench_scenario_load_truth(options, bench_scenario_needs(s, plan), s, err);
    }
    return status == BASE_OK ? bench_inputs_create(&s->pair.a.view, &s->pair.b.view, s->poses,
                                                   s->trajectory.frame_count, &s->inputs, err)
                             : status;
}

void bench_scenario_release(bench_scenario *s)
{
    if (s->inputs >= 0) {
        close(s->inputs);
    }
    base_free(s->truths);
    base_free(s->poses);
    scn_trajectory_release(&s->trajectory);
    bench_pair_close(&s->pair);
}
