/** ODE: contacts of triangle meshes (OPCODE). */
#include "algorithms/peers/peer.h"

#include <cstdarg>
#include <ode/ode.h>
#include <vector>

namespace
{

enum { LIMIT };
enum { CONTACTS, CONTACTS_MAX = 65535 };

const alg_parameter parameters[] = {
    {"limit", ALG_INTEGER, CONTACTS_MAX, 1, CONTACTS_MAX, nullptr, "contacts that are reported"},
};
const char *const counters[] = {"contacts_count", nullptr};

/** Suppresses messages. ODE prints a line for each contact that does not fit its hash table: tens
 * of thousands in a run. */
void say_nothing(int, const char *, va_list)
{
}

void start_ode()
{
    static const bool started = [] {
        dSetMessageHandler(say_nothing);
        return dInitODE2(0) != 0;
    }();
    if (!started) {
        throw std::runtime_error("ODE does not start");
    }
}

struct body {
    std::vector<double> points;
    std::vector<dTriIndex> corners;
    dTriMeshDataID data = nullptr;

    body(const alg_settings &, const alg_mesh &mesh)
    {
        start_ode();
        for (size_t i = 0; i < mesh.vertex_count; i++) {
            const geo_vec3 &p = mesh.vertices[i];
            points.insert(points.end(), {p.x, p.y, p.z});
        }
        for (size_t i = 0; i < mesh.face_count; i++) {
            corners.insert(corners.end(), mesh.faces[i].v, mesh.faces[i].v + 3);
        }
        data = dGeomTriMeshDataCreate();
        dGeomTriMeshDataBuildDouble(data, points.data(), 3 * sizeof(double),
                                    static_cast<int>(mesh.vertex_count), corners.data(),
                                    static_cast<int>(corners.size()), 3 * sizeof(dTriIndex));
    }
    body(const body &) = delete;
    body &operator=(const body &) = delete;
    ~body()
    {
        dGeomTriMeshDataDestroy(data);
    }
};

struct pair {
    dGeomID a, b;
    std::vector<dContactGeom> contacts;

    pair(const alg_settings &settings, const body &fixed, const body &moving, unsigned wanted)
        : contacts(static_cast<size_t>(settings.values[LIMIT]))
    {
        peer::require_one(wanted);
        a = dCreateTriMesh(nullptr, fixed.data, nullptr, nullptr, nullptr);
        b = dCreateTriMesh(nullptr, moving.data, nullptr, nullptr, nullptr);
    }
    pair(const pair &) = delete;
    pair &operator=(const pair &) = delete;
    ~pair()
    {
        dGeomDestroy(a);
        dGeomDestroy(b);
    }

    void query(const geo_pose &pose, alg_answer &answer)
    {
        dMatrix3 rotation = {};
        for (int i = 0; i < 3; i++) {
            const geo_vec3 &row = pose.rotation.row[i];
            rotation[4 * i] = row.x;
            rotation[4 * i + 1] = row.y;
            rotation[4 * i + 2] = row.z;
        }
        dGeomSetRotation(b, rotation);
        dGeomSetPosition(b, pose.translation.x, pose.translation.y, pose.translation.z);
        const int count = dCollide(a, b, static_cast<int>(contacts.size()), contacts.data(),
                                   sizeof(dContactGeom));
        answer.colliding = count > 0;
        answer.counters[CONTACTS] = static_cast<uint64_t>(count);
        answer.answered = ALG_HAS_CONTACT;
        if (peer::wants_contacts(answer)) {
            list_contacts(count, answer);
        }
    }

    /** Negates the normals, because ODE's normals point into A. */
    void list_contacts(int count, alg_answer &answer) const
    {
        for (int i = 0; i < count; i++) {
            const dContactGeom &c = contacts[static_cast<size_t>(i)];
            peer::put_contact(answer, {c.pos[0], c.pos[1], c.pos[2]},
                              {-c.normal[0], -c.normal[1], -c.normal[2]}, c.depth);
        }
        answer.answered |= ALG_HAS_CONTACTS;
    }
};

/** Contacts are approximate because ODE's triangle tests have tolerances: bodies up to 1e-8 apart
 * were reported as touching. */
alg_contract contract(const alg_settings *, alg_quantity quantity)
{
    return quantity == ALG_CONTACT ? ALG_APPROXIMATE : ALG_NOT_ANSWERED;
}

alg_algorithm make_ode()
{
    alg_algorithm a =
        peer::entry<body, pair>("ode", "ODE: contacts of meshes", "Smith2006", ALG_SURFACE);
    a.parameters = parameters;
    a.parameter_count = sizeof parameters / sizeof *parameters;
    a.counters = counters;
    a.contract = contract;
    return a;
}

} // namespace

const alg_plugin *proxbench_plugin(void)
{
    static const alg_algorithm ode = make_ode();
    static const alg_algorithm *const algorithms[] = {&ode, nullptr};
    static const alg_plugin plugin = {ALG_ABI_VERSION, sizeof(alg_algorithm), "ODE " PEER_VERSION,
                                      PEER_BUILD, algorithms};
    return dCheckConfiguration("ODE_EXT_trimesh") ? &plugin : nullptr;
}
