/** Small text helpers: near names for error messages, globs, numbers. */
#ifndef GEOMETRY_TEXT_H
#define GEOMETRY_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/** Edit distance (insert, delete, replace, swap of neighbours). */
size_t geo_text_distance(const char *a, const char *b);

/**
 * Writes "; did you mean 'x' or 'y'?" for the names nearest to `word` (at most three, edit distance
 * up to a third of its length, at least 1), or "" when none is near. names: NULL-terminated.
 */
void geo_text_near(const char *word, const char *const *names, char *text, size_t size);

/** The whole text as a finite double; false otherwise. */
bool geo_text_number(const char *text, double *value);

#endif
