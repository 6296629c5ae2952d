#include "suite/results/simulations.h"

#include "suite/results/record.h"

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
         "number of the step; 0: the begin, nothing has moved"),
    NUMBER("t_s", "s", FACT, t_s, "time at the end of the step"),
    VECTOR(
        "device_", "_m", "m", FACT, device.position,
        "where B's centroid would be if it hung on the device rigidly: A's frame, as it is in its "
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
         "contacts that the variant found at the begin of the step; 0 of forces"),
    STEP("impulse_count", COUNT, "", ANSWER, step.impulse_count, "",
         "impulses in the step; 0 of forces"),
    NUMBER("deepest_m", "m", ANSWER, deepest_m,
           "the deepest of these contacts, as the variant says; 0 of forces"),
    STEP("touching", FLAG, "", ANSWER, step.touching, "",
         "1: there was a contact, or a force that is not 0, at the begin of the step"),
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
           "work of the coupling on B, from the begin on"),
    NUMBER("contact_work_j", "J", ANSWER, contact_work_j,
           "work of the contact on B since the beginning; above 0 it has created energy"),
    STEP("cut", FLAG, "", ANSWER, step.cut, "", "1: the limit of impulses was met"),
    STEP("beyond_count", COUNT, "", ANSWER, beyond, "",
         "contacts of the step that there was no room for"),
    STEP("volume_m3", NUMBER, "m3", TRUTH, volume_m3, "a body is no solid",
         "volume that both bodies share at the end of the step: exact, by flux"),
    STEP("point_depth_m", NUMBER, "m", TRUTH, point_depth_m,
         "it was not judged (simulate --judge), as above",
         "how deep they are in each other, at least: of all corners of one body inside the other "
         "the largest distance to the other's surface"),
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
         "time of all else that the step takes, without the way to the variant's process and back: "
         "checks of the answer, coupling, force or impulses, motion"),
};
const bench_columns bench_step_time_columns = {step_time_columns, sizeof step_time_columns /
                                                                      sizeof *step_time_columns};

/* --- Simulations ------------------------------------------------------------------------------ */

#define COLUMN(name, kind, unit, role, member, empty, meaning)                                     \
    BENCH_COLUMN(name, kind, unit, role, bench_simulation_row, member, BENCH_RECORD_SIMULATED,     \
                 empty, meaning)
#define NO_STEP  "no step was made"
#define NO_END   "it ended before the scene, without a fault so far"
#define NO_SOLID "a body is no solid, or no step was judged"

