# Which method for which need: (a) error of a distance against time, with the front of all that took part in the run, and (b) the
# share of frames answered within a time and within 0.1 % of the size. Exact answers lie on the lower end of (a); all other
# settings of the run are grey dots in it.
# quantities: distance
# variants: @(fcl*|pqp*|exact-d*|ist*|pst|pst:start*|pst:rounds=0|pst-e*), at least 1
# needs: pareto.csv
# draws: unjudged
points = run.'/pareto.csv'
profile = run.'/deadline.csv'
exact = 1e-9
here(x) = strcol('scenario') eq scenario && strcol('quantity') eq quantity ? x : NaN
mine(i, x) = strcol('file') eq word(files, i) ? here(x) : NaN
drawn(x) = strstrt(' '.files, ' '.strcol('file').' ') > 0 ? here(x) : NaN
within(x, otherwise) = x == x && x > 0 ? x : otherwise
inexact(x) = x > exact ? x : NaN
stats points using (within(drawn(duration(column('time_p99_ns'))), 1e9)) nooutput name 'fast'
stats points using (within(drawn(duration(column('time_p99_ns'))), 0)) nooutput name 'slow'
stats points using (within(drawn(inexact(column('error_mean'))), 1e9)) nooutput name 'good'
stats points using (within(drawn(inexact(column('error_mean'))), 0)) nooutput name 'bad'
stats points using (within(here(column('on_front')), 0)) nooutput name 'front'
stats profile using (within(drawn(duration(column('time_ns'))), 1e9)) nooutput name 'soonest'
stats profile using (within(drawn(duration(column('time_ns'))), 0)) nooutput name 'latest'
worst = bad_max > 0 ? percent(bad_max) : 1e-2
least = bad_max > 0 ? below(percent(good_min) / 4) : 1e-3
if (worst > 300 * least) { least = decade(least) } # ticks are at powers of ten then: 'exact', too
shown(x) = x > exact ? percent(x) : least
front(x) = column('on_front') == 1 ? here(x) : NaN
array last_time[count]
do for [i = 1:count] {
    stats profile using (within(mine(i, column('time_ns')), 0)) nooutput
    last_time[i] = STATS_max
}

# Exact methods that no second method judged are curves of exact answers, from their frames.
frames(i) = run.'/'.scenario.'/'.word(files, i).'.csv'
array records[count]
do for [i = 1:count] {
    records[i] = 1
    if (!judged(i)) {
        stats frames(i) using (duration(column('time_median_ns'))) nooutput name 'exactly'
        records[i] = exactly_records
        last_time[i] = exactly_max
        soonest_min = smaller(soonest_min, exactly_min)
        latest_max = larger(latest_max, exactly_max)
    }
}

title = scenario.': methods of distance'
body = narrow ? 330 : 260
keys = 'linespoints'
set style line 111 lc rgb '#999999' pt 7 ps 0.8 * dot
undrawn(x) = strstrt(' '.files, ' '.strcol('file').' ') == 0 ? here(x) : NaN
stats points using (within(undrawn(1), 0)) nooutput name 'unnamed'
if (unnamed_sum > 0) { dummy = key('other settings (a)', 'p111') }
if (front_sum > 1) { dummy = key(others > 0 ? 'front of the judged (a)' : 'front of all (a)', 'l103') }
load plots.'/frame.gp'

set multiplot
x0 = axis_left
x1 = narrow ? W - 2 * letter : 0.5 * W - letter
y0 = narrow ? 0.5 * body + axis_below - 0.5 * letter : axis_below
y1 = body - 2.6 * letter
x_name = 'time per frame, 99th percentile'
y_name = 'mean error (% of the size)'
mark = '(a)'
load plots.'/panel.gp'
axis = 'x'
lo = fast_min / 1.2
hi = slow_max * 1.2
tick = seconds
room = narrow ? 7 : 5
load plots.'/ticks.gp'
axis = 'y'
lo = least
hi = worst * 1.2
tick = '%g'
room = narrow ? 7 : 9
load plots.'/ticks.gp'
set ytics add ('exact' least)
set yrange [least / 1.3:]
plot points using (front(duration(column('time_p99_ns')))):(shown(column('error_mean'))) with steps ls 103, \
     for [k = 1:unnamed_sum > 0] points using (unnamed_sum > 0 ? undrawn(duration(column('time_p99_ns'))) : here(duration(column('time_p99_ns')))):(shown(column('error_mean'))) with points ls 111, \
     for [i = 1:count] points \
         using (mine(i, duration(column('time_p99_ns')))):(judged(i) ? shown(column('error_mean')) : least) with points ls i ps 1.6 * dot

unset logscale y
x0 = narrow ? axis_left : 0.5 * W + axis_left
x1 = W - 2 * letter
y0 = axis_below
y1 = (narrow ? 0.5 * body : body) - 2.6 * letter
x_name = 'time per frame'
y_name = narrow ? 'frames (%)' : 'frames within 0.1 % of the size (%)'
mark = '(b)'
load plots.'/panel.gp'
axis = 'x'
lo = soonest_min / 1.2
hi = latest_max * 1.2
tick = seconds
room = narrow ? 7 : 5
load plots.'/ticks.gp'
deadlines_us = '5000 1000 100 20'
do for [i = 1:4] {
    limit = 1e-6 * int(word(deadlines_us, i))
    entry = gprintf(seconds, limit)
    if (limit > lo && limit < hi) {
        set arrow i from limit, graph 0 to limit, graph 1 nohead ls 101
        set label 10 + i entry at limit, graph 1 offset 0, 0.7 center font small_font textcolor rgb '#666666'
    }
}
set yrange [0:102]
set format y '%g'
set ytics autofreq 0, 20, 100
# A marker at each quarter of the frames, and at the end.
last = 0
marked(f, t, i) = f != f ? NaN : (is_next = t == last_time[i] || int(4 * f) > int(4 * last), last = f, is_next ? percent(f) : -1)
plot for [n = 1:ones] profile \
         using (mine(one(n), duration(column('time_ns')))):(percent(column('fraction_within_0_1pct'))) with steps ls one(n), \
     for [n = 1:ones] profile \
         using (mine(one(n), duration(column('time_ns')))):(marked(mine(one(n), column('fraction_within_0_1pct')), column('time_ns'), one(n))) with points ls one(n), \
     for [n = 1:others] frames(other(n)) \
         using (duration(column('time_median_ns'))):(100.0 / records[other(n)]) smooth cumulative with steps ls other(n), \
     for [n = 1:others] '+' using (last_time[other(n)]):(100) every ::0::0 with points ls other(n)
unset multiplot
