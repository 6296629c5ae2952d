# Deadline profile: the share of frames answered within a time and within the scenario's tolerance. Exact methods that no second method judged count as exact.
# quantities: distance volume contact depth force
# variants: *, at least 1
# needs: deadline.csv
# draws: unjudged
# shows: fraction_within_tolerance
profile = run.'/deadline.csv'
mine(file, x) = strcol('scenario') eq scenario && strcol('quantity') eq quantity && (file eq '' || strcol('file') eq file) ? x : NaN
within(x, otherwise) = x == x ? x : otherwise
frames(i) = run.'/'.scenario.'/'.word(files, i).'.csv' # of one that is not judged
array records[count]
array first_time[count]
array last_time[count]
array last_share[count]
zeros = ''
rest = ''
seen_list = ''
do for [i = 1:count] {
    records[i] = 1
    if (judged(i)) {
        stats profile using (within(mine(word(files, i), duration(column('time_ns'))), 1e9)) nooutput name 'one_first'
        stats profile using (within(mine(word(files, i), duration(column('time_ns'))), 0)) nooutput name 'one_last'
        stats profile using (within(mine(word(files, i), column('fraction_within_tolerance')), 0)) nooutput name 'one_share'
        first_time[i] = one_first_min
        last_time[i] = one_last_max
        last_share[i] = percent(one_share_max)
    } else {
        stats frames(i) using (duration(column('time_median_ns'))) nooutput
        records[i] = STATS_records
        first_time[i] = STATS_min
        last_time[i] = STATS_max
        last_share[i] = 100
    }
    if (judged(i) && last_share[i] > 0) { seen_list = seen_list.' '.i }
    if (last_share[i] == 0) { zeros = zeros.(zeros eq '' ? '' : ', ').label(i) } else { rest = rest.(rest eq '' ? '' : ', ').label(i) }
}
# Judged variants that are drawn.
seens = words(seen_list)
seen(n) = seens > 0 ? int(word(seen_list, n)) : 1
lo = 1e9
hi = 0
do for [i = 1:count] {
    lo = smaller(lo, first_time[i])
    hi = larger(hi, last_time[i])
}

tolerance = ''
take_tolerance(text) = (tolerance = tolerance eq '' ? text : tolerance, 1)
stats profile using (mine('', 1) == 1 ? take_tolerance(strcol('tolerance')) : 0) nooutput
title = scenario.': '.quantity.(quantity eq 'contact' ? ' answered in time with the right verdict' : ' answered in time and within '.tolerance)
if (zeros ne '') { remark = '0 %: '.(strlen(zeros) > strlen(rest) + 8 ? 'all but '.rest : zeros) }
if (others > 0) { remark = remark.(remark eq '' ? '' : '; ').'not judged: counted as exact by contract' }
body = narrow ? 155 : 300
keys = 'linespoints'
load plots.'/frame.gp'

x0 = 5 * letter
x1 = W - 3 * letter
y0 = axis_below
y1 = body - 3 * letter
x_name = 'time per frame'
y_name = 'share of frames (%)'
mark = ''
load plots.'/panel.gp'
axis = 'x'
lo = lo / 1.2
# The loop of 1 ms is in view, unless all frames take far less.
hi = hi > 5e-5 ? larger(hi * 1.2, 2e-3) : hi * 1.2
tick = seconds
room = narrow ? 5 : 9
load plots.'/ticks.gp'
# Haptic loops in view, with names above the curves, in one row. A name that would touch its right
# neighbour's ends at its line, or where that one begins.
deadlines_us = '5000 1000 200 100'
decade_width = (x1 - x0) / log10(hi / lo)
right_end = W
do for [i = 1:4] {
    limit = 1e-6 * int(word(deadlines_us, i))
    entry = gprintf(seconds, limit)
    if (limit > lo && limit < hi) {
        middle = x0 + log10(limit / lo) * decade_width
        half = 0.5 * char * small * (strlen(entry) + 2)
        touches = middle + half > right_end
        name_end = smaller(middle, right_end)
        right_end = touches ? name_end - 2 * half : middle - half
        set arrow i from limit, graph 0 to limit, graph 1 nohead ls 101
        if (touches) {
            set label 10 + i entry at screen sx(name_end), graph 1 offset 0, 0.7 right font small_font textcolor rgb '#666666'
        } else {
            set label 10 + i entry at limit, graph 1 offset 0, 0.7 center font small_font textcolor rgb '#666666'
        }
    }
}
set yrange [0:102]
set ytics 0, 20, 100
# Behind the slowest frame a curve stays where it is. At 100 % this would hide others, and variants
# that never answer within the tolerance are named below the title.
do for [i = 1:count] {
    from = last_time[i]
    share = last_share[i]
    if (from < hi && share > 0 && share < 100) { set arrow 20 + i from from, share to hi, share nohead ls i }
}
# A marker at each fifth of the frames, and at the end.
last = 0
marked(f, t, i) = f != f ? NaN : (is_next = t == last_time[i] || int(5 * f) > int(5 * last), last = f, is_next ? percent(f) : -1)
plot for [n = 1:seens] profile \
         using (mine(word(files, seen(n)), duration(column('time_ns')))):(percent(column('fraction_within_tolerance'))) \
         with steps ls seen(n), \
     for [n = 1:seens] profile \
         using (mine(word(files, seen(n)), duration(column('time_ns')))):(marked(mine(word(files, seen(n)), column('fraction_within_tolerance')), mine(word(files, seen(n)), duration(column('time_ns'))), seen(n))) \
         with points ls seen(n), \
     for [n = 1:others] frames(other(n)) \
         using (duration(column('time_median_ns'))):(100.0 / records[other(n)]) smooth cumulative with steps ls other(n), \
     for [n = 1:others] '+' using (last_time[other(n)]):(100) every ::0::0 with points ls other(n)
