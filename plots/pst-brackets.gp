# Brackets of distances: their median width against the 99th percentile of the error. On the line a bracket is twice as wide as
# the error that it has to hold. Those of exact answers are rounding, and are left out.
# quantities: distance
# variants: @(pst|pst:*), at least 1
# needs: cells.csv
cells = run.'/cells.csv'
exact = 1e-9 # percent: rounding
told(x) = column('distance_bracket_width_size_p50') == column('distance_bracket_width_size_p50') && strcol('distance_bracket_width_size_p50') ne '' ? x : NaN
mine(i, x) = strcol('scenario') eq scenario && strcol('file') eq word(files, i) && strcol('status') eq 'ok' ? told(x) : NaN
listed(x, otherwise) = strcol('scenario') eq scenario && strstrt(' '.files, ' '.strcol('file').' ') > 0 && strcol('distance_bracket_width_size_p50') ne '' && x > exact ? x : otherwise
stats cells using (listed(percent(column('distance_error_size_p99')), 1e9)) nooutput name 'good'
stats cells using (listed(percent(column('distance_error_size_p99')), 0)) nooutput name 'bad'
stats cells using (listed(percent(column('distance_bracket_width_size_p50')), 1e9)) nooutput name 'narrowest'
stats cells using (listed(percent(column('distance_bracket_width_size_p50')), 0)) nooutput name 'widest'
without_error(x) = listed(1, 0) == 1 && x <= exact ? 1 : 0
stats cells using (without_error(percent(column('distance_error_size_p99')))) nooutput name 'without'
# Those without an error have no place on a logarithmic axis: they are drawn at its lower end.
least = bad_max > 0 ? below(good_min / 2) : 1e-6
lowest = widest_max > 0 ? below(narrowest_min / 2) : 1e-6
from(x, end) = x != x ? NaN : x > exact ? x : end

title = scenario.': brackets of the distance'
body = narrow ? 155 : 280
keys = 'points'
dummy = key('twice the error', 'l101')
load plots.'/frame.gp'

x0 = axis_left
x1 = W - 2.5 * letter
y0 = axis_below
y1 = body - letter
x_name = 'error, 99th percentile (% of the size)'
y_name = narrow ? 'median width (%)' : 'median width of the bracket (% of the size)'
mark = ''
load plots.'/panel.gp'
axis = 'x'
lo = least
hi = larger(bad_max, 2 * least) * 1.2
tick = '%g'
room = narrow ? 4 : 7
load plots.'/ticks.gp'
if (without_max > 0) { set xtics add ('exact' least) }
axis = 'y'
lo = lowest
hi = larger(widest_max, 2 * lowest) * 1.2
tick = '%g'
room = 7
load plots.'/ticks.gp'
set samples 200
plot 2 * x with lines ls 101, \
     for [i = 1:count] cells using (from(mine(i, percent(column('distance_error_size_p99'))), least)):(from(mine(i, percent(column('distance_bracket_width_size_p50'))), lowest)) with points ls i ps 1.6 * dot
