/** The variants on which the theories of the contract are tested, and their frames. */
#ifndef ALGORITHMS_TESTS_CONTRACT_H
#define ALGORITHMS_TESTS_CONTRACT_H

#include "algorithms/tests/scene.h"
#include "base/tests/support.h"

#include <stdlib.h>

/** Small variants of all entries without ALG_KNOWN_BAD. Those of an entry are consecutive. */
static const char *const variants[] = {
    "floor",
    "brute",
    "exact-pairs",
    "ist:voxels=16",
    "ist:branching=2,directions=cones,radius=centroid,start=last,voxels=12",
    "ist:branching=16,packing=cover,voxels=12",
    "ist:radius=shares,spheres=60,voxels=12",
    "ist:branching=8,criterion=outside,hierarchy=layered,packing=refined,spheres=60,voxels=12",
    "ist:spheres=1,voxels=8",
    "ist-gradient:branching=8,start=last,voxels=12",
    "ist-gradient:error=20,radius=primary",
    "ist-triangles:start=last,voxels=12",
    "ist-triangles:band=1,rounds=1,voxels=8",
    "ist-exact:packing=cover,start=last,voxels=12",
    "ist-exact:voxels=8",
    "bounds-budget:cells=6,voxels=8",
    "bounds-budget:budget=50,cells=12,voxels=12",
    "vps:shell-voxels=8,voxels=12",
    "vps:depth=field,shell-voxels=8,storage=dense,voxels=10",
    "vps:contact=possible,depth=field,layers=1,shell-voxels=6,voxels=12,voxmap=moving",
    "vps:contact=sure,depth=layers,shell=blue-noise,shell-voxels=8,voxels=9,weights=area",
    "vps:generator=old,shell-voxels=4,voxels=8,voxmap=moving",
    "vps:generator=paper,shell=all,shell-voxels=6,voxels=10",
    "vps-volume:voxels=12",
    "vps-volume:layers=9,voxels=16",
    "pst:shell-voxels=8,voxels=8",
    "pst:candidates=1,rounds=3,shell-voxels=6,start=last,voxels=8",
    "pst:clusters=balanced,depth=layers,layers=3,shell=two-phase,shell-voxels=6,voxels=8",
    "pst:field=moving,shell=blue-noise,shell-voxels=7,voxels=6,weights=area",
    "pst:normals=field,shell=mesh,shell-voxels=6,voxels=8,walk=flat",
    "pst:budget=40,rounds=0,shell-voxels=8,tolerance=0.1,voxels=8",
    "pst-exact:shell-voxels=8,voxels=8",
    "pst-exact:field=moving,shell-voxels=6,start=last,voxels=8",
    "imp:probe-voxels=9,voxels=13",
    "imp:fill=solid,order=breadth,probe=voxels,probe-voxels=9,spheres=stored,voxels=13",
    "imp:children=64,depth=balls,fill=solid,order=threads,probe-voxels=9,threads=3,voxels=13",
    "imp:children=64,level=2,one-child=off,probe-voxels=9,spheres=cubes,voxels=13",
    "imp:children=512,contacts-max=20,fill=solid,probe-voxels=9,spheres=stored,voxels=13",
    "imp:children=512,probe=voxels,probe-voxels=9,voxels=13",
    "lpd:pixels=16",
    "lpd:coherence=last,pixels=0,regions=all",
    "lpd:chain=adjacency,drop=0.1,move=0.1,pixels=8",
    "lpd-area",
    "lpd-exact",
    "lpd-exact:chain=naive,coherence=last,ends=one,force=depth,window=curve",
    "lpd-refine:steps=2",
    "lpd-refine:coherence=last,objective=pattern,steps=2",
};
enum { VARIANTS = sizeof variants / sizeof *variants, ENTRIES = 17 };

static inline const alg_algorithm *entry_of(int variant)
{
    return pair_variant(variants[variant]).algorithm;
}

/** Returns the variant after i in a sweep that begins with i = -1. A sweep has the first variant of
 * each entry, and one in `part` of its other variants. */
static inline int next_variant(int i, size_t part)
{
    do {
        i++;
    } while (i < VARIANTS && i > 0 && entry_of(i) == entry_of(i - 1) &&
             (size_t)i % sweep_step(part) != 0);
    return i;
}

/** True if an answer may depend on the previous query. */
static inline bool remembers(int variant)
{
    return strstr(variants[variant], "=last") != NULL;
}

/* --- Bodies and frames ------------------------------------------------------------------------ */

/** Pairs of meshes. Every variant is tested on the first pair. */
static const struct {
    const char *a, *b;
} bodies[] = {
    {"parts", "torus"}, {"block", "cube"}, {"hollow", "crumb"},
    {"needle", "ball"}, {"cube", "cube"},  {"plate", "ball"},
};
enum { BODIES = sizeof bodies / sizeof *bodies };

/** Returns the pair of meshes after k in a sweep that begins with k = -1. A sweep has the first
 * pair, and one in `part` of the others. Which others these are depends on the variant. */
static inline int next_bodies(int k, int variant, size_t part)
{
    do {
        k++;
    } while (k > 0 && k < BODIES && (size_t)(k + variant) % sweep_step(part) != 0);
    return k;
}

enum { FRAMES = 24 };

/**
 * Returns the pose of a frame. The first frames are not rotated: B is inside of A, flush with faces
 * of boxes, or far away. All others are random, with rotations of unit quaternions.
 */
static inline geo_pose pose_of(int frame)
{
    static const vec3 shifts[] = {{0, 0, 0},        {1.5, 0, 0},        {0, 1, 0.25},
                                  {1e6, -2e6, 1e6}, {0.125, 0.0625, 1}, {0, 0.25, 0}};
    if (frame < (int)(sizeof shifts / sizeof *shifts)) {
        return shape_shift(shifts[frame].x, shifts[frame].y, shifts[frame].z);
    }
    base_random random = base_random_seed((uint64_t)frame);
    return shape_pose(&random, frame % 3 == 0 ? 2.5 : 1.2);
}

/** All frames of a scene. */
typedef struct answers {
    listed frames[FRAMES];
} answers;

static inline void ask_all(const scene *s, answers *x)
{
    for (int i = 0; i < FRAMES; i++) {
        const geo_pose pose = pose_of(i);
        scene_ask(s, &pose, &x->frames[i]);
    }
}

/** Returns the number of frames in which the bodies meet. */
static inline int count_meetings(const answers *x)
{
    int count = 0;
    for (int i = 0; i < FRAMES; i++) {
        count += scene_meets(&x->frames[i].values);
    }
    return count;
}

static inline void expect_same(const answers *x, const answers *y, int variant, const char *what)
{
    for (int i = 0; i < FRAMES; i++) {
        const char *const member = scene_difference(&x->frames[i], &y->frames[i]);
        cr_assert_null(member, "%s, %s, frame %d: %s", variants[variant], what, i, member);
    }
}

#endif
