/** Trajectories and their files. */
#include "scenarios/scenarios.h"

#include "geometry/csv.h"
#include "geometry/pose.h"
#include "scenarios/trajectories/frames.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Columns of a pose, in the order of scn_frame. */
enum { FRAME, TIME, X, Y, Z, QX, QY, QZ, QW, NEEDED };

static const char *const columns[NEEDED] = {"frame", "t_s", "x_m", "y_m", "z_m",
                                            "qx",    "qy",  "qz",  "qw"};

static const char *const known_columns[2] = {"known_distance_m", "known_volume_m3"};

/* Length beyond which a quaternion is refused, and up to which it is taken as it is: a written file
 * must be read back to the same bits. */
#define QUATERNION_TOLERANCE 1e-3
#define QUATERNION_ROUNDING  1e-14

geo_status scn_trajectory_append(scn_trajectory *trajectory, const scn_frame *frame, geo_error *err)
{
    void *frames = trajectory->frames;
    const geo_status status = geo_grow(&frames, &trajectory->frame_capacity,
                                       trajectory->frame_count + 1, sizeof(scn_frame), err);
    trajectory->frames = frames;
    if (status == GEO_OK) {
        trajectory->frames[trajectory->frame_count++] = *frame;
    }
    return status;
}

void scn_trajectory_release(scn_trajectory *trajectory)
{
    geo_free(trajectory->frames);
    *trajectory = (scn_trajectory){0};
}

geo_status scn_frame_add(scn_trajectory *trajectory, const char *path, size_t line,
                         const scn_frame *frame, geo_error *err)
{
    scn_frame checked = *frame;
    const geo_quat q = frame->orientation;
    const double length = sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    if (!(fabs(length - 1) <= QUATERNION_TOLERANCE)) {
        return geo_fail(err, GEO_ERR_INPUT, "'%s' line %zu: quaternion of length %.6g, not 1", path,
                        line, length);
    }
    if (fabs(length - 1) > QUATERNION_ROUNDING) {
        checked.orientation = geo_quat_normalize(q);
    }
    const size_t n = trajectory->frame_count;
    if (n > 0 && !(frame->t_s > trajectory->frames[n - 1].t_s)) {
        return geo_fail(err, GEO_ERR_INPUT,
                        "'%s' line %zu: time %.17g s does not increase (%.17g s before)", path,
                        line, frame->t_s, trajectory->frames[n - 1].t_s);
    }
    return scn_trajectory_append(trajectory, &checked, err);
}

geo_status scn_frames_end(scn_trajectory *trajectory, const char *path, geo_status status,
                          geo_error *err)
{
    if (status == GEO_OK && trajectory->frame_count == 0) {
        status = geo_fail(err, GEO_ERR_INPUT, "'%s': no frames", path);
    }
    if (status != GEO_OK) {
        scn_trajectory_release(trajectory);
    }
    return status;
}

/* --- Reading ---------------------------------------------------------------------------------- */

/** A number, or NaN where the table lacks the column or the cell is empty. */
static geo_status read_optional(const geo_csv *table, size_t row, int column, double *value,
                                geo_error *err)
{
    *value = NAN;
    if (column < 0 || !geo_csv_text(table, row, column)) {
        return GEO_OK;
    }
    return geo_csv_number(table, row, column, value, err);
}

static geo_status read_known(const geo_csv *table, size_t row, const char *column, unsigned bit,
                             scn_known *known, geo_error *err)
{
    double *const value = bit == SCN_KNOWN_DISTANCE ? &known->distance_m : &known->volume_m3;
    double read;
    const geo_status status = read_optional(table, row, geo_csv_find(table, column), &read, err);
    if (status == GEO_OK && !isnan(read)) {
        known->mask |= bit;
        *value = read;
    }
    return status;
}

