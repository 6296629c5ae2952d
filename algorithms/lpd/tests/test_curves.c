/** Chaining of segments: by hand, against a reference implementation, and for intersecting
 * bodies. */
#include "algorithms/lpd/curves.h"

#include "algorithms/lpd/tests/meeting.h"
#include "base/tests/support.h"

#include <stdio.h>
#include <stdlib.h>

/** Segments and the curves into which they are chained. */
typedef struct drawing {
    base_arena arena;
    alg_lpd_segments segments;
    alg_lpd_curves curves;
} drawing;

static alg_lpd_curves make_curves(uint32_t capacity, base_arena *arena)
{
    alg_lpd_curves curves;
    assert_ok(alg_lpd_curves_create(capacity, arena, &curves, ERR));
    return curves;
}

static drawing draw(uint32_t capacity)
{
    drawing d = {0};
    assert_ok(alg_lpd_segments_create(capacity, &d.arena, &d.segments, ERR));
    d.curves = make_curves(capacity, &d.arena);
    return d;
}

static void add(drawing *d, vec3 from, vec3 to)
{
    cr_assert(d->segments.count < d->segments.capacity);
    d->segments.items[d->segments.count++] = (alg_lpd_segment){{from, to}, d->segments.count, 0, 1};
}

static vec3 on_circle(vec3 centre, double radius, uint32_t i, uint32_t n)
{
    const double a = 2 * BASE_PI * (i % n) / n;
    return vec3_add(centre,
                    (vec3){radius * base_cos(a), radius * base_sin(a), 0.2 * base_sin(3 * a)});
}

/** Adds a circle of n segments. If `missing` is not 0, leaves out every segment whose index is a
 * multiple of it. */
static void add_circle(drawing *d, vec3 centre, double radius, uint32_t n, uint32_t missing)
{
    for (uint32_t i = 0; i < n; i++) {
        if (missing == 0 || i % missing != 0) {
            add(d, on_circle(centre, radius, i, n), on_circle(centre, radius, i + 1, n));
        }
    }
}

/** Shuffles the segments and reverses half of them. */
static void shuffle(drawing *d, base_random *random)
{
    alg_lpd_segment *const items = d->segments.items;
    for (uint32_t i = d->segments.count; i > 1; i--) {
        const uint32_t j = (uint32_t)base_random_below(random, i);
        const alg_lpd_segment s = items[j];
        items[j] = items[i - 1];
        items[i - 1] = s;
    }
    for (uint32_t i = 0; i < d->segments.count; i++) {
        if (base_random_below(random, 2) == 0) {
            const vec3 p = items[i].end[0];
            items[i].end[0] = items[i].end[1];
            items[i].end[1] = p;
        }
    }
}

/** Checks that each segment is in exactly one curve, that the links of each curve begin where those
 * of the previous curve end, and that the flags and counts of the curves are right. */
static void check(const char *what, const alg_lpd_segments *segments, const alg_lpd_curves *curves)
{
    SCOPED_FREE bool *const seen = base_alloc(segments->count + 1, sizeof *seen);
    uint32_t links = 0, open = 0;
    for (uint32_t c = 0; c < curves->count; c++) {
        const alg_lpd_curve curve = curves->curves[c];
        cr_assert(curve.first == links && curve.count > 0, "%s: curve %u", what, c);
        for (uint32_t i = 0; i < curve.count; i++) {
            const uint32_t segment = curves->links[links + i] / 2;
            cr_assert(segment < segments->count && !seen[segment], "%s: segment %u", what, segment);
            seen[segment] = true;
        }
        const vec3 begin = alg_lpd_link_end(segments, curves->links[links], 0);
        links += curve.count;
        const vec3 end = alg_lpd_link_end(segments, curves->links[links - 1], 1);
        cr_assert_eq(curve.closed, curve.count > 1 && vec3_equal(begin, end), "%s: curve %u", what,
                     c);
        open += !curve.closed;
    }
    cr_assert_eq(links, segments->count, "%s: %u of %u", what, links, segments->count);
    cr_assert_eq(curves->open_count, open, "%s", what);
}

static void chain(drawing *d, const alg_lpd_chaining *chaining)
{
    alg_lpd_curves_chain(chaining, NULL, &d->segments, &d->curves);
    check("by hand", &d->segments, &d->curves);
}

