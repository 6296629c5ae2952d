#include "geometry/csv.h"

#include <csv.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/** What RFC 4180 asks for, and blanks at either end, which the reader would cut off. */
static bool needs_quotes(const char *text)
{
    return strpbrk(text, ",\"\r\n") != NULL || is_blank(text[0]) ||
           is_blank(text[strlen(text) - 1]);
}

static void next_field(geo_csv_writer *writer, bool empty)
{
    if (writer->started) {
        fputc(',', writer->file);
    }
    writer->blank = empty && !writer->started;
    writer->started = true;
}

void geo_csv_put_text(geo_csv_writer *writer, const char *text)
{
    const bool empty = text == NULL || text[0] == '\0';
    next_field(writer, empty);
    if (empty) {
        return;
    }
    if (needs_quotes(text)) {
        csv_fwrite(writer->file, text, strlen(text));
    } else {
        fputs(text, writer->file);
    }
}

void geo_csv_put_number(geo_csv_writer *writer, double value)
{
    next_field(writer, isnan(value));
    if (!isnan(value)) {
        fprintf(writer->file, "%.17g", value);
    }
}

void geo_csv_put_count(geo_csv_writer *writer, uint64_t value)
{
    next_field(writer, false);
    fprintf(writer->file, "%" PRIu64, value);
}

void geo_csv_put_empty(geo_csv_writer *writer)
{
    next_field(writer, true);
}

void geo_csv_end(geo_csv_writer *writer)
{
    /* A record of one empty field would be a blank line, which is no record. */
    fputs(writer->blank ? "\"\"\n" : "\n", writer->file);
    writer->started = false;
    writer->blank = false;
}

geo_status geo_csv_check(geo_csv_writer *writer, const char *path, geo_error *err)
{
    errno = 0;
    const bool flushed = fflush(writer->file) == 0;
    if (flushed && !ferror(writer->file)) {
        return GEO_OK;
    }
    return geo_fail(err, GEO_ERR_SYSTEM, "cannot write '%s': %s", path,
                    flushed || errno == 0 ? "a write failed" : strerror(errno));
}
