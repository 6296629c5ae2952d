#include "base/text.h"
#include "suite/commands/commands.h"
#include "suite/inputs/plugin.h"
#include "suite/message.h"
#include "suite/replay/solo.h"
#include "suite/results/frames.h"

#include <stdio.h>
#include <string.h>

typedef struct query_options {
    bench_bodies bodies;
    const char *algorithm, *pose, *quantity;
    bench_texts plugins;
    uint64_t seed, contacts, pairs, regions;
    bool stages;
} query_options;

/* --- Parsing the question --------------------------------------------------------------------- */

enum { POSE_NUMBERS = 7 };

/** Parses --pose "x,y,z,qx,qy,qz,qw", or seven operands. */
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

/* --- Printing the answer ---------------------------------------------------------------------- */

static void put_text(base_csv_writer *writer, const char *name, const char *value)
{
    base_csv_put_text(writer, name);
    base_csv_put_text(writer, value);
    base_csv_end(writer);
}

/** Puts a row for one number of an entry of a list, such as "contact_0_x_m" or "region_0_loop". */
static void put_count(base_csv_writer *writer, const char *kind, size_t number, const char *suffix,
                      uint64_t value)
{
    char name[64];
    snprintf(name, sizeof name, "%s_%zu_%s", kind, number, suffix);
    base_csv_put_text(writer, name);
    base_csv_put_count(writer, value);
    base_csv_end(writer);
}

static void put_number(base_csv_writer *writer, const char *kind, size_t number, const char *suffix,
                       double value)
{
    char name[64];
    snprintf(name, sizeof name, "%s_%zu_%s", kind, number, suffix);
    base_csv_put_text(writer, name);
    base_csv_put_number(writer, value);
    base_csv_end(writer);
}

static void put_vector(base_csv_writer *writer, const char *kind, size_t number,
                       const char *const suffixes[3], vec3 v)
{
    put_number(writer, kind, number, suffixes[0], v.x);
    put_number(writer, kind, number, suffixes[1], v.y);
    put_number(writer, kind, number, suffixes[2], v.z);
}

static const char *const of_normal[] = {"nx", "ny", "nz"};

static const char *const of_point[] = {"x_m", "y_m", "z_m"};

static void put_contact(base_csv_writer *w, const bench_buffers *buffers, size_t i, vec3 centre_a)
{
    const alg_contact *const contact = &bench_buffer_contacts(buffers)[i];
    put_vector(w, "contact", i, of_point, vec3_add(contact->point, centre_a));
    put_vector(w, "contact", i, of_normal, contact->normal);
    put_number(w, "contact", i, "depth_m", contact->depth_m);
}

static void put_pair(base_csv_writer *w, const bench_buffers *buffers, size_t i, vec3 centre_a)
{
    static const char *const of_from[] = {"from_x_m", "from_y_m", "from_z_m"};
    static const char *const of_to[] = {"to_x_m", "to_y_m", "to_z_m"};
    const alg_face_pair *const pair = &bench_buffer_pairs(buffers)[i];
    put_count(w, "pair", i, "face_a", pair->face_a);
    put_count(w, "pair", i, "face_b", pair->face_b);
    if (vec3_norm2(pair->from) > 0 || vec3_norm2(pair->to) > 0) { /* both 0: no segment */
        put_vector(w, "pair", i, of_from, vec3_add(pair->from, centre_a));
        put_vector(w, "pair", i, of_to, vec3_add(pair->to, centre_a));
    }
}

static void put_region(base_csv_writer *w, const bench_buffers *buffers, size_t i, vec3 centre_a)
{
    const alg_region *const region = &bench_buffer_regions(buffers)[i];
    unsigned char loop; /* a plug-in may have stored a byte that is not a bool */
    memcpy(&loop, &region->loop, 1);
    put_vector(w, "region", i, of_normal, region->direction);
    put_number(w, "region", i, "depth_m", region->depth_m);
    put_number(w, "region", i, "area_m2", region->area_m2);
    put_count(w, "region", i, "loop", loop);
    if (bench_has_window(region)) {
        static const char *const of_u[] = {"ux", "uy", "uz"}, *const of_v[] = {"vx", "vy", "vz"};
        put_vector(w, "region", i, of_point, vec3_add(region->point, centre_a));
        put_vector(w, "region", i, of_u, region->side_u);
        put_vector(w, "region", i, of_v, region->side_v);
        put_number(w, "region", i, "half_u_m", region->half_u_m);
        put_number(w, "region", i, "half_v_m", region->half_v_m);
    }
}

/** A list that can be requested. */
typedef struct list {
    const char *found; /* name of the row with its count */
    uint32_t has;
    void (*put)(base_csv_writer *w, const bench_buffers *buffers, size_t i, vec3 centre_a);
} list;

static const list lists[BENCH_LIST_COUNT] = {
    [BENCH_LIST_CONTACTS] = {"contacts_found_count", ALG_HAS_CONTACTS, put_contact},
    [BENCH_LIST_PAIRS] = {"pairs_found_count", ALG_HAS_PAIRS, put_pair},
    [BENCH_LIST_REGIONS] = {"regions_found_count", ALG_HAS_REGIONS, put_region},
};

