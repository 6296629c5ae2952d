/** Shaded pictures of a frame: bodies, the data that a variant has built of them, its answers. */
#ifndef SUITE_REPLAY_PICTURE_H
#define SUITE_REPLAY_PICTURE_H

#include "scenarios/experiment.h"
#include "suite/pictures/canvas.h"
#include "suite/replay/replay.h"

/** Layers of a picture, for help texts. bench_layers_parse knows them. */
#define BENCH_LAYERS_HELP                                                                          \
    "a, b: the bodies; a-glass, b-glass: transparent; a-spheres, a-nodes, a-points, a-voxels "     \
    "(and b-...): data that the variant has built; a-clusters: points in the colours of their "    \
    "nodes; a-field: voxels inside of the body, darker with depth; nearest, overlap: spheres of "  \
    "both bodies that are nearest, or overlap; witness, contacts, regions: answers of the "        \
    "variant; curves: intersection of the surfaces; apart: B moved by the answered depth"
#define BENCH_LAYERS_USUAL "a-glass,b-glass,a-spheres,b-spheres,witness,contacts,curves,regions"

/** A view of a frame, and its layers. */
typedef struct bench_panel {
    const char *layers; /* names, separated by commas */
    bench_view view;
    uint64_t spheres; /* limit per body; the largest spheres are drawn */
    /**
     * Level of the hierarchy whose nodes are drawn; 0: none. Spheres and clusters get the colour of
     * their node on this level, unless nodes are drawn, too. Points are those that represent a node
     * of this level or a higher one. Without a level, spheres have one colour, and all points are
     * drawn.
     */
    unsigned level;
    unsigned branch; /* above 0: draw only spheres below this node of the level above */
    double zoom;     /* enlargement; above 1 around the contact, if there is one. At 1, bodies and
                        their parts except nodes fill the picture */
    /**
     * 1 or -1: the view is along the direction of the first region, or against it. The picture is
     * the region's window, and its colours are depths. 0: the view of `view`.
     */
    int along;
} bench_panel;

/** Checks the names of layers. Errors: BASE_ERR_ARGUMENT, with similar names. */
base_status bench_layers_check(const char *layers, base_error *err) BASE_MUST_CHECK;

/**
 * Draws a scene into an area of a canvas. Layers that the variant does not have are left out.
 * Adds the numbers of spheres of both bodies, and of those drawn, to *counts.
 *
 * Errors   BASE_ERR_ARGUMENT for an unknown layer; BASE_ERR_INPUT if no layer has anything to show,
 *          or if `along` is set and there is no region; BASE_ERR_MEMORY; those of bench_solo_open.
 */
base_status bench_panel_draw(const bench_scene *scene, const bench_panel *panel,
                             bench_canvas *canvas, bench_area area, bench_scene_counts *counts,
                             base_error *err) BASE_MUST_CHECK;

/**
 * Draws a picture of an experiment from a run: all panels, each from its frame. The canvas is
 * opened; the caller closes it, also after an error.
 *
 * width: in pixels. cache: folder of built bodies, or NULL.
 * Errors: those of bench_replay_open and bench_panel_draw.
 */
base_status bench_picture_draw(const char *run, const scn_picture *wanted, unsigned width,
                               const char *cache, bench_canvas *canvas,
                               base_error *err) BASE_MUST_CHECK;

#endif
