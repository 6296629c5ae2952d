#include "scenarios/models/loft.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "geometry/vec.h"
#include "scenarios/models/generators.h"

size_t scn_steps(double length, double step)
{
    const double steps = floor(length / step + 0.5);
    return steps > 1 ? (size_t)steps : 1;
}

/* --- Outlines --------------------------------------------------------------------------------- */

static const double quarter_turn = 0.5 * BASE_PI;

static double cross(vec3 a, vec3 b)
{
    return a.x * b.y - a.y * b.x;
}

static scn_piece *add_piece(scn_outline *outline, double length)
{
    base_assert(outline->piece_count < SCN_PIECES_MAX);
    outline->length += length;
    return &outline->pieces[outline->piece_count++];
}

static void add_line(scn_outline *outline, vec3 from, vec3 to)
{
    *add_piece(outline, vec3_distance(from, to)) = (scn_piece){.from = from, .to = to};
}

static void add_arc(scn_outline *outline, vec3 centre, double radius, double angle, double sweep)
{
    base_assert(radius > 0 && sweep > 0);
    *add_piece(outline, radius * sweep) =
        (scn_piece){.centre = centre, .radius = radius, .angle = angle, .sweep = sweep};
}

scn_outline scn_outline_circle(double radius, double angle)
{
    scn_outline outline = {0};
    add_arc(&outline, vec3_make(0, 0, 0), radius, angle, 2 * BASE_PI);
    return outline;
}

scn_outline scn_outline_hexagon(double radius)
{
    const double half = 0.5 * radius, high = radius * sqrt(0.75);
    const vec3 corners[] = {{radius, 0, 0},  {half, high, 0},   {-half, high, 0},
                            {-radius, 0, 0}, {-half, -high, 0}, {half, -high, 0}};
    scn_outline outline = {0};
    for (size_t i = 0; i < 6; i++) {
        add_line(&outline, corners[i], corners[(i + 1) % 6]);
    }
    return outline;
}

scn_outline scn_outline_rectangle(double x, double y)
{
    const vec3 corners[] = {{x, 0, 0}, {x, y, 0}, {-x, y, 0}, {-x, -y, 0}, {x, -y, 0}};
    scn_outline outline = {0};
    for (size_t i = 0; i < 5; i++) {
        add_line(&outline, corners[i], corners[(i + 1) % 5]);
    }
    return outline;
}

/** Returns the number of chords into which a piece is cut. Each chord has a length near `edge`. */
static size_t piece_count(const scn_piece *piece, double edge)
{
    if (piece->radius == 0) {
        return scn_steps(vec3_distance(piece->from, piece->to), edge);
    }
    /* At least four chords per full turn, so that even a coarse circle has an inside. */
    const size_t least = (size_t)ceil(piece->sweep / quarter_turn - 1e-9);
    const size_t count = scn_steps(piece->radius * piece->sweep, edge);
    return count > least ? count : least;
}

/** Returns the number of samples of the outline with a spacing near `edge`. Each piece has a whole
 * number of chords. */
static size_t outline_count(const scn_outline *outline, double edge)
{
    size_t count = 0;
    for (size_t i = 0; i < outline->piece_count; i++) {
        count += piece_count(&outline->pieces[i], edge);
    }
    return count;
}

static vec3 outline_point(const scn_outline *outline, double edge, size_t i)
{
    const scn_piece *piece = outline->pieces;
    size_t count = piece_count(piece, edge);
    while (i >= count) {
        i -= count;
        piece++;
        base_assert(piece < outline->pieces + outline->piece_count);
        count = piece_count(piece, edge);
    }
    const double t = (double)i / (double)count;
    if (piece->radius == 0) {
        return vec3_madd(piece->from, t, vec3_sub(piece->to, piece->from));
    }
    const double angle = piece->angle + t * piece->sweep;
    return vec3_madd(piece->centre, piece->radius, vec3_make(base_cos(angle), base_sin(angle), 0));
}

