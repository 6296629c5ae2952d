# IST-A4: wrapped or layered hierarchies.
# quantities: distance volume
# variants: ist*, at least 2
# needs: compare.csv
claim = 'paper: wrapped hierarchies are tighter'
load plots.'/ist-ablation.gp'
