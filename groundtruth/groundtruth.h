/**
 * The truth: exact distance and exact intersection volume as brackets, with a certificate.
 *
 * Solid semantics: a body is a closed solid, a body inside another one overlaps, and the distance
 * of overlapping bodies is 0. A mesh that is not a solid is taken as its triangles: it has a
 * distance (0 inside a solid), contains nothing and has no volume.
 *
 * Everything is deterministic and independent of the number of threads. Nothing here is shared
 * with a contestant but the primitives of geometry/.
 */
#ifndef GROUNDTRUTH_GROUNDTRUTH_H
#define GROUNDTRUTH_GROUNDTRUTH_H

#include "geometry/mesh.h"
#include "geometry/mesh_check.h"
#include "geometry/surface.h"

/** The true value lies in [lo, hi]; lo > hi means "not asked" (see GT_NONE). */
typedef struct gt_bracket {
    double lo, hi;
} gt_bracket;

#define GT_NONE ((gt_bracket){1, 0})

static inline bool gt_known(gt_bracket bracket)
{
    return bracket.lo <= bracket.hi;
}

/* --- Options ---------------------------------------------------------------------------------- */

/** The ways to a truth, in the order in which they are listed. */
typedef enum gt_method {
    GT_BVH,   /* distance: gt_distance_query */
    GT_BRUTE, /* distance: gt_distance_brute */
    GT_FLUX,  /* volume: gt_flux_query */
    GT_TETRA, /* volume: gt_volume_query */
    GT_METHOD_COUNT
} gt_method;

/** Bits of a mask of methods. */
enum {
    GT_BY_BVH = 1u << GT_BVH,
    GT_BY_BRUTE = 1u << GT_BRUTE,
    GT_BY_FLUX = 1u << GT_FLUX,
    GT_BY_TETRA = 1u << GT_TETRA,
    GT_BY_DISTANCE = GT_BY_BVH | GT_BY_BRUTE,
    GT_BY_VOLUME = GT_BY_FLUX | GT_BY_TETRA,
    GT_BY_DEFAULT = GT_BY_BVH | GT_BY_FLUX,
};

/** "bvh", "brute", "flux", "tetra", NULL. */
extern const char *const gt_method_names[GT_METHOD_COUNT + 1];

/** "bvh+flux+tetra": the names of a mask. */
typedef struct gt_methods_text {
    char text[24];
} gt_methods_text;
gt_methods_text gt_methods_format(unsigned methods);

/** Zero-initialised is valid: no cache, a thread per CPU, silent, GT_BY_DEFAULT. */
typedef struct gt_options {
    const char *cache_directory; /* where results are kept, made when missing; NULL: no cache */
    unsigned threads;            /* 0: one per CPU */
    /**
     * Called every second or so from the calling thread; may be NULL. done: frames that are
     * found, anywhere; ready: all frames before this one are final. Returns whether to go on.
     */
    bool (*progress)(void *context, size_t done, size_t ready, size_t total);
    void *progress_context;
    /** Asked from any thread while TetGen runs, whether to end it; NULL: never. */
    bool (*interrupted)(void);
    unsigned tetgen_seconds; /* time limit of one call of TetGen; 0: 600 */
    unsigned methods;        /* mask of GT_BY_*; 0: GT_BY_DEFAULT */
} gt_options;

/* --- Bodies ----------------------------------------------------------------------------------- */

/** A body made ready for truth. Immutable once made; used by many threads at a time. */
typedef struct gt_body gt_body;

/**
 * mesh and report are borrowed and must outlive the body. report tells whether it is a solid.
 * Errors: BASE_ERR_MEMORY. Memory: gt_body_destroy.
 */
base_status gt_body_create(const geo_mesh *mesh, const geo_mesh_report *report, gt_body **body,
                           base_error *err) BASE_MUST_CHECK;
void gt_body_destroy(gt_body *body);

/** What the body holds so far, its mesh not counted, and how many tetrahedra (0 before TetGen). */
size_t gt_body_bytes(const gt_body *body);
size_t gt_body_tetrahedron_count(const gt_body *body);

/** Largest coordinate of either body in A's frame: the s of the slack of all queries. */
double gt_pair_reach(const gt_body *a, const gt_body *b, const geo_pose *pose);

