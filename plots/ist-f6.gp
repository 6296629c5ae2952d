# IST-F6: penetration volume and direction of the force along a path on which one organic body
# scrapes along another. The paper shows a picture: a direction that turns without a jump. Here the
# direction is drawn part by part, beside that of the exact volume's gradient.
# quantities: volume
# variants: ist*, at least 1
# beside: exact-volume
file(i) = run.'/'.scenario.'/'.word(files, i).'.csv'
exact = run.'/'.scenario.'/exact-volume.csv'
# A force becomes a direction: a vector as long as 1.
direction(part, x, y, z) = part / sqrt(x**2 + y**2 + z**2)
force(axis) = direction(column('f'.axis.'_m3'), column('fx_m3'), column('fy_m3'), column('fz_m3'))
pressure(axis) = direction(column('f'.axis.'_m2'), column('fx_m2'), column('fy_m2'), column('fz_m2'))
stats exact using (column('frame')) nooutput
last_frame = larger(1, STATS_max)
stats file(1) using (column('truth_volume_lo_m3')) nooutput
most = STATS_max

title = scenario.': penetration volume and direction of the force'
body = narrow ? 270 : 380
keys = 'lines'
dummy = key('truth: the volume, and its gradient', 'l100')
load plots.'/frame.gp'

set multiplot
each = (body - axis_below) / 5.0
x0 = axis_left
x1 = W - 2 * letter
y0 = axis_below + 3 * each + letter
y1 = body - 2 * letter
x_name = ''
y_name = 'volume ('.cubic_name(most).')'
mark = '(a)'
load plots.'/panel.gp'
set xrange [0:last_frame]
set xtics 0, step(last_frame, narrow ? 5 : 9)
set format x ''
set yrange [0:*]
plot for [i = 1:count] file(i) using (column('frame')):(cubic(most) * column('volume_m3')) with lines ls i, \
     file(1) using (column('frame')):(cubic(most) * column('truth_volume_lo_m3')) with lines ls 100

axes = 'x y z'
set format y '%g'
set yrange [-1.05:1.05]
set ytics (-1, 0, 1)
do for [a = 1:3] {
    y0 = axis_below + (3 - a) * each
    y1 = y0 + each - 1.6 * letter
    x_name = a == 3 ? 'frame' : ''
    y_name = 'force '.word(axes, a)
    mark = a == 1 ? '(b)' : ''
    load plots.'/panel.gp'
    if (a == 3) { set format x }
    plot for [i = 1:count] file(i) using (column('frame')):(force(word(axes, a))) with lines ls i, \
         exact using (column('frame')):(pressure(word(axes, a))) with lines ls 100
}
unset multiplot
