#include "suite/figures/items.h"

#include "base/text.h"
#include "suite/inputs/experiment.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { ID_BYTES = 256 };

/**
 * Returns the length of the part of an item's id after the key of the paper, without the letters of
 * a part: 2 for "F7", "f7b" and "T1-old". Returns 0 if it is none.
 */
static size_t item_length(const char *text)
{
    if (!*text || !strchr("FTXAC", toupper((unsigned char)*text))) {
        return 0;
    }
    const size_t digits = strspn(text + 1, "0123456789");
    return digits > 0 ? digits + 1 : 0;
}

/** Returns the part of an id after "PAPER-"; NULL if the id is not of this paper or of no paper. */
static const char *item_of_paper(const char *id, const char *paper)
{
    const size_t length = paper ? strlen(paper) : 0;
    return length > 0 && strncasecmp(id, paper, length) == 0 && id[length] == '-' ? id + length + 1
                                                                                  : NULL;
}

/** True if a claim is about the item, or about a part of it: "T1", "T1a" and "T1-old" for "T1". */
static bool is_about(const char *claim, const char *item)
{
    const size_t length = strlen(item);
    if (strncasecmp(claim, item, length) != 0) {
        return false;
    }
    const char next = claim[length];
    return item[item_length(item)] ? !next || next == '-' : !isdigit((unsigned char)next);
}

/** True if the name or a claim of the experiment is an item of its paper. */
static bool shows_item(const bench_item_source *source)
{
    const char *const own = item_of_paper(source->name, source->paper);
    bool shows = own && item_length(own) > 0;
    for (size_t i = 0; i < source->claim_count && source->paper; i++) {
        shows = shows || item_length(source->claims[i]) > 0;
    }
    return shows;
}

static base_status read_source(bench_items *items, const char *name, bench_item_source *source,
                               base_error *err)
{
    *source = (bench_item_source){.name = name, .title = name};
    scn_experiment experiment;
    base_error reason;
    const base_status read = bench_experiment_open(name, &experiment, &reason);
    if (read != BASE_OK) {
        return read == BASE_ERR_MEMORY ? base_fail(err, read, "%s", reason.text) : BASE_OK;
    }
    base_arena *const arena = &items->arena;
    source->claims = base_arena_alloc(arena, experiment.claim_count + 1, sizeof *source->claims);
    source->title = base_arena_text(arena, experiment.title);
    source->paper = experiment.paper ? base_arena_text(arena, experiment.paper) : NULL;
    memcpy(source->minutes, experiment.minutes, sizeof source->minutes);
    memcpy(source->gigabytes, experiment.gigabytes, sizeof source->gigabytes);
    bool kept = source->claims && source->title && (source->paper || !experiment.paper);
    for (size_t i = 0; i < experiment.claim_count && kept; i++) {
        source->claims[i] = base_arena_text(arena, experiment.claims[i].id);
        kept = source->claims[i];
        source->claim_count += kept;
    }
    scn_experiment_release(&experiment);
    source->shows = kept && shows_item(source);
    return kept ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory");
}

base_status bench_items_open(bench_items *items, base_error *err)
{
    const char **names;
    *items = (bench_items){0};
    base_status status = bench_experiment_names(&items->arena, &names, err);
    if (status != BASE_OK) {
        return status;
    }
    size_t count = 0;
    while (names[count]) {
        count++;
    }
    items->sources = base_arena_alloc(&items->arena, count + 1, sizeof *items->sources);
    if (!items->sources) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    for (; items->count < count && status == BASE_OK; items->count++) {
        status = read_source(items, names[items->count], &items->sources[items->count], err);
    }
    return status;
}

void bench_items_close(bench_items *items)
{
    base_arena_release(&items->arena);
    *items = (bench_items){0};
}

/* --- Asking ----------------------------------------------------------------------------------- */

typedef bool rule(const bench_item_source *source, const char *word);

static bool has_name(const bench_item_source *source, const char *word)
{
    return strcasecmp(source->name, word) == 0;
}

static bool has_longer_name(const bench_item_source *source, const char *word)
{
    const char *const item = item_of_paper(word, source->paper);
    const size_t length = strlen(word);
    return item && item_length(item) == strlen(item) &&
           strncasecmp(source->name, word, length) == 0 && source->name[length] == '-';
}

static bool has_claim(const bench_item_source *source, const char *word)
{
    const char *const item = item_of_paper(word, source->paper);
    bool found = false;
    for (size_t i = 0; i < source->claim_count && item && item_length(item) > 0; i++) {
        found = found || is_about(source->claims[i], item);
    }
    return found;
}

static bool is_of_paper(const bench_item_source *source, const char *word)
{
    return source->shows && strcasecmp(source->paper, word) == 0;
}

static bool is_shown(const bench_item_source *source, const char *word)
{
    (void)word;
    return source->shows;
}

/** Sets `asked` of all experiments that match the rule; false if there is none. */
static bool ask_by(bench_items *items, rule *matches, const char *word)
{
    bool any = false;
    for (size_t i = 0; i < items->count; i++) {
        const bool match = matches(&items->sources[i], word);
        items->sources[i].asked = items->sources[i].asked || match;
        any = any || match;
    }
    return any;
}

