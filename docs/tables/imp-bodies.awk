# imp-bodies.awk: trees of bodies: voxels and nodes, bytes, nodes with one child, and what building takes.
END {
    put_row("body|role|variant|surface voxels|full voxels|nodes|bytes of nodes|bytes a voxel|nodes with one child|tree built in|all built in")
    for (r = 1; r <= runs_count; r++) {
        of = runs[r] "/builds"
        for (i = 1; i <= rows[of]; i++) {
            if (field[of, i, "variant"] !~ /^imp/ || field[of, i, "variant"] ~ /@/ || field[of, i, "status"] != "ok") continue
            # Variants that share a body have it once.
            key = field[of, i, "body"] SUBSEP field[of, i, "role"] SUBSEP field[of, i, "surface_voxels_count"] SUBSEP field[of, i, "node_bytes"] SUBSEP field[of, i, "nodes_count"]
            if (key in seen) continue
            seen[key]
            stored = field[of, i, "surface_voxels_count"]
            put(field[of, i, "body"])
            put(field[of, i, "role"])
            put(field[of, i, "variant"])
            put(count(stored))
            put(count(field[of, i, "full_voxels_count"]))
            put(count(field[of, i, "nodes_count"]))
            put(bytes(field[of, i, "node_bytes"]))
            put(stored > 0 ? digits(field[of, i, "node_bytes"] / stored) : "-")
            put(field[of, i, "nodes_count"] > 0 ? percent(field[of, i, "single_nodes_count"] / field[of, i, "nodes_count"]) : "-")
            put(time(field[of, i, "stage_tree_ns"]))
            put(time(field[of, i, "build_ns"]))
            end()
        }
    }
    print_table()
}
