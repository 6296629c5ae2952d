/**
 * Compares neighbouring faces with all pairs of half-edges, and descents over them with all faces.
 */
#include "base/elementary.h"
#include "geometry/surface.h"
#include "geometry/tests/shapes.h"
#include "geometry/triangle.h"

#include <stdio.h>

static geo_adjacency join_faces(const geo_mesh *mesh, base_arena *arena)
{
    geo_adjacency adjacency;
    assert_ok(geo_adjacency_build(mesh, arena, &adjacency, ERR));
    cr_assert_eq(adjacency.count, mesh->face_count);
    return adjacency;
}

/* --- Meshes ----------------------------------------------------------------------------------- */

static geo_mesh stretched(geo_mesh mesh, vec3 scale)
{
    geo_mesh_builder b = shape_edit(mesh);
    for (size_t v = 0; v < b.vertex_count; v++) {
        const vec3 p = b.vertices[v];
        b.vertices[v] = (vec3){scale.x * p.x, scale.y * p.y, scale.z * p.z};
    }
    return geo_mesh_builder_finish(&b);
}

/** Makes a sheet of 2 n^2 faces with a border, in waves of this height. */
static geo_mesh sheet(uint32_t n, double height)
{
    geo_mesh_builder mesh = shape_new((size_t)(n + 1) * (n + 1), 2 * (size_t)n * n);
    for (uint32_t i = 0; i <= n; i++) {
        for (uint32_t j = 0; j <= n; j++) {
            const double x = 2.0 * i / n - 1, y = 2.0 * j / n - 1;
            mesh.vertices[i * (n + 1) + j] =
                (vec3){x, y, height * base_sin(5 * x) * base_cos(4 * y)};
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) {
            const uint32_t v = i * (n + 1) + j, right = v + n + 1;
            mesh.faces[2 * (i * n + j)] = (geo_face){{v, right, right + 1}};
            mesh.faces[2 * (i * n + j) + 1] = (geo_face){{v, right + 1, v + 1}};
        }
    }
    return geo_mesh_builder_finish(&mesh);
}

/**
 * Makes n faces around the origin over this angle; closed if it is a full circle. first: the index
 * of the middle corner in each face; height: of the rim; every second rim corner is higher by
 * `wave`.
 */
static geo_mesh fan(uint32_t n, double angle, uint32_t first, double height, double wave)
{
    const bool closed = angle >= 2 * BASE_PI;
    geo_mesh_builder mesh = shape_new(n + 2, n);
    for (uint32_t i = 0; i <= n; i++) {
        const double a = angle * i / n;
        mesh.vertices[i + 1] = (vec3){base_cos(a), base_sin(a), height + (i % 2 == 0 ? wave : 0)};
    }
    for (uint32_t i = 0; i < n; i++) {
        mesh.faces[i].v[first] = 0;
        mesh.faces[i].v[(first + 1) % 3] = i + 1;
        mesh.faces[i].v[(first + 2) % 3] = closed && i + 1 == n ? 1 : i + 2;
    }
    return geo_mesh_builder_finish(&mesh);
}

/**
 * Makes a sheet in which every fifth vertex coincides with the next one, and every seventh is
 * between two others.
 */
static geo_mesh flattened(void)
{
    geo_mesh_builder mesh = shape_edit(sheet(12, 0.3));
    for (size_t v = 0; v + 2 < mesh.vertex_count; v++) {
        if (v % 5 == 0) {
            mesh.vertices[v] = mesh.vertices[v + 1];
        } else if (v % 7 == 0) {
            mesh.vertices[v] =
                vec3_scale(0.5, vec3_add(mesh.vertices[v - 1], mesh.vertices[v + 1]));
        }
    }
    return geo_mesh_builder_finish(&mesh);
}

/** Makes three faces at an edge, one of them with a neighbour; two faces that traverse their
 * common edge in the same direction; and one face that shares only a corner with them. */
