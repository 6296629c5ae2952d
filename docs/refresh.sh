#!/bin/sh
# refresh.sh [PAGE...]: writes the outputs, tables and pictures of README.md and docs/ again, by the
# commands that the pages name, from the runs in results/. `make refresh` calls it in the root of the
# tree, with the program on the PATH. A page states the origin in a comment:
#
#   <!-- printed by: COMMAND -->   the fence that follows gets the output of the command
#   <!-- table by: COMMAND -->     the lines that follow and begin with '|' become the output
#   <!-- drawn by: COMMAND -->     the command draws the picture
set -eu
[ $# -gt 0 ] || set -- README.md docs/*.md
printed=$(mktemp) && fresh=$(mktemp)
trap 'rm -f "$printed" "$fresh"' EXIT
for page in "$@"; do
    grep -q '^<!-- \(printed\|table\|drawn\) by: ' "$page" || continue
    fence=no
    table=no
    while IFS= read -r line || [ -n "$line" ]; do
        command=$(printf '%s\n' "$line" | sed -n 's/^<!-- [a-z]* by: \(.*\) -->$/\1/p')
        case $line in
        '|'*) [ $table = no ] || continue ;;
        *) table=no ;;
        esac
        case $line in
        '<!-- table by: '*)
            if sh -c "$command" >"$printed" && [ -s "$printed" ]; then
                printf '%s\n' "$line" && cat "$printed" && table=old && continue
            fi
            echo "$page keeps its table, because nothing is printed by: $command" >&2
            ;;
        '<!-- printed by: '*)
            if sh -c "$command" >"$printed" && [ -s "$printed" ]; then
                fence=next
            else
                echo "$page keeps its output, because nothing is printed by: $command" >&2
            fi
            ;;
        '<!-- drawn by: '*) sh -c "$command" || echo "$page keeps its picture, because nothing is drawn by: $command" >&2 ;;
        '```'*)
            case $fence in
            next) printf '%s\n' "$line" && cat "$printed" && fence=old && continue ;;
            old) fence=no ;;
            esac
            ;;
        esac
        [ $fence = old ] || printf '%s\n' "$line"
    done <"$page" >"$fresh"
    cmp -s "$fresh" "$page" || { cp "$fresh" "$page" && echo "$page"; }
done
