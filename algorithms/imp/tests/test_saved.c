/** Bodies that were saved and loaded: the same to the last bit; and bytes nobody saved. */
#include "algorithms/imp/saved.h"

#include "algorithms/imp/descriptors.h"
#include "algorithms/life.h"
#include "algorithms/tests/saved.h"
#include "base/random.h"
#include "base/tests/sweep.h"

#include <criterion/criterion.h>
#include <string.h>

/* --- An algorithm of bodies alone ------------------------------------------------------------- */

enum { VOXELS, FILL, PROBE, CHILDREN, SPHERES };

static alg_imp_options options_of(const alg_settings *settings, alg_role role)
{
    const double *const v = settings->values;
    return (alg_imp_options){
        .role = role,
        .voxels = (uint32_t)v[VOXELS],
        .fill = (alg_imp_fill)v[FILL],
        .probe = (alg_imp_probe)v[PROBE],
        .tree = {(alg_imp_children)v[CHILDREN], (alg_imp_spheres)v[SPHERES], 1}
    };
}

static alg_status prepare(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                          void **prepared, alg_build_info *info, alg_message *message)
{
    const alg_imp_options o = options_of(settings, role);
    return alg_imp_body_prepare(&o, mesh, prepared, info, message);
}

static alg_status load_body(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                            const void *items, size_t size, void **prepared, alg_build_info *info,
                            alg_message *message)
{
    (void)info;
    const alg_imp_options o = options_of(settings, role);
    return alg_imp_body_load(&o, mesh, items, size, prepared, message);
}

static const alg_algorithm bodies = {
    .name = "imp-bodies", .prepare = prepare, .save = alg_imp_body_save, .load = load_body};

static const double settings[][5] = {
    {9,  ALG_IMP_SURFACE, ALG_IMP_POINTS,     ALG_IMP_8,   ALG_IMP_PATTERNS},
    {9,  ALG_IMP_SOLID,   ALG_IMP_ALL_VOXELS, ALG_IMP_8,   ALG_IMP_STORED  },
    {12, ALG_IMP_SOLID,   ALG_IMP_POINTS,     ALG_IMP_64,  ALG_IMP_STORED  },
    {7,  ALG_IMP_SURFACE, ALG_IMP_ALL_VOXELS, ALG_IMP_512, ALG_IMP_PATTERNS},
    {10, ALG_IMP_SOLID,   ALG_IMP_POINTS,     ALG_IMP_64,  ALG_IMP_CUBES   },
};
enum { SETTINGS = sizeof settings / sizeof *settings };

typedef struct bodies_test {
    geo_mesh a, b;
    pair pair;
} bodies_test;

static void open_bodies(bodies_test *t, const double *values)
{
    *t = (bodies_test){.a = shape_ball((vec3){0, 0, 0}, 1, 3), .b = shape_torus(8, 0.7, 0.3)};
    pair *const p = &t->pair;
    p->a = shape_body(&t->a, true);
    p->b = shape_body(&t->b, true);
    p->variant.algorithm = &bodies;
    memcpy(p->variant.settings.values, values, sizeof *settings);
    alg_message message = {""};
    cr_assert_eq(prepare(&p->variant.settings, &p->a, ALG_FIXED, &p->fixed, &p->info_a, &message),
                 ALG_OK, "%s", message.text);
    cr_assert_eq(prepare(&p->variant.settings, &p->b, ALG_MOVING, &p->moving, &p->info_b, &message),
                 ALG_OK, "%s", message.text);
}

static void close_bodies(bodies_test *t)
{
    alg_destroy(t->pair.fixed);
    alg_destroy(t->pair.moving);
    geo_mesh_release(&t->a);
    geo_mesh_release(&t->b);
}

/* --- What was saved --------------------------------------------------------------------------- */

