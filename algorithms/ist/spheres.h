/**
 * Spheres inside a solid, and the volume and surface that belong to each of them.
 *
 * packing.c fills a solid with disjoint spheres. cover.c covers its surface by overlapping spheres
 * inside the solid. owners.c assigns the volume and the surface of the solid to spheres.
 *
 * Source   IST III-A, IV-B.1.
 */
#ifndef ALGORITHMS_IST_SPHERES_H
#define ALGORITHMS_IST_SPHERES_H

#include "algorithms/voxel/field.h"
#include "base/error.h"
#include "base/memory.h"
#include "geometry/mesh.h"

/**
 * The voxels that belong to a sphere: their number, and the sums of their coordinates along each
 * axis.
 */
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

/** Spheres inside a solid, in descending order of their radii. */
typedef struct alg_ist_packing {
    vec3 *centres;     /* owned, as are all arrays here */
    double *radii;     /* primary radii, positive */
    double *secondary; /* radii of balls with the volume that belongs to each sphere:
                          alg_ist_secondary_radii */
    uint32_t *faces;   /* face nearest to each centre; the smallest number wins a tie */
    size_t count, capacity;
    /* Data of each sphere. Each comment names the function that fills the array, which is NULL
     * before. */
    alg_ist_share *shares; /* alg_ist_pack */
    vec3 *middles;         /* alg_ist_secondary_radii: centres of the secondary balls; NULL: these
                              are `centres` */
    double *outer;         /* alg_ist_own_surface: radius, around the centre, that contains the
                              sphere's pieces of surface; 0: no surface */
    vec3 *outward;         /* alg_ist_normal_cones: mean outward normal of the sphere's pieces of
                              surface, or 0 */
} alg_ist_packing;

/** Limits that end packing before all voxels are taken. */
typedef struct alg_ist_limits {
    double radius_least; /* of a sphere, in voxel edges */
    size_t count_most;   /* 0: no limit */
} alg_ist_limits;

/**
 * Greedy packing. In each step the free voxel with the largest radius becomes the centre of a
 * sphere; the smallest number wins a tie. The voxels whose centres are in the sphere are taken. The
 * radius of each other voxel is lowered to its distance from the sphere, if that is smaller. Fills
 * centres, radii, faces and shares. The voxels that are free in the end do not belong to a sphere
 * yet.
 *
 * Voxels of the field are measured only if the order of the spheres depends on them. The result is
 * the same as with a completely measured field. The radii of the field are overwritten.
 *
 * refined: each sphere is moved off its voxel to a nearby position where it is larger. On the bunny
 * at 64 voxels there are then 25 % fewer spheres. They fill 85 % of the body instead of 76 %, and
 * are nearer to the surface by a third. This takes some 50 us more for each sphere, on one CPU.
 *
 * Errors   BASE_ERR_MEMORY. The caller releases *packing with alg_ist_packing_release in any case.
 * Source   IST III-A, Figure 2.
 */
base_status alg_ist_pack(alg_voxel_field *field, const alg_ist_limits *limits, bool refined,
                         alg_ist_packing *packing, base_error *err) BASE_MUST_CHECK;

/**
 * Reserves room for centres, primary and secondary radii and faces of `count` spheres. Existing
 * spheres are kept. Errors: BASE_ERR_MEMORY.
 */
base_status alg_ist_packing_reserve(alg_ist_packing *packing, size_t count,
                                    base_error *err) BASE_MUST_CHECK;
void alg_ist_packing_release(alg_ist_packing *packing);

/**
 * The radius in the field of a voxel that belongs to a sphere; free voxels have radii of 0 or more.
 */
#define ALG_IST_TAKEN (-1.0f)

/* --- Covers: overlapping spheres, for distances only ------------------------------------------ */

/*
 * A distance between inner spheres is too large by the gaps between the spheres and the surface.
 * For distances, spheres need not be disjoint. A few large overlapping spheres along the surface
 * reduce the gaps as much as many small spheres that fill the space between disjoint large ones.
 */

/** Points of a surface. Each has a direction into the solid. */
typedef struct alg_ist_samples {
    vec3 *points;  /* arena */
    vec3 *inwards; /* arena; unit vectors, or 0 if the normals of the surrounding faces cancel each
                      other */
    size_t count;
} alg_ist_samples;

/**
 * Samples corners, edges and faces, so that every point of the surface has a sample nearer than
 * `spacing`, in metres. The inward direction is minus the normal. At an edge or corner it is minus
 * the mean normal of the surrounding faces; at a corner the mean is weighted by the angles of the
 * faces.
 *
 * Errors   BASE_ERR_MEMORY; BASE_ERR_INPUT for 2^31 samples.
 * Memory   arena: 48 bytes per sample.
 */
