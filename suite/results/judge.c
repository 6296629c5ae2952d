#include "suite/results/judge.h"

#include "base/elementary.h"
#include "base/error.h"
#include "geometry/pose.h"
#include "geometry/vec.h"
#include "groundtruth/body/body.h"
#include "suite/inputs/truth_entries.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- Ideal forces ----------------------------------------------------------------------------- */

gt_quantity bench_ideal_quantity(alg_law law)
{
    base_assert(law != ALG_LAW_NONE);
    return law == ALG_LAW_DEPTH             ? GT_DEPTH_FORCE
           : law == ALG_LAW_DEPTH_EXCHANGED ? GT_DEPTH_FORCE_EXCHANGED
                                            : GT_FORCE;
}

bench_ideal bench_ideal_of(const gt_truth *truth, alg_law law, int certificate)
{
    const int found = gt_certificate(truth, bench_ideal_quantity(law));
    const vec3 unknown = {NAN, NAN, NAN};
    if (found == 0 || found < certificate) {
        return (bench_ideal){unknown, unknown, NAN, NAN};
    }
    if (law == ALG_LAW_AREA) {
        return (bench_ideal){truth->force_m2, truth->torque_m3, truth->force_bound_m2,
                             truth->torque_bound_m3};
    }
    const gt_depth_law *const depth =
        law == ALG_LAW_DEPTH ? &truth->depth_force : &truth->depth_force_exchanged;
    return (bench_ideal){depth->force_m3, depth->torque_m4, depth->force_bound_m3,
                         depth->torque_bound_m4};
}

alg_law bench_ideal_own(const alg_variant *variant)
{
    const alg_law law = alg_variant_law(variant);
    return law != ALG_LAW_NONE ? law : ALG_LAW_AREA;
}

unsigned bench_ideals_of(const alg_variant *variant)
{
    const alg_law law = alg_variant_law(variant);
    return 1u << ALG_LAW_AREA | 1u << (law != ALG_LAW_NONE ? law : ALG_LAW_DEPTH);
}

/** True if all frames have one of these known answers (mask of SCN_KNOWN_*). */
static bool is_known(const scn_trajectory *trajectory, unsigned mask)
{
    for (size_t f = 0; f < trajectory->frame_count; f++) {
        if (!(trajectory->frames[f].known.mask & mask)) {
            return false;
        }
    }
    return true;
}

unsigned bench_ideals_truth(const alg_variant *variant, const scn_trajectory *trajectory)
{
    unsigned ideals = bench_ideals_of(variant), want = 0;
    const bool lawless = alg_variant_law(variant) == ALG_LAW_NONE;
    if (is_known(trajectory, SCN_KNOWN_DEPTH_FORCE) ||
        (lawless && is_known(trajectory, SCN_KNOWN_FORCE))) {
        ideals &= ~(1u << ALG_LAW_DEPTH);
    }
    for (int law = ALG_LAW_DEPTH; law < ALG_LAW_COUNT; law++) {
        want |= ideals & 1u << law ? 1u << bench_ideal_quantity((alg_law)law) : 0;
    }
    return alg_variant_answers(variant) & ALG_WANT_FORCE ? want : 0;
}

/* --- Witness points and contacts -------------------------------------------------------------- */

/** Returns the distance of a point from a surface, both in the frame of the body. */
static double off_surface(const gt_body *body, vec3 p)
{
    return sqrt(geo_surface_closest(&body->shell.surface, p, UINT32_MAX).distance2);
}

bench_witness bench_witness_measure(const gt_body *a, const gt_body *b, const geo_pose *pose,
                                    const alg_answer *answer)
{
    const uint32_t needed = ALG_HAS_DISTANCE | ALG_HAS_WITNESS;
    if ((answer->answered & needed) != needed || !(answer->distance_m > 0)) {
        return (bench_witness){NAN, NAN, NAN};
    }
    const vec3 on_a = answer->witness_a, on_b = answer->witness_b;
    /* The inverse pose has rounding errors relative to the coordinates that it subtracts. */
    const geo_pose inverse = geo_pose_inverse(pose);
    const double reach = fmax(gt_pair_reach(a, b, pose), vec3_norm(on_b)) + b->reach;
    return (bench_witness){
        .length_m = fabs(vec3_distance(on_a, on_b) - answer->distance_m),
        .off_m = fmax(off_surface(a, on_a), off_surface(b, geo_pose_apply(&inverse, on_b))),
        .slack_m = 64 * DBL_EPSILON * reach,
    };
}

