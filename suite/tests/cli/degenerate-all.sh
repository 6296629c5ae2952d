# check-all: runs all 66 scenarios, and the case degenerate has one or more of each kind
scenarios='*/distance'
. "$root/suite/tests/cli/degenerate.inc"
