# IST-F7: oil pump, distances of 0-20 % of the size. The paper: about 0.05 ms with 327 000 spheres,
# worst case below 2 ms, mean error 0.15 %.
# quantities: distance
# variants: @(ist|ist:voxels=+([0-9])), at least 2
by_volume = 0
paper_scene = 'pump'
paper_mean_s = 0.05e-3
paper_max_s = 2e-3
paper_error = 0.0015
load plots.'/ist-spheres.gp'
