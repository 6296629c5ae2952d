/** Details on request: the buffers of an algorithm, and faults that do not need the truth. */
#include "base/tests/support.h"
#include "suite/results/judge.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { ROOM = 3 };

static const char *const stages[] = {"first", "second", "third", NULL};
static const alg_algorithm staged = {.stages = stages};
static const size_t face_counts[2] = {12, 20};

typedef struct question {
    bench_buffers buffers;
    alg_answer answer;
} question;

/** Makes a correct answer with two contacts, pairs and regions, and three stages within 1 ms. */
static void open_question(question *q)
{
    const alg_request request = {.size = sizeof request,
                                 .contacts_max = ROOM,
                                 .pairs_max = ROOM,
                                 .regions_max = ROOM,
                                 .stages = true};
    q->answer = (alg_answer){.size = sizeof q->answer};
    assert_ok(bench_buffers_open(&request, &q->buffers, ERR));
    bench_buffers_lend(&q->buffers, &q->answer);
    alg_answer *const a = &q->answer;
    cr_assert(a->contact_capacity == ROOM && a->pair_capacity == ROOM &&
              a->region_capacity == ROOM);
    a->answered = BENCH_HAS_DETAILS;
    a->contact_count = a->pair_count = a->region_count = 2;
    for (uint32_t i = 0; i < 2; i++) {
        a->contacts[i] = (alg_contact){.point = {1, 2, 3}, .normal = {0, 0, i}};
        a->pairs[i] = (alg_face_pair){.face_a = 11, .face_b = 19};
        a->regions[i] = (alg_region){.direction = {0.6, 0.8, 0},
                                     .depth_m = 1,
                                     .area_m2 = 1,
                                     .side_u = {-0.8, 0.6, 0},
                                     .side_v = {0, 0, 1},
                                     .half_u_m = i, /* the first has no window */
                                     .half_v_m = 1};
    }
    for (int i = 0; i < 3; i++) {
        a->stage_ends_ns[i] = 300000u * (unsigned)(i + 1);
    }
}

/** Returns the fault; "" if there is none. */
static const char *fault_of(const question *q)
{
    static char text[BENCH_FAULT_BYTES];
    const bool wrong =
        bench_details_fault(&staged, &q->buffers, &q->answer, face_counts, 1000000, text);
    return wrong ? text : "";
}

