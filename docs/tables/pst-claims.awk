# pst-claims.awk: what is claimed of point-sphere trees against distance fields, each as a rule on numbers: what was measured, with
# its interval, and whether the rule holds.

# --- Penetration ---------------------------------------------------------------------------------

# The tree is the baseline, so that the ratio is the time of the flat walk / its time.
function walks(    run, m, i, j, n, scene, v, bad) {
    run = "pst-t1"
    if (!has(run)) return
    m = scenarios(run, "", scene)
    for (i = 1; i <= m; i++) {
        n = variants(run, scene[i], "^pst:walk=flat$", v)
        for (j = 1; j <= n; j++) claim("T1", scene[i] ": flat / tree at least 1.5", ratio_text(run, scene[i], v[j]), at_least(ratio(run, scene[i], v[j], "lo"), ratio(run, scene[i], v[j], "hi"), 1.5))
        n = variants(run, scene[i], "^pst:.*walk=flat", v)
        for (j = 1; j <= n; j++) {
            bad = frames_that_differ(run, scene[i], v[j])
            known("T1", scene[i] ", " v[j] ": contacts, depth, force and torque are those of the tree, to the last digit", bad, count(bad) " frames differ", 0)
        }
    }
}
# Power above 30 Hz of layers / that of the interpolated field, in windows of steady contact.
function fields_against_layers(    run, m, i, j, n, scene, v, layers, own, other, apart) {
    run = "pst-t2"
    if (!has(run)) return
    m = scenarios(run, "", scene)
    for (i = 1; i <= m; i++) {
        n = variants(run, scene[i], "^pst", v)
        for (j = 1; j <= n; j++) {
            layers = same_with_layers(run, scene[i], v[j])
            if (layers == "") continue
            aliasing(run, scene[i], v[j], own)
            aliasing(run, scene[i], layers, other)
            apart = own["steady"] == "" || other["steady"] == "" ? "" : other["steady"] - own["steady"]
            claim("T2", scene[i] ": above 30 Hz layers at least 10 dB louder than interpolated distances", decibels(apart), at_least(apart, apart, 10))
        }
    }
}

# --- Distance ------------------------------------------------------------------------------------

# Independent poses; limits are twice as wide on pairs other than the organic one.
function distances(    run, m, i, scene, wide, k, errors, widths, x, w, n, v) {
    run = "pst-x1"
    if (!has(run)) return
    m = scenarios(run, "/sphere", scene)
    for (i = 1; i <= m; i++) {
        if (!variants(run, scene[i], "^pst$", v)) continue
        wide = scene[i] ~ /^organic/ ? 1 : 2
        x = cell(run, scene[i], "pst", "distance_error_rel_mean")
        known("X1", scene[i] ": mean error at most " digits(0.05 * wide) " %", x, error_text(x), 0.0005 * wide)
        k = frame_sizes(run, scene[i], "pst", "distance_error_rel", errors)
        x = share_above(errors, k, 0.01)
        known("X1", scene[i] ": at most " digits(0.3 * wide) " % of the frames off by more than 1 %", x, percent(x), 0.003 * wide)
        faster(run, scene[i], 100 / wide, 40 / wide)
        n = frame_sizes(run, scene[i], "pst", "distance_bracket_width_rel", widths)
        x = quantile(widths, n, 0.5)
        w = quantile(errors, k, 0.99)
        if (x != "" && w != "") claim("X1", scene[i] ": median width of the bracket at most twice the error's 99th percentile", error_text(x) " against " error_text(w), at_most(x, x, 2 * w))
    }
    m = scenarios(run, "", scene)
    for (i = 1; i <= m; i++) kept(run, scene[i])
}
# Against FCL's trees of oriented boxes, where the run has them.
function faster(run, scenario, warm, evicted) {
    if (baseline(run, scenario) != "fcl") {
        claim("X1", scenario ": faster than FCL", "FCL is not there", "cannot tell")
        return
    }
    claim("X1", scenario ": at least " digits(warm) " times as fast as FCL", speedup_text(run, scenario, "pst"), at_least(inverse(ratio(run, scenario, "pst", "hi")), inverse(ratio(run, scenario, "pst", "lo")), warm))
    claim("X1", scenario ": with evicted caches at least " digits(evicted) " times", speedup_evicted_text(run, scenario, "pst"), at_least(inverse(ratio_evicted(run, scenario, "pst", "hi")), inverse(ratio_evicted(run, scenario, "pst", "lo")), evicted))
}
# Promises of all of a scenario's trees together.
function kept(run, scenario,    n, v, j, broken) {
    n = variants(run, scenario, "^pst", v)
    for (j = 1; j <= n; j++) broken += cell(run, scenario, v[j], "violations_count")
    if (n > 0) known(run == "pst-x1" ? "X1" : "B", scenario ": every bracket holds the truth", broken, count(broken + 0) " broken promises of " n " variants", 0)
}
function exact_finish(    run, m, i, j, n, scene, v, r) {
    run = "pst-x1"
    if (!has(run)) return
    m = scenarios(run, "", scene)
    for (i = 1; i <= m; i++) {
        n = variants(run, scene[i], "^pst-exact", v)
        for (j = 1; j <= n; j++) {
            time_ratio(run, scene[i], exact_rival(v[j]), v[j], "warm", r)
            claim("X1", scene[i] ", " v[j] ": faster than " exact_rival(v[j]), triple(r), at_least(r["lo"], r["hi"], 1))
        }
    }
}

# --- Budgets -------------------------------------------------------------------------------------

function budgets(    run, m, i, j, n, scene, v, most, limit, longest, times, k) {
    run = "pst-budget"
    if (!has(run)) return
    m = scenarios(run, "", scene)
    for (i = 1; i <= m; i++) {
        n = variants(run, scene[i], "^pst:.*budget=", v)
        for (j = 1; j <= n; j++) {
            limit = number_of(v[j], "budget")
            most = most_lookups(run, scene[i], v[j])
            known("B", scene[i] ", " v[j] ": no frame takes more lookups", most, most == "" ? "-" : count(most), limit)
        }
        n = variants(run, scene[i], "^pst-deadline", v)
        for (j = 1; j <= n; j++) {
            limit = 1000 * number_of(v[j], "deadline-us")
            k = frame_sizes(run, scene[i], v[j], "time_min_ns", times)
            longest = quantile(times, k, 1)
            claim("B", scene[i] ", " v[j] ": every frame within the deadline, each by its fastest pass", longest == "" ? "-" : time(longest), timed(run) ? at_most(longest, longest, limit) : "cannot tell")
        }
        kept(run, scene[i])
    }
}
function number_of(variant, key) {
    if (!match(variant, "[:,]" key "=[0-9.]+")) return ""
    return substr(variant, RSTART + length(key) + 2, RLENGTH - length(key) - 2) + 0
}

END {
    put_row("claim|rule|measured|verdict")
    walks()
    fields_against_layers()
    distances()
    exact_finish()
    budgets()
    promises_of("^pst", "pst-promises")
    promises_of("^pst", "degenerate")
    print_table()
}
