#include "base/memory.h"
#include "geometry/mesh.h"
#include "geometry/pose.h"
#include "geometry/vec.h"
#include "scenarios/models/models.h"
#include "suite/replay/replay.h"
#include "suite/replay/solo.h"
#include "suite/results/frames.h"
#include "suite/tests/simulate.h"

#include <criterion/redirect.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void enter(void)
{
    enter_folder();
    cr_redirect_stderr();
}

TestSuite(replay, .init = enter, .fini = leave_folder);

static bool same_point(vec3 a, vec3 b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static geo_mesh load(const char *path)
{
    geo_mesh mesh;
    assert_ok(geo_mesh_load(path, &mesh, ERR));
    return mesh;
}

static geo_mesh model(const char *reference)
{
    geo_mesh mesh;
    assert_ok(scn_mesh_open(reference, &mesh, ERR));
    return mesh;
}

/* --- A contestant with contact in every frame ------------------------------------------------- */

static alg_contract contract(const alg_settings *settings, alg_quantity quantity)
{
    (void)settings;
    return quantity == ALG_CONTACT ? ALG_APPROXIMATE : ALG_NOT_ANSWERED;
}

static alg_status prepare(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                          void **prepared, alg_build_info *info, alg_message *message)
{
    (void)settings, (void)role, (void)message;
    *info = (alg_build_info){0};
    geo_box *const box = base_alloc(1, sizeof *box);
    *box = mesh->box;
    *prepared = box;
    return ALG_OK;
}

static alg_status bind(const alg_settings *settings, const void *fixed, const void *moving,
                       const alg_request *request, void **state, alg_message *message)
{
    (void)settings, (void)fixed, (void)moving, (void)request, (void)message;
    *state = base_alloc(1, 1);
    return ALG_OK;
}

enum { FOUND = 5 };

/** Five contacts on A's x axis. */
static void query(void *state, const geo_pose *pose, alg_answer *answer)
{
    (void)state, (void)pose;
    answer->colliding = true;
    answer->answered = ALG_HAS_CONTACT | ALG_HAS_WITNESS;
    answer->outcome = ALG_CONVERGED;
    answer->witness_a = (vec3){0.001, 0, 0};
    answer->witness_b = (vec3){0.002, 0, 0};
    answer->counters[0] = FOUND;
    if (answer->contact_capacity > 0) {
        answer->answered |= ALG_HAS_CONTACTS;
        answer->contact_count = FOUND;
        for (uint32_t i = 0; i < FOUND && i < answer->contact_capacity; i++) {
            answer->contacts[i] = (alg_contact){{0.01 * i, 0, 0}, {0, 1, 0}, 0.5};
        }
    }
}

/** Draws a small and a large sphere at the centre of the box. */
static void draw(const void *prepared, const alg_sink *sink)
{
    const geo_box *const box = prepared;
    const vec3 centre = vec3_scale(0.5, vec3_add(box->lo, box->hi));
    sink->sphere(sink->context, &(geo_ball){centre, 0.001});
    sink->sphere(sink->context, &(geo_ball){centre, 0.02});
}

static const char *const counters[] = {"contacts_count", NULL};
static const alg_algorithm touching = {.abi_version = ALG_ABI_VERSION,
                                       .name = "touching",
                                       .summary = "for tests",
                                       .source = "",
                                       .force_unit = "N",
                                       .counters = counters,
                                       .contract = contract,
                                       .prepare = prepare,
                                       .dispose = base_free,
                                       .bind = bind,
                                       .release = base_free,
                                       .query = query,
                                       .draw = draw};
static const alg_variant variant = {.algorithm = &touching, .name = "touching"};

/* --- Queries ---------------------------------------------------------------------------------- */

static alg_request asking(uint32_t contacts)
{
    return (alg_request){
        .size = sizeof(alg_request), .wanted = ALG_WANT_CONTACT, .contacts_max = contacts};
}

Test(replay, contacts_beyond_the_buffer_are_counted)
{
    base_error err = {0};
    SCOPED_BENCH_PAIR pair;
    bench_solo solo;
    open_pair("box", "sphere:triangles=80", &pair);
    const geo_pose pose = geo_pose_identity();
    alg_answer answer;
    char fault[BENCH_FAULT_BYTES];
    for (uint32_t most = 0; most <= 7; most++) {
        const alg_request request = asking(most);
        assert_ok(bench_solo_open(&variant, &pair, &request, NULL, &solo, ERR));
        memset(&answer, 0xff, sizeof answer);
        bench_solo_ask(&solo, &pose, &answer);
        cr_assert_eq(answer.answered, (uint32_t)(ALG_HAS_CONTACT | ALG_HAS_WITNESS));
        cr_assert(!answer.contacts && answer.contact_count == 0 && answer.distance_m == 0);
        cr_assert(bench_solo_ask_details(&solo, &pose, &answer, fault), "room for %u: %s", most,
                  fault);
        cr_assert_eq((answer.answered & ALG_HAS_CONTACTS) != 0, most > 0, "room for %u", most);
        cr_assert_eq(answer.contact_count, most > 0 ? FOUND : 0, "room for %u", most);
        cr_assert_eq(bench_buffer_count(&solo.buffers, BENCH_LIST_CONTACTS, &answer),
                     most < FOUND ? most : FOUND, "room for %u", most);
        cr_assert(!answer.contacts && answer.contact_capacity == 0, "room for %u", most);
        bench_solo_close(&solo);
    }
    const alg_request too_much = asking(UINT32_MAX);
    cr_assert_eq(bench_solo_open(&variant, &pair, &too_much, NULL, &solo, &err), BASE_ERR_ARGUMENT);
}

Test(replay, fields_are_cells_of_a_run)
{
    const alg_answer answer = {.size = sizeof answer,
                               .answered = ALG_HAS_DISTANCE | ALG_HAS_WITNESS | ALG_HAS_VOLUME |
                                           ALG_HAS_VOLUME_BRACKET,
                               .distance_m = 0.1,
                               .witness_a = {1, 2, -0.0},
                               .volume_m3 = NAN,
                               .counters = {UINT64_MAX},
                               .distance_lo_m = 7,
                               .volume_lo_m3 = 0.25,
                               .volume_hi_m3 = 0.5};
    bench_field f[BENCH_FIELDS_MAX];
    const size_t count = bench_answer_fields(&touching, (vec3){0.5, 0, -0.0}, &answer, f);
    static const struct {
        const char *name, *text;
        bool answered;
    } expected[] = {
        {"colliding", "0", true},
        {"distance_m", "0.10000000000000001", true},
        {"volume_m3", "", true},
        {"depth_m", "", false},
        {"nx", "", false},
        {"ny", "", false},
        {"nz", "", false},
        {"fx_N", "", false},
        {"fy_N", "", false},
        {"fz_N", "", false},
        {"tx_N_m", "", false},
        {"ty_N_m", "", false},
        {"tz_N_m", "", false},
        {"witness_ax_m", "1.5", true},
        {"witness_ay_m", "2", true},
        {"witness_az_m", "-0", true},
        {"witness_bx_m", "0.5", true},
        {"witness_by_m", "0", true},
        {"witness_bz_m", "0", true},
        {"contacts_count", "18446744073709551615", true},
        {"distance_lo_m", "", false},
        {"distance_hi_m", "", false},
        {"volume_lo_m3", "0.25", true},
        {"volume_hi_m3", "0.5", true},
        {"intersecting_pairs_count", "", false},
        {"regions_count", "", false},
    };
    cr_assert_eq(count, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < count; i++) {
        cr_assert_str_eq(f[i].name, expected[i].name);
        cr_assert_str_eq(f[i].text, expected[i].text, "%s is '%s'", f[i].name, f[i].text);
        cr_assert_eq(f[i].answered, expected[i].answered, "%s", f[i].name);
    }
}

/* --- Scene ------------------------------------------------------------------------------------ */

typedef struct scene {
    bench_pair pair;
    bench_solo solo;
    scn_frame frame;
    alg_answer answer;
    bench_scene_counts counts;
    geo_mesh mesh; /* read back from the file */
} scene;

/** Draws the pair with up to `spheres` spheres and reads the file back. */
static void draw_and_read(scene *s, const char *a, const char *b, uint64_t spheres)
{
    *s = (scene){
        .frame = {.position = {0.11, -0.02, 0.03}, .orientation = {0.36, 0.48, 0.6, 0.52915}}};
    s->frame.orientation = geo_quat_normalize(s->frame.orientation);
    open_pair(a, b, &s->pair);
    const alg_request request = asking(3);
    char fault[BENCH_FAULT_BYTES];
    assert_ok(bench_solo_open(&variant, &s->pair, &request, NULL, &s->solo, ERR));
    const geo_pose pose = bench_pair_pose(&s->pair, s->frame.position, s->frame.orientation);
    cr_assert(bench_solo_ask_details(&s->solo, &pose, &s->answer, fault), "%s", fault);
    char path[128];
    snprintf(path, sizeof path, "%s/scene.obj", folder);
    const bench_scene what = {
        .pair = &s->pair,
        .frame = &s->frame,
        .solo = &s->solo,
        .answer = &s->answer,
        .contacts = bench_buffer_contacts(&s->solo.buffers),
        .contact_count = bench_buffer_count(&s->solo.buffers, BENCH_LIST_CONTACTS, &s->answer),
        .spheres_most = spheres};
    assert_ok(bench_scene_write(&what, path, &s->counts, ERR));
    s->mesh = load(path);
}

static void release(scene *s)
{
    geo_mesh_release(&s->mesh);
    bench_solo_close(&s->solo);
    bench_pair_close(&s->pair);
}

Test(replay, a_ball_is_a_solid)
{
    scene s;
    draw_and_read(&s, "box", "cube", 1);
    const size_t first_vertex = s.mesh.vertex_count - 12, first_face = s.mesh.face_count - 20;
    geo_face faces[20]; /* of the last sphere, which is the last in the file */
    for (size_t f = 0; f < 20; f++) {
        for (int k = 0; k < 3; k++) {
            faces[f].v[k] = s.mesh.faces[first_face + f].v[k] - (uint32_t)first_vertex;
        }
    }
    const geo_mesh ball = {.vertices = s.mesh.vertices + first_vertex,
                           .vertex_count = 12,
                           .faces = faces,
                           .face_count = 20};
    geo_mesh_report report;
    assert_ok(geo_mesh_check(&ball, &report, ERR));
    cr_assert(report.solid && !report.inside_out);
    const double volume = report.measure.volume_m3, r3 = 0.02 * 0.02 * 0.02;
    cr_assert(fabs(volume / r3 - 2.53615071012041) < 1e-12, "%.17g", volume / r3);
    geo_mesh_report_release(&report);
    release(&s);
}

Test(replay, bodies_are_where_the_pose_puts_them)
{
    static const char *const pairs[][2] = {
        {"box:x=0.7,y=0.1", "torus:triangles=200"},
        {"torus:triangles=200", "sphere:triangles=80,x=0.3"},
        {"bolt:triangles=3500", "cube"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const char *const *const names = pairs[i];
        scene s;
        draw_and_read(&s, names[0], names[1], 1);
        geo_mesh a = model(names[0]), b = model(names[1]);
        /* witness, truth_witness and three contacts have two points each; and two spheres */
        const size_t others = 2 + 2 + 3 * 2 + 2 * 12;
        cr_assert_eq(s.mesh.vertex_count, a.vertex_count + b.vertex_count + others, "%s %s",
                     names[0], names[1]);
        cr_assert_eq(s.mesh.face_count, a.face_count + b.face_count + 40, "%s %s", names[0],
                     names[1]);
        const geo_pose place = geo_pose_make(s.frame.orientation, s.frame.position);
        for (size_t v = 0; v < a.vertex_count; v++) {
            cr_assert(same_point(s.mesh.vertices[v], a.vertices[v]), "%s: vertex %zu", names[0], v);
        }
        for (size_t v = 0; v < b.vertex_count; v++) {
            const vec3 moved = geo_pose_apply(&place, b.vertices[v]);
            cr_assert(same_point(s.mesh.vertices[a.vertex_count + v], moved), "%s: vertex %zu",
                      names[1], v);
        }
        cr_assert_eq(memcmp(s.mesh.faces, a.faces, a.face_count * sizeof *a.faces), 0);
        for (size_t f = 0; f < b.face_count; f++) {
            for (int k = 0; k < 3; k++) {
                cr_assert_eq(s.mesh.faces[a.face_count + f].v[k], a.vertex_count + b.faces[f].v[k],
                             "%s: face %zu", names[1], f);
            }
        }
        geo_mesh_release(&a);
        geo_mesh_release(&b);
        release(&s);
    }
}

Test(replay, what_is_drawn_beside_them)
{
    scene s;
    draw_and_read(&s, "box:x=0.7,y=0.1", "torus:triangles=200,x=0.2", 1);
    const vec3 *const v = s.mesh.vertices + s.pair.a.mesh.vertex_count +
                          s.pair.b.mesh.vertex_count; /* after those of the bodies */
    const vec3 c = s.pair.centre_a;
    cr_assert(same_point(v[0], (vec3){0.001 + c.x, c.y, c.z}), "witness_a");
    cr_assert(same_point(v[1], (vec3){0.002 + c.x, c.y, c.z}), "witness_b");
    const geo_pose pose = bench_pair_pose(&s.pair, s.frame.position, s.frame.orientation);
    gt_distance d;
    gt_distance_query(s.pair.a.truth, s.pair.b.truth, &pose, &d);
    cr_assert(d.distance_m.lo > 0 && fabs(vec3_distance(v[2], v[3]) - d.distance_m.lo) < 1e-11);
    cr_assert(same_point(v[3], vec3_add(d.witness_b, c)), "truth_witness");
    for (int i = 0; i < 3; i++) {
        cr_assert(same_point(v[4 + 2 * i], (vec3){0.01 * i + c.x, c.y, c.z}), "contact %d", i);
        const vec3 along = vec3_sub(v[5 + 2 * i], v[4 + 2 * i]);
        cr_assert(along.x == 0 && along.z == 0 && fabs(along.y - 0.02 * s.pair.diagonal_a) < 1e-15);
    }
    /* Only the larger of two spheres of each body is drawn, at the centre of its box. */
    cr_assert(s.counts.spheres[0] == 2 && s.counts.spheres[1] == 2);
    cr_assert(s.counts.drawn[0] == 1 && s.counts.drawn[1] == 1);
    const geo_pose place = geo_pose_make(s.frame.orientation, s.frame.position);
    const vec3 middles[] = {c,
                            geo_pose_apply(&place, geo_box_centre(geo_mesh_box(&s.pair.b.mesh)))};
    for (int i = 0; i < 24; i++) {
        const double radius = vec3_distance(v[10 + i], middles[i / 12]);
        cr_assert(fabs(radius - 0.02) < 1e-15, "corner %d at %.17g", i, radius);
    }
    release(&s);
    draw_and_read(&s, "box", "cube", 0);
    cr_assert(s.counts.spheres[0] == 2 && s.counts.drawn[0] == 0);
    release(&s);
}
