#include "algorithms/voxel/bits.h"

#include "base/memory.h"

base_status alg_voxel_bits_create(const uint32_t size[3], alg_voxel_bits *bits, base_error *err)
{
    *bits = (alg_voxel_bits){.size = {size[0], size[1], size[2]}, .row_words = (size[0] + 63) / 64};
    bits->words = base_alloc(alg_voxel_bits_words(bits), sizeof *bits->words);
    if (!bits->words) {
        *bits = (alg_voxel_bits){0};
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %u x %u x %u voxels", size[0],
                         size[1], size[2]);
    }
    return BASE_OK;
}

void alg_voxel_bits_release(alg_voxel_bits *bits)
{
    base_free(bits->words);
    *bits = (alg_voxel_bits){0};
}

uint64_t alg_voxel_bits_count(const alg_voxel_bits *bits)
{
    const size_t words = alg_voxel_bits_words(bits);
    uint64_t count = 0;
    for (size_t w = 0; w < words; w++) {
        count += (uint64_t)__builtin_popcountll(bits->words[w]);
    }
    return count;
}
