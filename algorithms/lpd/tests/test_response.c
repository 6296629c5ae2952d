/** Contacts, forces and entries of regions whose translations are given; shortest translations
 * out of several regions, compared with all subsets of at most three; directions of the previous
 * frame. */
#include "algorithms/lpd/response.h"
#include "algorithms/lpd/tests/drawing.h"
#include "base/tests/support.h"

#include <criterion/criterion.h>
#include <string.h>

static const vec3 X = {1, 0, 0}, Y = {0, 1, 0}, Z = {0, 0, 1};

enum { REGIONS_MAX = 4, CONTACTS_MAX = 64 };

/** Makes regions with ways out along the third axes of the boxes and the given depths. */
static alg_lpd_regions regions_of(const drawing *d, const double *depths,
                                  alg_lpd_region items[REGIONS_MAX])
{
    for (uint32_t i = 0; i < d->groups.count; i++) {
        const alg_lpd_box box = d->groups.items[i].box;
        items[i] = (alg_lpd_region){{box.axis[2], depths[i]}, box, d->groups.items[i].patch, i};
    }
    return (alg_lpd_regions){&d->segments, &d->curves, &d->groups, items, d->groups.count};
}

/** Draws a square of side 2 at a height of 3. */
static drawing square(void)
{
    drawing d = drawing_begin(16);
    drawing_rectangle(&d, (vec3){1, 2, 3}, X, Y, false);
    drawing_merge(&d, 0);
    return d;
}

/* --- Contacts --------------------------------------------------------------------------------- */

Test(response, contacts_of_a_square_are_its_corners)
{
    SCOPED_DRAWING d = square();
    alg_lpd_region items[REGIONS_MAX];
    alg_contact c[CONTACTS_MAX];
    const alg_lpd_regions r = regions_of(&d, (double[]){0.25}, items);
    cr_assert_eq(alg_lpd_contacts(&r, c, CONTACTS_MAX), 4);
    for (uint32_t i = 0; i < 4; i++) {
        cr_assert(vec3_equal(c[i].point, d.segments.items[i].end[0]), "contact %u", i);
        cr_assert(vec3_equal(c[i].normal, Z) && c[i].depth_m == 0.25, "contact %u", i);
    }
}

/** The curve rises along x, and the way out is up: the far end is 0.5 ahead, the near end 0.5
 * behind. */
Test(response, contacts_ahead_are_deeper)
{
    static const double depths[] = {0.75, 0.25};
    for (int i = 0; i < 2; i++) {
        for (int down = 0; down < 2; down++) {
            SCOPED_DRAWING d = drawing_begin(4);
            drawing_rectangle(&d, (vec3){0, 0, 0}, (vec3){1, 0, 0.5}, Y, false);
            drawing_merge(&d, 0);
            alg_lpd_region items[REGIONS_MAX];
            alg_contact c[CONTACTS_MAX];
            const alg_lpd_regions r = regions_of(&d, &depths[i], items);
            items[0].translation.direction = down ? vec3_scale(-1, Z) : Z;
            cr_assert_eq(alg_lpd_contacts(&r, c, CONTACTS_MAX), 4);
            for (uint32_t k = 0; k < 4; k++) {
                const double ahead = (down ? -0.5 : 0.5) * c[k].point.x;
                const double expected = depths[i] + ahead > 0 ? depths[i] + ahead : 0;
                cr_assert_float_eq(c[k].depth_m, expected, 1e-15, "depth %g, at %g: %g", depths[i],
                                   c[k].point.x, c[k].depth_m);
            }
        }
    }
}

/** The end of an open curve is a point, too, and so are the ends at a gap, in whichever direction
 * segments run. */
