# LPD-X1: (a) the time of stage 1, (b) curves after it and regions after stage 2, means over frames against k.
# quantities: depth
# variants: @(lpd|lpd:k=*), at least 2
# draws: work
parameter = 'k'
fallback = 50
x_text = 'segments for each cell along a side, k'
y_text(p) = p == 1 ? 'stage 1' : 'a frame'
tick_of(p) = p == 1 ? seconds : '%g'
values = 3
amount(n) = n == 1 ? duration(column('stage_curves_ns')) : n == 2 ? column('curves_count') : column('regions_count')
in_first = 1
by_mean = 1
title = scenario.': cells of the grid'
claim = 'paper: k = 50 is good'
dummy = key('stage 1 (a)', 'b201')
dummy = key('curves (b)', 'b202')
dummy = key('regions (b)', 'b203')
load plots.'/lpd-sweep.gp'
