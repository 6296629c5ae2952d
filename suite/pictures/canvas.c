#include "suite/pictures/canvas.h"

#include "base/memory.h"
#include "base/text.h"
#include "geometry/pose.h"
#include "suite/output.h"

#include <math.h>
#include <png.h>
#include <string.h>
#include <strings.h>

static const uint32_t white = 0xFFFFFF;
static const double margin = 0.04; /* of a frame, on each side */

/* --- Views ------------------------------------------------------------------------------------ */

bench_view bench_view_make(double azimuth_deg, double elevation_deg)
{
    const double azimuth = azimuth_deg * (BASE_PI / 180),
                 elevation = elevation_deg * (BASE_PI / 180);
    const vec3 right = {-base_sin(azimuth), base_cos(azimuth), 0};
    const vec3 toward = {base_cos(elevation) * right.y, -base_cos(elevation) * right.x,
                         base_sin(elevation)};
    return (bench_view){right, vec3_cross(toward, right), toward};
}

base_status bench_view_parse(const char *text, bench_view *view, base_error *err)
{
    char azimuth[32];
    const size_t length = strcspn(text, ",");
    double angles[2];
    snprintf(azimuth, sizeof azimuth, "%.*s", (int)length, text);
    if (text[length] != ',' || length >= sizeof azimuth || !base_text_number(azimuth, &angles[0]) ||
        !base_text_number(text + length + 1, &angles[1]) || !(fabs(angles[0]) <= 360) ||
        !(fabs(angles[1]) <= 90)) {
        return base_fail(err, BASE_ERR_ARGUMENT,
                         "view '%s' is not AZIMUTH,ELEVATION in degrees: -360 to 360, -90 to 90",
                         text);
    }
    *view = bench_view_make(angles[0], angles[1]);
    return BASE_OK;
}

/** Lowest and highest coordinates along the axes of a view. */
typedef struct extent {
    vec3 lo, hi;
} extent;

static vec3 in_view(const bench_view *view, vec3 p)
{
    return (vec3){vec3_dot(p, view->right), vec3_dot(p, view->up), vec3_dot(p, view->toward)};
}

static void include(extent *e, vec3 p, double radius)
{
    e->lo = (vec3){base_smaller(p.x - radius, e->lo.x), base_smaller(p.y - radius, e->lo.y),
                   base_smaller(p.z - radius, e->lo.z)};
    e->hi = (vec3){base_larger(p.x + radius, e->hi.x), base_larger(p.y + radius, e->hi.y),
                   base_larger(p.z + radius, e->hi.z)};
}

static void include_shape(extent *e, const bench_shape *s, const bench_view *view)
{
    if (s->kind == BENCH_SHAPE_MESH) {
        for (size_t i = 0; i < s->mesh.vertex_count; i++) {
            include(e, in_view(view, geo_pose_apply(&s->pose, s->mesh.vertices[i])), 0);
        }
        return;
    }
    for (size_t i = 0; i < s->count; i++) {
        if (s->kind == BENCH_SHAPE_BALLS) {
            include(e, in_view(view, geo_pose_apply(&s->pose, s->balls[i].centre)),
                    s->balls[i].radius);
        } else {
            include(e, in_view(view, geo_pose_apply(&s->pose, s->lines[i].from)), s->radius);
            include(e, in_view(view, geo_pose_apply(&s->pose, s->lines[i].to)), s->radius);
        }
    }
}

bench_frame bench_frame_around(const bench_shape *shapes, size_t count, const bench_view *view)
{
    extent e = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (size_t i = 0; i < count; i++) {
        include_shape(&e, &shapes[i], view);
    }
    if (!(e.lo.x <= e.hi.x)) {
        return (bench_frame){{0, 0, 0}, 0, 0};
    }
    const vec3 centre = vec3_scale(0.5, vec3_add(e.lo, e.hi));
    const vec3 place =
        vec3_add(vec3_add(vec3_scale(centre.x, view->right), vec3_scale(centre.y, view->up)),
                 vec3_scale(centre.z, view->toward));
    return (bench_frame){place, (0.5 + margin) * (e.hi.x - e.lo.x),
                         (0.5 + margin) * (e.hi.y - e.lo.y)};
}

