# VPS-T1, rows b and h: brake.
# quantities: contact
# variants: @(vps|fcl-voxmap)*, at least 1
# draws: work
# needs: builds.csv
# paper: vps-t1-b
row_voxmap = 'b'
row_points = 'h'
others = ''
load plots.'/vps-builds.gp'
