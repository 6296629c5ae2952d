#include "groundtruth/cache.h"

#include "scratch.h"
#include "shapes.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>

TestSuite(cache, .timeout = 120);

enum { FRAMES = 40 };

typedef struct fixture {
    scratch dir;
    char cache[512];
    shape a, b;
    geo_pose poses[FRAMES];
    gt_options options;
} fixture;

static void setup(fixture *f)
{
    *f = (fixture){.dir = scratch_make()};
    scratch_file(&f->dir, "cache/deep", f->cache);
    shape_add_torus(&f->a, 14, 9, 1, 0.4);
    shape_add_ball(&f->b, 12, 8, 0.7);
    shape_finish(&f->a);
    shape_finish(&f->b);
    geo_random random = geo_random_seed(50);
    for (int i = 0; i < FRAMES; i++) {
        f->poses[i] = random_pose(&random, 2.5 * geo_random_unit(&random));
    }
    f->options = (gt_options){.cache_directory = f->cache};
}

static void teardown(fixture *f)
{
    shape_release(&f->a);
    shape_release(&f->b);
    scratch_remove(&f->dir);
}

enum { BOTH = GT_WANT_DISTANCE | GT_WANT_VOLUME };

static void ask(fixture *f, size_t begin, size_t count, unsigned want, gt_truth *truths)
{
    geo_error err = {0};
    cr_assert_eq(gt_trajectory_truth(f->a.body, f->b.body, f->poses + begin, count, want,
                                     &f->options, truths, &err),
                 GEO_OK, "%s", err.text);
}

static bool same_bracket(gt_bracket x, gt_bracket y)
{
    return memcmp(&x, &y, sizeof x) == 0;
}

static bool same(const gt_truth *x, const gt_truth *y, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!same_bracket(x[i].distance_m, y[i].distance_m) ||
            !same_bracket(x[i].volume_m3, y[i].volume_m3) || x[i].certified != y[i].certified) {
            return false;
        }
    }
    return true;
}

/** The one file with this ending. */
static void find_file(const fixture *f, const char *ending, char path[1024])
{
    char command[1024];
    snprintf(command, sizeof command, "ls %s/*%s", f->cache, ending);
    FILE *const list = popen(command, "r");
    cr_assert_not_null(list);
    cr_assert_not_null(fgets(path, 1024, list), "no file *%s", ending);
    path[strcspn(path, "\n")] = '\0';
    pclose(list);
}

static off_t size_of(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 ? info.st_size : -1;
}

static void poke(const char *path, long offset, int origin, char change)
{
    FILE *const file = fopen(path, "r+");
    cr_assert_not_null(file);
    cr_assert_eq(fseek(file, offset, origin), 0);
    const int old = fgetc(file);
    cr_assert_eq(fseek(file, offset, origin), 0);
    fputc(old ^ change, file);
    fclose(file);
}

/* --- Truth ---------------------------------------------------------------------------------------
 */

Test(cache, values_are_those_of_the_queries)
{
    fixture f;
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
        cr_assert_eq(truths[i].certified, 1);
        cr_assert((d.distance_m.lo > 0) == (v.volume_m3.lo == 0), "frame %d", i);
        apart += d.distance_m.lo > 0;
        over += d.distance_m.hi == 0;
    }
    cr_assert(apart > 5 && over > 5, "%d apart, %d over", apart, over);
    teardown(&f);
}

Test(cache, a_hit_has_the_same_bits)
{
    fixture f;
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
    teardown(&f);
}

Test(cache, what_is_there_is_not_computed_again)
{
    fixture f;
    setup(&f);
    gt_truth first[FRAMES], second[FRAMES];
    ask(&f, 0, FRAMES, BOTH, first);
    /* Without tetgen and without its result volumes can only come from the cache. */
    char path[1024];
    find_file(&f, ".tetra", path);
    cr_assert_eq(unlink(path), 0);
    cr_assert_eq(setenv("PATH", "/nonexistent", 1), 0);
    gt_body_destroy(f.a.body);
    cr_assert_eq(gt_body_create(&f.a.held->mesh, &f.a.held->report, &f.a.body, NULL), GEO_OK);
    ask(&f, 0, FRAMES, BOTH, second);
    cr_assert(same(first, second, FRAMES));
    teardown(&f);
}

