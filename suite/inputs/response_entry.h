/**
 * Implicit sphere trees with the response of their paper, as a contestant: imp-response. A query
 * finds the contacts of a pose, as imp does, and computes the impulses that resolve them.
 *
 * The body's velocity is its motion from the previous pose to this one, in one step; in the first
 * frame of a pass the body is at rest. The impulses do not move the body: the next pose is that of
 * the trajectory. So the trajectory should be the path of a body with response, as `simulate`
 * writes it.
 *
 * The counters say how many contacts the impulses had to resolve:
 *
 *   eligible_count   contacts that inertia alone would not resolve in the next step
 *   later_count      contacts that are eligible after the first impulse
 *   impulses_count   impulses
 *   left_count       contacts that are still eligible after the last impulse
 *   deep_count       contacts that are deeper than an edge of A's voxels
 *
 * Source   IMP 3.3.1
 */
#ifndef SUITE_RESPONSE_ENTRY_H
#define SUITE_RESPONSE_ENTRY_H

/** Adds it to the registry. */
void bench_response_entry_register(void);

#endif
