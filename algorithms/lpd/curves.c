#include "algorithms/lpd/curves.h"

#include "geometry/vec.h"

#include <string.h>

/* --- Hash table ------------------------------------------------------------------------------- */

/** No index. */
#define NONE UINT32_MAX

/** A hash table of indices. The caller owns the items and compares keys. */
typedef struct hash_table {
    uint32_t *slots; /* arena; table_slots(count) slots */
    unsigned bits;   /* 2^bits slots are in use */
} hash_table;

static unsigned table_bits(uint32_t count)
{
    unsigned bits = 2;
    while (((uint64_t)1 << bits) < 2 * (uint64_t)count) {
        bits++;
    }
    return bits;
}

/** Returns the number of slots for a table of count indices. */
static size_t table_slots(uint32_t count)
{
    return (size_t)1 << table_bits(count);
}

/**
 * Empties the table and sets its size, so that count indices fill at most half of it. Cost: linear
 * in count.
 */
static void table_clear(hash_table *table, uint32_t count)
{
    table->bits = table_bits(count);
    memset(table->slots, 0xff, table_slots(count) * sizeof *table->slots);
}

/** Returns a hash that depends on all bits of the key. */
static uint64_t hash_of(uint64_t key)
{
    key ^= key >> 32;
    key *= 0x9e3779b97f4a7c15;
    key ^= key >> 29;
    return key * 0xbf58476d1ce4e5b9;
}

/** Returns the bits of a double; they increase with its value if it is not negative. */
static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/** Returns the bits of a double, with the upper half mixed into the lower half. */
static uint64_t fold(double x)
{
    const uint64_t bits = bits_of(x);
    return bits ^ bits >> 32;
}

/** Returns a hash of the bits of a point. Zeros of both signs differ. */
static uint64_t hash_point(vec3 p)
{
    return hash_of(fold(p.x) * 0x9e3779b97f4a7c15 + fold(p.y) * 0xc2b2ae3d27d4eb4f +
                   fold(p.z) * 0x165667b19e3779f9);
}

/**
 * Returns the first slot that may hold a key with this hash. A lookup continues with next_slot
 * until it finds the key or NONE.
 */
static uint32_t *first_slot(const hash_table *table, uint64_t hash)
{
    return &table->slots[hash >> (64 - table->bits)];
}

static uint32_t *next_slot(const hash_table *table, uint32_t *slot)
{
    const size_t last = ((size_t)1 << table->bits) - 1;
    return slot == &table->slots[last] ? table->slots : slot + 1;
}

/* --- Grid of free ends ------------------------------------------------------------------------ */

/*
 * A hashed grid of the free ends of segments. It finds the free end that is nearest to a given end.
 *
 * The box of all ends is divided into the same number of cells along each side; a side of length 0
 * has one layer of cells. Ends at the same point, bit for bit, are stored as one point: a curve
 * that continues there needs no distance. The points of a cell are sorted by their heights along a
 * slanted direction, so that a search tests few of them even if a cell has many points.
 *
 * Source   LPD 2 and 5.1.
 */

enum {
    AXIS_BITS = 21, /* bits of a key for the cell's index along an axis */
    SIDE_MAX = 1 << (AXIS_BITS - 1),
    DIGIT_BITS = 8,
    DIGITS = 64 / DIGIT_BITS,
    VALUES = 1 << DIGIT_BITS,
};

/**
 * Direction of the heights. Its length is slightly below 1, so a difference of heights is never
 * larger than a distance. Faces of bodies are hardly ever perpendicular to it, so few points have
 * equal heights.
 */
static const vec3 slant = {0.3217505, 0.5143276, 0.7947119};

/** A point at which one or more ends of segments lie. */
typedef struct point {
    vec3 at;
    double height;
    uint32_t first; /* the free end with the least number; NONE if it has none */
    uint32_t cell;
    uint32_t beside[2]; /* next points of its cell in the order of heights: below and above */
} point;

