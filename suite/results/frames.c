#include "suite/results/frames.h"

#include "base/memory.h"
#include "geometry/vec.h"
#include "geometry/pose.h"
#include "suite/output.h"
#include "suite/results/judge.h"
#include "suite/results/run_folder.h"
#include "suite/results/truth.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/** A row of the file. Numbers are NaN if they are not answered or not known. */
typedef struct frame_row {
    uint64_t frame;
    uint64_t colliding;                    /* UINT64_MAX if nothing is answered */
    uint64_t pairs, regions;               /* UINT64_MAX if not answered */
    uint64_t certified[GT_QUANTITY_COUNT]; /* UINT64_MAX if not asked */
    double distance_m, volume_m3, depth_m;
    vec3 direction, force, torque, witness_a, witness_b;
    double distance_lo_m, distance_hi_m, volume_lo_m3, volume_hi_m3;
    uint64_t counters[ALG_COUNTERS_MAX];
    uint64_t stages_ns[ALG_STAGES_MAX]; /* UINT64_MAX if not asked */
    gt_bracket truth_distance_m, truth_volume_m3, truth_pairs, truth_depth_m;
    vec3 truth_direction;
    bench_ideal ideals[ALG_LAW_COUNT]; /* NaN if the truth has no such ideal; the entry of
                                          ALG_LAW_NONE is not used */
    double errors[BENCH_ERROR_COUNT];
    double centres_m;
    const char *verdict;
    uint64_t time_min_ns, time_median_ns, time_max_ns, time_evicted_ns, time_elsewhere_ns;
} frame_row;

/* --- Columns ---------------------------------------------------------------------------------- */

/** The column is part of every answer, whatever its quantities. */
#define ANYTHING UINT32_MAX

#define COLUMN(name, kind, unit, role, member, has, empty, meaning)                                \
    {                                                                                              \
        name, BENCH_KIND_##kind, unit, BENCH_ROLE_##role, offsetof(frame_row, member), 0, has,     \
            empty, meaning                                                                         \
    }
#define NOT_ANSWERED "not answered"
#define NOT_FOUND    "not asked, or not found"
#define ELSEWHERE    "another program gave the answers"
/** Three columns of an answered vector. The meaning is written at the first one. */
#define VECTOR(first, second, third, unit, member, has, meaning)                                   \
    COLUMN(first, NUMBER, unit, ANSWER, member.x, has, NOT_ANSWERED, meaning),                     \
        COLUMN(second, NUMBER, unit, ANSWER, member.y, has, NOT_ANSWERED, "the same, y"),          \
        COLUMN(third, NUMBER, unit, ANSWER, member.z, has, NOT_ANSWERED, "the same, z")

/** Three columns of a vector of the truth. */
#define TRUE_VECTOR(first, second, third, unit, member, meaning)                                   \
    COLUMN(first, NUMBER, unit, TRUTH, member.x, 0, NOT_FOUND, meaning),                           \
        COLUMN(second, NUMBER, unit, TRUTH, member.y, 0, NOT_FOUND, "the same, y"),                \
        COLUMN(third, NUMBER, unit, TRUTH, member.z, 0, NOT_FOUND, "the same, z")

/** Columns of the ideal force by a law of depth. energy: the integral whose gradient it is. */
#define DEPTH_LAW(name, member, energy)                                                            \
    TRUE_VECTOR(name "_fx_m3", name "_fy_m3", name "_fz_m3", "m3", member.force,                   \
                "true force on B by depth, x: " energy),                                           \
        COLUMN(name "_force_bound_m3", NUMBER, "m3", TRUTH, member.force_bound, 0, NOT_FOUND,      \
               "bound of the length of this force's error"),                                       \
        TRUE_VECTOR(name "_tx_m4", name "_ty_m4", name "_tz_m4", "m4", member.torque,              \
                    "its torque on B about its centroid, x"),                                      \
        COLUMN(name "_torque_bound_m4", NUMBER, "m4", TRUTH, member.torque_bound, 0, NOT_FOUND,    \
               "bound of the length of this torque's error")

