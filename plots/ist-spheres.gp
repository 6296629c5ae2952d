# Shared by IST-F7 (distance) and IST-F8 (volume): time and error against the number of spheres.
# Set before: by_volume, and the numbers of the paper on its own scene: paper_scene, paper_mean_s,
# paper_max_s with its title, paper_error.
cells = run.'/cells.csv'
# One line: inner sphere trees that differ in nothing but the number of spheres, without the second
# copy of a baseline.
is_ist(name) = (name eq 'ist' || name[1:11] eq 'ist_voxels=') && strstrt(name, '_twin') == 0
spheres(x) = strcol('scenario') eq scenario && strcol('status') eq 'ok' && is_ist(strcol('file')) ? x : NaN

# What exact answers take in the same run, as far as they took part; FCL's RSS trees stand for PQP.
exact_files = by_volume ? 'exact-volume exact-tetra' : 'exact-distance fcl_bv=rss'
exact_names = by_volume ? '"exact, flux: mean" "exact, tetrahedra: mean"' : '"exact-distance: mean" "FCL, RSS trees: mean"'
exact(i, x) = strcol('scenario') eq scenario && strcol('status') eq 'ok' && strcol('file') eq word(exact_files, i) ? x : 0
array exact_mean[2]
do for [i = 1:2] {
    stats cells using (exact(i, duration(column('time_mean_ns')))) nooutput
    exact_mean[i] = STATS_max > 0 ? STATS_max : NaN
}
exact_title(i) = exact_mean[i] == exact_mean[i] ? word(exact_names, i) : ''

set multiplot title scenario.': '.quantity.', inner sphere trees'
set logscale xy
set xlabel 'spheres (fixed body)'
set size 1, 0.47
set origin 0, 0.48
set ylabel 'time per frame'
set format y '%.0s %cs'
set format x '%.0s%c'
set key outside right center vertical
set rmargin 34
set tmargin 1
plot cells using (spheres(column('primitives_a_count'))):(duration(column('time_mean_ns'))) with linespoints lt 1 title 'mean', \
     cells using (spheres(column('primitives_a_count'))):(duration(column('time_intrinsic_max_ns'))) with linespoints lt 2 title 'maximum (intrinsic)', \
     cells using (spheres(column('primitives_a_count'))):(duration(column('time_evicted_p50_ns'))) with linespoints lt 6 title 'median, caches evicted', \
     for [i = 1:2] exact_mean[i] with lines lt 2 + i lw 3 title exact_title(i), \
     paper_mean_s with lines ls 101 title sprintf('paper, %s: mean %g ms', paper_scene, 1e3 * paper_mean_s), \
     paper_max_s with lines ls 101 dt 4 title paper_max_title

set size 1, 0.48
set origin 0, 0
set ylabel by_volume ? 'error (% of truth)' : 'error (%)'
set format y '%g'
if (by_volume) {
    plot cells using (spheres(column('primitives_a_count'))):(percent(column('volume_error_rel_mean'))) with linespoints lt 1 title 'mean', \
         cells using (spheres(column('primitives_a_count'))):(percent(column('volume_error_rel_max'))) with linespoints lt 2 title 'maximum', \
         percent(paper_error) with lines ls 101 title sprintf('paper, %s: %g %%', paper_scene, percent(paper_error))
} else {
    plot cells using (spheres(column('primitives_a_count'))):(percent(column('distance_error_size_mean'))) with linespoints lt 1 title 'mean, of the size', \
         cells using (spheres(column('primitives_a_count'))):(percent(column('distance_error_size_max'))) with linespoints lt 2 title 'maximum, of the size', \
         cells using (spheres(column('primitives_a_count'))):(percent(column('distance_error_rel_mean'))) with linespoints lt 3 title 'mean, of the truth', \
         percent(paper_error) with lines ls 101 title sprintf('paper, %s: %g %%', paper_scene, percent(paper_error))
}
unset multiplot
