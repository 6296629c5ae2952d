#include "algorithms/lpd/grid.h"

#include "geometry/vec.h"

#define NONE ALG_LPD_EMPTY

enum {
    AXIS_BITS = 21, /* bits of a key for the cell's index along an axis */
    SIDE_MAX = 1 << (AXIS_BITS - 1),
    DIGIT_BITS = 8,
    DIGITS = 64 / DIGIT_BITS,
    VALUES = 1 << DIGIT_BITS,
};

/** Direction of the heights: a little shorter than 1, and not a direction that faces of bodies
 * have. */
static const vec3 slant = {0.3217505, 0.5143276, 0.7947119};

/** A point at which ends lie. */
typedef struct alg_lpd_point {
    vec3 at;
    double height;
    uint32_t first; /* least number of its free ends */
    uint32_t cell;
    uint32_t beside[2]; /* adjacent points of its cell in the order of heights, below and above */
} point;

/** An end in the list of its point's free ends. */
typedef struct alg_lpd_free_end {
    uint32_t point, previous, next;
} free_end;

typedef struct alg_lpd_cell {
    uint64_t key;        /* indices of the cell along x, y and z */
    uint32_t begin, end; /* of its points in alg_lpd_grid.scratch */
} cell;

typedef struct alg_lpd_ranked {
    uint64_t height; /* bits of a non-negative double, which increase with its value */
    uint32_t point;
} ranked;

base_status alg_lpd_grid_create(uint32_t segments_max, base_arena *arena, alg_lpd_grid *grid,
                                base_error *err)
{
    const size_t ends = 2 * (size_t)segments_max;
    *grid = (alg_lpd_grid){
        .points = base_arena_alloc(arena, ends, sizeof *grid->points),
        .ends = base_arena_alloc(arena, ends, sizeof *grid->ends),
        .cells = base_arena_alloc(arena, ends, sizeof *grid->cells),
        .sorted = base_arena_alloc(arena, ends, sizeof *grid->sorted),
        .scratch = base_arena_alloc(arena, ends, sizeof *grid->scratch),
        .table.slots =
            base_arena_alloc(arena, alg_lpd_table_slots((uint32_t)ends), sizeof *grid->table.slots),
    };
    if (!grid->points || !grid->ends || !grid->cells || !grid->sorted || !grid->scratch ||
        !grid->table.slots) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for a grid of %u segments",
                         segments_max);
    }
    return BASE_OK;
}

/* --- Points ----------------------------------------------------------------------------------- */

/** Key of a lookup among points. */
typedef struct sought_point {
    const point *points;
    vec3 at;
} sought_point;

static bool is_point(const void *context, uint32_t number)
{
    const sought_point *const s = context;
    return vec3_equal(s->points[number].at, s->at);
}

static uint32_t find_or_add_point(alg_lpd_grid *grid, vec3 at)
{
    const sought_point sought = {grid->points, at};
    uint32_t *const slot =
        alg_lpd_table_find(&grid->table, alg_lpd_hash_point(at), is_point, &sought);
    if (*slot == ALG_LPD_EMPTY) {
        *slot = grid->point_count++;
        grid->points[*slot] = (point){.at = at, .first = NONE};
    }
    return *slot;
}

/** Collects the points, from the last end to the first, so that lists begin with the least number.
 * Returns the box of all points. */
static geo_box gather_points(alg_lpd_grid *grid, const alg_lpd_segments *segments)
{
    const vec3 zero = {0, 0, 0};
    geo_box box = geo_box_empty();
    grid->point_count = 0;
    alg_lpd_table_clear(&grid->table, 2 * segments->count);
    for (uint32_t end = 2 * segments->count; end-- > 0;) {
        /* Adding +0 removes negative zeros. */
        const vec3 at = vec3_add(segments->items[end / 2].end[end % 2], zero);
        const uint32_t number = find_or_add_point(grid, at);
        point *const p = &grid->points[number];
        grid->ends[end] = (free_end){number, NONE, p->first};
        if (p->first != NONE) {
            grid->ends[p->first].previous = end;
        }
        p->first = end;
        box = geo_box_add(box, at);
    }
    return box;
}

/* --- Heights ---------------------------------------------------------------------------------- */

/** Radix sort by bytes, the least significant first; a byte that is the same in all items is
 * skipped. Stable. */
static void sort(ranked **items, ranked **scratch, uint32_t count)
{
    uint32_t begin[DIGITS][VALUES] = {{0}};
    for (uint32_t i = 0; i < count; i++) {
        for (int d = 0; d < DIGITS; d++) {
            begin[d][(*items)[i].height >> d * DIGIT_BITS & (VALUES - 1)]++;
        }
    }
    for (int d = 0; d < DIGITS; d++) {
        const int shift = d * DIGIT_BITS;
        if (count == 0 || begin[d][(*items)[0].height >> shift & (VALUES - 1)] == count) {
            continue;
        }
        for (uint32_t v = 0, sum = 0; v < VALUES; v++) {
            const uint32_t of_value = begin[d][v];
            begin[d][v] = sum;
            sum += of_value;
        }
        for (uint32_t i = 0; i < count; i++) {
            (*scratch)[begin[d][(*items)[i].height >> shift & (VALUES - 1)]++] = (*items)[i];
        }
        ranked *const sorted = *scratch;
        *scratch = *items;
        *items = sorted;
    }
}

