#include "suite/record/server.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "suite/report/json.h"
#include "suite/report/three.h"
#include "suite/share.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    TOKEN_BYTES = 16,
    BODY_MAX = 1 << 20, /* of a POST */
    POSES_MAX = 8192,   /* of a POST */
    CONNECTIONS_MAX = 512,
    SILENT_S = 10, /* a connection that sends nothing for this time is closed */
    RESOURCES_MAX = 16,
    STREAM_BYTES = 16384,
};

/** A file that does not change. */
typedef struct resource {
    const char *name;
    struct MHD_Response *response;
} resource;

/** A connection that receives events. */
typedef struct stream {
    struct bench_server *server;
    struct MHD_Connection *connection;
    uint64_t version; /* of the last event */
    bool suspended;   /* until the next change */
    char *text;       /* the current event; from open_memstream */
    size_t length, sent;
    struct stream *next;
} stream;

struct bench_server {
    bench_session *session;
    struct MHD_Daemon *daemon;
    int socket; /* -1: owned by the daemon, or closed */
    char token[2 * TOKEN_BYTES + 1];
    char hosts[2][32];   /* valid values of Host */
    char origins[2][48]; /* of Origin */
    char address[128];
    resource resources[RESOURCES_MAX];
    size_t resource_count;
    pthread_mutex_t lock; /* of the list of streams */
    stream *streams;
    bool closing;
};

/** A request in progress. */
typedef struct request {
    char *body; /* owned; NUL-terminated */
    size_t size, capacity;
    bool too_large;
} request;

/* --- Responses -------------------------------------------------------------------------------- */

