/** Assigns the surface of a body and the volume inside it to inner spheres. */
#include "algorithms/ist/spheres.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "geometry/bvh.h"
#include "geometry/vec.h"

#include <string.h>

enum {
    SAMPLES = 4096,
    PIECES_MOST = 1 << 22, /* a round of the search for the largest gap with more pieces is the last
                              one */
    FACES_A_CHUNK = 64,
};

/* The bound of the largest gap may exceed the largest gap that is found by this factor. */
static const double gap_excess = 1.02;

/* Pieces with a smaller size than this share of the diagonal of the body's box are not cut, even if
 * gaps are smaller. */
static const double piece_least = 0x1p-13;

/** A part of a triangle of the surface. */
typedef struct piece {
    geo_triangle corners;
    uint32_t cuts;   /* number of cuts that produced it */
    uint32_t sphere; /* nearest to its centroid; before measure_piece, nearest to the centroid of
                        the piece it was cut from */
    double gap;      /* gap at its centroid */
    double most;     /* upper bound of the gaps of its points */
} piece;

/** A surface and the spheres that its points are measured against. */
typedef struct survey {
    const geo_mesh *mesh;
    const alg_ist_packing *packing;
    geo_nearest spheres;
    double slack; /* upper bound of the rounding of corners and distances */
} survey;

static base_status open_survey(const alg_ist_packing *packing, const geo_mesh *mesh,
                               base_arena *scratch, survey *s, base_error *err)
{
    *s = (survey){.mesh = mesh, .packing = packing};
    /* Each cut rounds a corner once, to half a unit in the last place. */
    s->slack = 2 * ALG_IST_CUTS_MAX * 0x1p-52 * geo_box_reach(geo_mesh_box(mesh));
    return geo_nearest_build(packing->centres, packing->radii, packing->count, scratch, &s->spheres,
                             err);
}

/** Returns the largest distance of a point of the triangle from a centre. */
static double farthest(const geo_triangle *t, vec3 centre)
{
    return sqrt(fmax(vec3_distance2(t->p[0], centre),
                     fmax(vec3_distance2(t->p[1], centre), vec3_distance2(t->p[2], centre))));
}

/** Assigns the piece to the sphere nearest to its centroid, and bounds its gaps. */
static void measure_piece(const survey *s, piece *p)
{
    const vec3 *const v = p->corners.p;
    const vec3 centroid = vec3_scale(1.0 / 3, vec3_add(vec3_add(v[0], v[1]), v[2]));
    p->sphere = geo_nearest_find(&s->spheres, centroid, p->sphere, &p->gap);
    const alg_ist_packing *const packing = s->packing;
    p->most =
        farthest(&p->corners, packing->centres[p->sphere]) - packing->radii[p->sphere] + s->slack;
}

/** Halves a piece across its longest edge (the first one wins a tie). */
static void cut(const piece *p, piece half[2])
{
    const vec3 *const v = p->corners.p;
    int from = 0;
    double longest2 = -1;
    for (int i = 0; i < 3; i++) {
        const double length2 = vec3_distance2(v[i], v[(i + 1) % 3]);
        if (length2 > longest2) {
            longest2 = length2;
            from = i;
        }
    }
    const int to = (from + 1) % 3;
    const vec3 middle = vec3_scale(0.5, vec3_add(v[from], v[to]));
    half[0] = half[1] = *p;
    half[0].corners.p[to] = half[1].corners.p[from] = middle;
    half[0].cuts = half[1].cuts = p->cuts + 1;
}

static piece whole_face(const geo_mesh *mesh, size_t face)
{
    return (piece){.corners = geo_mesh_triangle(mesh, face), .sphere = GEO_NEAREST_NONE};
}

/* --- Gaps at points of the surface ------------------------------------------------------------ */

typedef struct sample_job {
    const survey *survey;
    vec3 points[SAMPLES];
    double gaps[SAMPLES];
} sample_job;

static double face_area(const geo_mesh *mesh, size_t face)
{
    const geo_triangle t = geo_mesh_triangle(mesh, face);
    return 0.5 * vec3_norm(vec3_cross(vec3_sub(t.p[1], t.p[0]), vec3_sub(t.p[2], t.p[0])));
}

