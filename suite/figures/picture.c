#include "suite/figures/picture.h"

#include "base/file.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const bench_picture_format_names[BENCH_PICTURE_FORMATS] = {"png", "svg", "pdf"};

base_status bench_picture_set_width(bench_picture *p, double width_mm, base_error *err)
{
    static const char view[] = "viewBox=\"0 0 ";
    const char *const found = p->size > 0 ? memmem(p->bytes, p->size, view, strlen(view)) : NULL;
    const size_t at = found ? (size_t)(found - p->bytes) : 0;
    double width, height;
    char numbers[64] = "", size[128];
    if (found) {
        snprintf(numbers, sizeof numbers, "%.*s", (int)(p->size - at - strlen(view)),
                 found + strlen(view));
    }
    if (sscanf(numbers, "%lf %lf", &width, &height) != 2 || !(width > 0)) {
        return base_fail(err, BASE_ERR_INPUT, "what gnuplot has drawn is no SVG with a viewBox");
    }
    const size_t added = (size_t)snprintf(size, sizeof size, "width=\"%gmm\" height=\"%.2fmm\" ",
                                          width_mm, width_mm * height / width);
    const base_status status = base_reserve(p->bytes, p->capacity, p->size + added, err);
    if (status == BASE_OK) {
        memmove(p->bytes + at + added, p->bytes + at, p->size - at);
        memcpy(p->bytes + at, size, added);
        p->size += added;
    }
    return status;
}

/* --- Index ------------------------------------------------------------------------------------ */

static const char *const columns[BENCH_INDEX_COLUMNS] = {
    [BENCH_INDEX_SCENARIO] = "scenario",     [BENCH_INDEX_QUANTITY] = "quantity",
    [BENCH_INDEX_FIGURE] = "figure",         [BENCH_INDEX_VARIANTS] = "variants",
    [BENCH_INDEX_EXPERIMENT] = "experiment", [BENCH_INDEX_MODE] = "mode",
    [BENCH_INDEX_START_UTC] = "start_utc",   [BENCH_INDEX_VERSION] = "version",
    [BENCH_INDEX_COMMIT] = "commit",         [BENCH_INDEX_CPU] = "cpu",
    [BENCH_INDEX_CPUS] = "cpus_online",
};

static base_status read_rows(bench_index *index, const char *folder, base_error *err)
{
    const base_csv *const old = &index->old;
    const int picture = base_csv_find(old, "picture");
    char path[4096];
    for (size_t r = 0; r < old->rows; r++) {
        bench_index_row row = {.picture = base_csv_text(old, r, picture)};
        if (!row.picture || strchr(row.picture, '/') ||
            base_path_join(folder, row.picture, "", path, sizeof path, NULL) != BASE_OK ||
            access(path, F_OK) != 0) {
            continue;
        }
        for (int c = 0; c < BENCH_INDEX_COLUMNS; c++) {
            const int column = base_csv_find(old, columns[c]);
            row.fields[c] = column >= 0 ? base_csv_text(old, r, column) : NULL;
        }
        const base_status status =
            base_reserve(index->rows, index->capacity, index->count + 1, err);
        if (status != BASE_OK) {
            return status;
        }
        index->rows[index->count++] = row;
    }
    return BASE_OK;
}

base_status bench_index_open(const char *folder, bench_index *index, base_error *damage,
                             base_error *err)
{
    char path[4096];
    *damage = (base_error){0};
    base_status status = base_path_join(folder, "index", ".csv", path, sizeof path, err);
    if (status != BASE_OK) {
        return status;
    }
    index->path = base_arena_text(&index->arena, path);
    if (!index->path) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    if (access(path, F_OK) != 0) {
        return BASE_OK;
    }
    status = base_csv_read(path, NULL, &index->old, damage);
    int picture;
    if (status == BASE_OK) {
        status = base_csv_column(&index->old, "picture", &picture, damage);
    }
    return status == BASE_OK           ? read_rows(index, folder, err)
           : status == BASE_ERR_MEMORY ? base_fail(err, status, "%s", damage->text)
                                       : BASE_OK;
}

void bench_index_remove(bench_index *index, const char *picture)
{
    for (size_t r = 0; r < index->count; r++) {
        if (strcmp(index->rows[r].picture, picture) == 0) {
            index->rows[r] = index->rows[--index->count];
            return;
        }
    }
}

base_status bench_index_put(bench_index *index, const bench_index_row *row, base_error *err)
{
    bench_index_row copy = {.picture = base_arena_text(&index->arena, row->picture)};
    bool whole = copy.picture != NULL;
    for (int c = 0; c < BENCH_INDEX_COLUMNS; c++) {
        copy.fields[c] = row->fields[c] ? base_arena_text(&index->arena, row->fields[c]) : NULL;
        whole = whole && (!row->fields[c] || copy.fields[c]);
    }
    if (!whole) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    bench_index_remove(index, row->picture);
    const base_status status = base_reserve(index->rows, index->capacity, index->count + 1, err);
    if (status == BASE_OK) {
        index->rows[index->count++] = copy;
    }
    return status;
}

static int by_picture(const void *left, const void *right)
{
    return strcmp(((const bench_index_row *)left)->picture,
                  ((const bench_index_row *)right)->picture);
}

base_status bench_index_write(bench_index *index, base_error *err)
{
    base_output output;
    if (index->count > 0) {
        qsort(index->rows, index->count, sizeof *index->rows, by_picture);
    }
    base_status status = base_output_open(index->path, &output, err);
    if (status != BASE_OK) {
        return status;
    }
    base_csv_writer writer = {.file = output.file};
    base_csv_put_text(&writer, "picture");
    for (int c = 0; c < BENCH_INDEX_COLUMNS; c++) {
        base_csv_put_text(&writer, columns[c]);
    }
    base_csv_end(&writer);
    for (size_t r = 0; r < index->count; r++) {
        const bench_index_row *const row = &index->rows[r];
        base_csv_put_text(&writer, row->picture);
        for (int c = 0; c < BENCH_INDEX_COLUMNS; c++) {
            base_csv_put_text(&writer, row->fields[c] ? row->fields[c] : "");
        }
        base_csv_end(&writer);
    }
    return base_output_close(&output, base_csv_check(&writer, index->path, err), err);
}

void bench_index_close(bench_index *index)
{
    base_free(index->rows);
    base_csv_release(&index->old);
    base_arena_release(&index->arena);
    *index = (bench_index){0};
}
