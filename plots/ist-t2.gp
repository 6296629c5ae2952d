# IST-T2: cost of the tetrahedral ground truth. The paper: "in the order of 0.5 sec/frame".
# quantities: volume
# variants: *, at least 1
# paper: ist-t2
cells = run.'/cells.csv'
mine(i, x) = strcol('scenario') eq scenario && strcol('file') eq word(files, i) ? x : NaN
listed(x, otherwise) = strcol('scenario') eq scenario && strstrt(' '.files, ' '.strcol('file').' ') > 0 && x == x ? x : otherwise
stats cells using (listed(duration(column('time_mean_ns')), 1e9)) nooutput name 'fast'
stats cells using (listed(duration(column('time_intrinsic_max_ns')), 0)) nooutput name 'slow'
row_letters = narrow ? 22 : 30
row_lines = 1
row_longest = 1
do for [i = 1:count] {
    row_lines = larger(row_lines, lines(wrap(label(i), row_letters)))
    row_longest = larger(row_longest, longest(wrap(label(i), row_letters)))
}
rows = count * (pitch * row_lines + 1.2 * letter)

title = scenario.': time of a volume, by method'
body = rows + axis_below + letter
dummy = key('mean', 'p201')
dummy = key('maximum, of the best of each frame', 'p202')
if (of_paper) { dummy = key(sprintf('paper, tetrahedra: %g s', duration(paper('T2'))), 'l101') }
load plots.'/frame.gp'

x0 = margin + char * small * row_longest + 1.6 * letter
x1 = W - 3 * letter
y0 = axis_below
y1 = y0 + rows
x_name = 'time per frame'
y_name = ''
mark = ''
load plots.'/panel.gp'
load plots.'/rows.gp'
axis = 'x'
lo = smaller(fast_min, slow_max) / 1.1
hi = larger(slow_max, of_paper ? duration(paper('T2')) : 0) * 1.1
tick = seconds
room = narrow ? 4 : 8
load plots.'/ticks.gp'
if (of_paper) { set arrow 1 from duration(paper('T2')), graph 0 to duration(paper('T2')), graph 1 nohead ls 101 }
plot for [i = 1:count] cells using (mine(i, duration(column('time_mean_ns')))):(i) with points ls 201, \
     for [i = 1:count] cells using (mine(i, duration(column('time_intrinsic_max_ns')))):(i) with points ls 202
