/**
 * An example algorithm in C that answers every quantity of the contract: distance, contact, volume,
 * depth and force of the bounding boxes of two bodies along A's axes. It fills the buffers for
 * contacts, pairs of triangles and regions, and reports its stages on request.
 *
 *   cc -shared -fPIC -O2 $(pkg-config --cflags proxbench) aabb.c -o libaabb.so -lm
 *   proxbench query --plugin libaabb.so --algorithm aabb --a A.off --b B.off --pose 1,0,0,0,0,0,1 \
 *       --quantity depth --regions 1 --stages
 */
#define _POSIX_C_SOURCE 199309L
#include <proxbench/algorithms.h>

#include <math.h>
#include <stdlib.h>
#include <time.h>

/* The boxes contain the bodies, so disjoint boxes mean disjoint bodies. Each answer, except the
 * force, is a bound on one side. */
static alg_contract contract(const alg_settings *settings, alg_quantity quantity)
{
    (void)settings;
    switch (quantity) {
    case ALG_DISTANCE:
        return ALG_LOWER_BOUND;
    case ALG_VOLUME:
    case ALG_CONTACT:
    case ALG_DEPTH:
        return ALG_UPPER_BOUND;
    case ALG_FORCE:
        return ALG_APPROXIMATE;
    default:
        return ALG_NOT_ANSWERED;
    }
}

static alg_status prepare(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                          void **prepared, alg_build_info *info, alg_message *message)
{
    alg_mesh *const copy = malloc(sizeof *copy);
    (void)settings;
    (void)role;
    (void)message;
    *prepared = copy;
    if (!copy) {
        return ALG_OUT_OF_MEMORY;
    }
    *copy = *mesh;
    info->bytes = sizeof *copy;
    info->primitives = 1;
    return ALG_OK;
}

typedef struct pair {
    const alg_mesh *a, *b;
    bool triangles, stages; /* true if wanted */
    geo_vec3 *moved;        /* B's vertices in A's frame */
} pair;

static alg_status bind(const alg_settings *settings, const void *fixed, const void *moving,
                       const alg_request *request, void **state, alg_message *message)
{
    pair *const p = calloc(1, sizeof *p);
    (void)settings;
    (void)message;
    *state = p;
    if (!p) {
        return ALG_OUT_OF_MEMORY;
    }
    p->a = fixed;
    p->b = moving;
    p->triangles = (request->wanted & ALG_WANT_CONTACT) != 0;
    p->stages = request->stages;
    p->moved = malloc(p->b->vertex_count * sizeof *p->moved);
    if (!p->moved) {
        free(p);
        *state = NULL;
        return ALG_OUT_OF_MEMORY;
    }
    return ALG_OK;
}

static void release(void *state)
{
    pair *const p = state;
    if (p) {
        free(p->moved);
    }
    free(p);
}

/* --- Vectors ---------------------------------------------------------------------------------- */

static geo_vec3 sub(geo_vec3 a, geo_vec3 b)
{
    const geo_vec3 d = {a.x - b.x, a.y - b.y, a.z - b.z};
    return d;
}

