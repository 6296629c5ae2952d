#!/bin/sh
# table.sh TABLE RUN...: prints a table of a page from the files of runs (folders, results/NAME), for fences
# that `make refresh` fills. A table is docs/tables/TABLE.awk: what it can ask of the runs and how it
# prints is in docs/tables/runs.awk, which comes before it. Files that a run has not are left out; a run
# that is not there is an error.
set -eu
tables=$(dirname "$0")/tables
table=$1
shift
[ $# -gt 0 ] || { echo "usage: docs/table.sh TABLE RUN..." >&2 && exit 2; }
for run in "$@"; do
    [ -e "$run/cells.csv" ] || [ -e "$run/simulations.csv" ] || { echo "docs/table.sh: no run in '$run'" >&2 && exit 1; }
done
for run in "$@"; do
    for file in manifest cells builds launches compare forces build_launches build_ratios simulations simulation_times; do
        [ ! -e "$run/$file.csv" ] || printf '%s\n' "$run/$file.csv"
    done
done | LC_ALL=C awk -f "$tables/runs.awk" -f "$tables/$table.awk"
