# VPS-F7: time of the old generator / time of the new one, with intervals over launches: (a) surface voxels against the
# number of voxels, (b) points against the number of points. The paper: 2 to 52 and 1.8 to 19; its table's examples by
# their letters.
# quantities: contact
# variants: vps*, at least 2
# draws: work
# needs: build_ratios.csv
# paper: vps-t1-a vps-t1-b vps-t1-c vps-t1-d vps-t1-e
ratios = run.'/build_ratios.csv'
pair = scenario
load plots.'/bodies.gp'
new_names = 'paper ours'
is(name, word) = word eq 'ours' ? strstrt(name, 'generator=') == 0 : strstrt(name, 'generator='.word) > 0
ours(role, measure) = strcol('role') eq role && strcol('parameter') eq 'generator' && strcol('measure') eq measure && strcol('body') eq (role eq 'fixed' ? body_a : body_b) && is(strcol('file'), 'old')
of(n, role, measure, x) = ours(role, measure) && is(strcol('other_file'), word(new_names, n)) && x > 0 ? x : NaN
within(x, otherwise) = x == x ? x : otherwise
examples = !of_paper ? '' : scenario eq 'artificial' ? 'a f g' : scenario eq 'brake' ? 'b c h i' : scenario eq 'car' ? 'd e j' : ''
letter_of(k) = word(examples, k)
panel_of(k) = strstrt('abcde', letter_of(k)) > 0 ? 1 : 2
x_of(k) = paper('T1'.letter_of(k).(panel_of(k) == 1 ? '-voxels' : '-points'))
y_of(k) = paper('T1'.letter_of(k))
role_of(p) = p == 1 ? 'fixed' : 'moving'
measure_of(p) = p == 1 ? 'stage_surface_ns' : 'stage_points_ns'
amount_of(p) = p == 1 ? 'voxels_count' : 'points_count'
array few[2]
array many[2]
array least[2]
array most[2]
array there[4] # of the paper's and of this suite's, in either panel
any(p, x, otherwise) = within(of(1, role_of(p), measure_of(p), x), within(of(2, role_of(p), measure_of(p), x), otherwise))
do for [p = 1:2] {
    stats ratios using (any(p, column(amount_of(p)), 1e15)) nooutput name 'one'
    few[p] = one_min
    stats ratios using (any(p, column(amount_of(p)), 1)) nooutput name 'one'
    many[p] = one_max
    stats ratios using (any(p, within(column('lo'), column('ratio')), 1e9)) nooutput name 'one'
    least[p] = one_min
    stats ratios using (any(p, within(column('hi'), column('ratio')), 1)) nooutput name 'one'
    most[p] = one_max
    do for [n = 1:2] {
        stats ratios using (within(of(n, role_of(p), measure_of(p), 1), 0)) nooutput name 'one'
        there[2 * p - 2 + n] = one_max
    }
}
do for [k = 1:words(examples)] {
    p = panel_of(k)
    few[p] = smaller(few[p], x_of(k))
    many[p] = larger(many[p], x_of(k))
    least[p] = smaller(least[p], y_of(k))
    most[p] = larger(most[p], y_of(k))
}

title = scenario.': time of the old generator / time of the new'
claim = 'paper: 2 to 52, growing with the resolution (a), and 1.8 to 19 (b)'
body = narrow ? 290 : 240
dummy = key('new: the paper''s, navigation by triangle', 'b201')
dummy = key('new: this suite''s', 'b203')
if (words(examples) > 0) { dummy = key('paper, examples of its table 1', 'p101') }
load plots.'/frame.gp'

set multiplot
set style line 101 pt 6 ps 1.1 * dot
do for [p = 1:2] {
    x0 = p == 1 || narrow ? axis_left : 0.5 * W + axis_left
    x1 = p == 2 || narrow ? W - 2 * letter : 0.5 * W - letter
    y0 = p == 2 || !narrow ? axis_below : 0.5 * body + axis_below - 0.5 * letter
    y1 = p == 2 && narrow ? 0.5 * body - 2 * letter : body - 2 * letter
    x_name = p == 1 ? 'voxels of the grid' : 'points (of the old)'
    y_name = p == 1 ? 'voxmap: old / new' : 'pointshell: old / new'
    mark = p == 1 ? '(a)' : '(b)'
    load plots.'/panel.gp'
    axis = 'x'
    lo = few[p] / 1.2
    hi = many[p] * 1.2
    tick = '%.0s%c'
    room = narrow ? 5 : 4
    load plots.'/ticks.gp'
    axis = 'y'
    lo = least[p] / 1.2
    hi = most[p] * 1.2
    tick = '%g'
    room = 6
    load plots.'/ticks.gp'
    do for [k = 1:words(examples)] {
        unset label 50 + k
        if (panel_of(k) == p) { set label 50 + k letter_of(k) at x_of(k), y_of(k) point ls 101 offset 0.6, 0.4 font small_font textcolor rgb '#666666' }
    }
    set arrow 60 from graph 0, first 1 to graph 1, first 1 nohead ls 104 back
    plot for [n = 1:2] for [k = 1:there[2 * p - 2 + n]] ratios using (of(n, role_of(p), measure_of(p), column(amount_of(p)))):(column('ratio')):(within(column('lo'), column('ratio'))):(within(column('hi'), column('ratio'))) with yerrorbars ls n == 1 ? 201 : 203, \
         for [n = 1:2] for [k = 1:there[2 * p - 2 + n]] ratios using (of(n, role_of(p), measure_of(p), column(amount_of(p)))):(column('ratio')) smooth unique with lines ls n == 1 ? 201 : 203
}
unset multiplot
