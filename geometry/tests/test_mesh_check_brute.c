#include "base/tests/support.h"
#include "geometry/mesh_check.h"
#include "geometry/pose.h"
#include "geometry/predicates.h"
#include "geometry/tests/mesh_scratch.h"
#include "geometry/triangle.h"

#include <math.h>

/* Small random meshes, compared with a literal implementation of the definitions: all pairs of
 * all items. */

enum { ROUNDS = 2000, FOUND_MAX = 4096 };

typedef struct findings {
    geo_defect list[FOUND_MAX];
    size_t count;
} findings;

static void find(findings *found, geo_defect_kind kind, size_t a, size_t b)
{
    cr_assert_lt(found->count, FOUND_MAX);
    found->list[found->count++] = (geo_defect){kind, (uint32_t)a, (uint32_t)b};
}

static bool has(geo_face f, uint32_t v)
{
    return f.v[0] == v || f.v[1] == v || f.v[2] == v;
}

static bool repeats(geo_face f)
{
    return f.v[0] == f.v[1] || f.v[1] == f.v[2] || f.v[0] == f.v[2];
}

static bool same_corners(geo_face f, geo_face g)
{
    return has(f, g.v[0]) && has(f, g.v[1]) && has(f, g.v[2]);
}

static bool collinear(const double (*p)[3], int i, int k)
{
    const double a[2] = {p[0][i], p[0][k]}, b[2] = {p[1][i], p[1][k]}, c[2] = {p[2][i], p[2][k]};
    return geo_orient2d(a, b, c) == 0;
}

static bool degenerate(const geo_mesh *mesh, size_t f)
{
    const geo_triangle t = geo_mesh_triangle(mesh, f);
    double p[3][3];
    memcpy(p, &t, sizeof p);
    const double(*const q)[3] = (const double(*)[3])p;
    return repeats(mesh->faces[f]) ||
           (collinear(q, 0, 1) && collinear(q, 1, 2) && collinear(q, 0, 2));
}

static void brute_edges(const geo_mesh *mesh, findings *found, geo_defect_kind wanted)
{
    for (uint32_t a = 0; a < mesh->vertex_count; a++) {
        for (uint32_t b = a + 1; b < mesh->vertex_count; b++) {
            int along = 0, against = 0;
            for (size_t c = 0; c < 3 * mesh->face_count; c++) {
                const geo_face f = mesh->faces[c / 3];
                const uint32_t from = f.v[c % 3], to = f.v[(c + 1) % 3];
                along += !repeats(f) && from == a && to == b;
                against += !repeats(f) && from == b && to == a;
            }
            const int n = along + against;
            const geo_defect_kind kind = n == 1                 ? GEO_DEFECT_OPEN_EDGE
                                         : n > 2                ? GEO_DEFECT_NONMANIFOLD_EDGE
                                         : n == 2 && along != 1 ? GEO_DEFECT_INCONSISTENT_EDGE
                                                                : GEO_DEFECT_KIND_COUNT;
            if (kind == wanted) {
                find(found, kind, a, b);
            }
        }
    }
}

/**
 * Finds the faces at v that are connected over common edges at v: spreads until nothing changes.
 */
static void brute_fans(const geo_mesh *mesh, findings *found)
{
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        bool reached[512] = {false};
        size_t fans = 0;
        for (size_t start = 0; start < mesh->face_count; start++) {
            if (reached[start] || repeats(mesh->faces[start]) || !has(mesh->faces[start], v)) {
                continue;
            }
            fans++;
            reached[start] = true;
            for (bool more = true; more;) {
                more = false;
                for (size_t i = 0; i < mesh->face_count * mesh->face_count; i++) {
                    const size_t f = i / mesh->face_count, g = i % mesh->face_count;
                    const geo_face h = mesh->faces[g];
                    if (!reached[f] || reached[g] || repeats(h) || !has(h, v)) {
                        continue;
                    }
                    for (int k = 0; k < 3; k++) {
                        const bool edge = h.v[k] != v && has(mesh->faces[f], h.v[k]);
                        reached[g] = reached[g] || edge;
                    }
                    more = more || reached[g];
                }
            }
        }
        if (fans > 1) {
            find(found, GEO_DEFECT_NONMANIFOLD_VERTEX, v, v);
        }
    }
}

