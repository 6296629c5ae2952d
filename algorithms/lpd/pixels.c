#include "algorithms/lpd/pixels.h"

#include "algorithms/lpd/raster.h"
#include "base/cpu.h"

/*
 * Of all pixels only the one with the largest sum counts. Each direction is a hunt for it: tiles of pixels are cut in
 * four, most promising first, as long as the bounds of what is seen in them add up to more than the largest sum so
 * far. Of the two hunts the one with the smaller sum so far goes on: where one has ended, the other need only exceed
 * it.
 */

enum {
    PIXELS_LEAST = 4, /* along a side of a window of adaptive size */
    QUARTERS = 4,
    TILES_MAX =
        QUARTERS * 12, /* three are left behind at each halving of 512 pixels, and the last four */
    LEAVES_FEW = 6,    /* so many are drawn at once */
    ROOM = 1 << 15,    /* for lists of pieces; without it, tiles look through their parent's */
};

/** A tile, and pieces that may be seen in it. */
typedef struct tile {
    alg_lpd_tile pixels;
    uint32_t first[2], count[2]; /* of the hunt's pieces, for A and B */
    uint32_t leaves;             /* if all of the pieces are leaves; else UINT32_MAX */
    uint32_t end;                /* of the hunt's pieces that are in use as long as the tile is */
    double top;                  /* no sum is larger */
} tile;

typedef struct hunt {
    float sign[2]; /* of the heights of A and B */
    double most;   /* the largest sum so far; -infinity before there is one */
    uint32_t depth;
    tile tiles[TILES_MAX];
    alg_lpd_pieces *pieces;
} hunt;

struct alg_lpd_screen {
    alg_lpd_window window;
    alg_lpd_view view[2];
    hunt hunts[2]; /* along n and -n */
    alg_lpd_heights heights[2];
    uint64_t triangles;
};

base_status alg_lpd_screen_create(const alg_lpd_pair *pair, base_arena *arena,
                                  alg_lpd_screen **screen, base_error *err)
{
    (void)pair;
    alg_lpd_screen *const s = base_arena_alloc(arena, 1, sizeof *s);
    bool ok = s != NULL;
    for (int i = 0; i < 2 && ok; i++) {
        s->hunts[i].pieces = base_arena_alloc(arena, ROOM, sizeof *s->hunts[i].pieces);
        ok = s->hunts[i].pieces != NULL;
    }
    *screen = s;
    return ok ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory for depth buffers");
}

/* --- The window ------------------------------------------------------------------------------- */

static uint32_t pixels_along(double half, double pixel)
{
    const double wanted = ceil(2 * half / pixel);
    return !(wanted > PIXELS_LEAST)      ? PIXELS_LEAST
           : wanted < ALG_LPD_PIXELS_MAX ? (uint32_t)wanted
                                         : ALG_LPD_PIXELS_MAX;
}

/** A side without a width, that of a straight curve, becomes a pixel wide. */
static alg_lpd_window window_of(const alg_lpd_box *box, const alg_lpd_resolution *resolution)
{
    alg_lpd_window w = {
        .centre = box->centre, .axis = {box->axis[0], box->axis[1], box->axis[2]}
    };
    const double longer = box->half[0] > box->half[1] ? box->half[0] : box->half[1];
    const double least =
        resolution->pixels > 0 ? longer / resolution->pixels : resolution->pixel_m / 2;
    for (int i = 0; i < 2; i++) {
        w.half[i] = box->half[i] > least ? box->half[i] : least;
        w.size[i] = resolution->pixels > 0 ? resolution->pixels
                                           : pixels_along(w.half[i], resolution->pixel_m);
    }
    return w;
}

/* --- A hunt ----------------------------------------------------------------------------------- */

/** The larger body first would do as well: pieces of A, then of B. False: one of them is not seen. */
static bool find_pieces(alg_lpd_screen *s, hunt *h, const tile *parent, tile *t, uint32_t *end)
{
    const bool avx2 = base_cpu_avx2();
    t->top = 0;
    t->leaves = 0;
    for (int side = 0; side < 2; side++) {
        alg_lpd_narrowing n = {.view = &s->view[side],
                               .tile = t->pixels,
                               .sign = h->sign[side],
                               .from = &h->pieces[parent->first[side]],
                               .from_count = parent->count[side],
                               .to = &h->pieces[*end],
                               .room = ROOM - *end};
        if (!(avx2 ? alg_lpd_narrow_avx2(&n) : alg_lpd_narrow_sse2(&n))) {
            t->first[side] = parent->first[side];
            t->count[side] = parent->count[side];
            t->leaves = UINT32_MAX;
            t->top = parent->top;
            continue;
        }
        t->first[side] = *end;
        t->count[side] = n.count;
        t->leaves = n.whole && t->leaves < UINT32_MAX ? t->leaves + n.leaves : UINT32_MAX;
        t->top += (double)n.top;
        *end += n.count;
        if (n.count == 0) {
            return false;
        }
    }
    return true;
}

/** Puts the quarters of a tile on the stack, the most promising one last. */
static void cut(alg_lpd_screen *s, hunt *h, const tile *t)
{
    const uint32_t *const b = t->pixels.begin, *const e = t->pixels.end;
    const uint32_t mid[2] = {b[0] + (e[0] - b[0] + 1) / 2, b[1] + (e[1] - b[1] + 1) / 2};
    tile *const first = &h->tiles[h->depth];
    uint32_t end = t->end, count = 0;
    for (unsigned q = 0; q < QUARTERS; q++) {
        tile quarter = {
            .pixels = {{q & 1 ? mid[0] : b[0], q & 2 ? mid[1] : b[1]},
                       {q & 1 ? e[0] : mid[0], q & 2 ? e[1] : mid[1]}}
        };
        const alg_lpd_tile *const p = &quarter.pixels;
        if (p->begin[0] == p->end[0] || p->begin[1] == p->end[1] ||
            !find_pieces(s, h, t, &quarter, &end) || quarter.top <= h->most) {
            continue;
        }
        uint32_t at = count++;
        for (; at > 0 && first[at - 1].top > quarter.top; at--) {
            first[at] = first[at - 1];
        }
        first[at] = quarter;
    }
    for (uint32_t i = 0; i < count; i++) {
        first[i].end = end;
    }
    h->depth += count;
}

