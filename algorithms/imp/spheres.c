#include "algorithms/imp/spheres.h"

#include "base/elementary.h"
#include "base/error.h"
#include "geometry/sphere.h"
#include "geometry/vec.h"

enum { CHILDREN = 8, CORNERS = 8 };

/**
 * Returns a corner of the box with these half extents: at +x if bit 0 is set, else at -x; bit 1 is
 * for y and bit 2 for z.
 */
static vec3 corner_of(unsigned bits, vec3 extent)
{
    return (vec3){bits & 1 ? extent.x : -extent.x, bits & 2 ? extent.y : -extent.y,
                  bits & 4 ? extent.z : -extent.z};
}

/**
 * Returns the ball around the boxes of a pattern. `extent`: half extents of each box. The centres
 * of the boxes are the corners of a larger box, whose half extents are `centre`.
 */
static geo_ball enclose(unsigned pattern, vec3 centre, vec3 extent)
{
    geo_ball points[CHILDREN * CORNERS];
    size_t count = 0;
    for (unsigned child = 0; child < CHILDREN; child++) {
        for (unsigned corner = 0; corner < CORNERS && pattern >> child & 1; corner++) {
            points[count++] =
                (geo_ball){vec3_add(corner_of(child, centre), corner_of(corner, extent)), 0};
        }
    }
    return geo_ball_enclose(points, count);
}

geo_ball alg_imp_ball_of_voxels(unsigned pattern, double halves)
{
    base_assert(pattern >= 1 && pattern <= 255 && halves >= 1);
    const double inner = halves - 1;
    geo_ball ball = enclose(pattern, (vec3){halves, halves, halves}, (vec3){inner, inner, inner});
    ball.radius += sqrt(3);
    return ball;
}

geo_ball alg_imp_ball_of_squares(unsigned pattern)
{
    base_assert(pattern >= 1 && pattern <= 15);
    return enclose(pattern, (vec3){1, 1, 0}, (vec3){1, 1, 0});
}

/** Offsets are rounded to multiples of this, up or down. */
#define OFFSET_STEP 0x1p-10
/** Relative margin of a radius: more than the rounding of its own sum, in double and as a float. */
#define RADIUS_MARGIN 0x1p-22

/* Search for a ball around items. In each step, its centre moves towards the farthest voxel: in the
 * first step by the share STEP_FIRST of the distance. The share of each later step is STEP_DECAY
 * times that of the step before. */
enum { STEPS = 16 };
#define STEP_FIRST 0.25
#define STEP_DECAY 0.8

/** Returns a ball with a rounded centre. */
static alg_imp_sphere make_sphere(const double offset[3], double radius)
{
    return (alg_imp_sphere){{(float)offset[0], (float)offset[1], (float)offset[2]},
                            base_float_above(radius * (1 + RADIUS_MARGIN))};
}

static double round_offset(double x)
{
    return floor(x / OFFSET_STEP + 0.5) * OFFSET_STEP;
}

/** Returns half the edge of a node, in half edges of a voxel. */
static double halves_of(alg_imp_children children, uint32_t level)
{
    return (double)((uint64_t)1 << level * alg_imp_bits(children));
}

alg_imp_sphere alg_imp_sphere_of_cube(alg_imp_children children, uint32_t level)
{
    return make_sphere((const double[3]){0}, sqrt(3) * halves_of(children, level));
}

/* --- Balls by pattern of children ------------------------------------------------------------- */

/** Returns the number of children along an edge. */
static uint32_t edge_of(alg_imp_children children)
{
    return 1u << alg_imp_bits(children);
}

/**
 * Returns the number of stretches along an edge of n children. A stretch is a non-empty range of
 * adjacent children.
 */
static uint32_t stretch_count(uint32_t n)
{
    return n * (n + 1) / 2;
}

/** Returns the index of stretch lo to hi; stretches are sorted by lo, then by hi. */
static uint32_t stretch_number(uint32_t n, uint32_t lo, uint32_t hi)
{
    return lo * n - lo * (lo - 1) / 2 + (hi - lo);
}

uint32_t alg_imp_table_count(alg_imp_children children)
{
    const uint32_t n = stretch_count(edge_of(children));
    return children == ALG_IMP_8 ? 256 : n * n * n;
}

uint16_t alg_imp_box_of(alg_imp_children children, const uint8_t *present)
{
    static const uint8_t lower[3] = {0x55, 0x33, 0x0f};
    uint32_t taken[3] = {0}; /* bit i: there are children at position i along this axis */
    for (uint32_t o = 0; o < alg_imp_mask_bytes(children); o++) {
        for (int axis = 0; axis < 3; axis++) {
            uint32_t index = 0;
            for (uint32_t bit = 0; bit < children; bit++) {
                index |= (o >> (3 * bit + (uint32_t)axis) & 1) << (bit + 1);
            }
            taken[axis] |= (uint32_t)((present[o] & lower[axis]) != 0) << index;
            taken[axis] |= (uint32_t)((present[o] & ~lower[axis]) != 0) << (index + 1);
        }
    }
    const uint32_t n = edge_of(children), stretches = stretch_count(n);
    uint32_t box = 0;
    for (int axis = 2; axis >= 0; axis--) {
        const uint32_t lo = (uint32_t)__builtin_ctz(taken[axis]);
        const uint32_t hi = 31 - (uint32_t)__builtin_clz(taken[axis]);
        box = box * stretches + stretch_number(n, lo, hi);
    }
    return (uint16_t)box;
}

