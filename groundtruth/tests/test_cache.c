#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/tests/support.h"
#include "geometry/types.h"
#include "groundtruth/body/cache.h"
#include "groundtruth/distance/distance.h"
#include "groundtruth/trajectory.h"
#include "groundtruth/volume/volume_tetra.h"

#include "cache_fixture.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>

static gt_body *fresh_body(const shape *s)
{
    gt_body *body;
    cr_assert_eq(gt_body_create(&s->held->mesh, &s->held->report, &body, NULL), BASE_OK);
    return body;
}

static bool same_cells(const gt_body *x, const gt_body *y)
{
    const size_t packets = x->cells.bvh.primitive_count;
    return packets == y->cells.bvh.primitive_count &&
           memcmp(x->cells.cells, y->cells.cells, packets * GT_PACKET * sizeof(gt_cell)) == 0;
}

Test(cache, tetrahedra_are_read_back)
{
    SCOPED_FIXTURE f;
    setup(&f);
    base_error err = {0};
    gt_body *const made = fresh_body(&f.a), *const read = fresh_body(&f.a);
    assert_ok(gt_body_tetrahedralise(made, &f.options, ERR));
    cr_assert_eq(scratch_count(f.cache, NULL), 1);
    cr_assert_eq(setenv("PATH", "/nonexistent", 1), 0);
    assert_ok(gt_body_tetrahedralise(read, &f.options, ERR));
    cr_assert(same_cells(made, read));
    gt_body *const other = fresh_body(&f.b);
    cr_assert_eq(gt_body_tetrahedralise(other, &f.options, &err), BASE_ERR_SYSTEM);
    gt_body_destroy(made);
    gt_body_destroy(read);
    gt_body_destroy(other);
}

Test(cache, points_that_were_added_are_kept)
{
    SCOPED_FIXTURE f;
    setup(&f);
    const size_t n = f.a.mesh.vertex_count;
    const vec3 added[2] = {{0.5, 1.0 / 3, -0.0}, {1, 2, 1e99}};
    gt_corners corners[3] = {
        {{0, 1, 2, 3}}, {{0, 1, 2, (uint32_t)n}}, {{4, 5, 6, (uint32_t)n + 1}}};
    gt_tetrahedra t = {base_alloc(n + 2, sizeof(vec3)), n + 2, corners, 3}, read;
    cr_assert_not_null(t.vertices);
    memcpy(t.vertices, f.a.mesh.vertices, n * sizeof(vec3));
    memcpy(t.vertices + n, added, sizeof added);
    cr_assert_eq(gt_cache_store(f.cache, f.a.body, &t, NULL), BASE_OK);
    cr_assert(!gt_cache_load(f.cache, f.b.body, &read));
    cr_assert(gt_cache_load(f.cache, f.a.body, &read));
    cr_assert(read.vertex_count == n + 2 && read.count == 3);
    cr_assert_eq(memcmp(read.vertices, t.vertices, (n + 2) * sizeof(vec3)), 0);
    cr_assert_eq(memcmp(read.corners, corners, sizeof corners), 0);
    gt_tetrahedra_release(&read);
    base_free(t.vertices);
}

Test(cache, damaged_tetrahedra_are_made_anew)
{
    SCOPED_FIXTURE f;
    setup(&f);
    gt_body *const made = fresh_body(&f.a);
    assert_ok(gt_body_tetrahedralise(made, &f.options, ERR));
    char path[1024];
    find_file(&f, ".tetra", path);
    const off_t size = size_of(path);
    gt_tetrahedra t;
    const struct {
        long offset;
        int origin;
    } places[] = {{0, SEEK_SET},   {17, SEEK_SET}, {25, SEEK_SET},
                  {300, SEEK_SET}, {-1, SEEK_END}, {-40, SEEK_END}};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        poke(path, places[i].offset, places[i].origin, 1);
        cr_assert(!gt_cache_load(f.cache, made, &t), "place %zu", i);
        gt_body *const again = fresh_body(&f.a);
        assert_ok(gt_body_tetrahedralise(again, &f.options, ERR));
        cr_assert(same_cells(made, again));
        gt_body_destroy(again);
        cr_assert(gt_cache_load(f.cache, made, &t), "place %zu", i);
        gt_tetrahedra_release(&t);
    }
    for (off_t cut = 0; cut < size; cut += 1 + size / 7) {
        cr_assert_eq(truncate(path, cut), 0);
        cr_assert(!gt_cache_load(f.cache, made, &t), "cut at %ld", (long)cut);
    }
    gt_body_destroy(made);
}

