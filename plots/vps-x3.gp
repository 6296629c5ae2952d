# VPS-X3: the share of points on boundaries of triangles that the second phase takes, of all models.
# quantities: contact
# variants: vps*, at least 2
# paper: vps-x3
# siblings: artificial brake car coral
# draws: work
# needs: builds.csv
builds = run.'/builds.csv'
names = 'artificial brake car coral'
base = scenario[1:strlen(scenario) - strlen(word(names, 1))]
bodies = ''
do for [n = 1:4] {
    pair = base.word(names, n)
    load plots.'/bodies.gp'
    bodies = bodies.body_b.' '
}
ours(x) = strcol('status') eq 'ok' && strcol('role') eq 'moving' && strstrt(' '.files, ' '.strcol('file').' ') > 0 && x > 0 ? x : NaN
of(n, x) = strcol('body') eq word(bodies, n) ? ours(x) : NaN
any(x, otherwise) = ours(x) > 0 ? x : otherwise
stats builds using (any(column('points_count'), 1e15)) nooutput name 'few'
stats builds using (any(column('points_count'), 1)) nooutput name 'many'
stats builds using (any(percent(column('recovered_share')), 100)) nooutput name 'least'
stats builds using (any(percent(column('recovered_share')), 0)) nooutput name 'most'

title = 'boundary points recovered in the second phase'
body = narrow ? 155 : 280
do for [n = 1:4] { dummy = key(word(names, n), sprintf('b%d', 200 + n)) }
if (of_paper) { dummy = key(sprintf('paper: %g to %g %%', percent(paper('X3a')), percent(paper('X3b'))), 'l101') }
load plots.'/frame.gp'

x0 = axis_left
x1 = W - 2.5 * letter
y0 = axis_below
y1 = body - letter
x_name = 'points'
y_name = 'recovered (%)'
mark = ''
load plots.'/panel.gp'
axis = 'x'
lo = few_min
hi = many_max
tick = '%.0s%c'
room = narrow ? 5 : 9
load plots.'/ticks.gp'
axis = 'y'
lo = smaller(of_paper ? percent(paper('X3a')) : 100, least_min) / 1.1
hi = larger(of_paper ? percent(paper('X3b')) : 0.001, most_max) * 1.1
tick = '%g'
room = 6
load plots.'/ticks.gp'
plot for [n = 1:4] builds using (of(n, column('points_count'))):(percent(column('recovered_share'))) smooth unique with linespoints ls 200 + n, \
     for [k = 1:of_paper] percent(paper('X3a')) with lines ls 101, \
     for [k = 1:of_paper] percent(paper('X3b')) with lines ls 101
