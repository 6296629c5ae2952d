/**
 * The contract between the suite and an algorithm under test.
 *
 * To add an algorithm: make a folder, define one `const alg_algorithm`, declare it in registry.h
 * and list it in registry.c. An algorithm outside of this tree is exported from a shared library
 * (see alg_plugin). README.md in this folder describes both ways step by step.
 *
 * The life of an algorithm, all in one worker process:
 *
 *   prepare(body) for each role -> bind(pair, request) ->
 *       { reset -> query per frame } per pass -> release
 *
 * Frames  A is fixed, B moves. A pose maps B's frame into A's frame. All answers are in A's frame,
 *         whose origin is the centre of A's box. The suite moves meshes and poses into this frame
 *         before an algorithm sees them, and moves the points of answers back before it prints
 *         them.
 * Floats  Every function starts in the default floating-point environment and must leave it
 *         unchanged.
 * Units   metres, m3, radians. The algorithm declares the unit of its force.
 * Plain   This header includes only geometry/types.h and standard headers, and is valid C99 and
 *         C++11. So a closed library can include it. alg_request, alg_mesh, alg_answer, alg_sink
 *         and alg_writer begin with their size; alg_plugin has the size of alg_algorithm. New
 *         members of these structures are appended at the end.
 */
#ifndef ALGORITHMS_ALGORITHMS_H
#define ALGORITHMS_ALGORITHMS_H

#include "geometry/types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ALG_ABI_VERSION 5

/* --- Requests --------------------------------------------------------------------------------- */

typedef enum alg_quantity {
    ALG_DISTANCE,
    ALG_VOLUME,
    ALG_CONTACT, /* contact yes or no, contact points, and pairs of intersecting triangles */
    ALG_DEPTH,   /* a translation that separates: B moved by depth_m along direction is outside A */
    ALG_FORCE,   /* force and torque on B about its centroid */
    ALG_QUANTITY_COUNT
} alg_quantity;

/** Bits of a mask of quantities. */
enum {
    ALG_WANT_DISTANCE = 1u << ALG_DISTANCE,
    ALG_WANT_VOLUME = 1u << ALG_VOLUME,
    ALG_WANT_CONTACT = 1u << ALG_CONTACT,
    ALG_WANT_DEPTH = 1u << ALG_DEPTH,
    ALG_WANT_FORCE = 1u << ALG_FORCE,
};

/**
 * The promise of a variant for a quantity. It holds at every frame, except for rounding of doubles.
 *
 * Contact  counts as 0 or 1: an upper bound never misses a contact, a lower bound gives no false
 *          alarm.
 * Depth    exact: no shorter translation of B separates the interiors. Upper bound: after B has
 *          moved by depth_m along direction, nothing overlaps. There is no lower bound.
 * Force    exact: the force and the torque of the variant's law (alg_law), in m2 and m3 by area, in
 *          m3 and m4 by depth. For a variant without a law, the law by area applies. Where faces of
 *          A and B lie in one plane, the energy has no gradient; the limit from any side then
 *          counts as right. There are no bounds.
 */
typedef enum alg_contract {
    ALG_NOT_ANSWERED = 0,
    ALG_EXACT,
    ALG_UPPER_BOUND, /* answer >= truth */
    ALG_LOWER_BOUND, /* answer <= truth */
    ALG_APPROXIMATE,
} alg_contract;

