/**
 * PQP: distance and contacts of triangle meshes. Its licence allows research only, so PQP is not
 * shipped; it is built from the user's own copy: make peers PQP_DIR=FOLDER, where FOLDER contains
 * PQP.h.
 */
#include "algorithms/peers/peer.h"

#include <PQP.h>

#include <memory>

namespace
{

enum { COHERENT, QUEUE, REPORT };
enum { PAIRS, FIRST };
enum { BV_TESTS, TRIANGLE_TESTS, CONTACTS };

const alg_choice starts[] = {
    {"no", "every query for itself"},
    {"yes", "from the triangles of the query before"},
    {},
};
const alg_choice reports[] = {{"pairs", "all contacts"}, {"first", "the first one alone"}, {}};
const alg_parameter parameters[] = {
    {"coherent", ALG_CHOICE, 0, 0, 0, starts, "start of a distance"},
    {"queue", ALG_INTEGER, 2, 2, 10000, nullptr, "of pairs of volumes; 2: depth first"},
    {"report", ALG_CHOICE, PAIRS, 0, 0, reports, "contacts"},
};
const char *const counters[] = {"bv_tests_count", "primitive_tests_count", "contacts_count",
                                nullptr};

struct body {
    std::unique_ptr<PQP_Model> model = std::make_unique<PQP_Model>();

    body(const alg_settings &, const alg_mesh &mesh)
    {
        model->BeginModel(static_cast<int>(mesh.face_count));
        for (size_t f = 0; f < mesh.face_count; f++) {
            PQP_REAL p[3][3];
            for (int i = 0; i < 3; i++) {
                const geo_vec3 &v = mesh.vertices[mesh.faces[f].v[i]];
                p[i][0] = v.x;
                p[i][1] = v.y;
                p[i][2] = v.z;
            }
            model->AddTri(p[0], p[1], p[2], static_cast<int>(f));
        }
        if (model->EndModel() != PQP_OK) {
            throw std::runtime_error("PQP cannot build a model of this mesh");
        }
    }
};

struct pair {
    PQP_Model *a, *b;
    PQP_CollideResult contacts;
    bool distance, coherent;
    int queue, report;

    pair(const alg_settings &settings, const body &fixed, const body &moving, unsigned wanted)
        : a(fixed.model.get()), b(moving.model.get()), distance(wanted == ALG_WANT_DISTANCE),
          coherent(settings.values[COHERENT] == 1), queue(static_cast<int>(settings.values[QUEUE])),
          report(settings.values[REPORT] == FIRST ? PQP_FIRST_CONTACT : PQP_ALL_CONTACTS)
    {
        peer::require_one(wanted);
    }

    /** Resets the nearest triangles that PQP keeps between queries. */
    void reset()
    {
        a->last_tri = a->tris;
        b->last_tri = b->tris;
    }

    void query(const geo_pose &pose, alg_answer &answer)
    {
        PQP_REAL identity[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, origin[3] = {0, 0, 0};
        PQP_REAL rotation[3][3],
            shift[3] = {pose.translation.x, pose.translation.y, pose.translation.z};
        for (int i = 0; i < 3; i++) {
            const geo_vec3 &row = pose.rotation.row[i];
            rotation[i][0] = row.x;
            rotation[i][1] = row.y;
            rotation[i][2] = row.z;
        }
        if (distance) {
            if (!coherent) {
                reset();
            }
            PQP_DistanceResult result;
            PQP_Distance(&result, identity, origin, a, rotation, shift, b, 0, 0, queue);
            const PQP_REAL *const p = result.P1(), *const q = result.P2();
            answer.distance_m = result.Distance();
            answer.colliding = answer.distance_m <= 0;
            answer.answered =
                answer.colliding ? ALG_HAS_DISTANCE : ALG_HAS_DISTANCE | ALG_HAS_WITNESS;
            answer.witness_a = {p[0], p[1], p[2]};
            answer.witness_b = peer::apply(pose, {q[0], q[1], q[2]}); /* q is in B's frame */
            answer.counters[BV_TESTS] = static_cast<uint64_t>(result.NumBVTests());
            answer.counters[TRIANGLE_TESTS] = static_cast<uint64_t>(result.NumTriTests());
            return;
        }
        PQP_Collide(&contacts, identity, origin, a, rotation, shift, b, report);
        answer.colliding = contacts.NumPairs() > 0;
        answer.answered = ALG_HAS_CONTACT;
        answer.counters[BV_TESTS] = static_cast<uint64_t>(contacts.NumBVTests());
        answer.counters[TRIANGLE_TESTS] = static_cast<uint64_t>(contacts.NumTriTests());
        answer.counters[CONTACTS] = static_cast<uint64_t>(contacts.NumPairs());
        if (report == PQP_ALL_CONTACTS) {
            list_pairs(answer);
        }
    }

    void list_pairs(alg_answer &answer)
    {
        answer.answered |= ALG_HAS_PAIRS;
        if (answer.pair_capacity == 0) {
            answer.pair_count = static_cast<uint32_t>(contacts.NumPairs());
            return;
        }
        for (int i = 0; i < contacts.NumPairs(); i++) {
            peer::put_pair(answer, contacts.Id1(i), contacts.Id2(i));
        }
    }
};

void reset(void *state)
{
    static_cast<pair *>(state)->reset();
}

alg_contract contract(const alg_settings *settings, alg_quantity quantity)
{
    const bool distance = quantity == ALG_DISTANCE && settings->values[REPORT] == PAIRS;
    return distance || quantity == ALG_CONTACT ? ALG_EXACT : ALG_NOT_ANSWERED;
}

alg_algorithm make_pqp()
{
    alg_algorithm a = peer::entry<body, pair>("pqp", "PQP: distance and contacts of meshes",
                                              "Larsen1999", ALG_SURFACE | ALG_KEEPS_STATE);
    a.parameters = parameters;
    a.parameter_count = sizeof parameters / sizeof *parameters;
    a.counters = counters;
    a.contract = contract;
    a.reset = reset;
    return a;
}

} // namespace

const alg_plugin *proxbench_plugin(void)
{
    static const alg_algorithm pqp = make_pqp();
    static const alg_algorithm *const algorithms[] = {&pqp, nullptr};
    static const alg_plugin plugin = {ALG_ABI_VERSION, sizeof(alg_algorithm), "PQP", PEER_BUILD,
                                      algorithms};
    return &plugin;
}