/** Returns the factor s for which the point s p is on the outline. The outline must be a circle
 * about the origin, or a convex polygon around it. */
static double outline_exit(const scn_outline *outline, vec3 p)
{
    if (outline->pieces[0].radius > 0) {
        return outline->pieces[0].radius / vec3_norm(p);
    }
    /* A convex polygon is the intersection of half-planes; the ray leaves it at the nearest of
     * their lines. */
    double nearest = INFINITY;
    for (size_t i = 0; i < outline->piece_count; i++) {
        const vec3 from = outline->pieces[i].from;
        const vec3 along = vec3_sub(outline->pieces[i].to, from);
        const double speed = cross(p, along);
        if (speed > 0) {
            nearest = fmin(nearest, cross(from, along) / speed);
        }
    }
    return nearest;
}

/* --- Rings ------------------------------------------------------------------------------------ */

/** Adds vertices that do not belong to a ring yet; returns the index of the first one. */
static size_t add_vertices(scn_loft *loft, size_t count, scn_ring_point *point, const void *context)
{
    const size_t first = loft->vertex_count;
    loft->vertex_count += count;
    if (loft->mesh) {
        for (size_t i = 0; i < count; i++) {
            loft->mesh->vertices[first + i] = vec3_add(loft->offset, point(context, i));
        }
    }
    return first;
}

static void add_face(scn_loft *loft, size_t a, size_t b, size_t c)
{
    if (loft->mesh) {
        loft->mesh->faces[loft->face_count] = (geo_face){{(uint32_t)a, (uint32_t)b, (uint32_t)c}};
    }
    loft->face_count++;
}

/**
 * Adds the strip between the rings a (before) and b (after). Advances around both rings and always
 * draws the shorter of the two possible next edges. Two edges that would be equally long without
 * rounding may differ by rounding. Because of `bias`, the edge to the next vertex of a is drawn
 * then.
 */
static void join_strip(scn_loft *loft, const uint32_t *b, size_t b_count)
{
    static const double bias = 1 + 1e-9;
    const vec3 *const vertices = loft->mesh->vertices;
    const uint32_t *const a = loft->ring;
    const size_t a_steps = loft->ring_count > 1 ? loft->ring_count : 0;
    const size_t b_steps = b_count > 1 ? b_count : 0;
    size_t i = 0, j = 0;
    while (i < a_steps || j < b_steps) {
        const uint32_t a_here = a[i % loft->ring_count], b_here = b[j % b_count];
        const uint32_t a_next = a[(i + 1) % loft->ring_count], b_next = b[(j + 1) % b_count];
        const double a_edge2 = vec3_distance2(vertices[a_next], vertices[b_here]);
        const double b_edge2 = vec3_distance2(vertices[a_here], vertices[b_next]);
        if (j == b_steps || (i < a_steps && a_edge2 <= b_edge2 * bias)) {
            add_face(loft, a_here, a_next, b_here);
            i++;
        } else {
            add_face(loft, a_here, b_next, b_here);
            j++;
        }
    }
}

/** Sets the last ring to the ring in loft->next. Adds no faces. */
static void restart_ring(scn_loft *loft, size_t count)
{
    loft->ring_count = count;
    loft->ring_max = count > loft->ring_max ? count : loft->ring_max;
    uint32_t *const spare = loft->ring;
    loft->ring = loft->next;
    loft->next = spare;
}

/** Joins the ring in loft->next, which becomes the last ring. */
static void join_ring(scn_loft *loft, size_t count)
{
    if (loft->ring_count == 0) {
        loft->first_count = count;
    } else if (loft->mesh) {
        join_strip(loft, loft->next, count);
    } else {
        loft->face_count += loft->ring_count > 1 ? loft->ring_count : 0;
        loft->face_count += count > 1 ? count : 0;
    }
    restart_ring(loft, count);
}

/** Puts a range of existing vertices into loft->next. */
static void fill_ring(scn_loft *loft, size_t first, size_t count)
{
    for (size_t i = 0; loft->mesh && i < count; i++) {
        loft->next[i] = (uint32_t)(first + i);
    }
}

