#include "suite/results/details.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/** Tolerance of the length of a unit vector; vectors made in single precision are within it. */
static const double UNIT_SLACK = 1e-6;

/**
 * Tolerance of a window's unit vectors and right angles. It is small because the truth is computed
 * for this window.
 */
static const double WINDOW_SLACK = 1e-9;

/* Tolerance between two clocks: an algorithm may use another clock than the suite, and each is
 * adjusted by up to 500 ppm. */
static const double CLOCK_SLACK = 1e-3;
enum { CLOCK_SLACK_NS = 1000 };

bool bench_details_offered(const alg_algorithm *algorithm, const alg_answer *answer)
{
    return (algorithm->stages && algorithm->stages[0]) || (answer->answered & BENCH_HAS_DETAILS);
}

/**
 * Returns the number of kept entries of a list of `count` entries; 0 if the answer does not have
 * this list.
 */
static size_t kept(const alg_answer *answer, uint32_t list, size_t count, size_t most)
{
    return !(answer->answered & list) ? 0 : count < most ? count : most;
}

size_t bench_regions_kept(const alg_answer *answer)
{
    return kept(answer, ALG_HAS_REGIONS, answer->region_count, BENCH_REGIONS_MAX);
}

size_t bench_contacts_kept(const alg_answer *answer)
{
    return kept(answer, ALG_HAS_CONTACTS, answer->contact_count, BENCH_CONTACTS_KEPT);
}

uint64_t bench_stage_ns(const alg_answer *answer, size_t stage)
{
    const uint64_t *const ends = answer->stage_ends_ns;
    return !(answer->answered & ALG_HAS_STAGES) ? UINT64_MAX
           : stage == 0                         ? ends[0]
                                                : ends[stage] - ends[stage - 1];
}

/* --- Faults ----------------------------------------------------------------------------------- */

static bool finite3(vec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

bool bench_is_unit(vec3 v)
{
    return fabs(vec3_norm(v) - 1) <= UNIT_SLACK;
}

static bool is_zero(vec3 v)
{
    return v.x == 0 && v.y == 0 && v.z == 0;
}

/** Returns the fault of an entry; NULL if it is valid. */
static const char *contact_fault(const alg_contact *c)
{
    return !finite3(c->point) || !finite3(c->normal) || !isfinite(c->depth_m)
               ? "is not filled in, or NaN or infinity"
           : !is_zero(c->normal) && !bench_is_unit(c->normal)
               ? "has a normal that is no unit vector"
               : NULL;
}

static const char *pair_fault(const alg_face_pair *p, const size_t face_counts[2])
{
    return p->face_a >= face_counts[0] || p->face_b >= face_counts[1]
               ? "names a triangle that is not there"
           : !finite3(p->from) || !finite3(p->to) ? "has NaN or infinity"
                                                  : NULL;
}

bool bench_has_window(const alg_region *region)
{
    return region->half_u_m > 0 && region->half_v_m > 0;
}

/** True if the window is a rectangle perpendicular to the direction. */
static bool window_is_right(const alg_region *r)
{
    const double off[] = {vec3_norm(r->side_u) - 1, vec3_norm(r->side_v) - 1,
                          vec3_dot(r->side_u, r->side_v), vec3_dot(r->side_u, r->direction),
                          vec3_dot(r->side_v, r->direction)};
    bool right = true;
    for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
        right &= fabs(off[i]) <= WINDOW_SLACK;
    }
    return right;
}

static const char *window_fault(const alg_region *r)
{
    return r->half_u_m < 0 || r->half_v_m < 0 ? "has a window of negative size"
           : bench_has_window(r) && !window_is_right(r)
               ? "has a window whose sides are no unit vectors at right angles"
               : NULL;
}

static const char *region_fault(const alg_region *r)
{
    unsigned char loop; /* read as a byte, because a plug-in may store an invalid bool */
    memcpy(&loop, &r->loop, 1);
    return !finite3(r->direction) || !isfinite(r->depth_m) || !isfinite(r->area_m2) || loop > 1 ||
                   !finite3(r->point) || !finite3(r->side_u) || !finite3(r->side_v) ||
                   !isfinite(r->half_u_m) || !isfinite(r->half_v_m)
               ? "is not filled in, or NaN or infinity"
           : !bench_is_unit(r->direction) ? "has a direction that is no unit vector"
                                          : window_fault(r);
}

static const char *entry_fault(const bench_buffers *buffers, bench_list list, size_t i,
                               const size_t face_counts[2])
{
    switch (list) {
    case BENCH_LIST_CONTACTS:
        return contact_fault(&bench_buffer_contacts(buffers)[i]);
    case BENCH_LIST_PAIRS:
        return pair_fault(&bench_buffer_pairs(buffers)[i], face_counts);
    case BENCH_LIST_REGIONS:
        return region_fault(&bench_buffer_regions(buffers)[i]);
    case BENCH_LIST_COUNT:
        break;
    }
    return NULL;
}

static bool list_fault(const bench_buffers *buffers, bench_list list, const alg_answer *answer,
                       const size_t face_counts[2], char text[BENCH_FAULT_BYTES])
{
    static const char *const singular[BENCH_LIST_COUNT] = {"contact", "pair", "region"};
    if (bench_buffer_overrun(buffers, list)) {
        snprintf(text, BENCH_FAULT_BYTES, "writes beyond its buffer of %s", bench_list_name(list));
        return true;
    }
    const size_t count = bench_buffer_count(buffers, list, answer);
    for (size_t i = 0; i < count; i++) {
        const char *const fault = entry_fault(buffers, list, i, face_counts);
        if (fault) {
            snprintf(text, BENCH_FAULT_BYTES, "%s %zu %s", singular[list], i, fault);
            return true;
        }
    }
    return false;
}

static bool stage_fault(const alg_algorithm *a, const alg_answer *answer, uint64_t took_ns,
                        char text[BENCH_FAULT_BYTES])
{
    const uint64_t *const ends = answer->stage_ends_ns;
    const double last_ns = (1 + CLOCK_SLACK) * (double)took_ns + CLOCK_SLACK_NS;
    for (size_t i = 0;
         (answer->answered & ALG_HAS_STAGES) && a->stages && i < ALG_STAGES_MAX && a->stages[i];
         i++) {
        const char *const fault = i > 0 && ends[i] < ends[i - 1] ? "before the stage before it"
                                  : (double)ends[i] > last_ns    ? "after the query"
                                                                 : NULL;
        if (fault) {
            snprintf(text, BENCH_FAULT_BYTES, "stage %.64s ends %s", a->stages[i], fault);
            return true;
        }
    }
    return false;
}

bool bench_details_fault(const alg_algorithm *algorithm, const bench_buffers *buffers,
                         const alg_answer *answer, const size_t face_counts[2], uint64_t took_ns,
                         char text[BENCH_FAULT_BYTES])
{
    for (int i = 0; i < BENCH_LIST_COUNT; i++) {
        if (list_fault(buffers, (bench_list)i, answer, face_counts, text)) {
            return true;
        }
    }
    return stage_fault(algorithm, answer, took_ns, text);
}