/* --- Out of memory ---------------------------------------------------------------------------- */

Test(cache, out_of_memory_is_an_error)
{
    SCOPED_FIXTURE f;
    setup(&f);
    int failures = 0;
    bool done = false;
    for (size_t n = 0; n < 400 && !done; n++) {
        gt_body *a = NULL, *b = NULL;
        gt_truth truths[2];
        base_error err = {0};
        gt_options options = {.cache_directory = n % 2 == 0 ? f.cache : NULL, .threads = 1};
        base_memory_fail_after(n);
        base_status status = gt_body_create(&f.a.held->mesh, &f.a.held->report, &a, &err);
        if (status == BASE_OK) {
            status = gt_body_create(&f.b.held->mesh, &f.b.held->report, &b, &err);
        }
        if (status == BASE_OK) {
            status = gt_trajectory_truth(a, b, f.poses, 2, ALL & ~(unsigned)GT_WANT_DEPTH, &options,
                                         truths, &err);
        }
        base_memory_fail_after(SIZE_MAX);
        cr_assert(status == BASE_OK || status == BASE_ERR_MEMORY, "allocation %zu: %s", n,
                  err.text);
        cr_assert((status == BASE_OK) == (err.text[0] == '\0'));
        failures += status != BASE_OK;
        done = status == BASE_OK && n % 2 == 1;
        gt_body_destroy(a);
        gt_body_destroy(b);
    }
    cr_assert(done && failures > 20, "%d failures", failures);
}

/* --- Truth ------------------------------------------------------------------------------------ */

Test(cache, values_are_those_of_the_queries)
{
    SCOPED_FIXTURE f;
    setup(&f);
    gt_truth truths[FRAMES];
    ask(&f, 0, FRAMES, BOTH, truths);
    int apart = 0, over = 0;
    for (int i = 0; i < FRAMES; i++) {
        gt_distance d;
        gt_volume v;
        gt_distance_query(f.a.body, f.b.body, &f.poses[i], &d);
        gt_volume_query(f.a.body, f.b.body, &f.poses[i], &v);
        cr_assert(same_bracket(d.distance_m, truths[i].distance_m));
        cr_assert(same_bracket(v.volume_m3, truths[i].volume_m3));
        cr_assert(truths[i].distance_certified == 1 && truths[i].volume_certified == 1);
        cr_assert((d.distance_m.lo > 0) == (v.volume_m3.lo == 0), "frame %d", i);
        apart += d.distance_m.lo > 0;
        over += d.distance_m.hi == 0;
    }
    cr_assert(apart > 5 && over > 5, "%d apart, %d over", apart, over);
}

Test(cache, a_hit_has_the_same_bits)
{
    SCOPED_FIXTURE f;
    setup(&f);
    gt_truth first[FRAMES], second[FRAMES], none[FRAMES];
    char path[1024];
    ask(&f, 0, FRAMES, BOTH, first);
    find_file(&f, ".truth", path);
    const off_t size = size_of(path);
    cr_assert_eq(size, (off_t)(2 * FRAMES * sizeof(gt_record)));
    ask(&f, 0, FRAMES, BOTH, second);
    cr_assert(same(first, second, FRAMES));
    cr_assert_eq(size_of(path), size, "asked twice, kept twice");
    f.options.cache_directory = NULL;
    ask(&f, 0, FRAMES, BOTH, none);
    cr_assert(same(first, none, FRAMES), "with and without a cache");
}

