#include "base/text.h"
#include "suite/commands/commands.h"
#include "suite/inputs/plugin.h"
#include "suite/message.h"
#include "suite/replay/solo.h"
#include "suite/results/frames.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct query_options {
    bench_bodies bodies;
    const char *algorithm, *pose, *quantity;
    bench_texts plugins;
    uint64_t seed, contacts;
} query_options;

/* --- Reading the question --------------------------------------------------------------------- */

enum { POSE_NUMBERS = 7 };

/** --pose "x,y,z,qx,qy,qz,qw", or the same as operands. */
static base_status parse_pose(const query_options *o, int operands, char **argv, vec3 *position,
                              geo_quat *orientation, base_error *err)
{
    if (o->pose ? operands != 0 : operands != POSE_NUMBERS) {
        return base_fail(err, BASE_ERR_ARGUMENT,
                         "a pose is needed: --pose \"x,y,z,qx,qy,qz,qw\", or seven operands");
    }
    char joined[64 * POSE_NUMBERS] = "";
    for (int i = 0, used = 0; i < operands && used < (int)sizeof joined; i++) {
        used += snprintf(joined + used, sizeof joined - (size_t)used, "%s%s", i > 0 ? " " : "",
                         argv[i]);
    }
    return bench_pose_parse("pose", o->pose ? o->pose : joined, position, orientation, err);
}

static bool answers(const alg_variant *variant, alg_quantity quantity)
{
    return variant->algorithm->contract(&variant->settings, quantity) != ALG_NOT_ANSWERED;
}

/** The value of --quantity; without it the first that the variant answers, or distance. */
static base_status parse_wanted(const query_options *o, const alg_variant *variant,
                                unsigned *wanted, base_error *err)
{
    if (!o->quantity) {
        int first = ALG_DISTANCE;
        while (first < ALG_QUANTITY_COUNT && !answers(variant, (alg_quantity)first)) {
            first++;
        }
        *wanted = first < ALG_QUANTITY_COUNT ? 1u << first : (unsigned)ALG_WANT_DISTANCE;
        return BASE_OK;
    }
    const base_status status = bench_quantities_parse(o->quantity, wanted, err);
    for (int quantity = 0; status == BASE_OK && quantity < ALG_QUANTITY_COUNT; quantity++) {
        const unsigned bit = 1u << quantity;
        if ((*wanted & bit) && !answers(variant, (alg_quantity)quantity)) {
            return base_fail(err, BASE_ERR_ARGUMENT, "'%s' does not answer %s", variant->name,
                             bench_quantities_name(bit).text);
        }
    }
    return status;
}

/* --- Printing the answer ---------------------------------------------------------------------- */

static void put_text(base_csv_writer *writer, const char *name, const char *value)
{
    base_csv_put_text(writer, name);
    base_csv_put_text(writer, value);
    base_csv_end(writer);
}

/** Names as in the columns of a run's frames; points in A's frame as it is in its file. */
static void print_answer(const alg_variant *variant, vec3 centre_a, const alg_answer *answer)
{
    base_csv_writer writer = {.file = stdout};
    bench_field fields[BENCH_FIELDS_MAX];
    const size_t count = bench_answer_fields(variant->algorithm, centre_a, answer, fields);
    put_text(&writer, "name", "value");
    put_text(&writer, "variant", variant->name);
    put_text(&writer, "outcome", bench_outcome_name(answer->outcome));
    for (size_t i = 0; i < count; i++) {
        if (fields[i].answered) {
            put_text(&writer, fields[i].name, fields[i].text);
        }
    }
}

/** contact_0_x_m, contact_0_y_m, ..., contact_0_nx, ..., contact_0_depth_m: 7 rows a contact. */
static void print_contact(base_csv_writer *writer, size_t number, const alg_contact *contact,
                          vec3 centre_a)
{
    static const char *const suffixes[] = {"x_m", "y_m", "z_m", "nx", "ny", "nz", "depth_m"};
    const vec3 p = vec3_add(contact->point, centre_a), n = contact->normal;
    const double values[] = {p.x, p.y, p.z, n.x, n.y, n.z, contact->depth_m};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char name[64];
        snprintf(name, sizeof name, "contact_%zu_%s", number, suffixes[i]);
        base_csv_put_text(writer, name);
        base_csv_put_number(writer, values[i]);
        base_csv_end(writer);
    }
}

/** Returns whether all that were counted are there. */
static bool print_contacts(const bench_contacts *contacts, vec3 centre_a)
{
    bool filled = true;
    base_csv_writer writer = {.file = stdout};
    base_csv_put_text(&writer, "contacts_found_count");
    base_csv_put_count(&writer, contacts->found);
    base_csv_end(&writer);
    for (size_t i = 0; i < contacts->count; i++) {
        filled &= isfinite(contacts->items[i].depth_m) != 0;
        print_contact(&writer, i, &contacts->items[i], centre_a);
    }
    return filled;
}

/* --- Asking ----------------------------------------------------------------------------------- */

