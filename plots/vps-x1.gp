# VPS-X1: time of the surface voxels by each navigation against the number of voxels. The paper: the second approach is the
# faster one only beyond 1.98e8 voxels (artificial model), 6.1e7 (brake) and 4.66e7 (car).
# quantities: contact
# variants: vps:generator=paper*, at least 2
# paper: vps-x1
# draws: work
# needs: builds.csv
builds = run.'/builds.csv'
pair = scenario
load plots.'/bodies.gp'
names = 'first second auto box'
is(name, word) = word eq 'auto' ? strstrt(name, 'navigation=') == 0 : strstrt(name, 'navigation='.word) > 0
ours(x) = strcol('status') eq 'ok' && strcol('role') eq 'fixed' && strcol('body') eq body_a && strstrt(' '.files, ' '.strcol('file').' ') > 0 && x > 0 ? x : NaN
of(n, x) = is(strcol('file'), word(names, n)) ? ours(x) : NaN
within(x, otherwise) = x == x ? x : otherwise
claim_of = scenario eq 'artificial' ? 'X1a' : scenario eq 'brake' ? 'X1b' : scenario eq 'car' ? 'X1c' : ''
crossover = of_paper && claim_of ne '' ? paper(claim_of) : 0
stats builds using (within(ours(column('voxels_count')), 1e15)) nooutput name 'few'
stats builds using (within(ours(column('voxels_count')), 1)) nooutput name 'many'
stats builds using (within(ours(duration(column('stage_surface_ns'))), 1e9)) nooutput name 'fast'
stats builds using (within(ours(duration(column('stage_surface_ns'))), 0)) nooutput name 'slow'
array there[4]
do for [n = 1:4] {
    stats builds using (within(of(n, 1), 0)) nooutput name 'one'
    there[n] = one_max
    if (there[n]) { dummy = key(word('"first approach" "second approach" auto "the whole box"', n), sprintf('b%d', 200 + n)) }
}

title = scenario.': time of the surface voxels, by navigation'
claim = 'paper: the second approach "turns out to be faster only from certain high resolutions on"'
body = narrow ? 155 : 280
if (crossover > 0) { dummy = key(sprintf('paper: from %g voxels on the second approach is faster', crossover), 'l101') }
load plots.'/frame.gp'

x0 = axis_left
x1 = W - 2.5 * letter
y0 = axis_below
y1 = body - letter
x_name = 'voxels of the grid'
y_name = 'time'
mark = ''
load plots.'/panel.gp'
axis = 'x'
lo = few_min
hi = larger(many_max, crossover)
tick = '%.0s%c'
room = narrow ? 5 : 9
load plots.'/ticks.gp'
axis = 'y'
lo = fast_min / 1.2
hi = slow_max * 1.2
tick = seconds
room = 6
load plots.'/ticks.gp'
if (crossover > 0) { set arrow 1 from crossover, graph 0 to crossover, graph 1 nohead ls 101 }
plot for [n = 1:4] for [k = 1:there[n]] builds using (of(n, column('voxels_count'))):(duration(column('stage_surface_ns'))) smooth unique with linespoints ls 200 + n
