#include "groundtruth/body/flux_body.h"

#include <float.h>
#include <math.h>

/* --- Integrals -------------------------------------------------------------------------------- */

gt_moments gt_fan_moments(const gt_fan *fan)
{
    const mat3 *const t = &fan->tensor6;
    return (gt_moments){
        .normal = vec3_scale(0.5, fan->normal2),
        .tensor = {{vec3_scale(1.0 / 6, t->row[0]), vec3_scale(1.0 / 6, t->row[1]),
                    vec3_scale(1.0 / 6, t->row[2])}},
        .quadratic = vec3_scale(1.0 / 6, fan->quadratic6),
        .area = fan->area,
    };
}

static void store(const gt_moments *m, double out[GT_FIXED])
{
    const vec3 v[GT_FIXED / 3] = {m->normal, m->quadratic, m->tensor.row[0], m->tensor.row[1],
                                  m->tensor.row[2]};
    for (int i = 0; i < GT_FIXED / 3; i++) {
        out[3 * i] = v[i].x;
        out[3 * i + 1] = v[i].y;
        out[3 * i + 2] = v[i].z;
    }
    out[GT_FIXED - 1] = m->area;
}

/* --- Neighbours ------------------------------------------------------------------------------- */

/** A half-edge: 3 place + k runs from corner k of a triangle to corner k + 1. */
typedef uint32_t half_edge;

enum { UNNUMBERED = UINT32_MAX };

typedef struct builder {
    const geo_mesh *mesh;
    const geo_tree *tree;
    uint32_t count;
    gt_link *links;
    uint8_t *forward;
    uint32_t *ends;      /* for each vertex: the end of its half-edges in sorted */
    half_edge *sorted;   /* by lower vertex; later the stack of the numbering */
    uint32_t *by_number; /* places in the order of their numbers */
} builder;

static uint32_t vertex_at(const builder *b, half_edge e, uint32_t further)
{
    return b->mesh->faces[b->tree->faces[e / 3]].v[(e % 3 + further) % 3];
}

static uint32_t lower(const builder *b, half_edge e)
{
    const uint32_t u = vertex_at(b, e, 0), v = vertex_at(b, e, 1);
    return u < v ? u : v;
}

static uint32_t upper(const builder *b, half_edge e)
{
    const uint32_t u = vertex_at(b, e, 0), v = vertex_at(b, e, 1);
    return u < v ? v : u;
}

/**
 * Sorts half-edges by their lower vertex (counting sort). While they are placed, ends[v] is the
 * position of the next half-edge of vertex v. In the end it is the end of its half-edges.
 */
static void sort_edges(builder *b)
{
    for (half_edge e = 0; e < 3 * b->count; e++) {
        b->ends[lower(b, e)]++;
    }
    uint32_t sum = 0;
    for (size_t v = 0; v < b->mesh->vertex_count; v++) {
        const uint32_t count = b->ends[v];
        b->ends[v] = sum;
        sum += count;
    }
    for (half_edge e = 0; e < 3 * b->count; e++) {
        b->sorted[b->ends[lower(b, e)]++] = e;
    }
}

static void find_neighbours(builder *b)
{
    sort_edges(b);
    for (size_t v = 0; v < b->mesh->vertex_count; v++) {
        for (uint32_t i = v == 0 ? 0 : b->ends[v - 1]; i < b->ends[v]; i++) {
            const half_edge e = b->sorted[i];
            for (uint32_t j = i + 1; j < b->ends[v]; j++) {
                const half_edge f = b->sorted[j];
                if (upper(b, e) == upper(b, f)) {
                    b->links[e / 3].across[e % 3] = f;
                    b->links[f / 3].across[f % 3] = e;
                }
            }
            if (vertex_at(b, e, 0) == v) {
                b->forward[e / 3] |= (uint8_t)(1u << e % 3);
            }
        }
    }
}

/* --- Numbers ---------------------------------------------------------------------------------- */

/**
 * Numbers the triangles of the component of the triangle at `root`, from `number` on. Returns the
 * number behind the last one.
 */
static uint32_t number_shell(builder *b, uint32_t root, uint32_t number)
{
    half_edge *const stack = b->sorted; /* never holds more entries than there are half-edges */
    size_t depth = 0;
    b->links[root].parent = GT_NO_EDGE;
    for (uint32_t place = root;;) {
        b->links[place].number = number;
        b->by_number[number++] = place;
        for (uint32_t k = 0; k < 3; k++) {
            stack[depth++] = 3 * place + k;
        }
        half_edge e;
        do {
            if (depth == 0) {
                return number;
            }
            e = stack[--depth];
            place = b->links[e / 3].across[e % 3] / 3;
        } while (b->links[place].number != UNNUMBERED);
        b->links[e / 3].children |= (uint8_t)(1u << e % 3);
        b->links[place].parent = (uint8_t)(b->links[e / 3].across[e % 3] % 3);
    }
}

static void close_intervals(builder *b)
{
    for (uint32_t number = b->count; number-- > 0;) {
        gt_link *const link = &b->links[b->by_number[number]];
        link->end = link->end > number + 1 ? link->end : number + 1;
        if (link->parent != GT_NO_EDGE) {
            gt_link *const parent = &b->links[link->across[link->parent] / 3];
            parent->end = parent->end > link->end ? parent->end : link->end;
        }
    }
}

