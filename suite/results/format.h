/** Numbers as people read them. */
#ifndef SUITE_FORMAT_H
#define SUITE_FORMAT_H

/** Text of a number; by value, so that several fit into one call of printf. */
typedef struct bench_number_text {
    char text[24];
} bench_number_text;

/** A time with three digits and a unit that suits it: "1.57 ms"; "-" for NaN. */
bench_number_text bench_time_text(double ns);
/** A share as a percentage: "0.707 %", "1.2e-07 %"; "-" for NaN. */
bench_number_text bench_percent_text(double share);

#endif
