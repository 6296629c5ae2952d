# Rows of everything there is, and scenarios by their names.
box a.off 1 1 1 1
box b.off 0 0 0 1
mkdir -p scenarios/experiments
cat >scenarios/experiments/tiny.cfg <<'END'
name = "tiny"; title = "Two cubes"; mode = "ci"; seed = 7;
baseline = "ist:voxels=32";
variants = ( "brute", { algorithm = "fcl"; optional = true; triangle_limit = 900; },
             { algorithm = "ist"; zip = { voxels = [16, 32]; radius = ["primary", "secondary"]; }; } );
scenarios = (
  { name = "cubes/near"; a = "../../a.off"; b = "../../b.off"; quantities = [ "distance" ];
    trajectory = { kind = "sphere"; target = "distance"; lo = 0.0; hi = 0.2; frames = 3; }; },
  { name = "file"; a = "../../a.off"; b = "../../b.off"; quantities = "unified";
    trajectory = "../../t.csv"; },
  { name = "held"; a = "../../a.off"; b = "../../b.off"; quantities = "distance";
    trajectory = { kind = "sphere"; target = "distance"; lo = 0.0; hi = 0.2; frames = 3; hold = 2; }; }
);
END
printf 'frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw\n0,0,1.5,1,1,0,0,0,1\n' >t.csv
echo 'not an experiment' >scenarios/experiments/README
run list experiments
run list variants
run list variants --format csv
run list scenarios
run list scenarios --format csv
echo '# their truth'
"$proxbench" truth tiny/cubes/near --cache c | awk -F, '{
    print $1, (NR > 1 ? sprintf("%.6f", $2 / sqrt(3)) : $2), $4, $6, $7, $8}'
ls c/trajectories | wc -l
"$proxbench" truth ./scenarios/experiments/tiny.cfg/cubes/near --cache c --quiet >again.csv
"$proxbench" truth tiny/cubes/near --no-cache | cmp - again.csv
ls c/trajectories | wc -l
"$proxbench" truth tiny/file --no-cache | awk -F, '{print $1, $2 * 1, $4 * 1, $6, $7, $8}'
"$proxbench" truth tiny/file --no-cache --quantity volume | tail -n 1 | cut -d, -f1-3,6-8
run truth tiny/cubes/mear
run truth tini/cubes/near
run truth tiny
echo 'name = ;' >scenarios/experiments/wrong.cfg
run list experiments
run truth wrong/x

cd "$root" || exit 1
echo '# what the suite brings along'
for what in algorithms models experiments variants scenarios scenes columns; do
    "$proxbench" list $what --format csv >"$OLDPWD/rows.csv" || echo "$what: [$?]"
    head -n 1 "$OLDPWD/rows.csv"
    [ "$(wc -l <"$OLDPWD/rows.csv")" -ge 2 ] || echo "$what: none"
    "$proxbench" list $what >"$OLDPWD/table" || echo "$what: [$?]"
    case $what in
    variants | scenarios) ;; # whose names are longer than a line, and stay whole
    *) awk -v what=$what 'length > 100 { print what ": " $0 }' "$OLDPWD/table" ;;
    esac
done
"$proxbench" list | sed -E 's/ +[0-9]+ / N /'
echo '# from any other folder too: the program knows the tree that it was built in'
cd / && "$proxbench" list experiments --format csv | grep -c '^bench,'
