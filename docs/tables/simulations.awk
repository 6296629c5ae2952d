# simulations.awk: how well each variant keeps a body out of another one, on folders of `proxbench simulate`: depths, energy
# created by the contact, smoothness of the force on the hand, chatter beyond exact-volume, time of a step.
function milli(value, unit) { return value == "" ? "-" : sprintf("%.2g m%s", 1e3 * value, unit) }
function answer(flag) { return flag == "" ? "-" : flag ? "yes" : "no" }
END {
    put_row("scene|variant|driven by|deepest point|behind the transient|energy made|passive|goes through|change of the force, 99th percentile|chatter|query, 99th percentile")
    for (r = 1; r <= runs_count; r++) {
        of = runs[r] "/simulations"
        for (i = 1; i <= rows[of]; i++) {
            status = field[of, i, "status"]
            put(field[of, i, "scene"])
            put(field[of, i, "variant"])
            put(status == "ok" ? field[of, i, "response"] : status)
            put(milli(field[of, i, "point_depth_max_m"], "m"))
            put(milli(field[of, i, "point_depth_settled_max_m"], "m"))
            put(milli(field[of, i, "contact_work_max_j"], "J"))
            put(answer(field[of, i, "passive"]))
            put(answer(field[of, i, "through"]))
            put(field[of, i, "coupling_change_p99_n"] == "" ? "-" : sprintf("%.2g N", field[of, i, "coupling_change_p99_n"]))
            put(field[of, i, "chatter_count"] == "" ? "-" : field[of, i, "chatter_count"])
            put(field[of, i, "steps_count"] > 0 ? time(field[runs[r] "/simulation_times", i, "query_p99_ns"]) : "-")
            end()
        }
    }
    print_table()
}
