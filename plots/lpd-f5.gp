# LPD-F5: the time of stage 3 against the number of regions, frame by frame. The line is the paper's time of a region.
# quantities: depth
# variants: lpd*, at least 1
# paper: lpd-t
# draws: work
x_of(i) = column('regions_count')
y_of(i) = duration(column('stage_depths_ns'))
x_name = 'regions'
y_name = 'time of depths (stage 3)'
y_least = 1e-4
y_most = 1e-3
lines_of = 1
line_at(n, x) = duration(paper('F5b')) * x
title = scenario.': time of the depths against regions'
claim = 'paper: linear, about 2 ms for a region'
keys = 'points'
dummy = key(sprintf('%g ms a region', 1e3 * duration(paper('F5b'))), 'l101')
load plots.'/lpd-points.gp'
