#include "scenarios/simulation/simulation.h"

#include "base/elementary.h"
#include "geometry/vec.h"

#include <math.h>

/* --- Rigid body ------------------------------------------------------------------------------- */

/* --- Mass ------------------------------------------------------------------------------------- */

/** Returns m + s (v v^T). */
static mat3 add_square(mat3 m, double s, vec3 v)
{
    return (mat3){{vec3_madd(m.row[0], s * v.x, v), vec3_madd(m.row[1], s * v.y, v),
                   vec3_madd(m.row[2], s * v.z, v)}};
}

/**
 * Returns the integral of x x^T over the solid, about the centroid. For the tetrahedron of the
 * centroid and a face (a, b, c) it is det(a, b, c) / 120 times the sum of the squares of a, b, c
 * and a + b + c.
 */
static mat3 second_moment(const geo_mesh *mesh, vec3 centroid)
{
    mat3 sum = {0};
    for (size_t f = 0; f < mesh->face_count; f++) {
        const geo_triangle t = geo_mesh_triangle(mesh, f);
        const vec3 a = vec3_sub(t.p[0], centroid), b = vec3_sub(t.p[1], centroid);
        const vec3 c = vec3_sub(t.p[2], centroid);
        const double share = vec3_dot(a, vec3_cross(b, c)) / 120;
        sum = add_square(sum, share, a);
        sum = add_square(sum, share, b);
        sum = add_square(sum, share, c);
        sum = add_square(sum, share, vec3_add(vec3_add(a, b), c));
    }
    return sum;
}

/** Returns trace(m) 1 - m. Both sides of the diagonal are computed from the same terms. */
static mat3 inertia_of(mat3 m)
{
    const double xx = m.row[0].x, yy = m.row[1].y, zz = m.row[2].z;
    const double xy = m.row[0].y, yz = m.row[1].z, zx = m.row[2].x;
    return (mat3){{{yy + zz, -xy, -zx}, {-xy, zz + xx, -yz}, {-zx, -yz, xx + yy}}};
}

static mat3 scaled(double s, mat3 m)
{
    return (mat3){{vec3_scale(s, m.row[0]), vec3_scale(s, m.row[1]), vec3_scale(s, m.row[2])}};
}

/** Inverts a symmetric positive definite matrix by its cofactors. Returns false for other
 * matrices. */
static bool invert(mat3 m, mat3 *inverse)
{
    const vec3 *const r = m.row;
    const mat3 cofactors = {
        {vec3_cross(r[1], r[2]), vec3_cross(r[2], r[0]), vec3_cross(r[0], r[1])}};
    const double determinant = vec3_dot(r[0], cofactors.row[0]);
    *inverse = scaled(1 / determinant, cofactors);
    return r[0].x > 0 && cofactors.row[2].z > 0 && determinant > 0 &&
           vec3_isfinite(inverse->row[0]) && vec3_isfinite(inverse->row[1]) &&
           vec3_isfinite(inverse->row[2]);
}

base_status scn_mass_of(const geo_mesh *mesh, double density_kg_m3, scn_mass *mass, base_error *err)
{
    const geo_mesh_measure measure = geo_mesh_measures(mesh);
    if (!(measure.volume_m3 > 0)) {
        return base_fail(
            err, BASE_ERR_ARGUMENT,
            "a body needs a volume above 0 to have a mass; that of its mesh is %.6g m3",
            measure.volume_m3);
    }
    *mass = (scn_mass){
        .mass_kg = density_kg_m3 * measure.volume_m3,
        .centroid = measure.centroid,
        .inertia_kg_m2 = scaled(density_kg_m3, inertia_of(second_moment(mesh, measure.centroid))),
    };
    if (!invert(mass->inertia_kg_m2, &mass->inverse_inertia)) {
        return base_fail(err, BASE_ERR_ARGUMENT,
                         "a body of %.6g m3 at %.6g kg/m3 has no inertia that can be inverted",
                         measure.volume_m3, density_kg_m3);
    }
    return BASE_OK;
}

/* --- State ------------------------------------------------------------------------------------ */

