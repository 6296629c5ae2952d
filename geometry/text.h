/** Small text helpers: near names for error messages, numbers. */
#ifndef GEOMETRY_TEXT_H
#define GEOMETRY_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/**
 * Edit distance: least number of inserted, deleted and replaced characters and swapped neighbours
 * (no character is edited twice). Only the first 255 characters count.
 */
size_t geo_text_distance(const char *a, const char *b);

/**
 * Writes "; did you mean 'x', 'y' or 'z'?" with the names nearest to `word`, nearest first: at most
 * three, at an edit distance up to a third of the word's length, at least 1. Writes "" when none is
 * near, and fewer names when they do not fit. names: NULL-terminated; size >= 1.
 */
void geo_text_near(const char *word, const char *const *names, char *text, size_t size);

/** The whole text as a finite decimal double, without blanks; false, *value untouched, otherwise.
 */
bool geo_text_number(const char *text, double *value);

#endif
