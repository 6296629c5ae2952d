/**
 * libccd: overlap, depth and direction of convex bodies, by GJK and EPA or by MPR. No packaged
 * version of libccd computes a distance.
 */
#include "algorithms/peers/peer.h"

#include <ccd/ccd.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace
{

enum { ITERATIONS, METHOD };
enum { GJK, MPR };

const alg_choice methods[] = {{"gjk", "GJK, with EPA for the depth"}, {"mpr", "MPR"}, {}};
const alg_parameter parameters[] = {
    {"iterations", ALG_INTEGER, 500, 1, 100000, nullptr,
     "at most; the library's default is no end"},
    {"method", ALG_CHOICE, GJK, 0, 0, methods, "algorithm of the library"},
};

geo_vec3 minus(const geo_vec3 &a, const geo_vec3 &b)
{
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}

/** Returns the height of p above the plane of a, b, c. Extended precision, so that rounding of a
 * flat face does not count as a dent. */
long double height(const geo_vec3 &a, const geo_vec3 &b, const geo_vec3 &c, const geo_vec3 &p)
{
    using real = long double;
    const geo_vec3 u = minus(b, a), v = minus(c, a), w = minus(p, a);
    const real x = real(u.y) * v.z - real(u.z) * v.y, y = real(u.z) * v.x - real(u.x) * v.z,
               z = real(u.x) * v.y - real(u.y) * v.x;
    const real length = std::sqrt(x * x + y * y + z * z);
    return length > 0 ? (x * w.x + y * w.y + z * w.z) / length : 0;
}

double diagonal_of(const geo_box &box)
{
    const geo_vec3 d = minus(box.hi, box.lo);
    return std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
}

/** The opposite corner of each face, by the directed edge of that face. */
using corner_map = std::map<std::pair<uint32_t, uint32_t>, uint32_t>;

/** True if the mesh is one closed component of genus 0. */
bool is_sphere(const alg_mesh &mesh, const corner_map &corners)
{
    std::vector<uint32_t> root(mesh.vertex_count);
    std::iota(root.begin(), root.end(), 0U);
    const auto find = [&](uint32_t v) {
        while (root[v] != v) {
            v = root[v] = root[root[v]];
        }
        return v;
    };
    size_t pieces = mesh.vertex_count;
    for (const auto &edge : corners) {
        const uint32_t a = find(edge.first.first), b = find(edge.first.second);
        root[a] = b;
        pieces -= a != b;
    }
    return pieces == 1 && mesh.vertex_count + mesh.face_count == corners.size() / 2 + 2;
}

/**
 * True if the mesh is convex: one component of genus 0 without a concave edge. A concavity of up to
 * 1e-12 of the size is accepted, because rounding can cause it.
 */
bool is_convex(const alg_mesh &mesh)
{
    corner_map corners;
    for (size_t f = 0; f < mesh.face_count; f++) {
        const uint32_t *const v = mesh.faces[f].v;
        for (int i = 0; i < 3; i++) {
            corners[{v[i], v[(i + 1) % 3]}] = v[(i + 2) % 3];
        }
    }
    const double allowed = 1e-12 * diagonal_of(mesh.box);
    const geo_vec3 *const p = mesh.vertices;
    for (const auto &[edge, own] : corners) {
        const auto across = corners.find({edge.second, edge.first});
        if (across == corners.end() ||
            height(p[edge.first], p[edge.second], p[own], p[across->second]) > allowed) {
            return false;
        }
    }
    return is_sphere(mesh, corners);
}

struct body {
    std::vector<geo_vec3> points;
    geo_vec3 centre;
    double diagonal;

    body(const alg_settings &, const alg_mesh &mesh)
        : points(mesh.vertices, mesh.vertices + mesh.vertex_count), centre(mesh.centroid),
          diagonal(diagonal_of(mesh.box))
    {
        if (!is_convex(mesh)) {
            throw peer::unsupported(
                "libccd takes convex bodies, and this one has a dent, a hole or "
                "several parts");
        }
    }
};

enum { out_of_memory = -2 }; /* ccdGJKPenetration returns this if memory is exhausted */

/** A body at a pose. */
struct placed {
    const body *shape;
    geo_pose pose;
};

ccd_vec3_t to_ccd(const geo_vec3 &v)
{
    ccd_vec3_t c;
    ccdVec3Set(&c, v.x, v.y, v.z);
    return c;
}

geo_vec3 from_ccd(const ccd_vec3_t &v)
{
    return {ccdVec3X(&v), ccdVec3Y(&v), ccdVec3Z(&v)};
}

/** Returns the vertex that is farthest in a direction. */
void support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *result)
{
    const placed &p = *static_cast<const placed *>(object);
    const geo_vec3 d = from_ccd(*direction), *const r = p.pose.rotation.row;
    const geo_vec3 own = {r[0].x * d.x + r[1].x * d.y + r[2].x * d.z,
                          r[0].y * d.x + r[1].y * d.y + r[2].y * d.z,
                          r[0].z * d.x + r[1].z * d.y + r[2].z * d.z};
    const geo_vec3 *farthest = nullptr;
    double most = 0;
    for (const geo_vec3 &v : p.shape->points) {
        const double along = own.x * v.x + own.y * v.y + own.z * v.z;
        if (!farthest || along > most) {
            farthest = &v;
            most = along;
        }
    }
    *result = to_ccd(peer::apply(p.pose, *farthest));
}

