/**
 * Spheres inside a solid, and the volume and surface that belong to each of them.
 *
 * packing.c fills a solid with disjoint spheres, cover.c follows its surface with overlapping ones,
 * and owners.c assigns volume and surface to spheres.
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

/** Spheres inside a solid, in the order in which they were placed. */
typedef struct alg_ist_packing {
    vec3 *centres;     /* owned, as are all arrays here */
    double *radii;     /* primary, positive, in descending order */
    double *secondary; /* of a ball with the volume that belongs to the sphere; see
                          alg_ist_secondary_radii */
    uint32_t *faces;   /* nearest to the centres; the smallest number wins a tie */
    size_t count, capacity;
    /* Data that belong to each sphere, filled by the function named; NULL before. */
    alg_ist_share *shares; /* alg_ist_pack */
    vec3 *middles;         /* alg_ist_secondary_radii: centres of the secondary balls; NULL: same
                              as `centres` */
    double *outer;         /* alg_ist_own_surface: radius around its piece of surface; 0: no
                              surface */
    vec3 *outward;         /* alg_ist_normal_cones: outward normal of the nearest surface; or 0 */
} alg_ist_packing;

/** Conditions that end packing before all voxels are taken. */
typedef struct alg_ist_limits {
    double radius_least; /* in voxel edges */
    size_t count_most;   /* 0: no limit */
} alg_ist_limits;

/**
 * Greedy packing: the free voxel of largest radius (the smallest number wins a tie) becomes the
 * centre of a sphere, voxels whose centres it contains are taken, and the radius of the others is
 * lowered to their distance from it. Fills centres, radii, faces and shares; the remaining free
 * voxels do not belong to a sphere yet.
 *
 * The field is measured only where the order of spheres depends on it, so the result is that of a
 * completely measured field. The radii of the field are overwritten.
 *
 * refined: each sphere is moved off its voxel to the nearby position where it is largest. On the
 * bunny at 64 voxels, 25 % fewer spheres fill 85 % of the body instead of 76 %, and are a third
 * nearer to the surface. This takes some 50 us more for each sphere, on one CPU.
 *
 * Errors   BASE_ERR_MEMORY. The caller releases *packing with alg_ist_packing_release in any case.
 * Source   IST III-A, Figure 2.
 */
base_status alg_ist_pack(alg_voxel_field *field, const alg_ist_limits *limits, bool refined,
                         alg_ist_packing *packing, base_error *err) BASE_MUST_CHECK;

/**
 * Reserves room for centres, radii and faces of `count` spheres; existing ones are kept. Errors:
 * BASE_ERR_MEMORY.
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
 * Small spheres need not be disjoint to reduce these gaps: a few large spheres that follow the
 * surface are as good as many small ones that fill the crevices between disjoint large ones.
 */

/** Points of a surface, each with the direction into the solid. */
typedef struct alg_ist_samples {
    vec3 *points;  /* arena */
    vec3 *inwards; /* arena; unit vectors, or 0 if the surrounding faces have no common side */
    size_t count;
} alg_ist_samples;

/**
 * Samples corners, edges and faces, so that every point of the surface has a sample nearer than
 * `spacing`. The inward direction is minus the normal; at an edge or corner it is minus the mean
 * normal, weighted by angle.
 *
 * Errors   BASE_ERR_MEMORY; BASE_ERR_INPUT for 2^31 samples.
 * Memory   arena: 48 bytes per sample.
 */
base_status alg_ist_sample(const geo_mesh *mesh, double spacing, base_arena *arena,
                           alg_ist_samples *samples, base_error *err) BASE_MUST_CHECK;

typedef struct alg_ist_cover_options {
    double gap;          /* metres: every sample has a sphere at most this far away */
    double radius_least; /* metres; samples that only smaller spheres could cover stay uncovered */
    size_t count_most;   /* 0: no limit; spheres that cover the most samples come first */
} alg_ist_cover_options;