static base_status number_all(builder *b, base_arena *arena, gt_flux_body *flux, base_error *err)
{
    for (uint32_t i = 0; i < b->count; i++) {
        b->links[i].number = UNNUMBERED;
    }
    uint32_t number = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        if (b->links[i].number == UNNUMBERED) {
            number = number_shell(b, i, number);
            flux->shell_count++;
        }
    }
    close_intervals(b);
    flux->shells = base_arena_alloc(arena, flux->shell_count, sizeof *flux->shells);
    if (!flux->shells) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %u shells", flux->shell_count);
    }
    uint32_t begin = 0;
    for (uint32_t s = 0; s < flux->shell_count; s++) {
        const uint32_t root = b->by_number[begin];
        flux->shells[s] = (gt_shell){begin, b->links[root].end, b->tree->triangles[root].p[0]};
        begin = b->links[root].end;
    }
    return BASE_OK;
}

/* --- Sums ------------------------------------------------------------------------------------- */

/** Returns a power of two as the unit of sums. A sum of absolute values up to `largest` stays below
 * 2^62 units. */
static double quantum_for(double largest)
{
    int exponent;
    (void)frexp(largest, &exponent);
    return ldexp(1, exponent - 62);
}

static gt_moments triangle_moments(const builder *b, uint32_t place, vec3 origin)
{
    const geo_triangle *const t = &b->tree->triangles[place];
    gt_fan fan = {.area = 0};
    const vec3 normal2 = gt_fan_add(&fan, vec3_sub(t->p[0], origin), vec3_sub(t->p[1], origin),
                                    vec3_sub(t->p[2], origin));
    fan.area = 0.5 * vec3_norm(normal2);
    return gt_fan_moments(&fan);
}

static void choose_quanta(const builder *b, gt_flux_body *flux)
{
    double area = 0, span2 = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        const geo_triangle *const t = &b->tree->triangles[i];
        const double here = triangle_moments(b, i, flux->origin).area;
        const double terms =
            gt_length1(vec3_sub(t->p[1], t->p[0])) * gt_length1(vec3_sub(t->p[2], t->p[0]));
        area += here;
        flux->terms_m2 += terms;
        flux->thinness = terms > flux->thinness * here ? terms / here : flux->thinness;
        for (int k = 0; k < 3; k++) {
            const double d2 = vec3_distance2(t->p[k], flux->origin);
            span2 = d2 > span2 ? d2 : span2;
        }
    }
    const double span = sqrt(span2);
    flux->span_m = span * (1 + 4 * DBL_EPSILON);
    const double of[4] = {quantum_for(area), quantum_for(area * span2), quantum_for(area * span)};
    for (int i = 0; i < GT_FIXED; i++) {
        flux->quantum[i] = of[i < 3 || i == GT_FIXED - 1 ? 0 : i < 6 ? 1 : 2];
    }
}

/**
 * Fills the prefix sums. The rounding remainder of each triangle is carried to the next one, so
 * that the error of any interval is at most a quantum.
 */
static void sum_up(const builder *b, gt_flux_body *flux)
{
    choose_quanta(b, flux);
    double carry[GT_FIXED] = {0};
    for (uint32_t number = 0; number < b->count; number++) {
        const gt_moments m = triangle_moments(b, b->by_number[number], flux->origin);
        double terms[GT_FIXED];
        store(&m, terms);
        for (int i = 0; i < GT_FIXED; i++) {
            const double units = terms[i] / flux->quantum[i] + carry[i];
            const double whole = rint(units);
            carry[i] = units - whole;
            flux->prefix[number + 1].value[i] =
                flux->prefix[number].value[i] + (uint64_t)(int64_t)whole;
        }
    }
}

base_status gt_flux_body_build(const geo_mesh *mesh, const geo_tree *tree, vec3 origin,
                               base_arena *arena, gt_flux_body *flux, base_error *err)
{
    const size_t n = mesh->face_count;
    base_arena scratch = {0};
    *flux = (gt_flux_body){.origin = origin};
    flux->forward = base_arena_alloc(arena, n, sizeof *flux->forward);
    flux->links = base_arena_alloc(arena, n, sizeof *flux->links);
    flux->prefix = base_arena_alloc(arena, n + 1, sizeof *flux->prefix);
    flux->places = base_arena_alloc(arena, n, sizeof *flux->places);
    builder b = {
        .mesh = mesh,
        .tree = tree,
        .count = (uint32_t)n,
        .links = flux->links,
        .forward = flux->forward,
        .ends = base_arena_alloc(&scratch, mesh->vertex_count, sizeof *b.ends),
        .sorted = base_arena_alloc(&scratch, 3 * n, sizeof *b.sorted),
        .by_number = flux->places,
    };
    base_status status = BASE_OK;
    if (!flux->forward || !flux->links || !flux->prefix || !b.ends || !b.sorted || !b.by_number) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for the sums of %zu triangles", n);
    } else {
        find_neighbours(&b);
        status = number_all(&b, arena, flux, err);
    }
    if (status == BASE_OK) {
        sum_up(&b, flux);
    }
    base_arena_release(&scratch);
    return status;
}
