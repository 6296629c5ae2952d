#!/bin/sh
# refresh.sh [PAGE...]: writes the outputs and pictures that README.md and the pages of docs/ show anew,
# by the commands that the pages themselves name, from the runs in results/. `make refresh` calls it in
# the root of the tree, with the program on the PATH. A page says in a comment where something is from:
#
#   <!-- printed by: COMMAND -->   and behind it a fence: what the command prints becomes its content
#   <!-- drawn by: COMMAND -->     the command makes the picture
set -eu
[ $# -gt 0 ] || set -- README.md docs/*.md
printed=$(mktemp) && fresh=$(mktemp)
trap 'rm -f "$printed" "$fresh"' EXIT
for page in "$@"; do
    grep -q -e '^<!-- printed by: ' -e '^<!-- drawn by: ' "$page" || continue
    fence=no
    while IFS= read -r line || [ -n "$line" ]; do
        command=$(printf '%s\n' "$line" | sed -n 's/^<!-- [a-z]* by: \(.*\) -->$/\1/p')
        case $line in
        '<!-- printed by: '*)
            if sh -c "$command" >"$printed" && [ -s "$printed" ]; then
                fence=next
            else
                echo "$page stays as it is where nothing is printed by: $command" >&2
            fi
            ;;
        '<!-- drawn by: '*) sh -c "$command" || echo "$page: the picture stays as it is where nothing is drawn by: $command" >&2 ;;
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