Test(response, contacts_are_all_points_of_open_curves)
{
    const vec3 p[3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}};
    for (int against = 0; against < 2; against++) {
        SCOPED_DRAWING d = drawing_begin(8);
        drawing_curve(&d, p, 3, false, against);
        drawing_link(&d, (vec3){5, 0, 0}, (vec3){6, 0, 0}, against);
        drawing_link(&d, (vec3){7, 0, 0}, (vec3){7, 1, 0}, against);
        drawing_link(&d, (vec3){7, 1, 0}, (vec3){5, 0, 0}, against);
        drawing_finish(&d, true);
        drawing_merge(&d, 0);
        alg_lpd_region items[REGIONS_MAX];
        alg_contact c[CONTACTS_MAX];
        const alg_lpd_regions r = regions_of(&d, (double[]){1, 2}, items);
        cr_assert_eq(alg_lpd_contacts(&r, c, CONTACTS_MAX), 7);
        static const double expected[7][2] = {{0, 0}, {1, 0}, {1, 1}, {5, 0},
                                              {6, 0}, {7, 0}, {7, 1}};
        for (int i = 0; i < 7; i++) {
            cr_assert(c[i].point.x == expected[i][0] && c[i].point.y == expected[i][1],
                      "against %d, contact %d: %g %g", against, i, c[i].point.x, c[i].point.y);
            cr_assert_eq(c[i].depth_m, i < 3 ? 1 : 2, "contact %d", i);
        }
    }
}

/** An open curve may end where it begins without being closed. */
Test(response, contacts_of_an_open_curve_have_both_ends)
{
    SCOPED_DRAWING d = drawing_begin(4);
    drawing_link(&d, Z, X, false);
    drawing_link(&d, X, Z, false);
    drawing_finish(&d, false);
    drawing_merge(&d, 0);
    alg_lpd_region items[REGIONS_MAX];
    alg_contact c[CONTACTS_MAX];
    const alg_lpd_regions r = regions_of(&d, (double[]){1}, items);
    cr_assert_eq(alg_lpd_contacts(&r, c, CONTACTS_MAX), 3);
}

Test(response, contacts_are_counted_beyond_the_room)
{
    SCOPED_DRAWING d = square();
    alg_lpd_region items[REGIONS_MAX];
    const alg_lpd_regions r = regions_of(&d, (double[]){1}, items);
    alg_contact all[4];
    alg_lpd_contacts(&r, all, 4);
    for (uint32_t room = 0; room <= 5; room++) {
        alg_contact some[6];
        memset(some, 0x55, sizeof some);
        alg_contact untouched = some[5];
        cr_assert_eq(alg_lpd_contacts(&r, room ? some : NULL, room), 4, "room %u", room);
        for (uint32_t i = 0; i < 6; i++) {
            const alg_contact *const expected = i < room && i < 4 ? &all[i] : &untouched;
            cr_assert_eq(memcmp(&some[i], expected, sizeof *some), 0, "room %u: %u", room, i);
        }
    }
}

/* --- Forces ----------------------------------------------------------------------------------- */

Test(response, forces_are_depth_times_area_at_the_middle)
{
    SCOPED_DRAWING d = square();
    alg_lpd_region items[REGIONS_MAX];
    const alg_lpd_regions r = regions_of(&d, (double[]){0.25}, items);
    const alg_lpd_wrench here = alg_lpd_force(&r, ALG_LPD_ALONG_DEPTH, (vec3){1, 2, 7});
    cr_assert(vec3_equal(here.force, (vec3){0, 0, 1}), "4 m2 times 0.25 m");
    cr_assert(vec3_equal(here.torque, (vec3){0, 0, 0}), "the lever is along the force");
    /* A point 2 beside the square: the force lifts B on the side of positive x, about -y. */
    const alg_lpd_wrench beside = alg_lpd_force(&r, ALG_LPD_ALONG_DEPTH, (vec3){-1, 2, 0});
    cr_assert(vec3_equal(beside.torque, (vec3){0, -2, 0}), "%g", beside.torque.y);
}

/** The way out points down, or is not perpendicular to the plane of the curve: the area is
 * projected along it. */
Test(response, forces_take_the_area_that_is_seen)
{
    static const vec3 translations[] = {{0, 0, -1}, {0.6, 0, 0.8}, {0, -0.6, -0.8}, {1, 0, 0}};
    static const double areas[] = {4, 3.2, 3.2, 0};
    for (int i = 0; i < 4; i++) {
        SCOPED_DRAWING d = square();
        alg_lpd_region items[REGIONS_MAX];
        const alg_lpd_regions r = regions_of(&d, (double[]){0.5}, items);
        items[0].translation.direction = translations[i];
        const vec3 force = alg_lpd_force(&r, ALG_LPD_ALONG_DEPTH, X).force;
        cr_assert_leq(vec3_distance(force, vec3_scale(0.5 * areas[i], translations[i])), 1e-15,
                      "way %d", i);
    }
}

