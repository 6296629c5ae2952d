#include "suite/record/takes.h"

#include "base/memory.h"
#include "base/text.h"
#include "suite/inputs/pair.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

/*
 * The journal is text. Its first line has the hashes of both bodies. Then each line is one of
 *
 *     take                          a take begins
 *     P t x y z qx qy qz qw         a pose that the user has set
 *     H t x y z qx qy qz qw         a pose that the simulated hand has reached
 *     written NUMBER FILE           the take with this number, from 1, is in this file
 */
static const char head[] = "proxbench record 1";
enum { LINE_BYTES = BENCH_TAKE_PATH_BYTES + 64, POSE_LINE_BYTES = 256 };

/* --- Writing the journal ---------------------------------------------------------------------- */

/** Appends whole lines, or nothing: after half a line the journal could not be read. */
static base_status append(bench_takes *takes, const char *bytes, size_t size, base_error *err)
{
    const off_t before = lseek(takes->file, 0, SEEK_END);
    if (before >= 0 && base_file_write(takes->file, bytes, size)) {
        return BASE_OK;
    }
    const int reason = errno;
    return before >= 0 && ftruncate(takes->file, before) != 0
               ? base_fail(err, BASE_ERR_SYSTEM, "cannot repair '%s': %s", takes->journal,
                           strerror(errno))
               : base_fail(err, BASE_ERR_SYSTEM, "cannot write '%s': %s", takes->journal,
                           strerror(reason));
}

static base_status append_line(bench_takes *takes, base_error *err, const char *format, ...)
    BASE_PRINTF(3, 4);
static base_status append_line(bench_takes *takes, base_error *err, const char *format, ...)
{
    char line[LINE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    return append(takes, line, (size_t)length, err);
}

/* --- Reading the journal ---------------------------------------------------------------------- */

/** Ends the last take and adds a zeroed one. A take without a frame is removed. */
static base_status add_take(bench_takes *takes, base_error *err)
{
    bench_takes_end(takes);
    const base_status status = base_reserve(takes->items, takes->capacity, takes->count + 1, err);
    if (status == BASE_OK) {
        takes->items[takes->count++] = (bench_take){0};
    }
    takes->open = status == BASE_OK;
    takes->clocked = false;
    return status;
}

static base_status fail_at(const bench_takes *takes, size_t line, base_error *err)
{
    return base_fail(err, BASE_ERR_INPUT, "'%s' line %zu: this is no line of a journal of 'record'",
                     takes->journal, line);
}

/** Reads the eight numbers of a pose, which begin at `text`. */
static bool read_pose(char *text, scn_frame *frame)
{
    double v[8] = {0}, length;
    char *rest = NULL;
    size_t count = 0;
    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        if (count == 8 || !base_text_number(word, &v[count])) {
            return false;
        }
        count++;
    }
    *frame = (scn_frame){.t_s = v[0], .target = NAN, .achieved = NAN};
    return count == 8 && scn_pose_of_numbers(v + 1, &frame->position, &frame->orientation, &length);
}

/** Reads "NUMBER FILE" and marks the take as written. */
static bool read_written(bench_takes *takes, const char *text)
{
    char *end;
    const unsigned long number = strtoul(text, &end, 10);
    if (end == text || *end != ' ' || number < 1 || number > takes->count) {
        return false;
    }
    snprintf(takes->items[number - 1].file, BENCH_TAKE_PATH_BYTES, "%s", end + 1);
    return true;
}

/** Reads a line after the first one. */
static base_status read_line(bench_takes *takes, char *text, size_t line, base_error *err)
{
    if (strcmp(text, "take") == 0) {
        const base_status status = add_take(takes, err);
        if (status == BASE_OK) {
            takes->items[takes->count - 1].restored = true;
        }
        return status;
    }
    if (strncmp(text, "written ", 8) == 0) {
        return read_written(takes, text + 8) ? BASE_OK : fail_at(takes, line, err);
    }
    scn_frame frame;
    if (takes->count == 0 || (text[0] != 'P' && text[0] != 'H') || text[1] != ' ' ||
        !read_pose(text + 2, &frame)) {
        return fail_at(takes, line, err);
    }
    bench_take *const take = &takes->items[takes->count - 1];
    const size_t n = take->path.frame_count;
    if (n > 0 && !(frame.t_s > take->path.frames[n - 1].t_s)) {
        return fail_at(takes, line, err);
    }
    take->pushed += text[0] == 'H';
    return scn_trajectory_append(&take->path, &frame, err);
}

/** Reads the whole journal; text: its content, with a NUL at its end. */
static base_status read_lines(bench_takes *takes, const char *first, char *text, base_error *err)
{
    size_t line = 0;
    base_status status = BASE_OK;
    for (char *end; status == BASE_OK && (end = strchr(text, '\n')); text = end + 1) {
        *end = '\0';
        line++;
        if (line > 1) {
            status = read_line(takes, text, line, err);
        } else if (strncmp(text, head, sizeof head - 1) != 0) {
            status = fail_at(takes, line, err);
        } else if (strcmp(text, first) != 0) {
            status = base_fail(err, BASE_ERR_INPUT,
                               "'%s' keeps a motion of another pair: record that pair again to "
                               "write it, or give another --out",
                               takes->journal);
        }
    }
    return status;
}

