#include "geometry/mesh_report.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>

void geo_mesh_report_release(geo_mesh_report *report)
{
    base_free(report->defects);
    *report = (geo_mesh_report){0};
}

/* Defects that a reason names before it says "...". */
#define NAMED_MAX 3

static const char *const names[] = {
    [GEO_DEFECT_OPEN_EDGE] = "open edge",
    [GEO_DEFECT_NONMANIFOLD_EDGE] = "non-manifold edge",
    [GEO_DEFECT_INCONSISTENT_EDGE] = "inconsistent edge",
    [GEO_DEFECT_NONMANIFOLD_VERTEX] = "non-manifold vertex",
    [GEO_DEFECT_DEGENERATE_FACE] = "degenerate face",
    [GEO_DEFECT_DUPLICATE_FACE] = "duplicate face",
    [GEO_DEFECT_SELF_INTERSECTION] = "self-intersection",
    [GEO_DEFECT_MISORIENTED_SHELL] = "misoriented shell",
};

/** One of a kind as a reason counts it, with an 's' behind when there are more. */
static const char *counted_name(geo_defect_kind kind)
{
    return kind == GEO_DEFECT_SELF_INTERSECTION ? "self-intersecting pair" : names[kind];
}

static bool is_edge(geo_defect_kind kind)
{
    return kind == GEO_DEFECT_OPEN_EDGE || kind == GEO_DEFECT_NONMANIFOLD_EDGE ||
           kind == GEO_DEFECT_INCONSISTENT_EDGE;
}

const char *geo_defect_name(geo_defect_kind kind)
{
    base_assert((unsigned)kind < GEO_DEFECT_KIND_COUNT);
    return names[kind];
}

/** Appends to the text at *used, as far as it fits. */
BASE_PRINTF(4, 5)
static void append(char *text, size_t size, size_t *used, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text + *used, size - *used, format, arguments);
    va_end(arguments);
    const size_t wanted = length > 0 ? (size_t)length : 0, room = size - *used - 1;
    *used += wanted < room ? wanted : room;
}

/** "2 self-intersecting pairs (faces 33054 and 33055, 40271 and 40290)" */
static void tell_kind(const geo_mesh_report *report, geo_defect_kind kind, char *text, size_t size)
{
    const uint64_t count = report->counts[kind];
    const bool single = kind == GEO_DEFECT_DEGENERATE_FACE || kind == GEO_DEFECT_MISORIENTED_SHELL;
    size_t used = 0, named = 0;
    append(text, size, &used, "%llu %s%s (%s", (unsigned long long)count, counted_name(kind),
           count == 1 ? "" : "s",
           is_edge(kind)          ? "vertices "
           : single && count == 1 ? "face "
                                  : "faces ");
    for (size_t i = 0; i < report->defect_count && named < NAMED_MAX; i++) {
        const geo_defect *const d = &report->defects[i];
        if (d->kind != kind) {
            continue;
        }
        append(text, size, &used, single ? "%s%u" : "%s%u and %u", named == 0 ? "" : ", ", d->a,
               d->b);
        named++;
    }
    append(text, size, &used, count > named ? ", ...)" : ")");
}

void geo_mesh_report_reason(const geo_mesh_report *report, char *text, size_t size)
{
    static const geo_defect_kind order[] = {
        GEO_DEFECT_DEGENERATE_FACE,   GEO_DEFECT_DUPLICATE_FACE,    GEO_DEFECT_OPEN_EDGE,
        GEO_DEFECT_NONMANIFOLD_EDGE,  GEO_DEFECT_INCONSISTENT_EDGE, GEO_DEFECT_SELF_INTERSECTION,
        GEO_DEFECT_MISORIENTED_SHELL,
    };
    text[0] = '\0';
    if (report->solid) {
        return;
    }
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        if (report->counts[order[i]] > 0) {
            tell_kind(report, order[i], text, size);
            return;
        }
    }
    const double volume = report->measure.volume_m3;
    size_t used = 0;
    if (report->inside_out) {
        append(text, size, &used, "inside out (volume %.6g m3)", volume);
    } else {
        append(text, size, &used, report->component_count == 0 ? "no faces" : "no volume");
    }
}
