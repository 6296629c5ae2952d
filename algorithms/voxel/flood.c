/**
 * Rows of voxels along x wait on a stack. A row that is removed from the stack spreads its outside
 * voxels along itself, and then into its four neighbour rows. Rows that gain voxels are put on the
 * stack again.
 */
#include "algorithms/voxel/flood.h"

#include "base/memory.h"

typedef struct flood {
    const alg_voxel_bits *surface;
    alg_voxel_bits *outside;
    uint64_t last;    /* bits of the last word of a row that are in the grid */
    uint32_t *stack;  /* y + z * size[1]: rows on the stack, each once */
    uint8_t *waiting; /* true if the row is on the stack */
    size_t count;     /* rows on the stack */
} flood;

/**
 * Spreads each seed downwards through consecutive ones of `open`, in six steps with doubling
 * distance.
 */
static uint64_t spread_down(uint64_t seeds, uint64_t open)
{
    if (seeds == 0 || seeds == open) {
        return seeds;
    }
    for (int step = 1; step < 64; step *= 2) {
        seeds |= open & seeds >> step;
        open &= open >> step;
    }
    return seeds;
}

/**
 * Spreads the outside along a row: upwards by the carries of an addition, which propagate through a
 * run of ones, then downwards by shifts.
 */
static void spread_row(const flood *f, const uint64_t *surface, uint64_t *outside)
{
    const size_t words = f->outside->row_words;
    bool carry = false;
    for (size_t w = 0; w < words; w++) {
        const uint64_t open = ~surface[w] & (w + 1 == words ? f->last : ~UINT64_C(0));
        uint64_t sum;
        const bool over = __builtin_add_overflow(open, outside[w], &sum);
        carry = __builtin_add_overflow(sum, (uint64_t)carry, &sum) || over;
        /* A second seed in a run leaves a one in the sum at its own position. */
        outside[w] |= open & ~sum;
    }
    uint64_t above = 0;
    for (size_t w = words; w-- > 0;) {
        const uint64_t open = ~surface[w] & (w + 1 == words ? f->last : ~UINT64_C(0));
        outside[w] = spread_down(outside[w] | (above << 63 & open), open);
        above = outside[w] & 1;
    }
}

/**
 * Marks the voxels of row (y, z) as outside that are not surface voxels and whose neighbours in row
 * `from` are outside.
 */
static void hand_over(flood *f, const uint64_t *from, uint32_t y, uint32_t z)
{
    const size_t words = f->outside->row_words;
    const uint64_t *const surface = alg_voxel_bits_row(f->surface, y, z);
    uint64_t *const to = alg_voxel_bits_row(f->outside, y, z);
    uint64_t gained = 0;
    for (size_t w = 0; w < words; w++) {
        const uint64_t gain = from[w] & ~surface[w] & ~to[w];
        to[w] |= gain;
        gained |= gain;
    }
    const uint32_t row = z * f->outside->size[1] + y;
    if (gained != 0 && !f->waiting[row]) {
        f->waiting[row] = 1;
        f->stack[f->count++] = row;
    }
}

static void run_flood(flood *f)
{
    const uint32_t *const size = f->outside->size;
    f->outside->words[0] = 1;
    f->stack[f->count++] = 0;
    f->waiting[0] = 1;
    while (f->count > 0) {
        const uint32_t row = f->stack[--f->count];
        const uint32_t y = row % size[1], z = row / size[1];
        uint64_t *const outside = alg_voxel_bits_row(f->outside, y, z);
        f->waiting[row] = 0;
        spread_row(f, alg_voxel_bits_row(f->surface, y, z), outside);
        if (z > 0) {
            hand_over(f, outside, y, z - 1);
        }
        if (z + 1 < size[2]) {
            hand_over(f, outside, y, z + 1);
        }
        if (y > 0) {
            hand_over(f, outside, y - 1, z);
        }
        if (y + 1 < size[1]) {
            hand_over(f, outside, y + 1, z);
        }
    }
}

base_status alg_voxel_flood(const alg_voxel_bits *surface, alg_voxel_bits *outside, base_error *err)
{
    base_assert(!alg_voxel_bit(surface, 0, 0, 0));
    const size_t rows = (size_t)surface->size[1] * surface->size[2];
    flood f = {
        .surface = surface,
        .outside = outside,
        .last = ~UINT64_C(0) >> (63 - (surface->size[0] - 1) % 64),
        .stack = base_alloc(rows, sizeof *f.stack),
        .waiting = base_alloc(rows, sizeof *f.waiting),
    };
    base_status status = BASE_OK;
    if (f.stack && f.waiting) {
        run_flood(&f);
    } else {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for a flood of %zu rows", rows);
    }
    base_free(f.stack);
    base_free(f.waiting);
    return status;
}