/** Reads the journal, and cuts off a last line without an end. */
static base_status restore(bench_takes *takes, const char *first, base_error *err)
{
    char *text = NULL;
    size_t size;
    base_status status = base_file_read(takes->journal, &text, &size, err);
    if (status != BASE_OK) {
        return status;
    }
    const char *const last = memrchr(text, '\n', size);
    const size_t whole = last ? (size_t)(last - text) + 1 : 0;
    text[whole] = '\0';
    status = strlen(text) == whole ? read_lines(takes, first, text, err) : fail_at(takes, 1, err);
    base_free(text);
    bench_takes_end(takes);
    if (status == BASE_OK && ftruncate(takes->file, (off_t)whole) != 0) {
        status = base_fail(err, BASE_ERR_SYSTEM, "cannot write '%s': %s", takes->journal,
                           strerror(errno));
    }
    if (status == BASE_OK && whole == 0) {
        status = append_line(takes, err, "%s\n", first);
    }
    takes->readable = status == BASE_OK;
    return status;
}

base_status bench_takes_open(const char *out, const char *what, const base_hash pair[2],
                             bench_takes *takes, base_error *err)
{
    char first[128];
    snprintf(first, sizeof first, "%s %s %s", head, base_hash_format(pair[0]).hex,
             base_hash_format(pair[1]).hex);
    *takes = (bench_takes){.out = out, .what = what, .file = -1};
    const int length = snprintf(takes->journal, sizeof takes->journal, "%s.journal", out);
    if ((size_t)length >= sizeof takes->journal || !*out || strpbrk(out, "\r\n")) {
        return base_fail(err, BASE_ERR_ARGUMENT, "'%.80s' is not the name of a file", out);
    }
    takes->file = open(takes->journal, O_CREAT | O_RDWR | O_APPEND | O_CLOEXEC, 0666);
    if (takes->file < 0) {
        return base_fail(err, BASE_ERR_SYSTEM, "cannot write '%s': %s", takes->journal,
                         strerror(errno));
    }
    const base_status status =
        flock(takes->file, LOCK_EX | LOCK_NB) == 0
            ? restore(takes, first, err)
            : base_fail(err, BASE_ERR_INPUT,
                        "another session records to '%s': end it, or give another --out", out);
    if (status != BASE_OK) {
        bench_takes_close(takes);
    }
    return status;
}

void bench_takes_close(bench_takes *takes)
{
    for (size_t i = 0; i < takes->count; i++) {
        scn_trajectory_release(&takes->items[i].path);
    }
    base_free(takes->items);
    if (takes->file >= 0) {
        close(takes->file);
    }
    if (takes->file >= 0 && takes->readable && takes->count == 0) {
        unlink(takes->journal);
    }
    *takes = (bench_takes){.file = -1};
}

/* --- Recording -------------------------------------------------------------------------------- */

base_status bench_takes_begin(bench_takes *takes, base_error *err)
{
    base_status status = add_take(takes, err);
    if (status == BASE_OK) {
        status = append_line(takes, err, "take\n");
    }
    if (status != BASE_OK) {
        bench_takes_end(takes);
    }
    return status;
}

void bench_takes_new_clock(bench_takes *takes)
{
    takes->clocked = false;
}

void bench_takes_end(bench_takes *takes)
{
    if (takes->open && takes->items[takes->count - 1].path.frame_count == 0) {
        takes->count--;
    }
    takes->open = false;
}

/** Returns the time of a pose in the take. */
static double time_in_take(bench_takes *takes, const bench_take *take, double t_s)
{
    if (!takes->clocked) {
        takes->clocked = true;
        takes->origin_s = t_s;
        takes->base_s =
            take->path.frame_count > 0 ? bench_take_seconds(take) + BENCH_TAKE_STEP_S : 0;
    }
    return takes->base_s + (t_s - takes->origin_s);
}

/** Adds a pose, and its line to `text`. */
static base_status add_pose(bench_takes *takes, const bench_timed_pose *pose, bool pushed,
                            char *text, size_t *used, base_error *err)
{
    bench_take *const take = &takes->items[takes->count - 1];
    const double t_s = time_in_take(takes, take, pose->t_s);
    if (take->path.frame_count > 0 && !(t_s > bench_take_seconds(take))) {
        return BASE_OK;
    }
    if (take->path.frame_count == BENCH_TAKE_FRAMES_MAX || t_s > BENCH_TAKE_SECONDS_MAX) {
        return base_fail(err, BASE_ERR_INPUT, "the take is full: %d poses or %g minutes",
                         BENCH_TAKE_FRAMES_MAX, BENCH_TAKE_SECONDS_MAX / 60);
    }
    const scn_frame frame = {.t_s = t_s,
                             .position = pose->position,
                             .orientation = pose->orientation,
                             .target = NAN,
                             .achieved = NAN};
    const base_status status = scn_trajectory_append(&take->path, &frame, err);
    if (status == BASE_OK) {
        const vec3 p = pose->position;
        const geo_quat q = pose->orientation;
        take->pushed += pushed;
        *used += (size_t)snprintf(text + *used, POSE_LINE_BYTES,
                                  "%c %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n",
                                  pushed ? 'H' : 'P', t_s, p.x, p.y, p.z, q.x, q.y, q.z, q.w);
    }
    return status;
}

