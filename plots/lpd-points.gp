# Shared by LPD-F4 and LPD-F5: one panel of points, a frame each, of all variants. Set before:
#   x_of(i), y_of(i)  what a frame of variant i has on the axes, NaN for one that is left out
#   y_least, y_most   what the y axis holds at least; both axes are logarithmic
#   lines_of          how many lines there are beside; line_at(n, x), with `ls 100 + n`
file(i) = run.'/'.scenario.'/'.word(files, i).'.csv'
some(x) = x > 0 ? x : NaN
x_least = 1e300
x_most = 0
do for [i = 1:count] {
    stats file(i) using (some(x_of(i))):(some(y_of(i))) nooutput name 'one'
    if (one_records > 0) {
        x_least = smaller(x_least, one_min_x)
        x_most = larger(x_most, one_max_x)
        y_least = smaller(y_least, one_min_y)
        y_most = larger(y_most, one_max_y)
    }
}
body = narrow ? 190 : 290
load plots.'/frame.gp'
x0 = axis_left
x1 = W - 2 * letter
y0 = axis_below
y1 = body - letter
mark = ''
load plots.'/panel.gp'
axis = 'x'
lo = x_least
hi = x_most
tick = '%.0s%c'
room = narrow ? 5 : 8
load plots.'/ticks.gp'
if (x_most > 3.9 * x_least) { set xrange [x_least / 1.1:x_most * 1.1] } # ends at the data
axis = 'y'
lo = y_least
hi = y_most
tick = seconds
room = 7
load plots.'/ticks.gp'
set samples 200
plot for [i = 1:count] file(i) using (some(x_of(i))):(some(y_of(i))) with points ls i, \
     for [n = 1:lines_of] line_at(n, x) with lines ls 100 + n
