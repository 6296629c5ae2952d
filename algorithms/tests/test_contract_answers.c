/** Theories of the contract on answers, for each entry of the registry without ALG_KNOWN_BAD. */
#include "algorithms/tests/contract.h"

#include <math.h>
#include <stdio.h>

/* Static: each is some megabytes large. */
static answers first, second;

/** Counts entries in a sweep over variants in their order. */
typedef struct tally {
    const alg_algorithm *last;
    int entries, frames, meetings;
} tally;

static void count(tally *t, int variant, const answers *x)
{
    t->entries += entry_of(variant) != t->last;
    t->last = entry_of(variant);
    t->frames += FRAMES;
    t->meetings += count_meetings(x);
}

/** Every entry took part, and the bodies have met in some frames. */
static void expect_all_entries(const tally *t)
{
    cr_assert_eq(t->entries, ENTRIES, "%d entries", t->entries);
    cr_assert(t->meetings > t->frames / 8 && t->meetings < t->frames, "%d of %d frames",
              t->meetings, t->frames);
}

Test(contract_answers, every_entry_has_a_variant_here)
{
    int entries = 0;
    for (size_t i = 0; alg_registry[i]; i++) {
        int found = 0;
        for (int k = 0; k < VARIANTS; k++) {
            found += entry_of(k) == alg_registry[i];
        }
        cr_assert_eq(found > 0, !(alg_registry[i]->flags & ALG_KNOWN_BAD), "%s",
                     alg_registry[i]->name);
        entries += found > 0;
    }
    cr_assert_eq(entries, ENTRIES, "%d", entries);
}

/* --- Order of frames -------------------------------------------------------------------------- */

/** Tests that answers depend on the pose alone, unless the variant remembers. */
Test(contract_answers, the_order_of_frames_does_not_matter)
{
    tally t = {0};
    for (int v = next_variant(-1, 2); v < VARIANTS; v = next_variant(v, 2)) {
        for (int k = next_bodies(-1, v, 4); k < BODIES; k = next_bodies(k, v, 4)) {
            SCOPED_SCENE s = scene_open(variants[v], bodies[k].a, bodies[k].b);
            ask_all(&s, &first);
            count(&t, v, &first);
            for (int i = FRAMES - 1; i >= 0 && !remembers(v); i--) {
                const geo_pose pose = pose_of(i);
                scene_ask(&s, &pose, &second.frames[i]);
            }
            if (!remembers(v)) {
                expect_same(&first, &second, v, "backwards");
            }
        }
    }
    expect_all_entries(&t);
}

/**
 * Tests that a reset restores the state after bind: answers are those of a new state, frame by
 * frame and in a whole pass. Without the reset, the frames before have an effect on a variant that
 * remembers.
 */
Test(contract_answers, a_reset_forgets)
{
    int resets = 0, effects = 0, remembering = 0;
    for (int v = 0; v < VARIANTS; v++) {
        const alg_algorithm *const g = entry_of(v);
        if (!(g->flags & ALG_KEEPS_STATE)) {
            cr_assert(!remembers(v));
            continue;
        }
        if (!remembers(v) && sweep_step(2) > 1) {
            continue;
        }
        SCOPED_SCENE s = scene_open(variants[v], "parts", "torus");
        alg_message message;
        ask_all(&s, &first);
        g->reset(s.pair.state);
        ask_all(&s, &second);
        expect_same(&first, &second, v, "a second pass");
        int differences = 0;
        for (int i = 0; i < FRAMES; i++) {
            const geo_pose pose = pose_of(i);
            g->release(s.pair.state);
            cr_assert_eq(scene_bind(&s, false, &s.pair.state, &message), ALG_OK);
            scene_ask(&s, &pose, &second.frames[i]); /* of a new state */
            differences += scene_difference(&first.frames[i], &second.frames[i]) != NULL;
            const geo_pose other = pose_of((7 * i + 5) % FRAMES);
            scene_ask(&s, &other, &first.frames[i]);
            g->reset(s.pair.state);
            scene_ask(&s, &pose, &first.frames[i]); /* of a state that was reset */
            resets++;
        }
        expect_same(&first, &second, v, "after a reset");
        cr_assert(remembers(v) || differences == 0, "%s", variants[v]);
        cr_assert(!remembers(v) || differences > 2, "%s: %d frames depend on others", variants[v],
                  differences);
        effects += differences;
        remembering += remembers(v);
    }
    cr_assert(remembering >= 9 && resets >= 9 * FRAMES && effects > 50, "%d, %d, %d", remembering,
              resets, effects);
}

