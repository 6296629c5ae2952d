# energies.awk: where the energy of the contact comes from, and which bodies went through, on folders of `proxbench
# simulate`: the energy that a variant created, what of it is beyond that of exact-volume, and the share of points that
# passed through the other body.
function milli(value) { return value == "" ? "-" : sprintf("%.2g mJ", 1e3 * value) }
function answer(flag) { return flag == "" ? "-" : flag ? "yes" : "no" }
END {
    put_row("scene|variant|driven by|energy made|made by the method|moved by the coupling|passive|goes through|points that passed")
    for (r = 1; r <= runs_count; r++) {
        of = runs[r] "/simulations"
        for (i = 1; i <= rows[of]; i++) {
            status = field[of, i, "status"]
            share = field[of, i, "passed_share"]
            put(field[of, i, "scene"])
            put(field[of, i, "variant"])
            put(status == "ok" ? field[of, i, "response"] : status)
            put(milli(field[of, i, "contact_work_max_j"]))
            put(milli(field[of, i, "contact_work_beyond_j"]))
            put(milli(field[of, i, "coupling_moved_j"]))
            put(answer(field[of, i, "passive"]))
            put(answer(field[of, i, "through"]))
            put(share == "" ? "-" : sprintf("%.1f %%", 100 * share))
            end()
        }
    }
    print_table()
}
