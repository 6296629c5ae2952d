# PST-T1: the time of the flat pointshell / that of the tree, frame by frame (medians over passes), of each number of points. Between
# the lines is what the poster claims.
# quantities: contact depth force
# variants: pst*walk=flat*, at least 1
# paper: pst-t1
file(name) = run.'/'.scenario.'/'.name.'.csv'
# The same but for its walk.
cut(name, part) = (at = strstrt(name, part), name[1:at - 1].name[at + strlen(part):*])
partner(name) = cut(name, '_walk=flat')
array frames[count]
lowest = 1.0
highest = paper('T1c')
last_frame = 0
do for [i = 1:count] {
    stats file(word(files, i)) using (column('frame')) nooutput name 'place'
    frames[i] = place_max + 1
    last_frame = larger(last_frame, place_max)
}
array tree[count * (last_frame + 1)]
spot(i, f) = (i - 1) * (last_frame + 1) + f + 1
do for [i = 1:count] {
    stats file(partner(word(files, i))) using (tree[int(spot(i, column('frame')))] = column('time_median_ns')) nooutput
}
speedup(i) = (own = tree[int(spot(i, column('frame')))], own > 0 && column('time_median_ns') > 0 ? column('time_median_ns') / own : NaN)
do for [i = 1:count] {
    stats file(word(files, i)) using (speedup(i)) nooutput name 'times'
    lowest = smaller(lowest, times_min)
    highest = larger(highest, times_max)
}

title = scenario.': flat pointshell against tree'
body = narrow ? 155 : 280
keys = 'lines'
dummy = key(sprintf('%g and %g times', paper('T1a'), paper('T1c')), 'l101')
load plots.'/frame.gp'

x0 = axis_left
x1 = W - 2.5 * letter
y0 = axis_below
y1 = body - letter
x_name = 'frame'
y_name = narrow ? 'flat / tree' : 'time of flat / time of tree'
mark = ''
load plots.'/panel.gp'
axis = 'y'
lo = lowest / 1.1
hi = highest * 1.1
tick = '%g'
room = 7
load plots.'/ticks.gp'
set xrange [0:last_frame + 1]
set xtics 0, step(last_frame + 1, 6)
plot paper('T1a') with lines ls 101, \
     paper('T1c') with lines ls 101, \
     for [i = 1:count] file(word(files, i)) using (column('frame')):(speedup(i)) with lines ls i
