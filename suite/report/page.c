#include "suite/report/page.h"

#include "base/memory.h"
#include "suite/figures/figures.h"
#include "suite/message.h"
#include "suite/report/space.h"
#include "suite/report/strips.h"
#include "suite/report/three.h"
#include "suite/results/frames.h"
#include "suite/share.h"

#include <stdlib.h>
#include <string.h>

/** The data of a page during writing. */
typedef struct page {
    const bench_page_run *runs;
    size_t run_count;
    const char *cache;
    bool in_space;         /* three.js is there */
    size_t bytes_of_frame; /* for the columns of one frame of one variant */
    bench_space space;
    size_t missing; /* scenarios of the run that are not shown in 3D */
    base_error why; /* of the first one */
    bench_arrays arrays;
    bench_json json;
    base_error *err;
} page;

/* --- Scenarios -------------------------------------------------------------------------------- */

/** Puts the tolerance of each asked quantity: its limits, and its text for people. */
static base_status put_tolerances(page *p, const bench_cell_row *cell)
{
    bench_json *const json = &p->json;
    unsigned asked;
    bench_tolerances tolerances;
    base_status status = bench_quantities_parse(cell->quantity, &asked, p->err);
    if (status == BASE_OK) {
        status = bench_tolerances_parse(cell->tolerance, &tolerances, p->err);
    }
    bench_json_open(json, "quantities", '[');
    for (int q = 0; q < ALG_QUANTITY_COUNT && status == BASE_OK; q++) {
        const bench_tolerance *const t = &tolerances.of[q];
        const bench_error_kind error = bench_quantities[q].error;
        char text[BENCH_TOLERANCE_BYTES];
        if (!(asked & 1u << q)) {
            continue;
        }
        bench_tolerance_describe(t, text);
        bench_json_open(json, NULL, '{');
        bench_json_text(json, "name", alg_quantity_names[q]);
        bench_json_text(json, "tolerance", text);
        bench_json_text(json, "error", error != BENCH_NO_ERROR ? bench_errors[error].name : NULL);
        bench_json_open(json, "limits", '[');
        for (size_t i = 0; i < t->count; i++) {
            const bench_error_kind kind = t->limits[i].error;
            bench_json_open(json, NULL, '[');
            bench_json_text(json, NULL, kind != BENCH_NO_ERROR ? bench_errors[kind].name : NULL);
            bench_json_number(json, NULL, t->limits[i].most);
            bench_json_close(json, ']');
        }
        bench_json_close(json, ']');
        bench_json_close(json, '}');
    }
    bench_json_close(json, ']');
    return status;
}

/** Puts the frames of a cell and what it has built. in_space: the scenario is shown in 3D. */
static base_status put_frames(page *p, const bench_record *record, const bench_cell_row *cell,
                              bool in_space)
{
    base_csv frames;
    base_status status = bench_record_frames(record, cell, &frames, p->err);
    if (status != BASE_OK || frames.columns == 0) {
        return status;
    }
    bench_json_number(&p->json, "frames", (double)frames.rows);
    status = bench_strips_put(cell, &frames, p->bytes_of_frame, &p->arrays, &p->json, p->err);
    if (status == BASE_OK) {
        status = bench_strips_put_regions(record, cell, &p->arrays, &p->json, p->err);
    }
    if (status == BASE_OK && in_space) {
        const bool has_contacts = base_csv_find(&frames, "contacts_count") >= 0;
        status = bench_space_put_variant(&p->space, cell, has_contacts, p->cache, &p->arrays,
                                         &p->json, p->err);
    }
    base_csv_release(&frames);
    return status;
}

static base_status put_cell(page *p, const bench_record *record, const bench_cell_row *cell,
                            const bench_look *look, bool in_space)
{
    bench_json *const json = &p->json;
    char section[BENCH_CONTESTANT_NAME_BYTES + 16];
    snprintf(section, sizeof section, "variant %.*s", (int)strcspn(cell->variant, "@"),
             cell->variant);
    bench_json_open(json, NULL, '{');
    bench_json_text(json, "variant", cell->variant);
    bench_json_text(json, "label", look->label);
    bench_json_text(json, "colour", look->colour);
    bench_json_text(json, "status", cell->status);
    bench_json_text(json, "detail", cell->detail);
    bench_json_text(json, "elsewhere", *cell->elsewhere ? cell->elsewhere : NULL);
    bench_json_text(json, "law", bench_record_fact(record, section, "force_law"));
    const base_status status = put_frames(p, record, cell, in_space);
    bench_json_close(json, '}');
    return status;
}

