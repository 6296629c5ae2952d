#include "algorithms/lpd/pixels.h"

#include "algorithms/lpd/raster.h"
#include "base/simd.h"

/*
 * The depth along a direction is the largest sum of the heights of A and B in a pixel. A
 * branch-and-bound search finds it: a tile of pixels is split into four tiles, of which the one
 * with the largest bound is processed first. A tile is skipped if the bounds of A's and B's heights
 * in it do not add up to more than the largest sum so far.
 *
 * The smaller depth of the two directions is the result. So their searches take turns: the search
 * whose largest sum so far is smaller makes the next step. When one search has ended, the other one
 * continues only until its sum exceeds the depth of the first one.
 */

enum {
    ALL = (1 << GEO_TREE_WIDTH) - 1,
    PIXELS_LEAST = 4, /* along a side of a window of adaptive size */
    QUARTERS = 4,
    HALVINGS = 9, /* of ALG_LPD_PIXELS_MAX */
    /* Each split removes a tile and adds four. */
    TILES_MAX = 1 + (QUARTERS - 1) * HALVINGS,
    /* Tiles with at most this many leaves are drawn. All values from 24 to 48 are equally fast. */
    LEAVES_FEW = 32,
    /* Largest number of pieces that a search can store. A window of 512 x 512 pixels needs an
     * eighth of it for bodies of 300,000 triangles. */
    ROOM_MAX = 1 << 13,
    SORTED_MAX = 64, /* longer lists of pieces are drawn unsorted */
};
_Static_assert(ALG_LPD_PIXELS_MAX == 1 << HALVINGS, "windows are cut down to pixels");

/** A tile, and the pieces that may be visible in it. */
typedef struct tile {
    alg_lpd_tile pixels;
    uint32_t first[2], count[2]; /* indices of the search's pieces, for A and B */
    uint32_t leaves;             /* of both bodies, if all pieces are leaves; else UINT32_MAX */
    uint32_t end;                /* end of the search's pieces that are needed while the tile is on
                                    the stack */
    double top[2];               /* upper bounds of the heights of A and B */
} tile;

typedef struct tile_search {
    float sign[2]; /* sign of the heights of A and B */
    double most;   /* largest sum so far; -infinity at first */
    uint32_t depth;
    tile tiles[TILES_MAX];
    alg_lpd_pieces *pieces;
} tile_search;

struct alg_lpd_screen {
    alg_lpd_window window;
    geo_pose pose[2];
    alg_lpd_view view[2];
    tile_search searches[2]; /* along n and -n */
    uint32_t room;           /* number of pieces that each search can store */
    alg_lpd_heights heights[2];
    double *buffers[2], *row_x; /* complete depth buffers of A and B; NULL if all are culled */
    uint64_t triangles;
    bool avx2;
};

static uint64_t node_count(const geo_tree *tree)
{
    uint64_t count = 0;
    for (uint32_t level = 1; level < tree->level_count; level++) {
        count += tree->level_size[level];
    }
    return count;
}

base_status alg_lpd_screen_create(const alg_lpd_pair *pair, bool draws_all, base_arena *arena,
                                  alg_lpd_screen **screen, base_error *err)
{
    alg_lpd_screen *const s = base_arena_alloc(arena, 1, sizeof *s);
    *screen = s;
    bool ok = s != NULL;
    /* The list of a tile contains a node at most once, and a search stores the lists of at most
     * QUARTERS tiles of each size. */
    const uint64_t wanted =
        QUARTERS * (HALVINGS + 1) * (node_count(&pair->a->tree) + node_count(&pair->b->tree));
    for (int i = 0; i < 2 && ok; i++) {
        s->room = wanted < ROOM_MAX ? (uint32_t)wanted : ROOM_MAX;
        s->searches[i].pieces = base_arena_alloc(arena, s->room, sizeof *s->searches[i].pieces);
        ok = s->searches[i].pieces != NULL;
        if (ok && draws_all) {
            s->buffers[i] = base_arena_alloc(arena, (size_t)ALG_LPD_PIXELS_MAX * ALG_LPD_PIXELS_MAX,
                                             sizeof *s->buffers[i]);
            ok = s->buffers[i] != NULL;
        }
    }
    if (ok && draws_all) {
        s->row_x = base_arena_alloc(arena, ALG_LPD_PIXELS_MAX, sizeof *s->row_x);
        ok = s->row_x != NULL;
    }
    return ok ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory for depth buffers");
}

