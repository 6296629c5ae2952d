# runs.awk: the files of runs, by name, and tables of text. It comes before each table of this folder, which
# does its work in END. The names of the files to read, RUN/FILE.csv, come on standard input.
#
# Runs are called by the names of their folders without a path (results/ist-f7: "ist-f7"), and are runs[1] to
# runs[runs_count]. Of what is not there, values are "", and print as "-".

# --- CSV (RFC 4180; no field of a run has a line break) ------------------------------------------

# The fields of a line into out[1], ...; returns how many.
function split_csv(line, out,    n, text) {
    for (;;) {
        if (line ~ /^"/) {
            match(line, /^"([^"]|"")*"/)
            text = substr(line, 2, RLENGTH - 2)
            gsub(/""/, "\"", text)
        } else {
            match(line, /^[^,]*/)
            text = substr(line, 1, RLENGTH)
        }
        out[++n] = text
        if (RLENGTH >= length(line)) return n
        line = substr(line, RLENGTH + 2)
        if (line == "") {
            out[++n] = ""
            return n
        }
    }
}

# Reads rows into field[of, row, column], with rows[of], where `of` is RUN/FILE. What looks like a number is one.
function read_csv(path, of,    line, names, fields, n, i) {
    if ((getline line <path) <= 0) return
    n = split_csv(line, names)
    rows[of] = 0
    while ((getline line <path) > 0) {
        rows[of]++
        split_csv(line, fields)
        for (i = 1; i <= n; i++)
            field[of, rows[of], names[i]] = fields[i] ~ /^-?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?$/ ? fields[i] + 0 : fields[i]
    }
    close(path)
}

# A row by what tells it from others of its file; of more than one the first.
function note(key, row) {
    if (!(key in row_of)) row_of[key] = row
}

{
    n = split($0, path, "/")
    run = path[n - 1]
    file = path[n]
    sub(/\.csv$/, "", file)
    of = run "/" file
    if (!(run in folder)) runs[++runs_count] = run
    folder[run] = substr($0, 1, length($0) - length(path[n]) - 1)
    read_csv($0, of)
    for (i = 1; i <= rows[of]; i++) {
        scenario = field[of, i, "scenario"]
        variant = field[of, i, "variant"]
        if (file == "manifest") note(of SUBSEP field[of, i, "section"] SUBSEP field[of, i, "key"], i)
        else if (file == "builds") {
            note(of SUBSEP field[of, i, "body"] SUBSEP variant, i)
            note(of SUBSEP field[of, i, "body"] SUBSEP variant SUBSEP field[of, i, "role"], i)
        }
        else if (file == "build_ratios") note(of SUBSEP field[of, i, "body"] SUBSEP variant SUBSEP field[of, i, "role"] SUBSEP field[of, i, "other"] SUBSEP field[of, i, "measure"], i)
        else if (file == "compare") note(of SUBSEP scenario SUBSEP variant SUBSEP field[of, i, "metric"] SUBSEP field[of, i, "protocol"], i)
        else if (file == "forces") {
            note(of SUBSEP scenario SUBSEP variant SUBSEP field[of, i, "ideal"], i)
            if (field[of, i, "own"]) note(of SUBSEP scenario SUBSEP variant, i)
        }
        else note(of SUBSEP scenario SUBSEP variant, i)
    }
}

# --- What a run has ------------------------------------------------------------------------------

function at(of, key, column) {
    return (of, key) in row_of ? field[of, row_of[of, key], column] : ""
}
function fact(run, section, key) { return at(run "/manifest", section SUBSEP key, "value") }
function cell(run, scenario, variant, column) { return at(run "/cells", scenario SUBSEP variant, column) }
# Of forces.csv: errors against the ideal of the variant's own law, and against a named one (area, depth, depth-exchanged).
function force_by(run, scenario, variant, ideal, column) {
    return at(run "/forces", scenario SUBSEP variant SUBSEP ideal, column)
}
# Is a force within the goal? The direction is within 5 degrees of this ideal at the median and 20 at the 99th percentile, and the size within
# 10 % in the mean; for scenarios cad/... within 2 degrees at the median and 5 %.
function force_goal(run, scenario, variant, ideal,    cad, median) {
    cad = scenario ~ /^cad\//
    median = force_by(run, scenario, variant, ideal, "force_direction_deg_p50")
    return median != "" && median <= (cad ? 2 : 5) && \
        (cad || force_by(run, scenario, variant, ideal, "force_direction_deg_p99") <= 20) && \
        force_by(run, scenario, variant, ideal, "force_magnitude_rel_mean") <= (cad ? 0.05 : 0.1)
}
function force(run, scenario, variant, column) { return at(run "/forces", scenario SUBSEP variant, column) }
# The same of a body that is both fixed and moving.
function built(run, role, body, variant, column) { return at(run "/builds", body SUBSEP variant SUBSEP role, column) }
# Warm time of a variant / that of its baseline, of compare.csv; column: ratio, lo, hi, verdict, ...
function ratio(run, scenario, variant, column) {
    return at(run "/compare", scenario SUBSEP variant SUBSEP "query_ns" SUBSEP "warm", column)
}
# The same with evicted caches.
function ratio_evicted(run, scenario, variant, column) {
    return at(run "/compare", scenario SUBSEP variant SUBSEP "query_ns" SUBSEP "evicted", column)
}


