/**
 * The contract between the suite and an algorithm under test.
 *
 * To add an algorithm: make a folder, define one `const alg_algorithm`, declare it in registry.h and list it
 * in registry.c; or leave this tree alone and export it from a shared library (see alg_plugin).
 * README.md in this folder walks through both.
 *
 * The life of an algorithm, all in one worker process:
 *
 *   prepare(body) for each role -> bind(pair) -> { reset -> query per frame } per pass -> release
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

#define ALG_ABI_VERSION 1

/* --- What is asked ---------------------------------------------------------------------------- */

typedef enum alg_quantity {
    ALG_DISTANCE,
    ALG_VOLUME,
    ALG_CONTACT, /* do they touch? How many contacts there are is a counter, contacts_count */
    ALG_QUANTITY_COUNT
} alg_quantity;

/** Bits of a mask of quantities. */
enum {
    ALG_WANT_DISTANCE = 1u << ALG_DISTANCE,
    ALG_WANT_VOLUME = 1u << ALG_VOLUME,
    ALG_WANT_CONTACT = 1u << ALG_CONTACT,
};

/**
 * What a variant promises about a quantity, at every frame, up to the slack of doubles. Contact
 * counts as 0 or 1: an upper bound never misses one, a lower bound gives no false alarm.
 */
typedef enum alg_contract {
    ALG_NOT_ANSWERED = 0,
    ALG_EXACT,
    ALG_UPPER_BOUND, /* answer >= truth */
    ALG_LOWER_BOUND, /* answer <= truth */
    ALG_APPROXIMATE,
} alg_contract;

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

/** One row of an algorithm's parameter table. */
typedef struct alg_parameter {
    const char *name; /* [a-z0-9-]+; the table is sorted by it */
    alg_parameter_type type;
    double fallback, lowest, highest; /* default and range; of a choice: its index */
    const char *choices;              /* ALG_CHOICE: "primary|secondary", else NULL */
    const char *help;                 /* one line */
} alg_parameter;

enum { ALG_PARAMETERS_MAX = 16, ALG_COUNTERS_MAX = 8, ALG_FACTS_MAX = 16 };

/** Values in the order of the parameter table; a choice is the index of its word. */
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
    ALG_HAS_DEPTH = 1u << 3,
    ALG_HAS_FORCE = 1u << 4,
    ALG_HAS_CONTACT = 1u << 5,  /* `colliding` answers ALG_CONTACT */
    ALG_HAS_CONTACTS = 1u << 6, /* `contacts` are filled; not without a buffer */
    ALG_HAS_DISTANCE_BRACKET = 1u << 7,
    ALG_HAS_VOLUME_BRACKET = 1u << 8,
};

/** One place where the bodies touch. */
typedef struct alg_contact {
    geo_vec3 point;
    geo_vec3 normal; /* unit, from A to B: the way B moves out; 0 where the method has none */
    double depth_m;
} alg_contact;

/**
 * Filled by a query; the caller sets size, puts NaN into the witness points and zeroes the rest.
 * Only what `answered` names is read, and NaN there is status "wrong", as is an outcome that is
 * unset. An older caller's is shorter: what lies beyond size is not there.
 */
typedef struct alg_answer {
    uint32_t size;
    uint32_t answered;
    alg_outcome outcome;
    bool colliding;
    double distance_m; /* 0 when the bodies overlap */
    geo_vec3 witness_a, witness_b;
    double volume_m3;
    double depth_m;
    geo_vec3 direction;                  /* unit; the way B moves to get out */
    geo_vec3 force;                      /* on B */
    geo_vec3 torque;                     /* about B's centroid */
    uint64_t counters[ALG_COUNTERS_MAX]; /* as named by alg_algorithm.counters */
    /**
     * The caller's buffer, for one who draws or prints: without it, as in a run, its capacity is 0.
     * The count may exceed the capacity, and the order is the method's. A buffer changes nothing
     * else in an answer.
     */
    alg_contact *contacts;
    uint32_t contact_capacity;
    uint32_t contact_count;
    /**
     * Brackets, each with a bit of its own: lo <= truth <= hi, finite, at every frame and whatever
     * the contract says of the answer itself. One that holds no truth, or is upside down, is a
     * broken contract. A cell whose brackets are wider at the median than 10 % of the size is
     * "uninformative".
     */
    double distance_lo_m, distance_hi_m;
    double volume_lo_m3, volume_hi_m3;
} alg_answer;

