# Figures of point-sphere trees (PST).

# The time of the flat pointshell / that of the tree, frame by frame (medians over passes), of each number of points. Between the lines
# is what the poster claims.
# figure: pst-t1
# quantities: contact depth force
# variants: pst*walk=flat*, at least 1
# paper: pst-t1
if (figure eq 'pst-t1') {
    # The variant that is the same but for its walk.
    flat_at(name) = strstrt(name, '_walk=flat')
    partner(name) = run.'/'.scenario.'/'.name[1:flat_at(name) - 1].name[flat_at(name) + strlen('_walk=flat'):*].'.csv'
    stats file(1) using (column('frame')) nooutput
    frames = STATS_max + 1
    array tree[count * frames]
    spot(i, frame) = int((i - 1) * frames + frame + 1)
    do for [i = 1:count] { stats partner(word(files, i)) using (tree[spot(i, column('frame'))] = column('time_median_ns')) nooutput }
    speedup(i) = positive(column('time_median_ns') / positive(tree[spot(i, column('frame'))]))
    title = scenario.': flat pointshell against tree'
    keys = 'lines'
    dummy = key(sprintf('paper: %g and %g times', paper('T1a'), paper('T1c')), 'l101')
    y_name = narrow ? 'flat / tree' : 'time of flat / time of tree'
    y_holds = '1.0'
    call panel 'frame' 'frames' y_name 'log' \
        "paper('T1a') with lines ls 101, paper('T1c') with lines ls 101, \
         for [i = 1:count] file(i) using (column('frame')):(speedup(i)) with lines ls i"
}

# Errors of depths of points, in edges of the finest cells of the fixed body: (a) of points near the surface, (b) of deeper ones.
# figure: pst-field
# quantities: contact
# variants: pst*, at least 2
# draws: work
# needs: builds.csv
if (figure eq 'pst-field') {
    fixed_body = ''
    take(key, name) = (fixed_body = key eq 'a' ? name : fixed_body, 1)
    stats table('manifest') using (strcol('section') eq scenario ? take(strcol('key'), strcol('value')) : 0) nooutput
    is_row = "strcol('role') eq 'fixed' && strcol('body') eq fixed_body && is_ours(strcol('file'))"
    mark(name, look) = sprintf("builds using (%s ? positive(column('%s_edges')) : NaN):(row_of(strcol('file'))) with points ls %d", is_row, name, look)
    title = scenario.': depths of points against exact depths'
    call legend 'p203 median (a)' 'p201 99th percentile' 'p202 largest (a)'
    x_name = narrow ? 'error near (edges)' : 'error near the surface (voxel edges)'
    call panel x_name 'log' '' 'rows' \
        (mark('depth_error_p50', 203).', '.mark('depth_error_p99', 201).', '.mark('depth_error_max', 202))
    x_name = narrow ? 'error deeper (edges)' : 'error of deeper points (voxel edges)'
    eval found('builds', is_row." ? column('deep_error_p99_edges') : 0")
    if (found_max > 0) { call panel x_name 'log' '' 'rows' (mark('deep_error_p99', 201)) }
}

