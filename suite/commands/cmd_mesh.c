#include "base/text.h"
#include "geometry/mesh.h"
#include "geometry/mesh_check.h"
#include "geometry/vec.h"
#include "geometry/weld.h"
#include "scenarios/models/models.h"
#include "suite/commands/commands.h"
#include "suite/message.h"
#include "suite/options.h"
#include "suite/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* --- Input ------------------------------------------------------------------------------------ */

/** Copies all of standard input to a file, so that the mesh reader can detect its format. */
static base_status copy_input(int descriptor, base_error *err)
{
    char buffer[1 << 16];
    for (size_t count; (count = fread(buffer, 1, sizeof buffer, stdin)) > 0;) {
        for (size_t done = 0; done < count;) {
            const ssize_t written = write(descriptor, buffer + done, count - done);
            if (written < 0) {
                return base_fail(err, BASE_ERR_SYSTEM, "cannot keep standard input: %s",
                                 strerror(errno));
            }
            done += (size_t)written;
        }
    }
    return ferror(stdin)
               ? base_fail(err, BASE_ERR_SYSTEM, "cannot read standard input: %s", strerror(errno))
               : BASE_OK;
}

/**
 * Loads OFF from standard input, as `proxbench model` writes it; STL and PLY are detected by their
 * content.
 */
static base_status load_input(geo_mesh *mesh, base_error *err)
{
    const char *const folder = getenv("TMPDIR");
    char path[4096];
    snprintf(path, sizeof path, "%s/proxbench-stdin-XXXXXX.off", folder ? folder : "/tmp");
    const int descriptor = mkostemps(path, (int)strlen(".off"), O_CLOEXEC);
    if (descriptor < 0) {
        return base_fail(err, BASE_ERR_SYSTEM, "cannot make '%s': %s", path, strerror(errno));
    }
    bench_scratch_file = path;
    base_status status = copy_input(descriptor, err);
    close(descriptor);
    if (status == BASE_OK) {
        base_error failure = {0};
        status = geo_mesh_load(path, mesh, &failure);
        if (status != BASE_OK) {
            /* The error names standard input instead of `path`. */
            const char *const named = strstr(failure.text, path);
            const size_t before = named ? (size_t)(named - failure.text) : 0;
            (void)base_fail(err, failure.status, "%.*s%s%s", (int)before, failure.text,
                            named ? "standard input" : "",
                            failure.text + (named ? before + strlen(path) : 0));
        }
    }
    unlink(path);
    bench_scratch_file = NULL;
    return status;
}

static base_status open_input(const char *reference, geo_mesh *mesh, base_error *err)
{
    return strcmp(reference, "-") == 0 ? load_input(mesh, err)
                                       : scn_mesh_open(reference, mesh, err);
}

/* --- Mesh files ------------------------------------------------------------------------------- */

base_status bench_mesh_check_suffix(const char *command, const char *path, base_error *err)
{
    static const char *const others[] = {".obj", ".stl", ".ply"};
    const size_t length = path ? strlen(path) : 0;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const size_t end = strlen(others[i]);
        if (length >= end && strcasecmp(path + length - end, others[i]) == 0) {
            return base_fail(err, BASE_ERR_ARGUMENT,
                             "%s writes OFF files: --out '%s' has the suffix of another format",
                             command, path);
        }
    }
    return BASE_OK;
}

base_status bench_mesh_write(const geo_mesh *mesh, const char *path, base_error *err)
{
    bench_output output;
    base_status status = bench_output_open(path, &output, err);
    if (status == BASE_OK) {
        base_error failure = {0};
        status = geo_mesh_write_off(mesh, output.file, &failure);
        if (status != BASE_OK) {
            (void)base_fail(err, status, "%s: %s", output.path, failure.text);
        }
        status = bench_output_close(&output, status, err);
    }
    return status;
}

/* --- Output ----------------------------------------------------------------------------------- */

static void put_count(bench_rows *rows, const char *item, uint64_t count)
{
    bench_rows_put(rows, "%s", item);
    bench_rows_put_count(rows, count);
}

static void put_number(bench_rows *rows, const char *item, double number)
{
    bench_rows_put(rows, "%s", item);
    bench_rows_put_number(rows, number);
}

static void put_answer(bench_rows *rows, const char *item, bool answer)
{
    bench_rows_put(rows, "%s", item);
    bench_rows_put(rows, "%s", answer ? "yes" : "no");
}