#define PAPER (&(alg_lpd_chaining){.search = ALG_LPD_GRID, .ends_equal = true, .k = 50})
#define ALL_AROUND                                                                                 \
    (&(alg_lpd_chaining){                                                                          \
        .search = ALG_LPD_GRID, .ends_equal = true, .neighbours = true, .closing = true, .k = 50})
#define NAIVE (&(alg_lpd_chaining){.search = ALG_LPD_NAIVE, .k = 50})

/* --- By hand ---------------------------------------------------------------------------------- */

Test(lpd_curves, at_most_two_segments)
{
    drawing d = draw(4);
    chain(&d, PAPER);
    chain(&d, NAIVE);
    cr_assert_eq(d.curves.count, 0);
    add(&d, (vec3){1, 2, 3}, (vec3){1, 2, 4});
    chain(&d, PAPER);
    cr_assert(d.curves.count == 1 && d.curves.open_count == 1 && d.curves.links[0] == 0);
    /* The second segment runs back to the begin of the first one, so the curve is closed. */
    add(&d, (vec3){1, 2, 4}, (vec3){1, 2, 3});
    chain(&d, PAPER);
    cr_assert(d.curves.count == 1 && d.curves.open_count == 0 && d.curves.links[1] == 2);
    /* A single point is not a closed curve. */
    d.segments.count = 0;
    add(&d, (vec3){1, 2, 3}, (vec3){1, 2, 3});
    chain(&d, ALL_AROUND);
    cr_assert(d.curves.count == 1 && d.curves.open_count == 1);
    base_arena_release(&d.arena);
}

Test(lpd_curves, circles_in_any_order_are_one_closed_curve)
{
    base_random random = base_random_seed(3);
    for (uint32_t n = 3; n < 3000; n = 2 * n + 1) {
        drawing d = draw(n);
        add_circle(&d, (vec3){0.5, 0.25, 0.125}, 2, n, 0);
        for (int turn = 0; turn < 3; turn++) {
            chain(&d, turn == 1 ? ALL_AROUND : PAPER);
            cr_assert(d.curves.count == 1 && d.curves.open_count == 0 && d.curves.branch_count == 0,
                      "%u: %u curves, %u open", n, d.curves.count, d.curves.open_count);
            cr_assert_eq(d.curves.tests, 0, "%u: %lu distances", n, d.curves.tests);
            for (uint32_t i = 0; i + 1 < n; i++) {
                cr_assert(vec3_equal(alg_lpd_link_end(&d.segments, d.curves.links[i], 1),
                                     alg_lpd_link_end(&d.segments, d.curves.links[i + 1], 0)));
            }
            shuffle(&d, &random);
        }
        base_arena_release(&d.arena);
    }
}

/** If ends_equal is false, distances are computed to find an end at the same point: at least one
 * per link, and fewer than four. */
Test(lpd_curves, equal_ends_may_be_found_by_distances)
{
    drawing d = draw(200);
    add_circle(&d, (vec3){0.5, 0.25, 0.125}, 2, 200, 0);
    alg_lpd_chaining chaining = *ALL_AROUND;
    chaining.ends_equal = false;
    chain(&d, &chaining);
    cr_assert(d.curves.count == 1 && d.curves.open_count == 0);
    cr_assert(d.curves.tests >= 199 && d.curves.tests < 4 * 199, "%lu", d.curves.tests);
    base_arena_release(&d.arena);
}

Test(lpd_curves, near_loops_are_one_curve_in_the_paper_and_two_with_closing)
{
    drawing d = draw(40);
    add_circle(&d, (vec3){0, 0, 0}, 1, 20, 0);
    add_circle(&d, (vec3){3, 0, 0}, 1, 20, 0);
    chain(&d, PAPER);
    cr_assert(d.curves.count == 1 && d.curves.open_count == 1);
    chain(&d, &(alg_lpd_chaining){
                  .search = ALG_LPD_GRID, .ends_equal = true, .closing = true, .k = 50});
    cr_assert(d.curves.count == 2 && d.curves.open_count == 0);
    /* With smaller cells, the paper's rule separates them, too. */
    chain(&d, &(alg_lpd_chaining){.search = ALG_LPD_GRID, .ends_equal = true, .k = 5});
    cr_assert(d.curves.count == 2 && d.curves.open_count == 0);
    base_arena_release(&d.arena);
}