/**
 * Covers the surface of a solid: greedily chooses the sphere that comes near the most samples that
 * are not covered yet. Candidates are defined for a sample and a tolerance up to the gap: the
 * largest t for which the ball around the point at depth t that touches the surface is within the
 * tolerance of the sample. Spheres that later ones have made redundant are removed in the end.
 *
 * Fills centres and radii, largest first. A radius is the exact distance of its centre to the
 * surface minus the rounding of its computation: the ball lies inside the solid. Secondary radii
 * equal the primary ones, shares are 0. uncovered: number of samples without a sphere; NULL: not
 * wanted.
 *
 * Errors   BASE_ERR_MEMORY. The caller releases *packing with alg_ist_packing_release in any case.
 * Cost     runs on all CPUs, whose number does not change the result.
 */
base_status alg_ist_cover(const geo_surface *surface, const alg_ist_samples *samples,
                          const alg_ist_cover_options *options, alg_ist_packing *packing,
                          size_t *uncovered, base_error *err) BASE_MUST_CHECK;

/* --- Owners of volume: secondary radii -------------------------------------------------------- */

/**
 * Assigns every voxel that packing has left free to the sphere with the smallest |x - c| - r (the
 * first one wins a tie) and adds it to its share.
 *
 * Errors   BASE_ERR_MEMORY.
 */
base_status alg_ist_share_rest(const alg_voxel_field *field, alg_ist_packing *packing,
                               base_error *err) BASE_MUST_CHECK;

/**
 * Replaces the shares that packing has computed by shares of finer voxels of the same solid. Each
 * finer voxel belongs to the sphere of the field's voxel that it lies in; if that voxel is not
 * interior, it belongs to the sphere with the smallest |x - c| - r.
 *
 * Finer voxels represent the surface more accurately. A face of voxels of edge h is off the true
 * face by some d, |d| <= h / 2. If the face is parallel to the grid, d is the same all along it,
 * and an overlap of depth s with a half space has the relative error d / s. Otherwise all d are
 * equally frequent, and the overlap is too large: by (h / 2 - |s|)^2 / (2 h) for depths |s| < h /
 * 2, which is h^2 / 24 when integrated over depths. A ball cannot correct the errors of its share,
 * and they matter most for thin overlaps. Edges k times smaller reduce the first error to 1 / k and
 * the second to 1 / k^2.
 *
 * Shapes   field: packed, as alg_ist_pack leaves it. A share may become empty, for a sphere at a
 *          sharp edge.
 * Errors   BASE_ERR_MEMORY.
 * Cost     O(voxels of both grids), on all CPUs, whose number does not change the result; about 1
 *          us for each voxel of the field, and for each fine voxel outside of them.
 */
base_status alg_ist_share_fine(const alg_voxel_field *field, const alg_voxel_runs *fine,
                               alg_ist_packing *packing, base_error *err) BASE_MUST_CHECK;

/**
 * Computes secondary radii: the volumes of the balls are proportional to the shares, and sum up to
 * volume_m3.
 *
 * centroid: a ball is centred at the centroid of its share instead of the sphere's centre. The
 * share of a sphere near the surface has most of its volume on the side of the surface; with the
 * first moment correct as well, volumes of overlaps have a quarter of the error. If packing
 * continues until no voxel is free, shares are the voxels around a centre, and the balls do not
 * move: a minimum radius of one or two voxel edges is needed.
 *
 * Shapes   packing: all shares are filled, by alg_ist_share_rest or _fine; its middles are filled
 *          here only if `centroid` is set. grid: that of the shares. The ball of an empty share has
 *          the radius 0.
 * Errors   BASE_ERR_MEMORY.
 * Source   IST IV-B.1; the sum is the exact volume of the mesh, not that of its voxels. Centroids
 *          are this suite's.
 */
base_status alg_ist_secondary_radii(const alg_voxel_runs *grid, double volume_m3, bool centroid,
                                    alg_ist_packing *packing, base_error *err) BASE_MUST_CHECK;