/* --- Samples ---------------------------------------------------------------------------------- */

/** A z-buffer. depth: along `toward`, -INFINITY without a surface. */
typedef struct layer {
    float *depth;
    uint32_t *colour; /* 0xAARRGGBB, AA: opacity */
} layer;

/** The samples of an area. */
typedef struct screen {
    bench_view view;
    int columns, rows;
    double left, top, scale; /* sample (i, j) shows x = left + (i + 0.5) / scale */
    layer layers[1 + BENCH_GLASS_MAX];
} screen;

/** Direction to the light, in the view. */
static const vec3 light = {-0.4, 0.5, 0.768};
static const double ambient = 0.32;
static const double wrap = 0.35; /* light reaches surfaces that are turned away by this cosine */

static uint32_t scaled(uint32_t colour, double factor)
{
    uint32_t result = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        result |= (uint32_t)((colour >> shift & 0xFF) * factor + 0.5) << shift;
    }
    return result;
}

/** Returns the colour of a lit surface with its opacity. normal: unit, in the view. */
static uint32_t shade(const bench_shape *s, uint32_t colour, vec3 normal)
{
    const vec3 n = normal.z < 0 ? vec3_scale(-1, normal) : normal;
    const double lit = base_larger(0, (vec3_dot(n, light) + wrap) / (1 + wrap));
    const double slope = 1 - n.z;
    const double opacity = s->glass ? s->opacity + (1 - s->opacity) * slope * slope * slope : 1;
    return scaled(colour & white, ambient + (1 - ambient) * base_smaller(1, lit)) |
           (uint32_t)(255 * base_smaller(1, opacity) + 0.5) << 24;
}

static void put(const layer *l, size_t index, double depth, uint32_t colour)
{
    if ((float)depth > l->depth[index]) {
        l->depth[index] = (float)depth;
        l->colour[index] = colour;
    }
}

/** Moves a point to the samples: x and y in samples, z the depth. */
static vec3 to_samples(const screen *s, vec3 p)
{
    const vec3 v = in_view(&s->view, p);
    return (vec3){(v.x - s->left) * s->scale - 0.5, (s->top - v.y) * s->scale - 0.5, v.z};
}

/** Inclusive range of samples; empty if first > last. */
typedef struct range {
    int first, last;
} range;

static range samples_between(double lo, double hi, int count)
{
    range r = {0, count - 1};
    r.first = lo > 0 ? (lo < count ? (int)ceil(lo) : count) : 0;
    r.last = hi < count - 1 ? (hi >= 0 ? (int)floor(hi) : -1) : count - 1;
    return r;
}

static void draw_triangle(const screen *s, const layer *l, const vec3 p[3], uint32_t colour)
{
    const double area =
        (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[2].x - p[0].x) * (p[1].y - p[0].y);
    if (area == 0) {
        return;
    }
    const range rows = samples_between(base_smaller(base_smaller(p[0].y, p[1].y), p[2].y),
                                       base_larger(base_larger(p[0].y, p[1].y), p[2].y), s->rows);
    const range columns =
        samples_between(base_smaller(base_smaller(p[0].x, p[1].x), p[2].x),
                        base_larger(base_larger(p[0].x, p[1].x), p[2].x), s->columns);
    for (int j = rows.first; j <= rows.last; j++) {
        for (int i = columns.first; i <= columns.last; i++) {
            /* Weights of the corners; all are 0 or more inside and on the edges. */
            double w[3];
            for (int k = 0; k < 3; k++) {
                const vec3 a = p[(k + 1) % 3], b = p[(k + 2) % 3];
                w[k] = ((b.x - a.x) * (j - a.y) - (i - a.x) * (b.y - a.y)) / area;
            }
            if (w[0] >= 0 && w[1] >= 0 && w[2] >= 0) {
                const double depth = w[0] * p[0].z + w[1] * p[1].z + w[2] * p[2].z;
                put(l, (size_t)j * (size_t)s->columns + (size_t)i, depth, colour);
            }
        }
    }
}

