/** Rows of claims.csv: tables of pages, and comparison with earlier rows. */
#include "base/file.h"
#include "base/memory.h"
#include "base/tests/support.h"
#include "suite/claims/rows.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEADER                                                                                     \
    "experiment,mode,commit,id,claim,whose,measure,paper,at_least,at_most,ours,lo,hi,verdict,"     \
    "reason,"                                                                                      \
    "command\n"

static base_status read_text(const char *text, bench_claims *list, base_error *err)
{
    char path[] = "/tmp/claim-rows-XXXXXX";
    const int file = mkstemp(path);
    cr_assert_geq(file, 0);
    close(file);
    cr_assert_eq(base_file_replace(path, text, strlen(text), err), BASE_OK);
    *list = (bench_claims){0};
    const base_status status = bench_claims_read(list, path, err);
    unlink(path);
    return status;
}

static bench_claims read_rows(const char *rows)
{
    char text[4000];
    bench_claims list;
    snprintf(text, sizeof text, HEADER "%s", rows);
    assert_ok(read_text(text, &list, ERR));
    return list;
}

/** Row of a claim of paper P: mode, id, measure, number with interval, verdict. */
#define ROW(mode, id, whose, measure, numbers, verdict)                                            \
    "x," mode ",ab12-dirty," id ",c," whose "," measure ",,,1," numbers "," verdict ",why,\n"
#define PAPERS(id, numbers, verdict) ROW("smoke", id, "paper", "x", numbers, verdict)

static void expect_page(const char *rows, bench_claims_choice choice, const char *expected)
{
    SCOPED_CLAIMS list = read_rows(rows);
    char *text = NULL;
    size_t size = 0;
    FILE *const file = open_memstream(&text, &size);
    assert_ok(bench_claims_print(&list, &choice, BENCH_FORMAT_MARKDOWN, file, ERR));
    fclose(file);
    cr_expect_str_eq(text, expected, "%s", text);
    free(text);
}

#define HEADER_OF_PAPER                                                                            \
    "| id | claim | limit | paper | ours | verdict | of |\n"                                       \
    "|:--|:--|:--|:--|:--|:--|:--|\n"
#define SIGN "\xe2\x80\xa0" /* the sign of a reduced run */

Test(claim_rows, a_page_begins_with_what_does_not_hold)
{
    const bench_claims_choice choice = {.whose = "paper", .combined = 2};
    expect_page(PAPERS("P-F1", "1,1,1", "holds") PAPERS("P-F2", ",,", "not yet")
                    PAPERS("P-F3", ",,", "cannot tell") PAPERS("P-F4", "2,2,2", "does not hold")
                        PAPERS("P-F5", "0,0,0", "holds"),
                choice,
                HEADER_OF_PAPER "| P-F4 | c | &lt;= 1 | - | 2 | does not hold " SIGN " | why |\n"
                                "| P-F3 | c | &lt;= 1 | - | - | cannot tell " SIGN " | why |\n"
                                "| P-F1 | c | &lt;= 1 | - | 1 | holds " SIGN " | why |\n"
                                "| P-F5 | c | &lt;= 1 | - | 0 | holds " SIGN " | why |\n"
                                "| P-F2 | c | &lt;= 1 | - | - | not yet | why |\n");
}

Test(claim_rows, the_longest_run_of_a_claim_counts)
{
    const bench_claims_choice choice = {.whose = "ours", .combined = 2};
    expect_page(ROW("bench", "P-F1", "ours", "x", "1,1,1", "holds")
                    ROW("smoke", "P-F1", "ours", "x", "2,2,2", "does not hold")
                        ROW("smoke", "P-F2", "ours", "x", "3,3,3", "holds")
                            ROW("smoke", "P-F2", "ours", "x", "4,4,4", "holds"),
                choice,
                "| id | claim | limit | ours | verdict | of |\n"
                "|:--|:--|:--|--:|:--|:--|\n"
                "| P-F1 | c | &lt;= 1 | 1 | holds | why |\n"
                "| P-F2 | c | &lt;= 1 | 4 | holds " SIGN " | why |\n");
}

/** Row of a claim of P: words, the paper's number, limits, number, verdict, reason. */
#define CLAIM(mode, id, words, paper, limits, number, verdict, reason)                             \
    "x," mode ",," id "," words ",paper,x," paper "," limits "," number "," number "," number      \
    "," verdict "," reason ",\n"

