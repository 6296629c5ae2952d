#!/bin/sh
# suites.sh FILE...: prints the pattern of Criterion's --filter that selects the tests of these
# files.
sed -n 's/^Test(\([a-z0-9_]*\),.*/\1/p' "$@" | sort -u | paste -s -d '|' | sed 's/.*/@(&)?(_sse2|_avx2)\/*/'