static geo_mesh odd_edges(void)
{
    static const geo_face faces[] = {{{0, 1, 2}}, {{1, 0, 3}}, {{0, 1, 4}},  {{2, 1, 5}},
                                     {{6, 7, 8}}, {{6, 7, 9}}, {{9, 10, 11}}};
    enum { FACES = sizeof faces / sizeof *faces };
    base_random random = base_random_seed(5);
    geo_mesh_builder mesh = shape_new(12, FACES);
    memcpy(mesh.faces, faces, sizeof faces);
    for (size_t v = 0; v < 12; v++) {
        mesh.vertices[v] = shape_point(&random, 1);
    }
    return geo_mesh_builder_finish(&mesh);
}

typedef enum kind {
    CUBE,
    FINE_BOX,
    SPHERE,
    FINE_SPHERE,
    ELLIPSOID,
    CONVEX, /* number of convex kinds */
    TORUS = CONVEX,
    BENT,
    CAVITY,
    SHEET,
    OPEN_FAN,
    CLOSED_FAN,
    NEEDLES,
    FLATTENED,
    ODD_EDGES,
    SOUP,
    KINDS,
} kind;

static const char *const kind_names[KINDS] = {
    "cube",  "fine box", "sphere",     "fine sphere", "ellipsoid", "torus",     "bent", "cavity",
    "sheet", "open fan", "closed fan", "needles",     "flattened", "odd edges", "soup"};

static geo_mesh make(kind which)
{
    const vec3 zero = {0, 0, 0};
    base_random random = base_random_seed(11);
    switch (which) {
    case CUBE:
        return shape_cube(zero, 1);
    case FINE_BOX:
        return shape_cells(&random, UINT64_MAX);
    case SPHERE:
        return shape_ball(zero, 1, 1);
    case FINE_SPHERE:
        return shape_ball(zero, 1, 12);
    case ELLIPSOID:
        return stretched(shape_ball(zero, 1, 9), (vec3){3, 1, 0.2});
    case TORUS:
        return shape_torus(16, 1, 0.4);
    case BENT:
        return shape_cells(&random, 0x00f0131113331777);
    case CAVITY:
        return shape_join(shape_ball(zero, 1, 6), shape_reverse(shape_ball(zero, 0.6, 4)));
    case SHEET:
        return sheet(10, 0.4);
    case OPEN_FAN:
        return fan(60, 5, 1, 0.3, 0.2);
    case CLOSED_FAN:
        return fan(200, 2 * BASE_PI, 2, 0.5, 0.1);
    case NEEDLES:
        return stretched(shape_ball(zero, 1, 8), (vec3){1, 1e-5, 1e-9});
    case FLATTENED:
        return flattened();
    case ODD_EDGES:
        return odd_edges();
    default:
        return shape_soup(&random, 60, false);
    }
}

/* --- Twins ------------------------------------------------------------------------------------ */

typedef struct ends {
    uint32_t from, to;
} ends;

static ends ends_of(const geo_mesh *mesh, uint32_t half_edge)
{
    const uint32_t *const v = mesh->faces[half_edge / 3].v;
    return (ends){v[half_edge % 3], v[(half_edge + 1) % 3]};
}

/** Finds the twin by a search of all half-edges. */
static uint32_t oracle_twin(const geo_mesh *mesh, uint32_t half_edge)
{
    const ends own = ends_of(mesh, half_edge);
    uint32_t back = 0, same = 0, twin = GEO_NO_TWIN;
    for (uint32_t i = 0; i < 3 * mesh->face_count; i++) {
        const ends e = ends_of(mesh, i);
        same += e.from == own.from && e.to == own.to;
        if (e.from == own.to && e.to == own.from) {
            back++;
            twin = i;
        }
    }
    return back == 1 && same == 1 ? twin : GEO_NO_TWIN;
}

static uint32_t twin_of(const geo_adjacency *adjacency, uint32_t half_edge)
{
    return adjacency->faces[half_edge / 3].twins[half_edge % 3];
}

