# Error against time, with the variants that no other one beats. Exact answers have no place on a
# logarithmic axis, so they have a row of their own below a break of the axis. Exact methods that no
# second method judged are hollow marks there. Where all answers are exact, each variant has its row.
# quantities: distance volume contact depth force
# variants: *, at least 1
# needs: pareto.csv
# draws: unjudged
load plots.'/errors.gp'
points = run.'/pareto.csv'
exact = 1e-9
mine(file, x) = strcol('scenario') eq scenario && strcol('quantity') eq quantity && (file eq '' || strcol('file') eq file) ? x : NaN
within(x, otherwise) = x == x ? x : otherwise
inexact(x) = x > exact ? x : NaN
low(x) = within(column('time_p99_lo_ns'), x) # of the interval, which few launches do not give
high(x) = within(column('time_p99_hi_ns'), x)
stats points using (within(mine('', duration(smaller(column('time_p99_ns'), low(column('time_p99_ns'))))), 1e9)) nooutput name 'fast'
stats points using (within(mine('', duration(larger(column('time_p99_ns'), high(column('time_p99_ns'))))), 0)) nooutput name 'slow'
stats points using (within(mine('', low(0) > 0), 0)) nooutput name 'bars'
stats points using (within(mine('', inexact(column('error_mean'))), 1e9)) nooutput name 'good'
stats points using (within(mine('', inexact(column('error_mean'))), 0)) nooutput name 'bad'
stats points using (within(mine('', column('error_mean') <= exact), 0)) nooutput name 'exactly'
# The front of the judged ones ends where an exact method that is not judged is faster.
front_end = 1e9
do for [n = 1:others] {
    stats points using (within(mine(word(files, other(n)), duration(column('time_p99_ns'))), 1e9)) nooutput
    front_end = smaller(front_end, STATS_min)
}
front(x) = column('on_front') == 1 && duration(column('time_p99_ns')) < front_end ? mine('', x) : NaN
last_time = 0
last_error = 0
note(t, e) = t != t ? 0 : (last_error = t > last_time ? e : last_error, last_time = larger(t, last_time), 1)
stats points using (note(front(duration(column('time_p99_ns'))), column('error_mean'))) nooutput name 'edge'

# The row of exact answers is a seventh of the panel below the least error.
has_errors = bad_max > 0
has_exact = exactly_max > 0 || others > 0
lo_error = has_errors ? error_unit(good_min) : 1e-2
hi_error = has_errors ? error_unit(bad_max) : 1e-2

title = scenario.': '.(quantity eq 'contact' ? 'wrong verdicts' : 'mean '.error_what).' against time'
row_letters = narrow ? 16 : 30
body = has_errors ? (narrow ? 150 : 300) : 2.2 * pitch * count + axis_below + letter
keys = has_errors ? 'points' : ''
if (has_errors) { row_letters = 0 }
if (has_errors && (edge_sum > 1 || (edge_sum > 0 && others > 0))) { dummy = key('on the front', 'l103') }
if (!has_errors) { title = scenario.': time of variants, all '.(quantity eq 'contact' ? 'verdicts right' : 'answers exact') }
if (bars_max > 0) { remark = 'bars: 95 % intervals of the time' }
load plots.'/frame.gp'

x0 = has_errors ? axis_left : 1.5 * letter + row_letters * char * small
x1 = W - 3 * letter
y0 = axis_below
y1 = body - letter
x_name = 'time per frame, 99th percentile'
y_name = !has_errors ? '' : quantity eq 'contact' ? error_name : narrow ? 'mean error ('.error_part.')' : 'mean '.error_name
mark = ''
load plots.'/panel.gp'
axis = 'x'
lo = fast_min / 1.2
hi = slow_max * 1.2
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
    unset logscale y
    load plots.'/rows.gp'
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
shown(x) = x > exact ? error_unit(x) : exact_at
if (others > 0 && edge_sum > 0 && last_error > exact) {
    last_error = shown(last_error)
    set arrow 30 from last_time, last_error to front_end, last_error nohead ls 103 back
    set arrow 31 from front_end, last_error to front_end, exact_at nohead ls 103 back
}
# Without a front its loop is empty, but `plot` evaluates it once and warns if there is no point.
edge(x) = edge_sum > 0 ? front(x) : mine('', x)
height(i, e) = !has_errors ? i : judged(i) ? shown(e) : exact_at
plot for [k = 1:has_errors && edge_sum > 0] points using (edge(duration(column('time_p99_ns')))):(shown(column('error_mean'))) with steps ls 103, \
     for [i = 1:count] points \
         using (mine(word(files, i), duration(column('time_p99_ns')))):(height(i, column('error_mean'))):(duration(low(column('time_p99_ns')))):(duration(high(column('time_p99_ns')))) \
         with xerrorbars ls i pt 0 lw 1 dt solid, \
     for [i = 1:count] points \
         using (mine(word(files, i), duration(column('time_p99_ns')))):(height(i, column('error_mean'))) \
         with points ls i ps 1.6 * sized(i) lw 3
