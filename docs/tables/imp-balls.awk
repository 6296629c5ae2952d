# imp-balls.awk: IMP-T1: of how many patterns of children the smallest ball is smaller than that of all children: counted when a body is
# built, of exact smallest enclosing balls, beside the paper's numbers.
END {
    put_row("tree|patterns|smaller|the paper's")
    for (r = 1; r <= runs_count && smaller == ""; r++) {
        of = runs[r] "/builds"
        for (i = 1; i <= rows[of] && smaller == ""; i++) {
            smaller = field[of, i, "smaller_patterns_count"]
            squares = field[of, i, "smaller_squares_count"]
        }
    }
    put_row("octree|255|" count(smaller) "|85")
    put_row("quadtree|15|" count(squares) "|12")
    print_table()
}