Test(cache, quantities_and_frames_are_apart)
{
    fixture f;
    setup(&f);
    gt_truth all[FRAMES], part[FRAMES];
    char path[1024];
    ask(&f, 10, 10, GT_WANT_DISTANCE, part);
    for (int i = 0; i < 10; i++) {
        cr_assert(!gt_known(part[i].volume_m3) && gt_known(part[i].distance_m));
        cr_assert_eq(part[i].certified, 1);
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
    teardown(&f);
}

Test(cache, another_pose_or_mesh_misses)
{
    fixture f;
    setup(&f);
    gt_truth first[1], second[1];
    char path[1024];
    ask(&f, 0, 1, GT_WANT_DISTANCE, first);
    find_file(&f, ".truth", path);
    f.poses[0].translation.x = nextafter(f.poses[0].translation.x, 9);
    ask(&f, 0, 1, GT_WANT_DISTANCE, second);
    cr_assert_eq(size_of(path), (off_t)(2 * sizeof(gt_record)), "one more");
    shape other = {0};
    shape_add_ball(&other, 12, 8, 0.7);
    other.mesh.vertices[5].y = nextafter(other.mesh.vertices[5].y, 9);
    shape_finish(&other);
    const shape keep = f.b;
    f.b = other;
    ask(&f, 0, 1, GT_WANT_DISTANCE, second);
    f.b = keep;
    cr_assert_eq(size_of(path), (off_t)(2 * sizeof(gt_record)), "in a file of its own");
    cr_assert_eq(scratch_count(f.cache, NULL), 2);
    /* Swapped bodies are another pair. */
    geo_error err = {0};
    cr_assert_eq(gt_trajectory_truth(f.b.body, f.a.body, f.poses, 1, GT_WANT_DISTANCE, &f.options,
                                     second, &err),
                 GEO_OK, "%s", err.text);
    cr_assert_eq(scratch_count(f.cache, NULL), 3);
    shape_release(&other);
    teardown(&f);
}

Test(cache, damage_is_recomputed)
{
    fixture f;
    setup(&f);
    gt_truth first[FRAMES], second[FRAMES];
    char path[1024];
    ask(&f, 0, FRAMES, BOTH, first);
    find_file(&f, ".truth", path);
    const long record = sizeof(gt_record), whole = 2 * FRAMES * record;
    /* A bit of a key, of a value, of a certificate and of a check, each in another record. */
    const long places[] = {3, record + 20, 2 * record + 32, 3 * record + 47};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        poke(path, places[i], SEEK_SET, 0x10);
    }
    ask(&f, 0, FRAMES, BOTH, second);
    cr_assert(same(first, second, FRAMES));
    cr_assert_eq(size_of(path), whole + 4 * record, "four were made again");
    /* Half a record at the end, as of a process that was killed: cut off by the next writer. */
    cr_assert_eq(truncate(path, whole - record / 2), 0);
    ask(&f, 0, FRAMES, BOTH, second);
    cr_assert(same(first, second, FRAMES));
    cr_assert_eq(size_of(path) % record, 0);
    /* Nonsense altogether. */
    FILE *const file = fopen(path, "w");
    cr_assert_not_null(file);
    fprintf(file, "this is not what it was, but longer than a record by some bytes\n");
    fclose(file);
    ask(&f, 0, FRAMES, BOTH, second);
    cr_assert(same(first, second, FRAMES));
    cr_assert_eq(size_of(path), whole + record);
    ask(&f, 0, FRAMES, BOTH, second);
    cr_assert(same(first, second, FRAMES));
    cr_assert_eq(size_of(path), whole + record, "and it is read from then on");
    teardown(&f);
}

