# needs-command: c++
# The same in C++: the contract's header is C++11.
mkdir -p include/proxbench/geometry
cp "$root/algorithms/algorithms.h" include/proxbench
cp "$root/geometry/types.h" include/proxbench/geometry
c++ -std=c++11 -Wall -Wextra -Wpedantic -Werror -shared -fPIC -O2 -Iinclude \
    "$root/examples/plugin.cpp" -o libboxes.so
box a.off 0 0 0 1
box b.off 0 0 0 1
run query --plugin libboxes.so --algorithm boxes --a a.off --b b.off --pose 3,3,0,0,0,0,1
cat >t.csv <<'END'
frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw
0,0,4,0,0,0,0,0,1
1,1,2,0.25,0,0,0,0.6,0.8
2,2,0.5,0.25,0,0,0,0,1
END
run run --plugin libboxes.so --a a.off --b b.off --trajectory t.csv --quantity distance \
    --algorithm 'boxes,brute' --mode smoke --out run --quiet |
    sed 's/ [0-9][0-9.]* [num]*s / T /g; s/  */ /g'
