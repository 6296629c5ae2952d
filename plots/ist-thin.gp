# IST-thin: for which bodies inner spheres give good volumes. In each scenario, a body is tested
# against a copy of itself. A point is drawn for each scenario and variant. y: the error of the volume. x: the
# number of spheres in the body; thin bodies have few. All variants use the number of the variant with
# radius=shares, or of the first variant, so that the points of a body are above each other. A line marks the
# body of the picture's own scenario. A body with a single sphere is left out.
# quantities: volume
# variants: @(ist*|bounds-budget*), at least 2
cells = run.'/cells.csv'
counted = word(files, 1)
do for [i = 1:count] { if (strstrt(word(files, i), 'radius=shares') > 0) { counted = word(files, i) } }
spheres = ' '
remember(name, n) = (spheres = int(n) > 1 ? spheres.name.' '.n.' ' : spheres, 1)
stats cells using (strcol('file') eq counted && strcol('status') eq 'ok' ? remember(strcol('scenario'), strcol('primitives_a_count')) : 0) nooutput
place(name) = strstrt(spheres, ' '.name.' ')
spheres_of(name) = place(name) > 0 ? real(word(spheres[place(name) + 1:*], 2)) : NaN
one_of_ours(x) = strcol('status') eq 'ok' && strstrt(' '.files.' ', ' '.strcol('file').' ') > 0 && place(strcol('scenario')) > 0 && x > 0 ? x : NaN
ours(file, x) = strcol('file') eq file ? one_of_ours(x) : NaN
within(x, otherwise) = x == x ? x : otherwise
few = 1e15
many = 1
do for [n = 2:words(spheres):2] {
    few = smaller(few, real(word(spheres, n)))
    many = larger(many, real(word(spheres, n)))
}
mean = 'volume_error_rel_mean'
most = 'volume_error_rel_max'
stats cells using (within(one_of_ours(percent(column(mean))), 1e9)) nooutput name 'good'
stats cells using (within(one_of_ours(percent(column(mean))), 0)) nooutput name 'bad'
stats cells using (within(one_of_ours(percent(column(most))), 1e9)) nooutput name 'best'
stats cells using (within(one_of_ours(percent(column(most))), 0)) nooutput name 'worst'
own = spheres_of(scenario)

title = 'volume of bodies that few or many spheres fit into; the line: '.scenario
body = narrow ? 290 : 260
keys = 'points'
load plots.'/frame.gp'

set multiplot
x_name = 'spheres in a body'
do for [panel = 1:2] {
    x0 = panel == 1 || narrow ? axis_left : 0.5 * W + axis_left
    x1 = panel == 2 || narrow ? W - 2 * letter : 0.5 * W - letter
    y0 = panel == 2 || !narrow ? axis_below : 0.5 * body + axis_below - 0.5 * letter
    y1 = panel == 2 && narrow ? 0.5 * body - 2 * letter : body - 2 * letter
    y_name = panel == 1 ? 'mean error (% of truth)' : 'largest error (% of truth)'
    mark = panel == 1 ? '(a)' : '(b)'
    drawn = panel == 1 ? mean : most
    load plots.'/panel.gp'
    axis = 'x'
    lo = few / 1.2
    hi = many * 1.2
    tick = '%.0s%c'
    room = narrow ? 7 : 4
    load plots.'/ticks.gp'
    axis = 'y'
    lo = larger(1e-6, panel == 1 ? good_min : best_min) / 1.1
    hi = (panel == 1 ? bad_max : worst_max) * 1.1
    tick = '%g'
    room = 6
    load plots.'/ticks.gp'
    if (own == own) { set arrow 1 from own, graph 0 to own, graph 1 nohead ls 104 back }
    plot for [i = 1:count] cells using (spheres_of(strcol('scenario'))):(ours(word(files, i), percent(column(drawn)))) with points ls i
}
unset multiplot
