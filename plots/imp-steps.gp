# Shared by IMP-F3 to IMP-F6: the four panels of the paper, step by step: distance of the bodies' centres, contacts, tests of two
# balls, and time, which a smoke run leaves out. Set before:
#   strips       how many lines there are: variants, or ways of one variant
#   file(i), style(i)  where line i is from, and its look
#   frame_of(i)  the frame on the x axis, or NaN for one that is not of line i
#   steps        how many of them
array names_of[4] = ['centres_m', 'contacts_count', 'tests_count', 'time_median_ns']
array titles[4] = ['distance of centres (mm)', 'contacts', 'tests of two balls', 'time per step']
array marks[4] = ['(a)', '(b)', '(c)', '(d)']
panels = smoke ? 3 : 4
if (!smoke) { dummy = key('1 ms (d)', 'l101') }
if (!smoke) { dummy = key('0.2 ms (d)', 'l102') }
array most_of[4]
array least_of[4]
shown(p, x) = p == 1 ? 1e3 * x : p == 4 ? duration(x) : x
above_0(x) = x > 0 ? x : NaN
do for [p = 1:panels] {
    most_of[p] = 0
    least_of[p] = 1e300
    do for [i = 1:strips] {
        stats file(i) using (shown(p, column(names_of[p]))) nooutput
        most_of[p] = larger(most_of[p], STATS_max)
        stats file(i) using (STATS_max > 0 ? above_0(shown(p, column(names_of[p]))) : 1) nooutput name 'some'
        least_of[p] = smaller(least_of[p], some_min)
    }
}

# On a screen two by two, in a column of a paper below each other.
gap = 2.6 * letter
high = narrow ? 100 : 150
rows_high = narrow ? panels : 2
body = rows_high * (high + axis_below + gap)
load plots.'/frame.gp'
wide = (W - 2 * letter - (narrow ? 1 : 2) * axis_left) / (narrow ? 1 : 2)
set multiplot
do for [p = 1:panels] {
    place = narrow || p % 2 == 1 ? 0 : 1
    level = narrow ? p - 1 : (p - 1) / 2
    x0 = axis_left + place * (wide + axis_left)
    x1 = x0 + wide
    y1 = body - gap - level * (high + axis_below + gap)
    y0 = y1 - high
    x_name = 'step'
    y_name = titles[p]
    mark = marks[p]
    load plots.'/panel.gp'
    set xrange [0:steps]
    set xtics 0, step(steps, 5)
    if (p == 4) {
        axis = 'y'
        lo = smaller(least_of[4], 1e-6)
        hi = larger(most_of[4], 1e-3)
        tick = seconds
        room = narrow ? 5 : 6
        load plots.'/ticks.gp'
        plot for [i = 1:strips] file(i) using (frame_of(i)):(shown(4, column(names_of[4]))) with lines ls style(i), \
             0.001 with lines ls 101, 0.0002 with lines ls 102
    } else {
        unset logscale y
        set format y p == 1 ? '%g' : '%.0s%c'
        set yrange [0:1.05 * larger(most_of[p], 1e-9)]
        set ytics 0, step(larger(most_of[p], 1e-9), 4)
        plot for [i = 1:strips] file(i) using (frame_of(i)):(shown(p, column(names_of[p]))) with lines ls style(i)
    }
}
unset multiplot
