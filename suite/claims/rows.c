#include "suite/claims/rows.h"

#include "base/text.h"
#include "scenarios/experiment.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const bench_claim_verdict_names[BENCH_CLAIM_VERDICTS + 1] = {
    [BENCH_HOLDS] = "holds",
    [BENCH_CANNOT_TELL] = "cannot tell",
    [BENCH_FAILS] = "does not hold",
    [BENCH_NOT_YET] = "not yet",
};

void bench_claims_release(bench_claims *list)
{
    for (size_t i = 0; i < list->table_count; i++) {
        base_csv_release(&list->tables[i]);
    }
    base_free(list->tables);
    base_free(list->items);
    base_arena_release(&list->arena);
    *list = (bench_claims){0};
}

base_status bench_claims_add(bench_claims *list, const bench_judged_claim *claim, base_error *err)
{
    const base_status status = base_reserve(list->items, list->capacity, list->count + 1, err);
    if (status == BASE_OK) {
        list->items[list->count++] = *claim;
    }
    return status;
}

bool bench_claims_disappoint(const bench_claims *list)
{
    bool any = false;
    for (size_t i = 0; i < list->count; i++) {
        any = any || (list->items[i].expected && list->items[i].verdict == BENCH_FAILS);
    }
    return any;
}

/* --- Files ------------------------------------------------------------------------------------ */

/** Adds a row of a file. */
static base_status read_row(bench_claims *list, const base_csv *table, size_t row, base_error *err)
{
    bench_judged_claim claim = {.verdict = BENCH_HOLDS};
    bench_formula measure;
    base_error reason = {0};
    base_status status = bench_columns_read(bench_claims_columns, table, row, &claim.row, err);
    if (status != BASE_OK) {
        return status;
    }
    while (claim.verdict < BENCH_CLAIM_VERDICTS &&
           strcmp(bench_claim_verdict_names[claim.verdict], claim.row.verdict) != 0) {
        claim.verdict++;
    }
    if (claim.verdict == BENCH_CLAIM_VERDICTS) {
        return base_fail(err, BASE_ERR_INPUT, "'%s' line %zu: unknown verdict '%s'", table->path,
                         table->lines[row + 1], claim.row.verdict);
    }
    claim.unit = BENCH_UNIT_NUMBER;
    if (*claim.row.measure) {
        if (bench_formula_parse(claim.row.measure, &measure, &reason) != BASE_OK) {
            return base_fail(err, BASE_ERR_INPUT, "'%s' line %zu: measure: %s", table->path,
                             table->lines[row + 1], reason.text);
        }
        claim.unit = bench_formula_unit(&measure);
        claim.timed = bench_formula_reads_clock(&measure);
    }
    for (size_t i = 0; i < list->count; i++) {
        const bench_claims_row *const r = &list->items[i].row;
        if (strcmp(r->id, claim.row.id) == 0 && strcmp(r->mode, claim.row.mode) == 0 &&
            strcmp(r->experiment, claim.row.experiment) == 0) {
            list->items[i] = claim;
            return BASE_OK;
        }
    }
    return bench_claims_add(list, &claim, err);
}

base_status bench_claims_read(bench_claims *list, const char *path, base_error *err)
{
    base_status status =
        base_reserve(list->tables, list->table_capacity, list->table_count + 1, err);
    if (status != BASE_OK) {
        return status;
    }
    base_csv *const table = &list->tables[list->table_count];
    status = base_csv_read(path, NULL, table, err);
    if (status != BASE_OK) {
        return status;
    }
    list->table_count++;
    status = bench_columns_check(bench_claims_columns, table, 1, err);
    for (size_t row = 0; row < table->rows && status == BASE_OK; row++) {
        status = read_row(list, table, row, err);
    }
    return status;
}

base_status bench_claims_write(const bench_claims *list, const char *experiment, FILE *file,
                               base_error *err)
{
    base_csv_writer w = {.file = file};
    bench_columns_put_names(bench_claims_columns, &w);
    base_csv_end(&w);
    for (size_t i = 0; i < list->count; i++) {
        const bench_claims_row *const row = &list->items[i].row;
        if (strcmp(row->experiment, experiment) == 0) {
            bench_columns_put(bench_claims_columns, row, &w);
            base_csv_end(&w);
        }
    }
    return base_csv_check(&w, "claims.csv", err);
}

/* --- Numbers ---------------------------------------------------------------------------------- */

