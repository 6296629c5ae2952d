# IST-A6: one traversal for distance and volume, or one for each: sphere tests (the same on every machine)
# and time of each frame. The paper: the unified one "does not have to visit them again". Drawn for
# the run's first variant, from the scenarios NAME/distance, NAME/volume and NAME/unified.
# quantities: distance
# variants: ist*, at least 1
# siblings: distance volume unified
# draws: work
queries = 'distance volume unified'
base = scenario[1:strlen(scenario) - strlen('/distance')]
file(i) = run.'/'.base.'/'.word(queries, i).'/'.word(files, 1).'.csv'
fastest = 1e9
slowest = 1e-9
last_frame = 1
tests = 1
few = 1e15
do for [i = 1:3] {
    stats file(i) using (column('bv_tests_count')):(duration(column('time_median_ns'))) nooutput name 'one'
    fastest = smaller(fastest, one_min_y)
    slowest = larger(slowest, one_max_y)
    tests = larger(tests, one_max_x)
    few = smaller(few, larger(one_min_x, 1))
    stats file(i) using (column('frame')) nooutput name 'one'
    last_frame = larger(last_frame, one_max)
}
title = base.': '.label(1).', asked for distance, for volume, for both'
claim = 'paper: a unified query visits nothing twice'
body = narrow ? 230 : 380
do for [i = 1:3] { dummy = key(word(queries, i), sprintf('l%d', 200 + i)) }
load plots.'/frame.gp'

set multiplot
x0 = axis_left
x1 = W - 2 * letter
y0 = 0.5 * body + 0.5 * letter
y1 = body - 2 * letter
x_name = ''
y_name = 'sphere tests'
mark = '(a)'
load plots.'/panel.gp'
set xrange [0:last_frame]
set xtics 0, step(last_frame, narrow ? 5 : 9)
set format x ''
axis = 'y'
lo = few
hi = larger(tests, few)
tick = '%.0s%c'
room = 6
load plots.'/ticks.gp'
plot for [i = 1:3] file(i) using (column('frame')):(column('bv_tests_count')) with lines ls 200 + i

y0 = axis_below
y1 = 0.5 * body - 2 * letter
x_name = 'frame'
y_name = 'time'
mark = '(b)'
load plots.'/panel.gp'
set format x
lo = larger(fastest, 1e-9)
hi = slowest
tick = seconds
load plots.'/ticks.gp'
plot for [i = 1:3] file(i) using (column('frame')):(duration(column('time_median_ns'))) with lines ls 200 + i
unset multiplot
