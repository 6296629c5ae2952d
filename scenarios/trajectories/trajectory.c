#include "scenarios/trajectories/trajectory.h"

#include "base/csv.h"
#include "base/memory.h"
#include "geometry/pose.h"
#include "scenarios/trajectories/import.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Columns of a pose, in the order of scn_frame; a file may lack the first two. */
enum { FRAME, TIME, X, Y, Z, QX, QY, QZ, QW, POSE_COLUMNS };

static const char *const columns[POSE_COLUMNS] = {"frame", "t_s", "x_m", "y_m", "z_m",
                                                  "qx",    "qy",  "qz",  "qw"};

/* Between the rows of a file without times. */
#define ROW_S 0.001

/** A number that may be known of a frame. */
typedef struct known_column {
    const char *name;
    unsigned bit;    /* that says so; of several columns: all of them or none */
    unsigned beside; /* it is written where a frame has one of these bits */
    size_t offset;   /* in scn_known */
} known_column;

#define KNOWN(name, bit, beside, member)                                                           \
    {                                                                                              \
        name, SCN_KNOWN_##bit, beside, offsetof(scn_known, member)                                 \
    }
#define SCALARS (SCN_KNOWN_DISTANCE | SCN_KNOWN_VOLUME)
static const known_column known_columns[] = {
    KNOWN("known_distance_m", DISTANCE, SCALARS, distance_m),
    KNOWN("known_volume_m3", VOLUME, SCALARS, volume_m3),
    KNOWN("known_fx_m2", FORCE, SCN_KNOWN_FORCE, force_m2.x),
    KNOWN("known_fy_m2", FORCE, SCN_KNOWN_FORCE, force_m2.y),
    KNOWN("known_fz_m2", FORCE, SCN_KNOWN_FORCE, force_m2.z),
    KNOWN("known_tx_m3", FORCE, SCN_KNOWN_FORCE, torque_m3.x),
    KNOWN("known_ty_m3", FORCE, SCN_KNOWN_FORCE, torque_m3.y),
    KNOWN("known_tz_m3", FORCE, SCN_KNOWN_FORCE, torque_m3.z),
    KNOWN("known_depth_fx_m3", DEPTH_FORCE, SCN_KNOWN_DEPTH_FORCE, depth_force_m3.x),
    KNOWN("known_depth_fy_m3", DEPTH_FORCE, SCN_KNOWN_DEPTH_FORCE, depth_force_m3.y),
    KNOWN("known_depth_fz_m3", DEPTH_FORCE, SCN_KNOWN_DEPTH_FORCE, depth_force_m3.z),
    KNOWN("known_depth_tx_m4", DEPTH_FORCE, SCN_KNOWN_DEPTH_FORCE, depth_torque_m4.x),
    KNOWN("known_depth_ty_m4", DEPTH_FORCE, SCN_KNOWN_DEPTH_FORCE, depth_torque_m4.y),
    KNOWN("known_depth_tz_m4", DEPTH_FORCE, SCN_KNOWN_DEPTH_FORCE, depth_torque_m4.z),
};
enum { KNOWN_COLUMNS = sizeof known_columns / sizeof *known_columns };

bool scn_pose_of_numbers(const double numbers[7], geo_vec3 *position, geo_quat *orientation,
                         double *length)
{
    static const double rounding = 1e-14;
    const geo_quat q = {numbers[3], numbers[4], numbers[5], numbers[6]};
    *length = sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    *position = (geo_vec3){numbers[0], numbers[1], numbers[2]};
    *orientation = fabs(*length - 1) > rounding ? geo_quat_normalize(q) : q;
    return fabs(*length - 1) <= SCN_QUATERNION_TOLERANCE;
}

base_status scn_trajectory_append(scn_trajectory *trajectory, const scn_frame *frame,
                                  base_error *err)
{
    const base_status status = base_reserve(trajectory->frames, trajectory->frame_capacity,
                                            trajectory->frame_count + 1, err);
    if (status == BASE_OK) {
        trajectory->frames[trajectory->frame_count++] = *frame;
    }
    return status;
}

void scn_trajectory_release(scn_trajectory *trajectory)
{
    base_free(trajectory->frames);
    *trajectory = (scn_trajectory){0};
}

