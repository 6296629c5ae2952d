/** A flux query under way: what flux.c finds and flux_sum.c sums up. */
#ifndef GROUNDTRUTH_FLUX_QUERY_H
#define GROUNDTRUTH_FLUX_QUERY_H

#include "groundtruth/body.h"

/** A crossed triangle; points are relative to the task's origin, in A's frame. */
typedef struct gt_crossed {
    vec3 corner[3];
    vec3 apex;
    vec3 first[3]; /* per crossed edge: its first crossing */
    vec3 normal2;  /* twice the area vector of its part inside, so far */
    uint32_t place;
    int sum[3];      /* per edge: crossings in less those out */
    bool crossed[3]; /* is the edge? */
    int8_t state[3]; /* of the corners; GT_UNKNOWN before they are found */
} gt_crossed;

enum { GT_UNKNOWN = -1 };

/** The crossed triangles of one body. */
typedef struct gt_crossed_side {
    uint32_t *slot; /* per triangle: 1 + its place in items, 0 if it is not crossed */
    size_t slot_capacity;
    gt_crossed *items;
    size_t count, capacity;
    uint32_t *least; /* per shell: 1 + the item with the smallest number, 0 if none is crossed */
    size_t least_capacity;
} gt_crossed_side;

struct gt_flux_space {
    gt_crossed_side side[2];
};

typedef struct gt_flux_task {
    const gt_body *body[2];
    const geo_pose *pose;
    gt_crossed_side *side[2];
    gt_fan part[2]; /* of crossed triangles */
    vec3 origin;    /* a point of the boundary, so that little cancels */
    double grain_m; /* more than the rounding of a point */
    double gaps_m2; /* what a point that is off may do to the volume, per length */
    gt_flux *result;
    base_status status;
    base_error *err;
} gt_flux_task;

/**
 * The triangle apex, from, to belongs to the part inside; apex, to, from takes it away. Often one
 * of the others is the apex too: then it is nothing.
 */
static inline void gt_crossed_add(gt_flux_task *q, int s, gt_crossed *c, vec3 from, vec3 to)
{
    if (!vec3_equal(from, c->apex) && !vec3_equal(to, c->apex)) {
        c->normal2 = vec3_add(c->normal2, gt_fan_add(&q->part[s], c->apex, from, to));
    }
}

/**
 * Everything of body s (0: A, 1: B) that is inside the other one, relative to the task's origin,
 * in A's frame. The task has its crossed triangles.
 */
gt_moments gt_flux_sum(gt_flux_task *task, int s);

#endif