Test(cache, cached_values_are_not_computed_again)
{
    SCOPED_FIXTURE f;
    setup(&f);
    gt_truth first[FRAMES], second[FRAMES];
    ask(&f, 0, FRAMES, BOTH, first);
    /* Without tetgen and its result, volumes can come only from the cache. */
    char path[1024];
    find_file(&f, ".tetra", path);
    cr_assert_eq(unlink(path), 0);
    cr_assert_eq(setenv("PATH", "/nonexistent", 1), 0);
    gt_body_destroy(f.a.body);
    cr_assert_eq(gt_body_create(&f.a.held->mesh, &f.a.held->report, &f.a.body, NULL), BASE_OK);
    ask(&f, 0, FRAMES, BOTH, second);
    cr_assert(same(first, second, FRAMES));
}

Test(cache, quantities_and_frames_are_apart)
{
    SCOPED_FIXTURE f;
    setup(&f);
    gt_truth all[FRAMES], part[FRAMES];
    char path[1024];
    ask(&f, 10, 10, GT_WANT_DISTANCE, part);
    for (int i = 0; i < 10; i++) {
        cr_assert(!gt_known(part[i].volume_m3) && gt_known(part[i].distance_m));
        cr_assert_eq(part[i].distance_certified, 1);
    }
    find_file(&f, ".truth", path);
    cr_assert_eq(size_of(path), (off_t)(10 * sizeof(gt_record)));
    ask(&f, 0, FRAMES, BOTH, all);
    cr_assert_eq(size_of(path), (off_t)(2 * FRAMES * sizeof(gt_record)));
    ask(&f, 20, 10, GT_WANT_VOLUME, part);
    for (int i = 0; i < 10; i++) {
        cr_assert(!gt_known(part[i].distance_m));
        cr_assert(same_bracket(part[i].volume_m3, all[20 + i].volume_m3));
    }
}

Test(cache, another_pose_or_mesh_misses)
{
    SCOPED_FIXTURE f;
    setup(&f);
    gt_truth first[1], second[1];
    char path[1024];
    ask(&f, 0, 1, GT_WANT_DISTANCE, first);
    find_file(&f, ".truth", path);
    f.poses[0].translation.x = nextafter(f.poses[0].translation.x, 9);
    ask(&f, 0, 1, GT_WANT_DISTANCE, second);
    cr_assert_eq(size_of(path), (off_t)(2 * sizeof(gt_record)), "one more");
    SCOPED_SHAPE other = {0};
    shape_add_ball(&other, 12, 8, 0.7);
    other.parts.vertices[5].y = nextafter(other.parts.vertices[5].y, 9);
    shape_finish(&other);
    const shape keep = f.b;
    f.b = other;
    ask(&f, 0, 1, GT_WANT_DISTANCE, second);
    f.b = keep;
    cr_assert_eq(size_of(path), (off_t)(2 * sizeof(gt_record)), "in a file of its own");
    cr_assert_eq(scratch_count(f.cache, NULL), 2);
    /* Swapped bodies are another pair. */
    assert_ok(gt_trajectory_truth(f.b.body, f.a.body, f.poses, 1, GT_WANT_DISTANCE, &f.options,
                                  second, ERR));
    cr_assert_eq(scratch_count(f.cache, NULL), 3);
}

