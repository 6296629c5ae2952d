/** The manual page, generated from the same texts as --help. */
#ifndef SUITE_MANUAL_H
#define SUITE_MANUAL_H

/**
 * Writes proxbench(1) as roff to standard output: all commands with all their options.
 *
 * statuses   the exit statuses, as one paragraph.
 */
void bench_manual_print(const char *version, const char *statuses);

#endif