/**
 * Chooses random points of the surface. The faces, in their order, are divided into SAMPLES
 * intervals of equal area, and one point is chosen in each interval.
 */
static void choose_points(const geo_mesh *mesh, vec3 *points)
{
    double total = 0;
    for (size_t f = 0; f < mesh->face_count; f++) {
        total += face_area(mesh, f);
    }
    base_random random = base_random_seed(1);
    size_t face = 0;
    double before = 0, area = face_area(mesh, 0);
    for (int i = 0; i < SAMPLES; i++) {
        const double at = (i + base_random_unit(&random)) / SAMPLES * total;
        while (at > before + area && face + 1 < mesh->face_count) {
            before += area;
            area = face_area(mesh, ++face);
        }
        const geo_triangle t = geo_mesh_triangle(mesh, face);
        double u = base_random_unit(&random), v = base_random_unit(&random);
        if (u + v > 1) {
            u = 1 - u;
            v = 1 - v;
        }
        const vec3 along = vec3_madd(t.p[0], u, vec3_sub(t.p[1], t.p[0]));
        points[i] = vec3_madd(along, v, vec3_sub(t.p[2], t.p[0]));
    }
}

static void sample_points(void *context, size_t begin, size_t end)
{
    sample_job *const job = context;
    for (size_t i = begin; i < end; i++) {
        geo_nearest_find(&job->survey->spheres, job->points[i], GEO_NEAREST_NONE, &job->gaps[i]);
    }
}

/**
 * Fills gap->mean_m. Fills gap->most_m with the largest gap of a sample, which is a lower bound of
 * the largest gap.
 */
static base_status sample_gaps(const survey *s, alg_ist_gap *gap, base_error *err)
{
    sample_job *const job = base_alloc(1, sizeof *job);
    if (!job) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for samples of a surface");
    }
    job->survey = s;
    choose_points(s->mesh, job->points);
    base_parallel_for(SAMPLES, FACES_A_CHUNK, 0, sample_points, job);
    *gap = (alg_ist_gap){0};
    for (int i = 0; i < SAMPLES; i++) {
        gap->mean_m += fmax(job->gaps[i], 0) / SAMPLES;
        gap->most_m = fmax(gap->most_m, job->gaps[i]);
    }
    base_free(job);
    return BASE_OK;
}

/* --- The largest gap -------------------------------------------------------------------------- */

typedef struct pieces {
    const survey *survey;
    piece *items; /* owned */
    size_t count, capacity;
} pieces;

static base_status add_piece(pieces *list, const piece *p, base_error *err)
{
    const base_status status = base_reserve(list->items, list->capacity, list->count + 1, err);
    if (status != BASE_OK) {
        return status;
    }
    list->items[list->count++] = *p;
    return BASE_OK;
}

static void measure_pieces(void *context, size_t begin, size_t end)
{
    const pieces *const list = context;
    for (size_t i = begin; i < end; i++) {
        measure_piece(list->survey, &list->items[i]);
    }
}

/**
 * Runs one round of branch and bound. Measures the pieces, and raises *least to the largest gap
 * that is found. Pieces that may have a gap above gap_excess times *least are cut, and their halves
 * go to `next`. *most is raised to the bounds of the other pieces. In the last round no piece is
 * cut.
 */
static base_status bound_round(pieces *now, bool last, pieces *next, double *least, double *most,
                               base_error *err)
{
    base_parallel_for(now->count, FACES_A_CHUNK, 0, measure_pieces, now);
    for (size_t i = 0; i < now->count; i++) {
        *least = fmax(*least, now->items[i].gap);
    }
    next->count = 0;
    for (size_t i = 0; i < now->count; i++) {
        if (last || now->items[i].most <= gap_excess * *least) {
            *most = fmax(*most, now->items[i].most);
            continue;
        }
        piece half[2];
        cut(&now->items[i], half);
        for (int k = 0; k < 2; k++) {
            const base_status status = add_piece(next, &half[k], err);
            if (status != BASE_OK) {
                return status;
            }
        }
    }
    return BASE_OK;
}