static void draw_mesh(const screen *s, const layer *l, const bench_shape *shape)
{
    for (size_t f = 0; f < shape->mesh.face_count; f++) {
        vec3 corners[3], p[3];
        for (int k = 0; k < 3; k++) {
            corners[k] =
                geo_pose_apply(&shape->pose, shape->mesh.vertices[shape->mesh.faces[f].v[k]]);
            p[k] = to_samples(s, corners[k]);
        }
        const vec3 normal = vec3_normalize(
            vec3_cross(vec3_sub(corners[1], corners[0]), vec3_sub(corners[2], corners[0])));
        const uint32_t colour = shape->colours ? shape->colours[f] : shape->colour;
        draw_triangle(s, l, p, shade(shape, colour, in_view(&s->view, normal)));
    }
}

/**
 * Draws a ball, or a line with round ends. For each sample, the nearest point of the axis is the
 * centre of a ball.
 */
static void draw_round(const screen *s, const layer *l, const bench_shape *shape, bench_line axis,
                       double radius, uint32_t colour)
{
    const vec3 a = to_samples(s, geo_pose_apply(&shape->pose, axis.from));
    const vec3 b = to_samples(s, geo_pose_apply(&shape->pose, axis.to));
    const double r = radius * s->scale, dx = b.x - a.x, dy = b.y - a.y;
    const double length2 = dx * dx + dy * dy;
    const range rows =
        samples_between(base_smaller(a.y, b.y) - r, base_larger(a.y, b.y) + r, s->rows);
    const range columns =
        samples_between(base_smaller(a.x, b.x) - r, base_larger(a.x, b.x) + r, s->columns);
    for (int j = rows.first; j <= rows.last; j++) {
        for (int i = columns.first; i <= columns.last; i++) {
            double t = length2 > 0 ? ((i - a.x) * dx + (j - a.y) * dy) / length2 : b.z > a.z;
            t = base_larger(0, base_smaller(1, t));
            const double x = (i - (a.x + t * dx)) / r, y = (j - (a.y + t * dy)) / r;
            const double rest = 1 - (x * x + y * y);
            if (rest >= 0) {
                const vec3 normal = {x, -y, sqrt(rest)};
                put(l, (size_t)j * (size_t)s->columns + (size_t)i,
                    a.z + t * (b.z - a.z) + radius * normal.z, shade(shape, colour, normal));
            }
        }
    }
}

static void draw_shape(const screen *s, const bench_shape *shape)
{
    const layer *const l = &s->layers[shape->glass];
    if (shape->kind == BENCH_SHAPE_MESH) {
        draw_mesh(s, l, shape);
        return;
    }
    for (size_t i = 0; i < shape->count; i++) {
        const uint32_t colour = shape->colours ? shape->colours[i] : shape->colour;
        if (shape->kind == BENCH_SHAPE_BALLS) {
            const geo_ball *const ball = &shape->balls[i];
            draw_round(s, l, shape, (bench_line){ball->centre, ball->centre}, ball->radius, colour);
        } else {
            draw_round(s, l, shape, shape->lines[i], shape->radius, colour);
        }
    }
}

/* --- Pixels ----------------------------------------------------------------------------------- */

typedef struct depths {
    double lo, hi;
} depths;

static depths depths_of(const screen *s)
{
    depths d = {INFINITY, -INFINITY};
    const size_t count = (size_t)s->columns * (size_t)s->rows;
    for (int k = 0; k <= BENCH_GLASS_MAX; k++) {
        for (size_t i = 0; s->layers[k].depth && i < count; i++) {
            const double depth = (double)s->layers[k].depth[i];
            if (depth > (double)-INFINITY) {
                d = (depths){base_smaller(depth, d.lo), base_larger(depth, d.hi)};
            }
        }
    }
    return d;
}

