/**
 * Spheres that fill a solid from inside, and what belongs to each of them.
 *
 * Source   IST III-A, IV-B.1.
 */
#ifndef ALGORITHMS_IST_SPHERES_PACKING_H
#define ALGORITHMS_IST_SPHERES_PACKING_H

#include "algorithms/voxel/field.h"
#include "base/error.h"

/** The voxels that belong to a sphere: how many, and the sums of their places along each axis. */
typedef struct alg_ist_share {
    uint32_t voxels;
    uint64_t sum[3];
} alg_ist_share;

static inline void alg_ist_share_add(alg_ist_share *share, uint32_t x, uint32_t y, uint32_t z)
{
    share->voxels++;
    share->sum[0] += x;
    share->sum[1] += y;
    share->sum[2] += z;
}

/** Spheres inside a solid, in the order in which they were placed. */
typedef struct alg_ist_packing {
    vec3 *centres;     /* owned, as all of these */
    double *radii;     /* primary, all positive; never increasing */
    double *secondary; /* of a ball with the volume that belongs to the sphere; see secondary.h */
    uint32_t *faces;   /* nearest to the centres; of equally near ones those of smallest number */
    size_t count, capacity;
    /* What belongs to each sphere, from those who fill it; NULL until then. */
    alg_ist_share *shares; /* alg_ist_pack */
    vec3 *middles;         /* alg_ist_secondary_radii: of the balls; NULL: the centres */
    double *outer;         /* alg_ist_own_surface: around its piece of surface; 0: it has none */
    vec3 *outward;         /* alg_ist_normal_cones: out of the surface that is nearest; or 0 */
} alg_ist_packing;

/** When packing ends before no free voxel is left. */
typedef struct alg_ist_limits {
    double radius_least; /* in voxel edges */
    size_t count_most;   /* 0: no limit */
} alg_ist_limits;

/**
 * Greedy packing: the free voxel of largest radius (of equal ones that with the smallest number)
 * becomes the centre of a sphere, voxels whose centres it contains are taken, and the radius of the
 * others is lowered to their distance from it. Fills centres, radii, faces and shares; the voxels
 * that are left free belong to no sphere yet.
 *
 * The field is measured as far as the order of spheres depends on it, so that the result is that
 * of a field measured everywhere; its radii are used up.
 *
 * Errors   BASE_ERR_MEMORY; *packing is for alg_ist_packing_release either way.
 * Source   IST III-A, Figure 2.
 */
base_status alg_ist_pack(alg_voxel_field *field, const alg_ist_limits *limits,
                         alg_ist_packing *packing, base_error *err) BASE_MUST_CHECK;

/**
 * The same, but each sphere leaves its voxel for the place near it where it is largest.
 * On the bunny at 64 voxels: 25 % fewer spheres fill 85 % of the body instead of 76 %, and are a
 * third nearer to the surface.
 *
 * Cost     some 50 us a sphere beside the above, on one CPU.
 */
base_status alg_ist_pack_refined(alg_voxel_field *field, const alg_ist_limits *limits,
                                 alg_ist_packing *packing, base_error *err) BASE_MUST_CHECK;

/** Room for centres, radii and faces of `count` spheres; those there stay. Errors: BASE_ERR_MEMORY.
 */
base_status alg_ist_packing_reserve(alg_ist_packing *packing, size_t count,
                                    base_error *err) BASE_MUST_CHECK;
void alg_ist_packing_release(alg_ist_packing *packing);

/** A voxel that belongs to a sphere has this radius in the field; free voxels are not negative. */
#define ALG_IST_TAKEN (-1.0f)

#endif