Test(cache, damage_is_recomputed)
{
    SCOPED_FIXTURE f;
    setup(&f);
    gt_truth first[FRAMES], second[FRAMES];
    char path[1024];
    ask(&f, 0, FRAMES, BOTH, first);
    find_file(&f, ".truth", path);
    const long record = sizeof(gt_record), whole = 2 * FRAMES * record;
    /* Damages a bit of a key, a count, a verdict, a value, the last value and a check, in one
     * record each. */
    const long places[] = {3,
                           1 * record + (long)offsetof(gt_record, answer.count),
                           2 * record + (long)offsetof(gt_record, answer.sound),
                           3 * record + (long)offsetof(gt_record, answer.values[1]),
                           4 * record + (long)offsetof(gt_record, answer.values[GT_VALUES_MAX - 1]),
                           5 * record + (long)offsetof(gt_record, check)};
    const long damaged = sizeof places / sizeof *places;
    for (long i = 0; i < damaged; i++) {
        poke(path, places[i], SEEK_SET, 0x10);
    }
    ask(&f, 0, FRAMES, BOTH, second);
    cr_assert(same(first, second, FRAMES));
    cr_assert_eq(size_of(path), whole + damaged * record, "they were made again");
    /* Half a record at the end, as after the kill of a process: the next writer cuts it off. */
    cr_assert_eq(truncate(path, whole - record / 2), 0);
    ask(&f, 0, FRAMES, BOTH, second);
    cr_assert(same(first, second, FRAMES));
    cr_assert_eq(size_of(path) % record, 0);
    /* A file of arbitrary bytes. */
    FILE *const file = fopen(path, "w");
    cr_assert_not_null(file);
    for (long i = 0; i < record + 7; i++) {
        fputc('a' + (int)(i % 26), file);
    }
    fclose(file);
    ask(&f, 0, FRAMES, BOTH, second);
    cr_assert(same(first, second, FRAMES));
    cr_assert_eq(size_of(path), whole + record);
    ask(&f, 0, FRAMES, BOTH, second);
    cr_assert(same(first, second, FRAMES));
    cr_assert_eq(size_of(path), whole + record, "and it is read from then on");
}

Test(cache, two_processes_may_write)
{
    SCOPED_FIXTURE f;
    setup(&f);
    enum { WRITERS = 4 };
    f.options.threads = 1;
    pid_t child[WRITERS];
    for (int w = 0; w < WRITERS; w++) {
        child[w] = fork();
        cr_assert(child[w] >= 0);
        if (child[w] == 0) {
            /* Frame by frame, each process from another start: many writes that coincide. */
            gt_truth truth;
            base_status status = BASE_OK;
            for (int i = 0; i < FRAMES && status == BASE_OK; i++) {
                const int k = (i + w * FRAMES / WRITERS) % FRAMES;
                status = gt_trajectory_truth(f.a.body, f.b.body, &f.poses[k], 1, BOTH, &f.options,
                                             &truth, NULL);
            }
            _exit(status == BASE_OK ? 0 : 1);
        }
    }
    for (int w = 0; w < WRITERS; w++) {
        int status = -1;
        cr_assert_eq(waitpid(child[w], &status, 0), child[w]);
        cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0, "writer %d: %d", w, status);
    }
    char path[1024];
    find_file(&f, ".truth", path);
    const off_t size = size_of(path);
    cr_assert_eq(size % (off_t)sizeof(gt_record), 0);
    gt_truth_cache cache;
    cr_assert_eq(gt_truth_cache_open(f.cache, f.a.body, f.b.body, &cache, NULL), BASE_OK);
    cr_assert_eq(cache.record_count, (size_t)size / sizeof(gt_record), "all of them are good");
    gt_truth_cache_close(&cache);
    gt_truth cached[FRAMES], fresh[FRAMES];
    ask(&f, 0, FRAMES, BOTH, cached);
    cr_assert_eq(size_of(path), size, "nothing was lost");
    f.options.cache_directory = NULL;
    ask(&f, 0, FRAMES, BOTH, fresh);
    cr_assert(same(cached, fresh, FRAMES));
}

Test(cache, a_writer_waits_for_the_lock)
{
    fixture f;
    setup(&f);
    gt_truth truth;
    char path[1024];
    f.options.threads = 1;
    ask(&f, 0, 1, GT_WANT_DISTANCE, &truth);
    find_file(&f, ".truth", path);
    const int file = open(path, O_RDONLY);
    cr_assert(file >= 0 && flock(file, LOCK_SH) == 0); /* readers may continue, writers may not */
    const pid_t child = fork();
    cr_assert(child >= 0);
    if (child == 0) {
        close(file);
        _exit(gt_trajectory_truth(f.a.body, f.b.body, &f.poses[1], 1, GT_WANT_DISTANCE, &f.options,
                                  &truth, NULL) == BASE_OK
                  ? 0
                  : 1);
    }
    int status = -1;
    for (int turn = 0; turn < 20; turn++) {
        usleep(10000);
        cr_assert_eq(waitpid(child, &status, WNOHANG), 0, "it did not wait");
    }
    cr_assert_eq(size_of(path), (off_t)sizeof(gt_record));
    close(file);
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    cr_assert_eq(size_of(path), (off_t)(2 * sizeof(gt_record)));
    teardown(&f);
}

