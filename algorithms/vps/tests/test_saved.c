/** Voxmaps, distances and points that were saved and loaded: the same to the last bit; and bytes
 * nobody saved. */
#include "algorithms/vps/saved.h"

#include "algorithms/tests/saved.h"
#include "base/random.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { ALL = ALG_WANT_CONTACT | ALG_WANT_DEPTH | ALG_WANT_FORCE };

static const char *const variants[] = {
    "vps:shell-voxels=8,voxels=12",
    "vps:depth=field,shell-voxels=8,storage=dense,voxels=10",
    "vps:contact=possible,depth=field,layers=2,shell-voxels=6,voxels=12,voxmap=moving",
    "vps:contact=sure,depth=layers,shell=blue-noise,shell-voxels=8,voxels=9,weights=area",
};
enum { VARIANTS = sizeof variants / sizeof *variants };

typedef struct shapes {
    geo_mesh a, b;
} shapes;

static shapes make_shapes(void)
{
    return (shapes){shape_ball((vec3){0, 0, 0}, 1, 3), shape_torus(8, 0.7, 0.3)};
}

static void release_shapes(shapes *s)
{
    geo_mesh_release(&s->a);
    geo_mesh_release(&s->b);
}

/** The pair with other bodies. */
static pair rebind(const pair *p, void *fixed, void *moving)
{
    pair again = *p;
    alg_message message;
    again.fixed = fixed;
    again.moving = moving;
    cr_assert_eq(p->variant.algorithm->bind(&p->variant.settings, fixed, moving, PAIR_REQUEST(ALL),
                                            &again.state, &message),
                 ALG_OK, "%s", message.text);
    return again;
}

typedef struct picture {
    size_t voxels;
    uint64_t sum;
} picture;

static void add_run(void *context, uint32_t x0, uint32_t x1, uint32_t y, uint32_t z)
{
    picture *const p = context;
    p->voxels += x1 - x0;
    p->sum = p->sum * 31 + x0 + 7 * (uint64_t)y + 77 * (uint64_t)z;
}

static picture draw(const void *body)
{
    picture p = {0};
    const alg_sink sink = {.size = sizeof sink, .context = &p, .surface_voxels = add_run};
    alg_vps_body_draw(body, &sink);
    return p;
}

Test(saved, answers_bytes_and_pictures_are_the_same)
{
    shapes s = make_shapes();
    for (int i = 0; i < VARIANTS; i++) {
        pair built = pair_open(variants[i], &s.a, &s.b, ALL);
        void *fixed, *moving;
        bytes a = save(&built, built.fixed), b = save(&built, built.moving);
        cr_assert_eq(load(&built, ALG_FIXED, &a, &fixed), ALG_OK);
        cr_assert_eq(load(&built, ALG_MOVING, &b, &moving), ALG_OK);
        pair loaded = rebind(&built, fixed, moving);
        bytes again[2] = {save(&built, fixed), save(&built, moving)};
        cr_assert(again[0].count == a.count && memcmp(again[0].items, a.items, a.count) == 0);
        cr_assert(again[1].count == b.count && memcmp(again[1].items, b.items, b.count) == 0);
        const picture drawn[4] = {draw(built.fixed), draw(fixed), draw(built.moving), draw(moving)};
        cr_assert(drawn[0].voxels > 0 && drawn[0].sum == drawn[1].sum);
        cr_assert(drawn[2].voxels > 0 && drawn[2].sum == drawn[3].sum);
        base_random random = base_random_seed((uint64_t)i);
        size_t pushing = 0;
        for (int k = 0; k < 40; k++) {
            const geo_pose pose = shape_pose(&random, 1.4);
            const alg_answer x = pair_ask(&built, &pose), y = pair_ask(&loaded, &pose);
            cr_assert_eq(memcmp(&x, &y, sizeof x), 0, "%s, pose %d", variants[i], k);
            pushing += x.depth_m > 0;
        }
        cr_assert(pushing > 5, "%s: %zu", variants[i], pushing);
        base_free(a.items);
        base_free(b.items);
        base_free(again[0].items);
        base_free(again[1].items);
        pair_close(&built);
        pair_close(&loaded);
    }
    release_shapes(&s);
}

/** Asks a body that may be another than was saved: whatever it answers, it must come back, in
 * numbers. */
static void ask_whatever_it_is(const pair *p, alg_role role, void *prepared)
{
    pair q = role == ALG_FIXED ? rebind(p, prepared, p->moving) : rebind(p, p->fixed, prepared);
    base_random random = base_random_seed(1);
    for (int k = 0; k < 3; k++) {
        const geo_pose pose = shape_pose(&random, 1);
        const alg_answer a = pair_ask(&q, &pose);
        cr_assert(isfinite(a.depth_m) && vec3_isfinite(a.force) && vec3_isfinite(a.torque));
    }
    draw(prepared);
    p->variant.algorithm->release(q.state);
    p->variant.algorithm->dispose(prepared);
}