Test(adjacency, twins_are_those_of_all_half_edges)
{
    for (int which = 0; which < KINDS; which++) {
        SCOPED_ARENA arena = {0};
        SCOPED_MESH mesh = make((kind)which);
        const geo_adjacency adjacency = join_faces(&mesh, &arena);
        uint32_t without = 0;
        for (uint32_t i = 0; i < 3 * mesh.face_count; i++) {
            const uint32_t twin = twin_of(&adjacency, i);
            cr_assert_eq(twin, oracle_twin(&mesh, i), "%s: half-edge %u has %u", kind_names[which],
                         i, twin);
            without += twin == GEO_NO_TWIN;
            if (twin == GEO_NO_TWIN) {
                continue;
            }
            const ends e = ends_of(&mesh, i), back = ends_of(&mesh, twin);
            cr_assert_eq(twin_of(&adjacency, twin), i, "%s: half-edge %u", kind_names[which], i);
            cr_assert(back.from == e.to && back.to == e.from, "%s: half-edge %u", kind_names[which],
                      i);
        }
        const bool closed = which < CONVEX || which == TORUS || which == CAVITY || which == NEEDLES;
        cr_assert(!closed || without == 0, "%s: %u", kind_names[which], without);
        cr_assert(closed || which == BENT || without > 0, "%s", kind_names[which]);
    }
}