void scn_loft_ring(scn_loft *loft, size_t count, scn_ring_point *point, const void *context)
{
    const size_t first = add_vertices(loft, count, point, context);
    fill_ring(loft, first, count);
    join_ring(loft, count);
}

void scn_loft_close(scn_loft *loft)
{
    fill_ring(loft, 0, loft->first_count);
    join_ring(loft, loft->first_count);
}

/* --- Flats and walls -------------------------------------------------------------------------- */

/**
 * A ring between two outlines. Each sample of `inner` is multiplied by `scale`, then moved outwards
 * by the share `blend` of its way to `outer`.
 */
typedef struct flat_ring {
    const scn_outline *inner, *outer; /* outer NULL: only scaled */
    double edge, scale, blend, z;
} flat_ring;

static vec3 flat_point(const void *context, size_t i)
{
    const flat_ring *const ring = context;
    const vec3 p = outline_point(ring->inner, ring->edge, i);
    double scale = ring->scale;
    if (ring->outer) {
        scale += ring->blend * (outline_exit(ring->outer, p) - scale);
    }
    return vec3_make(scale * p.x, scale * p.y, ring->z);
}

static void add_flat(scn_loft *loft, const flat_ring *ring)
{
    scn_loft_ring(loft, outline_count(ring->inner, ring->edge), flat_point, ring);
}

void scn_loft_outline(scn_loft *loft, scn_rim rim, double z)
{
    add_flat(loft, &(const flat_ring){.inner = rim.outline, .edge = rim.edge, .scale = 1, .z = z});
}

static vec3 pole_point(const void *context, size_t i)
{
    (void)i;
    return vec3_make(0, 0, *(const double *)context);
}

enum { DISC_RINGS_MAX = 128 };

/**
 * Computes the rings inside a rim, outermost first, and returns their number. A ring is the rim's
 * outline, sampled with a spacing of `edges` and then multiplied by `scales`. The spacing on the
 * rings grows by a quarter from ring to ring, so that a flat disc has few triangles. Near the
 * centre the rings end, and the caller adds a pole: a single vertex.
 */
static size_t disc_scales(scn_rim rim, double scales[DISC_RINGS_MAX], double edges[DISC_RINGS_MAX])
{
    static const double row_height = 0.87, growth = 1.25;
    const double radius = rim.outline->length / (2 * BASE_PI);
    double at = radius, edge = rim.edge;
    size_t count = 0;
    for (;;) {
        at -= row_height * edge;
        edge *= growth;
        if (at < 0.8 * edge || count == DISC_RINGS_MAX) {
            return count;
        }
        scales[count] = at / radius;
        edges[count] = edge * radius / at;
        count++;
    }
}

void scn_loft_begin(scn_loft *loft, scn_rim rim, double z)
{
    double scales[DISC_RINGS_MAX], edges[DISC_RINGS_MAX];
    scn_loft_ring(loft, 1, pole_point, &z);
    for (size_t i = disc_scales(rim, scales, edges); i-- > 0;) {
        add_flat(loft, &(const flat_ring){
                           .inner = rim.outline, .edge = edges[i], .scale = scales[i], .z = z});
    }
}

void scn_loft_end(scn_loft *loft, scn_rim rim, double z)
{
    double scales[DISC_RINGS_MAX], edges[DISC_RINGS_MAX];
    const size_t count = disc_scales(rim, scales, edges);
    for (size_t i = 0; i < count; i++) {
        add_flat(loft, &(const flat_ring){
                           .inner = rim.outline, .edge = edges[i], .scale = scales[i], .z = z});
    }
    scn_loft_ring(loft, 1, pole_point, &z);
}