/** Replaces gap->most_m, which is the largest gap of a sample, by a bound that no point exceeds. */
static base_status bound_gap(const survey *s, alg_ist_gap *gap, base_error *err)
{
    pieces lists[2] = {{.survey = s}, {.survey = s}};
    double least = gap->most_m, most = 0;
    base_status status = BASE_OK;
    for (size_t f = 0; f < s->mesh->face_count; f++) {
        const piece p = whole_face(s->mesh, f);
        status = add_piece(&lists[0], &p, err);
        if (status != BASE_OK) {
            goto done;
        }
    }
    for (int round = 0; lists[round % 2].count > 0; round++) {
        pieces *const now = &lists[round % 2];
        const bool last = round == ALG_IST_CUTS_MAX || now->count > PIECES_MOST;
        status = bound_round(now, last, &lists[(round + 1) % 2], &least, &most, err);
        if (status != BASE_OK) {
            goto done;
        }
    }
    gap->most_m = most;
done:
    base_free(lists[0].items);
    base_free(lists[1].items);
    return status;
}

base_status alg_ist_measure_gap(const alg_ist_packing *packing, const geo_mesh *mesh,
                                alg_ist_gap *gap, base_error *err)
{
    base_arena scratch = {0};
    survey s;
    *gap = (alg_ist_gap){0};
    base_status status = open_survey(packing, mesh, &scratch, &s, err);
    if (status != BASE_OK) {
        goto done;
    }
    status = sample_gaps(&s, gap, err);
    if (status != BASE_OK) {
        goto done;
    }
    status = bound_gap(&s, gap, err);
done:
    base_arena_release(&scratch);
    return status;
}

/* --- Spheres outside -------------------------------------------------------------------------- */

enum { OUTSIDE_CHUNKS = 64 };

typedef struct outside_job {
    const alg_ist_packing *packing;
    const geo_surface *surface;
    double most[OUTSIDE_CHUNKS]; /* largest length in each chunk of spheres */
} outside_job;

static void measure_chunks(void *context, size_t begin, size_t end)
{
    outside_job *const job = context;
    const alg_ist_packing *const p = job->packing;
    for (size_t chunk = begin; chunk < end; chunk++) {
        const size_t after = p->count * (chunk + 1) / OUTSIDE_CHUNKS;
        for (size_t i = p->count * chunk / OUTSIDE_CHUNKS; i < after; i++) {
            const geo_closest c = geo_surface_closest(job->surface, p->centres[i], p->faces[i]);
            const bool inside = geo_surface_contains(job->surface, p->centres[i]);
            const double depth = inside ? sqrt(c.distance2) : -sqrt(c.distance2);
            job->most[chunk] = fmax(job->most[chunk], p->radii[i] - depth);
        }
    }
}

double alg_ist_measure_outside(const alg_ist_packing *packing, const geo_surface *surface)
{
    outside_job job = {.packing = packing, .surface = surface};
    base_parallel_for(OUTSIDE_CHUNKS, 1, 0, measure_chunks, &job);
    double most = 0;
    for (size_t chunk = 0; chunk < OUTSIDE_CHUNKS; chunk++) {
        most = fmax(most, job.most[chunk]);
    }
    return most;
}

/* --- Owners ----------------------------------------------------------------------------------- */

typedef struct claim {
    uint32_t sphere, face;
    double radius; /* radius, around the sphere's centre, that contains the pieces of the face that
                      the sphere owns */
} claim;

/** The claims on the faces of one chunk. */
typedef struct claims {
    claim *items; /* owned */
    size_t count, capacity;
    base_status status;
} claims;

typedef struct own_job {
    const survey *survey;
    double excess;  /* a piece is not cut if its bound exceeds the gap at its centroid by this or
                       less */
    claims *chunks; /* arena; one entry for each chunk of FACES_A_CHUNK faces */
    size_t chunk_count;
} own_job;

static void add_claim(claims *list, uint32_t sphere, uint32_t face, double radius)
{
    claim *const newest = list->count > 0 ? &list->items[list->count - 1] : NULL;
    if (newest && newest->sphere == sphere && newest->face == face) {
        newest->radius = fmax(newest->radius, radius);
        return;
    }
    list->status = base_reserve(list->items, list->capacity, list->count + 1, NULL);
    if (list->status == BASE_OK) {
        list->items[list->count++] = (claim){sphere, face, radius};
    }
}

