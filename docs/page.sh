#!/bin/sh
# page.sh PAGE [RUN OPTION...]: makes docs/PAGE.md anew: runs every experiment whose run the page names in a
# comment (results/NAME), compares, draws, and writes what the page shows (docs/refresh.sh). `make page`
# calls it in the root of the tree, with the program on the PATH. Times with evicted caches are taken of runs whose
# tables show them. Options are those of `proxbench run`; those of `proxbench plot` are in PLOT_FLAGS.
#
# What no experiment makes has its command in a comment, `made by`, which ends with its folder: simulations.
#
# A run that is there, whole, of this very commit and of the mode that is asked for, is kept, so that a page that was
# interrupted goes on where it was; FRESH=1 runs all. Where sources are not committed nothing is kept.
set -eu
page=docs/$1.md
shift
commit=$(proxbench --version | sed 's/.*(\(.*\),.*/\1/')
mode=$(printf '%s\n' "$@" | sed -n '/^--mode$/ { n; p; }')

# of RUN KEY: what its manifest says
of() {
    sed -n "s/^$2,//p" "$1/manifest.csv" | head -n 1
}
# kept RUN: may it stand for a new one?
kept() {
    [ "${FRESH:-0}" = 0 ] && [ -e "$1/manifest.csv" ] || return 1
    case $commit/$(of "$1" run,exit_status) in *-dirty/* | */ | */130) return 1 ;; esac
    [ "$(of "$1" suite,commit)" = "$commit" ] || return 1
    [ "$(of "$1" run,mode)" ] || return 0 # made by a command that has no mode
    [ -n "$mode" ] || set -- "$1" "$(sed -n 's/^mode = "\(.*\)";/\1/p' "scenarios/experiments/${1#results/}.cfg")"
    [ "$(of "$1" run,mode)" = "${mode:-$2}" ]
}

# warmth RUN: prints the option that leaves out passes with evicted caches if no table and no claim of the run uses their times
warmth() {
    grep -qs '(evicted)' "scenarios/experiments/${1#results/}.cfg" || grep -q "^<!-- .* $1 .*evicted" "$page" ||
        echo --warm-only
}

# made RUN: the command of a run that no experiment makes
made() {
    sed -n "s|^<!-- made by: \(.* $1\) -->\$|\1|p" "$page"
}

for run in $(grep '^<!-- ' "$page" | grep -o 'results/[a-z0-9-]*' | sort -u); do
    if kept "$run"; then
        echo "$run: kept, it is of $commit"
    elif [ "$(made "$run")" ]; then
        rm -rf "$run"
        eval "$(made "$run")"
    else
        proxbench run "${run#results/}" $(warmth "$run") "$@"
    fi
    [ ! -e "$run/cells.csv" ] || proxbench compare "$run" >/dev/null
    proxbench plot "$run" ${PLOT_FLAGS:-}
done
docs/refresh.sh "$page"