/** Along the vector area, the direction of the depth does not matter, and the torque is that of the
 * whole surface. */
Test(response, forces_along_the_area)
{
    const vec3 translations[] = {{0, 0, 1}, {0.6, 0, 0.8}, {1, 0, 0}, {0, 0, -1}};
    for (int i = 0; i < 4; i++) {
        SCOPED_DRAWING d = drawing_begin(16);
        const vec3 p[5] = {{0, 0, 1}, {3, 0, 1}, {3, 1, 1}, {1, 1, 1}, {0, 2, 1}};
        drawing_curve(&d, p, 5, true, false);
        drawing_merge(&d, 0);
        alg_lpd_region items[REGIONS_MAX];
        const alg_lpd_regions r = regions_of(&d, (double[]){0.5}, items);
        items[0].translation.direction = translations[i];
        items[0].box.centre = (vec3){50, 50, 50}; /* centre of the way's box, which must not
                                                     matter */
        const alg_lpd_wrench w = alg_lpd_force(&r, ALG_LPD_ALONG_AREA, (vec3){0, 0, -2});
        /* A rectangle of 3 x 1 with a triangle of area 1/2 on it. */
        const vec3 middle = {(1.5 * 3 + 0.5 / 3) / 3.5, (0.5 * 3 + 0.5 * 4 / 3) / 3.5, 3};
        const vec3 force = {0, 0, 0.5 * 3.5};
        cr_assert(vec3_distance(w.force, force) < 1e-14, "way %d: %g", i, w.force.z);
        cr_assert(vec3_distance(w.torque, vec3_cross(middle, force)) < 1e-13, "way %d: %g %g", i,
                  w.torque.x, w.torque.y);
    }
}

/** Two squares on both sides of the centroid push apart; their forces and torques are added. */
Test(response, forces_of_regions_are_added)
{
    SCOPED_DRAWING d = drawing_begin(8);
    drawing_rectangle(&d, (vec3){3, 0, 0}, X, Y, false);
    drawing_rectangle(&d, (vec3){-3, 0, 0}, X, Y, true);
    drawing_merge(&d, 1);
    alg_lpd_region items[REGIONS_MAX];
    const alg_lpd_regions r = regions_of(&d, (double[]){0.5, 0.25}, items);
    cr_assert_eq(r.count, 2);
    const alg_lpd_wrench both = alg_lpd_force(&r, ALG_LPD_ALONG_DEPTH, (vec3){0, 0, 0});
    cr_assert(vec3_equal(both.force, (vec3){0, 0, 3}), "%g", both.force.z);
    cr_assert(vec3_equal(both.torque, (vec3){0, -3, 0}), "%g", both.torque.y);
    items[1].translation.direction = vec3_scale(-1, Z);
    const alg_lpd_wrench couple = alg_lpd_force(&r, ALG_LPD_ALONG_DEPTH, (vec3){0, 0, 0});
    cr_assert(vec3_equal(couple.force, (vec3){0, 0, 1}), "%g", couple.force.z);
    cr_assert(vec3_equal(couple.torque, (vec3){0, -9, 0}), "%g", couple.torque.y);
}

