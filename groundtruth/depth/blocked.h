/**
 * Translations of B at which it certainly overlaps A: the lower end of the penetration depth.
 *
 * Let x be inside A, at a distance r from its surface, and inside B, at q from that. B moved by
 * less than r + q still has a point in the interior of A: a ball of translations none of which is
 * free. So it is when x is outside of one of the two, if that distance counts as negative. A cube
 * of translations inside such a ball holds no free place; others are cut into eight, always the one
 * that comes nearest to 0. So whatever is still to be looked at is no nearer to 0 than that.
 */
#ifndef GROUNDTRUTH_BLOCKED_H
#define GROUNDTRUTH_BLOCKED_H

#include "groundtruth/depth/way_out.h"

/** No translation nearer to the centre than the radius is free, as is seen at the point. */
typedef struct gt_blocked_ball {
    vec3 centre, point; /* translation; A's frame */
    double radius;      /* negative: there is none, but one may be found from here */
} gt_blocked_ball;

/** A cube of translations. */
typedef struct gt_blocked_cell {
    vec3 centre;
    double half;          /* of its edge */
    gt_blocked_ball near; /* found around the centre of the cell that it is part of */
} gt_blocked_cell;

enum {
    GT_CELLS_MAX = 60000, /* made in one search */
    GT_BALLS_MAX = 2048,  /* kept for all cells, the first ones: the large ones */
};

/** What a search writes to. */
typedef struct gt_blocked_space {
    gt_blocked_cell cells[GT_CELLS_MAX];
    uint64_t queue[GT_CELLS_MAX]; /* a heap: the nearest to 0 first */
    gt_blocked_ball balls[GT_BALLS_MAX];
    size_t cell_count, queue_count, ball_count;
} gt_blocked_space;

typedef struct gt_blocked {
    double least_m; /* no place nearer to 0 than this is free */
    uint64_t cells; /* looked at */
} gt_blocked;

/**
 * Until least_m is within half a percent of way->length, or cells run out. Tries the places that it
 * comes across, so way->length may come down. B overlaps A where it is.
 */
void gt_blocked_search(gt_way_out *way, gt_blocked_space *space, gt_blocked *result);

#endif
