#include "suite/quantities.h"

#include "groundtruth/groundtruth.h"

#include <string.h>

base_status bench_quantities_parse(const char *text, unsigned *quantities, base_error *err)
{
    static const struct {
        const char *name;
        unsigned quantities;
    } words[] = {
        {"distance",        ALG_WANT_DISTANCE                  },
        {"volume",          ALG_WANT_VOLUME                    },
        {"both",            ALG_WANT_DISTANCE | ALG_WANT_VOLUME},
        {"distance,volume", ALG_WANT_DISTANCE | ALG_WANT_VOLUME},
        {"volume,distance", ALG_WANT_DISTANCE | ALG_WANT_VOLUME},
        {"unified",         ALG_WANT_DISTANCE | ALG_WANT_VOLUME},
        {"contact",         ALG_WANT_CONTACT                   },
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(text, words[i].name) == 0) {
            *quantities = words[i].quantities;
            return BASE_OK;
        }
    }
    return base_fail(err, BASE_ERR_ARGUMENT,
                     "unknown quantity '%s': distance, volume, contact or both", text);
}

const char *bench_quantities_name(unsigned quantities)
{
    return quantities == ALG_WANT_DISTANCE  ? "distance"
           : quantities == ALG_WANT_VOLUME  ? "volume"
           : quantities == ALG_WANT_CONTACT ? "contact"
                                            : "unified";
}

unsigned bench_quantities_truth(unsigned quantities)
{
    const unsigned by_distance = ALG_WANT_DISTANCE | ALG_WANT_CONTACT;
    return (quantities & by_distance ? (unsigned)GT_WANT_DISTANCE : 0) |
           (quantities & ALG_WANT_VOLUME ? (unsigned)GT_WANT_VOLUME : 0);
}

unsigned bench_quantities_answered(const alg_variant *variant)
{
    unsigned answered = 0;
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        const alg_contract contract =
            variant->algorithm->contract(&variant->settings, (alg_quantity)q);
        answered |= contract != ALG_NOT_ANSWERED ? 1u << q : 0;
    }
    return answered;
}