Test(claim_rows, claims_of_an_item_are_one_row_with_all_numbers)
{
    const bench_claims_choice choice = {.paper = "P", .whose = "paper", .combined = 1};
    expect_page(
        CLAIM("smoke", "P-T10", "ten", "", "1,1", "1", "holds",
              "") CLAIM("smoke", "P-T1a", "fast: warm", "50", "50,", "51", "holds", "")
            CLAIM("smoke", "P-T1b", "slow: warm", "", ",2", "3", "does not hold", "1 of 2")
                CLAIM("smoke", "P-T1-old", "fast: cold", "2", "1,3", "51", "holds", "worst of 2")
                    CLAIM("bench", "P-T1d", "full", "", ",2", "2", "holds", "")
                        CLAIM("smoke", "P-T2a", "e", "7", ",1", "", "not yet", "d")
                            CLAIM("smoke", "PX-T1c", "c", "", ",1", "1", "holds", "")
                                CLAIM("smoke", "P-T2b", "e", "8", ",1", "", "not yet", "d"),
        choice,
        HEADER_OF_PAPER "| P-T1a, b, old, d | fast (a: warm; old: cold); b: slow: warm; d: full | "
                        "a: >= 50; b, d: &lt;= 2; "
                        "old: 1 to 3 "
                        "| a: 50; b, d: -; old: 2 | a, old: 51; b: 3; d: 2 | a, old: holds " SIGN
                        "; b: does not hold " SIGN
                        "; d: holds | a, d: -; b: 1 of 2; old: worst of 2 |\n"
                        "| P-T10 | ten | = 1 | - | 1 | holds " SIGN " | - |\n"
                        "| P-T2a, b | e | &lt;= 1 | 7; 8 | - | not yet | d |\n");
}

Test(claim_rows, of_more_than_eight_those_with_the_same_words_are_one_row)
{
    const bench_claims_choice choice = {.whose = "paper", .combined = 1};
    char rows[2000] = "";
    for (int i = 0; i < 9; i++) {
        sprintf(rows + strlen(rows), "x,bench,,P-T1%c,%s,paper,x,%d,,1,2,2,2,does not hold,why,\n",
                'a' + i,
                i < 7   ? "same"
                : i < 8 ? "one"
                        : "two",
                10 + i);
    }
    expect_page(rows, choice,
                "| id | claim | limit | paper | ours | verdict | of |\n"
                "|:--|:--|:--|:--|--:|:--|:--|\n"
                "| P-T1a, b, c, d, e, f, g | same | &lt;= 1 | 10; 11; 12; 13; 14; 15; "
                "16 | 2 | does not hold | why |\n"
                "| P-T1h | one | &lt;= 1 | 17 | 2 | does not hold | why |\n"
                "| P-T1i | two | &lt;= 1 | 18 | 2 | does not hold | why |\n");
}

/** Compares one row with an earlier one. Returns the number of differences; -1: not compared. */
static int differences(const char *now, const char *before)
{
    bench_claims list = read_rows(now), earlier = read_rows(before);
    const bench_claims_choice choice = {0};
    size_t compared, different;
    FILE *const file = fopen("/dev/null", "w");
    assert_ok(bench_claims_compare(&list, &earlier, &choice, BENCH_FORMAT_TABLE, file, &compared,
                                   &different, ERR));
    fclose(file);
    bench_claims_release(&list);
    bench_claims_release(&earlier);
    return compared > 0 ? (int)different : -1;
}

#define EXACT(number, verdict) PAPERS("P-F1", number "," number "," number, verdict)
#define RATIO(numbers)         ROW("bench", "P-F1", "paper", "1 / ratio(warm)", numbers, "holds")
#define REDUCED(numbers)       ROW("smoke", "P-F1", "paper", "ratio(warm)", numbers, "cannot tell")
#define TIME(numbers)          ROW("bench", "P-F1", "paper", "time(warm)", numbers, "holds")

