# check-all: ten runs beside a busy process
# tries: 3
# While another process uses the CPU all the time, the gate passes in ten of ten runs.
sed 's/^name = .*/name = "load";/' "$root/scenarios/experiments/smoke.cfg" >load.cfg
attempt() {
    "$proxbench" run load.cfg --mode ci --scenario press --quiet --cache cache --out "$1" \
        >/dev/null 2>&1
}
attempt first && "$proxbench" check --bless first 2>/dev/null
while :; do :; done &
busy=$!
passed=0
for number in 1 2 3 4 5 6 7 8 9 10; do
    attempt $number && "$proxbench" check $number >table 2>/dev/null && passed=$((passed + 1))
    cat table
done
kill $busy
wait $busy 2>/dev/null
echo "$passed of 10"
