#!/usr/bin/env bash
# size.sh [REV]: prints measures of the size of the working tree or of a commit. `make size REV=...`
# calls it. Each line is a measure and its number. "Tests" are files in folders named tests. Needs
# ctags (package universal-ctags).
set -eu
cd "$(dirname "$0")/../.."
command -v ctags >/dev/null || { echo 'size: ctags is missing: apt-get install universal-ctags' >&2; exit 3; }
tree=$PWD
if [ $# -gt 0 ]; then
    tree=$(mktemp -d)
    trap 'rm -rf "$tree"' EXIT
    git archive "$1" | tar -x -C "$tree"
    cd "$tree"
    files=$(find . -type f | sed 's|^\./||')
else
    files=$(git ls-files)
fi
c_files=$(printf '%s\n' "$files" | grep -E '^(base|geometry|algorithms|groundtruth|scenarios|suite)/.*\.[ch]$')
product=$(printf '%s\n' "$c_files" | grep -v '/tests/')
tests=$(printf '%s\n' "$c_files" | grep '/tests/')
awk_files=$(printf '%s\n' "$files" | grep '\.awk$' || true)
lines() { [ $# -eq 0 ] && echo 0 || cat "$@" | wc -l; }
# ctags marks static functions with "file:". All other functions of .c files are exported.
functions=$(mktemp)
printf '%s\n' "$product" | ctags -L - --languages=C --langmap=C:.c.h --kinds-C=f --fields=+S -f - 2>/dev/null >"$functions"
exported=$(awk -F'\t' '$2 ~ /\.c$/ && $0 !~ /\tfile:/ { print $1 }' "$functions" | sort -u | wc -l)
families='ist|vps|pst|imp|lpd'
naming=$(printf '%s\n' "$c_files" | grep -vE "^algorithms/($families)/" | xargs grep -lwE "$families" | wc -l)
printf '%-58s %7d\n' 'lines of C without tests' "$(lines $product)"
printf '%-58s %7d\n' 'lines of C of tests' "$(lines $tests)"
printf '%-58s %7d\n' 'files of C without tests' "$(printf '%s\n' "$product" | wc -l)"
printf '%-58s %7d\n' 'exported functions' "$exported"
printf '%-58s %7d\n' 'functions' "$(wc -l <"$functions")"
printf '%-58s %7d\n' 'lines of awk' "$(lines $awk_files)"
printf '%-58s %7d\n' 'files of C that name a family, outside of the families' "$naming"
rm -f "$functions"