static const bench_column before_forces[] = {
    COLUMN("frame", COUNT, "", FACT, frame, 0, "", "number of the frame, from 0"),
    COLUMN("colliding", COUNT_IF, "", ANSWER, colliding, ANYTHING, "nothing is answered",
           "1: the answer says that the bodies touch or overlap; 0: that they are apart"),
    COLUMN("distance_m", NUMBER, "m", ANSWER, distance_m, ALG_HAS_DISTANCE, NOT_ANSWERED,
           "answered distance; 0 where the bodies overlap"),
    COLUMN("volume_m3", NUMBER, "m3", ANSWER, volume_m3, ALG_HAS_VOLUME, NOT_ANSWERED,
           "answered volume of the intersection"),
    COLUMN("depth_m", NUMBER, "m", ANSWER, depth_m, ALG_HAS_DEPTH, NOT_ANSWERED,
           "answered penetration depth: length of the shortest translation that separates"),
    VECTOR("nx", "ny", "nz", "1", direction, ALG_HAS_DEPTH,
           "direction in which B separates from A: unit vector in A's frame, x"),
};
/* add_forces adds the algorithm's unit to the names. */
static const bench_column force_columns[] = {
    VECTOR("fx", "fy", "fz", "UNIT", force, ALG_HAS_FORCE,
           "force on B in A's frame, x, in the unit that the algorithm declares and the name ends "
           "with (fx_m3); an algorithm without a unit has no such columns"),
    VECTOR(
        "tx", "ty", "tz", "UNIT m", torque, ALG_HAS_FORCE,
        "torque on B about its centroid in A's frame, x: the force's unit times metres (tx_m3_m)"),
};
static const bench_column behind_forces[] = {
    COLUMN("truth_distance_lo_m", NUMBER, "m", TRUTH, truth_distance_m.lo, 0, NOT_FOUND,
           "lower end of the bracket of the true distance that judges the answer: that of surfaces "
           "for algorithms on surfaces, and that of the other method for the truth's own methods"),
    COLUMN("truth_distance_hi_m", NUMBER, "m", TRUTH, truth_distance_m.hi, 0, NOT_FOUND,
           "upper end"),
    COLUMN("truth_volume_lo_m3", NUMBER, "m3", TRUTH, truth_volume_m3.lo, 0, NOT_FOUND,
           "lower end of the bracket of the true volume of the intersection"),
    COLUMN("truth_volume_hi_m3", NUMBER, "m3", TRUTH, truth_volume_m3.hi, 0, NOT_FOUND,
           "upper end"),
    COLUMN("certified_distance", COUNT_IF, "", TRUTH, certified[GT_DISTANCE], 0, "not asked",
           "certificate of the distance: 2 two methods agree, 1 one method with its own checks, 0 "
           "neither"),
    COLUMN("certified_volume", COUNT_IF, "", TRUTH, certified[GT_VOLUME], 0, "not asked",
           "the same for the volume"),
};
/* The columns of the first errors follow here (quantity.h). */
static const bench_column behind_first_errors[] = {
    COLUMN("verdict", TEXT, "", ERROR, verdict, 0,
           "nothing is answered, or no distance with the certificate that the mode requires",
           "verdict on `colliding`: tp, tn, fp, fn, or ambiguous (the truth's bracket contains 0 "
           "and larger values)"),
    COLUMN("time_min_ns", COUNT_IF, "ns", COST, time_min_ns, 0, ELSEWHERE,
           "shortest time over warm passes"),
    COLUMN("time_median_ns", COUNT_IF, "ns", COST, time_median_ns, 0, ELSEWHERE,
           "median over warm passes (nearest rank)"),
    COLUMN("time_max_ns", COUNT_IF, "ns", COST, time_max_ns, 0, ELSEWHERE,
           "longest time over warm passes"),
    COLUMN("time_evicted_ns", COUNT_IF, "ns", COST, time_evicted_ns, 0,
           "no pass with evicted caches was made",
           "median over passes with evicted caches (nearest rank)"),
    VECTOR("witness_ax_m", "witness_ay_m", "witness_az_m", "m", witness_a, ALG_HAS_WITNESS,
           "point of A that is nearest to B, in the frame of A's file, x"),
    VECTOR("witness_bx_m", "witness_by_m", "witness_bz_m", "m", witness_b, ALG_HAS_WITNESS,
           "point of B that is nearest to A, in the frame of A's file, x"),
};
static const bench_column behind_counters[] = {
    COLUMN("distance_lo_m", NUMBER, "m", ANSWER, distance_lo_m, ALG_HAS_DISTANCE_BRACKET,
           "the variant gives no bracket", "the variant's own bracket of the distance: lower end"),
    COLUMN("distance_hi_m", NUMBER, "m", ANSWER, distance_hi_m, ALG_HAS_DISTANCE_BRACKET,
           "the variant gives no bracket", "upper end"),
    COLUMN("volume_lo_m3", NUMBER, "m3", ANSWER, volume_lo_m3, ALG_HAS_VOLUME_BRACKET,
           "the variant gives no bracket", "the variant's own bracket of the volume: lower end"),
    COLUMN("volume_hi_m3", NUMBER, "m3", ANSWER, volume_hi_m3, ALG_HAS_VOLUME_BRACKET,
           "the variant gives no bracket", "upper end"),
    COLUMN("intersecting_pairs_count", COUNT_IF, "", ANSWER, pairs, ALG_HAS_PAIRS, NOT_ANSWERED,
           "answered number of pairs of triangles that share a point"),
    COLUMN("regions_count", COUNT_IF, "", ANSWER, regions, ALG_HAS_REGIONS, NOT_ANSWERED,
           "answered number of regions of the penetration"),
    COLUMN("truth_pairs_lo", NUMBER, "1", TRUTH, truth_pairs.lo, 0, NOT_FOUND,
           "lower end of the bracket of the true number of pairs of triangles that share a point"),
    COLUMN("truth_pairs_hi", NUMBER, "1", TRUTH, truth_pairs.hi, 0, NOT_FOUND, "upper end"),
    COLUMN("truth_depth_lo_m", NUMBER, "m", TRUTH, truth_depth_m.lo, 0, NOT_FOUND,
           "lower end of the bracket of the true penetration depth by any translation; 0 if the "
           "bodies are apart"),
    COLUMN("truth_depth_hi_m", NUMBER, "m", TRUTH, truth_depth_m.hi, 0, NOT_FOUND,
           "upper end; a translation of this length separates"),
    TRUE_VECTOR(
        "truth_nx", "truth_ny", "truth_nz", "1", truth_direction,
        "direction of the separating translation by truth_depth_hi_m: unit vector in A's frame, x"),
    TRUE_VECTOR(
        "truth_fx_m2", "truth_fy_m2", "truth_fz_m2", "m2", ideals[ALG_LAW_AREA].force,
        "true force on B: minus the gradient of the volume of the intersection, x; where faces "
        "coincide the limit from one side, and the limits from all sides are judged exact"),
    TRUE_VECTOR("truth_tx_m3", "truth_ty_m3", "truth_tz_m3", "m3", ideals[ALG_LAW_AREA].torque,
                "true torque on B about its centroid, x"),
    COLUMN("certified_pairs", COUNT_IF, "", TRUTH, certified[GT_PAIRS], 0, "not asked",
           "certificate of the number of pairs, as that of the distance"),
    COLUMN("certified_depth", COUNT_IF, "", TRUTH, certified[GT_DEPTH], 0, "not asked",
           "the same for the depth"),
    COLUMN("certified_force", COUNT_IF, "", TRUTH, certified[GT_FORCE], 0, "not asked",
           "the same for the force: that of the volume that it is the gradient of"),
    DEPTH_LAW("truth_depth_force", ideals[ALG_LAW_DEPTH],
              "minus the gradient of the integral over the intersection of the distance to A's "
              "surface"),
    COLUMN("certified_depth_force", COUNT_IF, "", TRUTH, certified[GT_DEPTH_FORCE], 0, "not asked",
           "certificate of this force, as that of the distance"),
    DEPTH_LAW("truth_depth_force_exchanged", ideals[ALG_LAW_DEPTH_EXCHANGED],
              "the same for the distance to B's surface"),
    COLUMN("certified_depth_force_exchanged", COUNT_IF, "", TRUTH,
           certified[GT_DEPTH_FORCE_EXCHANGED], 0, "not asked", "the same for this force"),
};
/* The columns of the other errors follow here. */
static const bench_column behind_errors[] = {
    COLUMN("centres_m", NUMBER, "m", FACT, centres_m, 0, "",
           "distance of the bodies' centres, the middles of their boxes, at the frame's pose"),
    COLUMN("time_elsewhere_ns", COUNT_IF, "ns", COST, time_elsewhere_ns, 0,
           "measured here, or without a time",
           "time of the frame on another machine, as the other program reports it"),
};

