# IST-F7: oil pump, distances of 0-20 % of the size.
# quantities: distance
# variants: @(ist|ist:voxels=+([0-9])), at least 2
# paper: ist-f7
by_volume = 0
paper_scene = 'pump'
paper_mean_s = duration(paper('F7h'))
paper_max_s = duration(paper('F7b'))
paper_error = paper('F7c')
load plots.'/ist-spheres.gp'
