#include "suite/results/reference.h"

#include "suite/results/cells.h"
#include "suite/results/force.h"
#include "suite/results/frames.h"
#include "suite/results/launches.h"
#include "suite/results/manifest.h"
#include "suite/results/record.h"
#include "suite/results/truth.h"

/* --- claims.csv ------------------------------------------------------------------------------- */

#define CLAIM(name, kind, unit, role, member, empty, meaning)                                      \
    BENCH_COLUMN(name, kind, unit, role, bench_claims_row, member, 1, empty, meaning)
#define NOT_MEASURED "nothing was measured"

static const bench_column claim_columns[] = {
    CLAIM("experiment", TEXT, "", FACT, experiment, "", "experiment that makes the claim"),
    CLAIM("mode", WORD, "", FACT, mode, "", "mode of the run"),
    CLAIM("commit", TEXT, "", FACT, commit, "the run does not know it",
          "commit of the program that made the run"),
    CLAIM("id", TEXT, "", FACT, id, "",
          "key of the paper, if the experiment is of one, and name of the claim: IST-F7a"),
    CLAIM("claim", TEXT, "", FACT, claim, "", "the claim in one sentence"),
    CLAIM("whose", WORD, "", FACT, whose, "",
          "paper: the paper's claim; ours: a claim of this suite"),
    CLAIM("measure", TEXT, "", FACT, measure, "the claim is not measured yet",
          "formula of the number"),
    CLAIM("paper", NUMBER, "1", FACT, paper, "the claim has none", "the paper's number"),
    CLAIM("at_least", NUMBER, "1", FACT, at_least, "there is no such limit",
          "lower limit of the number"),
    CLAIM("at_most", NUMBER, "1", FACT, at_most, "there is no such limit",
          "upper limit of the number"),
    CLAIM("ours", NUMBER, "1", COST, ours, NOT_MEASURED,
          "number of this run; of several cells that which is worst for the claim"),
    CLAIM("lo", NUMBER, "1", COST, lo, NOT_MEASURED ", or launches are too few",
          "interval of the number: lower end; the number itself where it has no interval"),
    CLAIM("hi", NUMBER, "1", COST, hi, NOT_MEASURED ", or launches are too few", "upper end"),
    CLAIM("verdict", TEXT, "", COST, verdict, "", "holds, does not hold, cannot tell, or not yet"),
    CLAIM("reason", TEXT, "", COST, reason, "all cells were measured together",
          "cell that the number is of, or why there is none"),
    CLAIM("command", TEXT, "", FACT, command, "the claim is not measured yet",
          "run that measures the number again"),
};
const bench_columns bench_claims_columns = {claim_columns,
                                            sizeof claim_columns / sizeof *claim_columns};

/* --- Steps ------------------------------------------------------------------------------------ */

#define STEP(name, kind, unit, role, member, empty, meaning)                                       \
    BENCH_COLUMN(name, kind, unit, role, bench_step_row, member, 1, empty, meaning)
#define NUMBER(name, unit, role, member, meaning)                                                  \
    STEP(name, NUMBER, unit, role, step.member, "", meaning)
/** ending: end of the names, which contains the unit. */
#define VECTOR(name, ending, unit, role, member, meaning)                                          \
    NUMBER(name "x" ending, unit, role, member.x, meaning),                                        \
        NUMBER(name "y" ending, unit, role, member.y, "the same, y"),                              \
        NUMBER(name "z" ending, unit, role, member.z, "the same, z")
#define QUATERNION(name, role, member, meaning)                                                    \
    NUMBER(name "qx", "1", role, member.x, meaning),                                               \
        NUMBER(name "qy", "1", role, member.y, "the same, y"),                                     \
        NUMBER(name "qz", "1", role, member.z, "the same, z"),                                     \
        NUMBER(name "qw", "1", role, member.w, "the same, real part")