enum { FIRST_ERRORS = BENCH_VOLUME_ERROR_REL + 1 };
_Static_assert(sizeof before_forces / sizeof *before_forces + BENCH_FORCES +
                       sizeof behind_forces / sizeof *behind_forces +
                       sizeof behind_first_errors / sizeof *behind_first_errors + ALG_COUNTERS_MAX +
                       sizeof behind_counters / sizeof *behind_counters + BENCH_ERROR_COUNT +
                       sizeof behind_errors / sizeof *behind_errors + ALG_STAGES_MAX <=
                   BENCH_FRAME_COLUMNS_MAX,
               "room for all");

static void add_columns(bench_frame_columns *c, const bench_column *columns, size_t count)
{
    memcpy(c->items + c->count, columns, count * sizeof *columns);
    c->count += count;
}

static void add_errors(bench_frame_columns *c, int begin, int end)
{
    for (int e = begin; e < end; e++) {
        const bench_error_row *const error = &bench_errors[e];
        bench_column column = COLUMN(error->name, NUMBER, error->unit, ERROR, errors[0], 0,
                                     error->empty, error->measures);
        column.offset += (size_t)e * sizeof(double);
        c->items[c->count++] = column;
    }
}

/**
 * Appends force and torque in the unit that the algorithm declares: "fx_m3" in m3, "tx_m3_m" in "m3
 * m". An algorithm without a unit answers no force and has no such columns.
 */