static void own_face(const own_job *job, uint32_t face, claims *list)
{
    const survey *const s = job->survey;
    piece stack[ALG_IST_CUTS_MAX + 1];
    size_t top = 0;
    stack[top++] = whole_face(s->mesh, face);
    while (top > 0 && list->status == BASE_OK) {
        piece p = stack[--top];
        measure_piece(s, &p);
        if (p.most - p.gap <= job->excess || p.cuts == ALG_IST_CUTS_MAX) {
            const double radius =
                farthest(&p.corners, s->packing->centres[p.sphere]) * (1 + 0x1p-50);
            add_claim(list, p.sphere, face, radius + s->slack);
        } else {
            cut(&p, stack + top);
            top += 2;
        }
    }
}

static void own_faces(void *context, size_t begin, size_t end)
{
    const own_job *const job = context;
    for (size_t f = begin; f < end; f++) {
        own_face(job, (uint32_t)f, &job->chunks[f / FACES_A_CHUNK]);
    }
}

/**
 * Goes through the claims in the order of the faces. Takes each pair of sphere and face once. If
 * `enter` is false, counts the faces of sphere s in first[s + 1]. If it is true, writes the faces
 * of sphere s to faces[first[s]] and increments first[s] for each of them.
 */
static void list_claims(const own_job *job, uint32_t *last_face, size_t sphere_count, bool enter,
                        alg_ist_owners *owners)
{
    for (size_t i = 0; i < sphere_count; i++) {
        last_face[i] = UINT32_MAX;
    }
    for (size_t k = 0; k < job->chunk_count; k++) {
        for (size_t i = 0; i < job->chunks[k].count; i++) {
            const claim *const c = &job->chunks[k].items[i];
            if (last_face[c->sphere] == c->face) {
                continue;
            }
            last_face[c->sphere] = c->face;
            if (enter) {
                owners->faces[owners->first[c->sphere]++] = c->face;
            } else {
                owners->first[c->sphere + 1]++;
            }
        }
    }
}

static base_status collect(const own_job *job, alg_ist_packing *packing, base_arena *arena,
                           alg_ist_owners *owners, base_error *err)
{
    const size_t count = packing->count;
    uint32_t *const last_face = base_alloc(count, sizeof *last_face);
    if (!packing->outer) {
        packing->outer = base_alloc(count, sizeof *packing->outer);
    }
    owners->first = base_arena_alloc(arena, count + 1, sizeof *owners->first);
    base_status status = BASE_OK;
    if (!last_face || !packing->outer || !owners->first) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for the owners of a surface");
        goto done;
    }
    list_claims(job, last_face, count, false, owners);
    for (size_t i = 0; i < count; i++) {
        owners->first[i + 1] += owners->first[i];
    }
    owners->faces = base_arena_alloc(arena, owners->first[count], sizeof *owners->faces);
    if (!owners->faces) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for the owners of a surface");
        goto done;
    }
    list_claims(job, last_face, count, true, owners);
    for (size_t i = count; i > 0; i--) {
        owners->first[i] = owners->first[i - 1];
    }
    owners->first[0] = 0;
    for (size_t i = 0; i < count; i++) {
        packing->outer[i] = 0;
    }
    for (size_t k = 0; k < job->chunk_count; k++) {
        for (size_t i = 0; i < job->chunks[k].count; i++) {
            const claim *const c = &job->chunks[k].items[i];
            packing->outer[c->sphere] = fmax(packing->outer[c->sphere], c->radius);
        }
    }
done:
    base_free(last_face);
    return status;
}

