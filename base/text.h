/** Small text helpers: names for error messages, numbers, UTF-8. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/**
 * Returns the edit distance: the least number of insertions, deletions and replacements of a
 * character and of swaps of two neighbours that change a into b. No character is edited twice. Only
 * the first 255 bytes of each text count.
 */
size_t base_text_distance(const char *a, const char *b);

/**
 * Writes "; did you mean 'x', 'y' or 'z'?" with at most three names, the nearest to `word` first. A
 * name is near if its edit distance is at most a third of the word's length, or 1 for words of up
 * to five bytes. Writes each name once, fewer names if they do not fit, and "" if no name is near.
 * names: NULL-terminated; size >= 1.
 */
void base_text_near(const char *word, const char *const *names, char *text, size_t size);

/** Writes "a, b or c"; a longer text is truncated. names: NULL-terminated; size >= 1. */
void base_text_choices(const char *const *names, char *text, size_t size);

/**
 * Returns the number of bytes of the UTF-8 character at `text`. Returns 0 if it is not valid, or at
 * the NUL byte that ends the text.
 */
size_t base_text_utf8(const char *text);

/**
 * Reads the whole text as a finite decimal double, without blanks; otherwise returns false and
 * leaves *value unchanged.
 */
bool base_text_number(const char *text, double *value);

#endif