static void draw(alg_lpd_screen *s, hunt *h, const tile *t)
{
    const bool avx2 = base_cpu_avx2();
    for (int side = 0; side < 2; side++) {
        s->triangles += (avx2 ? alg_lpd_draw_avx2 : alg_lpd_draw_sse2)(
            &s->view[side], t->pixels, h->sign[side], &h->pieces[t->first[side]], t->count[side],
            &s->heights[side]);
    }
    const alg_lpd_tile *const p = &t->pixels;
    for (uint32_t j = 0; j < p->end[1] - p->begin[1]; j++) {
        for (uint32_t i = 0; i < p->end[0] - p->begin[0]; i++) {
            const double sum = s->heights[0].at[j][i] + s->heights[1].at[j][i];
            h->most = sum < (double)INFINITY && sum > h->most ? sum : h->most;
        }
    }
}

/** Small enough to be drawn, and either a pixel or with few triangles. */
static bool is_small(const tile *t)
{
    const uint32_t x = t->pixels.end[0] - t->pixels.begin[0];
    const uint32_t y = t->pixels.end[1] - t->pixels.begin[1];
    return (x == 1 && y == 1) ||
           (x <= ALG_LPD_TILE && y <= ALG_LPD_TILE && t->leaves <= LEAVES_FEW);
}

static void step(alg_lpd_screen *s, hunt *h)
{
    const tile t = h->tiles[--h->depth];
    if (t.top <= h->most) {
        return;
    }
    if (is_small(&t)) {
        draw(s, h, &t);
    } else {
        cut(s, h, &t);
    }
}

static void begin(alg_lpd_screen *s, hunt *h, float sign)
{
    h->sign[0] = sign;
    h->sign[1] = -sign;
    h->most = -(double)INFINITY;
    h->depth = 1;
    tile *const t = &h->tiles[0];
    *t = (tile){
        .pixels = {{0, 0}, {s->window.size[0], s->window.size[1]}},
        .leaves = UINT32_MAX,
        .top = (double)INFINITY
    };
    for (int side = 0; side < 2; side++) {
        t->first[side] = t->end++;
        t->count[side] = 1;
        h->pieces[side] = (alg_lpd_pieces){0, (uint16_t)(s->view[side].tree->level_count - 1),
                                           (1 << GEO_TREE_WIDTH) - 1};
    }
}

/** Its depth, now that it has ended. */
static double depth_of(const hunt *h)
{
    return h->most >= 0 ? h->most : (double)INFINITY;
}

/** The number of the hunt for the smaller depth, which has ended. */
static int hunt_both(alg_lpd_screen *s)
{
    hunt *const h = s->hunts;
    while (h[0].depth > 0 && h[1].depth > 0) {
        step(s, &h[h[1].most < h[0].most]);
    }
    const int ended = h[0].depth > 0;
    hunt *const other = &h[1 - ended];
    const double depth = depth_of(&h[ended]);
    while (other->depth > 0 && (ended ? other->most <= depth : other->most < depth)) {
        step(s, other);
    }
    if (other->depth > 0) {
        return ended;
    }
    return depth_of(&h[1]) < depth_of(&h[0]);
}

static void look(const alg_lpd_pair *pair, const geo_pose *pose, const alg_lpd_box *box,
                 const alg_lpd_resolution *resolution, alg_lpd_screen *s)
{
    static const geo_pose identity = {
        {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
        { 0, 0, 0}
    };
    s->window = window_of(box, resolution);
    s->view[0] = alg_lpd_view_make(&s->window, &pair->a->tree, &identity);
    s->view[1] = alg_lpd_view_make(&s->window, &pair->b->tree, pose);
    s->triangles = 0;
    begin(s, &s->hunts[0], 1);
}

static void tell(const alg_lpd_screen *s, uint64_t *triangles)
{
    if (triangles) {
        *triangles += s->triangles;
    }
}

alg_lpd_way alg_lpd_depth_by_pixels(const alg_lpd_pair *pair, const geo_pose *pose,
                                    const alg_lpd_box *box, const alg_lpd_resolution *resolution,
                                    alg_lpd_screen *screen, uint64_t *triangles)
{
    alg_lpd_screen *const s = screen;
    look(pair, pose, box, resolution, s);
    begin(s, &s->hunts[1], -1);
    const int way = hunt_both(s);
    tell(s, triangles);
    const vec3 n = box->axis[2];
    return (alg_lpd_way){way ? vec3_scale(-1, n) : n, depth_of(&s->hunts[way])};
}

double alg_lpd_pixels_along(const alg_lpd_pair *pair, const geo_pose *pose, const alg_lpd_box *box,
                            const alg_lpd_resolution *resolution, alg_lpd_screen *screen,
                            uint64_t *triangles)
{
    alg_lpd_screen *const s = screen;
    look(pair, pose, box, resolution, s);
    while (s->hunts[0].depth > 0) {
        step(s, &s->hunts[0]);
    }
    tell(s, triangles);
    return depth_of(&s->hunts[0]);
}
