#include "base/memory.h"
#include "geometry/mesh_check_parts.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Defects that a reason names before it says "...". */
#define NAMED_MAX 3

/* --- The list --------------------------------------------------------------------------------- */

static int compare_defects(const void *left, const void *right)
{
    const geo_defect *const l = left, *const r = right;
    return l->a != r->a ? (l->a < r->a ? -1 : 1) : l->b < r->b ? -1 : l->b > r->b;
}

base_status geo_defect_list_init(geo_defect_list *list, base_arena *arena, base_error *err)
{
    *list = (geo_defect_list){0};
    for (size_t kind = 0; kind < GEO_DEFECT_KIND_COUNT; kind++) {
        list->kept[kind] =
            base_arena_alloc(arena, 2 * GEO_DEFECTS_LISTED_MAX, sizeof *list->kept[kind]);
        if (!list->kept[kind]) {
            return base_fail(err, BASE_ERR_MEMORY, "out of memory for a list of defects");
        }
    }
    return BASE_OK;
}

/** Sorts what is kept of a kind and forgets what is too much. */
static void settle(geo_defect_list *list, size_t kind)
{
    qsort(list->kept[kind], list->kept_count[kind], sizeof *list->kept[kind], compare_defects);
    if (list->kept_count[kind] > GEO_DEFECTS_LISTED_MAX) {
        list->kept_count[kind] = GEO_DEFECTS_LISTED_MAX;
    }
}

void geo_defect_list_add(geo_defect_list *list, geo_defect_kind kind, uint32_t a, uint32_t b)
{
    list->counts[kind]++;
    list->kept[kind][list->kept_count[kind]++] = (geo_defect){kind, a, b};
    if (list->kept_count[kind] == 2 * GEO_DEFECTS_LISTED_MAX) {
        settle(list, kind);
    }
}

base_status geo_defect_list_finish(geo_defect_list *list, geo_mesh_report *report, base_error *err)
{
    size_t total = 0;
    for (size_t kind = 0; kind < GEO_DEFECT_KIND_COUNT; kind++) {
        settle(list, kind);
        total += list->kept_count[kind];
    }
    report->defects = base_alloc(total, sizeof *report->defects);
    if (!report->defects) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory for %zu defects", total);
    }
    for (size_t kind = 0; kind < GEO_DEFECT_KIND_COUNT; kind++) {
        memcpy(report->defects + report->defect_count, list->kept[kind],
               list->kept_count[kind] * sizeof *report->defects);
        report->defect_count += list->kept_count[kind];
        report->counts[kind] = list->counts[kind];
    }
    return BASE_OK;
}

void geo_mesh_report_release(geo_mesh_report *report)
{
    base_free(report->defects);
    *report = (geo_mesh_report){0};
}

/* --- Words ------------------------------------------------------------------------------------ */

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
