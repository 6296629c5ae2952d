#include "suite/run/cell.h"

#include "base/memory.h"
#include "geometry/pose.h"
#include "groundtruth/trajectory.h"
#include "suite/results/force.h"
#include "suite/results/judge.h"
#include "suite/results/launches.h"
#include "suite/results/stats.h"

#include <math.h>
#include <string.h>

/** A cell while its journal is being read. */
typedef struct reading {
    bench_cell *cell;
    size_t build_capacity, warm_capacity, evicted_capacity, pass_capacity;
    uint64_t *sorted; /* frame_count entries: sort buffer for the times of a pass */
} reading;

static base_status read_build(reading *r, const bench_build *build, base_error *err)
{
    bench_cell *const cell = r->cell;
    const base_status status =
        base_reserve(cell->builds, r->build_capacity, cell->launch_count + 1, err);
    if (status != BASE_OK) {
        return status;
    }
    const bench_built before[2] = {cell->build[0], cell->build[1]};
    const bool first = cell->launch_count == 0;
    bench_launch_build *const l = &cell->builds[cell->launch_count++];
    *l = (bench_launch_build){.block = build->block, .launch = build->launch};
    memcpy(l->build, build->build, sizeof l->build);
    memcpy(cell->build, build->build, sizeof cell->build);
    for (int i = 0; i < 2 && !first; i++) {
        if (cell->build[i].missing_voxels == UINT64_MAX) {
            cell->build[i].missing_voxels = before[i].missing_voxels;
            cell->build[i].excess_voxels = before[i].excess_voxels;
        }
    }
    return BASE_OK;
}

/** Returns the build time of a launch in ns, summed over the roles in `mask`. */
static uint64_t build_ns_of(const bench_built built[2], unsigned mask)
{
    return (mask & 1u ? built[0].build_ns : 0) + (mask & 2u ? built[1].build_ns : 0);
}

/**
 * Returns the load time of a launch in ns, summed over the roles in `mask`; UINT64_MAX if no body
 * was loaded.
 */
static uint64_t load_ns_of(const bench_built built[2], unsigned mask)
{
    uint64_t sum = 0;
    bool any = false;
    for (int i = 0; i < 2; i++) {
        if ((mask & 1u << i) && built[i].load_ns != UINT64_MAX) {
            sum += built[i].load_ns;
            any = true;
        }
    }
    return any ? sum : UINT64_MAX;
}

/**
 * Returns the median in ns over the launches that have this time; UINT64_MAX if no launch has it.
 */
static uint64_t median_ns(const bench_cell *cell,
                          uint64_t (*time_of)(const bench_built[2], unsigned), unsigned mask,
                          uint64_t *sorted)
{
    size_t count = 0;
    for (size_t i = 0; i < cell->launch_count; i++) {
        const uint64_t time_ns = time_of(cell->builds[i].build, mask);
        if (time_ns != UINT64_MAX) {
            sorted[count++] = time_ns;
        }
    }
    bench_stats_sort(sorted, count);
    return count > 0 ? bench_stats_percentile(sorted, count, 50) : UINT64_MAX;
}

/**
 * Sets those facts of a body that are times to their medians over the launches that built it and
 * did not load it.
 */
static void describe_times(bench_cell *cell, int role, uint64_t *sorted)
{
    const char *const *const facts = cell->variant.algorithm->facts;
    for (size_t k = 0; facts && k < ALG_FACTS_MAX && facts[k]; k++) {
        size_t count = 0;
        for (size_t i = 0; i < cell->launch_count && bench_is_build_time(facts[k]); i++) {
            const bench_built *const built = &cell->builds[i].build[role];
            const double value = built->info.facts[k];
            if (built->anew && value >= 0 && value < 0x1p63) {
                sorted[count++] = (uint64_t)value;
            }
        }
        if (count > 0) {
            bench_stats_sort(sorted, count);
            cell->build[role].info.facts[k] = (double)bench_stats_percentile(sorted, count, 50);
        }
    }
}