/** An end in the list of its point's free ends. */
typedef struct free_end {
    uint32_t point, previous, next;
} free_end;

typedef struct cell {
    uint64_t key;        /* indices of the cell along x, y and z */
    uint32_t begin, end; /* of its points in end_grid.scratch */
} cell;

typedef struct ranked {
    uint64_t height; /* bits of a non-negative double, which increase with its value */
    uint32_t point;
} ranked;

typedef struct end_grid {
    point *points; /* arena, as all pointers that follow */
    free_end *ends;
    cell *cells;
    ranked *sorted, *scratch; /* sorted: points by height; scratch: after filling, points by cell
                                 and then by height */
    hash_table table;         /* of points, then of cells */
    uint32_t point_count, cell_count;
    uint32_t side;       /* cells along each side */
    vec3 lo, scale;      /* lower corner of the box; cells per metre */
    double cell_m;       /* the longest side of a cell */
    double height_error; /* bound on the error of a difference of heights */
    uint64_t tests;      /* number of distances since the grid was filled */
} end_grid;

/** Result of a search. End k of segment s has the index 2 s + k. */
typedef struct nearest_end {
    uint32_t end; /* NONE if no free end was found */
    bool branch;  /* true if at least two free ends are at the same point as the given end */
} nearest_end;

/** Allocates room for segments_max segments, 250 bytes for each. */
static base_status grid_create(uint32_t segments_max, base_arena *arena, end_grid *grid,
                               base_error *err)
{
    const size_t ends = 2 * (size_t)segments_max;
    *grid = (end_grid){
        .points = base_arena_alloc(arena, ends, sizeof *grid->points),
        .ends = base_arena_alloc(arena, ends, sizeof *grid->ends),
        .cells = base_arena_alloc(arena, ends, sizeof *grid->cells),
        .sorted = base_arena_alloc(arena, ends, sizeof *grid->sorted),
        .scratch = base_arena_alloc(arena, ends, sizeof *grid->scratch),
        .table.slots =
            base_arena_alloc(arena, table_slots((uint32_t)ends), sizeof *grid->table.slots),
    };
    if (!grid->points || !grid->ends || !grid->cells || !grid->sorted || !grid->scratch ||
        !grid->table.slots) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for a grid of %u segments",
                         segments_max);
    }
    return BASE_OK;
}

/* --- Points ----------------------------------------------------------------------------------- */

/**
 * Collects the points at which ends lie. Ends are added from the last to the first, so that the
 * list of each point begins with the least number. Returns the box of all points.
 */
static geo_box gather_points(end_grid *grid, const alg_lpd_segments *segments)
{
    const vec3 zero = {0, 0, 0};
    geo_box box = geo_box_empty();
    grid->point_count = 0;
    table_clear(&grid->table, 2 * segments->count);
    for (uint32_t end = 2 * segments->count; end-- > 0;) {
        /* Adding +0 removes negative zeros. */
        const vec3 at = vec3_add(segments->items[end / 2].end[end % 2], zero);
        uint32_t *slot = first_slot(&grid->table, hash_point(at));
        while (*slot != NONE && !vec3_equal(grid->points[*slot].at, at)) {
            slot = next_slot(&grid->table, slot);
        }
        if (*slot == NONE) {
            *slot = grid->point_count++;
            grid->points[*slot] = (point){.at = at, .first = NONE};
        }
        point *const p = &grid->points[*slot];
        grid->ends[end] = (free_end){*slot, NONE, p->first};
        if (p->first != NONE) {
            grid->ends[p->first].previous = end;
        }
        p->first = end;
        box = geo_box_add(box, at);
    }
    return box;
}

/* --- Heights ---------------------------------------------------------------------------------- */

/**
 * Sorts items by height: a stable radix sort by bytes, the least significant byte first. A byte
 * that is the same in all items is skipped.
 */
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

