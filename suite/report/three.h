/**
 * three.js, revision 111, as Debian packages it (libjs-three): classic scripts that a page can
 * contain. A page that contains them must also show the notice, because the scripts carry no
 * licence text.
 */
#ifndef SUITE_THREE_H
#define SUITE_THREE_H

#include "base/error.h"

/** The package, for messages. */
#define BENCH_THREE_PACKAGE "libjs-three"

/** The scripts and the notice; owned: bench_three_release. */
typedef struct bench_three {
    char *scripts; /* elements <script> for a page: three.js, OrbitControls, LineSegments2, Line2 */
    char *notice;  /* plain text: authors, copyright, licence */
} bench_three;

/**
 * Reads the scripts from /usr/share/javascript/three and the notice from
 * /usr/share/doc/libjs-three/copyright. If the environment has PROXBENCH_THREE, both are read from
 * the folder that it names: the scripts under the same names, and the notice as `copyright`.
 *
 * Errors   BASE_ERR_INPUT if a file cannot be read (the message names it and the package), or if a
 *          script would end its element; BASE_ERR_MEMORY. *three then needs no release.
 */
base_status bench_three_read(bench_three *three, base_error *err) BASE_MUST_CHECK;
void bench_three_release(bench_three *three);

/**
 * Reads one file from the same folders: a script, such as "three.min.js", or "copyright". *text is
 * owned by the caller (base_free). Errors: BASE_ERR_INPUT, BASE_ERR_MEMORY.
 */
base_status bench_three_part(const char *name, char **text, base_error *err) BASE_MUST_CHECK;

#endif
