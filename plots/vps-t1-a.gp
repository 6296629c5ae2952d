# VPS-T1, rows a and f: artificial model.
# quantities: contact
# variants: @(vps|fcl-voxmap)*, at least 1
# draws: work
# needs: builds.csv
paper_voxmap = '338.24 16.562 2.3423'
paper_points = '3.215 0.6319'
others = ''
load plots.'/vps-builds.gp'