void scn_state_pose(const scn_state *state, const scn_mass *mass, vec3 *position,
                    geo_quat *orientation)
{
    const mat3 rotation = geo_quat_matrix(state->orientation);
    *position = vec3_sub(state->position, mat3_mul_vec3(rotation, mass->centroid));
    *orientation = state->orientation;
}

scn_state scn_state_at(const scn_mass *mass, vec3 position, geo_quat orientation)
{
    const geo_pose pose = geo_pose_make(orientation, position);
    return (scn_state){.position = geo_pose_apply(&pose, mass->centroid),
                       .orientation = geo_quat_normalize(orientation)};
}

/** Returns R m R^T v. */
static vec3 mul_turned(mat3 rotation, mat3 m, vec3 v)
{
    return mat3_mul_vec3(rotation, mat3_mul_vec3(m, mat3_tmul_vec3(rotation, v)));
}

vec3 scn_state_momentum(const scn_state *state, const scn_mass *mass, vec3 spin)
{
    return mul_turned(geo_quat_matrix(state->orientation), mass->inertia_kg_m2, spin);
}

double scn_state_energy(const scn_state *state, const scn_mass *mass)
{
    return 0.5 * (mass->mass_kg * vec3_norm2(state->velocity) +
                  vec3_dot(state->spin, scn_state_momentum(state, mass, state->spin)));
}

mat3 scn_state_inverse_inertia(const scn_state *state, const scn_mass *mass)
{
    const mat3 rotation = geo_quat_matrix(state->orientation);
    return mat3_mul(mat3_mul(rotation, mass->inverse_inertia), mat3_transpose(rotation));
}

void scn_state_push(scn_state *state, const scn_mass *mass, vec3 impulse, vec3 point, vec3 angular)
{
    const vec3 arm = vec3_sub(point, state->position);
    const vec3 twist = vec3_add(vec3_cross(arm, impulse), angular);
    const mat3 rotation = geo_quat_matrix(state->orientation);
    state->velocity = vec3_madd(state->velocity, 1 / mass->mass_kg, impulse);
    state->spin = vec3_add(state->spin, mul_turned(rotation, mass->inverse_inertia, twist));
}

double scn_state_work(const scn_state *before, const scn_state *after, vec3 impulse, vec3 angular)
{
    return 0.5 * (vec3_dot(impulse, vec3_add(before->velocity, after->velocity)) +
                  vec3_dot(angular, vec3_add(before->spin, after->spin)));
}

/* --- Motion ----------------------------------------------------------------------------------- */

/* Largest rotation in a part of a step, in radians. With it, each iteration reduces the error to a
 * quarter for any body, because two principal inertias differ by no more than the third. */
#define PART_TURN 0.25

enum { MIDPOINT_ROUNDS = 24, PARTS_MAX = 64 };

/** Returns the mean spin of a step in the body's axes, from the spin s at its begin: the solution m
 * of 2 I (m - s) = h (I m) x m, by fixed-point iteration. */
static vec3 mean_spin(const scn_mass *mass, vec3 spin, double h)
{
    vec3 mean = spin;
    for (int round = 0; round < MIDPOINT_ROUNDS; round++) {
        const vec3 momentum = mat3_mul_vec3(mass->inertia_kg_m2, mean);
        const vec3 torque = vec3_cross(momentum, mean);
        const vec3 next = vec3_madd(spin, 0.5 * h, mat3_mul_vec3(mass->inverse_inertia, torque));
        if (vec3_equal(next, mean)) {
            break;
        }
        mean = next;
    }
    return mean;
}

/** Turns for h seconds. The new spin has the same angular momentum. */
static void turn(scn_state *state, const scn_mass *mass, double h)
{
    const mat3 before = geo_quat_matrix(state->orientation);
    const vec3 momentum = mul_turned(before, mass->inertia_kg_m2, state->spin);
    const vec3 mean = mean_spin(mass, mat3_tmul_vec3(before, state->spin), h);
    /* The rotation vector of the midpoint rule has the direction of the mean spin; the tangent of
     * half its angle is the length of `half`. */
    const vec3 half = vec3_scale(0.5 * h, mean);
    const geo_quat by = {half.x, half.y, half.z, 1};
    state->orientation = geo_quat_normalize(geo_quat_mul(state->orientation, by));
    state->spin = mul_turned(geo_quat_matrix(state->orientation), mass->inverse_inertia, momentum);
}

