#include "base/memory.h"
#include "geometry/mesh.h"
#include "geometry/pose.h"
#include "geometry/vec.h"
#include "suite/inputs/pair.h"
#include "suite/tests/simulate.h"

#include <criterion/redirect.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Two unit cubes, opened by `enter`: A away from the origin, B with a corner at it. */
static bench_pair pair;
static char a_path[128], b_path[128];
static base_error err;

static void enter(void)
{
    enter_folder();
    cr_redirect_stderr();
    write_box("a.off", vec3_make(1, 1, 1), vec3_make(2, 2, 2), a_path);
    write_box("b.off", vec3_make(0, 0, 0), vec3_make(1, 1, 1), b_path);
    open_pair(a_path, b_path, &pair);
}

static void leave(void)
{
    bench_pair_close(&pair);
    leave_folder();
}

TestSuite(pair, .init = enter, .fini = leave);

static geo_pose pose_at(double x, double y, double z, geo_quat q)
{
    return geo_pose_make(q, vec3_make(x, y, z));
}

Test(pair, frame)
{
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
}

Test(pair, hash_is_of_the_mesh_as_read)
{
    SCOPED_MESH mesh;
    cr_assert_eq(geo_mesh_load(pair.a.reference, &mesh, &err), BASE_OK, "%s", err.text);
    const base_hash hash = geo_mesh_hash(&mesh);
    cr_assert(hash.hi == pair.a.hash.hi && hash.lo == pair.a.hash.lo);
    cr_assert(hash.lo != pair.b.hash.lo);
}

/** Unless B is rotated, its corner nearest to the origin is at the pose's translation. */
Test(pair, oracle_uses_the_frame_of_the_file_of_a)
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
    const scn_oracle oracle = bench_pair_oracle(&pair);
    cr_assert_not_null(oracle.volume);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double distance = NAN, volume = NAN;
        cr_assert_eq(oracle.distance(oracle.context, &rows[i].pose, &distance, &err), BASE_OK);
        cr_assert_float_eq(distance, rows[i].distance, 1e-12, "row %zu: %.17g", i, distance);
        cr_assert_eq(oracle.volume(oracle.context, &rows[i].pose, &volume, &err), BASE_OK, "%s",
                     err.text);
        cr_assert_float_eq(volume, rows[i].volume, 1e-12, "row %zu: %.17g", i, volume);
    }
}

/** The boundary flux needs no tetrahedra, so sampling by volume does not need TetGen. */
Test(pair, oracle_computes_volumes_without_tetgen)
{
    double volume = NAN;
    cr_assert_eq(setenv("PATH", "/nowhere", 1), 0);
    const scn_oracle oracle = bench_pair_oracle(&pair);
    const geo_pose pose = pose_at(1.5, 1, 1, geo_quat_identity());
    cr_assert_eq(oracle.volume(oracle.context, &pose, &volume, &err), BASE_OK, "%s", err.text);
    cr_assert_float_eq(volume, 0.5, 1e-12, "%.17g", volume);
    cr_assert_eq(gt_body_tetrahedron_count(pair.a.truth), 0);
}

Test(pair, open_mesh_is_a_surface)
{
    char path[128], command[300];
    write_box("open.off", vec3_make(0, 0, 0), vec3_make(4, 4, 4), path);
    snprintf(command, sizeof command, "sed -i -e '2s/12/11/' -e '$d' %s", path);
    cr_assert_eq(system(command), 0);
    bench_pair_close(&pair);
    open_pair(path, b_path, &pair);
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
}

Test(pair, errors_leave_nothing_open)
{
    bench_pair_close(&pair);
    cr_assert_eq(bench_pair_open(a_path, "./missing.off", &pair, &err), BASE_ERR_SYSTEM);
    cr_assert(strstr(err.text, "missing.off"), "%s", err.text);
    cr_assert_null(pair.a.reference);
    cr_assert_geq(COUNT_FAILURES(bench_pair_open(a_path, a_path, &pair, ERR), (void)0), 10);
}

/* --- Trajectories ----------------------------------------------------------------------------- */

static void sample(uint64_t seed, const char *cache, scn_trajectory *trajectory)
{
    const scn_motion motion = {.sampler = {.kind = SCN_SPHERE,
                                           .target = SCN_TARGET_DISTANCE,
                                           .lo = 0.1,
                                           .hi = 0.5,
                                           .frames = 9,
                                           .seed = seed}};
    *trajectory = (scn_trajectory){0};
    cr_assert_eq(bench_pair_trajectory(&pair, &motion, cache, true, trajectory, &err), BASE_OK,
                 "%s", err.text);
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

Test(pair, sampled_frames_have_the_requested_distances)
{
    SCOPED_TRAJECTORY trajectory;
    sample(5, NULL, &trajectory);
    const scn_oracle oracle = bench_pair_oracle(&pair);
    for (size_t i = 0; i < trajectory.frame_count; i++) {
        const scn_frame *const f = &trajectory.frames[i];
        const geo_pose pose = geo_pose_make(f->orientation, f->position);
        double distance = NAN;
        cr_assert_eq(oracle.distance(oracle.context, &pose, &distance, &err), BASE_OK);
        const double in_diagonals = distance / pair.diagonal_a;
        cr_assert(in_diagonals > 0.1 - 1e-6 && in_diagonals < 0.5 + 1e-6, "frame %zu: %.17g", i,
                  in_diagonals);
    }
}

Test(pair, a_trajectory_is_sampled_once)
{
    SCOPED_TRAJECTORY first, second, other;
    char cache[96], path[256];
    snprintf(cache, sizeof cache, "%s/new/cache", folder);
    sample(1, cache, &first);
    cached_file(cache, path, sizeof path);
    sample(1, cache, &second);
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
    sample(1, cache, &second);
    cr_assert_eq(second.frames[3].position.y, 8);
    scn_trajectory_release(&second);

    /* ... unless it is damaged. */
    file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs("frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw\n0,0,1,2", file);
    fclose(file);
    sample(1, cache, &second);
    cr_assert(same_frames(&first, &second));
    cached_file(cache, path, sizeof path);

    /* Another seed gives another file. */
    remove(path);
    sample(2, cache, &other);
    cr_assert_not(same_frames(&first, &other));
    char other_path[256];
    cached_file(cache, other_path, sizeof other_path);
    cr_assert_str_neq(path, other_path);
}

Test(pair, a_scenario_with_a_file_reads_it)
{
    SCOPED_TRAJECTORY sampled, read = {0};
    char path[96];
    snprintf(path, sizeof path, "%s/t.csv", folder);
    sample(1, NULL, &sampled);
    cr_assert_eq(bench_trajectory_write(&sampled, path, &err), BASE_OK, "%s", err.text);
    const scn_motion motion = {.path = path};
    cr_assert_eq(bench_pair_trajectory(&pair, &motion, "/dev/null", true, &read, &err), BASE_OK,
                 "%s", err.text);
    cr_assert_eq(read.frame_count, sampled.frame_count);
    cr_assert(vec3_equal(read.frames[4].position, sampled.frames[4].position));
}
