# LPD-F4: the time of stage 1 against the number of segments, frame by frame. Lines at the paper's rate and at 5000 segments a
# millisecond.
# quantities: depth
# variants: lpd*, at least 1
# paper: lpd-f4
# draws: work
x_of(i) = column('segments_count')
y_of(i) = duration(column('stage_curves_ns'))
x_name = 'intersection segments'
y_name = 'time of clustering (stage 1)'
y_least = 1e-5
y_most = 1e-4
lines_of = 2
rate(n) = n == 1 ? paper('F4b') : 5000
line_at(n, x) = 1e-3 * x / rate(n)
title = scenario.': time of clustering against segments'
claim = 'paper: linear, 1000 segments in roughly a millisecond'
keys = 'points'
do for [n = 1:2] { dummy = key(sprintf('%g segments a ms', rate(n)), sprintf('l%d', 100 + n)) }
load plots.'/lpd-points.gp'
