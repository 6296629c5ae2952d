#include "suite/gate/findings.h"

#include "base/memory.h"
#include "base/text.h"
#include "suite/message.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

static const struct {
    const char *name;
    int exit_status;      /* exit status if the gate fails */
    const char *sentence; /* describes the failure, unless a finding has its own sentence */
} gates[] = {
    [BENCH_GATE_ANSWERS] = {"answers", BENCH_WRONG, "gives other answers"},
    [BENCH_GATE_CONTRACT] = {"contract", BENCH_WRONG, "breaks or changes its contract"},
    [BENCH_GATE_COUNTERS] = {"counters", BENCH_WRONG, "does more work"},
    [BENCH_GATE_CELLS] = {"cells", BENCH_WRONG, "is missing or ends otherwise"},
    [BENCH_GATE_ENDING] = {"ending", BENCH_CELL_DIED, "does not finish"},
    [BENCH_GATE_ALLOCATIONS] = {"allocations", BENCH_WRONG, "allocates memory in queries"},
    [BENCH_GATE_INSTRUCTIONS] = {"instructions", BENCH_SLOWER, "executes more instructions"},
    [BENCH_GATE_TIME] = {"time", BENCH_SLOWER, "is slower"},
    [BENCH_GATE_BUILD] = {"build", BENCH_SLOWER, "takes longer to build"},
    [BENCH_GATE_MEMORY] = {"memory", BENCH_SLOWER, "needs more memory"},
    [BENCH_GATE_NOISE] = {"noise", BENCH_UNDECIDED, "cannot be judged in this noise"},
};
_Static_assert(sizeof gates / sizeof *gates == BENCH_GATE_COUNT, "a row for every gate");

/** Returns a copy in the report's arena. Returns "" for NULL, and if memory is exhausted. */
static const char *keep(bench_gate_report *report, const char *text)
{
    const char *const copy = text ? base_arena_text(&report->arena, text) : "";
    report->out_of_memory |= !copy;
    return copy ? copy : "";
}

static base_status accept_one(const char *name, bench_gate_report *report, base_error *err)
{
    const char *names[BENCH_GATE_COUNT + 1] = {NULL};
    for (int gate = 0; gate < BENCH_GATE_COUNT; gate++) {
        names[gate] = gates[gate].name;
        if (strcmp(name, gates[gate].name) == 0) {
            report->accepted |= 1u << gate;
            return BASE_OK;
        }
    }
    char near[256];
    base_text_near(name, names, near, sizeof near);
    return base_fail(err, BASE_ERR_ARGUMENT, "--accept: there is no gate '%s'%s", name, near);
}

base_status bench_gate_accept(const char *list, bench_gate_report *report, base_error *err)
{
    for (const char *word = list;; word += strcspn(word, ",") + 1) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(word, ","), word);
        const base_status status = accept_one(name, report, err);
        if (status != BASE_OK || !strchr(word, ',')) {
            return status;
        }
    }
}

void bench_gate_ask(bench_gate_report *report, bench_gate gate, const char *scenario,
                    const char *variant)
{
    if (base_reserve(report->cases, report->case_capacity, report->case_count + 1, NULL) !=
        BASE_OK) {
        report->out_of_memory = true;
        return;
    }
    report->cases[report->case_count++] = (bench_gate_case){.scenario = keep(report, scenario),
                                                            .variant = keep(report, variant),
                                                            .gate = gate,
                                                            .first = report->finding_count};
}

void bench_gate_add(bench_gate_report *report, const bench_gate_finding *finding)
{
    if (report->case_count == 0 || base_reserve(report->findings, report->finding_capacity,
                                                report->finding_count + 1, NULL) != BASE_OK) {
        report->out_of_memory = true;
        return;
    }
    bench_gate_case *const newest = &report->cases[report->case_count - 1];
    const bool accepted = finding->failed && (report->accepted & 1u << newest->gate);
    const char *const note = finding->note ? finding->note : "";
    char accepted_note[1100];
    snprintf(accepted_note, sizeof accepted_note, "accepted%s%s", *note ? ": " : "", note);
    report->findings[report->finding_count++] = (bench_gate_finding){
        .frame = finding->frame,
        .column = keep(report, finding->column),
        .expected = keep(report, finding->expected),
        .got = keep(report, finding->got),
        .note = keep(report, accepted ? accepted_note : note),
        .sentence = keep(report, finding->sentence),
        .failed = finding->failed && !accepted,
    };
    newest->count++;
    newest->failed |= finding->failed && !accepted;
    newest->accepted |= accepted;
}

