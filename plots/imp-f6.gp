# IMP-F6: random approaches, each with a colour of its own: straight in from a random side at constant velocity. The approaches
# follow each other in one trajectory. The orientation is constant within an approach, so a new one begins where it changes.
# quantities: force contact
# variants: imp, at least 1
# draws: work
file(i) = run.'/'.scenario.'/'.word(files, 1).'.csv'
poses = run.'/trajectories/'.scenario.'.csv'
strips = 0
begin = 0
last = ''
array way_of[10000]
array begin_of[10000]
turned(q, f) = (strips = q eq last ? strips : strips + 1, begin = q eq last ? begin : f, last = q, way_of[int(f) + 1] = strips, begin_of[int(f) + 1] = begin, f - begin)
stats poses using (turned(strcol('qx').strcol('qy').strcol('qz').strcol('qw'), column('frame'))) nooutput
steps = STATS_max + 1
style(i) = 300 + i
colours = '#0072B2 #D55E00 #009E73 #CC79A7 #E69F00 #56B4E9 #7A4F9A #4D4D4D #A6761D #66A61E #E7298A #1B9E77'
do for [i = 1:strips] { set style line 300 + i lc rgb word(colours, (i - 1) % 12 + 1) lw 1.5 dt solid }
frame_of(i) = way_of[int(column('frame')) + 1] == i ? column('frame') - begin_of[int(column('frame')) + 1] : NaN
claim = 'paper: random trajectories of two objects, each in a colour of its own'
title = scenario.': '.strips.' random approaches, step by step'
load plots.'/imp-steps.gp'