/** Moving and rotating everything rotates forces and torques. */
Test(response, forces_turn_with_the_bodies)
{
    base_random random = base_random_seed(21);
    for (int round = 0; round < 100; round++) {
        const geo_pose pose = {geo_quat_matrix(geo_random_rotation(&random)),
                               drawing_point(&random, 2)};
        const vec3 about = drawing_point(&random, 1);
        alg_lpd_wrench w[2];
        vec3 translation = {0, 0, 0};
        drawing d[2] = {drawing_begin(16), drawing_begin(16)};
        vec3 p[2][7];
        for (int i = 0; i < 7; i++) {
            const vec3 q = drawing_point(&random, 1);
            p[0][i] = (vec3){q.x, 0.5 * q.y, 0.2 * q.z};
            p[1][i] = geo_pose_apply(&pose, p[0][i]);
        }
        for (int k = 0; k < 2; k++) {
            drawing_curve(&d[k], p[k], 7, round & 1, false);
            drawing_merge(&d[k], 0);
            alg_lpd_region items[REGIONS_MAX];
            const alg_lpd_regions r = regions_of(&d[k], (double[]){0.3}, items);
            translation = k ? geo_pose_rotate(&pose, translation) : items[0].translation.direction;
            items[0].translation.direction = translation;
            w[k] = alg_lpd_force(&r, ALG_LPD_ALONG_DEPTH, k ? geo_pose_apply(&pose, about) : about);
        }
        cr_assert_leq(vec3_distance(w[1].force, geo_pose_rotate(&pose, w[0].force)), 1e-13, "%d",
                      round);
        cr_assert_leq(vec3_distance(w[1].torque, geo_pose_rotate(&pose, w[0].torque)), 1e-13, "%d",
                      round);
        drawing_end(&d[0]);
        drawing_end(&d[1]);
    }
}

/* --- Entries ---------------------------------------------------------------------------------- */

Test(response, entries_say_what_regions_are)
{
    SCOPED_DRAWING d = square();
    drawing_curve(&d, (vec3[]){{9, 0, 0}, {9, 4, 0}, {9, 4, 2}}, 3, false, false);
    drawing_merge(&d, 0);
    alg_lpd_region items[REGIONS_MAX];
    alg_region e[3];
    const alg_lpd_regions r = regions_of(&d, (double[]){0.25, 0.5}, items);
    memset(e, 0x55, sizeof e);
    const alg_region untouched = e[2];
    cr_assert_eq(alg_lpd_entries(&r, e, 1), 2);
    cr_assert_eq(memcmp(&e[1], &untouched, sizeof untouched), 0);
    cr_assert_eq(alg_lpd_entries(&r, NULL, 0), 2);
    cr_assert_eq(alg_lpd_entries(&r, e, 3), 2);
    cr_assert_eq(memcmp(&e[2], &untouched, sizeof untouched), 0);
    for (uint32_t i = 0; i < 2; i++) {
        const alg_lpd_box *const box = &items[i].box;
        cr_assert(vec3_equal(e[i].direction, box->axis[2]) && vec3_equal(e[i].point, box->centre));
        cr_assert(vec3_equal(e[i].side_u, box->axis[0]) && vec3_equal(e[i].side_v, box->axis[1]));
        cr_assert(e[i].half_u_m == box->half[0] && e[i].half_v_m == box->half[1], "entry %u", i);
        cr_assert_eq(e[i].depth_m, i ? 0.5 : 0.25);
        cr_assert_float_eq(e[i].area_m2, 4, 1e-14, "entry %u: %g", i, e[i].area_m2);
        cr_assert_eq(e[i].loop, i == 0, "entry %u", i);
    }
}

/** Regions without a known way out are left out; the others are not affected. */
Test(response, regions_without_a_depth_are_left_out)
{
    SCOPED_DRAWING d = drawing_begin(8);
    drawing_rectangle(&d, (vec3){3, 0, 0}, X, Y, false);
    drawing_rectangle(&d, (vec3){-3, 0, 0}, X, Y, false);
    drawing_merge(&d, 1);
    for (int k = 0; k < 2; k++) {
        const double depths[2] = {k ? 0.5 : (double)INFINITY, k ? (double)INFINITY : 0.5};
        alg_lpd_region items[REGIONS_MAX];
        alg_contact c[CONTACTS_MAX];
        alg_region e[2];
        const alg_lpd_regions r = regions_of(&d, depths, items);
        const alg_lpd_wrench w = alg_lpd_force(&r, ALG_LPD_ALONG_DEPTH, (vec3){0, 0, 0});
        const double side = k ? 3 : -3;
        cr_assert(vec3_equal(w.force, (vec3){0, 0, 2}) && w.torque.y == -2 * side);
        cr_assert_eq(alg_lpd_contacts(&r, c, CONTACTS_MAX), 4);
        cr_assert_leq(fabs(c[0].point.x - side), 1);
        cr_assert_eq(alg_lpd_entries(&r, e, 2), 1);
        cr_assert(e[0].depth_m == 0.5 && e[0].point.x == side);
    }
}