static const bench_column step_columns[] = {
    STEP("step", COUNT, "", FACT, step.number, "",
         "number of the step; 0: the beginning, before any motion"),
    NUMBER("t_s", "s", FACT, t_s, "time at the end of the step"),
    VECTOR("device_", "_m", "m", FACT, device.position,
           "position of B's centroid if B were attached rigidly to the device: in the frame of A's "
           "file, x"),
    QUATERNION("device_", FACT, device.orientation, "its orientation, unit quaternion, x"),
    VECTOR("device_v", "_m_s", "m/s", FACT, device.velocity, "its velocity, x"),
    VECTOR("device_w", "_rad_s", "rad/s", FACT, device.spin,
           "its angular velocity about A's axes, x"),
    VECTOR("", "_m", "m", ANSWER, state.position, "B's centroid at the end of the step, x"),
    QUATERNION("", ANSWER, state.orientation, "B's orientation, unit quaternion, x"),
    VECTOR("v", "_m_s", "m/s", ANSWER, state.velocity, "its velocity, x"),
    VECTOR("w", "_rad_s", "rad/s", ANSWER, state.spin, "its angular velocity about A's axes, x"),
    STEP("contact_count", COUNT, "", ANSWER, step.contact_count, "",
         "contacts that the variant found at the beginning of the step; 0 for forces"),
    STEP("impulse_count", COUNT, "", ANSWER, step.impulse_count, "",
         "impulses in the step; 0 for forces"),
    NUMBER("deepest_m", "m", ANSWER, deepest_m,
           "largest depth of these contacts, as answered by the variant; 0 for forces"),
    STEP("touching", FLAG, "", ANSWER, step.touching, "",
         "1: there was a contact, or a force that is not 0, at the beginning of the step"),
    VECTOR("coupling_f", "_n", "N", ANSWER, coupling_force_n,
           "force of the coupling on B, mean of the step: the hand feels minus that; A's axes, x"),
    VECTOR("coupling_t", "_nm", "N m", ANSWER, coupling_torque_nm,
           "its torque about B's centroid, x"),
    VECTOR("contact_f", "_n", "N", ANSWER, contact_force_n,
           "force of the contact on B: the penalty, or the impulses over the step's length; A's "
           "axes, x"),
    VECTOR("contact_t", "_nm", "N m", ANSWER, contact_torque_nm,
           "its torque about B's centroid, x"),
    NUMBER("kinetic_j", "J", ANSWER, kinetic_j, "kinetic energy of B at the end of the step"),
    NUMBER("spring_j", "J", ANSWER, spring_j, "energy in the coupling's springs"),
    NUMBER("coupling_work_j", "J", ANSWER, coupling_work_j,
           "work of the coupling on B since the beginning"),
    NUMBER("contact_work_j", "J", ANSWER, contact_work_j,
           "work of the contact on B since the beginning; above 0 it has created energy"),
    STEP("cut", FLAG, "", ANSWER, step.cut, "", "1: the limit of impulses was reached"),
    STEP("beyond_count", COUNT, "", ANSWER, beyond, "",
         "contacts of the step that did not fit into the buffer"),
    STEP("volume_m3", NUMBER, "m3", TRUTH, volume_m3, "a body is no solid",
         "volume that both bodies share at the end of the step: exact, by flux"),
    STEP("point_depth_m", NUMBER, "m", TRUTH, point_depth_m,
         "it was not judged (simulate --judge), as above",
         "lower bound of the penetration: largest distance of a vertex of one body inside the "
         "other from the other's surface"),
    STEP("coupling_n", NUMBER, "N", ANSWER, coupling_n, "", "length of the coupling's force"),
    STEP("contact_n", NUMBER, "N", ANSWER, contact_n, "", "length of the contact's force"),
};
const bench_columns bench_step_columns = {step_columns, sizeof step_columns / sizeof *step_columns};

#define TIME(name, unit, role, member, meaning)                                                    \
    BENCH_COLUMN(name, COUNT, unit, role, bench_step_time_row, member, 1, "", meaning)

static const bench_column step_time_columns[] = {
    TIME("step", "", FACT, step, "number of the step, from 1"),
    TIME("query_ns", "ns", COST, query_ns, "time of the variant's query"),
    TIME("response_ns", "ns", COST, response_ns,
         "time of the rest of the step, without the communication with the variant's process: "
         "checks of the answer, coupling, force or impulses, motion"),
};
const bench_columns bench_step_time_columns = {step_time_columns, sizeof step_time_columns /
                                                                      sizeof *step_time_columns};

/* --- Simulations ------------------------------------------------------------------------------ */

#define SIMULATION(name, kind, unit, role, member, empty, meaning)                                 \
    BENCH_COLUMN(name, kind, unit, role, bench_simulation_row, member, BENCH_RECORD_SIMULATED,     \
                 empty, meaning)
#define NO_STEP  "no step was made"
#define NO_END   "it ended before the scene, without a fault so far"
#define NO_SOLID "a body is no solid, or no step was judged"

