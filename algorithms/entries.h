/** The algorithms that registry.c lists; each is defined in the folder of its family. */
#ifndef ALGORITHMS_ENTRIES_H
#define ALGORITHMS_ENTRIES_H

#include "algorithms/algorithms.h"

extern const alg alg_null;
extern const alg alg_brute;
extern const alg alg_ist;
extern const alg alg_ist_exact;
extern const alg alg_ist_triangles;
extern const alg alg_ist_budget;
extern const alg alg_ist_deadline;
extern const alg alg_faulty;

#endif
