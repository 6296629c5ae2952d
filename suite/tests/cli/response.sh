# A scene with a known ideal force: its path, the quality of forces on it, and their noise.
cat >scene.cfg <<'END'
name = "scene";
figures = ["spectrogram"];
mode = "smoke";
variants = ( "exact-volume", { algorithm = "ist"; directions = ["centres", "cones"]; voxels = 16; } );
scenarios = (
  { name = "corner"; a = "box"; b = "cube"; quantities = "force";
    trajectory = { kind = "response"; frames = 320; }; },
  { name = "short"; a = "channel"; b = "cube"; quantities = "force";
    trajectory = { kind = "response"; frames = 50; }; },
  # The mesh is not quite the sphere whose force is known.
  { name = "round"; a = "box"; b = "sphere:triangles=2000"; quantities = "force";
    trajectory = { kind = "response"; frames = 50; }; }
);
END
columns() { # FILE NAME...: prints columns, numbers with 4 digits, rounding errors as 0
    file=$1
    shift
    awk -F, -v names="$*" '
        FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; count = split(names, name, " ") }
        {
            for (i = 1; i <= count; i++) {
                field = $at[name[i]]
                if (field ~ /^-?[0-9.]+(e-?[0-9]+)?$/) field = field^2 < 1e-18 ? 0 : sprintf("%.4g", field)
                printf "%s%s", field, i < count ? "," : "\n"
            }
        }' "$file"
}
echo '# the path'
"$proxbench" trajectory response --a box --b cube --frames 5 >path.csv
columns path.csv frame t_s x_m known_fx_m2 known_fy_m2 known_fz_m2
run trajectory response --a box --b box --frames 5
run trajectory response --a box --b cube --lo 0.1 --frames 5
echo '# the force'
"$proxbench" run scene.cfg --out run --cache cache --quiet >log 2>&1 || cat log
grep -v '^proxbench' log | awk '{ print $1, $2, $3, $NF }'
sed 's/"ist:directions=cones,voxels=16"/cones/' run/forces.csv >forces.csv
columns forces.csv scenario file ideal own force_left_out_count force_gain force_direction_deg_p50 torque_direction_deg_p50 \
    force_magnitude_rel_mean force_loop_work force_misses_count
echo '# exact forces have no noise, and 50 frames are too few to measure it'
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["own"] { db = $at["force_noise_db"]; print $1, $4, db == "" ? "-" : db < -250 ? "none" : db < 0 ? "some" : "much" }' forces.csv
head -n 1 run/corner/exact-volume.spectrogram.csv
wc -l <run/corner/ist_voxels=16.spectrogram.csv
ls run/short
echo '# the figure shows the variants of the run'
command -v gnuplot >/dev/null && run plot run --format svg --width 84 >drawn && cat drawn
awk -f "$root/suite/tests/svg_texts.awk" run/figures/*.svg
echo '# each variant is judged by its own law and compared with the law by area'
cat >laws.cfg <<'END'
name = "laws";
mode = "smoke";
variants = ( "exact-volume", "exact-depth-force", "exact-depth-force:field=moving", "vps:voxels=16",
             "vps:voxels=16,voxmap=moving", "pst:voxels=16", "pst:field=moving,voxels=16", "ist:voxels=16" );
scenarios = (
  { name = "corner"; a = "box"; b = "cube"; quantities = "force"; trajectory = { kind = "response"; frames = 12; }; }
);
END
run run laws.cfg --out laws --cache cache --quiet >log 2>&1
grep -c 'force .* ok$' log
grep force_law laws/manifest.csv
grep -c '^corner,depth_force.*_certified_[012]_frames,' laws/manifest.csv
"$proxbench" compare laws --cells >/dev/null || echo "the run cannot be read"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { gsub(/"[^"]*"/, "") }
    { print $at["file"], $at["ideal"], $at["own"], $at["force_frames_count"], $at["force_left_out_count"],
      $at["force_direction_deg_p99"] < 0.1 ? "exact" : "" }' laws/forces.csv
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { gsub(/"[^"]*"/, ""); print $at["file"], $at["force_law"] }' laws/cells.csv