/**
 * The law that a force follows: the energy whose negative gradient is the force. The suite judges a
 * variant by the exact force and torque of its law.
 *
 * Symbols  d_A(x) and d_B(x) are the distances from x to the whole surface of A and of B, n_A and
 *          n_B the outward normals, c the centroid of B. F acts on B, T is its torque about c.
 *
 * AREA     The energy is the volume of the intersection of A and B. Both integrals run over the
 *          part of B's surface that lies inside A.
 *              F = - integral of n_B dS            T = - integral of (x - c) x n_B dS
 * DEPTH    The energy is the integral of d_A over the intersection of A and B: each point of B's
 *          surface is pushed out of A in proportion to its depth. Both integrals run over the part
 *          of B's surface that lies inside A.
 *              F = - integral of d_A n_B dS        T = - integral of (x - c) x d_A n_B dS
 * DEPTH_EXCHANGED
 *          The energy is the integral of d_B over the intersection of A and B. The roles of the
 *          bodies are exchanged, for a method whose map or field is the moving body. Both integrals
 *          run over the part of A's surface that lies inside B.
 *              F = integral of d_B n_A dS          T = integral of (x - c) x d_B n_A dS
 * NONE     The variant follows none of these laws. It is judged by AREA and by DEPTH.
 *
 * A law fixes the direction of a force, and its size except for one factor. Before a run compares
 * sizes, it multiplies the forces of a variant by one gain per scenario, unless the contract says
 * that the forces are exact.
 */
typedef enum alg_law {
    ALG_LAW_NONE = 0,
    ALG_LAW_AREA,
    ALG_LAW_DEPTH,
    ALG_LAW_DEPTH_EXCHANGED,
    ALG_LAW_COUNT
} alg_law;

/** The quantities of the queries to come, and the buffer sizes for lists. */
typedef struct alg_request {
    uint32_t size;   /* sizeof(alg_request) */
    unsigned wanted; /* mask ALG_WANT_*; one query answers all of them */
    /** Upper limits of the capacities in an answer. 0 means no buffer, as in timed passes. */
    uint32_t contacts_max, pairs_max, regions_max;
    bool stages; /* true: each answer contains the ends of its stages; false in timed passes */
} alg_request;

/* --- Inputs ----------------------------------------------------------------------------------- */

/** A body's mesh. It is borrowed and stays valid as long as the body that is prepared from it. */
typedef struct alg_mesh {
    uint32_t size; /* sizeof(alg_mesh) */
    const geo_vec3 *vertices;
    size_t vertex_count;
    const geo_face *faces;
    size_t face_count;
    bool solid;        /* closed, oriented outwards, free of self-intersections */
    double volume_m3;  /* volume of the solid */
    geo_vec3 centroid; /* centroid of the solid */
    geo_box box;
} alg_mesh;

typedef enum alg_role {
    ALG_FIXED,
    ALG_MOVING,
} alg_role;

typedef enum alg_parameter_type {
    ALG_INTEGER,
    ALG_REAL,
    ALG_CHOICE,
} alg_parameter_type;

/** One word of a choice. */
typedef struct alg_choice {
    const char *word; /* [a-z0-9-]+ */
    const char *help; /* one line: meaning of the word; NULL if the word needs no explanation */
} alg_choice;

/** One row of an algorithm's parameter table. */
typedef struct alg_parameter {
    const char *name; /* [a-z0-9-]+ */
    alg_parameter_type type;
    double fallback;        /* default; for a choice: the index of its word */
    double lowest, highest; /* range of a number; 0 for a choice */
    /** ALG_CHOICE: the words. ALG_INTEGER: NULL, or one word, which is stored as 0; then `lowest`
     * is above 0. The word of the row after the last one is NULL. */
    const alg_choice *choices;
    const char *help; /* one line */
} alg_parameter;

enum {
    ALG_PARAMETERS_MAX = 16,
    ALG_COUNTERS_MAX = 8,
    ALG_FACTS_MAX = 32,
    ALG_STAGES_MAX = 8,
    ALG_TOLERANCE_ULP_MAX = 10000,
    ALG_NAME_MAX = 80
};

/** Values in the order of the parameter table, 0 after its end. A choice is the index of its
 * word, and the word of an integer is 0. */
typedef struct alg_settings {
    double values[ALG_PARAMETERS_MAX];
    uint64_t seed; /* seed of the run; the only source of an algorithm's randomness */
} alg_settings;

/* --- Answers ---------------------------------------------------------------------------------- */