/** Adds the headers of all responses. The page may load its own files and nothing else. */
static void add_headers(struct MHD_Response *response, const char *type)
{
    static const char *const headers[][2] = {
        {"Content-Security-Policy",
         "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
         "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
        {"X-Content-Type-Options", "nosniff"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Referrer-Policy", "no-referrer"},
        {"Cache-Control", "no-store"},
    };
    MHD_add_response_header(response, "Content-Type", type);
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        MHD_add_response_header(response, headers[i][0], headers[i][1]);
    }
}

static struct MHD_Response *respond(const void *bytes, size_t size, const char *type)
{
    struct MHD_Response *const response =
        MHD_create_response_from_buffer(size, (void *)(uintptr_t)bytes, MHD_RESPMEM_MUST_COPY);
    if (response) {
        add_headers(response, type);
    }
    return response;
}

static enum MHD_Result reply(struct MHD_Connection *connection, unsigned status, const void *bytes,
                             size_t size, const char *type)
{
    struct MHD_Response *const response = respond(bytes, size, type);
    if (!response) {
        return MHD_NO;
    }
    const enum MHD_Result queued = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return queued;
}

/** Replies with one line of text. */
static enum MHD_Result reply_text(struct MHD_Connection *connection, unsigned status,
                                  const char *text)
{
    char line[sizeof((base_error *)NULL)->text + 2];
    const int length = snprintf(line, sizeof line, "%s\n", text);
    return reply(connection, status, line, (size_t)length, "text/plain; charset=utf-8");
}

static const char json_type[] = "application/json";

static enum MHD_Result reply_state(bench_server *server, struct MHD_Connection *connection)
{
    char *text = NULL;
    size_t size = 0;
    FILE *const json = open_memstream(&text, &size);
    if (!json) {
        return MHD_NO;
    }
    bench_session_put_state(server->session, json);
    const bool good = fclose(json) == 0;
    const enum MHD_Result queued =
        good ? reply(connection, MHD_HTTP_OK, text, size, json_type) : MHD_NO;
    free(text);
    return queued;
}

/* --- Refusals --------------------------------------------------------------------------------- */

typedef struct header {
    const char *name, *value;
    unsigned count;
} header;

static enum MHD_Result count_header(void *context, enum MHD_ValueKind kind, const char *key,
                                    const char *value)
{
    header *const h = context;
    (void)kind;
    if (strcasecmp(key, h->name) == 0) {
        h->value = value ? value : "";
        h->count++;
    }
    return MHD_YES;
}

/** Finds a header. The lookup of the library does not tell that there are two of a name. */
static header find_header(struct MHD_Connection *connection, const char *name)
{
    header h = {.name = name};
    MHD_get_connection_values(connection, MHD_HEADER_KIND, count_header, &h);
    return h;
}

/** Compares in a time that does not depend on the position of the first difference. */
static bool has_token(const bench_server *server, const char *url)
{
    const size_t length = sizeof server->token - 1;
    unsigned different = 0;
    if (strlen(url) < length + 2 || url[0] != '/' || url[length + 1] != '/') {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        different |= (unsigned)(url[i + 1] ^ server->token[i]);
    }
    return different == 0;
}

/** Returns the reason to refuse a request with status 403, or NULL. */
static const char *refuse(const bench_server *server, struct MHD_Connection *connection,
                          const char *url, bool is_post)
{
    const header host = find_header(connection, "Host");
    const header origin = find_header(connection, "Origin");
    int which = -1;
    for (int i = 0; i < 2 && host.count == 1; i++) {
        which = strcmp(host.value, server->hosts[i]) == 0 ? i : which;
    }
    if (which < 0) {
        return "wrong Host";
    }
    if (origin.count > 1 || (origin.count == 0 && is_post) ||
        (origin.count == 1 && strcmp(origin.value, server->origins[which]) != 0)) {
        return "wrong Origin";
    }
    return has_token(server, url) ? NULL : "wrong token";
}

/* --- Events ----------------------------------------------------------------------------------- */

/** Makes the text of the next event. Returns false if memory is short. */
static bool make_event(stream *t)
{
    free(t->text);
    t->text = NULL;
    t->length = t->sent = 0;
    FILE *const event = open_memstream(&t->text, &t->length);
    if (!event) {
        return false;
    }
    fputs(t->version == 0 ? "retry: 500\ndata: " : "data: ", event);
    bench_session_put_state(t->server->session, event);
    fputs("\n\n", event);
    return fclose(event) == 0;
}

/** Copies the current event. Without a new one, suspends the connection. */
static ssize_t read_stream(void *context, uint64_t position, char *buffer, size_t most)
{
    stream *const t = context;
    bench_server *const server = t->server;
    (void)position;
    if (t->sent == t->length) {
        pthread_mutex_lock(&server->lock);
        const uint64_t version = bench_session_version(server->session) + 1;
        const bool closing = server->closing;
        t->suspended = version == t->version && !closing;
        if (t->suspended) {
            MHD_suspend_connection(t->connection);
        }
        pthread_mutex_unlock(&server->lock);
        if (closing) {
            return MHD_CONTENT_READER_END_OF_STREAM;
        }
        if (version == t->version) {
            return 0;
        }
        if (!make_event(t)) {
            return MHD_CONTENT_READER_END_WITH_ERROR;
        }
        t->version = version;
    }
    const size_t left = t->length - t->sent, count = left < most ? left : most;
    memcpy(buffer, t->text + t->sent, count);
    t->sent += count;
    return (ssize_t)count;
}

static void close_stream(void *context)
{
    stream *const t = context;
    pthread_mutex_lock(&t->server->lock);
    for (stream **at = &t->server->streams; *at; at = &(*at)->next) {
        if (*at == t) {
            *at = t->next;
            break;
        }
    }
    pthread_mutex_unlock(&t->server->lock);
    free(t->text);
    base_free(t);
}

static enum MHD_Result begin_stream(bench_server *server, struct MHD_Connection *connection)
{
    stream *const t = base_alloc(1, sizeof *t);
    if (!t) {
        return MHD_NO;
    }
    *t = (stream){.server = server, .connection = connection};
    pthread_mutex_lock(&server->lock);
    t->next = server->streams;
    server->streams = t;
    pthread_mutex_unlock(&server->lock);
    struct MHD_Response *const response = MHD_create_response_from_callback(
        MHD_SIZE_UNKNOWN, STREAM_BYTES, read_stream, t, close_stream);
    if (!response) {
        close_stream(t);
        return MHD_NO;
    }
    add_headers(response, "text/event-stream");
    const enum MHD_Result queued = MHD_queue_response(connection, MHD_HTTP_OK, response);
    MHD_destroy_response(response);
    return queued;
}

/** Resumes all suspended streams. */
static void resume_streams(void *context)
{
    bench_server *const server = context;
    pthread_mutex_lock(&server->lock);
    for (stream *t = server->streams; t; t = t->next) {
        if (t->suspended) {
            t->suspended = false;
            MHD_resume_connection(t->connection);
        }
    }
    pthread_mutex_unlock(&server->lock);
}

/* --- GET -------------------------------------------------------------------------------------- */

static enum MHD_Result reply_take(bench_server *server, struct MHD_Connection *connection,
                                  const char *number)
{
    char *text = NULL, *end;
    size_t size = 0;
    const unsigned long take = strtoul(number, &end, 10);
    FILE *const json = open_memstream(&text, &size);
    if (!json) {
        return MHD_NO;
    }
    const bool found = *number >= '0' && *number <= '9' && *end == '\0' &&
                       bench_session_put_take(server->session, take, json);
    const bool good = fclose(json) == 0;
    const enum MHD_Result queued = !good ? MHD_NO
                                   : found
                                       ? reply(connection, MHD_HTTP_OK, text, size, json_type)
                                       : reply_text(connection, MHD_HTTP_NOT_FOUND, "no such take");
    free(text);
    return queued;
}

static enum MHD_Result get(bench_server *server, struct MHD_Connection *connection,
                           const char *name)
{
    for (size_t i = 0; i < server->resource_count; i++) {
        if (strcmp(name, server->resources[i].name) == 0) {
            return MHD_queue_response(connection, MHD_HTTP_OK, server->resources[i].response);
        }
    }
    if (strcmp(name, "events") == 0) {
        return begin_stream(server, connection);
    }
    if (strncmp(name, "take/", 5) == 0) {
        return reply_take(server, connection, name + 5);
    }
    return reply_text(connection, MHD_HTTP_NOT_FOUND, "no such file");
}

/* --- POST ------------------------------------------------------------------------------------- */

/** Reads `count` numbers at *text, and moves it behind them. */
static bool read_numbers(char **text, size_t count, double *numbers)
{
    for (size_t i = 0; i < count; i++) {
        char *const word = *text + strspn(*text, " \n"), *end = word + strcspn(word, " \n");
        const char after = *end;
        *end = '\0';
        if (!base_text_number(word, &numbers[i])) {
            return false;
        }
        *end = after;
        *text = end;
    }
    return true;
}

/** Reads a whole number below 2^32. */
static bool read_count(char **text, unsigned *count)
{
    double number;
    if (!read_numbers(text, 1, &number) || !(number >= 0 && number < 4294967296.0)) {
        return false;
    }
    *count = (unsigned)number;
    return true;
}

static base_status fail_body(base_error *err, const char *needed)
{
    return base_fail(err, BASE_ERR_ARGUMENT, "the body of this request is %s", needed);
}

static base_status post_move(bench_server *server, char *body, base_error *err)
{
    static const char needed[] = "an epoch, and poses \"t x y z qx qy qz qw\"";
    bench_timed_pose *const poses = base_alloc(POSES_MAX, sizeof *poses);
    unsigned epoch;
    size_t count = 0;
    base_status status = poses ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory");
    if (status == BASE_OK && !read_count(&body, &epoch)) {
        status = fail_body(err, needed);
    }
    while (status == BASE_OK && body[strspn(body, " \n")] != '\0') {
        double v[8], length;
        if (count == POSES_MAX || !read_numbers(&body, 8, v) ||
            !scn_pose_of_numbers(v + 1, &poses[count].position, &poses[count].orientation,
                                 &length)) {
            status = fail_body(err, needed);
        } else {
            poses[count++].t_s = v[0];
        }
    }
    if (status == BASE_OK) {
        bench_session_move(server->session, epoch, poses, count);
    }
    base_free(poses);
    return status;
}

static base_status post_write(bench_server *server, char *body, base_error *err)
{
    unsigned take;
    double part[2];
    return read_count(&body, &take) && read_numbers(&body, 2, part)
               ? bench_session_write(server->session, take, part[0], part[1], err)
               : fail_body(err, "the number of a take, its first and its last second");
}

static base_status post_ask(bench_server *server, char *body, base_error *err)
{
    char *const line = strchr(body, '\n');
    const char *const quantity = line && line[1] ? line + 1 : NULL;
    if (line) {
        *line = '\0';
    }
    return bench_session_ask(server->session, body, quantity, err);
}

static base_status post_switch(bench_server *server, const char *name, const char *body,
                               base_error *err)
{
    const bool on = strcmp(body, "on") == 0;
    if (!on && strcmp(body, "off") != 0) {
        return fail_body(err, "\"on\" or \"off\"");
    }
    if (strcmp(name, "record") == 0) {
        return bench_session_record(server->session, on, err);
    }
    (void)bench_session_hand(server->session, on);
    return BASE_OK;
}

static enum MHD_Result post(bench_server *server, struct MHD_Connection *connection,
                            const char *name, char *body)
{
    base_error err = {0};
    base_status status = BASE_OK;
    if (strcmp(name, "move") == 0) {
        status = post_move(server, body, &err);
    } else if (strcmp(name, "grab") == 0) {
        (void)bench_session_grab(server->session);
    } else if (strcmp(name, "record") == 0 || strcmp(name, "hand") == 0) {
        status = post_switch(server, name, body, &err);
    } else if (strcmp(name, "ask") == 0) {
        status = post_ask(server, body, &err);
    } else if (strcmp(name, "write") == 0) {
        status = post_write(server, body, &err);
    } else if (strcmp(name, "finish") == 0) {
        bench_session_finish(server->session);
    } else {
        return reply_text(connection, MHD_HTTP_NOT_FOUND, "no such request");
    }
    return status == BASE_OK ? reply_state(server, connection)
                             : reply_text(connection, MHD_HTTP_BAD_REQUEST, err.text);
}

/* --- Requests --------------------------------------------------------------------------------- */

static enum MHD_Result add_to_body(request *r, const char *bytes, size_t *size)
{
    base_error err;
    r->too_large = r->too_large || r->size + *size > BODY_MAX;
    if (!r->too_large) {
        if (base_reserve(r->body, r->capacity, r->size + *size + 1, &err) != BASE_OK) {
            return MHD_NO;
        }
        memcpy(r->body + r->size, bytes, *size);
        r->size += *size;
        r->body[r->size] = '\0';
    }
    *size = 0;
    return MHD_YES;
}

/** Answers a request. The library calls it once for the headers, and then until it replies. */
static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *bytes,
                              size_t *size, void **state)
{
    bench_server *const server = context;
    const bool is_post = strcmp(method, "POST") == 0;
    (void)version;
    if (!*state) {
        const char *const reason = refuse(server, connection, url, is_post);
        if (reason) {
            return reply_text(connection, MHD_HTTP_FORBIDDEN, reason);
        }
        *state = base_alloc(1, sizeof(request));
        return *state ? MHD_YES : MHD_NO;
    }
    request *const r = *state;
    if (*size > 0) {
        return add_to_body(r, bytes, size);
    }
    const char *const name = url + sizeof server->token + 1;
    if (r->too_large) {
        return reply_text(connection, MHD_HTTP_CONTENT_TOO_LARGE, "the request is too large");
    }
    if (is_post) {
        char empty[] = "";
        return post(server, connection, name, r->body ? r->body : empty);
    }
    return strcmp(method, "GET") == 0
               ? get(server, connection, name)
               : reply_text(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "GET or POST");
}

