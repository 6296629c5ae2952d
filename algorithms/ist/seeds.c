#include "algorithms/ist/seeds.h"

#include "geometry/box.h"

#include <stdlib.h>

enum { SIDE_MAX = 16 };

static bool at_a_seed(vec3 p, const vec3 *seeds, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (vec3_equal(p, seeds[i])) {
            return true;
        }
    }
    return false;
}

uint32_t alg_ist_seeds_biggest(const alg_ist_points *points, uint32_t k, vec3 *seeds)
{
    for (uint32_t found = 0; found < k; found++) {
        double most = 0;
        for (size_t j = 0; j < points->count; j++) {
            const vec3 p = alg_ist_point(points, j);
            if (points->weights[j] > most && !at_a_seed(p, seeds, found)) {
                most = points->weights[j];
                seeds[found] = p;
            }
        }
        if (most == 0) {
            return found;
        }
    }
    return k;
}

/** A grid of cubes over points. */
typedef struct grid {
    vec3 lo;
    double cells_a_metre;
    int side;
    uint32_t members[SIDE_MAX * SIDE_MAX * SIDE_MAX];
    uint32_t around[SIDE_MAX * SIDE_MAX * SIDE_MAX]; /* members of the cell and the 26 next to it */
} grid;

typedef struct cell {
    int x, y, z;
} cell;

static int coordinate(const grid *g, double from)
{
    const double at = from * g->cells_a_metre;
    return at < g->side ? (int)at : g->side - 1;
}

static cell cell_of(const grid *g, vec3 p)
{
    return (cell){coordinate(g, p.x - g->lo.x), coordinate(g, p.y - g->lo.y),
                  coordinate(g, p.z - g->lo.z)};
}

static int number_of(const grid *g, cell c)
{
    return (c.z * g->side + c.y) * g->side + c.x;
}

static uint32_t count_around(const grid *g, cell c)
{
    uint32_t count = 0;
    for (int z = c.z > 0 ? c.z - 1 : 0; z <= c.z + 1 && z < g->side; z++) {
        for (int y = c.y > 0 ? c.y - 1 : 0; y <= c.y + 1 && y < g->side; y++) {
            for (int x = c.x > 0 ? c.x - 1 : 0; x <= c.x + 1 && x < g->side; x++) {
                count += g->members[number_of(g, (cell){x, y, z})];
            }
        }
    }
    return count;
}

static void fill_grid(const alg_ist_points *points, grid *g)
{
    geo_box box = geo_box_empty();
    for (size_t j = 0; j < points->count; j++) {
        box = geo_box_add(box, alg_ist_point(points, j));
    }
    const vec3 size = vec3_sub(box.hi, box.lo);
    const double longest = fmax(size.x, fmax(size.y, size.z));
    g->side = 1;
    while (g->side < SIDE_MAX && (size_t)(g->side * g->side * g->side) < points->count) {
        g->side++;
    }
    g->lo = box.lo;
    g->cells_a_metre = longest > 0 ? g->side / longest : 0;
    const int cells = g->side * g->side * g->side;
    for (int i = 0; i < cells; i++) {
        g->members[i] = 0;
    }
    for (size_t j = 0; j < points->count; j++) {
        g->members[number_of(g, cell_of(g, alg_ist_point(points, j)))]++;
    }
    for (int i = 0; i < cells; i++) {
        const cell c = {i % g->side, i / g->side % g->side, i / g->side / g->side};
        g->around[i] = g->members[i] > 0 ? count_around(g, c) : 0;
    }
}

static bool next_to_a_seed(cell c, const cell *seeds, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (abs(c.x - seeds[i].x) <= 1 && abs(c.y - seeds[i].y) <= 1 &&
            abs(c.z - seeds[i].z) <= 1) {
            return true;
        }
    }
    return false;
}

uint32_t alg_ist_seeds_neighbours(const alg_ist_points *points, uint32_t k, vec3 *seeds)
{
    grid g;
    cell cells[ALG_IST_BRANCHING_MAX];
    fill_grid(points, &g);
    for (uint32_t found = 0; found < k; found++) {
        /* One that is no seed's neighbour goes before all that are. */
        uint32_t most = 0;
        bool apart = false;
        for (size_t j = 0; j < points->count; j++) {
            const vec3 p = alg_ist_point(points, j);
            const cell c = cell_of(&g, p);
            const uint32_t neighbours = g.around[number_of(&g, c)];
            const bool free = !next_to_a_seed(c, cells, found);
            const bool better = free == apart ? neighbours > most : free;
            if (better && (free || !at_a_seed(p, seeds, found))) {
                most = neighbours;
                apart = free;
                seeds[found] = p;
                cells[found] = c;
            }
        }
        if (most == 0) {
            return found;
        }
    }
    return k;
}