static double dot(geo_vec3 a, geo_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static geo_vec3 cross(geo_vec3 a, geo_vec3 b)
{
    const geo_vec3 c = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return c;
}

static geo_vec3 apply(const geo_pose *pose, geo_vec3 p)
{
    const geo_vec3 moved = {dot(pose->rotation.row[0], p) + pose->translation.x,
                            dot(pose->rotation.row[1], p) + pose->translation.y,
                            dot(pose->rotation.row[2], p) + pose->translation.z};
    return moved;
}

static geo_box box_of(const geo_vec3 *points, size_t count)
{
    geo_box box = {points[0], points[0]};
    for (size_t i = 1; i < count; i++) {
        const geo_vec3 p = points[i];
        box.lo.x = fmin(box.lo.x, p.x), box.hi.x = fmax(box.hi.x, p.x);
        box.lo.y = fmin(box.lo.y, p.y), box.hi.y = fmax(box.hi.y, p.y);
        box.lo.z = fmin(box.lo.z, p.z), box.hi.z = fmax(box.hi.z, p.z);
    }
    return box;
}

/* --- Boxes ------------------------------------------------------------------------------------ */

/* The intersection of the boxes: its edge lengths, negative if the boxes are disjoint, and its
 * centre. */
typedef struct overlap {
    double size[3];
    geo_vec3 middle;
} overlap;

static overlap intersect(geo_box a, geo_box b)
{
    const geo_vec3 lo = {fmax(a.lo.x, b.lo.x), fmax(a.lo.y, b.lo.y), fmax(a.lo.z, b.lo.z)};
    const geo_vec3 hi = {fmin(a.hi.x, b.hi.x), fmin(a.hi.y, b.hi.y), fmin(a.hi.z, b.hi.z)};
    const overlap o = {{hi.x - lo.x, hi.y - lo.y, hi.z - lo.z},
                       {0.5 * (lo.x + hi.x), 0.5 * (lo.y + hi.y), 0.5 * (lo.z + hi.z)}};
    return o;
}

/* Answers distance, contact and volume. */
static void answer_distance(const overlap *o, alg_answer *answer)
{
    double gap2 = 0;
    for (int i = 0; i < 3; i++) {
        const double gap = fmax(0, -o->size[i]);
        gap2 += gap * gap;
    }
    answer->distance_m = sqrt(gap2);
    answer->colliding = gap2 == 0;
    answer->volume_m3 = answer->colliding ? o->size[0] * o->size[1] * o->size[2] : 0;
}

/* Answers the shortest of the six translations along an axis that separate the boxes. */
static void answer_depth(geo_box a, geo_box b, alg_answer *answer)
{
    const double ways[6] = {a.hi.x - b.lo.x, a.hi.y - b.lo.y, a.hi.z - b.lo.z,
                            b.hi.x - a.lo.x, b.hi.y - a.lo.y, b.hi.z - a.lo.z};
    int best = 0;
    for (int i = 1; i < 6; i++) {
        best = ways[i] < ways[best] ? i : best;
    }
    const double sign = best < 3 ? 1 : -1;
    answer->depth_m = ways[best];
    answer->direction.x = best % 3 == 0 ? sign : 0;
    answer->direction.y = best % 3 == 1 ? sign : 0;
    answer->direction.z = best % 3 == 2 ? sign : 0;
}

/* Answers a force along the separating direction. Its size is the cross-section of the overlap:
 * a constant pressure acts on that area, at the centre of the overlap. */
static void answer_force(const pair *p, const geo_pose *pose, const overlap *o, alg_answer *answer)
{
    const geo_vec3 arm = sub(o->middle, apply(pose, p->b->centroid));
    const double area = answer->volume_m3 / fmax(answer->depth_m, 1e-300);
    answer->force.x = area * answer->direction.x;
    answer->force.y = area * answer->direction.y;
    answer->force.z = area * answer->direction.z;
    answer->torque = cross(arm, answer->force);
}

/* --- Triangles -------------------------------------------------------------------------------- */

/* Returns six times the signed volume of a tetrahedron. */
static double volume6(geo_vec3 a, geo_vec3 b, geo_vec3 c, geo_vec3 d)
{
    return dot(sub(a, d), cross(sub(b, d), sub(c, d)));
}

/* True if the edge from p to q pierces the triangle, up to rounding. at: the intersection point. */
static bool pierces(geo_vec3 p, geo_vec3 q, const geo_vec3 t[3], geo_vec3 *at)
{
    const double before = volume6(t[0], t[1], t[2], p), behind = volume6(t[0], t[1], t[2], q);
    const double u = volume6(p, q, t[0], t[1]), v = volume6(p, q, t[1], t[2]),
                 w = volume6(p, q, t[2], t[0]);
    if ((before > 0) == (behind > 0) || (u > 0) != (v > 0) || (v > 0) != (w > 0)) {
        return false;
    }
    const double share = before / (before - behind);
    at->x = p.x + share * (q.x - p.x);
    at->y = p.y + share * (q.y - p.y);
    at->z = p.z + share * (q.z - p.z);
    return true;
}

/* True if two triangles intersect. The intersection is a segment; at each end, an edge pierces a
 * triangle. */
static bool meet(const geo_vec3 s[3], const geo_vec3 t[3], geo_vec3 *from, geo_vec3 *to)
{
    int found = 0;
    for (int i = 0; i < 6; i++) {
        const geo_vec3 *const edges = i < 3 ? s : t;
        found += pierces(edges[i % 3], edges[(i + 1) % 3], i < 3 ? t : s, found ? to : from);
    }
    if (found == 1) {
        *to = *from;
    }
    return found > 0;
}

/* Counts all intersecting pairs and stores those that fit into the buffer. */
static void answer_pairs(const pair *p, alg_answer *answer)
{
    for (size_t i = 0; i < p->a->face_count; i++) {
        const uint32_t *const f = p->a->faces[i].v;
        const geo_vec3 s[3] = {p->a->vertices[f[0]], p->a->vertices[f[1]], p->a->vertices[f[2]]};
        for (size_t j = 0; j < p->b->face_count; j++) {
            const uint32_t *const g = p->b->faces[j].v;
            const geo_vec3 t[3] = {p->moved[g[0]], p->moved[g[1]], p->moved[g[2]]};
            alg_face_pair found = {(uint32_t)i, (uint32_t)j, s[0], s[0]};
            if (!meet(s, t, &found.from, &found.to)) {
                continue;
            }
            if (answer->pair_count < answer->pair_capacity) {
                answer->pairs[answer->pair_count] = found;
            }
            answer->pair_count++;
        }
    }
    answer->answered |= ALG_HAS_PAIRS;
}

/* --- The query -------------------------------------------------------------------------------- */

/* Sets the window to the cross-section of the overlap, perpendicular to the separating direction.
 * This direction is one of the axes. */
static void answer_window(const overlap *o, alg_region *region)
{
    const geo_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const int way = region->direction.x != 0 ? 0 : region->direction.y != 0 ? 1 : 2;
    const int u = (way + 1) % 3, v = (way + 2) % 3;
    region->point = o->middle;
    region->side_u = axes[u];
    region->side_v = axes[v];
    region->half_u_m = 0.5 * o->size[u];
    region->half_v_m = 0.5 * o->size[v];
}

/* Lists one contact and one region if the boxes overlap. */
static void answer_lists(const overlap *o, alg_answer *answer)
{
    answer->contact_count = answer->region_count = answer->colliding;
    if (answer->contact_count <= answer->contact_capacity && answer->colliding) {
        answer->contacts[0].point = o->middle;
        answer->contacts[0].normal = answer->direction;
        answer->contacts[0].depth_m = answer->depth_m;
    }
    if (answer->region_count <= answer->region_capacity && answer->colliding) {
        answer->regions[0].direction = answer->direction;
        answer->regions[0].depth_m = answer->depth_m;
        answer->regions[0].area_m2 = sqrt(dot(answer->force, answer->force));
        answer->regions[0].loop = true;
        answer_window(o, &answer->regions[0]);
    }
    answer->answered |= ALG_HAS_CONTACTS | ALG_HAS_REGIONS;
}

static uint64_t clock_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

enum { MOVING, BOXES, TRIANGLES };
static const char *const stages[] = {"moving", "boxes", "triangles", NULL};

/* Reads the clock only if stages are wanted. */
static void end_stage(const pair *p, int stage, uint64_t begin_ns, alg_answer *answer)
{
    if (p->stages) {
        answer->stage_ends_ns[stage] = clock_ns() - begin_ns;
        answer->answered |= ALG_HAS_STAGES;
    }
}

static void query(void *state, const geo_pose *pose, alg_answer *answer)
{
    const pair *const p = state;
    const uint64_t begin_ns = p->stages ? clock_ns() : 0;
    for (size_t i = 0; i < p->b->vertex_count; i++) {
        p->moved[i] = apply(pose, p->b->vertices[i]);
    }
    answer->answered =
        ALG_HAS_DISTANCE | ALG_HAS_CONTACT | ALG_HAS_VOLUME | ALG_HAS_DEPTH | ALG_HAS_FORCE;
    answer->outcome = ALG_CONVERGED;
    end_stage(p, MOVING, begin_ns, answer);

    const geo_box b = box_of(p->moved, p->b->vertex_count);
    const overlap o = intersect(p->a->box, b);
    answer_distance(&o, answer);
    if (answer->colliding) {
        answer_depth(p->a->box, b, answer);
        answer_force(p, pose, &o, answer);
    }
    answer_lists(&o, answer);
    end_stage(p, BOXES, begin_ns, answer);

    if (p->triangles) {
        answer_pairs(p, answer);
    }
    end_stage(p, TRIANGLES, begin_ns, answer);
}

/* The force approximates minus the gradient of the common volume: it has only the component along
 * the separating direction. */
static alg_law law(const alg_settings *settings)
{
    (void)settings;
    return ALG_LAW_AREA;
}

static const alg_algorithm aabb = {
    .abi_version = ALG_ABI_VERSION,
    .name = "aabb",
    .summary = "what the boxes around the bodies say",
    .source = "",
    .force_unit = "m2",
    .stages = stages,
    .contract = contract,
    .prepare = prepare,
    .dispose = free,
    .bind = bind,
    .release = release,
    .query = query,
    .tolerance_ulp = 16,
    .law = law,
};

const alg_plugin *proxbench_plugin(void)
{
    static const alg_algorithm *const algorithms[] = {&aabb, NULL};
    static const alg_plugin plugin = {ALG_ABI_VERSION, sizeof(alg_algorithm), "aabb 1", ALG_SIMD,
                                      algorithms};
    return &plugin;
}
