# pst-bodies.awk: what bodies of a run take: memory, the time of their build and of its stages, and that of loading them where
# they were saved. Variants that differ in how they query alone have the same bodies, and are left out.
END {
    put_row("body|role|variant|triangles|cells|points|memory|build|field|points|tree|load")
    for (r = 1; r <= runs_count; r++) {
        of = runs[r] "/builds"
        for (i = 1; i <= rows[of]; i++) {
            if (field[of, i, "status"] != "ok" || field[of, i, "variant"] ~ /@|(start|candidates|rounds)=/) continue
            put(field[of, i, "body"])
            put(field[of, i, "role"])
            put(field[of, i, "variant"])
            put(count(field[of, i, "triangles_count"]))
            put(count(field[of, i, "cells_count"]))
            put(count(field[of, i, "points_count"]))
            put(bytes(field[of, i, "bytes"]))
            put(time(field[of, i, "build_ns"]))
            put(time(field[of, i, "stage_field_ns"]))
            put(time(field[of, i, "stage_points_ns"]))
            put(time(field[of, i, "stage_tree_ns"]))
            put(field[of, i, "load_ns"] > 0 ? time(field[of, i, "load_ns"]) : "-")
            end()
        }
    }
    print_table()
}