Test(adjacency, of_a_tetrahedron)
{
    static const vec3 vertices[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const geo_face faces[4] = {{{0, 2, 1}}, {{0, 1, 3}}, {{1, 2, 3}}, {{2, 0, 3}}};
    static const uint32_t twins[12] = {9, 6, 3, 2, 8, 10, 1, 11, 4, 0, 5, 7};
    const geo_mesh mesh = {vertices, 4, faces, 4};
    SCOPED_ARENA arena = {0};
    const geo_adjacency adjacency = join_faces(&mesh, &arena);
    for (uint32_t i = 0; i < 12; i++) {
        cr_assert_eq(twin_of(&adjacency, i), twins[i], "half-edge %u", i);
        const vec3 corner = adjacency.faces[i / 3].corners.p[i % 3];
        cr_assert(vec3_equal(corner, vertices[faces[i / 3].v[i % 3]]), "corner %u", i);
    }
}

/** Each side consists of two faces that share its diagonal. */
Test(adjacency, of_a_cube)
{
    SCOPED_ARENA arena = {0};
    SCOPED_MESH cube = shape_cube((vec3){1, 2, 3}, 1);
    const geo_adjacency adjacency = join_faces(&cube, &arena);
    for (uint32_t side = 0; side < 6; side++) {
        cr_assert_eq(twin_of(&adjacency, 6 * side + 2), 6 * side + 3, "side %u", side);
        for (uint32_t k = 0; k < 6; k++) {
            const bool diagonal = k == 2 || k == 3;
            const uint32_t other = twin_of(&adjacency, 6 * side + k) / 6;
            cr_assert_eq(other == side, diagonal, "side %u, half-edge %u: to side %u", side, k,
                         other);
        }
    }
}

Test(adjacency, lone_crowded_and_turned_edges_have_no_twins)
{
    SCOPED_ARENA arena = {0};
    SCOPED_MESH mesh = odd_edges();
    const geo_adjacency adjacency = join_faces(&mesh, &arena);
    for (uint32_t i = 0; i < 3 * mesh.face_count; i++) {
        /* Half-edge 1 of face 0, from vertex 1 to 2, is the twin of half-edge 0 of face 3. */
        const uint32_t want = i == 1 ? 9 : i == 9 ? 1 : GEO_NO_TWIN;
        cr_assert_eq(twin_of(&adjacency, i), want, "half-edge %u: %u", i, twin_of(&adjacency, i));
    }
}

Test(adjacency, build_reports_lack_of_memory)
{
    SCOPED_MESH torus = shape_torus(14, 1, 0.4);
    base_arena arena = {0};
    geo_adjacency adjacency;
    cr_assert_geq(COUNT_FAILURES(geo_adjacency_build(&torus, &arena, &adjacency, ERR),
                                 base_arena_release(&arena)),
                  2);
}

/* --- Descents --------------------------------------------------------------------------------- */

/* Tolerance of squared distances: a descent ends where rounding hides a nearer face. */
#define ROUNDING 1e-12

typedef struct subject {
    char name[64];
    geo_mesh mesh;
    base_arena arena;
    geo_surface surface;
    geo_adjacency adjacency;
} subject;

/** Makes a subject; the mesh is released. */
static subject *open_subject(const char *name, geo_mesh mesh)
{
    subject *const s = base_alloc(1, sizeof *s);
    *s = (subject){.mesh = mesh};
    (void)snprintf(s->name, sizeof s->name, "%s", name);
    assert_ok(geo_surface_build(&s->mesh, &s->arena, &s->surface, ERR));
    s->adjacency = join_faces(&s->mesh, &s->arena);
    return s;
}

static void close_subject(subject *s)
{
    base_arena_release(&s->arena);
    geo_mesh_release(&s->mesh);
    base_free(s);
}

/** Descends, and checks the documented properties of every descent. */
static geo_closest descend(const subject *s, vec3 p, uint32_t face)
{
    const geo_closest got = geo_adjacency_descend(&s->adjacency, p, face);
    cr_assert_lt(got.face, s->mesh.face_count, "%s", s->name);
    const vec3 on_start = geo_triangle_closest(geo_mesh_triangle(&s->mesh, face), p);
    const vec3 on_end = geo_triangle_closest(geo_mesh_triangle(&s->mesh, got.face), p);
    cr_assert(vec3_equal(got.point, on_end) && got.distance2 == vec3_distance2(p, on_end),
              "%s at %a %a %a: not on its face %u", s->name, p.x, p.y, p.z, got.face);
    cr_assert_leq(got.distance2, vec3_distance2(p, on_start) * (1 + ROUNDING),
                  "%s at %a %a %a: from face %u up to face %u, from %.17g to %.17g", s->name, p.x,
                  p.y, p.z, face, got.face, vec3_distance2(p, on_start), got.distance2);
    return got;
}

/**
 * Draws a place: anywhere near, far away, next to the mesh, or on the axes, where many faces are
 * equally near.
 */
static vec3 place_about(const subject *s, base_random *random)
{
    const geo_box box = s->surface.bvh.box;
    const vec3 middle = vec3_scale(0.5, vec3_add(box.lo, box.hi));
    const double size = vec3_distance(box.lo, box.hi);
    const vec3 vertex =
        s->mesh.vertices[s->mesh.faces[base_random_below(random, s->mesh.face_count)].v[0]];
    switch (base_random_below(random, 4)) {
    case 0:
        return vec3_add(middle, shape_point(random, size));
    case 1:
        return vec3_add(middle, shape_point(random, 20 * size));
    case 2:
        return vec3_madd(vertex, base_random_range(random, 0, 0.1) * size,
                         geo_random_direction(random));
    default:
        return vec3_madd(middle, base_random_range(random, 1, 3), vec3_sub(vertex, middle));
    }
}

/** True if p is on the outer side of the face. */
static bool looks_at(const subject *s, uint32_t face, vec3 p)
{
    const geo_triangle t = geo_mesh_triangle(&s->mesh, face);
    const vec3 normal = vec3_cross(vec3_sub(t.p[1], t.p[0]), vec3_sub(t.p[2], t.p[0]));
    return vec3_dot(normal, vec3_sub(p, t.p[0])) > 0;
}

/**
 * From the faces of a convex body whose outer side has p, every descent leads to the nearest point;
 * from the other faces a descent may end on the far side.
 */
Test(adjacency, descends_to_the_nearest_point_of_a_convex_mesh)
{
    for (int which = 0; which < CONVEX; which++) {
        subject *const s = open_subject(kind_names[which], make((kind)which));
        base_random random = base_random_seed(31);
        int begun = 0, moved = 0;
        for (int i = 0; i < 6000; i++) {
            const vec3 p = place_about(s, &random);
            const uint32_t face = (uint32_t)base_random_below(&random, s->mesh.face_count);
            if (!looks_at(s, face, p)) {
                continue;
            }
            const geo_closest got = descend(s, p, face);
            const geo_closest want = geo_surface_closest(&s->surface, p, UINT32_MAX);
            cr_assert(got.distance2 >= want.distance2 &&
                          got.distance2 <= want.distance2 * (1 + ROUNDING) + 1e-30,
                      "%s at %a %a %a: from face %u to face %u at %.17g, nearest is %u at %.17g",
                      s->name, p.x, p.y, p.z, face, got.face, got.distance2, want.face,
                      want.distance2);
            begun++;
            moved += got.face != face;
        }
        cr_assert(begun > 1000 && moved > 200, "%s: %d, %d moved", s->name, begun, moved);
        close_subject(s);
    }
}

Test(adjacency, descends_on_any_mesh_and_never_below_the_nearest)
{
    for (int which = 0; which < KINDS; which++) {
        subject *const s = open_subject(kind_names[which], make((kind)which));
        base_random random = base_random_seed(32);
        int elsewhere = 0;
        for (int i = 0; i < 3000; i++) {
            const vec3 p = place_about(s, &random);
            const uint32_t face = (uint32_t)base_random_below(&random, s->mesh.face_count);
            const geo_closest want = geo_surface_closest(&s->surface, p, UINT32_MAX);
            const geo_closest got = descend(s, p, face), there = descend(s, p, want.face);
            cr_assert(got.distance2 >= want.distance2, "%s at %a %a %a: from face %u below %.17g",
                      s->name, p.x, p.y, p.z, face, want.distance2);
            cr_assert(there.distance2 >= want.distance2 &&
                          there.distance2 <= want.distance2 * (1 + ROUNDING),
                      "%s at %a %a %a: from the nearest face %u to %u", s->name, p.x, p.y, p.z,
                      want.face, there.face);
            elsewhere += got.distance2 > want.distance2 * 1.01;
        }
        /* Local minima other than the nearest point occur. */
        cr_assert(which < CONVEX || elsewhere > 50, "%s: %d", s->name, elsewhere);
        close_subject(s);
    }
}

/** Returns the index of the face's corner that a point is, or 3. */
static uint32_t corner_at(const geo_mesh *mesh, uint32_t face, vec3 p)
{
    const geo_triangle t = geo_mesh_triangle(mesh, face);
    uint32_t k = 0;
    while (k < 3 && !vec3_equal(t.p[k], p)) {
        k++;
    }
    return k;
}

/** If a descent ends at a corner, no face around it is nearer. */
Test(adjacency, ends_at_a_corner_only_where_all_faces_around_it_are_farther)
{
    static const kind kinds[] = {CUBE,   SPHERE, FINE_SPHERE, ELLIPSOID, TORUS,
                                 CAVITY, SHEET,  OPEN_FAN,    CLOSED_FAN};
    for (size_t n = 0; n < sizeof kinds / sizeof *kinds; n++) {
        subject *const s = open_subject(kind_names[kinds[n]], make(kinds[n]));
        base_random random = base_random_seed(33);
        int corners = 0;
        for (int i = 0; i < 3000; i++) {
            const vec3 p = place_about(s, &random);
            const uint32_t face = (uint32_t)base_random_below(&random, s->mesh.face_count);
            const geo_closest got = descend(s, p, face);
            const uint32_t k = corner_at(&s->mesh, got.face, got.point);
            for (uint32_t f = 0; k < 3 && f < s->mesh.face_count; f++) {
                const uint32_t *const v = s->mesh.faces[f].v, at = s->mesh.faces[got.face].v[k];
                if (v[0] != at && v[1] != at && v[2] != at) {
                    continue;
                }
                const vec3 other = geo_triangle_closest(geo_mesh_triangle(&s->mesh, f), p);
                cr_assert_geq(vec3_distance2(p, other) * (1 + ROUNDING), got.distance2,
                              "%s at %a %a %a: from face %u to face %u; %u beside it is nearer",
                              s->name, p.x, p.y, p.z, face, got.face, f);
            }
            corners += k < 3;
        }
        cr_assert_gt(corners, 100, "%s: %d", s->name, corners);
        close_subject(s);
    }
}

/**
 * A flat fan that is open on one side: from the middle corner the nearest face must be found in
 * both directions around it, for any index of the middle corner in the faces. Every place above it
 * has a unique nearest point.
 */
Test(adjacency, goes_around_an_open_corner_both_ways)
{
    enum { FACES = 24 };
    const double angle = 4.0;
    for (uint32_t first = 0; first < 3; first++) {
        for (int turned = 0; turned < 2; turned++) {
            geo_mesh mesh = fan(FACES, angle, first, 0, 0);
            char name[64];
            (void)snprintf(name, sizeof name, "corner %u%s", first, turned ? ", turned" : "");
            subject *const s = open_subject(name, turned ? shape_reverse(mesh) : mesh);
            for (uint32_t start = 0; start < FACES; start++) {
                for (uint32_t to = 0; to < FACES; to++) {
                    const double at = (to + 0.4) * angle / FACES;
                    const vec3 p = {0.7 * base_cos(at), 0.7 * base_sin(at), 0.1};
                    const geo_closest got = descend(s, p, start);
                    cr_assert_eq(got.face, to, "%s: from face %u to %u, not to %u", s->name, start,
                                 got.face, to);
                    cr_assert_float_eq(got.distance2, 0.01, 1e-12, "%s: face %u", s->name, to);
                }
            }
            close_subject(s);
        }
    }
}

Test(adjacency, of_one_face_alone)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        base_random random = base_random_seed(seed);
        subject *const s = open_subject("one face", shape_soup(&random, 1, false));
        for (int i = 0; i < 200; i++) {
            const vec3 p = place_about(s, &random);
            const vec3 want = geo_triangle_closest(geo_mesh_triangle(&s->mesh, 0), p);
            const geo_closest got = descend(s, p, 0);
            cr_assert(vec3_equal(got.point, want) && got.face == 0, "seed %d, place %d", (int)seed,
                      i);
        }
        close_subject(s);
    }
}

