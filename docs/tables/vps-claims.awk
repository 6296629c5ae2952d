# vps-claims.awk: the claims of the paper on voxmaps and pointshells, and what this suite was built to reach, each as a rule
# on numbers: what was measured, with its interval, and whether the rule holds.

# --- The contestants -----------------------------------------------------------------------------

BEGIN {
    sizes = "(layers|shell-voxels|voxels)=[0-9]+"
    old = "^vps:generator=old(," sizes ")*$"
    paper = "^vps:generator=paper(," sizes ")*$" # navigation=auto
    own = "^vps(:" sizes "(," sizes ")*)?$"
}
# What a variant is called but for a key: that of its partner.
function without(variant, key) {
    sub("(:|,)" key "=[^,]*", ":", variant)
    sub(/:,?$/, "", variant)
    sub(/:,/, ":", variant)
    return variant
}
# Its value of a key; "" of none.
function value_of(variant, key,    text) {
    if (!match(variant, "[:,]" key "=[^,]*")) return ""
    text = substr(variant, RSTART + 1, RLENGTH - 1)
    return substr(text, length(key) + 2)
}
function within_share(x, wanted, share) { return x == "" || wanted == "" ? "cannot tell" : at_most(abs(x / wanted - 1), abs(x / wanted - 1), share) }
function abs(x) { return x < 0 ? -x : x }

# --- Table 1 -------------------------------------------------------------------------------------

# A row: is the number of voxels (points) the paper's, within 2 %, and is the ratio at least the paper's?
function row_of_table(letter, run, role, count_name, wanted, measure, wanted_ratio,    body, a, b, n, r) {
    if (!has(run)) return
    body = body_of(run, role)
    a = builder(run, role, body, old)
    b = builder(run, role, body, paper)
    n = built(run, role, body, b, count_name)
    build_ratio(run, role, body, a, b, measure, r)
    claim("T1" letter, model_of(body) ", " count(n) " " (role == "fixed" ? "voxels" : "points") ": old / new at least " wanted_ratio, triple(r) "; " count(wanted) " in the paper", at_least(r["lo"], r["hi"], wanted_ratio))
    if (within_share(n, wanted, 0.02) == "does not hold") claim("T1" letter, "the paper's number, within 2 %", count(n) ", " count(wanted) " in the paper", "does not hold")
    a = builder(run, role, body, own)
    build_ratio(run, role, body, a, b, measure, r)
    if (role == "fixed") claim("T1" letter, "this suite's generator takes less than the paper's", triple(r), at_most(r["lo"], r["hi"], 1))
}
function table_1(    run, body, v, t) {
    row_of_table("a", "vps-t1-a", "fixed", "voxels_count", 237717488, "stage_surface_ns", 20.42)
    row_of_table("b", "vps-t1-b", "fixed", "voxels_count", 38524026, "stage_surface_ns", 28.8)
    row_of_table("c", "vps-t1-c", "fixed", "voxels_count", 302685600, "stage_surface_ns", 52.4)
    row_of_table("d", "vps-t1-d", "fixed", "voxels_count", 44311554, "stage_surface_ns", 8.9)
    row_of_table("e", "vps-t1-e", "fixed", "voxels_count", 680652000, "stage_surface_ns", 22.3)
    row_of_table("f", "vps-t1-a", "moving", "points_count", 10954, "stage_points_ns", 5.09)
    row_of_table("g", "vps-t1-e", "moving", "points_count", 182464, "stage_points_ns", 1.78)
    row_of_table("h", "vps-t1-b", "moving", "points_count", 7287, "stage_points_ns", 13.68)
    row_of_table("i", "vps-t1-c", "moving", "points_count", 207490, "stage_points_ns", 1.85)
    row_of_table("j", "vps-t1-d", "moving", "points_count", 12161, "stage_points_ns", 18.11)
    run = "vps-t1-e"
    if (!has(run)) return
    body = body_of(run, "fixed")
    v = builder(run, "fixed", body, own)
    whole_build(run, body, v, 20)
    v = builder(run, "fixed", body, paper)
    whole_build(run, body, v, 442.29 + 9.9486 + 3.6188)
}
# All stages of a voxmap: its longest launch is within the limit?
function whole_build(run, body, v, seconds,    values, sorted, n) {
    launched(run, "fixed", body, v, "build_ns", values)
    n = sort_values(values, sorted)
    claim("T1e", v ": " count(built(run, "fixed", body, v, "voxels_count")) " voxels from " count(built(run, "fixed", body, v, "triangles_count")) " triangles in " digits(seconds) " s", n > 0 ? time(median_of(sorted, n)) ", at most " time(sorted[n]) : "-", n > 1 ? at_most(sorted[1], sorted[n], 1e9 * seconds) : "cannot tell")
}
# A box query of the old generator / one of FCL's box against mesh, on the same voxels.
function box_queries(    run, m, i, n, body, a, b, r) {
    run = "vps-f7"
    m = bodies(run, "fixed", "", body)
    for (i = 1; i <= m; i++) {
        b = builder(run, "fixed", body[i], "^fcl-voxmap")
        n = value_of(b, "voxels") # none: the default, which both have
        a = builder(run, "fixed", body[i], "^vps:generator=old(,(layers|shell-voxels)=[0-9]+)*" (n == "" ? "" : ",voxels=" n) "$")
        if (b == "" || a == "") continue
        launch_ratio(run, "fixed", body[i], a, built(run, "fixed", body[i], a, "box_tests_count"), b, built(run, "fixed", body[i], b, "box_tests_count"), "stage_surface_ns", r)
        claim("T1", model_of(body[i]) ", a box query of the old generator: at most 1.5 times FCL's", triple(r), at_most(r["lo"], r["hi"], 1.5))
    }
}

