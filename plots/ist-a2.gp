# IST-A2: clustering.
# quantities: distance volume
# variants: ist*, at least 2
# needs: compare.csv
claim = 'paper: neural gas is "much better" than biggest spheres or most neighbours, magnification better still'
load plots.'/ist-ablation.gp'