Test(response, of_no_region_is_nothing)
{
    SCOPED_DRAWING d = drawing_begin(0);
    const alg_lpd_regions r = {&d.segments, &d.curves, &d.groups, NULL, 0};
    const alg_lpd_wrench w = alg_lpd_force(&r, ALG_LPD_ALONG_DEPTH, X);
    cr_assert(vec3_equal(w.force, (vec3){0, 0, 0}) && vec3_equal(w.torque, (vec3){0, 0, 0}));
    cr_assert(alg_lpd_contacts(&r, NULL, 0) == 0 && alg_lpd_entries(&r, NULL, 0) == 0);
}

/* --- Translations out of all regions ---------------------------------------------------------- */

enum { MANY = 256 };

static alg_lpd_region region_of(vec3 direction, double depth_m)
{
    return (alg_lpd_region){.translation = {vec3_normalize(direction), depth_m}};
}

static bool satisfies(const alg_lpd_region *regions, uint32_t count, vec3 t, double slack)
{
    for (uint32_t i = 0; i < count; i++) {
        const alg_lpd_translation *const translation = &regions[i].translation;
        if (isfinite(translation->depth_m) &&
            vec3_dot(translation->direction, t) < translation->depth_m - slack) {
            return false;
        }
    }
    return true;
}

/** Returns the shortest point on the planes of up to three regions, by their normals: t = sum of
 * x_i n_i. */
static bool least_of_planes(const alg_lpd_translation **translations, uint32_t count, vec3 *t)
{
    double m[3][4];
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < count; k++) {
            m[i][k] = vec3_dot(translations[i]->direction, translations[k]->direction);
        }
        m[i][count] = translations[i]->depth_m;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t pivot = i;
        for (uint32_t k = i + 1; k < count; k++) {
            pivot = fabs(m[k][i]) > fabs(m[pivot][i]) ? k : pivot;
        }
        for (uint32_t k = 0; k <= count; k++) {
            const double x = m[i][k];
            m[i][k] = m[pivot][k];
            m[pivot][k] = x;
        }
        if (fabs(m[i][i]) < 1e-10) {
            return false;
        }
        for (uint32_t k = 0; k < count; k++) {
            const double times = k == i ? 0 : m[k][i] / m[i][i];
            for (uint32_t j = 0; j <= count; j++) {
                m[k][j] -= times * m[i][j];
            }
        }
    }
    *t = (vec3){0, 0, 0};
    for (uint32_t i = 0; i < count; i++) {
        *t = vec3_madd(*t, m[i][count] / m[i][i], translations[i]->direction);
    }
    return true;
}

/** Returns the length of the shortest t over all active sets; infinity if no t satisfies the
 * regions. */
static double plain_least(const alg_lpd_region *regions, uint32_t count, double slack)
{
    double least = INFINITY;
    if (satisfies(regions, count, (vec3){0, 0, 0}, 0)) {
        return 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = i; j < count; j++) {
            for (uint32_t k = j; k < count; k++) {
                const alg_lpd_translation *translations[3] = {
                    &regions[i].translation, &regions[j].translation, &regions[k].translation};
                const uint32_t active = i == j ? 1 : j == k ? 2 : 3;
                translations[1] = i == j ? translations[2] : translations[1];
                vec3 t;
                if ((i == j && j != k) || !isfinite(regions[i].translation.depth_m) ||
                    !isfinite(regions[j].translation.depth_m) ||
                    !isfinite(regions[k].translation.depth_m)) {
                    continue;
                }
                if (least_of_planes(translations, active, &t) &&
                    satisfies(regions, count, t, slack)) {
                    least = vec3_norm(t) < least ? vec3_norm(t) : least;
                }
            }
        }
    }
    return least;
}