static void rank_points(alg_lpd_grid *grid)
{
    for (uint32_t i = 0; i < grid->point_count; i++) {
        point *const p = &grid->points[i];
        p->height = vec3_dot(slant, vec3_sub(p->at, grid->lo));
        grid->sorted[i] = (ranked){alg_lpd_bits(p->height), i};
    }
    sort(&grid->sorted, &grid->scratch, grid->point_count);
}

/* --- Cells ------------------------------------------------------------------------------------ */

uint32_t alg_lpd_grid_side(uint32_t n_s, double k)
{
    const double side = floor(n_s / k + 0.5);
    return side < 1 ? 1 : side < SIDE_MAX ? (uint32_t)side : SIDE_MAX;
}

/** Returns the number of cells per metre along one side; 0 for a side of length 0. */
static double scale_of(uint32_t side, double length)
{
    const double scale = side / length;
    return isfinite(scale) ? scale : 0;
}

static void place_grid(alg_lpd_grid *grid, geo_box box, uint32_t side)
{
    const vec3 length = vec3_sub(box.hi, box.lo);
    const double yz = length.y > length.z ? length.y : length.z;
    grid->side = side;
    grid->lo = box.lo;
    grid->scale =
        (vec3){scale_of(side, length.x), scale_of(side, length.y), scale_of(side, length.z)};
    grid->cell_m = (length.x > yz ? length.x : yz) / side;
    /* Each of two heights has five roundings of a value that is at most this sum. */
    grid->height_error = 0x1p-49 * (length.x + length.y + length.z);
}

static uint64_t place_along(const alg_lpd_grid *grid, double x, double lo, double scale)
{
    const double at = (x - lo) * scale;
    return at < grid->side ? (uint64_t)at : grid->side - 1;
}

static uint64_t key_of(uint64_t x, uint64_t y, uint64_t z)
{
    return x | y << AXIS_BITS | z << 2 * AXIS_BITS;
}

/** Key of a lookup among cells. */
typedef struct sought_cell {
    const cell *cells;
    uint64_t key;
} sought_cell;

static bool is_cell(const void *context, uint32_t number)
{
    const sought_cell *const s = context;
    return s->cells[number].key == s->key;
}

static uint32_t *find_cell(const alg_lpd_grid *grid, uint64_t key)
{
    const sought_cell sought = {grid->cells, key};
    return alg_lpd_table_find(&grid->table, alg_lpd_hash(key), is_cell, &sought);
}

static uint32_t find_or_add_cell(alg_lpd_grid *grid, vec3 p)
{
    const uint64_t key = key_of(place_along(grid, p.x, grid->lo.x, grid->scale.x),
                                place_along(grid, p.y, grid->lo.y, grid->scale.y),
                                place_along(grid, p.z, grid->lo.z, grid->scale.z));
    uint32_t *const slot = find_cell(grid, key);
    if (*slot == ALG_LPD_EMPTY) {
        *slot = grid->cell_count++;
        grid->cells[*slot] = (cell){key, 0, 0};
    }
    return *slot;
}

/** Stores the points of each cell consecutively, in ascending order of their heights. */
static void fill_cells(alg_lpd_grid *grid)
{
    grid->cell_count = 0;
    alg_lpd_table_clear(&grid->table, grid->point_count);
    for (uint32_t i = 0; i < grid->point_count; i++) {
        point *const p = &grid->points[grid->sorted[i].point];
        p->cell = find_or_add_cell(grid, p->at);
        grid->cells[p->cell].end++;
    }
    for (uint32_t c = 0, sum = 0; c < grid->cell_count; c++) {
        cell *const of = &grid->cells[c];
        sum += of->end;
        of->begin = of->end = sum - of->end;
    }
    for (uint32_t i = 0; i < grid->point_count; i++) {
        const uint32_t number = grid->sorted[i].point;
        point *const p = &grid->points[number];
        cell *const c = &grid->cells[p->cell];
        p->beside[0] = c->end > c->begin ? grid->scratch[c->end - 1].point : NONE;
        p->beside[1] = NONE;
        if (p->beside[0] != NONE) {
            grid->points[p->beside[0]].beside[1] = number;
        }
        grid->scratch[c->end++] = grid->sorted[i];
    }
}

void alg_lpd_grid_fill(alg_lpd_grid *grid, const alg_lpd_segments *segments, double k)
{
    place_grid(grid, gather_points(grid, segments), alg_lpd_grid_side(segments->count, k));
    rank_points(grid);
    fill_cells(grid);
    grid->tests = 0;
}

/* --- Free ends -------------------------------------------------------------------------------- */

/** Unlinks a point from its cell. The point keeps its own links, over which its neighbours are
 * found. */
static void leave_cell(alg_lpd_grid *grid, const point *p)
{
    for (int direction = 0; direction < 2; direction++) {
        if (p->beside[direction] != NONE) {
            grid->points[p->beside[direction]].beside[!direction] = p->beside[!direction];
        }
    }
}

