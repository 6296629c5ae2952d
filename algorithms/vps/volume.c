/**
 * Penetration volume by voxels: looks up the voxels of B, cube by cube, in the voxmap of A.
 *
 * The voxels of a body are inner, outer or surface voxels. The inner share of a surface voxel is
 * found by sampling. The layers of A's voxmap may show that a cube of B's voxels is inside of A;
 * then the cube counts completely. If they show that it is outside of A, it does not count. Any
 * other cube is split, down to single voxels of B. A single voxel that is still undecided counts
 * with its own share times the share of A's voxel at its centre.
 *
 * Bracket  an inner voxel is completely in its body, and a surface voxel is in it to an unknown
 *          part. If the cubes inside of A have n inner and m surface voxels of B, they add n to n +
 *          m voxels to the volume. B's volume minus the part of B in cubes outside of A gives a
 *          second pair of bounds. In both pairs, an undecided voxel counts 0 in the lower bound and
 *          1 in the upper bound.
 *
 * Source   the voxels are those of VPS 3; counting volumes by them is this suite's addition.
 */
#include "algorithms/archive.h"
#include "algorithms/life.h"
#include "algorithms/registry.h"
#include "algorithms/voxel/map.h"
#include "algorithms/voxel/grid.h"
#include "algorithms/voxel/surface.h"
#include "algorithms/voxel/walls.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "geometry/pose.h"
#include "geometry/surface.h"

#include <float.h>

enum { LAYERS, VOXELS, PARAMETER_COUNT };

/**
 * Code of a voxel in one byte. A surface voxel has its inner share, from 0 to SHARES. An inner
 * voxel that is k layers from the surface has SHARES + k, and such an outer voxel has -k.
 */
enum { SHARES = 63, LAYERS_MAX = INT8_MAX - SHARES };

/** Default and limit of `voxels`; voxels=auto chooses numbers between them. */
enum { VOXELS_USUAL = 128, VOXELS_MAX = 512 };

/* clang-format off */
static const alg_parameter parameters[] = {
    [LAYERS] = {"layers", ALG_INTEGER, 32, 1, LAYERS_MAX, NULL,
                "layers of voxels on each side of the surface; cubes farther away are not split"},
    [VOXELS] = {"voxels", ALG_INTEGER, VOXELS_USUAL, 2, VOXELS_MAX, ALG_WALLS_AUTO,
                "voxels along the longest edge of a body's box"},
};
/* clang-format on */

enum { COUNT_TESTS };
static const char *const counter_names[] = {[COUNT_TESTS] = "bv_tests_count", NULL};

enum {
    FACT_RESOLUTION, /* voxels along the longest edge of the body's box */
    FACT_THIN,       /* alg_thin_share */
    FACT_WALL,       /* alg_resolution.wall_m; this and the next: if the resolution was chosen */
    FACT_ERROR,      /* expected mean error of a volume: error_a_voxel */
};
static const char *const fact_names[] = {
    [FACT_RESOLUTION] = "resolution_count",
    [FACT_THIN] = ALG_FACT_THIN,
    [FACT_WALL] = "wall_m",
    [FACT_ERROR] = "volume_error_expected",
    NULL,
};

/* Expected mean error of a volume, relative to the volume, for walls of one voxel. It falls with
 * the number of voxels in a wall. It bounds the mean errors that docs/cad.md lists for
 * voxels=auto. */
static const double error_a_voxel = 0.25;

/** Numbers of B's voxels in a cube. */
typedef struct content {
    uint64_t inner, surface;
    uint64_t share; /* sum of the shares of the voxels; an inner voxel has SHARES */
} content;

/** Value of a child in place of a node's index. */
enum { WHOLE = 0x7fffffff }; /* all voxels are inner */

/** A cube that is split into eight. The children of a node of level 1 are voxels. */
typedef struct node {
    uint32_t child[8]; /* ALG_VOXEL_EMPTY, WHOLE, index of a node, or ALG_VOXEL_LEAF | index of a
                          surface voxel */
    content content;
} node;

