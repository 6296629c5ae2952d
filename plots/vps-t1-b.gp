# VPS-T1, rows b and h: brake.
# quantities: contact
# variants: @(vps|fcl-voxmap)*, at least 1
# draws: work
# needs: builds.csv
paper_voxmap = '104.1 3.614 0.4994'
paper_points = '6.107 0.4465'
others = ''
load plots.'/vps-builds.gp'
