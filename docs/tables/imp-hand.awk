# imp-hand.awk: what a step of a simulated hand takes where there are contacts, on folders of `proxbench simulate`: of the steps with 100 to
# 10,000 pairs of voxels how many there are, their contacts and impulses, and the time of query and response together, which
# 99 % of them do not exceed. A step is to end within a millisecond.
END {
    put_row("scene|variant|steps with 100 to 10,000 pairs|pairs, most|contacts, most|impulses a step, mean|most|query and response, 99th percentile|longest|within 1 ms")
    for (r = 1; r <= runs_count; r++) {
        of = runs[r] "/simulations"
        for (i = 1; i <= rows[of]; i++) {
            variant = field[of, i, "variant"]
            if (variant !~ /^imp/ || field[of, i, "response"] != "impulses") continue
            scene = field[of, i, "scene"]
            base = folder[runs[r]] "/" scene "/" field[of, i, "file"]
            steps = runs[r] "/" scene "/" variant "/steps"
            times = runs[r] "/" scene "/" variant "/times"
            read_csv(base ".steps.csv", steps)
            read_csv(base ".times.csv", times)
            n = pairs = contacts = impulses = most = 0
            split("", ns)
            row = 1
            for (k = 1; k <= rows[steps]; k++) {
                while (row < rows[times] && field[times, row, "step"] < field[steps, k, "step"]) row++
                c = field[steps, k, "contacts_count"]
                if (c < 100 || c > 10000 || field[times, row, "step"] != field[steps, k, "step"]) continue
                ns[++n] = field[times, row, "query_ns"] + field[times, row, "response_ns"]
                impulses += field[steps, k, "impulse_count"]
                if (field[steps, k, "impulse_count"] > most) most = field[steps, k, "impulse_count"]
                if (field[steps, k, "contact_count"] > contacts) contacts = field[steps, k, "contact_count"]
                if (c > pairs) pairs = c
            }
            sort_values(ns, sorted)
            x = quantile(sorted, n, 0.99)
            put(scene)
            put(variant)
            put(count(n))
            put(count(pairs))
            put(count(contacts))
            put(n == 0 ? "-" : digits(impulses / n))
            put(count(most))
            put(time(x))
            put(time(quantile(sorted, n, 1)))
            put(x == "" ? "no such step" : at_most(x, x, 1e6))
            end()
        }
    }
    print_table()
}