/* --- Owners of surface ------------------------------------------------------------------------ */

/*
 * Assigns the surface of a body to its inner spheres piece by piece, and measures its distance from
 * them.
 *
 * The gap of a point x of the surface is the smallest |x - c| - r of all spheres. |x - c| - r is
 * convex in x, so over a triangle it is largest at a corner: every bound below is rigorous.
 *
 * Error of a distance. Let `gap` be an upper bound of all gaps of a body, and let x on A and y on B
 * be nearest points of two disjoint bodies. Some sphere of A is within gap_a of x, and some sphere
 * of B within gap_b of y, so these two are at most |x - y| + gap_a + gap_b apart:
 *   distance of spheres - distance of bodies is in [0, gap_a + gap_b].
 *
 * Outer spheres. A piece of the surface lies in the outer ball of the sphere that owns it, and the
 * pieces cover the surface: no two disjoint bodies are nearer than their nearest outer balls.
 */

typedef struct alg_ist_gap {
    double most_m; /* no point of the surface is farther from all spheres; up to 2 % too large */
    double mean_m; /* mean over the surface, by area: an estimate with an error of about 1 % */
} alg_ist_gap;

/**
 * Measures how far the surface is from the spheres that fill it.
 *
 * Shapes   packing: one sphere or more; only its centres and radii are read.
 * Errors   BASE_ERR_MEMORY.
 * Cost     some 5 us per triangle, on all CPUs, whose number does not change the result.
 */
base_status alg_ist_measure_gap(const alg_ist_packing *packing, const geo_mesh *mesh,
                                alg_ist_gap *gap, base_error *err) BASE_MUST_CHECK;

/** The triangles of which each sphere owns a piece, by sphere. */
typedef struct alg_ist_owners {
    uint32_t *first; /* arena; spheres + 1 entries: sphere s has faces[first[s]] to faces[first[s
                        + 1] - 1] */
    uint32_t *faces; /* arena; ascending numbers for each sphere */
} alg_ist_owners;

/**
 * Cuts the surface into pieces until each is small for the sphere nearest to its centroid, and
 * assigns it to this sphere. Fills packing->outer: the radius of the ball around the centre that
 * contains all pieces of the sphere, rounded up; 0 for a sphere without pieces.
 *
 * A piece is small if the distances of its points from the sphere exceed that of the centroid by at
 * most the largest gap that was sampled, or after ALG_IST_CUTS_MAX cuts.
 *
 * Shapes   packing: one sphere or more.
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: 4 bytes per sphere and 4 bytes per entry of faces.
 * Cost     some 3 us per piece, on all CPUs, whose number does not change the result.
 */
base_status alg_ist_own_surface(alg_ist_packing *packing, const geo_mesh *mesh, base_arena *arena,
                                alg_ist_owners *owners, base_error *err) BASE_MUST_CHECK;

/**
 * Renumbers the spheres: sphere i of *ordered is sphere order[i] of owners.
 *
 * Shapes   order: count entries, each number below count once.
 * Errors   BASE_ERR_MEMORY.
 * Memory   arena: as for owners.
 */
base_status alg_ist_order_owners(const alg_ist_owners *owners, const uint32_t *order, size_t count,
                                 base_arena *arena, alg_ist_owners *ordered,
                                 base_error *err) BASE_MUST_CHECK;

/**
 * Fills packing->outward: for each sphere the mean outward normal of the triangles of which it owns
 * a piece, if all of their normals are less than 90 degrees from it; otherwise 0, as for a sphere
 * without pieces, or with surface on opposite sides.
 *
 * Errors   BASE_ERR_MEMORY.
 * Source   IST IV-B.2 (normal cones, which it does not specify).
 */
base_status alg_ist_normal_cones(const geo_mesh *mesh, const alg_ist_owners *owners,
                                 alg_ist_packing *packing, base_error *err) BASE_MUST_CHECK;

/** Each cut halves a piece across its longest edge. */
enum { ALG_IST_CUTS_MAX = 40 };

#endif
