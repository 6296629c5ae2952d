# IST-T2: cost of the tetrahedral ground truth. The paper: "in the order of 0.5 sec/frame".
# quantities: volume
# variants: *, at least 1
cells = run.'/cells.csv'
mine(i, x) = strcol('scenario') eq scenario && strcol('file') eq word(files, i) ? x : NaN
set title scenario.': time of a volume, by method'
set xlabel 'time per frame'
set logscale x
set format x '%.0s %cs'
set xrange [*:2]
set yrange [-words(files) - 0.5:-0.5]
set ytics ()
do for [i = 1:words(files)] { set ytics add (word(variants, i) -i) }
set lmargin 24
set bmargin 7
set key at screen 0.5, screen 0.04 center center horizontal
set arrow 1 from 0.5, graph 0 to 0.5, graph 1 nohead ls 101
set label 1 'paper, tetrahedra: 0.5 s' at 0.5, graph 0.97 offset -0.6, 0 right textcolor rgb '#666666'
plot for [i = 1:words(files)] cells using (mine(i, duration(column('time_mean_ns')))):(-i) \
         with points lt 1 ps 2.5 title i == 1 ? 'mean' : '', \
     for [i = 1:words(files)] cells using (mine(i, duration(column('time_intrinsic_max_ns')))):(-i) \
         with points lt 2 ps 2.5 title i == 1 ? 'maximum (intrinsic)' : ''