static uint64_t cell_index(const end_grid *grid, double x, double lo, double scale)
{
    const double at = (x - lo) * scale;
    return at < grid->side ? (uint64_t)at : grid->side - 1;
}

static uint64_t key_of(uint64_t x, uint64_t y, uint64_t z)
{
    return x | y << AXIS_BITS | z << 2 * AXIS_BITS;
}

/** Returns the slot of a cell, or the empty slot for it. */
static uint32_t *find_cell(const end_grid *grid, uint64_t key)
{
    uint32_t *slot = first_slot(&grid->table, hash_of(key));
    while (*slot != NONE && grid->cells[*slot].key != key) {
        slot = next_slot(&grid->table, slot);
    }
    return slot;
}

/** Stores the points of each cell consecutively, in ascending order of their heights. */
static void fill_cells(end_grid *grid)
{
    grid->cell_count = 0;
    table_clear(&grid->table, grid->point_count);
    for (uint32_t i = 0; i < grid->point_count; i++) {
        point *const p = &grid->points[grid->sorted[i].point];
        const uint64_t key = key_of(cell_index(grid, p->at.x, grid->lo.x, grid->scale.x),
                                    cell_index(grid, p->at.y, grid->lo.y, grid->scale.y),
                                    cell_index(grid, p->at.z, grid->lo.z, grid->scale.z));
        uint32_t *const slot = find_cell(grid, key);
        if (*slot == NONE) {
            *slot = grid->cell_count++;
            grid->cells[*slot] = (cell){key, 0, 0};
        }
        p->cell = *slot;
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

/**
 * Fills the grid with all ends, which become free. It has n_g = max(1, round(n_s / k)) cells along
 * each side, 2^20 at most. The cost is some 40 to 90 ns per segment, independent of the previous
 * contents.
 */
static void grid_fill(end_grid *grid, const alg_lpd_segments *segments, double k)
{
    const geo_box box = gather_points(grid, segments);
    const vec3 length = vec3_sub(box.hi, box.lo);
    const double yz = length.y > length.z ? length.y : length.z;
    const uint32_t side = alg_lpd_grid_side(segments->count, k);
    grid->side = side;
    grid->lo = box.lo;
    grid->scale =
        (vec3){scale_of(side, length.x), scale_of(side, length.y), scale_of(side, length.z)};
    grid->cell_m = (length.x > yz ? length.x : yz) / side;
    /* Each of the two heights has five roundings of values that are at most this sum of lengths. */
    grid->height_error = 0x1p-49 * (length.x + length.y + length.z);
    for (uint32_t i = 0; i < grid->point_count; i++) {
        point *const p = &grid->points[i];
        p->height = vec3_dot(slant, vec3_sub(p->at, grid->lo));
        grid->sorted[i] = (ranked){bits_of(p->height), i};
    }
    sort(&grid->sorted, &grid->scratch, grid->point_count);
    fill_cells(grid);
    grid->tests = 0;
}

/* --- Free ends -------------------------------------------------------------------------------- */

/** Removes an end from the free ends. */
static void take_end(end_grid *grid, const free_end *e)
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
    /* A point without free ends is removed from the list of its cell. Its own links remain, so that
     * a search that starts at this point finds its neighbours. */
    for (int direction = 0; direction < 2 && p->first == NONE; direction++) {
        if (p->beside[direction] != NONE) {
            grid->points[p->beside[direction]].beside[!direction] = p->beside[!direction];
        }
    }
}

/* --- Nearest free end ------------------------------------------------------------------------- */

typedef struct search {
    end_grid *grid;
    const point *from;
    double distance2; /* squared distance of the best end so far; at first, the greatest allowed */
    uint32_t best;
} search;

static void compare(search *s, const point *p)
{
    const double distance2 = vec3_distance2(p->at, s->from->at);
    s->grid->tests++;
    if (distance2 < s->distance2 || (distance2 == s->distance2 && p->first < s->best)) {
        s->distance2 = distance2;
        s->best = p->first;
    }
}

/**
 * Returns the next point in a direction that has a free end. Shortens the link of the given point,
 * so that the next call skips the points without free ends.
 */
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

/**
 * Searches a cell downwards from `below` and upwards from `above`, in turns. Each of these points
 * has a free end, or is NONE.
 */
static void search_cell(search *s, uint32_t below, uint32_t above)
{
    point *const points = s->grid->points;
    uint32_t beside[2] = {below, above};
    while (beside[0] != NONE || beside[1] != NONE) {
        for (int direction = 0; direction < 2; direction++) {
            const uint32_t index = beside[direction];
            if (index == NONE) {
                continue;
            }
            const double apart =
                fabs(points[index].height - s->from->height) - s->grid->height_error;
            if (apart > 0 && apart * apart > s->distance2) {
                beside[direction] = NONE; /* all further points are farther than the best */
            } else {
                compare(s, &points[index]);
                beside[direction] = next_free(points, index, direction);
            }
        }
    }
}

/** Searches another cell than that of s->from, starting at the height of s->from. */
static void search_other_cell(search *s, const cell *c)
{
    const ranked *const members = s->grid->scratch;
    const uint64_t height = bits_of(s->from->height);
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
    const end_grid *const grid = s->grid;
    const uint64_t own = grid->cells[s->from->cell].key, mask = (1 << AXIS_BITS) - 1;
    for (uint64_t i = 0; i < 27; i++) {
        /* Index -1 wraps to the largest value of the mask; no cell has this index. */
        const uint64_t key = key_of(((own & mask) + i % 3 - 1) & mask,
                                    ((own >> AXIS_BITS & mask) + i / 3 % 3 - 1) & mask,
                                    ((own >> 2 * AXIS_BITS & mask) + i / 9 - 1) & mask);
        const uint32_t number = key == own ? NONE : *find_cell(grid, key);
        if (number != NONE) {
            search_other_cell(s, &grid->cells[number]);
        }
    }
}

/**
 * Returns the free end that is nearest to a given end, which is not free, among those in the same
 * cell. With `neighbours`, the 26 cells around are searched too, and the free end is no farther
 * away than a cell's longest side. If several ends are equally near, the one with the least index
 * is returned.
 *
 * equal: true: a free end at the same point is returned at once, without computing distances.
 * False: distances decide, as in the paper. The result is the same.
 */
static nearest_end grid_nearest(end_grid *grid, uint32_t end, bool neighbours, bool equal)
{
    const point *const from = &grid->points[grid->ends[end].point];
    const bool here = from->first != NONE;
    const bool branch = here && grid->ends[from->first].next != NONE;
    if (here && equal) {
        return (nearest_end){from->first, branch};
    }
    search s = {grid, from, neighbours ? grid->cell_m * grid->cell_m : (double)INFINITY, NONE};
    if (here) {
        compare(&s, from);
    }
    const uint32_t own = (uint32_t)(from - grid->points);
    search_cell(&s, next_free(grid->points, own, 0), next_free(grid->points, own, 1));
    if (neighbours) {
        search_cells_around(&s);
    }
    return (nearest_end){s.best, branch};
}

/* --- Work space of chaining ------------------------------------------------------------------- */

/** Work space of chaining. */
typedef struct alg_lpd_curves_space {
    end_grid grid;
    hash_table table; /* indices of segments; the key is their two faces */
    bool *taken;      /* [i]: true if segment i is part of a curve */
} space;

/** State of one chaining. */
typedef struct work {
    const alg_lpd_chaining *chaining;
    const alg_lpd_pair *pair;
    const alg_lpd_segments *segments;
    alg_lpd_curves *curves;
    space *space;
    uint32_t least; /* all segments before this one are in curves */
} work;

base_status alg_lpd_curves_create(uint32_t segments_max, base_arena *arena, alg_lpd_curves *curves,
                                  base_error *err)
{
    space *const s = base_arena_alloc(arena, 1, sizeof *s);
    *curves = (alg_lpd_curves){
        .links = base_arena_alloc(arena, segments_max, sizeof *curves->links),
        .curves = base_arena_alloc(arena, segments_max, sizeof *curves->curves),
        .space = s,
    };
    if (s) {
        s->taken = base_arena_alloc(arena, segments_max, sizeof *s->taken);
        s->table.slots = base_arena_alloc(arena, table_slots(segments_max), sizeof *s->table.slots);
    }
    if (!s || !curves->links || !curves->curves || !s->taken || !s->table.slots) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for curves of %u segments",
                         segments_max);
    }
    return grid_create(segments_max, arena, &s->grid, err);
}

