#include "algorithms/imp/saved.h"

#include "algorithms/imp/descriptors.h"
#include "algorithms/imp/patches.h"
#include "algorithms/life.h"

#include <float.h>
#include <string.h>

/* A new member must be saved as well, and raises ALG_IMP_STATE_VERSION. */
_Static_assert(sizeof(alg_imp_voxel) == 6 * sizeof(float), "voxels have no gaps");
_Static_assert(sizeof(alg_imp_body) == sizeof(base_arena) + sizeof(alg_voxel_grid) +
                                           sizeof(alg_imp_tree) + 5 * sizeof(void *) +
                                           5 * sizeof(double) + 2 * sizeof(uint32_t),
               "all of a body is saved, or follows from what is");

enum { KINDS = 4 };

/** Precedes descriptors, bits of the stored surface voxels where not all are stored, and the voxels. */
typedef struct header {
    alg_voxel_grid grid;
    uint32_t role, some; /* are only some surface voxels stored? */
    uint64_t counts[KINDS];
    uint64_t stored;
} header;

/** How many voxels of each kind there are, and bits of the surface voxels, which the caller releases. */
static base_status count_kinds(const alg_imp_body *b, uint64_t counts[KINDS],
                               alg_voxel_bits *surface, base_error *err)
{
    base_status status = BASE_OK;
    for (int kind = 0; kind < KINDS && status == BASE_OK; kind++) {
        alg_voxel_bits bits;
        status = alg_imp_body_select(b, (alg_imp_descriptor)kind, &bits, err);
        if (status == BASE_OK) {
            counts[kind] = alg_voxel_bits_count(&bits);
        }
        if (status == BASE_OK && kind == ALG_IMP_VOXEL_SURFACE) {
            *surface = bits;
        } else {
            alg_voxel_bits_release(&bits);
        }
    }
    return status;
}

/* --- Saving ----------------------------------------------------------------------------------- */

static void keep_voxel(void *context, uint32_t number, alg_imp_cell at)
{
    (void)number;
    const alg_voxel_bits *const bits = context;
    alg_voxel_bits_row(bits, at.y, at.z)[at.x / 64] |= (uint64_t)1 << at.x % 64;
}

/** Puts the stored voxels in place of all surface voxels. */
static void select_stored(const alg_imp_body *b, alg_voxel_bits *surface)
{
    memset(surface->words, 0, alg_voxel_bits_words(surface) * sizeof *surface->words);
    alg_imp_tree_visit(&b->tree, keep_voxel, surface);
}

static bool save(const alg_imp_body *b, const header *h, const alg_voxel_bits *stored,
                 const alg_writer *to)
{
    return alg_give(to, h, 1, sizeof *h) &&
           alg_give(to, b->descriptors, alg_imp_descriptors_bytes(b->grid.size), 1) &&
           (!h->some ||
            alg_give(to, stored->words, alg_voxel_bits_words(stored), sizeof *stored->words)) &&
           alg_give(to, b->voxels, b->tree.voxel_count, sizeof *b->voxels);
}

alg_status alg_imp_body_save(const void *body, const alg_writer *to, alg_message *message)
{
    const alg_imp_body *const b = body;
    header h;
    memset(&h, 0, sizeof h); /* its gaps as well: what is saved is compared by its bytes */
    h.grid = b->grid;
    h.role = b->role;
    h.stored = b->tree.voxel_count;
    alg_voxel_bits bits = {0};
    base_error err = {0};
    alg_status status = ALG_OK;
    if (count_kinds(b, h.counts, &bits, &err) != BASE_OK) {
        status = alg_fail_geo(message, &err);
    } else {
        h.some = h.stored < h.counts[ALG_IMP_VOXEL_SURFACE];
        select_stored(b, &bits);
        status = save(b, &h, &bits, to) ? ALG_OK
                                        : alg_fail(message, ALG_FAILED, "its bytes are not wanted");
    }
    alg_voxel_bits_release(&bits);
    return status;
}

/* --- Loading ---------------------------------------------------------------------------------- */

/** Is the grid that of the body, and does the role fit? */
static bool is_header_good(const header *h, const alg_imp_options *options, const geo_mesh *mesh,
                           base_error *err)
{
    alg_voxel_grid grid;
    bool good = alg_imp_body_place(options, mesh, &grid, err) == BASE_OK &&
                vec3_equal(h->grid.corner, grid.corner) && h->grid.edge == grid.edge &&
                h->grid.padding == grid.padding && h->role == (uint32_t)options->role;
    for (int axis = 0; axis < 3; axis++) {
        good = good && h->grid.size[axis] == grid.size[axis];
    }
    const bool may_have_some = options->role == ALG_MOVING && options->probe == ALG_IMP_POINTS;
    return good && h->some == (h->stored < h->counts[ALG_IMP_VOXEL_SURFACE]) &&
           h->stored <= h->counts[ALG_IMP_VOXEL_SURFACE] && (!h->some || may_have_some);
}

/** Are the outermost voxels outside, whose neighbours are not all there? */
static bool is_border_outside(const alg_imp_body *b)
{
    const uint32_t *const n = b->grid.size;
    bool good = true;
    for (uint32_t z = 0; z < n[2]; z++) {
        for (uint32_t y = 0; y < n[1]; y++) {
            const bool edge = y == 0 || z == 0 || y + 1 == n[1] || z + 1 == n[2];
            for (uint32_t x = 0; x < n[0]; x += edge ? 1 : n[0] - 1) {
                const alg_imp_descriptor kind = alg_imp_descriptor_at(b, x, y, z);
                good &= kind == ALG_IMP_VOXEL_EMPTY || kind == ALG_IMP_VOXEL_PROXIMITY;
            }
        }
    }
    return good;
}