static void put_point(bench_rows *rows, const char *item, vec3 p)
{
    bench_rows_put(rows, "%s", item);
    bench_rows_put(rows, "%.17g %.17g %.17g", p.x, p.y, p.z);
}

/** Names of the counts, which are items of their own. */
static const char *const count_items[GEO_DEFECT_KIND_COUNT] = {
    [GEO_DEFECT_OPEN_EDGE] = "open_edges",
    [GEO_DEFECT_NONMANIFOLD_EDGE] = "nonmanifold_edges",
    [GEO_DEFECT_INCONSISTENT_EDGE] = "inconsistent_edges",
    [GEO_DEFECT_NONMANIFOLD_VERTEX] = "nonmanifold_vertices",
    [GEO_DEFECT_DEGENERATE_FACE] = "degenerate_faces",
    [GEO_DEFECT_DUPLICATE_FACE] = "duplicate_faces",
    [GEO_DEFECT_SELF_INTERSECTION] = "self_intersections",
    [GEO_DEFECT_MISORIENTED_SHELL] = "misoriented_shells",
};

static void put_properties(bench_rows *rows, const geo_mesh *mesh, const geo_mesh_report *report)
{
    put_count(rows, "triangles", mesh->face_count);
    put_count(rows, "vertices", mesh->vertex_count);
    put_count(rows, "unused_vertices", report->unused_vertices);
    put_count(rows, "components", report->component_count);
    put_point(rows, "box_lo_m", report->box.lo);
    put_point(rows, "box_hi_m", report->box.hi);
    put_number(rows, "area_m2", report->measure.area_m2);
    put_number(rows, "volume_m3", report->closed ? report->measure.volume_m3 : (double)NAN);
    put_answer(rows, "closed", report->closed);
    put_answer(rows, "inside_out", report->inside_out);
    put_answer(rows, "solid", report->solid);
    for (size_t kind = 0; kind < GEO_DEFECT_KIND_COUNT; kind++) {
        put_count(rows, count_items[kind], report->counts[kind]);
    }
}

static vec3 face_centre(const geo_mesh *mesh, uint32_t face)
{
    const geo_triangle t = geo_mesh_triangle(mesh, face);
    return vec3_scale(1.0 / 3.0, vec3_add(vec3_add(t.p[0], t.p[1]), t.p[2]));
}

/** Puts a defect, for example: open edge | vertices 3 and 7 near 0.1 0.2 0.3 */
static void put_defect(bench_rows *rows, const geo_mesh *mesh, const geo_defect *defect)
{
    char element[64]; /* "vertex 3" */
    vec3 position = {0, 0, 0};
    switch (defect->kind) {
    case GEO_DEFECT_OPEN_EDGE:
    case GEO_DEFECT_NONMANIFOLD_EDGE:
    case GEO_DEFECT_INCONSISTENT_EDGE:
        snprintf(element, sizeof element, "vertices %u and %u", defect->a, defect->b);
        position = vec3_scale(0.5, vec3_add(mesh->vertices[defect->a], mesh->vertices[defect->b]));
        break;
    case GEO_DEFECT_NONMANIFOLD_VERTEX:
        snprintf(element, sizeof element, "vertex %u", defect->a);
        position = mesh->vertices[defect->a];
        break;
    case GEO_DEFECT_DEGENERATE_FACE:
    case GEO_DEFECT_MISORIENTED_SHELL:
        snprintf(element, sizeof element, "face %u", defect->a);
        position = face_centre(mesh, defect->a);
        break;
    default:
        snprintf(element, sizeof element, "faces %u and %u", defect->a, defect->b);
        position = face_centre(mesh, defect->a);
        break;
    }
    bench_rows_put(rows, "%s", geo_defect_name(defect->kind));
    bench_rows_put(rows, "%s near %.6g %.6g %.6g", element, position.x, position.y, position.z);
}

/** Puts at most `limit` defects of each kind, and the number of further ones. */
static void put_defects(bench_rows *rows, const geo_mesh *mesh, const geo_mesh_report *report,
                        uint64_t limit)
{
    uint64_t listed[GEO_DEFECT_KIND_COUNT] = {0};
    for (size_t i = 0; i < report->defect_count; i++) {
        const geo_defect *const defect = &report->defects[i];
        if (listed[defect->kind] < limit) {
            put_defect(rows, mesh, defect);
            listed[defect->kind]++;
        }
        const bool last =
            i + 1 == report->defect_count || report->defects[i + 1].kind != defect->kind;
        const uint64_t left = report->counts[defect->kind] - listed[defect->kind];
        if (last && left > 0) {
            bench_rows_put(rows, "%s", geo_defect_name(defect->kind));
            bench_rows_put(rows, "and %llu more", (unsigned long long)left);
        }
    }
}

