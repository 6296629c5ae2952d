# pst-needs.awk: which method for which need, of those that plots/pst-methods.gp draws. Of each scenario and each error, in
# parts of the size, the fastest by the 99th percentile of its times whose 99th percentile of errors is within it: its times and
# errors, the share of frames, each by its median over passes, that it answers within a deadline, and how many times as long the
# fastest of all other families takes, and FCL's trees, which are exact, where the run has them.

# Of pst:start=last: "pst"; pst-exact is a family of its own.
function family(variant) {
    sub(/[:@].*/, "", variant)
    return variant
}
function meets(run, scenario, variant, limit,    error) {
    if (cell(run, scenario, variant, "contract") ~ /distance=exact/) return 1
    error = cell(run, scenario, variant, "distance_error_size_p99")
    return limit > 0 && error != "" && error <= limit
}
# The fastest of those that meet a limit; not of a family, unless that is "".
function fastest_within(run, scenario, limit, without,    n, i, all, best) {
    n = variants(run, scenario, "^(fcl|pqp|exact-distance|ist|pst-exact|pst$|pst:(start|rounds=0))", all)
    for (i = 1; i <= n; i++)
        if (family(all[i]) != without && cell(run, scenario, all[i], "quantity") == "distance" && meets(run, scenario, all[i], limit) &&
            (best == "" || cell(run, scenario, all[i], "time_p99_ns") < cell(run, scenario, best, "time_p99_ns"))) best = all[i]
    return best
}
function put_need(run, scenario, limit,    best, other, n, times, deadline, k) {
    best = fastest_within(run, scenario, limit, "")
    if (best == "") return
    other = fastest_within(run, scenario, limit, family(best))
    put(scenario)
    put(limit > 0 ? "within " 100 * limit " %" : "exact")
    put(best)
    put(time(cell(run, scenario, best, "time_p99_ns")))
    n = frame_sizes(run, scenario, best, "time_median_ns", times)
    for (k = 1; k <= split("1e6 100e3 20e3", deadline, " "); k++) put(share_text(n > 0 ? 1 - share_above(times, n, deadline[k]) : ""))
    put(error_of(run, scenario, best, "mean"))
    put(error_of(run, scenario, best, "p99"))
    put(error_of(run, scenario, best, "max"))
    put(other == "" ? "-" : other)
    put(other == "" ? "-" : digits(cell(run, scenario, other, "time_p99_ns") / cell(run, scenario, best, "time_p99_ns")))
    put(cell(run, scenario, "fcl", "status") == "ok" ? digits(cell(run, scenario, "fcl", "time_p99_ns") / cell(run, scenario, best, "time_p99_ns")) : "-")
    end()
}
# Exact answers that errors are counted from have none.
function error_of(run, scenario, variant, which) {
    return cell(run, scenario, variant, "contract") ~ /distance=exact/ ? "exact" : error_text(cell(run, scenario, variant, "distance_error_size_" which))
}

END {
    put_row("scenario|need|fastest|99th percentile|within 1 ms|100 us|20 us|mean error|99th percentile|largest|next family|its time / this|fcl's / this")
    for (r = 1; r <= runs_count; r++) {
        m = scenarios(runs[r], "", scene)
        for (i = 1; i <= m; i++) {
            split("0.01 0.001 0.0001 0", limits, " ")
            for (j = 1; j <= 4; j++) put_need(runs[r], scene[i], limits[j])
        }
    }
    print_table()
}
