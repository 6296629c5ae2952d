#!/bin/sh
# mutants.sh FAMILY... [MAKE-ARGUMENT...]: breaks the code in one place at a time, in copies of the
# tree, and runs the tests of algorithms/FAMILY, scenarios/FAMILY, suite/FAMILY or FAMILY
# (groundtruth) on it. They must fail. Lists the breaks that survive.
# mutants.sh --all: the breaks of all families.
# mutants.sh --draw COUNT: COUNT of all breaks, drawn by the hash of the commit, so that a commit
# always has the same draw.
# mutants.sh --check: checks that the text that each break replaces still exists.
# mutants.sh --compile [MAKE-ARGUMENT...]: checks that also, and that each break compiles.
#
# The breaks of a family are in algorithms/FAMILY/tests/mutants.txt, one paragraph each:
#
#     algorithms/ist/query.c
#     - w->a->tree.origin           the old text: part of one line, and nowhere else in the file
#     + w->b->tree.origin           the new text
#     bodies are apart by nothing   the effect of the break
#     survives: ...                 only if no test can detect it: the reason
#
# A line "tests: PATH..." names further files of tests outside of the folder of the family, without
# ".c"; lines that begin with # are comments. A family has thirty breaks or more. A file of tests is
# run by its suites, with the program of its folder.
#
# Exit status: 1 if a break survives without a reason, or if the list or the tree is invalid (the
# old text does not exist exactly once, a break does not compile, tests fail without a break); 2 for
# usage. A draw lists breaks that survive but does not fail for them, because the selection is
# random.
set -u
cd "$(dirname "$0")/../.." || exit 2

# read_lists LIST...: prints a line "number, file, line, old, new, what, reason, list" for each
# break, with tabs.
read_lists() {
    awk '
    function fail(text) {
        print list ": " file ": " text >"/dev/stderr"
        bad = 1
    }
    function finish(  text, at, n, found, place) {
        if (file != "" && (old == "" || what == ""))
            fail("a break needs its old text (-), its new one (+) and a word on what it breaks")
        else if (file != "") {
            while ((getline text <file) > 0)
                for (n++; (at = index(text, old)) > 0; text = substr(text, at + 1)) {
                    found++
                    place = n
                }
            close(file)
            if (found != 1)
                fail("there " (found + 0) " times, not once: " old)
            printf "%d\t%s\t%d\t%s\t%s\t%s\t%s\t%s\n", ++count, file, place, old, new, what, reason, list
        }
        file = old = new = what = reason = ""
    }
    FNR == 1 { finish(); list = FILENAME }
    /^#/ { next }
    /^$/ { finish(); next }
    /^tests: / { next }
    file == "" { file = $0; next }
    /^- / { old = substr($0, 3); next }
    /^\+/ { new = substr($0, 3); next }
    /^survives: / { reason = substr($0, 11); next }
    reason != "" { reason = reason " " $0; next }
    { what = what (what == "" ? "" : " ") $0 }
    END { finish(); exit bad }' "$@"
}

all_lists() {
    ls algorithms/*/tests/mutants.txt scenarios/*/tests/mutants.txt suite/*/tests/mutants.txt \
        groundtruth/tests/mutants.txt
}
usage() {
    echo "usage: mutants.sh --check | --compile | --all | --draw COUNT | FAMILY... [MAKE-ARGUMENT...], of families" \
        "that have tests/mutants.txt in algorithms/FAMILY, scenarios/FAMILY, suite/FAMILY or FAMILY" >&2
    exit 2
}

lists='' drawn=0 compile=
while [ $# -gt 0 ]; do
    case $1 in
    --check)
        read_lists $(all_lists) >/dev/null
        exit
        ;;
    --all) lists=$(all_lists) ;;
    --compile) lists=$(all_lists) compile=1 ;;
    --draw)
        [ $# -gt 1 ] || usage
        drawn=$2 lists=$(all_lists)
        shift
        ;;
    *=*) break ;;
    *)
        list=$(ls "algorithms/$1/tests/mutants.txt" "scenarios/$1/tests/mutants.txt" \
            "suite/$1/tests/mutants.txt" "$1/tests/mutants.txt" 2>/dev/null)
        [ -n "$list" ] || usage
        lists="$lists $list"
        ;;
    esac
    shift
done
[ -n "$lists" ] || usage
work=build/mutants
whole=$work/whole
objects=build/release
workers=$(nproc)

# build_in TREE PROGRAM...: builds with the make arguments of the script.
build_in() {
    tree=$1
    shift
    eval "env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s -C '$tree' $make_arguments \"\$@\""
}
make_arguments=
for argument in "$@"; do
    make_arguments="$make_arguments '$argument'"
done

# program_of FILE: prints the program that contains the tests of a file.
program_of() {
    echo "$objects/$(dirname "$1")/$(basename "$1" | sed 's/^test_.*/tests/; s/^slow_.*/slow/')"
}