static void add_forces(const alg_algorithm *algorithm, bench_frame_columns *c)
{
    const char *const unit = algorithm->force_unit;
    const size_t count = unit ? sizeof force_columns / sizeof *force_columns : 0;
    _Static_assert(sizeof force_columns / sizeof *force_columns == BENCH_FORCES, "a name for each");
    snprintf(c->force_unit, sizeof c->force_unit, "%s", unit ? unit : "");
    snprintf(c->torque_unit, sizeof c->torque_unit, "%s m", c->force_unit);
    for (size_t i = 0; i < count; i++) {
        bench_column *const column = &c->items[c->count++];
        const bool torque = force_columns[i].name[0] == 't';
        *column = force_columns[i];
        snprintf(c->forces[i], sizeof c->forces[i], "%s_%s%s", column->name, unit,
                 torque ? "_m" : "");
        column->name = c->forces[i];
        column->unit = torque ? c->torque_unit : c->force_unit;
    }
}

static void add_counters(const alg_algorithm *algorithm, bench_frame_columns *c)
{
    for (size_t i = 0; algorithm->counters && i < ALG_COUNTERS_MAX && algorithm->counters[i]; i++) {
        bench_column *const column = &c->items[c->count++];
        *column = (bench_column)COLUMN(algorithm->counters[i], COUNT, "", COUNTER, counters[0],
                                       ANYTHING, "",
                                       "counter of the algorithm, under its own name, of this "
                                       "query");
        column->offset += i * sizeof(uint64_t);
        /* A smaller number of contacts does not mean less work, so this counter has the role of an
         * answer. */
        const bool counts_results = strcmp(column->name, "contacts_count") == 0;
        column->role = counts_results ? BENCH_ROLE_ANSWER : BENCH_ROLE_COUNTER;
    }
}

/** Appends "stage_NAME_ns" for each stage of the algorithm. */
static void add_stages(const alg_algorithm *algorithm, bench_frame_columns *c)
{
    for (size_t i = 0; algorithm->stages && i < ALG_STAGES_MAX && algorithm->stages[i]; i++) {
        snprintf(c->stages[i], sizeof c->stages[i], "stage_%.60s_ns", algorithm->stages[i]);
        c->items[c->count] = (bench_column)COLUMN(
            c->stages[i], COUNT_IF, "ns", COST, stages_ns[0], ALG_HAS_STAGES,
            "not asked, or not answered",
            "duration of a stage of the query, under the algorithm's name for it, measured by the "
            "algorithm's own clock in the details pass, in which caches have no defined contents");
        c->items[c->count++].offset += i * sizeof(uint64_t);
    }
}

void bench_frame_columns_list(const alg_algorithm *algorithm, bench_frame_columns *c)
{
    c->count = 0;
    add_columns(c, before_forces, sizeof before_forces / sizeof *before_forces);
    add_forces(algorithm, c);
    add_columns(c, behind_forces, sizeof behind_forces / sizeof *behind_forces);
    add_errors(c, 0, FIRST_ERRORS);
    add_columns(c, behind_first_errors, sizeof behind_first_errors / sizeof *behind_first_errors);
    add_counters(algorithm, c);
    add_columns(c, behind_counters, sizeof behind_counters / sizeof *behind_counters);
    add_errors(c, FIRST_ERRORS, BENCH_ERROR_COUNT);
    add_columns(c, behind_errors, sizeof behind_errors / sizeof *behind_errors);
    add_stages(algorithm, c);
}

/* Globs for the names that algorithms define; a counter's name ends with "_count"
 * (algorithms.h). */
static const char *const any_counter[] = {"contacts_count", "*_count", NULL};
static const char *const any_stage[] = {"*", NULL};
static const alg_algorithm any_algorithm = {
    .force_unit = "*", .counters = any_counter, .stages = any_stage};

void bench_frame_columns_list_any(bench_frame_columns *columns)
{
    bench_frame_columns_list(&any_algorithm, columns);
}

const bench_column *bench_frame_columns_find(const bench_frame_columns *any, const char *name)
{
    for (size_t i = 0; i < any->count; i++) { /* exact names first: "regions_count" before
                                                 "*_count" */
        if (strcmp(any->items[i].name, name) == 0) {
            return &any->items[i];
        }
    }
    for (size_t i = 0; i < any->count; i++) {
        if (fnmatch(any->items[i].name, name, 0) == 0) {
            return &any->items[i];
        }
    }
    return NULL;
}

/* --- Rows ------------------------------------------------------------------------------------- */

static double number_if(bool there, double value)
{
    return there ? value : (double)NAN;
}

static vec3 vector_if(bool there, vec3 v)
{
    return there ? v : (vec3){NAN, NAN, NAN};
}

