# VPS-T1, rows a and f: artificial model.
# quantities: contact
# variants: @(vps|fcl-voxmap)*, at least 1
# draws: work
# needs: builds.csv
# paper: vps-t1-a
row_voxmap = 'a'
row_points = 'f'
others = ''
load plots.'/vps-builds.gp'