/* --- The window ------------------------------------------------------------------------------- */

static uint32_t pixels_along(double half, double pixel)
{
    const double wanted = ceil(2 * half / pixel);
    if (wanted > ALG_LPD_PIXELS_MAX) {
        return ALG_LPD_PIXELS_MAX;
    }
    return wanted > PIXELS_LEAST ? (uint32_t)wanted : PIXELS_LEAST;
}

/** Makes the window of a box. A side that is narrower than a pixel is widened to one pixel: the box
 * of a straight curve has a side of width 0. */
static alg_lpd_window window_of(const alg_lpd_box *box, const alg_lpd_resolution *resolution)
{
    alg_lpd_window w = {.centre = box->centre, .axis = {box->axis[0], box->axis[1], box->axis[2]}};
    const uint32_t pixels = resolution->pixels;
    const double longer = box->half[0] > box->half[1] ? box->half[0] : box->half[1];
    const double least = pixels > 0 ? longer / pixels : resolution->pixel_m / 2;
    for (int i = 0; i < 2; i++) {
        w.half[i] = box->half[i] > least ? box->half[i] : least;
        w.size[i] = pixels > 0 ? pixels : pixels_along(w.half[i], resolution->pixel_m);
    }
    return w;
}

alg_lpd_view alg_lpd_view_make(const alg_lpd_window *window, const geo_tree *tree,
                               const geo_pose *pose)
{
    alg_lpd_view view = {.window = window, .tree = tree, .pose = pose};
    const mat3 axes = {{window->axis[0], window->axis[1], window->axis[2]}};
    const mat3 turn = mat3_mul(axes, pose->rotation);
    const vec3 origin = alg_lpd_view_corner(&view, tree->origin);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            view.turn[i][k] = (float)vec3_get(turn.row[i], k);
        }
        view.shift[i] = (float)vec3_get(origin, i);
    }
    /* The last argument below covers two further errors. A corner is rounded a few times in double
       when it is transformed to the window, and floats below FLT_MIN lose digits. */
    const double reach = vec3_norm(tree->origin) + tree->span + vec3_norm(pose->translation) +
                         vec3_norm(window->centre);
    view.margin = geo_motion_margin(tree->span, window->half[0] + window->half[1],
                                    vec3_norm(origin), 64 * DBL_EPSILON * reach + (double)FLT_MIN);
    return view;
}

/* --- Tiles ------------------------------------------------------------------------------------ */

static uint32_t width_of(const alg_lpd_tile *pixels, int axis)
{
    return pixels->end[axis] - pixels->begin[axis];
}

/** Returns an upper bound of the sums of the tile's pixels. */
static double bound_of(const tile *t)
{
    return t->top[0] + t->top[1];
}

/**
 * Finds those pieces of the parent that may be visible in a tile, and appends them at *end. If
 * there is no room, the tile uses the parent's pieces. Returns false if one of the bodies has no
 * pieces there.
 */
static bool find_pieces(alg_lpd_screen *s, tile_search *h, const tile *parent, tile *t,
                        uint32_t *end)
{
    for (int side = 0; side < 2; side++) {
        alg_lpd_narrowing n = {.view = &s->view[side],
                               .tile = t->pixels,
                               .sign = h->sign[side],
                               .from = &h->pieces[parent->first[side]],
                               .from_count = parent->count[side],
                               .to = &h->pieces[*end],
                               .room = s->room - *end};
        if (!(s->avx2 ? alg_lpd_narrow_avx2 : alg_lpd_narrow_sse2)(&n)) {
            t->first[side] = parent->first[side];
            t->count[side] = parent->count[side];
            t->top[side] = parent->top[side];
            t->leaves = UINT32_MAX;
            continue;
        }
        if (n.count == 0) {
            return false;
        }
        t->first[side] = *end;
        t->count[side] = n.count;
        t->top[side] = (double)n.top;
        t->leaves = n.whole && t->leaves < UINT32_MAX ? t->leaves + n.leaves : UINT32_MAX;
        *end += n.count;
    }
    return true;
}

