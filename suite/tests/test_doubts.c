#include "suite/results/truth.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>

/** There is one line for each quantity and reason, and no line without a doubt. */
Test(doubts, each_is_reported_once, .init = cr_redirect_stderr)
{
    const gt_doubt out = {GT_DOUBT_CHECK, GT_HULL}, differ = {GT_DOUBT_DISAGREE, GT_EDGES};
    gt_truth truths[5] = {0};
    truths[1].doubt[GT_DEPTH] = truths[4].doubt[GT_DEPTH] = out;
    truths[2].doubt[GT_DEPTH] = differ;
    truths[3].doubt[GT_FORCE] = (gt_doubt){GT_DOUBT_OTHER, GT_FLUX};
    bench_truth_warn_doubts("none", truths, 1);
    bench_truth_warn_doubts("pair", truths, 5);
    fflush(stderr);
    cr_assert_stderr_eq_str("proxbench: warning: pair: depth has certificate 0 in 2 of 5 frames, "
                            "frame 1 the first: the "
                            "check of hull has failed: B is not out where it says\n"
                            "proxbench: warning: pair: depth has certificate 0 in 1 of 5 frames, "
                            "frame 2 the first: hull "
                            "and edges disagree\n"
                            "proxbench: warning: pair: force has certificate 0 in 1 of 5 frames, "
                            "frame 3 the first: the "
                            "volume that it comes with is not certified\n");
}
