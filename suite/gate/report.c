/** What the gates have found. */
#include "base/memory.h"
#include "suite/gate/gate.h"
#include "suite/message.h"

#include <stdarg.h>
#include <string.h>

static const struct {
    const char *name;
    int exit_status; /* when it fails */
} gates[] = {
    [BENCH_GATE_ANSWERS] = {"answers",      BENCH_WRONG    },
    [BENCH_GATE_CONTRACT] = {"contract",     BENCH_WRONG    },
    [BENCH_GATE_COUNTERS] = {"counters",     BENCH_WRONG    },
    [BENCH_GATE_CELLS] = {"cells",        BENCH_WRONG    },
    [BENCH_GATE_ENDING] = {"ending",       BENCH_CELL_DIED},
    [BENCH_GATE_ALLOCATIONS] = {"allocations",  BENCH_WRONG    },
    [BENCH_GATE_INSTRUCTIONS] = {"instructions", BENCH_SLOWER   },
    [BENCH_GATE_TIME] = {"time",         BENCH_SLOWER   },
};
_Static_assert(sizeof gates / sizeof *gates == BENCH_GATE_COUNT, "a row for every gate");

const char *bench_gate_name(bench_gate gate)
{
    return gates[gate].name;
}

/** A copy in the report's arena; "" when there is no memory for it. */
static const char *keep(bench_gate_report *report, const char *text)
{
    const char *const copy = text ? base_arena_text(&report->arena, text) : "";
    report->out_of_memory |= !copy;
    return copy ? copy : "";
}

void bench_gate_ask(bench_gate_report *report, bench_gate gate, const char *scenario,
                    const char *variant)
{
    void *cases = report->cases;
    if (base_grow(&cases, &report->case_capacity, report->case_count + 1, sizeof *report->cases,
                  NULL) != BASE_OK) {
        report->out_of_memory = true;
        return;
    }
    report->cases = cases;
    report->cases[report->case_count++] = (bench_gate_case){.scenario = keep(report, scenario),
                                                            .variant = keep(report, variant),
                                                            .gate = gate,
                                                            .first = report->finding_count};
}

void bench_gate_add(bench_gate_report *report, const bench_gate_finding *finding)
{
    void *findings = report->findings;
    if (report->case_count == 0 ||
        base_grow(&findings, &report->finding_capacity, report->finding_count + 1,
                  sizeof *report->findings, NULL) != BASE_OK) {
        report->out_of_memory = true;
        return;
    }
    report->findings = findings;
    report->findings[report->finding_count++] = (bench_gate_finding){
        .frame = finding->frame,
        .column = keep(report, finding->column),
        .expected = keep(report, finding->expected),
        .got = keep(report, finding->got),
        .note = keep(report, finding->note),
        .failed = finding->failed,
    };
    bench_gate_case *const newest = &report->cases[report->case_count - 1];
    newest->count++;
    newest->failed |= finding->failed;
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
    static const int gravest_first[] = {BENCH_WRONG, BENCH_CELL_DIED, BENCH_SLOWER};
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

base_status bench_gate_report_check(const bench_gate_report *report, base_error *err)
{
    return report->out_of_memory ? base_fail(err, BASE_ERR_MEMORY, "out of memory") : BASE_OK;
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
        }
    }
    return tally;
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
}
