/** Compares brackets of the volume with the exact volumes of the reference bodies in ../shared. */
#ifndef ALGORITHMS_BOUNDS_TESTS_REFERENCE_H
#define ALGORITHMS_BOUNDS_TESTS_REFERENCE_H

#include "algorithms/tests/pair.h"
#include "base/csv.h"
#include "geometry/mesh.h"

#include <stdio.h>
#include <unistd.h>

static inline void read_table(const char *set, const char *kind, base_csv *table)
{
    char path[256];
    snprintf(path, sizeof path, "../shared/reference/%s-volume.%s.csv", set, kind);
    assert_ok(base_csv_read(path, NULL, table, ERR));
}

static inline double cell(const base_csv *table, size_t row, const char *column)
{
    double value;
    assert_ok(base_csv_number(table, row, base_csv_find(table, column), &value, ERR));
    return value;
}

/** Compares every `step`th pose of the set with its exact volume. */
static inline void check_reference(const char *set, const char *file_a, const char *file_b,
                                   size_t step)
{
    if (access("../shared/reference", R_OK) != 0) {
        cr_skip_test("skipped: ../shared is not there");
    }
    SCOPED_MESH a, b;
    base_error err = {0};
    cr_assert(geo_mesh_load(file_a, &a, &err) == BASE_OK &&
                  geo_mesh_load(file_b, &b, &err) == BASE_OK,
              "%s", err.text);
    const vec3 centre = geo_box_centre(geo_mesh_box(&a));
    geo_mesh_translate(&a, vec3_scale(-1, centre));
    SCOPED_PAIR p = pair_open("bounds-budget:cells=64,voxels=8", &a, &b, ALG_WANT_VOLUME);
    SCOPED_CSV poses, expected;
    read_table(set, "trajectory", &poses);
    read_table(set, "expected", &expected);
    double width = 0, error = 0;
    size_t count = 0;
    for (size_t f = 0; f < poses.rows; f += step) {
        const geo_quat q = {cell(&poses, f, "qx"), cell(&poses, f, "qy"), cell(&poses, f, "qz"),
                            cell(&poses, f, "qw")};
        const vec3 at = {cell(&poses, f, "x_m"), cell(&poses, f, "y_m"), cell(&poses, f, "z_m")};
        const geo_pose pose = geo_pose_make(q, vec3_sub(at, centre));
        const double truth = cell(&expected, f, "volume_m3");
        const alg_answer x = pair_ask(&p, &pose);
        cr_assert(x.volume_lo_m3 <= truth * (1 + 1e-11) && x.volume_hi_m3 >= truth * (1 - 1e-11),
                  "frame %zu: %.17g to %.17g for %.17g", f, x.volume_lo_m3, x.volume_hi_m3, truth);
        width += (x.volume_hi_m3 - x.volume_lo_m3) / truth;
        error += fabs(x.volume_m3 - truth) / truth;
        count++;
    }
    cr_assert_gt(count, 0);
    width /= (double)count;
    error /= (double)count;
    cr_assert_lt(width, 0.08, "%s: brackets of %.3f %%", set, 100 * width);
    cr_assert_lt(error, 0.005, "%s: %.3f %% off", set, 100 * error);
}

#endif
