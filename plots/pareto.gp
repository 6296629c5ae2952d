# Error against time, with the variants that no other one beats. Exact answers have no place on a logarithmic axis, so they have a row
# of their own below a break of the axis. Exact methods that no second method judged are hollow marks there. Where all answers are
# exact, each variant has its row.
# figure: pareto
# quantities: distance volume contact depth force
# variants: *, at least 1
# needs: pareto.csv
# draws: unjudged
load plots.'/errors.gp'
exact = 1e-9
at_quantity(x) = strcol('quantity') eq quantity ? here(x) : NaN
point_of(i, x) = at_quantity(mine(i, x))
inexact(x) = x > exact ? x : NaN
low(x) = or(column('time_p99_lo_ns'), x) # of the interval, which few launches do not give
high(x) = or(column('time_p99_hi_ns'), x)
stats table('pareto') using (or(at_quantity(inexact(column('error_mean'))), 1e9)) nooutput name 'good'
stats table('pareto') using (or(at_quantity(inexact(column('error_mean'))), 0)) nooutput name 'bad'
stats table('pareto') using (or(at_quantity(column('error_mean') <= exact), 0)) nooutput name 'exactly'
has_errors = bad_max > 0
has_exact = exactly_max > 0 || others > 0

# The front of the judged ones ends where an exact method that is not judged is faster.
front_end = 1e9
do for [n = 1:others] {
    stats table('pareto') using (or(point_of(other(n), spent('time_p99_ns')), 1e9)) nooutput
    front_end = smaller(front_end, STATS_min)
}
front(x) = column('on_front') == 1 && spent('time_p99_ns') < front_end ? at_quantity(x) : NaN
last_time = 0
last_error = 0
note(t, e) = t != t ? 0 : (last_error = t > last_time ? e : last_error, last_time = larger(t, last_time), 1)
stats table('pareto') using (note(front(spent('time_p99_ns')), column('error_mean'))) nooutput name 'edge'

title = has_errors ? scenario.': '.(quantity eq 'contact' ? 'wrong verdicts' : 'mean '.error_what).' against time' : \
                     scenario.': time of variants, all '.(quantity eq 'contact' ? 'verdicts right' : 'answers exact')
keys = has_errors ? 'points' : ''
if (has_errors && (edge_sum > 1 || (edge_sum > 0 && others > 0))) { dummy = key('on the front', 'l103') }
eval found("table('pareto')", 'at_quantity(low(0))')
if (found_max > 0) { remark = 'bars: 95 % intervals of the time' }

# The row of exact answers is a seventh of the panel below the least error, and the axis is broken by two strokes between them.
least = has_errors ? below(error_unit(good_min) / 1.1) : 1
largest = has_errors ? above(error_unit(bad_max) * 1.1) : 1
least = largest < 3.9 * least ? below(least / 1.9) : least
largest = largest < 3.9 * least ? above(largest * 1.9) : largest
exact_at = least / (largest / least)**0.14
shown(x) = x > exact ? error_unit(x) : exact_at
height(i, e) = !has_errors ? i : judged(i) ? shown(e) : exact_at
if (has_errors && has_exact) {
    bottom = exact_at / (largest / least)**0.07
    broken_at = log(least / bottom) / log(largest / bottom) * 0.8
    before = "set ytics add ((quantity eq 'contact' ? 'none' : 'exact') exact_at); set yrange [bottom:largest]; \
        do for [n = 0:1] { set arrow 20 + n from graph -0.012, broken_at - 0.008 + 0.016 * n to graph 0.012, broken_at + 0.008 + 0.016 * n \
        nohead lc rgb '#444444' lw 1 }; "
}
if (has_errors) { y_ends = sprintf('%.9e %.9e', least, largest) }
if (others > 0 && edge_sum > 0 && last_error > exact) {
    before = before."set arrow 30 from last_time, shown(last_error) to front_end, shown(last_error) nohead ls 103 back; \
        set arrow 31 from front_end, shown(last_error) to front_end, exact_at nohead ls 103 back"
}
points = "for [i = 1:count] table('pareto') using (point_of(i, spent('time_p99_ns'))):(height(i, column('error_mean'))):\
        (duration(low(column('time_p99_ns')))):(duration(high(column('time_p99_ns')))) with xerrorbars ls i pt 0 lw 1 dt solid, \
    for [i = 1:count] table('pareto') using (point_of(i, spent('time_p99_ns'))):(height(i, column('error_mean'))) with points ls i ps 1.6 * sized(i) lw 3"
if (has_errors && edge_sum > 0) { points = "table('pareto') using (front(spent('time_p99_ns'))):(shown(column('error_mean'))) with steps ls 103, ".points }
y_name = !has_errors ? '' : quantity eq 'contact' ? error_name : narrow ? 'mean error ('.error_part.')' : 'mean '.error_name
y_kind = has_errors ? 'log' : 'rows'
call panel 'time per frame, 99th percentile' 'time' y_name y_kind points