void scn_state_move(scn_state *state, const scn_mass *mass, double h)
{
    state->position = vec3_madd(state->position, h, state->velocity);
    const double parts = ceil(fmin(PARTS_MAX, h * vec3_norm(state->spin) / PART_TURN));
    for (int i = 0; i < (int)fmax(1, parts); i++) {
        turn(state, mass, h / fmax(1, parts));
    }
}

vec3 scn_turn_between(geo_quat from, geo_quat to)
{
    const geo_quat back = {-from.x, -from.y, -from.z, from.w};
    const geo_quat q = geo_quat_mul(to, back);
    const double sign = q.w < 0 ? -1 : 1;
    const vec3 axis = vec3_make(sign * q.x, sign * q.y, sign * q.z);
    const double sine = vec3_norm(axis);
    return sine > 0 ? vec3_scale(2 * base_atan2(sine, fabs(q.w)) / sine, axis) : vec3_make(0, 0, 0);
}

/* --- Impulses --------------------------------------------------------------------------------- */

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

size_t scn_impulses_eligible(const scn_contacts *list, const scn_impulse_options *options, double h,
                             const scn_state *state)
{
    contact_blocks l;
    size_t count = 0;
    l.options = options;
    l.h = h;
    for (size_t i = 0; i < list->count; i++) {
        const scn_contact *const c = &list->items[i];
        count += has_normal(c) && shortfall(&l, c, state) > SHORT_LEAST;
    }
    return count;
}

/* Tolerance of the number of steps in the device's duration, as a share of a step. Rounding of
 * times does not lose a step. */
#define STEP_SLACK 1e-6

/* --- Virtual coupling ------------------------------------------------------------------------- */

static double frequency(const scn_coupling *coupling, const scn_mass *mass)
{
    return sqrt(coupling->stiffness_n_m / mass->mass_kg);
}

/** Returns the change of a velocity by the coupling in a step. apart: position or angle of the
 * device relative to the body. */
static vec3 velocity_change(double w, double h, vec3 apart, vec3 device, vec3 body)
{
    const double wh = w * h, divisor = 1 + 2 * wh + wh * wh;
    const vec3 pull = vec3_madd(vec3_scale(w * wh, apart), 2 * wh, device);
    return vec3_scale(1 / divisor, vec3_madd(pull, -(2 * wh + wh * wh), body));
}

scn_coupling_step scn_coupling_pull(const scn_coupling *coupling, const scn_mass *mass,
                                    const scn_device *device, double h, scn_state *state)
{
    const double w = frequency(coupling, mass);
    const vec3 way = vec3_sub(device->position, state->position);
    const vec3 turn = scn_turn_between(state->orientation, device->orientation);
    const vec3 faster = velocity_change(w, h, way, device->velocity, state->velocity);
    const vec3 spun = velocity_change(w, h, turn, device->spin, state->spin);
    const vec3 impulse = vec3_scale(mass->mass_kg, faster);
    const vec3 angular = scn_state_momentum(state, mass, spun);
    scn_state_push(state, mass, impulse, state->position, angular);
    return (scn_coupling_step){
        .force_n = vec3_scale(1 / h, impulse),
        .torque_nm = vec3_scale(1 / h, angular),
    };
}

double scn_coupling_energy(const scn_coupling *coupling, const scn_mass *mass,
                           const scn_device *device, const scn_state *state)
{
    const double w = frequency(coupling, mass);
    const vec3 turn = scn_turn_between(state->orientation, device->orientation);
    return 0.5 * (coupling->stiffness_n_m * vec3_distance2(device->position, state->position) +
                  w * w * vec3_dot(turn, scn_state_momentum(state, mass, turn)));
}

/* --- Begin ------------------------------------------------------------------------------------ */

static bool is_positive(double x)
{
    return x > 0 && isfinite(x);
}