/** Sets the members of the row that come from the answer. */
static void take_answer(const alg_answer *a, vec3 centre_a, frame_row *row)
{
    const uint32_t has = a->answered;
    row->colliding = has ? a->colliding : UINT64_MAX;
    row->distance_m = number_if(has & ALG_HAS_DISTANCE, a->distance_m);
    row->volume_m3 = number_if(has & ALG_HAS_VOLUME, a->volume_m3);
    row->depth_m = number_if(has & ALG_HAS_DEPTH, a->depth_m);
    row->direction = vector_if(has & ALG_HAS_DEPTH, a->direction);
    row->force = vector_if(has & ALG_HAS_FORCE, a->force);
    row->torque = vector_if(has & ALG_HAS_FORCE, a->torque);
    row->witness_a = vector_if(has & ALG_HAS_WITNESS, vec3_add(a->witness_a, centre_a));
    row->witness_b = vector_if(has & ALG_HAS_WITNESS, vec3_add(a->witness_b, centre_a));
    row->distance_lo_m = number_if(has & ALG_HAS_DISTANCE_BRACKET, a->distance_lo_m);
    row->distance_hi_m = number_if(has & ALG_HAS_DISTANCE_BRACKET, a->distance_hi_m);
    row->volume_lo_m3 = number_if(has & ALG_HAS_VOLUME_BRACKET, a->volume_lo_m3);
    row->volume_hi_m3 = number_if(has & ALG_HAS_VOLUME_BRACKET, a->volume_hi_m3);
    row->pairs = has & ALG_HAS_PAIRS ? a->pair_count : UINT64_MAX;
    row->regions = has & ALG_HAS_REGIONS ? a->region_count : UINT64_MAX;
    memcpy(row->counters, a->counters, sizeof row->counters);
}

/** details: NULL if not asked. */
static void take_stages(const alg_answer *details, frame_row *row)
{
    for (size_t i = 0; i < ALG_STAGES_MAX; i++) {
        row->stages_ns[i] = details ? bench_stage_ns(details, i) : UINT64_MAX;
    }
}

static const char *const verdict_names[BENCH_VERDICT_COUNT] = {
    [BENCH_VERDICT_NONE] = "",     [BENCH_TRUE_POSITIVE] = "tp",  [BENCH_TRUE_NEGATIVE] = "tn",
    [BENCH_FALSE_POSITIVE] = "fp", [BENCH_FALSE_NEGATIVE] = "fn", [BENCH_AMBIGUOUS] = "ambiguous",
};

/** Sets the members of the row that come from the truth, the judgement and the times. */
static void take_judgement(const bench_cell *cell, size_t f, const gt_truth *truth, frame_row *row)
{
    const gt_truth *const judged_by = &cell->truths[f];
    const bench_judgement *const j = &cell->judgements[f];
    bench_frame_time t = {UINT64_MAX, UINT64_MAX, UINT64_MAX};
    if (cell->warm_count > 0) {
        t = bench_cell_frame_time(cell->warm_ns, cell->warm_count, cell->frame_count, f);
    }
    row->frame = f;
    row->truth_distance_m = bench_bracket_or_empty(judged_by->distance_m);
    row->truth_volume_m3 = bench_bracket_or_empty(judged_by->volume_m3);
    row->truth_pairs = bench_bracket_or_empty(judged_by->pairs_count);
    row->truth_depth_m = bench_bracket_or_empty(judged_by->depth_m);
    row->truth_direction = vector_if(gt_known(judged_by->depth_m) && judged_by->depth_m.hi > 0,
                                     judged_by->depth_direction);
    for (int law = ALG_LAW_AREA; law < ALG_LAW_COUNT; law++) {
        row->ideals[law] = bench_ideal_of(judged_by, (alg_law)law, 0);
    }
    for (int q = 0; q < GT_QUANTITY_COUNT; q++) {
        row->certified[q] =
            truth->asked & 1u << q ? (uint64_t)gt_certificate(truth, (gt_quantity)q) : UINT64_MAX;
    }
    memcpy(row->errors, j->errors, sizeof row->errors);
    row->verdict = verdict_names[j->verdict];
    row->time_min_ns = t.min_ns;
    row->time_median_ns = t.median_ns;
    row->time_max_ns = t.max_ns;
    row->time_evicted_ns = UINT64_MAX;
    row->time_elsewhere_ns = cell->elsewhere_ns ? cell->elsewhere_ns[f] : UINT64_MAX;
    if (cell->evicted_count > 0) {
        row->time_evicted_ns =
            bench_cell_frame_time(cell->evicted_ns, cell->evicted_count, cell->frame_count, f)
                .median_ns;
    }
}

