/**
 * The web server of `proxbench record`: one page, on the loopback address alone.
 *
 * The address of the page has a random token of 128 bits. A request is refused with status 403
 * unless it has this token, exactly one header Host, with the server's own address, and no Origin
 * but that of the page; a POST must have an Origin. So neither another web site nor another user of
 * the machine can read or move anything.
 *
 *     GET   TOKEN/                the page; its script, its style, three.js and `copyright`, the
 *                                 notice of three.js, have their names
 *           pair.json             names, sizes and origins of the meshes, names of algorithms
 *           a.mesh, b.mesh        float32 coordinates of all vertices, then uint32 indices of all
 *                                 faces; coordinates are relative to the origin in pair.json
 *           events                the state (bench_session_put_state) after each change, as
 *                                 server-sent events
 *           take/N                the poses of take N (bench_session_put_take), from 0
 *     POST  grab                  the caller moves B from now on
 *           move                  the epoch, then a line "t x y z qx qy qz qw" per pose
 *           record, hand          "on" or "off"
 *           ask                   a variant; in the second line its quantities, or nothing
 *           write                 number of a take, first and last second
 *           finish                ends the session
 *
 * A POST is answered by the state, or by status 400 with one line of text. The poses of a `move`
 * are refused if the state has another epoch.
 */
#ifndef SUITE_SERVER_H
#define SUITE_SERVER_H

#include "suite/record/session.h"

typedef struct bench_server bench_server;

/**
 * Starts the server in a thread of its own. Reads the files of the page and three.js.
 *
 * port     0: a free port
 * Errors   BASE_ERR_SYSTEM if the port is in use; those of bench_share_path and bench_three_part;
 *          BASE_ERR_MEMORY. *server is then NULL.
 */
base_status bench_server_open(bench_session *session, const bench_pair *pair, unsigned port,
                              bench_server **server, base_error *err) BASE_MUST_CHECK;

/** Returns the address of the page. */
const char *bench_server_address(const bench_server *server);

/** Stops the server. The session must still exist. */
void bench_server_close(bench_server *server);

#endif