bench_number_text bench_unit_text(double x, bench_unit unit)
{
    bench_number_text t = {"-"};
    if (isnan(x)) {
        return t;
    }
    switch (unit) {
    case BENCH_UNIT_TIME:
        return bench_time_text(x);
    case BENCH_UNIT_SHARE:
        if (fabs(x) >= 0.01) {
            /* Rounded down, so that only a share of 1 prints 100 %. */
            snprintf(t.text, sizeof t.text, "%.2f %%", floor(1e4 * x) / 100);
        } else {
            /* Rounding errors are printed with an exponent. */
            snprintf(t.text, sizeof t.text, fabs(x) >= 5e-7 || x == 0 ? "%.4f %%" : "%.1e %%",
                     100 * x);
        }
        return t;
    case BENCH_UNIT_BYTES:
        if (fabs(x) < 999.5e3) {
            snprintf(t.text, sizeof t.text, "%.3g %s", fabs(x) < 999.5 ? x : x / 1e3,
                     fabs(x) < 999.5 ? "B" : "kB");
        } else {
            snprintf(t.text, sizeof t.text, "%.2f MB", x / 1e6);
        }
        return t;
    default:
        x = x == 0 ? 0 : x; /* avoids -0 */
        snprintf(t.text, sizeof t.text, x == floor(x) && fabs(x) < 1e15 ? "%.0f" : "%.3g", x);
        if (fabs(x) >= 999.5) {
            snprintf(t.text, sizeof t.text, "%.0f", x);
        }
        return t;
    }
}

/** Formats a number with its interval, for bench_unit_put. */
static void format_interval(bench_interval x, bench_unit unit, char *text, size_t size)
{
    const char *const value = bench_unit_text(x.value, unit).text;
    if (isnan(x.lo) || isnan(x.hi) || x.lo == x.hi) {
        snprintf(text, size, "%s", value);
    } else {
        snprintf(text, size, "%s (%s to %s)", value, bench_unit_text(x.lo, unit).text,
                 bench_unit_text(x.hi, unit).text);
    }
}

void bench_unit_put(bench_rows *rows, bench_interval x, bench_unit unit)
{
    char text[4 * sizeof(bench_number_text)];
    format_interval(x, unit, text, sizeof text);
    bench_rows_put(rows, "%s", text);
}

static bench_interval interval_of(const bench_judged_claim *claim)
{
    return (bench_interval){claim->row.ours, claim->row.lo, claim->row.hi};
}

/* --- Chosen rows ------------------------------------------------------------------------------ */

static bool is_chosen(const bench_judged_claim *claim, const bench_claims_choice *choice)
{
    const size_t key = choice->paper ? strlen(choice->paper) : 0;
    const char *const id = claim->row.id;
    return (!choice->whose || strcmp(choice->whose, claim->row.whose) == 0) &&
           (!choice->paper || (strncmp(id, choice->paper, key) == 0 && id[key] == '-'));
}

/** The number of repetitions in the mode of a row, as a rank. */
static int rank_of(const bench_judged_claim *claim)
{
    return (int)scn_mode_find(claim->row.mode) % SCN_MODE_COUNT;
}

/** True if another row has the same id and more repetitions. */
static bool is_outdated(const bench_claims *list, size_t index)
{
    const bench_judged_claim *const own = &list->items[index];
    bool outdated = false;
    for (size_t i = 0; i < list->count && !outdated; i++) {
        const bench_judged_claim *const other = &list->items[i];
        outdated = strcmp(other->row.id, own->row.id) == 0 && rank_of(other) > rank_of(own);
    }
    return outdated;
}

/* --- Tables of the terminal ------------------------------------------------------------------- */

static void format_limit(const bench_claims_row *r, bench_unit unit, char *text, size_t size)
{
    const bench_number_text least = bench_unit_text(r->at_least, unit);
    const bench_number_text most = bench_unit_text(r->at_most, unit);
    if (isnan(r->at_least) && isnan(r->at_most)) {
        snprintf(text, size, "-");
    } else if (isnan(r->at_least)) {
        snprintf(text, size, "<= %s", most.text);
    } else if (isnan(r->at_most)) {
        snprintf(text, size, ">= %s", least.text);
    } else if (r->at_least == r->at_most) {
        snprintf(text, size, "= %s", least.text);
    } else {
        snprintf(text, size, "%s to %s", least.text, most.text);
    }
}

/**
 * Puts the rows of the paper's claims or of this suite's; the latter have no column of the paper's
 * numbers.
 */