static geo_status read_row(const geo_csv *table, size_t row, const int *places, scn_frame *frame,
                           geo_error *err)
{
    double v[NEEDED];
    for (int c = 0; c < NEEDED; c++) {
        const geo_status status = geo_csv_number(table, row, places[c], &v[c], err);
        if (status != GEO_OK) {
            return status;
        }
    }
    *frame = (scn_frame){
        .t_s = v[TIME],
        .position = {v[X],   v[Y],  v[Z] },
        .orientation = { v[QX], v[QY], v[QZ], v[QW]},
    };
    geo_status status =
        read_optional(table, row, geo_csv_find(table, "target"), &frame->target, err);
    if (status == GEO_OK) {
        status = read_optional(table, row, geo_csv_find(table, "achieved"), &frame->achieved, err);
    }
    if (status == GEO_OK) {
        status = read_known(table, row, known_columns[0], SCN_KNOWN_DISTANCE, &frame->known, err);
    }
    if (status == GEO_OK) {
        status = read_known(table, row, known_columns[1], SCN_KNOWN_VOLUME, &frame->known, err);
    }
    return status;
}

static geo_status read_table(const geo_csv *table, const char *path, scn_trajectory *trajectory,
                             geo_error *err)
{
    int places[NEEDED];
    for (int c = 0; c < NEEDED; c++) {
        const geo_status status = geo_csv_column(table, columns[c], &places[c], err);
        if (status != GEO_OK) {
            return status;
        }
    }
    for (size_t row = 0; row < table->rows; row++) {
        scn_frame frame;
        geo_status status = read_row(table, row, places, &frame, err);
        if (status == GEO_OK) {
            status = scn_frame_add(trajectory, path, table->lines[row + 1], &frame, err);
        }
        if (status != GEO_OK) {
            return status;
        }
    }
    const int source = geo_csv_find(table, "source");
    const char *const text = source >= 0 && table->rows > 0 ? geo_csv_text(table, 0, source) : NULL;
    snprintf(trajectory->source, sizeof trajectory->source, "%s", text ? text : path);
    return GEO_OK;
}

geo_status scn_trajectory_read(const char *path, scn_trajectory *trajectory, geo_error *err)
{
    *trajectory = (scn_trajectory){0};
    geo_csv table;
    geo_status status = geo_csv_read(path, NULL, &table, err);
    if (status == GEO_OK) {
        status = read_table(&table, path, trajectory, err);
        geo_csv_release(&table);
    }
    return scn_frames_end(trajectory, path, status, err);
}

/* --- Writing ---------------------------------------------------------------------------------- */

static bool any_known(const scn_trajectory *trajectory)
{
    bool any = false;
    for (size_t i = 0; i < trajectory->frame_count && !any; i++) {
        any = trajectory->frames[i].known.mask != 0;
    }
    return any;
}

static void write_known(geo_csv_writer *w, const scn_known *known)
{
    geo_csv_put_number(w, known->mask & SCN_KNOWN_DISTANCE ? known->distance_m : (double)NAN);
    geo_csv_put_number(w, known->mask & SCN_KNOWN_VOLUME ? known->volume_m3 : (double)NAN);
}

geo_status scn_trajectory_write(const scn_trajectory *trajectory, FILE *file, const char *path,
                                geo_error *err)
{
    geo_csv_writer w = {.file = file};
    for (int c = 0; c < NEEDED; c++) {
        geo_csv_put_text(&w, columns[c]);
    }
    geo_csv_put_text(&w, "target");
    geo_csv_put_text(&w, "achieved");
    geo_csv_put_text(&w, "source");
    const bool known = any_known(trajectory);
    for (int c = 0; known && c < 2; c++) {
        geo_csv_put_text(&w, known_columns[c]);
    }
    geo_csv_end(&w);
    for (size_t i = 0; i < trajectory->frame_count; i++) {
        const scn_frame *const f = &trajectory->frames[i];
        const double v[] = {f->t_s,           f->position.x,    f->position.y,    f->position.z,
                            f->orientation.x, f->orientation.y, f->orientation.z, f->orientation.w,
                            f->target,        f->achieved};
        geo_csv_put_count(&w, i);
        for (size_t k = 0; k < sizeof v / sizeof *v; k++) {
            geo_csv_put_number(&w, v[k]);
        }
        /* Once is enough. */
        if (i == 0 && trajectory->source[0]) {
            geo_csv_put_text(&w, trajectory->source);
        } else {
            geo_csv_put_empty(&w);
        }
        if (known) {
            write_known(&w, &f->known);
        }
        geo_csv_end(&w);
    }
    return geo_csv_check(&w, path, err);
}