# The contestants of a scenario whose names match, in the order of cells.csv, without twins and without
# those that have no answer to it, into out[1], ...; returns how many.
function variants(run, scenario, pattern, out,    i, n, of) {
    of = run "/cells"
    for (i = 1; i <= rows[of]; i++)
        if (field[of, i, "scenario"] == scenario && field[of, i, "variant"] ~ pattern &&
            field[of, i, "variant"] !~ /@/ && field[of, i, "status"] == "ok") out[++n] = field[of, i, "variant"]
    return n + 0
}
# The scenarios of a run whose names match, likewise.
function scenarios(run, pattern, out,    i, n, of) {
    of = run "/cells"
    for (i = 1; i <= rows[of]; i++)
        if (field[of, i, "scenario"] ~ pattern && (n == 0 || field[of, i, "scenario"] != out[n]))
            out[++n] = field[of, i, "scenario"]
    return n + 0
}
function baseline(run, scenario,    i, n, all) {
    n = variants(run, scenario, "", all)
    for (i = 1; i <= n; i++) if (cell(run, scenario, all[i], "baseline") == "") return all[i]
    return ""
}
# Tests of balls a frame, mean.
function tests(run, scenario, variant) { return cell(run, scenario, variant, "bv_tests_count_mean") }
# The share of frames of all warm passes within a deadline; column: misses_5ms_count, ...
function within(run, scenario, variant, column,    missed) {
    missed = cell(run, scenario, variant, column)
    return missed == "" ? "" : 1 - missed / (cell(run, scenario, variant, "frames_count") * cell(run, scenario, variant, "passes_count"))
}
# What the hierarchies of both bodies took to build, in ns; "" of those that tell no such stage.
function tree_time(run, scenario, variant,    i, n, of, sum) {
    of = run "/builds"
    for (i = 1; i <= rows[of]; i++)
        if (field[of, i, "variant"] == variant && field[of, i, "stage_tree_ns"] != "" && \
            (field[of, i, "body"] == fact(run, scenario, "a") || field[of, i, "body"] == fact(run, scenario, "b"))) sum += field[of, i, "stage_tree_ns"]
    return sum
}


# --- Frames --------------------------------------------------------------------------------------

# A column of the frames of a contestant (SCENARIO/FILE.csv) into out[1], ..., where it is not empty; returns how many.
function frame_values(run, scenario, variant, column, out,    path, line, f, names, i, k, n, found) {
    split("", out)
    path = folder[run] "/" scenario "/" cell(run, scenario, variant, "file") ".csv"
    if (folder[run] == "" || (getline line <path) <= 0) return 0
    n = split_csv(line, names)
    for (i = 1; i <= n; i++) if (names[i] == column) k = i
    while (k > 0 && (getline line <path) > 0) {
        split(line, f, ",") # frames have no texts with commas
        if (f[k] != "") out[++found] = f[k] + 0
    }
    close(path)
    return found + 0
}
# The same without signs and in order.
function frame_sizes(run, scenario, variant, column, sorted,    values, i, n) {
    split("", sorted)
    n = frame_values(run, scenario, variant, column, values)
    for (i = 1; i <= n; i++) if (values[i] < 0) values[i] = -values[i]
    return sort_values(values, sorted)
}
# Of n values in order, that which a share of them does not exceed (nearest rank).
function quantile(sorted, n, share,    rank) {
    rank = int(share * n)
    if (rank < share * n) rank++
    return n == 0 ? "" : sorted[rank < 1 ? 1 : rank]
}
# The share of n values above a limit.
function share_above(values, n, limit,    i, above) {
    for (i = 1; i <= n; i++) above += values[i] > limit
    return n == 0 ? "" : above / n
}

