/**
 * An example algorithm in a shared library, in C++: the gap between A's box and the box around B's
 * moved box. No exception may leave a function that the suite calls.
 *
 *   c++ -std=c++11 -shared -fPIC -O2 $(pkg-config --cflags proxbench) plugin.cpp -o libboxes.so
 *   proxbench run --plugin libboxes.so --a A.off --b B.off --trajectory T.csv \
 *       --quantity distance --algorithm 'boxes,brute'
 */
#include <proxbench/algorithms.h>

#include <algorithm>
#include <cmath>
#include <new>

namespace
{

struct pair {
    const geo_box *a, *b;
};

alg_contract contract(const alg_settings *, alg_quantity quantity)
{
    return quantity == ALG_DISTANCE  ? ALG_LOWER_BOUND
           : quantity == ALG_CONTACT ? ALG_UPPER_BOUND
                                     : ALG_NOT_ANSWERED;
}

alg_status prepare(const alg_settings *, const alg_mesh *mesh, alg_role, void **prepared,
                   alg_build_info *info, alg_message *)
{
    *prepared = new (std::nothrow) geo_box(mesh->box);
    info->bytes = sizeof(geo_box);
    info->primitives = 1;
    return *prepared ? ALG_OK : ALG_OUT_OF_MEMORY;
}

void dispose(void *prepared)
{
    delete static_cast<geo_box *>(prepared);
}

alg_status bind(const alg_settings *, const void *fixed, const void *moving, const alg_request *,
                void **state, alg_message *)
{
    *state = new (std::nothrow)
        pair{static_cast<const geo_box *>(fixed), static_cast<const geo_box *>(moving)};
    return *state ? ALG_OK : ALG_OUT_OF_MEMORY;
}

void release(void *state)
{
    delete static_cast<pair *>(state);
}

/** Returns the distance along one axis of A between [lo, hi] and the interval of the transformed
 * box. row, shift: that axis of the pose. */
double gap(double lo, double hi, const geo_vec3 &row, double shift, const geo_box &box)
{
    const double r[3] = {row.x, row.y, row.z};
    const double low[3] = {box.lo.x, box.lo.y, box.lo.z}, high[3] = {box.hi.x, box.hi.y, box.hi.z};
    double least = shift, most = shift, size = std::fabs(shift);
    for (int i = 0; i < 3; i++) {
        least += std::min(r[i] * low[i], r[i] * high[i]);
        most += std::max(r[i] * low[i], r[i] * high[i]);
        size += std::fabs(r[i]) * std::max(std::fabs(low[i]), std::fabs(high[i]));
    }
    const double rounding = 1e-14 * size;
    return std::max({least - hi - rounding, lo - most - rounding, 0.0});
}

void query(void *state, const geo_pose *pose, alg_answer *answer)
{
    const pair &p = *static_cast<pair *>(state);
    const geo_vec3 *const row = pose->rotation.row;
    const geo_vec3 t = pose->translation;
    const double x = gap(p.a->lo.x, p.a->hi.x, row[0], t.x, *p.b);
    const double y = gap(p.a->lo.y, p.a->hi.y, row[1], t.y, *p.b);
    const double z = gap(p.a->lo.z, p.a->hi.z, row[2], t.z, *p.b);
    answer->distance_m = std::sqrt(x * x + y * y + z * z);
    answer->colliding = answer->distance_m == 0;
    answer->answered = ALG_HAS_DISTANCE | ALG_HAS_CONTACT;
    answer->outcome = ALG_CONVERGED;
}

alg_algorithm make_boxes()
{
    alg_algorithm a = alg_algorithm();
    a.abi_version = ALG_ABI_VERSION;
    a.name = "boxes";
    a.summary = "gap between boxes";
    a.source = "";
    a.contract = contract;
    a.prepare = prepare;
    a.dispose = dispose;
    a.bind = bind;
    a.release = release;
    a.query = query;
    a.tolerance_ulp = 4;
    return a;
}

} // namespace

const alg_plugin *proxbench_plugin(void)
{
    static const alg_algorithm boxes = make_boxes();
    static const alg_algorithm *const algorithms[] = {&boxes, nullptr};
    static const alg_plugin plugin = {ALG_ABI_VERSION, sizeof(alg_algorithm), "boxes 1", ALG_SIMD,
                                      algorithms};
    return &plugin;
}