/**
 * Returns the angle between a normal and that of a face, in degrees; NaN if either has length 0.
 */
static double angle_to_face_deg(const geo_mesh *mesh, uint32_t face, vec3 normal)
{
    static const double degrees = 180 / 3.14159265358979323846;
    const uint32_t *const v = mesh->faces[face].v;
    const vec3 origin = mesh->vertices[v[0]];
    const vec3 n =
        vec3_cross(vec3_sub(mesh->vertices[v[1]], origin), vec3_sub(mesh->vertices[v[2]], origin));
    const double sine = vec3_norm(vec3_cross(n, normal)), cosine = vec3_dot(n, normal);
    return sine == 0 && cosine == 0 ? (double)NAN : degrees * base_atan2(sine, cosine);
}

bench_contacts bench_contacts_measure(const gt_body *a, const gt_body *b, const geo_pose *pose,
                                      const alg_contact *contacts, size_t count)
{
    const geo_pose inverse = geo_pose_inverse(pose);
    double sum_deg = 0, off_m = NAN;
    size_t normals = 0;
    for (size_t i = 0; i < count; i++) {
        const alg_contact *const c = &contacts[i];
        if (!vec3_isfinite(c->point) || !vec3_isfinite(c->normal)) {
            continue;
        }
        const geo_closest on_a = geo_surface_closest(&a->shell.surface, c->point, UINT32_MAX);
        const double off_b = off_surface(b, geo_pose_apply(&inverse, c->point));
        off_m = fmax(off_m, fmax(sqrt(on_a.distance2), off_b)); /* fmax ignores NaN */
        const double angle_deg = angle_to_face_deg(a->shell.surface.mesh, on_a.face, c->normal);
        if (!isnan(angle_deg)) {
            sum_deg += angle_deg;
            normals++;
        }
    }
    return (bench_contacts){off_m, normals > 0 ? sum_deg / (double)normals : (double)NAN};
}

/* --- Judgement by the truth ------------------------------------------------------------------- */

/** Returns `colliding` as a byte, because a plug-in may store an invalid bool. */
static uint32_t colliding_byte(const alg_answer *answer)
{
    unsigned char byte;
    memcpy(&byte, &answer->colliding, 1);
    return byte;
}

double bench_verdict_wrong(bench_verdict verdict)
{
    switch (verdict) {
    case BENCH_TRUE_POSITIVE:
    case BENCH_TRUE_NEGATIVE:
        return 0;
    case BENCH_FALSE_POSITIVE:
    case BENCH_FALSE_NEGATIVE:
        return 1;
    default:
        return NAN;
    }
}

void bench_promise_name(bench_promise promise, char name[BENCH_PROMISE_NAME_BYTES])
{
    if (promise == BENCH_PROMISE_WITNESS) {
        snprintf(name, BENCH_PROMISE_NAME_BYTES, "witness points");
        return;
    }
    const bool bracket = promise >= BENCH_PROMISE_BRACKET;
    const unsigned quantity = promise - (bracket ? BENCH_PROMISE_BRACKET : BENCH_PROMISE_CONTRACT);
    snprintf(name, BENCH_PROMISE_NAME_BYTES, "%s %s", alg_quantity_names[quantity],
             bracket ? "bracket" : "contract");
}

bench_judgement bench_judgement_none(void)
{
    bench_judgement none = {.verdict = BENCH_VERDICT_NONE};
    for (int e = 0; e < BENCH_ERROR_COUNT; e++) {
        none.errors[e] = NAN;
    }
    return none;
}

static double middle(gt_bracket bracket)
{
    return 0.5 * (bracket.lo + bracket.hi);
}

static bool breaks(alg_contract contract, gt_bracket truth, double answer)
{
    const bool below = answer < truth.lo;
    const bool above = answer > truth.hi;
    return (contract == ALG_EXACT && (below || above)) || (contract == ALG_UPPER_BOUND && below) ||
           (contract == ALG_LOWER_BOUND && above);
}