static void brute_duplicates(const geo_mesh *mesh, findings *found)
{
    for (size_t f = 0; f < mesh->face_count; f++) {
        bool first = !repeats(mesh->faces[f]);
        for (size_t e = 0; e < f; e++) {
            first = first && !same_corners(mesh->faces[e], mesh->faces[f]);
        }
        for (size_t g = f + 1; first && g < mesh->face_count; g++) {
            if (same_corners(mesh->faces[f], mesh->faces[g]) && !repeats(mesh->faces[g])) {
                find(found, GEO_DEFECT_DUPLICATE_FACE, f, g);
            }
        }
    }
}

/** Tries all orders of the corners to find the one with the shared vertices in front. */
static bool brute_pair(const geo_mesh *mesh, size_t f, size_t g)
{
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                     {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    const geo_face a = mesh->faces[f], b = mesh->faces[g];
    int shared = 0;
    for (int k = 0; k < 3; k++) {
        shared += has(a, b.v[k]);
    }
    for (int i = 0; i < 36; i++) {
        const int *const p = orders[i / 6], *const q = orders[i % 6];
        int front = 0;
        while (front < shared && a.v[p[front]] == b.v[q[front]]) {
            front++;
        }
        if (front == shared) {
            const vec3 *const v = mesh->vertices;
            const geo_triangle s = {{v[a.v[p[0]]], v[a.v[p[1]]], v[a.v[p[2]]]}};
            const geo_triangle t = {{v[b.v[q[0]]], v[b.v[q[1]]], v[b.v[q[2]]]}};
            return geo_triangle_intersect_beyond(s, t, shared);
        }
    }
    cr_assert_fail("no order of the corners");
    return false;
}

static void brute_intersections(const geo_mesh *mesh, findings *found)
{
    for (size_t f = 0; f < mesh->face_count; f++) {
        for (size_t g = f + 1; g < mesh->face_count; g++) {
            if (!degenerate(mesh, f) && !degenerate(mesh, g) &&
                !same_corners(mesh->faces[f], mesh->faces[g]) && brute_pair(mesh, f, g)) {
                find(found, GEO_DEFECT_SELF_INTERSECTION, f, g);
            }
        }
    }
}

/**
 * Finds shells by spreading across edges until nothing changes: the first face of each face's
 * shell.
 */
static void brute_shells(const geo_mesh *mesh, size_t *shell)
{
    for (size_t f = 0; f < mesh->face_count; f++) {
        shell[f] = f;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t f = 0; f < mesh->face_count; f++) {
            for (size_t g = 0; g < mesh->face_count; g++) {
                int common = 0;
                for (int k = 0; k < 3; k++) {
                    common += has(mesh->faces[f], mesh->faces[g].v[k]);
                }
                if (common >= 2 && shell[g] < shell[f]) {
                    shell[f] = shell[g];
                    changed = true;
                }
            }
        }
    }
}

static geo_triangle seen_from(const geo_mesh *mesh, size_t f, vec3 p)
{
    geo_triangle t = geo_mesh_triangle(mesh, f);
    for (int k = 0; k < 3; k++) {
        t.p[k] = vec3_sub(t.p[k], p);
    }
    return t;
}

