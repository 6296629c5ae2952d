#include "suite/replay/picture.h"

#include "base/text.h"
#include "geometry/pose.h"
#include "geometry/surface.h"
#include "suite/figures/looks.h"
#include "suite/replay/parts.h"

#include <stdlib.h>
#include <string.h>

enum { LAYERS_BYTES = 512, SHAPES_MAX = 24 };

/** Bits of layers. Layers of body B are the bits of A, shifted by OF_B. */
enum {
    SOLID = 1 << 0,
    GLASS = 1 << 1,
    SPHERES = 1 << 2,
    NODES = 1 << 3,
    POINTS = 1 << 4,
    VOXELS = 1 << 5,
    FIELD = 1 << 6,
    CLUSTERS = 1 << 7,
    OF_B = 8,
    NEAREST = 1 << 16,
    OVERLAP = 1 << 17,
    WITNESS = 1 << 18,
    CONTACTS = 1 << 19,
    CURVES = 1 << 20,
    REGIONS = 1 << 21,
    APART = 1 << 22,
};

static const struct {
    const char *name;
    unsigned bit;
} layer_table[] = {
    {"a", SOLID},
    {"b", SOLID << OF_B},
    {"a-glass", GLASS},
    {"b-glass", GLASS << OF_B},
    {"a-spheres", SPHERES},
    {"b-spheres", SPHERES << OF_B},
    {"a-nodes", NODES},
    {"b-nodes", NODES << OF_B},
    {"a-points", POINTS},
    {"b-points", POINTS << OF_B},
    {"a-clusters", CLUSTERS},
    {"b-clusters", CLUSTERS << OF_B},
    {"a-voxels", VOXELS},
    {"b-voxels", VOXELS << OF_B},
    {"a-field", FIELD},
    {"b-field", FIELD << OF_B},
    {"nearest", NEAREST},
    {"overlap", OVERLAP},
    {"witness", WITNESS},
    {"contacts", CONTACTS},
    {"curves", CURVES},
    {"regions", REGIONS},
    {"apart", APART},
};
enum { LAYER_COUNT = sizeof layer_table / sizeof *layer_table };

static base_status parse_layers(const char *text, unsigned *layers, base_error *err)
{
    char words[LAYERS_BYTES], near[256], *rest = NULL;
    *layers = 0;
    if ((size_t)snprintf(words, sizeof words, "%s", text) >= sizeof words) {
        return base_fail(err, BASE_ERR_ARGUMENT, "list of layers of %zu bytes is too long",
                         strlen(text));
    }
    for (char *word = strtok_r(words, ", ", &rest); word; word = strtok_r(NULL, ", ", &rest)) {
        const char *names[LAYER_COUNT + 1] = {NULL};
        unsigned bit = 0;
        for (size_t i = 0; i < LAYER_COUNT; i++) {
            names[i] = layer_table[i].name;
            bit |= strcmp(word, names[i]) == 0 ? layer_table[i].bit : 0;
        }
        if (!bit) {
            base_text_near(word, names, near, sizeof near);
            return base_fail(err, BASE_ERR_ARGUMENT, "unknown layer '%s' of a picture%s", word,
                             near);
        }
        *layers |= bit;
    }
    return *layers ? BASE_OK : base_fail(err, BASE_ERR_ARGUMENT, "a picture needs a layer");
}

base_status bench_layers_check(const char *layers, base_error *err)
{
    unsigned bits;
    return parse_layers(layers, &bits, err);
}

/* --- The shapes of a picture ------------------------------------------------------------------ */

typedef struct picture {
    const bench_scene *scene;
    const bench_panel *panel;
    unsigned layers;
    geo_pose poses[2]; /* of A and B */
    bench_parts parts[2];
    uint32_t colours[2]; /* of the variant's family: for parts of A and of B */
    double size;         /* thicknesses are relative to it */
    bench_shape shapes[SHAPES_MAX];
    size_t count;
    base_arena arena; /* owns the arrays of the shapes */
    base_error *err;
} picture;

static const uint32_t black = 0x202020;

/** Colours of groups: hues of Okabe and Ito. Four that follow each other differ in grey, too. */
static const uint32_t group_colours[] = {0x003F66, 0xF0E442, 0xD55E00, 0x56B4E9,
                                         0x404040, 0xF2B8D4, 0x009E73, 0xE69F00};