static void same_body(const alg_imp_body *a, const alg_imp_body *b)
{
    const alg_imp_tree *const x = &a->tree, *const y = &b->tree;
    cr_assert(a->role == b->role && a->solid == b->solid && a->fill_share == b->fill_share);
    cr_assert(vec3_equal(a->centroid, b->centroid) && vec3_equal(a->grid.corner, b->grid.corner));
    cr_assert(a->grid.edge == b->grid.edge && a->grid.padding == b->grid.padding);
    cr_assert(memcmp(a->grid.size, b->grid.size, sizeof a->grid.size) == 0);
    cr_assert(memcmp(a->descriptors, b->descriptors, alg_imp_descriptors_bytes(a->grid.size)) == 0);
    cr_assert(x->voxel_count == y->voxel_count && x->full_count == y->full_count &&
              x->root_level == y->root_level);
    cr_assert(memcmp(a->voxels, b->voxels, x->voxel_count * sizeof *a->voxels) == 0);
    cr_assert(x->children == y->children && x->sphere_kind == y->sphere_kind);
    for (uint32_t l = 1; l <= x->root_level; l++) {
        const size_t count = x->levels[l].count, octets = alg_imp_octets(x->children);
        cr_assert_eq(count, y->levels[l].count);
        cr_assert(memcmp(x->levels[l].present, y->levels[l].present, count * octets) == 0);
        cr_assert(!x->levels[l].full ||
                  memcmp(x->levels[l].full, y->levels[l].full, count * octets) == 0);
        for (uint32_t i = 0; i < count; i++) {
            const alg_imp_sphere s = alg_imp_sphere_of(x, l, i), t = alg_imp_sphere_of(y, l, i);
            cr_assert_eq(memcmp(&s, &t, sizeof s), 0, "level %u, node %u", l, i);
        }
    }
}

Test(imp_saved, bodies_are_the_same_after_it)
{
    for (int i = 0; i < SETTINGS; i++) {
        bodies_test t;
        open_bodies(&t, settings[i]);
        for (int role = ALG_FIXED; role <= ALG_MOVING; role++) {
            const void *const body = role == ALG_FIXED ? t.pair.fixed : t.pair.moving;
            void *again;
            bytes b = save(&t.pair, body);
            cr_assert_eq(load(&t.pair, (alg_role)role, &b, &again), ALG_OK);
            same_body(body, again);
            bytes c = save(&t.pair, again);
            cr_assert(b.count == c.count && memcmp(b.items, c.items, b.count) == 0);
            base_free(b.items);
            base_free(c.items);
            alg_destroy(again);
        }
        close_bodies(&t);
    }
}

/* --- What was not ----------------------------------------------------------------------------- */

/** Any read that a query may make: of all nodes and voxels, and the descriptors of all cells. */
static void read_all(void *context, uint32_t number, alg_imp_cell at)
{
    const alg_imp_body *const b = context;
    uint32_t found;
    cr_assert(at.x < b->grid.size[0] && at.y < b->grid.size[1] && at.z < b->grid.size[2]);
    cr_assert(alg_imp_tree_find(&b->tree, at, &found) && found == number);
    cr_assert_eq(alg_imp_descriptor_at(b, at.x, at.y, at.z), ALG_IMP_VOXEL_SURFACE);
    for (int axis = 0; axis < 3; axis++) {
        cr_assert(isfinite(b->voxels[number].point[axis]));
        cr_assert(isfinite(b->voxels[number].normal[axis]));
    }
}

Test(imp_saved, damage_is_refused_or_harmless)
{
    const size_t step = sweep_step(19);
    for (int i = 0; i < SETTINGS; i++) {
        bodies_test t;
        open_bodies(&t, settings[i]);
        for (int role = ALG_FIXED; role <= ALG_MOVING; role++) {
            size_t refused = 0, taken = 0;
            bytes b = save(&t.pair, role == ALG_FIXED ? t.pair.fixed : t.pair.moving);
            base_random random = base_random_seed((uint64_t)role);
            /* All bits of the header (one of each byte behind the first settings), and many others.
             * A brief sweep begins elsewhere in each of the settings. */
            const size_t bits = i == 0 ? 8 : 1, header = 96 * bits;
            for (size_t k = (size_t)i % step; k < header + 240; k += step) {
                const bool in_header = k < header;
                const size_t at =
                    in_header ? k / bits : (size_t)base_random_below(&random, b.count);
                const int bit =
                    1 << (in_header && bits == 8 ? k % 8 : base_random_below(&random, 8));
                void *body = NULL;
                b.items[at] = (char)(b.items[at] ^ bit);
                if (load(&t.pair, (alg_role)role, &b, &body) == ALG_OK) {
                    taken++;
                    cr_assert(!in_header, "byte %zu, bit %d of the header", at, bit);
                    alg_imp_tree_visit(&((alg_imp_body *)body)->tree, read_all, body);
                    alg_destroy(body);
                } else {
                    refused++;
                }
                b.items[at] = (char)(b.items[at] ^ bit);
            }
            cr_assert(refused > (header + 16) / step && taken > 15 / step,
                      "settings %d, role %d: %zu refused, %zu taken", i, role, refused, taken);
            base_free(b.items);
        }
        close_bodies(&t);
    }
}

