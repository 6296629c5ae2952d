/** FCL: distance and contacts of triangle meshes by bounding volume hierarchies, and surface voxels
 * by collisions of boxes with such a hierarchy. */
#include "algorithms/peers/peer.h"

#include <fcl/config.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>
#include <memory>
#include <vector>

namespace
{

enum { BV, REPORT };
enum { OBBRSS, RSS, KIOS, OBB };
enum { PAIRS, POINTS, FIRST };
enum { CONTACTS };

const alg_choice volumes[] = {
    {"obbrss", "both a box and a swept rectangle"},
    {"rss", "rectangle swept by a sphere: distance alone"},
    {"kios", "intersection of spheres"},
    {"obb", "oriented box: contact alone"},
    {},
};
const alg_choice reports[] = {
    {"pairs", "pairs of triangles"},
    {"points", "pairs of triangles, with points"},
    {"first", "the first one alone"},
    {},
};
const alg_parameter parameters[] = {
    {"bv", ALG_CHOICE, OBBRSS, 0, 0, volumes, "bounding volume"},
    {"report", ALG_CHOICE, PAIRS, 0, 0, reports, "contacts"},
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
 * turned boxes: they take a hundred times as long as those of the other trees.
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
        : pair(*fixed.model, *moving.model, static_cast<int>(settings.values[REPORT]), wanted)
    {
        if (contract(&settings, distance ? ALG_DISTANCE : ALG_CONTACT) == ALG_NOT_ANSWERED) {
            throw peer::unsupported("with these settings it answers distance or contact alone");
        }
    }

    pair(const fcl::CollisionGeometryd &fixed, const fcl::CollisionGeometryd &moving, int report,
         unsigned wanted)
        : a(&fixed), b(&moving), distance(wanted == ALG_WANT_DISTANCE), pairs(report == PAIRS)
    {
        peer::require_one(wanted);
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
        if (!answer.colliding) { /* the points of intersecting triangles are arbitrary */
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

    /** Queries again for points, because there are more points than counted pairs of triangles. */
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

/* --- Surface voxels --------------------------------------------------------------------------- */

enum { VOXELS, VOXMAP };
enum { PADDING = 2 };
enum { VOXELS_COUNT, SURFACE_VOXELS_COUNT, BOX_TESTS_COUNT, STAGE_SURFACE_NS };

const alg_choice roles[] = {
    {"fixed", "the fixed body, A"},
    {"moving", "the moving body, B"},
    {},
};
const alg_parameter voxmap_parameters[] = {
    {"voxels", ALG_INTEGER, 128, 2, 2048, nullptr, "along the longest edge of the body's box"},
    {"voxmap", ALG_CHOICE, 0, 0, 0, roles, "the body that has voxels"},
};
const char *const voxmap_facts[] = {"voxels_count", "surface_voxels_count", "box_tests_count",
                                    "stage_surface_ns", nullptr};

/** Voxels (x0, y, z) to (x1 - 1, y, z). */
struct run {
    uint32_t x0, x1, y, z;
};

/** The grid of a voxmap, as defined in alg_sink. */
struct voxel_grid {
    double corner[3], edge;
    uint32_t count[3];

    voxel_grid(const geo_box &box, double voxels)
        : corner{box.lo.x, box.lo.y, box.lo.z},
          edge(std::max({box.hi.x - box.lo.x, box.hi.y - box.lo.y, box.hi.z - box.lo.z}) / voxels)
    {
        const double upper[3] = {box.hi.x, box.hi.y, box.hi.z};
        if (!(edge > 4 * std::numeric_limits<double>::epsilon() *
                         std::max({std::abs(box.lo.x), std::abs(box.lo.y), std::abs(box.lo.z),
                                   std::abs(box.hi.x), std::abs(box.hi.y), std::abs(box.hi.z)}))) {
            throw peer::unsupported("the body is too small, or too far away, for so many voxels");
        }
        /* The smallest count for which the last plane is not below the box. */
        for (int k = 0; k < 3; k++) {
            const double guess = (upper[k] - corner[k]) / edge;
            count[k] = 2 * PADDING + (guess > 2 ? static_cast<uint32_t>(guess) - 1 : 1);
            while (plane(k, count[k] - PADDING) < upper[k]) {
                count[k]++;
            }
        }
    }

    double plane(int axis, uint32_t i) const
    {
        return corner[axis] + edge * (static_cast<double>(i) - PADDING);
    }

    double middle(int axis, uint32_t i) const
    {
        return 0.5 * (plane(axis, i) + plane(axis, i + 1));
    }
};

struct voxmap {
    std::unique_ptr<fcl::CollisionGeometryd> model;
    std::unique_ptr<voxel_grid> grid; /* null for the body of the other role */
    std::vector<run> runs;
    uint64_t surface = 0, tests = 0;
    double surface_ns = 0;

    /* OBB trees are FCL's fastest trees against boxes: 2.7 us per box on the bunny at 32 voxels,
     * against 6.5 us for kIOS, 9.0 us for OBBRSS and 12.6 us for RSS. Trees of AABBs are copied
     * for each box. */
    voxmap(const alg_settings &settings, const alg_mesh &mesh, alg_role role)
        : model(build<fcl::OBBd>(mesh))
    {
        if (static_cast<int>(settings.values[VOXMAP]) == role) {
            grid = std::make_unique<voxel_grid>(mesh.box, settings.values[VOXELS]);
            mark();
        }
    }

    /** Tests every voxel of the model's box and of one layer around it by FCL's collision of a
     * box. */
    void mark()
    {
        const auto start = std::chrono::steady_clock::now();
        const fcl::Boxd box(grid->edge, grid->edge, grid->edge);
        const fcl::CollisionRequestd request(1, false);
        const uint32_t *const n = grid->count, ring = PADDING - 1;
        fcl::CollisionResultd result;
        fcl::Transform3d at = fcl::Transform3d::Identity();
        for (uint32_t z = ring; z < n[2] - ring; z++) {
            for (uint32_t y = ring; y < n[1] - ring; y++) {
                for (uint32_t x = ring; x < n[0] - ring; x++) {
                    at.translation() << grid->middle(0, x), grid->middle(1, y), grid->middle(2, z);
                    result.clear();
                    fcl::collide(model.get(), fcl::Transform3d::Identity(), &box, at, request,
                                 result);
                    tests++;
                    if (result.isCollision()) {
                        add(x, y, z);
                    }
                }
            }
        }
        surface_ns =
            std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start)
                .count();
    }

    void add(uint32_t x, uint32_t y, uint32_t z)
    {
        surface++;
        if (!runs.empty() && runs.back().x1 == x && runs.back().y == y && runs.back().z == z) {
            runs.back().x1++;
        } else {
            runs.push_back({x, x + 1, y, z});
        }
    }

    void tell(alg_build_info &info) const
    {
        if (grid) {
            info.primitives = surface;
            info.facts[VOXELS_COUNT] =
                static_cast<double>(grid->count[0]) * grid->count[1] * grid->count[2];
            info.facts[SURFACE_VOXELS_COUNT] = static_cast<double>(surface);
            info.facts[BOX_TESTS_COUNT] = static_cast<double>(tests);
            info.facts[STAGE_SURFACE_NS] = surface_ns;
        }
    }
};

struct voxmap_pair : pair {
    voxmap_pair(const alg_settings &, const voxmap &fixed, const voxmap &moving, unsigned wanted)
        : pair(*fixed.model, *moving.model, PAIRS, wanted)
    {
    }
};

alg_contract voxmap_contract(const alg_settings *, alg_quantity quantity)
{
    return quantity == ALG_CONTACT ? ALG_EXACT : ALG_NOT_ANSWERED;
}

void draw_voxmap(const void *prepared, const alg_sink *sink)
{
    const voxmap &v = *static_cast<const voxmap *>(prepared);
    const bool takes_voxels =
        sink->size >= offsetof(alg_sink, surface_voxels) + sizeof sink->surface_voxels &&
        sink->grid && sink->surface_voxels;
    if (!takes_voxels || !v.grid) {
        return;
    }
    const geo_vec3 corner = {v.grid->corner[0], v.grid->corner[1], v.grid->corner[2]};
    sink->grid(sink->context, &corner, v.grid->edge, PADDING, v.grid->count);
    for (const run &r : v.runs) {
        sink->surface_voxels(sink->context, r.x0, r.x1, r.y, r.z);
    }
}

alg_algorithm make_voxmap()
{
    alg_algorithm a = peer::entry<voxmap, voxmap_pair>(
        "fcl-voxmap", "FCL: surface voxels by boxes against a mesh; contacts of meshes", "Pan2012",
        ALG_SURFACE);
    a.parameters = voxmap_parameters;
    a.parameter_count = sizeof voxmap_parameters / sizeof *voxmap_parameters;
    a.counters = counters;
    a.facts = voxmap_facts;
    a.contract = voxmap_contract;
    a.draw = draw_voxmap;
    return a;
}

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
    static const alg_algorithm fcl = make_fcl(), voxmap = make_voxmap();
    static const alg_algorithm *const algorithms[] = {&fcl, &voxmap, nullptr};
    static const alg_plugin plugin = {ALG_ABI_VERSION, sizeof(alg_algorithm), "FCL " FCL_VERSION,
                                      PEER_BUILD, algorithms};
    return &plugin;
}
