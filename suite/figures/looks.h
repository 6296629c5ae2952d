/**
 * Labels, colours, dashes and markers of variants. A label contains the differences between the
 * variants shown. The look identifies the family in every figure.
 */
#ifndef SUITE_LOOKS_H
#define SUITE_LOOKS_H

#include "base/error.h"
#include "base/memory.h"

#include <stdbool.h>

enum { BENCH_DASHES = 5, BENCH_MARKERS = 15 };

typedef struct bench_look {
    const char *label;
    const char *shared; /* common parts that the labels of its algorithm omit, "ist:
                           packing=cover", or ""; the same pointer for all variants of the
                           algorithm */
    char colour[8];     /* "#0072B2" */
    unsigned dash;      /* 1 (solid) to BENCH_DASHES */
    unsigned marker;    /* gnuplot's point type, 1 to BENCH_MARKERS */
} bench_look;

typedef struct bench_looks {
    bench_look *items;  /* in the order of the variants */
    const char *shared; /* the caption of all items, see bench_looks_caption */
} bench_looks;

/**
 * Makes labels and looks of variants named "family:key=value,...@mark", including
 * "family-kind:...".
 *
 * A label consists of the algorithm and the pairs that differ between the algorithm's variants. If
 * all variants are of one algorithm, the label omits it. A name omits keys that have their default
 * values. The label of such a variant shows the default if the key is the only one that differs, or
 * if most variants of the algorithm have the key in their names. The default must be in the
 * registry. A label without any pair is the algorithm. Two labels are equal only if the names are
 * equal.
 *
 * A family, such as that of "ist" and "ist-triangles", has one hue and one shape of markers, which
 * do not depend on the other variants. The first six members of a family differ by shade and by
 * filled or empty markers, so that they can be distinguished in grey. Each further six members have
 * another shape. A family that is not in the table of looks.c, such as that of a plug-in, has one
 * of the remaining hues and a shape, which are chosen by its name. If another such family in the
 * same figure has this hue and shape, the next free pair is used.
 *
 * Texts are in the arena. Errors: BASE_ERR_MEMORY.
 */
base_status bench_looks_make(const char *const *variants, size_t count, base_arena *arena,
                             bench_looks *looks, base_error *err) BASE_MUST_CHECK;

/**
 * Joins the common parts that the labels of these items omit: "ist: packing=cover; fcl: bv=rss", or
 * "". Use it for the caption if not all items of bench_looks_make are shown.
 *
 * Errors: BASE_ERR_MEMORY.
 */
base_status bench_looks_caption(const bench_look *items, size_t count, base_arena *arena,
                                const char **caption, base_error *err) BASE_MUST_CHECK;

/**
 * True if the variant is from another library (FCL, ODE, ...) according to the table of looks.c.
 */
bool bench_look_is_library(const char *variant);

#endif
