#include "suite/gate/work.h"

#include "base/memory.h"
#include "suite/gate/pairing.h"

#include <math.h>
#include <string.h>

/** Counters of what was found, and not of the work that it took: fewer are not better. */
static bool counts_results(const char *name)
{
    return strcmp(name, "contacts_count") == 0;
}

/** -1: less work than before, 0: the same, 1: more, or something else. */
static int compare_counter(const bench_pairing *p, const bench_pair_column *column, size_t frame)
{
    if (strcmp(bench_pairing_old(p, column, frame), bench_pairing_new(p, column, frame)) == 0) {
        return 0;
    }
    return !counts_results(column->name) && bench_pairing_new_number(p, column, frame) <
                                                bench_pairing_old_number(p, column, frame)
               ? -1
               : 1;
}

/** "256000 fewer (50 %)" */
static void format_counter_note(const bench_pairing *p, const bench_pair_column *column,
                                size_t frame, size_t more, char *text, size_t size)
{
    const double old = bench_pairing_old_number(p, column, frame);
    const double new = bench_pairing_new_number(p, column, frame);
    size_t used = 0;
    text[0] = '\0';
    if (!isnan(old) && !isnan(new)) {
        used +=
            (size_t)snprintf(text, size, "%.15g %s", fabs(new - old), new > old ? "more" : "fewer");
        if (old > 0) {
            used +=
                (size_t)snprintf(text + used, size - used, " (%.3g %%)", 100 * fabs(new / old - 1));
        }
    }
    if (more > 0) {
        snprintf(text + used, size - used, "%s%zu more column%s", used > 0 ? "; " : "", more,
                 more > 1 ? "s" : "");
    }
}

/** Frames in which a counter goes into that direction. */
static void tell_counters(const bench_pairing *p, int direction, bool failed)
{
    size_t found = 0;
    for (size_t f = 0; f < p->frame_count; f++) {
        const bench_pair_column *first = NULL;
        size_t columns = 0;
        for (size_t i = 0; i < p->column_count; i++) {
            if (compare_counter(p, &p->columns[i], f) == direction) {
                first = first ? first : &p->columns[i];
                columns++;
            }
        }
        if (first && found++ < BENCH_FINDINGS_MAX) {
            char note[96];
            format_counter_note(p, first, f, columns - 1, note, sizeof note);
            bench_pairing_tell(p, first, f, failed, note);
        }
    }
    bench_pairing_tell_more(p, found, failed, direction > 0 ? "" : " with fewer");
}

void bench_gate_compare_work(const bench_gate_cell *old, const bench_gate_frames *expected,
                             const bench_gate_frames *got, bench_gate_report *report)
{
    bench_pairing p;
    bench_gate_ask(report, BENCH_GATE_COUNTERS, old->row.scenario, old->row.variant);
    if (!bench_pairing_make(expected, got, BENCH_COLUMN_COUNTER, "", report, &p)) {
        report->out_of_memory = true;
        return;
    }
    tell_counters(&p, 1, true);
    tell_counters(&p, -1, report->same);
    bench_pairing_tell_new_columns(&p, BENCH_COLUMN_COUNTER);
    base_free(p.columns);
}