/** Puts the cells of a scenario except twins, which are only a measure of noise. */
static base_status put_cells(page *p, const bench_record *record, size_t first, size_t end,
                             bool in_space)
{
    base_arena arena = {0};
    bench_looks looks = {0};
    size_t count = 0;
    const char **const names = base_arena_alloc(&arena, end - first, sizeof *names);
    base_status status = names ? BASE_OK : base_fail(p->err, BASE_ERR_MEMORY, "out of memory");
    for (size_t i = first; i < end && names; i++) {
        if (!record->cells[i].twin) {
            names[count++] = record->cells[i].variant;
        }
    }
    if (status == BASE_OK) {
        status = bench_figures_looks(record, record->cells[first].scenario, names, count, &arena,
                                     &looks, p->err);
    }
    bench_json_open(&p->json, "cells", '[');
    const bench_look *look = looks.items;
    for (size_t i = first; i < end && status == BASE_OK; i++) {
        if (!record->cells[i].twin) {
            status = put_cell(p, record, &record->cells[i], look++, in_space);
        }
    }
    bench_json_close(&p->json, ']');
    base_arena_release(&arena);
    return status;
}

/** Puts the bodies. Returns false if they cannot be shown. */
static bool put_space(page *p, const bench_record *record, const bench_cell_row *first)
{
    base_error reason = {0};
    unsigned asked = 0;
    base_status status = bench_quantities_parse(first->quantity, &asked, &reason);
    if (status == BASE_OK) {
        status = bench_space_open(&p->space, record, first, &reason);
    }
    if (status == BASE_OK) {
        bench_json_open(&p->json, "space", '{');
        status =
            bench_space_put(&p->space, asked & ALG_WANT_DISTANCE, &p->arrays, &p->json, &reason);
        bench_json_close(&p->json, '}');
    }
    if (status != BASE_OK) {
        p->why = p->missing++ == 0 ? reason : p->why;
        bench_json_text(&p->json, "missing", reason.text);
    }
    return status == BASE_OK;
}

static base_status put_scenario(page *p, const bench_record *record, size_t first, size_t end)
{
    const bench_cell_row *const cell = &record->cells[first];
    bench_json_open(&p->json, NULL, '{');
    bench_json_text(&p->json, "name", cell->scenario);
    bench_json_text(&p->json, "a", bench_record_fact(record, cell->scenario, "a"));
    bench_json_text(&p->json, "b", bench_record_fact(record, cell->scenario, "b"));
    base_status status = put_tolerances(p, cell);
    if (status == BASE_OK) {
        const bool in_space = p->in_space && put_space(p, record, cell);
        status = put_cells(p, record, first, end, in_space);
    }
    bench_json_close(&p->json, '}');
    return status;
}

/* --- Data ------------------------------------------------------------------------------------- */

static base_status put_run(page *p, const bench_page_run *run)
{
    const bench_record *const record = run->record;
    bench_json_open(&p->json, NULL, '{');
    base_status status = bench_tables_put(run, &p->json, p->err);
    bench_json_open(&p->json, "scenarios", '[');
    p->missing = 0;
    for (size_t first = 0, end; first < record->cell_count && status == BASE_OK; first = end) {
        end = bench_record_scenario_end(record, first);
        status = put_scenario(p, record, first, end);
    }
    if (p->missing > 0) {
        bench_warn("'%s': %zu scenario%s not shown in 3D: %s", record->folder, p->missing,
                   p->missing == 1 ? " is" : "s are", p->why.text);
    }
    bench_json_close(&p->json, ']');
    bench_json_close(&p->json, '}');
    return status;
}

/** Puts the unit and the meaning of each column of frames. */
static void put_meanings(bench_json *json)
{
    bench_frame_columns any;
    bench_frame_columns_list_any(&any);
    bench_json_open(json, "meanings", '{');
    for (size_t i = 0; i < any.count; i++) {
        bench_json_open(json, any.items[i].name, '[');
        bench_json_text(json, NULL, any.items[i].unit);
        bench_json_text(json, NULL, any.items[i].meaning);
        bench_json_close(json, ']');
    }
    bench_json_close(json, '}');
}

/** True if some scenario of the first run is in all others. */
static bool have_common(const page *p)
{
    const bench_record *const first = p->runs[0].record;
    bool any = p->run_count == 1;
    for (size_t c = 0; c < first->cell_count && !any; c++) {
        any = true;
        for (size_t r = 1; r < p->run_count; r++) {
            const bench_record *const other = p->runs[r].record;
            bool has = false;
            for (size_t i = 0; i < other->cell_count && !has; i++) {
                has = strcmp(other->cells[i].scenario, first->cells[c].scenario) == 0;
            }
            any = any && has;
        }
    }
    return any;
}

/** The columns of all frames of all variants take about this much; a frame gets its share. */
static size_t bytes_of_frame(const page *p)
{
    static const uint64_t all = 5 << 20;
    uint64_t frames = 1;
    for (size_t r = 0; r < p->run_count; r++) {
        const bench_record *const record = p->runs[r].record;
        for (size_t i = 0; i < record->cell_count; i++) {
            frames += record->cells[i].twin ? 0 : record->cells[i].frames;
        }
    }
    return (size_t)(all / frames);
}

