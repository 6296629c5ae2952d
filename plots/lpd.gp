# Figures of the paper on local penetration depths (LPD).

# (a) The share of the frames in which at most so much of the intersection volume is left when B has moved by what is reported;
# (b) in which the depth differs at most so much from the translation that separates the bodies along the same direction.
# figure: lpd-f3
# quantities: depth
# variants: lpd*, at least 1
if (figure eq 'lpd-f3') {
    between(lo, x, hi) = x == x ? smaller(hi, larger(lo, x)) : NaN
    title = scenario.': what is left, error of the depth'
    claim = 'paper: "allowing to precisely separate the objects"'
    keys = 'lines'
    dummy = key('limits of claims: 1 % and 10 %', 'l101')
    before = upright(50, 1, 101)
    x_ends = '0.00005 100'
    call panel 'volume left (%)' 'log' 'frames (%)' 'share' \
        "for [i = 1:count] file(i) using (between(1e-4, share('depth_left_rel'), 100)):(1) smooth cnormal with steps ls i"
    before = upright(50, 10, 101)
    x_ends = '0.00005 100'
    call panel 'error of the depth (%)' 'log' 'frames (%)' 'share' \
        "for [i = 1:count] file(i) using (between(1e-4, abs(share('depth_local_rel')), 100)):(1) smooth cnormal with steps ls i"
}

# Frame by frame: the time of stage 1 against the number of segments (F4), and that of stage 3 against the number of regions (F5).
# figure: lpd-f4
# quantities: depth
# variants: @(lpd|lpd:ends-equal=off|lpd:drop=*|lpd:chain=*), at least 1
# paper: lpd-f4
# draws: work
# figure: lpd-f5
# quantities: depth
# variants: lpd*, at least 1
# paper: lpd-t
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
    call panel 'regions' 'linear' 'time of depths (stage 3)' 'time' \
        "for [i = 1:count] file(i) using (positive(column('regions_count'))):(spent('stage_depths_ns')) with points ls i" \
        "duration(paper('F5b')) * x with lines ls 101"
}

# The reported depth, and the bracket of the least depth of all directions, frame by frame.
# figure: lpd-f6
# quantities: depth
# variants: lpd*, at least 1
if (figure eq 'lpd-f6') {
    millimetres(x) = 1e3 * x
    title = scenario.': reported depth, deeper and deeper'
    claim = 'paper: "our method cannot retrieve the exact penetration depth"'
    keys = 'linespoints'
    dummy = key('the least depth of all directions', 'l100')
    call panel 'frame' 'frames' 'depth (mm)' 'linear' \
        "for [i = 1:count] file(i) using (column('frame')):(millimetres(column('depth_m'))) with linespoints ls i pi -3, \
         file(1) using (column('frame')):(millimetres(column('truth_depth_lo_m'))) with lines ls 100, \
         file(1) using (column('frame')):(millimetres(column('truth_depth_hi_m'))) with lines ls 100"
}

# The size of the grid: (a) the median time of stage 1, (b) the mean numbers of curves after it and regions after stage 2, against k.
# figure: lpd-x1
# quantities: depth
# variants: lpd:drop=0.01?ends-equal=off?@(move=1e-06|k=*?move=1e-06), at least 2
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
    number(s) = real(s[1:strstrt(s.'_', '_') - 1])
    setting(f) = place(f) > 0 ? number(f[place(f) + strlen(parameter):*]) : of_grid ? 50 : 64
    amounts = of_grid ? "spent('stage_curves_ns') column('curves_count') column('regions_count')" \
                      : "percent(abs(column('depth_local_rel'))) spent('stage_depths_ns')"
    set print $points
    print 'amount,x,y'
    do for [i = 1:count] {
        do for [n = 1:words(amounts)] {
            eval 'stats file(i) using (positive('.word(amounts, n).")) nooutput name 'one'"
            if (one_records > 0) { print sprintf('%d,%g,%g', n, setting(word(files, i)), of_grid && n > 1 ? one_mean : one_median) }
        }
    }
    unset print
    amount(n, x) = column('amount') == n ? x : NaN
    curve(n) = sprintf("$points using (amount(%d, column('x'))):(column('y')) smooth unique with linespoints ls 20%d", n, n)
    title = scenario.(of_grid ? ': cells of the grid' : ': the size of the depth buffer')
    claim = of_grid ? 'paper: k = 50 is good' : 'paper: pixel precision, 64 x 64'
    if (of_grid) {
        call legend 'b201 stage 1 (a)' 'b202 curves (b)' 'b203 regions (b)'
        call panel 'segments for each cell along a side, k' 'log' 'time of stage 1' 'time' (curve(1))
        call panel 'segments for each cell along a side, k' 'log' 'number in a frame' 'log' (curve(2).', '.curve(3))
    } else {
        call legend 'b201 error (a)' 'b202 stage 3 (b)'
        call panel 'pixels along a side' 'log' 'depth error (%)' 'log' (curve(1))
        call panel 'pixels along a side' 'log' 'time of stage 3' 'time' (curve(2))
    }
}
