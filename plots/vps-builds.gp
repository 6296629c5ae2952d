# Shared by VPS-T1: what generators take for one body, by stages: (a) the voxmap of the fixed body, (b) the
# pointshell of the moving one. Set before: row_voxmap and row_points, the letters of the paper's rows; others, "SECONDS NAME"
# of the voxmap of another paper, or ''.
builds = run.'/builds.csv'
pair = scenario
load plots.'/bodies.gp'
listed(x) = strcol('status') eq 'ok' && strcol('body') eq (strcol('role') eq 'fixed' ? body_a : body_b) && strstrt(' '.files, ' '.strcol('file').' ') > 0 ? x : NaN
mine(i, role, x) = strcol('status') eq 'ok' && strcol('body') eq (role eq 'fixed' ? body_a : body_b) && strcol('role') eq role && strcol('file') eq word(files, i) && x > 0 ? duration(x) : NaN
of_role(role, x, otherwise) = listed(x) > 0 && strcol('role') eq role ? duration(x) : otherwise
stage_names = 'stage_load_ns stage_initialise_ns stage_surface_ns stage_fill_ns'
array least[2]
array most[2]
least[1] = 1e9
most[1] = 1e-9
do for [k = 1:4] {
    stats builds using (of_role('fixed', column(word(stage_names, k)), 1e9)) nooutput name 'fast'
    stats builds using (of_role('fixed', column(word(stage_names, k)), 0)) nooutput name 'slow'
    least[1] = smaller(least[1], fast_min)
    most[1] = larger(most[1], slow_max)
}
stats builds using (of_role('moving', column('stage_points_ns'), 1e9)) nooutput name 'fast'
stats builds using (of_role('moving', column('stage_points_ns'), 0)) nooutput name 'slow'
least[2] = fast_min
most[2] = slow_max
array theirs[6]
row_of(k) = k <= 3 ? row_voxmap : row_points
do for [k = 1:5] { theirs[k] = of_paper ? duration(paper('T1'.row_of(k).'-'.word('old new fill old new', k))) : NaN }
theirs[6] = of_paper && others ne '' ? real(word(others, 1)) : NaN
do for [k = 1:6] {
    if (theirs[k] == theirs[k]) {
        least[k == 4 || k == 5 ? 2 : 1] = smaller(least[k == 4 || k == 5 ? 2 : 1], theirs[k])
        most[k == 4 || k == 5 ? 2 : 1] = larger(most[k == 4 || k == 5 ? 2 : 1], theirs[k])
    }
}

row_letters = narrow ? 22 : 30
row_lines = 1
row_longest = 1
do for [i = 1:count] {
    row_lines = larger(row_lines, lines(wrap(label(i), row_letters)))
    row_longest = larger(row_longest, longest(wrap(label(i), row_letters)))
}
rows = count * (pitch * row_lines + 1.2 * letter)
panel = rows + axis_below + 2.6 * letter

title = scenario.': time of the generators'
body = 2 * panel
dummy = key('load (a)', 'p203')
dummy = key('initialise (a)', 'p204')
dummy = key('surface voxels (a)', 'p201')
dummy = key('fill (a)', 'p202')
dummy = key('points (b)', 'p205')
if (of_paper) {
    dummy = key(sprintf('paper, old: %g s (a), %g s (b)', theirs[1], theirs[4]), 'l101')
    dummy = key(sprintf('paper, new: %g s (a), %g s (b)', theirs[2], theirs[5]), 'l102')
    dummy = key(sprintf('paper, fill: %g s (a)', theirs[3]), 'l104')
    if (others ne '') { dummy = key(others[strlen(word(others, 1)) + 2:*].sprintf(': %g s (a)', theirs[6]), 'l103') }
}
load plots.'/frame.gp'

set multiplot
y_name = ''
do for [p = 1:2] {
    x0 = margin + char * small * row_longest + 1.6 * letter
    x1 = W - 3 * letter
    y0 = axis_below + (2 - p) * panel
    y1 = y0 + rows
    x_name = p == 1 ? 'voxmap: time of a stage' : 'pointshell: time'
    mark = ''
    load plots.'/panel.gp'
    set label 4 (p == 1 ? '(a)' : '(b)') at screen sx(margin), sy(y1 + 0.8 * letter) left
    load plots.'/rows.gp'
    axis = 'x'
    lo = least[p] / 1.2
    hi = most[p] * 1.2
    tick = seconds
    room = narrow ? 4 : 8
    load plots.'/ticks.gp'
    do for [k = 1:6] {
        unset arrow k
        if (theirs[k] == theirs[k] && (p == 2) == (k == 4 || k == 5)) {
            set arrow k from theirs[k], graph 0 to theirs[k], graph 1 nohead ls k == 6 ? 103 : k == 3 ? 104 : k == 1 || k == 4 ? 101 : 102
        }
    }
    if (p == 1) {
        plot for [i = 1:count] builds using (mine(i, 'fixed', column('stage_load_ns'))):(i) with points ls 203, \
             for [i = 1:count] builds using (mine(i, 'fixed', column('stage_initialise_ns'))):(i) with points ls 204, \
             for [i = 1:count] builds using (mine(i, 'fixed', column('stage_fill_ns'))):(i) with points ls 202, \
             for [i = 1:count] builds using (mine(i, 'fixed', column('stage_surface_ns'))):(i) with points ls 201
    } else {
        plot for [i = 1:count] builds using (mine(i, 'moving', column('stage_points_ns'))):(i) with points ls 205
    }
}
unset multiplot
