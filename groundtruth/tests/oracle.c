/**
 * oracle FRAMES SEED: judges the ground truth by exact arithmetic. It draws FRAMES frames of small
 * bodies, asks the ground truth for all quantities, with every method available for bodies of that
 * size, and computes each quantity again in exact integers (exact.h, rational.h, exact_law.h) from
 * the moved corners. It prints a line for each certified value that is outside of its bracket or
 * has an error above its bound, and a table; its progress goes to stderr. The same FRAMES and SEED
 * give the same output for any number of threads.
 *
 * Exit status: 1 if a value is outside, 2 for usage.
 */
#include "base/parallel.h"
#include "geometry/pose.h"
#include "groundtruth/groundtruth.h"
#include "groundtruth/tests/oracle_bodies.h"

#include "exact.h"
#include "exact_law.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum {
    BATCH = 100,        /* frames of one set of bodies, which is tetrahedralised once */
    BODIES = 10,        /* bodies of a set */
    PAIR = 4,           /* frames of one pair of bodies */
    PLACES_STRIDE = 16, /* one pair in this many is asked for its depth by places: 0.1 s a frame */
    LAW_STRIDE = 4,     /* one pair in this many is asked for forces of the depth law */
    REASONS = 12
};

/** Judged values, in the order of the table. */
typedef enum row {
    DISTANCE,
    SURFACES,
    VOLUME,
    PAIRS,
    DEPTH,
    PLACES,
    FORCE,
    TORQUE,
    LAW,
    EXCHANGED,
    ROWS
} row;

static const struct {
    const char *name;
    gt_quantity quantity;
} rows[ROWS] = {
    [DISTANCE] = {"distance of the solids", GT_DISTANCE},
    [SURFACES] = {"distance of the surfaces", GT_DISTANCE},
    [VOLUME] = {"volume", GT_VOLUME},
    [PAIRS] = {"pairs of triangles", GT_PAIRS},
    [DEPTH] = {"depth, convex bodies", GT_DEPTH},
    [PLACES] = {"the same, by places alone", GT_DEPTH},
    [FORCE] = {"force, from three sides", GT_FORCE},
    [TORQUE] = {"torque, from three sides", GT_FORCE},
    [LAW] = {"depth law", GT_DEPTH_FORCE},
    [EXCHANGED] = {"depth law, exchanged", GT_DEPTH_FORCE_EXCHANGED},
};

typedef struct tally {
    size_t frames[ROWS], outside[ROWS], certified[ROWS][3];
    size_t far; /* number of frames with a body far from its own origin */
    struct {
        char text[160];
        size_t count;
    } reasons[REASONS];
} tally;

typedef struct job {
    size_t frames;
    uint64_t seed;
    tally *of_batch;
    char **lines; /* of the batch: report of values outside, or NULL */
    size_t done;  /* number of frames */
    time_t begin, told;
    pthread_mutex_t lock;
} job;

/** One frame, and the target of its results. */
typedef struct frame {
    const oracle_body *a, *b;
    const geo_pose *pose; /* settled: the corners that it moves are exact */
    const gt_truth *truth;
    uint64_t seed;
    size_t number;
    tally *tally;
    FILE *lines;
} frame;

/* --- Counts ----------------------------------------------------------------------------------- */

static void add_reason(tally *t, const char *text, size_t count)
{
    for (size_t i = 0; i < REASONS; i++) {
        if (t->reasons[i].count == 0) {
            snprintf(t->reasons[i].text, sizeof t->reasons[i].text, "%s", text);
        }
        if (strcmp(t->reasons[i].text, text) == 0) {
            t->reasons[i].count += count;
            return;
        }
    }
}

/** Adds a frame to a row. within: the exact value is in the bracket of the ground truth. Returns
 * true if a certified bracket does not contain the value. */
static bool count(const frame *f, row r, bool within)
{
    const int certificate = gt_certificate(f->truth, rows[r].quantity);
    const bool outside = !within && certificate > 0;
    f->tally->frames[r]++;
    f->tally->outside[r] += outside;
    f->tally->certified[r][certificate]++;
    if (certificate == 0 && r != SURFACES && r != TORQUE) {
        char text[160];
        snprintf(text, sizeof text, "%s: %s", rows[r].name,
                 gt_doubt_format(f->truth, rows[r].quantity).text);
        add_reason(f->tally, text, 1);
    }
    return outside;
}

static void tell(const frame *f, row r, const char *values)
{
    fprintf(f->lines, "outside: %s of %s and %s, seed %llu, frame %zu, certificate %d: %s\n",
            rows[r].name, f->a->name, f->b->name, (unsigned long long)f->seed, f->number,
            gt_certificate(f->truth, rows[r].quantity), values);
}

