# IST-F8: bolt, penetrations of 0-10 % of the volume.
# quantities: volume
# variants: @(ist|ist:voxels=+([0-9])), at least 2
# paper: ist-f8 ist-t5
by_volume = 1
paper_scene = 'bolt'
paper_mean_s = duration(paper('F8a'))
paper_max_s = duration(paper('T5'))
paper_error = paper('F8b')
load plots.'/ist-spheres.gp'
