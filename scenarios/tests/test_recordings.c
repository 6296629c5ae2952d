/** The frames of committed recordings must not change. */
#include "base/hash.h"
#include "scenarios/trajectories/trajectory.h"

#include <criterion/criterion.h>
#include <string.h>

/** Returns the hash of the bits of time, position and orientation of all frames. */
static base_hash_text hash_of(const scn_trajectory *t)
{
    base_hasher *const hasher = base_hasher_create();
    cr_assert_not_null(hasher);
    for (size_t i = 0; i < t->frame_count; i++) {
        const scn_frame *const f = &t->frames[i];
        const double values[] = {f->t_s,           f->position.x,    f->position.y,
                                 f->position.z,    f->orientation.x, f->orientation.y,
                                 f->orientation.z, f->orientation.w};
        base_hasher_add(hasher, values, sizeof values);
    }
    return base_hash_format(base_hasher_finish(hasher));
}

Test(recordings, frames_are_the_same_for_ever)
{
    static const struct {
        const char *name;
        size_t frames;
        const char *hash, *source;
    } recordings[] = {
        {"peg", 361, "c0d1820eab6b8fbdcff2f37e34d6517a", "simulate peg: exact-volume by force;"},
        {"scrape", 401, "93a7f089fde9839eda40ef42c17be593",
         "simulate scrape: exact-volume by force;"},
        {"nut", 501, "5a2af371fdaa7e39440fedd5cf64f35c", "simulate nut: exact-volume by force;"},
        {"press", 361, "05199886598d39b31f9630fd3a8242e8",
         "simulate press: exact-volume by force;"},
        {"stir", 401, "febfc61dfd20b14cb215c869dd56641c", "simulate stir: exact-volume by force;"},
        {"hover", 300, "5d03fd20fe1a105bcd1f602895f8420d",
         "simulate pair: imp:voxels=64 by impulses;"},
        {"approach-64", 300, "89ae746d705c295bf9ba9913cc02b4e5",
         "simulate pair: imp:voxels=64 by impulses;"},
        {"approach-128", 300, "c149126ab67f122228c3c58457897f9b",
         "simulate pair: imp by impulses;"},
        {"approach-256", 300, "3224866a6d6bc8ab7b6dd5f88172b0db",
         "simulate pair: imp:voxels=256 by impulses;"},
    };
    for (size_t i = 0; i < sizeof recordings / sizeof *recordings; i++) {
        char path[128];
        base_error err = {0};
        scn_trajectory t;
        snprintf(path, sizeof path, "scenarios/experiments/recordings/%s.csv", recordings[i].name);
        cr_assert_eq(scn_trajectory_read(path, &t, &err), BASE_OK, "%s", err.text);
        cr_expect_eq(t.frame_count, recordings[i].frames, "%s: %zu frames", path, t.frame_count);
        const base_hash_text hash = hash_of(&t);
        cr_expect_str_eq(hash.hex, recordings[i].hash, "%s: %s", path, hash.hex);
        cr_expect_eq(strncmp(t.source, recordings[i].source, strlen(recordings[i].source)), 0,
                     "%s: %s", path, t.source);
        scn_trajectory_release(&t);
    }
}