# The most lookups of spheres and points together that a frame took; "" of what counts none.
function most_lookups(run, scenario, variant,    spheres, points, i, n, most) {
    n = frame_values(run, scenario, variant, "bv_tests_count", spheres)
    if (frame_values(run, scenario, variant, "points_count", points) != n) return ""
    for (i = 1; i <= n; i++) if (most == "" || spheres[i] + points[i] > most) most = spheres[i] + points[i]
    return most
}

# --- Intervals -----------------------------------------------------------------------------------

# The interval of a mean time over launches that misses it with probability alpha at most, in ns: mean["lo"],
# mean["hi"], "" where launches are too few. Between order statistics, as those of ratios (docs/timing.md).
function mean_interval(run, scenario, variant, alpha, mean,    of, frames, i, j, n, times, t, rank) {
    of = run "/launches"
    frames = cell(run, scenario, variant, "frames_count") - 1 + cell(run, scenario, variant, "below_resolution")
    for (i = 1; i <= rows[of]; i++)
        if (field[of, i, "scenario"] == scenario && field[of, i, "variant"] == variant && field[of, i, "protocol"] == "warm") {
            t = field[of, i, "query_ns"] / frames
            for (j = ++n; j > 1 && times[j - 1] > t; j--) times[j] = times[j - 1]
            times[j] = t
        }
    rank = sign_rank(n, alpha)
    mean["lo"] = rank > 0 ? times[rank] : ""
    mean["hi"] = rank > 0 ? times[n + 1 - rank] : ""
}
# Of n values in order, the rank of the lower end of the interval of the sign test; 0 where n are too few.
function sign_rank(n, alpha,    rank, part, tail) {
    part = 0.5 ^ n
    for (rank = 0; tail + part <= alpha / 2 && rank < n / 2; rank++) {
        tail += part
        part *= (n - rank) / (rank + 1)
    }
    return rank
}


# The time of a unified query / that of one for the distance and one for the volume, of scenarios NAME/unified,
# NAME/distance and NAME/volume: both["ratio"], both["lo"], both["hi"].
function unified_ratio(run, name, variant, both,    k, parts, mean, apart, lo, hi) {
    split("", both)
    mean_interval(run, name "/unified", variant, 0.05 / 3, mean)
    both["lo"] = mean["lo"]
    both["hi"] = mean["hi"]
    split("distance volume", parts)
    for (k = 1; k <= 2; k++) {
        mean_interval(run, name "/" parts[k], variant, 0.05 / 3, mean)
        if (mean["lo"] == "") both["lo"] = both["hi"] = ""
        lo += mean["lo"]
        hi += mean["hi"]
        apart += cell(run, name "/" parts[k], variant, "time_mean_ns")
    }
    both["ratio"] = apart > 0 ? cell(run, name "/unified", variant, "time_mean_ns") / apart : ""
    if (both["lo"] == "") return
    both["lo"] /= hi
    both["hi"] /= lo
}

# The time of a contestant / that of another of the same scenario, launch by launch: out["ratio"], out["lo"], out["hi"]; protocol:
# warm or evicted. Both divided by the baseline's are not enough: it would bring in its own spread.
function time_ratio(run, scenario, variant, other, protocol, out,    of, i, mine, theirs, each, sorted, n, rank, k) {
    split("", out)
    of = run "/launches"
    for (i = 1; i <= rows[of]; i++)
        if (field[of, i, "scenario"] == scenario && field[of, i, "protocol"] == protocol) {
            if (field[of, i, "variant"] == variant) mine[field[of, i, "block"], field[of, i, "launch"]] = field[of, i, "query_ns"]
            if (field[of, i, "variant"] == other) theirs[field[of, i, "block"], field[of, i, "launch"]] = field[of, i, "query_ns"]
        }
    for (k in mine) if (k in theirs && theirs[k] > 0) each[k] = mine[k] / theirs[k]
    n = sort_values(each, sorted)
    rank = sign_rank(n, 0.05)
    out["ratio"] = median_of(sorted, n)
    out["lo"] = rank > 0 ? sorted[rank] : ""
    out["hi"] = rank > 0 ? sorted[n + 1 - rank] : ""
}