static bench_verdict verdict_of(gt_bracket distance, bool colliding)
{
    const bool touch = distance.lo <= 0, apart = distance.hi > 0;
    if (touch && apart) {
        return BENCH_AMBIGUOUS;
    }
    if (touch) {
        return colliding ? BENCH_TRUE_POSITIVE : BENCH_FALSE_NEGATIVE;
    }
    return colliding ? BENCH_FALSE_POSITIVE : BENCH_TRUE_NEGATIVE;
}

/**
 * True if [lo, hi] is not a bracket, or if it does not overlap the bracket of the truth and so
 * certainly does not contain the true value. A truth that is not known counts as contained.
 */
static bool misses(gt_bracket truth, double lo, double hi)
{
    return !(isfinite(lo) && isfinite(hi) && lo <= hi) ||
           (gt_known(truth) && (lo > truth.hi || hi < truth.lo));
}

/** Returns the rounding that the algorithm declares, as a share of the value. */
static double declared_share(const alg_algorithm *a)
{
    return a->tolerance_ulp * DBL_EPSILON;
}

/** Widens a bracket by the rounding that the algorithm declares. */
static gt_bracket widened(gt_bracket truth, const alg_algorithm *a)
{
    const double share = declared_share(a);
    return (gt_bracket){truth.lo - share * fabs(truth.lo), truth.hi + share * fabs(truth.hi)};
}

static bool breaks_contact(alg_contract contract, bench_verdict verdict)
{
    return (verdict == BENCH_FALSE_POSITIVE &&
            (contract == ALG_EXACT || contract == ALG_LOWER_BOUND)) ||
           (verdict == BENCH_FALSE_NEGATIVE &&
            (contract == ALG_EXACT || contract == ALG_UPPER_BOUND));
}

static void set_bracket(gt_truth *truth, size_t offset, gt_bracket bracket)
{
    memcpy((char *)truth + offset, &bracket, sizeof bracket);
}

/** Makes a quantity unknown: sets its certificate to 0 and its bracket to GT_NONE. */
static void forget(gt_truth *truth, const gt_quantity_row *row)
{
    const int none = 0;
    memcpy((char *)truth + row->certified, &none, sizeof none);
    if (row->brackets > 0) {
        set_bracket(truth, row->bracket[0], GT_NONE);
    }
}

gt_truth bench_truth_for(const alg_variant *variant, const gt_truth *truth)
{
    gt_truth t = *truth;
    /* With simplified bodies, a method of the truth gives other answers than the truth. */
    const unsigned own = variant->simplify > 0 ? 0 : bench_truth_entry_method(variant->algorithm);
    if (variant->algorithm->flags & ALG_SURFACE) {
        t.distance_m = t.surface_m;
    }
    for (int q = 0; q < GT_QUANTITY_COUNT; q++) {
        const gt_quantity_row *const row = &gt_quantities[q];
        const gt_method first = row->methods[0], second = row->methods[1];
        const bool is_first = own & 1u << first, is_second = own & 1u << second;
        /* The truth stores the vectors of one method only, so they cannot be judged by the other
         * method. */
        const bool own_vectors = row->take && (is_first || is_second);
        if ((is_first && is_second) || own_vectors) {
            forget(&t, row);
        } else if (is_first || is_second) {
            set_bracket(&t, row->bracket[0], t.by[is_first ? second : first]);
        }
    }
    return t;
}

static double number_at(const void *structure, size_t offset)
{
    double number;
    memcpy(&number, (const char *)structure + offset, sizeof number);
    return number;
}

uint64_t bench_truth_certificate(const gt_truth *truth, alg_quantity quantity)
{
    const gt_quantity by = bench_quantities[quantity].certified_by;
    return truth->asked & 1u << by ? (uint64_t)gt_certificate(truth, by) : UINT64_MAX;
}

/** Returns the bracket of the truth of a quantity; GT_NONE if its certificate is too low. */
static gt_bracket truth_of(const bench_case *c, gt_quantity quantity)
{
    const int certificate = gt_certificate(c->truth, quantity);
    gt_bracket bracket = GT_NONE;
    if (certificate > 0 && certificate >= c->certificate) {
        memcpy(&bracket, (const char *)c->truth + gt_quantities[quantity].bracket[0],
               sizeof bracket);
    }
    return bracket;
}

