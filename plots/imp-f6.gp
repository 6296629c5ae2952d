# IMP-F6: random approaches, each with a colour of its own: straight in from a random side at constant velocity. The ways follow
# each other in one trajectory, and a way begins wherever the centres are farther apart than in the frame before.
# quantities: force contact
# variants: imp, at least 1
# draws: work
file(i) = run.'/'.scenario.'/'.word(files, 1).'.csv'
# The frame on its own way: counted from the last jump outwards.
last = -1
begin = 0
way = 0
steps = 1
array way_of[10000]
array begin_of[10000]
note(f, c) = (way = last < 0 || c > last ? way + 1 : way, begin = last < 0 || c > last ? f : begin, last = c, way_of[int(f) + 1] = way, begin_of[int(f) + 1] = begin, f - begin)
stats file(1) using (note(column('frame'), column('centres_m'))) nooutput
steps = STATS_max + 1
strips = way
style(i) = 300 + i
colours = '#0072B2 #D55E00 #009E73 #CC79A7 #E69F00 #56B4E9 #7A4F9A #4D4D4D #A6761D #66A61E #E7298A #1B9E77'
do for [i = 1:strips] { set style line 300 + i lc rgb word(colours, (i - 1) % 12 + 1) lw 1.5 dt solid }
frame_of(i) = way_of[int(column('frame')) + 1] == i ? column('frame') - begin_of[int(column('frame')) + 1] : NaN
claim = 'paper: random trajectories of two objects, each in a colour of its own'
title = scenario.': '.strips.' random approaches, step by step'
dummy = key('1 ms (c)', 'l101')
dummy = key('0.2 ms (c)', 'l102')
load plots.'/imp-steps.gp'