Test(imp_saved, another_length_or_role_is_refused)
{
    for (int i = 0; i < 2; i++) {
        bodies_test t;
        open_bodies(&t, settings[i]);
        refuse_lengths_and_roles(&t.pair);
        close_bodies(&t);
    }
}

Test(imp_saved, another_body_is_refused)
{
    bodies_test t, u;
    open_bodies(&t, settings[0]);
    open_bodies(&u, settings[4]);
    void *body;
    bytes b = save(&t.pair, t.pair.fixed), c = save(&t.pair, t.pair.moving);
    cr_assert_eq(load(&u.pair, ALG_FIXED, &b, &body), ALG_FAILED, "another resolution");
    /* A probe of all voxels has no use for the bytes of one of points. */
    t.pair.variant.settings.values[PROBE] = ALG_IMP_ALL_VOXELS;
    cr_assert_eq(load(&t.pair, ALG_MOVING, &c, &body), ALG_FAILED, "another probe");
    t.pair.a = t.pair.b;
    cr_assert_eq(load(&t.pair, ALG_FIXED, &b, &body), ALG_FAILED, "another mesh");
    base_free(b.items);
    base_free(c.items);
    close_bodies(&t);
    close_bodies(&u);
}

/** Where the parts of a body's bytes begin. */
enum { HEADER = 48 + 8 + 4 * 8 + 8 };

/** Two voxels whose kinds are exchanged leave all counts as they are. */
static void exchange(bytes *b, const alg_imp_body *body, alg_imp_cell s, alg_imp_cell t)
{
    const uint32_t *const n = body->grid.size;
    const size_t row = (n[0] + 3) / 4;
    char *const x = b->items + HEADER + ((size_t)s.z * n[1] + s.y) * row + s.x / 4;
    char *const y = b->items + HEADER + ((size_t)t.z * n[1] + t.y) * row + t.x / 4;
    const int other = (int)alg_imp_descriptor_at(body, s.x, s.y, s.z) ^
                      (int)alg_imp_descriptor_at(body, t.x, t.y, t.z);
    *x = (char)(*x ^ other << 2 * (s.x % 4));
    *y = (char)(*y ^ other << 2 * (t.x % 4));
}

Test(imp_saved, voxels_that_no_build_makes_are_refused)
{
    bodies_test t;
    open_bodies(&t, settings[1]);
    const alg_imp_body *const body = t.pair.fixed;
    const uint32_t middle = body->grid.size[0] / 2;
    const alg_imp_cell inner = {middle, middle, middle};
    cr_assert_eq(alg_imp_descriptor_at(body, middle, middle, middle), ALG_IMP_VOXEL_FULL);
    const uint32_t last = body->grid.size[0] - 1;
    const alg_imp_cell border[] = {
        {0,    3,    4   },
        {last, 3,    4   },
        {3,    0,    4   },
        {3,    last, 4   },
        {3,    4,    0   },
        {3,    4,    last}
    };
    void *loaded;
    bytes b = save(&t.pair, body);
    for (int i = 0; i < 6; i++) {
        exchange(&b, body, inner, border[i]);
        cr_assert_eq(load(&t.pair, ALG_FIXED, &b, &loaded), ALG_FAILED, "full at the border, %d",
                     i);
        exchange(&b, body, inner, border[i]);
    }
    alg_imp_voxel voxel;
    char *const at = b.items + b.count - sizeof voxel;
    memcpy(&voxel, at, sizeof voxel);
    for (int axis = 0; axis < 3; axis++) {
        alg_imp_voxel moved = voxel, turned = voxel;
        moved.point[axis] += 2 * (float)body->grid.edge;
        turned.normal[axis] += 1;
        memcpy(at, &moved, sizeof moved);
        cr_assert_eq(load(&t.pair, ALG_FIXED, &b, &loaded), ALG_FAILED, "a point far away");
        memcpy(at, &turned, sizeof turned);
        cr_assert_eq(load(&t.pair, ALG_FIXED, &b, &loaded), ALG_FAILED, "a longer normal");
        moved.point[axis] = NAN;
        memcpy(at, &moved, sizeof moved);
        cr_assert_eq(load(&t.pair, ALG_FIXED, &b, &loaded), ALG_FAILED, "no number");
    }
    memcpy(at, &voxel, sizeof voxel);
    cr_assert_eq(load(&t.pair, ALG_FIXED, &b, &loaded), ALG_OK);
    alg_destroy(loaded);
    base_free(b.items);
    close_bodies(&t);
}

