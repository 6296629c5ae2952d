# IST-A6: unified or separate queries.
# quantities: distance volume
# variants: ist*, at least 2
# needs: compare.csv
claim = 'paper: one traversal for both questions visits nothing twice'
load 'plots/ist-ablation.gp'
