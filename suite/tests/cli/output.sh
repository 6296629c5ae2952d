# If the reader of the output is gone, the program ends without a message; a full disk gives one
# line and status 3.
box a.off 0 0 0 1
awk 'BEGIN {
    print "frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw"
    for (i = 0; i < 3000; i++) printf "%d,%.3f,%.6f,0,0,0,0,0,1\n", i, i * 0.001, 2 + i * 1e-6
}' >t.csv
# unread ARGUMENT...: writes into a pipe that is closed before the first byte
unread() {
    echo "# standard output is closed: $1"
    mkfifo fifo
    exec 9<>fifo 8>fifo 9>&-
    "$proxbench" "$@" 2>errors >&8
    echo $? >status
    exec 8>&-
    cat errors status
    rm fifo
}
unread model bolt --triangles 20000
unread list
unread --help
unread help run
unread --version
unread mesh info a.off
unread truth --a a.off --b a.off --trajectory t.csv --quantity distance --no-cache
unread trajectory sphere --a a.off --b a.off --lo 0.01 --hi 0.1
unread query --algorithm brute --a a.off --b a.off --pose 3,0,0,0,0,0,1
echo '# the files on disk are complete nevertheless'
unread run --a a.off --b a.off --trajectory t.csv --quantity distance --algorithm brute --mode smoke \
    --no-cache --quiet --out unread
wc -l <unread/pair/brute.csv
echo '# the disk is full'
"$proxbench" list models 2>&1 >/dev/full
echo $?
"$proxbench" --help 2>&1 >/dev/full
echo $?
"$proxbench" model bolt 2>&1 >/dev/full
echo $?
run model bolt --out /dev/full
echo '# standard output is closed from the start'
"$proxbench" list models 2>errors >&-
echo $?
cat errors
echo '# a folder that cannot be made'
run model bolt --out /dev/null/bolt.off
echo '# one format of rows for the terminal, three for scripts and pages'
box a.off 0 0 0 1
run mesh check a.off --format json
"$proxbench" list models --format csv | cut -d, -f1-3 | sed -n '1p; /^bolt,/p'
"$proxbench" list models --format markdown | sed -n '1,2p; /^| bolt /p'
"$proxbench" list models --format json | sed -n '/"bolt"/p'
run list models --format jsno