/**
 * Sets two errors from `amount`, which is answer - truth or the width of a bracket: one relative to
 * the size, and one relative to the truth, if the truth is large enough.
 */
static void measure(const bench_quantity *quantity, double size, gt_bracket truth, double amount,
                    bench_error_kind rel, bench_error_kind of_size,
                    double errors[BENCH_ERROR_COUNT])
{
    if (size > 0) {
        errors[of_size] = amount / size;
    }
    if (gt_known(truth) && middle(truth) >= quantity->floor * size) {
        errors[rel] = amount / middle(truth);
    }
}

static void break_promise(bench_judgement *j, bench_promise promise, alg_quantity quantity)
{
    j->broken |= 1u << (promise + (unsigned)quantity);
}

static alg_contract contract_of(const bench_case *c, alg_quantity quantity)
{
    return alg_variant_contract(c->variant, quantity);
}

static void judge_number(const bench_case *c, alg_quantity q, bench_judgement *j)
{
    const alg_algorithm *const a = c->variant->algorithm;
    const bench_quantity *const quantity = &bench_quantities[q];
    const bench_number *const n = quantity->number;
    const gt_bracket truth = truth_of(c, quantity->certified_by);
    const double size = number_at(c->scale, n->size);
    const double number = number_at(c->answer, n->answer);
    if ((c->answer->answered & quantity->has) && gt_known(truth)) {
        j->judged = true;
        measure(quantity, size, truth, number - middle(truth), n->error_rel, n->error_size,
                j->errors);
        if (breaks(contract_of(c, q), widened(truth, a), number)) {
            break_promise(j, BENCH_PROMISE_CONTRACT, q);
        }
    }
    if (c->answer->answered & n->bracket) {
        const double lo = number_at(c->answer, n->lo), hi = number_at(c->answer, n->hi);
        j->judged |= gt_known(truth);
        measure(quantity, size, truth, hi - lo, n->width_rel, n->width_size, j->errors);
        /* A bracket of simplified bodies says nothing about the full ones. */
        if (!(c->variant->simplify > 0) && misses(widened(truth, a), lo, hi)) {
            break_promise(j, BENCH_PROMISE_BRACKET, q);
        }
    }
}

/**
 * Judges witness points. If the distance is exact, the two points must be apart by this distance,
 * and each must be on the surface of its body.
 */
static void judge_witness(const bench_case *c, bench_judgement *j)
{
    const bench_witness *const w = c->witness;
    if (!w) {
        return;
    }
    const double slack = w->slack_m + declared_share(c->variant->algorithm) * c->answer->distance_m;
    const double size = c->scale->diagonal_a_m;
    if (size > 0) {
        j->errors[BENCH_WITNESS_LENGTH_SIZE] = w->length_m / size;
        j->errors[BENCH_WITNESS_OFF_SIZE] = w->off_m / size;
    }
    if (contract_of(c, ALG_DISTANCE) == ALG_EXACT && (w->length_m > slack || w->off_m > slack)) {
        j->broken |= 1u << BENCH_PROMISE_WITNESS;
    }
}

/**
 * Sets the errors of the contacts. They cannot break a promise, because a method may place contacts
 * on either body or in between.
 */
static void judge_contact_list(const bench_case *c, bench_judgement *j)
{
    const double size = c->scale->diagonal_a_m;
    if (c->contacts && size > 0) {
        j->errors[BENCH_CONTACT_OFF_SIZE] = c->contacts->off_m / size;
        j->errors[BENCH_CONTACT_NORMAL_DEG] = c->contacts->normal_deg;
    }
}

/**
 * Judges `colliding` by the contract for contact. Measures the number of intersecting triangle
 * pairs, which must be the true number if the algorithm promises all pairs.
 */