static void judge_length(const frame *f, row r, gt_bracket bracket, const exact_length *exact)
{
    const bool within = gt_known(bracket) && exact_length_outside(exact, bracket) == 0;
    if (count(f, r, within)) {
        char values[160];
        snprintf(values, sizeof values, "[%.17g, %.17g], exact %.17g", bracket.lo, bracket.hi,
                 exact_length_round(exact));
        tell(f, r, values);
    }
}

static void judge_number(const frame *f, row r, gt_bracket bracket, const mpf_t exact)
{
    const bool within = gt_known(bracket) && rational_difference(bracket.lo, exact) <= 0 &&
                        rational_difference(bracket.hi, exact) >= 0;
    if (count(f, r, within)) {
        char values[160];
        snprintf(values, sizeof values, "[%.17g, %.17g], exact %.17g", bracket.lo, bracket.hi,
                 mpf_get_d(exact));
        tell(f, r, values);
    }
}

/* --- Frames ----------------------------------------------------------------------------------- */

/**
 * Judges force and torque for B moved infinitely little in three directions; where faces coincide
 * they differ.
 */
static void judge_force(const frame *f, const rational_pair *pair)
{
    static const long sides[3][3] = {
        {0, 0, 0}, {-7919, 104729, 1299709}, {-1299721, -104723, -7907}};
    const vec3 centroid = geo_pose_apply(f->pose, f->b->report.measure.centroid);
    double force = 0, torque = 0;
    for (int i = 0; i < 3; i++) {
        long3 gradient, moment;
        long3_init(&gradient);
        long3_init(&moment);
        rational_derivatives(pair, i == 0 ? NULL : sides[i], &gradient, &moment);
        rational_turn_moment(&moment, &gradient, centroid);
        force = fmax(force, rational_distance(vec3_scale(-1, f->truth->force_m2), &gradient));
        torque = fmax(torque, rational_distance(vec3_scale(-1, f->truth->torque_m3), &moment));
        long3_clear(&gradient);
        long3_clear(&moment);
    }
    const double off[2] = {force, torque};
    const double bound[2] = {f->truth->force_bound_m2, f->truth->torque_bound_m3};
    for (int i = 0; i < 2; i++) {
        const bool within = off[i] <= bound[i];
        if (count(f, i == 0 ? FORCE : TORQUE, within)) {
            char values[160];
            snprintf(values, sizeof values, "off by %.6g, bound %.6g", off[i], bound[i]);
            tell(f, i == 0 ? FORCE : TORQUE, values);
        }
    }
}

/** Judges the forces of the depth law, with depths in A and in B. */
static void judge_laws(const frame *f)
{
    rational_pair pair = rational_pair_make(&f->a->mesh, &f->b->mesh, f->pose);
    const vec3 centroid = geo_pose_apply(f->pose, f->b->report.measure.centroid);
    for (int field = 0; field < 2; field++) {
        const gt_depth_law *const law =
            field == 0 ? &f->truth->depth_force : &f->truth->depth_force_exchanged;
        const vec3 *const vertices = field == 0 ? f->a->mesh.vertices : pair.moved;
        const exact_law exact =
            exact_law_of(&pair, field, field == 0 ? f->a->convex : f->b->convex);
        const vec3 force = {(double)exact.force[0], (double)exact.force[1], (double)exact.force[2]};
        const vec3 moment = {(double)exact.moment[0], (double)exact.moment[1],
                             (double)exact.moment[2]};
        const vec3 arm = vec3_sub(vertices[0], centroid);
        const vec3 torque = vec3_add(moment, vec3_cross(arm, force));
        const double sign = field == 0 ? -1 : 1, bound = (double)exact.bound;
        const double lever = (double)exact.reach + vec3_norm(arm),
                     integral = (double)exact.integral;
        const double off = vec3_distance(law->force_m3, vec3_scale(sign, force));
        const double torque_off = vec3_distance(law->torque_m4, vec3_scale(sign, torque));
        const bool within = off <= law->force_bound_m3 + bound &&
                            torque_off <= law->torque_bound_m4 + bound * lever &&
                            law->integral_m3.lo <= integral + bound &&
                            law->integral_m3.hi >= integral - bound;
        if (count(f, field == 0 ? LAW : EXCHANGED, within)) {
            char values[320];
            snprintf(values, sizeof values,
                     "force off by %.6g, torque by %.6g, bounds %.6g and %.6g; integral [%.17g, "
                     "%.17g], exact %.17g +- %.3g",
                     off, torque_off, law->force_bound_m3 + bound,
                     law->torque_bound_m4 + bound * lever, law->integral_m3.lo, law->integral_m3.hi,
                     integral, bound);
            tell(f, field == 0 ? LAW : EXCHANGED, values);
        }
    }
    rational_pair_clear(&pair);
}

