# IST-F8: bolt, penetrations of 0-10 % of the volume. The paper: 0.1 to 2.5 ms on average, 2.5 ms
# with 237 000 spheres, error about 0.5 %, never above 5 ms.
# quantities: volume
# variants: @(ist|ist:voxels=+([0-9])), at least 2
by_volume = 1
paper_scene = 'bolt'
paper_mean_s = 2.5e-3
paper_max_s = 5e-3
paper_error = 0.005
load plots.'/ist-spheres.gp'
