# IST-A3: stop rule of the clustering.
# quantities: distance volume
# variants: ist*, at least 2
# needs: compare.csv
claim = 'paper: the adaptive stop gives the same hierarchy and a much faster build'
load plots.'/ist-ablation.gp'