/** Pushes the quarters of a tile on the stack, the most promising one on top. */
static void cut(alg_lpd_screen *s, tile_search *h, const tile *t)
{
    tile *const first = &h->tiles[h->depth];
    uint32_t end = t->end, count = 0;
    for (unsigned q = 0; q < QUARTERS; q++) {
        /* If the tile is one pixel wide or high, some quarters have no pixels. */
        tile quarter = {.pixels = t->pixels};
        for (int axis = 0; axis < 2; axis++) {
            const uint32_t half = (width_of(&t->pixels, axis) + 1) / 2;
            const uint32_t middle = t->pixels.begin[axis] + half;
            *(q >> axis & 1 ? &quarter.pixels.begin[axis] : &quarter.pixels.end[axis]) = middle;
        }
        if (width_of(&quarter.pixels, 0) == 0 || width_of(&quarter.pixels, 1) == 0 ||
            !find_pieces(s, h, t, &quarter, &end) || bound_of(&quarter) <= h->most) {
            continue;
        }
        uint32_t at = count++;
        for (; at > 0 && bound_of(&first[at - 1]) > bound_of(&quarter); at--) {
            first[at] = first[at - 1];
        }
        first[at] = quarter;
    }
    for (uint32_t i = 0; i < count; i++) {
        first[i].end = end;
    }
    h->depth += count;
}

/** Sorts the nearest pieces first, so that they may hide others. */
static void sort_pieces(alg_lpd_pieces *pieces, uint32_t count)
{
    for (uint32_t i = 1; i < count && count <= SORTED_MAX; i++) {
        const alg_lpd_pieces p = pieces[i];
        uint32_t at = i;
        for (; at > 0 && pieces[at - 1].bottom > p.bottom; at--) {
            pieces[at] = pieces[at - 1];
        }
        pieces[at] = p;
    }
}

static void draw_side(alg_lpd_screen *s, const tile_search *h, const tile *t, int side)
{
    alg_lpd_pieces *const pieces = &h->pieces[t->first[side]];
    sort_pieces(pieces, t->count[side]);
    s->triangles += (s->avx2 ? alg_lpd_draw_avx2 : alg_lpd_draw_sse2)(
        &s->view[side], t->pixels, h->sign[side], pieces, t->count[side], &s->heights[side]);
}

/** Returns the largest finite height; -infinity if no pixel is covered. */
static double highest(const alg_lpd_heights *heights, const alg_lpd_tile *pixels)
{
    double most = -(double)INFINITY;
    for (uint32_t j = 0; j < width_of(pixels, 1); j++) {
        for (uint32_t i = 0; i < width_of(pixels, 0); i++) {
            const double h = heights->at[j][i];
            most = h < (double)INFINITY && h > most ? h : most;
        }
    }
    return most;
}

/** Draws a tile. B is only drawn if the heights of A allow a larger sum. */
static void draw(alg_lpd_screen *s, tile_search *h, const tile *t)
{
    alg_lpd_heights *const heights = s->heights;
    draw_side(s, h, t, 0);
    if (highest(&heights[0], &t->pixels) + t->top[1] <= h->most) {
        return;
    }
    draw_side(s, h, t, 1);
    for (uint32_t j = 0; j < width_of(&t->pixels, 1); j++) {
        for (uint32_t i = 0; i < width_of(&t->pixels, 0); i++) {
            heights[0].at[j][i] += heights[1].at[j][i];
        }
    }
    const double sum = highest(&heights[0], &t->pixels);
    h->most = sum > h->most ? sum : h->most;
}

/* --- Searches --------------------------------------------------------------------------------- */

static void begin(const alg_lpd_screen *s, tile_search *h, float sign)
{
    h->sign[0] = sign;
    h->sign[1] = -sign;
    h->most = -(double)INFINITY;
    h->depth = 1;
    tile *const t = &h->tiles[0];
    *t = (tile){.pixels = {{0, 0}, {s->window.size[0], s->window.size[1]}},
                .leaves = UINT32_MAX,
                .top = {(double)INFINITY, (double)INFINITY}};
    for (int side = 0; side < 2; side++) {
        const uint32_t top = s->view[side].tree->level_count - 1;
        t->first[side] = t->end++;
        t->count[side] = 1;
        h->pieces[side] = (alg_lpd_pieces){.level = (uint16_t)top, .lanes = ALL};
    }
}

