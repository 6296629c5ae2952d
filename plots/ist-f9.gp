# IST-F9: distance or volume per frame, every variant and the truth; below, the error.
# quantities: distance volume
# variants: *, at least 1
by_volume = quantity eq 'volume'
value = by_volume ? 'volume_m3' : 'distance_m'
truth = by_volume ? 'truth_volume_lo_m3' : 'truth_distance_lo_m'
error = by_volume ? 'volume_error_rel' : 'distance_error_size'
# An error of 0 is drawn on the floor of the logarithmic axis.
shown(e) = abs(e) < 1e-12 ? 1e-10 : abs(percent(e))
file(i) = run.'/'.scenario.'/'.word(files, i).'.csv'

worst = 0
do for [i = 1:words(files)] {
    stats file(i) using (shown(column(error))) nooutput
    worst = STATS_max > worst ? STATS_max : worst
}

set multiplot title scenario.': '.quantity.' per frame'
set size 1, 0.53
set origin 0, 0.42
set tmargin 1
set ylabel by_volume ? 'intersection volume (m³)' : 'distance (m)'
set format x ''
set yrange [0:*]
unset key
plot for [i = 1:words(files)] file(i) using (column('frame')):(column(value)) with lines lt i, \
     file(1) using (column('frame')):(column(truth)) with lines ls 100 dt 3

set size 1, 0.42
set origin 0, 0
set format x
set xlabel 'frame'
set ylabel by_volume ? 'error (% of truth)' : 'error (% of size)'
set logscale y
set yrange [*:*]
if (worst <= 1e-10) { set yrange [1e-11:1e-8] }
set format y '%g'
set key outside below center horizontal spacing 1.2 samplen 2
plot for [i = 1:words(files)] file(i) using (column('frame')):(shown(column(error))) \
         with lines lt i title word(variants, i), \
     NaN with lines ls 100 dt 3 title 'truth'
unset multiplot