base_status alg_ist_own_surface(alg_ist_packing *packing, const geo_mesh *mesh, base_arena *arena,
                                alg_ist_owners *owners, base_error *err)
{
    base_arena scratch = {0};
    survey s;
    alg_ist_gap met;
    own_job job = {.survey = &s,
                   .chunk_count = (mesh->face_count + FACES_A_CHUNK - 1) / FACES_A_CHUNK};
    *owners = (alg_ist_owners){0};
    base_status status = open_survey(packing, mesh, &scratch, &s, err);
    if (status != BASE_OK) {
        goto done;
    }
    status = sample_gaps(&s, &met, err);
    if (status != BASE_OK) {
        goto done;
    }
    job.excess = fmax(met.most_m, piece_least * geo_box_diagonal(geo_mesh_box(mesh)));
    job.chunks = base_arena_alloc(&scratch, job.chunk_count, sizeof *job.chunks);
    if (!job.chunks) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for the owners of a surface");
        goto done;
    }
    base_parallel_for(mesh->face_count, FACES_A_CHUNK, 0, own_faces, &job);
    for (size_t k = 0; k < job.chunk_count && status == BASE_OK; k++) {
        status = job.chunks[k].status == BASE_OK
                     ? BASE_OK
                     : base_fail(err, BASE_ERR_MEMORY, "out of memory for pieces of a surface");
    }
    if (status == BASE_OK) {
        status = collect(&job, packing, arena, owners, err);
    }
    for (size_t k = 0; k < job.chunk_count; k++) {
        base_free(job.chunks[k].items);
    }
done:
    base_arena_release(&scratch);
    return status;
}

base_status alg_ist_order_owners(const alg_ist_owners *owners, const uint32_t *order, size_t count,
                                 base_arena *arena, alg_ist_owners *ordered, base_error *err)
{
    ordered->first = base_arena_alloc(arena, count + 1, sizeof *ordered->first);
    ordered->faces = base_arena_alloc(arena, owners->first[count], sizeof *ordered->faces);
    if (!ordered->first || !ordered->faces) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for the owners of a surface");
    }
    uint32_t end = 0;
    for (size_t i = 0; i < count; i++) {
        ordered->first[i] = end;
        for (uint32_t k = owners->first[order[i]]; k < owners->first[order[i] + 1]; k++) {
            ordered->faces[end++] = owners->faces[k];
        }
    }
    ordered->first[count] = end;
    return BASE_OK;
}

/* --- Normal cones ----------------------------------------------------------------------------- */

static vec3 area_vector(const geo_mesh *mesh, uint32_t face)
{
    const geo_triangle t = geo_mesh_triangle(mesh, face);
    return vec3_scale(0.5, vec3_cross(vec3_sub(t.p[1], t.p[0]), vec3_sub(t.p[2], t.p[0])));
}

base_status alg_ist_normal_cones(const geo_mesh *mesh, const alg_ist_owners *owners,
                                 alg_ist_packing *packing, base_error *err)
{
    if (!packing->outward) {
        packing->outward = base_alloc(packing->count, sizeof *packing->outward);
    }
    if (!packing->outward) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu normals", packing->count);
    }
    for (size_t s = 0; s < packing->count; s++) {
        vec3 sum = {0, 0, 0};
        for (uint32_t i = owners->first[s]; i < owners->first[s + 1]; i++) {
            sum = vec3_add(sum, area_vector(mesh, owners->faces[i]));
        }
        const vec3 axis = vec3_normalize(sum);
        bool narrow = true;
        for (uint32_t i = owners->first[s]; i < owners->first[s + 1]; i++) {
            narrow &= vec3_dot(axis, area_vector(mesh, owners->faces[i])) > 0;
        }
        packing->outward[s] = narrow ? axis : (vec3){0, 0, 0};
    }
    return BASE_OK;
}

/* --- Owners of volume ------------------------------------------------------------------------- */

enum { RUNS_A_CHUNK = 64 };

/* --- Voxels of the packing -------------------------------------------------------------------- */

typedef struct share_job {
    const alg_voxel_field *field;
    const geo_nearest *spheres;
    bool all;         /* also find the owners of voxels that are taken */
    uint32_t *owners; /* nearest sphere of each voxel; filled for free voxels only, unless `all` is
                         true */
} share_job;