static vec3 end_at(const work *w, uint32_t end)
{
    return w->segments->items[end / 2].end[end % 2];
}

/* --- Across edges ----------------------------------------------------------------------------- */

/** Returns the slot of the segment of two faces, or the empty slot for it. */
static uint32_t *find_segment(const work *w, uint32_t face_a, uint32_t face_b)
{
    const hash_table *const table = &w->space->table;
    const alg_lpd_segment *const items = w->segments->items;
    uint32_t *slot = first_slot(table, hash_of((uint64_t)face_a << 32 | face_b));
    while (*slot != NONE && (items[*slot].face_a != face_a || items[*slot].face_b != face_b)) {
        slot = next_slot(table, slot);
    }
    return slot;
}

/**
 * Updates *found with the segment of two faces, if it is free and has an end at exactly this point.
 */
static void look_across_edge(const work *w, vec3 at, uint32_t face_a, uint32_t face_b,
                             nearest_end *found)
{
    const uint32_t segment = *find_segment(w, face_a, face_b);
    if (segment == NONE || w->space->taken[segment]) {
        return;
    }
    for (uint32_t end = 2 * segment; end < 2 * segment + 2; end++) {
        if (vec3_equal(end_at(w, end), at) && end != found->end) {
            found->branch |= found->end != NONE;
            found->end = end < found->end ? end : found->end;
        }
    }
}

