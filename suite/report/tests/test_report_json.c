#include "base/memory.h"
#include "base/tests/support.h"
#include "suite/report/json.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/** A document in memory. */
typedef struct document {
    bench_json json;
    char *text;
    size_t size;
} document;

static void begin(document *d)
{
    *d = (document){0};
    d->json = (bench_json){.file = open_memstream(&d->text, &d->size), .lines = true};
    cr_assert_not_null(d->json.file);
}

static void expect(document *d, const char *text)
{
    cr_assert_eq(fclose(d->json.file), 0);
    cr_assert_str_eq(d->text, text);
    free(d->text);
}

Test(report_json, values_follow_each_other_in_objects_and_lists)
{
    document d;
    begin(&d);
    bench_json_open(&d.json, NULL, '{');
    bench_json_open(&d.json, "empty", '[');
    bench_json_close(&d.json, ']');
    bench_json_open(&d.json, "list", '[');
    bench_json_number(&d.json, NULL, 0.1);
    bench_json_number(&d.json, NULL, NAN);
    bench_json_number(&d.json, NULL, INFINITY);
    bench_json_flag(&d.json, NULL, true);
    bench_json_close(&d.json, ']');
    bench_json_text(&d.json, "none", NULL);
    bench_json_close(&d.json, '}');
    expect(&d, "{\"empty\":[]\n,\"list\":[0.10000000000000001,null,null,true]\n,\"none\":null}\n");
}

Test(report_json, a_text_cannot_end_the_script_element_that_contains_it)
{
    document d;
    begin(&d);
    bench_json_text(&d.json, "</script>", "<!-- \"\\ \n \xff ");
    expect(&d, "\"\\u003c/script>\":\"\\u003c!-- \\\"\\\\ \\u000a \\ufffd \"");
}

/** Adds arrays to a document, and compares it with the text. */
static void expect_arrays(bench_arrays *arrays, const char *text)
{
    document d;
    begin(&d);
    assert_ok(bench_arrays_finish(arrays, "arrays", &d.json, ERR));
    expect(&d, text);
    bench_arrays_release(arrays);
}

Test(report_json, base64_has_the_padding_of_each_length)
{
    bench_arrays arrays = {0};
    const unsigned char bytes[] = {0, 0xff, 0x10, 0x83};
    cr_assert_eq(bench_arrays_add(&arrays, BENCH_ARRAY_U8, bytes, 1), 0);
    cr_assert_eq(bench_arrays_add(&arrays, BENCH_ARRAY_U8, bytes, 2), 1);
    cr_assert_eq(bench_arrays_add(&arrays, BENCH_ARRAY_U8, bytes, 3), 2);
    cr_assert_eq(bench_arrays_add(&arrays, BENCH_ARRAY_U8, bytes, 4), 3);
    cr_assert_eq(bench_arrays_add(&arrays, BENCH_ARRAY_U8, bytes, 0), 4);
    expect_arrays(&arrays,
                  "\"arrays\":[[\"u8\",\"AA==\"],\n[\"u8\",\"AP8=\"],\n[\"u8\",\"AP8Q\"],\n"
                  "[\"u8\",\"AP8Qgw==\"],\n[\"u8\",\"\"]]\n");
}

Test(report_json, equal_arrays_of_one_type_are_stored_once)
{
    bench_arrays arrays = {0};
    const uint16_t items[] = {1, 2};
    cr_assert_eq(bench_arrays_add(&arrays, BENCH_ARRAY_U16, items, 2), 0);
    cr_assert_eq(bench_arrays_add(&arrays, BENCH_ARRAY_U8, items, 4), 1); /* the same bytes */
    cr_assert_eq(bench_arrays_add(&arrays, BENCH_ARRAY_U16, items, 2), 0);
    expect_arrays(&arrays, "\"arrays\":[[\"u16\",\"AQACAA==\"],\n[\"u8\",\"AQACAA==\"]]\n");
}

/** Returns the type that numbers get. */
static const char *type_of(double a, double b, bool exact)
{
    static char text[256];
    document d;
    bench_arrays arrays = {0};
    begin(&d);
    (void)bench_arrays_add_numbers(&arrays, (double[]){a, b}, 2, exact);
    assert_ok(bench_arrays_finish(&arrays, NULL, &d.json, ERR));
    cr_assert_eq(fclose(d.json.file), 0);
    snprintf(text, sizeof text, "%.3s", d.text + strlen("[[\""));
    text[strcspn(text, "\"")] = '\0';
    free(d.text);
    bench_arrays_release(&arrays);
    return text;
}

Test(report_json, numbers_get_the_shortest_type_that_holds_them)
{
    cr_expect_str_eq(type_of(0, 255, true), "u8");
    cr_expect_str_eq(type_of(0, 256, true), "u16");
    cr_expect_str_eq(type_of(65535, 1, false), "u16");
    cr_expect_str_eq(type_of(65536, 1, false), "u32");
    cr_expect_str_eq(type_of(4294967295, 1, true), "u32");
    cr_expect_str_eq(type_of(4294967296, 1, true), "f64");
    cr_expect_str_eq(type_of(-1, 1, false), "f32");
    cr_expect_str_eq(type_of(0.5, 1, true), "f64");
    cr_expect_str_eq(type_of(NAN, 1, false), "f32");
}

Test(report_json, exact_numbers_keep_their_bits)
{
    bench_arrays arrays = {0};
    (void)bench_arrays_add_numbers(&arrays, (double[]){0.1}, 1, true);
    (void)bench_arrays_add_numbers(&arrays, (double[]){258, 1}, 2, true);
    /* 9a 99 99 99 99 99 b9 3f; 02 01 01 00 */
    expect_arrays(&arrays, "\"arrays\":[[\"f64\",\"mpmZmZmZuT8=\"],\n[\"u16\",\"AgEBAA==\"]]\n");
}

Test(report_json, lack_of_memory_is_reported_at_the_end)
{
    document d;
    base_error err = {0};
    bench_arrays arrays = {0};
    begin(&d);
    base_memory_fail_after(0);
    (void)bench_arrays_add_numbers(&arrays, (double[]){1}, 1, false);
    base_memory_fail_after(SIZE_MAX);
    cr_assert_eq(bench_arrays_finish(&arrays, "arrays", &d.json, &err), BASE_ERR_MEMORY);
    bench_arrays_release(&arrays);
    expect(&d, "");
}