void scn_loft_between(scn_loft *loft, scn_rim from, scn_rim to, double z)
{
    static const double row_height = 0.87;
    const bool outwards = from.outline->length < to.outline->length;
    const scn_rim inner = outwards ? from : to, outer = outwards ? to : from;
    const double growth = outer.outline->length / inner.outline->length;
    const double width = (outer.outline->length - inner.outline->length) / (2 * BASE_PI);
    const double edges = inner.edge + outer.edge;
    const size_t rows = scn_steps(width, row_height * 0.5 * edges);
    for (size_t i = 1; i < rows; i++) {
        /* The gap between rings is proportional to the spacing on them, which changes linearly. */
        const double u = (double)(outwards ? i : rows - i) / (double)rows;
        const double blend = u * (2 * inner.edge + u * (outer.edge - inner.edge)) / edges;
        const double edge = inner.edge + u * (outer.edge - inner.edge);
        add_flat(loft, &(const flat_ring){.inner = inner.outline,
                                          .outer = outer.outline,
                                          .edge = edge / (1 + blend * (growth - 1)),
                                          .scale = 1,
                                          .blend = blend,
                                          .z = z});
    }
}

void scn_loft_wall(scn_loft *loft, scn_rim rim, double z0, double z1, double step)
{
    const size_t steps = scn_steps(fabs(z1 - z0), step);
    const size_t count = outline_count(rim.outline, rim.edge);
    flat_ring ring = {.inner = rim.outline, .edge = rim.edge, .scale = 1};
    for (size_t i = 1; i <= steps; i++) {
        ring.z = i < steps ? z0 + (z1 - z0) * ((double)i / (double)steps) : z1;
        scn_loft_ring(loft, count, flat_point, &ring);
    }
}

/* --- Resolution ------------------------------------------------------------------------------- */

static scn_loft count_loft(scn_loft_design *design, scn_grid grid)
{
    scn_loft loft = {0};
    design(&loft, grid);
    return loft;
}

static double edge_near(scn_grid_count *count, void *context, double edge_max, size_t triangles)
{
    double lo = 1e-6, hi = edge_max;
    for (int i = 0; i < 30; i++) {
        const double middle = sqrt(lo * hi);
        if (count(context, (scn_grid){middle, middle}) < triangles) {
            hi = middle;
        } else {
            lo = middle;
        }
    }
    return hi;
}

scn_grid scn_grid_fit(scn_grid_count *count, void *context, double edge_max, size_t triangles)
{
    /* Bodies have whole rows of triangles. So the number of triangles jumps where the number of
     * rows changes. It jumps most where a screw thread gets another row. Therefore many spacings
     * around the estimate are tried. An error of 1 % in the number of triangles costs as much as
     * cells that are 1.5 times as long as wide. */
    static const double edge_stride = 0.01, step_stride = 0.025, skew_cost = 0.04;
    const double wanted = triangles > 0 ? (double)triangles : 1;
    const double middle = edge_near(count, context, edge_max, triangles > 0 ? triangles : 1);
    scn_grid best = {middle, middle};
    double best_cost = INFINITY;
    for (int i = -30; i <= 30; i++) {
        for (int j = -18; j <= 18; j++) {
            const double skew = step_stride * j;
            const double edge = fmin(edge_max, middle * (1 + edge_stride * i));
            const scn_grid grid = {edge, edge * (1 + skew)};
            const double faces = (double)count(context, grid);
            const double cost = fabs(faces / wanted - 1) + skew_cost * skew * skew;
            if (cost < best_cost) {
                best_cost = cost;
                best = grid;
            }
        }
    }
    return best;
}

/** A loft design as context of scn_grid_fit. */
typedef struct designed {
    scn_loft_design *design;
} designed;

static size_t count_designed(void *context, scn_grid grid)
{
    return count_loft(((const designed *)context)->design, grid).face_count;
}