/** Sets sums to 0 if cancellation left digits far below any volume. */
static void clean(mpf_t volume, const rational_pair *pair)
{
    mpf_t least;
    mpf_init2(least, SUM_BITS);
    mpf_set_ui(least, 1);
    mpf_div_2exp(least, least, 3 * pair->scale + SUM_BITS / 2);
    if (mpf_cmp(volume, least) < 0) {
        mpf_set_ui(volume, 0);
    }
    mpf_clear(least);
}

static void judge_frame(const frame *f, bool depth, bool by_places)
{
    rational_pair pair = rational_pair_make(&f->a->mesh, &f->b->mesh, f->pose);
    exact_pair exact = exact_pair_make(&f->a->mesh, &f->b->mesh, pair.moved);
    exact_length length;
    exact_length_init(&length);
    mpf_t number;
    mpf_init2(number, SUM_BITS);
    rational_volume(&pair, number);
    clean(number, &pair);
    if (!by_places) {
        const bool over = mpf_sgn(number) > 0;
        judge_number(f, VOLUME, f->truth->volume_m3, number);
        mpf_set_ui(number, exact_surfaces(&exact, &length));
        judge_number(f, PAIRS, f->truth->pairs_count, number);
        judge_length(f, SURFACES, f->truth->surface_m, &length);
        if (over) {
            mpz_set_ui(length.above, 0);
        }
        judge_length(f, DISTANCE, f->truth->distance_m, &length);
        judge_force(f, &pair);
    }
    if (depth) {
        exact_length own;
        exact_length_init(&own);
        exact_depth(&exact, &own);
        judge_length(f, by_places ? PLACES : DEPTH, f->truth->depth_m, &own);
        exact_length_clear(&own);
    }
    mpf_clear(number);
    exact_length_clear(&length);
    exact_pair_clear(&exact);
    rational_pair_clear(&pair);
}

/** Asks for the truth of poses of a pair. Aborts if there is no answer. */
static void ask(const oracle_body *a, const oracle_body *b, const geo_pose *poses, size_t count,
                unsigned want, unsigned methods, gt_truth *truths)
{
    base_error err = {0};
    const gt_options options = {.threads = 1, .methods = methods, .tetgen_seconds = 20};
    if (gt_trajectory_truth(a->body, b->body, poses, count, want, &options, truths, &err) !=
        BASE_OK) {
        fprintf(stderr, "oracle: %s and %s: %s\n", a->name, b->name, err.text);
        abort();
    }
}

/** Judges frames [first, first + count) of a batch; `pair` is the number of the pair. */
static void judge_pair(job *j, base_random *random, const oracle_body *a, const oracle_body *b,
                       size_t first, size_t count, size_t pair, tally *t, FILE *lines)
{
    const bool convex = a->convex && b->convex;
    const unsigned everything = GT_WANT_DISTANCE | GT_WANT_VOLUME | GT_WANT_PAIRS | GT_WANT_FORCE;
    geo_pose poses[PAIR];
    gt_truth truths[PAIR], of_places[PAIR], of_law[PAIR];
    for (size_t i = 0; i < count; i++) {
        const geo_pose drawn = oracle_pose_draw(random, a, b);
        poses[i] = geo_pose_settled(&drawn);
    }
    const bool places = convex && pair % PLACES_STRIDE == 0;
    ask(a, b, poses, count, everything | (convex ? GT_WANT_DEPTH : 0),
        GT_BY_ALL & ~(unsigned)GT_BY_PLACES, truths);
    const bool law = pair % LAW_STRIDE == 0;
    if (law) {
        ask(a, b, poses, count, GT_WANT_DEPTH_FORCE | GT_WANT_DEPTH_FORCE_EXCHANGED,
            GT_BY_DEPTH_SURFACE | GT_BY_DEPTH_SURFACE_EXCHANGED, of_law);
    }
    if (places) {
        ask(a, b, poses, count, GT_WANT_DEPTH, GT_BY_PLACES, of_places);
    }
    for (size_t i = 0; i < count; i++) {
        frame f = {a, b, &poses[i], &truths[i], j->seed, first + i, t, lines};
        judge_frame(&f, convex, false);
        t->far += a->far || b->far;
        if (law) {
            f.truth = &of_law[i];
            judge_laws(&f);
        }
        if (places) {
            f.truth = &of_places[i];
            judge_frame(&f, true, true);
        }
    }
}