static void end_request(void *context, struct MHD_Connection *connection, void **state,
                        enum MHD_RequestTerminationCode code)
{
    request *const r = *state;
    (void)context, (void)connection, (void)code;
    if (r) {
        base_free(r->body);
        base_free(r);
    }
    *state = NULL;
}

/* --- Files ------------------------------------------------------------------------------------ */

static base_status add_resource(bench_server *server, const char *name, const void *bytes,
                                size_t size, const char *type, base_error *err)
{
    struct MHD_Response *const response = respond(bytes, size, type);
    if (!response) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    server->resources[server->resource_count++] = (resource){name, response};
    return BASE_OK;
}

static base_status add_file(bench_server *server, const char *name, const char *path,
                            const char *type, base_error *err)
{
    char *bytes;
    size_t size;
    base_status status = base_file_read(path, &bytes, &size, err);
    if (status == BASE_OK) {
        status = add_resource(server, name, bytes, size, type, err);
        base_free(bytes);
    }
    return status;
}

/** Adds three.js, and its notice. */
static base_status add_three(bench_server *server, base_error *err)
{
    static const char *const parts[][2] = {
        {"three.min.js", "text/javascript; charset=utf-8"},
        {"copyright", "text/plain; charset=utf-8"},
    };
    base_status status = BASE_OK;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && status == BASE_OK; i++) {
        char *text;
        status = bench_three_part(parts[i][0], &text, err);
        if (status == BASE_OK) {
            status = add_resource(server, parts[i][0], text, strlen(text), parts[i][1], err);
            base_free(text);
        }
    }
    return status;
}

