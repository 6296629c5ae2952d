# IST-A5: primary or secondary radii.
# quantities: volume
# variants: ist*, at least 2
# needs: compare.csv
claim = 'paper: primary radii give "bad lower bounds", secondary ones an error of about 0.5 %'
load plots.'/ist-ablation.gp'