typedef struct body {
    base_arena arena;
    alg_voxel_grid grid;
    geo_box box;
    double volume;
    int8_t *voxels; /* arena; x fastest; used by queries of a fixed body, and saved */

    /* Only of a moving body. */
    uint32_t levels;
    node *nodes;     /* arena; nodes[0] is the root, with 2^levels voxels along an edge */
    uint8_t *shares; /* arena; inner share of each surface voxel */
} body;

typedef struct state {
    base_arena arena;
    const body *a, *b;
} state;

static alg_contract contract(const alg_settings *settings, alg_quantity quantity)
{
    (void)settings;
    return quantity == ALG_VOLUME ? ALG_APPROXIMATE : ALG_NOT_ANSWERED;
}

/* --- Voxels ----------------------------------------------------------------------------------- */

enum {
    PADDING = 2, /* outer voxels on each side of the body's box */
    SAMPLES = 4, /* samples along an edge of a surface voxel */
};

/** Returns the inner share of a voxel, from 0 to SHARES. */
static int8_t sample_share(const geo_surface *surface, geo_box voxel)
{
    const vec3 size = vec3_sub(voxel.hi, voxel.lo);
    int inside = 0;
    for (int i = 0; i < SAMPLES * SAMPLES * SAMPLES; i++) {
        const double x = (i % SAMPLES + 0.5) / SAMPLES;
        const double y = (i / SAMPLES % SAMPLES + 0.5) / SAMPLES;
        const double z = (i / (SAMPLES * SAMPLES) + 0.5) / SAMPLES;
        const vec3 p = {voxel.lo.x + x * size.x, voxel.lo.y + y * size.y, voxel.lo.z + z * size.z};
        inside += geo_surface_contains(surface, p);
    }
    const int all = SAMPLES * SAMPLES * SAMPLES;
    return (int8_t)((inside * SHARES + all / 2) / all);
}

typedef struct classifying {
    const geo_surface *surface;
    const alg_voxel_grid *grid;
    int8_t *voxels;
} classifying;

/**
 * Converts a row of layers to codes of voxels. Consecutive voxels without a surface voxel between
 * them are all inside or all outside, so one point test decides for all of them. The test is needed
 * where the layers say inside: the flood does not enter a hollow whose opening is narrower than the
 * voxels.
 */
static void classify_row(const classifying *c, uint32_t y, uint32_t z)
{
    const uint32_t *const size = c->grid->size;
    int8_t *const row = c->voxels + ((size_t)z * size[1] + y) * size[0];
    bool known = false, inside = false; /* `inside` is known for the voxels directly before */
    for (uint32_t x = 0; x < size[0]; x++) {
        const int8_t layer = row[x];
        if (layer == 0) {
            row[x] = sample_share(c->surface, alg_voxel_box(c->grid, x, y, z));
        } else if (layer > 0) {
            if (!known) {
                inside = geo_surface_contains(c->surface, alg_voxel_middle(c->grid, x, y, z));
            }
            row[x] = (int8_t)(inside ? SHARES + layer : -layer);
        }
        known = layer > 0;
    }
}

static void classify_slices(void *context, size_t begin, size_t end)
{
    const classifying *const c = context;
    for (size_t z = begin; z < end; z++) {
        for (uint32_t y = 0; y < c->grid->size[1]; y++) {
            classify_row(c, y, (uint32_t)z);
        }
    }
}