# --- Figures -------------------------------------------------------------------------------------

function figure_5(    run, m, i, j, n, body, v, bad, new, holes, extra, olds, missing, excess) {
    run = "vps-f5"
    m = bodies(run, "fixed", "", body)
    for (i = 1; i <= m; i++) {
        n = builders(run, "fixed", body[i], "^vps", v)
        bad = new = 0
        extra = holes = ""
        for (j = 1; j <= n; j++) {
            missing = built(run, "fixed", body[i], v[j], "missing_voxels_count")
            excess = built(run, "fixed", body[i], v[j], "excess_voxels_count")
            if (v[j] !~ /generator=old/) {
                new++
                bad += missing + excess
                if (missing == "") bad = "-"
            } else if (value_of(v[j], "tolerance") + 0 < 0) holes = holes == "" || missing < holes ? missing : holes
            else if (value_of(v[j], "tolerance") + 0 > 0) extra = extra == "" || excess < extra ? excess : extra
        }
        claim("F5", model_of(body[i]) ", new generators, " new " variants: no voxel missing, none in excess", count(bad), bad == "-" ? "cannot tell" : at_most(bad, bad, 0))
        claim("F5", model_of(body[i]) ", old: holes below a tolerance of 0, excess above", "at least " count(holes) " missing, " count(extra) " in excess", holes == "" || extra == "" ? "cannot tell" : holes > 0 && extra > 0 ? "holds" : "does not hold")
        spacing(run, body[i])
    }
}
# Blue noise: as many points as two phases, more evenly.
function spacing(run, body,    a, b) {
    a = built(run, "moving", body, builder(run, "moving", body, "^vps:shell=blue-noise$"), "spacing_deviation")
    b = built(run, "moving", body, builder(run, "moving", body, "^vps$"), "spacing_deviation")
    claim("F5", model_of(body) ", points: blue noise lies more evenly than two phases", percent(a) " against " percent(b), a == "" || b == "" ? "cannot tell" : at_most(a, a, b))
}
function figure_6(    run, m, i, j, n, body, v, a, b, least, fewest) {
    run = "vps-f6"
    m = bodies(run, "moving", "", body)
    for (i = 1; i <= m; i++) {
        n = builders(run, "moving", body[i], "generator=old", v)
        least = ""
        for (j = 1; j <= n; j++) {
            a = built(run, "moving", body[i], v[j], "points_count")
            b = v[j]
            sub(/generator=old/, "generator=paper", b)
            b = built(run, "moving", body[i], b, "points_count")
            if (b > 0 && (least == "" || a / b < least)) least = a / b
        }
        claim("F6", model_of(body[i]) ", " n " resolutions: the old generator makes more points", "at least " digits(least) " times as many", least == "" ? "cannot tell" : least > 1 ? "holds" : "does not hold")
    }
}
# Over the resolutions of a body: the least and the largest ratio old / new, in the order of the resolutions.
function range_of_ratios(run, role, body, measure, out,    i, n, v, b, r) {
    split("", out)
    n = builders(run, role, body, "generator=old", v)
    for (i = 1; i <= n; i++) {
        b = v[i]
        sub(/generator=old/, "generator=paper", b)
        build_ratio(run, role, body, v[i], b, measure, r)
        if (r["ratio"] == "") continue
        out["text"] = out["text"] (out["text"] == "" ? "" : ", ") digits(r["ratio"])
        out["n"]++
        if (out["n"] == 1) {
            out["first_hi"] = r["hi"]
            out["first_lo"] = r["lo"]
        }
        out["last_lo"] = r["lo"]
        out["last_hi"] = r["hi"]
        if (out["n"] == 1 || r["lo"] < out["lo"]) out["lo"] = r["lo"]
        if (out["n"] == 1 || r["hi"] < out["lo_hi"]) out["lo_hi"] = r["hi"]
    }
}
function figure_7(    run, m, i, body, r) {
    run = "vps-f7"
    m = bodies(run, "fixed", "", body)
    for (i = 1; i <= m; i++) {
        range_of_ratios(run, "fixed", body[i], "stage_surface_ns", r)
        claim("F7", model_of(body[i]) ", voxmaps: old / new at least 2", r["text"] == "" ? "-" : r["text"], at_least(r["lo"], r["lo_hi"], 2))
        claim("F7", model_of(body[i]) ", voxmaps: grows with the resolution", "from the coarsest to the finest", r["last_lo"] == "" ? "cannot tell" : r["last_lo"] > r["first_hi"] ? "holds" : r["last_hi"] < r["first_lo"] ? "does not hold" : "cannot tell")
        range_of_ratios(run, "moving", body[i], "stage_points_ns", r)
        claim("F7", model_of(body[i]) ", pointshells: old / new at least 1.8", r["text"] == "" ? "-" : r["text"], at_least(r["lo"], r["lo_hi"], 1.8))
    }
}