static void judge_contact(const bench_case *c, bench_judgement *j)
{
    if ((c->answer->answered & ALG_HAS_CONTACT) && j->verdict != BENCH_VERDICT_NONE) {
        j->judged = true;
        if (breaks_contact(contract_of(c, ALG_CONTACT), j->verdict)) {
            break_promise(j, BENCH_PROMISE_CONTRACT, ALG_CONTACT);
        }
    }
    const gt_bracket pairs = truth_of(c, GT_PAIRS);
    if ((c->answer->answered & ALG_HAS_PAIRS) && gt_known(pairs)) {
        const double counted = c->answer->pair_count, truth = middle(pairs);
        j->judged = true;
        j->errors[BENCH_PAIRS_ERROR_REL] = (counted - truth) / (truth > 0 ? truth : 1);
        if ((c->variant->algorithm->flags & ALG_ALL_PAIRS) && !(c->variant->simplify > 0) &&
            counted != truth) {
            break_promise(j, BENCH_PROMISE_CONTRACT, ALG_CONTACT);
        }
    }
}

/** Returns (depth - needed) / needed; NaN if needed is 0 or not known. */
static double beyond(double depth, gt_bracket needed)
{
    return gt_known(needed) && middle(needed) > 0 ? depth / middle(needed) - 1 : (double)NAN;
}

/**
 * Judges a depth by the shortest separating translation, and by the volume that remains after the
 * answered translation. If the remaining volume is certainly positive, the translation does not
 * separate the bodies, which breaks every contract except an approximate one. An exact depth must
 * also be in the bracket of the truth; an upper bound has no further condition.
 */
static void judge_depth(const bench_case *c, bench_judgement *j)
{
    const bench_quantity *const quantity = &bench_quantities[ALG_DEPTH];
    const alg_contract contract = contract_of(c, ALG_DEPTH);
    const gt_bracket truth = truth_of(c, GT_DEPTH);
    const double depth = c->answer->depth_m, size = c->scale->diagonal_a_m;
    if (!(c->answer->answered & ALG_HAS_DEPTH)) {
        return;
    }
    if (gt_known(truth)) {
        j->judged = true;
        if (truth.hi >= quantity->floor * size) {
            j->errors[BENCH_DEPTH_ERROR_REL] = (depth - truth.hi) / truth.hi;
            j->errors[BENCH_DEPTH_OUTSIDE_REL] =
                fmax(0, fmax(depth - truth.hi, truth.lo - depth)) / truth.hi;
        }
        if (contract == ALG_EXACT &&
            breaks(ALG_EXACT, widened(truth, c->variant->algorithm), depth)) {
            break_promise(j, BENCH_PROMISE_CONTRACT, ALG_DEPTH);
        }
    }
    const gt_escape *const escape = c->escape;
    if (escape && gt_known(escape->before_m3)) {
        j->judged = true;
        j->errors[BENCH_DEPTH_LOCAL_REL] = beyond(depth, escape->needed_m);
        j->errors[BENCH_DEPTH_GLOBAL_REL] = beyond(depth, escape->clear_m);
        if (escape->before_m3.lo > 0) {
            const double after = gt_bracket_value(escape->after_m3);
            j->errors[BENCH_DEPTH_LEFT_REL] = after / gt_bracket_value(escape->before_m3);
        }
        if (size > 0) {
            j->errors[BENCH_DEPTH_GAP_SIZE] = gt_bracket_value(escape->gap_m) / size;
        }
        if (escape->after_m3.lo > 0 && contract != ALG_APPROXIMATE) {
            break_promise(j, BENCH_PROMISE_CONTRACT, ALG_DEPTH);
        }
    }
    /* fmax ignores NaN. */
    j->errors[BENCH_DEPTH_WORSE_REL] =
        fmax(fabs(j->errors[BENCH_DEPTH_ERROR_REL]), j->errors[BENCH_DEPTH_LEFT_REL]);
}

/**
 * Judges a force: the errors of an exact force and torque must be within the bounds of its law's
 * ideal. The errors of a force are computed from all frames together (force.h).
 */