/** True if a sample one pixel away lies behind this one by more than `step`. */
static bool is_edge(const screen *s, const layer *l, int i, int j, double step)
{
    static const int aside[4][2] = {
        {-BENCH_SAMPLES, 0}, {BENCH_SAMPLES, 0}, {0, -BENCH_SAMPLES}, {0, BENCH_SAMPLES}};
    const float *const depth = &l->depth[(size_t)j * (size_t)s->columns];
    for (int k = 0; k < 4; k++) {
        const int x = i + aside[k][0], y = j + aside[k][1];
        if (x >= 0 && x < s->columns && y >= 0 && y < s->rows &&
            (double)l->depth[(size_t)y * (size_t)s->columns + (size_t)x] <
                (double)depth[i] - step) {
            return true;
        }
    }
    return false;
}

/** Blends a colour over another one. */
static uint32_t blend(uint32_t below, uint32_t colour, double opacity)
{
    return scaled(below & white, 1 - opacity) + scaled(colour & white, opacity);
}

/** Returns the colour of a sample. */
static uint32_t resolve(const screen *s, int i, int j, const depths *d, bool by_depth)
{
    static const double edge_step = 0.03, edge_light = 0.4;
    const size_t index = (size_t)j * (size_t)s->columns + (size_t)i;
    const double step = edge_step * (d->hi - d->lo);
    uint32_t colour = white;
    double shown = -INFINITY; /* surfaces up to this depth are in the colour, or hidden */
    if (s->layers[0].depth[index] > -INFINITY) {
        shown = (double)s->layers[0].depth[index];
        colour = s->layers[0].colour[index] & white;
        if (by_depth) {
            const double share = d->hi > d->lo ? (d->hi - shown) / (d->hi - d->lo) : 0;
            return scaled(white, 0.1 + 0.8 * share);
        }
        if (is_edge(s, &s->layers[0], i, j, step)) {
            colour = scaled(colour, edge_light);
        }
    }
    for (int n = 0; n < BENCH_GLASS_MAX; n++) { /* the farthest surface that is not yet shown */
        const layer *next = NULL;
        for (int k = 1; k <= BENCH_GLASS_MAX; k++) {
            const layer *const l = &s->layers[k];
            if (l->depth && (double)l->depth[index] > shown &&
                (!next || l->depth[index] < next->depth[index])) {
                next = l;
            }
        }
        if (next) {
            const bool edge = is_edge(s, next, i, j, step);
            shown = (double)next->depth[index];
            colour = blend(colour, scaled(next->colour[index] & white, edge ? edge_light : 1),
                           edge ? 1 : (next->colour[index] >> 24) / 255.0);
        }
    }
    return colour;
}

/** Sets the pixels of an area to the means of their samples. */
static void resolve_area(bench_canvas *canvas, bench_area area, const screen *s, bool by_depth)
{
    const depths d = depths_of(s);
    for (unsigned y = 0; y < area.height; y++) {
        for (unsigned x = 0; x < area.width; x++) {
            unsigned sums[3] = {0, 0, 0};
            for (unsigned k = 0; k < BENCH_SAMPLES * BENCH_SAMPLES; k++) {
                const uint32_t colour =
                    resolve(s, (int)(x * BENCH_SAMPLES + k % BENCH_SAMPLES),
                            (int)(y * BENCH_SAMPLES + k / BENCH_SAMPLES), &d, by_depth);
                for (int c = 0; c < 3; c++) {
                    sums[c] += colour >> (16 - 8 * c) & 0xFF;
                }
            }
            for (size_t c = 0; c < 3; c++) {
                canvas->rgb[((size_t)(area.y + y) * canvas->width + area.x + x) * 3 + c] =
                    (unsigned char)((sums[c] + BENCH_SAMPLES * BENCH_SAMPLES / 2) /
                                    (BENCH_SAMPLES * BENCH_SAMPLES));
            }
        }
    }
}

/* --- Canvas ----------------------------------------------------------------------------------- */