enum { GROUP_COLOURS = sizeof group_colours / sizeof *group_colours };

static base_status no_memory(const picture *p)
{
    return base_fail(p->err, BASE_ERR_MEMORY, "out of memory");
}

static unsigned layers_of(const picture *p, int role)
{
    return p->layers >> (role * OF_B) & 0xFF;
}

static bench_shape *add_shape(picture *p, bench_shape_kind kind, const geo_pose *pose,
                              uint32_t colour)
{
    bench_shape *const s = &p->shapes[p->count++];
    *s = (bench_shape){.kind = kind, .pose = pose ? *pose : geo_pose_identity(), .colour = colour};
    return s;
}

static void add_body(picture *p, int role)
{
    const unsigned layers = layers_of(p, role);
    if (layers & (SOLID | GLASS)) {
        bench_shape *const s = add_shape(p, BENCH_SHAPE_MESH, &p->poses[role],
                                         role == ALG_FIXED ? BENCH_COLOUR_A : BENCH_COLOUR_B);
        s->mesh = role == ALG_FIXED ? p->scene->pair->a.mesh : p->scene->pair->b.mesh;
        s->glass = layers & SOLID ? 0 : 1 + (unsigned)role;
        s->opacity = 0.15;
    }
}

/** Adds balls with or without colours of their own. The arrays are in the arena. */
static void add_balls(picture *p, int role, const geo_ball *balls, const uint32_t *colours,
                      size_t count)
{
    bench_shape *const s = add_shape(p, BENCH_SHAPE_BALLS, &p->poses[role], p->colours[role]);
    s->balls = balls;
    s->colours = colours;
    s->count = count;
}

static uint32_t group_colour(uint32_t group)
{
    return group > 0 ? group_colours[(group - 1) % GROUP_COLOURS] : 0xB0B0B0;
}

static base_status add_spheres(picture *p, int role, bench_scene_counts *counts)
{
    const bench_parts *const from = &p->parts[role];
    const bool grouped = p->panel->level > 0 && !(layers_of(p, role) & NODES);
    const size_t most =
        from->sphere_count < p->panel->spheres ? from->sphere_count : (size_t)p->panel->spheres;
    geo_ball *const balls = base_arena_alloc(&p->arena, most, sizeof *balls);
    uint32_t *const colours = base_arena_alloc(&p->arena, most, sizeof *colours);
    if (!balls || !colours) {
        return no_memory(p);
    }
    size_t count = 0;
    for (size_t i = 0; i < from->sphere_count && count < most; i++) {
        const bench_part_ball *const s = &from->spheres[i];
        if (p->panel->branch == 0 || s->branch == p->panel->branch) {
            colours[count] = group_colour(s->group);
            balls[count++] = s->ball;
        }
    }
    counts->spheres[role] += from->sphere_count;
    counts->drawn[role] += count;
    add_balls(p, role, balls, grouped ? colours : NULL, count);
    return BASE_OK;
}

static base_status add_nodes(picture *p, int role)
{
    const bench_parts *const from = &p->parts[role];
    geo_ball *const balls = base_arena_alloc(&p->arena, from->node_count, sizeof *balls);
    if (!balls) {
        return no_memory(p);
    }
    size_t count = 0;
    for (size_t i = 0; i < from->node_count; i++) {
        if (from->nodes[i].level == p->panel->level) {
            balls[count++] = from->nodes[i].ball;
        }
    }
    add_balls(p, role, balls, NULL, count);
    p->shapes[p->count - 1].glass = BENCH_GLASS_MAX;
    p->shapes[p->count - 1].opacity = 0.3;
    return BASE_OK;
}

/**
 * Adds points of a shell: all of them in the colours of their clusters, or those that represent a
 * node of the panel's level.
 */