static void judge_force(const bench_case *c, bench_judgement *j)
{
    const bench_ideal ideal = bench_ideal_of(c->truth, bench_ideal_own(c->variant), c->certificate);
    if (!(c->answer->answered & ALG_HAS_FORCE) || isnan(ideal.force.x)) {
        return;
    }
    const double share = declared_share(c->variant->algorithm);
    const double force = vec3_norm(vec3_sub(c->answer->force, ideal.force));
    const double torque = vec3_norm(vec3_sub(c->answer->torque, ideal.torque));
    j->judged = true;
    if (contract_of(c, ALG_FORCE) == ALG_EXACT &&
        (force > ideal.force_bound + share * vec3_norm(ideal.force) ||
         torque > ideal.torque_bound + share * vec3_norm(ideal.torque))) {
        break_promise(j, BENCH_PROMISE_CONTRACT, ALG_FORCE);
    }
}

bench_judgement bench_judge(const bench_case *c)
{
    bench_judgement j = bench_judgement_none();
    const gt_bracket distance = truth_of(c, GT_DISTANCE);
    if (gt_known(distance) && c->answer->answered != 0) {
        j.verdict = verdict_of(distance, colliding_byte(c->answer) != 0);
    }
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        if (bench_quantities[q].number) {
            judge_number(c, (alg_quantity)q, &j);
        }
    }
    judge_witness(c, &j);
    judge_contact(c, &j);
    judge_contact_list(c, &j);
    judge_depth(c, &j);
    judge_force(c, &j);
    j.violation = j.broken != 0;
    return j;
}

/* --- Answers without the truth ---------------------------------------------------------------- */

/**
 * True if the answer contains each asked quantity that the variant's contract covers. Without this
 * check, an algorithm could leave out difficult frames.
 */
static bool is_complete(const alg_variant *variant, unsigned quantities, const alg_answer *answer)
{
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        if ((quantities & 1u << q) && !(answer->answered & bench_quantities[q].has) &&
            alg_variant_contract(variant, (alg_quantity)q) != ALG_NOT_ANSWERED) {
            return false;
        }
    }
    return true;
}

/**
 * Adds the fields of an answer to a hash, including counters, and brackets if it has them. Excludes
 * details.
 */
static void hash_answer(base_hasher *hasher, const alg_answer *answer)
{
    const vec3 *const vectors[] = {&answer->witness_a, &answer->witness_b, &answer->direction,
                                   &answer->force, &answer->torque};
    const double scalars[] = {answer->distance_m, answer->volume_m3, answer->depth_m};
    const uint32_t words[] = {answer->answered & ~BENCH_HAS_DETAILS, (uint32_t)answer->outcome,
                              colliding_byte(answer)};
    base_hasher_add(hasher, words, sizeof words);
    base_hasher_add(hasher, scalars, sizeof scalars);
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        base_hasher_add(hasher, vectors[i], sizeof *vectors[i]);
    }
    base_hasher_add(hasher, answer->counters, sizeof answer->counters);
    /* Brackets are hashed only if they are answered, so that older hashes of answers without
     * brackets stay valid. */
    if (answer->answered & ALG_HAS_DISTANCE_BRACKET) {
        const double bracket[] = {answer->distance_lo_m, answer->distance_hi_m};
        base_hasher_add(hasher, bracket, sizeof bracket);
    }
    if (answer->answered & ALG_HAS_VOLUME_BRACKET) {
        const double bracket[] = {answer->volume_lo_m3, answer->volume_hi_m3};
        base_hasher_add(hasher, bracket, sizeof bracket);
    }
}

base_status bench_answers_hash(const alg_answer *answers, size_t count, base_hash *hash,
                               base_error *err)
{
    base_hasher *const hasher = base_hasher_create();
    if (!hasher) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    for (size_t f = 0; f < count; f++) {
        hash_answer(hasher, &answers[f]);
    }
    *hash = base_hasher_finish(hasher);
    return BASE_OK;
}

bool bench_answer_finite(const alg_answer *answer)
{
    const uint32_t has = answer->answered;
    return (!(has & ALG_HAS_DISTANCE) || isfinite(answer->distance_m)) &&
           (!(has & ALG_HAS_WITNESS) ||
            (vec3_isfinite(answer->witness_a) && vec3_isfinite(answer->witness_b))) &&
           (!(has & ALG_HAS_VOLUME) || isfinite(answer->volume_m3)) &&
           (!(has & ALG_HAS_DEPTH) ||
            (isfinite(answer->depth_m) && vec3_isfinite(answer->direction))) &&
           (!(has & ALG_HAS_FORCE) ||
            (vec3_isfinite(answer->force) && vec3_isfinite(answer->torque))) &&
           (!(has & ALG_HAS_DISTANCE_BRACKET) ||
            (isfinite(answer->distance_lo_m) && isfinite(answer->distance_hi_m))) &&
           (!(has & ALG_HAS_VOLUME_BRACKET) ||
            (isfinite(answer->volume_lo_m3) && isfinite(answer->volume_hi_m3)));
}