/** Builds the dense voxels of a body, in `arena`. *thin: as alg_thin_share. */
static base_status build_voxels(const geo_mesh *mesh, const alg_voxel_grid *grid, uint32_t layers,
                                base_arena *arena, int8_t **voxels, double *thin, base_error *err)
{
    const alg_voxel_surface_options ours = {.generator = ALG_VOXEL_OURS};
    base_arena scratch = {0};
    alg_voxel_bits bits = {0};
    alg_voxel_map map;
    geo_surface surface;
    uint64_t tests;
    base_status status = alg_voxel_bits_create(grid->size, &bits, err);
    if (status == BASE_OK) {
        status = alg_voxel_surface_mark(mesh, grid, &ours, &bits, &tests, err);
    }
    if (status == BASE_OK) {
        status = alg_voxel_map_build(
            grid, &bits, &(alg_voxel_map_options){.layers = layers, .storage = ALG_VOXEL_DENSE},
            arena, &map, err);
    }
    if (status == BASE_OK) {
        status = geo_surface_build(mesh, &scratch, &surface, err);
    }
    if (status == BASE_OK) {
        classifying c = {&surface, grid, map.values};
        base_parallel_for(grid->size[2], 1, 0, classify_slices, &c);
        *voxels = map.values;
        status = alg_thin_share(mesh, grid, &bits, false, thin, err);
    }
    alg_voxel_bits_release(&bits);
    base_arena_release(&scratch);
    return status;
}

/* --- Cubes of a moving body ------------------------------------------------------------------- */

/** State of building the nodes. The octree is in a scratch arena. */
typedef struct builder {
    body *b;
    alg_voxel_octree octree;
} builder;

static int8_t voxel_at(const builder *k, const uint32_t at[3])
{
    const uint32_t *const size = k->b->grid.size;
    return at[0] < size[0] && at[1] < size[1] && at[2] < size[2]
               ? k->b->voxels[((size_t)at[2] * size[1] + at[1]) * size[0] + at[0]]
               : (int8_t)-1;
}

static content content_of(const body *b, uint32_t number, uint32_t level)
{
    const uint64_t voxels = (uint64_t)1 << (3 * level);
    return number == WHOLE           ? (content){voxels, 0, voxels * SHARES}
           : number & ALG_VOXEL_LEAF ? (content){0, 1, b->shares[number & ~ALG_VOXEL_LEAF]}
                                     : b->nodes[number].content;
}

/**
 * Fills the node of a cube with corner `at`. The voxels of a cube without surface voxels are all
 * inner or all outer.
 */
static void fill_node(const builder *k, uint32_t number, const uint32_t at[3], uint32_t level)
{
    const uint32_t half = 1u << (level - 1);
    node *const n = &k->b->nodes[number];
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t child = k->octree.nodes[number].child[i];
        const uint32_t part[3] = {at[0] + (i & 1 ? half : 0), at[1] + (i & 2 ? half : 0),
                                  at[2] + (i & 4 ? half : 0)};
        if (child == ALG_VOXEL_EMPTY) {
            child = voxel_at(k, part) > SHARES ? (uint32_t)WHOLE : ALG_VOXEL_EMPTY;
        } else if (!(child & ALG_VOXEL_LEAF)) {
            fill_node(k, child, part, level - 1);
        }
        n->child[i] = child;
        if (child != ALG_VOXEL_EMPTY) {
            const content c = content_of(k->b, child, level - 1);
            n->content.inner += c.inner;
            n->content.surface += c.surface;
            n->content.share += c.share;
        }
    }
}

/** Lists the surface voxels and their shares. Returns their number. */
static size_t list_surface(const builder *k, alg_voxel_at *positions, uint8_t *shares)
{
    const uint32_t *const size = k->b->grid.size;
    size_t count = 0;
    for (uint32_t z = 0; z < size[2]; z++) {
        for (uint32_t y = 0; y < size[1]; y++) {
            for (uint32_t x = 0; x < size[0]; x++) {
                const int8_t voxel = voxel_at(k, (uint32_t[3]){x, y, z});
                if (voxel >= 0 && voxel <= SHARES) {
                    if (positions) {
                        positions[count] = (alg_voxel_at){x, y, z};
                        shares[count] = (uint8_t)voxel;
                    }
                    count++;
                }
            }
        }
    }
    return count;
}

