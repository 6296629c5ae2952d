# IMP-F5: what the optimisations save: handing on an only child, and tight balls.
# quantities: force contact
# variants: imp*, at least 1
# draws: work
claim = 'paper: "the one-child optimization provides a significant performance benefit"'
strips = count
file(i) = run.'/'.scenario.'/'.word(files, i).'.csv'
style(i) = i
frame_of(i) = column('frame')
stats file(1) using (column('frame')) nooutput
steps = STATS_max + 1
title = scenario.': optimisations, step by step'
keys = 'lines'
load plots.'/imp-steps.gp'