typedef enum alg_outcome {
    ALG_UNSET = 0, /* initial value, so that a forgotten assignment is detected */
    ALG_CONVERGED,
    ALG_BUDGET_REACHED,
    ALG_DEGENERATE,
} alg_outcome;

/** Bits of alg_answer.answered. */
enum {
    ALG_HAS_DISTANCE = 1u << 0,
    ALG_HAS_WITNESS = 1u << 1,
    ALG_HAS_VOLUME = 1u << 2,
    ALG_HAS_DEPTH = 1u << 3,    /* depth_m and direction */
    ALG_HAS_FORCE = 1u << 4,    /* force and torque */
    ALG_HAS_CONTACT = 1u << 5,  /* `colliding` answers ALG_CONTACT */
    ALG_HAS_CONTACTS = 1u << 6, /* contact_count, and contacts up to the buffer's capacity */
    ALG_HAS_DISTANCE_BRACKET = 1u << 7,
    ALG_HAS_VOLUME_BRACKET = 1u << 8,
    ALG_HAS_PAIRS = 1u << 9,    /* pair_count, and pairs up to the buffer's capacity */
    ALG_HAS_REGIONS = 1u << 10, /* region_count, and regions up to the buffer's capacity */
    ALG_HAS_STAGES = 1u << 11,  /* stage_ends_ns */
};

/** A point where the bodies touch. A run measures its distance from both surfaces. */
typedef struct alg_contact {
    geo_vec3 point;  /* in A's frame */
    geo_vec3 normal; /* unit, from A to B: the direction in which B separates; 0 if not available */
    double depth_m;  /* depth of this contact; 0 if not available */
} alg_contact;

/** Two triangles that share a point. */
typedef struct alg_face_pair {
    uint32_t face_a, face_b; /* indices into alg_mesh.faces */
    /** End points of the intersection. They are equal if it is a point. If it is an area, they are
     * its two points that are farthest apart. Both are 0 if the method does not compute them. */
    geo_vec3 from, to;
} alg_face_pair;

/** A part of the penetration with a separating direction of its own. */
typedef struct alg_region {
    geo_vec3 direction; /* unit; the direction in which B separates */
    double depth_m;
    double area_m2; /* cross-section of the intersection, projected along direction */
    bool loop;      /* true: bounded by closed intersection curves */
    /**
     * The region's window: a rectangle, extended without limit in both senses of direction. The
     * depth refers to this column, and it is judged inside this column. side_u and side_v are unit
     * vectors along the sides, orthogonal to each other and to direction; half_u_m and half_v_m are
     * half the lengths of the sides. If one of these is 0, the method has no window.
     */
    geo_vec3 point; /* centre */
    geo_vec3 side_u, side_v;
    double half_u_m, half_v_m;
} alg_region;

/**
 * Filled by a query. The caller sets size and the buffers, sets the witness points to NaN and
 * zeroes the rest. The suite reads outcome, colliding, the counters, and the members that
 * `answered` names. A NaN in these, or an unset outcome, gives status "wrong". The structure of an
 * older caller is shorter: members beyond size do not exist.
 */