static base_status build_cubes(body *b, base_error *err)
{
    builder k = {.b = b};
    base_arena scratch = {0};
    const size_t count = list_surface(&k, NULL, NULL);
    alg_voxel_at *const positions = base_arena_alloc(&scratch, count, sizeof *positions);
    b->shares = base_arena_alloc(&b->arena, count, sizeof *b->shares);
    base_status status = BASE_OK;
    if (!positions || !b->shares) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu voxels", count);
        goto done;
    }
    list_surface(&k, positions, b->shares);
    const uint32_t *const size = b->grid.size;
    b->levels = 1;
    while (size[0] > 1u << b->levels || size[1] > 1u << b->levels || size[2] > 1u << b->levels) {
        b->levels++;
    }
    status = alg_voxel_octree_build(positions, count, b->levels, &scratch, &k.octree, err);
    if (status != BASE_OK) {
        goto done;
    }
    b->nodes = base_arena_alloc(&b->arena, k.octree.node_count, sizeof *b->nodes);
    if (!b->nodes) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for cubes");
        goto done;
    }
    fill_node(&k, 0, (uint32_t[3]){0, 0, 0}, b->levels);
done:
    base_arena_release(&scratch);
    return status;
}

/* --- Bodies and pairs ------------------------------------------------------------------------- */

static alg_status prepare(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                          void **prepared, alg_build_info *info, alg_message *message)
{
    *prepared = NULL;
    if (!mesh->solid) {
        return alg_fail(message, ALG_UNSUPPORTED, "a volume needs a solid");
    }
    alg_resolution resolution;
    alg_status status = alg_walls_resolve(mesh, (uint32_t)settings->values[VOXELS], VOXELS_USUAL,
                                          VOXELS_MAX, &resolution, message);
    if (status == ALG_OK) {
        status = alg_create(sizeof(body), prepared, message);
    }
    if (status != ALG_OK) {
        return status;
    }
    body *const b = *prepared;
    base_error err = {0};
    const geo_mesh view = alg_mesh_view(mesh);
    b->box = geo_mesh_box(&view);
    b->volume = mesh->volume_m3;
    base_status built = alg_voxel_grid_place(b->box, resolution.voxels, PADDING, &b->grid, &err);
    if (built == BASE_OK) {
        built = build_voxels(&view, &b->grid, (uint32_t)settings->values[LAYERS], &b->arena,
                             &b->voxels, &info->facts[FACT_THIN], &err);
    }
    if (built == BASE_OK && role == ALG_MOVING) {
        built = build_cubes(b, &err);
    }
    if (built != BASE_OK) {
        return alg_abandon(prepared, alg_fail_geo(message, &err));
    }
    info->facts[FACT_RESOLUTION] = resolution.voxels;
    info->facts[FACT_WALL] = resolution.wall_m;
    info->facts[FACT_ERROR] = error_a_voxel * b->grid.edge / resolution.wall_m;
    info->bytes = b->arena.bytes;
    info->primitives = role == ALG_FIXED ? alg_voxel_grid_count(&b->grid)
                                         : b->nodes[0].content.inner + b->nodes[0].content.surface;
    return ALG_OK;
}

_Static_assert(sizeof(body) == 152, "a member that is added is serialized as well");

/**
 * Cubes are not saved: building them takes little time compared with the sampling of surface
 * voxels.
 */
static void serialize_body(alg_archive *archive, void *object)
{
    body *const b = object;
    ALG_VALUE(archive, b->grid);
    ALG_VALUE(archive, b->box);
    ALG_VALUE(archive, b->volume);
    ALG_ARRAY(archive, b->voxels, alg_voxel_grid_count(&b->grid));
}

static alg_status save(const void *prepared, const alg_writer *to, alg_message *message)
{
    return alg_save(serialize_body, prepared, to, message);
}