static void share_runs(void *context, size_t begin, size_t end)
{
    const share_job *const job = context;
    const alg_voxel_runs *const grid = job->field->grid;
    for (size_t i = begin; i < end; i++) {
        const alg_voxel_run *const run = &grid->runs[i];
        uint32_t hint = GEO_NEAREST_NONE;
        double gap;
        for (uint32_t z = run->z0; z < run->z1; z++) {
            const uint32_t voxel = run->first + (z - run->z0);
            if (job->all || job->field->radius[voxel] >= 0) {
                const vec3 centre = alg_voxel_centre(grid, run->x, run->y, z);
                hint = geo_nearest_find(job->spheres, centre, hint, &gap);
                job->owners[voxel] = hint;
            }
        }
    }
}

/** Finds the nearest sphere of each voxel. The caller frees job->owners. */
static base_status find_owners(share_job *job, base_error *err)
{
    const alg_voxel_runs *const grid = job->field->grid;
    job->owners = base_alloc(grid->voxel_count, sizeof *job->owners);
    if (!job->owners) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for the shares of %u voxels",
                         grid->voxel_count);
    }
    base_parallel_for(grid->run_count, RUNS_A_CHUNK, 0, share_runs, job);
    return BASE_OK;
}

base_status alg_ist_share_rest(const alg_voxel_field *field, alg_ist_packing *packing,
                               base_error *err)
{
    base_assert(packing->count > 0);
    base_arena arena = {0};
    geo_nearest spheres;
    share_job job = {.field = field, .spheres = &spheres};
    base_status status =
        geo_nearest_build(packing->centres, packing->radii, packing->count, &arena, &spheres, err);
    if (status == BASE_OK) {
        status = find_owners(&job, err);
    }
    for (uint32_t i = 0; i < field->grid->run_count && status == BASE_OK; i++) {
        const alg_voxel_run *const run = &field->grid->runs[i];
        for (uint32_t z = run->z0; z < run->z1; z++) {
            const uint32_t voxel = run->first + (z - run->z0);
            if (field->radius[voxel] >= 0) {
                alg_ist_share_add(&packing->shares[job.owners[voxel]], run->x, run->y, z);
            }
        }
    }
    base_free(job.owners);
    base_arena_release(&arena);
    return status;
}

/* --- Finer voxels ----------------------------------------------------------------------------- */

/* Number of finer voxels whose owners are stored at the same time, in whole runs. */
enum { VOXELS_AT_ONCE = 1 << 20 };

typedef struct fine_job {
    const share_job *coarse;
    const alg_voxel_runs *grid; /* of the finer voxels */
    uint32_t run, voxel;        /* first run and first voxel of this pass */
    uint32_t *owners;           /* owners of the voxels from `voxel` on */
} fine_job;

/** Returns the index of the coarse voxel of a point along an axis, clipped to the grid. */
static uint32_t cell_along(const alg_voxel_runs *coarse, double at, double origin, uint32_t size)
{
    const double cell = (at - origin) / coarse->edge;
    return cell > 0 ? (cell < size - 1 ? (uint32_t)cell : size - 1) : 0;
}

static void own_run(const fine_job *job, const alg_voxel_run *run, uint32_t *owner)
{
    const alg_voxel_runs *const coarse = job->coarse->field->grid;
    const vec3 first = alg_voxel_centre(job->grid, run->x, run->y, run->z0);
    const uint32_t x = cell_along(coarse, first.x, coarse->origin.x, coarse->size[0]);
    const uint32_t y = cell_along(coarse, first.y, coarse->origin.y, coarse->size[1]);
    const uint32_t *const column = &coarse->columns[(size_t)y * coarse->size[0] + x];
    const alg_voxel_run *at = &coarse->runs[column[0]], *const end = &coarse->runs[column[1]];
    uint32_t hint = GEO_NEAREST_NONE;
    for (uint32_t z = run->z0; z < run->z1; z++) {
        const vec3 centre = alg_voxel_centre(job->grid, run->x, run->y, z);
        const uint32_t cell = cell_along(coarse, centre.z, coarse->origin.z, coarse->size[2]);
        while (at < end && at->z1 <= cell) {
            at++;
        }
        double gap;
        hint = at < end && at->z0 <= cell
                   ? job->coarse->owners[at->first + (cell - at->z0)]
                   : geo_nearest_find(job->coarse->spheres, centre, hint, &gap);
        owner[z - run->z0] = hint;
    }
}

