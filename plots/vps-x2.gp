# VPS-X2: projections by Karush-Kuhn-Tucker conditions and by Voronoi regions, of flattened spheres NAME/1, NAME/4, ...: (a) their time,
# KKT / Voronoi, with intervals over launches; (b) the largest difference before and after refinement.
# quantities: contact
# variants: vps*, at least 2
# paper: vps-x2
# siblings: 1 4 16 64 256
# draws: work
# needs: build_ratios.csv
builds = run.'/builds.csv'
ratios = run.'/build_ratios.csv'
names = '1 4 16 64 256'
base = scenario[1:strlen(scenario) - strlen(word(names, 1))]
bodies = ''
do for [n = 1:5] {
    pair = base.word(names, n)
    load plots.'/bodies.gp'
    bodies = bodies.body_b.' '
}
place(name, n) = n > 5 ? 0 : name eq word(bodies, n) ? n : place(name, n + 1)
aspect(name) = place(name, 1) > 0 ? real(word(names, place(name, 1))) : NaN
is_kkt(name) = strstrt(name, 'projection=voronoi') == 0
ours(x) = strcol('status') eq 'ok' && strcol('role') eq 'moving' && aspect(strcol('body')) > 0 && strstrt(' '.files, ' '.strcol('file').' ') > 0 && x > 0 ? x : NaN
of(kkt, x) = is_kkt(strcol('file')) == kkt ? ours(x) : NaN
ratio(x) = strcol('role') eq 'moving' && strcol('measure') eq 'stage_project_ns' && aspect(strcol('body')) > 0 && is_kkt(strcol('file')) && x > 0 ? x : NaN
within(x, otherwise) = x == x ? x : otherwise
stats ratios using (within(ratio(within(column('lo'), column('ratio'))), 1)) nooutput name 'least'
stats ratios using (within(ratio(within(column('hi'), column('ratio'))), 1)) nooutput name 'most'
stats builds using (within(ours(column('projection_error_rel')), 1)) nooutput name 'good'
stats builds using (within(ours(column('projection_error_rel')), 1e-16)) nooutput name 'bad'

title = 'projection by KKT and by Voronoi regions, against the aspect of triangles'
body = narrow ? 290 : 240
dummy = key('KKT / Voronoi (a)', 'b201')
dummy = key('KKT (b)', 'b203')
dummy = key('Voronoi (b)', 'b204')
if (of_paper) { dummy = key(sprintf('paper: KKT takes %g %% (a)', percent(paper('X2'))), 'l101') }
load plots.'/frame.gp'

set multiplot
do for [p = 1:2] {
    x0 = p == 1 || narrow ? axis_left : 0.5 * W + axis_left
    x1 = p == 2 || narrow ? W - 2 * letter : 0.5 * W - letter
    y0 = p == 2 || !narrow ? axis_below : 0.5 * body + axis_below - 0.5 * letter
    y1 = p == 2 && narrow ? 0.5 * body - 2 * letter : body - 2 * letter
    x_name = 'flattened to 1 / ...'
    y_name = p == 1 ? 'time, KKT / Voronoi' : 'raw error (longest edge)'
    mark = p == 1 ? '(a)' : '(b)'
    load plots.'/panel.gp'
    axis = 'x'
    lo = 0.8
    hi = 300
    tick = '%g'
    room = narrow ? 7 : 5
    load plots.'/ticks.gp'
    axis = 'y'
    lo = p == 1 ? smaller(of_paper ? paper('X2') / 1.05 : 1, least_min / 1.05) : good_min / 1.5
    hi = p == 1 ? larger(1.1, most_max * 1.05) : bad_max * 1.5
    tick = p == 1 ? '%g' : '%.0te%T'
    room = 6
    load plots.'/ticks.gp'
    if (p == 1) {
        plot ratios using (ratio(aspect(strcol('body')))):(column('ratio')):(within(column('lo'), column('ratio'))):(within(column('hi'), column('ratio'))) with yerrorbars ls 201, \
             ratios using (ratio(aspect(strcol('body')))):(column('ratio')) smooth unique with lines ls 201, \
             for [k = 1:of_paper] paper('X2') with lines ls 101
    } else {
        plot builds using (of(1, aspect(strcol('body')))):(column('projection_error_rel')) smooth unique with linespoints ls 203, \
             builds using (of(0, aspect(strcol('body')))):(column('projection_error_rel')) smooth unique with linespoints ls 204
    }
}
unset multiplot
