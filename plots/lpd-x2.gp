# LPD-X2: (a) by how much the depth differs from the exact one along its direction, (b) the time of stage 3, medians over
# frames against the size of the depth buffer.
# quantities: depth
# variants: @(lpd|lpd:pixels=[1-9]*), at least 2
parameter = 'pixels'
fallback = 64
x_text = 'pixels along a side'
y_text(p) = p == 1 ? 'depth error (%)' : 'stage 3'
tick_of(p) = p == 1 ? '%g' : seconds
values = 2
amount(n) = n == 1 ? percent(abs(column('depth_local_rel'))) : duration(column('stage_depths_ns'))
in_first = 1
by_mean = 0
title = scenario.': the size of the depth buffer'
claim = 'paper: pixel precision, 64 x 64'
dummy = key('error (a)', 'b201')
dummy = key('stage 3 (b)', 'b202')
load plots.'/lpd-sweep.gp'