static void put_wide(const bench_claims *list, const bench_claims_choice *choice, bool of_paper,
                     bench_rows *rows)
{
    static const char *const names[] = {"id",      "claim",    "paper", "limit",
                                        "verdict", "measured", "of"};
    rows->columns = of_paper ? 7 : 6;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (of_paper || strcmp(names[i], "paper") != 0) {
            bench_rows_put(rows, "%s", names[i]);
        }
    }
    for (size_t i = 0; i < list->count; i++) {
        const bench_judged_claim *const claim = &list->items[i];
        const bench_claims_row *const r = &claim->row;
        char limit[2 * sizeof(bench_number_text) + 4];
        if (is_chosen(claim, choice)) {
            bench_rows_put(rows, "%s", r->id);
            bench_rows_put(rows, "%s", r->claim);
            if (of_paper) {
                bench_rows_put(rows, "%s", bench_unit_text(r->paper, claim->unit).text);
            }
            format_limit(r, claim->unit, limit, sizeof limit);
            bench_rows_put(rows, "%s", limit);
            bench_rows_put(rows, "%s", r->verdict);
            bench_unit_put(rows, interval_of(claim), claim->unit);
            bench_rows_put(rows, "%s", r->reason);
        }
    }
}

/* --- Tables of pages -------------------------------------------------------------------------- */

/** A row of a page: a claim, or claims of an item. */
typedef struct page_row {
    const bench_judged_claim **claims; /* borrowed, in the order of the list */
    size_t count;
    int place;     /* of the worst verdict: does not hold, cannot tell, holds, not yet */
    bool labelled; /* the words differ: values have the letters of their claims */
} page_row;

/** Returns the length of the id of an item without the letters of a part: 6 of "IST-F7a". */
static size_t item_length(const char *id)
{
    const char *const dash = strchr(id, '-');
    if (!dash || !isalpha((unsigned char)dash[1])) {
        return strlen(id);
    }
    return (size_t)(dash - id) + 2 + strspn(dash + 2, "0123456789");
}

static bool same_item(const char *a, const char *b)
{
    const size_t length = item_length(a);
    return length == item_length(b) && strncmp(a, b, length) == 0;
}

/** Returns the letters of a part: "a" of "IST-F7a", "old" of "VPS-T1-old". */
static const char *part_of(const bench_judged_claim *claim)
{
    const char *const part = claim->row.id + item_length(claim->row.id);
    return part + (*part == '-');
}

static int place_of(const bench_judged_claim *claim)
{
    static const int places[BENCH_CLAIM_VERDICTS] = {
        [BENCH_FAILS] = 0, [BENCH_CANNOT_TELL] = 1, [BENCH_HOLDS] = 2, [BENCH_NOT_YET] = 3};
    return places[claim->verdict];
}

/** By the worst verdict, then in the order of the claims. */
static int compare_page_rows(const void *a, const void *b)
{
    const page_row *const x = a, *const y = b;
    return x->place != y->place ? x->place - y->place
                                : (*x->claims > *y->claims) - (*x->claims < *y->claims);
}

static bool same_words(const bench_judged_claim *a, const bench_judged_claim *b)
{
    return strcmp(a->row.claim, b->row.claim) == 0;
}

/**
 * Makes the rows of a page. The claims of an item are one row if they are more than `combined`; if
 * they are more than BENCH_CLAIMS_ROW, those with the same words are one row.
 *
 * rows, room   list->count entries each
 */
static size_t make_page_rows(const bench_claims *list, const bench_claims_choice *choice,
                             page_row *rows, const bench_judged_claim **room)
{
    size_t count = 0, used = 0;
    for (size_t i = 0; i < list->count; i++) {
        const bench_judged_claim *const claim = &list->items[i];
        bool shown = !is_chosen(claim, choice) || is_outdated(list, i);
        for (size_t k = 0; k < used && !shown; k++) {
            shown = room[k] == claim;
        }
        if (shown) {
            continue;
        }
        page_row *const row = &rows[count++];
        *row = (page_row){.claims = room + used, .place = BENCH_CLAIM_VERDICTS};
        size_t together = 0;
        for (size_t k = 0; k < list->count; k++) {
            together += is_chosen(&list->items[k], choice) && !is_outdated(list, k) &&
                        same_item(list->items[k].row.id, claim->row.id);
        }
        for (size_t k = i; k < list->count; k++) {
            const bench_judged_claim *const other = &list->items[k];
            const bool merged = together > choice->combined && is_chosen(other, choice) &&
                                !is_outdated(list, k) && same_item(other->row.id, claim->row.id) &&
                                (together <= BENCH_CLAIMS_ROW || same_words(other, claim));
            if (other == claim || merged) {
                row->claims[row->count++] = other;
                row->place = place_of(other) < row->place ? place_of(other) : row->place;
                row->labelled = row->labelled || !same_words(other, claim);
            }
        }
        used += row->count;
    }
    qsort(rows, count, sizeof *rows, compare_page_rows);
    return count;
}