static const bench_column simulation_columns[] = {
    SIMULATION("scene", SCENARIO, "", FACT, scene, "", "scene; pair for the user's own pair"),
    SIMULATION("variant", CONTESTANT, "", FACT, variant, "", BENCH_MEANS_VARIANT),
    SIMULATION("response", WORD, "", FACT, response, "", "type of the response: force or impulses"),
    SIMULATION(
        "status", STATUS, "", FACT, status, "",
        "how it ended: ok, unsupported (the variant declines the bodies or has no such answers), "
        "failed, oom, crash, timeout, wrong (an answer that is not valid), interrupted, unscaled "
        "(it "
        "came to its end, but the scale of its force is unknown: it is not compared)"),
    SIMULATION("detail", TEXT, "", FACT, detail, "the status needs no reason",
               "reason of the status"),
    SIMULATION("force_unit", WORD, "", FACT, unit, "driven by impulses",
               "unit of the variant's force"),
    SIMULATION(
        "gain", NUMBER, "1", ANSWER, gain, "driven by impulses, a force in N, or unscaled",
        "force = stiffness gain answer: over steps of the device's own path, sum |G| |F| / sum "
        "|F|^2 of the variant's force F and the exact volume's gradient G; 1 of exact forces"),
    SIMULATION("steps_count", COUNT, "", ANSWER, steps, "", "steps that were made"),
    SIMULATION("steps_planned_count", COUNT, "", FACT, steps_planned, "", "steps of the scene"),
    SIMULATION("first_touch_s", NUMBER, "s", ANSWER, first_touch_s, "it never touched",
               "beginning of the first step with a contact or a force; the transient is the 100 ms "
               "after it"),
    SIMULATION("point_depth_max_m", NUMBER, "m", TRUTH, point_depth_m, NO_SOLID,
               "largest point_depth_m of its steps"),
    SIMULATION("point_depth_settled_max_m", NUMBER, "m", TRUTH, point_depth_settled_m, NO_SOLID,
               "the same, after the transient"),
    SIMULATION("volume_max_m3", NUMBER, "m3", TRUTH, volume_m3, NO_SOLID,
               "largest volume_m3 of its steps"),
    SIMULATION("volume_settled_max_m3", NUMBER, "m3", TRUTH, volume_settled_m3, NO_SOLID,
               "the same, after the transient"),
    SIMULATION(
        "contact_work_max_j", NUMBER, "J", ANSWER, made_j, NO_STEP,
        "energy created by the contact: the largest value of contact_work_j; 0 for a passive "
        "method"),
    SIMULATION(
        "contact_work_beyond_j", NUMBER, "J", ERROR, made_beyond_j,
        NO_STEP "; exact-volume did not end the scene; unscaled",
        "energy created by the method: contact_work_max_j beyond that of exact-volume on the "
        "scene, whose force is the gradient of a potential; at least 0. The rest is created by "
        "coupling and time steps"),
    SIMULATION("contact_work_end_j", NUMBER, "J", ANSWER, contact_work_j, NO_STEP,
               "the contact's work at the end"),
    SIMULATION("coupling_moved_j", NUMBER, "J", ANSWER, moved_j, NO_STEP,
               "sum over steps of the absolute value of the coupling's work"),
    SIMULATION("passive", COUNT_IF, "", ERROR, passive, NO_END,
               "1: contact_work_max_j is at most 1 % of coupling_moved_j"),
    SIMULATION(
        "through", COUNT_IF, "", ERROR, through, NO_STEP "; " NO_END,
        "1: a body went through the other one: its centroid did, or at one step more than half of "
        "the points of its surface had"),
    SIMULATION(
        "passed_share", NUMBER, "1", ERROR, passed_share, NO_STEP,
        "share of the points of a body's surface that had passed through the other body: the "
        "largest of all steps and of both bodies; a path has passed that enters at a face with "
        "normal n1 and leaves at one with n2, n1 n2 < 0"),
    SIMULATION("coupling_rms_n", NUMBER, "N", ANSWER, coupling_rms_n, NO_STEP,
               "force of the coupling: root of the mean square over steps"),
    SIMULATION("coupling_max_n", NUMBER, "N", ANSWER, coupling_max_n, NO_STEP, "the same, largest"),
    SIMULATION("coupling_change_p99_n", NUMBER, "N", ANSWER, change_p99_n,
               "less than two steps were made",
               "how smooth it is: length of its change from one step to the next, 99th percentile "
               "(nearest rank)"),
    SIMULATION("toggles_count", COUNT, "", ANSWER, toggles, "",
               "number of changes between touching and not touching from one step to the next"),
    SIMULATION("chatter_count", COUNT_IF, "", ERROR, chatter,
               "exact-volume did not end the scene; unscaled",
               "toggles beyond those of exact-volume on the scene"),
    SIMULATION("contacts_mean", NUMBER, "1", ANSWER, contacts_mean,
               "driven by a force, or it never touched",
               "contacts of a step, mean over those that touch"),
    SIMULATION("impulses_mean", NUMBER, "1", ANSWER, impulses_mean, "as contacts_mean",
               "the same for impulses"),
    SIMULATION("cut_count", COUNT, "", ANSWER, cut, "", "steps in which impulses met their limit"),
    SIMULATION("beyond_count", COUNT, "", ANSWER, beyond, "",
               "contacts that there was no room for, all steps"),
    SIMULATION("path_hash", WORD, "", ANSWER, hash, NO_STEP,
               "hash of the body's path: time, position and orientation of each step"),
    SIMULATION("file", FILE, "", FACT, file, "", BENCH_MEANS_FILE),
};
const bench_columns bench_simulation_columns = {simulation_columns, sizeof simulation_columns /
                                                                        sizeof *simulation_columns};

