#include "suite/report/three.h"

#include "base/file.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const script_names[] = {
    "three.min.js",
    "examples/js/controls/OrbitControls.js",
    "examples/js/lines/LineSegmentsGeometry.js",
    "examples/js/lines/LineGeometry.js",
    "examples/js/lines/LineMaterial.js",
    "examples/js/lines/LineSegments2.js",
    "examples/js/lines/Line2.js",
};
enum { SCRIPTS = sizeof script_names / sizeof *script_names, PATH_BYTES = 4096 };

base_status bench_three_part(const char *name, char **text, base_error *err)
{
    const char *const named = getenv("PROXBENCH_THREE");
    const char *const folder = named ? named
                               : strcmp(name, "copyright") == 0
                                   ? "/usr/share/doc/" BENCH_THREE_PACKAGE
                                   : "/usr/share/javascript/three";
    char path[PATH_BYTES];
    size_t size;
    base_error reason = {0};
    *text = NULL;
    base_status status = base_path_join(folder, name, "", path, sizeof path, &reason);
    if (status == BASE_OK) {
        status = base_file_read(path, text, &size, &reason);
    }
    return status == BASE_OK
               ? status
               : base_fail(err, status == BASE_ERR_MEMORY ? status : BASE_ERR_INPUT,
                           "three.js (package " BENCH_THREE_PACKAGE "): %s", reason.text);
}

/** Appends a script as an element of a page. */
static base_status append(FILE *page, const char *name, base_error *err)
{
    char *text;
    base_status status = bench_three_part(name, &text, err);
    if (status == BASE_OK && strcasestr(text, "</script")) {
        status = base_fail(err, BASE_ERR_INPUT,
                           "three.js: '%s' contains the end of a script element", name);
    }
    if (status == BASE_OK) {
        fprintf(page, "<script>\n%s\n</script>\n", text);
    }
    base_free(text);
    return status;
}

base_status bench_three_read(bench_three *three, base_error *err)
{
    size_t size = 0;
    *three = (bench_three){0};
    base_status status = bench_three_part("copyright", &three->notice, err);
    FILE *const page = status == BASE_OK ? open_memstream(&three->scripts, &size) : NULL;
    if (status == BASE_OK && !page) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < SCRIPTS && status == BASE_OK; i++) {
        status = append(page, script_names[i], err);
    }
    if (page && fclose(page) != 0 && status == BASE_OK) {
        status = base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    if (status != BASE_OK) {
        bench_three_release(three);
    }
    return status;
}

void bench_three_release(bench_three *three)
{
    free(three->scripts); /* of open_memstream */
    base_free(three->notice);
    *three = (bench_three){0};
}