/** Formats a cell of one claim. */
typedef void cell_text(const bench_judged_claim *claim, char *text, size_t size);

static void words_text(const bench_judged_claim *claim, char *text, size_t size)
{
    snprintf(text, size, "%s", claim->row.claim);
}

static void limit_text(const bench_judged_claim *claim, char *text, size_t size)
{
    format_limit(&claim->row, claim->unit, text, size);
}

static void paper_text(const bench_judged_claim *claim, char *text, size_t size)
{
    snprintf(text, size, "%s", bench_unit_text(claim->row.paper, claim->unit).text);
}

static void ours_text(const bench_judged_claim *claim, char *text, size_t size)
{
    format_interval(interval_of(claim), claim->unit, text, size);
}

static void verdict_text(const bench_judged_claim *claim, char *text, size_t size)
{
    const bool reduced = rank_of(claim) == SCN_SMOKE && claim->verdict != BENCH_NOT_YET;
    snprintf(text, size, "%s%s", claim->row.verdict, reduced ? " " BENCH_CLAIMS_REDUCED : "");
}

static void of_text(const bench_judged_claim *claim, char *text, size_t size)
{
    snprintf(text, size, "%s", *claim->row.reason ? claim->row.reason : "-");
}

/** Puts "IST-F7a, b, h". */
static void put_ids(bench_rows *rows, const page_row *row)
{
    char text[1000];
    int length = snprintf(text, sizeof text, "%s", row->claims[0]->row.id);
    for (size_t i = 1; i < row->count && length < (int)sizeof text; i++) {
        length +=
            snprintf(text + length, sizeof text - (size_t)length, ", %s", part_of(row->claims[i]));
    }
    bench_rows_put(rows, "%s", text);
}

/**
 * Puts the values of all claims of a row: one value if all are equal, else "a, b: 50; c: 2.00 ms",
 * or "50; 2.00 ms" in the order of the ids if the claims have the same words.
 */
static void put_cell(bench_rows *rows, const page_row *row, cell_text *format)
{
    enum { VALUE_BYTES = 700 };
    char text[BENCH_CLAIMS_ROW * VALUE_BYTES] = "", value[VALUE_BYTES], other[VALUE_BYTES];
    size_t used = 0;
    for (size_t i = 0; i < row->count && used < sizeof text; i++) {
        format(row->claims[i], value, sizeof value);
        char labels[VALUE_BYTES] = "";
        size_t first = row->count, equal = 0, length = 0;
        for (size_t k = 0; k < row->count && length < sizeof labels; k++) {
            format(row->claims[k], other, sizeof other);
            if (strcmp(other, value) == 0) {
                first = equal++ == 0 ? k : first;
                length += (size_t)snprintf(labels + length, sizeof labels - length, "%s%s",
                                           equal > 1 ? ", " : "", part_of(row->claims[k]));
            }
        }
        if (equal == row->count) {
            bench_rows_put(rows, "%s", value);
            return;
        }
        if (!row->labelled || first == i) {
            used +=
                (size_t)snprintf(text + used, sizeof text - used, "%s%s%s%s", used > 0 ? "; " : "",
                                 row->labelled ? labels : "", row->labelled ? ": " : "", value);
        }
    }
    bench_rows_put(rows, "%s", text);
}

/** Returns the length of the words before the colon, the paper's; 0 without a colon. */
static size_t head_length(const char *claim)
{
    const char *const colon = strstr(claim, ": ");
    return colon ? (size_t)(colon - claim) : 0;
}

