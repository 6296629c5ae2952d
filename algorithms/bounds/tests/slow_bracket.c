/** Brackets of the volume at all poses of the reference bodies, which are large. */
#include "algorithms/bounds/tests/reference.h"

Test(slow_bracket, spot_and_rocker_arm)
{
    check_reference("spot-rocker", "../shared/models/c3d-spot.off",
                    "../shared/models/c3d-rocker-arm.off", 1);
}

Test(slow_bracket, two_bunnies)
{
    check_reference("bunny-bunny", "../shared/models/oded-bunny_hr.off",
                    "../shared/models/oded-bunny_hr.off", 1);
}
