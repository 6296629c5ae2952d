# VPS-T1, row e, car, and row g, artificial model.
# quantities: contact
# variants: @(vps|fcl-voxmap)*, at least 1
# draws: work
# needs: builds.csv
paper_voxmap = '9860.0 442.29 9.9486'
paper_points = '244.75 137.412'
others = '1353 McNeely, 4.59e8 voxels of 2.76e6 triangles'
load plots.'/vps-builds.gp'
