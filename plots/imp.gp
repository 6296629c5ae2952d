# Figures of the paper on implicit sphere trees (IMP).

# The four panels of the paper, step by step. F3: one approach, at several resolutions of the world.
# F4: the same with response: the body that follows the device is kept out. F5: both optimisations: only children, tight balls.
# figure: imp-f3 imp-f4 imp-f5
# quantities: force contact
# variants: imp*, at least 1
# draws: work
# F6: random approaches, each with a colour of its own: straight in from a random side at constant velocity. They follow each other
# in one trajectory. The orientation is constant within an approach, so a new one begins where it changes.
# figure: imp-f6
# quantities: force contact
# variants: imp, at least 1
# draws: work
if (figure eq 'imp-f6') {
    ways = (begin = 0)
    last = ''
    array way_of[10000]
    array begin_of[10000]
    is_new(q) = q eq last ? 0 : 1
    turned(q, f) = (ways = ways + is_new(q), begin = is_new(q) ? f : begin, last = q, way_of[int(f) + 1] = ways, begin_of[int(f) + 1] = begin)
    stats run.'/trajectories/'.scenario.'.csv' using (turned(strcol('qx').strcol('qy').strcol('qz').strcol('qw'), column('frame'))) nooutput
    colours = '#0072B2 #D55E00 #009E73 #CC79A7 #E69F00 #56B4E9 #7A4F9A #4D4D4D #A6761D #F0E442 #E7298A #7F0000'
    do for [i = 1:ways] { set style line 300 + i lc rgb word(colours, (i - 1) % 12 + 1) lw 1.5 dt solid }
    step_of(i, frame) = way_of[int(frame) + 1] == i ? frame - begin_of[int(frame) + 1] : NaN
    claim = 'paper: random trajectories of two objects, each in a colour of its own'
    title = scenario.': '.ways.' random approaches, step by step'
    curve(value) = sprintf("for [i = 1:ways] file(1) using (step_of(i, column('frame'))):(%s) with lines ls 300 + i", value)
}
if (figure eq 'imp-f3' || figure eq 'imp-f4' || figure eq 'imp-f5') {
    claim = figure eq 'imp-f3' ? 'paper: around 1000 contacts take less than 1 ms' : \
            figure eq 'imp-f4' ? 'paper: without response, the long steps at the end "are not representative"' : \
            'paper: "the one-child optimization provides a significant performance benefit"'
    title = scenario.': '.(figure eq 'imp-f3' || scenario eq 'free' ? 'approach without response' : figure eq 'imp-f4' ? 'approach with response' : 'optimisations').', step by step'
    keys = 'lines'
    curve(value) = sprintf("for [i = 1:count] file(i) using (column('frame')):(%s) with lines ls i", value)
}
if (strstrt(figure, 'imp-f') == 1) {
    call panel 'step' 'frames' 'distance of centres (mm)' 'linear' (curve("1e3 * column('centres_m')"))
    call panel 'step' 'frames' 'contacts' 'linear %.0s%c' (curve("column('contacts_count')"))
    call panel 'step' 'frames' 'tests of two balls' 'linear %.0s%c' (curve("column('tests_count')"))
    call legend 'l101 1 ms (d)' 'l102 0.2 ms (d)'
    y_holds = '0.000001 0.001'
    call panel 'step' 'frames' 'time per step' 'time' (curve("spent('time_median_ns')")) '0.001 with lines ls 101, 0.0002 with lines ls 102'
}

# Time and tests of a step, variant by variant: the mean over the steps, and the 99th percentile of the times.
# figure: imp-x1
# quantities: force
# variants: imp*, at least 2
# draws: work
# Memory of the fixed body, variant by variant: all of it, and the tree.
# figure: imp-build
# quantities: contact
# variants: *, at least 2
# needs: builds.csv
if (figure eq 'imp-build') {
    title = scenario.': memory of the fixed body'
    call legend 'p201 all' 'p202 tree'
    fixed(name) = sprintf("builds using (strcol('role') eq 'fixed' ? column('%s') : NaN):(row_of(strcol('file'))) with points ls", name)
    call panel 'bytes' 'count' '' 'rows' (fixed('bytes').' 201, '.fixed('node_bytes').' 202')
}
if (figure eq 'imp-x1') {
    title = scenario.': a step, by tree and search'
    if (!smoke) {
        layout = narrow ? '1 / 1' : '58 42'
        call legend 'p201 mean over the steps' 'p202 99 % of the steps are faster'
        times(name, look) = sprintf("cells using (ours(spent('time_%s_ns'))):(row_of(strcol('file'))) with points ls %d", name, look)
        call panel 'time of a step' 'time' '' 'rows' (times('mean', 201).', '.times('p99', 202))
    }
    call panel 'tests of two balls, mean' 'count' '' 'rows' \
        "cells using (ours(column('tests_count_mean'))):(row_of(strcol('file'))) with points ls 203"
}
