/** From what each method says of a frame to its truth: which bracket, and what it is worth. */
#ifndef GROUNDTRUTH_CERTIFICATE_H
#define GROUNDTRUTH_CERTIFICATE_H

#include "geometry/vec.h"
#include "groundtruth/body/types.h"

/** "bvh", "brute", "flux", ..., NULL. */
extern const char *const gt_method_names[GT_METHOD_COUNT + 1];

/** "bvh+flux+tetra": the names of a mask. */
typedef struct gt_methods_text {
    char text[160];
} gt_methods_text;
gt_methods_text gt_methods_format(unsigned methods);

/** Why a quantity that was asked has certificate 0. */
typedef enum gt_doubt_kind {
    GT_DOUBT_NONE,
    GT_DOUBT_UNANSWERED, /* the method had to answer and did not */
    GT_DOUBT_CHECK,      /* a check of the method's own has failed */
    GT_DOUBT_DISAGREE,   /* the method and the first one that answered */
    GT_DOUBT_APART,      /* the bodies are apart, but have the quantity in common */
    GT_DOUBT_OTHER,      /* it has the certificate of another quantity, which is 0 */
    GT_DOUBT_WIDE,       /* the method's bracket is right, but wide: its work ran out, or rounding
                          * is large beside the value. The certificate is 1 */
} gt_doubt_kind;

typedef struct gt_doubt {
    gt_doubt_kind kind;
    gt_method method; /* of the first three */
} gt_doubt;

/**
 * A force of the depth law (force/depth_force.h): minus the gradient of an energy. It acts on B and
 * is in A's axes; the torque is about B's centroid. Each bound is of the length of an error, and
 * holds also where faces coincide.
 */
typedef struct gt_depth_law {
    vec3 force_m3, torque_m4;
    double force_bound_m3, torque_bound_m4;
    gt_bracket integral_m3; /* of the distance over the surface inside: what widths are shares of */
    gt_bracket energy_m4; /* of the distance over the overlap. GT_NONE: its method was not asked */
    int certified;        /* 2, 1 or 0, as in gt_truth */
} gt_depth_law;

/**
 * Truth of a frame. A bracket is GT_NONE when it was not asked or not found, other numbers are NAN.
 *
 * Value and slack of a method's bracket: its middle and half its width; 0 and its upper end when it
 * begins at 0. Two methods agree when their values differ by no more than the sum of their slacks:
 * when the brackets meet. Then the bracket is the first one's (bvh, flux, tree), widened to hold
 * the other one's value; of a depth, which places brackets widely, what both have in common.
 *
 * A depth is certified 2 only if two of its brackets agree of which the wider is at most
 * GT_NARROW times as wide as the other: what a bracket of half a percent has in common with one of
 * 1e-12 is the latter alone. A force of the depth law is the first method's, and certified 2 only
 * if the bound of the second one is at most GT_NARROW times as large: then it is a proof of that
 * one.
 */
typedef struct gt_truth {
    gt_bracket distance_m, volume_m3;
    gt_bracket surface_m;   /* between the two surfaces */
    gt_bracket pairs_count; /* of triangles that share a point: {n, n} */
    gt_bracket depth_m;     /* length of the shortest translation that separates */
    vec3 depth_direction;   /* unit: B moved by depth_m.hi along it is out. Of overlapping bodies */
    /** What water displacement does to B: minus the gradients of the volume. A's axes, torque about
     * B's centroid. */
    vec3 force_m2, torque_m3;
    /** Lengths of what they may be off by. Where faces coincide the volume has no derivative, and
     * they cover its limits from all sides. */
    double force_bound_m2, torque_bound_m3;
    /** 2: two methods agree. 1: one method, its own checks passed. 0: neither, or not asked. The
     * force is by flux alone and has the certificate of the volume that it is the gradient of. */
    int distance_certified, volume_certified, pairs_certified, depth_certified, force_certified;
    /** Integrals of the depths in A over B's surface, and of the depths in B over A's surface. */
    gt_depth_law depth_force, depth_force_exchanged;
    /** The first one met, where the certificate is 0, or 1 with a wide bracket. */
    gt_doubt doubt[GT_QUANTITY_COUNT];
    /** What two methods differ by, and for volumes the sum of their slacks. NAN for fewer. */
    double distance_disagreement_m;
    double volume_disagreement_m3, volume_bound_m3;
    unsigned asked;                 /* mask of GT_WANT_*: the quantities that had to be found */
    unsigned expected;              /* mask of GT_BY_*: the methods that had to answer */
    unsigned methods;               /* the same: which answered */
    gt_bracket by[GT_METHOD_COUNT]; /* what each said of its quantity: of flux it is the volume */
} gt_truth;