# The other exact method of distances that begins as a variant does.
function exact_rival(variant) { return variant ~ /start=last/ ? "exact-distance:start=last" : "exact-distance" }

# --- Builds that are timed by launches -----------------------------------------------------------

# The variants that built a body in a role and whose names match, into out[1], ...; returns how many.
function builders(run, role, body, pattern, out,    i, n, of) {
    of = run "/builds"
    for (i = 1; i <= rows[of]; i++)
        if (field[of, i, "role"] == role && field[of, i, "body"] == body && field[of, i, "status"] == "ok" &&
            field[of, i, "variant"] ~ pattern && field[of, i, "variant"] !~ /@/) out[++n] = field[of, i, "variant"]
    return n + 0
}
# The bodies of a role whose names match, likewise into out[1], ...
function bodies(run, role, pattern, out,    i, n, of, seen) {
    of = run "/builds"
    for (i = 1; i <= rows[of]; i++)
        if (field[of, i, "role"] == role && field[of, i, "body"] ~ pattern && !(field[of, i, "body"] in seen)) {
            seen[field[of, i, "body"]]
            out[++n] = field[of, i, "body"]
        }
    return n + 0
}
# What a measure was in each launch, by scenario, block and launch; returns how many.
function launched(run, role, body, variant, measure, out,    i, n, of) {
    of = run "/build_launches"
    for (i = 1; i <= rows[of]; i++)
        if (field[of, i, "role"] == role && field[of, i, "body"] == body && field[of, i, "variant"] == variant && field[of, i, measure] != "") {
            out[field[of, i, "scenario"] SUBSEP field[of, i, "block"] SUBSEP field[of, i, "launch"]] = field[of, i, measure]
            n++
        }
    return n + 0
}
# Values in order into sorted[1], ...; returns how many.
function sort_values(values, sorted,    k, j, n) {
    for (k in values) {
        for (j = ++n; j > 1 && sorted[j - 1] > values[k]; j--) sorted[j] = sorted[j - 1]
        sorted[j] = values[k]
    }
    return n + 0
}
function median_of(sorted, n) { return n == 0 ? "" : n % 2 ? sorted[(n + 1) / 2] : 0.5 * (sorted[n / 2] + sorted[n / 2 + 1]) }
# A time of a build: median over launches, of a run that has them.
function stage(run, role, body, variant, measure,    values, sorted, n) {
    launched(run, role, body, variant, measure, values)
    n = sort_values(values, sorted)
    return n > 0 ? median_of(sorted, n) : built(run, role, body, variant, measure)
}
# A time of a variant / that of another: out["ratio"], out["lo"], out["hi"], of build_ratios.csv.
function build_ratio(run, role, body, variant, other, measure, out,    of, key) {
    split("", out)
    of = run "/build_ratios"
    key = body SUBSEP variant SUBSEP role SUBSEP other SUBSEP measure
    out["ratio"] = at(of, key, "ratio")
    out["lo"] = at(of, key, "lo")
    out["hi"] = at(of, key, "hi")
}
function triple(r) { return r["ratio"] == "" ? "-" : with_interval(digits(r["ratio"]), digits(r["lo"]), digits(r["hi"])) }

# --- Verdicts ------------------------------------------------------------------------------------

# Of a value within [lo, hi], or known as it is (lo = hi): is it at most the limit?
function at_most(lo, hi, limit) {
    return lo == "" || hi == "" ? "cannot tell" : hi + 0 <= limit ? "holds" : lo + 0 > limit ? "does not hold" : "cannot tell"
}


# --- Numbers for people --------------------------------------------------------------------------

