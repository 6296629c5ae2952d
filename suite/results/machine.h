/** Facts of the machine that a reader needs to judge times: for manifest.csv. */
#ifndef SUITE_MACHINE_H
#define SUITE_MACHINE_H

typedef void bench_machine_put(void *context, const char *section, const char *key,
                               const char *value);

/**
 * Calls put once per fact, always the same keys in the same order; "unknown" where this machine
 * does not tell, "none" where it tells that there is nothing. Reads files of the kernel and of PATH
 * and needs no privilege. Nothing names the machine or its owner.
 *
 * Sections: `machine` is what times depend on, so that times of two runs are of one machine only if
 * it is the same in both, but for what changes by the minute: keys that begin with "load" or
 * contain "_now". `tools` is what helps a run along.
 *
 * root: "" for this machine; a folder whose proc, sys and root are read instead, for tests.
 */
void bench_machine_facts(const char *root, bench_machine_put *put, void *context);

#endif
