# Shared by IST-A1 to IST-A5: variants beside the paper's choice, which is the run's baseline. (a) time
# of a query relative to it, with the interval over launches; then (b) errors, and (c) what building
# takes. Set before: claim, what the paper says.
cells = run.'/cells.csv'
ratios = run.'/compare.csv'
by_volume = quantity eq 'volume'
mine(i, x) = strcol('scenario') eq scenario && strcol('file') eq word(files, i) ? x : NaN
listed(x, otherwise) = strcol('scenario') eq scenario && strstrt(' '.files, ' '.strcol('file').' ') > 0 && x == x ? x : otherwise
# The baseline has the interval of its second copy against itself.
same(name, i) = name eq word(files, i) || name eq word(files, i).'_twin'
ratio(i, x) = strcol('scenario') eq scenario && same(strcol('file'), i) && strcol('metric') eq 'query_ns' && strcol('protocol') eq 'warm' ? x : NaN
within(x, otherwise) = x == x && x > 0 ? x : otherwise
any_ratio(x) = strcol('scenario') eq scenario && strcol('metric') eq 'query_ns' && strcol('protocol') eq 'warm' ? x : NaN
error = by_volume ? 'volume_error_rel_mean' : 'distance_error_size_mean'
stats ratios using (within(any_ratio(column('lo')), within(any_ratio(column('ratio')), 1))) nooutput name 'least'
stats ratios using (within(any_ratio(column('hi')), within(any_ratio(column('ratio')), 1))) nooutput name 'most'
stats cells using (listed(percent(column(error)), 0)) nooutput name 'error'
stats cells using (listed(duration(column('build_ns')), 0)) nooutput name 'build'
# The baseline is 1 where its second copy took no part. Of arrays, too, the first row is taken for a
# header.
is_baseline(i) = mine(i, strcol('baseline') eq '' ? 1 : 0)
array ratios_of[count + 1]
array lows_of[count + 1]
array highs_of[count + 1]
do for [i = 1:count] {
    stats cells using (within(is_baseline(i), 0)) nooutput
    ratios_of[i + 1] = STATS_max > 0 ? 1 : NaN
    stats ratios using (within(ratio(i, column('ratio')), 0)) nooutput
    ratios_of[i + 1] = STATS_max > 0 ? STATS_max : ratios_of[i + 1]
    stats ratios using (within(ratio(i, column('lo')), 0)) nooutput
    lows_of[i + 1] = STATS_max > 0 ? STATS_max : ratios_of[i + 1]
    stats ratios using (within(ratio(i, column('hi')), 0)) nooutput
    highs_of[i + 1] = STATS_max > 0 ? STATS_max : ratios_of[i + 1]
}

# Four ticks up to `top`, or as many as do not touch on `wide` points.
tick_room(step, top, wide) = step / (1.1 * top) * wide - char * small * larger(strlen(sprintf('%g', step)), strlen(sprintf('%g', floor(top / step) * step)))
fitting(n, top, wide) = n <= 2 || tick_room(step(top, n), top, wide) > 0.5 * letter ? step(top, n) : fitting(n - 1, top, wide)

row_letters = narrow ? 22 : 30
row_lines = 1
row_longest = 1
do for [i = 1:count] {
    row_lines = larger(row_lines, lines(wrap(label(i), row_letters)))
    row_longest = larger(row_longest, longest(wrap(label(i), row_letters)))
}
rows = count * (pitch * row_lines + 0.8 * letter)
names = char * small * row_longest + 1.6 * letter
panel = rows + axis_below + 2.6 * letter
title = scenario.': '.quantity.', '.count.' variants'
body = panel * (narrow ? 2 : 1)
load plots.'/frame.gp'

# Below each other in a column of a paper: the ratio, then error and build.
room_right = W - margin - names - letter
set multiplot
x0 = margin + names
x1 = x0 + (narrow ? room_right : 0.44 * room_right - 0.8 * letter)
y0 = axis_below + (narrow ? panel : 0)
y1 = y0 + rows
x_name = 'time of a query / that of the baseline'
y_name = ''
mark = ''
load plots.'/panel.gp'
set label 4 '(a)' at screen sx(margin), sy(y1 + 0.8 * letter) left
load plots.'/rows.gp'
axis = 'x'
lo = smaller(0.9, least_min * 0.95)
hi = larger(1.1, most_max * 1.05)
tick = '%g'
room = 6
load plots.'/ticks.gp'
set label 5 'baseline' at 1, graph 1 offset 0, 0.6 center font small_font textcolor rgb '#666666'
set arrow 5 from 1, graph 0 to 1, graph 1 nohead ls 101
set errorbars 0
plot ratios_of using (ratios_of[$1]):($1 - 1):(lows_of[$1]):(highs_of[$1]) with xerrorbars ls 201 lw 3 pt 0, \
     ratios_of using (ratios_of[$1]):($1 - 1) with points ls 201

unset logscale x
if (narrow) {
    y0 = axis_below
    y1 = y0 + rows
}
do for [p = 2:3] {
    top = p == 2 ? error_max : build_max
    each = narrow ? room_right / 2 : 0.28 * room_right
    x0 = margin + names + (narrow ? 0 : 0.44 * room_right) + (p - 2) * each + (narrow && p == 2 ? 0 : letter)
    x1 = x0 + each - 1.8 * letter
    x_name = p == 3 ? 'build (s)' : narrow ? 'error (%)' : by_volume ? 'error (% of truth)' : 'error (% of size)'
    load plots.'/panel.gp'
    mark = p == 2 ? '(b)' : '(c)'
    set label 4 mark at screen sx(p == 2 && narrow ? margin : x0), sy(y1 + 0.8 * letter) left
    mark = ''
    load plots.'/rows.gp'
    if (p == 3 || !narrow) { do for [i = 1:count] { do for [n = 1:row_lines] { unset label 100 + 20 * i + n } } }
    top = top > 0 ? top : 1
    set xrange [0:1.1 * top]
    set format x '%g'
    set xtics autofreq 0, fitting(4, top, x1 - x0)
    if (p == 2) {
        plot for [i = 1:count] cells using (mine(i, percent(column(error)))):(i) with points ls 202
    } else {
        plot for [i = 1:count] cells using (mine(i, duration(column('build_ns')))):(i) with points ls 203
    }
}
unset multiplot