/** three_fault: the reason why there is no three.js, or NULL. */
static base_status put_data(page *p, const char *three_fault)
{
    static const char apart[] = "The runs have no scenario in common, so nothing is side by side.";
    bench_json *const json = &p->json;
    base_status status = BASE_OK;
    p->bytes_of_frame = bytes_of_frame(p);
    p->in_space = !three_fault;
    bench_json_open(json, NULL, '{');
    bench_json_text(json, "three_fault", three_fault);
    bench_json_text(json, "apart", have_common(p) ? NULL : apart);
    if (!have_common(p)) {
        bench_warn("the runs have no scenario in common");
    }
    put_meanings(json);
    bench_json_open(json, "runs", '[');
    for (size_t i = 0; i < p->run_count && status == BASE_OK; i++) {
        status = put_run(p, &p->runs[i]);
    }
    bench_json_close(json, ']');
    if (status == BASE_OK) {
        status = bench_arrays_finish(&p->arrays, "arrays", json, p->err);
    }
    bench_json_close(json, '}');
    return status;
}

/* --- The page --------------------------------------------------------------------------------- */

/** The text in place of a mark of report.html. A mark is alone in its line. */
typedef struct insert {
    const char *mark;
    const char *before, *text, *after;
    bool plain; /* the text is no HTML */
} insert;

static base_status read_part(const char *name, char **text, base_error *err)
{
    char path[BENCH_SHARE_BYTES];
    size_t size;
    const base_status status = bench_share_path(name, path, err);
    *text = NULL;
    return status == BASE_OK ? base_file_read(path, text, &size, err) : status;
}

/** Writes the lines of report.html, with the inserts in place of their marks. */
static void put_page(const char *html, const insert *inserts, size_t count, FILE *file)
{
    while (*html) {
        const size_t length = strcspn(html, "\n");
        const insert *found = NULL;
        for (size_t i = 0; i < count; i++) {
            const size_t size = strlen(inserts[i].mark);
            found =
                size == length && strncmp(html, inserts[i].mark, size) == 0 ? &inserts[i] : found;
        }
        if (!found) {
            fprintf(file, "%.*s\n", (int)length, html);
        } else if (found->text) {
            fputs(found->before, file);
            found->plain ? bench_html_put(file, found->text) : (void)fputs(found->text, file);
            fputs(found->after, file);
        }
        html += length + (html[length] == '\n');
    }
}

static base_status write_page(const char *path, const char *data, const bench_three *three,
                              const char *title, base_error *err)
{
    static const char *const names[] = {"report/report.html", "report/report.css",
                                        "report/report.js"};
    enum { PARTS = 3 };
    char *parts[PARTS] = {NULL};
    bench_output output;
    base_status status = BASE_OK;
    for (size_t i = 0; i < PARTS && status == BASE_OK; i++) {
        status = read_part(names[i], &parts[i], err);
    }
    if (status == BASE_OK) {
        status = bench_output_open(path, &output, err);
    }
    if (status == BASE_OK) {
        const insert inserts[] = {
            {"<!-- title -->", "<title>", title, "</title>\n", true},
            {"<!-- style -->", "<style>\n", parts[1], "</style>\n", false},
            {"<!-- three.js -->", "", three->scripts, "", false},
            {"<!-- notice -->", "<pre>", three->notice, "</pre>\n", true},
            {"<!-- data -->", "<script type=\"application/json\" id=\"data\">\n", data,
             "</script>\n", false},
            {"<!-- script -->", "<script>\n", parts[2], "</script>\n", false},
        };
        put_page(parts[0], inserts, sizeof inserts / sizeof *inserts, output.file);
        status = bench_output_close(&output, BASE_OK, err);
    }
    for (size_t i = 0; i < PARTS; i++) {
        base_free(parts[i]);
    }
    return status;
}

base_status bench_page_write(const char *path, const bench_page_run *runs, size_t count,
                             const char *cache, base_error *err)
{
    bench_three three;
    base_error fault = {0};
    char *data = NULL;
    size_t size = 0;
    page p = {.runs = runs, .run_count = count, .cache = cache, .err = err};
    const char *const title = bench_record_fact(runs[0].record, "run", "title");
    base_status status = bench_three_read(&three, &fault);
    if (status == BASE_ERR_MEMORY) {
        return base_fail(err, status, "%s", fault.text);
    }
    if (status != BASE_OK) {
        bench_warn("no frame is shown in 3D: %s", fault.text);
    }
    p.json = (bench_json){.file = open_memstream(&data, &size), .lines = true};
    status = p.json.file ? put_data(&p, status == BASE_OK ? NULL : fault.text)
                         : base_fail(err, BASE_ERR_MEMORY, "out of memory");
    if (p.json.file && fclose(p.json.file) != 0 && status == BASE_OK) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    if (status == BASE_OK) {
        status = write_page(path, data, &three, title ? title : runs[0].record->folder, err);
    }
    free(data); /* of open_memstream */
    bench_space_close(&p.space);
    bench_arrays_release(&p.arrays);
    bench_three_release(&three);
    return status;
}