base_status bench_takes_add(bench_takes *takes, const bench_timed_pose *poses, size_t count,
                            bool pushed, base_error *err)
{
    if (!takes->open || count == 0) {
        return BASE_OK;
    }
    char *const text = base_alloc(count, POSE_LINE_BYTES);
    base_status status = text ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory");
    size_t used = 0;
    for (size_t i = 0; i < count && status == BASE_OK; i++) {
        status = add_pose(takes, &poses[i], pushed, text, &used, err);
    }
    const base_status kept = used > 0 ? append(takes, text, used, err) : BASE_OK;
    base_free(text);
    status = status == BASE_OK ? kept : status;
    if (status != BASE_OK) {
        bench_takes_end(takes);
    }
    return status;
}

/* --- Trajectory files ------------------------------------------------------------------------- */

/** Finds the first of OUT, OUT-2, OUT-3, ... that does not exist. */
static base_status find_file(const bench_takes *takes, char path[BENCH_TAKE_PATH_BYTES],
                             base_error *err)
{
    const char *const slash = strrchr(takes->out, '/');
    const char *const name = slash ? slash + 1 : takes->out;
    const char *const dot = strrchr(name, '.');
    const int stem = (int)(dot && dot > name ? dot - takes->out : (long)strlen(takes->out));
    snprintf(path, BENCH_TAKE_PATH_BYTES, "%s", takes->out);
    for (int number = 2; access(path, F_OK) == 0; number++) {
        const int length = snprintf(path, BENCH_TAKE_PATH_BYTES, "%.*s-%d%s", stem, takes->out,
                                    number, takes->out + stem);
        if (length >= BENCH_TAKE_PATH_BYTES) {
            return base_fail(err, BASE_ERR_SYSTEM, "'%s' is too long", takes->out);
        }
    }
    return BASE_OK;
}

/** Writes the making of a trajectory. */
static void describe(const bench_takes *takes, const bench_take *take, double from_s, double to_s,
                     char *text, size_t size)
{
    char day[32] = "", pushed[64] = "", part[64] = "";
    const time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc)) {
        strftime(day, sizeof day, "%Y-%m-%d", &utc);
    }
    if (take->pushed > 0) {
        snprintf(pushed, sizeof pushed, ", %zu by the simulated hand", take->pushed);
    }
    if (from_s > 0 || to_s < bench_take_seconds(take) - BENCH_TAKE_STEP_S) {
        snprintf(part, sizeof part, ", from %.6g to %.6g s", from_s, to_s);
    }
    snprintf(text, size, "recorded by hand %s: %zu poses in %.6g s%s%s; resampled to %g Hz; %s",
             day, take->path.frame_count, bench_take_seconds(take), pushed, part,
             1 / BENCH_TAKE_STEP_S, takes->what);
}

base_status bench_takes_write(bench_takes *takes, size_t number, double from_s, double to_s,
                              base_error *err)
{
    bench_take *const take = &takes->items[number];
    char path[BENCH_TAKE_PATH_BYTES];
    scn_trajectory resampled = {0};
    base_status status =
        scn_trajectory_resample(&take->path, from_s, to_s, BENCH_TAKE_STEP_S, &resampled, err);
    if (status == BASE_OK && !*take->file) {
        status = find_file(takes, path, err);
    } else {
        snprintf(path, sizeof path, "%s", take->file);
    }
    if (status == BASE_OK) {
        describe(takes, take, from_s, to_s, resampled.source, sizeof resampled.source);
        status = bench_trajectory_write(&resampled, path, err);
    }
    scn_trajectory_release(&resampled);
    if (status == BASE_OK) {
        snprintf(take->file, sizeof take->file, "%s", path);
        status = append_line(takes, err, "written %zu %s\n", number + 1, path);
    }
    return status;
}

base_status bench_takes_finish(bench_takes *takes, base_error *err)
{
    base_status status = BASE_OK;
    bench_takes_end(takes);
    for (size_t i = 0; i < takes->count && status == BASE_OK; i++) {
        if (!*takes->items[i].file) {
            status = bench_takes_write(takes, i, 0, bench_take_seconds(&takes->items[i]), err);
        }
    }
    if (status == BASE_OK) {
        unlink(takes->journal);
    }
    return status;
}
