#include "base/containers.h"
#include "base/random.h"

#include <criterion/criterion.h>

/** Compared with labels that are rewritten at every join. */
Test(sets, equal_relabelling)
{
    enum { COUNT = 200 };
    base_random random = base_random_seed(82);
    uint32_t parent[COUNT], label[COUNT];
    base_sets_init(parent, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        label[i] = i;
    }
    for (int joins = 0; joins < 250; joins++) {
        const uint32_t i = (uint32_t)base_random_below(&random, COUNT);
        const uint32_t j = (uint32_t)base_random_below(&random, COUNT);
        const uint32_t old = label[i] > label[j] ? label[i] : label[j];
        const uint32_t least = label[i] < label[j] ? label[i] : label[j];
        for (uint32_t k = 0; k < COUNT; k++) {
            label[k] = label[k] == old ? least : label[k];
        }
        base_sets_join(parent, i, j);
        for (uint32_t k = 0; k < COUNT; k++) {
            cr_assert_eq(base_sets_find(parent, k), label[k], "after %d joins, %u", joins, k);
        }
    }
}