Test(saved, damage_is_refused_or_harmless)
{
    shapes s = make_shapes();
    for (int i = 0; i < 2; i++) {
        pair p = pair_open(variants[i], &s.a, &s.b, ALL);
        for (int role = ALG_FIXED; role <= ALG_MOVING; role++) {
            size_t refused = 0, taken = 0;
            bytes b = save(&p, role == ALG_FIXED ? p.fixed : p.moving);
            base_random random = base_random_seed((uint64_t)role);
            for (size_t k = 0; k < 1500; k++) {
                const size_t at = k < 640 ? k / 8 : (size_t)base_random_below(&random, b.count);
                const int bit = 1 << (k < 640 ? k % 8 : base_random_below(&random, 8));
                void *prepared = NULL;
                b.items[at] = (char)(b.items[at] ^ bit);
                if (load(&p, (alg_role)role, &b, &prepared) == ALG_OK) {
                    taken++;
                    ask_whatever_it_is(&p, (alg_role)role, prepared);
                } else {
                    refused++;
                }
                b.items[at] = (char)(b.items[at] ^ bit);
            }
            cr_assert(refused > 100 && taken > 100, "role %d: %zu refused, %zu taken", role,
                      refused, taken);
            base_free(b.items);
        }
        pair_close(&p);
    }
    release_shapes(&s);
}

Test(saved, another_length_or_role_is_refused)
{
    shapes s = make_shapes();
    pair p = pair_open(variants[1], &s.a, &s.b, ALL);
    refuse_lengths_and_roles(&p);
    pair_close(&p);
    release_shapes(&s);
}

/** Of another mesh, or of other settings, whose bodies would lie elsewhere. */
Test(saved, bytes_of_another_body_are_refused)
{
    static const char *const names[] = {
        "vps:shell-voxels=8,voxels=13", "vps:layers=3,shell-voxels=7,voxels=12",
        "vps:shell-voxels=10,storage=dense,voxels=12", "vps:depth=field,shell-voxels=9,voxels=12"};
    shapes s = make_shapes();
    geo_mesh larger = shape_ball((vec3){0, 0, 0}, 1.01, 3);
    pair p = pair_open("vps:shell-voxels=8,voxels=12", &s.a, &s.b, ALL);
    bytes a = save(&p, p.fixed), b = save(&p, p.moving);
    void *prepared;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        pair q = pair_open(names[i], &s.a, &s.b, ALL);
        cr_assert_eq(load(&q, ALG_FIXED, &a, &prepared), ALG_FAILED, "%s", names[i]);
        cr_assert(i == 0 || load(&q, ALG_MOVING, &b, &prepared) == ALG_FAILED, "%s", names[i]);
        pair_close(&q);
    }
    pair q = pair_open("vps:shell-voxels=8,voxels=12", &larger, &larger, ALL);
    cr_assert_eq(load(&q, ALG_FIXED, &a, &prepared), ALG_FAILED);
    cr_assert_eq(load(&q, ALG_MOVING, &b, &prepared), ALG_FAILED);
    pair_close(&q);
    base_free(a.items);
    base_free(b.items);
    pair_close(&p);
    geo_mesh_release(&larger);
    release_shapes(&s);
}

/* --- Bodies that nobody has built ------------------------------------------------------------- */

/** Holds that the body of a role can be loaded from what it saves, or cannot. */
static void expect(const pair *p, alg_role role, bool good, const char *what)
{
    bytes b = save(p, role == ALG_FIXED ? p->fixed : p->moving);
    void *prepared;
    cr_assert_eq(load(p, role, &b, &prepared), good ? ALG_OK : ALG_FAILED, "%s", what);
    p->variant.algorithm->dispose(prepared);
    base_free(b.items);
}

#define EXPECT_REFUSED(role, place, value, what)                                                   \
    do {                                                                                           \
        const __typeof__(place) before = (place);                                                  \
        (place) = (value);                                                                         \
        expect(&p, role, false, what);                                                             \
        (place) = before;                                                                          \
    } while (0)

/** The first block of a kind. */
static uint32_t *find_block(alg_voxel_map *map, bool open)
{
    const size_t count = (size_t)map->block_count[0] * map->block_count[1] * map->block_count[2];
    size_t i = 0;
    while (i < count && ((map->blocks[i] & ALG_VOXEL_MAP_OPEN) != 0) != open) {
        i++;
    }
    cr_assert_lt(i, count);
    return &map->blocks[i];
}

