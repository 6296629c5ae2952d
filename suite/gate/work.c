#include "suite/gate/work.h"

#include "base/memory.h"
#include "suite/gate/pairing.h"

#include <math.h>
#include <string.h>

/**
 * Returns -1 for less work than before, 0 for the same text, and 1 for more work or for other text.
 */
static int compare_counter(const bench_pairing *p, const bench_pair_column *column, size_t frame)
{
    if (strcmp(bench_pairing_old(p, column, frame), bench_pairing_new(p, column, frame)) == 0) {
        return 0;
    }
    return bench_pairing_new_number(p, column, frame) < bench_pairing_old_number(p, column, frame)
               ? -1
               : 1;
}

/** Writes "256000 fewer (50 %)", or nothing unless both are numbers. Returns the length. */
static size_t format_difference(double old, double new, char *text, size_t size)
{
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
    return used;
}

/** Writes the difference in one column, and the number of other columns that differ. */
static void format_counter_note(const bench_pairing *p, const bench_pair_column *column,
                                size_t frame, size_t more, char *text, size_t size)
{
    const size_t used = format_difference(bench_pairing_old_number(p, column, frame),
                                          bench_pairing_new_number(p, column, frame), text, size);
    if (more > 0) {
        snprintf(text + used, size - used, "%s%zu more column%s", used > 0 ? "; " : "", more,
                 more > 1 ? "s" : "");
    }
}

/** Reports the frames in which a counter changed in `direction` (as of compare_counter). */
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

/**
 * Compares the memory that was built for both bodies. It counts as a counter because it does not
 * depend on the machine.
 */
static void compare_build_bytes(uint64_t old, uint64_t new, bench_gate_report *report)
{
    if (old == new || old == UINT64_MAX || new == UINT64_MAX) {
        return;
    }
    char bytes[2][24], note[96];
    snprintf(bytes[0], sizeof bytes[0], "%llu", (unsigned long long)old);
    snprintf(bytes[1], sizeof bytes[1], "%llu", (unsigned long long)new);
    format_difference((double)old, (double)new, note, sizeof note);
    bench_gate_add(report, &(bench_gate_finding){.frame = -1,
                                                 .column = "build_bytes",
                                                 .expected = bytes[0],
                                                 .got = bytes[1],
                                                 .note = note,
                                                 .failed = new > old || report->same});
}

void bench_gate_compare_work(const bench_gate_cell *old, const bench_gate_frames *expected,
                             const bench_gate_cell *new, const bench_gate_frames *got,
                             bench_gate_report *report)
{
    bench_pairing p;
    bench_gate_ask(report, BENCH_GATE_COUNTERS, old->row.scenario, old->row.variant);
    if (!bench_pairing_make(expected, got, BENCH_ROLE_COUNTER, "", report, &p)) {
        report->out_of_memory = true;
        return;
    }
    tell_counters(&p, 1, true);
    tell_counters(&p, -1, report->same);
    compare_build_bytes(old->row.build_bytes, new->row.build_bytes, report);
    bench_pairing_tell_new_columns(&p, BENCH_ROLE_COUNTER);
    base_free(p.columns);
}