/**
 * Tetrahedralises the body with TetGen (tetgen.h), once; later calls return at once. Must be
 * called before gt_volume_query, from one thread. The tetrahedra are kept in the cache directory
 * of the options (NULL: none) and read from there next time.
 *
 * Errors   BASE_ERR_INPUT if the mesh is not a solid, with the reason of geo_mesh_report_reason;
 *          BASE_ERR_SYSTEM if tetgen is missing, fails, runs out of time, or its result does not
 *          fill the body (sum of tetrahedra and boundary faces are compared), or if the cache
 *          cannot be written; BASE_ERR_MEMORY.
 */
base_status gt_body_tetrahedralise(gt_body *body, const gt_options *options,
                                   base_error *err) BASE_MUST_CHECK;

/**
 * Both bodies, at the same time where options allow two threads: TetGen is what a first volume
 * waits for. It is asked once for two bodies of one mesh. a may be b.
 *
 * Errors   those of gt_body_tetrahedralise: a's if it has one, else b's.
 */
base_status gt_bodies_tetrahedralise(gt_body *a, gt_body *b, const gt_options *options,
                                     base_error *err) BASE_MUST_CHECK;

/**
 * Why TetGen refused the body, which is asked once: later calls of gt_body_tetrahedralise fail at
 * once with the same words. NULL when it did not.
 */
const char *gt_body_refusal(const gt_body *body);

/* --- Truth of one pose ------------------------------------------------------------------------ */

typedef struct gt_distance {
    gt_bracket distance_m;     /* of the solids: {0, 0} when they overlap or touch */
    gt_bracket surface_m;      /* between the two surfaces: > 0 also for a body inside the other */
    vec3 witness_a, witness_b; /* nearest points of the surfaces, A's frame */
    uint64_t triangle_tests;
} gt_distance;

/**
 * Exact distance by BVH. Whether triangles intersect is decided exactly for the corners as moved
 * by geo_pose_apply; then the distance is 0 and both witnesses are a common point. Otherwise the
 * bracket is the computed distance +- the slack of doubles: 1e-12 d + 64 eps s, s the largest
 * coordinate of either body in A's frame. Surfaces nearer than the slack that do not intersect
 * have the bracket [0, ...] whether one body is inside the other or not.
 *
 * Memory   no allocation.
 * Cost     0.08 ms for two meshes of 60,000 triangles at 0.5 to 20 % of their size.
 */
void gt_distance_query(const gt_body *a, const gt_body *b, const geo_pose *pose,
                       gt_distance *result);

/** A pair of faces of A and B; UINT32_MAX: none. */
typedef struct gt_distance_hint {
    uint32_t face_a, face_b;
} gt_distance_hint;

#define GT_NO_HINT ((gt_distance_hint){UINT32_MAX, UINT32_MAX})

/**
 * The same, starting from the pair that an earlier query found, any other pair of faces or
 * GT_NO_HINT; *hint becomes the pair of the witnesses. It changes the time and triangle_tests,
 * never another bit of the result: of equally near pairs that with the smallest face of A, then of
 * B, has the witnesses. Cost: on a smooth path less than half.
 */
void gt_distance_query_from(const gt_body *a, const gt_body *b, const geo_pose *pose,
                            gt_distance_hint *hint, gt_distance *result);

/**
 * The same by all pairs of triangles in long double, the referee; which of equally near points are
 * the witnesses may differ.
 *
 * Cost     35 ms for two meshes of 60,000 triangles at 2 to 40 % of their size; more by the pairs
 *          that are about equally near, such as those of two balls around one centre: 40 s.
 */
void gt_distance_brute(const gt_body *a, const gt_body *b, const geo_pose *pose,
                       gt_distance *result);

typedef struct gt_volume {
    /** V +- (1e-11 V + 64 eps s (smaller surface area)), s as above or B's own largest coordinate.
     */
    gt_bracket volume_m3;
    double value_m3; /* V itself, >= 0 */
    uint64_t tetrahedron_tests;
} gt_volume;

/**
 * Exact intersection volume, one way: sum over all pairs of tetrahedra of their clipped volume.
 * Both bodies must have been tetrahedralised.
 *
 * Memory   no allocation.
 * Cost     0.01 to 0.08 s for two meshes of 60,000 triangles with AVX2.
 */
void gt_volume_query(const gt_body *a, const gt_body *b, const geo_pose *pose, gt_volume *result);