base_status bench_frames_write(const char *path, const bench_cell *cell, const bench_pair *pair,
                               const geo_pose *poses, const gt_truth *truths, base_error *err)
{
    bench_output output;
    const base_status status = bench_output_open(path, &output, err);
    if (status != BASE_OK) {
        return status;
    }
    bench_frame_columns list;
    bench_frame_columns_list(cell->variant.algorithm, &list);
    const bench_columns columns = {list.items, list.count};
    const vec3 centre_b = geo_box_centre(pair->b.view.box); /* A's centre is the origin */
    base_csv_writer w = {.file = output.file};
    bench_columns_put_names(columns, &w);
    base_csv_end(&w);
    for (size_t f = 0; f < cell->frame_count; f++) {
        frame_row row;
        take_answer(&cell->answers[f], pair->centre_a, &row);
        take_stages(cell->details ? &cell->details[f] : NULL, &row);
        take_judgement(cell, f, &truths[f], &row);
        row.centres_m = vec3_norm(geo_pose_apply(&poses[f], centre_b));
        bench_columns_put(columns, &row, &w);
        base_csv_end(&w);
    }
    return bench_output_close(&output, base_csv_check(&w, path, err), err);
}

size_t bench_answer_fields(const alg_algorithm *algorithm, vec3 centre_a, const alg_answer *answer,
                           bench_field fields[BENCH_FIELDS_MAX])
{
    bench_frame_columns list;
    frame_row row;
    size_t count = 0;
    bench_frame_columns_list(algorithm, &list);
    take_answer(answer, centre_a, &row);
    take_stages(answer, &row);
    for (size_t i = 0; i < list.count; i++) {
        const bench_column *const column = &list.items[i];
        if (column->has) {
            base_assert(count < BENCH_FIELDS_MAX);
            bench_field *const field = &fields[count++];
            const char *const text = bench_column_text(column, &row, field->text);
            base_assert(text == field->text);
            (void)text;
            snprintf(field->name, sizeof field->name, "%s", column->name);
            field->timed = column->has == ALG_HAS_STAGES;
            /* Counters are valid also if nothing is answered. */
            field->answered = column->kind == BENCH_KIND_COUNT || (answer->answered & column->has);
        }
    }
    return count;
}

/* --- Regions ---------------------------------------------------------------------------------- */

/**
 * Relative to the window's size. A smaller needed depth is not a penetration but the gap of
 * touching surfaces.
 */
static const double LEAST_NEEDED = 1e-9;

typedef struct window_row {
    vec3 point, u, v;
    double half_u, half_v;
} window_row;

typedef struct region_row {
    uint64_t frame, region;
    alg_region is;
    bool loop;
    window_row window; /* NaN if there is no window */
    double left_rel, needed_m, needed_rel;
} region_row;

#define REGION(name, kind, unit, role, member, meaning)                                            \
    BENCH_COLUMN(name, kind, unit, role, region_row, member, 0, "", meaning)

#define WINDOW(name, unit, member, meaning)                                                        \
    BENCH_COLUMN(name, NUMBER, unit, ANSWER, region_row, window.member, 0,                         \
                 "the region has no window", meaning)

static const bench_column region_columns[] = {
    REGION("frame", COUNT, "", FACT, frame,
           "number of the frame, from 0; a frame without a region has no row"),
    REGION("region", COUNT, "", FACT, region, "number of the region in its frame, from 0"),
    REGION("nx", NUMBER, "1", ANSWER, is.direction.x,
           "direction in which B leaves the region: unit vector in A's frame, x"),
    REGION("ny", NUMBER, "1", ANSWER, is.direction.y, "the same, y"),
    REGION("nz", NUMBER, "1", ANSWER, is.direction.z, "the same, z"),
    REGION("depth_m", NUMBER, "m", ANSWER, is.depth_m,
           "length of the translation in this direction that separates"),
    REGION("area_m2", NUMBER, "m2", ANSWER, is.area_m2,
           "area of the section between the bodies, projected along this direction"),
    REGION("loop", FLAG, "", ANSWER, loop, "1: it is bounded by closed curves of intersection"),
    WINDOW("x_m", "m", point.x, "middle of its window, in the frame of A's file, x"),
    WINDOW("y_m", "m", point.y, "the same, y"),
    WINDOW("z_m", "m", point.z, "the same, z"),
    WINDOW("ux", "1", u.x, "first side of the window: unit vector in A's frame, x"),
    WINDOW("uy", "1", u.y, "the same, y"),
    WINDOW("uz", "1", u.z, "the same, z"),
    WINDOW("vx", "1", v.x, "second side of the window: unit vector in A's frame, x"),
    WINDOW("vy", "1", v.y, "the same, y"),
    WINDOW("vz", "1", v.z, "the same, z"),
    WINDOW("half_u_m", "m", half_u, "half of the window's length along its first side"),
    WINDOW("half_v_m", "m", half_v, "the same along its second side"),
    BENCH_COLUMN("left_rel", NUMBER, "1", ERROR, region_row, left_rel, 0,
                 "no depth is asked, no window, no overlap in it, or a body is no solid",
                 "share of the overlap in the window (the column along the direction) that is left "
                 "after B has moved by depth_m"),
    BENCH_COLUMN("needed_m", NUMBER, "m", TRUTH, region_row, needed_m, 0,
                 "no depth is asked, or no window",
                 "length of the translation along the direction after which the surfaces no longer "
                 "meet in the window: the end of the first interval, including mere touching; 0 if "
                 "they do not meet there"),
    BENCH_COLUMN("needed_rel", NUMBER, "1", ERROR, region_row, needed_rel, 0,
                 "as needed_m, or the needed depth is negligible",
                 "(depth_m - needed_m) / needed_m"),
};