static base_status describe_builds(bench_cell *cell, base_error *err)
{
    cell->load_ns = UINT64_MAX;
    if (cell->launch_count == 0) {
        return BASE_OK;
    }
    uint64_t *const sorted = base_alloc(cell->launch_count, sizeof *sorted);
    if (!sorted) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    cell->build_ns = median_ns(cell, build_ns_of, 3, sorted);
    cell->load_ns = median_ns(cell, load_ns_of, 3, sorted);
    for (int i = 0; i < 2; i++) {
        cell->build[i].build_ns = median_ns(cell, build_ns_of, 1u << i, sorted);
        cell->build[i].load_ns = median_ns(cell, load_ns_of, 1u << i, sorted);
        describe_times(cell, i, sorted);
    }
    base_free(sorted);
    return BASE_OK;
}

static base_status read_details(bench_cell *cell, const bench_journal_record *record,
                                base_error *err)
{
    const alg_answer *const answers = record->details;
    const size_t n = cell->frame_count;
    size_t region_count = 0, contact_count = 0;
    for (size_t f = 0; f < n; f++) {
        region_count += bench_regions_kept(&answers[f]);
        contact_count += bench_contacts_kept(&answers[f]);
    }
    cell->details = base_alloc(n, sizeof *answers);
    cell->regions = base_alloc(region_count + 1, sizeof *cell->regions);
    cell->contacts = base_alloc(contact_count + 1, sizeof *cell->contacts);
    if (!cell->details || !cell->regions || !cell->contacts) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for the details of '%s'", cell->name);
    }
    memcpy(cell->details, answers, n * sizeof *answers);
    memcpy(cell->regions, record->regions, region_count * sizeof *cell->regions);
    memcpy(cell->contacts, record->contacts, contact_count * sizeof *cell->contacts);
    return BASE_OK;
}

/** Appends the times of a pass to the times of its protocol. */
static base_status keep_times(uint64_t **all, size_t *count, size_t *capacity,
                              const uint64_t *times_ns, size_t n, base_error *err)
{
    if (*count == BENCH_PASSES_MAX) {
        return BASE_OK; /* possible only with many launches and rounds; later times are not kept */
    }
    const base_status status = base_reserve(*all, *capacity, (*count + 1) * n, err);
    if (status != BASE_OK) {
        return status;
    }
    memcpy(*all + *count * n, times_ns, n * sizeof *times_ns);
    (*count)++;
    return BASE_OK;
}

static void describe_pass(const reading *r, const bench_pass *pass, const uint64_t *times_ns,
                          bench_pass_row *row)
{
    const size_t n = r->cell->frame_count, first = n > 1 ? 1 : 0;
    const bench_usage_counts used = {.involuntary_switches = pass->cost.involuntary_switches,
                                     .major_faults = pass->cost.major_faults};
    uint64_t frames_ns = 0;
    for (size_t f = 0; f < n; f++) {
        frames_ns += times_ns[f];
    }
    memcpy(r->sorted, times_ns + first, (n - first) * sizeof *times_ns);
    bench_stats_sort(r->sorted, n - first);
    *row = (bench_pass_row){.pass = *pass,
                            .p50_ns = bench_stats_percentile(r->sorted, n - first, 50),
                            .p99_ns = bench_stats_percentile(r->sorted, n - first, 99),
                            .max_ns = r->sorted[n - first - 1],
                            .frames_ns = frames_ns,
                            .contaminated = bench_contaminated(used, n)};
}

static base_status read_pass(reading *r, const bench_pass *pass, const uint64_t *times_ns,
                             base_error *err)
{
    bench_cell *const cell = r->cell;
    base_status status = base_reserve(cell->passes, r->pass_capacity, cell->pass_count + 1, err);
    if (status != BASE_OK) {
        return status;
    }
    describe_pass(r, pass, times_ns, &cell->passes[cell->pass_count++]);
    cell->below_resolution |= pass->batch != 0;
    if (pass->protocol == BENCH_WARM) {
        status = keep_times(&cell->warm_ns, &cell->warm_count, &r->warm_capacity, times_ns,
                            cell->frame_count, err);
    } else if (pass->protocol == BENCH_EVICTED) {
        status = keep_times(&cell->evicted_ns, &cell->evicted_count, &r->evicted_capacity, times_ns,
                            cell->frame_count, err);
    }
    return status;
}

