# VPS-X5: the time to find the surface voxels with navigation=auto, divided by the time with navigation=first, and also divided
# by the time with navigation=second. x: the number of voxels of the grid. Intervals are over launches. Where neither ratio is
# above 1, the automatic choice is as fast as the better approach.
# quantities: contact
# variants: vps:generator=paper*, at least 2
# draws: work
# needs: build_ratios.csv
ratios = run.'/build_ratios.csv'
pair = scenario
load plots.'/bodies.gp'
names = 'first second'
is(name, word) = word eq 'auto' ? strstrt(name, 'navigation=') == 0 : strstrt(name, 'navigation='.word) > 0
of(n, x) = strcol('role') eq 'fixed' && strcol('measure') eq 'stage_surface_ns' && strcol('body') eq body_a && is(strcol('file'), 'auto') && is(strcol('other_file'), word(names, n)) && x > 0 ? x : NaN
within(x, otherwise) = x == x ? x : otherwise
any(x, otherwise) = within(of(1, x), within(of(2, x), otherwise))
stats ratios using (any(column('voxels_count'), 1e15)) nooutput name 'few'
stats ratios using (any(column('voxels_count'), 1)) nooutput name 'many'
stats ratios using (any(within(column('lo'), column('ratio')), 1)) nooutput name 'least'
stats ratios using (any(within(column('hi'), column('ratio')), 1)) nooutput name 'most'
array there[2]
do for [n = 1:2] {
    stats ratios using (within(of(n, 1), 0)) nooutput name 'one'
    there[n] = one_max
}

title = scenario.': automatic choice of the approach to find surface voxels'
claim = 'paper: wishes for an automatic choice'
body = narrow ? 155 : 260
dummy = key('time of auto / time of the first approach', 'b201')
dummy = key('time of auto / time of the second approach', 'b202')
load plots.'/frame.gp'

x0 = axis_left
x1 = W - 2.5 * letter
y0 = axis_below
y1 = body - letter
x_name = 'voxels of the grid'
y_name = 'ratio of times'
mark = ''
load plots.'/panel.gp'
axis = 'x'
lo = few_min / 1.2
hi = many_max * 1.2
tick = '%.0s%c'
room = narrow ? 5 : 9
load plots.'/ticks.gp'
axis = 'y'
lo = smaller(0.9, least_min / 1.05)
hi = larger(1.1, most_max * 1.05)
tick = '%g'
room = 6
load plots.'/ticks.gp'
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead ls 104 back
plot for [n = 1:2] for [k = 1:there[n]] ratios using (of(n, column('voxels_count'))):(column('ratio')):(within(column('lo'), column('ratio'))):(within(column('hi'), column('ratio'))) with yerrorbars ls 200 + n, \
     for [n = 1:2] for [k = 1:there[n]] ratios using (of(n, column('voxels_count'))):(column('ratio')) smooth unique with lines ls 200 + n