# --- Navigation ----------------------------------------------------------------------------------

# From which number of voxels on is the second approach surely the faster one, and up to which the first?
function crossover(run, body, wanted,    i, n, v, b, r, voxels, most, first, second) {
    n = builders(run, "fixed", body, "navigation=second", v)
    for (i = 1; i <= n; i++) {
        b = v[i]
        sub(/navigation=second/, "navigation=first", b)
        build_ratio(run, "fixed", body, v[i], b, "stage_surface_ns", r)
        voxels = built(run, "fixed", body, v[i], "voxels_count")
        if (r["lo"] == "") return claim("X1", model_of(body) ": the second approach is slower first, and faster from some resolution on", "-", "cannot tell")
        if (voxels > most) most = voxels
        if (r["lo"] > 1 && voxels > first) first = voxels
        if (r["hi"] < 1 && (second == "" || voxels < second)) second = voxels
    }
    claim("X1", model_of(body) ": the second approach is slower first, and faster from some resolution on", "first up to " (first == "" ? "-" : count(first)) ", second from " (second == "" ? "-" : count(second)) " voxels; " count(wanted) " in the paper", second == "" ? (most < wanted ? "cannot tell" : "does not hold") : first != "" && first < second ? "holds" : first == "" ? "cannot tell" : "does not hold")
}
function navigations(    run, m, i, body, wanted) {
    run = "vps-x1"
    wanted["artificial"] = 1.98e8
    wanted["brake"] = 6.1e7
    wanted["car"] = 4.66e7
    m = bodies(run, "fixed", "", body)
    for (i = 1; i <= m; i++) crossover(run, body[i], wanted[model_of(body[i])])
}
# The automatic choice against the better of the two, wherever these two differ: how much longer at most?
function choices(run,    m, i, j, n, body, v, b, first, second, better, lo, hi, worst) {
    m = bodies(run, "fixed", "", body)
    for (i = 1; i <= m; i++) {
        n = builders(run, "fixed", body[i], "navigation=first", v)
        lo = hi = worst = ""
        for (j = 1; j <= n; j++) {
            b = v[j]
            sub(/navigation=first,?/, "", b)
            build_ratio(run, "fixed", body[i], b, v[j], "stage_surface_ns", first)
            sub(/navigation=first/, "navigation=second", v[j])
            build_ratio(run, "fixed", body[i], b, v[j], "stage_surface_ns", second)
            if (first["ratio"] == "" || second["ratio"] == "") continue
            better = first["ratio"] > second["ratio"]
            if (worst == "" || (better ? first["ratio"] : second["ratio"]) > worst) {
                worst = better ? first["ratio"] : second["ratio"]
                lo = better ? first["lo"] : second["lo"]
                hi = better ? first["hi"] : second["hi"]
            }
        }
        claim("X5", model_of(body[i]) ", " n " resolutions: auto within 10 % of the better approach", worst == "" ? "-" : "at worst " with_interval(digits(worst), digits(lo), digits(hi)), at_most(lo, hi, 1.1))
    }
}

