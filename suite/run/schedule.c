#include "suite/run/schedule.h"

/** The first row: 0, 1, n-1, 2, n-2, ... whose neighbouring differences are all distinct. */
static size_t first_row(size_t count, size_t place)
{
    if (place == 0) {
        return 0;
    }
    return place % 2 == 1 ? (place + 1) / 2 : count - place / 2;
}

void bench_schedule_row(size_t count, size_t round, size_t *order)
{
    const size_t rows = count % 2 == 0 ? count : 2 * count;
    const size_t row = count > 1 ? round % rows : 0;
    for (size_t place = 0; place < count; place++) {
        const size_t mirrored = row < count ? place : count - 1 - place;
        order[place] = (first_row(count, mirrored) + row) % count;
    }
}
