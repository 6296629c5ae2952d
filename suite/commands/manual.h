/** The manual page, made of what the commands' --help is made of. */
#ifndef SUITE_MANUAL_H
#define SUITE_MANUAL_H

/**
 * Writes proxbench(1) as roff to standard output: all commands with all their options.
 *
 * statuses   the exit statuses, a paragraph.
 */
void bench_manual_print(const char *version, const char *statuses);

#endif