typedef struct alg_answer {
    uint32_t size;
    uint32_t answered;
    alg_outcome outcome;
    bool colliding;
    double distance_m; /* 0 when the bodies overlap */
    /**
     * The nearest point of each body, on its surface, in A's frame. If several points are equally
     * near, any of them is right. The points are judged if distance_m is above 0. If the contract
     * promises an exact distance, points that are not nearest break the contract.
     */
    geo_vec3 witness_a, witness_b;
    double volume_m3;
    double depth_m;     /* 0 when the bodies are apart */
    geo_vec3 direction; /* unit, or 0 if the depth is 0; the direction in which B separates */
    geo_vec3 force;     /* force on B, in alg_algorithm.force_unit */
    geo_vec3 torque;    /* torque about B's centroid, in force_unit times m */
    uint64_t counters[ALG_COUNTERS_MAX]; /* in the order of alg_algorithm.counters */
    /**
     * Brackets: lo <= truth <= hi, finite, at every frame, whatever the contract promises for the
     * answer itself. Each bracket has a bit of its own. A bracket that does not contain the truth,
     * or with lo > hi, breaks the contract. If the median width of a cell's brackets is more than
     * 10 % of the size, the cell is "uninformative".
     */
    double distance_lo_m, distance_hi_m;
    double volume_lo_m3, volume_hi_m3;
    /**
     * The caller's buffers; NULL with a capacity of 0 if there is no buffer. A count may exceed the
     * capacity. The method chooses the order of the items. A buffer must not change any other
     * member of an answer, except for a count: items that the method finds only for a buffer need
     * not be counted without one. A run provides buffers in a separate pass, for the lists that an
     * answer without buffers has claimed in `answered`.
     */
    alg_contact *contacts;
    alg_face_pair *pairs;
    alg_region *regions;
    uint32_t contact_capacity, pair_capacity, region_capacity;
    uint32_t contact_count, pair_count, region_count;
    /**
     * Time from the start of the query to the end of each stage, in the order of
     * alg_algorithm.stages. Filled if alg_request.stages is true. A stage that ends before the
     * previous stage, or after the query, gives status "wrong".
     */
    uint64_t stage_ends_ns[ALG_STAGES_MAX];
} alg_answer;

/**
 * Name of a fact of bodies that consist of voxels: the share of the body's volume that has no inner
 * voxel in or beside its own voxel, because the body is thinner there than its voxels. If it is
 * ALG_THIN_LEAST or more, a run prints a note when it has built the body.
 */
#define ALG_FACT_THIN  "thin_volume_share"
#define ALG_THIN_LEAST 0.01

/** Cost and content of a prepared body. */
typedef struct alg_build_info {
    uint64_t bytes;
    uint64_t primitives;         /* number of stored spheres, points or triangles */
    double facts[ALG_FACTS_MAX]; /* in the order of alg_algorithm.facts; the caller sets all of them
                                    to NaN, which means that a fact is missing */
} alg_build_info;

/** Receives the parts of a body, one after the other, in the body's own frame. If a member is NULL,
 * or lies beyond the size that an older caller sets, the caller does not want such parts. */
typedef struct alg_sink {
    uint32_t size; /* sizeof(alg_sink) */
    void *context;
    void (*sphere)(void *context, const geo_ball *ball);
    /**
     * The grid of a voxmap, before its voxels. Plane i of an axis is at fl(corner + fl(edge * (i -
     * padding))). Voxel i is closed and lies between planes i and i + 1. Each axis has count[axis]
     * voxels.
     */
    void (*grid)(void *context, const geo_vec3 *corner, double edge, uint32_t padding,
                 const uint32_t count[3]);
    /** Surface voxels (x0, y, z) to (x1 - 1, y, z), each once. They are compared with the exact
     * voxels. */
    void (*surface_voxels)(void *context, uint32_t x0, uint32_t x1, uint32_t y, uint32_t z);
    /**
     * A node of a hierarchy and its ball, in depth-first order. level: 0 for the root. The nodes,
     * spheres and points that follow are below it, up to the next node of this or a smaller level.
     * Points and centres of spheres lie inside of the balls of all nodes above them.
     */
    void (*node)(void *context, const geo_ball *ball, uint32_t level);
    /** A point of a pointshell. normal: unit, pointing into the body, or 0. */
    void (*point)(void *context, const geo_vec3 *point, const geo_vec3 *normal);
} alg_sink;

/** Receives the bytes of a prepared body, one part after the other. */
typedef struct alg_writer {
    uint32_t size; /* sizeof(alg_writer) */
    void *context;
    /** Returns false if the writer accepts no more bytes. All bytes so far are then discarded. */
    bool (*write)(void *context, const void *bytes, size_t size);
} alg_writer;

/* --- Errors ----------------------------------------------------------------------------------- */

