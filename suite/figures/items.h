/**
 * Items of papers, and the experiments that show them.
 *
 * An item is a figure (F), a table or a number of the text (T), an experiment that the text asks
 * for (X), an ablation (A) or a claim (C). Its id is the key of the paper, the letter and a number:
 * "VPS-F7". More letters name a part: "IST-F7b", "VPS-T1-e". The case of letters does not matter.
 *
 * An experiment shows an item if, by the first of these rules that finds an experiment,
 *   1. its name is the id: ist-f7 shows IST-F7;
 *   2. its name is the id, '-' and a word: vps-t1-a and vps-t1-b show VPS-T1;
 *   3. it is of that paper, and one of its claims has the id of the item or of a part of it: lpd-t,
 *      which has the claims T1a and F5a, shows LPD-T1, LPD-T1a and LPD-F5.
 * So names of files and ids of claims are the only places that say where an item is shown.
 */
#ifndef SUITE_FIGURES_ITEMS_H
#define SUITE_FIGURES_ITEMS_H

#include "base/memory.h"
#include "scenarios/experiment.h"

#include <stdbool.h>
#include <stddef.h>

/** An experiment; texts are in the arena of bench_items. */
typedef struct bench_item_source {
    const char *name;
    const char *title, *paper; /* paper: NULL if it is of none */
    const char **claims;       /* ids; claim_count entries */
    size_t claim_count;
    double minutes[SCN_COST_COUNT], gigabytes[SCN_COST_COUNT]; /* 0: unknown */
    bool shows;                                                /* it shows an item of a paper */
    bool asked;                                                /* set by bench_items_ask */
    bool done; /* set by the caller: it needs no time any more */
} bench_item_source;

typedef struct bench_items {
    bench_item_source *sources; /* sorted by name */
    size_t count;
    base_arena arena;
} bench_items;

/**
 * Reads all experiments. An experiment that cannot be read has its name only, so that it does not
 * keep the others from being found.
 *
 * Errors   those of bench_experiment_names. Call bench_items_close also after an error.
 */
base_status bench_items_open(bench_items *items, base_error *err) BASE_MUST_CHECK;
void bench_items_close(bench_items *items);

/**
 * Sets `asked` of the experiments for a word: the id of an item, the name of an experiment, or the
 * key of a paper for all experiments that show its items. NULL: all experiments that show an item.
 *
 * Errors   BASE_ERR_ARGUMENT if no experiment shows it: a schematic drawing or a missing figure of
 *          one of the five papers is named as such, and else similar ids are listed.
 *          BASE_ERR_MEMORY.
 */
base_status bench_items_ask(bench_items *items, const char *word, base_error *err) BASE_MUST_CHECK;

/** Returns the number of experiments that are asked for. */
size_t bench_items_asked(const bench_items *items);

/** Costs of first runs. */
typedef struct bench_items_cost {
    double minutes;
    double gigabytes; /* of results and cache */
} bench_items_cost;

/**
 * Returns the costs of the experiments from index `first` on that are asked for and not done.
 * which: SCN_COST_FULL or SCN_COST_SMOKE.
 */
bench_items_cost bench_items_costs(const bench_items *items, size_t first, int which);

/**
 * Adds to the error of an unknown experiment that `figure` knows the word, if it does.
 * err: its status is BASE_ERR_ARGUMENT.
 */
void bench_items_hint(const char *word, base_error *err);

#endif
