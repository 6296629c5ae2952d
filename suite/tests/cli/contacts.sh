# needs-peers
# Contacts of every peer that provides them: as many as found, within 3 mm of both spheres (50 and
# 15 mm), with unit normals from A to B. The output does not depend on which peers are built, so a
# failure adds a line.
unset PROXBENCH_PEERS
for name in bullet fcl ode; do
    [ -e "${proxbench%/*}/peers/$name.so" ] || continue
    for place in '0.055 0.015 0.007' '-0.035 0.04 -0.02' '0.01 -0.02 -0.055'; do
        "$proxbench" query --algorithm $name --a sphere:triangles=500 \
            --b sphere:triangles=320,scale=0.3 --quantity contact --contacts 1000 -- $place \
            0.1 0.2 0.3 0.92736184954957 >rows 2>&1 || cat rows
        awk -F, -v name="$name" -v place="$place" '
            BEGIN {split(place, b, " ")}
            /^contacts_found_count/ {found = $2}
            /^contact_[0-9]*_[xyz]_m/ {p[++coordinates] = $2}
            /^contact_[0-9]*_n[xyz]/ {n[++components] = $2}
            /_depth_m/ {
                count++
                at = from = length2 = along = 0
                for (i = 1; i <= 3; i++) {
                    x = p[3 * count - 3 + i]; d = n[3 * count - 3 + i]
                    at += x * x; from += (x - b[i]) ^ 2; length2 += d * d; along += d * b[i]
                }
                wrong += sqrt(at) > 0.053 || sqrt(from) > 0.018
                wrong += length2 < 0.999999 || length2 > 1.000001 || along <= 0 || $2 < 0
            }
            END {if (count < 30 || count != found || wrong) print name, place, count, found, wrong}' rows
        "$proxbench" query --algorithm $name --a sphere:triangles=500 \
            --b sphere:triangles=320,scale=0.3 --quantity contact --contacts 2 -- $place \
            0.1 0.2 0.3 0.92736184954957 >few
        head -n "$(wc -l <few)" rows | cmp - few
        [ "$(grep -c _depth_m few)" -eq 2 ] || echo "$name: not two contacts"
    done
done
if [ -e "${proxbench%/*}/peers/ccd.so" ]; then
    for method in gjk mpr; do
        "$proxbench" query --algorithm ccd:method=$method --a sphere:triangles=500 \
            --b sphere:triangles=320,scale=0.3 --quantity contact --contacts 3 -- 0.055 0.015 0.007 \
            0.1 0.2 0.3 0.92736184954957 >rows 2>&1 || cat rows
        # The distance of the centres is 57.4 mm, so the gap of spheres of 50 and 15 mm is -7.6 mm.
        # Their facets are inside.
        awk -F, '
            /^contacts_found_count/ {found = $2}
            /^contact_0_n/ {n[++components] = $2}
            /^contact_0_depth_m/ {depth = $2}
            END {
                along = (n[1] * 0.055 + n[2] * 0.015 + n[3] * 0.007) / 0.0574
                if (found != 1 || along < 0.99 || depth < 0.006 || depth > 0.0077) print found, along, depth
            }' rows
    done
fi
cat >t.csv <<'END'
frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw
0,0,0.055,0.015,0.007,0.1,0.2,0.3,0.92736184954957
1,1,0.01,-0.02,-0.055,0,0,0.6,0.8
END
for name in bullet ccd fcl ode; do
    [ -e "${proxbench%/*}/peers/$name.so" ] || continue
    "$proxbench" run --a sphere:triangles=500 --b sphere:triangles=320,scale=0.3 --trajectory t.csv \
        --quantity contact --algorithm $name --mode smoke --quiet --cache cache --out $name >log 2>&1 || cat log
    for frame in 0 1; do
        "$proxbench" replay $name --frame $frame --obj $name.obj --contacts 20 >rows 2>&1 || cat rows
        grep -q '^compared,equal,$' rows || echo "$name does not repeat frame $frame"
        [ $name = ccd ] && continue
        found=$(sed -n 's/^contacts_found_count,\(.*\),$/\1/p' rows)
        lines=$(sed -n '/^g contacts/,/^g/p' $name.obj | grep -c '^l ')
        [ "$found" -ge 20 ] && [ "$lines" -eq 20 ] || echo "$name: $lines of $found contacts"
    done
done
echo 'the contacts are checked'
echo '# an algorithm that has no contacts'
run query --algorithm brute --a box --b box --pose 1,0,0,0,0,0,1 --contacts 3