# --- Projection, points, queries -----------------------------------------------------------------

function projections(    run, m, i, body, a, b, r) {
    run = "vps-x2"
    m = bodies(run, "moving", "", body)
    for (i = 1; i <= m; i++) {
        b = builder(run, "moving", body[i], "projection=voronoi")
        a = without(b, "projection")
        build_ratio(run, "moving", body[i], a, b, "stage_project_ns", r)
        claim("X2", body[i] ": KKT takes at most 37 % of the time of Voronoi regions", triple(r), at_most(r["lo"], r["hi"], 0.37))
    }
}
function recovered(    run, m, i, j, n, body, v, share, least, most) {
    run = "vps-x3"
    m = bodies(run, "moving", "", body)
    for (i = 1; i <= m; i++) {
        n = builders(run, "moving", body[i], "^vps", v)
        least = most = ""
        for (j = 1; j <= n; j++) {
            share = built(run, "moving", body[i], v[j], "recovered_share")
            if (share == "") continue
            if (least == "" || share < least) least = share
            if (most == "" || share > most) most = share
        }
        claim("X3", model_of(body[i]) ", " n " resolutions: 0.06 to 1.3 % of the boundary points are recovered", percent(least) " to " percent(most), least == "" ? "cannot tell" : least >= 0.0006 && most <= 0.013 ? "holds" : "does not hold")
    }
}
# Points in a millisecond, warm, with the interval of the mean time.
function rates(    run, m, i, j, n, scene, v, points, mean, lo, hi) {
    run = "vps-x4"
    m = scenarios(run, "", scene)
    for (i = 1; i <= m; i++) {
        n = variants(run, scene[i], "^vps", v)
        for (j = 1; j <= n; j++) {
            points = cell(run, scene[i], v[j], "points_count_mean")
            mean_interval(run, scene[i], v[j], 0.05, mean)
            lo = mean["hi"] == "" || !timed(run) ? "" : points / mean["hi"] * 1e6
            hi = mean["lo"] == "" || !timed(run) ? "" : points / mean["lo"] * 1e6
            claim("X4", v[j] ": 8,000 points in 1 ms", rate_text(points, cell(run, scene[i], v[j], "time_mean_ns"), lo, hi), at_least(lo, hi, 8000))
            claim("X4", v[j] ": 50,000, warm", rate_text(points, cell(run, scene[i], v[j], "time_mean_ns"), lo, hi) "; evicted " rate_text(points, cell(run, scene[i], v[j], "time_evicted_p50_ns"), "", ""), at_least(lo, hi, 50000))
        }
    }
}
function rate_text(points, ns, lo, hi) {
    if (points == "" || ns == "") return "-"
    return lo == "" ? count(points / ns * 1e6) : with_interval(count(points / ns * 1e6), count(lo), count(hi))
}

