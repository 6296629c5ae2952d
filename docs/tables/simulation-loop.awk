# simulation-loop.awk: a simulated hand, scene by scene: who keeps the bodies out of each other, who makes energy of nothing, who chatters; exact-volume's
# answer is the reference. Depths are of corners of one body inside of the other, in the whole scene and behind the first 100 ms of touching.
END {
    put_row("scene|variant|response|status|depth, settled|volume, settled|contact gave|passive|through|coupling rms|change, 99 %|chatter|query p99|late steps")
    for (r = 1; r <= runs_count; r++) {
        of = runs[r] "/simulations"
        for (i = 1; i <= rows[of]; i++) {
            key = field[of, i, "scene"] SUBSEP field[of, i, "variant"]
            put(field[of, i, "scene"])
            put(field[of, i, "variant"])
            put(field[of, i, "response"])
            put(field[of, i, "status"])
            put(length_text(field[of, i, "point_depth_settled_max_m"]))
            put(volume_text(field[of, i, "volume_settled_max_m3"]))
            put(energy_text(field[of, i, "contact_work_max_j"]))
            put(yes_no(field[of, i, "active"], "no", "yes"))
            put(yes_no(field[of, i, "through"], "yes", "no"))
            put(newtons(field[of, i, "coupling_rms_n"]))
            put(newtons(field[of, i, "coupling_change_p99_n"]))
            put(field[of, i, "chatter_count"] == "" ? "-" : count(field[of, i, "chatter_count"]))
            put(time(at(runs[r] "/simulation_times", key, "query_p99_ns")))
            put(count(at(runs[r] "/simulation_times", key, "late_count")))
            end()
        }
    }
    print_table()
}
function yes_no(flag, if_one, if_none) { return flag == "" ? "-" : flag ? if_one : if_none }
function length_text(m) { return m == "" ? "-" : digits(1e3 * m) " mm" }
function volume_text(m3) { return m3 == "" ? "-" : digits(1e9 * m3) " mm3" }
function energy_text(j) { return j == "" ? "-" : digits(1e3 * j) " mJ" }
function newtons(n) { return n == "" ? "-" : digits(n) " N" }