void bench_gate_note(bench_gate_report *report, bool failed, const char *format, ...)
{
    char note[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(note, sizeof note, format, arguments);
    va_end(arguments);
    bench_gate_add(report, &(bench_gate_finding){.frame = -1, .note = note, .failed = failed});
}

int bench_gate_exit_status(const bench_gate_report *report)
{
    static const int gravest_first[] = {BENCH_WRONG, BENCH_CELL_DIED, BENCH_SLOWER,
                                        BENCH_UNDECIDED};
    for (size_t i = 0; i < sizeof gravest_first / sizeof *gravest_first; i++) {
        for (size_t c = 0; c < report->case_count; c++) {
            if (report->cases[c].failed &&
                gates[report->cases[c].gate].exit_status == gravest_first[i]) {
                return gravest_first[i];
            }
        }
    }
    return BENCH_GOOD;
}

void bench_gate_report_release(bench_gate_report *report)
{
    base_free(report->cases);
    base_free(report->findings);
    base_arena_release(&report->arena);
    *report = (bench_gate_report){0};
}

bench_gate_tally bench_gate_count(const bench_gate_report *report, bench_gate gate)
{
    bench_gate_tally tally = {0};
    for (size_t i = 0; i < report->case_count; i++) {
        if (gate == BENCH_GATE_COUNT || report->cases[i].gate == gate) {
            tally.cases++;
            tally.failed += report->cases[i].failed;
            tally.accepted += report->cases[i].accepted;
        }
    }
    return tally;
}

/**
 * Appends "; accepted: answers 2, counters 12" to the text, or nothing if no finding was accepted.
 */
static void append_accepted(const bench_gate_report *report, char *text, size_t size)
{
    const char *separator = "; accepted:";
    for (int gate = 0; gate < BENCH_GATE_COUNT; gate++) {
        const size_t used = strlen(text);
        const size_t accepted = bench_gate_count(report, (bench_gate)gate).accepted;
        if (accepted > 0) {
            snprintf(text + used, size - used, "%s %s %zu", separator, gates[gate].name, accepted);
            separator = ",";
        }
    }
}

void bench_gate_totals(const bench_gate_report *report, char *text, size_t size)
{
    const bench_gate_tally all = bench_gate_count(report, BENCH_GATE_COUNT);
    const bool failed = all.failed > 0;
    size_t used = (size_t)(failed ? snprintf(text, size, "%zu of %zu failed", all.failed, all.cases)
                                  : snprintf(text, size, "%zu passed", all.cases));
    const char *separator = " (";
    for (int gate = 0; gate < BENCH_GATE_COUNT && used < size; gate++) {
        const bench_gate_tally tally = bench_gate_count(report, (bench_gate)gate);
        if (failed ? tally.failed > 0 : tally.cases > 0) {
            used += (size_t)snprintf(text + used, size - used, "%s%s %zu", separator,
                                     gates[gate].name, failed ? tally.failed : tally.cases);
            separator = ", ";
        }
    }
    if (used < size && *separator == ',') {
        snprintf(text + used, size - used, ")");
    }
    append_accepted(report, text, size);
}

void bench_gate_not_compared(const bench_gate_report *report, bool job, char *text, size_t size)
{
    static const struct {
        bench_gate gate;
        const char *name;
    } of_jobs[] = {
        {BENCH_GATE_INSTRUCTIONS, ", instructions (--instructions)"},
        {BENCH_GATE_BUILD, ", build times (too short, or bodies were loaded)"},
        {BENCH_GATE_MEMORY, ", memory (too few launches)"},
    };
    if (!job) {
        snprintf(text, size, "times, build times and memory (--against compares them)");
        return;
    }
    size_t used = (size_t)snprintf(text, size, "the slowest frames, queries without caches");
    for (size_t i = 0; i < sizeof of_jobs / sizeof *of_jobs && used < size; i++) {
        if (bench_gate_count(report, of_jobs[i].gate).cases == 0) {
            used += (size_t)snprintf(text + used, size - used, "%s", of_jobs[i].name);
        }
    }
}

/* --- Rows ------------------------------------------------------------------------------------- */

static void put_row(bench_rows *rows, const bench_gate_case *c, const bench_gate_finding *f)
{
    bench_rows_put(rows, "%s", f->failed ? "failed" : "note");
    bench_rows_put(rows, "%s", gates[c->gate].name);
    bench_rows_put(rows, "%s", c->scenario);
    bench_rows_put(rows, "%s", c->variant);
    bench_rows_put_number(rows, f->frame >= 0 ? (double)f->frame : (double)NAN);
    bench_rows_put(rows, "%s", f->column);
    bench_rows_put(rows, "%s", f->expected);
    bench_rows_put(rows, "%s", f->got);
    bench_rows_put(rows, "%s", f->note);
}

base_status bench_gate_print_rows(const bench_gate_report *report, bench_format format, FILE *file,
                                  base_error *err)
{
    static const char *const header[] = {"result", "gate",     "scenario", "variant", "frame",
                                         "column", "expected", "got",      "note"};
    if (!bench_format_is_for_scripts(format) && report->finding_count == 0) {
        return BASE_OK;
    }
    bench_rows rows = {.columns = sizeof header / sizeof *header};
    for (size_t i = 0; i < rows.columns; i++) {
        bench_rows_put(&rows, "%s", header[i]);
    }
    for (int gate = 0; gate < BENCH_GATE_COUNT; gate++) {
        for (size_t i = 0; i < report->case_count; i++) {
            const bench_gate_case *const c = &report->cases[i];
            for (size_t f = 0; c->gate == (bench_gate)gate && f < c->count; f++) {
                put_row(&rows, c, &report->findings[c->first + f]);
            }
        }
    }
    const base_status status = bench_rows_print(&rows, format, file, err);
    bench_rows_release(&rows);
    return status;
}

enum { CHANGES_MAX = 10 }; /* number of changes that are listed */

void bench_gate_print_changes(const bench_gate_report *report, FILE *file)
{
    size_t told = 0, hidden = 0;
    for (size_t i = 0; i < report->case_count; i++) {
        const bench_gate_case *const c = &report->cases[i];
        if (c->count == 0) {
            continue;
        }
        if (told == CHANGES_MAX) {
            hidden++;
            continue;
        }
        told++;
        const bench_gate_finding *const f = &report->findings[c->first];
        fprintf(file, "changed: %s on %s: %s: ", c->variant, c->scenario, gates[c->gate].name);
        if (f->frame >= 0) {
            fprintf(file, "from frame %lld on: ", (long long)f->frame);
        }
        if (*f->column && (*f->expected || *f->got)) {
            fprintf(file, "%s was %s, is %s%s", f->column, *f->expected ? f->expected : "empty",
                    *f->got ? f->got : "empty", *f->note ? ", " : "");
        } else if (*f->column) {
            fprintf(file, "%s: ", f->column);
        }
        fprintf(file, "%s\n", f->note);
    }
    if (hidden > 0) {
        fprintf(file, "... and %zu more changes\n", hidden);
    }
    if (told == 0) {
        fputs("nothing changed\n", file);
    }
}

/* --- JUnit XML, which CI services read -------------------------------------------------------- */

/**
 * Writes the text of an attribute or an element. Characters that XML 1.0 does not allow become '?'.
 */
static void put_escaped(FILE *file, const char *text)
{
    for (size_t length; *text; text += length) {
        const size_t bytes = base_text_utf8(text);
        length = bytes > 0 ? bytes : 1;
        switch (*text) {
        case '&':
            fputs("&amp;", file);
            break;
        case '<':
            fputs("&lt;", file);
            break;
        case '>':
            fputs("&gt;", file);
            break;
        case '"':
            fputs("&quot;", file);
            break;
        default:
            if (bytes == 0 || (*text > 0 && *text < 0x20 && !strchr("\t\n", *text))) {
                fputc('?', file);
            } else {
                fwrite(text, 1, length, file);
            }
        }
    }
}

/** Writes a finding, for example "frame 3: distance_m: expected 0.5, got 0.25; 9 ulps off". */
static void format_finding(const bench_gate_finding *f, char *text, size_t size)
{
    char frame[40] = "";
    if (f->frame >= 0) {
        snprintf(frame, sizeof frame, "frame %lld: ", (long long)f->frame);
    }
    if (*f->column && (*f->expected || *f->got)) {
        snprintf(text, size, "%s%s: expected %s, got %s%s%s", frame, f->column,
                 *f->expected ? f->expected : "nothing", *f->got ? f->got : "nothing",
                 *f->note ? "; " : "", f->note);
    } else {
        snprintf(text, size, "%s%s%s%s", frame, f->column, *f->column ? ": " : "", f->note);
    }
}

static void put_junit_case(FILE *file, const bench_gate_report *report, const bench_gate_case *c)
{
    fputs("    <testcase classname=\"", file);
    put_escaped(file, c->scenario);
    fputs("\" name=\"", file);
    put_escaped(file, c->variant);
    fprintf(file, " %s\" time=\"%.6f\"", gates[c->gate].name, c->time_s);
    if (!c->failed) {
        fputs("/>\n", file);
        return;
    }
    bool first = true;
    char text[4096];
    for (size_t i = 0; i < c->count; i++) {
        const bench_gate_finding *const f = &report->findings[c->first + i];
        if (!f->failed) {
            continue;
        }
        format_finding(f, text, sizeof text);
        if (first) {
            fprintf(file, ">\n      <failure type=\"%s\" message=\"", gates[c->gate].name);
            put_escaped(file, text);
            fputs("\">", file);
        }
        put_escaped(file, text);
        fputc('\n', file);
        first = false;
    }
    fputs("</failure>\n    </testcase>\n", file);
}

/** Writes all cases of a scenario. first: index of its first case. */
static void put_junit_suite(FILE *file, const bench_gate_report *report, size_t first)
{
    const char *const scenario = report->cases[first].scenario;
    size_t tests = 0, failures = 0;
    double time_s = 0;
    for (size_t i = first; i < report->case_count; i++) {
        if (strcmp(report->cases[i].scenario, scenario) == 0) {
            tests++;
            failures += report->cases[i].failed;
            time_s += report->cases[i].time_s;
        }
    }
    fputs("  <testsuite name=\"", file);
    put_escaped(file, scenario);
    fprintf(file, "\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"0\" time=\"%.6f\">\n",
            tests, failures, time_s);
    for (size_t i = first; i < report->case_count; i++) {
        if (strcmp(report->cases[i].scenario, scenario) == 0) {
            put_junit_case(file, report, &report->cases[i]);
        }
    }
    fputs("  </testsuite>\n", file);
}

void bench_gate_print_junit(const bench_gate_report *report, const char *name, FILE *file)
{
    const bench_gate_tally all = bench_gate_count(report, BENCH_GATE_COUNT);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"", file);
    put_escaped(file, name);
    fprintf(file, "\" tests=\"%zu\" failures=\"%zu\">\n", all.cases, all.failed);
    for (size_t i = 0; i < report->case_count; i++) {
        size_t before = 0;
        while (before < i &&
               strcmp(report->cases[before].scenario, report->cases[i].scenario) != 0) {
            before++;
        }
        if (before == i) {
            put_junit_suite(file, report, i);
        }
    }
    fputs("</testsuites>\n", file);
}

