# Lists the rows of every section, and finds scenarios by their names.
box a.off 1 1 1 1
box b.off 0 0 0 1
mkdir -p scenarios/experiments
cat >scenarios/experiments/tiny.cfg <<'END'
name = "tiny"; title = "Two cubes"; paper = "IST"; item = "figure 0"; minutes = (12, 0.5); mode = "ci"; seed = 7;
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
run list experiments --format csv
run list variants
run list variants --format csv
run list scenarios
run list scenarios --format csv
echo '# a pattern selects rows'
run list experiments 'ti?y' --format csv
run list experiments small
run list variants tiny --format csv
run list variants '*voxels=3*' --format csv
run list scenarios tiny/cubes --format csv
run list scenarios '*el?' --format csv
run list models 'bo*' --format csv
run list models bolf
run list scenes pres
run list columns distance_m
run list columns builds.csv --format csv
run list columns no_such_thing
echo '# the truth of the poses'
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
echo '# the sections of the suite'
for what in algorithms models experiments variants scenarios scenes columns; do
    "$proxbench" list $what --format csv >"$OLDPWD/rows.csv" || echo "$what: [$?]"
    head -n 1 "$OLDPWD/rows.csv"
    [ "$(wc -l <"$OLDPWD/rows.csv")" -ge 2 ] || echo "$what: none"
    "$proxbench" list $what >"$OLDPWD/table" || echo "$what: [$?]"
    case $what in
    variants | scenarios) ;; # their names are longer than a line, and are not cut
    *) awk -v what=$what 'length > 100 { print what ": " $0 }' "$OLDPWD/table" ;;
    esac
done
"$proxbench" list | sed -E 's/ +[0-9]+ / N /'
echo '# one line per algorithm, and more lines for a named one; known-bad ones only by name'
"$proxbench" list algorithms --format csv | sed 1d | cut -d, -f1 | grep -v '^faulty$\|^cheats' >"$OLDPWD/names"
"$proxbench" list algorithms | sed '1d; /^$/,$d' | awk '{ print $1 }' | cmp - "$OLDPWD/names"
"$proxbench" list algorithms 'lpd*' | sed -n '/^algorithm /,/^$/s/^\([a-z][^ ]*\)  *\([^ ]*\).*/\1 \2/p' | sort -u | grep -v '='
for pattern in '*' 'f*' faulty 'faulty*'; do
    "$proxbench" list algorithms "$pattern" | grep -c '^faulty '
done
COLUMNS=160 "$proxbench" list algorithms | awk 'length > most { most = length } END { print (most > 100 && most <= 160) }'
COLUMNS=30 "$proxbench" list algorithms | awk 'length > most { most = length } END { print (most > 90 && most <= 100) }'
run list algorithms ist-exakt
echo '# names similar to an experiment, and a run that does not exist yet'
for name in IST-F6 ist-figure-6 'vps table 1 a' 'figure 9' bnech nothing; do
    run run "$name"
done
(mkdir "$OLDPWD/empty" && cd "$OLDPWD/empty" && run plot ist-f6 && run plot ist-f66)
echo '# with an experiment that cannot be read, the other sections are counted'
(
    mkdir -p "$OLDPWD/bad/experiments" && cd "$OLDPWD" && echo 'name = ;' >bad/experiments/bad.cfg
    "$proxbench" list --data bad >sections
    echo "[$?]"
    grep -c '^[a-z]' sections
) 2>&1
echo '# in any other folder the program finds the tree that it was built in'
cd / && "$proxbench" list experiments --format csv | grep -c '^bench,'
