# The share of frames whose force is at most so many degrees off the exact force of the variant's own law, or of the area where
# it has none. Lines at 5 and at 20 degrees.
file(i) = run.'/'.scenario.'/'.word(files, i).'.csv'
least = 0.01
angle(x) = x > least ? x : least
array frames[count]
do for [i = 1:count] {
    stats file(i) using (column('force_direction_deg')) nooutput name 'one'
    frames[i] = one_records
}
title = scenario.': direction of the force'
claim = ''
keys = 'lines'
panel = 240
body = panel + axis_below + letter
dummy = key('5 and 20 degrees', 'l101')
load plots.'/frame.gp'
set multiplot
x0 = axis_left
x1 = W - 2 * letter
y1 = body - letter
y0 = y1 - panel
x_name = 'angle to the exact force (degrees)'
y_name = 'frames (%)'
mark = ''
load plots.'/panel.gp'
axis = 'x'
lo = least
hi = 180
tick = '%g'
room = 8
load plots.'/ticks.gp'
set xrange [least:180]
unset logscale y
set yrange [0:102]
set ytics autofreq 0, 20, 100
set format y '%g'
set arrow 50 from 5, graph 0 to 5, graph 1 nohead ls 101
set arrow 51 from 20, graph 0 to 20, graph 1 nohead ls 101
plot for [i = 1:count] file(i) using (angle(column('force_direction_deg'))):(100.0 / frames[i]) smooth cumulative with steps ls i
unset multiplot