scn_frame scn_trajectory_at(const scn_trajectory *trajectory, double t_s, size_t *at)
{
    const size_t count = trajectory->frame_count;
    while (*at + 2 < count && trajectory->frames[*at + 1].t_s <= t_s) {
        ++*at;
    }
    const scn_frame *const a = &trajectory->frames[*at];
    if (*at + 1 == count) {
        return *a;
    }
    const scn_frame *const b = &trajectory->frames[*at + 1];
    const double share = fmin(1, fmax(0, (t_s - a->t_s) / (b->t_s - a->t_s)));
    return (scn_frame){
        .t_s = t_s,
        .position = vec3_madd(vec3_scale(1 - share, a->position), share, b->position),
        .orientation = geo_slerp(a->orientation, b->orientation, share),
    };
}

base_status scn_frame_add(scn_trajectory *trajectory, const char *path, size_t line,
                          const scn_frame *frame, base_error *err)
{
    scn_frame checked = *frame;
    const geo_vec3 p = frame->position;
    const geo_quat q = frame->orientation;
    const double numbers[7] = {p.x, p.y, p.z, q.x, q.y, q.z, q.w};
    double length;
    if (!scn_pose_of_numbers(numbers, &checked.position, &checked.orientation, &length)) {
        return base_fail(err, BASE_ERR_INPUT, "'%s' line %zu: quaternion of length %.6g, not 1",
                         path, line, length);
    }
    const size_t n = trajectory->frame_count;
    if (n > 0 && !(frame->t_s > trajectory->frames[n - 1].t_s)) {
        return base_fail(err, BASE_ERR_INPUT,
                         "'%s' line %zu: time %.17g s does not increase (%.17g s before)", path,
                         line, frame->t_s, trajectory->frames[n - 1].t_s);
    }
    return scn_trajectory_append(trajectory, &checked, err);
}

base_status scn_frames_end(scn_trajectory *trajectory, const char *path, base_status status,
                           base_error *err)
{
    if (status == BASE_OK && trajectory->frame_count == 0) {
        status = base_fail(err, BASE_ERR_INPUT, "'%s': no frames", path);
    }
    if (status != BASE_OK) {
        scn_trajectory_release(trajectory);
    }
    return status;
}

/* --- Reading ---------------------------------------------------------------------------------- */

/** A number, or NaN where the table lacks the column or the cell is empty. */
static base_status read_optional(const base_csv *table, size_t row, int column, double *value,
                                 base_error *err)
{
    *value = NAN;
    if (column < 0 || !base_csv_text(table, row, column)) {
        return BASE_OK;
    }
    return base_csv_number(table, row, column, value, err);
}

static base_status read_known(const base_csv *table, size_t row, scn_known *known, base_error *err)
{
    unsigned found = 0, missing = 0;
    for (size_t c = 0; c < KNOWN_COLUMNS; c++) {
        const known_column *const column = &known_columns[c];
        double value;
        const base_status status =
            read_optional(table, row, base_csv_find(table, column->name), &value, err);
        if (status != BASE_OK) {
            return status;
        }
        if (isnan(value)) {
            missing |= column->bit;
        } else {
            found |= column->bit;
            memcpy((char *)known + column->offset, &value, sizeof value);
        }
    }
    known->mask = found & ~missing;
    return BASE_OK;
}

static base_status read_row(const base_csv *table, size_t row, const int *places, scn_frame *frame,
                            base_error *err)
{
    double v[POSE_COLUMNS] = {[TIME] = ROW_S * (double)row};
    for (int c = 0; c < POSE_COLUMNS; c++) {
        const base_status status =
            places[c] >= 0 ? base_csv_number(table, row, places[c], &v[c], err) : BASE_OK;
        if (status != BASE_OK) {
            return status;
        }
    }
    *frame = (scn_frame){
        .t_s = v[TIME],
        .position = {v[X], v[Y], v[Z]},
        .orientation = {v[QX], v[QY], v[QZ], v[QW]},
    };
    base_status status =
        read_optional(table, row, base_csv_find(table, "target"), &frame->target, err);
    if (status != BASE_OK) {
        return status;
    }
    status = read_optional(table, row, base_csv_find(table, "achieved"), &frame->achieved, err);
    return status == BASE_OK ? read_known(table, row, &frame->known, err) : status;
}