/**
 * Returns the next end across the edges of both faces. A segment across the edge on which the given
 * end lies has an end at exactly the same point.
 */
static nearest_end next_across_edge(const work *w, uint32_t end)
{
    const alg_lpd_segment *const s = &w->segments->items[end / 2];
    const vec3 at = end_at(w, end);
    const uint32_t *const twins_a = w->pair->a->adjacency.faces[s->face_a].twins;
    const uint32_t *const twins_b = w->pair->b->adjacency.faces[s->face_b].twins;
    nearest_end found = {NONE, false};
    for (int k = 0; k < 3; k++) {
        if (twins_a[k] != GEO_NO_TWIN) {
            look_across_edge(w, at, twins_a[k] / 3, s->face_b, &found);
        }
        if (twins_b[k] != GEO_NO_TWIN) {
            look_across_edge(w, at, s->face_a, twins_b[k] / 3, &found);
        }
    }
    return found;
}

/* --- Without a grid --------------------------------------------------------------------------- */

static nearest_end nearest_of_all(const work *w, uint32_t end)
{
    const double cell_m = w->space->grid.cell_m;
    const vec3 from = end_at(w, end);
    nearest_end found = {NONE, false};
    double least2 = cell_m * cell_m;
    for (uint32_t e = 2 * w->least; e < 2 * w->segments->count; e++) {
        if (w->space->taken[e / 2]) {
            continue;
        }
        const double distance2 = vec3_distance2(end_at(w, e), from);
        w->curves->tests++;
        if (distance2 == 0 && least2 == 0 && found.end != NONE) {
            found.branch = true;
        } else if (distance2 < least2 || (distance2 == least2 && found.end == NONE)) {
            least2 = distance2;
            found.end = e;
        }
    }
    return found;
}

