# Error against time: what nothing else beats. Exact answers, whose error has no place on a
# logarithmic axis, lie on its lower end.
# quantities: distance volume contact depth force
# variants: *, at least 1
# needs: pareto.csv
points = run.'/pareto.csv'
error_name = quantity eq 'contact' ? 'wrong verdicts (% of frames)' : 'mean error (% '.(quantity eq 'distance' ? 'of the size)' : 'of the truth)')
exact = 1e-9
mine(file, x) = strcol('scenario') eq scenario && strcol('quantity') eq quantity && (file eq '' || strcol('file') eq file) ? x : NaN
within(x, otherwise) = x == x ? x : otherwise
inexact(x) = x > exact ? x : NaN
stats points using (within(mine('', duration(column('time_p99_ns'))), 1e9)) nooutput name 'fast'
stats points using (within(mine('', duration(column('time_p99_ns'))), 0)) nooutput name 'slow'
stats points using (within(mine('', inexact(column('error_mean'))), 1e9)) nooutput name 'good'
stats points using (within(mine('', inexact(column('error_mean'))), 0)) nooutput name 'bad'
worst = bad_max > 0 ? percent(bad_max) : 1e-2
floor_at = bad_max > 0 ? below(percent(good_min) / 4) : 1e-3
if (worst > 300 * floor_at) { floor_at = decade(floor_at) } # ticks are at powers of ten then: 'exact', too
shown(x) = x > exact ? percent(x) : floor_at
front(x) = column('on_front') == 1 ? mine('', x) : NaN
stats points using (within(front(1), 0)) nooutput name 'front'

title = scenario.': '.(quantity eq 'contact' ? 'wrong verdicts' : 'mean error of '.quantity).' against time'
# Where nobody errs, one row takes all.
body = bad_max > 0 ? (narrow ? 150 : 300) : narrow ? 85 : 130
keys = 'points'
if (front_sum > 1) { dummy = key('on the front', 'l103') }
load plots.'/frame.gp'

x0 = axis_left
x1 = W - 3 * letter
y0 = axis_below
y1 = body - letter
x_name = 'time per frame, 99th percentile'
y_name = bad_max > 0 ? error_name : ''
mark = ''
load plots.'/panel.gp'
axis = 'x'
lo = fast_min / 1.2
hi = slow_max * 1.2
tick = seconds
room = narrow ? 5 : 9
load plots.'/ticks.gp'
axis = 'y'
lo = floor_at
hi = worst * 1.2
tick = '%g'
room = narrow ? 8 : 12
load plots.'/ticks.gp'
if (bad_max == 0) { set ytics () }
set ytics add ((quantity eq 'contact' ? 'none' : 'exact') floor_at)
if (bad_max == 0) { set yrange [floor_at / 2:floor_at * 2] } else { set yrange [floor_at / 1.3:] }
plot points using (front(duration(column('time_p99_ns')))):(shown(column('error_mean'))) with steps ls 103, \
     for [i = 1:count] points \
         using (mine(word(files, i), duration(column('time_p99_ns')))):(shown(column('error_mean'))) \
         with points ls i ps 1.6 * dot