/* --- Markdown for a pull request -------------------------------------------------------------- */

/* Limits that keep a comment on a pull request readable. */
enum { ROWS_MAX = 40, SENTENCES_MAX = 10 };

/** Writes a sentence such as "`pst` on `pump/sphere` is 29.7 % slower (29.6 to 30.2)." */
static void put_sentence(FILE *file, const bench_gate_report *report, const bench_gate_case *c)
{
    const bench_gate_finding *f = &report->findings[c->first];
    while (!f->failed) {
        f++;
    }
    fprintf(file, "- `%s` on `%s` %s", c->variant, c->scenario,
            *f->sentence ? f->sentence : gates[c->gate].sentence);
    if (!*f->sentence && strcmp(f->column, "status") == 0) {
        fprintf(file, ": %s%s", f->got, *f->note ? ", " : "");
        bench_markdown_put(file, f->note);
    } else if (!*f->sentence && *f->column) {
        fprintf(file, " (`%s`", f->column);
        if (f->frame >= 0) {
            fprintf(file, ", first in frame %lld", (long long)f->frame);
        }
        fputc(')', file);
    }
    fputs(".\n", file);
}

static void put_sentences(FILE *file, const bench_gate_report *report)
{
    size_t told = 0, hidden = 0;
    for (size_t i = 0; i < report->case_count; i++) {
        if (!report->cases[i].failed) {
            continue;
        }
        if (told == SENTENCES_MAX) {
            hidden++;
            continue;
        }
        told++;
        put_sentence(file, report, &report->cases[i]);
    }
    if (hidden > 0) {
        fprintf(file, "- ... and %zu more.\n", hidden);
    }
    fputs(told > 0 ? "\n" : "", file);
}

