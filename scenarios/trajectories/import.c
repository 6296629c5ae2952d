#include "scenarios/trajectories/import.h"

#include "base/csv.h"
#include "base/text.h"
#include "geometry/pose.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of formats without time. */
#define RATE_HZ 10.0
/* Recordings are written with 4 to 7 digits. */
#define ROTATION_TOLERANCE 1e-3

/* --- Matrices --------------------------------------------------------------------------------- */

/** Largest deviation of m transpose(m) from the identity; large for a reflection. */
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

/** A frame of a format without time. */
static base_status add_matrix(scn_trajectory *trajectory, const char *path, size_t line, mat3 m,
                              vec3 position, base_error *err)
{
    if (!(rotation_error(m) <= ROTATION_TOLERANCE)) {
        return base_fail(err, BASE_ERR_INPUT, "'%s' line %zu: the 3x3 matrix is no rotation", path,
                         line);
    }
    const scn_frame frame = {
        .t_s = (double)trajectory->frame_count / RATE_HZ,
        .position = position,
        .orientation = geo_quat_from_matrix(m),
        .target = NAN,
        .achieved = NAN,
    };
    return scn_frame_add(trajectory, path, line, &frame, err);
}

/* --- Formats of one line a frame -------------------------------------------------------------- */

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

/** t x y z qx qy qz qw */
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
    return scn_frame_add(trajectory, table->path, table->lines[row + 1], &frame, err);
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

/** Nanoseconds since 1970 have more digits than a double. */
static base_status read_nanoseconds(const base_csv *table, size_t row, long long *ns,
                                    base_error *err)
{
    const char *const text = base_csv_text(table, row, 0);
    char *end = NULL;
    errno = 0;
    *ns = text ? strtoll(text, &end, 10) : 0;
    if (!text || end == text || *end != '\0' || errno != 0) {
        return base_fail(err, BASE_ERR_INPUT,
                         "'%s' line %zu: time '%s' is no whole number of nanoseconds", table->path,
                         table->lines[row + 1], text ? text : "");
    }
    return BASE_OK;
}

/** t x y z qw qx qy qz, and more that is not read. */
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
    /* Exact in integers; clamped where no clock can be. */
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
    return scn_frame_add(trajectory, table->path, table->lines[row + 1], &frame, err);
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

/* --- PQP: a count, then four lines a frame ---------------------------------------------------- */

typedef struct reader {
    const char *path;
    FILE *file;
    size_t line;
    char text[1024];
} reader;

/** The next line that is neither blank nor a comment, cut to its numbers; false at the end. */
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

/** The line as `count` numbers. */
static base_status parse_line(reader *r, int count, double *v, base_error *err)
{
    static const char blanks[] = " \t\r\n";
    int n = 0;
    char *rest = NULL;
    for (char *word = strtok_r(r->text, blanks, &rest); word;
         word = strtok_r(NULL, blanks, &rest)) {
        if (n < count && !base_text_number(word, &v[n])) {
            return base_fail(err, BASE_ERR_INPUT, "'%s' line %zu: '%s' is no finite number",
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
        return base_fail(err, BASE_ERR_INPUT, "'%s' line %zu: %g is no number of frames", r->path,
                         r->line, announced);
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

/* --- Which form ------------------------------------------------------------------------------- */

/* Times in whole nanoseconds are told from other numbers by their size: a second at least. */
#define NANOSECONDS_LEAST 1e9

/** How many numbers the text is, with blanks or `commas` between them; 0 if anything else is in it.
 */
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

bool scn_format_guess(const char *path, scn_format *format)
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
    status = scn_frames_end(trajectory, path, status, err);
    if (status == BASE_OK) {
        const char *const slash = strrchr(path, '/');
        snprintf(trajectory->source, sizeof trajectory->source, "%.200s imported from %s",
                 slash ? slash + 1 : path, formats[format].name);
    }
    return status;
}
