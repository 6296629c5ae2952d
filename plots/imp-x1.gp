# IMP-X1: (a) time of a query against the contacts that it finds, frame by frame, of all numbers of children; lines at 1000 contacts, at the paper's
# time for them, and at 0.2 ms. (b) tests against contacts.
# quantities: force contact
# variants: imp*, at least 2
# paper: imp-f3
# draws: work
file(i) = run.'/'.scenario.'/'.word(files, i).'.csv'
some(n, x) = n > 0 && x > 0 ? x : NaN
most_n = 10
least_n = 1e9
most_t = 1e-3
least_t = 1e-6
most_tests = 10
least_tests = 1e9
do for [i = 1:count] {
    stats file(i) using (some(column('contacts_count'), column('contacts_count'))):(some(column('contacts_count'), duration(column('time_median_ns')))) nooutput name 'one'
    most_n = larger(most_n, one_max_x)
    least_n = smaller(least_n, one_min_x)
    most_t = larger(most_t, one_max_y)
    least_t = smaller(least_t, one_min_y)
    stats file(i) using (some(column('contacts_count'), column('tests_count'))) nooutput
    most_tests = larger(most_tests, STATS_max)
    least_tests = smaller(least_tests, STATS_min)
}
claim = 'paper: around 1000 contacts take less than 1 ms'
title = scenario.': time and tests against contacts'
keys = 'points'
dummy = key(sprintf('%g ms, 1000 contacts', 1e3 * duration(paper('F3a'))), 'l101')
dummy = key('0.2 ms', 'l102')
panel = narrow ? 170 : 260
body = (panel + axis_below + 2.6 * letter) * (narrow ? 2 : 1)
load plots.'/frame.gp'
wide = (W - 2 * letter - (narrow ? 1 : 2) * axis_left) / (narrow ? 1 : 2)
set multiplot
do for [p = 1:2] {
    x0 = axis_left + (narrow || p == 1 ? 0 : wide + axis_left)
    x1 = x0 + wide
    y1 = body - 2.6 * letter - (narrow && p == 2 ? panel + axis_below + 2.6 * letter : 0)
    y0 = y1 - panel
    x_name = 'contacts'
    y_name = p == 1 ? 'time' : 'tests'
    mark = p == 1 ? '(a)' : '(b)'
    load plots.'/panel.gp'
    axis = 'x'
    lo = least_n
    hi = most_n
    tick = '%.0s%c'
    room = narrow ? 5 : 6
    load plots.'/ticks.gp'
    axis = 'y'
    lo = p == 1 ? least_t : least_tests
    hi = p == 1 ? most_t : most_tests
    tick = p == 1 ? seconds : '%.0s%c'
    room = narrow ? 5 : 7
    load plots.'/ticks.gp'
    if (p == 1) {
        set arrow 50 from 1000, graph 0 to 1000, graph 1 nohead ls 101
        plot for [i = 1:count] file(i) using (column('contacts_count')):(some(column('contacts_count'), duration(column('time_median_ns')))) with points ls i, \
             duration(paper('F3a')) with lines ls 101, 0.0002 with lines ls 102
        unset arrow 50
    } else {
        plot for [i = 1:count] file(i) using (column('contacts_count')):(some(column('contacts_count'), column('tests_count'))) with points ls i
    }
}
unset multiplot
