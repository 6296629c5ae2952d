/** One scenario of a run: its pair, frames and truth, and who takes part. */
#ifndef SUITE_STAGE_H
#define SUITE_STAGE_H

#include "suite/inputs/pair.h"
#include "suite/run/estimate.h"
#include "suite/run/journal.h"
#include "suite/run/run.h"
#include "suite/run/supervisor.h"
#include "suite/run/timing.h"

/** A contestant while its scenario runs. */
typedef struct bench_entry {
    bench_contestant contestant;
    size_t launches; /* that it is to have; at least the plan's */
    size_t baseline; /* index of the entry that it is compared with; its own for that one */
    bool twin;       /* the baseline once more */
    bench_journal journal;
    bench_worker worker;
    bench_effort effort; /* times so far; what is left is counted when it is asked */
    bench_status status; /* may be WRONG while passes go on: times of wrong answers are told too */
    char detail[640];
    bool *done; /* launches * rounds: pass is in the journal */
    bool has_answers;
    base_hash answers_hash; /* of its first pass */
    bool offers_details;    /* its first pass says so (results/details.h) */
    bool has_details;
    bool has_voxels; /* a build whose voxels were counted is in the journal */
    bool batch, batch_known;
} bench_entry;

/** How often what is repeated on a scenario. */
typedef struct bench_plan {
    size_t launches, warm_up_rounds, warm_rounds, evicted_rounds;
    size_t shuffled_rounds; /* of contestants that keep no state; the others skip them */
    size_t rounds;          /* of a launch: the sum of the four above */
} bench_plan;

/** A scenario while it runs. */
typedef struct bench_stage {
    const bench_run_options *options;
    const scn_scenario *scenario;
    bench_pair pair;
    scn_trajectory trajectory;
    geo_pose *poses;
    gt_truth *truths;
    int inputs; /* descriptor for workers; -1: none */
    bench_plan plan;
    bench_clock_cost clock;
    size_t next_block;
    bench_entry *entries;
    size_t count;
} bench_stage;

/**
 * Loads the pair, makes the frames, finds their truth, and opens the journal of every contestant
 * that takes part (chosen by options->algorithms, within its triangle limit).
 *
 * build    hash of the program, which journals belong to.
 * Errors   what stops a run: input, system, memory, an interrupt. bench_stage_close is due either
 *          way.
 */
base_status bench_stage_open(const bench_run_options *options, const scn_scenario *scenario,
                             base_hash build, const bench_clock_cost *clock, bench_stage *stage,
                             base_error *err) BASE_MUST_CHECK;

/**
 * In modes with intervals (bench, paper): refuses a number of launches, from --launches or the
 * experiment, that is too small for intervals in some scenario. Reads the bodies of scenarios in
 * which a variant has a limit of triangles.
 *
 * Errors   BASE_ERR_ARGUMENT with the number that is enough; those of scn_mesh_open.
 */
base_status bench_stage_check_launches(const bench_run_options *options,
                                       base_error *err) BASE_MUST_CHECK;

/** The protocol of a round of a launch. */
bench_protocol bench_plan_protocol(const bench_plan *plan, size_t round);

/** Does the contestant make a pass in this round? */
bool bench_stage_makes(const bench_stage *stage, const bench_entry *entry, size_t round);

/** Notes the answers of a contestant's first pass. Errors: BASE_ERR_MEMORY. */
base_status bench_entry_note_answers(bench_entry *entry, const alg_answer *answers,
                                     size_t frame_count, base_error *err) BASE_MUST_CHECK;

/**
 * Is the pass for details still to be made? It comes behind all others, in a process of its own, so
 * that nothing of it is in anybody's times. Copies of a variant have none, nor what is counted.
 */
bool bench_stage_lacks_details(const bench_stage *stage, const bench_entry *entry);

void bench_stage_close(bench_stage *stage);

/** Writes "2/7 pump/sphere: WHAT": the scenario among those of the run that are selected. */
void bench_stage_label(const bench_stage *stage, const char *what, char *text, size_t size);

/** gt_options.progress of a run's truth; context: a bench_progress. */
bool bench_stage_progress(void *context, size_t done, size_t ready, size_t total);

#endif