Test(cache, threads_change_nothing)
{
    SCOPED_FIXTURE f;
    setup(&f);
    f.options.cache_directory = NULL;
    gt_truth one[FRAMES], many[FRAMES];
    f.options.threads = 1;
    ask(&f, 0, FRAMES, BOTH, one);
    for (unsigned threads = 2; threads <= 7; threads += 5) {
        f.options.threads = threads;
        ask(&f, 0, FRAMES, BOTH, many);
        cr_assert(same(one, many, FRAMES), "%u threads", threads);
    }
}

typedef struct told {
    size_t calls, last, ready, total, stop_at;
    bool backwards;
} told;

static bool listen(void *context, size_t done, size_t ready, size_t total)
{
    told *const t = context;
    t->backwards = t->backwards || (t->calls > 0 && (done < t->last || ready < t->ready));
    t->calls++;
    t->last = done;
    t->ready = ready;
    t->total = total;
    return t->calls < t->stop_at;
}

Test(cache, progress)
{
    SCOPED_FIXTURE f;
    setup(&f);
    gt_truth truths[FRAMES];
    told t = {.stop_at = SIZE_MAX};
    f.options.progress = listen;
    f.options.progress_context = &t;
    ask(&f, 10, 5, BOTH, truths);
    t = (told){.stop_at = 2};
    base_error err = {0};
    cr_assert_eq(
        gt_trajectory_truth(f.a.body, f.b.body, f.poses, FRAMES, BOTH, &f.options, truths, &err),
        BASE_ERR_SYSTEM);
    cr_assert_str_eq(err.text, "interrupted");
    cr_assert(t.calls == 2 && t.last >= 6 && t.ready == t.last - 5 && t.last < FRAMES,
              "%zu of which %zu are ready", t.last, t.ready);
    for (size_t i = 0; i < t.ready; i++) {
        cr_assert_eq(truths[i].distance_certified, 1, "frame %zu is ready", i);
    }
    t = (told){.stop_at = SIZE_MAX};
    ask(&f, 0, FRAMES, BOTH, truths);
    cr_assert(t.calls >= 2 && !t.backwards && t.last == FRAMES && t.ready == FRAMES &&
              t.total == FRAMES);
    t = (told){.stop_at = SIZE_MAX};
    ask(&f, 0, FRAMES, BOTH, truths);
    cr_assert(t.calls == 1 && t.last == FRAMES && t.ready == FRAMES);
}

Test(cache, cannot_be_written)
{
    SCOPED_FIXTURE f;
    setup(&f);
    gt_truth truth;
    base_error err = {0};
    char file[512];
    scratch_file(&f.dir, "file", file);
    fclose(fopen(file, "w"));
    f.options.cache_directory = file;
    cr_assert_eq(
        gt_trajectory_truth(f.a.body, f.b.body, f.poses, 1, BOTH, &f.options, &truth, &err),
        BASE_ERR_SYSTEM);
    cr_assert_not_null(strstr(err.text, "is not a folder"), "%s", err.text);
    f.options.cache_directory = "/proc/closed/may/write/here";
    cr_assert_eq(
        gt_trajectory_truth(f.a.body, f.b.body, f.poses, 1, BOTH, &f.options, &truth, &err),
        BASE_ERR_SYSTEM);
    cr_assert_not_null(strstr(err.text, "cannot make folder '/proc/closed'"), "%s", err.text);
}