static base_status add_page(bench_server *server, base_error *err)
{
    static const struct {
        const char *name, *file, *type;
    } files[] = {
        {"", "record/record.html", "text/html; charset=utf-8"},
        {"record.js", "record/record.js", "text/javascript; charset=utf-8"},
        {"record.css", "record/record.css", "text/css; charset=utf-8"},
    };
    base_status status = BASE_OK;
    for (size_t i = 0; i < sizeof files / sizeof *files && status == BASE_OK; i++) {
        char path[BENCH_SHARE_BYTES];
        status = bench_share_path(files[i].file, path, err);
        if (status == BASE_OK) {
            status = add_file(server, files[i].name, path, files[i].type, err);
        }
    }
    return status == BASE_OK ? add_three(server, err) : status;
}

/** Adds a mesh as float32 and uint32. */
static base_status add_mesh(bench_server *server, const char *name, const alg_mesh *mesh,
                            vec3 origin, base_error *err)
{
    const size_t numbers = 3 * (mesh->vertex_count + mesh->face_count);
    union {
        float real;
        uint32_t index;
    } *const words = base_alloc(numbers, sizeof *words), *to = words;
    if (!words) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        const vec3 v = vec3_sub(mesh->vertices[i], origin);
        (to++)->real = (float)v.x;
        (to++)->real = (float)v.y;
        (to++)->real = (float)v.z;
    }
    for (size_t i = 0; i < mesh->face_count; i++) {
        for (int k = 0; k < 3; k++) {
            (to++)->index = mesh->faces[i].v[k];
        }
    }
    const base_status status =
        add_resource(server, name, words, numbers * sizeof *words, "application/x-mesh", err);
    base_free(words);
    return status;
}

