# LPD-F4: the time of stage 1 against the number of segments, frame by frame. Lines at the paper's 1000 segments a millisecond and
# at 5000.
# quantities: depth
# variants: lpd*, at least 1
# draws: work
x_of(i) = column('segments_count')
y_of(i) = duration(column('stage_curves_ns'))
x_name = 'intersection segments'
y_name = 'time of clustering (stage 1)'
y_least = 1e-5
y_most = 1e-4
lines_of = 2
line_at(n, x) = x * (n == 1 ? 1e-6 : 2e-7)
title = scenario.': time of clustering against segments'
claim = 'paper: linear, 1000 segments in roughly a millisecond'
keys = 'points'
dummy = key('1000 segments a ms', 'l101')
dummy = key('5000 segments a ms', 'l102')
load plots.'/lpd-points.gp'
