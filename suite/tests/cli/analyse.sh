# needs-python: pandas
# examples/analyse.py: a run's front, what each variant answers in a frame, and a picture.
"$python" -c 'import matplotlib' 2>/dev/null || { echo 'no matplotlib'; exit 1; }
"$proxbench" run smoke --scenario grid --algorithm 'brute,ist:voxels=8' --out run --quiet >/dev/null 2>&1
MPLBACKEND=Agg MPLCONFIGDIR=. "$python" "$root/examples/analyse.py" run grid distance 3 picture.png >table 2>&1 || cat table
awk '{ print $1 }' table
head -c 4 picture.png | tail -c 3
echo