base_status scn_loft_build(scn_loft_design *design, double edge_max, size_t triangles,
                           geo_mesh_builder *mesh, base_error *err)
{
    designed counted = {design};
    const scn_grid grid = scn_grid_fit(count_designed, &counted, edge_max, triangles);
    const scn_loft counts = count_loft(design, grid);
    base_status status = geo_mesh_builder_init(counts.vertex_count, counts.face_count, mesh, err);
    if (status != BASE_OK) {
        return status;
    }
    uint32_t *const rings = base_alloc(2 * counts.ring_max, sizeof *rings);
    if (!rings) {
        geo_mesh_builder_release(mesh);
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for a model of %zu triangles",
                         counts.face_count);
    }
    scn_loft loft = {.mesh = mesh, .ring = rings, .next = rings + counts.ring_max};
    design(&loft, grid);
    base_assert(loft.vertex_count == counts.vertex_count && loft.face_count == counts.face_count);
    base_free(rings);
    return BASE_OK;
}

/* --- Pump ------------------------------------------------------------------------------------- */

/*
 * A gear pump: a block with a pocket that is open at the top, and two gears in the pocket, whose
 * teeth mesh with play. The pocket is the union of two bores that overlap. All bodies are modelled
 * in one frame. Its origin is at the centre of the block's underside. The axes of the bores are
 * parallel to z and intersect the x axis.
 */
static const double gear_distance = 0.02; /* distance of a bore's axis from the z axis: the pitch
                                             radius */
static const double tip_radius = 0.024, root_radius = 0.015, bore_radius = 0.0243;
static const double block_x = 0.05, block_y = 0.03; /* half of the edges along x and y */
static const double block_z = 0.03;                 /* the whole edge along z */
static const double floor_z = 0.005, gear_z0 = 0.0053, gear_z1 = 0.0297;
static const double shaft_radius = 0.008, shaft_z1 = 0.05;

/* Half the angle of a tooth at its tip, in the middle of its flank, and at its root. */
static const double tip_angle = 0.05, flank_radius = 0.0198, flank_angle = 0.12, root_angle = 0.227;

enum { teeth = 10 };

/* --- Housing ---------------------------------------------------------------------------------- */

static scn_outline make_pocket(void)
{
    const double half = base_acos(-gear_distance / bore_radius);
    const vec3 right = {gear_distance, 0, 0}, left = {-gear_distance, 0, 0};
    scn_outline pocket = {0};
    add_arc(&pocket, right, bore_radius, 0, half);
    add_arc(&pocket, left, bore_radius, BASE_PI - half, 2 * half);
    add_arc(&pocket, right, bore_radius, -half, half);
    return pocket;
}

void scn_pump_housing_design(scn_loft *loft, scn_grid grid)
{
    /* The outer faces are coarser, since no body comes near them. */
    static const double coarser = 2.5;
    const scn_outline block = scn_outline_rectangle(block_x, block_y);
    const scn_outline pocket = make_pocket();
    const scn_rim outer = {&block, coarser * grid.edge}, inner = {&pocket, grid.edge};
    scn_loft_begin(loft, outer, 0);
    scn_loft_outline(loft, outer, 0);
    scn_loft_wall(loft, outer, 0, block_z, coarser * grid.step);
    scn_loft_between(loft, outer, inner, block_z);
    scn_loft_outline(loft, inner, block_z);
    scn_loft_wall(loft, inner, block_z, floor_z, grid.step);
    scn_loft_end(loft, inner, floor_z);
}

/* --- Gear ------------------------------------------------------------------------------------- */

static vec3 polar(double radius, double angle)
{
    return vec3_make(radius * base_cos(angle), radius * base_sin(angle), 0);
}

/** Adds the convex arc through three points given counter-clockwise. */
static void add_arc_through(scn_outline *outline, vec3 a, vec3 b, vec3 c)
{
    const vec3 ab = vec3_sub(b, a), ac = vec3_sub(c, a);
    const double twice = 2 * (ab.x * ac.y - ab.y * ac.x);
    const double ab2 = vec3_norm2(ab), ac2 = vec3_norm2(ac);
    const vec3 to_centre = {(ac.y * ab2 - ab.y * ac2) / twice, (ab.x * ac2 - ac.x * ab2) / twice,
                            0};
    const vec3 centre = vec3_add(a, to_centre), to_c = vec3_sub(c, centre);
    const double angle = base_atan2(-to_centre.y, -to_centre.x);
    const double sweep = base_atan2(to_c.y, to_c.x) - angle;
    add_arc(outline, centre, vec3_norm(to_centre), angle, sweep > 0 ? sweep : sweep + 2 * BASE_PI);
}

