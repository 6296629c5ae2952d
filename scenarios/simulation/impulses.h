/**
 * Impulses that keep bodies out of each other, from one list of contacts.
 *
 * The deepest contact that is eligible gets an impulse along its normal, which changes the
 * velocities of the body; then the deepest of those that are eligible now, and so on until none is,
 * or the limit is met. A contact is eligible where it would not be resolved by inertia alone: its
 * depth d, less `slop`, would not fall by the share `resolve` in the next step,
 *
 *     n . u h < resolve (d - slop),
 *
 * u the velocity of B at the contact. The impulse, which pushes, makes that an equality:
 * j = (resolve (d - slop) / h - n . u) / (1 / m + n . (I^-1 (r x n)) x r) > 0. resolve = 1 is the
 * paper's; less keeps bodies from being thrown out. A contact whose velocity is short by less than
 * 1 nm/s is left as it is: otherwise roundings would be corrected for ever.
 *
 * Source   IMP 3.3.1; Guendelman2003.
 */
#ifndef SCENARIOS_IMPULSES_H
#define SCENARIOS_IMPULSES_H

#include "scenarios/simulation/rigid.h"

#include <stdint.h>

/** A point where the bodies meet: as alg_contact, in A's frame. */
typedef struct scn_contact {
    vec3 point, normal; /* unit: the direction in which B moves out; 0: cannot be resolved */
    double depth_m;
} scn_contact;

/** A list of contacts. `order` has room for `count` numbers, fewer than 2^32; the solver writes
 * there. */
typedef struct scn_contacts {
    const scn_contact *items;
    uint32_t *order;
    size_t count;
} scn_contacts;

typedef struct scn_impulse_options {
    double resolve; /* 0 to 1 */
    double slop_m;  /* depth that contacts keep, so that they do not come and go */
    size_t limit;   /* of impulses in a step */
} scn_impulse_options;

typedef struct scn_impulse_result {
    vec3 impulse_ns, angular_nms; /* sums; about the centroid */
    size_t count;
    bool cut; /* by the limit */
} scn_impulse_result;

/**
 * The result has the bits of a search of all contacts before each impulse. Such searches are
 * avoided: contacts of similar depths form up to 512 blocks, and an upper bound of the shortfalls
 * of each block follows the velocities.
 *
 * Memory   no allocation; 100 kB of stack.
 * Cost     O(contacts) once, and a search of few blocks an impulse. 10,000 contacts with 280 to
 *          1000 impulses take 0.4 to 1.1 ms, plain searches 17 to 47 times as long.
 */
scn_impulse_result scn_impulses(const scn_contacts *contacts, const scn_mass *mass,
                                const scn_impulse_options *options, double h, scn_state *state);

#endif
