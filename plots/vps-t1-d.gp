# VPS-T1, rows d and j: car.
# quantities: contact
# variants: @(vps|fcl-voxmap)*, at least 1
# draws: work
# needs: builds.csv
paper_voxmap = '614.7 69.179 0.6992'
paper_points = '203.2 11.223'
others = ''
load plots.'/vps-builds.gp'