/* --- Memory ----------------------------------------------------------------------------------- */

Test(contract_answers, queries_allocate_nothing)
{
    tally t = {0};
    for (int v = next_variant(-1, 2); v < VARIANTS; v = next_variant(v, 2)) {
        for (int k = next_bodies(-1, v, 5); k < BODIES; k = next_bodies(k, v, 5)) {
            const alg_algorithm *const g = entry_of(v);
            SCOPED_SCENE s = scene_open(variants[v], bodies[k].a, bodies[k].b);
            ask_all(&s, &first);
            count(&t, v, &first);
            if (g->reset) {
                g->reset(s.pair.state);
            }
            base_memory_fail_after(0);
            ask_all(&s, &second);
            base_memory_fail_after(SIZE_MAX);
            expect_same(&first, &second, v, "without memory");
        }
    }
    expect_all_entries(&t);
}

/* --- Lists and stages ------------------------------------------------------------------------- */

/** Value of the bytes that a query must not write. */
enum { GUARD = 0x5a };

static bool is_guarded(const void *bytes, size_t size)
{
    const unsigned char *const b = bytes;
    size_t i = 0;
    while (i < size && b[i] == GUARD) {
        i++;
    }
    return i == size;
}

/** Tests that buffers which are too small are filled and not overrun, and that they change nothing
 * else in an answer. */
Test(contract_answers, buffers_change_nothing_else)
{
    static listed all, some;
    tally t = {0};
    int filled[3] = {0};
    for (int v = next_variant(-1, 3); v < VARIANTS; v = next_variant(v, 3)) {
        SCOPED_SCENE s = scene_open(variants[v], "parts", "torus");
        ask_all(&s, &first);
        count(&t, v, &first);
        for (int i = 0; i < FRAMES; i++) {
            const geo_pose pose = pose_of(i);
            if (entry_of(v)->reset) {
                entry_of(v)->reset(s.pair.state);
            }
            scene_ask(&s, &pose, &all);
            for (uint32_t room = 0; room < 4; room++) {
                memset(&some, GUARD, sizeof some);
                if (entry_of(v)->reset) {
                    entry_of(v)->reset(s.pair.state);
                }
                scene_ask_within(&s, &pose, room, &some);
                cr_assert(is_guarded(&some.contacts[room],
                                     sizeof some.contacts - room * sizeof *some.contacts) &&
                              is_guarded(&some.pairs[room],
                                         sizeof some.pairs - room * sizeof *some.pairs) &&
                              is_guarded(&some.regions[room],
                                         sizeof some.regions - room * sizeof *some.regions),
                          "%s, frame %d: overrun of a buffer of %u", variants[v], i, room);
                alg_answer x = all.values, y = some.values;
                if (room > 0) {
                    cr_assert(x.contact_count == y.contact_count && x.pair_count == y.pair_count &&
                                  x.region_count == y.region_count && x.answered == y.answered,
                              "%s, frame %d: counts with room for %u", variants[v], i, room);
                    filled[0] += y.contact_count >= room;
                    filled[1] += y.pair_count >= room;
                    filled[2] += y.region_count >= room;
                }
                const unsigned lists = ALG_HAS_CONTACTS | ALG_HAS_PAIRS | ALG_HAS_REGIONS;
                x.answered |= lists, y.answered |= lists;
                x.contact_count = x.pair_count = x.region_count = 0;
                y.contact_count = y.pair_count = y.region_count = 0;
                cr_assert_eq(memcmp(&x, &y, sizeof x), 0, "%s, frame %d: room for %u", variants[v],
                             i, room);
            }
        }
    }
    cr_assert_eq(t.entries, ENTRIES);
    cr_assert(filled[0] > 100 && filled[1] > 30 && filled[2] > 30, "%d %d %d", filled[0], filled[1],
              filled[2]);
}

/** Tests that stages are answered if they are requested, end one after the other, and change
 * nothing else. */