static void own_runs(void *context, size_t begin, size_t end)
{
    const fine_job *const job = context;
    for (size_t i = begin; i < end; i++) {
        const alg_voxel_run *const run = &job->grid->runs[job->run + i];
        own_run(job, run, job->owners + (run->first - job->voxel));
    }
}

/**
 * Returns the end of the runs of a pass that begins with run `first`: those that begin less than
 * VOXELS_AT_ONCE voxels after the start of that run.
 */
static uint32_t runs_at_once(const alg_voxel_runs *grid, uint32_t first)
{
    uint32_t end = first;
    while (end < grid->run_count &&
           grid->runs[end].first - grid->runs[first].first < VOXELS_AT_ONCE) {
        end++;
    }
    return end;
}

static void add_owned(const fine_job *job, uint32_t end, alg_ist_share *shares)
{
    for (uint32_t i = job->run; i < end; i++) {
        const alg_voxel_run *const run = &job->grid->runs[i];
        const uint32_t *const owners = job->owners + (run->first - job->voxel);
        for (uint32_t z = run->z0; z < run->z1; z++) {
            alg_ist_share_add(&shares[owners[z - run->z0]], run->x, run->y, z);
        }
    }
}

base_status alg_ist_share_fine(const alg_voxel_field *field, const alg_voxel_runs *fine,
                               alg_ist_packing *packing, base_error *err)
{
    base_assert(packing->count > 0);
    base_arena arena = {0};
    geo_nearest spheres;
    share_job coarse = {.field = field, .spheres = &spheres, .all = true};
    fine_job job = {.coarse = &coarse, .grid = fine};
    base_status status =
        geo_nearest_build(packing->centres, packing->radii, packing->count, &arena, &spheres, err);
    if (status != BASE_OK) {
        goto done;
    }
    status = find_owners(&coarse, err);
    if (status != BASE_OK) {
        goto done;
    }
    job.owners = base_alloc(VOXELS_AT_ONCE + ALG_VOXEL_RESOLUTION_MAX, sizeof *job.owners);
    if (!job.owners) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory for the shares of voxels");
        goto done;
    }
    memset(packing->shares, 0, packing->count * sizeof *packing->shares);
    while (job.run < fine->run_count) {
        const uint32_t end = runs_at_once(fine, job.run);
        job.voxel = fine->runs[job.run].first;
        base_parallel_for(end - job.run, RUNS_A_CHUNK, 0, own_runs, &job);
        add_owned(&job, end, packing->shares);
        job.run = end;
    }
done:
    base_free(job.owners);
    base_free(coarse.owners);
    base_arena_release(&arena);
    return status;
}

/* --- Balls ------------------------------------------------------------------------------------ */

base_status alg_ist_secondary_radii(const alg_voxel_runs *grid, double volume_m3, bool centroid,
                                    alg_ist_packing *packing, base_error *err)
{
    if (centroid && !packing->middles) {
        packing->middles = base_alloc(packing->count, sizeof *packing->middles);
        if (!packing->middles) {
            return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu spheres", packing->count);
        }
    }
    uint64_t voxels = 0;
    for (size_t i = 0; i < packing->count; i++) {
        voxels += packing->shares[i].voxels;
    }
    const double cube_of_one = 3 * volume_m3 / (4 * BASE_PI * (double)voxels);
    for (size_t i = 0; i < packing->count; i++) {
        const alg_ist_share *const s = &packing->shares[i];
        packing->secondary[i] = base_cbrt(cube_of_one * s->voxels);
        if (centroid) {
            packing->middles[i] = packing->centres[i];
        }
        if (centroid && s->voxels > 0) {
            packing->middles[i] = (vec3){
                grid->origin.x + grid->edge * ((double)s->sum[0] / s->voxels + 0.5),
                grid->origin.y + grid->edge * ((double)s->sum[1] / s->voxels + 0.5),
                grid->origin.z + grid->edge * ((double)s->sum[2] / s->voxels + 0.5),
            };
        }
    }
    return BASE_OK;
}
