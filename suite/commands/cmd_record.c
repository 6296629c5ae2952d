/** `proxbench record`: a page on which the moving body is dragged, and its motion recorded. */
#include "suite/commands/command_line.h"
#include "suite/commands/commands.h"
#include "suite/inputs/plugin.h"
#include "suite/message.h"
#include "suite/output.h"
#include "suite/record/server.h"
#include "suite/share.h"

#include <stdio.h>
#include <time.h>

/** Option values. NULL: not given. */
typedef struct record_options {
    bench_bodies bodies;
    const char *algorithm, *quantity, *hand, *out, *pose, *cache;
    bench_texts plugins;
    double timeout_s;
    uint64_t port, seed;
    bool no_cache;
} record_options;

static base_status parse_variant(const char *text, uint64_t seed, alg_variant *variant,
                                 base_error *err)
{
    alg_message message;
    return alg_variant_parse(text, seed, variant, &message) == ALG_OK
               ? BASE_OK
               : base_fail(err, BASE_ERR_ARGUMENT, "%s", message.text);
}

/** Places B beside A: their boxes have a gap of a tenth of A's diagonal in x, and the same centre
 * in y and z. */
static vec3 beside(const bench_pair *pair)
{
    const geo_box a = pair->a.view.box, b = pair->b.view.box;
    const vec3 middle_b = vec3_scale(0.5, vec3_add(b.lo, b.hi));
    const double x = a.hi.x - b.lo.x + 0.1 * pair->diagonal_a;
    return vec3_add(pair->centre_a, vec3_make(x, -middle_b.y, -middle_b.z));
}

/** Waits so long that the reply to the last request of the page is sent. */
static void let_reply_leave(void)
{
    const struct timespec pause = {.tv_nsec = 100000000};
    nanosleep(&pause, NULL);
}

static base_status serve(const record_options *o, const bench_session_options *options,
                         base_error *err)
{
    bench_session *session;
    bench_server *server = NULL;
    base_status status = bench_session_open(options, &session, err);
    if (status != BASE_OK) {
        return status;
    }
    status = bench_server_open(session, options->pair, (unsigned)o->port, &server, err);
    if (status == BASE_OK) {
        puts(bench_server_address(server));
        fflush(stdout);
        bench_note("open this address in a browser; Ctrl-C ends the session and writes all takes");
        status = bench_session_run(session, err);
        let_reply_leave();
        bench_server_close(server);
    }
    bench_session_close(session);
    return status;
}