#define OF_TIMES(name, kind, unit, role, member, meaning)                                          \
    BENCH_COLUMN(name, kind, unit, role, bench_simulation_time_row, member, 0, "", meaning)

static const bench_column simulation_time_columns[] = {
    OF_TIMES("scene", SCENARIO, "", FACT, scene, "as in simulations.csv"),
    OF_TIMES("variant", CONTESTANT, "", FACT, variant, "the same"),
    OF_TIMES("steps_count", COUNT, "", FACT, steps, "steps whose times are known"),
    OF_TIMES("query_p50_ns", COUNT, "ns", COST, query_p50_ns, "time of a step's query, median"),
    OF_TIMES("query_p99_ns", COUNT, "ns", COST, query_p99_ns,
             "the same, 99th percentile (nearest rank)"),
    OF_TIMES("query_max_ns", COUNT, "ns", COST, query_max_ns, "the same, longest"),
    OF_TIMES("response_p50_ns", COUNT, "ns", COST, response_p50_ns,
             "time of all else of a step (response_ns of SCENE/VARIANT.times.csv), median"),
    OF_TIMES("response_p99_ns", COUNT, "ns", COST, response_p99_ns, "the same, 99th percentile"),
    OF_TIMES("response_max_ns", COUNT, "ns", COST, response_max_ns, "the same, longest"),
    OF_TIMES("late_count", COUNT, "", COST, late,
             "steps of which query and all else took longer than a step lasts, 1 ms"),
    OF_TIMES("file", FILE, "", FACT, file, BENCH_MEANS_FILE),
};
const bench_columns bench_simulation_time_columns = {
    simulation_time_columns, sizeof simulation_time_columns / sizeof *simulation_time_columns};

/* --- compare.csv, pareto.csv and build_ratios.csv --------------------------------------------- */

#define OF_COMPARE(name, kind, unit, role, member, empty, meaning)                                 \
    BENCH_COLUMN(name, kind, unit, role, bench_compare_row, member, 0, empty, meaning)

static const bench_column compare_columns[] = {
    OF_COMPARE("scenario", SCENARIO, "", FACT, scenario, "", BENCH_MEANS_SCENARIO),
    OF_COMPARE("variant", CONTESTANT, "", FACT, variant, "", BENCH_MEANS_VARIANT),
    OF_COMPARE("baseline", BASELINE, "", FACT, baseline, "", BENCH_MEANS_BASELINE),
    OF_COMPARE("metric", WORD, "", FACT, metric, "",
               "what is compared, of launches.csv: query_ns or p99_ns"),
    OF_COMPARE("protocol", PROTOCOL, "", FACT, protocol, "", "warm or evicted"),
    OF_COMPARE(
        "ratio", NUMBER, "1", COST, ratio, "no launch has both",
        "time of the variant / time of the baseline, median over launches: below 1 is faster"),
    OF_COMPARE("lo", NUMBER, "1", COST, lo, "no launch has both, or they are too few",
               "interval of the ratio by the sign test over launches: lower end"),
    OF_COMPARE("hi", NUMBER, "1", COST, hi, "no launch has both, or they are too few", "upper end"),
    OF_COMPARE("level", NUMBER, "1", COST, level, "no launch has both",
               "probability with which the interval, or the widest one that the launches give, "
               "holds the ratio"),
    OF_COMPARE("launches_count", COUNT, "", FACT, launches, "", "launches that have both"),
    OF_COMPARE("aa_lo", NUMBER, "1", COST, aa_lo, "there is no twin, or launches are too few",
               "the same interval of the baseline's twin, which is the same code: lower end"),
    OF_COMPARE("aa_hi", NUMBER, "1", COST, aa_hi, "there is no twin, or launches are too few",
               "upper end"),
    OF_COMPARE("verdict", TEXT, "", COST, verdict, "",
               "faster, slower or within noise (not told apart); floor: promises no answer to what "
               "was asked; "
               "or why nothing is said: not told (no A/A), too few launches, below resolution, not "
               "interleaved, a status that is not ok, baseline and its status"),
    OF_COMPARE("file", FILE, "", FACT, file, "", BENCH_MEANS_FILE),
};
const bench_columns bench_compare_columns = {compare_columns,
                                             sizeof compare_columns / sizeof *compare_columns};

