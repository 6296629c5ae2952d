# Shared by IST-F7 (distance) and IST-F8 (volume): (a) time and (b) error against the number of
# spheres, of inner sphere trees that differ in nothing else. Set before: by_volume, and the numbers
# of the paper on its own scene: paper_scene, paper_mean_s, paper_max_s, paper_error.
cells = run.'/cells.csv'
ours(x) = strcol('scenario') eq scenario && strcol('status') eq 'ok' && strstrt(' '.files, ' '.strcol('file').' ') > 0 ? x : NaN
within(x, otherwise) = x == x ? x : otherwise
error = by_volume ? 'volume_error_rel' : 'distance_error_size'
# Times of the exact methods that took part in the same run; FCL's RSS trees stand for PQP.
exact_files = by_volume ? 'exact-volume exact-tetra' : 'exact-distance fcl_bv=rss'
exact_names = by_volume ? '"exact, flux: mean (a)" "exact, tetrahedra: mean (a)"' : '"exact distance: mean (a)" "FCL, RSS trees: mean (a)"'
exact(i, x) = strcol('scenario') eq scenario && strcol('status') eq 'ok' && strcol('file') eq word(exact_files, i) ? x : 0
array exact_mean[2]
do for [i = 1:2] {
    stats cells using (exact(i, duration(column('time_mean_ns')))) nooutput
    exact_mean[i] = STATS_max
}
stats cells using (within(ours(column('primitives_a_count')), 1e15)) nooutput name 'few'
stats cells using (within(ours(column('primitives_a_count')), 0)) nooutput name 'many'
stats cells using (within(ours(duration(column('time_mean_ns'))), 1e9)) nooutput name 'fast'
stats cells using (within(ours(duration(column('time_intrinsic_max_ns'))), 0)) nooutput name 'slow'
stats cells using (within(ours(duration(column('time_evicted_p50_ns'))), 0)) nooutput name 'cold'
stats cells using (within(ours(percent(column(error.'_mean'))), 1e9)) nooutput name 'good'
stats cells using (within(ours(percent(column(error.'_max'))), 0)) nooutput name 'bad'
stats cells using (by_volume ? 0 : within(ours(percent(column('distance_error_rel_mean'))), 0)) nooutput name 'far'
# Where there is nothing of these, the curve of means is drawn again.
cold = cold_max > 0 ? 'time_evicted_p50_ns' : 'time_mean_ns'
far = far_max > 0 ? 'distance_error_rel_mean' : error.'_mean'
fastest = fast_min
slowest = larger(slow_max, cold_max)
do for [i = 1:2] {
    fastest = exact_mean[i] > 0 ? smaller(fastest, exact_mean[i]) : fastest
    slowest = larger(slowest, exact_mean[i])
}
best = good_min
worst = bad_max
worst = larger(worst, far_max)
if (of_paper) {
    fastest = smaller(fastest, paper_mean_s)
    slowest = larger(slowest, paper_max_s)
    best = smaller(best, percent(paper_error))
    worst = larger(worst, percent(paper_error))
}
best = larger(best, 1e-6)

title = scenario.': '.quantity.', inner sphere trees by their number of spheres'
body = narrow ? 290 : 240
dummy = key('mean', 'b201')
dummy = key('maximum; of time, of the best of each frame', 'b202')
if (cold_max > 0) { dummy = key('median, caches evicted (a)', 'b203') }
if (far_max > 0) { dummy = key('mean, of the truth (b)', 'b204') }
do for [i = 1:2] {
    if (exact_mean[i] > 0) { dummy = key(word(exact_names, i), i == 1 ? 'l205' : 'l206') }
}
if (of_paper) {
    dummy = key(sprintf('paper, %s: mean %g ms (a), error %g %% (b)', paper_scene, 1e3 * paper_mean_s, percent(paper_error)), 'l101')
    dummy = key(sprintf('paper, %s: %s %g ms (a)', paper_scene, by_volume ? 'never above' : 'maximum', 1e3 * paper_max_s), 'l102')
}
load plots.'/frame.gp'

set multiplot
x0 = axis_left
x1 = narrow ? W - 2 * letter : 0.5 * W - letter
y0 = narrow ? 0.5 * body + axis_below - 0.5 * letter : axis_below
y1 = body - 2 * letter
x_name = 'spheres (fixed body)'
y_name = 'time per frame'
mark = '(a)'
load plots.'/panel.gp'
axis = 'x'
lo = few_min
hi = many_max
tick = '%.0s%c'
room = narrow ? 7 : 4
load plots.'/ticks.gp'
axis = 'y'
lo = fastest / 1.1
hi = slowest * 1.1
tick = seconds
room = 6
load plots.'/ticks.gp'
plot cells using (ours(column('primitives_a_count'))):(ours(duration(column('time_mean_ns')))) smooth unique with linespoints ls 201, \
     cells using (ours(column('primitives_a_count'))):(ours(duration(column('time_intrinsic_max_ns')))) smooth unique with linespoints ls 202, \
     cells using (ours(column('primitives_a_count'))):(ours(duration(column(cold)))) smooth unique with linespoints ls cold_max > 0 ? 203 : 201, \
     for [k = 1:exact_mean[1] > 0] exact_mean[1] with lines ls 205, \
     for [k = 1:exact_mean[2] > 0] exact_mean[2] with lines ls 206, \
     for [k = 1:of_paper] paper_mean_s with lines ls 101, \
     for [k = 1:of_paper] paper_max_s with lines ls 102

x0 = narrow ? axis_left : 0.5 * W + axis_left
x1 = W - 2 * letter
y0 = axis_below
y1 = narrow ? 0.5 * body - 2 * letter : body - 2 * letter
y_name = by_volume ? 'error (% of truth)' : 'error (% of size)'
mark = '(b)'
load plots.'/panel.gp'
axis = 'y'
lo = best / 1.1
hi = worst * 1.1
tick = '%g'
room = 6
load plots.'/ticks.gp'
plot cells using (ours(column('primitives_a_count'))):(ours(percent(column(error.'_mean')))) smooth unique with linespoints ls 201, \
     cells using (ours(column('primitives_a_count'))):(ours(percent(column(error.'_max')))) smooth unique with linespoints ls 202, \
     cells using (ours(column('primitives_a_count'))):(ours(percent(column(far)))) smooth unique with linespoints ls far_max > 0 ? 204 : 201, \
     for [k = 1:of_paper] percent(paper_error) with lines ls 101
unset multiplot