/** Prints the number of entries found, which may exceed the room, and the entries that fit. */
static void print_lists(const bench_solo *solo, vec3 centre_a, const alg_answer *answer)
{
    const uint32_t found[BENCH_LIST_COUNT] = {answer->contact_count, answer->pair_count,
                                              answer->region_count};
    base_csv_writer writer = {.file = stdout};
    for (int l = 0; l < BENCH_LIST_COUNT; l++) {
        if (!solo->buffers.lists[l].items) {
            continue;
        }
        if (!(answer->answered & lists[l].has)) {
            bench_warn("'%s' returns no %s here", solo->variant->name,
                       bench_list_name((bench_list)l));
            continue;
        }
        base_csv_put_text(&writer, lists[l].found);
        base_csv_put_count(&writer, found[l]);
        base_csv_end(&writer);
        const size_t count = bench_buffer_count(&solo->buffers, (bench_list)l, answer);
        for (size_t i = 0; i < count; i++) {
            lists[l].put(&writer, &solo->buffers, i, centre_a);
        }
    }
}

/* --- The query -------------------------------------------------------------------------------- */

static uint32_t room(uint64_t entries)
{
    return entries < UINT32_MAX ? (uint32_t)entries : UINT32_MAX;
}

/**
 * Queries the variant and prints its answer. Names are those of the columns of a run's frames.
 * Points are in A's frame, as in its file.
 */
static base_status ask_and_print(const query_options *o, const alg_variant *variant,
                                 const bench_pair *pair, unsigned wanted, const geo_pose *pose,
                                 int *exit_status, base_error *err)
{
    const alg_request request = {.size = sizeof request,
                                 .wanted = wanted,
                                 .contacts_max = room(o->contacts),
                                 .pairs_max = room(o->pairs),
                                 .regions_max = room(o->regions),
                                 .stages = o->stages};
    bench_solo solo;
    base_status status = bench_solo_open(variant, pair, &request, NULL, &solo, err);
    if (status != BASE_OK) {
        return status;
    }
    alg_answer answer;
    char fault[BENCH_FAULT_BYTES];
    const bool details_right = bench_solo_ask_details(&solo, pose, &answer, fault);
    base_csv_writer writer = {.file = stdout};
    bench_field fields[BENCH_FIELDS_MAX];
    const size_t count = bench_answer_fields(variant->algorithm, pair->centre_a, &answer, fields);
    put_text(&writer, "name", "value");
    put_text(&writer, "variant", variant->name);
    put_text(&writer, "outcome", bench_outcome_name(answer.outcome));
    for (size_t i = 0; i < count; i++) {
        if (fields[i].answered) {
            put_text(&writer, fields[i].name, fields[i].text);
        }
    }
    print_lists(&solo, pair->centre_a, &answer);
    if (o->stages && !(answer.answered & ALG_HAS_STAGES)) {
        bench_warn("'%s' has no stages here", variant->name);
    }
    /* Faulty answers are printed, too. */
    const char *const faults[] = {bench_answer_fault(variant, wanted, &answer),
                                  details_right ? NULL : fault};
    for (int i = 0; i < 2; i++) {
        if (faults[i]) {
            bench_warn("'%s' has answered wrongly: %s", variant->name, faults[i]);
            *exit_status = BENCH_WRONG;
        }
    }
    bench_solo_close(&solo);
    return BASE_OK;
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
    status = bench_quantities_choose(o->quantity, &variant, &wanted, err);
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
    status = ask_and_print(o, &variant, &pair, wanted, &pose, exit_status, err);
    bench_pair_close(&pair);
    return status;
}

int bench_cmd_query(int argc, char **argv)
{
    query_options o = {.bodies = BENCH_BODIES_DEFAULT, .seed = 1};
    const bench_option options[] = {
        BENCH_OPTION("algorithm", "VARIANT", &o.algorithm,
                     "a variant, for example \"ist:voxels=64\"; see 'proxbench list algorithms'"),
        BENCH_BODIES_OPTIONS(o.bodies),
        BENCH_OPTION("pose", "x,y,z,qx,qy,qz,qw", &o.pose, "pose of B in A's frame, in metres"),
        BENCH_OPTION("quantity", "distance|volume|contact|unified", &o.quantity,
                     "requested quantity (default: the first that VARIANT answers)"),
        BENCH_OPTION("contacts", "N", &o.contacts, "print up to N contacts, if VARIANT lists them"),
        BENCH_OPTION("pairs", "N", &o.pairs, "print up to N intersecting pairs of triangles"),
        BENCH_OPTION("regions", "N", &o.regions, "print up to N regions of penetration"),
        BENCH_OPTION("stages", NULL, &o.stages, "print the time of each stage of the query"),
        BENCH_OPTION("plugin", "[LABEL=]FILE", &o.plugins, BENCH_PLUGIN_HELP),
        BENCH_OPTION("seed", "N", &o.seed, "seed of the algorithm's random numbers"),
        BENCH_OPTION_END,
    };
    const bench_usage usage = {
        .usage = "query --algorithm VARIANT --a MESH --b MESH --pose POSE [options]\n"
                 "query --algorithm VARIANT --a MESH --b MESH [options] x y z qx qy qz qw",
        .summary =
            "Queries one variant at one pose and prints its answer as rows name,value, with the "
            "column names of a run.",
        .notes =
            "Exit status: 1 if an answer is not a number or lacks a requested quantity, 2 if the "
            "variant does not answer the quantity, 3 if it cannot use a mesh.\n"
            "\n"
            "Example:\n"
            "  proxbench query --algorithm ist --a bolt --b nut --pose 0.2,0,0,0,0,0,1",
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
