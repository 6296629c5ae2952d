# An installed program works from any folder, and uninstalling removes all files.
install_to "$PWD/root"
proxbench=$PWD/root/bin/proxbench
export XDG_CACHE_HOME="$PWD/cache" PROXBENCH_DATA=
(cd root/share/proxbench && for kind in *; do
    case $kind in
    experiments) from=$root/scenarios/experiments ;;
    plots) from=$root/plots ;;
    record) from=$root/suite/record ;;
    reference) from=$root/results/reference ;;
    report) from=$root/suite/report ;;
    examples) from=$root/examples ;;
    esac
    (cd "$kind" && find . -type f | LC_ALL=C sort) >../../here
    (cd "$from" && find . -type f \( -name '*.cfg' -o -name '*.gp' -o -name '*.csv' -o -name '*.off' \
        -o -name '*.html' -o -name '*.css' -o -name '*.js' -o -name '*.py' \) ! -path './tests/*' |
        LC_ALL=C sort) >../../there
    while read -r file; do cmp "$kind/$file" "$from/$file" || echo "$file"; done <../../here
    cmp -s ../../here ../../there || echo "$kind: not all"
    echo "$kind: $(wc -l <../../here)" | sed 's/ [2-9]$\| [1-9][0-9][0-9]*$/ several/'
done)
mkdir elsewhere && cd elsewhere
run list experiments --format csv | grep -E '^(bench|ci|smoke),'
run run smoke --scenario grid --algorithm floor,brute --quiet | sed 's/ [0-9][0-9.]* [num]*s / T /g; s/  */ /g; s/-[0-9]*-[0-9]*.$/-TIME/'
"$proxbench" truth smoke/grid --quiet | cut -d, -f1 | head -n 2
ls
[ -d ../cache/proxbench ] && echo 'the cache is where the user keeps such things'
run run bnech
run list experiments --data ../root/share/proxbench --format csv | grep ^bench
mkdir -p mine/experiments
cp ../root/share/proxbench/experiments/smoke.cfg mine/experiments
run list experiments --data mine --format csv
mv ../root/share ../root/hidden
run list experiments | sed "s|$(dirname "$PWD")|HERE|"
run run smoke | sed "s|$(dirname "$PWD")|HERE|"
PROXBENCH_DATA=../root/hidden/proxbench run run bnech
mv ../root/hidden ../root/share
env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s -C "$root" uninstall "PREFIX=$(dirname "$PWD")/root" | sed "s|$(dirname "$PWD")|HERE|"
find ../root -type f