typedef struct mesh_options {
    const char *format;
    uint64_t limit;
    double tolerance; /* of `weld`; NaN if not given */
    const char *out;
} mesh_options;

/** Prints the report. Sets *solid to whether the mesh is a solid. */
static base_status report_mesh(const char *reference, const mesh_options *options, bool *solid,
                               base_error *err)
{
    bench_format format;
    geo_mesh mesh = {0};
    geo_mesh_report report = {0};
    bench_rows rows = {.columns = 2};
    base_status status = bench_format_parse(options->format, &format, err);
    if (status != BASE_OK) {
        return status;
    }
    status = open_input(reference, &mesh, err);
    if (status != BASE_OK) {
        return status;
    }
    status = geo_mesh_check(&mesh, &report, err);
    if (status != BASE_OK) {
        goto done;
    }
    bench_rows_put(&rows, "item");
    bench_rows_put(&rows, "value");
    put_properties(&rows, &mesh, &report);
    put_defects(&rows, &mesh, &report, options->limit);
    status = bench_rows_print(&rows, format, stdout, err);
    *solid = report.solid;
done:
    bench_rows_release(&rows);
    geo_mesh_report_release(&report);
    geo_mesh_release(&mesh);
    return status;
}

/** Puts the open edges with their ends, at most `limit`. */
static void put_open_edges(bench_rows *rows, const geo_mesh *mesh, const geo_mesh_report *report,
                           uint64_t limit)
{
    const uint64_t count = report->counts[GEO_DEFECT_OPEN_EDGE];
    uint64_t listed = 0;
    for (size_t i = 0; i < report->defect_count && listed < limit; i++) {
        const geo_defect *const defect = &report->defects[i];
        if (defect->kind == GEO_DEFECT_OPEN_EDGE) {
            const vec3 p = mesh->vertices[defect->a], q = mesh->vertices[defect->b];
            bench_rows_put(rows, "%s", geo_defect_name(defect->kind));
            bench_rows_put(rows, "%.6g %.6g %.6g to %.6g %.6g %.6g", p.x, p.y, p.z, q.x, q.y, q.z);
            listed++;
        }
    }
    if (count > listed) {
        bench_rows_put(rows, "%s", geo_defect_name(GEO_DEFECT_OPEN_EDGE));
        bench_rows_put(rows, "and %llu more", (unsigned long long)(count - listed));
    }
}

/** Welds a mesh, writes it, and prints the changes and the defects that remain. */
static base_status weld_mesh(const char *reference, const mesh_options *options, bool *solid,
                             base_error *err)
{
    bench_format format;
    geo_mesh mesh = {0}, welded = {0};
    geo_mesh_builder built = {0};
    geo_weld changes;
    geo_mesh_report report = {0};
    bench_rows rows = {.columns = 2};
    base_status status = bench_format_parse(options->format, &format, err);
    if (status == BASE_OK) {
        status = bench_mesh_check_suffix("mesh weld", options->out, err);
    }
    if (status == BASE_OK) {
        status = open_input(reference, &mesh, err);
    }
    if (status != BASE_OK) {
        return status;
    }
    status = geo_mesh_weld(&mesh, isnan(options->tolerance) ? 0 : options->tolerance, &built,
                           &changes, err);
    geo_mesh_release(&mesh);
    if (status == BASE_OK) {
        welded = geo_mesh_builder_finish(&built);
        status = welded.face_count == 0 ? base_fail(err, BASE_ERR_ARGUMENT,
                                                    "all triangles of '%s' collapse at "
                                                    "tolerance %g",
                                                    reference, options->tolerance)
                                        : geo_mesh_check(&welded, &report, err);
    }
    if (status == BASE_OK) {
        status = bench_mesh_write(&welded, options->out, err);
    }
    if (status == BASE_OK) {
        bench_rows_put(&rows, "item");
        bench_rows_put(&rows, "value");
        put_count(&rows, "merged_vertices", changes.merged_vertices);
        put_number(&rows, "largest_move_m", changes.move_m);
        put_count(&rows, "collapsed_triangles", changes.collapsed_faces);
        put_count(&rows, "triangles", welded.face_count);
        put_count(&rows, "vertices", welded.vertex_count);
        put_answer(&rows, "closed", report.closed);
        put_answer(&rows, "solid", report.solid);
        for (size_t kind = 0; kind < GEO_DEFECT_KIND_COUNT; kind++) {
            put_count(&rows, count_items[kind], report.counts[kind]);
        }
        put_open_edges(&rows, &welded, &report, options->limit);
        status = bench_rows_print(&rows, format, stdout, err);
        *solid = report.solid;
    }
    bench_rows_release(&rows);
    geo_mesh_report_release(&report);
    geo_mesh_release(&welded);
    return status;
}