# Interruptible traversal: (a) width of the bracket of the distance and the error against the mean time, of budgets of lookups and of
# deadlines; (b) the most lookups of a frame against the budget: none is above the line.
# figure: pst-budget
# quantities: distance
# variants: @(pst:budget=+([0-9])|pst|pst:deadline-us=*), at least 2
# needs: cells.csv
if (figure eq 'pst-budget') {
    has_deadline(x) = strstrt(strcol('file'), 'deadline-us=') > 0 ? ours(x) : NaN
    has_none(x) = strstrt(strcol('file'), 'deadline-us=') > 0 ? NaN : ours(x)
    curve(kind, value, look) = sprintf("cells using (%s(spent('time_mean_ns'))):(percent(column('%s'))) smooth unique with linespoints ls %d", kind, value, look)
    title = scenario.': distance within a budget'
    call legend 'b201 budget of lookups: median width (a)' 'b202 budget of lookups: mean error (a)' \
        'b203 deadline: median width (a)' 'b204 deadline: mean error (a)' 'p205 most lookups of a frame (b)' \
        'l101 the budget (b)'
    call panel 'mean time' 'time' '% of the size' 'log' \
        (curve('has_none', 'distance_bracket_width_size_p50', 201).', '.curve('has_none', 'distance_error_size_mean', 202).', '. \
         curve('has_deadline', 'distance_bracket_width_size_p50', 203).', '.curve('has_deadline', 'distance_error_size_mean', 204))
    # The most of any frame, from the frames.
    set print $most
    print 'budget,lookups'
    do for [name in files] {
        budget = strstrt(name, 'budget=') > 0 ? real(name[strstrt(name, 'budget=') + 7:*]) : 0
        stats run.'/'.scenario.'/'.name.'.csv' using (column('bv_tests_count') + column('points_count')) nooutput
        if (budget > 0) { print sprintf('%g,%g', budget, larger(STATS_max, 1)) }
    }
    unset print
    y_name = narrow ? 'most lookups' : 'most lookups of a frame'
    call panel 'budget (lookups)' 'count' y_name 'count' \
        "$most using (column('budget')):(column('lookups')) with points ls 205" 'x with lines ls 101'
}

# Which method for which need: (a) error of a distance against time, with the front of all that took part in the run, and (b) the share
# of frames answered within a time and within 0.1 % of the size. Exact answers lie on the lower end of (a); all other settings of the
# run are grey dots in it.
# figure: pst-methods
# quantities: distance
# variants: @(fcl*|pqp*|exact-d*|ist*|pst|pst:start*|pst:rounds=0|pst-e*), at least 1
# needs: pareto.csv
# draws: unjudged
if (figure eq 'pst-methods') {
    exact = 1e-9
    at_quantity(x) = strcol('quantity') eq quantity ? here(x) : NaN
    unnamed(x) = is_ours(strcol('file')) ? NaN : at_quantity(x)
    front(x) = column('on_front') == 1 ? at_quantity(x) : NaN
    stats table('pareto') using (at_quantity(column('error_mean')) > exact ? share('error_mean') : 1e9) nooutput name 'least'
    stats table('pareto') using (or(at_quantity(share('error_mean')), 0)) nooutput name 'most'
    end = least_min < 1e9 ? below(least_min / 4) : 1e-3
    if (most_max > 300 * end) { end = decade(end) } # ticks are at powers of ten then: 'exact', too
    shown(x) = x > exact ? percent(x) : end
    title = scenario.': methods of distance'
    keys = 'linespoints'
    points = "for [i = 1:count] table('pareto') using (at_quantity(mine(i, spent('time_p99_ns')))):(judged(i) ? shown(column('error_mean')) : end) \
        with points ls i ps 1.6 * dot"
    set style line 111 lc rgb '#999999' pt 7 ps 0.8 * dot
    eval found("table('pareto')", 'unnamed(1)')
    if (found_max > 0) {
        dummy = key('other settings (a)', 'p111')
        points = "table('pareto') using (unnamed(spent('time_p99_ns'))):(shown(column('error_mean'))) with points ls 111, ".points
    }
    stats table('pareto') using (or(front(1), 0)) nooutput name 'front'
    if (front_sum > 0) { points = "table('pareto') using (front(spent('time_p99_ns'))):(shown(column('error_mean'))) with steps ls 103, ".points }
    if (front_sum > 1) { dummy = key(others > 0 ? 'front of the judged (a)' : 'front of all (a)', 'l103') }
    before = "set ytics add ('exact' end); set yrange [end / 1.3:]"
    y_holds = sprintf('%.9e', end)
    call panel 'time per frame, 99th percentile' 'time' 'mean error (% of the size)' 'log' points
    head_room = 2.6 * letter
    within = 'fraction_within_0_1pct'
    load plots.'/profile.gp'
    y_name = narrow ? 'frames (%)' : 'frames within 0.1 % of the size (%)'
    before = "load plots.'/loops.gp'"
    call panel 'time per frame' 'time' y_name 'share' profile
}
