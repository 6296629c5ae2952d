# needs-command: g++
# needs-package: fcl
# examples/score_fcl.cpp uses FCL's own API alone; its distances and witness points are right.
grep -c 'include "' "$root/examples/score_fcl.cpp"
[ "$(wc -l <"$root/examples/score_fcl.cpp")" -le 80 ] && echo 'at most 80 lines'
g++ -O1 -std=c++17 -w "$root/examples/score_fcl.cpp" $(pkg-config --cflags --libs fcl | sed 's/-std=[^ ]*//') -o score_fcl
"$proxbench" export smoke/grid --quantity distance --out set --quiet 2>&1
./score_fcl set/grid answers.csv
run score smoke/grid answers.csv --name fcl-own --quiet
