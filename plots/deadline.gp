# Deadline profile: the share of frames answered within a time and within 1 % error, or, for contact,
# with the right verdict.
# quantities: distance volume contact depth force
# variants: *, at least 1
# needs: deadline.csv
profile = run.'/deadline.csv'
mine(file, x) = strcol('scenario') eq scenario && strcol('quantity') eq quantity && (file eq '' || strcol('file') eq file) ? x : NaN
within(x, otherwise) = x == x ? x : otherwise
stats profile using (within(mine('', duration(column('time_ns'))), 1e9)) nooutput name 'fast'
stats profile using (within(mine('', duration(column('time_ns'))), 0)) nooutput name 'slow'
array last_time[count]
do for [i = 1:count] {
    stats profile using (within(mine(word(files, i), column('time_ns')), 0)) nooutput
    last_time[i] = STATS_max
}

title = scenario.': '.(quantity eq 'contact' ? 'contact answered in time and rightly' : quantity.' answered in time and within 1 % '.(quantity eq 'distance' ? 'of the size' : 'of the truth'))
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
lo = smaller(fast_min, slow_max) / 1.2
hi = slow_max * 1.2
tick = seconds
room = narrow ? 5 : 9
load plots.'/ticks.gp'
# Haptic loops, as far as they are in view; their names stand above the curves, in two rows.
deadlines_us = '5000 1000 200 100'
do for [i = 1:4] {
    limit = 1e-6 * int(word(deadlines_us, i))
    entry = gprintf(seconds, limit)
    if (limit > lo && limit < hi) {
        set arrow i from limit, graph 0 to limit, graph 1 nohead ls 101
        set label 10 + i entry at limit, graph 1 offset 0, (i % 2 ? 0.7 : 1.7) center font small_font textcolor rgb '#666666'
    }
}
set yrange [0:102]
set ytics 0, 20, 100
# A marker at each fifth of the frames, and at the end, also of those that never answer in time.
last = 0
marked(f, t, i) = f != f ? NaN : (is_next = t == last_time[i] || int(5 * f) > int(5 * last), last = f, is_next ? percent(f) : -1)
plot for [i = 1:count] profile \
         using (mine(word(files, i), duration(column('time_ns')))):(percent(column('fraction_within_1pct'))) \
         with steps ls i, \
     for [i = 1:count] profile \
         using (mine(word(files, i), duration(column('time_ns')))):(marked(mine(word(files, i), column('fraction_within_1pct')), column('time_ns'), i)) \
         with points ls i