/** Puts the words of all claims: "HEAD (a: REST; b: REST); c: WORDS", if a and b have one head. */
static void put_words(bench_rows *rows, const page_row *row)
{
    char text[BENCH_CLAIMS_ROW * 700] = "";
    bool done[BENCH_CLAIMS_ROW] = {false};
    size_t used = 0;
    for (size_t i = 0; i < row->count && used < sizeof text; i++) {
        const char *const claim = row->claims[i]->row.claim;
        const size_t head = head_length(claim);
        size_t same = 0;
        for (size_t k = i; k < row->count && used < sizeof text && !done[i]; k++) {
            const char *const other = row->claims[k]->row.claim;
            const bool shares =
                head > 0 && head_length(other) == head && strncmp(other, claim, head) == 0;
            if (k > i && shares) {
                if (same++ == 0) {
                    used += (size_t)snprintf(text + used, sizeof text - used, "%s%.*s (%s: %s",
                                             used > 0 ? "; " : "", (int)head, claim,
                                             part_of(row->claims[i]), claim + head + 2);
                }
                used += used < sizeof text
                            ? (size_t)snprintf(text + used, sizeof text - used, "; %s: %s",
                                               part_of(row->claims[k]), other + head + 2)
                            : 0;
                done[k] = true;
            }
        }
        if (same > 0 && used < sizeof text) {
            used += (size_t)snprintf(text + used, sizeof text - used, ")");
        } else if (!done[i] && used < sizeof text) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s: %s",
                                     used > 0 ? "; " : "", part_of(row->claims[i]), claim);
        }
    }
    bench_rows_put(rows, "%s", text);
}

static base_status put_page(const bench_claims *list, const bench_claims_choice *choice,
                            bool of_paper, bench_rows *rows, base_error *err)
{
    static const struct {
        const char *name;
        cell_text *format;
    } cells[] = {{"claim", words_text}, {"limit", limit_text},     {"paper", paper_text},
                 {"ours", ours_text},   {"verdict", verdict_text}, {"of", of_text}};
    page_row *const page = base_alloc(list->count + 1, sizeof *page);
    const bench_judged_claim **const room = base_alloc(list->count + 1, sizeof *room);
    const base_status status =
        page && room ? BASE_OK
                     : base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu claims", list->count);
    const size_t count = status == BASE_OK ? make_page_rows(list, choice, page, room) : 0;
    rows->columns = of_paper ? 7 : 6;
    bench_rows_put(rows, "id");
    for (size_t k = 0; k < sizeof cells / sizeof *cells; k++) {
        if (of_paper || cells[k].format != paper_text) {
            bench_rows_put(rows, "%s", cells[k].name);
        }
    }
    for (size_t i = 0; i < count; i++) {
        const page_row *const row = &page[i];
        put_ids(rows, row);
        for (size_t k = 0; k < sizeof cells / sizeof *cells; k++) {
            if (row->labelled && cells[k].format == words_text) {
                put_words(rows, row);
            } else if (of_paper || cells[k].format != paper_text) {
                put_cell(rows, row, cells[k].format);
            }
        }
    }
    base_free(room);
    base_free(page);
    return status;
}

/* --- Printing --------------------------------------------------------------------------------- */

static base_status print_for_people(const bench_claims *list, const bench_claims_choice *all,
                                    bool of_paper, bench_format format, FILE *file, base_error *err)
{
    const bench_claims_choice choice = {all->paper, of_paper ? "paper" : "ours", all->combined};
    size_t chosen = 0;
    for (size_t i = 0; i < list->count; i++) {
        chosen += is_chosen(&list->items[i], &choice);
    }
    if (chosen == 0 || (all->whose && strcmp(all->whose, choice.whose) != 0)) {
        return BASE_OK;
    }
    const bool page = format == BENCH_FORMAT_MARKDOWN;
    bench_rows rows = {.width = page ? 0 : bench_output_width(file)};
    base_status status = BASE_OK;
    if (page) {
        status = put_page(list, &choice, of_paper, &rows, err);
    } else {
        put_wide(list, &choice, of_paper, &rows);
    }
    if (status == BASE_OK) {
        if (!all->whose) {
            fprintf(file, page ? "### %s\n\n" : "%s\n",
                    of_paper ? "Claims of the paper" : "Claims of this suite");
        }
        status = bench_rows_print(&rows, format, file, err);
        fputs(all->whose ? "" : "\n", file);
    }
    bench_rows_release(&rows);
    return status;
}