const bench_columns bench_regions_columns = {region_columns,
                                             sizeof region_columns / sizeof *region_columns};

bool bench_cell_has_regions(const bench_cell *cell)
{
    bool any = false;
    for (size_t f = 0; cell->details && f < cell->frame_count; f++) {
        any |= (cell->details[f].answered & ALG_HAS_REGIONS) != 0;
    }
    return any;
}

/**
 * Returns the row of a region. truth: NULL if not asked. Uses the upper end of the needed depth's
 * bracket: the depth is uncertain if a surface lies at the side of the window, and a larger needed
 * depth allows a larger answer.
 */
static region_row row_of(uint64_t frame, uint64_t number, const alg_region *region,
                         const gt_window_truth *truth, vec3 centre_a)
{
    unsigned char loop; /* read as a byte, because a plug-in may store an invalid bool */
    memcpy(&loop, &region->loop, 1);
    const vec3 none = {NAN, NAN, NAN};
    region_row row = {.frame = frame,
                      .region = number,
                      .is = *region,
                      .loop = loop == 1,
                      .window = {none, none, none, NAN, NAN},
                      .left_rel = NAN,
                      .needed_m = NAN,
                      .needed_rel = NAN};
    if (bench_has_window(region)) {
        row.window = (window_row){vec3_add(region->point, centre_a), region->side_u, region->side_v,
                                  region->half_u_m, region->half_v_m};
    }
    if (truth && gt_known(truth->before_m3) && truth->before_m3.lo > 0) {
        row.left_rel = gt_bracket_value(truth->after_m3) / gt_bracket_value(truth->before_m3);
    }
    if (truth && gt_known(truth->needed_m)) {
        row.needed_m = truth->needed_m.hi;
        if (row.needed_m > LEAST_NEEDED * (region->half_u_m + region->half_v_m)) {
            row.needed_rel = region->depth_m / row.needed_m - 1;
        }
    }
    return row;
}

base_status bench_regions_write(const char *path, const bench_cell *cell, vec3 centre_a,
                                base_error *err)
{
    bench_output output;
    const base_status status = bench_output_open(path, &output, err);
    if (status != BASE_OK) {
        return status;
    }
    size_t next = 0;
    base_csv_writer w = {.file = output.file};
    bench_columns_put_names(bench_regions_columns, &w);
    base_csv_end(&w);
    for (size_t f = 0; f < cell->frame_count; f++) {
        const size_t count = bench_regions_kept(&cell->details[f]);
        for (size_t i = 0; i < count; i++) {
            const gt_window_truth *const truth = cell->windows ? &cell->windows[next] : NULL;
            const region_row row = row_of(f, i, &cell->regions[next++], truth, centre_a);
            bench_columns_put(bench_regions_columns, &row, &w);
            base_csv_end(&w);
        }
    }
    return bench_output_close(&output, base_csv_check(&w, path, err), err);
}

/* --- Deadlines -------------------------------------------------------------------------------- */

/**
 * The limits of errors, in the order of the columns; the tolerance of the scenario follows. The
 * first limit accepts every error. A wrong verdict about contact has the error 1, so it exceeds the
 * other two.
 */
static const double fixed_limits[] = {INFINITY, 0.01, 0.001};
enum { FIXED_COUNT = sizeof fixed_limits / sizeof *fixed_limits, LIMIT_COUNT = FIXED_COUNT + 1 };

/** A row of deadline.csv. */
typedef struct deadline_row {
    const char *scenario, *quantity, *variant, *file;
    const char *tolerance;
    uint64_t time_ns;
    double fractions[LIMIT_COUNT];
} deadline_row;

#define DEADLINE(name, kind, unit, role, member, meaning)                                          \
    BENCH_COLUMN(name, kind, unit, role, deadline_row, member, 0, "", meaning)

