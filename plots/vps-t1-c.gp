# VPS-T1, rows c and i: brake.
# quantities: contact
# variants: @(vps|fcl-voxmap)*, at least 1
# draws: work
# needs: builds.csv
# paper: vps-t1-c
row_voxmap = 'c'
row_points = 'i'
others = ''
load plots.'/vps-builds.gp'