int bench_cmd_mesh(int argc, char **argv)
{
    mesh_options o = {.format = "table", .limit = 20, .tolerance = (double)NAN};
    const bench_option options[] = {
        BENCH_OPTION("format", "FORMAT", &o.format, "format of the rows: " BENCH_FORMAT_HELP),
        BENCH_OPTION("limit", "N", &o.limit, "largest number of defects of each kind"),
        BENCH_OPTION(
            "tolerance", "M", &o.tolerance,
            "'weld': distance of vertices that are merged, in metres; without it, vertices "
            "of equal coordinates are merged"),
        BENCH_OPTION("out", "FILE", &o.out, "'weld': the OFF file to write"),
        BENCH_OPTION_END,
    };
    const bench_usage usage = {
        .usage = "mesh info FILE [options]\nmesh check FILE [options]\n"
                 "mesh weld FILE --out FILE [options]",
        .summary =
            "Prints the properties of a mesh, and its defects with their positions. FILE is an "
            "OFF, OBJ, STL or PLY file, the name of a model, or - for an OFF on standard input. "
            "Coordinates are in metres; FILE:scale=0.001 is a mesh in millimetres. Vertices and "
            "faces are numbered from 0 in the order of the file. At most 1000 defects of a kind "
            "are listed. 'weld' makes a solid of a mesh that only lacks shared vertices: it merges "
            "vertices within the tolerance, also along chains of them, leaves out triangles that "
            "collapse, writes the mesh in metres, and lists edges that stay open.",
        .notes =
            "Exit status: 0 good; 1 (only 'check' and 'weld') the mesh is not a solid (closed, "
            "outward, without self-intersections); 3 the mesh cannot be read.\n"
            "\n"
            "Examples:\n"
            "  proxbench mesh check bunny.off --limit 100\n"
            "  proxbench mesh weld part.obj:scale=0.001 --tolerance 1e-6 --out part.off",
    };
    int operands;
    const int ended = bench_parse(argc, argv, options, &usage, &operands);
    if (ended >= 0) {
        return ended;
    }
    static const char *const kinds[] = {"info", "check", "weld", NULL};
    const char *const kind = operands > 0 ? argv[1] : "";
    const bool weld = strcmp(kind, "weld") == 0, info = strcmp(kind, "info") == 0;
    if (operands != 2 || (!weld && !info && strcmp(kind, "check") != 0)) {
        char near[64] = "";
        if (operands > 0) {
            base_text_near(kind, kinds, near, sizeof near);
        }
        return bench_usage_error("mesh needs 'info FILE', 'check FILE' or 'weld FILE'%s",
                                 operands == 2 ? near : "");
    }
    if (weld && (!o.out || strcmp(o.out, "-") == 0)) {
        return bench_usage_error("mesh weld needs --out FILE");
    }
    if (!weld && o.out) {
        return bench_usage_error("--out goes with 'mesh weld'");
    }
    if (!isnan(o.tolerance) && (!weld || !(o.tolerance >= 0 && isfinite(o.tolerance)))) {
        return bench_usage_error(weld ? "--tolerance: it must be 0 or positive, not %g"
                                      : "--tolerance goes with 'mesh weld', not %g",
                                 o.tolerance);
    }
    bool solid = false;
    base_error err = {0};
    const base_status status =
        weld ? weld_mesh(argv[2], &o, &solid, &err) : report_mesh(argv[2], &o, &solid, &err);
    if (status != BASE_OK) {
        return bench_error(&err);
    }
    return !info && !solid ? BENCH_WRONG : BENCH_GOOD;
}