static bool ask(bench_items *items, const char *word)
{
    static rule *const rules[] = {has_name, has_longer_name, has_claim, is_of_paper};
    bool any = false;
    for (size_t i = 0; i < sizeof rules / sizeof *rules && !any; i++) {
        any = ask_by(items, rules[i], word);
    }
    return any;
}

/**
 * Lists the names of experiments and the ids of items that only claims have, "lpd-t1", in the
 * arena. Ids of parts are left out.
 */
static base_status list_words(bench_items *items, const char ***words, base_error *err)
{
    size_t most = items->count + 1, count = 0;
    for (size_t i = 0; i < items->count; i++) {
        most += items->sources[i].claim_count;
    }
    *words = base_arena_alloc(&items->arena, most, sizeof **words);
    bool kept = *words;
    for (size_t i = 0; i < items->count && kept; i++) {
        const bench_item_source *const source = &items->sources[i];
        (*words)[count++] = source->name;
        for (size_t c = 0; c < source->claim_count && source->paper && kept; c++) {
            const size_t length = item_length(source->claims[c]);
            if (length > 0) {
                char id[ID_BYTES];
                snprintf(id, sizeof id, "%s-%.*s", source->paper, (int)length, source->claims[c]);
                for (char *at = id; *at; at++) {
                    *at = (char)tolower((unsigned char)*at);
                }
                (*words)[count] = base_arena_text(&items->arena, id);
                kept = (*words)[count++];
            }
        }
    }
    return kept ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory");
}

/** Figures of a paper that are not reproduced. */
typedef struct paper_figures {
    const char *paper, *page;
    int count; /* of all figures of the paper */
    struct {
        int number;
        const char *shows;
    } drawings[4]; /* schematic drawings, until number 0 */
} paper_figures;

static const paper_figures figures[] = {
    {"IST",
     "docs/ist.md",
     9,
     {{2, "the first steps of the packing"},
      {4, "secondary radii and voids"},
      {5, "the direction of the force"}}},
    {"VPS",
     "docs/vps.md",
     7,
     {{1, "voxmap and pointshell"},
      {2, "the navigation in the box of a triangle"},
      {3, "the 13 axes of a triangle and a voxel"}}},
    {"PST", "docs/pst.md", 2, {{2, "forces and torques of points"}}},
    {"LPD", "docs/lpd.md", 6, {{0, NULL}}},
    {"IMP", "docs/imp.md", 6, {{1, "a survey of methods"}}},
};

/** Fails with what is known of a figure that no experiment draws; BASE_OK if nothing is. */
static base_status explain(const char *word, base_error *err)
{
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        const paper_figures *const f = &figures[i];
        const char *const item = item_of_paper(word, f->paper);
        int number = 0, read = 0;
        if (!item || toupper((unsigned char)*item) != 'F' ||
            sscanf(item + 1, "%d%n", &number, &read) != 1 || strlen(item) > (size_t)read + 2) {
            continue;
        }
        for (size_t k = 0; f->drawings[k].number > 0; k++) {
            if (f->drawings[k].number == number) {
                return base_fail(err, BASE_ERR_ARGUMENT,
                                 "%s-F%d is a schematic drawing (%s) and is not reproduced; %s "
                                 "describes the method",
                                 f->paper, number, f->drawings[k].shows, f->page);
            }
        }
        if (number < 1 || number > f->count) {
            return base_fail(err, BASE_ERR_ARGUMENT, "the paper %s has %d figures, and no F%d",
                             f->paper, f->count, number);
        }
    }
    return BASE_OK;
}

base_status bench_items_ask(bench_items *items, const char *word, base_error *err)
{
    if (!word) {
        return ask_by(items, is_shown, NULL)
                   ? BASE_OK
                   : base_fail(err, BASE_ERR_ARGUMENT, "no experiment shows an item of a paper");
    }
    if (ask(items, word)) {
        return BASE_OK;
    }
    const char **words;
    char near[512];
    base_status status = explain(word, err);
    if (status == BASE_OK) {
        status = list_words(items, &words, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    bench_experiment_suggest(word, words, near, sizeof near);
    return base_fail(err, BASE_ERR_ARGUMENT, "unknown figure '%s'%s", word, near);
}

size_t bench_items_asked(const bench_items *items)
{
    size_t count = 0;
    for (size_t i = 0; i < items->count; i++) {
        count += items->sources[i].asked;
    }
    return count;
}

bench_items_cost bench_items_costs(const bench_items *items, size_t first, int which)
{
    bench_items_cost cost = {0};
    for (size_t i = first; i < items->count; i++) {
        const bench_item_source *const source = &items->sources[i];
        if (source->asked && !source->done) {
            cost.minutes += source->minutes[which];
            cost.gigabytes += source->gigabytes[which];
        }
    }
    return cost;
}

void bench_items_hint(const char *word, base_error *err)
{
    bench_items items;
    base_error ignored;
    if (bench_items_open(&items, &ignored) == BASE_OK && ask(&items, word)) {
        const base_error before = *err;
        const char *const gap = before.text[strlen(before.text) - 1] == '?' ? "" : ";";
        base_fail(err, before.status,
                  "%.700s%s 'proxbench figure %.100s' runs, judges and draws it", before.text, gap,
                  word);
    }
    bench_items_close(&items);
}
