# IST-F6: penetration volume and direction of the force along a path on which one organic body
# scrapes along another. The paper shows a picture: a direction that turns without a jump. Here the
# direction is drawn part by part, beside that of the exact volume's gradient.
# quantities: volume
# variants: ist*, at least 1
file(i) = run.'/'.scenario.'/'.word(files, i).'.csv'
exact = run.'/'.scenario.'/exact-volume.csv'
# A force becomes a direction: a vector as long as 1.
direction(part, x, y, z) = part / sqrt(x**2 + y**2 + z**2)
force(axis) = direction(column('f'.axis.'_m3'), column('fx_m3'), column('fy_m3'), column('fz_m3'))
pressure(axis) = direction(column('f'.axis.'_m2'), column('fx_m2'), column('fy_m2'), column('fz_m2'))
stats exact using (column('frame')) nooutput
last_frame = STATS_max

set multiplot title scenario.': penetration volume and direction of the force'
set xrange [0:last_frame]
set lmargin at screen 0.16
set tmargin at screen 0.93
set bmargin at screen 0.67
set format x ''
set ylabel 'volume (m³)'
set yrange [0:*]
unset key
plot for [i = 1:words(files)] file(i) using (column('frame')):(column('volume_m3')) with lines lt i, \
     file(1) using (column('frame')):(column('truth_volume_lo_m3')) with lines ls 100 lw 1.5 dt 3

set yrange [-1:1]
set ytics -1, 1
axes = 'x y z'
do for [a = 1:3] {
    set tmargin at screen 0.785 - 0.155 * a
    set bmargin at screen 0.67 - 0.155 * a
    set ylabel 'force '.word(axes, a)
    if (a == 3) {
        set format x
        set xlabel 'frame'
        set key at screen 0.5, screen 0.05 center center horizontal spacing 1.2 samplen 2
    }
    plot for [i = 1:words(files)] file(i) using (column('frame')):(force(word(axes, a))) \
             with lines lt i title word(variants, i), \
         exact using (column('frame')):(pressure(word(axes, a))) with lines ls 100 lw 1.5 dt 3 \
             title 'exact volume, its gradient'
}
unset multiplot
