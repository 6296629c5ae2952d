# needs-python: pandas, matplotlib
# examples/analyse.py: a run's front, what each variant answers in a frame, and a picture.
"$proxbench" run smoke --scenario grid --algorithm 'brute,ist:voxels=8' --out run --quiet >/dev/null 2>&1
MPLBACKEND=Agg MPLCONFIGDIR=. "$python" "$root/examples/analyse.py" run grid distance 3 picture.png >table 2>err || cat err
awk '{ print $1 }' table
head -c 4 picture.png | tail -c 3
echo