/** True if every answered bracket has lo <= hi. */
static bool is_ordered(const alg_answer *answer)
{
    const uint32_t has = answer->answered;
    return (!(has & ALG_HAS_DISTANCE_BRACKET) || answer->distance_lo_m <= answer->distance_hi_m) &&
           (!(has & ALG_HAS_VOLUME_BRACKET) || answer->volume_lo_m3 <= answer->volume_hi_m3);
}

/** Tolerance of the length of a unit vector; vectors made in single precision are within it. */
static const double UNIT_SLACK = 1e-6;

static bool is_unit(vec3 v)
{
    return fabs(vec3_norm(v) - 1) <= UNIT_SLACK;
}

/** True if an answered depth is 0, or positive along a unit vector. */
static bool is_directed(const alg_answer *answer)
{
    return !(answer->answered & ALG_HAS_DEPTH) || answer->depth_m == 0 ||
           (answer->depth_m > 0 && is_unit(answer->direction));
}

/** True if the distance is exact and `colliding` contradicts it. */
static bool contradicts_itself(const alg_variant *variant, const alg_answer *answer)
{
    return (answer->answered & ALG_HAS_DISTANCE) &&
           alg_variant_contract(variant, ALG_DISTANCE) == ALG_EXACT &&
           (colliding_byte(answer) != 0) != (answer->distance_m <= 0);
}

/**
 * True if the contract of each asked quantity is possible for it. Some quantities have no upper or
 * lower bounds.
 */
static bool promises_sense(const alg_variant *variant, unsigned quantities)
{
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        const alg_contract contract = alg_variant_contract(variant, (alg_quantity)q);
        if ((quantities & 1u << q) && contract != ALG_NOT_ANSWERED &&
            !(bench_quantities[q].contracts & 1u << contract)) {
            return false;
        }
    }
    return true;
}

const char *bench_answer_fault(const alg_variant *variant, unsigned quantities,
                               const alg_answer *answer)
{
    const bool negative = (answer->answered & ALG_HAS_DISTANCE) && answer->distance_m < 0;
    return !bench_answer_finite(answer)                 ? "NaN or infinity"
           : !is_ordered(answer)                        ? "bracket upside down"
           : !is_directed(answer)                       ? "depth along no unit vector"
           : !is_complete(variant, quantities, answer)  ? "no answer"
           : !promises_sense(variant, quantities)       ? "a bound for a quantity without bounds"
           : answer->outcome == ALG_UNSET               ? "no outcome"
           : (unsigned)answer->outcome > ALG_DEGENERATE ? "unknown outcome"
           : colliding_byte(answer) > 1                 ? "neither colliding nor apart"
           : negative                                   ? "a negative distance"
           : contradicts_itself(variant, answer)        ? "colliding contradicts its own distance"
                                                        : NULL;
}

/* --- Details ---------------------------------------------------------------------------------- */

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

/* --- Faults of details ------------------------------------------------------------------------ */

/**
 * Tolerance of a window's unit vectors and right angles. It is small because the truth is computed
 * for the window exactly as it was answered.
 */
static const double WINDOW_SLACK = 1e-9;

/* Tolerance between two clocks. An algorithm may use another clock than the suite, and the system
 * may adjust the rate of each by up to 500 ppm. */
static const double CLOCK_SLACK = 1e-3;
enum { CLOCK_SLACK_NS = 1000 };

bool bench_has_window(const alg_region *region)
{
    return region->half_u_m > 0 && region->half_v_m > 0;
}