#define OF_PARETO(name, kind, unit, role, member, meaning)                                         \
    BENCH_COLUMN(name, kind, unit, role, bench_pareto_row, member, 0, "", meaning)

#define NOT_JUDGED       "it is not judged"
#define TOO_FEW_LAUNCHES "fewer than 6 launches"
#define NOT_WITHIN       "it is not within the tolerance"

static const bench_column pareto_columns[] = {
    OF_PARETO("scenario", SCENARIO, "", FACT, scenario, BENCH_MEANS_SCENARIO),
    OF_PARETO("quantity", QUANTITY, "", FACT, quantity,
              "quantity whose errors these are: distance, volume or contact"),
    OF_PARETO("variant", CONTESTANT, "", FACT, variant, BENCH_MEANS_VARIANT),
    OF_PARETO("time_p99_ns", NUMBER, "ns", COST, time_p99_ns, "as in cells.csv"),
    BENCH_COLUMN("error_mean", NUMBER, "1", ERROR, bench_pareto_row, error_mean, 0, NOT_JUDGED,
                 "mean of the error that the column error names; of contact the share of wrong "
                 "verdicts"),
    BENCH_COLUMN("error_max", NUMBER, "1", ERROR, bench_pareto_row, error_max, 0, NOT_JUDGED,
                 "the same, largest; of contact as error_mean"),
    OF_PARETO("on_front", FLAG, "", COST, on_front,
              "1: none of those judged has less of one of time_p99_ns and error_mean and not more "
              "of the other (errors up to 1e-9 are 0)"),
    OF_PARETO("fastest_within", FLAG, "", COST, fastest_within,
              "1: within, and no other point that is within is faster"),
    OF_PARETO("fastest_exact", FLAG, "", COST, fastest_exact,
              "1: none of those judged whose largest error is at most 1e-9 is faster"),
    OF_PARETO("below_resolution", FLAG, "", COST, below_resolution,
              "as in cells.csv: single frames are too fast for the clock"),
    OF_PARETO("file", FILE, "", FACT, file, BENCH_MEANS_FILE),
    OF_PARETO("unjudged_faster", FLAG, "", COST, unjudged_faster,
              "1: a winner, but one that promises exact answers is faster and was not judged in "
              "this mode"),
    OF_PARETO(
        "judged", FLAG, "", ERROR, judged,
        "1: its error is known; 0: it promises exact answers, and no second method judged it"),
    OF_PARETO("error", TEXT, "", FACT, error,
              "column of the frames that the errors are of: the first one of the tolerance; "
              "verdict: of contact, wrong verdicts"),
    OF_PARETO("tolerance", TEXT, "", FACT, tolerance, "tolerance of the scenario, for people"),
    OF_PARETO("within", FLAG, "", ERROR, within,
              "1: the largest errors are within the tolerance (or compare's --error)"),
    BENCH_COLUMN("within_share", NUMBER, "1", ERROR, bench_pareto_row, within_share, 0, NOT_JUDGED,
                 "share of the judged frames within the tolerance of the scenario"),
    BENCH_COLUMN("time_p99_lo_ns", NUMBER, "ns", COST, bench_pareto_row, time_p99_lo_ns, 0,
                 TOO_FEW_LAUNCHES,
                 "lower end of a 95 % interval of the launches' own percentiles (sign test), "
                 "widened so that "
                 "it contains time_p99_ns"),
    BENCH_COLUMN("time_p99_hi_ns", NUMBER, "ns", COST, bench_pareto_row, time_p99_hi_ns, 0,
                 TOO_FEW_LAUNCHES, "upper end of that interval"),
    BENCH_COLUMN("best_ratio", NUMBER, "1", COST, bench_pareto_row, best_ratio, 0, NOT_WITHIN,
                 "time_p99_ns / that of the fastest variant within the tolerance"),
    BENCH_COLUMN("best_share", NUMBER, "1", COST, bench_pareto_row, best_share, 0, NOT_WITHIN,
                 "share of the scenarios that ask the variant for the quantity in which it is "
                 "within, and its best_ratio is at most this one: the performance profile of the "
                 "run; scenarios in which no variant is within do not count"),
};
const bench_columns bench_pareto_columns = {pareto_columns,
                                            sizeof pareto_columns / sizeof *pareto_columns};