/**
 * True if the pattern has two diagonally opposite children. Then its ball is that of the whole
 * cube.
 */
static bool has_opposite(unsigned pattern)
{
    bool found = false;
    for (unsigned child = 0; child < 4; child++) {
        found |= pattern >> child & 1 && pattern >> (7 - child) & 1;
    }
    return found;
}

static void fill_patterns(uint32_t level, alg_imp_sphere *table)
{
    const double halves = halves_of(ALG_IMP_8, level - 1);
    const alg_imp_sphere whole = alg_imp_sphere_of_cube(ALG_IMP_8, level);
    table[0] = whole;
    for (unsigned pattern = 1; pattern < 256; pattern++) {
        table[pattern] = whole;
        if (!has_opposite(pattern)) {
            /* The centre is rounded, and the radius enlarged by the displacement. */
            const geo_ball ball = alg_imp_ball_of_voxels(pattern, halves);
            const double offset[3] = {round_offset(ball.centre.x), round_offset(ball.centre.y),
                                      round_offset(ball.centre.z)};
            const vec3 rounded = {offset[0], offset[1], offset[2]};
            const alg_imp_sphere sphere =
                make_sphere(offset, ball.radius + vec3_distance(rounded, ball.centre));
            table[pattern] = sphere.radius < whole.radius ? sphere : whole;
        }
    }
}

/**
 * A stretch of children along an axis. The centres of its voxels lie from middle - extent to middle
 * + extent.
 */
typedef struct stretch {
    double middle, extent;
} stretch;

static void fill_boxes(alg_imp_children children, uint32_t level, alg_imp_sphere *table)
{
    stretch stretches[36];
    const double halves = halves_of(children, level - 1);
    const uint32_t n = edge_of(children), count = stretch_count(n);
    for (uint32_t lo = 0; lo < n; lo++) {
        for (uint32_t hi = lo; hi < n; hi++) {
            stretches[stretch_number(n, lo, hi)] =
                (stretch){halves * ((double)lo + hi + 1 - n), halves * (hi - lo + 1) - 1};
        }
    }
    const alg_imp_sphere whole = alg_imp_sphere_of_cube(children, level);
    for (uint32_t box = 0; box < count * count * count; box++) {
        /* The outermost centres of voxels are the corners of a box. */
        const stretch x = stretches[box % count], y = stretches[box / count % count],
                      z = stretches[box / count / count];
        const double radius = vec3_norm((vec3){x.extent, y.extent, z.extent}) + sqrt(3);
        const alg_imp_sphere sphere =
            make_sphere((const double[3]){x.middle, y.middle, z.middle}, radius);
        table[box] = sphere.radius < whole.radius ? sphere : whole;
    }
}

void alg_imp_table_fill(alg_imp_children children, uint32_t level, alg_imp_sphere *table)
{
    if (children == ALG_IMP_8) {
        fill_patterns(level, table);
    } else {
        fill_boxes(children, level, table);
    }
}

/* --- Balls around voxels ---------------------------------------------------------------------- */

/**
 * Finds the voxel of all items whose centre is farthest from a point. Returns its distance; `to`
 * becomes its centre.
 */
static double farthest(const alg_imp_item *items, size_t count, const double from[3], double to[3])
{
    double most2 = -1;
    size_t best = 0;
    for (size_t i = 0; i < count; i++) {
        double distance2 = 0;
        for (int axis = 0; axis < 3; axis++) {
            const double d = fabs((double)items[i].centre[axis] - from[axis]);
            distance2 += (d + (double)items[i].reach) * (d + (double)items[i].reach);
        }
        if (distance2 > most2) {
            most2 = distance2;
            best = i;
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        const double c = (double)items[best].centre[axis], reach = (double)items[best].reach;
        to[axis] = c < from[axis] ? c - reach : c + reach;
    }
    return sqrt(most2);
}

/** Computes the middle of the box around the centres of all items' voxels. */
static void middle_of(const alg_imp_item *items, size_t count, double middle[3])
{
    for (int axis = 0; axis < 3; axis++) {
        float lo = INFINITY, hi = -INFINITY;
        for (size_t i = 0; i < count; i++) {
            const float c = items[i].centre[axis], reach = items[i].reach;
            lo = c - reach < lo ? c - reach : lo;
            hi = c + reach > hi ? c + reach : hi;
        }
        middle[axis] = 0.5 * ((double)lo + (double)hi);
    }
}

alg_imp_sphere alg_imp_sphere_around(const alg_imp_item *items, size_t count, const float centre[3],
                                     alg_imp_sphere known)
{
    alg_imp_sphere best = known;
    double at[3];
    middle_of(items, count, at);
    double share = STEP_FIRST;
    for (int step = 0; step < STEPS; step++, share *= STEP_DECAY) {
        double offset[3], rounded[3], to[3];
        for (int axis = 0; axis < 3; axis++) {
            offset[axis] = round_offset(at[axis] - (double)centre[axis]);
            rounded[axis] = (double)centre[axis] + offset[axis];
        }
        const double distance = farthest(items, count, rounded, to);
        const alg_imp_sphere sphere = make_sphere(offset, distance + sqrt(3));
        best = sphere.radius < best.radius ? sphere : best;
        for (int axis = 0; axis < 3; axis++) {
            at[axis] += share * (to[axis] - at[axis]);
        }
    }
    return best;
}
