# IMP-F3: one approach, without response, at several resolutions of the world.
# quantities: force contact
# variants: imp*, at least 1
# draws: work
claim = 'paper: around 1000 contacts take less than 1 ms'
strips = count
file(i) = run.'/'.scenario.'/'.word(files, i).'.csv'
style(i) = i
frame_of(i) = column('frame')
stats file(1) using (column('frame')) nooutput
steps = STATS_max + 1
title = scenario.': approach without response, step by step'
keys = 'lines'
load plots.'/imp-steps.gp'
