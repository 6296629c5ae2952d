/** Findings as JUnit XML: what CI services read. */
#include "suite/gate/gate.h"

#include <string.h>

/** Bytes of the UTF-8 character at `text`; 0 when it is none. */
static size_t utf8_length(const unsigned char *text)
{
    const size_t length = text[0] < 0x80                      ? 1
                          : text[0] >= 0xc2 && text[0] < 0xe0 ? 2
                          : text[0] >= 0xe0 && text[0] < 0xf0 ? 3
                          : text[0] >= 0xf0 && text[0] < 0xf5 ? 4
                                                              : 0;
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    return length;
}

/** Text of an attribute or an element; what XML 1.0 cannot hold becomes '?'. */
static void put_escaped(FILE *file, const char *text)
{
    for (size_t length; *text; text += length) {
        const size_t bytes = utf8_length((const unsigned char *)text);
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

/** "frame 3: distance_m: expected 0.5, got 0.25; 9 ulps off" */
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

static void put_case(FILE *file, const bench_gate_report *report, const bench_gate_case *c)
{
    fputs("    <testcase classname=\"", file);
    put_escaped(file, c->scenario);
    fputs("\" name=\"", file);
    put_escaped(file, c->variant);
    fprintf(file, " %s\" time=\"%.6f\"", bench_gate_name(c->gate), c->time_s);
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
            fprintf(file, ">\n      <failure type=\"%s\" message=\"", bench_gate_name(c->gate));
            put_escaped(file, text);
            fputs("\">", file);
        }
        put_escaped(file, text);
        fputc('\n', file);
        first = false;
    }
    fputs("</failure>\n    </testcase>\n", file);
}

/** All cases of the scenario of case `first`, which no case before it has. */
static void put_suite(FILE *file, const bench_gate_report *report, size_t first)
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
            put_case(file, report, &report->cases[i]);
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
            put_suite(file, report, i);
        }
    }
    fputs("</testsuites>\n", file);
}
