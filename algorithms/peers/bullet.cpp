/** Bullet: contacts of triangle meshes (GImpact), in single precision. */
#include "algorithms/peers/peer.h"

#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h>
#include <BulletCollision/CollisionDispatch/btManifoldResult.h>
#include <BulletCollision/CollisionShapes/btTriangleIndexVertexArray.h>
#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>

#include <memory>
#include <string>
#include <vector>

namespace
{

enum { CONTACTS };
const char *const counters[] = {"contacts_count", nullptr};

struct body {
    std::vector<btVector3> points;
    std::vector<int> corners;
    std::unique_ptr<btTriangleIndexVertexArray> triangles;
    std::unique_ptr<btGImpactMeshShape> shape;

    body(const alg_settings &, const alg_mesh &mesh)
    {
        for (size_t i = 0; i < mesh.vertex_count; i++) {
            const geo_vec3 &p = mesh.vertices[i];
            points.emplace_back(static_cast<btScalar>(p.x), static_cast<btScalar>(p.y),
                                static_cast<btScalar>(p.z));
        }
        for (size_t i = 0; i < mesh.face_count; i++) {
            corners.insert(corners.end(), mesh.faces[i].v, mesh.faces[i].v + 3);
        }
        triangles = std::make_unique<btTriangleIndexVertexArray>(
            static_cast<int>(mesh.face_count), corners.data(), static_cast<int>(3 * sizeof(int)),
            static_cast<int>(points.size()), &points[0][0], static_cast<int>(sizeof(btVector3)));
        shape = std::make_unique<btGImpactMeshShape>(triangles.get());
        shape->setMargin(0); /* otherwise bodies that are centimetres apart touch */
        shape->updateBound();
    }
};

/** Counts all contact points instead of keeping the best four. */
struct counting_result : btManifoldResult {
    uint64_t count = 0;
    alg_answer *listed; /* receives the points; may be null */

    counting_result(const btCollisionObjectWrapper *a, const btCollisionObjectWrapper *b,
                    alg_answer *answer)
        : btManifoldResult(a, b), listed(answer)
    {
    }

    /** normal: from B to A; gap: negative if the bodies overlap. */
    void addContactPoint(const btVector3 &normal, const btVector3 &point, btScalar gap) override
    {
        if (gap > 0) {
            return; /* Bullet also reports points where the bodies are apart */
        }
        count++;
        if (listed) {
            peer::put_contact(*listed, {point.x(), point.y(), point.z()},
                              {-normal.x(), -normal.y(), -normal.z()}, -gap);
        }
    }
};

struct pair {
    const body &fixed, &moving;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btCollisionObject a, b;

    pair(const alg_settings &, const body &fixed_body, const body &moving_body, unsigned wanted)
        : fixed(fixed_body), moving(moving_body)
    {
        peer::require_one(wanted);
        btGImpactCollisionAlgorithm::registerAlgorithm(&dispatcher);
        a.setCollisionShape(fixed.shape.get());
        b.setCollisionShape(moving.shape.get());
    }

    void query(const geo_pose &pose, alg_answer &answer)
    {
        btMatrix3x3 rotation;
        for (int i = 0; i < 3; i++) {
            const geo_vec3 &row = pose.rotation.row[i];
            rotation[i].setValue(static_cast<btScalar>(row.x), static_cast<btScalar>(row.y),
                                 static_cast<btScalar>(row.z));
        }
        const geo_vec3 &t = pose.translation;
        b.setWorldTransform(
            btTransform(rotation, btVector3(static_cast<btScalar>(t.x), static_cast<btScalar>(t.y),
                                            static_cast<btScalar>(t.z))));
        const btCollisionObjectWrapper wrapped_a(nullptr, fixed.shape.get(), &a,
                                                 a.getWorldTransform(), -1, -1);
        const btCollisionObjectWrapper wrapped_b(nullptr, moving.shape.get(), &b,
                                                 b.getWorldTransform(), -1, -1);
        const bool listing = peer::wants_contacts(answer);
        counting_result result(&wrapped_a, &wrapped_b, listing ? &answer : nullptr);
        btCollisionAlgorithm *const algorithm =
            dispatcher.findAlgorithm(&wrapped_a, &wrapped_b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
        btDispatcherInfo info;
        algorithm->processCollision(&wrapped_a, &wrapped_b, info, &result);
        algorithm->~btCollisionAlgorithm();
        dispatcher.freeCollisionAlgorithm(algorithm);
        answer.colliding = result.count > 0;
        answer.counters[CONTACTS] = result.count;
        answer.answered = ALG_HAS_CONTACT;
        if (listing) {
            answer.answered |= ALG_HAS_CONTACTS;
        }
    }
};

alg_contract contract(const alg_settings *, alg_quantity quantity)
{
    return quantity == ALG_CONTACT ? ALG_APPROXIMATE : ALG_NOT_ANSWERED;
}

alg_algorithm make_bullet()
{
    alg_algorithm a = peer::entry<body, pair>(
        "bullet", "Bullet GImpact: contacts of meshes, in float", "Coumans2015", ALG_SURFACE);
    a.counters = counters;
    a.contract = contract;
    return a;
}

} // namespace

const alg_plugin *proxbench_plugin(void)
{
    static const alg_algorithm bullet = make_bullet();
    static const alg_algorithm *const algorithms[] = {&bullet, nullptr};
    static const std::string version = "Bullet " + std::to_string(BT_BULLET_VERSION / 100) + "." +
                                       std::to_string(BT_BULLET_VERSION % 100);
    static const alg_plugin plugin = {ALG_ABI_VERSION, sizeof(alg_algorithm), version.c_str(),
                                      PEER_BUILD, algorithms};
    return &plugin;
}
