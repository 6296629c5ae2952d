/** lpd on all bodies and frames of the catalogue of degenerate contact. */
#include "suite/tests/lpd_catalogue.h"

Test(slow_lpd_catalogue, answers_everything)
{
    check_catalogue((extent){.frames = SIZE_MAX, .faces = SIZE_MAX});
}