static base_status read_table(const base_csv *table, const char *path, scn_trajectory *trajectory,
                              base_error *err)
{
    int places[POSE_COLUMNS];
    for (int c = 0; c < POSE_COLUMNS; c++) {
        places[c] = base_csv_find(table, columns[c]);
        if (places[c] < 0 && c >= X) {
            return base_csv_column(table, columns[c], &places[c], err);
        }
    }
    for (size_t row = 0; row < table->rows; row++) {
        scn_frame frame;
        base_status status = read_row(table, row, places, &frame, err);
        if (status == BASE_OK) {
            status = scn_frame_add(trajectory, path, table->lines[row + 1], &frame, err);
        }
        if (status != BASE_OK) {
            return status;
        }
    }
    const int source = base_csv_find(table, "source");
    const char *const text =
        source >= 0 && table->rows > 0 ? base_csv_text(table, 0, source) : NULL;
    snprintf(trajectory->source, sizeof trajectory->source, "%s", text ? text : path);
    return BASE_OK;
}

/** A recording in another form gets a hint behind what is wrong with it as a trajectory. */
static base_status fail_reading(const base_error *failure, const char *path, base_error *err)
{
    scn_format format;
    if (failure->status != BASE_ERR_INPUT || !scn_format_guess(path, &format)) {
        return base_fail(err, failure->status, "%s", failure->text);
    }
    return base_fail(err, BASE_ERR_INPUT,
                     "%.600s; it looks like a recording: 'proxbench trajectory import %s FILE' "
                     "makes a trajectory of it",
                     failure->text, scn_format_name(format));
}

base_status scn_trajectory_read(const char *path, scn_trajectory *trajectory, base_error *err)
{
    *trajectory = (scn_trajectory){0};
    base_csv table;
    base_error failure = {0};
    base_status status = base_csv_read(path, NULL, &table, &failure);
    if (status == BASE_OK) {
        status = read_table(&table, path, trajectory, &failure);
        base_csv_release(&table);
    }
    status = scn_frames_end(trajectory, path, status, &failure);
    return status == BASE_OK ? BASE_OK : fail_reading(&failure, path, err);
}

/* --- Writing ---------------------------------------------------------------------------------- */

/** The bits that any frame has. */
static unsigned all_known(const scn_trajectory *trajectory)
{
    unsigned all = 0;
    for (size_t i = 0; i < trajectory->frame_count; i++) {
        all |= trajectory->frames[i].known.mask;
    }
    return all;
}

/** The columns that a file with these bits has. */
static void write_known(base_csv_writer *w, unsigned all, const scn_known *known)
{
    for (size_t c = 0; c < KNOWN_COLUMNS; c++) {
        double value = NAN;
        if (known->mask & known_columns[c].bit) {
            memcpy(&value, (const char *)known + known_columns[c].offset, sizeof value);
        }
        if (all & known_columns[c].beside) {
            base_csv_put_number(w, value);
        }
    }
}

base_status scn_trajectory_write(const scn_trajectory *trajectory, FILE *file, const char *path,
                                 base_error *err)
{
    base_csv_writer w = {.file = file};
    for (int c = 0; c < POSE_COLUMNS; c++) {
        base_csv_put_text(&w, columns[c]);
    }
    base_csv_put_text(&w, "target");
    base_csv_put_text(&w, "achieved");
    base_csv_put_text(&w, "source");
    const unsigned known = all_known(trajectory);
    for (size_t c = 0; c < KNOWN_COLUMNS; c++) {
        if (known & known_columns[c].beside) {
            base_csv_put_text(&w, known_columns[c].name);
        }
    }
    base_csv_end(&w);
    for (size_t i = 0; i < trajectory->frame_count; i++) {
        const scn_frame *const f = &trajectory->frames[i];
        const double v[] = {f->t_s,           f->position.x,    f->position.y,    f->position.z,
                            f->orientation.x, f->orientation.y, f->orientation.z, f->orientation.w,
                            f->target,        f->achieved};
        base_csv_put_count(&w, i);
        for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
            base_csv_put_number(&w, v[k]);
        }
        /* Once is enough. */
        if (i == 0 && trajectory->source[0]) {
            base_csv_put_text(&w, trajectory->source);
        } else {
            base_csv_put_empty(&w);
        }
        write_known(&w, known, &f->known);
        base_csv_end(&w);
    }
    return base_csv_check(&w, path, err);
}
