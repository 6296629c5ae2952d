/** The bodies of variants: full ones, and simplified ones. */
#include "suite/inputs/own_body.h"

#include "geometry/mesh_check.h"
#include "scenarios/models/models.h"
#include "suite/replay/solo.h"

#include <criterion/criterion.h>
#include <string.h>

static bench_pair pair;

static void open_pair(const char *reference)
{
    base_error err = {0};
    cr_assert_eq(bench_pair_open(reference, reference, &pair, &err), BASE_OK, "%s", err.text);
}

static void close_pair(void)
{
    bench_pair_close(&pair);
}

TestSuite(own_body, .fini = close_pair);

static alg_variant variant_of(const char *name)
{
    alg_variant variant;
    alg_message message;
    cr_assert_eq(alg_variant_parse(name, 1, &variant, &message), ALG_OK, "%s", message.text);
    return variant;
}

static alg_status open(const char *name, bench_own_body *own, alg_message *message)
{
    const alg_variant variant = variant_of(name);
    return bench_own_body_open(&variant, &pair.b.view, ALG_MOVING, own, message);
}

Test(own_body, full)
{
    bench_own_body own;
    alg_message message;
    open_pair("torus:triangles=500");
    cr_assert_eq(open("brute", &own, &message), ALG_OK);
    cr_assert_eq(memcmp(&own.view, &pair.b.view, sizeof own.view), 0, "it is the pair's own body");
    cr_assert(own.build_ns == 0 && own.mesh.face_count == 0);
    bench_own_body_close(&own);
}

/** It is a solid with its own volume and box, and with the centroid of the full body. */
Test(own_body, simplified)
{
    bench_own_body own;
    alg_message message;
    open_pair("coral:triangles=5000");
    cr_assert_eq(open("ist:simplify=0.1", &own, &message), ALG_OK, "%s", message.text);
    const alg_mesh *const full = &pair.b.view;
    cr_assert_eq(own.view.size, sizeof(alg_mesh));
    cr_assert(own.view.solid);
    cr_assert_float_eq((double)own.view.face_count, 0.1 * (double)full->face_count, 50);
    const geo_mesh_measure measure = geo_mesh_measures(&own.mesh);
    cr_assert_eq(own.view.volume_m3, measure.volume_m3);
    cr_assert_neq(own.view.volume_m3, full->volume_m3);
    cr_assert(vec3_equal(own.view.centroid, full->centroid));
    cr_assert_not(vec3_equal(measure.centroid, full->centroid));
    const geo_box box = geo_mesh_box(&own.mesh);
    cr_assert(vec3_equal(own.view.box.lo, box.lo) && vec3_equal(own.view.box.hi, box.hi));
    cr_assert_gt(own.build_ns, 0);
    bench_own_body_close(&own);
    cr_assert_null(own.view.vertices);
}

Test(own_body, declined)
{
    bench_own_body own;
    alg_message message;
    open_pair("bolt:triangles=3500");
    cr_assert_eq(open("ist:simplify=0.3", &own, &message), ALG_UNSUPPORTED);
    cr_assert_str_eq(message.text, "ist needs solids, and body B is not one after it was "
                                   "simplified to 1054 triangles");
    cr_assert_eq(open("brute:simplify=0.3", &own, &message), ALG_OK, "as a surface");
    cr_assert(!own.view.solid && own.view.volume_m3 == 0);
    bench_own_body_close(&own);
    bench_pair_close(&pair);
    open_pair("box:soup=yes");
    cr_assert_eq(open("ist:simplify=1", &own, &message), ALG_UNSUPPORTED);
    cr_assert_str_eq(message.text, "ist needs solids, and body B is not one");
    cr_assert_eq(open("brute:simplify=0.5", &own, &message), ALG_UNSUPPORTED);
    cr_assert(strstr(message.text, "body B: it cannot be simplified from 12 to 6"), "%s",
              message.text);
}

/** Asked in this process, a variant answers for its own bodies, and twice the same. */
Test(own_body, asked)
{
    open_pair("torus:triangles=2000");
    const alg_variant full = variant_of("brute"), simplified = variant_of("brute:simplify=0.1");
    const alg_request request = {.size = sizeof request, .wanted = ALG_WANT_DISTANCE};
    const geo_pose pose =
        bench_pair_pose(&pair, vec3_make(0.06, 0.07, 0.08), (geo_quat){0, 0, 0.6, 0.8});
    double distances[3];
    for (int i = 0; i < 3; i++) {
        bench_solo solo;
        alg_answer answer;
        base_error err = {0};
        cr_assert_eq(
            bench_solo_open(i == 0 ? &full : &simplified, &pair, &request, NULL, &solo, &err),
            BASE_OK, "%s", err.text);
        bench_solo_ask(&solo, &pose, &answer);
        bench_solo_close(&solo);
        distances[i] = answer.distance_m;
    }
    cr_assert_gt(distances[0], 0);
    cr_assert_neq(distances[1], distances[0]);
    cr_assert_float_eq(distances[1], distances[0], 0.005);
    cr_assert_eq(distances[2], distances[1]);
}