/** What a prepared body cost and holds. */
typedef struct alg_build_info {
    uint64_t bytes;
    uint64_t primitives; /* spheres, points, triangles: what the algorithm is made of */
    double facts
        [ALG_FACTS_MAX]; /* as named by alg_algorithm.facts; NaN, as the caller has set all: none */
} alg_build_info;

/** Takes the spheres that a body is made of, one after the other. */
typedef struct alg_sink {
    uint32_t size; /* sizeof(alg_sink) */
    void *context;
    void (*sphere)(void *context, const geo_ball *ball); /* in the body's own frame */
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
    ALG_KEEPS_STATE = 1u << 2,  /* an answer's time may depend on the frame before */
    ALG_READS_CLOCK = 1u << 3,  /* outside the reproduction gate */
    ALG_KNOWN_BAD = 1u << 4,    /* wrong on purpose: no glob stands for it, only its name */
};

typedef struct alg_algorithm alg_algorithm;
struct alg_algorithm {
    uint32_t abi_version;   /* ALG_ABI_VERSION */
    const char *name;       /* family, or family-kind: [a-z0-9-]+ */
    const char *summary;    /* one line for `proxbench list` */
    const char *source;     /* key in REFERENCES.md, with section or equation; "" without a paper */
    unsigned flags;         /* ALG_NEEDS_SOLIDS and the others above, or 0 */
    const char *force_unit; /* "m3", "m", "N"; NULL when it answers no force */
    const alg_parameter *parameters;
    size_t parameter_count;
    const char *const *counters; /* names, [a-z_]+_count; NULL-terminated, or NULL */

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
     * Joins two prepared bodies and allocates all that queries need. wanted: mask of quantities;
     * several bits ask for all of them in one query. The two bodies outlive the state.
     */
    alg_status (*bind)(const alg_settings *settings, const void *fixed, const void *moving,
                       unsigned wanted, void **state, alg_message *message);
    void (*release)(void *state);

    /** Back to the state after bind. NULL for an algorithm without ALG_KEEPS_STATE. */
    void (*reset)(void *state);

    /** Answers one pose. Timed: no allocation, no input or output, cannot fail. */
    void (*query)(void *state, const geo_pose *pose, alg_answer *answer);

    /**
     * By how many units in the last place answers may be off, beside the truth's own slack, and may
     * differ in another build or on another machine. 0, as for all of this program: not at all.
     */
    uint32_t tolerance_ulp;

    /** One line on a word of a choice, by its index, or NULL; the function may be NULL as well. */
    const char *(*explain)(size_t parameter, size_t choice);

    /** Hands out what a prepared body is made of, for a picture. NULL: it has nothing to show. */
    void (*draw)(const void *prepared, const alg_sink *sink);

    /**
     * Names of what alg_build_info.facts tells of a prepared body, with their units, "gap_m":
     * [a-z0-9_]+; NULL-terminated, or NULL. Columns of builds.csv.
     */
    const char *const *facts;

    /**
     * Of the body that prepare builds from given settings and mesh, and of the bytes of save. Raise
     * it whenever either changes: what an older version has kept is not asked for again.
     */
    uint32_t state_version;

    /**
     * Writes all of a prepared body, for load; both or neither. In the byte order of the machine
     * and without addresses. NULL: each process builds its own.
     */
    alg_status (*save)(const void *prepared, const alg_writer *to, alg_message *message);

    /**
     * Makes of the bytes of save, which were found undamaged, what prepare made of the same
     * settings, mesh and role: all answers and counters are the same to the last bit. It trusts
     * nothing in them: what prepare cannot have built is ALG_FAILED, never a crash. bytes are
     * aligned as malloc does it, and the caller's; mesh stays valid until dispose; info comes as
     * prepare has filled it. On failure *prepared is NULL.
     */
    alg_status (*load)(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                       const void *bytes, size_t size, void **prepared, alg_build_info *info,
                       alg_message *message);
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