static alg_status load(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                       const void *bytes, size_t size, void **prepared, alg_build_info *info,
                       alg_message *message)
{
    (void)settings, (void)mesh, (void)info;
    const alg_status status =
        alg_load(serialize_body, sizeof(body), bytes, size, prepared, message);
    base_error err;
    return status != ALG_OK || role == ALG_FIXED || build_cubes(*prepared, &err) == BASE_OK
               ? status
               : alg_abandon(prepared, alg_fail_geo(message, &err));
}

static alg_status bind(const alg_settings *settings, const void *fixed, const void *moving,
                       const alg_request *request, void **held, alg_message *message)
{
    (void)settings, (void)request;
    const alg_status status = alg_create(sizeof(state), held, message);
    if (status == ALG_OK) {
        state *const s = *held;
        s->a = fixed;
        s->b = moving;
    }
    return status;
}

/* --- The query -------------------------------------------------------------------------------- */

typedef struct traversal {
    const body *a, *b;
    mat3 axes;  /* rows: the axes of B's frame in A's frame */
    double pad; /* bound of the rounding error of a distance */

    /* Numbers of voxels of B in cubes inside of A and outside of A. "least" counts inner voxels;
     * "most" also counts surface voxels and undecided voxels. */
    uint64_t in_least, in_most, out_least, out_most;
    uint64_t share; /* sum of products of shares; a whole voxel has SHARES^2 */
    uint64_t tests;
} traversal;

/** A cube of B's voxels. It is tested as the ball around it. */
typedef struct cube {
    vec3 middle; /* in A's frame */
    uint32_t number, level;
} cube;

typedef enum side { OUTSIDE, INSIDE, UNDECIDED } side;

/**
 * Returns the side of A's surface on which the ball around p is. *share becomes the inner share of
 * the voxel of p, from 0 to SHARES.
 */
static side look_up(const body *a, vec3 p, double radius, uint32_t *share)
{
    const alg_voxel_grid *const grid = &a->grid;
    const double x = alg_voxel_coordinate(grid, 0, p.x), y = alg_voxel_coordinate(grid, 1, p.y),
                 z = alg_voxel_coordinate(grid, 2, p.z);
    *share = 0;
    if (!(x >= 0 && y >= 0 && z >= 0 && x < grid->size[0] && y < grid->size[1] &&
          z < grid->size[2])) {
        const vec3 nearest = vec3_min(vec3_max(p, a->box.lo), a->box.hi);
        return vec3_distance2(p, nearest) > radius * radius ? OUTSIDE : UNDECIDED;
    }
    const int voxel =
        a->voxels[((size_t)z * grid->size[1] + (size_t)y) * grid->size[0] + (size_t)x];
    if (voxel < 0) {
        return (-voxel - 1) * grid->edge > radius ? OUTSIDE : UNDECIDED;
    }
    if (voxel <= SHARES) {
        *share = (uint32_t)voxel;
        return UNDECIDED;
    }
    *share = SHARES;
    return (voxel - SHARES - 1) * grid->edge > radius ? INSIDE : UNDECIDED;
}

static void visit(traversal *w, const cube *c);

static void visit_parts(traversal *w, const cube *c)
{
    const double quarter = 0.25 * w->b->grid.edge * (double)(1u << c->level);
    const vec3 x = vec3_scale(quarter, w->axes.row[0]), y = vec3_scale(quarter, w->axes.row[1]);
    const vec3 z = vec3_scale(quarter, w->axes.row[2]);
    for (int i = 0; i < 8; i++) {
        cube part = {.number =
                         c->number == WHOLE ? (uint32_t)WHOLE : w->b->nodes[c->number].child[i],
                     .level = c->level - 1};
        if (part.number == ALG_VOXEL_EMPTY) {
            continue;
        }
        part.middle = vec3_madd(c->middle, i & 1 ? 1 : -1, x);
        part.middle = vec3_madd(part.middle, i & 2 ? 1 : -1, y);
        part.middle = vec3_madd(part.middle, i & 4 ? 1 : -1, z);
        visit(w, &part);
    }
}

