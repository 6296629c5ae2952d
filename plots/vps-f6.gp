# VPS-F6: number of points against the number of voxels, of the old generator and the new one. The paper: the curves of
# the old "lie always above the solid ones".
# quantities: contact
# variants: vps*, at least 2
# draws: work
# needs: builds.csv
builds = run.'/builds.csv'
pair = scenario
load plots.'/bodies.gp'
claim = 'paper: curves of the old generator lie always above those of the new'
is_old(name) = strstrt(name, 'generator=old') > 0
ours(x) = strcol('status') eq 'ok' && strcol('role') eq 'moving' && strcol('body') eq body_b && strstrt(' '.files, ' '.strcol('file').' ') > 0 && x > 0 ? x : NaN
of(old, x) = is_old(strcol('file')) == old ? ours(x) : NaN
within(x, otherwise) = x == x ? x : otherwise
stats builds using (within(ours(column('voxels_count')), 1e15)) nooutput name 'few'
stats builds using (within(ours(column('voxels_count')), 1)) nooutput name 'many'
stats builds using (within(ours(column('points_count')), 1e15)) nooutput name 'least'
stats builds using (within(ours(column('points_count')), 1)) nooutput name 'most'

shared = '' # the counts do not depend on it
title = scenario.': number of points, old generator and new'
body = narrow ? 155 : 280
dummy = key('old', 'b202')
dummy = key('new', 'b201')
load plots.'/frame.gp'

x0 = axis_left
x1 = W - 2.5 * letter
y0 = axis_below
y1 = body - letter
x_name = 'voxels of the grid'
y_name = 'points'
mark = ''
load plots.'/panel.gp'
axis = 'x'
lo = few_min
hi = many_max
tick = '%.0s%c'
room = narrow ? 5 : 9
load plots.'/ticks.gp'
axis = 'y'
lo = least_min / 1.1
hi = most_max * 1.1
tick = '%.0s%c'
room = 6
load plots.'/ticks.gp'
plot builds using (of(1, column('voxels_count'))):(column('points_count')) smooth unique with linespoints ls 202, \
     builds using (of(0, column('voxels_count'))):(column('points_count')) smooth unique with linespoints ls 201