typedef struct gt_flux {
    /** V +- (1e-11 V + 64 eps s (area_m2 + c)), s as above. c: what rounding of the points where
     * triangles cross may do, a sum of products of local lengths over s; next to nothing. */
    gt_bracket volume_m3;
    double value_m3; /* V itself, >= 0 */
    double area_m2;  /* of both surfaces inside the other body: the surface of the overlap */
    /** dV / d(translation of B): the area vector of B's surface inside A. Water displacement pushes
     * B along its negative. */
    vec3 gradient_m2;
    /** dV / d(rotation of B about A's origin): integral of x cross n over the same surface. About
     * another point c: torque - c cross gradient. */
    vec3 torque_m3;
    vec3 centroid;  /* of the overlap; A's frame; meaningless when the volume is 0 */
    uint64_t pairs; /* of triangles that intersect */
    uint64_t exact; /* signs that a filter in double could not tell */
    uint64_t inside_tests;
    /** Contradictions met on the way: 0 for solids. Otherwise the volume is not to be trusted. */
    uint64_t flaws;
} gt_flux;

/** What queries of one thread write to. Grows with the largest query. */
typedef struct gt_flux_space gt_flux_space;
gt_flux_space *gt_flux_space_create(void);
void gt_flux_space_destroy(gt_flux_space *space);

/**
 * Exact intersection volume, another way: by the divergence theorem the volume, its gradients and
 * its centroid are sums over the parts of each surface inside the other body. Nothing is shared
 * with gt_volume_query but the moved corners. Every decision is that of exact arithmetic for B
 * moved by a further (e, e^2, e^3) with an infinitely small e > 0, so that coplanar faces, shared
 * corners and identical bodies are cases like any other. Both bodies must be solids.
 *
 * Errors   BASE_ERR_MEMORY, when the space cannot grow.
 * Memory   no allocation once the space has met a query as large.
 * Cost     0.6 ms for two meshes of 60,000 triangles that cross in 1,000 pairs.
 */
base_status gt_flux_query(const gt_body *a, const gt_body *b, const geo_pose *pose,
                          gt_flux_space *space, gt_flux *result, base_error *err) BASE_MUST_CHECK;

/* --- Depth and direction ---------------------------------------------------------------------- */

/**
 * Decides whether the body is convex and prepares its facets and edges, once; later calls return at
 * once. Must be called before gt_depth_query, from one thread. Exact: a connected solid none of
 * whose edges is a notch, by the sign of geo_orient3d. Coplanar faces are one facet. A notch that
 * is no deeper than 32 eps of the largest coordinate counts as flat, for meshes whose flat faces
 * were rounded; how far that is from convex is added to the brackets.
 *
 * Errors   BASE_ERR_INPUT if the body is not a convex solid, with the reason and the first faces
 *          that show it, or has a facet narrower than 1e-14 of its length; BASE_ERR_MEMORY.
 */
base_status gt_body_make_hull(gt_body *body, base_error *err) BASE_MUST_CHECK;

/** Did gt_body_make_hull succeed? */
bool gt_body_has_hull(const gt_body *body);

typedef struct gt_depth {
    gt_bracket depth_m; /* length of the shortest translation that separates; {0, 0} when apart */
    /** Unit: the way B moves to get out; when apart, from A's nearest point to B's. */
    vec3 direction;
    /** Points of the two surfaces that meet when B has moved out: witness_a - witness_b is the
     * translation. When apart, the nearest points. A's frame. */
    vec3 witness_a, witness_b;
    uint64_t facets;     /* of the two bodies looked at */
    uint64_t edge_pairs; /* looked at */
    uint64_t supports;   /* directions for which all vertices were looked at */
} gt_depth;

/**
 * Exact penetration depth of two convex bodies (gt_body_make_hull): the least distance from the
 * origin to a facet of the Minkowski difference, over the facets of A, those of B, and the pairs of
 * edges whose arcs cross on the Gauss map. No pair is dropped unless it certainly makes no facet or
 * none that is nearer, and what is kept is measured against all vertices, so the answer errs
 * neither way: it is the computed depth +- 1e-12 d + 64 eps s, s as above.
 *
 * Memory   no allocation.
 * Cost     1.3 ms for two bodies of 1,000 faces, 20 ms for 10,000; up to ten times as much where
 *          arcs are long, as those of cones are.
 */
void gt_depth_query(const gt_body *a, const gt_body *b, const geo_pose *pose, gt_depth *result);

typedef struct gt_separation {
    gt_bracket first_m; /* the smallest translation that separates; {0, 0} when apart */
    gt_bracket clear_m; /* the smallest after which the bodies stay apart for ever */
    uint64_t pair_tests;
} gt_separation;

