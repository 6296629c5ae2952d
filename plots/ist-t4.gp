# IST-T4: mean time against the number of triangles, of scenarios NAME/20k, NAME/50k, ..., in which spheres are
# as many. The paper: the time of a query is independent of the geometry's complexity.
# quantities: distance volume
# variants: *, at least 1
# siblings: 20k 50k 100k 200k
cells = run.'/cells.csv'
base = scenario[1:strlen(scenario) - strlen('/20k')]
ours = strlen(base) + 2
triangles(name) = name[1:ours - 1] eq base.'/' ? 1e3 * int(name[ours:strlen(name) - 1]) : NaN
mine(i, x) = strcol('status') eq 'ok' && triangles(strcol('scenario')) > 0 && strcol('file') eq word(files, i) ? x : NaN
within(x, otherwise) = x == x ? x : otherwise
stats cells using (within(triangles(strcol('scenario')), 0)) nooutput
most = STATS_max
fastest = 1e9
slowest = 1e-9
do for [i = 1:count] {
    stats cells using (within(mine(i, duration(column('time_mean_ns'))), 1e9)) nooutput name 'one'
    fastest = smaller(fastest, one_min)
    stats cells using (within(mine(i, duration(column('time_mean_ns'))), 0)) nooutput name 'one'
    slowest = larger(slowest, one_max)
}

title = base.': '.quantity.', time against triangles at one number of spheres'
claim = 'paper: spheres take as long whatever the number of triangles'
body = narrow ? 155 : 280
keys = 'linespoints'
load plots.'/frame.gp'

x0 = axis_left
x1 = W - 2.5 * letter
y0 = axis_below
y1 = body - letter
x_name = 'triangles of both bodies'
y_name = 'mean time'
mark = ''
load plots.'/panel.gp'
axis = 'x'
lo = 18e3
hi = most * 1.1
tick = '%.0s%c'
room = narrow ? 7 : 9
load plots.'/ticks.gp'
axis = 'y'
lo = fastest / 1.2
hi = slowest * 1.2
tick = seconds
room = 6
load plots.'/ticks.gp'
plot for [i = 1:count] cells \
         using (triangles(strcol('scenario'))):(mine(i, duration(column('time_mean_ns')))) \
         smooth unique with linespoints ls i