Test(claim_rows, numbers_without_a_clock_are_equal)
{
    cr_expect_eq(differences(EXACT("2", "holds"), EXACT("2", "holds")), 0);
    cr_expect_eq(differences(EXACT("2.000000001", "holds"), EXACT("2", "holds")), 0);
    cr_expect_eq(differences(EXACT("2.00000001", "holds"), EXACT("2", "holds")), 1);
    cr_expect_eq(differences(EXACT("1.99999999", "holds"), EXACT("2", "holds")), 1);
    cr_expect_eq(differences(EXACT("-2", "holds"), EXACT("2", "holds")), 1);
    cr_expect_eq(differences(EXACT("", "holds"), EXACT("2", "holds")), 1);
    cr_expect_eq(differences(EXACT("2", "holds"), EXACT("", "holds")), 1);
    cr_expect_eq(differences(EXACT("", "not yet"), EXACT("", "not yet")), 0);
    cr_expect_eq(differences(EXACT("2", "does not hold"), EXACT("2", "holds")), 1);
}

Test(claim_rows, ratios_are_near)
{
    cr_expect_eq(differences(RATIO("5,4,6"), RATIO("10,8,12")), 0);
    cr_expect_eq(differences(RATIO("5,3,3.9"), RATIO("10,8,12")), 1);
    cr_expect_eq(differences(RATIO("10,8,12"), RATIO("5,3,3.9")), 1);
    cr_expect_eq(differences(RATIO("10,8,12"), RATIO("5,3,4")), 0);
    cr_expect_eq(differences(RATIO("10,9,12"), RATIO("11,8,13")), 0);
    cr_expect_eq(differences(RATIO("10,1,30"), RATIO("11,10,13")), 0);
    cr_expect_eq(differences(RATIO("-1,-1,-1"), RATIO("1,1,1")), 1);
    cr_expect_eq(differences(RATIO("10,,"), RATIO("5,3,4")), -1);
    cr_expect_eq(differences(RATIO("10,9,11"), RATIO("5,,")), -1);
    cr_expect_eq(differences(TIME("10,9,11"), TIME("500,300,400")), -1);
    cr_expect_eq(differences(REDUCED("10,9,11"), REDUCED("500,300,400")), -1);
}

Test(claim_rows, rows_of_a_mode_are_compared_with_rows_of_this_mode)
{
    const char *const two =
        PAPERS("P-F1", "1,1,1", "holds") ROW("bench", "P-F1", "paper", "x", "2,2,2", "holds");
    cr_expect_eq(differences(two, two), 0);
    cr_expect_eq(differences(PAPERS("P-F1", "1,1,1", "holds"), two), 0);
    cr_expect_eq(differences(PAPERS("P-F2", "1,1,1", "holds"), two), 1);
}

Test(claim_rows, files_are_checked)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {HEADER PAPERS("P-F1", "1,1,1", "may hold"), "line 2: unknown verdict 'may hold'"},
        {HEADER ROW("smoke", "P-F1", "paper", "sum(", "1,1,1", "holds"), "line 2: measure: "},
        {HEADER PAPERS("P-F1", "1,one,1", "holds"), "line 2"},
        {"experiment,mode\nx,smoke\n", "there is no column 'commit'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SCOPED_CLAIMS list;
        base_error err = {0};
        cr_expect_eq(read_text(cases[i].text, &list, &err), BASE_ERR_INPUT);
        cr_expect(strstr(err.text, cases[i].says), "%s", err.text);
    }
}

Test(claim_rows, only_expected_claims_disappoint)
{
    static const bench_judged_claim claims[] = {
        {.verdict = BENCH_FAILS},
        {.verdict = BENCH_HOLDS, .expected = true},
        {.verdict = BENCH_CANNOT_TELL, .expected = true},
        {.verdict = BENCH_FAILS, .expected = true},
    };
    SCOPED_CLAIMS list = {0};
    for (size_t i = 0; i < 4; i++) {
        assert_ok(bench_claims_add(&list, &claims[i], ERR));
        cr_expect_eq(bench_claims_disappoint(&list), i == 3, "%zu", i);
    }
}

Test(claim_rows, numbers_for_people)
{
    cr_expect_str_eq(bench_unit_text(NAN, BENCH_UNIT_TIME).text, "-");
    cr_expect_str_eq(bench_unit_text(-0.0, BENCH_UNIT_NUMBER).text, "0");
    cr_expect_str_eq(bench_unit_text(0.99999, BENCH_UNIT_SHARE).text, "99.99 %");
    cr_expect_str_eq(bench_unit_text(1, BENCH_UNIT_SHARE).text, "100.00 %");
}