typedef enum alg_status {
    ALG_OK = 0,
    ALG_UNSUPPORTED, /* the algorithm does not handle this body or request; the cell gets the status
                        "unsupported" */
    ALG_OUT_OF_MEMORY,
    ALG_FAILED,
} alg_status;

/** One line, filled for every status except ALG_OK. */
typedef struct alg_message {
    char text[512];
} alg_message;

/* --- The contract ----------------------------------------------------------------------------- */

enum {
    /** Meshes must be solids; the suite rejects other meshes. Without this flag, the algorithm
     * treats a mesh that is not a solid as a surface. */
    ALG_NEEDS_SOLIDS = 1u << 0,
    ALG_SURFACE = 1u << 1, /* answers for surfaces: a body inside the other is no overlap */
    /** An answer's time may depend on the previous frame. Without this flag, a run also queries the
     * frames in another order, and the answers must be the same. The order never changes if
     * reads_clock returns true. */
    ALG_KEEPS_STATE = 1u << 2,
    ALG_KNOWN_BAD = 1u << 3,   /* wrong on purpose: no glob matches it, only its name */
    ALG_ALL_PAIRS = 1u << 4,   /* pair_count counts all triangle pairs that share a point */
    ALG_BY_CONTACTS = 1u << 5, /* by default a simulation uses impulses at its contacts, even if it
                                  answers a force */
    ALG_BY_NAME = 1u << 6,     /* takes part only by its name: no glob matches it */
};

typedef struct alg_algorithm alg_algorithm;
struct alg_algorithm {
    uint32_t abi_version;   /* ALG_ABI_VERSION */
    const char *name;       /* family or family-kind: [a-z0-9-]+, at most ALG_NAME_MAX letters */
    const char *summary;    /* one line for `proxbench list` */
    const char *source;     /* key in REFERENCES.md, with section or equation; "" without a paper */
    unsigned flags;         /* ALG_NEEDS_SOLIDS and the other flags above, or 0 */
    const char *force_unit; /* "m2", "m3", "m", "N"; NULL if it answers no force */
    const alg_parameter *parameters; /* the most useful to a reader first */
    size_t parameter_count;
    const char *const *counters; /* names, [a-z_]+_count; NULL-terminated, or NULL */
    const char *const *stages;   /* names, [a-z0-9_]+, in order of time; NULL-terminated, or NULL */

    /** Returns the promise of these settings for a quantity; ALG_NOT_ANSWERED for an unknown
     * quantity. */
    alg_contract (*contract)(const alg_settings *settings, alg_quantity quantity);

    /**
     * Builds the data of one body in one role, independent of the other body. The time and the info
     * are columns of the results. mesh stays valid until dispose. On failure *prepared is NULL and
     * message gives the reason.
     */
    alg_status (*prepare)(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                          void **prepared, alg_build_info *info, alg_message *message);
    void (*dispose)(void *prepared);

    /** Joins two prepared bodies and allocates all memory for the requested queries. The bodies
     * outlive the state; the request does not. */
    alg_status (*bind)(const alg_settings *settings, const void *fixed, const void *moving,
                       const alg_request *request, void **state, alg_message *message);
    void (*release)(void *state);

    /** Restores the state that bind has made. It may be NULL for an algorithm without
     * ALG_KEEPS_STATE. The time of a reset is a column of its own. If a reset does work for later
     * queries, the cell is "wrong". */
    void (*reset)(void *state);

    /**
     * Answers one pose. The pose has the same address in all queries and is overwritten by the next
     * one. A query is timed: it must not allocate and must not do input or output, and it cannot
     * fail. It reads a clock only if reads_clock returns true or stages are requested. If it works
     * in other threads or for later passes, the suite notes that or sets the cell to "wrong".
     */
    void (*query)(void *state, const geo_pose *pose, alg_answer *answer);

    /**
     * The number of units in the last place by which answers may be wrong, in addition to the slack
     * of the truth. Answers of another build or machine may also differ by this number. 0 means no
     * deviation at all; all algorithms of this program have 0. The limit is ALG_TOLERANCE_ULP_MAX,
     * which is 2.2e-12 of the answer. An algorithm with larger deviations is not exact.
     */
    uint32_t tolerance_ulp;

