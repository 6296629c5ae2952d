# The folder of a run has one owner at a time: a second process names the owner and ends with 3.
box a.off 0 0 0 1
box b.off -0.2 -0.2 0 0.4
awk 'BEGIN {
    print "frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw"
    for (i = 0; i < 200000; i++) printf "%d,%.3f,%.6f,0.5,1.1,0,0,0,1\n", i, i * 0.001, 0.4 + i * 1e-7
}' >long.csv
head -n 5 long.csv >t.csv
# refused ARGUMENT...: prints the message of a second process, without the number of the first
refused() {
    echo "\$ proxbench $*"
    timeout 600 "$proxbench" "$@" >said 2>&1
    status=$?
    sed "s/process $owner /process N /" said
    echo "[$status]"
}
# end_owner: kills the owner, which frees the folder
end_owner() {
    kill -KILL "$owner"
    wait "$owner" 2>/dev/null
    true
}

"$proxbench" run --a a.off --b b.off --trajectory t.csv --quantity distance --algorithm faulty:fault=hanging,frame=0 \
    --mode smoke --timeout 1000 --quiet --no-cache --out one >/dev/null 2>&1 &
owner=$!
until [ -e one/manifest.csv ] || ! kill -0 $owner; do
    sleep 0.01
done
refused run --resume one --quiet
refused run --a a.off --b b.off --trajectory t.csv --quantity distance --algorithm brute --quiet --out one
end_owner
"$proxbench" simulate --a a.off --b b.off --device long.csv --algorithm exact-volume --cache cache --quiet --out two \
    >/dev/null 2>&1 &
owner=$!
until [ -e two/manifest.csv ] || ! kill -0 $owner; do
    sleep 0.01
done
refused simulate --resume two --quiet
end_owner