/** Returns the winding number of a shell around a point that is not on it, by solid angles. */
static int brute_winding(const geo_mesh *mesh, const size_t *shell, size_t wanted, vec3 p)
{
    double angle = 0;
    for (size_t f = 0; f < mesh->face_count; f++) {
        if (shell[f] == wanted) {
            const geo_triangle t = seen_from(mesh, f, p);
            const double a = vec3_norm(t.p[0]), b = vec3_norm(t.p[1]), c = vec3_norm(t.p[2]);
            const double below = a * b * c + vec3_dot(t.p[0], t.p[1]) * c +
                                 vec3_dot(t.p[1], t.p[2]) * a + vec3_dot(t.p[2], t.p[0]) * b;
            angle += 2 * atan2(vec3_dot(vec3_cross(t.p[0], t.p[1]), t.p[2]), below);
        }
    }
    return (int)lround(angle / (4 * 3.14159265358979));
}

/** Returns a vertex of one shell that the other one does not have. */
static vec3 own_vertex(const geo_mesh *mesh, const size_t *shell, size_t one, size_t other)
{
    for (size_t c = 0; c < 3 * mesh->face_count; c++) {
        const uint32_t v = mesh->faces[c / 3].v[c % 3];
        bool shared = shell[c / 3] != one;
        for (size_t f = 0; f < mesh->face_count; f++) {
            shared = shared || (shell[f] == other && has(mesh->faces[f], v));
        }
        if (!shared) {
            return mesh->vertices[v];
        }
    }
    cr_assert(false, "shell %zu has no vertex that shell %zu has not", one, other);
    return (vec3){0, 0, 0};
}

static void brute_nesting(const geo_mesh *mesh, findings *found)
{
    size_t shell[512];
    for (size_t i = 0; i < found->count; i++) {
        if (found->list[i].kind != GEO_DEFECT_NONMANIFOLD_VERTEX) {
            return; /* the mesh is not closed, or it intersects itself */
        }
    }
    brute_shells(mesh, shell);
    const bool flipped = geo_mesh_measures(mesh).volume_m3 < 0;
    for (size_t s = 0; s < mesh->face_count; s++) {
        double volume = 0;
        int around = 0;
        for (size_t f = 0; f < mesh->face_count; f++) {
            const geo_triangle t = seen_from(mesh, f, mesh->vertices[mesh->faces[s].v[0]]);
            volume += shell[f] == s ? vec3_dot(vec3_cross(t.p[0], t.p[1]), t.p[2]) : 0;
            if (shell[s] == s && shell[f] == f && f != s) {
                around += abs(brute_winding(mesh, shell, f, own_vertex(mesh, shell, s, f)));
            }
        }
        if (shell[s] == s && ((volume > 0) == (around % 2 == 1)) != flipped) {
            find(found, GEO_DEFECT_MISORIENTED_SHELL, s, s);
        }
    }
}

static findings brute(const geo_mesh *mesh)
{
    findings found;
    found.count = 0;
    brute_edges(mesh, &found, GEO_DEFECT_OPEN_EDGE);
    brute_edges(mesh, &found, GEO_DEFECT_NONMANIFOLD_EDGE);
    brute_edges(mesh, &found, GEO_DEFECT_INCONSISTENT_EDGE);
    brute_fans(mesh, &found);
    for (size_t f = 0; f < mesh->face_count; f++) {
        if (degenerate(mesh, f)) {
            find(&found, GEO_DEFECT_DEGENERATE_FACE, f, f);
        }
    }
    brute_duplicates(mesh, &found);
    brute_intersections(mesh, &found);
    brute_nesting(mesh, &found);
    return found;
}

static void compare(const geo_mesh_report *report, const findings *found, uint64_t seed)
{
    const unsigned long long s = seed;
    for (size_t i = 0; i < report->defect_count && i < found->count; i++) {
        const geo_defect d = report->defects[i], e = found->list[i];
        cr_assert(d.kind == e.kind && d.a == e.a && d.b == e.b,
                  "seed %llu: defect %zu: %s %u %u, not %s %u %u", s, i, geo_defect_name(d.kind),
                  d.a, d.b, geo_defect_name(e.kind), e.a, e.b);
    }
    cr_assert_eq(report->defect_count, found->count, "seed %llu: %zu defects, not %zu", s,
                 report->defect_count, found->count);
}

