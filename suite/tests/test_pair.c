#include "base/memory.h"
#include "geometry/mesh.h"
#include "geometry/pose.h"
#include "geometry/vec.h"
#include "suite/inputs/pair.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[64];

static void enter_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/proxbench-test-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    cr_redirect_stderr();
}

static void leave_folder(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0) {
        fprintf(stderr, "cannot remove %s\n", folder);
    }
}

TestSuite(pair, .init = enter_folder, .fini = leave_folder);

/** Writes an axis-aligned box to a file, without the last `missing` of its 12 triangles. */
static const char *write_box(const char *name, vec3 lo, vec3 hi, int missing)
{
    static const int faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                     {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                     {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    static char paths[4][128];
    static int used;
    char *const path = paths[used++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    FILE *const file = fopen(path, "w");
    cr_assert_not_null(file);
    fprintf(file, "OFF\n8 %d 0\n", 12 - missing);
    for (int i = 0; i < 8; i++) {
        fprintf(file, "%.17g %.17g %.17g\n", i & 1 ? hi.x : lo.x, i & 2 ? hi.y : lo.y,
                i & 4 ? hi.z : lo.z);
    }
    for (int i = 0; i < 12 - missing; i++) {
        fprintf(file, "3 %d %d %d\n", faces[i][0], faces[i][1], faces[i][2]);
    }
    fclose(file);
    return path;
}

/** Opens two unit cubes: A away from the origin, B with a corner at it. */
static void open_cubes(bench_pair *pair)
{
    base_error err;
    const char *const a = write_box("a.off", vec3_make(1, 1, 1), vec3_make(2, 2, 2), 0);
    const char *const b = write_box("b.off", vec3_make(0, 0, 0), vec3_make(1, 1, 1), 0);
    cr_assert_eq(bench_pair_open(a, b, pair, &err), BASE_OK, "%s", err.text);
}

static geo_pose pose_at(double x, double y, double z, geo_quat q)
{
    return geo_pose_make(q, vec3_make(x, y, z));
}

Test(pair, frame)
{
    bench_pair pair;
    open_cubes(&pair);
    const vec3 half = vec3_make(0.5, 0.5, 0.5);
    cr_assert(vec3_equal(pair.centre_a, vec3_make(1.5, 1.5, 1.5)));
    cr_assert(vec3_equal(pair.a.view.box.hi, half));
    cr_assert(vec3_equal(pair.a.view.box.lo, vec3_scale(-1, half)));
    cr_assert(vec3_equal(pair.b.view.box.hi, vec3_make(1, 1, 1)), "B keeps its frame");
    cr_assert(vec3_equal(pair.sampler_view.box_a.lo, vec3_make(1, 1, 1)),
              "samplers see A as it is in its file");
    cr_assert_float_eq(pair.diagonal_a, sqrt(3), 1e-15);
    cr_assert(pair.has_volume && pair.a.view.solid && pair.b.view.solid);
    cr_assert_float_eq(pair.a.view.volume_m3, 1, 1e-15);
    cr_assert_float_eq(vec3_norm(pair.a.view.centroid), 0, 1e-15);
    cr_assert_float_eq(vec3_distance(pair.b.view.centroid, half), 0, 1e-15);
    const geo_pose pose = bench_pair_pose(&pair, vec3_make(4, 1, 1), geo_quat_identity());
    cr_assert(vec3_equal(pose.translation, vec3_make(2.5, -0.5, -0.5)));
    const geo_pose tiny =
        bench_pair_pose(&pair, vec3_make(1.5, 1.5, 1.5), (geo_quat){1e-40, 0, 0, 1});
    cr_assert_eq(tiny.rotation.row[1].z, 0, "entries below 2^-100 are 0 for all");
    bench_pair_close(&pair);
}

Test(pair, hash_is_of_the_mesh_as_read)
{
    bench_pair pair;
    geo_mesh mesh;
    base_error err;
    open_cubes(&pair);
    cr_assert_eq(geo_mesh_load(pair.a.reference, &mesh, &err), BASE_OK, "%s", err.text);
    const base_hash hash = geo_mesh_hash(&mesh);
    cr_assert(hash.hi == pair.a.hash.hi && hash.lo == pair.a.hash.lo);
    cr_assert(hash.lo != pair.b.hash.lo);
    geo_mesh_release(&mesh);
    bench_pair_close(&pair);
}

/** Unless B is rotated, its corner nearest to the origin is at the pose's translation. */
Test(pair, oracle_speaks_of_a_as_it_is_in_its_file)
{
    const double r = sqrt(0.5);
    const geo_quat straight = {0, 0, 0, 1}, quarter = {0, 0, r, r};
    const struct {
        geo_pose pose;
        double distance, volume;
    } rows[] = {
        {pose_at(4, 1, 1, straight), 2, 0},
        {pose_at(4, 1, 1, quarter), 1, 0},
        {pose_at(3, 3, 1, straight), sqrt(2), 0},
        {pose_at(-1, -1, -1, straight), sqrt(3), 0},
        {pose_at(1.5, 1, 1, straight), 0, 0.5},
        {pose_at(1.5, 1.25, 1.5, straight), 0, 0.1875},
        {pose_at(2.25, 1.125, 1, quarter), 0, 0.65625},
    };
    bench_pair pair;
    open_cubes(&pair);
    const scn_oracle oracle = bench_pair_oracle(&pair);
    cr_assert_not_null(oracle.volume);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double distance = NAN, volume = NAN;
        base_error err;
        cr_assert_eq(oracle.distance(oracle.context, &rows[i].pose, &distance, &err), BASE_OK);
        cr_assert_float_eq(distance, rows[i].distance, 1e-12, "row %zu: %.17g", i, distance);
        cr_assert_eq(oracle.volume(oracle.context, &rows[i].pose, &volume, &err), BASE_OK, "%s",
                     err.text);
        cr_assert_float_eq(volume, rows[i].volume, 1e-12, "row %zu: %.17g", i, volume);
    }
    bench_pair_close(&pair);
}

/** The boundary flux needs no tetrahedra, so sampling by volume does not need TetGen. */
Test(pair, oracle_asks_no_other_program_for_volumes)
{
    bench_pair pair;
    base_error err;
    double volume = NAN;
    open_cubes(&pair);
    cr_assert_eq(setenv("PATH", "/nowhere", 1), 0);
    const scn_oracle oracle = bench_pair_oracle(&pair);
    const geo_pose pose = pose_at(1.5, 1, 1, geo_quat_identity());
    cr_assert_eq(oracle.volume(oracle.context, &pose, &volume, &err), BASE_OK, "%s", err.text);
    cr_assert_float_eq(volume, 0.5, 1e-12, "%.17g", volume);
    cr_assert_eq(gt_body_tetrahedron_count(pair.a.truth), 0);
    bench_pair_close(&pair);
}

Test(pair, open_mesh_is_a_surface)
{
    bench_pair pair;
    base_error err;
    const char *const a = write_box("open.off", vec3_make(0, 0, 0), vec3_make(4, 4, 4), 1);
    const char *const b = write_box("b.off", vec3_make(0, 0, 0), vec3_make(1, 1, 1), 0);
    cr_assert_eq(bench_pair_open(a, b, &pair, &err), BASE_OK, "%s", err.text);
    cr_assert_not(pair.has_volume);
    cr_assert_eq(pair.a.view.volume_m3, 0);
    cr_assert_eq(pair.sampler_view.volume_a_m3, 0);
    cr_assert_float_eq(pair.sampler_view.volume_b_m3, 1, 1e-12);
    const scn_oracle oracle = bench_pair_oracle(&pair);
    cr_assert_null(oracle.volume);
    const geo_pose inside = pose_at(1, 1.5, 1.5, geo_quat_identity());
    double distance = NAN;
    cr_assert_eq(oracle.distance(oracle.context, &inside, &distance, &err), BASE_OK);
    cr_assert_float_eq(distance, 1, 1e-12, "%.17g", distance);
    bench_pair_close(&pair);
}

Test(pair, errors_leave_nothing_open)
{
    bench_pair pair;
    base_error err;
    const char *const a = write_box("a.off", vec3_make(1, 1, 1), vec3_make(2, 2, 2), 0);
    cr_assert_eq(bench_pair_open(a, "./missing.off", &pair, &err), BASE_ERR_SYSTEM);
    cr_assert(strstr(err.text, "missing.off"), "%s", err.text);
    cr_assert_null(pair.a.reference);
    size_t failures = 0;
    for (base_status status = BASE_ERR_MEMORY; status != BASE_OK; failures++) {
        base_memory_fail_after(failures);
        status = bench_pair_open(a, a, &pair, &err);
        base_memory_fail_after(SIZE_MAX);
        cr_assert(status == BASE_OK || status == BASE_ERR_MEMORY, "allocation %zu: %s", failures,
                  err.text);
    }
    cr_assert_gt(failures, 10u);
    bench_pair_close(&pair);
}

/* --- Trajectories ----------------------------------------------------------------------------- */

static void sample(bench_pair *pair, uint64_t seed, const char *cache, scn_trajectory *trajectory)
{
    base_error err;
    const scn_motion motion = {.sampler = {.kind = SCN_SPHERE,
                                           .target = SCN_TARGET_DISTANCE,
                                           .lo = 0.1,
                                           .hi = 0.5,
                                           .frames = 9,
                                           .seed = seed}};
    *trajectory = (scn_trajectory){0};
    cr_assert_eq(bench_pair_trajectory(pair, &motion, cache, true, trajectory, &err), BASE_OK, "%s",
                 err.text);
    cr_assert_eq(trajectory->frame_count, 9u);
}

/** Returns the path of the only file in the cache. */
static void cached_file(const char *cache, char *path, size_t size)
{
    char pattern[160];
    snprintf(pattern, sizeof pattern, "%s/trajectories/*", cache);
    glob_t found = {0};
    cr_assert_eq(glob(pattern, 0, NULL, &found), 0);
    cr_assert_eq(found.gl_pathc, 1u, "%zu files", found.gl_pathc);
    snprintf(path, size, "%s", found.gl_pathv[0]);
    globfree(&found);
}

static bool same_frames(const scn_trajectory *a, const scn_trajectory *b)
{
    bool same = a->frame_count == b->frame_count;
    for (size_t i = 0; same && i < a->frame_count; i++) {
        const scn_frame *const f = &a->frames[i], *const g = &b->frames[i];
        same = f->t_s == g->t_s && vec3_equal(f->position, g->position) &&
               memcmp(&f->orientation, &g->orientation, sizeof f->orientation) == 0;
    }
    return same;
}

Test(pair, sampled_frames_have_the_distances_asked_for)
{
    bench_pair pair;
    scn_trajectory trajectory;
    open_cubes(&pair);
    sample(&pair, 5, NULL, &trajectory);
    const scn_oracle oracle = bench_pair_oracle(&pair);
    for (size_t i = 0; i < trajectory.frame_count; i++) {
        const scn_frame *const f = &trajectory.frames[i];
        const geo_pose pose = geo_pose_make(f->orientation, f->position);
        double distance = NAN;
        base_error err;
        cr_assert_eq(oracle.distance(oracle.context, &pose, &distance, &err), BASE_OK);
        const double in_diagonals = distance / pair.diagonal_a;
        cr_assert(in_diagonals > 0.1 - 1e-6 && in_diagonals < 0.5 + 1e-6, "frame %zu: %.17g", i,
                  in_diagonals);
    }
    scn_trajectory_release(&trajectory);
    bench_pair_close(&pair);
}

Test(pair, a_trajectory_is_sampled_once)
{
    bench_pair pair;
    scn_trajectory first, second, other;
    char cache[96], path[256];
    snprintf(cache, sizeof cache, "%s/new/cache", folder);
    open_cubes(&pair);
    sample(&pair, 1, cache, &first);
    cached_file(cache, path, sizeof path);
    sample(&pair, 1, cache, &second);
    cr_assert(same_frames(&first, &second), "a file holds the bits that were sampled");
    scn_trajectory_release(&second);

    /* A cached file is used ... */
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs("frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw\n", file);
    for (int i = 0; i < 9; i++) {
        fprintf(file, "%d,0.00%d,7,8,9,0,0,0,1\n", i, i);
    }
    fclose(file);
    sample(&pair, 1, cache, &second);
    cr_assert_eq(second.frames[3].position.y, 8);
    scn_trajectory_release(&second);

    /* ... unless it is damaged. */
    file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs("frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw\n0,0,1,2", file);
    fclose(file);
    sample(&pair, 1, cache, &second);
    cr_assert(same_frames(&first, &second));
    cached_file(cache, path, sizeof path);

    /* Another seed gives another file. */
    remove(path);
    sample(&pair, 2, cache, &other);
    cr_assert_not(same_frames(&first, &other));
    char other_path[256];
    cached_file(cache, other_path, sizeof other_path);
    cr_assert_str_neq(path, other_path);
    scn_trajectory_release(&first);
    scn_trajectory_release(&second);
    scn_trajectory_release(&other);
    bench_pair_close(&pair);
}

Test(pair, a_scenario_with_a_file_reads_it)
{
    bench_pair pair;
    scn_trajectory sampled, read = {0};
    base_error err;
    char path[96];
    snprintf(path, sizeof path, "%s/t.csv", folder);
    open_cubes(&pair);
    sample(&pair, 1, NULL, &sampled);
    cr_assert_eq(bench_trajectory_write(&sampled, path, &err), BASE_OK, "%s", err.text);
    const scn_motion motion = {.path = path};
    cr_assert_eq(bench_pair_trajectory(&pair, &motion, "/dev/null", true, &read, &err), BASE_OK,
                 "%s", err.text);
    cr_assert_eq(read.frame_count, sampled.frame_count);
    cr_assert(vec3_equal(read.frames[4].position, sampled.frames[4].position));
    scn_trajectory_release(&sampled);
    scn_trajectory_release(&read);
    bench_pair_close(&pair);
}
