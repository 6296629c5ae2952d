# ist-claims.awk: the claims of the paper on inner sphere trees, each as a rule on numbers: what was measured,
# with its interval, and whether the rule holds. Ratios are of times in one interleaved run.

# --- The contestants -----------------------------------------------------------------------------

BEGIN {
    plain = "^ist(:voxels=[0-9]+)?$" # the paper's, at any resolution
    refined = "packing=refined"
    cover = "packing=cover"
    rss = "fcl:bv=rss"
}

# Of the longest frame, each counted with its fastest pass: is it within the limit?
function within_limit(run, slowest, limit) {
    return timed(run) ? at_most(slowest, slowest, limit) : "cannot tell"
}
# "342,042 spheres", of the fixed body
function spheres(run, scenario, variant) { return count(cell(run, scenario, variant, "primitives_a_count")) " spheres" }

# --- Figures -------------------------------------------------------------------------------------

# The largest angle between the forces of consecutive frames, in degrees.
function largest_turn(run, scenario, variant,    path, line, names, f, i, n, v, d, last, most) {
    path = folder[run] "/" scenario "/" cell(run, scenario, variant, "file") ".csv"
    if (folder[run] == "" || (getline line <path) <= 0) return ""
    n = split_csv(line, names)
    for (i = 1; i <= n; i++) if (names[i] ~ /^f[xyz]_m[23]$/ && names[i] !~ /^truth/) v[names[i]] = i
    while ((getline line <path) > 0) {
        split_csv(line, f)
        for (i = 1; i <= 3; i++) {
            d[i] = f[v["f" substr("xyz", i, 1) "_m3"]]
            if (d[i] == "") d[i] = f[v["f" substr("xyz", i, 1) "_m2"]]
        }
        if (last[1] != "" && angle(last, d) > most) most = angle(last, d)
        for (i = 1; i <= 3; i++) last[i] = d[i]
    }
    close(path)
    return most
}
function angle(p, q,    x, y, z) {
    x = p[2] * q[3] - p[3] * q[2]
    y = p[3] * q[1] - p[1] * q[3]
    z = p[1] * q[2] - p[2] * q[1]
    return atan2(sqrt(x * x + y * y + z * z), p[1] * q[1] + p[2] * q[2] + p[3] * q[3]) * 45 / atan2(1, 1)
}

function figure_6(    v, i, n, s, turn) {
    s = "organic/glide/force"
    n = variants("ist-f6", s, "^ist", v)
    for (i = 1; i <= n; i++) {
        turn = largest_turn("ist-f6", s, v[i])
        claim("F6", v[i] ": no turn above 45 deg a frame", digits(turn) " deg; of the exact force " digits(largest_turn("ist-f6", s, "exact-volume")) " deg", at_most(turn, turn, 45))
        claim("F6", v[i] ": the exact direction, within 10 deg", "median " digits(cell("ist-f6", s, v[i], "force_direction_deg_p50")) ", largest " digits(cell("ist-f6", s, v[i], "force_direction_deg_max")) " deg", at_most(cell("ist-f6", s, v[i], "force_direction_deg_max"), cell("ist-f6", s, v[i], "force_direction_deg_max"), 10))
    }
}

# Is a contestant so many times faster than the baseline?
function faster_by(run, scenario, variant, times) {
    return at_least(inverse(ratio(run, scenario, variant, "hi")), inverse(ratio(run, scenario, variant, "lo")), times)
}
function figure_7(    s, i, n, scene, v, k, m, patterns, slowest, error) {
    n = scenarios("ist-f7", "", scene)
    m = split(plain "\t" refined "\t" cover, patterns, "\t")
    for (i = 1; i <= n; i++) {
        s = scene[i]
        v = finest("ist-f7", s, plain)
        claim("F7a", s ", " v ", " spheres("ist-f7", s, v) ": 50 times faster than " baseline("ist-f7", s), speedup_text("ist-f7", s, v), faster_by("ist-f7", s, v, 50))
        slowest = cell("ist-f7", s, v, "time_intrinsic_max_ns")
        claim("F7a", s ", " v ": at most 2 ms", time(slowest), within_limit("ist-f7", slowest, 2e6))
        for (k = 1; k <= m; k++) {
            v = fastest("ist-f7", s, patterns[k], "distance_error_size_mean", 0.0015)
            if (v != "") claim("F7a", s ", the fastest within 0.15 % of the size, " v ": the same", speedup_text("ist-f7", s, v), faster_by("ist-f7", s, v, 50))
        }
        v = finest("ist-f7", s, plain)
        error = cell("ist-f7", s, v, "distance_error_size_mean")
        claim("F7b", s ", " v ": 0.15 % of the size", percent(error), at_most(error, error, 0.0015))
        error = cell("ist-f7", s, v, "distance_error_rel_mean")
        claim("F7b", s ", " v ": 0.15 % of the distance", percent(error), at_most(error, error, 0.0015))
    }
}

