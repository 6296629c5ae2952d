/**
 * Dimensions, in metres, of the bodies in scenes with a known ideal force
 * (scenarios/trajectories/response.c). The generators of the bodies and the code that computes the
 * force share them.
 */
#ifndef SCENARIOS_MODELS_SCENES_H
#define SCENARIOS_MODELS_SCENES_H

/* A round plate with a round hole about the origin, and a pin for the hole; along z. */
#define SCN_BORE_RADIUS  0.021
#define SCN_BORE_OUTSIDE 0.05
#define SCN_BORE_LENGTH  0.02
#define SCN_PIN_RADIUS   0.02
#define SCN_PIN_LENGTH   0.06

/* A cone with its apex in the origin and its base at +z. */
#define SCN_CONE_RADIUS 0.04
#define SCN_CONE_HEIGHT 0.06

#define SCN_SPHERE_RADIUS 0.05

/* Half edges of boxes about the origin. */
#define SCN_BOX_X     0.05
#define SCN_BOX_Y     0.04
#define SCN_BOX_Z     0.03
#define SCN_CUBE_HALF 0.03125

/* A channel along y, open at the top: half edges of its outside, half the width of the channel, and
 * the height of its floor. */
#define SCN_CHANNEL_X     0.046875
#define SCN_CHANNEL_Y     0.046875
#define SCN_CHANNEL_Z     0.03125
#define SCN_CHANNEL_WIDTH 0.033203125
#define SCN_CHANNEL_FLOOR (-0.0234375)

#endif