/* --- Chaining --------------------------------------------------------------------------------- */

static nearest_end next_end(const work *w, uint32_t end)
{
    switch (w->chaining->search) {
    case ALG_LPD_ADJACENCY:
        return next_across_edge(w, end);
    case ALG_LPD_GRID:
        return grid_nearest(&w->space->grid, end, w->chaining->neighbours, w->chaining->ends_equal);
    case ALG_LPD_NAIVE:
        break;
    }
    return nearest_of_all(w, end);
}

static void take(const work *w, uint32_t segment)
{
    w->space->taken[segment] = true;
    if (w->chaining->search == ALG_LPD_GRID) {
        end_grid *const grid = &w->space->grid;
        take_end(grid, &grid->ends[2 * segment]);
        take_end(grid, &grid->ends[2 * segment + 1]);
    }
}

/**
 * Appends links to a curve, starting at `end`. `begin` is the end at which the curve begins.
 * Returns the number of appended links.
 */
static uint32_t grow(const work *w, uint32_t begin, uint32_t end, uint32_t *links)
{
    const vec3 home = end_at(w, begin);
    uint32_t count = 0;
    while (count == 0 || !w->chaining->closing || !vec3_equal(end_at(w, end), home)) {
        const nearest_end next = next_end(w, end);
        if (next.end == NONE) {
            break;
        }
        w->curves->branch_count += next.branch;
        take(w, next.end / 2);
        links[count++] = next.end;
        end = next.end ^ 1;
    }
    return count;
}

static void reverse(uint32_t *links, uint32_t count)
{
    for (uint32_t i = 0; i < count / 2; i++) {
        const uint32_t link = links[i];
        links[i] = links[count - 1 - i];
        links[count - 1 - i] = link;
    }
}

/** Appends links at the begin of a curve. The links are found from the begin outwards, so they are
 * put before the others in reverse order. Returns their number. */
static uint32_t grow_at_begin(const work *w, uint32_t *links, uint32_t count)
{
    const uint32_t before = grow(w, links[count - 1] ^ 1, links[0], links + count);
    reverse(links, count);
    reverse(links, count + before);
    for (uint32_t i = 0; i < before; i++) {
        links[i] ^= 1;
    }
    return before;
}

static bool is_closed(const work *w, const uint32_t *links, uint32_t count)
{
    return count > 1 && vec3_equal(end_at(w, links[0]), end_at(w, links[count - 1] ^ 1));
}

/** Makes the curve that starts with a free segment. */
static alg_lpd_curve make_curve(const work *w, uint32_t segment, uint32_t first)
{
    uint32_t *const links = w->curves->links + first;
    links[0] = 2 * segment;
    take(w, segment);
    uint32_t count = 1 + grow(w, links[0], links[0] ^ 1, links + 1);
    if (w->chaining->both_ends && !is_closed(w, links, count)) {
        count += grow_at_begin(w, links, count);
    }
    return (alg_lpd_curve){first, count, is_closed(w, links, count)};
}

void alg_lpd_curves_chain(const alg_lpd_chaining *chaining, const alg_lpd_pair *pair,
                          const alg_lpd_segments *segments, alg_lpd_curves *curves)
{
    work w = {chaining, pair, segments, curves, curves->space, 0};
    uint32_t link_count = 0;
    curves->count = curves->open_count = 0;
    curves->branch_count = curves->tests = 0;
    memset(w.space->taken, 0, segments->count * sizeof *w.space->taken);
    if (chaining->search == ALG_LPD_ADJACENCY) {
        table_clear(&w.space->table, segments->count);
        for (uint32_t s = 0; s < segments->count; s++) {
            *find_segment(&w, segments->items[s].face_a, segments->items[s].face_b) = s;
        }
    } else {
        grid_fill(&w.space->grid, segments, chaining->k);
    }
    for (; w.least < segments->count; w.least++) {
        if (!w.space->taken[w.least]) {
            const alg_lpd_curve curve = make_curve(&w, w.least, link_count);
            link_count += curve.count;
            curves->curves[curves->count++] = curve;
            curves->open_count += !curve.closed;
        }
    }
    if (chaining->search == ALG_LPD_GRID) {
        curves->tests = curves->space->grid.tests;
    }
}

