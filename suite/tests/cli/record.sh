# needs-python: http.client
# The web server of `record`: refused requests, lost connections, records that survive, faulty variants.
hang_limit 10
box a.off 0 0 0 1
box b.off 0 0 0 1
run record
run record --a a.off --b b.off --algorithm exact-distance --quantity force
run record --a a.off --b b.off --hand exact-tetra
run record --a a.off --b b.off --out none/t.csv
run record --a a.off --b b.off --port 70000
PROXBENCH_THREE=nowhere run record --a a.off --b b.off
ls
[ -e "${PROXBENCH_THREE:-/usr/share/javascript/three}/three.min.js" ] || export PROXBENCH_THREE=.
[ "${PROXBENCH_THREE-}" != . ] || touch three.min.js copyright
"$python" -B "$root/suite/tests/recorder.py" "$proxbench"