static void put_body(bench_json *json, const char *key, const bench_body *body, vec3 origin,
                     vec3 lo, vec3 hi)
{
    bench_json_open(json, key, '{');
    bench_json_text(json, "name", body->reference);
    bench_json_number(json, "vertices", (double)body->view.vertex_count);
    bench_json_number(json, "faces", (double)body->view.face_count);
    bench_json_numbers(json, "origin", (const double[]){origin.x, origin.y, origin.z}, 3);
    bench_json_numbers(json, "box", (const double[]){lo.x, lo.y, lo.z, hi.x, hi.y, hi.z}, 6);
    bench_json_close(json, '}');
}

static base_status add_pair(bench_server *server, const bench_pair *pair, base_error *err)
{
    const geo_box box_a = pair->a.view.box, box_b = pair->b.view.box;
    const vec3 middle = vec3_scale(0.5, vec3_add(box_b.lo, box_b.hi));
    char *text = NULL;
    size_t size = 0;
    bench_json json = {.file = open_memstream(&text, &size)};
    if (!json.file) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    bench_json_open(&json, NULL, '{');
    put_body(&json, "a", &pair->a, pair->centre_a, box_a.lo, box_a.hi);
    put_body(&json, "b", &pair->b, middle, vec3_sub(box_b.lo, middle), vec3_sub(box_b.hi, middle));
    bench_json_open(&json, "algorithms", '[');
    for (size_t i = 0; alg_registry[i]; i++) {
        if (!(alg_registry[i]->flags & ALG_KNOWN_BAD)) {
            bench_json_text(&json, NULL, alg_registry[i]->name);
        }
    }
    bench_json_close(&json, ']');
    bench_json_open(&json, "quantities", '[');
    for (size_t i = 0; bench_quantity_word(i); i++) {
        bench_json_text(&json, NULL, bench_quantity_word(i));
    }
    bench_json_close(&json, ']');
    bench_json_close(&json, '}');
    base_status status = fclose(json.file) == 0
                             ? add_resource(server, "pair.json", text, size, json_type, err)
                             : base_fail(err, BASE_ERR_MEMORY, "out of memory");
    free(text);
    if (status == BASE_OK) {
        status = add_mesh(server, "a.mesh", &pair->a.view, (vec3){0, 0, 0}, err);
    }
    return status == BASE_OK ? add_mesh(server, "b.mesh", &pair->b.view, middle, err) : status;
}