/** Returns the outline of a gear, which starts at the begin of the first tooth's tip. turn: the
 * angle of the first tooth. */
static scn_outline make_gear(double turn)
{
    const double tooth_angle = 2 * BASE_PI / teeth;
    scn_outline gear = {0};
    for (int t = 0; t < teeth; t++) {
        const double at = turn + t * tooth_angle, next = turn + (t + 1) * tooth_angle;
        add_arc(&gear, vec3_make(0, 0, 0), tip_radius, at - tip_angle, 2 * tip_angle);
        add_arc_through(&gear, polar(tip_radius, at + tip_angle),
                        polar(flank_radius, at + flank_angle), polar(root_radius, at + root_angle));
        add_arc(&gear, vec3_make(0, 0, 0), root_radius, at + root_angle,
                tooth_angle - 2 * root_angle);
        add_arc_through(&gear, polar(root_radius, next - root_angle),
                        polar(flank_radius, next - flank_angle),
                        polar(tip_radius, next - tip_angle));
    }
    return gear;
}

/** The flat side of a gear outside its root circle: a patch of quads for each tooth. */
typedef struct gear_side {
    const scn_outline *outline;
    double edge, z, turn;
    size_t tip, flank, root, around; /* number of chords of the pieces and of the whole outline */
    size_t rim, inside;              /* first vertex of the outline; first vertex inside of the
                                        patches */
} gear_side;

/**
 * Returns a vertex of the patch of a tooth. row: 0 at the tip, to side->flank at the root. column:
 * 0 to side->tip, across the tooth.
 */
static size_t tooth_vertex(const gear_side *side, size_t tooth, size_t row, size_t column)
{
    const size_t start = tooth * (side->around / teeth);
    if (column == 0) {
        return side->rim + (start + side->around - row) % side->around;
    }
    if (row == 0 || column == side->tip) {
        return side->rim + start + column + row;
    }
    return side->inside + (tooth * side->flank + row - 1) * (side->tip - 1) + column - 1;
}

static vec3 inside_point(const void *context, size_t i)
{
    const gear_side *const side = context;
    const size_t columns = side->tip - 1, column = i % columns + 1;
    const size_t row = i / columns % side->flank + 1, tooth = i / columns / side->flank;
    /* Rows are arcs between the two flanks of the first tooth, rotated to the current tooth. */
    const vec3 end = outline_point(side->outline, side->edge, side->tip + row);
    const double half = base_atan2(end.y, end.x) - side->turn;
    const double across = 2 * (double)column / (double)side->tip - 1;
    const double at = side->turn + 2 * BASE_PI * (double)tooth / teeth;
    const vec3 p = polar(vec3_norm(end), at + half * across);
    return vec3_make(p.x, p.y, side->z);
}

static void connect_teeth(scn_loft *loft, const gear_side *side, bool outwards)
{
    if (!loft->mesh) {
        loft->face_count += 2 * teeth * side->flank * side->tip;
        return;
    }
    for (size_t tooth = 0; tooth < teeth; tooth++) {
        for (size_t i = 0; i < side->flank * side->tip; i++) {
            const size_t row = i / side->tip, column = i % side->tip;
            const size_t from = outwards ? row + 1 : row, to = outwards ? row : row + 1;
            const size_t a = tooth_vertex(side, tooth, from, column);
            const size_t b = tooth_vertex(side, tooth, from, column + 1);
            const size_t c = tooth_vertex(side, tooth, to, column + 1);
            const size_t d = tooth_vertex(side, tooth, to, column);
            add_face(loft, a, b, d);
            add_face(loft, b, c, d);
        }
    }
}