static void put_markdown_row(FILE *file, const bench_gate_case *c, const bench_gate_finding *f)
{
    char frame[24] = "";
    if (f->frame >= 0) {
        snprintf(frame, sizeof frame, "%lld", (long long)f->frame);
    }
    const char *const cells[] = {gates[c->gate].name, c->scenario, c->variant, frame,
                                 f->column,           f->expected, f->got,     f->note};
    fputs("|", file);
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        fputs(" ", file);
        bench_markdown_put(file, cells[i]);
        fputs(" |", file);
    }
    fputs("\n", file);
}

/**
 * Writes a table of the failures in the order of bench_gate. Failures of time and noise are
 * excluded, because they have a table of their own (against.c). Returns the number of failures
 * beyond ROWS_MAX.
 */
static size_t put_failures(FILE *file, const bench_gate_report *report)
{
    size_t told = 0, hidden = 0;
    for (int gate = 0; gate < BENCH_GATE_COUNT; gate++) {
        const bool of_time = gate == BENCH_GATE_TIME || gate == BENCH_GATE_NOISE;
        for (size_t i = 0; i < report->case_count && !of_time; i++) {
            const bench_gate_case *const c = &report->cases[i];
            for (size_t f = 0; c->gate == (bench_gate)gate && f < c->count; f++) {
                const bench_gate_finding *const finding = &report->findings[c->first + f];
                if (!finding->failed) {
                    continue;
                }
                if (told == ROWS_MAX) {
                    hidden++;
                    continue;
                }
                if (told++ == 0) {
                    fputs("| gate | scenario | variant | frame | column | expected | got | note "
                          "|\n|---|---|---|--:|---|---|---|---|\n",
                          file);
                }
                put_markdown_row(file, c, finding);
            }
        }
    }
    if (told > 0) {
        fputs("\n", file);
    }
    return hidden;
}

void bench_gate_print_markdown(const bench_gate_report *report, const char *title, FILE *file)
{
    const bench_gate_tally all = bench_gate_count(report, BENCH_GATE_COUNT);
    fprintf(file, "### %s: %s\n\n", title, all.failed > 0 ? "failed" : "passed");
    put_sentences(file, report);
    const size_t hidden = put_failures(file, report);
    if (hidden > 0) {
        fprintf(file, "... and %zu more rows.\n\n", hidden);
    }
    size_t notes = 0;
    for (size_t i = 0; i < report->finding_count; i++) {
        notes += !report->findings[i].failed;
    }
    char totals[512];
    bench_gate_totals(report, totals, sizeof totals);
    fprintf(file, "%s", totals);
    if (notes > 0) {
        fprintf(file, "; %zu note%s", notes, notes > 1 ? "s" : "");
    }
    fputs(".\n", file);
}
