#include "algorithms/entries.h"

#include <string.h>

const alg *const alg_registry[] = {
    &alg_null,
    &alg_brute,
    &alg_ist,
    NULL,
};

const alg *alg_find(const char *name)
{
    for (size_t i = 0; alg_registry[i] != NULL; i++) {
        if (strcmp(alg_registry[i]->name, name) == 0) {
            return alg_registry[i];
        }
    }
    return NULL;
}
