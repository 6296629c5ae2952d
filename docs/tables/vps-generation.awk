# vps-generation.awk: VPS-T1, beside the paper's numbers: rows a to e, voxmaps of fixed bodies, and rows f to j, pointshells
# of moving ones. "new" is the paper's generator with navigation=auto, "ours" the one of this suite; times are medians over
# launches, ratios have intervals of 95 % each.
BEGIN {
    old = "generator=old"
    paper = "^vps:generator=paper(,(layers|shell-voxels|voxels)=[0-9]+)*$"
    own = "^vps(:(layers|shell-voxels|voxels)=[0-9]+(,(layers|shell-voxels|voxels)=[0-9]+)*)?$"
}
function pair_text(run, role, body, a, b, measure,    r) {
    build_ratio(run, role, body, a, b, measure, r)
    return triple(r)
}
# ROW RUN PAPER'S: of a voxmap voxels, load, initialise, old, new, fill, ratio; of a pointshell points, old, new, ratio
function voxmap(letter, run, theirs,    p, role, measure, body, a, b, c) {
    role = "fixed"
    measure = "stage_surface_ns"
    if (!has(run)) return
    body = body_of(run, role)
    a = builder(run, role, body, old)
    b = builder(run, role, body, paper)
    c = builder(run, role, body, own)
    split(theirs, p)
    put(letter)
    put(model_of(body))
    put(count(built(run, role, body, b, "voxels_count")) " (" count(p[1]) ")")
    put(time(stage(run, role, body, b, "stage_load_ns")) " (" (p[2] == "-" ? "-" : time(1e9 * p[2])) ")")
    put(time(stage(run, role, body, b, "stage_initialise_ns")) " (" time(1e9 * p[3]) ")")
    put(time(stage(run, role, body, a, measure)) " (" time(1e9 * p[4]) ")")
    put(time(stage(run, role, body, b, measure)) " (" time(1e9 * p[5]) ")")
    put(time(stage(run, role, body, b, "stage_fill_ns")) " (" time(1e9 * p[6]) ")")
    put(pair_text(run, role, body, a, b, measure))
    put("(" digits(p[7]) ")")
    put(time(stage(run, role, body, c, measure)))
    put(pair_text(run, role, body, a, c, measure))
    put(time(stage(run, role, body, c, "build_ns")))
    end()
}
function pointshell(letter, run, theirs,    p, role, measure, body, a, b, c) {
    role = "moving"
    measure = "stage_points_ns"
    if (!has(run)) return
    body = body_of(run, role)
    a = builder(run, role, body, old)
    b = builder(run, role, body, paper)
    c = builder(run, role, body, own)
    split(theirs, p)
    put(letter)
    put(model_of(body))
    put(count(built(run, role, body, b, "points_count")) " (" count(p[1]) ")")
    put(count(built(run, role, body, a, "points_count")))
    put(time(stage(run, role, body, a, measure)) " (" time(1e9 * p[2]) ")")
    put(time(stage(run, role, body, b, measure)) " (" time(1e9 * p[3]) ")")
    put(pair_text(run, role, body, a, b, measure))
    put("(" digits(p[4]) ")")
    end()
}
END {
    put_row("row|model|voxels (the paper's)|load|initialise|surface: old|new|fill|old / new|paper|ours|old / ours|ours, all")
    voxmap("a", "vps-t1-a", "237717488 0.1190 1.1856 338.24 16.562 2.3423 20.42")
    voxmap("b", "vps-t1-b", "38524026 0.3954 0.1919 104.1 3.614 0.4994 28.8")
    voxmap("c", "vps-t1-c", "302685600 - 1.5112 821.5 15.684 3.7512 52.4")
    voxmap("d", "vps-t1-d", "44311554 18.972 0.2290 614.7 69.179 0.6992 8.9")
    voxmap("e", "vps-t1-e", "680652000 - 3.6188 9860.0 442.29 9.9486 22.3")
    print_table()
    print ""
    put_row("row|model|points (the paper's)|old points|points: old|new|old / new|paper")
    pointshell("f", "vps-t1-a", "10954 3.215 0.6319 5.09")
    pointshell("g", "vps-t1-e", "182464 244.75 137.412 1.78")
    pointshell("h", "vps-t1-b", "7287 6.107 0.4465 13.68")
    pointshell("i", "vps-t1-c", "207490 559.9 302.974 1.85")
    pointshell("j", "vps-t1-d", "12161 203.2 11.223 18.11")
    print_table()
}