Test(imp_saved, stored_voxels_beside_the_surface_are_refused)
{
    bodies_test t;
    open_bodies(&t, settings[0]);
    const alg_imp_body *const body = t.pair.moving;
    const uint32_t *const n = body->grid.size;
    bytes b = save(&t.pair, body);
    char *const words = b.items + HEADER + alg_imp_descriptors_bytes(n);
    size_t moved = 0;
    /* Each stored voxel is moved by one along x, where that is beside the surface: its point may be near enough. */
    for (uint32_t row = 0; row < n[1] * n[2]; row++) {
        uint64_t word;
        memcpy(&word, words + 8 * (size_t)row, 8);
        for (uint32_t x = 1; x + 1 < n[0]; x++) {
            const uint64_t to = word ^ (uint64_t)3 << x;
            void *loaded;
            if (!(word >> x & 1) || word >> (x + 1) & 1 ||
                alg_imp_descriptor_at(body, x + 1, row % n[1], row / n[1]) ==
                    ALG_IMP_VOXEL_SURFACE) {
                continue;
            }
            memcpy(words + 8 * (size_t)row, &to, 8);
            cr_assert_eq(load(&t.pair, ALG_MOVING, &b, &loaded), ALG_FAILED, "row %u, %u", row, x);
            memcpy(words + 8 * (size_t)row, &word, 8);
            moved++;
        }
    }
    cr_assert_geq(moved, 30);
    base_free(b.items);
    close_bodies(&t);
}

Test(imp_saved, memory_that_runs_out_is_told)
{
    bodies_test t;
    open_bodies(&t, settings[2]);
    bytes b = save(&t.pair, t.pair.moving);
    const alg_imp_options o = options_of(&t.pair.variant.settings, ALG_MOVING);
    alg_status status[2] = {ALG_OUT_OF_MEMORY, ALG_OUT_OF_MEMORY};
    size_t after = 0;
    for (; status[0] != ALG_OK || status[1] != ALG_OK; after++) {
        void *body = NULL;
        alg_message message;
        alg_build_info info;
        base_memory_fail_after(after);
        status[0] = alg_imp_body_load(&o, &t.pair.b, b.items, b.count, &body, &message);
        base_memory_fail_after(SIZE_MAX);
        cr_assert_eq(status[0] == ALG_OK, body != NULL);
        alg_destroy(body);
        base_memory_fail_after(after);
        status[1] = alg_imp_body_prepare(&o, &t.pair.b, &body, &info, &message);
        base_memory_fail_after(SIZE_MAX);
        cr_assert_eq(status[1] == ALG_OK, body != NULL);
        alg_destroy(body);
        for (int i = 0; i < 2; i++) {
            cr_assert(status[i] == ALG_OK || status[i] == ALG_OUT_OF_MEMORY, "%zu: %d", after, i);
        }
    }
    cr_assert_gt(after, 20);
    base_free(b.items);
    close_bodies(&t);
}

Test(imp_saved, a_writer_that_wants_no_more_ends_it)
{
    bodies_test t;
    open_bodies(&t, settings[0]);
    enum { PARTS = 4 };
    for (size_t parts = 0; parts <= PARTS; parts++) {
        size_t calls = parts;
        const alg_writer to = {.size = sizeof to, .context = &calls, .write = refuse};
        alg_message message = {""};
        cr_assert_eq(alg_imp_body_save(t.pair.moving, &to, &message),
                     parts < PARTS ? ALG_FAILED : ALG_OK, "%zu parts", parts);
    }
    close_bodies(&t);
}
