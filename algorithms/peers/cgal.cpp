/**
 * CGAL: intersection volume by corefinement. Predicates are exact. With kernel=epick, constructed
 * points are rounded to double, so the result can fold over. If CGAL cannot make a closed surface
 * of the result, the frame has no answer.
 */
#include "algorithms/peers/peer.h"

#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/corefinement.h>
#include <CGAL/Polygon_mesh_processing/measure.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/version.h>

#include <memory>
#include <vector>

namespace
{

enum { KERNEL };
enum { EPICK, EPECK };

const alg_choice kernels[] = {
    {"epick", "rounded to double"},
    {"epeck", "exact, and far slower"},
    {},
};
const alg_parameter parameters[] = {
    {"kernel", ALG_CHOICE, EPICK, 0, 0, kernels, "points of the intersection"},
};

namespace processing = CGAL::Polygon_mesh_processing;

/** A body's mesh in the kernel of the variant. */
struct shape {
    virtual ~shape() = default;
};

template <class Kernel> struct shape_in : shape {
    using mesh = CGAL::Surface_mesh<typename Kernel::Point_3>;
    mesh surface;

    explicit shape_in(const alg_mesh &from)
    {
        surface.reserve(static_cast<unsigned>(from.vertex_count),
                        static_cast<unsigned>(3 * from.face_count / 2),
                        static_cast<unsigned>(from.face_count));
        std::vector<typename mesh::Vertex_index> index;
        for (size_t i = 0; i < from.vertex_count; i++) {
            const geo_vec3 &p = from.vertices[i];
            index.push_back(surface.add_vertex(typename Kernel::Point_3(p.x, p.y, p.z)));
        }
        for (size_t i = 0; i < from.face_count; i++) {
            const uint32_t *const v = from.faces[i].v;
            if (surface.add_face(index[v[0]], index[v[1]], index[v[2]]) == mesh::null_face()) {
                throw peer::unsupported("CGAL takes no mesh that is not manifold");
            }
        }
    }
};

using epick = CGAL::Exact_predicates_inexact_constructions_kernel;
using epeck = CGAL::Exact_predicates_exact_constructions_kernel;

struct body {
    std::vector<geo_vec3> points;
    std::unique_ptr<shape> surface;

    body(const alg_settings &settings, const alg_mesh &mesh)
        : points(mesh.vertices, mesh.vertices + mesh.vertex_count)
    {
        if (settings.values[KERNEL] == EPECK) {
            surface = std::make_unique<shape_in<epeck>>(mesh);
        } else {
            surface = std::make_unique<shape_in<epick>>(mesh);
        }
    }
};

/** Computes the common volume. Returns false if the result is not a closed surface. Corefinement
 * changes its operands, so it gets copies. */
template <class Kernel>
bool common_volume(const body &a, const body &b, const geo_pose &pose, double &volume)
{
    using mesh = typename shape_in<Kernel>::mesh;
    mesh fixed = static_cast<const shape_in<Kernel> &>(*a.surface).surface;
    mesh moved = static_cast<const shape_in<Kernel> &>(*b.surface).surface, common;
    size_t i = 0;
    for (const auto v : moved.vertices()) {
        const geo_vec3 p = peer::apply(pose, b.points[i++]);
        moved.point(v) = typename Kernel::Point_3(p.x, p.y, p.z);
    }
    if (!processing::corefine_and_compute_intersection(fixed, moved, common)) {
        return false;
    }
    volume = CGAL::to_double(processing::volume(common));
    return true;
}

struct pair {
    const body &a, &b;
    bool (*volume)(const body &a, const body &b, const geo_pose &pose, double &volume);

    pair(const alg_settings &settings, const body &fixed, const body &moving, unsigned wanted)
        : a(fixed), b(moving),
          volume(settings.values[KERNEL] == EPECK ? common_volume<epeck> : common_volume<epick>)
    {
        peer::require_one(wanted);
    }

    void query(const geo_pose &pose, alg_answer &answer)
    {
        if (!volume(a, b, pose, answer.volume_m3)) {
            answer.outcome = ALG_DEGENERATE;
            return;
        }
        answer.colliding = answer.volume_m3 > 0;
        answer.answered = ALG_HAS_VOLUME;
    }
};

alg_contract contract(const alg_settings *, alg_quantity quantity)
{
    return quantity == ALG_VOLUME ? ALG_EXACT : ALG_NOT_ANSWERED;
}

alg_algorithm make_cgal()
{
    alg_algorithm a = peer::entry<body, pair>("cgal", "CGAL corefinement: intersection volume",
                                              "Loriot2022", ALG_NEEDS_SOLIDS);
    a.parameters = parameters;
    a.parameter_count = sizeof parameters / sizeof *parameters;
    a.contract = contract;
    return a;
}

} // namespace

const alg_plugin *proxbench_plugin(void)
{
    static const alg_algorithm cgal = make_cgal();
    static const alg_algorithm *const algorithms[] = {&cgal, nullptr};
    static const alg_plugin plugin = {ALG_ABI_VERSION, sizeof(alg_algorithm),
                                      "CGAL " CGAL_VERSION_STR, PEER_BUILD, algorithms};
    return &plugin;
}
