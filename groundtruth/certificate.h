/** Combines the answers of all methods for a frame: its brackets and their certificates. */
#ifndef GROUNDTRUTH_CERTIFICATE_H
#define GROUNDTRUTH_CERTIFICATE_H

#include "geometry/vec.h"
#include "groundtruth/body/types.h"

/** The names "bvh", "brute", "flux" and so on; NULL behind the last one. */
extern const char *const gt_method_names[GT_METHOD_COUNT + 1];

/** The names of a mask: "bvh+flux+tetra". */
typedef struct gt_methods_text {
    char text[160];
} gt_methods_text;
gt_methods_text gt_methods_format(unsigned methods);

/** The reason why a requested quantity has certificate 0 (for GT_DOUBT_WIDE: at most 1). */
typedef enum gt_doubt_kind {
    GT_DOUBT_NONE,
    GT_DOUBT_UNANSWERED, /* the method was expected to answer and did not */
    GT_DOUBT_CHECK,      /* a check of the method's own answer failed */
    GT_DOUBT_DISAGREE,   /* the method disagrees with the first one that answered */
    GT_DOUBT_APART,      /* the bodies are apart, but the quantity is above 0 */
    GT_DOUBT_OTHER,      /* the quantity has the certificate of another quantity, which is 0 */
    GT_DOUBT_WIDE,       /* the method's bracket is right, but wide: the work limit was reached, or
                          * rounding is large beside the value. The certificate is then 1 */
} gt_doubt_kind;

typedef struct gt_doubt {
    gt_doubt_kind kind;
    gt_method method; /* the method in doubt; not used for GT_DOUBT_APART and GT_DOUBT_OTHER */
} gt_doubt;

/**
 * A force of the depth law (force/depth_force.h): minus the gradient of an energy. It acts on B and
 * is along A's axes. Its torque is about B's centroid. Each bound is an upper bound of the length
 * of the error vector, also if faces coincide.
 */
typedef struct gt_depth_law {
    vec3 force_m3, torque_m4;
    double force_bound_m3, torque_bound_m4;
    gt_bracket integral_m3; /* integral of the distance over the surface inside the other body; the
                             * size by which relative errors of the force are measured */
    gt_bracket energy_m4;   /* integral of the distance over the overlap; GT_NONE if depth-cells has
                             * not answered */
    int certified;          /* 2, 1 or 0, as in gt_truth */
} gt_depth_law;

/**
 * The truth of a frame. A bracket is GT_NONE if it was not asked or not found. Other numbers are
 * NAN then.
 *
 * The value of a method's bracket is its middle, and its slack is half its width. If the bracket
 * begins at 0, its value is 0 and its slack is its upper end. Two methods agree if their values
 * differ by at most the sum of their slacks, that is, if their brackets meet. The resulting bracket
 * is that of the first method (bvh, flux, tree), widened to contain the value of the other method.
 * For a depth it is the intersection of both brackets, because those of the method places are wide.
 *
 * A depth has certificate 2 only if two of its brackets agree and the wider one is at most
 * GT_NARROW times as wide as the other one. The intersection of a bracket of half a percent and one
 * of 1e-12 would depend on the narrow one alone. A force of the depth law is that of the first
 * method. It has certificate 2 only if the bound of the second method is at most GT_NARROW times
 * that of the first.
 */
typedef struct gt_truth {
    gt_bracket distance_m, volume_m3;
    gt_bracket surface_m;   /* between the two surfaces */
    gt_bracket pairs_count; /* number of pairs of triangles that share a point: {n, n} */
    gt_bracket depth_m;     /* length of the shortest translation that separates */
    vec3 depth_direction;   /* for overlapping bodies; unit. After a move by depth_m.hi along it, B
                             * is out of A */
    /** Force and torque on B by water displacement: minus the gradients of the volume, along A's
     * axes. The torque is about B's centroid. */
    vec3 force_m2, torque_m3;
    /** Upper bounds of the lengths of their errors. If faces coincide, the volume has no
     * derivative. The bounds then cover its limits from all sides. */
    double force_bound_m2, torque_bound_m3;
    /** 2: two methods agree. 1: one method, and its own checks passed; or the methods agree, but
     * their brackets or bounds are too wide for 2. 0: neither, or not asked. The force is computed
     * by flux alone and has the certificate of the volume. */
    int distance_certified, volume_certified, pairs_certified, depth_certified, force_certified;
    /** Integrals of the depths in A over B's surface, and of the depths in B over A's surface. */
    gt_depth_law depth_force, depth_force_exchanged;
    /** The first doubt that was found. It is set if the certificate is 0, or if it is 1 because the
     * bracket is wide. */
    gt_doubt doubt[GT_QUANTITY_COUNT];
    /** The largest difference between two methods, and for volumes the sum of their slacks. NAN if
     * fewer than two methods answered. */
    double distance_disagreement_m;
    double volume_disagreement_m3, volume_bound_m3;
    unsigned asked;                 /* mask of GT_WANT_*: the requested quantities */
    unsigned expected;              /* mask of GT_BY_*: the methods that were expected to answer */
    unsigned methods;               /* mask of GT_BY_*: the methods that answered */
    gt_bracket by[GT_METHOD_COUNT]; /* bracket of each method's quantity; for flux the volume */
} gt_truth;