Test(cache, volume_needs_solids)
{
    SCOPED_FIXTURE f;
    setup(&f);
    SCOPED_SHAPE open = {0};
    shape_add_box(&open, (vec3){-1, -1, -1}, (vec3){1, 1, 1}, false);
    open.parts.face_count--;
    shape_finish(&open);
    gt_truth truth;
    base_error err = {0};
    cr_assert_eq(
        gt_trajectory_truth(f.a.body, open.body, f.poses, 1, BOTH, &f.options, &truth, &err),
        BASE_ERR_INPUT);
    cr_assert_not_null(strstr(err.text, "body B is not a solid: "), "%s", err.text);
    assert_ok(
        gt_trajectory_truth(f.a.body, open.body, f.poses, 1, GT_WANT_DISTANCE, NULL, &truth, ERR));
    cr_assert_eq(truth.distance_certified, 1);
}

/**
 * Otherwise old records would be used as new answers. (Tetrahedra depend on the release of TetGen.)
 */
Test(cache, versions_follow_the_bits)
{
    static const struct {
        gt_method method;
        const char *hash;
    } pinned[] = {
        {GT_BVH, "19b9719bca08380017572688dd041081"},
        {GT_BRUTE, "330a4e3be40c82c04aada6ba64d8a779"},
        {GT_FLUX, "12d3c67978ec86e7abb734b7ea17138c"},
        {GT_TREE, "96871a5aca176a3cefa9d9e7cd43cc7e"},
        {GT_ALL_PAIRS, "96871a5aca176a3cefa9d9e7cd43cc7e"},
        {GT_DEPTH_SURFACE, "ca22fe320ec2482e2a10dc5e7a095f74"},
        {GT_DEPTH_SURFACE_EXCHANGED, "8f1d947f2a1783cb7642bdac56a0ba85"},
    };
    SCOPED_FIXTURE f;
    setup(&f);
    f.options.cache_directory = NULL;
    for (size_t i = 0; i < sizeof pinned / sizeof *pinned; i++) {
        gt_truth truths[FRAMES];
        const unsigned mask = 1u << pinned[i].method;
        f.options.methods = mask;
        ask(&f, 0, FRAMES, gt_quantities_answered(mask), truths);
        base_hasher *const hasher = base_hasher_create();
        for (int k = 0; k < FRAMES; k++) {
            base_hasher_add(hasher, &truths[k].by[pinned[i].method], sizeof(gt_bracket));
            base_hasher_add(hasher, &truths[k].surface_m, sizeof truths[k].surface_m);
        }
        const base_hash_text found = base_hash_format(base_hasher_finish(hasher));
        cr_expect_str_eq(found.hex, pinned[i].hash,
                         "%s has other bits: raise its version in cache.c, then put %s here",
                         gt_methods_format(mask).text, found.hex);
    }
}

Test(cache, methods)
{
    cr_assert_str_eq(gt_methods_format(0).text, "");
    cr_assert_str_eq(gt_methods_format(GT_BY_FLUX).text, "flux");
    cr_assert_str_eq(gt_methods_format(GT_BY_DISTANCE | GT_BY_VOLUME).text, "bvh+brute+flux+tetra");
    cr_assert_str_eq(gt_methods_format(GT_BY_ALL).text,
                     "bvh+brute+flux+tetra+tree+all-pairs+hull+edges+places+depth-surface+"
                     "depth-surface-exchanged+depth-cells+depth-cells-exchanged");
    cr_assert_eq(gt_quantities_answered(GT_BY_TETRA), GT_WANT_VOLUME);
    cr_assert_eq(gt_quantities_answered(GT_BY_FLUX | GT_BY_TREE),
                 GT_WANT_VOLUME | GT_WANT_FORCE | GT_WANT_PAIRS);
    cr_assert_eq(gt_methods_answering(GT_WANT_DISTANCE | GT_WANT_PAIRS),
                 GT_BY_DISTANCE | GT_BY_PAIRS);
    cr_assert_eq(gt_methods_answering(GT_WANT_FORCE), GT_BY_FLUX);
}