static void take_end(alg_lpd_grid *grid, const free_end *e)
{
    point *const p = &grid->points[e->point];
    if (e->previous == NONE) {
        p->first = e->next;
    } else {
        grid->ends[e->previous].next = e->next;
    }
    if (e->next != NONE) {
        grid->ends[e->next].previous = e->previous;
    }
    if (p->first == NONE) {
        leave_cell(grid, p);
    }
}

void alg_lpd_grid_take(alg_lpd_grid *grid, uint32_t segment)
{
    take_end(grid, &grid->ends[2 * segment]);
    take_end(grid, &grid->ends[2 * segment + 1]);
}

/* --- Nearest free end ------------------------------------------------------------------------- */

typedef struct search {
    alg_lpd_grid *grid;
    const point *from;
    double distance2; /* squared distance of the best so far, or the greatest allowed */
    uint32_t best;
} search;

/** Returns true if a point at this height is too far below or above to be as near as the best. */
static bool too_far(const search *s, double height)
{
    const double apart = fabs(height - s->from->height) - s->grid->height_error;
    return apart > 0 && apart * apart > s->distance2;
}

static void look_at(search *s, const point *p)
{
    const double distance2 = vec3_distance2(p->at, s->from->at);
    s->grid->tests++;
    if (distance2 < s->distance2 || (distance2 == s->distance2 && p->first < s->best)) {
        s->distance2 = distance2;
        s->best = p->first;
    }
}

/** Returns the next point in a direction that has a free end. Shortens the links, so that the next
 * call skips the points that have left. */
static uint32_t next_free(point *points, uint32_t number, int direction)
{
    uint32_t next = points[number].beside[direction];
    while (next != NONE && points[next].first == NONE) {
        next = points[next].beside[direction];
        points[number].beside[direction] = next;
    }
    return next;
}

/** Like next_free, but returns the point itself if it has a free end. */
static uint32_t this_or_next(point *points, uint32_t number, int direction)
{
    return points[number].first == NONE ? next_free(points, number, direction) : number;
}

/** Searches downwards and upwards by turns from two points that have a free end; each may be
 * NONE. */
static void search_cell(search *s, uint32_t below, uint32_t above)
{
    point *const points = s->grid->points;
    uint32_t beside[2] = {below, above};
    while (beside[0] != NONE || beside[1] != NONE) {
        for (int direction = 0; direction < 2; direction++) {
            const uint32_t number = beside[direction];
            if (number == NONE || too_far(s, points[number].height)) {
                beside[direction] = NONE;
            } else {
                look_at(s, &points[number]);
                beside[direction] = next_free(points, number, direction);
            }
        }
    }
}

static void search_own_cell(search *s)
{
    point *const points = s->grid->points;
    const uint32_t own = (uint32_t)(s->from - points);
    search_cell(s, next_free(points, own, 0), next_free(points, own, 1));
}

/** Searches another cell, starting at the height of the point that is searched from. */
static void search_other_cell(search *s, const cell *c)
{
    const ranked *const members = s->grid->scratch;
    const uint64_t height = alg_lpd_bits(s->from->height);
    uint32_t lo = c->begin, hi = c->end;
    while (lo < hi) {
        const uint32_t middle = lo + (hi - lo) / 2;
        if (members[middle].height < height) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    point *const points = s->grid->points;
    search_cell(s, lo > c->begin ? this_or_next(points, members[lo - 1].point, 0) : NONE,
                lo < c->end ? this_or_next(points, members[lo].point, 1) : NONE);
}

static void search_cells_around(search *s)
{
    const alg_lpd_grid *const grid = s->grid;
    const uint64_t own = grid->cells[s->from->cell].key, mask = (1 << AXIS_BITS) - 1;
    for (uint64_t i = 0; i < 27; i++) {
        /* Index -1 wraps to the largest value of the mask, at which no cell exists. */
        const uint64_t key = key_of(((own & mask) + i % 3 - 1) & mask,
                                    ((own >> AXIS_BITS & mask) + i / 3 % 3 - 1) & mask,
                                    ((own >> 2 * AXIS_BITS & mask) + i / 9 - 1) & mask);
        const uint32_t number = key == own ? ALG_LPD_EMPTY : *find_cell(grid, key);
        if (number != ALG_LPD_EMPTY) {
            search_other_cell(s, &grid->cells[number]);
        }
    }
}

alg_lpd_nearest alg_lpd_grid_nearest(alg_lpd_grid *grid, uint32_t end, bool neighbours, bool equal)
{
    const point *const from = &grid->points[grid->ends[end].point];
    const bool here = from->first != NONE;
    const bool branch = here && grid->ends[from->first].next != NONE;
    if (here && equal) {
        return (alg_lpd_nearest){from->first, branch};
    }
    search s = {grid, from, neighbours ? grid->cell_m * grid->cell_m : (double)INFINITY, NONE};
    if (here) {
        look_at(&s, from);
    }
    search_own_cell(&s);
    if (neighbours) {
        search_cells_around(&s);
    }
    return (alg_lpd_nearest){s.best, branch};
}