base_status alg_ist_sample(const geo_mesh *mesh, double spacing, base_arena *arena,
                           alg_ist_samples *samples, base_error *err) BASE_MUST_CHECK;

typedef struct alg_ist_cover_options {
    double gap;          /* metres: every sample has a sphere at most this far away */
    double radius_least; /* metres; samples that only smaller spheres could cover remain
                            uncovered */
    size_t count_most;   /* 0: no limit; spheres that cover the most samples are chosen first */
} alg_ist_cover_options;

/**
 * Covers the surface of a solid. A sphere covers the samples that are at most the gap away from it.
 * In each step, the sphere is chosen that covers the most samples that are not covered yet.
 *
 * Candidates are made for a sample and a tolerance, which is at most half the gap. The centre of a
 * candidate is at depth t below the sample, and the ball touches the surface. t is the largest
 * depth for which the ball is within the tolerance of the sample. In the end, spheres whose samples
 * are all covered by other spheres are removed.
 *
 * Fills centres, radii and faces, largest spheres first. A radius is the distance from its centre
 * to the surface minus a bound on the rounding, so that the ball lies inside the solid. Secondary
 * radii equal the primary ones, and `shares` is NULL. *uncovered: number of samples without a
 * sphere; NULL: not wanted.
 *
 * Errors   BASE_ERR_MEMORY. The caller releases *packing with alg_ist_packing_release in any case.
 * Cost     uses all CPUs; their number does not change the result.
 */
base_status alg_ist_cover(const geo_surface *surface, const alg_ist_samples *samples,
                          const alg_ist_cover_options *options, alg_ist_packing *packing,
                          size_t *uncovered, base_error *err) BASE_MUST_CHECK;

/* --- Owners of volume: secondary radii -------------------------------------------------------- */

/**
 * Assigns every voxel that packing has left free to the sphere with the smallest |x - c| - r, and
 * adds it to the share of this sphere. x is the voxel's centre, c and r are centre and radius of
 * the sphere. The first sphere wins a tie.
 *
 * Errors   BASE_ERR_MEMORY.
 */
base_status alg_ist_share_rest(const alg_voxel_field *field, alg_ist_packing *packing,
                               base_error *err) BASE_MUST_CHECK;

/**
 * Replaces the shares that packing has computed by shares of finer voxels of the same solid. Each
 * voxel of the field belongs to the sphere with the smallest |x - c| - r. A finer voxel belongs to
 * the sphere of the field's voxel that contains its centre. If that voxel is not interior, the
 * finer voxel belongs to the sphere with the smallest |x - c| - r.
 *
 * Finer voxels represent the surface more accurately. With voxels of edge h, the distance of a face
 * from the true face is some d with |d| <= h / 2. If the face is parallel to the grid, d is the
 * same all along it, and an overlap of depth s with a half space has the relative error d / s.
 * Otherwise all d are equally frequent, and the overlap is too large by (h / 2 - |s|)^2 / (2 h) for
 * depths |s| < h / 2. The integral of this error over depths is h^2 / 24. A ball has the errors of
 * its share, and they matter most for thin overlaps. If edges are k times smaller, the first error
 * is smaller by the factor k and the second one by k^2.
 *
 * Shapes   field: packed, as alg_ist_pack leaves it. The share of a sphere at a sharp edge may
 *          become empty.
 * Errors   BASE_ERR_MEMORY.
 * Cost     O(voxels of both grids), on all CPUs; their number does not change the result. About 1
 *          us for each voxel of the field, and for each finer voxel outside of these.
 */
base_status alg_ist_share_fine(const alg_voxel_field *field, const alg_voxel_runs *fine,
                               alg_ist_packing *packing, base_error *err) BASE_MUST_CHECK;

/**
 * Computes secondary radii. The volumes of the balls are proportional to the shares, and their sum
 * is volume_m3.
 *
 * centroid: the centre of a ball is the centroid of its share instead of the sphere's centre. The
 * share of a sphere near the surface has most of its volume on the side of the surface. With
 * centroids, the first moment of each share is correct, too, and volumes of overlaps have a quarter
 * of the error. This needs a minimum radius of one or two voxel edges: if packing continues until
 * no voxel is free, the share of a sphere is the voxels around its centre, and the balls hardly
 * move.
 *
 * Shapes   packing: all shares are filled, by alg_ist_share_rest or alg_ist_share_fine. Its middles
 *          are filled only if `centroid` is set. grid: that of the shares. The ball of an empty
 *          share has the radius 0.
 * Errors   BASE_ERR_MEMORY.
 * Source   IST IV-B.1; the sum is the exact volume of the mesh, not that of its voxels. Centroids
 *          are this suite's.
 */