/* --- Vector areas ----------------------------------------------------------------------------- */

typedef struct summing {
    const alg_lpd_segments *segments;
    const alg_lpd_curves *curves;
    vec3 about;
    alg_lpd_patch sum; /* twice the area and six times the moment */
} summing;

static void add_edge(summing *s, double weight, vec3 from, vec3 to)
{
    const vec3 p = vec3_sub(from, s->about), q = vec3_sub(to, s->about);
    const double squares = vec3_norm2(p) + vec3_dot(p, q) + vec3_norm2(q);
    s->sum.area = vec3_madd(s->sum.area, weight, vec3_cross(p, q));
    s->sum.moment = vec3_madd(s->sum.moment, -weight * squares, vec3_sub(q, p));
}

/** Returns the weight of a link: negative if the curve passes the segment against its direction. */
static double weight_of(const summing *s, uint32_t link)
{
    const double share = s->segments->items[link / 2].share;
    return link & 1 ? -share : share;
}

/** Returns a hash of a point. Zeros of both signs have the same hash. */
static uint64_t number_of(vec3 p)
{
    return hash_point(vec3_add(p, (vec3){0, 0, 0}));
}

/**
 * Adds the links of a curve. Returns the sum over all ends of weight times hash of the point, with
 * a minus for ends at which a link begins. The sum is 0 if, at every point, the weights of the
 * links that begin and of those that end are equal.
 */
static uint64_t add_links(summing *s, const alg_lpd_curve *curve)
{
    uint64_t open = 0;
    for (uint32_t i = curve->first; i < curve->first + curve->count; i++) {
        const uint32_t link = s->curves->links[i];
        const double weight = weight_of(s, link);
        const vec3 from = alg_lpd_link_end(s->segments, link, 0);
        const vec3 to = alg_lpd_link_end(s->segments, link, 1);
        add_edge(s, weight, from, to);
        open += (uint64_t)(int64_t)(4 * weight) * (number_of(to) - number_of(from));
    }
    return open;
}

/**
 * Adds chords between consecutive links. A chord has the mean weight of the two segments that it
 * joins. So its weight is 0 if the curve passes one of them in its own direction and the other one
 * against it.
 */
static void add_chords(summing *s, const alg_lpd_curve *curve)
{
    for (uint32_t i = 0; i < curve->count; i++) {
        const uint32_t link = s->curves->links[curve->first + i];
        const uint32_t next = s->curves->links[curve->first + (i + 1) % curve->count];
        add_edge(s, (weight_of(s, link) + weight_of(s, next)) / 2,
                 alg_lpd_link_end(s->segments, link, 1), alg_lpd_link_end(s->segments, next, 0));
    }
}

alg_lpd_patch alg_lpd_patch_make(const alg_lpd_segments *segments, const alg_lpd_curves *curves,
                                 const uint32_t *numbers, uint32_t count, vec3 about)
{
    summing s = {segments, curves, about, {{0, 0, 0}, {0, 0, 0}}};
    uint64_t open = 0;
    for (uint32_t i = 0; i < count; i++) {
        open += add_links(&s, &curves->curves[numbers[i]]);
    }
    for (uint32_t i = 0; i < count && open != 0; i++) {
        add_chords(&s, &curves->curves[numbers[i]]);
    }
    return (alg_lpd_patch){vec3_scale(0.5, s.sum.area), vec3_scale(1.0 / 6, s.sum.moment)};
}
