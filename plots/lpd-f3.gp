# LPD-F3, of frames with one region: (a) the share of frames of which at most so much of the intersection volume is left when B has moved by what is
# reported; (b) of which the depth is at most so many times the exact one along the same direction. Lines at 1 % and at 1.1.
# quantities: depth
# variants: lpd*, at least 1
file(i) = run.'/'.scenario.'/'.word(files, i).'.csv'
least_left = 1e-6
alone(x) = column('regions_count') == 1 ? x : NaN
left(x) = x > least_left ? percent(x) : percent(least_left)
array frames[count]
most = 1.2
least = 0.95
do for [i = 1:count] {
    stats file(i) using (alone(column('depth_left_rel'))) nooutput name 'one'
    frames[i] = one_records
    stats file(i) using (alone(1 + column('depth_local_rel'))) nooutput name 'one'
    most = larger(most, smaller(20, one_max))
    least = smaller(least, larger(0.1, one_min))
}
title = scenario.': what is left, and how deep, of one region'
claim = 'paper: "the bodies separate"'
keys = 'lines'
panel = narrow ? 170 : 240
body = (panel + axis_below + 2.6 * letter) * (narrow ? 2 : 1)
dummy = key('1 % left, 1.1 times as deep', 'l101')
load plots.'/frame.gp'
wide = (W - 2 * letter - (narrow ? 1 : 2) * axis_left) / (narrow ? 1 : 2)
set multiplot
do for [p = 1:2] {
    x0 = axis_left + (narrow || p == 1 ? 0 : wide + axis_left)
    x1 = x0 + wide
    y1 = body - 2.6 * letter - (narrow && p == 2 ? panel + axis_below + 2.6 * letter : 0)
    y0 = y1 - panel
    x_name = p == 1 ? 'volume left (%)' : 'depth / exact depth along it'
    y_name = 'frames (%)'
    mark = p == 1 ? '(a)' : '(b)'
    load plots.'/panel.gp'
    axis = 'x'
    lo = p == 1 ? percent(least_left) : least
    hi = p == 1 ? 100 : most
    tick = '%g'
    room = narrow ? 5 : 6
    load plots.'/ticks.gp'
    if (p == 2 && most < 3.9 * least) { # too few decades for a logarithmic axis
        unset logscale x
        set xrange [least:most]
        set format x '%g'
        set xtics autofreq 0, step(most - least, 5)
    }
    unset logscale y
    set yrange [0:102]
    set ytics autofreq 0, 20, 100
    set format y '%g'
    limit = p == 1 ? 1 : 1.1
    set arrow 50 from limit, graph 0 to limit, graph 1 nohead ls 101
    if (p == 1) {
        plot for [i = 1:count] file(i) using (alone(left(column('depth_left_rel')))):(100.0 / frames[i]) smooth cumulative with steps ls i
    } else {
        plot for [i = 1:count] file(i) using (alone(smaller(20, larger(0.1, 1 + column('depth_local_rel'))))):(100.0 / frames[i]) smooth cumulative with steps ls i
    }
    unset arrow 50
}
unset multiplot
