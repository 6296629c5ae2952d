/**
 * Names in the files of a run, and the one rule for each kind of them.
 *
 * A name becomes a part of a path, of a figure, of somebody's script. So it is checked when a run
 * begins and whenever a file is read back: a name that could not have been written is refused.
 */
#ifndef SUITE_NAMES_H
#define SUITE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

enum { BENCH_CONTESTANT_NAME_BYTES = 160 };

typedef enum bench_name_kind {
    BENCH_NAME_SCENARIO,   /* as scenario files name them: scn_is_scenario_name */
    BENCH_NAME_CONTESTANT, /* family:key=value,...@LABEL: [a-z0-9-]+, the same, [A-Za-z0-9._+-]+,
                              [a-z]+; without the parts that it does not have */
    BENCH_NAME_EXPERIMENT, /* [a-z0-9-]+ */
    BENCH_NAME_SECTION,    /* of manifest.csv: a scenario's name, or one of its kind ("machine"); or
                              "plugin CONTESTANT" */
    BENCH_NAME_KEY,        /* of manifest.csv, and of a column: [A-Za-z0-9_]+ */
} bench_name_kind;

/** NULL when the text is such a name; else what it is not: "no name of a scenario (...)". */
const char *bench_name_fault(bench_name_kind kind, const char *text);

/** A contestant's name as part of a file name: ':', ',' and '@' become '_'. */
void bench_variant_file(const char *variant, char *file, size_t size);

/** Is it the second copy of a baseline, "VARIANT@twin"? It shows the noise and is no variant. */
bool bench_variant_is_twin(const char *variant);

#endif