static void tell_progress(job *j, size_t frames)
{
    pthread_mutex_lock(&j->lock);
    j->done += frames;
    const time_t now = time(NULL);
    if (now - j->told >= 5 || j->done == j->frames) {
        const double spent = (double)(now - j->begin);
        const double left = spent * (double)(j->frames - j->done) / (double)j->done;
        fprintf(stderr, "oracle: %zu of %zu frames, %.0f s, %.0f s left\n", j->done, j->frames,
                spent, left);
        j->told = now;
    }
    pthread_mutex_unlock(&j->lock);
}

static void judge_batch(job *j, size_t batch)
{
    oracle_body bodies[BODIES];
    base_random random = base_random_seed(j->seed * 1000003 + batch);
    const double scale = base_exp(log(10) * base_random_range(&random, -6, 6));
    for (int i = 0; i < BODIES; i++) {
        oracle_body_draw(&random, scale * base_random_range(&random, 0.5, 2), &bodies[i]);
    }
    size_t size = 0;
    FILE *const lines = open_memstream(&j->lines[batch], &size);
    if (!lines) {
        abort();
    }
    const size_t begin = batch * BATCH;
    const size_t end = begin + BATCH < j->frames ? begin + BATCH : j->frames;
    for (size_t first = begin; first < end; first += PAIR) {
        const oracle_body *const a = &bodies[base_random_below(&random, BODIES)];
        const oracle_body *const b = &bodies[base_random_below(&random, BODIES)];
        const size_t number = first + PAIR < end ? PAIR : end - first;
        judge_pair(j, &random, a, b, first, number, first / PAIR, &j->of_batch[batch], lines);
    }
    fclose(lines);
    for (int i = 0; i < BODIES; i++) {
        oracle_body_release(&bodies[i]);
    }
    tell_progress(j, end - begin);
}

static void judge_batches(void *context, size_t begin, size_t end)
{
    for (size_t batch = begin; batch < end; batch++) {
        judge_batch(context, batch);
    }
}

/* --- The table -------------------------------------------------------------------------------- */

static void add_tally(tally *sum, const tally *t)
{
    for (int r = 0; r < ROWS; r++) {
        sum->frames[r] += t->frames[r];
        sum->outside[r] += t->outside[r];
        for (int c = 0; c < 3; c++) {
            sum->certified[r][c] += t->certified[r][c];
        }
    }
    sum->far += t->far;
    for (size_t i = 0; i < REASONS && t->reasons[i].count > 0; i++) {
        add_reason(sum, t->reasons[i].text, t->reasons[i].count);
    }
}

static double share(size_t part, size_t whole)
{
    return whole > 0 ? 100 * (double)part / (double)whole : 0;
}

static void print_table(const tally *t)
{
    printf("%-26s %8s %8s %14s %10s %10s\n", "", "frames", "outside", "certificate 2", "1", "0");
    for (int r = 0; r < ROWS; r++) {
        const size_t n = t->frames[r];
        printf("%-26s %8zu %8zu %12.2f %% %8.2f %% %8.2f %%\n", rows[r].name, n, t->outside[r],
               share(t->certified[r][2], n), share(t->certified[r][1], n),
               share(t->certified[r][0], n));
    }
    printf("\nframes with a body 10 to 1e8 sizes off its origin: %zu\n", t->far);
    printf("reasons of certificate 0:%s\n", t->reasons[0].count > 0 ? "" : " none");
    for (size_t i = 0; i < REASONS && t->reasons[i].count > 0; i++) {
        printf("%8zu  %s\n", t->reasons[i].count, t->reasons[i].text);
    }
}

int main(int argc, char **argv)
{
    char *end;
    job j = {.begin = time(NULL), .told = time(NULL), .lock = PTHREAD_MUTEX_INITIALIZER};
    if (argc != 3 || (j.frames = strtoull(argv[1], &end, 10)) == 0 || *end != '\0') {
        fprintf(stderr, "usage: oracle FRAMES SEED\n");
        return 2;
    }
    j.seed = strtoull(argv[2], NULL, 10);
    const size_t batches = (j.frames + BATCH - 1) / BATCH;
    j.of_batch = base_alloc(batches, sizeof *j.of_batch);
    j.lines = base_alloc(batches, sizeof *j.lines);
    if (!j.of_batch || !j.lines) {
        fprintf(stderr, "oracle: out of memory\n");
        return 2;
    }
    base_parallel_for(batches, 1, 0, judge_batches, &j);
    tally sum = {0};
    size_t outside = 0;
    for (size_t i = 0; i < batches; i++) {
        fputs(j.lines[i], stdout);
        free(j.lines[i]);
        add_tally(&sum, &j.of_batch[i]);
    }
    for (int r = 0; r < ROWS; r++) {
        outside += sum.outside[r];
    }
    print_table(&sum);
    base_free(j.of_batch);
    base_free(j.lines);
    return outside > 0;
}