static base_status check_options(const scn_simulation_options *o, base_error *err)
{
    if (!is_positive(o->step_s)) {
        return base_fail(err, BASE_ERR_ARGUMENT, "a step of %.6g s is not above 0", o->step_s);
    }
    if (!is_positive(o->density_kg_m3)) {
        return base_fail(err, BASE_ERR_ARGUMENT, "a density of %.6g kg/m3 is not above 0",
                         o->density_kg_m3);
    }
    if (!is_positive(o->coupling.stiffness_n_m)) {
        return base_fail(err, BASE_ERR_ARGUMENT, "a coupling of %.6g N/m is not above 0",
                         o->coupling.stiffness_n_m);
    }
    if (!(o->impulses.resolve >= 0 && o->impulses.resolve <= 1)) {
        return base_fail(err, BASE_ERR_ARGUMENT,
                         "the share of depth that impulses resolve is %.6g, not in 0 to 1",
                         o->impulses.resolve);
    }
    if (!(o->impulses.slop_m >= 0 && isfinite(o->impulses.slop_m))) {
        return base_fail(err, BASE_ERR_ARGUMENT, "a slop of %.6g m is below 0", o->impulses.slop_m);
    }
    return BASE_OK;
}

/** Returns the device's pose at a time, with velocities 0. */
static scn_device device_at(scn_simulation *simulation, double t_s)
{
    const scn_frame frame = scn_trajectory_at(simulation->device, t_s, &simulation->at);
    const scn_state state = scn_state_at(&simulation->mass, frame.position, frame.orientation);
    return (scn_device){.position = state.position, .orientation = state.orientation};
}