base_status alg_ist_secondary_radii(const alg_voxel_runs *grid, double volume_m3, bool centroid,
                                    alg_ist_packing *packing, base_error *err) BASE_MUST_CHECK;

/* --- Owners of surface ------------------------------------------------------------------------ */

/*
 * Assigns the pieces of a body's surface to the body's inner spheres, and measures the distance of
 * the surface from the spheres.
 *
 * The gap of a point x of the surface is the smallest |x - c| - r of all spheres. For one sphere,
 * |x - c| - r is convex in x, so over a triangle it is largest at a corner. Therefore every bound
 * below is rigorous.
 *
 * Error of a distance. Let gap_a and gap_b be upper bounds of all gaps of two disjoint bodies A and
 * B, and let x on A and y on B be their nearest points. Some sphere of A is within gap_a of x, and
 * some sphere of B is within gap_b of y. So the distance of these spheres is at most |x - y| +
 * gap_a + gap_b:
 *   distance of spheres - distance of bodies is in [0, gap_a + gap_b].
 *
 * Outer balls. A piece of the surface lies in the outer ball of the sphere that owns it, and the
 * pieces cover the surface. So the distance of two disjoint bodies is at least that of their
 * nearest outer balls.
 */

typedef struct alg_ist_gap {
    double most_m; /* upper bound of the gaps of all points; usually at most 2 % too large */
    double mean_m; /* mean over the surface area; an estimate with an error of about 1 % */
} alg_ist_gap;

/**
 * Measures the distance of the surface from the spheres inside it.
 *
 * Shapes   packing: one sphere or more; only its centres and radii are read.
 * Errors   BASE_ERR_MEMORY.
 * Cost     some 5 us per triangle, on all CPUs; their number does not change the result.
 */
base_status alg_ist_measure_gap(const alg_ist_packing *packing, const geo_mesh *mesh,
                                alg_ist_gap *gap, base_error *err) BASE_MUST_CHECK;

/**
 * Returns the largest length by which a sphere reaches beyond the surface; 0 if all spheres are
 * inside the solid.
 *
 * Cost     some 2 us per sphere, on all CPUs.
 */
double alg_ist_measure_outside(const alg_ist_packing *packing, const geo_surface *surface);

/** For each sphere, the triangles of which it owns a piece. */
typedef struct alg_ist_owners {
    uint32_t *first; /* arena; spheres + 1 entries: sphere s has faces[first[s]] to faces[first[s
                        + 1] - 1] */
    uint32_t *faces; /* arena; ascending numbers for each sphere */
} alg_ist_owners;

/**
 * Cuts the surface into pieces until each piece is small, and assigns a piece to the sphere nearest
 * to its centroid. Fills packing->outer with the radii of the balls around the spheres' centres
 * that contain all of their pieces, rounded up. The radius of a sphere without pieces is 0.
 *
 * A piece is small if the distances of its points from the sphere exceed the distance of its
 * centroid by at most a limit. The limit is the largest gap that was sampled, or 2^-13 of the
 * diagonal of the body's box if that is larger. A piece is not cut any more after ALG_IST_CUTS_MAX
 * cuts.
 *
 * Shapes   packing: one sphere or more.
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: 4 bytes per sphere and 4 bytes per entry of faces.
 * Cost     some 3 us per piece, on all CPUs; their number does not change the result.
 */
base_status alg_ist_own_surface(alg_ist_packing *packing, const geo_mesh *mesh, base_arena *arena,
                                alg_ist_owners *owners, base_error *err) BASE_MUST_CHECK;

/**
 * Renumbers the spheres of *owners: sphere i of *ordered is sphere order[i] of *owners.
 *
 * Shapes   order: count entries, each number below count once.
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: as for owners.
 */
base_status alg_ist_order_owners(const alg_ist_owners *owners, const uint32_t *order, size_t count,
                                 base_arena *arena, alg_ist_owners *ordered,
                                 base_error *err) BASE_MUST_CHECK;

/**
 * Fills packing->outward. The vector of a sphere is the mean outward normal, weighted by area, of
 * the triangles of which the sphere owns a piece. It is 0 if one of their normals is not less than
 * 90 degrees from the mean, as for a sphere with surface on opposite sides. It is also 0 for a
 * sphere without pieces.
 *
 * Errors   BASE_ERR_MEMORY.
 * Source   IST IV-B.2 (normal cones, which it does not specify).
 */
base_status alg_ist_normal_cones(const geo_mesh *mesh, const alg_ist_owners *owners,
                                 alg_ist_packing *packing, base_error *err) BASE_MUST_CHECK;

/** Largest number of cuts that produce a piece. Each cut halves a piece across its longest edge. */
enum { ALG_IST_CUTS_MAX = 40 };

#endif
