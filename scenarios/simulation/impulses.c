#include "scenarios/simulation/impulses.h"

/* A contact whose velocity is short by less, in m/s, has been resolved. */
#define SHORT_LEAST 1e-9

/** By how much a contact moves out too slowly, in m/s; 0 or below: it is resolved by inertia
 * alone. */
static double shortfall(const scn_contact *contact, const scn_impulse_options *options, double h,
                        const scn_state *state)
{
    const vec3 arm = vec3_sub(contact->point, state->position);
    const vec3 velocity = vec3_add(state->velocity, vec3_cross(state->spin, arm));
    const double wanted = options->resolve * (contact->depth_m - options->slop_m) / h;
    return wanted - vec3_dot(contact->normal, velocity);
}

/** The deepest contact that is eligible, the first of several; `count` if none is. */
static size_t find_deepest(const scn_contact *contacts, size_t count,
                           const scn_impulse_options *options, double h, const scn_state *state)
{
    size_t deepest = count;
    for (size_t i = 0; i < count; i++) {
        const bool deeper = deepest == count || contacts[i].depth_m > contacts[deepest].depth_m;
        if (deeper && vec3_norm2(contacts[i].normal) > 0 &&
            shortfall(&contacts[i], options, h, state) > SHORT_LEAST) {
            deepest = i;
        }
    }
    return deepest;
}

/** By how much a unit impulse along the normal changes the velocity of the contact along it. */
static double compliance(const scn_contact *contact, const scn_mass *mass, mat3 inverse_inertia,
                         vec3 centroid)
{
    const vec3 arm = vec3_cross(vec3_sub(contact->point, centroid), contact->normal);
    return 1 / mass->mass_kg + vec3_dot(arm, mat3_mul_vec3(inverse_inertia, arm));
}

scn_impulse_result scn_impulses(const scn_contact *contacts, size_t count, const scn_mass *mass,
                                const scn_impulse_options *options, double h, scn_state *state)
{
    const mat3 inverse_inertia = scn_state_inverse_inertia(state, mass);
    scn_impulse_result result = {0};
    size_t next = find_deepest(contacts, count, options, h, state);
    while (next < count && result.count < options->limit) {
        const scn_contact *const c = &contacts[next];
        const double size =
            shortfall(c, options, h, state) / compliance(c, mass, inverse_inertia, state->position);
        const vec3 impulse = vec3_scale(size, c->normal);
        const vec3 angular = vec3_cross(vec3_sub(c->point, state->position), impulse);
        result.impulse_ns = vec3_add(result.impulse_ns, impulse);
        result.angular_nms = vec3_add(result.angular_nms, angular);
        scn_state_push(state, mass, impulse, c->point, vec3_make(0, 0, 0));
        result.count++;
        next = find_deepest(contacts, count, options, h, state);
    }
    result.cut = next < count;
    return result;
}
