/** Facts of the machine that a reader needs to judge times: for manifest.csv. */
#ifndef SUITE_MACHINE_H
#define SUITE_MACHINE_H

#include <stdbool.h>

typedef void bench_machine_put(void *context, const char *key, const char *value);

/**
 * Calls put once per fact, always the same keys in the same order; "unknown" where this machine
 * does not tell, "none" where it tells that there is nothing. Reads files of the kernel and of PATH
 * and needs no privilege. Nothing names the machine or its owner, unless name_host adds the key
 * `host`.
 *
 * root: "" for this machine; a folder whose proc, sys and root are read instead, for tests.
 */
void bench_machine_facts(const char *root, bool name_host, bench_machine_put *put, void *context);

#endif