static void contact_nan(alg_answer *a)
{
    a->contacts[1].point.y = NAN;
}
static void contact_long(alg_answer *a)
{
    a->contacts[1].normal.z = 2;
}
static void contact_unfilled(alg_answer *a)
{
    a->contact_count = 3;
}
static void contact_beyond(alg_answer *a)
{
    a->contacts[ROOM].depth_m = 1;
}
static void contact_byte_beyond(alg_answer *a)
{
    ((char *)(a->contacts + ROOM))[4095] = 0;
}
static void pair_nowhere_a(alg_answer *a)
{
    a->pairs[0].face_a = 12;
}
static void pair_nowhere_b(alg_answer *a)
{
    a->pairs[1].face_b = 20;
}
static void pair_infinite(alg_answer *a)
{
    a->pairs[1].to.x = INFINITY;
}
static void pair_beyond(alg_answer *a)
{
    a->pairs[ROOM].face_a = 1;
}
static void region_unfilled(alg_answer *a)
{
    a->region_count = UINT32_MAX;
}
static void region_short(alg_answer *a)
{
    a->regions[0].direction.x = 0;
}
static void region_loop(alg_answer *a)
{
    memset(&a->regions[0].loop, 2, 1);
}
static void region_area(alg_answer *a)
{
    a->regions[1].area_m2 = NAN;
}
static void region_nowhere(alg_answer *a)
{
    a->regions[0].point.z = INFINITY; /* also without a window */
}
static void region_side_infinite(alg_answer *a)
{
    a->regions[1].side_v.x = INFINITY;
}
static void region_size_nan(alg_answer *a)
{
    a->regions[1].half_v_m = NAN;
}
static void window_negative(alg_answer *a)
{
    a->regions[0].half_v_m = -1;
}
static void window_inside_out(alg_answer *a)
{
    a->regions[1].half_u_m = a->regions[1].half_v_m = -1;
}
static void window_long(alg_answer *a)
{
    a->regions[1].side_u = vec3_scale(1 + 2e-9, a->regions[1].side_u);
}
static void window_askew(alg_answer *a)
{
    a->regions[1].side_v = (vec3){-0.8 * 2e-9, 0.6 * 2e-9, 1};
}
static void window_leaning_u(alg_answer *a)
{
    a->regions[1].side_u = (vec3){-0.8 + 0.6 * 2e-9, 0.6 + 0.8 * 2e-9, 0};
}
static void window_leaning_v(alg_answer *a)
{
    a->regions[1].side_v = (vec3){0.6 * 2e-9, 0.8 * 2e-9, 1};
}
static void window_within_slack(alg_answer *a)
{
    a->regions[1].side_v = (vec3){0.6 * 0.5e-9, 0.8 * 0.5e-9, 1 + 0.5e-9};
}
static void window_without_a_region(alg_answer *a)
{
    a->regions[0].side_u = a->regions[0].side_v = (vec3){0, 0, 0};
}
static void region_beyond(alg_answer *a)
{
    memset(&a->regions[ROOM], 0, sizeof *a->regions);
}
static void stages_backwards(alg_answer *a)
{
    a->stage_ends_ns[1] = a->stage_ends_ns[0] - 1;
}
static void stages_late(alg_answer *a)
{
    a->stage_ends_ns[2] = 1002001;
}
static void nothing(alg_answer *a)
{
    (void)a;
}
static void stages_not_answered(alg_answer *a)
{
    a->answered &= ~(uint32_t)ALG_HAS_STAGES;
    stages_backwards(a);
}
static void lists_not_answered(alg_answer *a)
{
    a->answered = ALG_HAS_STAGES;
    a->contact_count = a->pair_count = a->region_count = 3;
}
static void stages_on_another_clock(alg_answer *a)
{
    a->stage_ends_ns[2] = 1001999;
}

#define ASKEW "region 1 has a window whose sides are no unit vectors at right angles"

