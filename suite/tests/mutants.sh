#!/bin/sh
# mutants.sh FAMILY [MAKE-ARGUMENT...]: breaks the code in one place at a time, in copies of the tree,
# and runs the tests of algorithms/FAMILY on it: they have to fail. Names the breaks that survive.
# A family of that name in scenarios/ is broken in the same way.
# mutants.sh --check: is the text that each break of each family replaces still there?
#
# The breaks of a family are in algorithms/FAMILY/tests/mutants.txt, a paragraph each:
#
#     algorithms/ist/query.c
#     - w->a->tree.origin           what is replaced: part of one line, and nowhere else in the file
#     + w->b->tree.origin           by what
#     bodies are apart by nothing   what this breaks
#     survives: ...                 only where no test can tell: why not
#
# A line "tests: PATH..." names tests outside of the family's folder that are run as well, without
# ".c"; lines that begin with # are remarks. A family brings thirty breaks or more.
#
# Exit status: 1 when a break survives without a reason, when the list or the tree is no good (a text
# that is not there once, a break that does not compile, tests that fail without one), 2 for usage.
set -u
cd "$(dirname "$0")/../.." || exit 2

# read_lists LIST...: a line "number, file, line, old, new, what, reason" for each break, with tabs.
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
            printf "%d\t%s\t%d\t%s\t%s\t%s\t%s\n", ++count, file, place, old, new, what, reason
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

if [ $# -eq 1 ] && [ "$1" = --check ]; then
    read_lists algorithms/*/tests/mutants.txt scenarios/*/tests/mutants.txt >/dev/null
    exit
fi
family=${1-}
folder=algorithms/$family
[ -d "$folder" ] || folder=scenarios/$family
list=$folder/tests/mutants.txt
if [ ! -r "$list" ]; then
    echo "usage: mutants.sh FAMILY [MAKE-ARGUMENT...], of a family that has algorithms/FAMILY/tests/mutants.txt or scenarios/FAMILY/tests/mutants.txt" >&2
    exit 2
fi
shift
work=build/mutants
whole=$work/whole
objects=build/release
workers=$(nproc)

# build_in TREE PROGRAM... : with the arguments of make that the script was given.
build_in() {
    tree=$1
    shift
    eval "env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s -C '$tree' $make_arguments \"\$@\""
}
make_arguments=
for argument in "$@"; do
    make_arguments="$make_arguments '$argument'"
done

# run_test TREE PROGRAM SECONDS: without the data beside the tree, which not everybody has.
run_test() (
    cd "$1" || exit
    unset BXFI_MAP
    exec timeout --kill-after=5 "$3" "$2" --jobs 1 --fail-fast --short-filename
)

# run_timed PROGRAM: adds "seconds program" to the list of times if it passes on the unbroken tree.
run_timed() {
    begin=$(date +%s.%N)
    if run_test "$whole" "$1" 600 >"$work/log.$(basename "$1")" 2>&1 </dev/null; then
        awk -v begin="$begin" -v end="$(date +%s.%N)" -v name="$1" \
            'BEGIN { printf "%.1f %s\n", end - begin, name }' >>"$work/seconds"
    else
        cat "$work/log.$(basename "$1")"
        echo "the unbroken tree fails $1"
    fi
}

# The unbroken tree: what has changed since the last time is copied, so that little is built anew.
mkdir -p "$whole" && read_lists "$list" >"$work/breaks" || exit 1
sources() {
    (cd "$1" && find Makefile base geometry algorithms groundtruth scenarios suite -type f | sort)
}
sources . >"$work/sources"
while read -r file; do
    cmp -s "$file" "$whole/$file" || { mkdir -p "$whole/$(dirname "$file")" && cp "$file" "$whole/$file"; } || exit 1
done <"$work/sources"
sources "$whole" 2>/dev/null | comm -13 "$work/sources" - | (cd "$whole" && xargs -r rm -f)
programs=$({
    find "$folder" -path '*/tests/test_*.c'
    sed -n 's/^tests: //p' "$list" | tr ' ' '\n' | sed 's/$/.c/'
} | sort | sed "s|^|$objects/|; s|\.c$||; s|^\(.*\)_isa$|\1_sse2\n\1_avx2|")
build_in "$whole" -j "$workers" $programs >"$work/log" 2>&1 || {
    cat "$work/log"
    echo 'the unbroken tree does not build'
    exit 1
}
: >"$work/seconds"
rm -rf "$work/taken" && mkdir "$work/taken"
for worker in $(seq "$workers"); do
    for program in $programs; do
        mkdir "$work/taken/$(basename "$program")" 2>/dev/null && run_timed "$program"
    done &
done
wait
[ "$(wc -l <"$work/seconds")" -eq "$(echo "$programs" | wc -l)" ] || exit 1

# break_tree TREE NUMBER: puts break NUMBER into the file whose name is printed.
break_tree() {
    awk -F '\t' -v number="$2" -v whole="$whole" -v tree="$1" '$1 == number {
        while ((getline text <(whole "/" $2)) > 0) {
            at = index(text, $4)
            if (at > 0)
                text = substr(text, 1, at - 1) $5 substr(text, at + length($4))
            print text >(tree "/" $2)
        }
        print $2
    }' "$work/breaks"
}

# The programs in the order in which they are run: those of the file's name, then the quickest.
programs_for() {
    sort -n "$work/seconds" | awk -v name="test_$(basename "$1" | sed 's/\.[ch]$//; s/_isa$//')" '
        { line[NR] = $0; first[NR] = $2 ~ "/" name "[^/]*$" }
        END { for (wanted = 1; wanted >= 0; wanted--)
            for (i = 1; i <= NR; i++) if (first[i] == wanted) print line[i] }'
}

# judge TREE FILE: what becomes of a tree with a break in FILE.
judge() {
    programs_for "$2" >"$1.programs"
    while read -r seconds program; do
        if ! build_in "$1" "$program" >"$1.log" 2>&1; then
            echo "does not compile: $(grep -m 1 error "$1.log")"
            return
        fi
        # Time enough for a machine that is busier than before; longer is an endless loop.
        limit=$(awk -v seconds="$seconds" 'BEGIN { print int(20 + 5 * seconds) }')
        run_test "$1" "$program" "$limit" >"$1.log" 2>&1 </dev/null || {
            echo "killed by $(basename "$program")"
            return
        }
    done <"$1.programs"
    echo survived
}

# work_in TREE: takes the next break until none is left.
work_in() {
    rm -rf "$1" && cp -a "$whole" "$1" || return
    number=0
    while [ $((number += 1)) -le "$count" ]; do
        mkdir "$work/taken/$number" 2>/dev/null || continue
        begin=$(date +%s)
        file=$(break_tree "$1" "$number")
        verdict=$(judge "$1" "$file")
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

# The verdict. A survivor with a reason is what it says; one that is killed has no need of it.
sort -n "$work/verdicts" | awk -F '\t' -v count="$count" '
    NR == FNR { verdict[$1] = $2; next }
    {
        place = $2 ":" $3 ": " $6
        killed = verdict[$1] ~ /^killed/
        dead += killed
        if (killed && $7 != "") print "killed, so its reason is none: " place
        if (verdict[$1] == "survived" && $7 != "") { print "survives: " place ": " $7; excused++ }
        if (verdict[$1] == "survived" && $7 == "") print "SURVIVED: " place
        if (!killed && verdict[$1] != "survived") print "NO GOOD: " place ": " verdict[$1]
    }
    END {
        printf "%d breaks: %d killed, %d survive for a reason, %d are open\n", count, dead, excused, count - dead - excused
        exit dead + excused < count
    }' - "$work/breaks"
