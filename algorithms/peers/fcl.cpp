/** FCL: distance and contacts of triangle meshes by hierarchies of bounding volumes. */
#include "algorithms/peers/peer.h"

#include <fcl/config.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <limits>
#include <memory>

namespace
{

enum { BV, REPORT };
enum { OBBRSS, RSS, KIOS, OBB };
enum { PAIRS, POINTS, FIRST };
enum { CONTACTS };

const alg_parameter parameters[] = {
    {"bv",     ALG_CHOICE, OBBRSS, OBBRSS, OBB,   "obbrss|rss|kios|obb",
     "bounding volume; rss: distance alone, obb: contact alone"         },
    {"report", ALG_CHOICE, PAIRS,  PAIRS,  FIRST, "pairs|points|first",
     "contacts: pairs of triangles, with points, or the first one alone"},
};
const char *const counters[] = {"contacts_count", nullptr};

template <class Volume> std::unique_ptr<fcl::CollisionGeometryd> build(const alg_mesh &mesh)
{
    auto model = std::make_unique<fcl::BVHModel<Volume>>();
    std::vector<fcl::Vector3d> points;
    std::vector<fcl::Triangle> triangles;
    points.reserve(mesh.vertex_count);
    triangles.reserve(mesh.face_count);
    for (size_t i = 0; i < mesh.vertex_count; i++) {
        points.emplace_back(mesh.vertices[i].x, mesh.vertices[i].y, mesh.vertices[i].z);
    }
    for (size_t i = 0; i < mesh.face_count; i++) {
        const uint32_t *const v = mesh.faces[i].v;
        triangles.emplace_back(v[0], v[1], v[2]);
    }
    if (model->beginModel(static_cast<int>(triangles.size()), static_cast<int>(points.size())) !=
            fcl::BVH_OK ||
        model->addSubModel(points, triangles) != fcl::BVH_OK || model->endModel() != fcl::BVH_OK) {
        throw std::runtime_error("FCL cannot build a model of this mesh");
    }
    return model;
}

struct body {
    std::unique_ptr<fcl::CollisionGeometryd> model;

    body(const alg_settings &settings, const alg_mesh &mesh)
    {
        switch (static_cast<int>(settings.values[BV])) {
        case RSS:
            model = build<fcl::RSSd>(mesh);
            break;
        case KIOS:
            model = build<fcl::kIOSd>(mesh);
            break;
        case OBB:
            model = build<fcl::OBBd>(mesh);
            break;
        default:
            model = build<fcl::OBBRSSd>(mesh);
        }
    }
};

geo_vec3 to_vec3(const fcl::Vector3d &v)
{
    return {v.x(), v.y(), v.z()};
}

/**
 * FCL has no distance of OBB trees. It has contacts of RSS trees, but not on its usual path for
 * turned boxes: they take a hundred times as long as with the others.
 */
alg_contract contract(const alg_settings *settings, alg_quantity quantity)
{
    const bool distance = settings->values[BV] != OBB && settings->values[REPORT] == PAIRS;
    const bool contact = settings->values[BV] != RSS;
    return (quantity == ALG_DISTANCE && distance) || (quantity == ALG_CONTACT && contact)
               ? ALG_EXACT
               : ALG_NOT_ANSWERED;
}

struct pair {
    const fcl::CollisionGeometryd *a, *b;
    fcl::CollisionRequestd collision;
    fcl::CollisionResultd contacts;
    bool distance, pairs;

    pair(const alg_settings &settings, const body &fixed, const body &moving, unsigned wanted)
        : a(fixed.model.get()), b(moving.model.get()), distance(wanted == ALG_WANT_DISTANCE)
    {
        peer::require_one(wanted);
        const int report = static_cast<int>(settings.values[REPORT]);
        if (contract(&settings, distance ? ALG_DISTANCE : ALG_CONTACT) == ALG_NOT_ANSWERED) {
            throw peer::unsupported("with these settings it answers distance or contact alone");
        }
        pairs = report == PAIRS;
        collision.num_max_contacts = report == FIRST ? 1 : std::numeric_limits<size_t>::max();
        collision.enable_contact = report == POINTS;
    }

