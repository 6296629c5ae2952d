# IST-A6: one traversal for distance and volume, or one for each: sphere tests (the same on every machine)
# and time of each frame. The paper: the unified one "does not have to visit them again". Drawn for
# the run's first variant, from the scenarios NAME/distance, NAME/volume and NAME/unified.
# quantities: distance volume
# variants: ist*, at least 2
queries = 'distance volume unified'
base = scenario
do for [i = 1:3] {
    ending = '/'.word(queries, i)
    cut = strlen(scenario) - strlen(ending)
    if (cut > 0 && scenario[cut + 1:*] eq ending) { base = scenario[1:cut] }
}
file(i) = run.'/'.base.'/'.word(queries, i).'/'.word(files, 1).'.csv'
set multiplot title base.': '.word(variants, 1).', asked for distance, for volume, for both'
set lmargin at screen 0.14
set logscale y
set tmargin at screen 0.93
set bmargin at screen 0.56
set format x ''
set format y '%.0s%c'
set ylabel 'sphere tests'
set yrange [1:*]
unset key
plot for [i = 1:3] file(i) using (column('frame')):(column('bv_tests_count')) with lines lt i dt i

set tmargin at screen 0.52
set bmargin at screen 0.17
set format x
set format y '%.0s %cs'
set xlabel 'frame'
set ylabel 'time'
set yrange [*:*]
set key at screen 0.5, screen 0.05 center center horizontal spacing 1.2 samplen 4
plot for [i = 1:3] file(i) using (column('frame')):(duration(column('time_median_ns'))) \
         with lines lt i dt i title word(queries, i)
unset multiplot