# Three digits, without an exponent where it is not needed.
function digits(x) {
    if (x == "") return "-"
    if (x + 0 == 0) return "0"
    if (x >= 99.95 || x <= -99.95) return sprintf("%.0f", x)
    return x >= 9.995 || x <= -9.995 ? sprintf("%.1f", x) : x >= 0.0995 || x <= -0.0995 ? sprintf("%.2f", x) : x >= 0.00995 || x <= -0.00995 ? sprintf("%.3f", x) : sprintf("%.2g", x)
}
function time(ns) {
    return ns == "" ? "-" : ns < 999.5 ? digits(ns) " ns" : ns < 999.5e3 ? digits(ns / 1e3) " us" : ns < 999.5e6 ? digits(ns / 1e6) " ms" : digits(ns / 1e9) " s"
}
function percent(share) { return share == "" ? "-" : digits(100 * share) " %" }
# Of frames: rounded down, so that 100 % are all of them.
function share_text(share) { return share == "" ? "-" : sprintf("%.2f %%", int(10000 * share) / 100) }
# Of an error: that of exact methods is rounding.
function error_text(share) { return share != "" && share < 1e-12 && share > -1e-12 ? "exact" : percent(share) }
function bytes(b) {
    return b == "" ? "-" : b < 999.5e3 ? digits(b / 1e3) " kB" : digits(b / 1e6) " MB"
}
function count(n,    text) {
    if (n == "") return "-"
    for (text = sprintf("%.0f", n); match(text, /[0-9][0-9][0-9][0-9]($|,)/);)
        text = substr(text, 1, RSTART) "," substr(text, RSTART + 1)
    return text
}
# "0.52 (0.44 to 0.61)"
function with_interval(value, lo, hi) { return value " (" (lo == "-" || lo == "" ? "no interval" : lo " to " hi) ")" }
function ratio_text(run, scenario, variant) {
    if (ratio(run, scenario, variant, "ratio") == "")
        return cell(run, scenario, variant, "status") != "" && baseline(run, scenario) == variant ? "1" : "-"
    return with_interval(digits(ratio(run, scenario, variant, "ratio")), digits(ratio(run, scenario, variant, "lo")), digits(ratio(run, scenario, variant, "hi")))
}
# The same the other way round: how many times faster than the baseline.
function inverse(x) { return x == "" || x + 0 == 0 ? "" : 1 / x }
function speedup_text(run, scenario, variant) {
    if (ratio(run, scenario, variant, "ratio") == "") return ratio_text(run, scenario, variant)
    return with_interval(digits(inverse(ratio(run, scenario, variant, "ratio"))), digits(inverse(ratio(run, scenario, variant, "hi"))), digits(inverse(ratio(run, scenario, variant, "lo"))))
}
function speedup_evicted_text(run, scenario, variant) {
    if (ratio_evicted(run, scenario, variant, "ratio") == "") return baseline(run, scenario) == variant ? "1" : "-"
    return with_interval(digits(inverse(ratio_evicted(run, scenario, variant, "ratio"))), digits(inverse(ratio_evicted(run, scenario, variant, "hi"))), digits(inverse(ratio_evicted(run, scenario, variant, "lo"))))
}
function mean_text(run, scenario, variant,    mean) {
    mean_interval(run, scenario, variant, 0.05, mean)
    return with_interval(time(cell(run, scenario, variant, "time_mean_ns")), time(mean["lo"]), time(mean["hi"]))
}

# --- Tree and flat pointshell ---------------------------------------------------------------------

# The flat variant's partner: the same but for its walk.
function walks_partner(variant) {
    sub(/,walk=flat/, "", variant)
    sub(/:walk=flat,/, ":", variant)
    sub(/:walk=flat$/, "", variant)
    return variant
}
# The frames of a variant are read once.
function frames_of(run, scene, variant,    of) {
    of = run "/" scene "/" cell(run, scene, variant, "file")
    if (!(of in rows)) read_csv(folder[run] "/" scene "/" cell(run, scene, variant, "file") ".csv", of)
    return of
}
function walks_differ(a, b, i,    k, n, names) {
    n = split("colliding contacts_count depth_m nx ny nz fx_m fy_m fz_m tx_m_m ty_m_m tz_m_m", names, " ")
    for (k = 1; k <= n; k++) if (field[a, i, names[k]] != field[b, i, names[k]]) return 1
    return 0
}
# In how many frames the two walks differ; frames that only one of them has count as well.
function frames_that_differ(run, scenario, flat,    a, b, f, bad) {
    a = frames_of(run, scenario, flat)
    b = frames_of(run, scenario, walks_partner(flat))
    for (f = 1; f <= rows[a] && f <= rows[b]; f++) bad += walks_differ(a, b, f)
    return bad + (rows[a] > rows[b] ? rows[a] - rows[b] : rows[b] - rows[a])
}

# --- Contacts of voxels ----------------------------------------------------------------------------

