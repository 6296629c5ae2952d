# Two panels above each other, of two columns of steps over time; set before: file(i), column_a, column_b, name_a,
# name_b, title. Metres and cubic metres are drawn in thousandths of the length. The axes are logarithmic over
# four decades, so that one large spike does not flatten all others; smaller values lie on the lower end.
scaled(name) = name[strlen(name) - 2:*] eq '_m3' ? 1e9 : name[strlen(name) - 1:*] eq '_m' ? 1e3 : 1
last_s = 0
most_a = 0
most_b = 0
markers = 8 # of each variant
array gaps_a[count]
array gaps_b[count]
do for [i = 1:count] {
    stats file(i) using (column('t_s')) nooutput name 'time'
    last_s = larger(last_s, time_max)
    stats file(i) using (scaled(column_a) * column(column_a)) nooutput name 'a'
    if (a_records > 0) { most_a = larger(most_a, a_max) }
    gaps_a[i] = int(larger(1, a_records / markers))
    stats file(i) using (scaled(column_b) * column(column_b)) nooutput name 'b'
    if (b_records > 0) { most_b = larger(most_b, b_max) }
    gaps_b[i] = int(larger(1, b_records / markers))
}
panel = narrow ? 110 : 150
body = 2 * (panel + axis_below)
keys = 'linespoints'
decades_shown = 1e-4
load plots.'/frame.gp'

set multiplot
set xrange [0:last_s]
set xtics 0, step(last_s, narrow ? 4 : 8)
x_name = 'time (s)'
do for [p = 1:2] {
    x0 = axis_left
    x1 = W - 2 * letter
    y0 = axis_below + (p == 1 ? panel + axis_below : 0)
    y1 = y0 + panel - 2 * letter
    y_name = p == 1 ? name_a : name_b
    mark = p == 1 ? '(a)' : '(b)'
    load plots.'/panel.gp'
    most = p == 1 ? most_a : most_b
    axis = 'y'
    hi = most > 0 ? most : 1.0
    lo = decades_shown * hi
    tick = '%g'
    room = narrow ? 4 : 6
    load plots.'/ticks.gp'
    drawn = p == 1 ? column_a : column_b
    height(x) = x != x ? NaN : larger(scaled(drawn) * x, lo)
    values = 0 # so far, of all variants: markers stand at different times for different variants
    marked(i, x) = x != x ? NaN : (values = values + 1, values % (p == 1 ? gaps_a[i] : gaps_b[i]) == 0 ? height(x) : NaN)
    plot for [i = 1:count] file(i) using (column('t_s')):(height(column(drawn))) with lines ls i, \
         for [i = 1:count] file(i) using (column('t_s')):(marked(i, column(drawn))) with points ls i
}
unset multiplot