/**
 * Puts the ring of vertices around the root circle into loft->next, and returns their number. For
 * each tooth, the ring has the last row of the tooth's patch, which is at the root, and then the
 * vertices of the gap to the next tooth.
 */
static size_t root_ring(scn_loft *loft, const gear_side *side)
{
    const size_t per_tooth = side->tip + side->root;
    for (size_t i = 0; loft->mesh && i < teeth * per_tooth; i++) {
        const size_t tooth = i / per_tooth, k = i % per_tooth;
        const size_t corner = tooth * (side->around / teeth) + side->tip + side->flank;
        loft->next[i] = (uint32_t)(k < side->tip ? tooth_vertex(side, tooth, side->flank, k)
                                                 : side->rim + corner + k - side->tip);
    }
    return teeth * per_tooth;
}

static gear_side make_side(const scn_outline *gear, double edge, double z, double turn)
{
    return (gear_side){.outline = gear,
                       .edge = edge,
                       .z = z,
                       .turn = turn,
                       .tip = piece_count(&gear->pieces[0], edge),
                       .flank = piece_count(&gear->pieces[1], edge),
                       .root = piece_count(&gear->pieces[2], edge),
                       .around = outline_count(gear, edge)};
}

static vec3 rim_point(const void *context, size_t i)
{
    const gear_side *const side = context;
    const vec3 p = outline_point(side->outline, side->edge, i);
    return vec3_make(p.x, p.y, side->z);
}

static size_t add_inside(scn_loft *loft, const gear_side *side)
{
    return add_vertices(loft, teeth * side->flank * (side->tip - 1), inside_point, side);
}

/** Builds outwards from the root circle to the gear's outline, which becomes the last ring. */
static void lower_side(scn_loft *loft, gear_side side)
{
    side.rim = add_vertices(loft, side.around, rim_point, &side);
    side.inside = add_inside(loft, &side);
    join_ring(loft, root_ring(loft, &side));
    connect_teeth(loft, &side, true);
    fill_ring(loft, side.rim, side.around);
    restart_ring(loft, side.around);
}

/** Builds inwards from the gear's outline, which has the newest vertices, to the root circle. */
static void upper_side(scn_loft *loft, gear_side side)
{
    side.rim = loft->vertex_count - side.around;
    side.inside = add_inside(loft, &side);
    connect_teeth(loft, &side, false);
    restart_ring(loft, root_ring(loft, &side));
}

/** Adds a gear with a shaft on top and its axis at x. turn: the angle of its first tooth. */
static void add_gear(scn_loft *loft, scn_grid grid, double x, double turn)
{
    const double start = turn - root_angle;
    const scn_outline gear = make_gear(turn);
    const scn_outline root = scn_outline_circle(root_radius, start);
    const scn_outline shaft = scn_outline_circle(shaft_radius, start);
    const scn_rim gear_rim = {&gear, grid.edge}, root_rim = {&root, grid.edge};
    const scn_rim shaft_rim = {&shaft, grid.edge};
    loft->offset = vec3_make(x, 0, 0);
    scn_loft_begin(loft, root_rim, gear_z0);
    lower_side(loft, make_side(&gear, grid.edge, gear_z0, turn));
    scn_loft_wall(loft, gear_rim, gear_z0, gear_z1, grid.step);
    upper_side(loft, make_side(&gear, grid.edge, gear_z1, turn));
    scn_loft_between(loft, root_rim, shaft_rim, gear_z1);
    scn_loft_outline(loft, shaft_rim, gear_z1);
    scn_loft_wall(loft, shaft_rim, gear_z1, shaft_z1, grid.step);
    scn_loft_end(loft, shaft_rim, shaft_z1);
}

void scn_pump_rotor_design(scn_loft *loft, scn_grid grid)
{
    add_gear(loft, grid, gear_distance, 0);
}

/** The gear is turned by half the angle between two teeth: its gap faces a tooth of the rotor. */
void scn_pump_idler_design(scn_loft *loft, scn_grid grid)
{
    add_gear(loft, grid, -gear_distance, BASE_PI / teeth);
}
