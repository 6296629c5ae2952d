# IMP-F4: the same with response: the body that follows the device is kept out.
# quantities: force contact
# variants: imp*, at least 1
# draws: work
claim = 'paper: with response, all steps are interactive'
strips = count
file(i) = run.'/'.scenario.'/'.word(files, i).'.csv'
style(i) = i
frame_of(i) = column('frame')
stats file(1) using (column('frame')) nooutput
steps = STATS_max + 1
title = scenario.': approach with response, step by step'
keys = 'lines'
load plots.'/imp-steps.gp'