/**
 * Where GT_BVH and GT_BRUTE are both asked, or GT_TREE and GT_ALL_PAIRS, the second checks every
 * frame while the product of the triangle counts is below this, and above that one frame in
 * 1 + product / this, chosen by the hash of its pose. Asked alone it answers every frame.
 */
#define GT_BRUTE_PAIRS 1e11

/**
 * The same of GT_EDGES beside GT_HULL: it looks at all pairs of edges, 2.25 for each pair of
 * triangles. Below this it takes no more than some 0.3 s a frame,
 * which is what places takes for hard frames.
 */
#define GT_EDGE_PAIRS 1e6

/**
 * The same of GT_DEPTH_CELLS beside GT_DEPTH_SURFACE, and of these two with the roles exchanged: up
 * to 262,144 tetrahedra a frame take seconds.
 */
#define GT_CELL_PAIRS 1e6

/** The largest number of methods of a quantity. */
enum { GT_METHODS_EACH = 3 };

/** The largest ratio of the widths of two brackets of a depth that confirm each other
 * (gt_truth). */
#define GT_NARROW 10

/** A quantity: who answers it, and where the values of an answer go in gt_truth (offsets). */
typedef struct gt_quantity_row {
    const char *name;
    gt_method
        methods[GT_METHODS_EACH]; /* the preferred one first; repeated where there are fewer */
    double sampled;    /* beside the first, the second is for one frame in 1 + (product of the
                        * triangle counts) / this; 0: for every frame */
    gt_quantity of;    /* whose certificate it has; itself, but for the force */
    size_t certified;  /* an int */
    unsigned begin;    /* its first value in an answer */
    unsigned brackets; /* so many of them come first, each with its lower end before the upper */
    size_t bracket[2];
    /** Takes the values after the brackets from the first method, or from every method where agree
     * is set. NULL: there are no such values. */
    void (*take)(gt_method method, const double *values, gt_truth *truth);
    /** Tells whether two answers that are vectors agree. NULL: brackets decide. */
    bool (*agree)(const gt_answer *first, const gt_answer *other);
    double share; /* a wider bracket of the first method than this share of its upper end is a
                   * doubt; 0: none is */
    bool common;  /* brackets that agree leave what they have in common (GT_NARROW) */
    size_t disagreement; /* a double; 0: it is not kept */
    size_t bound;        /* the same */
    size_t apart;        /* a bracket of distances: where it is above 0, this quantity is 0 */
} gt_quantity_row;

/** In the order of gt_quantity. */
extern const gt_quantity_row gt_quantities[GT_QUANTITY_COUNT];

/** What a quantity of a frame is certified as: 0, 1 or 2 (gt_truth). */
int gt_certificate(const gt_truth *truth, gt_quantity quantity);

/** Why it is 0, in words: "the check of hull has failed: ...". "" where there is no doubt. */
typedef struct gt_doubt_text {
    char text[128];
} gt_doubt_text;
gt_doubt_text gt_doubt_format(const gt_truth *truth, gt_quantity quantity);

/** The methods (mask of GT_BY_*) that answer any of these quantities (mask of GT_WANT_*). */
unsigned gt_methods_answering(unsigned want);
/** The quantities that any of these methods answers. */
unsigned gt_quantities_answered(unsigned methods);

/** The value that a bracket is made around, and how far it may be off (gt_truth). */
double gt_bracket_value(gt_bracket bracket);
double gt_bracket_slack(gt_bracket bracket);

/**
 * Fills *truth. asked: mask of the quantities, expected: of the methods that had to answer at this
 * frame. One that had to and did not, or is unsound, leaves its quantity uncertified. So do two
 * quantities of which one must be wrong: bodies that are apart with a volume or a depth, surfaces
 * that are apart with pairs that intersect.
 */
void gt_certify(unsigned asked, unsigned expected, const gt_answer answers[GT_METHOD_COUNT],
                gt_truth *truth);

#endif