Test(lpd_translation, by_hand)
{
    const double inf = INFINITY;
    vec3 t = {7, 7, 7};
    cr_assert(alg_lpd_translation_of_all(NULL, 0, 10, &t) && vec3_norm(t) == 0);
    alg_lpd_region r[4] = {region_of((vec3){0, 0, 1}, 2)};
    cr_assert(alg_lpd_translation_of_all(r, 1, 10, &t) && vec3_equal(t, (vec3){0, 0, 2}));
    r[1] = region_of((vec3){1, 0, 0}, 1);
    cr_assert(alg_lpd_translation_of_all(r, 2, 10, &t));
    cr_assert(vec3_distance(t, (vec3){1, 0, 2}) < 1e-15, "%g %g %g", t.x, t.y, t.z);
    r[2] = region_of((vec3){0, -1, 0}, 3);
    cr_assert(alg_lpd_translation_of_all(r, 3, 10, &t) &&
              vec3_distance(t, (vec3){1, -3, 2}) < 1e-14);
    /* A region that the others imply, and one without a way out. */
    r[3] = region_of((vec3){1, 0, 1}, 2);
    cr_assert(alg_lpd_translation_of_all(r, 4, 10, &t) &&
              vec3_distance(t, (vec3){1, -3, 2}) < 1e-14);
    r[3] = region_of((vec3){-1, 0, 0}, inf);
    cr_assert(alg_lpd_translation_of_all(r, 4, 10, &t) &&
              vec3_distance(t, (vec3){1, -3, 2}) < 1e-14);
    /* Opposed regions; t is not changed. */
    r[3] = region_of((vec3){-1, 0, 0}, 0.5);
    t = (vec3){5, 5, 5};
    cr_assert(!alg_lpd_translation_of_all(r, 4, 10, &t) && t.x == 5);
    r[0] = region_of((vec3){1, 0, 0}, 0);
    r[1] = region_of((vec3){-1, 0, 0}, 0.5);
    cr_assert(alg_lpd_translation_of_all(r, 1, 10, &t) && vec3_norm(t) == 0);
    cr_assert(!alg_lpd_translation_of_all(r, 2, 10, &t));
    /* The translation out of two nearly opposed regions is too long. */
    r[0] = region_of((vec3){1, 1e-3, 0}, 1);
    r[1] = region_of((vec3){-1, 1e-3, 0}, 1);
    cr_assert(!alg_lpd_translation_of_all(r, 2, 900, &t));
    cr_assert(alg_lpd_translation_of_all(r, 2, 1100, &t));
    cr_assert(fabs(t.y - 1000) < 1e-2 && fabs(t.x) < 1e-9, "%g %g", t.x, t.y);
    /* Three regions in a plane that exclude each other. */
    r[0] = region_of((vec3){1, 0, 0}, 1);
    r[1] = region_of((vec3){-1, 2, 0}, 1);
    r[2] = region_of((vec3){-1, -2, 0}, 1);
    cr_assert(!alg_lpd_translation_of_all(r, 3, 1e6, &t));
}

/** Random sets, including repeated normals and opposed regions. */
Test(lpd_translation, is_the_least_of_all_active_sets)
{
    base_random random = base_random_seed(9);
    int feasible = 0, opposed = 0;
    for (int round = 0; round < 4000; round += (int)sweep_step(5)) {
        const uint32_t count = 1 + (uint32_t)base_random_below(&random, 12);
        const double lean = base_random_range(&random, 0, 2);
        alg_lpd_region r[12];
        for (uint32_t i = 0; i < count; i++) {
            const vec3 n = vec3_madd((vec3){0, 0, lean}, 1, geo_random_direction(&random));
            const bool again = i > 0 && base_random_below(&random, 5) == 0;
            r[i] = region_of(again ? r[i - 1].translation.direction : n, base_random_unit(&random));
            if (base_random_below(&random, 10) == 0) {
                r[i].translation.depth_m = base_random_below(&random, 2) ? 0 : (double)INFINITY;
            }
        }
        const double least = plain_least(r, count, 1e-9);
        vec3 t;
        const bool found = alg_lpd_translation_of_all(r, count, 1000, &t);
        cr_assert(found == (least <= 1000) || fabs(least - 1000) < 1, "round %d: %g", round, least);
        if (found) {
            cr_assert(satisfies(r, count, t, 2e-9), "round %d", round);
            cr_assert(fabs(vec3_norm(t) - least) < 1e-6 * (1 + least), "round %d: %.12g, not %.12g",
                      round, vec3_norm(t), least);
        }
        feasible += found && least > 0;
        opposed += !found;
    }
    cr_assert(feasible > 300 && opposed > 60, "%d, %d", feasible, opposed);
}

