# pst-starts.awk: what a start is worth to a search for the exact distance, on paths that hold each pose for two frames. Where
# the start is the pair of the frame before, that is another pose's in the first of two frames, and in the second the answer
# itself; there, searches that start from nothing tell what warm caches alone give. Medians over frames: times, and frame by
# frame the time / FCL's and / that of exact-distance without a start, all with the same caches; counts are means: lookups in the
# field, nodes and pairs of triangles that were tested; last, in how many frames distance or witnesses differ from those of
# exact-distance without a start, in any digit. The first pose, before which there is no frame, is left out.

function is_path(scene) { return scene ~ /\/glide$/ }
function start_of(variant, scene, second,    last) {
    last = second ? "the answer" : is_path(scene) ? "pair of a step before" : "pair of an unrelated pose"
    if (variant !~ /start=last/) return variant ~ /^pst-exact/ ? "the field's pair" : variant ~ /^exact-distance/ ? "none" : ""
    return variant ~ /^pst-exact/ ? last ", the field's pair" : last
}
# What is in the caches of a warm query.
function caches_of(scene, second) { return second ? "the same pose" : is_path(scene) ? "a pose one step off" : "an unrelated pose" }

# A column of the frames in question, by frame, into out; returns how many.
function held(run, scene, variant, column, second, out,    of, i, n) {
    split("", out)
    of = frames_of(run, scene, variant)
    for (i = 3 + second; i <= rows[of]; i += 2) if (field[of, i, column] != "") {
        out[i] = field[of, i, column]
        n++
    }
    return n + 0
}
function median_held(run, scene, variant, column, second,    values, sorted) {
    held(run, scene, variant, column, second, values)
    return median_of(sorted, sort_values(values, sorted))
}
function mean_held(run, scene, variant, column, second,    values, n, i, sum) {
    n = held(run, scene, variant, column, second, values)
    for (i in values) sum += values[i]
    return n == 0 ? "" : sum / n
}
function ratio_held(run, scene, variant, other, column, second,    mine, theirs, each, sorted, i) {
    held(run, scene, variant, column, second, mine)
    held(run, scene, other, column, second, theirs)
    for (i in mine) if (theirs[i] > 0) each[i] = mine[i] / theirs[i]
    return median_of(sorted, sort_values(each, sorted))
}
function answers_differ(a, b, i,    k, n, names) {
    n = split("distance_m witness_ax_m witness_ay_m witness_az_m witness_bx_m witness_by_m witness_bz_m", names, " ")
    for (k = 1; k <= n; k++) if (field[a, i, names[k]] != field[b, i, names[k]]) return 1
    return 0
}
function count_that_differ(run, scene, variant, other, second,    a, b, i, n) {
    a = frames_of(run, scene, variant)
    b = frames_of(run, scene, other)
    if (!(rows[a] > 0 && rows[b] == rows[a])) return ""
    for (i = 3 + second; i <= rows[a]; i += 2) n += answers_differ(a, b, i)
    return n + 0
}
function put_times(run, scene, variant, column, second) {
    put(time(median_held(run, scene, variant, column, second)))
    put(digits(ratio_held(run, scene, variant, "fcl", column, second)))
    put(digits(ratio_held(run, scene, variant, "exact-distance", column, second)))
}
END {
    put_row("scenario|variant|start|caches hold|warm|/ FCL|/ no start|evicted|/ FCL|/ no start|lookups|nodes|triangles|frames that differ")
    for (r = 1; r <= runs_count; r++) {
        m = scenarios(runs[r], "", scene)
        for (i = 1; i <= m; i++) {
            n = variants(runs[r], scene[i], "", v)
            for (second = 0; second <= 1; second++) {
                for (j = 1; j <= n; j++) {
                    spheres = mean_held(runs[r], scene[i], v[j], "bv_tests_count", second)
                    points = mean_held(runs[r], scene[i], v[j], "points_count", second)
                    triangles = mean_held(runs[r], scene[i], v[j], "triangle_tests_count", second)
                    if (triangles == "") triangles = mean_held(runs[r], scene[i], v[j], "primitive_tests_count", second)
                    put(scene[i])
                    put(v[j])
                    put(start_of(v[j], scene[i], second))
                    put(caches_of(scene[i], second))
                    put_times(runs[r], scene[i], v[j], "time_median_ns", second)
                    put_times(runs[r], scene[i], v[j], "time_evicted_ns", second)
                    put(points == "" ? "-" : digits(spheres + points))
                    put(digits(mean_held(runs[r], scene[i], v[j], "node_tests_count", second)))
                    put(digits(triangles))
                    put(count(count_that_differ(runs[r], scene[i], v[j], "exact-distance", second)))
                    end()
                }
            }
        }
    }
    print_table()
}
