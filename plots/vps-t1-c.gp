# VPS-T1, rows c and i: brake.
# quantities: contact
# variants: @(vps|fcl-voxmap)*, at least 1
# draws: work
# needs: builds.csv
paper_voxmap = '821.5 15.684 3.7512'
paper_points = '559.9 302.974'
others = ''
load plots.'/vps-builds.gp'