static base_status read_record(reading *r, const bench_journal_record *record, base_error *err)
{
    bench_cell *const cell = r->cell;
    if (record->answers) {
        memcpy(cell->answers, record->answers, cell->frame_count * sizeof *cell->answers);
        return bench_answers_hash(cell->answers, cell->frame_count, &cell->answers_hash, err);
    }
    return record->build     ? read_build(r, record->build, err)
           : record->pass    ? read_pass(r, record->pass, record->times_ns, err)
           : record->details ? read_details(cell, record, err)
                             : BASE_OK; /* measure.c has read the end record */
}

static base_status read_cell(const bench_journal *journal, bench_cell *cell, base_error *err)
{
    reading r = {.cell = cell, .sorted = base_alloc(cell->frame_count, sizeof *r.sorted)};
    cell->answers = base_alloc(cell->frame_count, sizeof *cell->answers);
    cell->truths = base_alloc(cell->frame_count, sizeof *cell->truths);
    cell->judgements = base_alloc(cell->frame_count, sizeof *cell->judgements);
    base_status status = BASE_OK;
    if (!r.sorted || !cell->answers || !cell->truths || !cell->judgements) {
        status =
            base_fail(err, BASE_ERR_MEMORY, "out of memory for the samples of '%s'", cell->name);
    }
    if (status == BASE_OK) {
        bench_journal_reader reader = {.journal = journal};
        bench_journal_record record;
        while (status == BASE_OK && bench_journal_next(&reader, &record)) {
            status = read_record(&r, &record, err);
        }
        status = bench_journal_stop(&reader, status, err);
    }
    if (status == BASE_OK) {
        status = describe_builds(cell, err);
    }
    base_free(r.sorted);
    return status;
}

/**
 * Formats the broken promises and their counts: "distance contract broken in 3 frames, first in 0;
 * ..."
 */
static void tell_broken(const size_t broken[BENCH_PROMISE_COUNT],
                        const size_t first[BENCH_PROMISE_COUNT], char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int p = 0; p < BENCH_PROMISE_COUNT && used < size; p++) {
        if (broken[p] > 0) {
            char name[BENCH_PROMISE_NAME_BYTES];
            bench_promise_name((bench_promise)p, name);
            used += (size_t)snprintf(text + used, size - used,
                                     "%s%s broken in %zu frames, first in %zu", used ? "; " : "",
                                     name, broken[p], first[p]);
        }
    }
}

/** Computes the truth of each answered depth. Leaves cell->escapes NULL if no depth is answered. */
static base_status find_escapes(const bench_run_options *options, const bench_scenario *s,
                                bench_cell *cell, base_error *err)
{
    const vec3 any = {1, 0, 0};
    size_t answered = 0;
    gt_reported_depth *const reported = base_alloc(cell->frame_count, sizeof *reported);
    cell->escapes = base_alloc(cell->frame_count, sizeof *cell->escapes);
    base_status status =
        reported && cell->escapes
            ? BASE_OK
            : base_fail(err, BASE_ERR_MEMORY, "out of memory for the depths of '%s'", cell->name);
    for (size_t f = 0; f < cell->frame_count && status == BASE_OK; f++) {
        const alg_answer *const a = &cell->answers[f];
        const bool has_depth = a->answered & ALG_HAS_DEPTH;
        /* With depth 0 nothing moves, so any direction is valid. */
        reported[f] = (gt_reported_depth){a->depth_m != 0 ? a->direction : any,
                                          has_depth ? a->depth_m : (double)NAN};
        answered += has_depth;
    }
    if (status == BASE_OK && answered > 0) {
        char label[BENCH_CONTESTANT_NAME_BYTES + 64];
        snprintf(label, sizeof label, "%s: depths of %s", s->asked->name, cell->name);
        bench_progress progress = bench_progress_start(label, options->quiet);
        const gt_options how = bench_truth_options(options, &progress);
        status = gt_escapes(s->pair.a.truth, s->pair.b.truth, s->poses, reported, cell->frame_count,
                            &how, cell->escapes, err);
        bench_progress_end(&progress);
    }
    if (status != BASE_OK || answered == 0) {
        base_free(cell->escapes);
        cell->escapes = NULL;
    }
    base_free(reported);
    return status;
}

