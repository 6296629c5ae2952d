#include "scenarios/simulation/impulses.h"

#include "base/elementary.h"

#include <math.h>

/* A contact whose velocity is too small by less than this, in m/s, counts as resolved. */
#define SHORT_LEAST 1e-9

/* Contacts are sorted by their depths into buckets of equal widths. Consecutive contacts form a
 * block. An upper bound of the shortfalls in a block excludes most blocks from a search. */
enum { BUCKETS = 4096, BLOCKS_MAX = 512, BLOCK_LEAST = 16, CHUNK = 32 };

/* Bounds and shortfalls are sums of products. Their rounding errors are below this share of the sum
 * of the absolute values of all terms. */
#define BOUND_ERROR 0x1p-45

/** Components of the motion: velocity, then spin. The row of a contact is (n, r x n). The scalar
 * product of row and motion is the speed at which the contact separates. */
enum { ROW = 6 };

/**
 * The contacts of a step: blocks of `order`, which contains the contacts with a normal, sorted by
 * decreasing depth.
 *
 * deepest_m  no contact of this block or of a later one is deeper
 * most       the largest shortfall in the block at the motion `at`, from the last search of the
 *            block; before the first search, the largest wanted speed, with `at` at rest
 * lo, hi     bounds of the block's rows
 */
typedef struct contact_blocks {
    const scn_contact *contacts;
    uint32_t *order;
    size_t count, ordered; /* number of contacts; number of those with a normal */
    const scn_impulse_options *options;
    double h;
    size_t block_size, block_count;
    double normal_size, arm_size, wanted_size; /* largest absolute values */
    double motion_size;                        /* largest absolute value, of all motions so far */
    double deepest_m[BLOCKS_MAX], most[BLOCKS_MAX];
    double at[ROW][BLOCKS_MAX], lo[ROW][BLOCKS_MAX], hi[ROW][BLOCKS_MAX];
} contact_blocks;

static double size_of(vec3 v)
{
    return fabs(v.x) + fabs(v.y) + fabs(v.z);
}

static size_t end_of(const contact_blocks *l, size_t block)
{
    const size_t end = (block + 1) * l->block_size;
    return end < l->ordered ? end : l->ordered;
}

/* --- One contact ------------------------------------------------------------------------------ */

static bool has_normal(const scn_contact *contact)
{
    return vec3_norm2(contact->normal) > 0;
}

/** Returns the speed at which a contact must separate, in m/s. */
static double wanted_speed(const contact_blocks *l, const scn_contact *contact)
{
    return l->options->resolve * (contact->depth_m - l->options->slop_m) / l->h;
}

/** Returns the difference between the wanted speed of a contact and its speed, in m/s; 0 or
 * negative if inertia alone resolves the contact. */
static double shortfall(const contact_blocks *l, const scn_contact *contact, const scn_state *state)
{
    const vec3 arm = vec3_sub(contact->point, state->position);
    const vec3 velocity = vec3_add(state->velocity, vec3_cross(state->spin, arm));
    return wanted_speed(l, contact) - vec3_dot(contact->normal, velocity);
}

/** Returns the change of the contact's velocity along the normal by a unit impulse along the
 * normal. */
static double compliance(const scn_contact *contact, const scn_mass *mass, mat3 inverse_inertia,
                         vec3 centroid)
{
    const vec3 arm = vec3_cross(vec3_sub(contact->point, centroid), contact->normal);
    return 1 / mass->mass_kg + vec3_dot(arm, mat3_mul_vec3(inverse_inertia, arm));
}

/* --- Blocks ----------------------------------------------------------------------------------- */

/** Returns the bucket of a contact. If the difference of depths overflows, NaN gives the last
 * bucket. */
static size_t bucket_of(const scn_contact *contact, double most, double rate)
{
    const double bucket = rate * (most - contact->depth_m);
    return bucket < BUCKETS ? (size_t)bucket : BUCKETS - 1;
}

/** Sorts the contacts with a normal into buckets, the deepest first. Within a bucket they keep the
 * order of the list. */
static void sort(contact_blocks *l)
{
    uint32_t begins[BUCKETS + 1] = {0};
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < l->count; i++) {
        least = base_smaller(l->contacts[i].depth_m, least);
        most = base_larger(l->contacts[i].depth_m, most);
    }
    const double rate = most > least ? (BUCKETS - 1) / (most - least) : 0;
    for (size_t i = 0; i < l->count; i++) {
        begins[bucket_of(&l->contacts[i], most, rate) + 1] += has_normal(&l->contacts[i]);
    }
    for (size_t b = 0; b < BUCKETS; b++) {
        begins[b + 1] += begins[b];
    }
    l->ordered = begins[BUCKETS];
    for (size_t i = 0; i < l->count; i++) {
        if (has_normal(&l->contacts[i])) {
            l->order[begins[bucket_of(&l->contacts[i], most, rate)]++] = (uint32_t)i;
        }
    }
}

static void bound_block(contact_blocks *l, size_t block, vec3 centroid)
{
    double deepest_m = -INFINITY, most = -INFINITY;
    double lo[ROW], hi[ROW];
    for (int k = 0; k < ROW; k++) {
        lo[k] = INFINITY;
        hi[k] = -INFINITY;
    }
    for (size_t i = block * l->block_size; i < end_of(l, block); i++) {
        const scn_contact *const c = &l->contacts[l->order[i]];
        const vec3 n = c->normal, arm = vec3_sub(c->point, centroid), turn = vec3_cross(arm, n);
        const double row[ROW] = {n.x, n.y, n.z, turn.x, turn.y, turn.z};
        const double wanted = wanted_speed(l, c);
        for (int k = 0; k < ROW; k++) {
            lo[k] = base_smaller(row[k], lo[k]);
            hi[k] = base_larger(row[k], hi[k]);
        }
        deepest_m = base_larger(c->depth_m, deepest_m);
        most = base_larger(wanted, most);
        l->normal_size = base_larger(size_of(n), l->normal_size);
        l->arm_size = base_larger(size_of(arm), l->arm_size);
        l->wanted_size = base_larger(fabs(wanted), l->wanted_size);
    }
    l->deepest_m[block] = deepest_m;
    l->most[block] = most;
    for (int k = 0; k < ROW; k++) {
        l->at[k][block] = 0;
        l->lo[k][block] = lo[k];
        l->hi[k][block] = hi[k];
    }
}