/**
 * Makes a mesh with vertices on a small grid, so that touching, folding and collinearity are
 * common.
 */
static void make_random(soup *s, base_random *random)
{
    const uint64_t vertices = 4 + base_random_below(random, 9);
    const uint64_t faces = 2 + base_random_below(random, 16);
    for (uint64_t v = 0; v < vertices; v++) {
        const double x = (double)base_random_below(random, 4);
        const double y = (double)base_random_below(random, 4);
        add_vertex(s, x, y, (double)base_random_below(random, 4));
    }
    for (uint64_t f = 0; f < faces; f++) {
        uint32_t v[3];
        for (int k = 0; k < 3; k++) {
            v[k] = (uint32_t)base_random_below(random, vertices);
        }
        add_face(s, v[0], v[1], v[2]);
    }
}

/** Makes cubes with at most three changes: nearly valid meshes, and some valid ones. */
static void make_broken_cubes(soup *s, base_random *random)
{
    const uint64_t cubes = 1 + base_random_below(random, 3);
    for (uint64_t i = 0; i < cubes; i++) {
        const size_t before = s->mesh.face_count;
        const double x = (double)base_random_below(random, 5);
        add_cube(s, (vec3){x, (double)base_random_below(random, 3), 0},
                 1 + (double)base_random_below(random, 2));
        if (base_random_below(random, 8) == 0) {
            turn_faces(s, before);
        }
    }
    const uint64_t changes = base_random_below(random, 4);
    for (uint64_t i = 0; i < changes; i++) {
        const uint64_t f = base_random_below(random, s->mesh.face_count);
        const uint32_t v = (uint32_t)base_random_below(random, s->mesh.vertex_count);
        const uint32_t w = (uint32_t)base_random_below(random, s->mesh.vertex_count);
        switch (base_random_below(random, 5)) {
        case 0: /* remove a face */
            s->f[f] = s->f[--s->mesh.face_count];
            break;
        case 1: /* duplicate a face */
            add_face(s, s->f[f].v[1], s->f[f].v[2], s->f[f].v[0]);
            break;
        case 2: /* change a corner of a face */
            s->f[f].v[0] = v;
            break;
        case 3: /* move a vertex */
            s->v[v].z += 1;
            break;
        default: /* merge two vertices */
            for (size_t c = 0; c < 3 * s->mesh.face_count; c++) {
                uint32_t *const corner = &s->f[c / 3].v[c % 3];
                *corner = *corner == v ? w : *corner;
            }
        }
    }
}

/** Adds a tetrahedron inside a cube whose vertex 0 is `corner`; they share that vertex. */
static void add_touching(soup *s, uint32_t corner)
{
    const vec3 p = s->v[corner];
    const uint32_t v = (uint32_t)s->mesh.vertex_count;
    add_vertex(s, p.x + 0.75, p.y + 0.25, p.z + 0.25);
    add_vertex(s, p.x + 0.25, p.y + 0.75, p.z + 0.25);
    add_vertex(s, p.x + 0.25, p.y + 0.25, p.z + 0.75);
    add_face(s, v, v + 1, v + 2);
    add_face(s, corner, v + 1, v);
    add_face(s, corner, v + 2, v + 1);
    add_face(s, corner, v, v + 2);
}

