# LPD-F6: the reported depth, that which would separate along the reported direction, and the bracket of the least depth of all
# directions, frame by frame.
# quantities: depth
# variants: lpd*, at least 1
file(i) = run.'/'.scenario.'/'.word(files, i).'.csv'
millimetres(x) = 1e3 * x
needed(i) = column('depth_local_rel') > -1 ? column('depth_m') / (1 + column('depth_local_rel')) : NaN
most = 0
do for [i = 1:count] {
    stats file(i) using (millimetres(column('depth_m'))) nooutput name 'one'
    most = larger(most, one_max)
    stats file(i) using (millimetres(needed(i))) nooutput name 'one'
    most = larger(most, one_max)
}
title = scenario.': reported depth, and what would separate'
claim = 'paper: "our method cannot retrieve the exact penetration depth"'
keys = 'linespoints'
remark = 'lines: reported depth; marks: depth that separates the bodies along the reported direction, where it is known'
dummy = key('the least depth of all directions (bracket)', 'l100')
body = narrow ? 190 : 290
load plots.'/frame.gp'
x0 = axis_left
x1 = W - 2 * letter
y0 = axis_below
y1 = body - letter
x_name = 'frame'
y_name = 'depth (mm)'
mark = ''
load plots.'/panel.gp'
set yrange [0:1.05 * most]
plot for [i = 1:count] file(i) using (column('frame')):(millimetres(column('depth_m'))) with lines ls i, \
     for [i = 1:count] file(i) using (column('frame')):(millimetres(needed(i))) with points ls i, \
     file(1) using (column('frame')):(millimetres(column('truth_depth_lo_m'))) with lines ls 100, \
     file(1) using (column('frame')):(millimetres(column('truth_depth_hi_m'))) with lines ls 100