/**
 * If both GT_BVH and GT_BRUTE are asked, or both GT_TREE and GT_ALL_PAIRS, the second method checks
 * the first one. It checks every frame if the product of the triangle counts is below this number.
 * Otherwise it checks one frame in 1 + product / this number, which the hash of the pose selects. A
 * method that is asked alone answers every frame.
 */
#define GT_BRUTE_PAIRS 1e11

/**
 * The same limit for GT_EDGES beside GT_HULL. GT_EDGES tests all pairs of edges, which are 2.25 for
 * each pair of triangles. Below this limit it takes at most about 0.3 s a frame. The method places
 * takes as long for hard frames.
 */
#define GT_EDGE_PAIRS 1e6

/**
 * The same limit for GT_DEPTH_CELLS beside GT_DEPTH_SURFACE, and for both of them with the roles
 * exchanged. GT_DEPTH_CELLS may need 262,144 tetrahedra for a frame, which take seconds.
 */
#define GT_CELL_PAIRS 1e6

/** The largest number of methods of a quantity. */
enum { GT_METHODS_EACH = 3 };

/** Two brackets of a depth confirm each other if one is at most this many times as wide as the
 * other (gt_truth). */
#define GT_NARROW 10

/** A quantity: its methods, and the offsets in gt_truth at which the values of an answer are
 * stored. */
typedef struct gt_quantity_row {
    const char *name;
    gt_method methods[GT_METHODS_EACH]; /* the preferred one first; if there are fewer, the last one
                                         * is repeated */
    double sampled;    /* the second method answers one frame in 1 + (product of the triangle
                        * counts) / this number; 0: it answers every frame */
    gt_quantity of;    /* the quantity whose certificate it has: itself, except for the force */
    size_t certified;  /* offset of an int */
    unsigned begin;    /* index of its first value in an answer */
    unsigned brackets; /* number of brackets at the beginning of its values; each is a lower end and
                        * an upper end */
    size_t bracket[2];
    /** Stores the values behind the brackets. Called for the first method that answered, or for
     * every method if agree is set. NULL: there are no such values. */
    void (*take)(gt_method method, const double *values, gt_truth *truth);
    /** True if two answers that are vectors agree. NULL: the brackets decide. */
    bool (*agree)(const gt_answer *first, const gt_answer *other);
    double share; /* if the bracket of the first method is wider than this share of its upper end,
                   * there is a doubt (GT_DOUBT_WIDE); 0: no such check */
    bool common;  /* true if the result is the intersection of the brackets and not the first one,
                   * widened */
    size_t disagreement; /* offset of a double; 0: not kept */
    size_t bound;        /* the same */
    size_t apart;        /* offset of a bracket of distances; if this bracket is above 0, the
                          * quantity must be 0 */
} gt_quantity_row;

/** In the order of gt_quantity. */
extern const gt_quantity_row gt_quantities[GT_QUANTITY_COUNT];

/** Returns the certificate of a quantity of a frame: 0, 1 or 2 (gt_truth). */
int gt_certificate(const gt_truth *truth, gt_quantity quantity);

/** The doubt as a text: "the check of hull has failed: ...". "" if there is no doubt. */
typedef struct gt_doubt_text {
    char text[128];
} gt_doubt_text;
gt_doubt_text gt_doubt_format(const gt_truth *truth, gt_quantity quantity);

/**
 * Returns a mask of GT_BY_*: the methods that answer at least one of these quantities (a mask of
 * GT_WANT_*).
 */
unsigned gt_methods_answering(unsigned want);
/** Returns a mask of GT_WANT_*: the quantities that at least one of these methods answers. */
unsigned gt_quantities_answered(unsigned methods);

/** Returns the middle of a bracket, or 0 if the bracket begins at 0 (gt_truth). */
double gt_bracket_value(gt_bracket bracket);

/**
 * Fills *truth. asked: mask of the quantities. expected: mask of the methods that were expected to
 * answer at this frame.
 *
 * If an expected method did not answer, or its own checks failed, its quantity gets certificate 0.
 * If two quantities contradict each other, both get certificate 0: bodies that are apart and have a
 * volume, a depth or a force of the depth law, or surfaces that are apart and have pairs that
 * intersect.
 */
void gt_certify(unsigned asked, unsigned expected, const gt_answer answers[GT_METHOD_COUNT],
                gt_truth *truth);

#endif