#define OF_BUILD_RATIO(name, kind, unit, role, member, empty, meaning)                             \
    BENCH_COLUMN(name, kind, unit, role, bench_build_ratio_row, member, 0, empty, meaning)

static const bench_column build_ratio_columns[] = {
    OF_BUILD_RATIO("variant", CONTESTANT, "", FACT, variant, "", BENCH_MEANS_VARIANT),
    OF_BUILD_RATIO("other", CONTESTANT, "", FACT, other, "", "contestant that it is compared with"),
    OF_BUILD_RATIO(
        "parameter", TEXT, "", FACT, parameter, "",
        "the one parameter in which the two differ; algorithm: they are of two algorithms, "
        "with equal values of all parameters that both have"),
    OF_BUILD_RATIO("body", TEXT, "", FACT, body, "",
                   "body, as the experiment names it: a model or a mesh file"),
    OF_BUILD_RATIO("role", WORD, "", FACT, role, "", "fixed (A) or moving (B)"),
    OF_BUILD_RATIO("measure", WORD, "", FACT, measure, "",
                   "what is compared, of build_launches.csv: build_ns, or a fact of both"),
    OF_BUILD_RATIO("ratio", NUMBER, "1", COST, ratio, "",
                   "time of the variant / time of the other, median over launches that built both: "
                   "below 1 is faster"),
    OF_BUILD_RATIO("lo", NUMBER, "1", COST, lo, "launches are too few (6 are needed)",
                   "interval of the ratio by the sign test over launches, at 95 % or more for each "
                   "row by itself: lower end"),
    OF_BUILD_RATIO("hi", NUMBER, "1", COST, hi, "launches are too few (6 are needed)", "upper end"),
    OF_BUILD_RATIO("launches", COUNT, "", FACT, launches, "", "launches that built both"),
    OF_BUILD_RATIO("triangles_count", COUNT_IF, "", FACT, triangles,
                   "builds.csv has no row of the variant", "triangles of the mesh"),
    OF_BUILD_RATIO("file", FILE, "", FACT, file, "", BENCH_MEANS_FILE),
    OF_BUILD_RATIO("other_file", TEXT, "", FACT, other_file, "", "the same for the other"),
};
const bench_columns bench_build_ratios_columns = {
    build_ratio_columns, sizeof build_ratio_columns / sizeof *build_ratio_columns};

/* --- All files -------------------------------------------------------------------------------- */

/** A column without a member in a row's structure, because other code writes it. */
#define ELSEWHERE(name, kind, unit, role, empty, meaning)                                          \
    {                                                                                              \
        name, BENCH_KIND_##kind, unit, BENCH_ROLE_##role, 0, 0, 0, empty, meaning                  \
    }

static const bench_column of_counters[] = {
    ELSEWHERE("COUNTER_mean", NUMBER, "", COUNTER,
              "no warm pass was made, or the variant has no such counter",
              "mean per frame of a counter of any of the run's algorithms, under its own name"),
};

static const bench_column of_steps[] = {
    ELSEWHERE("COUNTER", COUNT_IF, "", COUNTER, "step 0",
              "a counter of the variant's, under its own name"),
};

static const bench_column of_facts[] = {
    ELSEWHERE("FACT", NUMBER, "its own", FACT, "it was not built, or the variant has no such fact",
              "fact that an algorithm of the run reports about its builds, under its own name; for "
              "times, the median over the launches that built"),
};

static const bench_column of_times[] = {
    ELSEWHERE("FACT_ns", NUMBER, "ns", COST, "the variant has no such fact",
              "as FACT of builds.csv, in this launch; only facts that are times"),
};

static const bench_column of_variant[] = {
    ELSEWHERE("FACT", NUMBER, "its own", FACT, "the variant has no such fact",
              "as in builds.csv, of the variant"),
};

