/**
 * Pictures of bodies: an orthographic rasteriser with a z-buffer, and PNG files.
 *
 * A canvas is a grid of pixels. bench_canvas_draw draws one view of some shapes into a rectangle of
 * it. Each pixel is the mean of BENCH_SAMPLES x BENCH_SAMPLES samples. A sample shows the nearest
 * opaque shape, seen through the transparent shapes in front of it. Surfaces are lit from the upper
 * left, with one normal per triangle. Edges in depth are drawn as dark lines, so that bodies can be
 * distinguished in grey.
 *
 * All values are computed by + - * / and sqrt in a fixed order, so a picture has the same bits on
 * every machine.
 */
#ifndef SUITE_PICTURES_CANVAS_H
#define SUITE_PICTURES_CANVAS_H

#include "base/error.h"
#include "geometry/mesh.h"
#include "geometry/vec.h"

#include <stdbool.h>
#include <stdio.h>

enum { BENCH_SAMPLES = 3, BENCH_CANVAS_MAX = 4000, BENCH_GLASS_MAX = 3 };

/* --- Shapes ----------------------------------------------------------------------------------- */

typedef enum bench_shape_kind {
    BENCH_SHAPE_MESH,
    BENCH_SHAPE_BALLS,
    BENCH_SHAPE_LINES, /* round, with the same radius from end to end */
} bench_shape_kind;

typedef struct bench_line {
    vec3 from, to;
} bench_line;

/** Equal things to draw. All arrays are borrowed. */
typedef struct bench_shape {
    bench_shape_kind kind;
    geo_mesh mesh;
    const geo_ball *balls;
    const bench_line *lines;
    size_t count;            /* number of balls or lines */
    const uint32_t *colours; /* 0xRRGGBB, one per triangle, ball or line; NULL: all have `colour` */
    uint32_t colour;
    double radius; /* of lines */
    geo_pose pose; /* from the frame of the arrays to that of the view */
    /**
     * 0: opaque. 1 to BENCH_GLASS_MAX: transparent, with its own z-buffer. Of the shapes with the
     * same number only the nearest surface is visible, so that the inside of a body stays clear.
     */
    unsigned glass;
    double opacity; /* of a transparent surface that faces the viewer; 1 at its silhouette */
} bench_shape;

/** Colours of the bodies; B is darker in grey. */
enum { BENCH_COLOUR_A = 0xCDD5DD, BENCH_COLOUR_B = 0xD8B682 };

/* --- Views ------------------------------------------------------------------------------------ */

/** A view along -toward. The three vectors are orthogonal, of unit length and right-handed. */
typedef struct bench_view {
    vec3 right, up, toward;
} bench_view;

/**
 * Returns the view from a direction. azimuth_deg: angle in the xy plane, from x to y.
 * elevation_deg: angle above that plane, from -90 to 90. The z axis points upwards in the picture.
 */
bench_view bench_view_make(double azimuth_deg, double elevation_deg);

#define BENCH_VIEW_USUAL "35,25"
#define BENCH_VIEW_HELP                                                                            \
    "direction of the viewer in degrees: angle around the z axis, from x to y, and angle above "   \
    "the xy plane"

/** Parses "AZIMUTH,ELEVATION" in degrees. Errors: BASE_ERR_ARGUMENT. */
base_status bench_view_parse(const char *text, bench_view *view, base_error *err) BASE_MUST_CHECK;

/** The part of the plane of the picture that is visible. */
typedef struct bench_frame {
    vec3 centre;
    double half_width, half_height; /* the view is enlarged on one side to fit the rectangle */
} bench_frame;

/** Returns the smallest frame around all shapes, with a margin; zeroed if there are none. */
bench_frame bench_frame_around(const bench_shape *shapes, size_t count, const bench_view *view);

/* --- Canvas ----------------------------------------------------------------------------------- */

typedef struct bench_canvas {
    unsigned width, height;
    unsigned char *rgb; /* owned; rows from top to bottom, 3 bytes per pixel */
} bench_canvas;

/** A rectangle of pixels; x and y are those of its upper left corner. */
typedef struct bench_area {
    unsigned x, y, width, height;
} bench_area;

/**
 * Opens a white canvas. width, height: 1 to BENCH_CANVAS_MAX.
 * Errors: BASE_ERR_ARGUMENT for another size; BASE_ERR_MEMORY.
 */
base_status bench_canvas_open(unsigned width, unsigned height, bench_canvas *canvas,
                              base_error *err) BASE_MUST_CHECK;
void bench_canvas_close(bench_canvas *canvas);

/**
 * Draws the shapes into an area inside of the canvas. If by_depth is set, all samples are grey:
 * dark for the nearest surface of the picture, light for the farthest one.
 *
 * Errors   BASE_ERR_MEMORY.
 * Memory   72 bytes per pixel of the area, and as much for each z-buffer of transparent shapes.
 */
base_status bench_canvas_draw(bench_canvas *canvas, bench_area area, const bench_shape *shapes,
                              size_t count, const bench_view *view, const bench_frame *frame,
                              bool by_depth, base_error *err) BASE_MUST_CHECK;

/** Checks that a path ends in ".png". Errors: BASE_ERR_ARGUMENT. */
base_status bench_picture_check_suffix(const char *path, base_error *err) BASE_MUST_CHECK;

/** Writes the canvas as PNG. Errors: BASE_ERR_SYSTEM, with the reason of libpng. */
base_status bench_canvas_write(const bench_canvas *canvas, FILE *file,
                               base_error *err) BASE_MUST_CHECK;
/** Writes the canvas as a PNG file. Errors: those of bench_output_open and bench_output_close. */
base_status bench_canvas_save(const bench_canvas *canvas, const char *path,
                              base_error *err) BASE_MUST_CHECK;

#endif