base_status scn_simulation_begin(const geo_mesh *b, const scn_trajectory *device,
                                 const scn_simulation_options *options, const scn_step *from,
                                 scn_simulation *simulation, base_error *err)
{
    *simulation = (scn_simulation){.options = *options, .device = device};
    if (device->frame_count == 0) {
        return base_fail(err, BASE_ERR_ARGUMENT, "a device needs at least one frame");
    }
    base_status status = check_options(options, err);
    if (status == BASE_OK) {
        status = scn_mass_of(b, options->density_kg_m3, &simulation->mass, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    if (from) {
        simulation->last = *from;
        return BASE_OK;
    }
    const double t_s = device->frames[0].t_s;
    const scn_device first = device_at(simulation, t_s);
    simulation->last = (scn_step){
        .t_s = t_s,
        .device = first,
        .state = {.position = first.position, .orientation = first.orientation},
    };
    return BASE_OK;
}

uint64_t scn_simulation_steps(const scn_simulation *simulation)
{
    const scn_trajectory *const device = simulation->device;
    const double first = device->frames[0].t_s, last = device->frames[device->frame_count - 1].t_s;
    return (uint64_t)((last - first) / simulation->options.step_s + STEP_SLACK);
}

/* --- A step ----------------------------------------------------------------------------------- */

/** Returns the time at the end of a step. It is not a sum, so it does not depend on the step at
 * which a simulation began. */
static double time_of(const scn_simulation *simulation, uint64_t number)
{
    return simulation->device->frames[0].t_s + simulation->options.step_s * (double)number;
}

/** Returns the device at the end of the next step, with its mean velocities during the step. */
static scn_device next_device(scn_simulation *simulation, double t_s)
{
    const scn_device *const before = &simulation->last.device;
    const double rate = 1 / simulation->options.step_s;
    scn_device device = device_at(simulation, t_s);
    device.velocity = vec3_scale(rate, vec3_sub(device.position, before->position));
    device.spin = vec3_scale(rate, scn_turn_between(before->orientation, device.orientation));
    return device;
}

/** The response at the begin of a step. */
typedef struct answer {
    scn_contacts contacts;
    vec3 force_n, torque_nm;
} answer;

static base_status ask(const scn_simulation *simulation, const scn_response *response, answer *said,
                       base_error *err)
{
    vec3 position;
    geo_quat orientation;
    scn_state_pose(&simulation->last.state, &simulation->mass, &position, &orientation);
    *said = (answer){0};
    return response->contacts
               ? response->contacts(response->context, position, orientation, &said->contacts, err)
               : response->force(response->context, position, orientation, &said->force_n,
                                 &said->torque_nm, err);
}

static void apply_impulses(const scn_simulation *simulation, const answer *said, scn_step *step)
{
    const double h = simulation->options.step_s;
    const scn_contacts *const contacts = &said->contacts;
    const scn_impulse_result done =
        scn_impulses(contacts, &simulation->mass, &simulation->options.impulses, h, &step->state);
    step->contact_count = contacts->count;
    step->impulse_count = done.count;
    for (size_t i = 0; i < contacts->count; i++) {
        step->deepest_m = fmax(step->deepest_m, contacts->items[i].depth_m);
    }
    step->touching = contacts->count > 0;
    step->contact_force_n = vec3_scale(1 / h, done.impulse_ns);
    step->contact_torque_nm = vec3_scale(1 / h, done.angular_nms);
    step->cut = done.cut;
}

static void apply_force(const scn_simulation *simulation, const answer *said, scn_step *step)
{
    const double h = simulation->options.step_s;
    step->touching = vec3_norm2(said->force_n) > 0 || vec3_norm2(said->torque_nm) > 0;
    step->contact_force_n = said->force_n;
    step->contact_torque_nm = said->torque_nm;
    scn_state_push(&step->state, &simulation->mass, vec3_scale(h, said->force_n),
                   step->state.position, vec3_scale(h, said->torque_nm));
}

/**
 * Adds the works of coupling and contact before the body moves. Both use the velocities at the
 * begin and at the end of the step, so that a body that is held between device and contact gets no
 * energy from either.
 */
static void count_work(const scn_simulation *simulation, scn_step *step)
{
    const scn_step *const last = &simulation->last;
    const double h = simulation->options.step_s;
    step->coupling_work_j = last->coupling_work_j + h * scn_state_work(&last->state, &step->state,
                                                                       step->coupling_force_n,
                                                                       step->coupling_torque_nm);
    step->contact_work_j =
        last->contact_work_j + h * scn_state_work(&last->state, &step->state, step->contact_force_n,
                                                  step->contact_torque_nm);
}

/** False if a velocity is not finite or its square overflows, because then the energies are not
 * finite. */
static bool is_finite(const scn_step *step)
{
    return vec3_isfinite(step->state.position) && isfinite(step->kinetic_j) &&
           isfinite(step->spring_j) && isfinite(step->coupling_work_j) &&
           isfinite(step->contact_work_j);
}

base_status scn_simulation_step(scn_simulation *simulation, const scn_response *response,
                                base_error *err)
{
    const scn_simulation_options *const options = &simulation->options;
    const scn_step *const last = &simulation->last;
    answer said;
    const base_status status = ask(simulation, response, &said, err);
    if (status != BASE_OK) {
        return status;
    }
    scn_step step = {
        .number = last->number + 1,
        .t_s = time_of(simulation, last->number + 1),
        .state = last->state,
    };
    step.device = next_device(simulation, step.t_s);
    const scn_coupling_step pulled = scn_coupling_pull(&options->coupling, &simulation->mass,
                                                       &step.device, options->step_s, &step.state);
    step.coupling_force_n = pulled.force_n;
    step.coupling_torque_nm = pulled.torque_nm;
    if (response->contacts) {
        apply_impulses(simulation, &said, &step);
    } else {
        apply_force(simulation, &said, &step);
    }
    count_work(simulation, &step);
    scn_state_move(&step.state, &simulation->mass, options->step_s);
    step.kinetic_j = scn_state_energy(&step.state, &simulation->mass);
    step.spring_j =
        scn_coupling_energy(&options->coupling, &simulation->mass, &step.device, &step.state);
    if (!is_finite(&step)) {
        return base_fail(err, BASE_ERR_INPUT,
                         "the body's motion is not finite at %.6g s: forces are too stiff for "
                         "steps of %.6g s",
                         step.t_s, options->step_s);
    }
    simulation->last = step;
    return BASE_OK;
}
