# VPS-T1, row e, car, and row g, artificial model.
# quantities: contact
# variants: @(vps|fcl-voxmap)*, at least 1
# draws: work
# needs: builds.csv
# paper: vps-t1-e
row_voxmap = 'e'
row_points = 'g'
others = '1353 McNeely, 4.59e8 voxels of 2.76e6 triangles'
load plots.'/vps-builds.gp'