static void visit(traversal *w, const cube *c)
{
    const double edge = w->b->grid.edge * (double)(1u << c->level);
    const content n = content_of(w->b, c->number, c->level);
    uint32_t share;
    /* Half the diagonal of a unit cube is sqrt(3) / 2, rounded up. */
    const side found = look_up(w->a, c->middle, 0.8660254037844388 * edge + w->pad, &share);
    w->tests++;
    if (found == INSIDE) {
        w->in_least += n.inner;
        w->in_most += n.inner + n.surface;
        w->share += n.share * SHARES;
    } else if (found == OUTSIDE) {
        w->out_least += n.inner;
        w->out_most += n.inner + n.surface;
    } else if (c->level > 0) {
        visit_parts(w, c);
    } else {
        w->in_most += 1;
        w->out_most += 1;
        w->share += n.share * share;
    }
}

static void answer_volume(const traversal *w, alg_answer *answer)
{
    const body *const a = w->a, *const b = w->b;
    const double voxel = b->grid.edge * b->grid.edge * b->grid.edge;
    const vec3 size = vec3_sub(b->box.hi, b->box.lo);
    /* The slack exceeds the rounding of a volume that is computed from faces, and that of a volume
     * of voxels. */
    const double slack = 1e-12 * size.x * size.y * size.z + 1e-12 * b->volume;
    const double least = fmax(voxel * (double)w->in_least, b->volume - voxel * (double)w->out_most);
    const double most = fmin(voxel * (double)w->in_most, b->volume - voxel * (double)w->out_least);
    answer->volume_lo_m3 = fmax(least - slack, 0);
    answer->volume_hi_m3 =
        fmax(fmin(most + slack, fmin(a->volume, b->volume)), answer->volume_lo_m3);
    const double guess = voxel * (double)w->share / (SHARES * SHARES);
    answer->volume_m3 = fmin(fmax(guess, answer->volume_lo_m3), answer->volume_hi_m3);
    answer->colliding = answer->volume_lo_m3 > 0;
    answer->answered = ALG_HAS_VOLUME | ALG_HAS_VOLUME_BRACKET;
    answer->outcome = ALG_CONVERGED;
    answer->counters[COUNT_TESTS] = w->tests;
}

static void query(void *held, const geo_pose *pose, alg_answer *answer)
{
    const state *const s = held;
    const alg_voxel_grid *const grid = &s->b->grid;
    traversal w = {.a = s->a, .b = s->b, .axes = mat3_transpose(pose->rotation)};
    const double edge = grid->edge * (double)(1u << s->b->levels);
    const vec3 low = alg_voxel_box(grid, 0, 0, 0).lo;
    const vec3 half = {0.5 * edge, 0.5 * edge, 0.5 * edge};
    w.pad = 64 * DBL_EPSILON *
            (geo_box_reach(s->a->box) + geo_box_reach(s->b->box) + edge +
             s->a->grid.edge * s->a->grid.size[0] + vec3_norm(pose->translation));
    visit(&w, &(cube){geo_pose_apply(pose, vec3_add(low, half)), 0, s->b->levels});
    answer_volume(&w, answer);
}

const alg_algorithm alg_vps_volume = {
    .abi_version = ALG_ABI_VERSION,
    .name = "vps-volume",
    .summary = "penetration volume by counting voxels, with a bracket",
    .source = "VPS 3",
    .flags = ALG_NEEDS_SOLIDS,
    .parameters = parameters,
    .parameter_count = PARAMETER_COUNT,
    .counters = counter_names,
    .contract = contract,
    .prepare = prepare,
    .dispose = alg_destroy,
    .bind = bind,
    .release = alg_destroy,
    .query = query,
    .facts = fact_names,
    .save = save,
    .load = load,
};