    void query(const geo_pose &pose, alg_answer &answer)
    {
        fcl::Transform3d at = fcl::Transform3d::Identity();
        for (int i = 0; i < 3; i++) {
            const geo_vec3 &row = pose.rotation.row[i];
            at.linear().row(i) << row.x, row.y, row.z;
        }
        at.translation() << pose.translation.x, pose.translation.y, pose.translation.z;
        if (distance) {
            measure(at, answer);
        } else {
            collide(at, answer);
        }
    }

    void measure(const fcl::Transform3d &at, alg_answer &answer) const
    {
        const fcl::DistanceRequestd request(true, 0.0, 0.0);
        fcl::DistanceResultd result;
        fcl::distance(a, fcl::Transform3d::Identity(), b, at, request, result);
        answer.distance_m = result.min_distance > 0 ? result.min_distance : 0;
        answer.colliding = answer.distance_m == 0;
        answer.answered = ALG_HAS_DISTANCE;
        if (!answer.colliding) { /* of intersecting triangles the points are arbitrary */
            answer.witness_a = to_vec3(result.nearest_points[0]);
            answer.witness_b = to_vec3(result.nearest_points[1]);
            answer.answered |= ALG_HAS_WITNESS;
        }
    }

    void collide(const fcl::Transform3d &at, alg_answer &answer)
    {
        contacts.clear();
        fcl::collide(a, fcl::Transform3d::Identity(), b, at, collision, contacts);
        answer.colliding = contacts.isCollision();
        answer.counters[CONTACTS] = contacts.numContacts();
        answer.answered = ALG_HAS_CONTACT;
        if (pairs) {
            list_pairs(answer);
        }
        if (peer::wants_contacts(answer)) {
            list_contacts(at, answer);
        }
    }

    void list_pairs(alg_answer &answer) const
    {
        answer.answered |= ALG_HAS_PAIRS;
        if (answer.pair_capacity == 0) {
            answer.pair_count = static_cast<uint32_t>(contacts.numContacts());
            return;
        }
        for (size_t i = 0; i < contacts.numContacts(); i++) {
            const fcl::Contactd &c = contacts.getContact(i);
            peer::put_pair(answer, static_cast<int>(c.b1), static_cast<int>(c.b2));
        }
    }

    /** Asks again for points: they are more than the pairs of triangles that are counted. */
    void list_contacts(const fcl::Transform3d &at, alg_answer &answer)
    {
        fcl::CollisionRequestd request = collision;
        request.enable_contact = true;
        contacts.clear();
        fcl::collide(a, fcl::Transform3d::Identity(), b, at, request, contacts);
        for (size_t i = 0; i < contacts.numContacts(); i++) {
            const fcl::Contactd &c = contacts.getContact(i);
            peer::put_contact(answer, to_vec3(c.pos), to_vec3(c.normal), c.penetration_depth);
        }
        answer.answered |= ALG_HAS_CONTACTS;
    }
};

alg_algorithm make_fcl()
{
    alg_algorithm a = peer::entry<body, pair>("fcl", "FCL: distance and contacts of meshes",
                                              "Pan2012", ALG_SURFACE);
    a.parameters = parameters;
    a.parameter_count = sizeof parameters / sizeof *parameters;
    a.counters = counters;
    a.contract = contract;
    return a;
}

} // namespace

const alg_plugin *proxbench_plugin(void)
{
    static const alg_algorithm fcl = make_fcl();
    static const alg_algorithm *const algorithms[] = {&fcl, nullptr};
    static const alg_plugin plugin = {ALG_ABI_VERSION, sizeof(alg_algorithm), "FCL " FCL_VERSION,
                                      PEER_BUILD, algorithms};
    return &plugin;
}