base_status bench_canvas_open(unsigned width, unsigned height, bench_canvas *canvas,
                              base_error *err)
{
    *canvas = (bench_canvas){.width = width, .height = height};
    if (width < 1 || width > BENCH_CANVAS_MAX || height < 1 || height > BENCH_CANVAS_MAX) {
        return base_fail(err, BASE_ERR_ARGUMENT, "a picture of %u x %u pixels: at most %d", width,
                         height, BENCH_CANVAS_MAX);
    }
    canvas->rgb = base_alloc((size_t)width * height, 3);
    if (!canvas->rgb) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    memset(canvas->rgb, 0xFF, (size_t)width * height * 3);
    return BASE_OK;
}

void bench_canvas_close(bench_canvas *canvas)
{
    base_free(canvas->rgb);
    *canvas = (bench_canvas){0};
}

/** Allocates the z-buffers of the screen that the shapes need. */
static base_status open_layers(screen *s, const bench_shape *shapes, size_t count, base_error *err)
{
    const size_t samples = (size_t)s->columns * (size_t)s->rows;
    bool needed[1 + BENCH_GLASS_MAX] = {true};
    for (size_t i = 0; i < count; i++) {
        needed[shapes[i].glass] = true;
    }
    for (int k = 0; k <= BENCH_GLASS_MAX; k++) {
        layer *const l = &s->layers[k];
        if (!needed[k]) {
            continue;
        }
        l->depth = base_alloc(samples, sizeof *l->depth);
        l->colour = base_alloc(samples, sizeof *l->colour);
        if (!l->depth || !l->colour) {
            return base_fail(err, BASE_ERR_MEMORY, "out of memory");
        }
        for (size_t i = 0; i < samples; i++) {
            l->depth[i] = -INFINITY;
        }
    }
    return BASE_OK;
}

base_status bench_canvas_draw(bench_canvas *canvas, bench_area area, const bench_shape *shapes,
                              size_t count, const bench_view *view, const bench_frame *frame,
                              bool by_depth, base_error *err)
{
    screen s = {.view = *view,
                .columns = (int)area.width * BENCH_SAMPLES,
                .rows = (int)area.height * BENCH_SAMPLES};
    if (!(frame->half_width > 0 || frame->half_height > 0)) {
        return BASE_OK; /* without a shape the area stays white */
    }
    s.scale = 0.5 * base_smaller(s.columns / frame->half_width, s.rows / frame->half_height);
    const vec3 centre = in_view(view, frame->centre);
    s.left = centre.x - 0.5 * s.columns / s.scale;
    s.top = centre.y + 0.5 * s.rows / s.scale;
    const base_status status = open_layers(&s, shapes, count, err);
    if (status == BASE_OK) {
        for (size_t i = 0; i < count; i++) {
            draw_shape(&s, &shapes[i]);
        }
        resolve_area(canvas, area, &s, by_depth);
    }
    for (int k = 0; k <= BENCH_GLASS_MAX; k++) {
        base_free(s.layers[k].depth);
        base_free(s.layers[k].colour);
    }
    return status;
}

base_status bench_picture_check_suffix(const char *path, base_error *err)
{
    const char *const ending = strrchr(path, '.');
    return ending && strcasecmp(ending, ".png") == 0
               ? BASE_OK
               : base_fail(err, BASE_ERR_ARGUMENT, "a picture is written as FILE.png, not '%s'",
                           path);
}

base_status bench_canvas_write(const bench_canvas *canvas, FILE *file, base_error *err)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = canvas->width,
                       .height = canvas->height,
                       .format = PNG_FORMAT_RGB};
    return png_image_write_to_stdio(&image, file, 0, canvas->rgb, 0, NULL)
               ? BASE_OK
               : base_fail(err, BASE_ERR_SYSTEM, "PNG: %s", image.message);
}

base_status bench_canvas_save(const bench_canvas *canvas, const char *path, base_error *err)
{
    bench_output output;
    const base_status status = bench_output_open(path, &output, err);
    return status == BASE_OK
               ? bench_output_close(&output, bench_canvas_write(canvas, output.file, err), err)
               : status;
}
