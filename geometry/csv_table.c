#include "geometry/csv.h"
#include "geometry/text.h"

#include <string.h>

void geo_csv_release(geo_csv *table)
{
    geo_arena_release(&table->arena);
    *table = (geo_csv){0};
}

int geo_csv_find(const geo_csv *table, const char *column)
{
    for (size_t i = 0; i < table->columns; i++) {
        if (strcmp(table->cells[i], column) == 0) {
            return (int)i;
        }
    }
    return -1;
}

geo_status geo_csv_column(const geo_csv *table, const char *column, int *index, geo_error *err)
{
    *index = geo_csv_find(table, column);
    if (*index < 0) {
        return geo_fail(err, GEO_ERR_INPUT, "'%s': there is no column '%s'", table->path, column);
    }
    return GEO_OK;
}

const char *geo_csv_text(const geo_csv *table, size_t row, int column)
{
    geo_assert(row < table->rows && column >= 0 && (size_t)column < table->columns);
    return table->cells[(row + 1) * table->columns + (size_t)column];
}

geo_status geo_csv_number(const geo_csv *table, size_t row, int column, double *value,
                          geo_error *err)
{
    const char *const text = geo_csv_text(table, row, column);
    const size_t line = table->lines[row + 1];
    if (text == NULL) {
        return geo_fail(err, GEO_ERR_INPUT, "'%s' line %zu: column '%s' is empty", table->path,
                        line, table->cells[column]);
    }
    if (!geo_text_number(text, value)) {
        return geo_fail(err, GEO_ERR_INPUT,
                        "'%s' line %zu: column '%s': '%.80s' is not a finite number", table->path,
                        line, table->cells[column], text);
    }
    return GEO_OK;
}