static const bench_column simulation_columns[] = {
    COLUMN("scene", SCENARIO, "", FACT, scene, "", "scene; pair: one's own"),
    COLUMN("variant", CONTESTANT, "", FACT, variant, "", BENCH_MEANS_VARIANT),
    COLUMN("response", WORD, "", FACT, response, "", "what drove the body: force or impulses"),
    COLUMN(
        "status", STATUS, "", FACT, status, "",
        "how it ended: ok, unsupported (the variant declines the bodies or has no such answers), "
        "failed, oom, crash, timeout, wrong (an answer that is not valid), interrupted, unscaled "
        "(it "
        "came to its end, but the scale of its force is unknown: it is not compared)"),
    COLUMN("detail", TEXT, "", FACT, detail, "there is nothing to say", "why it has its status"),
    COLUMN("force_unit", WORD, "", FACT, unit, "driven by impulses", "unit of the variant's force"),
    COLUMN("gain", NUMBER, "1", ANSWER, gain, "driven by impulses, a force in N, or unscaled",
           "force = stiffness gain answer: over steps of the device's own path, sum |G| |F| / sum "
           "|F|^2 of the variant's force F and the exact volume's gradient G; 1 of exact forces"),
    COLUMN("steps_count", COUNT, "", ANSWER, steps, "", "steps that were made"),
    COLUMN("steps_planned_count", COUNT, "", FACT, steps_planned, "", "steps of the scene"),
    COLUMN(
        "first_touch_s", NUMBER, "s", ANSWER, first_touch_s, "it never touched",
        "begin of the first step with a contact or a force; the transient is the 100 ms behind it"),
    COLUMN("point_depth_max_m", NUMBER, "m", TRUTH, point_depth_m, NO_SOLID,
           "largest point_depth_m of its steps"),
    COLUMN("point_depth_settled_max_m", NUMBER, "m", TRUTH, point_depth_settled_m, NO_SOLID,
           "the same, behind the transient"),
    COLUMN("volume_max_m3", NUMBER, "m3", TRUTH, volume_m3, NO_SOLID,
           "largest volume_m3 of its steps"),
    COLUMN("volume_settled_max_m3", NUMBER, "m3", TRUTH, volume_settled_m3, NO_SOLID,
           "the same, behind the transient"),
    COLUMN("contact_work_max_j", NUMBER, "J", ANSWER, made_j, NO_STEP,
           "energy created by the contact: the largest value of contact_work_j; 0 for a passive "
           "method"),
    COLUMN("contact_work_beyond_j", NUMBER, "J", ERROR, made_beyond_j,
           NO_STEP "; exact-volume did not end the scene; unscaled",
           "energy created by the method: contact_work_max_j beyond that of exact-volume on the "
           "scene, whose force is the gradient of a potential; at least 0. The rest is created by "
           "coupling and time steps"),
    COLUMN("contact_work_end_j", NUMBER, "J", ANSWER, contact_work_j, NO_STEP,
           "the contact's work at the end"),
    COLUMN("coupling_moved_j", NUMBER, "J", ANSWER, moved_j, NO_STEP,
           "sum over steps of the absolute value of the coupling's work"),
    COLUMN("passive", COUNT_IF, "", ERROR, passive, NO_END,
           "1: contact_work_max_j is at most 1 % of coupling_moved_j"),
    COLUMN(
        "through", COUNT_IF, "", ERROR, through, NO_STEP "; " NO_END,
        "1: a body went through the other one: its centroid did, or at one step more than half of "
        "the points of its surface had"),
    COLUMN("passed_share", NUMBER, "1", ERROR, passed_share, NO_STEP,
           "share of the points of a body's surface that had passed through the other body: the "
           "largest of all steps and of both bodies; a path has passed that enters at a face with "
           "normal n1 and leaves at one with n2, n1 n2 < 0"),
    COLUMN("coupling_rms_n", NUMBER, "N", ANSWER, coupling_rms_n, NO_STEP,
           "force of the coupling: root of the mean square over steps"),
    COLUMN("coupling_max_n", NUMBER, "N", ANSWER, coupling_max_n, NO_STEP, "the same, largest"),
    COLUMN("coupling_change_p99_n", NUMBER, "N", ANSWER, change_p99_n,
           "less than two steps were made",
           "how smooth it is: length of its change from one step to the next, 99th percentile "
           "(nearest rank)"),
    COLUMN("toggles_count", COUNT, "", ANSWER, toggles, "",
           "how often touching begins or ends from one step to the next"),
    COLUMN("chatter_count", COUNT_IF, "", ERROR, chatter,
           "exact-volume did not end the scene; unscaled",
           "toggles beyond those of exact-volume on the scene"),
    COLUMN("contacts_mean", NUMBER, "1", ANSWER, contacts_mean,
           "driven by a force, or it never touched",
           "contacts of a step, mean over those that touch"),
    COLUMN("impulses_mean", NUMBER, "1", ANSWER, impulses_mean, "as contacts_mean",
           "the same of impulses"),
    COLUMN("cut_count", COUNT, "", ANSWER, cut, "", "steps in which impulses met their limit"),
    COLUMN("beyond_count", COUNT, "", ANSWER, beyond, "",
           "contacts that there was no room for, all steps"),
    COLUMN("path_hash", WORD, "", ANSWER, hash, NO_STEP,
           "hash of the body's path: time, position and orientation of each step"),
    COLUMN("file", FILE, "", FACT, file, "", BENCH_MEANS_FILE),
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
