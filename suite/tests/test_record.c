/**
 * Reading a run: its files are read completely, and content that the suite could not have written
 * is refused.
 */
#include "base/memory.h"
#include "base/tests/support.h"
#include "suite/results/record.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- A run made by hand ----------------------------------------------------------------------- */

/** The header of each file and one row; each name in the row can be replaced. */
static const struct {
    const char *name, *header, *row;
    unsigned parts; /* that read this file */
} files[] = {
    {"manifest.csv", "section,key,value", "run,experiment,e", BENCH_RECORD_FACTS},
    {"cells.csv",
     "scenario,variant,quantity,status,baseline,file,answers_hash,below_resolution,frames_count,"
     "violations_count,tp_count,tn_count,fp_count,fn_count,time_p99_ns,time_intrinsic_max_ns,"
     "distance_error_size_mean,distance_error_size_max,volume_error_rel_mean,volume_error_rel_max",
     "s/t,v:n=1,unified,ok,v:n=1,v_n=1,a1,1,7,0,1,2,3,4,5,6.5,0.25,0.5,,", BENCH_RECORD_CELLS},
    {"launches.csv", "scenario,variant,baseline,protocol,file,block,launch,rounds,query_ns,p99_ns",
     "s/t,v:n=1,v:n=1,warm,v_n=1,0,3,2,100,10", BENCH_RECORD_LAUNCHES},
    {"compare.csv", "scenario,variant,baseline,metric,protocol,file,launches_count",
     "s/t,v:n=1,v:n=1,query_ns,warm,v_n=1,6", BENCH_RECORD_DRAWN},
    {"pareto.csv", "scenario,quantity,variant,file,on_front", "s/t,distance,v:n=1,v_n=1,1",
     BENCH_RECORD_DRAWN},
    {"passes.csv", "scenario,variant,baseline,protocol,answers_hash,file",
     "s/t,v:n=1,v:n=1,warm-up,a1,v_n=1", BENCH_RECORD_DRAWN},
    {"deadline.csv", "scenario,quantity,variant,file", "s/t,volume,v:n=1,v_n=1",
     BENCH_RECORD_DRAWN},
    {"forces.csv", "scenario,quantity,variant,file,force_noise_db", "s/t,force,v:n=1,v_n=1,-40",
     BENCH_RECORD_DRAWN},
    {"builds.csv", "variant,role,status,body_hash", "v:n=1,fixed,ok,a1", BENCH_RECORD_DRAWN},
};
enum { FILES = sizeof files / sizeof *files };

/** Returns the number of columns with names; they are the first columns of each file. */
static size_t name_columns(size_t file)
{
    static const size_t counts[FILES] = {2, 7, 5, 6, 4, 6, 4, 4, 4};
    return counts[file];
}

typedef struct folder {
    char path[64];
} folder;

/** Writes a file with `planted` in the field `column` of its row. */
static void put(const folder *f, size_t file, size_t column, const char *planted)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", f->path, files[file].name);
    FILE *const out = fopen(path, "w");
    cr_assert_not_null(out, "%s", path);
    fprintf(out, "%s\n", files[file].header);
    base_csv_writer w = {.file = out};
    const char *at = files[file].row;
    for (size_t i = 0; at; i++) {
        char text[32];
        snprintf(text, sizeof text, "%.*s", (int)strcspn(at, ","), at);
        base_csv_put_text(&w, planted && i == column ? planted : text);
        at = strchr(at, ',');
        at = at ? at + 1 : NULL;
    }
    base_csv_end(&w);
    fclose(out);
}

static folder make_run(void)
{
    folder f = {"/tmp/proxbench-record-XXXXXX"};
    cr_assert_not_null(mkdtemp(f.path));
    for (size_t i = 0; i < FILES; i++) {
        put(&f, i, 0, NULL);
    }
    return f;
}

static void remove_run(const folder *f)
{
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", f->path);
    cr_assert_eq(system(command), 0);
}

#define SCOPED_FOLDER RELEASED_BY(remove_run) folder

static const unsigned all =
    BENCH_RECORD_FACTS | BENCH_RECORD_CELLS | BENCH_RECORD_LAUNCHES | BENCH_RECORD_DRAWN;

/* --- Valid files ------------------------------------------------------------------------------ */

Test(record, holds_what_its_files_say)
{
    const SCOPED_FOLDER f = make_run();
    bench_record r;
    assert_ok(bench_record_open(f.path, all, &r, ERR));
    cr_assert_str_eq(bench_record_fact(&r, "run", "experiment"), "e");
    cr_assert_null(bench_record_fact(&r, "run", "figure"));
    const bench_cell_row *const c = bench_record_find(&r, "s/t", "v:n=1");
    cr_assert_not_null(c);
    cr_assert(c->frames == 7 && c->below_resolution && bench_cell_row_is_ok(c) && !c->twin);
    cr_assert_eq(c->time_intrinsic_max_ns, 6.5);
    cr_assert(isnan(c->time_mean_ns) && c->misses[0] == UINT64_MAX, "columns that are not there");
    cr_assert_str_eq(c->detail, "");
    cr_assert_eq(bench_cell_row_error(c, ALG_DISTANCE, false), 0.25);
    cr_assert_eq(bench_cell_row_error(c, ALG_DISTANCE, true), 0.5);
    cr_assert(isnan(bench_cell_row_error(c, ALG_VOLUME, false)));
    cr_assert(isnan(bench_cell_row_error(c, ALG_CONTACT, false)), "contact was not asked alone");
    bench_cell_row contact = *c;
    contact.quantity = "contact";
    cr_assert_eq(bench_cell_row_error(&contact, ALG_CONTACT, false), 0.7);
    cr_assert_eq(r.launch_count, 1u);
    cr_assert(r.launches[0].cell == c && c->launch_count[0] == 1 && c->launch_count[1] == 0);
    cr_assert(r.launches[0].launch == 3 && r.launches[0].query_ns == 100);
    bench_record_release(&r);
}

