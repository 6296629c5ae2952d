#include "algorithms/lpd/curves.h"

#include "algorithms/lpd/grid.h"

/** Work space of chaining. */
typedef struct alg_lpd_curves_space {
    alg_lpd_grid grid;
    alg_lpd_table table; /* of segments, with their two faces as the key */
    bool *taken;         /* is segment i part of a curve? */
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
        s->table.slots =
            base_arena_alloc(arena, alg_lpd_table_slots(segments_max), sizeof *s->table.slots);
    }
    if (!s || !curves->links || !curves->curves || !s->taken || !s->table.slots) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for curves of %u segments",
                         segments_max);
    }
    return alg_lpd_grid_create(segments_max, arena, &s->grid, err);
}

static vec3 end_at(const work *w, uint32_t end)
{
    return w->segments->items[end / 2].end[end % 2];
}

/* --- Over edges ------------------------------------------------------------------------------- */

/** Key of a lookup among segments. */
typedef struct sought {
    const alg_lpd_segment *items;
    uint32_t face_a, face_b;
} sought;

static bool is_of_faces(const void *context, uint32_t number)
{
    const sought *const s = context;
    return s->items[number].face_a == s->face_a && s->items[number].face_b == s->face_b;
}

static uint32_t *find_segment(const work *w, uint32_t face_a, uint32_t face_b)
{
    const sought s = {w->segments->items, face_a, face_b};
    return alg_lpd_table_find(&w->space->table, alg_lpd_hash((uint64_t)face_a << 32 | face_b),
                              is_of_faces, &s);
}

static void fill_table(const work *w)
{
    alg_lpd_table_clear(&w->space->table, w->segments->count);
    for (uint32_t s = 0; s < w->segments->count; s++) {
        *find_segment(w, w->segments->items[s].face_a, w->segments->items[s].face_b) = s;
    }
}

/** Proposes the segment of two faces as the next one if it is free and has an end at exactly this
 * point. */
static void look_over_edge(const work *w, vec3 at, uint32_t face_a, uint32_t face_b,
                           alg_lpd_nearest *found)
{
    const uint32_t segment = *find_segment(w, face_a, face_b);
    if (segment == ALG_LPD_EMPTY || w->space->taken[segment]) {
        return;
    }
    for (uint32_t end = 2 * segment; end < 2 * segment + 2; end++) {
        if (vec3_equal(end_at(w, end), at) && end != found->end) {
            found->branch |= found->end != ALG_LPD_NO_END;
            found->end = end < found->end ? end : found->end;
        }
    }
}

/** Looks at the segments across the edges of both faces. Segments across the edge that the end lies
 * on have an end at the same point. */
static alg_lpd_nearest next_over_edge(const work *w, uint32_t end)
{
    const alg_lpd_segment *const s = &w->segments->items[end / 2];
    const vec3 at = end_at(w, end);
    const uint32_t *const twins_a = w->pair->a->adjacency.faces[s->face_a].twins;
    const uint32_t *const twins_b = w->pair->b->adjacency.faces[s->face_b].twins;
    alg_lpd_nearest found = {ALG_LPD_NO_END, false};
    for (int k = 0; k < 3; k++) {
        if (twins_a[k] != GEO_NO_TWIN) {
            look_over_edge(w, at, twins_a[k] / 3, s->face_b, &found);
        }
        if (twins_b[k] != GEO_NO_TWIN) {
            look_over_edge(w, at, s->face_a, twins_b[k] / 3, &found);
        }
    }
    return found;
}

/* --- Without a grid --------------------------------------------------------------------------- */

static alg_lpd_nearest nearest_of_all(const work *w, uint32_t end)
{
    const double cell_m = w->space->grid.cell_m;
    const vec3 from = end_at(w, end);
    alg_lpd_nearest found = {ALG_LPD_NO_END, false};
    double least2 = cell_m * cell_m;
    for (uint32_t e = 2 * w->least; e < 2 * w->segments->count; e++) {
        if (w->space->taken[e / 2]) {
            continue;
        }
        const double distance2 = vec3_distance2(end_at(w, e), from);
        w->curves->tests++;
        if (distance2 == 0 && least2 == 0 && found.end != ALG_LPD_NO_END) {
            found.branch = true;
        } else if (distance2 < least2 || (distance2 == least2 && found.end == ALG_LPD_NO_END)) {
            least2 = distance2;
            found.end = e;
        }
    }
    return found;
}

/* --- Chaining --------------------------------------------------------------------------------- */

static void begin_search(work *w)
{
    memset(w->space->taken, 0, w->segments->count * sizeof *w->space->taken);
    if (w->chaining->search == ALG_LPD_ADJACENCY) {
        fill_table(w);
    } else {
        alg_lpd_grid_fill(&w->space->grid, w->segments, w->chaining->k);
    }
}

static alg_lpd_nearest next_end(const work *w, uint32_t end)
{
    switch (w->chaining->search) {
    case ALG_LPD_ADJACENCY:
        return next_over_edge(w, end);
    case ALG_LPD_GRID:
        return alg_lpd_grid_nearest(&w->space->grid, end, w->chaining->neighbours,
                                    w->chaining->ends_equal);
    case ALG_LPD_NAIVE:
        break;
    }
    return nearest_of_all(w, end);
}

static void take(const work *w, uint32_t segment)
{
    w->space->taken[segment] = true;
    if (w->chaining->search == ALG_LPD_GRID) {
        alg_lpd_grid_take(&w->space->grid, segment);
    }
}

/** Appends links to a curve, starting at `end`; `begin` is where the curve begins. Returns the
 * number of links. */
static uint32_t grow(const work *w, uint32_t begin, uint32_t end, uint32_t *links)
{
    const vec3 home = end_at(w, begin);
    uint32_t count = 0;
    while (count == 0 || !w->chaining->closing || !vec3_equal(end_at(w, end), home)) {
        const alg_lpd_nearest next = next_end(w, end);
        if (next.end == ALG_LPD_NO_END) {
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
    begin_search(&w);
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