/** Makes whole shells, nested, beside one another and joined at a vertex; some reversed. */
static void make_shells(soup *s, base_random *random)
{
    vec3 lo = {0, 0, 0};
    double side = 16;
    add_cube(s, lo, side);
    for (int i = 0; i < 4; i++) {
        const size_t before = s->mesh.face_count;
        const uint32_t last = (uint32_t)s->mesh.vertex_count - 8;
        const uint64_t where = base_random_below(random, 4);
        if (where == 0) {
            add_touching(s, last);
        } else if (where == 1) { /* inside */
            lo = vec3_add(lo, (vec3){1, 1, 1});
            side -= 2;
            add_cube(s, lo, side);
        } else { /* beyond, possibly joined there */
            lo = vec3_add(lo, (vec3){side, side, side});
            lo = where == 2 ? vec3_add(lo, (vec3){0.5, 0.5, 0.5}) : lo;
            side = side > 5 ? side - 1 : side;
            add_cube(s, lo, side);
            for (size_t c = 3 * before; c < 3 * s->mesh.face_count && where == 3; c++) {
                uint32_t *const v = &s->f[c / 3].v[c % 3];
                *v = *v == last + 8 ? last + 7 : *v;
            }
        }
        if (base_random_below(random, 2) == 0) {
            turn_faces(s, before);
        }
        if (where == 0) {
            return;
        }
    }
}

/** Reverses axes. */
static void mirror(soup *s, base_random *random)
{
    const double x = base_random_below(random, 2) == 0 ? -1 : 1;
    const double y = base_random_below(random, 2) == 0 ? -1 : 1;
    const double z = base_random_below(random, 2) == 0 ? -1 : 1;
    for (size_t v = 0; v < s->mesh.vertex_count; v++) {
        s->v[v] = (vec3){x * s->v[v].x, y * s->v[v].y, z * s->v[v].z};
    }
}

/**
 * Applies a random linear map: coordinates get all their digits, and coplanar or collinear points
 * become nearly so.
 */
static void distort(soup *s, base_random *random)
{
    vec3 rows[3];
    for (int i = 0; i < 3; i++) {
        rows[i] = geo_random_direction(random);
    }
    for (size_t v = 0; v < s->mesh.vertex_count; v++) {
        const vec3 p = s->v[v];
        s->v[v] = (vec3){vec3_dot(rows[0], p), vec3_dot(rows[1], p), vec3_dot(rows[2], p)};
    }
}

Test(mesh_check_brute, random_meshes)
{
    size_t with[GEO_DEFECT_KIND_COUNT] = {0}, closed = 0, solid = 0, inside_out = 0;
    for (uint64_t seed = 0; seed < ROUNDS; seed += sweep_step(7)) {
        base_random random = base_random_seed(seed);
        soup s = {.mesh = {0}};
        s.mesh.vertices = s.v;
        s.mesh.faces = s.f;
        if (seed % 3 == 0) {
            make_random(&s, &random);
        } else if (seed % 4 == 1) {
            make_shells(&s, &random);
            mirror(&s, &random);
        } else {
            make_broken_cubes(&s, &random);
        }
        if (seed % 5 == 0) {
            distort(&s, &random);
        }
        SCOPED_REPORT report;
        assert_ok(geo_mesh_check(&s.mesh, &report, ERR));
        const findings found = brute(&s.mesh);
        compare(&report, &found, seed);
        for (size_t kind = 0; kind < GEO_DEFECT_KIND_COUNT; kind++) {
            with[kind] += report.counts[kind] > 0;
        }
        closed += report.closed;
        solid += report.solid;
        inside_out += report.inside_out;
    }
    const size_t rounds = ROUNDS / sweep_step(7);
    for (size_t kind = 0; kind < GEO_DEFECT_KIND_COUNT; kind++) {
        cr_assert(with[kind] > rounds / 50 && with[kind] < rounds - rounds / 50, "%s: %zu meshes",
                  geo_defect_name((geo_defect_kind)kind), with[kind]);
    }
    cr_assert(solid > rounds / 20 && closed > solid && inside_out > rounds / 100,
              "%zu closed, %zu solid, %zu inside out", closed, solid, inside_out);
}

/** Returns x moved by up to three units in the last place. */
static double nudge(double x, base_random *random)
{
    for (uint64_t i = base_random_below(random, 4); i > 0; i--) {
        x = nextafter(x, base_random_below(random, 2) == 0 ? -1 : 1);
    }
    return x;
}

