/** Bodies for the tests of entries that use triangles, and reference distances. */
#ifndef ALGORITHMS_IST_TESTS_SOLIDS_H
#define ALGORITHMS_IST_TESTS_SOLIDS_H

#include "algorithms/tests/shapes.h"
#include "base/csv.h"
#include "geometry/mesh.h"

#include <unistd.h>

/** Returns a rotated body of two parts, a ball with a cavity and a box. */
static inline geo_mesh solid_with_cavity(void)
{
    geo_mesh mesh = shape_join(shape_ball((vec3){0, 0, 0}, 1, 4),
                               shape_reverse(shape_ball((vec3){0.2, 0, 0.1}, 0.5, 3)));
    mesh = shape_join(mesh, shape_box((vec3){1.1, -0.2, -0.8}, (vec3){1.6, 0.4, 0.9}));
    return shape_move(mesh, geo_pose_make((geo_quat){0.3, 0.1, -0.2, 0.9}, (vec3){0, 0, 0}), 1);
}

enum { REFERENCE_MAX = 64 };

/** Poses of a pair and its distances, computed by other programs. */
typedef struct reference {
    geo_mesh a, b;
    geo_pose poses[REFERENCE_MAX];
    double distances[REFERENCE_MAX];
    size_t count;
} reference;

static inline double reference_cell(const base_csv *table, size_t row, const char *column)
{
    double value;
    assert_ok(base_csv_number(table, row, base_csv_find(table, column), &value, ERR));
    return value;
}

/** Reads a reference. Returns false if ../shared/reference does not exist. */
static inline bool reference_open(const char *set, const char *file_a, const char *file_b,
                                  reference *r)
{
    char path[256];
    base_csv poses, expected;
    base_error err = {0};
    if (access("../shared/reference", R_OK) != 0) {
        return false;
    }
    cr_assert(geo_mesh_load(file_a, &r->a, &err) == BASE_OK &&
                  geo_mesh_load(file_b, &r->b, &err) == BASE_OK,
              "%s", err.text);
    snprintf(path, sizeof path, "../shared/reference/%s-distance.trajectory.csv", set);
    assert_ok(base_csv_read(path, NULL, &poses, ERR));
    snprintf(path, sizeof path, "../shared/reference/%s-distance.expected.csv", set);
    assert_ok(base_csv_read(path, NULL, &expected, ERR));
    cr_assert(poses.rows <= REFERENCE_MAX && poses.rows == expected.rows);
    r->count = poses.rows;
    for (size_t i = 0; i < r->count; i++) {
        static const char *const columns[7] = {"qx", "qy", "qz", "qw", "x_m", "y_m", "z_m"};
        double v[7];
        for (int k = 0; k < 7; k++) {
            v[k] = reference_cell(&poses, i, columns[k]);
        }
        r->poses[i] = geo_pose_make((geo_quat){v[0], v[1], v[2], v[3]}, (vec3){v[4], v[5], v[6]});
        r->distances[i] = reference_cell(&expected, i, "distance_m");
    }
    base_csv_release(&poses);
    base_csv_release(&expected);
    return true;
}

static inline void reference_close(reference *r)
{
    geo_mesh_release(&r->a);
    geo_mesh_release(&r->b);
}

#endif