Test(contract_answers, stages_change_nothing_else)
{
    int staged = 0;
    for (int v = 0; v < VARIANTS; v++) {
        const alg_algorithm *const g = entry_of(v);
        if (v > 0 && entry_of(v - 1) == g) {
            continue;
        }
        SCOPED_SCENE s = scene_open(variants[v], "parts", "torus");
        alg_message message;
        ask_all(&s, &first);
        g->release(s.pair.state);
        cr_assert_eq(scene_bind(&s, true, &s.pair.state, &message), ALG_OK);
        ask_all(&s, &second);
        for (int i = 0; i < FRAMES; i++) {
            alg_answer *const a = &second.frames[i].values;
            cr_assert_eq(a->answered & ALG_HAS_STAGES, g->stages ? ALG_HAS_STAGES : 0u, "%s",
                         variants[v]);
            cr_assert_eq(first.frames[i].values.answered & ALG_HAS_STAGES, 0, "%s", variants[v]);
            uint64_t last = 0;
            for (size_t k = 0; k < ALG_STAGES_MAX && g->stages && g->stages[k]; k++) {
                cr_assert_geq(a->stage_ends_ns[k], last, "%s, %s", variants[v], g->stages[k]);
                last = a->stage_ends_ns[k];
                staged++;
            }
            a->answered &= ~(uint32_t)ALG_HAS_STAGES;
            memset(a->stage_ends_ns, 0, sizeof a->stage_ends_ns);
        }
        expect_same(&first, &second, v, "with stages");
    }
    cr_assert_geq(staged, 4 * FRAMES, "%d", staged);
}

/* --- Symmetries ------------------------------------------------------------------------------- */

/** Divides lengths by the scale of both bodies, and areas, volumes, forces and torques by its
 * powers. */
static void scale_back(listed *l, const char *force_unit, double scale)
{
    const double c = 1 / scale;
    const double f = force_unit && strcmp(force_unit, "m3") == 0   ? c * c * c
                     : force_unit && strcmp(force_unit, "m2") == 0 ? c * c
                                                                   : c;
    alg_answer *const a = &l->values;
    double *const lengths[] = {&a->distance_m, &a->distance_lo_m, &a->distance_hi_m, &a->depth_m};
    double *const volumes[] = {&a->volume_m3, &a->volume_lo_m3, &a->volume_hi_m3};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        *lengths[i] *= c;
    }
    for (size_t i = 0; i < sizeof volumes / sizeof *volumes; i++) {
        *volumes[i] *= c * c * c;
    }
    a->witness_a = vec3_scale(c, a->witness_a);
    a->witness_b = vec3_scale(c, a->witness_b);
    a->force = vec3_scale(f, a->force);
    a->torque = vec3_scale(f * c, a->torque);
    for (uint32_t i = 0; i < SCENE_ROOM && i < a->contact_count; i++) {
        l->contacts[i].point = vec3_scale(c, l->contacts[i].point);
        l->contacts[i].depth_m *= c;
    }
    for (uint32_t i = 0; i < SCENE_ROOM && i < a->pair_count; i++) {
        l->pairs[i].from = vec3_scale(c, l->pairs[i].from);
        l->pairs[i].to = vec3_scale(c, l->pairs[i].to);
    }
    for (uint32_t i = 0; i < SCENE_ROOM && i < a->region_count; i++) {
        alg_region *const r = &l->regions[i];
        r->depth_m *= c;
        r->area_m2 *= c * c;
        r->point = vec3_scale(c, r->point);
        r->half_u_m *= c;
        r->half_v_m *= c;
    }
}

static geo_mesh scaled(const char *name, double scale)
{
    return shape_move(scene_mesh(name), geo_pose_identity(), scale);
}

/** Scaling by a power of two changes no rounding: all answers are scaled to the last bit, and
 * counters stay the same. */