# Does the mean error fall with every step of the resolution? With its biases, coarse to fine.
function falls_with_resolution(s,    i, n, v, error, last, biases, fell) {
    n = variants("ist-f8", s, plain, v)
    fell = 1
    for (i = 1; i <= n; i++) {
        error = cell("ist-f8", s, v[i], "volume_error_rel_mean")
        if (i > 1 && error >= last) fell = 0
        last = error
        biases = biases (i > 1 ? ", " : "") digits(100 * cell("ist-f8", s, v[i], "volume_error_rel_bias"))
    }
    claim("F8b", "the error falls with every resolution", "biases " biases " %", n < 2 ? "cannot tell" : fell ? "holds" : "does not hold")
}
function figure_8(    i, n, s, v, mean, error) {
    s = "bolt/glide"
    v = finest("ist-f8", s, plain)
    mean_interval("ist-f8", s, v, 0.05, mean)
    claim("F8a", "2.5 ms with " spheres("ist-f8", s, v) " (the paper: 237,000)", mean_text("ist-f8", s, v), at_most(mean["lo"], mean["hi"], 2.5e6))
    claim("F8a", "the same, faster than " baseline("ist-f8", s), speedup_text("ist-f8", s, v), faster_by("ist-f8", s, v, 1))
    error = cell("ist-f8", s, v, "volume_error_rel_mean")
    claim("F8b", "0.5 % of the volume with as many", percent(error) ", bias " percent(cell("ist-f8", s, v, "volume_error_rel_bias")), at_most(error, error, 0.005))
    falls_with_resolution(s)
}

# How a mean over one path fares with the resolution: does the mean error ever fall to the limit?
function figure_9(    s, v, error) {
    s = "pump/glide"
    v = finest("ist-f9", s, plain)
    error = cell("ist-f9", s, v, "distance_error_size_max")
    claim("F9", s ", " v ": within 1 % of the size in every frame", percent(error), at_most(error, error, 0.01))
    s = "bolt/glide"
    v = finest("ist-f9", s, plain)
    error = cell("ist-f9", s, v, "volume_error_rel_max")
    claim("F9", s ", " v ": within 10 % of the volume in every frame", percent(error), at_most(error, error, 0.1))
}

# --- Tables --------------------------------------------------------------------------------------

function table_1(    i, n, scene, k, m, v, slowest) {
    n = scenarios("ist-t1", "", scene)
    for (i = 1; i <= n; i++) {
        v = finest("ist-t1", scene[i], plain)
        slowest = cell("ist-t1", scene[i], v, "time_intrinsic_max_ns")
        claim("T1", scene[i] ", " v ": 5 ms at up to 50 % of the volume", mean_text("ist-t1", scene[i], v) ", at most " time(slowest), within_limit("ist-t1", slowest, 5e6))
    }
}

function table_2(    s, v, mean) {
    s = "bolt/glide"
    v = "exact-tetra"
    mean_interval("ist-t2", s, v, 0.05, mean)
    claim("T2", "tetrahedra take about 0.5 s: 0.05 to 0.5 s", mean_text("ist-t2", s, v), at_most(mean["lo"], mean["hi"], 5e8) == "holds" ? at_least(mean["lo"], mean["hi"], 5e7) : at_most(mean["lo"], mean["hi"], 5e8))
    claim("T2", "their time / that of the flux", ratio_text("ist-t2", s, v), "")
}

function table_3(    s, v, b, theirs, name) {
    s = "pump/sphere"
    v = finest("ist-t3", s, plain)
    b = cell("ist-t3", s, v, "build_bytes")
    name = rss
    theirs = cell("ist-t3", s, name, "build_bytes")
    claim("T3", v ", " count(primitives("ist-t3", s, v)) " spheres: not above 10 MB", bytes(b) ", " digits(b / primitives("ist-t3", s, v)) " bytes a sphere", at_most(b, b, 1e7))
    claim("T3", v ": not above " name, bytes(theirs), at_most(theirs == "" ? "" : b, theirs == "" ? "" : b, theirs))
}