static base_status load_descriptors(alg_reader *from, const header *h, alg_imp_body *b,
                                    alg_voxel_bits *surface, base_error *err)
{
    const size_t bytes = alg_imp_descriptors_bytes(h->grid.size);
    if (bytes > from->left) {
        return base_fail(err, BASE_ERR_INPUT, "the bytes end within the descriptors");
    }
    b->grid = h->grid;
    b->descriptors = base_arena_alloc(&b->arena, bytes, 1);
    if (!b->descriptors) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for descriptors of voxels");
    }
    if (!alg_take(from, b->descriptors, bytes, 1)) {
        return base_fail(err, BASE_ERR_INPUT, "the bytes end within the descriptors");
    }
    uint64_t counts[KINDS];
    const base_status status = count_kinds(b, counts, surface, err);
    if (status != BASE_OK) {
        return status;
    }
    return memcmp(counts, h->counts, sizeof counts) == 0 && is_border_outside(b)
               ? BASE_OK
               : base_fail(err, BASE_ERR_INPUT, "its voxels are not as many as is said");
}

/** Leaves of the surface voxels those that are stored. */
static base_status load_stored(alg_reader *from, const header *h, alg_voxel_bits *surface,
                               base_error *err)
{
    bool good = true;
    for (size_t w = 0; w < alg_voxel_bits_words(surface) && h->some; w++) {
        uint64_t stored = 0;
        good = good && alg_take(from, &stored, 1, sizeof stored);
        good = good && (stored & ~surface->words[w]) == 0;
        surface->words[w] = stored;
    }
    return good && alg_voxel_bits_count(surface) == h->stored
               ? BASE_OK
               : base_fail(err, BASE_ERR_INPUT, "its voxels are not surface voxels");
}

typedef struct voxels_check {
    const alg_imp_body *body;
    double most; /* of a point from its voxel's centre */
    bool good;
} voxels_check;

/** Is the point one of the voxel's, as near as points.h says, and the normal a unit vector? */
static void check_voxel(void *context, uint32_t number, alg_imp_cell at)
{
    voxels_check *const c = context;
    const alg_imp_voxel *const v = &c->body->voxels[number];
    const vec3 point = alg_imp_point(c->body, number);
    const vec3 normal = {(double)v->normal[0], (double)v->normal[1], (double)v->normal[2]};
    const vec3 centre = alg_voxel_middle(&c->body->grid, at.x, at.y, at.z);
    c->good =
        c->good && vec3_distance(point, centre) <= c->most && fabs(vec3_norm2(normal) - 1) < 1e-5;
}

static base_status load_voxels(alg_reader *from, const alg_mesh *mesh, alg_imp_body *b,
                               base_error *err)
{
    const uint32_t count = b->tree.voxel_count;
    if (count > from->left / sizeof *b->voxels) {
        return base_fail(err, BASE_ERR_INPUT, "the bytes end within the voxels");
    }
    b->voxels = base_arena_alloc(&b->arena, count, sizeof *b->voxels);
    if (!b->voxels) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %u voxels", count);
    }
    const double slack = 1e-6 * b->grid.edge + (double)FLT_EPSILON * geo_box_diagonal(mesh->box) +
                         8 * DBL_EPSILON * geo_box_reach(mesh->box);
    voxels_check check = {b, ALG_IMP_POINT_REACH * b->grid.edge + slack, true};
    check.good = alg_take(from, b->voxels, count, sizeof *b->voxels);
    alg_imp_tree_visit(&b->tree, check_voxel, &check);
    return check.good ? BASE_OK
                      : base_fail(err, BASE_ERR_INPUT, "its points are not in its voxels");
}

static base_status load(const alg_imp_options *options, const alg_mesh *mesh, alg_reader *from,
                        alg_imp_body *b, base_error *err)
{
    const geo_mesh view = alg_mesh_view(mesh);
    header h;
    if (!alg_take(from, &h, 1, sizeof h) || !is_header_good(&h, options, &view, err)) {
        return base_fail(err, BASE_ERR_INPUT, "its grid is not that of the body");
    }
    alg_voxel_bits surface = {0};
    base_status status = load_descriptors(from, &h, b, &surface, err);
    if (status == BASE_OK) {
        status = load_stored(from, &h, &surface, err);
    }
    if (status == BASE_OK) {
        status = alg_imp_body_grow(b, options, mesh, &surface, err);
    }
    if (status == BASE_OK) {
        status = load_voxels(from, mesh, b, err);
    }
    if (status == BASE_OK) {
        status = alg_imp_patches_build(&view, b, err);
    }
    alg_voxel_bits_release(&surface);
    return status == BASE_OK && from->left > 0
               ? base_fail(err, BASE_ERR_INPUT, "there are bytes behind it")
               : status;
}

alg_status alg_imp_body_load(const alg_imp_options *options, const alg_mesh *mesh,
                             const void *bytes, size_t size, void **body, alg_message *message)
{
    const alg_status status = alg_create(sizeof(alg_imp_body), body, message);
    if (status != ALG_OK) {
        return status;
    }
    alg_imp_body *const b = *body;
    alg_reader from = {bytes, size};
    base_error err = {0};
    b->role = options->role;
    b->solid = mesh->solid;
    b->centroid = mesh->centroid;
    b->volume_m3 = alg_imp_volume_of(mesh);
    return load(options, mesh, &from, b, &err) == BASE_OK
               ? ALG_OK
               : alg_abandon(body, alg_fail_geo(message, &err));
}