Test(lpd_curves, a_figure_of_eight_has_a_branch)
{
    /* Two loops through the origin; the first segment is away from it. */
    drawing d = draw(20);
    for (uint32_t loop = 0; loop < 2; loop++) {
        const double side = loop == 0 ? 1 : -1;
        for (uint32_t i = 3; i < 13; i++) {
            vec3 end[2];
            for (uint32_t k = 0; k < 2; k++) {
                const double a = 2 * BASE_PI * ((i + k) % 10) / 10;
                end[k] = (i + k) % 10 == 0
                             ? (vec3){0, 0, 0}
                             : (vec3){side * (1 - base_cos(a)), base_sin(a), 0.1 * side};
            }
            add(&d, end[0], end[1]);
        }
    }
    for (int closing = 0; closing < 2; closing++) {
        for (int naive = 0; naive < 2; naive++) {
            const alg_lpd_chaining chaining = {.search = naive ? ALG_LPD_NAIVE : ALG_LPD_GRID,
                                               .ends_equal = true,
                                               .closing = closing,
                                               .k = 50};
            chain(&d, &chaining);
            cr_assert_eq(d.curves.branch_count, 1, "%d: %lu", naive, d.curves.branch_count);
            cr_assert(d.curves.count == (closing ? 2 : 1) && d.curves.open_count == !closing);
        }
    }
    base_arena_release(&d.arena);
}

Test(lpd_curves, gaps_are_bridged_within_a_cell)
{
    base_random random = base_random_seed(5);
    drawing d = draw(60);
    add_circle(&d, (vec3){0, 0, 0}, 1, 60, 7);
    for (int turn = 0; turn < 3; turn++) {
        chain(&d, &(alg_lpd_chaining){
                      .search = ALG_LPD_GRID, .ends_equal = true, .both_ends = true, .k = 50});
        cr_assert_eq(d.curves.count, 1, "%u", d.curves.count);
        cr_assert(d.curves.tests > 0);
        shuffle(&d, &random);
    }
    base_arena_release(&d.arena);
}

/** A straight line with a gap at the border of two cells. A search in the cell of the end alone, as
 * in the paper, does not find the end beyond the gap. */
Test(lpd_curves, a_gap_at_a_border_of_cells_needs_a_search_of_neighbours)
{
    drawing d = draw(100);
    for (uint32_t i = 0; i < 101; i++) {
        if (i != 50) {
            add(&d, (vec3){i / 101.0, 0, 0}, (vec3){(i + 1) / 101.0, 0, 0});
        }
    }
    chain(&d, PAPER);
    cr_assert_eq(d.curves.count, 2);
    chain(&d, ALL_AROUND);
    cr_assert_eq(d.curves.count, 1);
    chain(&d, NAIVE);
    cr_assert_eq(d.curves.count, 1);
    /* First a single cell, then cells that are shorter than the gap. */
    chain(&d, &(alg_lpd_chaining){.search = ALG_LPD_GRID, .ends_equal = true, .k = 100});
    cr_assert_eq(d.curves.count, 1);
    chain(&d, &(alg_lpd_chaining){
                  .search = ALG_LPD_GRID, .ends_equal = true, .neighbours = true, .k = 0.9});
    cr_assert_eq(d.curves.count, 2);
    base_arena_release(&d.arena);
}

Test(lpd_curves, grow_at_both_ends_if_asked)
{
    drawing d = draw(10);
    for (uint32_t i = 0; i < 10; i++) {
        const double x = (i + 5) % 10;
        add(&d, (vec3){x, 0, 0}, (vec3){x + 1, 0, 0});
    }
    for (int naive = 0; naive < 2; naive++) {
        alg_lpd_chaining chaining = {
            .search = naive ? ALG_LPD_NAIVE : ALG_LPD_GRID, .ends_equal = true, .k = 1};
        chain(&d, &chaining);
        cr_assert_eq(d.curves.count, 2);
        chaining.both_ends = true;
        chain(&d, &chaining);
        cr_assert_eq(d.curves.count, 1);
        for (uint32_t i = 0; i < 10; i++) {
            cr_assert_eq(d.curves.links[i], 2 * ((i + 5) % 10), "%d: link %u", naive, i);
        }
    }
    base_arena_release(&d.arena);
}

