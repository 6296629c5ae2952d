# LPD-F5: the time of stage 3 against the number of regions, frame by frame. The line is the paper's 2 ms a region.
# quantities: depth
# variants: lpd*, at least 1
# draws: work
x_of(i) = column('regions_count')
y_of(i) = duration(column('stage_depths_ns'))
x_name = 'regions'
y_name = 'time of depths (stage 3)'
y_least = 1e-4
y_most = 1e-3
lines_of = 1
line_at(n, x) = 2e-3 * x
title = scenario.': time of the depths against regions'
claim = 'paper: linear, about 2 ms for a region'
keys = 'points'
dummy = key('2 ms a region', 'l101')
load plots.'/lpd-points.gp'
