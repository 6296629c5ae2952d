# Deadline profile: the share of frames answered within a time and within 1 % error.
# quantities: distance volume
# variants: *, at least 1
profile = run.'/deadline.csv'
mine(file, x) = strcol('scenario') eq scenario && strcol('quantity') eq quantity && strcol('file') eq file ? x : NaN
set title scenario.': '.quantity.' answered in time and within 1 % '.(quantity eq 'volume' ? 'of the truth' : 'of the size')
set xlabel 'time per frame'
set ylabel 'share of frames (%)'
set logscale x
set format x '%.0s %cs'
set yrange [0:112]
set ytics 0, 20, 100
deadlines = '5e-3 1e-3 2e-4 1e-4'
names = '5ms 1ms 200us 100us'
do for [i = 1:4] {
    set arrow i from word(deadlines, i), graph 0 to word(deadlines, i), graph 1 nohead ls 101
    set label i word(names, i) at word(deadlines, i), graph 1.0 offset -0.3, -0.6 right font ',12' textcolor rgb '#666666'
}
plot for [i = 1:words(variants)] profile \
     using (mine(word(files, i), duration(column('time_ns')))):(percent(column('fraction_within_1pct'))) \
     with steps lt i lw 3 title word(variants, i)
