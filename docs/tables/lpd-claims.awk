# lpd-claims.awk: what is claimed of local penetration depth, each as a rule on numbers: what was measured, with its interval, and whether
# the rule holds.

# --- Times ---------------------------------------------------------------------------------------

function clustering(run,    n, j, v, scene, fit) {
    if (!has(run)) return
    scenarios(run, "", scene)
    n = variants(run, scene[1], "^lpd", v)
    for (j = 1; j <= n; j++) {
        if (v[j] ~ /naive/) continue
        fit_power(run, v[j], "segments_count", "stage_curves_ns", 20, fit)
        claim("F4", v[j] ": time of clustering against segments, exponent below 1.1 over two decades", with_interval(sprintf("%.2f", fit["exponent"]), sprintf("%.2f", fit["lo"]), sprintf("%.2f", fit["hi"])) ", " count(fit["few"]) " to " count(fit["many"]), timed(run) && fit["many"] >= 100 * fit["few"] ? at_most(fit["lo"], fit["hi"], 1.1) : "cannot tell")
        claim("F4", v[j] ": at least 5,000 segments a millisecond at the median, the paper's 1,000", count(fit["rate"]), timed(run) ? at_least(fit["rate"], fit["rate"], 5000) : "cannot tell")
    }
}
# Stages 1 to 3 of frames with `lo` to `hi` segments, at the median.
function whole(id, run, scene, variant, lo, hi, limit, paper,    n, t, x) {
    if (!has(run)) return
    n = stage_times(run, scene, variant, lo, hi, t)
    x = stage_quantile(t, n, "all", 0.5)
    claim(id, scene ": " variant ", stages 1 to 3 at most " time(limit) " at the median, the paper's " paper, (n == 0 ? "no frame" : time(x) " of " count(n) " frames, " count(stage_quantile(t, n, "segments", 0.5)) " segments, pairs " time(stage_quantile(t, n, "pairs", 0.5))), timed(run) ? at_most(x, x, limit) : "cannot tell")
}
function second(run, scene, variant,    n, i, t, sum, mean, worst) {
    if (!has(run)) return
    n = stage_times(run, scene, variant, 1, 1e9, t)
    for (i = 1; i <= n; i++) sum += t["boxes", i]
    mean = n > 0 ? sum / n : ""
    worst = stage_quantile(t, n, "boxes", 1)
    claim("T1", scene ": stage 2 at most 0.33 ms in the mean", time(mean), timed(run) ? at_most(mean, mean, 3.3e5) : "cannot tell")
    claim("T1", scene ": stage 2 at most 1 ms in every frame", time(worst), timed(run) ? at_most(worst, worst, 1e6) : "cannot tell")
}
function linear_in_regions(run, variant,    fit) {
    if (!has(run)) return
    fit_power(run, variant, "regions_count", "stage_depths_ns", 1, fit)
    claim("F5", variant ": time of stage 3 against regions, exponent below 1.1", with_interval(sprintf("%.2f", fit["exponent"]), sprintf("%.2f", fit["lo"]), sprintf("%.2f", fit["hi"])) ", " count(fit["few"]) " to " count(fit["many"]), timed(run) ? at_most(fit["lo"], fit["hi"], 1.1) : "cannot tell")
}
# Stage 3 of a region, over the frames that have some.
function each_region(run, scene, variant,    f, i, n, x, sorted, values) {
    if (!has(run)) return
    f = frames_of(run, scene, variant)
    for (i = 1; i <= rows[f]; i++) if (field[f, i, "regions_count"] > 0) values[++n] = field[f, i, "stage_depths_ns"] / field[f, i, "regions_count"]
    sort_values(values, sorted)
    x = median_of(sorted, n)
    claim("F5", scene ": " variant ", stage 3 at most 2 ms a region at the median, the paper's mean", time(x), timed(run) ? at_most(x, x, 2e6) : "cannot tell")
}

# --- What is left --------------------------------------------------------------------------------

# All light frames with one region of a variant together: scenarios light/NAME have at most 1 % of the smaller body in common.
function separates(run, pattern, share, near_share,    m, i, n, j, scene, v, out, failed, near_by, frames, separated, near) {
    if (!has(run)) return
    m = scenarios(run, "^light/", scene)
    n = variants(run, scene[1], pattern, v)
    for (j = 1; j <= n; j++) {
        frames = separated = near = 0
        for (i = 1; i <= m; i++) {
            single_frames(run, scene[i], v[j], out, failed, near_by)
            frames += out["frames"]
            separated += out["separated"]
            near += out["near"]
        }
        if (frames == 0) continue
        claim("F3", v[j] ": less than 1 % is left in " percent(share) " of the light frames", share_text(separated / frames) " of " count(frames), at_least(separated / frames, separated / frames, share))
        claim("F3", v[j] ": at most 1.1 times the exact depth" (two_pixels(v[j], 1) > 0 ? " and two pixels" : "") " in " percent(near_share) " of them", share_text(near / frames) " of " count(frames), at_least(near / frames, near / frames, near_share))
    }
}
# The same of regions inside of their own windows, of frames with several.
function separates_inside(run, pattern, share,    m, i, n, j, q, scene, v, g, f, most, judged, separated) {
    if (!has(run)) return
    m = scenarios(run, "^light/", scene)
    n = variants(run, scene[1], pattern, v)
    for (j = 1; j <= n; j++) {
        judged = separated = 0
        for (i = 1; i <= m; i++) {
            g = regions_of(run, scene[i], v[j])
            split("", most)
            for (q = 1; q <= rows[g]; q++) most[field[g, q, "frame"]]++
            for (q = 1; q <= rows[g]; q++) {
                if (most[field[g, q, "frame"]] < 2 || field[g, q, "left_rel"] == "") continue
                judged++
                separated += field[g, q, "left_rel"] < 0.01
            }
        }
        if (judged > 0) claim("F3", v[j] ": of light frames with several regions, less than 1 % is left in the window of " percent(share) " of them", share_text(separated / judged) " of " count(judged), at_least(separated / judged, separated / judged, share))
    }
}

END {
    put_row("claim|rule|measured|verdict")
    clustering("lpd-f4")
    second("lpd-t", "bunnies", "lpd")
    second("lpd-t", "dragons", "lpd")
    whole("T2", "lpd-t", "bunnies", "lpd", 1, 1e9, 1e6, "3 ms")
    whole("T3", "lpd-t", "dragons", "lpd", 1200, 1800, 3e6, "9.5 ms")
    linear_in_regions("lpd-t", "lpd")
    each_region("lpd-t", "bunnies", "lpd")
    each_region("lpd-t", "dragons", "lpd")
    separates("lpd-f3", "^lpd($|:)", 0.95, 0.9)
    separates("lpd-f3", "^lpd-(exact|refine)", 0.99, 0.99)
    separates_inside("lpd-f3", "^lpd($|:)", 0.95)
    separates_inside("lpd-f3", "^lpd-(exact|refine)", 0.99)
    promises_of("^lpd", "lpd-promises")
    promises_of("^lpd", "degenerate")
    print_table()
}
