# needs-python: numpy
# examples/score.py answers an exported scenario, and the answers are right.
"$proxbench" export smoke/grid --quantity distance --out set --quiet 2>&1
"$python" "$root/examples/score.py" set/grid answers.csv 2>&1
run score smoke/grid answers.csv --name numpy --quiet
run score set/set.cfg/grid answers.csv --name numpy --quiet
"$python" set/check_truth.py set/grid answers.csv