/** A corner within a few bits of another face's edge in the same plane: before, on or beyond it. */
Test(mesh_check_brute, nearly_touching)
{
    size_t meet = 0, part = 0, misjudged = 0;
    for (uint64_t seed = 0; seed < 20000; seed++) {
        base_random random = base_random_seed(seed);
        soup s = {.mesh = {0}};
        s.mesh.vertices = s.v;
        s.mesh.faces = s.f;
        /* An edge through the origin up to rounding, and a corner there. */
        const double x = base_random_range(&random, 0.25, 1);
        const double y = base_random_range(&random, 0.25, 1);
        const vec3 a = {-x, -y, 0}, b = {nudge(x, &random), nudge(y, &random), 0};
        const vec3 c = {base_random_range(&random, -1, 1) * 0x1p-53,
                        base_random_range(&random, -1, 1) * 0x1p-53, 0};
        add_vertex(&s, a.x, a.y, 0);
        add_vertex(&s, b.x, b.y, 0);
        add_vertex(&s, 1, -1, 0);
        add_vertex(&s, c.x, c.y, 0);
        add_vertex(&s, -0.5, 1, 0);
        add_vertex(&s, -1, 0.5, 0);
        add_face(&s, 0, 1, 2);
        add_face(&s, 3, 4, 5);
        const int side =
            geo_orient2d((double[2]){a.x, a.y}, (double[2]){b.x, b.y}, (double[2]){c.x, c.y});
        const double rounded = (a.x - c.x) * (b.y - c.y) - (a.y - c.y) * (b.x - c.x);
        misjudged += side <= 0 && rounded > 0;
        SCOPED_REPORT report;
        assert_ok(geo_mesh_check(&s.mesh, &report, ERR));
        cr_assert_eq(report.counts[GEO_DEFECT_SELF_INTERSECTION], side <= 0, "seed %llu",
                     (unsigned long long)seed);
        meet += side <= 0;
        part += side > 0;
    }
    cr_assert(meet > 5000 && part > 5000 && misjudged > 100, "%zu meet, %zu do not, %zu misjudged",
              meet, part, misjudged);
}

/** The result does not depend on the order of faces and corners, nor on the size. */
Test(mesh_check_brute, order_and_size)
{
    for (uint64_t seed = 0; seed < 500; seed++) {
        base_random random = base_random_seed(seed);
        soup s = {.mesh = {0}};
        make_broken_cubes(&s, &random);
        SCOPED_REPORT before, after;
        assert_ok(geo_mesh_check(&s.mesh, &before, ERR));
        for (size_t f = s.mesh.face_count; f > 1; f--) {
            const size_t g = base_random_below(&random, f);
            const geo_face face = s.f[g], other = s.f[f - 1];
            const uint64_t turn = base_random_below(&random, 3);
            s.f[g] = other;
            for (size_t k = 0; k < 3; k++) {
                s.f[f - 1].v[k] = face.v[(k + turn) % 3];
            }
        }
        for (size_t v = 0; v < s.mesh.vertex_count; v++) {
            const vec3 p = s.v[v];
            s.v[v] = (vec3){0x1p-40 * p.y, 0x1p-40 * p.z, 0x1p-40 * p.x};
        }
        assert_ok(geo_mesh_check(&s.mesh, &after, ERR));
        for (size_t kind = 0; kind < GEO_DEFECT_KIND_COUNT; kind++) {
            cr_assert_eq(before.counts[kind], after.counts[kind], "seed %llu: %s",
                         (unsigned long long)seed, geo_defect_name((geo_defect_kind)kind));
        }
        cr_assert(before.solid == after.solid && before.closed == after.closed &&
                      before.inside_out == after.inside_out &&
                      before.component_count == after.component_count &&
                      before.unused_vertices == after.unused_vertices,
                  "seed %llu", (unsigned long long)seed);
    }
    no_leak();
}