/* --- Theoretical properties ------------------------------------------------------------------- */

Test(adjacency, a_scale_by_a_power_of_two_changes_nothing)
{
    for (int which = 0; which < KINDS; which++) {
        for (int power = -40; power <= 40; power += 80) {
            const double scale = ldexp(1, power);
            subject *const own = open_subject(kind_names[which], make((kind)which));
            subject *const scaled = open_subject(
                kind_names[which], shape_move(make((kind)which), geo_pose_identity(), scale));
            base_random random = base_random_seed(34);
            for (int i = 0; i < 500; i++) {
                const vec3 p = place_about(own, &random);
                const uint32_t face = (uint32_t)base_random_below(&random, own->mesh.face_count);
                const geo_closest a = geo_adjacency_descend(&own->adjacency, p, face);
                const geo_closest b =
                    geo_adjacency_descend(&scaled->adjacency, vec3_scale(scale, p), face);
                cr_assert(a.face == b.face && vec3_equal(vec3_scale(scale, a.point), b.point) &&
                              b.distance2 == scale * scale * a.distance2,
                          "%s times 2^%d: place %d from face %u: face %u, then %u", own->name,
                          power, i, face, a.face, b.face);
            }
            close_subject(own);
            close_subject(scaled);
        }
    }
}

Test(adjacency, a_rigid_motion_moves_the_result)
{
    static const kind kinds[] = {CUBE, FINE_SPHERE, ELLIPSOID, TORUS, SHEET};
    base_random random = base_random_seed(35);
    for (size_t n = 0; n < sizeof kinds / sizeof *kinds; n++) {
        const geo_pose pose = shape_pose(&random, 2);
        subject *const own = open_subject(kind_names[kinds[n]], make(kinds[n]));
        subject *const moved =
            open_subject(kind_names[kinds[n]], shape_move(make(kinds[n]), pose, 1));
        const double size = vec3_distance(own->surface.bvh.box.lo, own->surface.bvh.box.hi);
        for (int i = 0; i < 1000; i++) {
            const vec3 p = vec3_add(shape_point(&random, size), (vec3){0.1, 0.2, 0.3});
            if (geo_surface_contains(&own->surface, p)) {
                continue; /* the middle of a body is equally far from many faces */
            }
            const uint32_t face = (uint32_t)base_random_below(&random, own->mesh.face_count);
            const geo_closest a = descend(own, p, face);
            const geo_closest b = descend(moved, geo_pose_apply(&pose, p), face);
            cr_assert_float_eq(sqrt(a.distance2), sqrt(b.distance2), 1e-12 * (1 + size),
                               "%s: place %d from face %u: to %u, then %u", own->name, i, face,
                               a.face, b.face);
        }
        close_subject(own);
        close_subject(moved);
    }
}