/** The columns that scn_trajectory_write writes. */
static const bench_column of_trajectories[] = {
    ELSEWHERE("frame", COUNT, "", FACT, "", "number of the frame, from 0"),
    ELSEWHERE("t_s", NUMBER, "s", FACT, "", "time of the pose"),
    ELSEWHERE("x_m", NUMBER, "m", FACT, "", "origin of B's file in the frame of A's file, x"),
    ELSEWHERE("y_m", NUMBER, "m", FACT, "", "the same, y"),
    ELSEWHERE("z_m", NUMBER, "m", FACT, "", "the same, z"),
    ELSEWHERE("qx", NUMBER, "1", FACT, "", "orientation of B in A's frame: unit quaternion, x"),
    ELSEWHERE("qy", NUMBER, "1", FACT, "", "the same, y"),
    ELSEWHERE("qz", NUMBER, "1", FACT, "", "the same, z"),
    ELSEWHERE("qw", NUMBER, "1", FACT, "", "the same, real part"),
    ELSEWHERE("target", NUMBER, "m or m3", FACT, "the pose was not sampled",
              "distance (m) or volume (m3) that the sampler aimed at; `source` says which"),
    ELSEWHERE("achieved", NUMBER, "m or m3", TRUTH, "the pose was not sampled",
              "value found by the truth"),
    ELSEWHERE("source", TEXT, "", FACT, "in all rows but the first",
              "origin of the poses: a sampler with its parameters, or a file"),
    ELSEWHERE("known_distance_m", NUMBER, "m", TRUTH,
              "not known; the column is missing if no frame has it",
              "distance that is known beforehand; the truth must contain it"),
    ELSEWHERE("known_volume_m3", NUMBER, "m3", TRUTH, "as known_distance_m",
              "the same for the volume"),
    ELSEWHERE("known_fx_m2", NUMBER, "m2", TRUTH,
              "not known; the column is missing if no frame has it",
              "force on B that is known beforehand, x: minus the gradient of the common volume of "
              "the bodies that the meshes stand for, in A's axes"),
    ELSEWHERE("known_fy_m2", NUMBER, "m2", TRUTH, "as known_fx_m2", "the same, y"),
    ELSEWHERE("known_fz_m2", NUMBER, "m2", TRUTH, "as known_fx_m2", "the same, z"),
    ELSEWHERE("known_tx_m3", NUMBER, "m3", TRUTH, "as known_fx_m2",
              "its torque about B's centroid, x"),
    ELSEWHERE("known_ty_m3", NUMBER, "m3", TRUTH, "as known_fx_m2", "the same, y"),
    ELSEWHERE("known_tz_m3", NUMBER, "m3", TRUTH, "as known_fx_m2", "the same, z"),
    ELSEWHERE(
        "known_depth_fx_m3", NUMBER, "m3", TRUTH,
        "not known; the column is missing if no frame has it",
        "force on B by the law of depth that is known beforehand, x: minus the gradient of the "
        "integral, over the common volume of these bodies, of the distance to A's surface"),
    ELSEWHERE("known_depth_fy_m3", NUMBER, "m3", TRUTH, "as known_depth_fx_m3", "the same, y"),
    ELSEWHERE("known_depth_fz_m3", NUMBER, "m3", TRUTH, "as known_depth_fx_m3", "the same, z"),
    ELSEWHERE("known_depth_tx_m4", NUMBER, "m4", TRUTH, "as known_depth_fx_m3",
              "its torque about B's centroid, x"),
    ELSEWHERE("known_depth_ty_m4", NUMBER, "m4", TRUTH, "as known_depth_fx_m3", "the same, y"),
    ELSEWHERE("known_depth_tz_m4", NUMBER, "m4", TRUTH, "as known_depth_fx_m3", "the same, z"),
};

/**
 * An algorithm that has every kind of column. Names in capitals stand for names that variants
 * define.
 */
static const char *const any_counter[] = {"COUNTER", NULL};
static const char *const any_stage[] = {"NAME", NULL};
static const alg_algorithm any_algorithm = {
    .force_unit = "UNIT", .counters = any_counter, .stages = any_stage};

#define MORE(array)                                                                                \
    {                                                                                              \
        array, sizeof(array) / sizeof *(array)                                                     \
    }

