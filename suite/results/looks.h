/**
 * How the variants of one figure are told apart: in words by what differs between them, in the
 * picture by colour, dash and marker.
 */
#ifndef SUITE_LOOKS_H
#define SUITE_LOOKS_H

#include "base/arena.h"
#include "base/error.h"

enum { BENCH_DASHES = 5, BENCH_MARKERS = 15 };

typedef struct bench_look {
    const char *label;
    char colour[8];  /* "#0072B2" */
    unsigned dash;   /* 1 (solid) to BENCH_DASHES */
    unsigned marker; /* 1 to BENCH_MARKERS */
} bench_look;

typedef struct bench_looks {
    bench_look *items;  /* in the order of the variants */
    const char *shared; /* what the labels leave out, for a caption: "ist: packing=cover"; one or
                           more families, "; " between them, or "" */
} bench_looks;

/**
 * Labels and looks of the variants of one figure, which are named "family:key=value,...@mark".
 *
 * A label has the family, unless there is only one, and the pairs that not all of the family's
 * variants have. A default, which names leave out, is said where its key is the only one that
 * differs or most of the family say theirs, as far as this program knows the family; a label
 * without a word is "default". No two labels are the same, unless the names are.
 *
 * A family has a colour, and its members are shades, dashes and markers of it; where there is only
 * one family, its members have the colours. No two of the first 15 variants have the same marker,
 * so that all can be told apart in grey.
 *
 * Texts live in the arena. Errors: BASE_ERR_MEMORY.
 */
base_status bench_looks_make(const char *const *variants, size_t count, base_arena *arena,
                             bench_looks *looks, base_error *err) BASE_MUST_CHECK;

#endif