# A column of the frames with 800 to 1250 contacts, in order; returns how many.
function near_thousand(run, scenario, variant, column, sorted,    of, i, values) {
    split("", values)
    split("", sorted)
    of = frames_of(run, scenario, variant)
    for (i = 1; i <= rows[of]; i++) if (field[of, i, "contacts_count"] >= 800 && field[of, i, "contacts_count"] <= 1250) values[i] = field[of, i, column]
    return sort_values(values, sorted)
}
function most_contacts(run, scenario, variant,    of, i, most) {
    of = frames_of(run, scenario, variant)
    for (i = 1; i <= rows[of]; i++) if (field[of, i, "contacts_count"] > most) most = field[of, i, "contacts_count"]
    return most + 0
}
# In how many frames two contestants have other contacts: another number, or another deepest one.
function contacts_that_differ(run, scenario, variant, other,    a, b, i, bad) {
    a = frames_of(run, scenario, variant)
    b = frames_of(run, scenario, other)
    for (i = 1; i <= rows[a] || i <= rows[b]; i++)
        bad += field[a, i, "contacts_count"] != field[b, i, "contacts_count"] || field[a, i, "colliding"] != field[b, i, "colliding"] || field[a, i, "depth_m"] != field[b, i, "depth_m"]
    return bad + 0
}

# --- Aliasing ------------------------------------------------------------------------------------

# Power above 30 Hz of a force less the ideal one, in decibels of the ideal one's, from its spectrogram: out["all"] of all
# out["windows"], out["steady"] of the out["steady_windows"] in which the solids touch in every frame. Mean powers, once read.
function aliasing(run, scenario, variant, out,    key, touching, path, line, f, n, half, rate, t, hz, total, steady, windows, touched, i, row) {
    split("", out)
    key = run SUBSEP scenario SUBSEP variant
    if (!(key in aliasing_of)) {
        frame_values(run, scenario, variant, "truth_volume_lo_m3", touching)
        path = folder[run] "/" scenario "/" cell(run, scenario, variant, "file") ".spectrogram.csv"
        n = 0
        if ((getline line <path) > 0)
            while ((getline line <path) > 0) {
                split(line, f, ",")
                t[++n] = f[1]
                hz[n] = f[2]
                row[n] = f[3]
                if (f[2] > rate / 2) rate = 2 * f[2]
            }
        close(path)
        half = t[1] # the middle of the first window, which begins with the first frame
        for (i = 1; i <= n; i++) {
            if (hz[i] == 0) {
                windows++
                f[1] = is_touching(touching, rate * (t[i] - half), rate * (t[i] + half))
                touched += f[1]
            }
            if (hz[i] < 30) continue
            total += 10 ^ (row[i] / 10)
            if (f[1]) steady += 10 ^ (row[i] / 10)
        }
        aliasing_of[key] = windows SUBSEP (windows > 0 && total > 0 ? 10 * log(total / windows) / log(10) : "") SUBSEP touched SUBSEP (touched > 0 && steady > 0 ? 10 * log(steady / touched) / log(10) : "")
    }
    split(aliasing_of[key], f, SUBSEP)
    out["windows"] = f[1]
    out["all"] = f[2]
    out["steady_windows"] = f[3]
    out["steady"] = f[4]
}
# Is every frame of [first, last] one in which the solids have a common volume? Of 0 as the number of the first frame.
function is_touching(volumes, first, last,    i) {
    for (i = int(first + 0.5); i <= int(last + 0.5); i++) if (!(volumes[i + 1] > 0)) return 0
    return 1
}
# The contestant that has layers in the place of this one's field, of a scenario; "" of one that has none.
function same_with_layers(run, scenario, variant,    wanted, all, n, k) {
    wanted = variant ~ /depth=/ ? variant : variant ~ /^pst:/ ? "pst:depth=field," substr(variant, 5) : variant
    if (!sub(/depth=field/, "depth=layers", wanted)) return ""
    n = variants(run, scenario, "", all)
    for (k = 1; k <= n; k++) if (all[k] == wanted) return wanted
    return ""
}
function decibels(x) { return x == "" ? "-" : digits(x) " dB" }

# --- Local penetration depth ----------------------------------------------------------------------