/** A faulty answer was printed all the same: a warning says what is wrong with it. */
static int check_answer(const bench_solo *solo, unsigned wanted, const alg_answer *answer)
{
    const char *const fault = bench_answer_fault(solo->variant, wanted, answer);
    if (fault) {
        bench_warn("'%s' has answered wrongly: %s", solo->variant->name, fault);
    }
    return fault ? BENCH_WRONG : BENCH_GOOD;
}

static base_status ask_contacts(const query_options *o, const bench_solo *solo, vec3 centre_a,
                                const geo_pose *pose, int *exit_status, base_error *err)
{
    bench_contacts contacts;
    const base_status status = bench_solo_contacts(solo, pose, o->contacts, &contacts, err);
    if (status != BASE_OK || o->contacts == 0) {
        return status;
    }
    if (!contacts.answered) {
        bench_warn("'%s' hands out no contacts here", solo->variant->name);
    } else if (!print_contacts(&contacts, centre_a)) {
        bench_warn("'%s' has counted contacts that it has not filled in", solo->variant->name);
        *exit_status = BENCH_WRONG;
    }
    bench_contacts_release(&contacts);
    return BASE_OK;
}

static base_status ask(const query_options *o, const alg_variant *variant, const bench_pair *pair,
                       unsigned wanted, const geo_pose *pose, int *exit_status, base_error *err)
{
    bench_solo solo;
    base_status status = bench_solo_open(variant, pair, wanted, NULL, &solo, err);
    if (status != BASE_OK) {
        return status;
    }
    alg_answer answer;
    bench_solo_ask(&solo, pose, &answer);
    print_answer(variant, pair->centre_a, &answer);
    *exit_status = check_answer(&solo, wanted, &answer);
    status = ask_contacts(o, &solo, pair->centre_a, pose, exit_status, err);
    bench_solo_close(&solo);
    return status;
}

static base_status query(const query_options *o, int operands, char **argv, int *exit_status,
                         base_error *err)
{
    if (!o->algorithm || !o->bodies.a || !o->bodies.b) {
        return base_fail(err, BASE_ERR_ARGUMENT, "--algorithm, --a and --b are needed");
    }
    base_status status = bench_plugins_load(&o->plugins, err);
    if (status != BASE_OK) {
        return status;
    }
    alg_variant variant;
    alg_message message;
    if (alg_variant_parse(o->algorithm, o->seed, &variant, &message) != ALG_OK) {
        return base_fail(err, BASE_ERR_ARGUMENT, "%s", message.text);
    }
    unsigned wanted = 0;
    status = parse_wanted(o, &variant, &wanted, err);
    if (status != BASE_OK) {
        return status;
    }
    vec3 position;
    geo_quat orientation;
    status = parse_pose(o, operands, argv, &position, &orientation, err);
    if (status != BASE_OK) {
        return status;
    }
    bench_pair pair;
    status = bench_bodies_open(&o->bodies, &pair, err);
    if (status != BASE_OK) {
        return status;
    }
    const geo_pose pose = bench_pair_pose(&pair, position, orientation);
    status = ask(o, &variant, &pair, wanted, &pose, exit_status, err);
    bench_pair_close(&pair);
    return status;
}

int bench_cmd_query(int argc, char **argv)
{
    query_options o = {.bodies = BENCH_BODIES_DEFAULT, .seed = 1};
    const bench_option options[] = {
        BENCH_OPTION("algorithm", "VARIANT", &o.algorithm,
                     "such as \"ist:voxels=64\"; see 'proxbench list algorithms'"),
        BENCH_BODIES_OPTIONS(o.bodies),
        BENCH_OPTION("pose", "x,y,z,qx,qy,qz,qw", &o.pose, "of B in A's frame, in metres"),
        BENCH_OPTION("quantity", "distance|volume|contact|unified", &o.quantity,
                     "what to ask; without it the first that VARIANT answers"),
        BENCH_OPTION("contacts", "N", &o.contacts, "print up to N contacts, where it has them"),
        BENCH_OPTION("plugin", "[LABEL=]FILE", &o.plugins, BENCH_PLUGIN_HELP),
        BENCH_OPTION("seed", "N", &o.seed, "of the algorithm's randomness"),
        BENCH_OPTION_END,
    };
    const bench_usage usage = {
        .usage = "query --algorithm VARIANT --a MESH --b MESH --pose POSE [options]\n"
                 "query --algorithm VARIANT --a MESH --b MESH [options] x y z qx qy qz qw",
        .summary =
            "Asks one variant about one pose and prints its answer as rows name,value, under the\n"
            "column names of a run.",
        .notes =
            "Exit status: 1 for an answer that is not a number or does not say what was asked, 2 "
            "when\nthe variant does not answer the question, 3 when it cannot take a mesh.\n\n"
            "Example:\n  proxbench query --algorithm ist --a bolt --b nut --pose 0.2,0,0,0,0,0,1",
    };
    int operands;
    const int ended = bench_parse(argc, argv, options, &usage, &operands);
    if (ended >= 0) {
        return ended;
    }
    int exit_status = BENCH_GOOD;
    base_error err = {0};
    if (query(&o, operands, argv + 1, &exit_status, &err) != BASE_OK) {
        return bench_error(&err);
    }
    return exit_status;
}
