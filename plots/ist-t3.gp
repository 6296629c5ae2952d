# IST-T3: memory of both bodies against the number of spheres. The paper: similar to other bounding
# volume hierarchies, "always in the order of a few MB".
# quantities: distance volume
# variants: @(ist|ist:voxels=+([0-9])), at least 2
cells = run.'/cells.csv'
ours(x) = strcol('scenario') eq scenario && strcol('status') eq 'ok' && strstrt(' '.files, ' '.strcol('file').' ') > 0 ? x : NaN
within(x, otherwise) = x == x ? x : otherwise
exact_files = 'exact-distance exact-volume fcl_bv=rss fcl'
exact_names = '"exact distance" "exact volume" "FCL, RSS trees" "FCL, OBBRSS trees"'
exact(i, x) = strcol('scenario') eq scenario && strcol('status') eq 'ok' && strcol('file') eq word(exact_files, i) ? x : 0
stats cells using (within(ours(column('primitives_a_count')), 1e15)) nooutput name 'few'
stats cells using (within(ours(column('primitives_a_count')), 0)) nooutput name 'many'
stats cells using (within(ours(column('build_bytes')), 1e15)) nooutput name 'small'
stats cells using (within(ours(column('build_bytes')), 0)) nooutput name 'large'
least = small_min
most = large_max
array bytes[4]
dummy = key('inner sphere trees', 'b201')
do for [i = 1:4] {
    stats cells using (exact(i, column('build_bytes'))) nooutput
    bytes[i] = STATS_max
    if (bytes[i] > 0) {
        dummy = key(word(exact_names, i), sprintf('l%d', 202 + i))
        least = smaller(least, bytes[i])
        most = larger(most, bytes[i])
    }
}
if (of_paper) {
    dummy = key('paper, a few MB: 5 MB', 'l101')
    least = smaller(least, 5e6)
    most = larger(most, 5e6)
}

title = scenario.': memory of both bodies'
body = narrow ? 155 : 280
load plots.'/frame.gp'

x0 = axis_left
x1 = W - 2.5 * letter
y0 = axis_below
y1 = body - letter
x_name = 'spheres (fixed body)'
y_name = 'memory'
mark = ''
load plots.'/panel.gp'
axis = 'x'
lo = few_min
hi = many_max
tick = '%.0s%c'
room = narrow ? 7 : 9
load plots.'/ticks.gp'
axis = 'y'
lo = least / 1.1
hi = most * 1.1
tick = '%.0s %cB'
room = 8
load plots.'/ticks.gp'
plot cells using (ours(column('primitives_a_count'))):(ours(column('build_bytes'))) smooth unique with linespoints ls 201, \
     for [i = 1:4] for [k = 1:bytes[i] > 0] bytes[i] with lines ls 202 + i, \
     for [k = 1:of_paper] 5e6 with lines ls 101