const bench_file bench_files[BENCH_FILE_COUNT] = {
    [BENCH_FILE_MANIFEST] =
        {
            .name = "manifest.csv",
            .row = "a fact of the run, its machine or its inputs",
            .columns = &bench_manifest_columns,
            .use = BENCH_FILE_OF_RUN,
        },
    [BENCH_FILE_CELLS] =
        {
            .name = "cells.csv",
            .row = "a variant on a scenario",
            .more = MORE(of_counters),
            .use = BENCH_FILE_OF_RUN,
        },
    [BENCH_FILE_BUILDS] =
        {
            .name = "builds.csv",
            .row = "a variant, a body and its role",
            .columns = &bench_builds_columns,
            .more = MORE(of_facts),
            .use = BENCH_FILE_OF_RUN | BENCH_FILE_DRAWN,
        },
    [BENCH_FILE_BUILD_LAUNCHES] =
        {
            .name = "build_launches.csv",
            .row = "a variant, a body, its role and a launch that built it",
            .columns = &bench_build_launches_columns,
            .more = MORE(of_times),
            .use = BENCH_FILE_OF_RUN | BENCH_FILE_DRAWN,
        },
    [BENCH_FILE_FRAMES] = {.name = "SCENARIO/VARIANT.csv", .row = "a frame"},
    [BENCH_FILE_REGIONS] =
        {
            .name = "SCENARIO/VARIANT.regions.csv",
            .row = "a region of penetration in a frame",
            .columns = &bench_regions_columns,
        },
    [BENCH_FILE_PASSES] =
        {
            .name = "passes.csv",
            .row = "a pass of a variant over all frames",
            .columns = &bench_passes_columns,
            .use = BENCH_FILE_OF_RUN | BENCH_FILE_DRAWN,
        },
    [BENCH_FILE_LAUNCHES] =
        {
            .name = "launches.csv",
            .row = "a launch of a variant, warm or evicted",
            .columns = &bench_launches_columns,
            .use = BENCH_FILE_OF_RUN,
        },
    [BENCH_FILE_COMPARE] =
        {
            .name = "compare.csv",
            .row = "a variant, a metric and a protocol",
            .columns = &bench_compare_columns,
            .use = BENCH_FILE_DRAWN,
        },
    [BENCH_FILE_BUILD_RATIOS] =
        {
            .name = "build_ratios.csv",
            .row = "two variants, a body, its role and a time of its build",
            .columns = &bench_build_ratios_columns,
            .more = MORE(of_variant),
            .use = BENCH_FILE_DRAWN,
        },
    [BENCH_FILE_CLAIMS] =
        {
            .name = "claims.csv",
            .row = "a claim of the experiment",
            .columns = &bench_claims_columns,
        },
    [BENCH_FILE_PARETO] =
        {
            .name = "pareto.csv",
            .row = "a variant on a scenario, in one quantity",
            .columns = &bench_pareto_columns,
            .use = BENCH_FILE_DRAWN,
        },
    [BENCH_FILE_DEADLINE] =
        {
            .name = "deadline.csv",
            .row = "a step of a variant's deadline profile",
            .columns = &bench_deadline_columns,
            .use = BENCH_FILE_OF_RUN | BENCH_FILE_DRAWN,
        },
    [BENCH_FILE_FORCES] =
        {
            .name = "forces.csv",
            .row = "a variant on a scenario and an ideal of its forces, where these are judged",
            .columns = &bench_forces_columns,
            .use = BENCH_FILE_OF_RUN | BENCH_FILE_DRAWN,
        },
    [BENCH_FILE_SPECTROGRAM] =
        {
            .name = "SCENARIO/VARIANT.spectrogram.csv",
            .row = "a segment of 256 frames and a frequency",
            .columns = &bench_spectrogram_columns,
        },
    [BENCH_FILE_TRAJECTORY] =
        {
            .name = "trajectories/SCENARIO.csv",
            .row = "a frame",
            .more = MORE(of_trajectories),
        },
    [BENCH_FILE_SIMULATIONS] =
        {
            .name = "simulations.csv",
            .row = "a scene and a variant, by simulate",
            .columns = &bench_simulation_columns,
        },
    [BENCH_FILE_SIMULATION_TIMES] =
        {
            .name = "simulation_times.csv",
            .row = "a scene and a variant, by simulate",
            .columns = &bench_simulation_time_columns,
        },
    [BENCH_FILE_STEPS] =
        {
            .name = "SCENE/VARIANT.steps.csv",
            .row = "a step, by simulate",
            .columns = &bench_step_columns,
            .more = MORE(of_steps),
        },
    [BENCH_FILE_STEP_TIMES] =
        {
            .name = "SCENE/VARIANT.times.csv",
            .row = "a step, by simulate",
            .columns = &bench_step_time_columns,
        },
    [BENCH_FILE_TRUTH] =
        {
            .name = "truth",
            .row = "a frame, on standard output",
            .columns = &bench_truth_columns,
        },
};

void bench_reference_each(bench_reference_put *put, void *context)
{
    bench_frame_columns frames;
    bench_frame_columns_list(&any_algorithm, &frames);
    for (int f = 0; f < BENCH_FILE_COUNT; f++) {
        const bench_file *const file = &bench_files[f];
        const bench_columns columns = f == BENCH_FILE_CELLS ? bench_cells_columns()
                                      : f == BENCH_FILE_FRAMES
                                          ? (bench_columns){frames.items, frames.count}
                                      : file->columns ? *file->columns
                                                      : (bench_columns){0};
        for (size_t i = 0; i < columns.count + file->more.count; i++) {
            put(context, file,
                i < columns.count ? &columns.items[i] : &file->more.items[i - columns.count], i);
        }
    }
}
