#include "base/tests/support.h"
#include "suite/report/strips.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const bench_cell_row cell = {.scenario = "near",
                                    .variant = "ist",
                                    .file = "ist",
                                    .quantity = "distance",
                                    .tolerance = "distance_error_rel=0.01"};

/** The columns of four frames as the page gets them. */
typedef struct shown {
    char *text, *arrays;
} shown;

static shown show(const char *csv, size_t bytes_most)
{
    shown s = {NULL, NULL};
    size_t sizes[2];
    char path[] = "/tmp/proxbench-strips-XXXXXX";
    base_csv table;
    bench_arrays arrays = {0};
    bench_json json = {.file = open_memstream(&s.text, &sizes[0]), .lines = true};
    FILE *const file = fdopen(mkstemp(path), "w");
    fputs(csv, file);
    fclose(file);
    assert_ok(base_csv_read(path, NULL, &table, ERR));
    remove(path);
    assert_ok(bench_strips_put(&cell, &table, bytes_most, &arrays, &json, ERR));
    fclose(json.file);
    json = (bench_json){.file = open_memstream(&s.arrays, &sizes[1]), .lines = true};
    assert_ok(bench_arrays_finish(&arrays, NULL, &json, ERR));
    fclose(json.file);
    bench_arrays_release(&arrays);
    base_csv_release(&table);
    return s;
}

static void done(shown *s)
{
    free(s->text);
    free(s->arrays);
}

static const char frames[] =
    "frame,distance_m,distance_error_rel,verdict,time_median_ns,certified_distance,volume_m3,"
    "tests_count\n"
    "0,0.5,,tn,100,1,,7\n1,0.25,0.1,fp,200,1,,8\n2,0.125,-0.2,ambiguous,300,1,,9\n3,0.5,0,,70000,1,"
    ","
    "9\n";

Test(report_strips, each_column_is_an_array_a_constant_or_absent)
{
    shown s = show(frames, 1000);
    cr_expect_str_eq(s.text, "\"columns\":{\"distance_error_rel\":0,\"verdict\":1,"
                             "\"time_median_ns\":2,\"distance_m\":3,\"tests_count\":4}\n,"
                             "\"constants\":{\"certified_distance\":1}\n,\"left_out\":[]\n");
    /* Errors have 8 bytes, verdicts are 2, 3, 5 and 0, times fit into 4 bytes. */
    cr_expect_not_null(strstr(s.arrays, "[\"f64\",\"AAAAAAAA+H"), "%s", s.arrays);
    cr_expect_not_null(strstr(s.arrays, "[\"u8\",\"AgMFAA==\"]"), "%s", s.arrays);
    cr_expect_not_null(strstr(s.arrays, "[\"u32\",\"ZAAAAMgAAAAsAQAAcBEBAA==\"]"), "%s", s.arrays);
    cr_expect_not_null(strstr(s.arrays, "[\"f32\",\"AAAAPwAAgD4AAAA+AAAAPw==\"]"), "%s", s.arrays);
    done(&s);
}

Test(report_strips, with_little_room_time_error_and_verdict_stay)
{
    shown s = show(frames, 0);
    cr_expect_str_eq(s.text, "\"columns\":{\"distance_error_rel\":0,\"verdict\":1,"
                             "\"time_median_ns\":2}\n,\"constants\":{\"certified_distance\":1}\n,"
                             "\"left_out\":[\"distance_m\",\"tests_count\"]\n");
    done(&s);
    s = show(frames, 8 + 4 + 4 + 4);
    cr_expect_not_null(strstr(s.text, "\"distance_m\":3}"), "%s", s.text);
    cr_expect_not_null(strstr(s.text, "\"left_out\":[\"tests_count\"]"), "%s", s.text);
    done(&s);
}