/** Returns the fault of a region; NULL if it is valid. */
static const char *region_fault(const alg_region *r)
{
    unsigned char loop; /* read as a byte, because a plug-in may store an invalid bool */
    memcpy(&loop, &r->loop, 1);
    if (!vec3_isfinite(r->direction) || !isfinite(r->depth_m) || !isfinite(r->area_m2) ||
        loop > 1 || !vec3_isfinite(r->point) || !vec3_isfinite(r->side_u) ||
        !vec3_isfinite(r->side_v) || !isfinite(r->half_u_m) || !isfinite(r->half_v_m)) {
        return "is not filled in, or NaN or infinity";
    }
    if (!is_unit(r->direction)) {
        return "has a direction that is no unit vector";
    }
    if (r->half_u_m < 0 || r->half_v_m < 0) {
        return "has a window of negative size";
    }
    /* The window is a rectangle perpendicular to the direction. */
    const double off[] = {vec3_norm(r->side_u) - 1, vec3_norm(r->side_v) - 1,
                          vec3_dot(r->side_u, r->side_v), vec3_dot(r->side_u, r->direction),
                          vec3_dot(r->side_v, r->direction)};
    for (size_t i = 0; i < sizeof off / sizeof *off && bench_has_window(r); i++) {
        if (!(fabs(off[i]) <= WINDOW_SLACK)) {
            return "has a window whose sides are no unit vectors at right angles";
        }
    }
    return NULL;
}

/** Returns the fault of an entry of a list; NULL if it is valid. */
static const char *entry_fault(const bench_buffers *buffers, bench_list list, size_t i,
                               const size_t face_counts[2])
{
    if (list == BENCH_LIST_CONTACTS) {
        const alg_contact *const c = &bench_buffer_contacts(buffers)[i];
        return !vec3_isfinite(c->point) || !vec3_isfinite(c->normal) || !isfinite(c->depth_m)
                   ? "is not filled in, or NaN or infinity"
               : !vec3_equal(c->normal, (vec3){0, 0, 0}) && !is_unit(c->normal)
                   ? "has a normal that is no unit vector"
                   : NULL;
    }
    if (list == BENCH_LIST_PAIRS) {
        const alg_face_pair *const p = &bench_buffer_pairs(buffers)[i];
        return p->face_a >= face_counts[0] || p->face_b >= face_counts[1]
                   ? "names a triangle that is not there"
               : !vec3_isfinite(p->from) || !vec3_isfinite(p->to) ? "has NaN or infinity"
                                                                  : NULL;
    }
    return region_fault(&bench_buffer_regions(buffers)[i]);
}

bool bench_details_fault(const alg_algorithm *algorithm, const bench_buffers *buffers,
                         const alg_answer *answer, const size_t face_counts[2], uint64_t took_ns,
                         char text[BENCH_FAULT_BYTES])
{
    static const char *const singular[BENCH_LIST_COUNT] = {"contact", "pair", "region"};
    for (int list = 0; list < BENCH_LIST_COUNT; list++) {
        if (bench_buffer_overrun(buffers, (bench_list)list)) {
            snprintf(text, BENCH_FAULT_BYTES, "writes beyond its buffer of %s",
                     bench_list_name((bench_list)list));
            return true;
        }
        const size_t count = bench_buffer_count(buffers, (bench_list)list, answer);
        for (size_t i = 0; i < count; i++) {
            const char *const fault = entry_fault(buffers, (bench_list)list, i, face_counts);
            if (fault) {
                snprintf(text, BENCH_FAULT_BYTES, "%s %zu %s", singular[list], i, fault);
                return true;
            }
        }
    }
    const uint64_t *const ends = answer->stage_ends_ns;
    const double last_ns = (1 + CLOCK_SLACK) * (double)took_ns + CLOCK_SLACK_NS;
    const bool stages = algorithm->stages && (answer->answered & ALG_HAS_STAGES);
    for (size_t i = 0; stages && i < ALG_STAGES_MAX && algorithm->stages[i]; i++) {
        const char *const fault = i > 0 && ends[i] < ends[i - 1] ? "before the stage before it"
                                  : (double)ends[i] > last_ns    ? "after the query"
                                                                 : NULL;
        if (fault) {
            snprintf(text, BENCH_FAULT_BYTES, "stage %.64s ends %s", algorithm->stages[i], fault);
            return true;
        }
    }
    return false;
}
