# Error against time, with the variants that no other one beats. Exact answers have no place on a
# logarithmic axis, so they have a row of their own below a break of the axis. Exact methods that no
# second method judged are hollow marks there.
# quantities: distance volume contact depth force
# variants: *, at least 1
# needs: pareto.csv
# draws: unjudged
points = run.'/pareto.csv'
cells = run.'/cells.csv' # with the times of methods that are not judged
error_name = quantity eq 'contact' ? 'wrong verdicts (% of frames)' : 'mean error (% '.(quantity eq 'distance' ? 'of the size)' : 'of the truth)')
exact = 1e-9
mine(file, x) = strcol('scenario') eq scenario && strcol('quantity') eq quantity && (file eq '' || strcol('file') eq file) ? x : NaN
asked(file, x) = strcol('scenario') eq scenario && strcol('file') eq file ? x : NaN
within(x, otherwise) = x == x ? x : otherwise
inexact(x) = x > exact ? x : NaN
stats points using (within(mine('', duration(column('time_p99_ns'))), 1e9)) nooutput name 'fast'
stats points using (within(mine('', duration(column('time_p99_ns'))), 0)) nooutput name 'slow'
stats points using (within(mine('', inexact(column('error_mean'))), 1e9)) nooutput name 'good'
stats points using (within(mine('', inexact(column('error_mean'))), 0)) nooutput name 'bad'
stats points using (within(mine('', column('error_mean') <= exact), 0)) nooutput name 'exactly'
fastest = fast_min
slowest = slow_max
do for [n = 1:others] {
    stats cells using (within(asked(word(files, other(n)), duration(column('time_p99_ns'))), 0)) nooutput
    fastest = smaller(fastest, STATS_max)
    slowest = larger(slowest, STATS_max)
}
front(x) = column('on_front') == 1 ? mine('', x) : NaN
stats points using (within(front(1), 0)) nooutput name 'front'

# The row of exact answers is a seventh of the panel below the least error.
has_errors = bad_max > 0
has_exact = exactly_max > 0 || others > 0
lo_error = has_errors ? percent(good_min) : 1e-2
hi_error = has_errors ? percent(bad_max) : 1e-2

title = scenario.': '.(quantity eq 'contact' ? 'wrong verdicts' : 'mean error of '.quantity).' against time'
body = has_errors ? (narrow ? 150 : 300) : narrow ? 85 : 130
keys = 'points'
if (front_sum > 1) { dummy = key('on the front', 'l103') }
load plots.'/frame.gp'

x0 = axis_left
x1 = W - 3 * letter
y0 = axis_below
y1 = body - letter
x_name = 'time per frame, 99th percentile'
y_name = has_errors ? error_name : ''
mark = ''
load plots.'/panel.gp'
axis = 'x'
lo = fastest / 1.2
hi = slowest * 1.2
tick = seconds
room = narrow ? 5 : 9
load plots.'/ticks.gp'
axis = 'y'
lo = lo_error / 1.1
hi = hi_error * 1.1
tick = '%g'
room = narrow ? 8 : 12
load plots.'/ticks.gp'
exact_at = has_errors ? lo / (hi / lo)**0.14 : lo_error
if (has_exact) { set ytics add ((quantity eq 'contact' ? 'none' : 'exact') exact_at) }
if (!has_errors) {
    set ytics ((quantity eq 'contact' ? 'none' : 'exact') exact_at)
    set yrange [exact_at / 2:exact_at * 2]
}
if (has_errors && has_exact) {
    # The axis is broken by two strokes between the row and the least tick.
    bottom = exact_at / (hi / lo)**0.07
    set yrange [bottom:hi]
    broken_at = log(lo / bottom) / log(hi / bottom) * 0.8
    do for [n = 0:1] {
        set arrow 20 + n from graph -0.012, broken_at - 0.008 + 0.016 * n to graph 0.012, broken_at + 0.008 + 0.016 * n nohead lc rgb '#444444' lw 1
    }
}
shown(x) = x > exact ? percent(x) : exact_at
plot points using (front(duration(column('time_p99_ns')))):(shown(column('error_mean'))) with steps ls 103, \
     for [n = 1:ones] points \
         using (mine(word(files, one(n)), duration(column('time_p99_ns')))):(shown(column('error_mean'))) \
         with points ls one(n) ps 1.6 * dot, \
     for [n = 1:others] cells \
         using (asked(word(files, other(n)), duration(column('time_p99_ns')))):(exact_at) \
         with points ls other(n) ps 1.6 * dot
