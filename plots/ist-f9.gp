# IST-F9: distance or volume per frame, every variant and the truth; below, the error.
# quantities: distance volume
# variants: *, at least 1
by_volume = quantity eq 'volume'
value = by_volume ? 'volume_m3' : 'distance_m'
truth = by_volume ? 'truth_volume_lo_m3' : 'truth_distance_lo_m'
error = by_volume ? 'volume_error_rel' : 'distance_error_size'
# An error of 0 has no place on a logarithmic axis: it is drawn as the least one.
least = 1e-4
shown(e) = e != e ? NaN : larger(abs(percent(e)), least)
file(i) = run.'/'.scenario.'/'.word(files, i).'.csv'
last_frame = 1
worst = 0
best = 1e9
most = 0
do for [i = 1:count] {
    stats file(i) using (column('frame')):(column(error) == column(error) ? shown(column(error)) : least) nooutput name 'one'
    last_frame = larger(last_frame, one_max_x)
    worst = larger(worst, one_max_y)
    stats file(i) using (column(error) == column(error) ? shown(column(error)) : 1e9) nooutput name 'one'
    best = smaller(best, one_min)
    stats file(i) using (column(truth)) nooutput name 'one'
    most = larger(most, one_max)
}

title = scenario.': '.quantity.' per frame'
body = narrow ? 230 : 380
keys = 'lines'
dummy = key('truth', 'l100')
load plots.'/frame.gp'

set multiplot
x0 = axis_left
x1 = W - 2 * letter
y0 = 0.5 * body + 0.5 * letter
y1 = body - 2 * letter
x_name = ''
y_name = by_volume ? 'volume ('.cubic_name(most).')' : 'distance (m)'
mark = '(a)'
load plots.'/panel.gp'
set xrange [0:last_frame]
set xtics 0, step(last_frame, narrow ? 5 : 9)
set format x ''
set yrange [0:*]
unit = by_volume ? cubic(most) : 1
plot for [i = 1:count] file(i) using (column('frame')):(unit * column(value)) with lines ls i, \
     file(1) using (column('frame')):(unit * column(truth)) with lines ls 100

y0 = axis_below
y1 = 0.5 * body - 2 * letter
x_name = 'frame'
y_name = by_volume ? 'error (% of truth)' : 'error (% of size)'
mark = '(b)'
load plots.'/panel.gp'
set format x
axis = 'y'
lo = smaller(best, worst)
hi = larger(worst, 100 * least)
tick = '%g'
room = narrow ? 4 : 6
load plots.'/ticks.gp'
if (best <= least) { set ytics add ('≤1e-4' least) }
plot for [i = 1:count] file(i) using (column('frame')):(shown(column(error))) with lines ls i
unset multiplot
