/**
 * The contract between the suite and an algorithm under test.
 *
 * To add an algorithm: make a folder, define one `const alg_algorithm`, declare it in registry.h
 * and list it in registry.c; or leave this tree alone and export it from a shared library (see
 * alg_plugin). README.md in this folder walks through both.
 *
 * The life of an algorithm, all in one worker process:
 *
 *   prepare(body) for each role -> bind(pair, request) ->
 *       { reset -> query per frame } per pass -> release
 *
 * Frames  A is fixed, B moves; a pose carries B's frame into A's. All answers are in A's frame,
 *         whose origin is the centre of A's box. The suite moves meshes and poses there before an
 *         algorithm sees them, and moves the points of answers back before it prints them.
 * Floats  Every function finds the default floating-point environment and leaves it so.
 * Units   metres, m3, radians. The unit of the force is declared by the algorithm.
 * Plain   This header depends on geometry/types.h alone and is valid C99 and C++11: a closed
 *         library can include it. Structures begin with their size, and new members come last.
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

/* --- What is asked ---------------------------------------------------------------------------- */

typedef enum alg_quantity {
    ALG_DISTANCE,
    ALG_VOLUME,
    ALG_CONTACT, /* do they touch, and where: contacts and intersecting pairs of triangles */
    ALG_DEPTH,   /* a way out: B moved by depth_m along direction is out of A */
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
 * What a variant promises about a quantity, at every frame, up to the slack of doubles.
 *
 * Contact  counts as 0 or 1: an upper bound never misses one, a lower bound gives no false alarm.
 * Depth    exact: no shorter translation of B takes the interiors apart. Upper bound: moved by
 *          depth_m along direction, nothing overlaps. There is no lower bound.
 * Force    exact: the force and the torque of the variant's law (alg_law), in m2 and m3 by area,
 *          in m3 and m4 by depth; a variant without a law means the law by area. Where faces of A
 *          and B lie in one plane the energy has no gradient, and its limit from any side is as
 *          right as from any other. There are no bounds.
 */
typedef enum alg_contract {
    ALG_NOT_ANSWERED = 0,
    ALG_EXACT,
    ALG_UPPER_BOUND, /* answer >= truth */
    ALG_LOWER_BOUND, /* answer <= truth */
    ALG_APPROXIMATE,
} alg_contract;

/**
 * The law that a force follows: what it is minus the gradient of. The suite judges a variant by
 * the exact force and torque of its law.
 *
 * Symbols  d_A(x) and d_B(x) are the distances from x to the whole surface of A and of B, n_A and
 *          n_B the outward normals, c the centroid of B. F acts on B, T is its torque about c.
 *
 * AREA     The energy is the volume of A and B in common. Both integrals run over the part of B's
 *          surface that lies inside A.
 *              F = - integral of n_B dS            T = - integral of (x - c) x n_B dS
 * DEPTH    The energy is the integral of d_A over A and B in common: each point of B's surface is
 *          pushed out of A in proportion to its depth. Both integrals run over the part of B's
 *          surface that lies inside A.
 *              F = - integral of d_A n_B dS        T = - integral of (x - c) x d_A n_B dS
 * DEPTH_EXCHANGED
 *          The energy is the integral of d_B over A and B in common: the roles of the bodies are
 *          exchanged, for a method whose map or field is the moving body. Both integrals run over
 *          the part of A's surface that lies inside B.
 *              F = integral of d_B n_A dS          T = integral of (x - c) x d_B n_A dS
 * NONE     The variant follows none of these laws; it is judged by AREA and by DEPTH.
 *
 * A law fixes directions, and sizes up to one factor: a run multiplies the forces of a variant by
 * one gain for each scenario before it compares sizes, unless the contract says that they are
 * exact.
 */
typedef enum alg_law {
    ALG_LAW_NONE = 0,
    ALG_LAW_AREA,
    ALG_LAW_DEPTH,
    ALG_LAW_DEPTH_EXCHANGED,
    ALG_LAW_COUNT
} alg_law;

/** What queries will be asked, and the room that each will have for lists. */
typedef struct alg_request {
    uint32_t size;   /* sizeof(alg_request) */
    unsigned wanted; /* mask ALG_WANT_*; several bits ask for all of them in one query */
    /** The most entries that the buffers of an answer will have; 0, as in passes that are timed: no
     * buffer. */
    uint32_t contacts_max, pairs_max, regions_max;
    bool stages; /* are the ends of stages asked? Never in passes that are timed */
} alg_request;

/* --- What is given ---------------------------------------------------------------------------- */

/** A body's mesh, borrowed for the life of what is prepared from it. */
typedef struct alg_mesh {
    uint32_t size; /* sizeof(alg_mesh) */
    const geo_vec3 *vertices;
    size_t vertex_count;
    const geo_face *faces;
    size_t face_count;
    bool solid;        /* closed, oriented outwards, free of self-intersections */
    double volume_m3;  /* of the solid */
    geo_vec3 centroid; /* of the solid */
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
    const char *help; /* one line: what the word stands for; NULL: the word says it */
} alg_choice;

/** One row of an algorithm's parameter table. */
typedef struct alg_parameter {
    const char *name; /* [a-z0-9-]+ */
    alg_parameter_type type;
    double fallback;           /* default; of a choice: the index of its word */
    double lowest, highest;    /* range of a number; a choice leaves them 0 */
    const alg_choice *choices; /* ALG_CHOICE: its words; the word of the last row is NULL */
    const char *help;          /* one line */
} alg_parameter;

enum {
    ALG_PARAMETERS_MAX = 16,
    ALG_COUNTERS_MAX = 8,
    ALG_FACTS_MAX = 16,
    ALG_STAGES_MAX = 8,
    ALG_TOLERANCE_ULP_MAX = 10000,
    ALG_NAME_MAX = 80
};

/** Values by their rows in the parameter table, 0 behind it; a choice is the index of its word. */
typedef struct alg_settings {
    double values[ALG_PARAMETERS_MAX];
    uint64_t seed; /* of the run; an algorithm draws all its randomness from it */
} alg_settings;

/* --- What is answered ------------------------------------------------------------------------- */

typedef enum alg_outcome {
    ALG_UNSET = 0, /* a forgotten path is visible */
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
    ALG_HAS_CONTACTS = 1u << 6, /* contact_count, and contacts as far as the buffer has room */
    ALG_HAS_DISTANCE_BRACKET = 1u << 7,
    ALG_HAS_VOLUME_BRACKET = 1u << 8,
    ALG_HAS_PAIRS = 1u << 9,    /* pair_count, and pairs as far as the buffer has room */
    ALG_HAS_REGIONS = 1u << 10, /* region_count, and regions as far as the buffer has room */
    ALG_HAS_STAGES = 1u << 11,  /* stage_ends_ns */
};

/** One place where the bodies touch. A run measures how far it is from both surfaces. */
typedef struct alg_contact {
    geo_vec3 point;  /* in A's frame */
    geo_vec3 normal; /* unit, from A to B: the way B moves out; 0 where the method has none */
    double depth_m;  /* of this contact; 0 where the method has none */
} alg_contact;

/** Two triangles that share a point. */
typedef struct alg_face_pair {
    uint32_t face_a, face_b; /* by number, in alg_mesh.faces */
    /** Ends of what they have in common: equal where it is a point; where it is an area, the two of
     * its points that are farthest apart; both 0 where the method has none. */
    geo_vec3 from, to;
} alg_face_pair;

/** A part of the penetration that has a way out of its own. */
typedef struct alg_region {
    geo_vec3 direction; /* unit; the way B moves to get out */
    double depth_m;
    double area_m2; /* of the section between the bodies, as it is seen along direction */
    bool loop;      /* is it bounded by closed curves of intersection? */
    /**
     * Its window: a rectangle, and all that is before and behind it along direction. In this column
     * the way out is meant, and judged. Unit vectors along its sides, at right angles with each
     * other and with direction, and half of its sides; either of these 0: the method has no window.
     */
    geo_vec3 point; /* in the middle */
    geo_vec3 side_u, side_v;
    double half_u_m, half_v_m;
} alg_region;

/**
 * Filled by a query; the caller sets size and the buffers, puts NaN into the witness points and
 * zeroes the rest. Only what `answered` names is read, and NaN there is status "wrong", as is an
 * outcome that is unset. An older caller's is shorter: what lies beyond size is not there.
 */
typedef struct alg_answer {
    uint32_t size;
    uint32_t answered;
    alg_outcome outcome;
    bool colliding;
    double distance_m; /* 0 when the bodies overlap */
    /** A nearest point of each body, on its surface, both in A's frame; judged where distance_m is
     * above 0, and a broken contract where an exact distance has others. */
    geo_vec3 witness_a, witness_b;
    double volume_m3;
    double depth_m;     /* 0 when the bodies are apart */
    geo_vec3 direction; /* unit, or 0 with a depth of 0; the way B moves to get out */
    geo_vec3 force;     /* on B, in alg_algorithm.force_unit */
    geo_vec3 torque;    /* about B's centroid, in that unit times m */
    uint64_t counters[ALG_COUNTERS_MAX]; /* as named by alg_algorithm.counters */
    /**
     * Brackets, each with a bit of its own: lo <= truth <= hi, finite, at every frame and whatever
     * the contract says of the answer itself. One that holds no truth, or is upside down, is a
     * broken contract. A cell whose brackets are wider at the median than 10 % of the size is
     * "uninformative".
     */
    double distance_lo_m, distance_hi_m;
    double volume_lo_m3, volume_hi_m3;
    /**
     * The caller's buffers, NULL with a capacity of 0 where there is none. A count may exceed the
     * capacity, and the order is the method's. A buffer changes nothing else in an answer, but what
     * is found on request alone need not be counted without one. A run gives buffers in a pass of
     * their own, for what an answer without them has claimed in `answered`.
     */
    alg_contact *contacts;
    alg_face_pair *pairs;
    alg_region *regions;
    uint32_t contact_capacity, pair_capacity, region_capacity;
    uint32_t contact_count, pair_count, region_count;
    /**
     * From the begin of the query to the end of each stage, as named by alg_algorithm.stages; where
     * alg_request.stages asks for them. One that ends before the stage before it, or after the
     * query, is status "wrong".
     */
    uint64_t stage_ends_ns[ALG_STAGES_MAX];
} alg_answer;

/** What a prepared body cost and holds. */
typedef struct alg_build_info {
    uint64_t bytes;
    uint64_t primitives;         /* spheres, points, triangles: what the algorithm is made of */
    double facts[ALG_FACTS_MAX]; /* as named by alg_algorithm.facts; NaN, as the caller has set all:
                                    none */
} alg_build_info;

/**
 * Takes what a body is made of, one part after the other, in the body's own frame. What is NULL, or
 * beyond an older caller's size, is not wanted.
 */
typedef struct alg_sink {
    uint32_t size; /* sizeof(alg_sink) */
    void *context;
    void (*sphere)(void *context, const geo_ball *ball);
    /**
     * The grid of a voxmap, before its voxels: plane i of an axis at fl(corner + fl(edge * (i -
     * padding))), the closed voxel i between planes i and i + 1, count[axis] voxels.
     */
    void (*grid)(void *context, const geo_vec3 *corner, double edge, uint32_t padding,
                 const uint32_t count[3]);
    /** Surface voxels (x0, y, z) to (x1 - 1, y, z), each once: what is compared with the exact
     * ones. */
    void (*surface_voxels)(void *context, uint32_t x0, uint32_t x1, uint32_t y, uint32_t z);
} alg_sink;

/** Takes the bytes of a prepared body, one part after the other. */
typedef struct alg_writer {
    uint32_t size; /* sizeof(alg_writer) */
    void *context;
    /** False: nothing more is taken, and nothing of it is kept. */
    bool (*write)(void *context, const void *bytes, size_t size);
} alg_writer;

/* --- Errors ----------------------------------------------------------------------------------- */

typedef enum alg_status {
    ALG_OK = 0,
    ALG_UNSUPPORTED, /* this body or this question is not for this algorithm: status of the cell */
    ALG_OUT_OF_MEMORY,
    ALG_FAILED,
} alg_status;

/** One line, filled on every status but ALG_OK. */
typedef struct alg_message {
    char text[512];
} alg_message;

/* --- The contract ----------------------------------------------------------------------------- */

enum {
    ALG_NEEDS_SOLIDS = 1u << 0, /* otherwise it answers for surfaces where a mesh is not solid */
    ALG_SURFACE = 1u << 1,      /* answers for surfaces: containment is no overlap, and no error */
    /** An answer's time may depend on the frame before. Without it a run also asks the frames in
     * another order, and answers must be the same. */
    ALG_KEEPS_STATE = 1u << 2,
    ALG_KNOWN_BAD = 1u << 3,   /* wrong on purpose: no glob stands for it, only its name */
    ALG_ALL_PAIRS = 1u << 4,   /* pair_count is that of all triangles that share a point */
    ALG_BY_CONTACTS = 1u << 5, /* its contacts drive a simulation, although it answers a force */
};

typedef struct alg_algorithm alg_algorithm;
struct alg_algorithm {
    uint32_t abi_version;   /* ALG_ABI_VERSION */
    const char *name;       /* family, or family-kind: [a-z0-9-]+, at most ALG_NAME_MAX letters */
    const char *summary;    /* one line for `proxbench list` */
    const char *source;     /* key in REFERENCES.md, with section or equation; "" without a paper */
    unsigned flags;         /* ALG_NEEDS_SOLIDS and the others above, or 0 */
    const char *force_unit; /* "m2", "m3", "m", "N"; NULL when it answers no force */
    const alg_parameter *parameters; /* in the order in which a reader wants them */
    size_t parameter_count;
    const char *const *counters; /* names, [a-z_]+_count; NULL-terminated, or NULL */
    const char *const *stages;   /* names, [a-z0-9_]+, in their order; NULL-terminated, or NULL */

    /** What these settings promise for a quantity; nothing for one that it does not know. */
    alg_contract (*contract)(const alg_settings *settings, alg_quantity quantity);

    /**
     * Builds what one body needs in one role, independent of the other body. Its time and info are
     * columns. mesh stays valid until dispose. On failure *prepared is NULL and message says why.
     */
    alg_status (*prepare)(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                          void **prepared, alg_build_info *info, alg_message *message);
    void (*dispose)(void *prepared);

    /**
     * Joins two prepared bodies and allocates all that the requested queries need. The two bodies
     * outlive the state, the request does not.
     */
    alg_status (*bind)(const alg_settings *settings, const void *fixed, const void *moving,
                       const alg_request *request, void **state, alg_message *message);
    void (*release)(void *state);

    /** Back to the state after bind. NULL for an algorithm without ALG_KEEPS_STATE. Its time is a
     * column of its own; work that it does for queries to come makes a cell "wrong". */
    void (*reset)(void *state);

    /** Answers one pose, which lies in one place for all queries and is overwritten by the next
     * one. Timed: no allocation, no input or output, cannot fail. Reads a clock only where
     * reads_clock says so, or stages are asked. Work in other threads, or for later passes, is
     * noted or makes a cell "wrong". */
    void (*query)(void *state, const geo_pose *pose, alg_answer *answer);

    /**
     * By how many units in the last place answers may be off, beside the truth's own slack, and may
     * differ in another build or on another machine. 0, as for all of this program: not at all.
     * At most ALG_TOLERANCE_ULP_MAX, 2.2e-12 of the answer: beyond that an algorithm is not exact.
     */
    uint32_t tolerance_ulp;

    /** Hands out what a prepared body is made of, for a picture and to be judged. NULL: it has
     * nothing to show. */
    void (*draw)(const void *prepared, const alg_sink *sink);

    /**
     * Names of what alg_build_info.facts tells of a prepared body, with their units, "gap_m":
     * [a-z0-9_]+; NULL-terminated, or NULL. Columns of builds.csv.
     */
    const char *const *facts;

    /**
     * Writes a prepared body as bytes that load reads. They have the byte order of the machine and
     * no addresses, and equal bodies give equal bytes. NULL, as load: each process builds its own
     * bodies.
     */
    alg_status (*save)(const void *prepared, const alg_writer *to, alg_message *message);

    /**
     * Restores the body that prepare made of the same settings, mesh and role: all answers and
     * counters are the same to the last bit. The suite passes only bytes that it has kept since
     * save. It has checked their hash, and their key contains the hash of the file with the code,
     * so the code that loads them is the code that wrote them. Load checks their length: bytes that
     * end early or late are ALG_FAILED. bytes are borrowed and aligned as by malloc; mesh stays
     * valid until dispose; info is as prepare filled it. On failure *prepared is NULL.
     */
    alg_status (*load)(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                       const void *bytes, size_t size, void **prepared, alg_build_info *info,
                       alg_message *message);

    /**
     * Turns the settings of a variant into those of its bodies: whatever prepare and load do not
     * read gets one value for all. These two are given the result, the others what the variant
     * says; variants with equal results share one kept body. NULL: bodies depend on all settings.
     */
    void (*body_settings)(alg_settings *settings);

    /**
     * Returns the law that the forces of these settings follow. NULL: ALG_LAW_NONE for all
     * settings. The law must be one of those above, and ALG_LAW_NONE if the algorithm answers no
     * force.
     */
    alg_law (*law)(const alg_settings *settings);

    /**
     * Do answers of these settings depend on a clock? Then the suite does not expect that they
     * repeat: no pass, gate or replay compares them. NULL: no settings read a clock.
     */
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

/** What a shared library brings. It stays loaded; all of it must live as long. */
typedef struct alg_plugin {
    uint32_t abi_version; /* ALG_ABI_VERSION; read before anything else */
    uint32_t alg_size; /* sizeof(alg_algorithm): what a newer suite asks beyond it is taken as 0 */
    const char *version; /* of what answers, for the manifest: "FCL 0.7.0" */
    const char *build;   /* compiler, flags, ALG_SIMD, for the manifest; or NULL */
    const alg_algorithm *const *algorithms; /* NULL-terminated */
} alg_plugin;

/**
 * The one symbol that a plug-in exports; `proxbench run --plugin libmine.so` calls it once.
 * Returns  a structure that stays; NULL when the library cannot work here.
 */
ALG_EXPORT const alg_plugin *proxbench_plugin(void);

#ifdef __cplusplus
}
#endif

#endif