static const bench_column deadline_columns[] = {
    DEADLINE("scenario", SCENARIO, "", FACT, scenario, BENCH_MEANS_SCENARIO),
    DEADLINE("quantity", QUANTITY, "", FACT, quantity, "distance, volume or contact"),
    DEADLINE("variant", CONTESTANT, "", FACT, variant, BENCH_MEANS_VARIANT),
    DEADLINE("time_ns", COUNT, "ns", COST, time_ns,
             "a time; one row for each distinct time of a frame, in ascending order"),
    DEADLINE("fraction_any_error", NUMBER, "1", COST, fractions[0],
             "share of the frames with an error (for contact, a verdict) whose median over warm "
             "passes is at most time_ns"),
    DEADLINE("fraction_within_1pct", NUMBER, "1", COST, fractions[1],
             "the same, with an error of at most 1 %: relative to the size for the distance and to "
             "the truth for the volume; for contact, the right verdict"),
    DEADLINE("fraction_within_0_1pct", NUMBER, "1", COST, fractions[2], "the same, at most 0.1 %"),
    DEADLINE("file", FILE, "", FACT, file,
             BENCH_MEANS_FILE), /* gnuplot splits texts at commas even if they are quoted */
    DEADLINE("fraction_within_tolerance", NUMBER, "1", COST, fractions[FIXED_COUNT],
             "the same, within the tolerance that the scenario names for the quantity: share of "
             "the frames that it judges"),
    DEADLINE("tolerance", TEXT, "", FACT, tolerance, "that tolerance as a text"),
};
const bench_columns bench_deadline_columns = {deadline_columns,
                                              sizeof deadline_columns / sizeof *deadline_columns};

typedef struct timed_error {
    uint64_t time_ns;
    double error;
    double within; /* within the tolerance of the scenario: 1 or 0; NaN: not judged by it */
} timed_error;

static int by_time(const void *a, const void *b)
{
    const timed_error *const x = a, *const y = b;
    return (x->time_ns > y->time_ns) - (x->time_ns < y->time_ns);
}

/** Collects the frames that have an error, sorted by their median time. Returns their number. */
static size_t gather(const bench_cell *cell, int quantity, timed_error *frames)
{
    size_t count = 0;
    for (size_t f = 0; f < cell->frame_count; f++) {
        const bench_judgement *const j = &cell->judgements[f];
        const double wrong = bench_verdict_wrong(j->verdict);
        const bench_error_kind kind = bench_quantities[quantity].error;
        const double error = kind != BENCH_NO_ERROR ? j->errors[kind] : wrong; /* NaN: not judged */
        const double within =
            bench_tolerance_holds(&cell->tolerances.of[quantity], j->errors, wrong);
        if (!isnan(error)) {
            const bench_frame_time t =
                bench_cell_frame_time(cell->warm_ns, cell->warm_count, cell->frame_count, f);
            frames[count++] = (timed_error){t.median_ns, fabs(error), within};
        }
    }
    qsort(frames, count, sizeof *frames, by_time);
    return count;
}

static void put_profile(FILE *file, const bench_cell *cell, int quantity, const timed_error *frames,
                        size_t count)
{
    size_t within[LIMIT_COUNT] = {0}, judged[LIMIT_COUNT] = {count, count, count, 0};
    char name[BENCH_CONTESTANT_NAME_BYTES], tolerance[BENCH_TOLERANCE_BYTES];
    bench_variant_file(cell->name, name, sizeof name);
    bench_tolerance_describe(&cell->tolerances.of[quantity], tolerance);
    base_csv_writer w = {.file = file};
    for (size_t i = 0; i < count; i++) {
        judged[FIXED_COUNT] += isnan(frames[i].within) ? 0 : 1;
    }
    for (size_t i = 0; i < count; i++) {
        deadline_row row = {.scenario = cell->scenario,
                            .quantity = alg_quantity_names[quantity],
                            .variant = cell->name,
                            .file = name,
                            .tolerance = tolerance,
                            .time_ns = frames[i].time_ns};
        for (int t = 0; t < LIMIT_COUNT; t++) {
            within[t] +=
                t < FIXED_COUNT ? frames[i].error <= fixed_limits[t] : frames[i].within > 0;
            row.fractions[t] = (double)within[t] / (double)judged[t];
        }
        if (i + 1 == count || frames[i + 1].time_ns != frames[i].time_ns) { /* one row per time */
            bench_columns_put(bench_deadline_columns, &row, &w);
            base_csv_end(&w);
        }
    }
}

base_status bench_deadline_put(FILE *file, const bench_cell *cell, base_error *err)
{
    if (cell->warm_count == 0) {
        return BASE_OK;
    }
    timed_error *const frames = base_alloc(cell->frame_count, sizeof *frames);
    if (!frames) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu frames", cell->frame_count);
    }
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        if (cell->quantities & 1u << q) {
            put_profile(file, cell, q, frames, gather(cell, q, frames));
        }
    }
    base_free(frames);
    return BASE_OK;
}