Test(contract_answers, powers_of_two_change_no_digit)
{
    static const double scales[] = {0x1p-10, 0x1p10};
    tally t = {0};
    for (int v = next_variant(-1, 3); v < VARIANTS; v = next_variant(v, 3)) {
        for (int k = next_bodies(-1, v, 5); k < BODIES; k = next_bodies(k, v, 5)) {
            scene s = scene_open(variants[v], bodies[k].a, bodies[k].b);
            ask_all(&s, &first);
            count(&t, v, &first);
            scene_close(&s);
            for (size_t c = 0; c < 2; c++) {
                s = scene_of(variants[v], scaled(bodies[k].a, scales[c]),
                             scaled(bodies[k].b, scales[c]), true);
                for (int i = 0; i < FRAMES; i++) {
                    geo_pose pose = pose_of(i);
                    pose.translation = vec3_scale(scales[c], pose.translation);
                    scene_ask(&s, &pose, &second.frames[i]);
                    scale_back(&second.frames[i], entry_of(v)->force_unit, scales[c]);
                }
                expect_same(&first, &second, v, c == 0 ? "small" : "large");
                scene_close(&s);
            }
        }
    }
    expect_all_entries(&t);
}

/** Parts of the names of variants whose answers are not the same in another frame: their points or
 * spheres follow the grid's axes or random numbers, or they cut and choose among equals. */
static const char *const of_one_frame[] = {
    "imp:",       "ist:",       "ist-gradient",  "bounds-budget", "lpd:", "lpd-refine:coherence",
    "pst:field=", "pst:budget", "voxmap=moving",
};

/** Parts of the names of variants whose answers depend on which body is fixed. */
static const char *const of_roles[] = {
    "imp:", "bounds-budget",        "vps-volume",      "ist-triangles",
    "lpd:", "lpd-refine:coherence", "lpd-exact:chain",
};

static bool is_one_of(const char *name, const char *const *parts, size_t count)
{
    size_t i = 0;
    while (i < count && !strstr(name, parts[i])) {
        i++;
    }
    return i < count;
}

static bool near(vec3 x, vec3 y)
{
    return vec3_distance(x, y) <= 1e-11 * (1 + vec3_norm(x));
}

/** Compares answers up to rounding; with only_exact, those that are promised to be exact. */
static void expect_near(const alg_answer *x, const alg_answer *y, int variant, bool only_exact,
                        const char *what, int frame)
{
    const alg_variant v = pair_variant(variants[variant]);
    bool compared[ALG_QUANTITY_COUNT];
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        const alg_contract promise = v.algorithm->contract(&v.settings, (alg_quantity)q);
        compared[q] = promise == ALG_EXACT || (!only_exact && promise != ALG_NOT_ANSWERED);
    }
    cr_assert(!compared[ALG_CONTACT] || x->colliding == y->colliding, "%s, %s, frame %d", v.name,
              what, frame);
    cr_assert(!compared[ALG_DISTANCE] || fabs(x->distance_m - y->distance_m) < 1e-11,
              "%s, %s, frame %d: distance %.17g and %.17g", v.name, what, frame, x->distance_m,
              y->distance_m);
    cr_assert(!compared[ALG_VOLUME] || fabs(x->volume_m3 - y->volume_m3) < 1e-11,
              "%s, %s, frame %d: volume %.17g and %.17g", v.name, what, frame, x->volume_m3,
              y->volume_m3);
    cr_assert(!compared[ALG_DEPTH] ||
                  (fabs(x->depth_m - y->depth_m) < 1e-11 && near(x->direction, y->direction)),
              "%s, %s, frame %d: depth %.17g and %.17g", v.name, what, frame, x->depth_m,
              y->depth_m);
    cr_assert(!compared[ALG_FORCE] || (near(x->force, y->force) && near(x->torque, y->torque)),
              "%s, %s, frame %d: force %g %g %g and %g %g %g", v.name, what, frame, x->force.x,
              x->force.y, x->force.z, y->force.x, y->force.y, y->force.z);
}

/** The first frames have ties, which rounding decides. */
enum { FIRST_RANDOM = 6 };

/** Shifts that are exact for dyadic coordinates, and turns of axes into axes. */
static const geo_pose motions[] = {
    {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {0.25, -0.125, 1.5}},
    {{{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}}, {0, 0, 0}},
    {{{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}}, {-0.5, 2, 0}},
    {{{{-1, 0, 0}, {0, 1, 0}, {0, 0, -1}}}, {0, 0, 0}},
};
enum { MOTIONS = sizeof motions / sizeof *motions };