Test(cache, two_processes_may_write)
{
    fixture f;
    setup(&f);
    enum { WRITERS = 4 };
    f.options.threads = 1;
    pid_t child[WRITERS];
    for (int w = 0; w < WRITERS; w++) {
        child[w] = fork();
        cr_assert(child[w] >= 0);
        if (child[w] == 0) {
            /* Frame by frame, each from another place on: many writes that meet. */
            gt_truth truth;
            geo_status status = GEO_OK;
            for (int i = 0; i < FRAMES && status == GEO_OK; i++) {
                const int k = (i + w * FRAMES / WRITERS) % FRAMES;
                status = gt_trajectory_truth(f.a.body, f.b.body, &f.poses[k], 1, BOTH, &f.options,
                                             &truth, NULL);
            }
            _exit(status == GEO_OK ? 0 : 1);
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
    cr_assert_eq(gt_truth_cache_open(f.cache, f.a.body, f.b.body, &cache, NULL), GEO_OK);
    cr_assert_eq(cache.record_count, (size_t)size / sizeof(gt_record), "all of them are good");
    gt_truth_cache_close(&cache);
    gt_truth cached[FRAMES], fresh[FRAMES];
    ask(&f, 0, FRAMES, BOTH, cached);
    cr_assert_eq(size_of(path), size, "nothing was lost");
    f.options.cache_directory = NULL;
    ask(&f, 0, FRAMES, BOTH, fresh);
    cr_assert(same(cached, fresh, FRAMES));
    teardown(&f);
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
    cr_assert(file >= 0 && flock(file, LOCK_SH) == 0); /* readers may go on, writers not */
    const pid_t child = fork();
    cr_assert(child >= 0);
    if (child == 0) {
        close(file);
        _exit(gt_trajectory_truth(f.a.body, f.b.body, &f.poses[1], 1, GT_WANT_DISTANCE, &f.options,
                                  &truth, NULL) == GEO_OK
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
    fixture f;
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
    teardown(&f);
}

typedef struct told {
    size_t calls, last, total;
    bool backwards;
} told;

static void listen(void *context, size_t done, size_t total)
{
    told *const t = context;
    t->backwards = t->backwards || (t->calls > 0 && done < t->last);
    t->calls++;
    t->last = done;
    t->total = total;
}

Test(cache, progress)
{
    fixture f;
    setup(&f);
    gt_truth truths[FRAMES];
    told t = {0};
    f.options.progress = listen;
    f.options.progress_context = &t;
    ask(&f, 0, FRAMES, BOTH, truths);
    cr_assert(t.calls >= 2 && !t.backwards && t.last == FRAMES && t.total == FRAMES);
    t = (told){0};
    ask(&f, 0, FRAMES, BOTH, truths);
    cr_assert(t.calls == 1 && t.last == FRAMES);
    teardown(&f);
}

Test(cache, cannot_be_written)
{
    fixture f;
    setup(&f);
    gt_truth truth;
    geo_error err = {0};
    char file[512];
    scratch_file(&f.dir, "file", file);
    fclose(fopen(file, "w"));
    f.options.cache_directory = file;
    cr_assert_eq(
        gt_trajectory_truth(f.a.body, f.b.body, f.poses, 1, BOTH, &f.options, &truth, &err),
        GEO_ERR_SYSTEM);
    cr_assert_not_null(strstr(err.text, "is not a directory"), "%s", err.text);
    f.options.cache_directory = "/proc/nobody/may/write/here";
    cr_assert_eq(
        gt_trajectory_truth(f.a.body, f.b.body, f.poses, 1, BOTH, &f.options, &truth, &err),
        GEO_ERR_SYSTEM);
    cr_assert_not_null(strstr(err.text, "cannot make the directory '/proc/nobody'"), "%s",
                       err.text);
    teardown(&f);
}

Test(cache, volume_needs_solids)
{
    fixture f;
    setup(&f);
    shape open = {0};
    shape_add_box(&open, (vec3){-1, -1, -1}, (vec3){1, 1, 1}, false);
    open.mesh.face_count--;
    shape_finish(&open);
    gt_truth truth;
    geo_error err = {0};
    cr_assert_eq(
        gt_trajectory_truth(f.a.body, open.body, f.poses, 1, BOTH, &f.options, &truth, &err),
        GEO_ERR_INPUT);
    cr_assert_not_null(strstr(err.text, "body B is not a solid: "), "%s", err.text);
    cr_assert_eq(
        gt_trajectory_truth(f.a.body, open.body, f.poses, 1, GT_WANT_DISTANCE, NULL, &truth, &err),
        GEO_OK);
    cr_assert_eq(truth.certified, 1);
    shape_release(&open);
    teardown(&f);
}

Test(cache, methods)
{
    cr_assert_str_eq(gt_method_name(GT_WANT_DISTANCE), "bvh");
    cr_assert_str_eq(gt_method_name(GT_WANT_VOLUME), "tetra");
    cr_assert_str_eq(gt_method_name(BOTH), "bvh+tetra");
}

/* --- Tetrahedra
 * ------------------------------------------------------------------------------------ */

static gt_body *fresh_body(const shape *s)
{
    gt_body *body;
    cr_assert_eq(gt_body_create(&s->held->mesh, &s->held->report, &body, NULL), GEO_OK);
    return body;
}

static bool same_cells(const gt_body *x, const gt_body *y)
{
    return x->cell_bvh.primitive_count == y->cell_bvh.primitive_count &&
           memcmp(x->cells, y->cells, x->cell_bvh.primitive_count * sizeof *x->cells) == 0;
}

Test(cache, tetrahedra_are_read_back)
{
    fixture f;
    setup(&f);
    geo_error err = {0};
    gt_body *const made = fresh_body(&f.a), *const read = fresh_body(&f.a);
    cr_assert_eq(gt_body_tetrahedralise(made, &f.options, &err), GEO_OK, "%s", err.text);
    cr_assert_eq(scratch_count(f.cache, NULL), 1);
    cr_assert_eq(setenv("PATH", "/nonexistent", 1), 0);
    cr_assert_eq(gt_body_tetrahedralise(read, &f.options, &err), GEO_OK, "%s", err.text);
    cr_assert(same_cells(made, read));
    gt_body *const other = fresh_body(&f.b);
    cr_assert_eq(gt_body_tetrahedralise(other, &f.options, &err), GEO_ERR_SYSTEM);
    gt_body_destroy(made);
    gt_body_destroy(read);
    gt_body_destroy(other);
    teardown(&f);
}

Test(cache, points_that_were_added_are_kept)
{
    fixture f;
    setup(&f);
    const size_t n = f.a.mesh.vertex_count;
    const vec3 added[2] = {
        {0.5, 1.0 / 3, -0.0},
        {1,   2,       1e99}
    };
    gt_corners corners[3] = {
        {{0, 1, 2, 3}}, {{0, 1, 2, (uint32_t)n}}, {{4, 5, 6, (uint32_t)n + 1}}};
    gt_tetrahedra t = {geo_alloc(n + 2, sizeof(vec3)), n + 2, corners, 3}, read;
    cr_assert_not_null(t.vertices);
    memcpy(t.vertices, f.a.mesh.vertices, n * sizeof(vec3));
    memcpy(t.vertices + n, added, sizeof added);
    cr_assert_eq(gt_cache_store(f.cache, f.a.body, &t, NULL), GEO_OK);
    cr_assert(!gt_cache_load(f.cache, f.b.body, &read));
    cr_assert(gt_cache_load(f.cache, f.a.body, &read));
    cr_assert(read.vertex_count == n + 2 && read.count == 3);
    cr_assert_eq(memcmp(read.vertices, t.vertices, (n + 2) * sizeof(vec3)), 0);
    cr_assert_eq(memcmp(read.corners, corners, sizeof corners), 0);
    gt_tetrahedra_release(&read);
    geo_free(t.vertices);
    teardown(&f);
}

Test(cache, damaged_tetrahedra_are_made_anew)
{
    fixture f;
    setup(&f);
    geo_error err = {0};
    gt_body *const made = fresh_body(&f.a);
    cr_assert_eq(gt_body_tetrahedralise(made, &f.options, &err), GEO_OK, "%s", err.text);
    char path[1024];
    find_file(&f, ".tetra", path);
    const off_t size = size_of(path);
    gt_tetrahedra t;
    const struct {
        long offset;
        int origin;
    } places[] = {
        {0,   SEEK_SET},
        {17,  SEEK_SET},
        {25,  SEEK_SET},
        {300, SEEK_SET},
        {-1,  SEEK_END},
        {-40, SEEK_END}
    };
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        poke(path, places[i].offset, places[i].origin, 1);
        cr_assert(!gt_cache_load(f.cache, made, &t), "place %zu", i);
        gt_body *const again = fresh_body(&f.a);
        cr_assert_eq(gt_body_tetrahedralise(again, &f.options, &err), GEO_OK, "%s", err.text);
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
    teardown(&f);
}

/* --- Out of memory
 * --------------------------------------------------------------------------------- */

Test(cache, out_of_memory_is_an_error)
{
    fixture f;
    setup(&f);
    int failures = 0;
    bool done = false;
    for (size_t n = 0; n < 400 && !done; n++) {
        gt_body *a = NULL, *b = NULL;
        gt_truth truths[2];
        geo_error err = {0};
        gt_options options = {.cache_directory = n % 2 == 0 ? f.cache : NULL, .threads = 1};
        geo_memory_fail_after(n);
        geo_status status = gt_body_create(&f.a.held->mesh, &f.a.held->report, &a, &err);
        if (status == GEO_OK) {
            status = gt_body_create(&f.b.held->mesh, &f.b.held->report, &b, &err);
        }
        if (status == GEO_OK) {
            status = gt_trajectory_truth(a, b, f.poses, 2, BOTH, &options, truths, &err);
        }
        geo_memory_fail_after(SIZE_MAX);
        cr_assert(status == GEO_OK || status == GEO_ERR_MEMORY, "allocation %zu: %s", n, err.text);
        cr_assert((status == GEO_OK) == (err.text[0] == '\0'));
        failures += status != GEO_OK;
        done = status == GEO_OK && n % 2 == 1;
        gt_body_destroy(a);
        gt_body_destroy(b);
    }
    cr_assert(done && failures > 20, "%d failures", failures);
    teardown(&f);
}