Test(details, faults_without_a_truth_are_named)
{
    static const struct {
        void (*spoil)(alg_answer *a);
        const char *fault;
    } cases[] = {
        {nothing, ""},
        {stages_not_answered, ""},
        {lists_not_answered, ""},
        {stages_on_another_clock, ""},
        {contact_nan, "contact 1 is not filled in, or NaN or infinity"},
        {contact_long, "contact 1 has a normal that is no unit vector"},
        {contact_unfilled, "contact 2 is not filled in, or NaN or infinity"},
        {contact_beyond, "writes beyond its buffer of contacts"},
        {contact_byte_beyond, "writes beyond its buffer of contacts"},
        {pair_nowhere_a, "pair 0 names a triangle that is not there"},
        {pair_nowhere_b, "pair 1 names a triangle that is not there"},
        {pair_infinite, "pair 1 has NaN or infinity"},
        {pair_beyond, "writes beyond its buffer of pairs"},
        {region_unfilled, "region 2 is not filled in, or NaN or infinity"},
        {region_short, "region 0 has a direction that is no unit vector"},
        {region_loop, "region 0 is not filled in, or NaN or infinity"},
        {region_area, "region 1 is not filled in, or NaN or infinity"},
        {region_nowhere, "region 0 is not filled in, or NaN or infinity"},
        {region_side_infinite, "region 1 is not filled in, or NaN or infinity"},
        {region_size_nan, "region 1 is not filled in, or NaN or infinity"},
        {window_negative, "region 0 has a window of negative size"},
        {window_inside_out, "region 1 has a window of negative size"},
        {window_long, ASKEW},
        {window_askew, ASKEW},
        {window_leaning_u, ASKEW},
        {window_leaning_v, ASKEW},
        {window_within_slack, ""},
        {window_without_a_region, ""},
        {region_beyond, "writes beyond its buffer of regions"},
        {stages_backwards, "stage second ends before the stage before it"},
        {stages_late, "stage third ends after the query"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        question q;
        open_question(&q);
        cases[i].spoil(&q.answer);
        cr_assert_str_eq(fault_of(&q), cases[i].fault, "case %zu: '%s'", i, fault_of(&q));
        bench_buffers_close(&q.buffers);
    }
}

/** Entries that one answer has left in a buffer are not taken as those of the next answer. */
Test(details, a_buffer_is_lent_anew)
{
    question q;
    open_question(&q);
    q.answer.contacts[ROOM].depth_m = 1;
    bench_buffers_take_back(&q.answer);
    cr_assert(!q.answer.contacts && !q.answer.pairs && !q.answer.regions);
    cr_assert(bench_buffer_overrun(&q.buffers, BENCH_LIST_CONTACTS));
    bench_buffers_lend(&q.buffers, &q.answer);
    cr_assert_not(bench_buffer_overrun(&q.buffers, BENCH_LIST_CONTACTS));
    cr_assert_str_eq(fault_of(&q), "contact 0 is not filled in, or NaN or infinity");
    bench_buffers_close(&q.buffers);
}

Test(details, without_room_there_is_no_buffer)
{
    const alg_request request = {.size = sizeof request, .pairs_max = 1};
    const alg_request too_much = {.size = sizeof request, .regions_max = BENCH_LIST_MAX + 1};
    bench_buffers buffers;
    base_error err = {0};
    alg_answer answer = {.answered = BENCH_HAS_DETAILS, .contact_count = 5, .pair_count = 5};
    assert_ok(bench_buffers_open(&request, &buffers, ERR));
    bench_buffers_lend(&buffers, &answer);
    cr_assert(!answer.contacts && answer.contact_capacity == 0 && answer.pair_capacity == 1);
    cr_assert_eq(bench_buffer_count(&buffers, BENCH_LIST_CONTACTS, &answer), 0);
    cr_assert_eq(bench_buffer_count(&buffers, BENCH_LIST_PAIRS, &answer), 1);
    bench_buffers_close(&buffers);
    cr_assert_eq(bench_buffers_open(&too_much, &buffers, &err), BASE_ERR_ARGUMENT);
    cr_assert_str_eq(err.text, "there is no room for more than 16777216 regions");
}

Test(details, stages_are_told_apart_by_what_each_took)
{
    alg_answer answer = {.answered = ALG_HAS_STAGES, .stage_ends_ns = {3, 10, 10}};
    cr_assert(bench_stage_ns(&answer, 0) == 3 && bench_stage_ns(&answer, 1) == 7);
    cr_assert_eq(bench_stage_ns(&answer, 2), 0);
    answer.answered = 0;
    cr_assert_eq(bench_stage_ns(&answer, 0), UINT64_MAX);
}

/** An answer offers lists by its bits; an algorithm offers stages by their names. */
Test(details, an_algorithm_that_offers_a_list_is_asked)
{
    const alg_algorithm plain = {.stages = NULL};
    const uint32_t bits[] = {ALG_HAS_CONTACTS, ALG_HAS_PAIRS, ALG_HAS_REGIONS};
    cr_assert(bench_details_offered(&staged, &(alg_answer){0}));
    cr_assert_not(bench_details_offered(&plain, &(alg_answer){.answered = ALG_HAS_CONTACT}));
    for (int i = 0; i < 3; i++) {
        cr_assert(bench_details_offered(&plain, &(alg_answer){.answered = bits[i]}), "bit %d", i);
    }
}

static void keeps_at_most(size_t most, uint32_t list, size_t (*kept)(const alg_answer *))
{
    const uint32_t counts[] = {0, 5, (uint32_t)most, (uint32_t)most + 1, UINT32_MAX};
    const size_t expected[] = {0, 5, most, most, most};
    for (int i = 0; i < 5; i++) {
        alg_answer answer = {
            .answered = list, .region_count = counts[i], .contact_count = counts[i]};
        cr_assert_eq(kept(&answer), expected[i], "%u entries", counts[i]);
        answer.answered = ~list;
        cr_assert_eq(kept(&answer), 0, "%u entries", counts[i]);
    }
}

Test(details, lists_are_kept_as_far_as_there_is_room)
{
    keeps_at_most(BENCH_REGIONS_MAX, ALG_HAS_REGIONS, bench_regions_kept);
    keeps_at_most(BENCH_CONTACTS_KEPT, ALG_HAS_CONTACTS, bench_contacts_kept);
}
