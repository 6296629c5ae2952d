#include "scenarios/trajectories/trajectory.h"

#include "base/csv.h"
#include "base/memory.h"
#include "base/text.h"
#include "geometry/pose.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns of a pose, in the order of scn_frame. The first two are optional in a file. */
enum { FRAME, TIME, X, Y, Z, QX, QY, QZ, QW, POSE_COLUMNS };

static const char *const columns[POSE_COLUMNS] = {"frame", "t_s", "x_m", "y_m", "z_m",
                                                  "qx",    "qy",  "qz",  "qw"};

/* Time between the rows of a file without times. */
#define ROW_S 0.001

/** A column of known answers. */
typedef struct known_column {
    const char *name;
    unsigned bit;    /* bits of this answer; an answer of several columns has all of them or none */
    unsigned beside; /* written if any frame has one of these bits */
    size_t offset;   /* offset in scn_known */
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

base_status scn_trajectory_resample(const scn_trajectory *path, double from_s, double to_s,
                                    double step_s, scn_trajectory *resampled, base_error *err)
{
    static const double slack = 1e-6; /* of a step: times in text have rounding errors */
    const double first = path->frames[0].t_s, last = path->frames[path->frame_count - 1].t_s;
    if (!(from_s >= first && from_s <= to_s && to_s <= last)) {
        return base_fail(err, BASE_ERR_ARGUMENT, "%.9g to %.9g s is not a part of %.9g to %.9g s",
                         from_s, to_s, first, last);
    }
    const size_t count = (size_t)((to_s - from_s) / step_s + slack) + 1;
    base_status status = BASE_OK;
    size_t at = 0;
    for (size_t i = 0; i < count && status == BASE_OK; i++) {
        const double t_s = step_s * (double)i;
        scn_frame frame = scn_trajectory_at(path, from_s + t_s, &at);
        frame.t_s = t_s;
        frame.target = frame.achieved = NAN;
        frame.known.mask = 0;
        status = scn_trajectory_append(resampled, &frame, err);
    }
    return status;
}

/**
 * Appends a frame as read from a line of a file. Normalises its quaternion. Errors: BASE_ERR_INPUT
 * for an invalid quaternion, and for time that does not increase.
 */
static base_status add_frame(scn_trajectory *trajectory, const char *path, size_t line,
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

/** Ends the reading of a file. It is an error if there are no frames. On an error the trajectory is
 * released. */
static base_status end_frames(scn_trajectory *trajectory, const char *path, base_status status,
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

/* Frame rate of formats without time. */
#define RATE_HZ 10.0
/* Recordings are written with 4 to 7 digits. */
#define ROTATION_TOLERANCE 1e-3

/* --- Matrices --------------------------------------------------------------------------------- */

/** Returns the largest deviation of m transpose(m) from the identity; large for a reflection. */
static double rotation_error(mat3 m)
{
    double worst = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j <= i; j++) {
            worst = fmax(worst, fabs(vec3_dot(m.row[i], m.row[j]) - (i == j ? 1 : 0)));
        }
    }
    return vec3_dot(vec3_cross(m.row[0], m.row[1]), m.row[2]) > 0 ? worst : 2;
}

/** Appends a frame of a format without time. */
static base_status add_matrix(scn_trajectory *trajectory, const char *path, size_t line, mat3 m,
                              vec3 position, base_error *err)
{
    if (!(rotation_error(m) <= ROTATION_TOLERANCE)) {
        return base_fail(err, BASE_ERR_INPUT, "'%s' line %zu: the 3x3 matrix is not a rotation",
                         path, line);
    }
    const scn_frame frame = {
        .t_s = (double)trajectory->frame_count / RATE_HZ,
        .position = position,
        .orientation = geo_quat_from_matrix(m),
        .target = NAN,
        .achieved = NAN,
    };
    return add_frame(trajectory, path, line, &frame, err);
}

/* --- Formats with one line per frame ---------------------------------------------------------- */

enum { FIELDS_MAX = 12 };

static base_status read_numbers(const base_csv *table, size_t row, int first, int count, double *v,
                                base_error *err)
{
    base_status status = BASE_OK;
    for (int c = 0; c < count && status == BASE_OK; c++) {
        status = base_csv_number(table, row, first + c, &v[c], err);
    }
    return status;
}

/** Appends a frame from t x y z qx qy qz qw. */
static base_status add_tum(const base_csv *table, size_t row, scn_trajectory *trajectory,
                           base_error *err)
{
    double v[8];
    const base_status status = read_numbers(table, row, 0, 8, v, err);
    if (status != BASE_OK) {
        return status;
    }
    const scn_frame frame = {
        .t_s = v[0],
        .position = {v[1], v[2], v[3]},
        .orientation = {v[4], v[5], v[6], v[7]},
        .target = NAN,
        .achieved = NAN,
    };
    return add_frame(trajectory, table->path, table->lines[row + 1], &frame, err);
}

static base_status add_kitti(const base_csv *table, size_t row, scn_trajectory *trajectory,
                             base_error *err)
{
    double v[12];
    const base_status status = read_numbers(table, row, 0, 12, v, err);
    if (status != BASE_OK) {
        return status;
    }
    const mat3 m = {{{v[0], v[1], v[2]}, {v[4], v[5], v[6]}, {v[8], v[9], v[10]}}};
    return add_matrix(trajectory, table->path, table->lines[row + 1], m,
                      vec3_make(v[3], v[7], v[11]), err);
}

/** Reads an integer, because nanoseconds since 1970 have more digits than a double. */
static base_status read_nanoseconds(const base_csv *table, size_t row, long long *ns,
                                    base_error *err)
{
    const char *const text = base_csv_text(table, row, 0);
    char *end = NULL;
    errno = 0;
    *ns = text ? strtoll(text, &end, 10) : 0;
    if (!text || end == text || *end != '\0' || errno != 0) {
        return base_fail(err, BASE_ERR_INPUT,
                         "'%s' line %zu: time '%s' is not a whole number of nanoseconds",
                         table->path, table->lines[row + 1], text ? text : "");
    }
    return BASE_OK;
}

/** Appends a frame from t x y z qw qx qy qz; further columns are ignored. */
static base_status add_euroc(const base_csv *table, size_t row, scn_trajectory *trajectory,
                             base_error *err)
{
    long long first, now, since;
    double v[7];
    base_status status = read_nanoseconds(table, 0, &first, err);
    if (status == BASE_OK) {
        status = read_nanoseconds(table, row, &now, err);
    }
    if (status == BASE_OK) {
        status = read_numbers(table, row, 1, 7, v, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    /* Exact in integers; an overflow is clamped. */
    if (__builtin_sub_overflow(now, first, &since)) {
        since = now < first ? LLONG_MIN : LLONG_MAX;
    }
    const scn_frame frame = {
        .t_s = (double)since * 1e-9,
        .position = {v[0], v[1], v[2]},
        .orientation = {v[4], v[5], v[6], v[3]},
        .target = NAN,
        .achieved = NAN,
    };
    trajectory->epoch_ns = first;
    return add_frame(trajectory, table->path, table->lines[row + 1], &frame, err);
}

typedef struct format_row {
    const char *key, *name;
    char delimiter;
    size_t columns;
    bool more; /* further columns are allowed */
    base_status (*add)(const base_csv *table, size_t row, scn_trajectory *trajectory,
                       base_error *err);
} format_row;

static const format_row formats[] = {
    [SCN_TUM] = {"tum", "TUM", ' ', 8, false, add_tum},
    [SCN_KITTI] = {"kitti", "KITTI", ' ', 12, false, add_kitti},
    [SCN_EUROC] = {"euroc", "EuRoC", ',', 8, true, add_euroc},
    [SCN_PQP] = {"pqp", "PQP", ' ', 3, false, NULL},
};

const char *scn_format_name(scn_format format)
{
    return formats[format].key;
}

static base_status import_table(const char *path, const format_row *format,
                                scn_trajectory *trajectory, base_error *err)
{
    const base_csv_format options = {
        .delimiter = format->delimiter, .headerless = true, .hash_comments = true};
    base_csv table;
    base_status status = base_csv_read(path, &options, &table, err);
    if (status != BASE_OK) {
        return status;
    }
    const size_t n = table.columns;
    if (table.rows > 0 && (n < format->columns || (n > format->columns && !format->more))) {
        status = base_fail(err, BASE_ERR_INPUT, "'%s' line %zu: %zu fields, %s has %zu%s", path,
                           table.lines[1], n, format->name, format->columns,
                           format->more ? " or more" : "");
    }
    for (size_t row = 0; row < table.rows && status == BASE_OK; row++) {
        status = format->add(&table, row, trajectory, err);
    }
    base_csv_release(&table);
    return status;
}

/* --- PQP: a count, then four lines per frame -------------------------------------------------- */

typedef struct reader {
    const char *path;
    FILE *file;
    size_t line;
    char text[1024];
} reader;

/** Reads the next line that is neither blank nor a comment. Returns false at the end of the
 * file. */
static bool next_line(reader *r)
{
    while (fgets(r->text, sizeof r->text, r->file)) {
        r->line++;
        const char *const start = r->text + strspn(r->text, " \t\r\n");
        if (*start != '\0' && *start != '#') {
            return true;
        }
    }
    return false;
}

/** Parses the line as `count` numbers. */
static base_status parse_line(reader *r, int count, double *v, base_error *err)
{
    static const char blanks[] = " \t\r\n";
    int n = 0;
    char *rest = NULL;
    for (char *word = strtok_r(r->text, blanks, &rest); word;
         word = strtok_r(NULL, blanks, &rest)) {
        if (n < count && !base_text_number(word, &v[n])) {
            return base_fail(err, BASE_ERR_INPUT, "'%s' line %zu: '%s' is not a finite number",
                             r->path, r->line, word);
        }
        n++;
    }
    if (n != count) {
        return base_fail(err, BASE_ERR_INPUT, "'%s' line %zu: %d fields instead of %d", r->path,
                         r->line, n, count);
    }
    return BASE_OK;
}

static base_status read_pqp(reader *r, scn_trajectory *trajectory, base_error *err)
{
    double announced = 0;
    if (!next_line(r)) {
        return BASE_OK;
    }
    base_status status = parse_line(r, 1, &announced, err);
    if (status != BASE_OK) {
        return status;
    }
    if (!(announced >= 1) || announced > 1e9 || announced != floor(announced)) {
        return base_fail(err, BASE_ERR_INPUT, "'%s' line %zu: %g is not a number of frames",
                         r->path, r->line, announced);
    }
    for (size_t i = 0; i < (size_t)announced; i++) {
        double v[4][3];
        for (int k = 0; k < 4; k++) {
            if (!next_line(r)) {
                return base_fail(err, BASE_ERR_INPUT,
                                 "'%s' line %zu: the file ends in frame %zu of %.0f", r->path,
                                 r->line, i + 1, announced);
            }
            status = parse_line(r, 3, v[k], err);
            if (status != BASE_OK) {
                return status;
            }
        }
        const mat3 m = {{{v[0][0], v[0][1], v[0][2]},
                         {v[1][0], v[1][1], v[1][2]},
                         {v[2][0], v[2][1], v[2][2]}}};
        status =
            add_matrix(trajectory, r->path, r->line, m, vec3_make(v[3][0], v[3][1], v[3][2]), err);
        if (status != BASE_OK) {
            return status;
        }
    }
    return next_line(r) ? base_fail(err, BASE_ERR_INPUT,
                                    "'%s' line %zu: more than the %.0f frames announced", r->path,
                                    r->line, announced)
                        : BASE_OK;
}

static base_status import_pqp(const char *path, scn_trajectory *trajectory, base_error *err)
{
    reader r = {.path = path, .file = fopen(path, "r")};
    if (!r.file) {
        return base_fail(err, BASE_ERR_SYSTEM, "cannot open '%s': %s", path, strerror(errno));
    }
    base_status status = read_pqp(&r, trajectory, err);
    if (status == BASE_OK && ferror(r.file)) {
        status = base_fail(err, BASE_ERR_SYSTEM, "cannot read '%s'", path);
    }
    fclose(r.file);
    return status;
}

/* --- Detection of formats --------------------------------------------------------------------- */

/* Times in whole nanoseconds are recognised by their size: at least one second. */
#define NANOSECONDS_LEAST 1e9

/** Returns the number of numbers in the text, separated by blanks or `commas`; 0 if it contains
 * anything else. */
static int count_numbers(const char *line, bool commas, double *first)
{
    char text[sizeof((reader *)NULL)->text];
    const char *const between = commas ? ", \t\r\n" : " \t\r\n";
    char *rest = NULL;
    int count = 0;
    snprintf(text, sizeof text, "%s", line);
    for (char *word = strtok_r(text, between, &rest); word; word = strtok_r(NULL, between, &rest)) {
        double number;
        if (!base_text_number(word, &number)) {
            return 0;
        }
        *first = count++ == 0 ? number : *first;
    }
    return count;
}

static bool guess_format(reader *r, scn_format *format)
{
    double first = 0;
    if (!next_line(r)) {
        return false;
    }
    const int with_blanks = count_numbers(r->text, false, &first);
    const int with_commas = count_numbers(r->text, true, &first);
    *format = with_blanks == 8 ? SCN_TUM : with_blanks == 12 ? SCN_KITTI : SCN_EUROC;
    if (with_blanks == 8 || with_blanks == 12) {
        return true;
    }
    if (with_blanks == 0 && with_commas >= 8) {
        return first >= NANOSECONDS_LEAST;
    }
    *format = SCN_PQP;
    return with_blanks == 1 && next_line(r) && count_numbers(r->text, false, &first) == 3;
}

/** True if the first lines of the file look like a known format. Also false if the file cannot be
 * read. */
static bool guess_file(const char *path, scn_format *format)
{
    reader r = {.path = path, .file = fopen(path, "r")};
    const bool found = r.file && guess_format(&r, format);
    if (r.file) {
        fclose(r.file);
    }
    return found;
}

/* --- Files ------------------------------------------------------------------------------------ */

base_status scn_trajectory_import(const char *path, scn_format format, scn_trajectory *trajectory,
                                  base_error *err)
{
    *trajectory = (scn_trajectory){0};
    base_status status = format == SCN_PQP ? import_pqp(path, trajectory, err)
                                           : import_table(path, &formats[format], trajectory, err);
    status = end_frames(trajectory, path, status, err);
    if (status == BASE_OK) {
        const char *const slash = strrchr(path, '/');
        snprintf(trajectory->source, sizeof trajectory->source, "%.200s imported from %s",
                 slash ? slash + 1 : path, formats[format].name);
    }
    return status;
}

/* --- Reading ---------------------------------------------------------------------------------- */

/** Reads a number; NaN if the table lacks the column or the cell is empty. */
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

static base_status read_row(const base_csv *table, size_t row, const int *indices, scn_frame *frame,
                            base_error *err)
{
    double v[POSE_COLUMNS] = {[TIME] = ROW_S * (double)row};
    for (int c = 0; c < POSE_COLUMNS; c++) {
        const base_status status =
            indices[c] >= 0 ? base_csv_number(table, row, indices[c], &v[c], err) : BASE_OK;
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
    int indices[POSE_COLUMNS];
    for (int c = 0; c < POSE_COLUMNS; c++) {
        indices[c] = base_csv_find(table, columns[c]);
        if (indices[c] < 0 && c >= X) {
            return base_csv_column(table, columns[c], &indices[c], err);
        }
    }
    for (size_t row = 0; row < table->rows; row++) {
        scn_frame frame;
        base_status status = read_row(table, row, indices, &frame, err);
        if (status == BASE_OK) {
            status = add_frame(trajectory, path, table->lines[row + 1], &frame, err);
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
    status = end_frames(trajectory, path, status, &failure);
    scn_format format;
    if (status == BASE_ERR_INPUT && guess_file(path, &format)) {
        return base_fail(err, status,
                         "%.600s; it looks like a recording: 'proxbench trajectory import %s FILE' "
                         "makes a trajectory of it",
                         failure.text, scn_format_name(format));
    }
    return status == BASE_OK ? BASE_OK : base_fail(err, status, "%s", failure.text);
}

/* --- Writing ---------------------------------------------------------------------------------- */

/** Writes the known answers of a frame in the columns that a file with the bits `all` has. */
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
    unsigned known = 0; /* union of the bits of all frames */
    for (size_t i = 0; i < trajectory->frame_count; i++) {
        known |= trajectory->frames[i].known.mask;
    }
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
        /* The source is written only in the first row. */
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

/* --- Two trackers ----------------------------------------------------------------------------- */

/** A pose of a frame in its world: it maps coordinates of the frame to those of the world. */
typedef struct placing {
    vec3 position;
    geo_quat orientation;
} placing;

scn_mounting scn_mounting_none(void)
{
    return (scn_mounting){.orientation = geo_quat_identity()};
}

/** Returns the pose of a body in the world from its tracker's pose. */
static placing mounted(const scn_frame *tracker, const scn_mounting *mount)
{
    const mat3 rotation = geo_quat_matrix(tracker->orientation);
    return (placing){vec3_add(tracker->position, mat3_mul_vec3(rotation, mount->position)),
                     geo_quat_mul(tracker->orientation, mount->orientation)};
}

/** Returns inverse(a) b. Positions are subtracted first, because they are large far from the
 * world's origin. */
static scn_frame seen_from(const placing *a, const placing *b, double t_s)
{
    const geo_quat q = a->orientation, back = {-q.x, -q.y, -q.z, q.w};
    return (scn_frame){
        .t_s = t_s,
        .position = mat3_tmul_vec3(geo_quat_matrix(q), vec3_sub(b->position, a->position)),
        .orientation = geo_quat_normalize(geo_quat_mul(back, b->orientation)),
        .target = NAN,
        .achieved = NAN,
    };
}

/** Returns the offset that converts a's times into times of b's clock. */
static double clock_offset(const scn_trajectory *a, const scn_trajectory *b)
{
    long long since;
    /* Exact in integers; an overflow is clamped. */
    if (__builtin_sub_overflow(a->epoch_ns, b->epoch_ns, &since)) {
        since = a->epoch_ns < b->epoch_ns ? LLONG_MIN : LLONG_MAX;
    }
    return (double)since * 1e-9;
}

static base_status join(const scn_trajectory *a, const scn_trajectory *b,
                        const scn_mounting *mount_a, const scn_mounting *mount_b,
                        scn_trajectory *trajectory, base_error *err)
{
    static const scn_frame still = {.orientation = {0, 0, 0, 1}};
    const scn_trajectory *const clock = a ? a : b;
    const double offset = a ? clock_offset(a, b) : 0;
    const double first = b->frames[0].t_s, last = b->frames[b->frame_count - 1].t_s;
    size_t at = 0;
    for (size_t i = 0; i < clock->frame_count; i++) {
        const double t_s = clock->frames[i].t_s, t_b = t_s + offset;
        if (t_b < first || t_b > last) {
            continue;
        }
        const scn_frame tracker_b = scn_trajectory_at(b, t_b, &at);
        const placing body_a = mounted(a ? &a->frames[i] : &still, mount_a);
        const placing body_b = mounted(&tracker_b, mount_b);
        const scn_frame frame = seen_from(&body_a, &body_b, t_s);
        const base_status status = scn_trajectory_append(trajectory, &frame, err);
        if (status != BASE_OK) {
            return status;
        }
    }
    if (trajectory->frame_count > 0) {
        return BASE_OK;
    }
    return base_fail(err, BASE_ERR_INPUT,
                     "the recordings have no time in common: %.9g to %.9g s of A, %.9g to %.9g s "
                     "of B",
                     clock->frames[0].t_s, clock->frames[clock->frame_count - 1].t_s,
                     first - offset, last - offset);
}

base_status scn_trajectory_relative(const scn_trajectory *a, const scn_trajectory *b,
                                    const scn_mounting *mount_a, const scn_mounting *mount_b,
                                    scn_trajectory *trajectory, base_error *err)
{
    *trajectory = (scn_trajectory){.epoch_ns = a ? a->epoch_ns : b->epoch_ns};
    const base_status status = join(a, b, mount_a, mount_b, trajectory, err);
    if (status != BASE_OK) {
        scn_trajectory_release(trajectory);
        return status;
    }
    if (a) {
        snprintf(trajectory->source, sizeof trajectory->source, "%.120s seen from %.120s",
                 b->source, a->source);
    } else {
        snprintf(trajectory->source, sizeof trajectory->source, "%.240s; mounted", b->source);
    }
    return BASE_OK;
}
