#include "suite/replay/parts.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static bool reserve(bench_parts *p, base_status status)
{
    p->status = status;
    return status == BASE_OK;
}

/** Returns the number of the node on the panel's level that contains the next part, or 0. */
static uint32_t group_of(const bench_parts *p)
{
    return p->level > 0 && p->depth >= p->level ? p->counted[p->level] : 0;
}

static void take_sphere(void *context, const geo_ball *ball)
{
    bench_parts *const p = context;
    if (p->status == BASE_OK &&
        reserve(p, base_reserve(p->spheres, p->sphere_capacity, p->sphere_count + 1, p->err))) {
        bench_part_ball *const s = &p->spheres[p->sphere_count++];
        *s = (bench_part_ball){.ball = *ball, .group = group_of(p)};
        if (p->level > 1 && p->depth + 1 >= p->level) {
            s->branch = p->counted[p->level - 1];
        }
    }
}

static void take_node(void *context, const geo_ball *ball, uint32_t level)
{
    bench_parts *const p = context;
    if (p->status == BASE_OK && level < BENCH_PARTS_LEVELS &&
        reserve(p, base_reserve(p->nodes, p->node_capacity, p->node_count + 1, p->err))) {
        p->nodes[p->node_count++] = (bench_part_ball){.ball = *ball, .level = level};
        p->counted[level]++;
        p->depth = level;
        p->represents = level < p->represents ? level : p->represents;
    }
}

static void take_point(void *context, const geo_vec3 *point, const geo_vec3 *normal)
{
    (void)normal;
    bench_parts *const p = context;
    if (p->status == BASE_OK &&
        reserve(p, base_reserve(p->points, p->point_capacity, p->point_count + 1, p->err))) {
        p->points[p->point_count++] = (bench_part_point){*point, p->represents, group_of(p)};
        p->represents = UINT32_MAX;
    }
}

static void take_grid(void *context, const geo_vec3 *corner, double edge, uint32_t padding,
                      const uint32_t count[3])
{
    bench_parts *const p = context;
    p->corner = *corner;
    p->edge = edge;
    p->padding = padding;
    memcpy(p->size, count, sizeof p->size);
}

static void take_voxels(void *context, uint32_t x0, uint32_t x1, uint32_t y, uint32_t z)
{
    bench_parts *const p = context;
    if (p->status == BASE_OK &&
        reserve(p, base_reserve(p->runs, p->run_capacity, p->run_words + 4, p->err))) {
        memcpy(&p->runs[p->run_words], (uint32_t[]){x0, x1, y, z}, 4 * sizeof *p->runs);
        p->run_words += 4;
    }
}

/** Compares spheres: larger ones first, equal ones by position. */
static int by_size(const void *a, const void *b)
{
    const bench_part_ball *const p = a, *const q = b;
    const double keys[][2] = {{q->ball.radius, p->ball.radius},
                              {p->ball.centre.x, q->ball.centre.x},
                              {p->ball.centre.y, q->ball.centre.y},
                              {p->ball.centre.z, q->ball.centre.z}};
    int order = 0;
    for (size_t i = 0; order == 0 && i < sizeof keys / sizeof *keys; i++) {
        order = (keys[i][0] > keys[i][1]) - (keys[i][0] < keys[i][1]);
    }
    return order;
}

base_status bench_parts_collect(const alg_algorithm *algorithm, const void *prepared,
                                unsigned level, bench_parts *p, base_error *err)
{
    *p = (bench_parts){.level = level, .represents = UINT32_MAX, .err = err};
    if (!algorithm->draw) {
        return BASE_OK;
    }
    const alg_sink sink = {.size = sizeof sink,
                           .context = p,
                           .sphere = take_sphere,
                           .grid = take_grid,
                           .surface_voxels = take_voxels,
                           .node = take_node,
                           .point = take_point};
    algorithm->draw(prepared, &sink);
    if (p->sphere_count > 0) {
        qsort(p->spheres, p->sphere_count, sizeof *p->spheres, by_size);
    }
    return p->status;
}

void bench_parts_release(bench_parts *p)
{
    base_free(p->spheres);
    base_free(p->nodes);
    base_free(p->points);
    base_free(p->runs);
    *p = (bench_parts){0};
}

vec3 bench_parts_corner(const bench_parts *from, double x, double y, double z)
{
    return vec3_madd(from->corner, from->edge,
                     (vec3){x - from->padding, y - from->padding, z - from->padding});
}
