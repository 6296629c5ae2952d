# VPS-X4: time of a query against the points that it transforms, warm and with evicted caches, and what 8,000 points in a
# millisecond (the paper) and 50,000 take.
# quantities: contact depth force
# variants: vps*, at least 1
# paper: vps-x4
# draws: work
cells = run.'/cells.csv'
mine(i, x) = strcol('scenario') eq scenario && strcol('file') eq word(files, i) && strcol('status') eq 'ok' && x > 0 ? x : NaN
listed(x, otherwise) = strcol('scenario') eq scenario && strstrt(' '.files, ' '.strcol('file').' ') > 0 && x > 0 ? x : otherwise
stats cells using (listed(column('points_count_mean'), 1e15)) nooutput name 'few'
stats cells using (listed(column('points_count_mean'), 1)) nooutput name 'many'
stats cells using (listed(duration(column('time_mean_ns')), 1e9)) nooutput name 'fast'
stats cells using (listed(duration(column('time_mean_ns')), 0)) nooutput name 'slow'
stats cells using (listed(duration(column('time_evicted_p50_ns')), 0)) nooutput name 'cold'
# Where there are none of evicted caches, the warm ones are drawn twice.
cold = cold_max > 0 ? 'time_evicted_p50_ns' : 'time_mean_ns'
rate(points, per_ms) = 1e-3 * points / per_ms
few_points = below(few_min / 1.2)
many_points = above(many_max * 1.2)
fastest = smaller(fast_min, rate(few_points, 5e4))
slowest = larger(larger(slow_max, cold_max), rate(many_points, of_paper ? paper('X4a') : 5e4))

title = scenario.': time against points'
body = narrow ? 155 : 300
keys = 'points'
if (cold_max > 0) { dummy = key('caches evicted', 'p207') }
dummy = key('50,000 points in 1 ms', 'l104')
if (of_paper) { dummy = key(sprintf('paper: about %g points in 1 ms', paper('X4a')), 'l101') }
load plots.'/frame.gp'

x0 = axis_left
x1 = W - 2.5 * letter
y0 = axis_below
y1 = body - letter
x_name = 'points transformed per query'
y_name = 'time'
mark = ''
load plots.'/panel.gp'
axis = 'x'
lo = few_points
hi = many_points
tick = '%.0s%c'
room = narrow ? 5 : 9
load plots.'/ticks.gp'
axis = 'y'
lo = fastest
hi = slowest
tick = seconds
room = 6
load plots.'/ticks.gp'
set samples 2
plot rate(x, 5e4) with lines ls 104, \
     for [k = 1:of_paper] rate(x, paper('X4a')) with lines ls 101, \
     for [i = 1:count] cells using (mine(i, column('points_count_mean'))):(duration(column(cold))) with points ls cold_max > 0 ? 207 : i, \
     for [i = 1:count] cells using (mine(i, column('points_count_mean'))):(duration(column('time_mean_ns'))) with points ls i
