/**
 * CGAL: intersection volume by corefinement. Predicates are exact, constructed points are rounded
 * to double (kernel=epick): a result that rounding folds over is possible, and what the library
 * cannot make a closed surface of is no answer in that frame.
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

const alg_parameter parameters[] = {
    {"kernel", ALG_CHOICE, EPICK, EPICK, EPECK, "epick|epeck",
     "points of the intersection: rounded to double, or exact and far slower"},
};

namespace processing = CGAL::Polygon_mesh_processing;

struct body {
    std::vector<vec3> points;
    std::vector<geo_face> faces;

    body(const alg_settings &, const alg_mesh &mesh)
        : points(mesh.vertices, mesh.vertices + mesh.vertex_count),
          faces(mesh.faces, mesh.faces + mesh.face_count)
    {
    }
};

struct query_base {
    virtual ~query_base() = default;
    /** False: no closed surface came out. */
    virtual bool volume(const geo_pose &pose, double &volume) = 0;
};

template <class Kernel> struct query_with : query_base {
    using mesh = CGAL::Surface_mesh<typename Kernel::Point_3>;
    mesh fixed, moving;
    std::vector<vec3> points; /* of B, in its own frame */

    static mesh build(const body &b)
    {
        mesh m;
        m.reserve(static_cast<unsigned>(b.points.size()), static_cast<unsigned>(3 * b.faces.size()),
                  static_cast<unsigned>(b.faces.size()));
        std::vector<typename mesh::Vertex_index> index;
        for (const vec3 &p : b.points) {
            index.push_back(m.add_vertex(typename Kernel::Point_3(p.x, p.y, p.z)));
        }
        for (const geo_face &f : b.faces) {
            if (m.add_face(index[f.v[0]], index[f.v[1]], index[f.v[2]]) == mesh::null_face()) {
                throw peer::unsupported("CGAL takes no mesh that is not manifold");
            }
        }
        return m;
    }

    query_with(const body &a, const body &b) : fixed(build(a)), moving(build(b)), points(b.points)
    {
    }

    bool volume(const geo_pose &pose, double &volume) override
    {
        mesh a = fixed, b = moving, common;
        size_t i = 0;
        for (const auto v : b.vertices()) {
            const vec3 p = peer::apply(pose, points[i++]);
            b.point(v) = typename Kernel::Point_3(p.x, p.y, p.z);
        }
        if (!processing::corefine_and_compute_intersection(a, b, common)) {
            return false;
        }
        volume = CGAL::to_double(processing::volume(common));
        return true;
    }
};

struct pair {
    std::unique_ptr<query_base> in_kernel;

    pair(const alg_settings &settings, const body &a, const body &b, unsigned wanted)
    {
        peer::require_one(wanted);
        if (settings.values[KERNEL] == EPECK) {
            in_kernel =
                std::make_unique<query_with<CGAL::Exact_predicates_exact_constructions_kernel>>(a,
                                                                                                b);
        } else {
            in_kernel =
                std::make_unique<query_with<CGAL::Exact_predicates_inexact_constructions_kernel>>(
                    a, b);
        }
    }

    void query(const geo_pose &pose, alg_answer &answer)
    {
        if (!in_kernel->volume(pose, answer.volume_m3)) {
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

alg make_cgal()
{
    alg a = peer::entry<body, pair>("cgal", "CGAL corefinement: intersection volume", "Loriot2022",
                                    ALG_NEEDS_SOLIDS);
    a.parameters = parameters;
    a.parameter_count = sizeof parameters / sizeof *parameters;
    a.contract = contract;
    return a;
}

} // namespace

const alg_plugin *proxbench_plugin(void)
{
    static const alg cgal = make_cgal();
    static const alg *const algorithms[] = {&cgal, nullptr};
    static const alg_plugin plugin = {ALG_ABI_VERSION, sizeof(alg), "CGAL " CGAL_VERSION_STR,
                                      PEER_BUILD, algorithms};
    return &plugin;
}
