# IST-T3: memory of both bodies against the number of spheres. The paper: similar to other bounding
# volume hierarchies, "always in the order of a few MB".
# quantities: distance volume
# variants: ist*, at least 2
cells = run.'/cells.csv'
is_ist(name) = (name eq 'ist' || name[1:11] eq 'ist_voxels=') && strstrt(name, '_twin') == 0
spheres(x) = strcol('scenario') eq scenario && strcol('status') eq 'ok' && is_ist(strcol('file')) ? x : NaN
exact_files = 'exact-distance exact-volume fcl_bv=rss fcl'
exact_names = '"exact-distance" "exact-volume" "FCL, RSS trees" "FCL, OBBRSS trees"'
exact(i, x) = strcol('scenario') eq scenario && strcol('status') eq 'ok' && strcol('file') eq word(exact_files, i) ? x : 0
array bytes[4]
do for [i = 1:4] {
    stats cells using (exact(i, column('build_bytes'))) nooutput
    bytes[i] = STATS_max > 0 ? STATS_max : NaN
}
exact_title(i) = bytes[i] == bytes[i] ? word(exact_names, i) : ''
set title scenario.': memory of both bodies'
set xlabel 'spheres (fixed body)'
set ylabel 'memory'
set logscale xy
set format x '%.0s%c'
set format y '%.0s %cB'
set bmargin 10
set key at screen 0.55, screen 0.08 center center vertical maxrows 3 spacing 1.2 samplen 2
plot cells using (spheres(column('primitives_a_count'))):(column('build_bytes')) with linespoints lt 1 title 'inner sphere trees', \
     for [i = 1:4] bytes[i] with lines lt 1 + i title exact_title(i), \
     5e6 with lines ls 101 title 'paper: "a few MB" (drawn at 5 MB)'
