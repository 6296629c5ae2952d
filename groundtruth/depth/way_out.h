/**
 * Places: translations of B, those at which it overlaps A and those that are free. The upper end of
 * the penetration depth is the free place nearest to 0 that a search finds.
 */
#ifndef GROUNDTRUTH_WAY_OUT_H
#define GROUNDTRUTH_WAY_OUT_H

#include "groundtruth/body/types.h"

typedef struct gt_place {
    vec3 at;     /* A's frame, from where B is */
    double gap;  /* between the bodies; > 0 where the place is free */
    vec3 normal; /* unit: of a free place, the way in which the gap grows fastest */
    vec3 common; /* of one that is not, where the surfaces meet or come nearest */
} gt_place;

typedef struct gt_way_out {
    const gt_body *a, *b;
    const geo_pose *pose;
    double slack;    /* of the gap at any place as far away as the bodies are large */
    vec3 nearest;    /* the free place nearest to 0 so far */
    double length;   /* of it; infinity at first */
    uint64_t places; /* looked at */
    uint64_t starts; /* free places from which nearer ones were sought */
} gt_way_out;

gt_way_out gt_way_out_make(const gt_body *a, const gt_body *b, const geo_pose *pose);

/** Is the place free, as gt_distance_query has it? 0.04 ms for two meshes of 60,000 triangles. */
gt_place gt_way_out_look(gt_way_out *way, vec3 at);

/** From outside, in directions all around. Some free place is known after it. */
void gt_way_out_search(gt_way_out *way);

/** If the place is free and nearer to 0 than the nearest so far, seeks from there. */
gt_place gt_way_out_try(gt_way_out *way, vec3 at);

/** Goes on from the nearest place as far as digits last; what is left of the gap is some slack. */
void gt_way_out_polish(gt_way_out *way);

#endif
