# Shared by IST-A1 to IST-A6: variants beside the paper's choice, which is the run's baseline. Left, time
# of a query relative to it, with the interval over launches; then errors, and what building takes.
# Set before: claim, what the paper says.
cells = run.'/cells.csv'
ratios = run.'/compare.csv'
by_volume = quantity eq 'volume'
mine(i, x) = strcol('scenario') eq scenario && strcol('file') eq word(files, i) ? x : NaN
# The baseline has the interval of its second copy against itself.
same(name, i) = name eq word(files, i) || name eq word(files, i).'_twin'
ratio(i, x) = strcol('scenario') eq scenario && same(strcol('file'), i) && strcol('metric') eq 'query_ns' && strcol('protocol') eq 'warm' ? x : NaN
error = by_volume ? 'volume_error_rel_mean' : 'distance_error_size_mean'

set multiplot title scenario.': '.quantity."\n".claim
set yrange [-words(files) - 0.6:-0.4]
set ytics () font ',14'
do for [i = 1:words(files)] { set ytics add (word(variants, i) -i) }
set bmargin 5
set tmargin 4
set lmargin 0
set rmargin 0
unset key

set lmargin at screen 0.32
set rmargin at screen 0.60
set xlabel 'time of a query / baseline'
set label 1 'baseline' at 1, graph 1.02 center font ',13' textcolor rgb '#666666'
set logscale x
set xtics (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50)
set xrange [*<0.7:1.4<*]
plot ratios using (1):(-words(files) - 0.6):(0):(words(files) + 0.2) every ::0::0 with vectors nohead ls 101, \
     for [i = 1:words(files)] ratios using (ratio(i, column('ratio'))):(-i):(ratio(i, column('lo'))):(ratio(i, column('hi'))) \
         with xerrorbars lt 1 lw 3 pt 0, \
     for [i = 1:words(files)] ratios using (ratio(i, column('ratio'))):(-i) with points lt 1 ps 0.9
unset label 1

unset logscale x
set xrange [0:*]
set xtics autofreq rotate by 90 right font ',12'
do for [i = 1:words(files)] { set ytics add ('' -i) }
set xlabel by_volume ? 'mean error (% of truth)' : 'mean error (% of size)'
set lmargin at screen 0.64
set rmargin at screen 0.79
plot for [i = 1:words(files)] cells using (mine(i, percent(column(error)))):(-i) with points lt 2 ps 2
set xlabel 'build time (s)'
set lmargin at screen 0.83
set rmargin at screen 0.97
plot for [i = 1:words(files)] cells using (mine(i, duration(column('build_ns')))):(-i) with points lt 3 ps 2
unset multiplot