    /** Passes the parts of a prepared body to the sink, for pictures and for checks. NULL if there
     * is nothing to show. */
    void (*draw)(const void *prepared, const alg_sink *sink);

    /** Names of the values in alg_build_info.facts, with their units, e.g. "gap_m": [a-z0-9_]+;
     * NULL-terminated, or NULL. They are columns of builds.csv. A run also prints a note about the
     * fact ALG_FACT_THIN. */
    const char *const *facts;

    /**
     * Writes a prepared body as bytes that load reads. The bytes have the byte order of the machine
     * and contain no addresses; equal bodies give equal bytes. If save and load are NULL, each
     * process builds its own bodies.
     */
    alg_status (*save)(const void *prepared, const alg_writer *to, alg_message *message);

    /**
     * Restores the body that prepare made from the same settings, mesh and role. All answers and
     * counters of the restored body are the same to the last bit. The suite passes only bytes that
     * save has written, and has checked their hash. The key of the bytes contains the hash of the
     * file with the code, so the code that loads the bytes is the code that wrote them. load checks
     * their length: missing or extra bytes give ALG_FAILED. bytes are borrowed and aligned as by
     * malloc. mesh stays valid until dispose. info already has the values that prepare filled in.
     * On failure *prepared is NULL.
     */
    alg_status (*load)(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                       const void *bytes, size_t size, void **prepared, alg_build_info *info,
                       alg_message *message);

    /**
     * Replaces the settings of a variant by those of its bodies: every setting that prepare and
     * load do not read gets one fixed value. prepare and load receive the result, all other
     * functions the settings of the variant. Variants with equal results share one cached body.
     * NULL: bodies depend on all settings.
     */
    void (*body_settings)(alg_settings *settings);

    /**
     * Returns the law that the forces of these settings follow. NULL: ALG_LAW_NONE for all
     * settings. The law must be one of alg_law. If force_unit is NULL, it must be ALG_LAW_NONE.
     */
    alg_law (*law)(const alg_settings *settings);

    /** True if the answers of these settings depend on a clock. The suite then does not expect the
     * same answers again: no pass, gate or replay compares them. NULL: no settings read a clock. */
    bool (*reads_clock)(const alg_settings *settings);
};

/* --- Plug-ins --------------------------------------------------------------------------------- */

#if defined(__AVX512F__)
#define ALG_SIMD "avx512"
#elif defined(__AVX2__)
#define ALG_SIMD "avx2"
#elif defined(__AVX__)
#define ALG_SIMD "avx"
#elif defined(__SSE4_2__)
#define ALG_SIMD "sse4.2"
#elif defined(__SSE2__)
#define ALG_SIMD "sse2"
#else
#define ALG_SIMD "none"
#endif

#if defined(__GNUC__)
#define ALG_EXPORT __attribute__((visibility("default")))
#else
#define ALG_EXPORT
#endif

/** The content of a plug-in's shared library. The library stays loaded until the process ends, and
 * all pointers must stay valid until then. */
typedef struct alg_plugin {
    uint32_t abi_version; /* ALG_ABI_VERSION; read before all other members */
    uint32_t alg_size;    /* sizeof(alg_algorithm); a newer suite takes members beyond it as 0 */
    const char *version;  /* version of the library with the algorithm, as "FCL 0.7.0"; the manifest
                             lists it */
    const char *build;    /* compiler, flags, ALG_SIMD, for the manifest; or NULL */
    const alg_algorithm *const *algorithms; /* NULL-terminated */
} alg_plugin;

/** The only symbol that a plug-in exports. `proxbench run --plugin libmine.so` calls it once.
 * Returns a structure that stays valid; NULL if the library cannot work on this machine. */
ALG_EXPORT const alg_plugin *proxbench_plugin(void);

#ifdef __cplusplus
}
#endif

#endif