# Over scenarios, whose names match, of the same path around bodies of more and more triangles: the longest mean
# time / the shortest, with an interval from those of all, which hold together with 95 %; and the
# same of the tests of spheres.
function spread(run, pattern, contestant, out,    i, n, scene, v, mean, t, least, most) {
    split("", out)
    n = scenarios(run, pattern, scene)
    for (i = 1; i <= n; i++) {
        v = finest(run, scene[i], contestant)
        if (v == "") return
        mean_interval(run, scene[i], v, 0.05 / n, mean)
        t[i, "time"] = cell(run, scene[i], v, "time_mean_ns") + 0
        t[i, "tests"] = tests(run, scene[i], v) + 0
        t[i, "lo"] = mean["lo"]
        t[i, "hi"] = mean["hi"]
        if (i == 1 || t[i, "time"] < t[least, "time"]) least = i
        if (i == 1 || t[i, "time"] > t[most, "time"]) most = i
        if (i == 1 || t[i, "tests"] < out["tests_least"]) out["tests_least"] = t[i, "tests"]
        if (i == 1 || t[i, "tests"] > out["tests_most"]) out["tests_most"] = t[i, "tests"]
    }
    if (n == 0) return
    out["ratio"] = t[most, "time"] / t[least, "time"]
    if (out["tests_least"] > 0) out["tests"] = out["tests_most"] / out["tests_least"]
    if (t[most, "lo"] == "") return
    out["lo"] = t[most, "lo"] > t[least, "hi"] ? t[most, "lo"] / t[least, "hi"] : 1
    out["hi"] = t[most, "hi"] / t[least, "lo"]
}
function table_4(    k, which, quantity, s, n, scene, sizes) {
    split("pump bolt", which)
    split("distance volume", quantity)
    for (k = 1; k <= 2; k++) {
        n = scenarios("ist-t4", "^" which[k] "/", scene)
        sizes = substr(scene[1], length(which[k]) + 2) " to " substr(scene[n], length(which[k]) + 2)
        spread("ist-t4", "^" which[k] "/", "^ist", s)
        claim("T4", quantity[k] ", " sizes " triangles: time within 25 %", with_interval(digits(s["ratio"]), digits(s["lo"]), digits(s["hi"])), at_most(s["lo"], s["hi"], 1.25))
        claim("T4", quantity[k] ", the same: tests of spheres within 25 %", digits(s["tests"]), at_most(s["tests"], s["tests"], 1.25))
    }
}

function table_5(    i, n, scene, v, slowest) {
    n = scenarios("ist-t5", "", scene)
    for (i = 1; i <= n; i++) {
        v = finest("ist-t5", scene[i], plain)
        slowest = cell("ist-t5", scene[i], v, "time_intrinsic_max_ns")
        claim("T5", scene[i] ", " v ": never above 5 ms", time(slowest) "; within 5 ms " share_text(within("ist-t5", scene[i], v, "misses_5ms_count")) ", within 1 ms " share_text(within("ist-t5", scene[i], v, "misses_1ms_count")), within_limit("ist-t5", slowest, 5e6))
    }
}

# --- Ablations -----------------------------------------------------------------------------------

# Is a variant slower than the baseline (or faster), by more than the baseline is than itself?
function slower(run, scenario, variant, word,    said) {
    said = ratio(run, scenario, variant, "verdict")
    return said == word ? "holds" : said == "slower" || said == "faster" ? "does not hold" : "cannot tell"
}
# Of those whose names match, the time of each / that of the baseline, which the paper says to be above 1.
function ablation(id, run, pattern, word, rule,    i, j, n, m, scene, v) {
    n = scenarios(run, "", scene)
    for (i = 1; i <= n; i++) {
        m = variants(run, scene[i], pattern, v)
        for (j = 1; j <= m; j++)
            claim(id, scene[i] ", " v[j] ": " rule, ratio_text(run, scene[i], v[j]), slower(run, scene[i], v[j], word))
    }
}