static base_status add_points(picture *p, int role, bool clusters)
{
    const bench_parts *const from = &p->parts[role];
    const geo_mesh *const mesh =
        role == ALG_FIXED ? &p->scene->pair->a.mesh : &p->scene->pair->b.mesh;
    geo_ball *const balls = base_arena_alloc(&p->arena, from->point_count, sizeof *balls);
    uint32_t *const colours = base_arena_alloc(&p->arena, from->point_count, sizeof *colours);
    if (!balls || !colours) {
        return no_memory(p);
    }
    size_t count = 0;
    for (size_t i = 0; i < from->point_count; i++) {
        const bench_part_point *const point = &from->points[i];
        if (clusters || p->panel->level == 0 || point->level <= p->panel->level) {
            colours[count] = group_colour(point->group);
            balls[count++] = (geo_ball){point->point, 0};
        }
    }
    const double spacing = sqrt(geo_mesh_measures(mesh).area_m2 / (double)(count + 1));
    for (size_t i = 0; i < count; i++) {
        balls[i].radius = base_smaller((clusters ? 0.45 : 0.3) * spacing, 0.015 * p->size);
    }
    add_balls(p, role, balls, clusters ? colours : NULL, count);
    return BASE_OK;
}

/** Adds the surface voxels as cubes with gaps between them. */
static base_status add_voxels(picture *p, int role)
{
    static const double gap = 0.05; /* on each side, in edges */
    static const uint32_t faces[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6},
                                          {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                          {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    const bench_parts *const from = &p->parts[role];
    size_t count = 0, voxel = 0;
    for (size_t r = 0; r < from->run_words; r += 4) {
        count += from->runs[r + 1] - from->runs[r];
    }
    vec3 *const vertices = base_arena_alloc(&p->arena, 8 * count, sizeof *vertices);
    geo_face *const triangles = base_arena_alloc(&p->arena, 12 * count, sizeof *triangles);
    if (!vertices || !triangles || count > UINT32_MAX / 8) {
        return no_memory(p);
    }
    for (size_t r = 0; r < from->run_words; r += 4) {
        const uint32_t *const run = &from->runs[r];
        for (uint32_t x = run[0]; x < run[1]; x++, voxel++) {
            for (int k = 0; k < 8; k++) {
                vertices[8 * voxel + (size_t)k] = bench_parts_corner(
                    from, x + (k & 1 ? 1 - gap : gap), run[2] + (k & 2 ? 1 - gap : gap),
                    run[3] + (k & 4 ? 1 - gap : gap));
            }
            for (size_t f = 0; f < 12; f++) {
                for (int k = 0; k < 3; k++) {
                    triangles[12 * voxel + f].v[k] = (uint32_t)(8 * voxel) + faces[f][k];
                }
            }
        }
    }
    bench_shape *const s = add_shape(p, BENCH_SHAPE_MESH, &p->poses[role], p->colours[role]);
    s->mesh = (geo_mesh){vertices, 8 * count, triangles, 12 * count};
    return BASE_OK;
}

/** Returns a mix of two colours; share: of the second one, from 0 to 1. */
static uint32_t mixed(uint32_t a, uint32_t b, double share)
{
    uint32_t result = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        const double x = a >> shift & 0xFF, y = b >> shift & 0xFF;
        result |= (uint32_t)(x + share * (y - x) + 0.5) << shift;
    }
    return result;
}

/**
 * Adds a ball at the centre of each voxel inside of the body, in the half behind the middle of the
 * grid. The colour is the exact distance to the surface: from light to dark.
 */
static base_status add_field(picture *p, int role)
{
    const bench_parts *const from = &p->parts[role];
    const geo_mesh *const mesh =
        role == ALG_FIXED ? &p->scene->pair->a.mesh : &p->scene->pair->b.mesh;
    const size_t cells = (size_t)from->size[0] * from->size[1] * from->size[2];
    geo_ball *const balls = base_arena_alloc(&p->arena, cells, sizeof *balls);
    double *const depths = base_arena_alloc(&p->arena, cells, sizeof *depths);
    uint32_t *const colours = base_arena_alloc(&p->arena, cells, sizeof *colours);
    geo_surface surface;
    if (!balls || !depths || !colours) {
        return no_memory(p);
    }
    const base_status status = geo_surface_build(mesh, &p->arena, &surface, p->err);
    if (status != BASE_OK) {
        return status;
    }
    const vec3 toward = mat3_tmul_vec3(p->poses[role].rotation, p->panel->view.toward);
    const vec3 middle = geo_box_centre(geo_mesh_box(mesh));
    double deepest = 0;
    size_t count = 0;
    for (size_t i = 0; i < cells; i++) {
        const size_t x = i % from->size[0], rest = i / from->size[0];
        const vec3 centre =
            bench_parts_corner(from, (double)x + 0.5, (double)(rest % from->size[1]) + 0.5,
                               (double)(rest / from->size[1]) + 0.5);
        if (vec3_dot(vec3_sub(centre, middle), toward) <= 0 &&
            geo_surface_contains(&surface, centre)) {
            balls[count] = (geo_ball){centre, 0.5 * from->edge};
            depths[count] = sqrt(geo_surface_closest(&surface, centre, UINT32_MAX).distance2);
            deepest = base_larger(deepest, depths[count++]);
        }
    }
    for (size_t i = 0; i < count; i++) {
        colours[i] = mixed(0xFFFFFF, p->colours[role], depths[i] / deepest);
    }
    add_balls(p, role, balls, colours, count);
    return BASE_OK;
}

/* --- Pairs of spheres ------------------------------------------------------------------------- */

/** A sphere in the frame of the picture, and its index. */
typedef struct placed {
    geo_ball ball;
    double left; /* its least x */
    size_t index;
} placed;

static int by_left(const void *a, const void *b)
{
    const placed *const p = a, *const q = b;
    const int order = (p->left > q->left) - (p->left < q->left);
    return order ? order : (p->index > q->index) - (p->index < q->index);
}

/**
 * Marks the spheres of both bodies that overlap, or the pair with the smallest gap. Sweeps along x.
 * marked: [role][sphere].
 */
static base_status mark_pairs(picture *p, bool overlapping, bool *marked[2])
{
    placed *sorted[2];
    size_t nearest[2] = {0, 0}, begin = 0;
    double best = INFINITY, widest = 0;
    for (int role = 0; role < 2; role++) {
        const bench_parts *const from = &p->parts[role];
        sorted[role] = base_arena_alloc(&p->arena, from->sphere_count, sizeof *sorted[role]);
        marked[role] = base_arena_alloc(&p->arena, from->sphere_count, sizeof *marked[role]);
        if (!sorted[role] || !marked[role]) {
            return no_memory(p);
        }
        for (size_t i = 0; i < from->sphere_count; i++) {
            const geo_ball ball = {geo_pose_apply(&p->poses[role], from->spheres[i].ball.centre),
                                   from->spheres[i].ball.radius};
            sorted[role][i] = (placed){ball, ball.centre.x - ball.radius, i};
            widest = role == 1 ? base_larger(widest, 2 * ball.radius) : 0;
        }
        if (from->sphere_count == 0) {
            return BASE_OK;
        }
        qsort(sorted[role], from->sphere_count, sizeof *sorted[role], by_left);
    }
    for (size_t i = 0; i < p->parts[0].sphere_count; i++) {
        const placed *const a = &sorted[0][i];
        const double reach = overlapping ? 0 : base_larger(0, best);
        while (begin < p->parts[1].sphere_count && isfinite(best) &&
               sorted[1][begin].left + widest + reach < a->left) {
            begin++;
        }
        const double end = a->left + 2 * a->ball.radius;
        for (size_t j = begin; j < p->parts[1].sphere_count; j++) {
            const placed *const b = &sorted[1][j];
            if (b->left > end + (overlapping ? 0 : base_larger(0, best))) {
                break;
            }
            const double gap =
                vec3_distance(a->ball.centre, b->ball.centre) - a->ball.radius - b->ball.radius;
            if (overlapping && gap < 0) {
                marked[0][a->index] = marked[1][b->index] = true;
            }
            if (gap < best) {
                best = gap;
                nearest[0] = a->index;
                nearest[1] = b->index;
            }
        }
    }
    if (!overlapping) {
        marked[0][nearest[0]] = marked[1][nearest[1]] = true;
    }
    return BASE_OK;
}

/** Adds the spheres of both bodies that overlap, or the nearest pair and a line between them. */
static base_status add_pairs(picture *p, bool overlapping)
{
    bool *marked[2] = {NULL, NULL};
    const base_status status = mark_pairs(p, overlapping, marked);
    for (int role = 0; role < 2 && status == BASE_OK; role++) {
        const bench_parts *const from = &p->parts[role];
        geo_ball *const balls = base_arena_alloc(&p->arena, from->sphere_count, sizeof *balls);
        if (!balls) {
            return no_memory(p);
        }
        size_t count = 0;
        for (size_t i = 0; i < from->sphere_count; i++) {
            if (marked[role] && marked[role][i]) {
                balls[count++] = from->spheres[i].ball;
            }
        }
        add_balls(p, role, balls, NULL, count);
    }
    return status;
}

/* --- Answers ---------------------------------------------------------------------------------- */

static bench_line *add_lines(picture *p, size_t count, double thickness, uint32_t colour)
{
    bench_line *const lines = base_arena_alloc(&p->arena, count, sizeof *lines);
    if (lines) {
        bench_shape *const s = add_shape(p, BENCH_SHAPE_LINES, NULL, colour);
        s->lines = lines;
        s->count = count;
        s->radius = thickness * p->size;
    }
    return lines;
}

static base_status add_witness(picture *p)
{
    const alg_answer *const answer = p->scene->answer;
    if (!(answer->answered & ALG_HAS_WITNESS) || !vec3_isfinite(answer->witness_a) ||
        !vec3_isfinite(answer->witness_b)) {
        return BASE_OK;
    }
    bench_line *const line = add_lines(p, 1, 0.004, black);
    geo_ball *const ends = base_arena_alloc(&p->arena, 2, sizeof *ends);
    if (!line || !ends) {
        return no_memory(p);
    }
    *line = (bench_line){answer->witness_a, answer->witness_b};
    ends[0] = (geo_ball){answer->witness_a, 0.01 * p->size};
    ends[1] = (geo_ball){answer->witness_b, 0.01 * p->size};
    add_balls(p, ALG_FIXED, ends, NULL, 2);
    p->shapes[p->count - 1].colour = black;
    return BASE_OK;
}

static base_status add_contacts(picture *p)
{
    const size_t count = p->scene->contact_count;
    bench_line *const lines = add_lines(p, count, 0.002, black);
    geo_ball *const points = base_arena_alloc(&p->arena, count, sizeof *points);
    if (!lines || !points) {
        return no_memory(p);
    }
    for (size_t i = 0; i < count; i++) {
        const alg_contact *const c = &p->scene->contacts[i];
        lines[i] = (bench_line){c->point, vec3_madd(c->point, 0.04 * p->size, c->normal)};
        points[i] = (geo_ball){c->point, 0.005 * p->size};
    }
    add_balls(p, ALG_FIXED, points, NULL, count);
    return BASE_OK;
}

/** Adds the segments along which triangles of both bodies intersect, by exact-pairs. */
static base_status add_curves(picture *p)
{
    enum { SEGMENTS_MAX = 1 << 18 };
    alg_variant exact;
    alg_message message;
    bench_solo solo;
    alg_answer answer;
    char fault[BENCH_FAULT_BYTES];
    const alg_request request = {
        .size = sizeof request, .wanted = ALG_WANT_CONTACT, .pairs_max = SEGMENTS_MAX};
    if (alg_variant_parse("exact-pairs", 1, &exact, &message) != ALG_OK) {
        return base_fail(p->err, BASE_ERR_INPUT, "%s", message.text);
    }
    const base_status status =
        bench_solo_open(&exact, p->scene->pair, &request, NULL, &solo, p->err);
    if (status != BASE_OK) {
        return status;
    }
    (void)bench_solo_ask_details(&solo, &p->poses[ALG_MOVING], &answer, fault);
    const size_t count = bench_buffer_count(&solo.buffers, BENCH_LIST_PAIRS, &answer);
    bench_line *const lines = add_lines(p, count, 0.0045, black);
    for (size_t i = 0; lines && i < count; i++) {
        const alg_face_pair *const pair = &bench_buffer_pairs(&solo.buffers)[i];
        lines[i] = (bench_line){pair->from, pair->to};
    }
    bench_solo_close(&solo);
    return lines ? BASE_OK : no_memory(p);
}

/** Returns the coordinate axis that is farthest from the direction. */
static vec3 least_axis(vec3 v)
{
    const vec3 w = vec3_abs(v);
    return w.x <= w.y && w.x <= w.z ? (vec3){1, 0, 0}
           : w.y <= w.z             ? (vec3){0, 1, 0}
                                    : (vec3){0, 0, 1};
}

/** Adds the window of each region, and an arrow along its direction, as long as its depth. */
static base_status add_regions(picture *p)
{
    enum { SIDES = 24, HEAD_FACES = 2 * SIDES };
    static const double shortest = 0.12; /* of an arrow */
    const size_t count = p->scene->region_count;
    bench_line *const shafts = add_lines(p, count, 0.007, p->colours[0]);
    bench_line *const windows = add_lines(p, 4 * count, 0.003, p->colours[0]);
    vec3 *const vertices = base_arena_alloc(&p->arena, count * (SIDES + 2), sizeof *vertices);
    geo_face *const faces = base_arena_alloc(&p->arena, count * HEAD_FACES, sizeof *faces);
    if (!shafts || !windows || !vertices || !faces) {
        return no_memory(p);
    }
    for (size_t i = 0; i < count; i++) {
        const alg_region *const r = &p->scene->regions[i];
        const vec3 u = vec3_scale(r->half_u_m, r->side_u), v = vec3_scale(r->half_v_m, r->side_v);
        vec3 corners[4];
        for (int k = 0; k < 4; k++) {
            corners[k] =
                vec3_madd(vec3_madd(r->point, k == 1 || k == 2 ? 1 : -1, u), k >= 2 ? 1 : -1, v);
        }
        for (size_t k = 0; k < 4; k++) {
            windows[4 * i + k] = (bench_line){corners[k], corners[(k + 1) % 4]};
        }
        const double length = base_larger(r->depth_m, shortest * p->size);
        const double head = 0.06 * p->size, width = 0.022 * p->size;
        const vec3 neck = vec3_madd(r->point, length, r->direction);
        shafts[i] = (bench_line){r->point, neck};
        vec3 *const cone = &vertices[i * (SIDES + 2)];
        const vec3 side = vec3_normalize(vec3_cross(r->direction, least_axis(r->direction)));
        const vec3 other = vec3_cross(r->direction, side);
        for (uint32_t k = 0; k < SIDES; k++) {
            const double angle = 2 * BASE_PI * k / SIDES;
            const uint32_t base = (uint32_t)(i * (SIDES + 2)), next = (k + 1) % SIDES;
            cone[k] = vec3_madd(vec3_madd(neck, width * base_cos(angle), side),
                                width * base_sin(angle), other);
            faces[i * HEAD_FACES + 2 * k] = (geo_face){{base + k, base + next, base + SIDES}};
            faces[i * HEAD_FACES + 2 * k + 1] =
                (geo_face){{base + next, base + k, base + SIDES + 1}};
        }
        cone[SIDES] = vec3_madd(neck, head, r->direction);
        cone[SIDES + 1] = neck;
    }
    bench_shape *const s = add_shape(p, BENCH_SHAPE_MESH, NULL, p->colours[0]);
    s->mesh = (geo_mesh){vertices, count * (SIDES + 2), faces, count * HEAD_FACES};
    return BASE_OK;
}

/* --- The picture ------------------------------------------------------------------------------ */

/**
 * Sets the colours of the family: its own for A, and a lighter one for B unless only B has parts in
 * the picture.
 */
static base_status set_colours(picture *p)
{
    const char *const name = p->scene->solo->variant->name;
    bench_looks looks;
    const base_status status = bench_looks_make(&name, 1, &p->arena, &looks, p->err);
    if (status == BASE_OK) {
        p->colours[0] = (uint32_t)strtoul(looks.items[0].colour + 1, NULL, 16);
        const bool only_b = !(layers_of(p, ALG_FIXED) & ~(unsigned)(SOLID | GLASS)) &&
                            !(p->layers & (NEAREST | OVERLAP));
        p->colours[1] = mixed(p->colours[0], 0xFFFFFF, only_b ? 0 : 0.55);
    }
    return status;
}

static base_status add_parts(picture *p, int role, bench_scene_counts *counts)
{
    const unsigned layers = layers_of(p, role);
    const bench_solo *const solo = p->scene->solo;
    base_status status = bench_parts_collect(solo->variant->algorithm, solo->prepared[role],
                                             p->panel->level, &p->parts[role], p->err);
    add_body(p, role);
    if (status == BASE_OK && (layers & SPHERES)) {
        status = add_spheres(p, role, counts);
    }
    if (status == BASE_OK && (layers & POINTS)) {
        status = add_points(p, role, false);
    }
    if (status == BASE_OK && (layers & CLUSTERS)) {
        status = add_points(p, role, true);
    }
    if (status == BASE_OK && (layers & VOXELS)) {
        status = add_voxels(p, role);
    }
    return status == BASE_OK && (layers & FIELD) ? add_field(p, role) : status;
}

static base_status add_answers(picture *p)
{
    base_status status = BASE_OK;
    if (p->layers & (NEAREST | OVERLAP)) {
        status = add_pairs(p, p->layers & OVERLAP);
    }
    if (status == BASE_OK && (p->layers & WITNESS)) {
        status = add_witness(p);
    }
    if (status == BASE_OK && (p->layers & CONTACTS)) {
        status = add_contacts(p);
    }
    if (status == BASE_OK && (p->layers & CURVES)) {
        status = add_curves(p);
    }
    return status == BASE_OK && (p->layers & REGIONS) ? add_regions(p) : status;
}

/** Sets the view to that along the first region, the frame and the area to its window. */
static base_status look_along(const picture *p, bench_view *view, bench_frame *frame,
                              bench_area *area)
{
    if (p->scene->region_count == 0) {
        return base_fail(p->err, BASE_ERR_INPUT, "'%s' has answered no region to look along",
                         p->scene->solo->variant->name);
    }
    const alg_region *const r = &p->scene->regions[0];
    view->toward = vec3_scale(-p->panel->along, r->direction);
    view->right = r->side_u;
    view->up = vec3_cross(view->toward, view->right);
    *frame = (bench_frame){r->point, r->half_u_m, r->half_v_m};
    const double scale =
        base_smaller(area->width / frame->half_width, area->height / frame->half_height);
    const unsigned width = (unsigned)base_larger(1, scale * frame->half_width);
    const unsigned height = (unsigned)base_larger(1, scale * frame->half_height);
    *area = (bench_area){area->x + (area->width - width) / 2, area->y + (area->height - height) / 2,
                         width, height};
    return BASE_OK;
}

/** Returns the centre of the first region, of the contacts or of the witness; else `centre`. */
static vec3 contact_centre(const picture *p, vec3 centre)
{
    const alg_answer *const answer = p->scene->answer;
    if (p->scene->region_count > 0) {
        return p->scene->regions[0].point;
    }
    if (p->scene->contact_count > 0) {
        vec3 sum = {0, 0, 0};
        for (size_t i = 0; i < p->scene->contact_count; i++) {
            sum = vec3_add(sum, p->scene->contacts[i].point);
        }
        return vec3_scale(1 / (double)p->scene->contact_count, sum);
    }
    return answer->answered & ALG_HAS_WITNESS
               ? vec3_scale(0.5, vec3_add(answer->witness_a, answer->witness_b))
               : centre;
}

static base_status draw(picture *p, bench_canvas *canvas, bench_area area,
                        bench_scene_counts *counts)
{
    const bench_panel *const panel = p->panel;
    const bench_scene *const scene = p->scene;
    bench_view view = panel->view;
    base_status status = set_colours(p);
    p->poses[ALG_FIXED] = geo_pose_identity();
    p->poses[ALG_MOVING] =
        bench_pair_pose(scene->pair, scene->frame->position, scene->frame->orientation);
    if ((p->layers & APART) && (scene->answer->answered & ALG_HAS_DEPTH)) {
        geo_pose *const b = &p->poses[ALG_MOVING];
        b->translation =
            vec3_madd(b->translation, scene->answer->depth_m, scene->answer->direction);
    }
    p->size = scene->pair->diagonal_a / panel->zoom;
    for (int role = 0; role < 2 && status == BASE_OK; role++) {
        status = add_parts(p, role, counts);
    }
    bench_frame frame = bench_frame_around(p->shapes, p->count, &view);
    for (int role = 0; role < 2 && status == BASE_OK; role++) {
        status = layers_of(p, role) & NODES ? add_nodes(p, role) : BASE_OK;
    }
    if (status == BASE_OK) {
        status = add_answers(p);
    }
    if (status != BASE_OK) {
        return status;
    }
    if (!(frame.half_width > 0)) {
        frame = bench_frame_around(p->shapes, p->count, &view);
    }
    if (!(frame.half_width > 0)) {
        return base_fail(p->err, BASE_ERR_INPUT, "'%s' has nothing to show in the layers '%s'",
                         scene->solo->variant->name, panel->layers);
    }
    if (panel->along != 0) {
        status = look_along(p, &view, &frame, &area);
    } else {
        frame.half_width /= panel->zoom;
        frame.half_height /= panel->zoom;
        frame.centre = panel->zoom > 1 ? contact_centre(p, frame.centre) : frame.centre;
    }
    return status == BASE_OK ? bench_canvas_draw(canvas, area, p->shapes, p->count, &view, &frame,
                                                 panel->along != 0, p->err)
                             : status;
}

base_status bench_panel_draw(const bench_scene *scene, const bench_panel *panel,
                             bench_canvas *canvas, bench_area area, bench_scene_counts *counts,
                             base_error *err)
{
    picture p = {.scene = scene, .panel = panel, .err = err};
    base_status status = parse_layers(panel->layers, &p.layers, err);
    if (status == BASE_OK) {
        status = draw(&p, canvas, area, counts);
    }
    bench_parts_release(&p.parts[0]);
    bench_parts_release(&p.parts[1]);
    base_arena_release(&p.arena);
    return status;
}

/* --- Pictures of an experiment ---------------------------------------------------------------- */

static bool same_frame(const scn_panel *a, const scn_panel *b)
{
    return (a->scenario == b->scenario ||
            (a->scenario && b->scenario && strcmp(a->scenario, b->scenario) == 0)) &&
           strcmp(a->variant, b->variant) == 0 && strcmp(a->frame, b->frame) == 0;
}

static base_status open_frame(const char *run, const scn_panel *panel, const char *cache,
                              bench_replay *replay, base_error *err)
{
    enum { LIST_MAX = 10000 };
    const bench_replay_request wanted = {.run = run,
                                         .scenario = panel->scenario,
                                         .variant = panel->variant,
                                         .frame = panel->frame,
                                         .contacts_max = LIST_MAX,
                                         .regions_max = LIST_MAX,
                                         .cache = cache};
    return bench_replay_open(&wanted, replay, err);
}

static base_status draw_panel(const scn_panel *panel, bench_replay *replay, bench_canvas *canvas,
                              bench_area area, base_error *err)
{
    const bench_scene scene = bench_replay_scene(replay);
    const bench_panel drawn = {.layers = panel->layers,
                               .view = bench_view_make(panel->view[0], panel->view[1]),
                               .spheres = panel->spheres,
                               .level = (unsigned)panel->level,
                               .branch = (unsigned)panel->branch,
                               .zoom = panel->zoom,
                               .along = (panel->along > 0) - (panel->along < 0)};
    bench_scene_counts counts = {0};
    return bench_panel_draw(&scene, &drawn, canvas, area, &counts, err);
}

base_status bench_picture_draw(const char *run, const scn_picture *wanted, unsigned width,
                               const char *cache, bench_canvas *canvas, base_error *err)
{
    const size_t count = wanted->panel_count;
    const unsigned columns = (unsigned)wanted->columns;
    const unsigned rows = ((unsigned)count + columns - 1) / columns;
    const unsigned side = width / columns, height = (unsigned)(wanted->shape * side);
    const unsigned gap = count > 1 ? side / 50 : 0; /* on each side of a panel */
    base_status status = bench_canvas_open(width, rows * height, canvas, err);
    for (size_t first = 0; first < count && status == BASE_OK; first++) {
        const scn_panel *const panels = wanted->panels;
        bool drawn = false;
        for (size_t i = 0; i < first && !drawn; i++) {
            drawn = same_frame(&panels[i], &panels[first]);
        }
        if (drawn) {
            continue;
        }
        bench_replay replay;
        status = open_frame(run, &panels[first], cache, &replay, err);
        for (size_t i = first; i < count && status == BASE_OK; i++) {
            const bench_area area = {(unsigned)i % columns * side + gap,
                                     (unsigned)i / columns * height + gap, side - 2 * gap,
                                     height - 2 * gap};
            if (same_frame(&panels[first], &panels[i])) {
                status = draw_panel(&panels[i], &replay, canvas, area, err);
            }
        }
        bench_replay_close(&replay);
    }
    return status;
}
