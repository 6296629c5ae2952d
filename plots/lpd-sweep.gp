# Shared by LPD-X1 and LPD-X2: medians or means over frames against a parameter, in two panels. Set before:
#   parameter, fallback  its name and default
#   x_text               the name of the x axis
#   y_text(p)            that of the y axis of panel p, 1 or 2
#   tick_of(p)           the format of its ticks
#   values               how many things there are in both panels; amount(n) of a frame, above 0 where it counts
#   by_mean              1: means; 0: medians
#   in_first             the first so many are drawn in panel 1, with `ls 200 + n`
# Things are told from each other by key().
file(i) = run.'/'.scenario.'/'.word(files, i).'.csv'
place(f) = strstrt('_'.f, '_'.parameter.'=')
setting(f) = place(f) > 0 ? real(f[place(f) + strlen(parameter) + 1:*]) : fallback
some(x) = x > 0 ? x : NaN
array least[2] = [1e300, 1e300]
array most[2] = [0, 0]
x_least = 1e300
x_most = 0
set print $points
print 'thing,x,y'
do for [i = 1:count] {
    x_least = smaller(x_least, setting(word(files, i)))
    x_most = larger(x_most, setting(word(files, i)))
    do for [n = 1:values] {
        stats file(i) using (some(amount(n))) nooutput name 'one'
        if (one_records > 0) {
            middle = by_mean ? one_mean : one_median
            print sprintf('%d,%g,%g', n, setting(word(files, i)), middle)
            p = n > in_first ? 2 : 1
            least[p] = smaller(least[p], middle)
            most[p] = larger(most[p], middle)
        }
    }
}
unset print
panel = narrow ? 170 : 240
body = (panel + axis_below + 2.6 * letter) * (narrow ? 2 : 1)
load plots.'/frame.gp'
wide = (W - 2 * letter - (narrow ? 1 : 2) * axis_left) / (narrow ? 1 : 2)
thing(n, x) = column('thing') == n ? x : NaN
set multiplot
do for [p = 1:2] {
    x0 = axis_left + (narrow || p == 1 ? 0 : wide + axis_left)
    x1 = x0 + wide
    y1 = body - 2.6 * letter - (narrow && p == 2 ? panel + axis_below + 2.6 * letter : 0)
    y0 = y1 - panel
    x_name = x_text
    y_name = y_text(p)
    mark = p == 1 ? '(a)' : '(b)'
    load plots.'/panel.gp'
    axis = 'x'
    lo = x_least
    hi = x_most
    tick = '%g'
    room = narrow ? 6 : 7
    load plots.'/ticks.gp'
    axis = 'y'
    lo = least[p] / 1.2
    hi = most[p] * 1.2
    tick = tick_of(p)
    room = narrow ? 5 : 7
    load plots.'/ticks.gp'
    plot for [n = (p == 1 ? 1 : in_first + 1):(p == 1 ? in_first : values)] $points using (thing(n, column('x'))):(column('y')) smooth unique with linespoints ls 200 + n
}
unset multiplot
