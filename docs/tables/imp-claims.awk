# imp-claims.awk: what is claimed of implicit sphere trees, each as a rule on numbers: what was measured, with its interval, and whether
# the rule holds.

# --- Times ---------------------------------------------------------------------------------------

# Frames of all of a scenario's variants that have about 1,000 contacts, each variant's median.
function thousands(id, run, limit, whose,    m, i, j, n, k, scene, v, sorted, x, worst, best, slowest, quickest, frames) {
    if (!has(run)) return
    m = scenarios(run, "", scene)
    for (i = 1; i <= m; i++) {
        n = variants(run, scene[i], "^imp", v)
        worst = best = slowest = quickest = ""
        frames = 0
        for (j = 1; j <= n; j++) {
            k = near_thousand(run, scene[i], v[j], "time_median_ns", sorted)
            frames += k
            x = quantile(sorted, k, 0.5)
            if (x == "") continue
            if (worst == "" || x > worst) { worst = x; slowest = v[j] }
            if (best == "" || x < best) { best = x; quickest = v[j] }
        }
        claim(id, scene[i] ": 1,000 contacts in at most " time(limit) " at the median, the slowest variant" whose, (worst == "" ? "no such frame" : time(worst) " (" slowest "), fastest " time(best) " (" quickest ")"), timed(run) ? at_most(worst, worst, limit) : "cannot tell")
    }
}
# Of the frames with 100 to 10,000 contacts the longest one, each by its fastest pass, of all variants of a scenario. A scenario
# without such frames says nothing of contacts: the rule does not hold.
function interactive(id, run, limit,    m, i, j, k, n, of, c, scene, v, x, worst, slowest, frames, most) {
    if (!has(run)) return
    m = scenarios(run, "", scene)
    for (i = 1; i <= m; i++) {
        n = variants(run, scene[i], "^imp", v)
        worst = ""
        frames = most = 0
        for (j = 1; j <= n; j++) {
            of = frames_of(run, scene[i], v[j])
            for (k = 1; k <= rows[of]; k++) {
                c = field[of, k, "contacts_count"]
                x = field[of, k, "time_min_ns"]
                if (c < 100 || c > 10000 || x == "") continue
                frames++
                if (c > most) most = c
                if (worst == "" || x > worst) { worst = x; slowest = v[j] }
            }
        }
        claim(id, scene[i] ": every step with 100 to 10,000 contacts within " time(limit) ", each by its fastest pass", (worst == "" ? "no such step" : time(worst) " (" slowest "), " count(frames) " steps, " count(most) " contacts at most"), worst == "" ? "does not hold" : timed(run) ? at_most(worst, worst, limit) : "cannot tell")
    }
}
# No variant finds other contacts than the baseline.
function same_contacts(id, run, pattern,    m, i, j, n, scene, v, bad, base) {
    if (!has(run)) return
    m = scenarios(run, "", scene)
    for (i = 1; i <= m; i++) {
        base = baseline(run, scene[i])
        n = variants(run, scene[i], pattern, v)
        bad = 0
        for (j = 1; j <= n; j++) bad += contacts_that_differ(run, scene[i], v[j], base)
        known(id, scene[i] ": " n " variants find the same contacts and the same depth, to the last digit", bad, count(bad) " frames differ", 0)
    }
}

# --- Optimisations -------------------------------------------------------------------------------

# Each alone, against neither; and which of the two helps more.
function optimisations(    run, m, i, scene, one, side) {
    run = "imp-f5"
    if (!has(run)) return
    m = scenarios(run, "", scene)
    one = "imp:spheres=cubes"
    side = "imp:one-child=off"
    for (i = 1; i <= m; i++) {
        claim("F5", scene[i] ": one-child is faster than neither", speedup_text(run, scene[i], one), at_least(inverse(ratio(run, scene[i], one, "hi")), inverse(ratio(run, scene[i], one, "lo")), 1))
        claim("F5", scene[i] ": tight balls by patterns (side) are faster than neither", speedup_text(run, scene[i], side), at_least(inverse(ratio(run, scene[i], side, "hi")), inverse(ratio(run, scene[i], side, "lo")), 1))
        time_ratio(run, scene[i], side, one, "warm", r)
        claim("F5", scene[i] ": one-child helps more than tight balls (time of side / time of one-child above 1)", triple(r), at_least(r["lo"], r["hi"], 1))
    }
}

# --- Balls ---------------------------------------------------------------------------------------

function balls(    run, of, i, x, y) {
    run = "imp-x1"
    of = run "/builds"
    for (i = 1; i <= rows[of]; i++) {
        if (x == "") x = field[of, i, "smaller_patterns_count"]
        if (y == "") y = field[of, i, "smaller_squares_count"]
    }
    if (x == "") return
    claim("T1", "octree: smaller balls of 255 patterns, the paper's 85", count(x), x == 85 ? "holds" : "does not hold")
    claim("T1", "quadtree: smaller balls of 15 patterns, the paper's 12", count(y), y == 12 ? "holds" : "does not hold")
}

END {
    put_row("claim|rule|measured|verdict")
    thousands("F3", "imp-f3", 1e6, "")
    interactive("F4", "imp-f4", 1e6)
    thousands("X1", "imp-x1", 2e5, "")
    same_contacts("X1", "imp-x1", "^imp")
    same_contacts("F5", "imp-f5", "^imp")
    optimisations()
    balls()
    promises_of("^imp", "imp-promises")
    promises_of("^imp", "degenerate")
    print_table()
}