Test(record, several_rows_of_one_key_come_in_order)
{
    bench_fact facts[] = {{"arguments", "0", "run"}, {"run", "a", "x"}, {"arguments", "1", "ci"}};
    const bench_record r = {.facts = facts, .fact_count = 3};
    size_t at = 0;
    cr_assert_str_eq(bench_record_next_fact(&r, "arguments", NULL, &at), "run");
    cr_assert_str_eq(bench_record_next_fact(&r, "arguments", NULL, &at), "ci");
    cr_assert_null(bench_record_next_fact(&r, "arguments", NULL, &at));
}

/* --- Content that could not have been written ------------------------------------------------- */

static void expect_refused(const folder *f, size_t file, const char *planted)
{
    bench_record r;
    base_error err = {0};
    const unsigned parts =
        files[file].parts == BENCH_RECORD_DRAWN ? (unsigned)BENCH_RECORD_DRAWN : files[file].parts;
    cr_assert_eq(bench_record_open(f->path, parts, &r, &err), BASE_ERR_INPUT,
                 "%s takes '%s' in '%s'", files[file].name, planted, files[file].header);
    cr_assert(strstr(err.text, files[file].name) && strstr(err.text, "line 2"), "%s", err.text);
    cr_assert_null(strpbrk(err.text, "\n\033"), "%s", err.text);
}

Test(record, a_name_that_could_not_have_been_written_refuses_the_run)
{
    static const char *const planted[] = {
        "x'; system('id >FILE'); y='",
        "a\"b",
        "`id`",
        "$(id)",
        "a\nb",
        "../x",
        "/etc/passwd",
        "a b",
        "a\033[2Jb",
    };
    const SCOPED_FOLDER f = make_run();
    for (size_t file = 0; file < FILES; file++) {
        for (size_t column = 0; column < name_columns(file); column++) {
            for (size_t i = 0; i < sizeof planted / sizeof *planted; i++) {
                put(&f, file, column, planted[i]);
                expect_refused(&f, file, planted[i]);
            }
        }
        put(&f, file, 0, NULL);
    }
    bench_record r;
    assert_ok(bench_record_open(f.path, all, &r, ERR));
    bench_record_release(&r);
}

/** A file name must be that of the variant, and numbers must be numbers. */
Test(record, fields_of_one_row_agree)
{
    static const struct {
        size_t file, column;
        const char *text;
    } wrong[] = {
        {1, 5, "other"}, {1, 7, "2"},   {1, 8, ""},     {1, 8, "-1"},   {1, 14, "fast"},
        {2, 4, "v:n=1"}, {2, 5, "1e3"}, {1, 2, "both"}, {1, 3, "fine"}, {2, 3, "warmish"},
    };
    const SCOPED_FOLDER f = make_run();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        put(&f, wrong[i].file, wrong[i].column, wrong[i].text);
        expect_refused(&f, wrong[i].file, wrong[i].text);
        put(&f, wrong[i].file, 0, NULL);
    }
}

/* --- Links ------------------------------------------------------------------------------------ */

/** A link is refused even if it leads to the correct file. */
Test(record, no_file_of_a_run_is_a_link_or_a_pipe)
{
    const SCOPED_FOLDER f = make_run();
    for (size_t i = 0; i < FILES; i++) {
        for (int pipe = 0; pipe < 2; pipe++) {
            char path[128], away[128];
            bench_record r;
            base_error err = {0};
            snprintf(path, sizeof path, "%s/%s", f.path, files[i].name);
            snprintf(away, sizeof away, "%s/away", f.path);
            cr_assert_eq(rename(path, away), 0);
            cr_assert_eq(pipe ? mkfifo(path, 0600) : symlink(away, path), 0);
            cr_assert_eq(bench_record_open(f.path, files[i].parts, &r, &err), BASE_ERR_INPUT, "%s",
                         files[i].name);
            cr_assert_not_null(strstr(err.text, files[i].name), "%s", err.text);
            cr_assert_eq(unlink(path), 0);
            cr_assert_eq(rename(away, path), 0);
        }
    }
}

Test(record, no_folder_of_a_run_is_a_link)
{
    const SCOPED_FOLDER f = make_run();
    char link[128], path[BENCH_RUN_PATH_BYTES];
    base_error err = {0};
    snprintf(link, sizeof link, "%s/s", f.path);
    assert_ok(bench_run_file(f.path, path, ERR, "s/t/v.csv"));
    cr_assert_eq(symlink("/tmp", link), 0);
    cr_assert_eq(bench_run_file(f.path, path, &err, "s/t/v.csv"), BASE_ERR_INPUT);
    cr_assert_not_null(strstr(err.text, "is a link"), "%s", err.text);
}

Test(record, out_of_memory_is_an_error)
{
    const SCOPED_FOLDER f = make_run();
    bench_record r;
    COUNT_FAILURES(bench_record_open(f.path, all, &r, ERR), bench_record_release(&r));
}
