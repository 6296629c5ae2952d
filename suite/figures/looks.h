/**
 * Labels, colours, dashes and markers of variants: a label has what differs between the variants
 * shown, and a look tells the family in every figure.
 */
#ifndef SUITE_LOOKS_H
#define SUITE_LOOKS_H

#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>

enum { BENCH_DASHES = 5, BENCH_MARKERS = 15 };

typedef struct bench_look {
    const char *label;
    const char *shared; /* what the labels of its algorithm leave out, "ist: packing=cover", or "";
                           the same pointer for all variants of the algorithm */
    char colour[8];     /* "#0072B2" */
    unsigned dash;      /* 1 (solid) to BENCH_DASHES */
    unsigned marker;    /* gnuplot's point type, 1 to BENCH_MARKERS */
} bench_look;

typedef struct bench_looks {
    bench_look *items;  /* in the order of the variants */
    const char *shared; /* the caption of all items, see bench_looks_caption */
} bench_looks;

/**
 * Labels and looks of variants named "family:key=value,...@mark", "family-kind:..." included.
 *
 * A label has the algorithm unless all variants are of one algorithm, and the pairs that differ
 * between the algorithm's variants. Names leave out defaults. A label has the default of a key if
 * this key is the only one that differs, or if most variants of the algorithm have the key in
 * their names; the default must be in the registry. A label without any pair is the algorithm. Two
 * labels are equal only if the names are equal.
 *
 * A family has the same hue and the same shape of markers whatever other variants take part. Its
 * algorithms ("ist", "ist-triangles") share them. The first six members of a family differ by shade
 * and by filled or empty markers, so that they can be told apart in grey; each six that follow have
 * another shape. A family that is not in the table of looks.c, such as that of a plug-in, has one
 * of the remaining hues, which depends on its name. Another such family in the same figure may move
 * it to the next free one.
 *
 * Texts live in the arena. Errors: BASE_ERR_MEMORY.
 */
base_status bench_looks_make(const char *const *variants, size_t count, base_arena *arena,
                             bench_looks *looks, base_error *err) BASE_MUST_CHECK;

/**
 * Joins what the labels of these items leave out: "ist: packing=cover; fcl: bv=rss", or "". It
 * makes the caption where some items of bench_looks_make are not shown.
 *
 * Errors: BASE_ERR_MEMORY.
 */
base_status bench_looks_caption(const bench_look *items, size_t count, base_arena *arena,
                                const char **caption, base_error *err) BASE_MUST_CHECK;

/** Is the variant one of another library (FCL, ODE, ...), as far as the table of looks.c knows? */
bool bench_look_is_library(const char *variant);

#endif