/**
 * How far B has to move along a direction to be out of A, for any two bodies. first_m is the end of
 * the stretch of translations from 0 on over which the bodies overlap, contained ones included:
 * with clearance behind, they may collide again farther on. clear_m is the end of the last contact
 * along the direction, which bodies that are apart have too when one is on the other's way.
 *
 * Each bracket holds the answer whether bodies that merely touch count as separated or not: lo is
 * from contacts deeper than 64 eps s, hi from those shallower than minus that, s as above. So it is
 * as narrow as rounding allows, but wide where bodies slide along each other or stand flush, as
 * long as that lasts.
 * For two bodies that have hulls (gt_body_make_hull) first_m is that of the interiors, from the
 * Minkowski difference, and narrow there too, down to a depth of the slack.
 *
 * direction: not 0; its length does not matter.
 * Memory   no allocation.
 * Cost     10 to 50 ms for two meshes of 60,000 triangles.
 */
void gt_separation_query(const gt_body *a, const gt_body *b, const geo_pose *pose, vec3 direction,
                         gt_separation *result);

/** What a translation of B, reported as the way out, is worth. */
typedef struct gt_escape {
    gt_bracket needed_m; /* first_m along it: less than its length is left to go, or it is enough */
    gt_distance after;   /* what is left: the distance after it, 0 where the bodies still overlap */
} gt_escape;

/** translation: not 0. How much volume is left is gt_flux_query's answer at the moved pose. */
void gt_escape_query(const gt_body *a, const gt_body *b, const geo_pose *pose, vec3 translation,
                     gt_escape *result);

/* --- Truth of a trajectory, cached ------------------------------------------------------------ */

enum {
    GT_WANT_DISTANCE = 1u << 0,
    GT_WANT_VOLUME = 1u << 1,
};

/**
 * Where GT_BVH and GT_BRUTE are both asked, brute force checks every frame while the product of the
 * triangle counts is below this, and above that one frame in 1 + product / this, chosen by the hash
 * of its pose. Asked alone it answers every frame.
 */
#define GT_BRUTE_PAIRS 1e11

/**
 * Truth of a frame. A bracket is GT_NONE when it was not asked or not found.
 *
 * Value and slack of a method's bracket: its middle and half its width; 0 and its upper end when it
 * begins at 0. Two methods agree when their values differ by no more than the sum of their slacks.
 * Then the bracket is the first one's (bvh, flux), widened to hold the other one's value.
 */
typedef struct gt_truth {
    gt_bracket distance_m, volume_m3;
    gt_bracket surface_m; /* between the two surfaces */
    /** The least of what was asked: */
    int certified;
    /** 2: two methods agree. 1: one method, its own checks passed. 0: neither, or not asked. */
    int distance_certified, volume_certified;
    /** What two methods differ by, and for volumes the sum of their slacks. NAN for fewer. */
    double distance_disagreement_m;
    double volume_disagreement_m3, volume_bound_m3;
    unsigned methods;               /* mask of GT_BY_*: which answered */
    gt_bracket by[GT_METHOD_COUNT]; /* what each said of the distance or the volume */
} gt_truth;

/**
 * Truth for poses[count], reading what the cache has and adding what it lacks. The key of a record
 * is the hash of both meshes, the pose and the method's version, so a changed input never meets
 * an old answer, and frames are shared between trajectories. What is computed is written every few
 * seconds; several processes may use one cache at a time.
 *
 * A quantity that none of the methods answers is not asked. The checks of a method alone: brackets
 * are finite and in range, flux meets no contradiction, the tetrahedra fill the bodies. When both
 * quantities are found, bodies that are apart have no volume in common. A frame whose check fails
 * is uncertified, and the others go on.
 *
 * When TetGen refuses a body and flux is asked too, the volume is by flux alone, certificate 1, and
 * gt_body_refusal tells why.
 *
 * Shapes   truths: count entries, filled. options may be NULL.
 * Errors   BASE_ERR_INPUT if volume is wanted and a body is not a solid; those of
 *          gt_body_tetrahedralise without flux; BASE_ERR_SYSTEM for a cache that cannot be written,
 *          or "interrupted" when progress or `interrupted` says so; BASE_ERR_MEMORY. A damaged cache
 * file is recomputed, not trusted.
 */
base_status gt_trajectory_truth(gt_body *a, gt_body *b, const geo_pose *poses, size_t count,
                                unsigned want, const gt_options *options, gt_truth *truths,
                                base_error *err) BASE_MUST_CHECK;

#endif
