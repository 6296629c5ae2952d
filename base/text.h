/** Small text helpers: names for error messages, numbers, UTF-8. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/**
 * Returns the edit distance: the least number of inserted, deleted and replaced characters and
 * swapped neighbours (no character is edited twice). Only the first 255 characters count.
 */
size_t base_text_distance(const char *a, const char *b);

/**
 * Writes "; did you mean 'x', 'y' or 'z'?" with the names nearest to `word`, nearest first: at most
 * three, at an edit distance up to a third of the word's length, at least 1, each name once. Writes
 * "" if no name is near, and fewer names if they do not fit. names: NULL-terminated; size >= 1.
 */
void base_text_near(const char *word, const char *const *names, char *text, size_t size);

/** Writes "a, b or c", as many names as fit. names: NULL-terminated; size >= 1. */
void base_text_choices(const char *const *names, char *text, size_t size);

/**
 * Returns the bytes of the UTF-8 character at `text`; 0 if it is not a valid one. The text ends
 * with a NUL byte.
 */
size_t base_text_utf8(const char *text);

/**
 * Reads the whole text as a finite decimal double, without blanks; otherwise returns false and
 * leaves *value unchanged.
 */
bool base_text_number(const char *text, double *value);

#endif