Test(lpd_curves, number_of_cells_along_a_side)
{
    static const struct {
        uint32_t count;
        double k;
        uint32_t side;
    } cases[] = {
        {0, 50, 1},       {74, 50, 1}, {75, 50, 2}, {124, 50, 2},           {125, 50, 3},
        {20000, 50, 400}, {7, 1, 7},   {3, 2, 2},   {1000, 1e-30, 1 << 20}, {1000, 1e30, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const uint32_t side = alg_lpd_grid_side(cases[i].count, cases[i].k);
        cr_assert_eq(side, cases[i].side, "%u / %g: %u", cases[i].count, cases[i].k, side);
    }
}

/* --- Against a reference implementation ------------------------------------------------------- */

enum { ORACLE_MAX = 400 };

typedef struct oracle {
    const alg_lpd_chaining *chaining;
    const alg_lpd_segments *segments;
    double lo[3], scale[3], cell_m;
    uint32_t side;
    bool taken[ORACLE_MAX];
    uint32_t links[2 * ORACLE_MAX];
    alg_lpd_curve curves[ORACLE_MAX];
    uint32_t count, open;
    uint64_t branches;
} oracle;

static vec3 end_of(const oracle *o, uint32_t end)
{
    return o->segments->items[end / 2].end[end % 2];
}

static void place(oracle *o)
{
    const double side = floor(o->segments->count / o->chaining->k + 0.5);
    o->side = side < 1 ? 1 : (uint32_t)side;
    for (int axis = 0; axis < 3; axis++) {
        double lo = INFINITY, hi = -INFINITY;
        for (uint32_t e = 0; e < 2 * o->segments->count; e++) {
            const double x = vec3_get(end_of(o, e), axis);
            lo = x < lo ? x : lo;
            hi = x > hi ? x : hi;
        }
        o->lo[axis] = lo;
        o->scale[axis] = hi > lo ? o->side / (hi - lo) : 0;
        o->cell_m = (hi - lo) / o->side > o->cell_m ? (hi - lo) / o->side : o->cell_m;
    }
}

static long cell_along(const oracle *o, vec3 p, int axis)
{
    const long i = (long)((vec3_get(p, axis) - o->lo[axis]) * o->scale[axis]);
    return i < (long)o->side ? i : (long)o->side - 1;
}

static bool allowed(const oracle *o, vec3 p, vec3 q)
{
    if (o->chaining->search == ALG_LPD_NAIVE) {
        return vec3_distance2(p, q) <= o->cell_m * o->cell_m;
    }
    const long reach = o->chaining->neighbours ? 1 : 0;
    for (int axis = 0; axis < 3; axis++) {
        if (labs(cell_along(o, p, axis) - cell_along(o, q, axis)) > reach) {
            return false;
        }
    }
    return reach == 0 || vec3_distance2(p, q) <= o->cell_m * o->cell_m;
}

/** Returns the end at which the curve continues; UINT32_MAX if it ends. */
static uint32_t plain_next(oracle *o, vec3 from)
{
    uint32_t best = UINT32_MAX, same = 0;
    double best2 = INFINITY;
    for (uint32_t e = 0; e < 2 * o->segments->count; e++) {
        const double d2 = vec3_distance2(end_of(o, e), from);
        if (!o->taken[e / 2] && allowed(o, end_of(o, e), from)) {
            same += d2 == 0;
            if (d2 < best2) {
                best2 = d2;
                best = e;
            }
        }
    }
    o->branches += same > 1;
    return best;
}

static void plain_curve(oracle *o, uint32_t segment, uint32_t first)
{
    /* Links are put into the middle of an array that is long enough on both sides. */
    static uint32_t row[2 * ORACLE_MAX + 1];
    uint32_t from = ORACLE_MAX, to = ORACLE_MAX;
    row[to++] = 2 * segment;
    o->taken[segment] = true;
    bool closed = false;
    for (int backwards = 0; backwards <= o->chaining->both_ends && !closed; backwards++) {
        for (;;) {
            const vec3 begin = end_of(o, row[from]), end = end_of(o, row[to - 1] ^ 1);
            closed = to - from > 1 && vec3_equal(begin, end);
            const uint32_t next = closed && o->chaining->closing
                                      ? UINT32_MAX
                                      : plain_next(o, backwards ? begin : end);
            if (next == UINT32_MAX) {
                break;
            }
            o->taken[next / 2] = true;
            if (backwards) {
                row[--from] = next ^ 1;
            } else {
                row[to++] = next;
            }
        }
    }
    memcpy(o->links + first, row + from, (to - from) * sizeof *row);
    o->curves[o->count++] = (alg_lpd_curve){first, to - from, closed};
    o->open += !closed;
}

static void check_against_rule(const char *what, drawing *d, const alg_lpd_chaining *chaining)
{
    static oracle o;
    o = (oracle){.chaining = chaining, .segments = &d->segments};
    place(&o);
    for (uint32_t s = 0, links = 0; s < d->segments.count; s++) {
        if (!o.taken[s]) {
            plain_curve(&o, s, links);
            links += o.curves[o.count - 1].count;
        }
    }
    alg_lpd_curves_chain(chaining, NULL, &d->segments, &d->curves);
    check(what, &d->segments, &d->curves);
    const alg_lpd_curves *const c = &d->curves;
    cr_assert(c->count == o.count && c->open_count == o.open && c->branch_count == o.branches,
              "%s: %u curves, %u open, %lu branches, not %u, %u, %lu", what, c->count,
              c->open_count, c->branch_count, o.count, o.open, o.branches);
    for (uint32_t i = 0; i < d->segments.count; i++) {
        cr_assert_eq(c->links[i], o.links[i], "%s: link %u is %u, not %u", what, i, c->links[i],
                     o.links[i]);
    }
    for (uint32_t i = 0; i < c->count; i++) {
        cr_assert(c->curves[i].count == o.curves[i].count &&
                      c->curves[i].closed == o.curves[i].closed,
                  "%s: curve %u", what, i);
    }
}

enum { SOUP, LATTICE, FLAT, LINE, ONE_POINT, LOOPS, GAPS, TREMBLING, CLUSTER, ZEROS, KINDS };
static const char *const kinds[KINDS] = {"soup",  "lattice", "flat",      "line",    "one point",
                                         "loops", "gaps",    "trembling", "cluster", "zeros"};

static vec3 any_point(base_random *random, uint32_t kind)
{
    const vec3 p = shape_point(random, kind == LATTICE ? 2 : 1);
    switch (kind) {
    case LATTICE:
        return (vec3){floor(p.x), floor(p.y), floor(p.z)};
    case FLAT:
        return (vec3){p.x, 0.7, p.z};
    case LINE:
        return (vec3){-3, floor(20 * p.y), 1};
    case ONE_POINT:
        return (vec3){0.1, 0.2, 0.3};
    case CLUSTER:
        return vec3_madd((vec3){1, 1, 1}, 1e-9, p);
    case ZEROS:
        return (vec3){p.x < 0 ? -0.0 : 0.0, p.y < 0 ? -0.0 : 0.0, floor(3 * p.z) + (0 * p.z)};
    default:
        return p;
    }
}

static drawing draw_any(base_random *random, uint32_t kind)
{
    const uint32_t count = 1 + (uint32_t)base_random_below(random, ORACLE_MAX - 80);
    drawing d = draw(ORACLE_MAX);
    if (kind == LOOPS || kind == GAPS || kind == TREMBLING) {
        for (uint32_t n = 0; n < count; n += 60) {
            add_circle(&d, shape_point(random, 2), base_random_range(random, 0.2, 2), 60,
                       kind == GAPS ? 9 : 0);
        }
    } else {
        for (uint32_t i = 0; i < count; i++) {
            add(&d, any_point(random, kind), any_point(random, kind));
        }
    }
    for (uint32_t e = 0; e < 2 * d.segments.count && kind == TREMBLING; e++) {
        vec3 *const p = &d.segments.items[e / 2].end[e % 2];
        *p = vec3_add(*p, shape_point(random, e % 3 == 0 ? 1e-16 : 1e-9));
    }
    if (kind == CLUSTER) {
        d.segments.items[0].end[0] = (vec3){-1, -2, 0};
    }
    shuffle(&d, random);
    return d;
}

Test(lpd_curves, equal_those_of_the_reference_implementation)
{
    static const double ks[] = {50, 5, 1, 0.3, 1000};
    const uint32_t step = (uint32_t)sweep_step(5);
    base_random random = base_random_seed(11);
    for (uint32_t turn = 0; turn < 12 * KINDS; turn++) {
        drawing d = draw_any(&random, turn % KINDS);
        for (uint32_t variant = turn % step; variant < 12; variant += step) {
            const bool naive = variant >= 8;
            const alg_lpd_chaining chaining = {
                .search = naive ? ALG_LPD_NAIVE : ALG_LPD_GRID,
                .ends_equal = turn % 3 != 0,
                .neighbours = !naive && (variant & 4) != 0,
                .both_ends = (variant & 1) != 0,
                .closing = (variant & 2) != 0,
                .k = ks[turn / KINDS % 5],
            };
            char what[80];
            snprintf(what, sizeof what, "%s, turn %u, variant %u, k %g", kinds[turn % KINDS], turn,
                     variant, chaining.k);
            check_against_rule(what, &d, &chaining);
        }
        base_arena_release(&d.arena);
    }
}

/** Nearly all ends are in one cell. The test takes long if a search tests many of them. */
Test(lpd_curves, many_ends_in_one_cell_take_little_time)
{
    enum { CROWD = 20000 };
    base_random random = base_random_seed(13);
    drawing d = draw(CROWD);
    for (int kind = 0; kind < 3; kind++) {
        d.segments.count = 0;
        for (uint32_t i = 0; i < CROWD; i++) {
            const vec3 p = any_point(&random, CLUSTER), q = any_point(&random, CLUSTER);
            const vec3 one = {0.5, 0.5, 0.5};
            add(&d, kind == 0 ? p : one, kind == 2 ? one : q);
        }
        d.segments.items[0].end[0] = (vec3){-1, -2, 0};
        chain(&d, PAPER);
        chain(&d, ALL_AROUND);
    }
    base_arena_release(&d.arena);
}

/* --- Intersecting bodies ---------------------------------------------------------------------- */

static const alg_lpd_chaining over_edges = {.search = ALG_LPD_ADJACENCY};

/** Returns true if both segments have the same face of one body and adjacent faces of the other. */
static bool beside(const meeting *m, const alg_lpd_segment *s, const alg_lpd_segment *t)
{
    const geo_adjacent *const a = &m->pair.a->adjacency.faces[s->face_a];
    const geo_adjacent *const b = &m->pair.b->adjacency.faces[s->face_b];
    bool found = false;
    for (int k = 0; k < 3; k++) {
        found |= s->face_b == t->face_b && a->twins[k] / 3 == t->face_a;
        found |= s->face_a == t->face_a && b->twins[k] / 3 == t->face_b;
    }
    return found;
}

/** Returns for each segment the least segment number of its curve. */
static uint32_t *labels_of(const meeting *m, const alg_lpd_curves *curves)
{
    uint32_t *const labels = base_alloc(m->segments.count + 1, sizeof *labels);
    for (uint32_t c = 0; c < curves->count; c++) {
        const alg_lpd_curve *const curve = &curves->curves[c];
        uint32_t least = UINT32_MAX;
        for (uint32_t i = 0; i < curve->count; i++) {
            const uint32_t s = curves->links[curve->first + i] / 2;
            least = s < least ? s : least;
        }
        for (uint32_t i = 0; i < curve->count; i++) {
            labels[curves->links[curve->first + i] / 2] = least;
        }
    }
    return labels;
}

static void check_same_curves(const char *what, const meeting *m, const alg_lpd_curves *truth,
                              const alg_lpd_chaining *chaining)
{
    SCOPED_ARENA arena = {0};
    alg_lpd_curves curves = make_curves(m->segments.count, &arena);
    alg_lpd_curves_chain(chaining, &m->pair, &m->segments, &curves);
    check(what, &m->segments, &curves);
    uint32_t *const s = labels_of(m, truth), *const t = labels_of(m, &curves);
    cr_assert_eq(curves.count, truth->count, "%s: %u curves, not %u", what, curves.count,
                 truth->count);
    cr_assert_eq(curves.branch_count, 0, "%s", what);
    cr_assert(memcmp(s, t, m->segments.count * sizeof *s) == 0, "%s", what);
    base_free(s);
    base_free(t);
}

/** Checks that all curves that are chained across edges are closed loops in the direction of their
 * segments, and that other searches find the same curves. Returns the number of loops. */
static uint32_t check_loops(const char *what, meeting *m, const geo_pose *pose)
{
    base_arena arena = {0};
    alg_lpd_curves curves = make_curves(MEETING_SEGMENTS, &arena);
    alg_lpd_segments_find(&m->pair, pose, &m->segments);
    alg_lpd_curves_chain(&over_edges, &m->pair, &m->segments, &curves);
    check(what, &m->segments, &curves);
    cr_assert(curves.open_count == 0 && curves.branch_count == 0 && curves.tests == 0,
              "%s: %u of %u open, %lu branches", what, curves.open_count, curves.count,
              curves.branch_count);
    for (uint32_t c = 0; c < curves.count; c++) {
        const alg_lpd_curve curve = curves.curves[c];
        for (uint32_t i = 0; i < curve.count; i++) {
            const uint32_t link = curves.links[curve.first + i];
            const uint32_t next = curves.links[curve.first + (i + 1) % curve.count];
            const alg_lpd_segment *const s = &m->segments.items[link / 2];
            const alg_lpd_segment *const t = &m->segments.items[next / 2];
            cr_assert(link % 2 == 0 && next % 2 == 0, "%s: link %u runs back", what, i);
            cr_assert(vec3_equal(s->end[1], t->end[0]) && beside(m, s, t), "%s: link %u of %u",
                      what, i, curve.count);
        }
    }
    alg_lpd_chaining both = over_edges;
    both.both_ends = both.closing = true;
    check_same_curves(what, m, &curves, &both);
    check_same_curves(what, m, &curves, ALL_AROUND);
    check_same_curves(what, m, &curves,
                      &(alg_lpd_chaining){.search = ALG_LPD_NAIVE, .closing = true, .k = 50});
    const uint32_t count = curves.count;
    base_arena_release(&arena);
    return count;
}

Test(lpd_curves, closed_bodies_meet_in_loops)
{
    static const struct {
        const char *what;
        vec3 at;
        uint32_t loops;
        bool rings; /* true: two tori; false: a ball and a torus */
    } cases[] = {
        {"a ball around the tube", {0.02, 1.3, 0.05}, 2, false},
        {"a ball in the ring's hole", {0.01, 0.02, 0.03}, 2, false},
        {"two tori far apart", {5, 0.1, 0.2}, 0, true},
        {"two tori that just meet", {1.9, 0.4, 0.3}, 1, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const vec3 origin = {0, 0, 0};
        SCOPED_MEETING m =
            meeting_open(cases[i].rings ? shape_torus(40, 1, 0.3) : shape_ball(origin, 0.78, 14),
                         shape_torus(32, 1, 0.3));
        geo_pose pose = meeting_pose(cases[i].at.x, cases[i].at.y, cases[i].at.z);
        if (!cases[i].rings) {
            pose = geo_pose_make((geo_quat){0.012, 0.023, 0.031, 0.99}, cases[i].at);
        }
        const uint32_t loops = check_loops(cases[i].what, &m, &pose);
        cr_assert_eq(loops, cases[i].loops, "%s: %u", cases[i].what, loops);
    }
}

Test(lpd_curves, are_loops_in_any_pose_and_also_after_both_bodies_moved)
{
    base_random random = base_random_seed(17);
    uint32_t several = 0;
    for (size_t i = 0; i < 40; i += sweep_step(3)) {
        const geo_pose pose = shape_pose(&random, 1.1);
        const geo_pose motion = shape_pose(&random, 3);
        SCOPED_MEETING m = meeting_open(shape_torus(24, 1, 0.35), shape_torus(20, 0.9, 0.3));
        const uint32_t loops = check_loops("two tori", &m, &pose);
        several += loops > 1;
        const uint32_t segments = m.segments.count;
        meeting_close(&m);
        m = meeting_open(shape_move(shape_torus(24, 1, 0.35), motion, 1),
                         shape_torus(20, 0.9, 0.3));
        const geo_pose moved = geo_pose_compose(&motion, &pose);
        cr_assert_eq(check_loops("two tori, moved", &m, &moved), loops, "%zu", i);
        cr_assert_eq(m.segments.count, segments, "%zu", i);
    }
    cr_assert(several > 5 / sweep_step(3), "%u with more than one loop", several);
}

/** The bodies intersect in one curve from border to border. It is chained as one curve only if
 * curves are extended at both ends. */
Test(lpd_curves, open_bodies_meet_in_open_curves)
{
    const vec3 origin = {0, 0, 0};
    SCOPED_MEETING m =
        meeting_open(meeting_cut(shape_ball(origin, 1, 12), 0.1), shape_ball(origin, 0.6, 9));
    const geo_pose pose = meeting_pose(0.9, 0.1, 0.15);
    alg_lpd_segments_find(&m.pair, &pose, &m.segments);
    alg_lpd_curves curves = make_curves(MEETING_SEGMENTS, &m.arena);
    alg_lpd_chaining chaining = over_edges;
    alg_lpd_curves_chain(&chaining, &m.pair, &m.segments, &curves);
    check("an open ball", &m.segments, &curves);
    cr_assert(curves.count > 1 && curves.open_count == curves.count, "%u", curves.count);
    chaining.both_ends = true;
    alg_lpd_curves_chain(&chaining, &m.pair, &m.segments, &curves);
    check("an open ball", &m.segments, &curves);
    cr_assert(curves.count == 1 && curves.open_count == 1 && m.segments.count > 20);
    for (uint32_t i = 0; i + 1 < m.segments.count; i++) {
        cr_assert(vec3_equal(alg_lpd_link_end(&m.segments, curves.links[i], 1),
                             alg_lpd_link_end(&m.segments, curves.links[i + 1], 0)));
    }
}

Test(lpd_curves, contain_each_segment_once_in_degenerate_contact)
{
    static const vec3 shifts[] = {{0, 0, 0},      {2, 0, 0}, {1, 0, 0}, {1, 1, 0},
                                  {0.5, 0.25, 2}, {2, 2, 2}, {1, 1, 1}};
    base_random random = base_random_seed(19);
    for (size_t i = 0; i < sizeof shifts / sizeof *shifts + 4; i++) {
        const vec3 origin = {0, 0, 0};
        const bool cubes = i < sizeof shifts / sizeof *shifts;
        SCOPED_MEETING m =
            cubes ? meeting_open(shape_cube(origin, 1), shape_cube(origin, 1))
                  : meeting_open(shape_soup(&random, 300, i % 2), shape_soup(&random, 300, i % 2));
        geo_pose pose = geo_pose_identity();
        pose.translation = cubes ? shifts[i] : origin;
        alg_lpd_segments_find(&m.pair, &pose, &m.segments);
        alg_lpd_curves curves = make_curves(MEETING_SEGMENTS, &m.arena);
        for (unsigned variant = 0; variant < 24; variant++) {
            const alg_lpd_chaining chaining = {.search = (alg_lpd_search)(variant / 8),
                                               .neighbours = (variant & 1) != 0,
                                               .both_ends = (variant & 2) != 0,
                                               .closing = (variant & 4) != 0,
                                               .k = 5};
            char what[40];
            snprintf(what, sizeof what, "contact %zu, variant %u", i, variant);
            alg_lpd_curves_chain(&chaining, &m.pair, &m.segments, &curves);
            check(what, &m.segments, &curves);
        }
    }
}

Test(lpd_curves, two_free_segments_across_edges_are_a_branch)
{
    /* Three segments that share a point. The face of the first segment has two edges in common with
     * other faces: one with the face of the second segment, one with that of the third. */
    geo_adjacent faces_a[3] = {
        {.twins = {3, 6, GEO_NO_TWIN}},
        {.twins = {0, GEO_NO_TWIN, GEO_NO_TWIN}},
        {.twins = {1, GEO_NO_TWIN, GEO_NO_TWIN}},
    };
    geo_adjacent face_b = {.twins = {GEO_NO_TWIN, GEO_NO_TWIN, GEO_NO_TWIN}};
    alg_lpd_body a = {.adjacency = {faces_a, 3}}, b = {.adjacency = {&face_b, 1}};
    const alg_lpd_pair pair = {&a, &b};
    drawing d = draw(3);
    add(&d, (vec3){1, 0, 0}, (vec3){0, 0, 0});
    add(&d, (vec3){0, 1, 0}, (vec3){0, 0, 0});
    add(&d, (vec3){0, 0, 0}, (vec3){0, 0, 1});
    for (uint32_t i = 0; i < 3; i++) {
        d.segments.items[i].face_a = i;
    }
    alg_lpd_curves_chain(&over_edges, &pair, &d.segments, &d.curves);
    check("three ways", &d.segments, &d.curves);
    cr_assert(d.curves.branch_count == 1 && d.curves.count == 2, "%lu branches, %u curves",
              d.curves.branch_count, d.curves.count);
    cr_assert(d.curves.links[0] == 0 && d.curves.links[1] == 3 && d.curves.links[2] == 4);
    base_arena_release(&d.arena);
}