/** Processes the most promising tile. */
static void step(alg_lpd_screen *s, tile_search *h)
{
    const tile t = h->tiles[--h->depth];
    if (bound_of(&t) <= h->most) {
        return;
    }
    const uint32_t x = width_of(&t.pixels, 0), y = width_of(&t.pixels, 1);
    const bool few = x <= ALG_LPD_TILE && y <= ALG_LPD_TILE && t.leaves <= LEAVES_FEW;
    if (few || (x == 1 && y == 1)) {
        draw(s, h, &t);
    } else {
        cut(s, h, &t);
    }
}

/** Returns the depth of a completed search. */
static double depth_of(const tile_search *h)
{
    return h->most >= 0 ? h->most : (double)INFINITY;
}

/** Runs both searches. Returns the index of the one with the smaller depth, which has ended. */
static int search_both(alg_lpd_screen *s)
{
    tile_search *const h = s->searches;
    while (h[0].depth > 0 && h[1].depth > 0) {
        step(s, &h[h[1].most < h[0].most]);
    }
    const int ended = h[0].depth > 0;
    tile_search *const other = &h[1 - ended];
    const double depth = depth_of(&h[ended]);
    while (other->depth > 0 && (ended ? other->most <= depth : other->most < depth)) {
        step(s, other);
    }
    return other->depth > 0 ? ended : depth_of(&h[1]) < depth_of(&h[0]);
}

/* --- Without culling -------------------------------------------------------------------------- */

/** Draws both bodies completely and returns the depth along the search's direction. */
static double draw_all(alg_lpd_screen *s, tile_search *h)
{
    for (int side = 0; side < 2; side++) {
        (s->avx2 ? alg_lpd_draw_all_avx2 : alg_lpd_draw_all_sse2)(&s->view[side], h->sign[side],
                                                                  s->row_x, s->buffers[side]);
        s->triangles += s->view[side].tree->count;
    }
    const size_t row = alg_lpd_row(&s->window);
    for (size_t j = 0; j < s->window.size[1]; j++) {
        for (size_t i = 0; i < s->window.size[0]; i++) {
            const double sum = s->buffers[0][j * row + i] + s->buffers[1][j * row + i];
            h->most = sum < (double)INFINITY && sum > h->most ? sum : h->most;
        }
    }
    return depth_of(h);
}

/* --- Depths ----------------------------------------------------------------------------------- */

/** Begins the search along n. */
static void look(const alg_lpd_pair *pair, const geo_pose *pose, const alg_lpd_box *box,
                 const alg_lpd_resolution *resolution, alg_lpd_screen *s)
{
    s->window = window_of(box, resolution);
    s->pose[0] = geo_pose_identity();
    s->pose[1] = *pose;
    s->view[0] = alg_lpd_view_make(&s->window, &pair->a->tree, &s->pose[0]);
    s->view[1] = alg_lpd_view_make(&s->window, &pair->b->tree, &s->pose[1]);
    s->triangles = 0;
    s->avx2 = base_cpu_avx2();
    begin(s, &s->searches[0], 1);
}

alg_lpd_translation alg_lpd_depth_by_pixels(const alg_lpd_pair *pair, const geo_pose *pose,
                                            const alg_lpd_box *box,
                                            const alg_lpd_resolution *resolution,
                                            alg_lpd_screen *screen, uint64_t *triangles)
{
    look(pair, pose, box, resolution, screen);
    begin(screen, &screen->searches[1], -1);
    int least;
    if (resolution->draws_all) {
        const double along = draw_all(screen, &screen->searches[0]);
        least = draw_all(screen, &screen->searches[1]) < along;
    } else {
        least = search_both(screen);
    }
    if (triangles) {
        *triangles += screen->triangles;
    }
    const vec3 n = box->axis[2];
    return (alg_lpd_translation){least ? vec3_scale(-1, n) : n, depth_of(&screen->searches[least])};
}

double alg_lpd_pixels_along(const alg_lpd_pair *pair, const geo_pose *pose, const alg_lpd_box *box,
                            const alg_lpd_resolution *resolution, alg_lpd_screen *screen,
                            uint64_t *triangles)
{
    look(pair, pose, box, resolution, screen);
    tile_search *const h = &screen->searches[0];
    while (h->depth > 0 && !resolution->draws_all) {
        step(screen, h);
    }
    if (resolution->draws_all) {
        draw_all(screen, h);
    }
    if (triangles) {
        *triangles += screen->triangles;
    }
    return depth_of(h);
}
