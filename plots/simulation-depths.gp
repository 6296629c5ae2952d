# A simulated hand over time: (a) depth of the deepest point in the other body, at steps that were judged; (b) the
# volume that both bodies share.
# quantities: force
# variants: *, at least 1
# needs: simulations.csv
# draws: work
file(i) = run.'/'.scenario.'/'.word(files, i).'.steps.csv'
column_a = 'point_depth_m'
column_b = 'volume_m3'
name_a = narrow ? 'depth (mm)' : 'deepest point (mm)'
name_b = narrow ? 'volume (mm³)' : 'common volume (mm³)'
title = scenario.': how deep'
load plots.'/steps.gp'
