# IST-A1: branching factor.
# quantities: distance volume
# variants: ist*, at least 2
# needs: compare.csv
claim = 'paper: "a branching factor of 4 produces the best results"'
load plots.'/ist-ablation.gp'