static base_status record(const record_options *o, base_error *err)
{
    alg_variant variant, hand;
    bench_response response;
    bench_session_options options = {.variant = &variant,
                                     .hand = &hand,
                                     .out = o->out,
                                     .timeout_s = o->timeout_s,
                                     .build_timeout_s = BENCH_TIMEOUT_DEFAULT_S,
                                     .seed = o->seed,
                                     .orientation = geo_quat_identity()};
    base_status status = bench_plugins_load(&o->plugins, err);
    if (status == BASE_OK) {
        status = parse_variant(o->algorithm, o->seed, &variant, err);
    }
    if (status == BASE_OK) {
        status = bench_quantities_choose(o->quantity, &variant, &options.wanted, err);
    }
    if (status == BASE_OK) {
        status = parse_variant(o->hand, o->seed, &hand, err);
    }
    if (status == BASE_OK) {
        status = bench_session_response(&hand, &response, err);
    }
    if (status == BASE_OK && o->pose) {
        status = bench_pose_parse("--pose", o->pose, &options.position, &options.orientation, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    bench_pair pair;
    status = bench_bodies_open(&o->bodies, &pair, err);
    if (status != BASE_OK) {
        return status;
    }
    if (!o->pose) {
        options.position = beside(&pair);
    }
    options.pair = &pair;
    options.cache_directory = o->no_cache ? NULL : bench_cache_directory(o->cache);
    status = serve(o, &options, err);
    bench_pair_close(&pair);
    return status;
}

int bench_cmd_record(int argc, char **argv)
{
    record_options o = {.bodies = BENCH_BODIES_DEFAULT,
                        .algorithm = "exact-distance",
                        .hand = "exact-volume",
                        .out = "recorded.csv",
                        .timeout_s = 2,
                        .seed = 1};
    const bench_option options[] = {
        BENCH_BODIES_OPTIONS(o.bodies),
        BENCH_OPTION("algorithm", "VARIANT", &o.algorithm,
                     "variant that answers first; the page can ask any other"),
        BENCH_OPTION("quantity", "distance|volume|contact|depth|force", &o.quantity,
                     "requested quantity (default: the first that VARIANT answers)"),
        BENCH_OPTION("hand", "VARIANT", &o.hand,
                     "variant that pushes B out of A: its force must be exact or in N, or it must "
                     "answer contacts"),
        BENCH_OPTION("out", "FILE", &o.out,
                     "file of the first take; others are FILE-2, FILE-3, ... with its suffix"),
        BENCH_OPTION_WITHIN("port", "N", &o.port, 0, 65535,
                            "port of the loopback address; 0: a free one"),
        BENCH_OPTION("pose", "x,y,z,qx,qy,qz,qw", &o.pose,
                     "first pose of B in A's frame, in metres (default: beside A)"),
        BENCH_OPTION("timeout", "S", &o.timeout_s, "limit of one query, seconds"),
        BENCH_OPTION("plugin", "[LABEL=]FILE", &o.plugins, BENCH_PLUGIN_HELP),
        BENCH_OPTION("seed", "N", &o.seed, "seed of the algorithms' random numbers"),
        BENCH_OPTION("cache", "DIR", &o.cache, "folder of built bodies"),
        BENCH_OPTION("no-cache", NULL, &o.no_cache, "neither read nor write the cache"),
        BENCH_DATA_OPTION,
        BENCH_OPTION_END,
    };
    const bench_usage usage = {
        .usage = "record --a MESH --b MESH [options]",
        .summary =
            "Serves a page on which B is dragged and turned with mouse, touch or keys, while a "
            "variant answers its pose. Prints the address of the page. On request, a simulated "
            "hand moves B and keeps it out of A. A recorded motion is trimmed, resampled to "
            "1 kHz, and written as a trajectory for 'run --trajectory' and 'simulate --device'.",
        .notes =
            "The page is served on 127.0.0.1 alone, and its address has a secret. It needs a "
            "browser with WebGL, and three.js from the package libjs-three.\n"
            "\n"
            "Every pose is appended to FILE.journal at once. If the session is killed, the same "
            "command restores all takes. At the end, takes that are not written are written as "
            "a whole, and the journal is removed. Existing files are not replaced.\n"
            "\n"
            "A variant that crashes or hangs ends its own queries and not the session.\n"
            "\n"
            "Example:\n"
            "  proxbench record --a bolt --b nut --algorithm exact-volume --out mine.csv\n"
            "\n"
            "Exit status: 0 ended on the page, 2 usage, 3 input or system, also a port that is in "
            "use, 130 ended by Ctrl-C.",
    };
    int operands;
    const int ended = bench_parse(argc, argv, options, &usage, &operands);
    if (ended >= 0) {
        return ended;
    }
    if (operands > 0) {
        return bench_usage_error("record: unexpected operand '%s'", argv[1]);
    }
    if (!o.bodies.a || !o.bodies.b) {
        return bench_usage_error("record needs --a and --b");
    }
    const int wrong = bench_timeout_check(o.timeout_s);
    if (wrong >= 0) {
        return wrong;
    }
    base_error err = {0};
    bench_catch_interrupts();
    bench_output_outlive_reader();
    bench_orphans_adopt();
    if (record(&o, &err) != BASE_OK) {
        return bench_error(&err);
    }
    return bench_interrupted() ? BENCH_INTERRUPTED : BENCH_GOOD;
}