/* --- Opening ---------------------------------------------------------------------------------- */

static base_status make_token(bench_server *server, base_error *err)
{
    unsigned char bytes[TOKEN_BYTES];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
        return base_fail(err, BASE_ERR_SYSTEM, "cannot get random numbers: %s", strerror(errno));
    }
    for (size_t i = 0; i < sizeof bytes; i++) {
        snprintf(server->token + 2 * i, 3, "%02x", bytes[i]);
    }
    return BASE_OK;
}

/** Listens on the loopback address. */
static base_status listen_to(bench_server *server, unsigned port, base_error *err)
{
    const int yes = 1;
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    server->socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (server->socket < 0 ||
        setsockopt(server->socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
        bind(server->socket, (const struct sockaddr *)&address, size) != 0 ||
        listen(server->socket, SOMAXCONN) != 0 ||
        getsockname(server->socket, (struct sockaddr *)&address, &size) != 0) {
        return base_fail(err, BASE_ERR_SYSTEM, "cannot listen on port %u of 127.0.0.1: %s%s", port,
                         strerror(errno),
                         errno == EADDRINUSE ? " (without --port, a free port is taken)" : "");
    }
    static const char *const names[] = {"127.0.0.1", "localhost"};
    for (int i = 0; i < 2; i++) {
        snprintf(server->hosts[i], sizeof server->hosts[i], "%s:%u", names[i],
                 ntohs(address.sin_port));
        snprintf(server->origins[i], sizeof server->origins[i], "http://%s", server->hosts[i]);
    }
    snprintf(server->address, sizeof server->address, "%s/%s/", server->origins[0], server->token);
    return BASE_OK;
}

static base_status start(bench_server *server, base_error *err)
{
    /* Poll mode: in epoll mode, connections with half a request are held until their timeout. */
    server->daemon = MHD_start_daemon(
        MHD_USE_POLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handle, server,
        MHD_OPTION_LISTEN_SOCKET, server->socket, MHD_OPTION_NOTIFY_COMPLETED, end_request, server,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS_MAX, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)SILENT_S, MHD_OPTION_END);
    if (!server->daemon) {
        return base_fail(err, BASE_ERR_SYSTEM, "cannot start the web server");
    }
    server->socket = -1;
    return BASE_OK;
}

base_status bench_server_open(bench_session *session, const bench_pair *pair, unsigned port,
                              bench_server **opened, base_error *err)
{
    bench_server *const server = base_alloc(1, sizeof *server);
    *opened = NULL;
    if (!server) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    server->session = session;
    server->socket = -1;
    pthread_mutex_init(&server->lock, NULL);
    base_status status = make_token(server, err);
    if (status == BASE_OK) {
        status = add_page(server, err);
    }
    if (status == BASE_OK) {
        status = add_pair(server, pair, err);
    }
    if (status == BASE_OK) {
        status = listen_to(server, port, err);
    }
    if (status == BASE_OK) {
        bench_session_watch(session, resume_streams, server);
        status = start(server, err);
    }
    if (status == BASE_OK) {
        *opened = server;
    } else {
        bench_server_close(server);
    }
    return status;
}

const char *bench_server_address(const bench_server *server)
{
    return server->address;
}

void bench_server_close(bench_server *server)
{
    pthread_mutex_lock(&server->lock);
    server->closing = true;
    pthread_mutex_unlock(&server->lock);
    if (server->daemon) {
        resume_streams(server);
        MHD_stop_daemon(server->daemon);
    }
    bench_session_watch(server->session, NULL, NULL);
    if (server->socket >= 0) {
        close(server->socket);
    }
    for (size_t i = 0; i < server->resource_count; i++) {
        MHD_destroy_response(server->resources[i].response);
    }
    pthread_mutex_destroy(&server->lock);
    base_free(server);
}
