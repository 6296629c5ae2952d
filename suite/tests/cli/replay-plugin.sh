# Replays a frame of a plug-in: the plug-in is found by its label, a missing one gives a hint, and
# another build of it gives a warning.
mkdir include
ln -s "$root/algorithms" include/proxbench
build() { cc -shared -fPIC "$@" -Iinclude -I"$root" "$root/examples/plugin.c" -o libspheres.so -lm; }
build -O2
cat >t.csv <<'END'
frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw
0,0,0.4,0,0,0,0,0,1
END
"$proxbench" run --plugin old=./libspheres.so --a box --b cube --trajectory t.csv --quantity distance \
    --algorithm old-spheres --mode smoke --quiet --cache cache --out run >/dev/null 2>&1
run replay run --frame 0 --plugin old=libspheres.so | grep -E '^(variant|compared|proxbench|\[)'
run replay run --frame 0
build -O0 -g
run replay run --frame 0 --plugin old=libspheres.so | sed -E 's/[0-9a-f]{32}/HASH/g' |
    grep -E '^(variant|compared|proxbench|\[)'
