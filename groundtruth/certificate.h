/** Combines the answers of all methods for a frame: its brackets and their certificates. */
#ifndef GROUNDTRUTH_CERTIFICATE_H
#define GROUNDTRUTH_CERTIFICATE_H

#include "geometry/vec.h"
#include "groundtruth/body/types.h"

/** "bvh", "brute", "flux", ..., NULL. */
extern const char *const gt_method_names[GT_METHOD_COUNT + 1];

/** The names of a mask: "bvh+flux+tetra". */
typedef struct gt_methods_text {
    char text[160];
} gt_methods_text;
gt_methods_text gt_methods_format(unsigned methods);

/** The reason why a requested quantity has certificate 0. */
typedef enum gt_doubt_kind {
    GT_DOUBT_NONE,
    GT_DOUBT_UNANSWERED, /* the method was expected to answer and did not */
    GT_DOUBT_CHECK,      /* a check of the method itself failed */
    GT_DOUBT_DISAGREE,   /* the method disagrees with the first one that answered */
    GT_DOUBT_APART,      /* the bodies are apart, but the quantity is above 0 */
    GT_DOUBT_OTHER,      /* the quantity takes the certificate of another one, which is 0 */
    GT_DOUBT_WIDE,       /* the method's bracket is right, but wide: its work limit was reached,
                          * or rounding is large beside the value. The certificate is 1 */
} gt_doubt_kind;

typedef struct gt_doubt {
    gt_doubt_kind kind;
    gt_method method; /* the method of the first three kinds */
} gt_doubt;

/**
 * A force of the depth law (force/depth_force.h): minus the gradient of an energy. It acts on B, in
 * A's axes; the torque is about B's centroid. Each bound is an upper bound of the length of the
 * error vector, also if faces coincide.
 */
typedef struct gt_depth_law {
    vec3 force_m3, torque_m4;
    double force_bound_m3, torque_bound_m4;
    gt_bracket integral_m3; /* integral of the distance over the surface inside; relative widths
                             * refer to it */
    gt_bracket energy_m4;   /* integral of the distance over the overlap; GT_NONE: not asked */
    int certified;          /* 2, 1 or 0, as in gt_truth */
} gt_depth_law;

/**
 * Truth of a frame. A bracket is GT_NONE if it was not asked or not found; other numbers are NAN
 * then.
 *
 * The value of a method's bracket is its middle, and its slack is half its width; if it begins at
 * 0, they are 0 and the upper end. Two methods agree if their values differ by at most the sum of
 * their slacks, that is, if the brackets meet. The bracket is then the first one's (bvh, flux,
 * tree), widened to hold the other one's value. For a depth, where the brackets of the method
 * places are wide, it is the intersection of both.
 *
 * A depth is certified 2 only if two of its brackets agree and the wider one is at most GT_NARROW
 * times as wide as the other: the intersection of a bracket of half a percent and one of 1e-12
 * depends on the latter alone. A force of the depth law is the first method's. It is certified 2
 * only if the bound of the second method is at most GT_NARROW times as large; the second method
 * then confirms the first.
 */
typedef struct gt_truth {
    gt_bracket distance_m, volume_m3;
    gt_bracket surface_m;   /* between the two surfaces */
    gt_bracket pairs_count; /* number of pairs of triangles that share a point: {n, n} */
    gt_bracket depth_m;     /* length of the shortest translation that separates */
    vec3 depth_direction;   /* unit: B moved by depth_m.hi along it is out. For overlapping
                             * bodies */
    /** Force and torque on B by water displacement: minus the gradients of the volume. A's axes,
     * torque about B's centroid. */
    vec3 force_m2, torque_m3;
    /** Upper bounds of the lengths of their errors. If faces coincide, the volume has no
     * derivative, and the bounds cover its limits from all sides. */
    double force_bound_m2, torque_bound_m3;
    /** 2: two methods agree. 1: one method, and its own checks passed. 0: neither, or not asked.
     * The force is by flux alone and has the certificate of the volume whose gradient it is. */
    int distance_certified, volume_certified, pairs_certified, depth_certified, force_certified;
    /** Integrals of the depths in A over B's surface, and of the depths in B over A's surface. */
    gt_depth_law depth_force, depth_force_exchanged;
    /** The first doubt found, if the certificate is 0, or 1 with a wide bracket. */
    gt_doubt doubt[GT_QUANTITY_COUNT];
    /** The difference between two methods, and for volumes the sum of their slacks. NAN if fewer
     * than two answered. */
    double distance_disagreement_m;
    double volume_disagreement_m3, volume_bound_m3;
    unsigned asked;                 /* mask of GT_WANT_*: the requested quantities */
    unsigned expected;              /* mask of GT_BY_*: the methods that were expected to answer */
    unsigned methods;               /* mask of GT_BY_*: the methods that answered */
    gt_bracket by[GT_METHOD_COUNT]; /* bracket of each method's quantity; for flux the volume */
} gt_truth;