/** Moving both bodies moves the answers, up to rounding. */
Test(contract_answers, rigid_motions_move_answers)
{
    tally t = {0};
    int frames = 0;
    for (int v = next_variant(-1, 3); v < VARIANTS; v = next_variant(v, 3)) {
        const bool only_exact =
            is_one_of(variants[v], of_one_frame, sizeof of_one_frame / sizeof *of_one_frame);
        for (int k = 0; k < 2; k++) {
            scene s = scene_open(variants[v], bodies[k].a, bodies[k].b);
            ask_all(&s, &first);
            count(&t, v, &first);
            scene_close(&s);
            for (int m = v % (int)sweep_step(2); m < MOTIONS; m += (int)sweep_step(2)) {
                const geo_pose back = geo_pose_inverse(&motions[m]);
                s = scene_of(variants[v], shape_move(scene_mesh(bodies[k].a), motions[m], 1),
                             scene_mesh(bodies[k].b), true);
                for (int i = FIRST_RANDOM; i < FRAMES; i++) {
                    const geo_pose here = pose_of(i), there = geo_pose_compose(&motions[m], &here);
                    scene_ask(&s, &there, &second.frames[i]);
                    alg_answer *const a = &second.frames[i].values;
                    a->force = geo_pose_rotate(&back, a->force);
                    a->torque = geo_pose_rotate(&back, a->torque);
                    a->direction = geo_pose_rotate(&back, a->direction);
                    expect_near(&first.frames[i].values, a, v, only_exact, "moved", i);
                    frames += !only_exact;
                }
                scene_close(&s);
            }
        }
    }
    expect_all_entries(&t);
    cr_assert_gt(frames, 40 * (FRAMES - FIRST_RANDOM), "%d", frames);
}

/** Returns the variant in which the other body has the grid or the field. */
static const char *swapped_variant(int v, char *name, size_t size)
{
    static const char *const words[] = {",voxmap=moving", "field=moving,"};
    const char *const old = variants[v];
    for (int i = 0; i < 2; i++) {
        const char *const word = strstr(old, words[i]);
        if (word) {
            snprintf(name, size, "%.*s%s", (int)(word - old), old, word + strlen(words[i]));
            return name;
        }
    }
    const char *const more = entry_of(v) == &alg_vps ? ",voxmap=moving"
                             : entry_of(v) == &alg_pst || entry_of(v) == &alg_pst_exact
                                 ? ",field=moving"
                                 : "";
    snprintf(name, size, "%s%s", old, more);
    return name;
}

/** Exchanging the bodies exchanges force and torque. If one body has a grid or a field, the other
 * one gets it. */
Test(contract_answers, bodies_may_be_swapped)
{
    tally t = {0};
    int frames = 0;
    for (int v = next_variant(-1, 3); v < VARIANTS; v = next_variant(v, 3)) {
        const bool only_exact =
            is_one_of(variants[v], of_roles, sizeof of_roles / sizeof *of_roles);
        for (int k = next_bodies(-1, v, 5); k < BODIES; k = next_bodies(k, v, 5)) {
            char name[160];
            SCOPED_SCENE s = scene_open(variants[v], bodies[k].a, bodies[k].b);
            const vec3 centroid_a = s.pair.a.centroid, centroid_b = s.pair.b.centroid;
            ask_all(&s, &first);
            count(&t, v, &first);
            scene_close(&s);
            s = scene_open(swapped_variant(v, name, sizeof name), bodies[k].b, bodies[k].a);
            for (int i = FIRST_RANDOM; i < FRAMES; i++) {
                const geo_pose pose = pose_of(i), back = geo_pose_inverse(&pose);
                scene_ask(&s, &back, &second.frames[i]);
                alg_answer *const a = &second.frames[i].values;
                const vec3 lever = vec3_sub(geo_pose_apply(&pose, centroid_b), centroid_a);
                a->direction = vec3_scale(-1, geo_pose_rotate(&pose, a->direction));
                a->force = vec3_scale(-1, geo_pose_rotate(&pose, a->force));
                /* From the torque about A's centroid to that about B's. */
                a->torque = vec3_scale(-1, geo_pose_rotate(&pose, a->torque));
                a->torque = vec3_sub(a->torque, vec3_cross(lever, a->force));
                expect_near(&first.frames[i].values, a, v, only_exact, "swapped", i);
                frames += !only_exact;
            }
        }
    }
    expect_all_entries(&t);
    cr_assert_gt(frames, 20 * (FRAMES - FIRST_RANDOM), "%d", frames);
}
