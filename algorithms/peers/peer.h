/**
 * Common code of the peers: adapters from a library's own classes to the functions of the contract.
 *
 * A peer defines a class Body, which is made from a mesh and shared by queries, and a class Pair,
 * which is made from two bodies:
 *
 *   Body(const alg_settings &settings, const alg_mesh &mesh), or with `alg_role role` at the end
 *   Pair(const alg_settings &settings, const Body &a, const Body &b, unsigned wanted)
 *   void Pair::query(const geo_pose &pose, alg_answer &answer)
 *   void Body::tell(alg_build_info &info) const, optional: changes info at the end of a build
 *
 * peer::entry<Body, Pair>() fills an alg_algorithm with functions that call these. An exception of
 * either constructor becomes a status and a message. An exception of a query becomes a missing
 * answer with outcome ALG_DEGENERATE. tell and the destructors must not throw.
 */
#ifndef ALGORITHMS_PEERS_PEER_H
#define ALGORITHMS_PEERS_PEER_H

#include "algorithms/algorithms.h"

#include <cmath>
#include <cstdio>
#include <exception>
#include <malloc.h>
#include <new>
#include <stdexcept>
#include <type_traits>

/** Compiler, flags and SIMD level of a plug-in. The library that it adapts has its own compiler and
 * flags, those of its package. */
#if defined(__clang__)
#define PEER_COMPILER __VERSION__
#else
#define PEER_COMPILER "gcc " __VERSION__
#endif
#define PEER_BUILD PEER_COMPILER " " PEER_FLAGS ", " ALG_SIMD

namespace peer
{

/** Thrown by a constructor of Body or Pair that does not support its arguments. The status is then
 * ALG_UNSUPPORTED. */
struct unsupported : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/** Returns fl(R p + t), with the operations in the same order as the truth uses to move B. */
inline geo_vec3 apply(const geo_pose &pose, const geo_vec3 &p)
{
    const geo_vec3 *const r = pose.rotation.row;
    return {r[0].x * p.x + r[0].y * p.y + r[0].z * p.z + pose.translation.x,
            r[1].x * p.x + r[1].y * p.y + r[1].z * p.z + pose.translation.y,
            r[2].x * p.x + r[2].y * p.y + r[2].z * p.z + pose.translation.z};
}

/** Calls `build` and turns an exception into a status and a message. */
template <class Build> alg_status guarded(alg_message *message, const Build &build)
{
    const char *reason = "unknown exception";
    alg_status status = ALG_FAILED;
    try {
        build();
        return ALG_OK;
    } catch (const unsupported &e) {
        status = ALG_UNSUPPORTED;
        std::snprintf(message->text, sizeof message->text, "%s", e.what());
        return status;
    } catch (const std::bad_alloc &) {
        status = ALG_OUT_OF_MEMORY;
        reason = "out of memory";
    } catch (const std::exception &e) {
        std::snprintf(message->text, sizeof message->text, "%s", e.what());
        return status;
    } catch (...) {
    }
    std::snprintf(message->text, sizeof message->text, "%s", reason);
    return status;
}

/** True if Body has the function tell. */
template <class Body, class = void> struct tells : std::false_type {
};
template <class Body> struct tells<Body, std::void_t<decltype(&Body::tell)>> : std::true_type {
};

/** The functions of the contract for one peer. */
template <class Body, class Pair> struct functions {
    /** info->bytes is the growth of the heap, because libraries do not count their own memory. */
    static alg_status prepare(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                              void **prepared, alg_build_info *info, alg_message *message)
    {
        *prepared = nullptr;
        const size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
        Body *body = nullptr;
        const alg_status status = guarded(message, [&] { body = make(*settings, *mesh, role); });
        const size_t after = mallinfo2().uordblks + mallinfo2().hblkhd;
        info->bytes = after > before ? after - before : 0;
        info->primitives = mesh->face_count;
        if constexpr (tells<Body>::value) {
            if (body) {
                body->tell(*info);
            }
        }
        *prepared = body;
        return status;
    }

    static Body *make(const alg_settings &settings, const alg_mesh &mesh, alg_role role)
    {
        if constexpr (std::is_constructible_v<Body, const alg_settings &, const alg_mesh &,
                                              alg_role>) {
            return new Body(settings, mesh, role);
        } else {
            (void)role;
            return new Body(settings, mesh);
        }
    }

    static void dispose(void *prepared)
    {
        delete static_cast<Body *>(prepared);
    }

    static alg_status bind(const alg_settings *settings, const void *fixed, const void *moving,
                           const alg_request *request, void **state, alg_message *message)
    {
        *state = nullptr;
        return guarded(message, [&] {
            *state = new Pair(*settings, *static_cast<const Body *>(fixed),
                              *static_cast<const Body *>(moving), request->wanted);
        });
    }

    static void release(void *state)
    {
        delete static_cast<Pair *>(state);
    }

    static void query(void *state, const geo_pose *pose, alg_answer *answer)
    {
        answer->outcome = ALG_CONVERGED;
        try {
            static_cast<Pair *>(state)->query(*pose, *answer);
        } catch (...) {
            answer->answered = 0;
            answer->outcome = ALG_DEGENERATE;
        }
    }
};

/** Throws unsupported if several quantities are wanted in one query. */
inline void require_one(unsigned wanted)
{
    if ((wanted & (wanted - 1)) != 0) {
        throw unsupported("it answers one quantity in a query");
    }
}

/** True if the answer has a buffer for contacts. */
inline bool wants_contacts(const alg_answer &answer)
{
    return answer.size >= sizeof answer && answer.contact_capacity > 0;
}

/** Counts a contact and stores it if there is room. normal: from A to B, of any length; a length of
 * 0 or NaN gives the normal 0. */
inline void put_contact(alg_answer &answer, const geo_vec3 &point, const geo_vec3 &normal,
                        double depth)
{
    const double length =
        std::sqrt(normal.x * normal.x + normal.y * normal.y + normal.z * normal.z);
    const double scale = length > 0 ? 1 / length : 0; /* slivers may have a length of 0 or NaN */
    if (answer.contact_count < answer.contact_capacity) {
        answer.contacts[answer.contact_count] = {
            point,
            scale > 0 ? geo_vec3{scale * normal.x, scale * normal.y, scale * normal.z}
                      : geo_vec3{0, 0, 0},
            depth};
    }
    answer.contact_count++;
}

/** Counts a pair of triangles and stores it if there is room. The intersection of the pair is not
 * known. */
inline void put_pair(alg_answer &answer, int face_a, int face_b)
{
    if (answer.pair_count < answer.pair_capacity) {
        answer.pairs[answer.pair_count] = {
            static_cast<uint32_t>(face_a), static_cast<uint32_t>(face_b), {0, 0, 0}, {0, 0, 0}};
    }
    answer.pair_count++;
}

/** Returns an entry with its functions and a tolerance of 4 ulp. The caller sets contract,
 * parameters and counters. */
template <class Body, class Pair>
alg_algorithm entry(const char *name, const char *summary, const char *source, unsigned flags)
{
    using f = functions<Body, Pair>;
    alg_algorithm a = {};
    a.abi_version = ALG_ABI_VERSION;
    a.name = name;
    a.summary = summary;
    a.source = source;
    a.flags = flags;
    a.prepare = f::prepare;
    a.dispose = f::dispose;
    a.bind = f::bind;
    a.release = f::release;
    a.query = f::query;
    a.tolerance_ulp = 4;
    return a;
}

} // namespace peer

#endif