Test(saved, maps_that_no_build_makes_are_refused)
{
    geo_mesh ball = shape_ball((vec3){0, 0, 0}, 1, 3);
    pair p = pair_open("vps:layers=3,shell-voxels=8,voxels=40", &ball, &ball, ALL);
    alg_voxel_map *const map = &((alg_vps_body *)p.fixed)->map;
    const alg_role fixed = ALG_FIXED;
    expect(&p, fixed, true, "as it is");
    uint32_t *const open = find_block(map, true), *const alike = find_block(map, false);
    EXPECT_REFUSED(fixed, *open, ALG_VOXEL_MAP_OPEN | map->open_count, "a block behind the last");
    EXPECT_REFUSED(fixed, *alike, *alike | 0x100, "a layer beyond a byte");
    EXPECT_REFUSED(fixed, *alike, 4, "a layer that is none");
    EXPECT_REFUSED(fixed, *alike, (uint8_t)-4, "a layer outside that is none");
    cr_assert_eq(alike, map->blocks);
    map->inner_count += 512;
    EXPECT_REFUSED(fixed, *alike, 1, "inner voxels at the edge of the grid");
    map->inner_count -= 512;
    map->surface_count += 512;
    EXPECT_REFUSED(fixed, *alike, 0, "surface voxels there");
    map->surface_count -= 512;
    EXPECT_REFUSED(fixed, map->values[300], 4, "a layer that is none");
    EXPECT_REFUSED(fixed, map->values[300], -4, "a layer outside that is none");
    EXPECT_REFUSED(fixed, map->surface_count, map->surface_count + 1, "a surface voxel more");
    EXPECT_REFUSED(fixed, map->inner_count, map->inner_count - 1, "an inner voxel less");
    EXPECT_REFUSED(fixed, map->grid.corner.y, map->grid.corner.y + 1e-9, "another corner");
    EXPECT_REFUSED(fixed, map->grid.edge, NAN, "no edge");
    expect(&p, fixed, true, "as it was");
    /* What says how many bytes follow is changed in the bytes. */
    const struct {
        const char *what;
        size_t at;
        uint32_t value;
    } rows[] = {
        {"another padding",           offsetof(alg_voxel_grid,      padding),                        map->grid.padding + 1},
        {"another size",                           offsetof(alg_voxel_grid,                                          size),                        map->grid.size[0] - 1},
        {"a larger size",      offsetof(alg_voxel_grid,                                  size) + 4,                            0x7fffffff},
        {"a layer more",                  sizeof(alg_voxel_grid),   map->layers + 1      },
        {"another storage",sizeof(alg_voxel_grid) + 4,ALG_VOXEL_DENSE                       },
        {"no storage",              sizeof(alg_voxel_grid) + 4,                             7                                    },
        {"a block more",sizeof(alg_voxel_grid) + 8,map->open_count + 1},
        {"blocks and blocks",              sizeof(alg_voxel_grid) + 8,                                     0xffffffff                                                                                      },
        {"points",sizeof(alg_voxel_grid) + 12,0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bytes b = save(&p, p.fixed);
        void *prepared;
        memcpy(b.items + rows[i].at, &rows[i].value, sizeof rows[i].value);
        cr_assert_eq(load(&p, fixed, &b, &prepared), ALG_FAILED, "%s", rows[i].what);
        base_free(b.items);
    }
    pair_close(&p);
    geo_mesh_release(&ball);
}

Test(saved, fields_that_no_build_makes_are_refused)
{
    geo_mesh ball = shape_ball((vec3){0, 0, 0}, 1, 3);
    pair p = pair_open("vps:depth=field,layers=3,shell-voxels=8,voxels=40", &ball, &ball, ALL);
    alg_voxel_distances *const d = &((alg_vps_body *)p.fixed)->distances;
    const alg_role fixed = ALG_FIXED;
    const size_t blocks = (size_t)d->block_count[0] * d->block_count[1] * d->block_count[2];
    size_t open = 0, closed = 0, measured = 0, unknown = 0;
    while (d->blocks[open] == ALG_VOXEL_UNKNOWN) {
        open++;
    }
    while (d->blocks[closed] != ALG_VOXEL_UNKNOWN) {
        closed++;
    }
    cr_assert(open < blocks && closed < blocks);
    const size_t first = (size_t)d->blocks[open] * 512;
    while (isnan(d->values[first + measured])) {
        measured++;
    }
    while (!isnan(d->values[first + unknown])) {
        unknown++;
    }
    cr_assert(measured < 512 && unknown < 512);
    expect(&p, fixed, true, "as it is");
    EXPECT_REFUSED(fixed, d->blocks[open], d->open_count, "a block behind the last");
    EXPECT_REFUSED(fixed, d->blocks[open], ALG_VOXEL_UNKNOWN, "a block that has to be measured");
    EXPECT_REFUSED(fixed, d->blocks[closed], 0, "a block that has not to be");
    EXPECT_REFUSED(fixed, d->values[first + measured], NAN, "no distance");
    EXPECT_REFUSED(fixed, d->values[first + measured], INFINITY, "no number");
    EXPECT_REFUSED(fixed, d->values[first + measured], -1000, "more than the grid is wide");
    EXPECT_REFUSED(fixed, d->values[first + unknown], 1, "a distance too many");
    EXPECT_REFUSED(fixed, d->outward, 0, "nothing around the surface");
    EXPECT_REFUSED(fixed, d->outward, 2, "more than was measured");
    EXPECT_REFUSED(fixed, d->outward, 3, "the last layer");
    expect(&p, fixed, true, "as it was");
    pair_close(&p);
    geo_mesh_release(&ball);
}

Test(saved, points_that_no_build_makes_are_refused)
{
    geo_mesh ball = shape_ball((vec3){0, 0, 0}, 1, 3);
    pair p = pair_open("vps:shell-voxels=8,voxels=8,weights=area", &ball, &ball, ALL);
    alg_vps_points *const points = &((alg_vps_body *)p.moving)->points;
    const alg_role moving = ALG_MOVING;
    const uint32_t i = points->count / 2;
    alg_vps_octet *const octet = &points->octets[i / ALG_VPS_FAN];
    expect(&p, moving, true, "as it is");
    EXPECT_REFUSED(moving, octet->x[i % ALG_VPS_FAN], 1.001, "beyond the body");
    EXPECT_REFUSED(moving, octet->y[i % ALG_VPS_FAN], -1.001, "beyond it");
    EXPECT_REFUSED(moving, octet->z[i % ALG_VPS_FAN], NAN, "nowhere");
    EXPECT_REFUSED(moving, points->normals[i].x, points->normals[i].x + 1, "too long");
    EXPECT_REFUSED(moving, points->normals[i].z, NAN, "no normal");
    EXPECT_REFUSED(moving, points->weights[i], -points->weights[i], "a negative share");
    EXPECT_REFUSED(moving, points->weights[i], points->weights[i] + points->count,
                   "shares of more than all");
    EXPECT_REFUSED(moving, points->weights[i], NAN, "no share");
    EXPECT_REFUSED(moving, points->reach, -1, "less than none");
    EXPECT_REFUSED(moving, points->reach, NAN, "no reach");
    expect(&p, moving, true, "as it was");
    pair_close(&p);
    geo_mesh_release(&ball);
}

/* --- Memory and writers ----------------------------------------------------------------------- */

Test(saved, memory_that_runs_out_is_told)
{
    shapes s = make_shapes();
    pair p = pair_open(variants[2], &s.a, &s.b, ALL);
    for (int role = ALG_FIXED; role <= ALG_MOVING; role++) {
        bytes b = save(&p, role == ALG_FIXED ? p.fixed : p.moving);
        void *prepared = NULL;
        alg_status status = ALG_OUT_OF_MEMORY;
        size_t n = 0;
        for (; status == ALG_OUT_OF_MEMORY && n < 100; n++) {
            base_memory_fail_after(n);
            status = load(&p, (alg_role)role, &b, &prepared);
            base_memory_fail_after(SIZE_MAX);
        }
        cr_assert_eq(status, ALG_OK);
        cr_assert_gt(n, 5);
        p.variant.algorithm->dispose(prepared);
        base_free(b.items);
    }
    pair_close(&p);
    release_shapes(&s);
}

Test(saved, a_writer_that_wants_no_more_ends_it)
{
    shapes s = make_shapes();
    pair p = pair_open(variants[1], &s.a, &s.b, ALL);
    for (int role = ALG_FIXED; role <= ALG_MOVING; role++) {
        const size_t parts = 6;
        for (size_t most = 0; most <= parts; most++) {
            size_t calls = most;
            const alg_writer to = {.size = sizeof to, .context = &calls, .write = refuse};
            alg_message message = {""};
            const alg_status status =
                p.variant.algorithm->save(role == ALG_FIXED ? p.fixed : p.moving, &to, &message);
            cr_assert_eq(status, most < parts ? ALG_FAILED : ALG_OK, "role %d, %zu calls", role,
                         most);
            cr_assert_eq(*message.text != '\0', most < parts);
        }
    }
    pair_close(&p);
    release_shapes(&s);
}
