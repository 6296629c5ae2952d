/**
 * Compares the surface voxels of the meshes in ../shared/models, by every generator and navigation,
 * with the exact ones, at 64, 128 and 512 voxels. It takes minutes. `make test TEST=voxel_sweeps`
 * runs it; it prints its results. RESOLUTION=128: not finer; OLD=0: without the old generator.
 */
#include "base/tests/support.h"
#include "scenarios/models/models.h"

#include "voxels.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long number_of(const char *name, unsigned long fallback)
{
    const char *const text = getenv(name);
    return text ? strtoul(text, NULL, 10) : fallback;
}

Test(voxel_sweeps, shared_models)
{
    static const uint32_t resolutions[] = {64, 128, 512};
    const int generators = number_of("OLD", 1) ? VOXEL_GENERATORS : VOXEL_QUICK_GENERATORS;
    glob_t found;
    if (glob("../shared/models/*.off", 0, NULL, &found) != 0) {
        cr_skip_test("skipped: ../shared is not there");
    }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        SCOPED_MESH mesh;
        assert_ok(scn_mesh_open(found.gl_pathv[i], &mesh, ERR));
        for (size_t r = 0; r < sizeof resolutions / sizeof *resolutions; r++) {
            if (resolutions[r] <= number_of("RESOLUTION", 512)) {
                const uint64_t count =
                    voxels_check(&mesh, resolutions[r], 2, generators, found.gl_pathv[i]);
                printf("%s at %u voxels: %llu of the surface, looked for in %d ways\n",
                       strrchr(found.gl_pathv[i], '/') + 1, resolutions[r],
                       (unsigned long long)count, generators);
                fflush(stdout);
            }
        }
    }
    globfree(&found);
}