# run_test TREE FILE SECONDS: runs all cases of its sweeps, without the data beside the tree, which
# not every machine has.
run_test() (
    export ALL_CASES=1
    filter=$(suite/tests/suites.sh "$2.c")
    cd "$1" || exit
    unset BXFI_MAP
    exec timeout --kill-after=5 "$3" "$(program_of "$2")" --filter "$filter" --jobs 1 --fail-fast --short-filename
)

# run_timed FILE: adds "seconds file" to the list of times if it passes on the unbroken tree.
run_timed() {
    log=$work/log.$(echo "$1" | tr / -)
    begin=$(date +%s.%N)
    if run_test "$whole" "$1" 600 >"$log" 2>&1 </dev/null && grep -q 'Tested: [^0]*[1-9]' "$log"; then
        awk -v begin="$begin" -v end="$(date +%s.%N)" -v name="$1" \
            'BEGIN { printf "%.1f %s\n", end - begin, name }' >>"$work/seconds"
    else
        cat "$log"
        echo "the unbroken tree fails $1"
    fi
}

# draw COUNT: prints COUNT of the numbered lines, in an order that depends on the commit (a fixed
# one without git).
draw() {
    seed=$(git rev-parse HEAD 2>/dev/null | cksum | cut -d' ' -f1)
    awk -F '\t' -v OFS='\t' -v seed="$seed" -v count="$1" '
        { line[NR] = $0 }
        END {
            state = seed % 2147483646 + 1
            for (i = 1; i <= NR && i <= count; i++) {
                state = state * 48271 % 2147483647
                j = i + state % (NR - i + 1)
                swap = line[i]; line[i] = line[j]; line[j] = swap
                $0 = line[i]; $1 = i; print
            }
        }'
}

# file_of NUMBER: prints the name of the file that break NUMBER changes.
file_of() {
    awk -F '\t' -v number="$1" '$1 == number { print $2 }' "$work/breaks"
}

# broken_file TREE NUMBER: prints the file of break NUMBER in TREE, with the break.
broken_file() {
    awk -F '\t' -v number="$2" -v tree="$1" '$1 == number {
        while ((getline text <(tree "/" $2)) > 0) {
            at = index(text, $4)
            if (at > 0)
                text = substr(text, 1, at - 1) $5 substr(text, at + length($4))
            print text
        }
    }' "$work/breaks"
}

# compile_breaks: compiles each broken file without writing an object; status 1 if one fails.
compile_breaks() {
    count=$(wc -l <"$work/breaks")
    : >"$work/errors"
    for worker in $(seq "$workers"); do
        for number in $(seq "$worker" "$workers" "$count"); do
            file=$(file_of "$number")
            broken_file . "$number" |
                ${CC:-cc} -std=c17 -D_GNU_SOURCE -I. "-I$objects" -iquote "$(dirname "$file")" -mavx2 \
                    -w -fsyntax-only -x c - 2>"$work/log.$worker" ||
                echo "$file, break '$(awk -F '\t' -v number="$number" '$1 == number { print $6 }' "$work/breaks")': $(
                    grep -m 1 error "$work/log.$worker"
                )" >>"$work/errors"
        done &
    done
    wait
    sort "$work/errors"
    echo "$count breaks compiled, $(wc -l <"$work/errors") failed"
    [ ! -s "$work/errors" ]
}

mkdir -p "$work" && read_lists $lists >"$work/breaks" || exit 1
if [ -n "$compile" ]; then
    compile_breaks
    exit
fi

parts='Makefile packaging base geometry algorithms groundtruth scenarios suite'
# The unbroken tree starts as a copy of this tree with its objects. Later only changed files are
# copied.
if [ ! -d "$whole" ]; then
    mkdir -p "$whole/build" && cp -a $parts "$whole" || exit 1
    [ ! -d "$objects" ] || cp -a "$objects" "$whole/build" || exit 1
fi
if [ "$drawn" -gt 0 ]; then
    draw "$drawn" <"$work/breaks" >"$work/drawn" && mv "$work/drawn" "$work/breaks"
    lists=$(cut -f8 "$work/breaks" | sort -u)
fi
sources() {
    (cd "$1" && find $parts -type f | sort)
}
sources . >"$work/sources"
while read -r file; do
    cmp -s "$file" "$whole/$file" || { mkdir -p "$whole/$(dirname "$file")" && cp "$file" "$whole/$file"; } || exit 1
done <"$work/sources"
sources "$whole" 2>/dev/null | comm -13 "$work/sources" - | (cd "$whole" && xargs -r rm -f)

