# Figures of the paper on local penetration depths (LPD).

# Of frames with one region: (a) the share of those in which at most so much of the intersection volume is left when B has moved by
# what is reported; (b) in which the depth is at most so many times the exact one along the same direction.
# figure: lpd-f3
# quantities: depth
# variants: lpd*, at least 1
if (figure eq 'lpd-f3') {
    alone(x) = column('regions_count') == 1 ? x : NaN
    between(lo, x, hi) = x == x ? smaller(hi, larger(lo, x)) : NaN
    title = scenario.': what is left, and how deep, of one region'
    claim = 'paper: "the bodies separate"'
    keys = 'lines'
    dummy = key('1 % left, 1.1 times as deep', 'l101')
    before = upright(50, 1, 101)
    x_ends = '0.0001 100'
    call panel 'volume left (%)' 'log' 'frames (%)' 'share' \
        "for [i = 1:count] file(i) using (alone(between(1e-4, share('depth_left_rel'), 100))):(1) smooth cnormal with steps ls i"
    before = upright(50, 1.1, 101)
    x_holds = '0.95 1.2'
    call panel 'depth / exact depth along it' 'log' 'frames (%)' 'share' \
        "for [i = 1:count] file(i) using (alone(between(0.1, 1 + column('depth_local_rel'), 20))):(1) smooth cnormal with steps ls i"
}

# Frame by frame: the time of stage 1 against the number of segments (F4), and that of stage 3 against the number of regions (F5).
# figure: lpd-f4 lpd-f5
# quantities: depth
# variants: lpd*, at least 1
# paper: lpd-f4 lpd-t
# draws: work
if (figure eq 'lpd-f4') {
    title = scenario.': time of clustering against segments'
    claim = 'paper: linear, 1000 segments in roughly a millisecond'
    keys = 'points'
    rate(n) = n == 1 ? paper('F4b') : 5000
    do for [n = 1:2] { dummy = key(sprintf('%g segments a ms', rate(n)), sprintf('l%d', 100 + n)) }
    y_holds = '0.00001 0.0001'
    call panel 'intersection segments' 'count' 'time of clustering (stage 1)' 'time' \
        "for [i = 1:count] file(i) using (column('segments_count')):(spent('stage_curves_ns')) with points ls i" \
        "for [n = 1:2] 1e-3 * x / rate(n) with lines ls 100 + n"
}
if (figure eq 'lpd-f5') {
    title = scenario.': time of the depths against regions'
    claim = 'paper: linear, about 2 ms for a region'
    keys = 'points'
    dummy = key(sprintf('%g ms a region', 1e3 * duration(paper('F5b'))), 'l101')
    y_holds = '0.0001 0.001'
    call panel 'regions' 'count' 'time of depths (stage 3)' 'time' \
        "for [i = 1:count] file(i) using (column('regions_count')):(spent('stage_depths_ns')) with points ls i" \
        "duration(paper('F5b')) * x with lines ls 101"
}

# The reported depth, that which would separate along the reported direction, and the bracket of the least depth of all
# directions, frame by frame.
# figure: lpd-f6
# quantities: depth
# variants: lpd*, at least 1
if (figure eq 'lpd-f6') {
    millimetres(x) = 1e3 * x
    needed(i) = column('depth_local_rel') > -1 ? column('depth_m') / (1 + column('depth_local_rel')) : NaN
    title = scenario.': reported depth, and what would separate'
    claim = 'paper: "our method cannot retrieve the exact penetration depth"'
    keys = 'linespoints'
    remark = 'lines: reported depth; marks: depth that separates the bodies along the reported direction, where it is known'
    dummy = key('the least depth of all directions (bracket)', 'l100')
    call panel 'frame' 'frames' 'depth (mm)' 'linear' \
        "for [i = 1:count] file(i) using (column('frame')):(millimetres(column('depth_m'))) with lines ls i, \
         for [i = 1:count] file(i) using (column('frame')):(millimetres(needed(i))) with points ls i, \
         file(1) using (column('frame')):(millimetres(column('truth_depth_lo_m'))) with lines ls 100, \
         file(1) using (column('frame')):(millimetres(column('truth_depth_hi_m'))) with lines ls 100"
}

# The size of the grid: (a) the time of stage 1, (b) curves after it and regions after stage 2, means over frames against k.
# figure: lpd-x1
# quantities: depth
# variants: @(lpd|lpd:k=*), at least 2
# draws: work
# The size of the depth buffer: (a) by how much the depth differs from the exact one along its direction, (b) the time of
# stage 3, medians over frames.
# figure: lpd-x2
# quantities: depth
# variants: @(lpd|lpd:pixels=[1-9]*), at least 2
if (figure eq 'lpd-x1' || figure eq 'lpd-x2') {
    of_grid = figure eq 'lpd-x1'
    parameter = of_grid ? 'k=' : 'pixels='
    place(f) = strstrt('_'.f, '_'.parameter)
    setting(f) = place(f) > 0 ? real(f[place(f) + strlen(parameter):*]) : of_grid ? 50 : 64
    amounts = of_grid ? "spent('stage_curves_ns') column('curves_count') column('regions_count')" \
                      : "percent(abs(column('depth_local_rel'))) spent('stage_depths_ns')"
    set print $points
    print 'amount,x,y'
    do for [i = 1:count] {
        do for [n = 1:words(amounts)] {
            eval 'stats file(i) using (positive('.word(amounts, n).")) nooutput name 'one'"
            if (one_records > 0) { print sprintf('%d,%g,%g', n, setting(word(files, i)), of_grid ? one_mean : one_median) }
        }
    }
    unset print
    amount(n, x) = column('amount') == n ? x : NaN
    curve(n) = sprintf("$points using (amount(%d, column('x'))):(column('y')) smooth unique with linespoints ls 20%d", n, n)
    title = scenario.(of_grid ? ': cells of the grid' : ': the size of the depth buffer')
    claim = of_grid ? 'paper: k = 50 is good' : 'paper: pixel precision, 64 x 64'
    if (of_grid) {
        call legend 'b201 stage 1 (a)' 'b202 curves (b)' 'b203 regions (b)'
        call panel 'segments for each cell along a side, k' 'log' 'stage 1' 'time' (curve(1))
        call panel 'segments for each cell along a side, k' 'log' 'a frame' 'log' (curve(2).', '.curve(3))
    } else {
        call legend 'b201 error (a)' 'b202 stage 3 (b)'
        call panel 'pixels along a side' 'log' 'depth error (%)' 'log' (curve(1))
        call panel 'pixels along a side' 'log' 'stage 3' 'time' (curve(2))
    }
}