base_status bench_claims_print(const bench_claims *list, const bench_claims_choice *choice,
                               bench_format format, FILE *file, base_error *err)
{
    if (!bench_format_is_for_scripts(format)) {
        const base_status status = print_for_people(list, choice, true, format, file, err);
        return status == BASE_OK ? print_for_people(list, choice, false, format, file, err)
                                 : status;
    }
    bench_rows rows = {.columns = bench_claims_columns.count};
    bench_columns_begin(bench_claims_columns, &rows);
    for (size_t i = 0; i < list->count; i++) {
        if (is_chosen(&list->items[i], choice)) {
            bench_columns_add(bench_claims_columns, &list->items[i].row, &rows);
        }
    }
    const base_status status = bench_rows_print(&rows, format, file, err);
    bench_rows_release(&rows);
    return status;
}

/* --- Comparison ------------------------------------------------------------------------------- */

static const bench_judged_claim *find(const bench_claims *list, const bench_judged_claim *claim)
{
    for (size_t i = list->count; i-- > 0;) {
        const bench_claims_row *const r = &list->items[i].row;
        if (strcmp(r->id, claim->row.id) == 0 && strcmp(r->mode, claim->row.mode) == 0) {
            return &list->items[i];
        }
    }
    return NULL;
}

/** True if two numbers have the same sign and differ by at most BENCH_CLAIMS_FACTOR. */
static bool is_near(double a, double b)
{
    return a == b || (a / b <= BENCH_CLAIMS_FACTOR && b / a <= BENCH_CLAIMS_FACTOR && a / b > 0);
}

/** Returns what differs; NULL if nothing does. */
static const char *difference(const bench_judged_claim *now, const bench_judged_claim *earlier)
{
    if (!now) {
        return "missing";
    }
    const bench_interval a = interval_of(now), b = interval_of(earlier);
    if (!earlier->timed) {
        const bool same =
            fabs(a.value - b.value) <= 1e-9 * fabs(b.value) || (isnan(a.value) && isnan(b.value));
        return !same ? "number" : now->verdict != earlier->verdict ? "verdict" : NULL;
    }
    const bool overlap = a.lo <= b.hi && b.lo <= a.hi;
    return overlap || is_near(a.lo, b.hi) || is_near(a.hi, b.lo) ? NULL : "ratio";
}

static bool has_mode(const bench_claims *list, const char *mode)
{
    bool has = false;
    for (size_t i = 0; i < list->count; i++) {
        has = has || strcmp(list->items[i].row.mode, mode) == 0;
    }
    return has;
}

/** True if the numbers of two runs of a claim can be compared. */
static bool is_comparable(const bench_judged_claim *now, const bench_judged_claim *earlier)
{
    const bool measured = !isnan(earlier->row.lo) && (!now || !isnan(now->row.lo));
    const bool judged = rank_of(earlier) >= SCN_BENCH; /* times of other modes are not judged */
    return !earlier->timed || (judged && earlier->unit != BENCH_UNIT_TIME && measured);
}

base_status bench_claims_compare(const bench_claims *list, const bench_claims *earlier,
                                 const bench_claims_choice *choice, bench_format format, FILE *file,
                                 size_t *compared, size_t *different, base_error *err)
{
    static const char *const names[] = {"id",  "mode",   "differs", "earlier", "earlier_verdict",
                                        "now", "verdict"};
    bench_rows rows = {.columns = sizeof names / sizeof *names,
                       .width = format == BENCH_FORMAT_TABLE ? bench_output_width(file) : 0};
    for (size_t i = 0; i < rows.columns; i++) {
        bench_rows_put(&rows, "%s", names[i]);
    }
    *compared = *different = 0;
    for (size_t i = 0; i < earlier->count; i++) {
        const bench_judged_claim *const before = &earlier->items[i];
        const bench_judged_claim *const now = find(list, before);
        if (!is_chosen(before, choice) || !has_mode(list, before->row.mode) ||
            !is_comparable(now, before)) {
            continue;
        }
        const char *const what = difference(now, before);
        ++*compared;
        if (what) {
            ++*different;
            bench_rows_put(&rows, "%s", before->row.id);
            bench_rows_put(&rows, "%s", before->row.mode);
            bench_rows_put(&rows, "%s", what);
            bench_unit_put(&rows, interval_of(before), before->unit);
            bench_rows_put(&rows, "%s", before->row.verdict);
            bench_unit_put(&rows, now ? interval_of(now) : (bench_interval){NAN, NAN, NAN},
                           before->unit);
            bench_rows_put(&rows, "%s", now ? now->row.verdict : "-");
        }
    }
    const base_status status =
        *different > 0 ? bench_rows_print(&rows, format, file, err) : BASE_OK;
    bench_rows_release(&rows);
    return status;
}
