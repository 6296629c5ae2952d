# Error against time: what nothing else beats. Exact answers, whose error has no place on a
# logarithmic axis, lie on its lower end.
# quantities: distance volume
# variants: *, at least 2
# needs: pareto.csv
points = run.'/pareto.csv'
exact = 1e-9
here(x) = strcol('scenario') eq scenario && strcol('quantity') eq quantity ? x : NaN
inexact(x) = x > exact ? x : NaN
stats points using (here(inexact(column('error_mean')))) nooutput name 'error'
floor_share = exists('error_min') ? 10**floor(log10(error_min) - 1) : 1e-4
shown(x) = percent(x > exact ? x : floor_share)
mine(file, x) = strcol('file') eq file ? here(x) : NaN
front(x) = column('on_front') == 1 ? here(x) : NaN
# The line of the front goes on behind variants that are not on it.
set datafile missing NaN
set title scenario.': mean error of '.quantity.' against time'
set xlabel 'time per frame, 99th percentile' offset 0, 0.4
set ylabel 'mean error (% '.(quantity eq 'volume' ? 'of the truth' : 'of the size').')'
set logscale xy
set format x '%.0s %cs'
set format y '%g'
set offsets graph 0.05, graph 0.05, graph 0.08, 0
set yrange [percent(floor_share):]
set ytics add ('exact' percent(floor_share))
plot points using (front(duration(column('time_p99_ns')))):(shown(column('error_mean'))) \
         with steps ls 101 lw 2 title 'front', \
     for [i = 1:words(variants)] points \
         using (mine(word(files, i), duration(column('time_p99_ns')))):(shown(column('error_mean'))) \
         with points lt i ps 2 title word(variants, i)