# What the hierarchy takes to build with a fixed stop / with the adaptive one, over all bodies.
function builds_of_stops(    i, of, a, b, r, least, most) {
    of = "ist-a3/builds"
    for (i = 1; i <= rows[of]; i++) {
        if (field[of, i, "variant"] !~ /stop=fixed/ || field[of, i, "variant"] ~ /@/) continue
        b = field[of, i, "variant"]
        sub(/stop=fixed,?/, "", b)
        sub(/:$/, "", b)
        a = build("ist-a3", field[of, i, "body"], b, "stage_tree_ns")
        r = a > 0 ? field[of, i, "stage_tree_ns"] / a : ""
        if (r == "") continue
        if (least == "" || r < least) least = r
        if (most == "" || r > most) most = r
    }
    claim("A3", "fixed stop: the hierarchy takes 1.5 times as long to build, of each body", digits(least) " to " digits(most), at_least(least, most, 1.5))
}
function stops(    i, n, scene, a, b, r) {
    n = scenarios("ist-a3", "", scene)
    for (i = 1; i <= n; i++) {
        a = finest("ist-a3", scene[i], "^ist:voxels")
        b = finest("ist-a3", scene[i], "stop=fixed")
        r = tests("ist-a3", scene[i], a) > 0 ? tests("ist-a3", scene[i], b) / tests("ist-a3", scene[i], a) : ""
        claim("A3", scene[i] ", fixed stop: tests of spheres within 1 %", digits(r), at_most(r == "" ? "" : r > 1 ? r : 2 - r, r == "" ? "" : r > 1 ? r : 2 - r, 1.01))
    }
}

function radii(    s, i, n, v, mine, theirs, other) {
    s = "bolt/glide"
    n = variants("ist-a5", s, "radius=primary", v)
    for (i = 1; i <= n; i++) {
        other = v[i]
        sub(/,radius=primary|radius=primary,/, "", other)
        theirs = cell("ist-a5", s, v[i], "volume_error_rel_mean")
        mine = cell("ist-a5", s, other, "volume_error_rel_mean")
        claim("A5", v[i] ": error 5 times that of secondary radii", percent(theirs) " against " percent(mine), mine > 0 ? at_least(theirs / mine, theirs / mine, 5) : "cannot tell")
    }
}

function unified(    i, n, scene, s, v, m, j, both, apart, ratio_of) {
    n = scenarios("ist-a6", "/unified$", scene)
    for (i = 1; i <= n; i++) {
        s = substr(scene[i], 1, length(scene[i]) - length("/unified"))
        m = variants("ist-a6", scene[i], plain, v)
        for (j = 1; j <= m; j++) {
            both = tests("ist-a6", scene[i], v[j])
            apart = tests("ist-a6", s "/distance", v[j]) + tests("ist-a6", s "/volume", v[j])
            claim("A6", s ", " v[j] ": tests of both at most those of the two", count(both) " against " count(apart), at_most(both, both, apart))
            unified_ratio("ist-a6", s, v[j], ratio_of)
            claim("A6", s ", " v[j] ": time of both at most that of the two", with_interval(digits(ratio_of["ratio"]), digits(ratio_of["lo"]), digits(ratio_of["hi"])), at_most(ratio_of["lo"], ratio_of["hi"], 1))
        }
    }
}

# --- Beyond the paper ----------------------------------------------------------------------------

# What errs by 0.5 % at most, of all entries of figure 8.
function target_of_volume(    s, v, mean) {
    s = "bolt/glide"
    v = fastest("ist-f8", s, "^(ist|bounds)", "volume_error_rel_mean", 0.005)
    mean_interval("ist-f8", s, v, 0.05, mean)
    claim("-", s ": volume to 0.5 % in 0.25 ms by any entry", v == "" ? "none is within 0.5 %" : v ", " percent(cell("ist-f8", s, v, "volume_error_rel_mean")) ": " mean_text("ist-f8", s, v), v == "" ? "does not hold" : at_most(mean["lo"], mean["hi"], 250e3))
}

END {
    put_row("id|rule|measured|verdict")
    if (has("ist-f6")) figure_6()
    if (has("ist-f7")) figure_7()
    if (has("ist-f8")) figure_8()
    if (has("ist-f9")) figure_9()
    if (has("ist-t1")) table_1()
    if (has("ist-t2")) table_2()
    if (has("ist-t3")) table_3()
    if (has("ist-t4")) table_4()
    if (has("ist-t5")) table_5()
    ablation("A1", "ist-a1", "branching=", "slower", "slower than 4 children")
    ablation("A2", "ist-a2", "clustering=(biggest|neighbours)", "slower", "slower than neural gas")
    ablation("A2", "ist-a2", "clustering=gas-plain", "slower", "slower than with magnification")
    ablation("A2", "ist-a2", "criterion=outside", "faster", "faster than neural gas alone")
    if (has("ist-a3")) stops()
    if (has("ist-a3")) builds_of_stops()
    ablation("A4", "ist-a4", "hierarchy=layered", "slower", "slower than wrapped")
    if (has("ist-a5")) radii()
    if (has("ist-a6")) unified()
    if (has("ist-f8")) target_of_volume()
    print_table()
}