void centre(const void *object, ccd_vec3_t *result)
{
    const placed &p = *static_cast<const placed *>(object);
    *result = to_ccd(peer::apply(p.pose, p.shape->centre));
}

struct pair {
    placed a, b;
    ccd_t ccd;
    bool contact, depth, mpr; /* contact, depth: quantities that are wanted */

    pair(const alg_settings &settings, const body &fixed, const body &moving, unsigned wanted)
        : a{&fixed, {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {0, 0, 0}}}, b{&moving, {}},
          contact((wanted & ALG_WANT_CONTACT) != 0), depth((wanted & ALG_WANT_DEPTH) != 0),
          mpr(settings.values[METHOD] == MPR)
    {
        CCD_INIT(&ccd);
        ccd.support1 = ccd.support2 = support;
        ccd.center1 = ccd.center2 = centre;
        ccd.max_iterations = static_cast<unsigned long>(settings.values[ITERATIONS]);
        ccd.mpr_tolerance = ccd.epa_tolerance = 1e-12 * std::max(fixed.diagonal, moving.diagonal);
    }

    void query(const geo_pose &pose, alg_answer &answer)
    {
        b.pose = pose;
        if (contact) {
            answer.colliding =
                mpr ? ccdMPRIntersect(&a, &b, &ccd) != 0 : ccdGJKIntersect(&a, &b, &ccd) != 0;
            answer.answered = ALG_HAS_CONTACT;
        }
        const bool list = contact && peer::wants_contacts(answer);
        if (depth || list) {
            penetrate(list, answer);
        }
    }

    /** Computes the depth, the direction and, if list is true, the contact with one call. */
    void penetrate(bool list, alg_answer &answer)
    {
        ccd_real_t how_deep;
        ccd_vec3_t direction, position;
        const auto penetration = mpr ? ccdMPRPenetration : ccdGJKPenetration;
        const int status = penetration(&a, &b, &ccd, &how_deep, &direction, &position);
        if (status == out_of_memory) {
            throw std::bad_alloc();
        }
        const bool overlap = status == 0;
        if (!contact) {
            answer.colliding = overlap;
        }
        if (depth) {
            answer.answered |= ALG_HAS_DEPTH;
            answer.depth_m = overlap ? how_deep : 0;
            answer.direction = overlap ? from_ccd(direction) : geo_vec3{0, 0, 0};
        }
        if (list) {
            answer.answered |= ALG_HAS_CONTACTS;
            if (overlap) {
                peer::put_contact(answer, from_ccd(position), from_ccd(direction), how_deep);
            }
        }
    }
};

/**
 * Both methods iterate until the change is small, with tolerances inside of libccd. GJK with EPA
 * finds the minimum depth in general position, but misses overlaps of bodies that are aligned with
 * each other. The direction of MPR's depth need not be the best.
 */
alg_contract contract(const alg_settings *, alg_quantity quantity)
{
    return quantity == ALG_CONTACT || quantity == ALG_DEPTH ? ALG_APPROXIMATE : ALG_NOT_ANSWERED;
}

alg_algorithm make_ccd()
{
    alg_algorithm a = peer::entry<body, pair>("ccd", "libccd: overlap and depth of convex bodies",
                                              "vandenBergen2001", ALG_NEEDS_SOLIDS);
    a.parameters = parameters;
    a.parameter_count = sizeof parameters / sizeof *parameters;
    a.contract = contract;
    return a;
}

} // namespace

const alg_plugin *proxbench_plugin(void)
{
    static const alg_algorithm ccd = make_ccd();
    static const alg_algorithm *const algorithms[] = {&ccd, nullptr};
    static const alg_plugin plugin = {ALG_ABI_VERSION, sizeof(alg_algorithm),
                                      "libccd " PEER_VERSION, PEER_BUILD, algorithms};
    return &plugin;
}