# files_of LIST: prints the files of tests for the breaks of a list, without ".c".
files_of() {
    {
        find "$(dirname "$(dirname "$1")")" -path '*/tests/test_*.c'
        sed -n 's/^tests: //p' "$1" | tr ' ' '\n' | sed 's/$/.c/'
    } | sed 's/\.c$//' | sort -u
}
files=$(for list in $lists; do files_of "$list"; done | sort -u)
build_in "$whole" -j "$workers" $(for file in $files; do program_of "$file"; done | sort -u) >"$work/log" 2>&1 || {
    cat "$work/log"
    echo 'the unbroken tree does not build'
    exit 1
}
: >"$work/seconds"
rm -rf "$work/taken" && mkdir "$work/taken"
for worker in $(seq "$workers"); do
    for file in $files; do
        mkdir "$work/taken/$(echo "$file" | tr / -)" 2>/dev/null && run_timed "$file"
    done &
done
wait
[ "$(wc -l <"$work/seconds")" -eq "$(echo "$files" | wc -l)" ] || exit 1

# break_tree TREE NUMBER: applies break NUMBER to its file, and prints the name of the file.
break_tree() {
    file=$(file_of "$2")
    broken_file "$whole" "$2" >"$1/$file"
    echo "$file"
}

# tests_for NUMBER FILE: prints "seconds file" of the tests for this break, in the order in which
# they run: first the tests named after the broken file, then the others, each by time.
tests_for() {
    files_of "$(awk -F '\t' -v number="$1" '$1 == number { print $8 }' "$work/breaks")" |
        awk 'NR == FNR { wanted[$1] = 1; next } $2 in wanted' - "$work/seconds" | sort -n |
        awk -v name="test_$(basename "$2" | sed 's/\.[ch]$//; s/_isa$//')" '
        { line[NR] = $0; first[NR] = $2 ~ "/" name "[^/]*$" }
        END { for (wanted = 1; wanted >= 0; wanted--)
            for (i = 1; i <= NR; i++) if (first[i] == wanted) print line[i] }'
}

# judge TREE NUMBER FILE: prints the result of the tests for a tree with break NUMBER in FILE.
judge() {
    tests_for "$2" "$3" >"$1.tests"
    built=
    while read -r seconds test; do
        program=$(program_of "$test")
        case " $built " in
        *" $program "*) ;;
        *)
            if ! build_in "$1" "$program" >"$1.log" 2>&1; then
                echo "does not compile: $(grep -m 1 error "$1.log")"
                return
            fi
            built="$built $program"
            ;;
        esac
        # Allows for a machine that is busier than before. A longer run is an endless loop.
        limit=$(awk -v seconds="$seconds" 'BEGIN { print int(20 + 5 * seconds) }')
        run_test "$1" "$test" "$limit" >"$1.log" 2>&1 </dev/null || {
            echo "killed by $(basename "$test")"
            return
        }
    done <"$1.tests"
    echo survived
}

# work_in TREE: takes the next break as long as there is one.
work_in() {
    rm -rf "$1" && cp -a "$whole" "$1" || return
    number=0
    while [ $((number += 1)) -le "$count" ]; do
        mkdir "$work/taken/$number" 2>/dev/null || continue
        begin=$(date +%s)
        file=$(break_tree "$1" "$number")
        verdict=$(judge "$1" "$number" "$file")
        cp "$whole/$file" "$1/$file"
        printf '%s\t%s\n' "$number" "$verdict" >>"$work/verdicts"
        awk -F '\t' -v number="$number" -v verdict="$verdict" -v seconds="$(($(date +%s) - begin))" \
            -v done="$(wc -l <"$work/verdicts")" -v count="$count" '$1 == number {
            printf "%3d of %d  %3d s  %s:%d: %s: %s\n", done, count, seconds, $2, $3, $6, verdict
        }' "$work/breaks"
    done
}

count=$(wc -l <"$work/breaks")
rm -rf "$work/taken" && mkdir "$work/taken"
: >"$work/verdicts"
pids=
trap 'kill $pids 2>/dev/null; exit 130' INT TERM
for worker in $(seq "$workers"); do
    work_in "$work/tree$worker" &
    pids="$pids $!"
done
wait $pids

# The verdict. A break that survives with a reason is expected to; one that is killed needs no
# reason.
sort -n "$work/verdicts" | awk -F '\t' -v count="$count" -v drawn="$drawn" '
    NR == FNR { verdict[$1] = $2; next }
    {
        place = $2 ":" $3 ": " $6
        killed = verdict[$1] ~ /^killed/
        dead += killed
        if (killed && $7 != "") print "killed although it has a reason to survive: " place
        if (verdict[$1] == "survived" && $7 != "") { print "survives: " place ": " $7; excused++ }
        if (verdict[$1] == "survived" && $7 == "") print "SURVIVED: " place
        if (!killed && verdict[$1] != "survived") { print "NO GOOD: " place ": " verdict[$1]; bad++ }
    }
    END {
        printf "%d breaks: %d killed, %d survive for a reason, %d are open\n", count, dead, excused, count - dead - excused
        exit drawn ? bad > 0 : dead + excused < count
    }' - "$work/breaks"
