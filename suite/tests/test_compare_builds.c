/** Ratios of build times, from files made by hand. */
#include "base/tests/support.h"
#include "suite/compare/builds.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct run {
    char folder[64];
    bench_build_ratios list;
} run;

static void write_file(const run *r, const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", r->folder, name);
    FILE *const file = fopen(path, "w");
    cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0, "%s", path);
}

static run run_of(const char *launches, const char *builds)
{
    run r = {.folder = "/tmp/proxbench-build-ratios-XXXXXX"};
    cr_assert_not_null(mkdtemp(r.folder));
    if (launches) {
        write_file(&r, "build_launches.csv", launches);
    }
    if (builds) {
        write_file(&r, "builds.csv", builds);
    }
    return r;
}

static void make(run *r)
{
    assert_ok(bench_build_ratios_make(r->folder, &r->list, ERR));
}

static void end(run *r)
{
    static const char *const names[] = {"build_launches.csv", "builds.csv", "manifest.csv"};
    bench_build_ratios_release(&r->list);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", r->folder, names[i]);
        unlink(path);
    }
    rmdir(r->folder);
}

static const bench_build_ratio *find(const run *r, const char *variant, const char *other,
                                     const char *measure)
{
    for (size_t i = 0; i < r->list.count; i++) {
        const bench_build_ratio_row *const row = &r->list.items[i].row;
        if (strcmp(row->variant, variant) == 0 && strcmp(row->other, other) == 0 &&
            strcmp(row->measure, measure) == 0) {
            return &r->list.items[i];
        }
    }
    return NULL;
}

#define HEADER "variant,body,role,launch,build_ns,scenario,block,parameters,stage_a_ns\n"

/**
 * Seven launches: the sixth has only one of the two variants, and the seventh belongs to another
 * block.
 */
Test(compare_builds, by_hand)
{
    run r = run_of(HEADER "v:n=1,box,fixed,0,100,s,0,n=1,10\n"
                          "v:n=2,box,fixed,0,200,s,0,n=2,\n"
                          "v:n=1,box,fixed,1,100,s,0,n=1,10\n"
                          "v:n=2,box,fixed,1,300,s,0,n=2,5\n"
                          "v:n=1,box,fixed,2,100,s,0,n=1,10\n"
                          "v:n=2,box,fixed,2,800,s,0,n=2,20\n"
                          "v:n=1,box,fixed,3,100,s,0,n=1,10\n"
                          "v:n=2,box,fixed,4,700,s,0,n=2,20\n"
                          "v:n=2,box,fixed,3,700,s,1,n=2,20\n"
                          "v:n=2,box,fixed,3,700,t,0,n=2,20\n"
                          "v:n=2,box,moving,3,700,s,0,n=2,20\n"
                          "v:n=2,ball,fixed,3,700,s,0,n=2,20\n",
                   "variant,body,role,status,build_ns,triangles_count,body_hash,voxels_count\n"
                   "v:n=1,box,moving,ok,1,11,a,1\n"
                   "v:n=1,box,fixed,ok,1,12,a,\n"
                   "v:n=2,box,fixed,ok,1,13,a,77\n");
    make(&r);
    cr_assert_eq(r.list.count, 4);
    const bench_build_ratio *const whole = find(&r, "v:n=2", "v:n=1", "build_ns");
    cr_assert_not_null(whole);
    cr_assert_float_eq(whole->row.ratio, 3, 1e-12, "%g", whole->row.ratio);
    cr_assert(isnan(whole->row.lo) && isnan(whole->row.hi));
    cr_assert_eq(whole->row.launches, 3);
    cr_assert_eq(whole->row.triangles, 13);
    cr_assert_str_eq(whole->row.parameter, "n");
    cr_assert_str_eq(whole->row.body, "box");
    cr_assert_str_eq(whole->row.role, "fixed");
    cr_assert_not(whole->backward);
    const bench_build_ratio *const stage = find(&r, "v:n=2", "v:n=1", "stage_a_ns");
    cr_assert_not_null(stage);
    cr_assert_float_eq(stage->row.ratio, 1, 1e-12); /* of 1/2 and 2 */
    cr_assert_eq(stage->row.launches, 2);
    const bench_build_ratio *const back = find(&r, "v:n=1", "v:n=2", "build_ns");
    cr_assert_not_null(back);
    cr_assert_float_eq(back->row.ratio, 1.0 / 3, 1e-12);
    cr_assert_eq(back->row.triangles, 12);
    cr_assert(back->backward);

    char *text = NULL;
    size_t size = 0;
    FILE *const file = open_memstream(&text, &size);
    assert_ok(bench_build_ratios_write(&r.list, file, ERR));
    fclose(file);
    cr_assert_not_null(strstr(text, "variant,other,parameter,body,role,measure,ratio,lo,hi,"
                                    "launches,triangles_count,file,other_file,voxels_count\n"),
                       "%s", text);
    cr_assert_not_null(strstr(text, "v:n=2,v:n=1,n,box,fixed,build_ns,"), "%s", text);
    cr_assert_not_null(strstr(text, ",,,3,13,v_n=2,v_n=1,77\n"), "%s", text);
    cr_assert_not_null(strstr(text, ",,,3,12,v_n=1,v_n=2,\n"), "%s", text);
    free(text);
    end(&r);
}

