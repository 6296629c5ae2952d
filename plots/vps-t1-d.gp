# VPS-T1, rows d and j: car.
# quantities: contact
# variants: @(vps|fcl-voxmap)*, at least 1
# draws: work
# needs: builds.csv
# paper: vps-t1-d
row_voxmap = 'd'
row_points = 'j'
others = ''
load plots.'/vps-builds.gp'