# --- Thin plates, promises -----------------------------------------------------------------------

# The largest force of a variant over the frames of a scenario.
function largest_force(run, scenario, variant,    path, line, names, f, i, n, at_column, size, most) {
    path = folder[run] "/" scenario "/" cell(run, scenario, variant, "file") ".csv"
    if (folder[run] == "" || (getline line <path) <= 0) return ""
    n = split_csv(line, names)
    for (i = 1; i <= n; i++) if (names[i] ~ /^f[xyz]_m[23]?$/) at_column[substr(names[i], 2, 1)] = i
    while ((getline line <path) > 0) {
        split_csv(line, f)
        size = sqrt(f[at_column["x"]] ^ 2 + f[at_column["y"]] ^ 2 + f[at_column["z"]] ^ 2)
        if (most == "" || size > most) most = size
    }
    close(path)
    return most
}
function thin_plates(    run, i, j, n, m, scene, v, weakest, bulky, text, angle) {
    run = "vps-x6"
    m = scenarios(run, "^plate/", scene)
    n = variants(run, scene[1], "", v)
    for (j = 1; j <= n; j++) {
        text = ""
        bulky = largest_force(run, scene[1], v[j])
        for (i = 2; i <= m; i++) {
            weakest = largest_force(run, scene[i], v[j])
            text = text (i > 2 ? ", " : "") (bulky > 0 ? digits(100 * weakest / bulky) : "-")
        }
        angle = cell(run, scene[m], v[j], "force_direction_deg_max")
        claim("X6", v[j] ": weaker force of the thinnest plate", text " % of that of " substr(scene[1], 7) " mm" (angle == "" ? "" : "; direction off by up to " digits(angle) " degrees"), bulky == "" || weakest == "" ? "cannot tell" : weakest < 0.99 * bulky ? "holds" : "does not hold")
    }
}
function promises(    r, i, of, kept, frames, broken, cells) {
    for (r = 1; r <= runs_count; r++) {
        of = runs[r] "/cells"
        frames = broken = cells = 0
        for (i = 1; i <= rows[of]; i++)
            if (field[of, i, "quantity"] == "contact" && field[of, i, "variant"] ~ /^vps.*contact=(sure|possible)/) {
                cells++
                frames += field[of, i, "frames_judged_count"]
                broken += field[of, i, "violations_count"] + (field[of, i, "status"] != "ok" && field[of, i, "status"] != "unsupported")
            }
        if (cells > 0) claim("-", runs[r] ": contact=sure and contact=possible keep what they promise, " cells " cells", broken " broken in " count(frames) " frames", frames > 0 ? at_most(broken, broken, 0) : "cannot tell")
    }
}

END {
    put_row("id|rule|measured|verdict")
    table_1()
    if (has("vps-f7")) box_queries()
    if (has("vps-f5")) figure_5()
    if (has("vps-f6")) figure_6()
    if (has("vps-f7")) figure_7()
    if (has("vps-x1")) navigations()
    if (has("vps-x1")) choices("vps-x1")
    if (has("vps-x5")) choices("vps-x5")
    if (has("vps-x2")) projections()
    if (has("vps-x3")) recovered()
    if (has("vps-x4")) rates()
    if (has("vps-x6")) thin_plates()
    promises()
    print_table()
}