# The regions of a variant are read once.
function regions_of(run, scene, variant,    of) {
    of = run "/" scene "/" cell(run, scene, variant, "file") ".regions"
    if (!(of in rows)) {
        rows[of] = 0
        read_csv(folder[run] "/" scene "/" cell(run, scene, variant, "file") ".regions.csv", of)
    }
    return of
}
# Two pixels of a depth buffer whose window has this half side; 0 of what has no pixels of a known number.
function two_pixels(variant, half,    n) {
    if (variant !~ /^lpd($|:)/) return 0
    n = match(variant, /pixels=[0-9]+/) ? substr(variant, RSTART + 7, RLENGTH - 7) + 0 : 64
    return n > 0 ? 4 * half / n : 0
}
# Frames with one region: out["frames"]; those in which less than 1 % of the intersection volume is left after the reported
# way: "separated"; in which its depth is at most 1.1 times the exact one along it, and two pixels: "near"; and "both". Those that fail are
# told as failed[1], ...: frame, what fails, why. near_by[1], ... are their depths / the exact ones. Frames that cannot be judged, without a
# volume or a way: "unjudged".
function single_frames(run, scene, variant, out, failed, near_by,    f, g, i, k, n, r, of_frame, depth, needed, seen, separated, near, inside) {
    split("", out)
    split("", failed)
    split("", near_by)
    f = frames_of(run, scene, variant)
    g = regions_of(run, scene, variant)
    for (r = rows[g]; r >= 1; r--) of_frame[field[g, r, "frame"]] = r
    for (i = 1; i <= rows[f]; i++) {
        if (field[f, i, "regions_count"] != 1) continue
        if (field[f, i, "depth_left_rel"] == "" || field[f, i, "depth_local_rel"] == "") {
            out["unjudged"]++
            continue
        }
        r = of_frame[field[f, i, "frame"]]
        depth = field[f, i, "depth_m"]
        seen = field[f, i, "depth_local_rel"] > -1 # a depth of 0 tells nothing of what is needed
        needed = seen ? depth / (1 + field[f, i, "depth_local_rel"]) : ""
        separated = field[f, i, "depth_left_rel"] < 0.01
        near = seen && depth <= 1.1 * needed + two_pixels(variant, larger(field[g, r, "half_u_m"], field[g, r, "half_v_m"]))
        out["frames"]++
        out["separated"] += separated
        out["near"] += near
        out["both"] += separated && near
        if (seen) near_by[++n] = 1 + field[f, i, "depth_local_rel"]
        if (separated && near) continue
        inside = field[g, r, "needed_m"]
        failed[++k] = field[f, i, "frame"] SUBSEP (separated ? "too deep" : percent(field[f, i, "depth_left_rel"]) " left") SUBSEP \
            (!seen ? "nothing is seen" : \
             inside != "" && inside < 0.99 * needed ? "what parts last is beside the window" : \
             separated ? "what is seen is not what parts last" : "what parts last is not seen")
        out["failed"] = k
    }
    out["ratios"] = n + 0
}
function larger(a, b) { return a > b ? a : b }
# The stages of frames whose number of segments is within [lo, hi], each in order: sorted["pairs", i], ..., and those of stages 1 to 3
# together: "all"; returns how many.
function stage_times(run, scene, variant, lo, hi, sorted,    f, i, n, k, name, each, times, one) {
    split("", sorted)
    split("pairs curves boxes depths all segments", name)
    f = frames_of(run, scene, variant)
    for (i = 1; i <= rows[f]; i++) {
        if (field[f, i, "segments_count"] < lo || field[f, i, "segments_count"] > hi) continue
        n++
        for (k = 1; k <= 4; k++) each[k, n] = field[f, i, "stage_" name[k] "_ns"]
        each[5, n] = each[2, n] + each[3, n] + each[4, n]
        each[6, n] = field[f, i, "segments_count"]
    }
    for (k = 1; k <= 6; k++) {
        split("", times)
        split("", one)
        for (i = 1; i <= n; i++) times[i] = each[k, i]
        sort_values(times, one)
        for (i = 1; i <= n; i++) sorted[name[k], i] = one[i]
    }
    return n + 0
}
# Of those, the time of a stage that a share of the frames does not exceed.
function stage_quantile(sorted, n, name, share,    i, one) {
    for (i = 1; i <= n; i++) one[i] = sorted[name, i]
    return quantile(one, n, share)
}
# log t = exponent log n + constant, by least squares over the frames of all scenarios of a run that have `least` or more of what is counted,
# t in the column `spent`: fit["exponent"], fit["lo"], fit["hi"] (95 %, from the residuals), fit["frames"], fit["few"], fit["many"]; and
# fit["rate"], the median of how many there are a millisecond, and fit["slowest"], what 5 % of the frames are below.
function fit_power(run, variant, counted, spent, least, fit,    m, s, i, f, n, x, y, scene, segments, t, sx, sy, sxx, sxy, k, xs, ys, rate, sorted, b, a, e, error) {
    split("", fit)
    m = scenarios(run, "", scene)
    for (s = 1; s <= m; s++) {
        f = frames_of(run, scene[s], variant)
        for (i = 1; i <= rows[f]; i++) {
            segments = field[f, i, counted]
            t = field[f, i, spent]
            if (segments < least || t == "" || t <= 0) continue
            n++
            xs[n] = x = log(segments)
            ys[n] = y = log(t)
            rate[n] = segments / t * 1e6
            sx += x
            sy += y
            sxx += x * x
            sxy += x * y
            if (fit["few"] == "" || segments < fit["few"]) fit["few"] = segments
            if (segments > fit["many"]) fit["many"] = segments
        }
    }
    fit["frames"] = n + 0
    if (n < 3 || n * sxx - sx * sx <= 0) return
    b = (n * sxy - sx * sy) / (n * sxx - sx * sx)
    a = (sy - b * sx) / n
    for (k = 1; k <= n; k++) e += (ys[k] - a - b * xs[k]) ^ 2
    error = sqrt(e / (n - 2) / (sxx - sx * sx / n))
    fit["exponent"] = b
    fit["lo"] = b - 1.96 * error
    fit["hi"] = b + 1.96 * error
    sort_values(rate, sorted)
    fit["rate"] = median_of(sorted, n)
    fit["slowest"] = quantile(sorted, n, 0.05)
}

