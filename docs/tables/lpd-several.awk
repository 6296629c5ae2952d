# lpd-several.awk: frames with several regions: the share of the common volume that is left after the answer's way out, in the mean, and
# the frames in which more than 1 % is left; then the length of the way beside the least of all directions.
END {
    put_row("scenario|variant|frames|left, mean|more than 1 % left|way / least, median|95 %")
    for (r = 1; r <= runs_count; r++) {
        m = scenarios(runs[r], "", scene)
        for (i = 1; i <= m; i++) {
            n = variants(runs[r], scene[i], "^lpd", v)
            for (j = 1; j <= n; j++) {
                f = frames_of(runs[r], scene[i], v[j])
                split("", ratios)
                frames = left = more = judged = 0
                for (q = 1; q <= rows[f]; q++) {
                    if (field[f, q, "regions_count"] < 2 || field[f, q, "depth_left_rel"] == "") continue
                    frames++
                    left += field[f, q, "depth_left_rel"]
                    more += field[f, q, "depth_left_rel"] > 0.01
                    if (field[f, q, "truth_depth_hi_m"] > 0) ratios[++judged] = field[f, q, "depth_m"] / field[f, q, "truth_depth_hi_m"]
                }
                put(scene[i])
                put(v[j])
                put(count(frames))
                put(frames > 0 ? percent(left / frames) : "-")
                put(count(more))
                sort_values(ratios, sorted)
                put(judged > 0 ? digits(quantile(sorted, judged, 0.5)) : "-")
                put(judged > 0 ? digits(quantile(sorted, judged, 0.95)) : "-")
                end()
            }
        }
    }
    print_table()
}