/**
 * Returns the number of regions of all frames. *with_window: the number of regions with a window.
 */
static size_t count_regions(const bench_cell *cell, size_t *with_window)
{
    size_t count = 0;
    for (size_t f = 0; cell->details && f < cell->frame_count; f++) {
        count += bench_regions_kept(&cell->details[f]);
    }
    *with_window = 0;
    for (size_t i = 0; i < count; i++) {
        *with_window += bench_has_window(&cell->regions[i]);
    }
    return count;
}

static void list_windows(const bench_cell *cell, gt_reported_window *windows)
{
    const alg_region *r = cell->regions;
    for (size_t f = 0; f < cell->frame_count; f++) {
        for (size_t i = bench_regions_kept(&cell->details[f]); i > 0; i--, r++) {
            const gt_window window = {r->point,    r->side_u,   r->side_v,
                                      r->half_u_m, r->half_v_m, r->direction};
            *windows++ = (gt_reported_window){f, window, r->depth_m};
        }
    }
}

/**
 * Computes the truth of the regions' depths, if the depth was asked for and a region has a window.
 */
static base_status find_windows(const bench_run_options *options, const bench_scenario *s,
                                bench_cell *cell, base_error *err)
{
    size_t with_window;
    const size_t count = count_regions(cell, &with_window);
    if (with_window == 0 || !(cell->quantities & ALG_WANT_DEPTH)) {
        return BASE_OK;
    }
    gt_reported_window *const windows = base_alloc(count, sizeof *windows);
    cell->windows = base_alloc(count, sizeof *cell->windows);
    if (!windows || !cell->windows) {
        base_free(windows);
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for the windows of '%s'", cell->name);
    }
    list_windows(cell, windows);
    char label[BENCH_CONTESTANT_NAME_BYTES + 64];
    snprintf(label, sizeof label, "%s: windows of %s", s->asked->name, cell->name);
    bench_progress progress = bench_progress_start(label, options->quiet);
    const gt_options how = bench_truth_options(options, &progress);
    const base_status status = gt_windows(s->pair.a.truth, s->pair.b.truth, s->poses, windows,
                                          count, &how, cell->windows, err);
    bench_progress_end(&progress);
    base_free(windows);
    return status;
}

/** Judges every frame. A broken promise makes the cell wrong, unless it has already failed. */
static base_status judge_frames(const bench_run_options *options, const bench_scenario *s,
                                bench_cell *cell, base_error *err)
{
    const double va = s->pair.a.report.measure.volume_m3, vb = s->pair.b.report.measure.volume_m3;
    const bench_scale scale = {s->pair.diagonal_a, va < vb ? va : vb};
    const gt_body *const a = s->pair.a.truth, *const b = s->pair.b.truth;
    const alg_contact *contacts = cell->contacts;
    size_t violations = 0, broken[BENCH_PROMISE_COUNT] = {0}, first[BENCH_PROMISE_COUNT] = {0};
    base_status status = s->pair.has_volume ? find_escapes(options, s, cell, err) : BASE_OK;
    if (status == BASE_OK) {
        status = find_windows(options, s, cell, err);
    }
    for (size_t f = 0; f < cell->frame_count && status == BASE_OK; f++) {
        cell->truths[f] = bench_truth_for(&cell->variant, &s->truths[f]);
        const gt_escape *const escape = cell->escapes ? &cell->escapes[f] : NULL;
        bench_judgement *const j = &cell->judgements[f];
        const bench_witness witness = bench_witness_measure(a, b, &s->poses[f], &cell->answers[f]);
        const size_t contact_count = contacts ? bench_contacts_kept(&cell->details[f]) : 0;
        const bench_contacts contact =
            bench_contacts_measure(a, b, &s->poses[f], contacts, contact_count);
        *j = bench_judge(&(bench_case){.variant = &cell->variant,
                                       .scale = &scale,
                                       .truth = &cell->truths[f],
                                       .certificate = s->certificate,
                                       .answer = &cell->answers[f],
                                       .escape = escape,
                                       .witness = &witness,
                                       .contacts = &contact});
        contacts = contacts ? contacts + contact_count : NULL;
        violations += j->violation;
        for (int p = 0; p < BENCH_PROMISE_COUNT; p++) {
            const bool is_broken = j->broken & 1u << p;
            first[p] = broken[p] == 0 && is_broken ? f : first[p];
            broken[p] += is_broken;
        }
    }
    if (violations > 0 &&
        (cell->status == BENCH_CELL_OK || cell->status == BENCH_CELL_INTERRUPTED)) {
        cell->status = BENCH_CELL_WRONG;
        tell_broken(broken, first, cell->detail, sizeof cell->detail);
    }
    const bench_force_scene scene = {.frames = s->trajectory.frames,
                                     .poses = s->poses,
                                     .truths = s->truths,
                                     .centroid_b = s->pair.b.view.centroid,
                                     .certificate = s->certificate};
    return status == BASE_OK ? bench_forces_measure(&scene, cell, err) : status;
}