# --- Promises --------------------------------------------------------------------------------------

# What variants whose names match promise of quantities that match, and keep, summed up over all scenarios of a run in which they
# were asked: true and false answers of contact, and broken promises.
function print_promises(pattern, quantities,    r, i, j, k, n, v, of, key, listed, order, sum, column, parts) {
    put_row("run|variant|promise|scenarios|frames|touching: right|missed|apart: right|false alarm|broken promises|not judged")
    n = split("frames_count tp_count fn_count tn_count fp_count violations_count", column, " ")
    for (r = 1; r <= runs_count; r++) {
        split("", sum)
        listed = 0
        of = runs[r] "/cells"
        for (i = 1; i <= rows[of]; i++) {
            v = field[of, i, "variant"]
            if (field[of, i, "quantity"] !~ quantities || v !~ pattern || v ~ /@/) continue
            key = v SUBSEP field[of, i, "contract"]
            if (!((key, "scenarios") in sum)) order[++listed] = key
            sum[key, "scenarios"]++
            if (field[of, i, "status"] != "ok" && field[of, i, "status"] != "wrong") sum[key, "unjudged"]++
            for (k = 1; k <= n; k++) sum[key, column[k]] += field[of, i, column[k]]
        }
        for (j = 1; j <= listed; j++) {
            key = order[j]
            split(key, parts, SUBSEP)
            put(runs[r])
            put(parts[1])
            put(parts[2])
            put(sum[key, "scenarios"])
            for (k = 1; k <= n; k++) put(parts[2] ~ /^distance/ && column[k] ~ /^[tf][pn]_/ ? "-" : count(sum[key, column[k]] + 0))
            put(sum[key, "unjudged"] + 0)
            end()
        }
    }
    print_table()
}

# --- Tables --------------------------------------------------------------------------------------

# put() a field after the other, end() the row, print_table() all of it: columns as wide as their widest field.
function put(text) {
    table_text[table_rows + 1, ++table_columns] = text
    if (length(text) > table_width[table_columns]) table_width[table_columns] = length(text)
}
function end() {
    table_fields[++table_rows] = table_columns
    table_columns = 0
}
# A heading, or a row all at once: names between bars.
function put_row(texts,    n, i, parts) {
    n = split(texts, parts, "|")
    for (i = 1; i <= n; i++) put(parts[i])
    end()
}
function print_table(    r, c, line) {
    for (r = 1; r <= table_rows; r++) {
        line = ""
        for (c = 1; c <= table_fields[r]; c++) line = line (c > 1 ? "  " : "") sprintf("%-" table_width[c] "s", table_text[r, c])
        sub(/ +$/, "", line)
        print line
    }
    split("", table_width)
    table_rows = 0
}
