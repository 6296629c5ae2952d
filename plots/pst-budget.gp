# PST, interruptible traversal: (a) width of the bracket of the distance and the error against the mean time, of budgets of
# lookups and of deadlines; (b) the most lookups of a frame against the budget: none is above the line.
# quantities: distance
# variants: @(pst:budget=+([0-9])|pst|pst:deadline-us=*), at least 2
# needs: cells.csv
cells = run.'/cells.csv'
ours(kind, x) = strcol('scenario') eq scenario && strcol('status') eq 'ok' && strstrt(' '.files, ' '.strcol('file').' ') > 0 && (strstrt(strcol('file'), 'deadline-us=') > 0) == kind ? x : NaN
any(x, otherwise) = strcol('scenario') eq scenario && strstrt(' '.files, ' '.strcol('file').' ') > 0 && x > 0 ? x : otherwise
stats cells using (any(duration(column('time_mean_ns')), 1e9)) nooutput name 'fast'
stats cells using (any(duration(column('time_mean_ns')), 0)) nooutput name 'slow'
stats cells using (any(percent(column('distance_bracket_width_size_p50')), 1e9)) nooutput name 'thin'
stats cells using (any(percent(column('distance_bracket_width_size_p50')), 0)) nooutput name 'wide'
stats cells using (any(percent(column('distance_error_size_mean')), 1e9)) nooutput name 'good'
stats cells using (any(percent(column('distance_error_size_mean')), 0)) nooutput name 'bad'
budget_of(name) = strstrt(name, 'budget=') > 0 ? real(name[strstrt(name, 'budget=') + 7:*]) : 0
# The most of any frame, from the frames; of arrays, too, the first row is taken for a header.
array budgets[count + 1]
array lookups[count + 1]
limited = 0
fewest = 1e15
greatest = 1
do for [i = 1:count] {
    f = word(files, i)
    budgets[i + 1] = budget_of(f) > 0 ? budget_of(f) : NaN
    lookups[i + 1] = NaN
    if (budgets[i + 1] == budgets[i + 1]) {
        stats run.'/'.scenario.'/'.f.'.csv' using (column('bv_tests_count') + column('points_count')) nooutput
        lookups[i + 1] = larger(STATS_max, 1)
        limited = limited + 1
        fewest = smaller(fewest, smaller(budgets[i + 1], lookups[i + 1]))
        greatest = larger(greatest, budgets[i + 1])
    }
}
least = smaller(thin_min, good_min)
most = larger(wide_max, bad_max)

title = scenario.': distance within a budget'
body = narrow ? 310 : 250
dummy = key('budget of lookups: median width (a)', 'b201')
dummy = key('budget of lookups: mean error (a)', 'b202')
dummy = key('deadline: median width (a)', 'b203')
dummy = key('deadline: mean error (a)', 'b204')
dummy = key('most lookups of a frame (b)', 'p205')
dummy = key('the budget (b)', 'l101')
load plots.'/frame.gp'

set multiplot
x0 = axis_left
x1 = narrow ? W - 2 * letter : 0.5 * W - letter
y0 = narrow ? 0.5 * body + axis_below - 0.5 * letter : axis_below
y1 = body - 2 * letter
x_name = 'mean time'
y_name = '% of the size'
mark = '(a)'
load plots.'/panel.gp'
axis = 'x'
lo = fast_min / 1.1
hi = slow_max * 1.1
tick = seconds
room = narrow ? 7 : 5
load plots.'/ticks.gp'
axis = 'y'
lo = least > 1e8 ? 1e-3 : larger(1e-9, least / 1.1)
hi = larger(most * 1.1, 2 * lo)
tick = '%g'
room = 6
load plots.'/ticks.gp'
plot cells using (ours(0, duration(column('time_mean_ns')))):(ours(0, percent(column('distance_bracket_width_size_p50')))) smooth unique with linespoints ls 201, \
     cells using (ours(0, duration(column('time_mean_ns')))):(ours(0, percent(column('distance_error_size_mean')))) smooth unique with linespoints ls 202, \
     cells using (ours(1, duration(column('time_mean_ns')))):(ours(1, percent(column('distance_bracket_width_size_p50')))) smooth unique with linespoints ls 203, \
     cells using (ours(1, duration(column('time_mean_ns')))):(ours(1, percent(column('distance_error_size_mean')))) smooth unique with linespoints ls 204

x0 = narrow ? axis_left : 0.5 * W + axis_left
x1 = W - 2 * letter
y0 = axis_below
y1 = narrow ? 0.5 * body - 2 * letter : body - 2 * letter
x_name = 'budget (lookups)'
y_name = narrow ? 'most lookups' : 'most lookups of a frame'
mark = '(b)'
load plots.'/panel.gp'
if (limited == 0) {
    fewest = 1
    greatest = 1000
}
axis = 'x'
lo = smaller(fewest, greatest) / 1.5
hi = greatest * 1.5
tick = '%.0s%c'
room = narrow ? 7 : 5
load plots.'/ticks.gp'
axis = 'y'
lo = smaller(fewest, greatest) / 1.5
hi = greatest * 1.5
room = 6
load plots.'/ticks.gp'
set samples 50 # a line of two ends that both lie on corners would be left out
plot x with lines ls 101, \
     lookups using (budgets[$1]):(lookups[$1]) with points ls 205
unset multiplot