/** With six launches the interval is from the smallest to the largest value. */
Test(compare_builds, an_interval_takes_six)
{
    char text[4096] = HEADER;
    for (int l = 0; l < 7; l++) {
        const int times[] = {130, 110, 160, 120, 150, 140, 10};
        char rows[256];
        run r;
        if (l == 6 || l == 5) {
            r = run_of(text, NULL);
            make(&r);
            const bench_build_ratio *const b = find(&r, "b", "a", "build_ns");
            cr_assert_not_null(b);
            cr_assert_eq(b->row.launches, (uint64_t)l);
            cr_assert_eq(b->row.triangles, UINT64_MAX);
            cr_assert_float_eq(b->row.ratio, l == 6 ? sqrt(1.3 * 1.4) : 1.3, 1e-12, "%g",
                               b->row.ratio);
            cr_assert_eq(isnan(b->row.lo), l == 5);
            cr_assert(l == 5 || (fabs(b->row.lo - 1.1) < 1e-12 && fabs(b->row.hi - 1.6) < 1e-12));
            end(&r);
        }
        snprintf(rows, sizeof rows, "a,box,fixed,%d,100,s,0,,1\nb,box,fixed,%d,%d,s,0,,1\n", l, l,
                 times[l]);
        strcat(text, rows);
    }
}

Test(compare_builds, contestants_are_compared_with_their_baseline)
{
    static const struct {
        const char *a, *of_a, *b, *of_b, *parameter; /* NULL: not comparable */
    } cases[] = {
        {"v:n=1", "m=3;n=1", "v:n=2", "m=3;n=2", "n"},
        {"v:m=1", "m=1;n=1", "v:n=2", "m=3;n=2", NULL},
        {"v", "m=3;n=1", "v@base", "m=3;n=1", NULL},
        {"v", "m=3;n=1", "v@base", "m=3;n=2", "n"},
        {"v", "n=1", "w", "m=7;n=1;o=2", "algorithm"},
        {"v", "n=1", "w", "m=7;n=12;o=2", NULL},
        {"v", "n=12", "w", "n=1", NULL},
        {"v", "", "w", "n=1", "algorithm"},
        {"v", "nn=1", "w", "n=2", "algorithm"},
        {"va", "n=1", "v", "n=2", NULL},
        {"v:a-b=one", "a-b=one", "v:a-b=two", "a-b=two", "a-b"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char of_a[64], of_b[64], text[512];
        snprintf(of_a, sizeof of_a, "%s", cases[i].of_a);
        snprintf(of_b, sizeof of_b, "%s", cases[i].of_b);
        for (size_t k = 0; k < sizeof of_a; k++) {
            of_a[k] = of_a[k] == ';' ? ',' : of_a[k];
            of_b[k] = of_b[k] == ';' ? ',' : of_b[k];
        }
        snprintf(text, sizeof text,
                 HEADER "%s,box,fixed,0,1,s,0,\"%s\",\n%s,box,fixed,0,2,s,0,\"%s\",\n", cases[i].a,
                 of_a, cases[i].b, of_b);
        run r = run_of(text, NULL);
        make(&r);
        cr_assert_eq(r.list.count, cases[i].parameter ? 2 : 0, "case %zu: %zu", i, r.list.count);
        for (size_t k = 0; k < r.list.count; k++) {
            cr_assert_str_eq(r.list.items[k].row.parameter, cases[i].parameter, "case %zu", i);
        }
        end(&r);
    }
}

Test(compare_builds, runs_that_have_none_and_runs_that_no_one_has_written)
{
    run older = run_of(NULL, NULL);
    make(&older);
    cr_assert(older.list.count == 0 && older.list.launches.columns == 0);
    cr_assert_not(bench_builds_are_timed(older.folder));
    write_file(&older, "manifest.csv", "section,key,value\nrun,builds,kept\n");
    cr_assert_not(bench_builds_are_timed(older.folder));
    write_file(&older, "manifest.csv", "section,key,value\nrun,builds,timed\n");
    cr_assert(bench_builds_are_timed(older.folder));
    end(&older);
    static const char *const wrong[] = {
        HEADER "v',box,fixed,0,1,s,0,,1\n",
        HEADER "v,box,fi xed,0,1,s,0,,1\n",
        HEADER "v,box,fixed,x,1,s,0,,1\n",
        HEADER "v,box,fixed,0,,s,0,,1\n",
        HEADER "v,box,fixed,0,1,../s,0,,1\n",
        HEADER "v,box,fixed,0,1,s,0,n=1,one\nv:n=2,box,fixed,0,1,s,0,n=2,1\n",
        "variant,body,role,launch,build_ns,scenario,block,parameters,\"x'y_ns\"\n"
        "v,box,fixed,0,1,s,0,,1\n",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        run r = run_of(wrong[i], NULL);
        base_error err = {0};
        cr_expect_eq(bench_build_ratios_make(r.folder, &r.list, &err), BASE_ERR_INPUT,
                     "case %zu: '%s'", i, err.text);
        end(&r);
    }
}