/**
 * Marks a cell as uninformative if its brackets are correct but too wide. This is not a failure.
 */
static base_status judge_widths(bench_cell *cell, base_error *err)
{
    for (int q = 0; q < ALG_QUANTITY_COUNT; q++) {
        const bench_number *const number = bench_quantities[q].number;
        double width[BENCH_STATISTIC_COUNT];
        if (!number) {
            continue;
        }
        const base_status status = bench_cell_statistics(cell, number->width_size, width, err);
        if (status != BASE_OK) {
            return status;
        }
        if (cell->status == BENCH_CELL_OK && (cell->quantities & 1u << q) &&
            width[BENCH_P50] > BENCH_INFORMATIVE_WIDTH) {
            cell->status = BENCH_CELL_UNINFORMATIVE;
            snprintf(cell->detail, sizeof cell->detail,
                     "median width of its %s bracket is %.0f %% of the %s", alg_quantity_names[q],
                     100 * width[BENCH_P50], bench_quantities[q].size_name);
        }
    }
    return BASE_OK;
}

base_status bench_cell_judge(const bench_run_options *options, const bench_scenario *scenario,
                             bench_cell *cell, base_error *err)
{
    const base_status status = judge_frames(options, scenario, cell, err);
    return status == BASE_OK ? judge_widths(cell, err) : status;
}

/**
 * Marks a cell as wrong if its times leave out work: they are then not the times that its answers
 * take.
 */
static base_status judge_hidden_work(bench_cell *cell, base_error *err)
{
    bench_hidden_work work;
    const base_status status = bench_hidden_work_of(cell, &work, err);
    const bool good = cell->status == BENCH_CELL_OK || cell->status == BENCH_CELL_UNINFORMATIVE;
    if (status == BASE_OK && work.verdict == BENCH_HIDDEN_WRONG && good) {
        cell->status = BENCH_CELL_WRONG;
        snprintf(cell->detail, sizeof cell->detail, "%s", work.text);
    }
    return status;
}

base_status bench_cell_make(const bench_run_options *options, const bench_plan *plan,
                            const bench_scenario *scenario, const bench_measured *measured,
                            size_t index, bench_cell *cell, base_error *err)
{
    const bench_entrant *const entrant = &plan->entrants[index];
    const char *const tolerance = scenario->asked->tolerance;
    *cell = (bench_cell){
        .scenario = scenario->asked->name,
        .name = entrant->contestant.name,
        .baseline =
            entrant->baseline == index ? "" : plan->entrants[entrant->baseline].contestant.name,
        .variant = entrant->contestant.variant,
        .quantities = scenario->asked->quantities,
        .status = measured->status,
        .frame_count = scenario->trajectory.frame_count,
    };
    memcpy(cell->detail, measured->detail, sizeof cell->detail);
    base_status status = bench_tolerances_parse(tolerance ? tolerance : "", &cell->tolerances, err);
    if (status == BASE_OK) {
        status = read_cell(&measured->journal, cell, err);
    }
    if (status == BASE_OK && cell->status == BENCH_CELL_OK && !measured->complete) {
        cell->status = BENCH_CELL_INTERRUPTED;
    }
    if (status != BASE_OK || cell->pass_count == 0) {
        return status;
    }
    status = bench_cell_judge(options, scenario, cell, err);
    return status == BASE_OK ? judge_hidden_work(cell, err) : status;
}