static void make_blocks(contact_blocks *l, vec3 centroid)
{
    sort(l);
    const size_t fair = (l->ordered + BLOCKS_MAX - 1) / BLOCKS_MAX;
    l->block_size = fair > BLOCK_LEAST ? fair : BLOCK_LEAST;
    l->block_count = (l->ordered + l->block_size - 1) / l->block_size;
    for (size_t b = 0; b < l->block_count; b++) {
        bound_block(l, b, centroid);
    }
    for (size_t b = l->block_count; b-- > 1;) {
        l->deepest_m[b - 1] = base_larger(l->deepest_m[b], l->deepest_m[b - 1]);
    }
}

/* --- The deepest contact ---------------------------------------------------------------------- */

/**
 * Computes upper bounds of the shortfalls in blocks from `first` on. Since the last search of a
 * block, no shortfall in it has increased by more than at the worst corner of the box of its rows.
 */
static void find_bounds(const contact_blocks *l, size_t first, const double motion[ROW],
                        double bounds[CHUNK])
{
    const double error =
        BOUND_ERROR * (l->normal_size * (1 + 2 * l->arm_size) * l->motion_size + l->wanted_size);
    const size_t left = l->block_count - first, count = left < CHUNK ? left : CHUNK;
    for (size_t i = 0; i < count; i++) {
        bounds[i] = l->most[first + i] + error;
    }
    for (int k = 0; k < ROW; k++) {
        const double *const at = l->at[k] + first;
        const double *const lo = l->lo[k] + first, *const hi = l->hi[k] + first;
        for (size_t i = 0; i < count; i++) {
            const double change = motion[k] - at[i];
            bounds[i] -= base_smaller(change * lo[i], change * hi[i]);
        }
    }
}

/** True if contact i comes before `deepest`, which is `count` initially. */
static bool is_before(const contact_blocks *l, size_t i, size_t deepest)
{
    const scn_contact *const contacts = l->contacts;
    return deepest == l->count || contacts[i].depth_m > contacts[deepest].depth_m ||
           (contacts[i].depth_m == contacts[deepest].depth_m && i < deepest);
}

/** Returns the deepest eligible contact of a block if it comes before `deepest`; else `deepest`. */
static size_t search_block(contact_blocks *l, size_t block, const scn_state *state,
                           const double motion[ROW], size_t deepest)
{
    double most = -INFINITY;
    for (size_t k = block * l->block_size; k < end_of(l, block); k++) {
        const size_t i = l->order[k];
        const double lacks = shortfall(l, &l->contacts[i], state);
        deepest = lacks > SHORT_LEAST && is_before(l, i, deepest) ? i : deepest;
        most = base_larger(lacks, most);
    }
    l->most[block] = most;
    for (int k = 0; k < ROW; k++) {
        l->at[k][block] = motion[k];
    }
    return deepest;
}

/** Returns the deepest eligible contact, the first of equal ones; `count` if no contact is
 * eligible. */
static size_t find_deepest(contact_blocks *l, const scn_state *state)
{
    const vec3 v = state->velocity, w = state->spin;
    const double motion[ROW] = {v.x, v.y, v.z, w.x, w.y, w.z};
    double bounds[CHUNK];
    size_t deepest = l->count;
    l->motion_size = base_larger(size_of(v) + size_of(w), l->motion_size);
    for (size_t b = 0; b < l->block_count; b++) {
        if (deepest < l->count && l->deepest_m[b] < l->contacts[deepest].depth_m) {
            break;
        }
        if (b % CHUNK == 0) {
            find_bounds(l, b, motion, bounds);
        }
        if (bounds[b % CHUNK] > SHORT_LEAST) {
            deepest = search_block(l, b, state, motion, deepest);
        }
    }
    return deepest;
}

/* --- Impulses --------------------------------------------------------------------------------- */

scn_impulse_result scn_impulses(const scn_contacts *list, const scn_mass *mass,
                                const scn_impulse_options *options, double h, scn_state *state)
{
    const mat3 inverse_inertia = scn_state_inverse_inertia(state, mass);
    scn_impulse_result result = {0};
    contact_blocks l;
    l.contacts = list->items;
    l.order = list->order;
    l.count = list->count;
    l.options = options;
    l.h = h;
    l.normal_size = l.arm_size = l.wanted_size = l.motion_size = 0;
    make_blocks(&l, state->position);
    size_t next = find_deepest(&l, state);
    while (next < l.count && result.count < options->limit) {
        const scn_contact *const c = &l.contacts[next];
        const double size =
            shortfall(&l, c, state) / compliance(c, mass, inverse_inertia, state->position);
        const vec3 impulse = vec3_scale(size, c->normal);
        const vec3 angular = vec3_cross(vec3_sub(c->point, state->position), impulse);
        result.impulse_ns = vec3_add(result.impulse_ns, impulse);
        result.angular_nms = vec3_add(result.angular_nms, angular);
        scn_state_push(state, mass, impulse, c->point, vec3_make(0, 0, 0));
        result.count++;
        next = find_deepest(&l, state);
    }
    result.cut = next < l.count;
    return result;
}
