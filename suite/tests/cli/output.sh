# A reader that is gone and a full disk end with one line and status 3.
echo '# closed pipe'
{
    "$proxbench" model bolt --triangles 20000 2>errors
    echo $? >status
} | true
cat errors status
echo '# full disk'
"$proxbench" list models 2>&1 >/dev/full
echo $?
"$proxbench" --help 2>&1 >/dev/full
echo $?
"$proxbench" model bolt 2>&1 >/dev/full
echo $?
run model bolt --out /dev/full
echo '# no standard output at all'
"$proxbench" list models 2>errors >&-
echo $?
cat errors
echo '# a folder that cannot be'
run model bolt --out /dev/null/bolt.off
echo '# one form of rows for people, three for scripts and pages'
box a.off 0 0 0 1
run mesh check a.off --format json
"$proxbench" list models --format csv | cut -d, -f1-3 | sed -n '1p; /^bolt,/p'
"$proxbench" list models --format markdown | sed -n '1,2p; /^| bolt /p'
"$proxbench" list models --format json | sed -n '/"bolt"/p'
run list models --format jsno