/**
 * If GT_BVH and GT_BRUTE are both asked, or GT_TREE and GT_ALL_PAIRS, the second one checks every
 * frame while the product of the triangle counts is below this number. Above it, it checks one
 * frame in 1 + product / this number, chosen by the hash of its pose. A method that is asked alone
 * answers every frame.
 */
#define GT_BRUTE_PAIRS 1e11

/**
 * The same limit for GT_EDGES beside GT_HULL. It tests all pairs of edges, 2.25 for each pair of
 * triangles. Below this limit it takes at most about 0.3 s a frame, the time of the method places
 * for hard frames.
 */
#define GT_EDGE_PAIRS 1e6

/**
 * The same limit for GT_DEPTH_CELLS beside GT_DEPTH_SURFACE, and for these two with the roles
 * exchanged: up to 262,144 tetrahedra a frame take seconds.
 */
#define GT_CELL_PAIRS 1e6

/** The largest number of methods of a quantity. */
enum { GT_METHODS_EACH = 3 };

/** The largest ratio of the widths of two brackets of a depth that confirm each other
 * (gt_truth). */
#define GT_NARROW 10

/** A quantity: its methods, and where the values of an answer are stored in gt_truth (offsets). */
typedef struct gt_quantity_row {
    const char *name;
    gt_method methods[GT_METHODS_EACH]; /* the preferred one first; repeated if there are fewer */
    double sampled;    /* the second method answers one frame in 1 + (product of the triangle
                        * counts) / this number; 0: every frame */
    gt_quantity of;    /* quantity whose certificate it has; itself, except for the force */
    size_t certified;  /* offset of an int */
    unsigned begin;    /* index of its first value in an answer */
    unsigned brackets; /* number of brackets at the start, each with its lower end before the
                        * upper */
    size_t bracket[2];
    /** Takes the values after the brackets from the first method, or from every method where agree
     * is set. NULL: there are no such values. */
    void (*take)(gt_method method, const double *values, gt_truth *truth);
    /** Returns whether two answers that are vectors agree. NULL: the brackets decide. */
    bool (*agree)(const gt_answer *first, const gt_answer *other);
    double share; /* a bracket of the first method wider than this share of its upper end is a
                   * doubt; 0: no such check */
    bool common;  /* agreeing brackets are replaced by their intersection (GT_NARROW) */
    size_t disagreement; /* offset of a double; 0: not kept */
    size_t bound;        /* the same */
    size_t apart;        /* offset of a bracket of distances: if it is above 0, this quantity is
                          * 0 */
} gt_quantity_row;

/** In the order of gt_quantity. */
extern const gt_quantity_row gt_quantities[GT_QUANTITY_COUNT];

/** Returns the certificate of a quantity of a frame: 0, 1 or 2 (gt_truth). */
int gt_certificate(const gt_truth *truth, gt_quantity quantity);

/** Text of the reason why it is 0: "the check of hull has failed: ...". "" if there is no doubt. */
typedef struct gt_doubt_text {
    char text[128];
} gt_doubt_text;
gt_doubt_text gt_doubt_format(const gt_truth *truth, gt_quantity quantity);

/**
 * Returns the methods (mask of GT_BY_*) that answer any of these quantities (mask of GT_WANT_*).
 */
unsigned gt_methods_answering(unsigned want);
/** Returns the quantities that any of these methods answers. */
unsigned gt_quantities_answered(unsigned methods);

/** Returns the value at the middle of a bracket (gt_truth). */
double gt_bracket_value(gt_bracket bracket);

/**
 * Fills *truth. asked: mask of the quantities; expected: mask of the methods that were expected to
 * answer at this frame. A method that was expected and did not answer, or is unsound, leaves its
 * quantity uncertified. So do two quantities that contradict each other: bodies that are apart with
 * a volume or a depth, surfaces that are apart with pairs that intersect.
 */
void gt_certify(unsigned asked, unsigned expected, const gt_answer answers[GT_METHOD_COUNT],
                gt_truth *truth);

#endif
