/**
 * What the peers share: a library's own classes behind the contract's functions.
 *
 * A peer defines a Body, made from a mesh and shared by queries, and a Pair, made from two bodies:
 *
 *   Body(const alg_settings &settings, const alg_mesh &mesh), or the same with `alg_role role`
 *   behind Pair(const alg_settings &settings, const Body &a, const Body &b, unsigned wanted) void
 *   Pair::query(const geo_pose &pose, alg_answer &answer) void Body::tell(alg_build_info &info)
 *   const, of one that has facts: its last word on info
 *
 * and peer::entry<Body, Pair>() fills an alg_algorithm with functions that stop every exception:
 * one while building is a status, one in a query an answer that is missing and degenerate.
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

/** Compiler, flags and SIMD level of a plug-in; the library behind it is as its package has it. */
#if defined(__clang__)
#define PEER_COMPILER __VERSION__
#else
#define PEER_COMPILER "gcc " __VERSION__
#endif
#define PEER_BUILD PEER_COMPILER " " PEER_FLAGS ", " ALG_SIMD

namespace peer
{

/** Thrown by a Body or a Pair that cannot take what it is given: ALG_UNSUPPORTED. */
struct unsupported : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/** fl(R p + t), operation by operation as the truth moves B. */
inline geo_vec3 apply(const geo_pose &pose, const geo_vec3 &p)
{
    const geo_vec3 *const r = pose.rotation.row;
    return {r[0].x * p.x + r[0].y * p.y + r[0].z * p.z + pose.translation.x,
            r[1].x * p.x + r[1].y * p.y + r[1].z * p.z + pose.translation.y,
            r[2].x * p.x + r[2].y * p.y + r[2].z * p.z + pose.translation.z};
}

/** Runs `build`, which may throw. */
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

/** Has the body facts to tell? */
template <class Body, class = void> struct tells : std::false_type {
};
template <class Body> struct tells<Body, std::void_t<decltype(&Body::tell)>> : std::true_type {
};

/** The functions of the contract for one peer. */
template <class Body, class Pair> struct functions {
    /** Bytes: what the heap grew by, as libraries don't count their own. */
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

/** A peer asked for several quantities at once has no query that answers them. */
inline void require_one(unsigned wanted)
{
    if ((wanted & (wanted - 1)) != 0) {
        throw unsupported("it answers one quantity in a query");
    }
}

/** Is there a buffer for contacts? */
inline bool wants_contacts(const alg_answer &answer)
{
    return answer.size >= sizeof answer && answer.contact_capacity > 0;
}

/** Counts one more, and keeps it where there is room. normal: of any length, from A to B. */
inline void put_contact(alg_answer &answer, const geo_vec3 &point, const geo_vec3 &normal,
                        double depth)
{
    const double length =
        std::sqrt(normal.x * normal.x + normal.y * normal.y + normal.z * normal.z);
    const double scale = length > 0 ? 1 / length : 0; /* of slivers it may be 0 or NaN */
    if (answer.contact_count < answer.contact_capacity) {
        answer.contacts[answer.contact_count] = {
            point,
            scale > 0 ? geo_vec3{scale * normal.x, scale * normal.y, scale * normal.z}
                      : geo_vec3{0, 0, 0},
            depth};
    }
    answer.contact_count++;
}

/** Counts a pair of triangles, and keeps it where there is room; where they cross is not known. */
inline void put_pair(alg_answer &answer, int face_a, int face_b)
{
    if (answer.pair_count < answer.pair_capacity) {
        answer.pairs[answer.pair_count] = {
            static_cast<uint32_t>(face_a), static_cast<uint32_t>(face_b), {0, 0, 0}, {0, 0, 0}};
    }
    answer.pair_count++;
}

/** An entry with its functions; contract, parameters and counters are the caller's. */
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