/** No random point that satisfies all regions is nearer to 0. */
Test(lpd_translation, of_many_regions)
{
    base_random random = base_random_seed(10);
    for (int round = 0; round < 20; round++) {
        alg_lpd_region r[MANY];
        for (uint32_t i = 0; i < MANY; i++) {
            const vec3 n = vec3_madd((vec3){0, 0, 1.2}, 1, geo_random_direction(&random));
            r[i] = region_of(n, base_random_unit(&random));
        }
        vec3 t;
        cr_assert(alg_lpd_translation_of_all(r, MANY, 1e4, &t), "round %d", round);
        cr_assert(satisfies(r, MANY, t, 1e-7), "round %d", round);
        const double length = vec3_norm(t);
        for (int k = 0; k < 2000; k++) {
            const vec3 other = vec3_madd(t, 0.1 * length, drawing_point(&random, 1));
            cr_assert(vec3_norm(other) > length * (1 - 1e-6) || !satisfies(r, MANY, other, 0),
                      "round %d: %g", round, vec3_norm(other) / length);
        }
    }
}

/* --- Directions of the previous frame --------------------------------------------------------- */

static alg_lpd_region region_at(double x, vec3 direction)
{
    alg_lpd_region region = {.translation = {direction, 0.5}};
    region.box = (alg_lpd_box){.centre = {x, 0, 0}, .half = {1, 0.5, 0.25}};
    return region;
}

/** The nearer of two regions is taken as the same region. A region farther away than the box's
 * diagonal is another region. */
Test(lpd_coherence, nearest_of_the_frame_before)
{
    alg_lpd_past past = {0};
    const alg_lpd_region before[] = {region_at(0, vec3_make(0, 0, 1)),
                                     region_at(1, vec3_make(0, 1, 0))};
    vec3 direction = {7, 7, 7};
    alg_lpd_box box = before[0].box;
    cr_assert(!alg_lpd_past_direction(&past, &box, &direction), "nothing is before the first");
    cr_assert_eq(direction.x, 7);
    alg_lpd_past_keep(&past, before, 2);
    const struct {
        double x;
        int region; /* -1: no region */
    } cases[] = {{0.4, 0}, {0.6, 1}, {-2.2, 0}, {-2.4, -1}, {3.2, 1}, {3.4, -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        box.centre.x = cases[i].x;
        const bool found = alg_lpd_past_direction(&past, &box, &direction);
        cr_assert_eq(found, cases[i].region >= 0, "at %g", cases[i].x);
        cr_assert(!found || vec3_equal(direction, before[cases[i].region].translation.direction),
                  "at %g", cases[i].x);
    }
}

/** Only regions of the last frame count, and at most ALG_LPD_PAST_MAX of them. */
Test(lpd_coherence, keeps_the_last_frame)
{
    alg_lpd_past past = {0};
    alg_lpd_region many[ALG_LPD_PAST_MAX + 1];
    for (uint32_t i = 0; i <= ALG_LPD_PAST_MAX; i++) {
        many[i] = region_at(10.0 * i, vec3_make(0, 0, 1));
    }
    vec3 direction;
    alg_lpd_past_keep(&past, many, ALG_LPD_PAST_MAX + 1);
    cr_assert_eq(past.count, ALG_LPD_PAST_MAX);
    cr_assert(alg_lpd_past_direction(&past, &many[ALG_LPD_PAST_MAX - 1].box, &direction));
    cr_assert(!alg_lpd_past_direction(&past, &many[ALG_LPD_PAST_MAX].box, &direction));
    alg_lpd_past_keep(&past, many, 1);
    cr_assert(!alg_lpd_past_direction(&past, &many[1].box, &direction));
    many[0].translation.depth_m = (double)INFINITY;
    alg_lpd_past_keep(&past, many, 2);
    cr_assert_eq(past.count, 1, "a way that is not known is not kept");
    cr_assert(!alg_lpd_past_direction(&past, &many[0].box, &direction));
    alg_lpd_past_keep(&past, many, 0);
    cr_assert(!alg_lpd_past_direction(&past, &many[0].box, &direction));
}
