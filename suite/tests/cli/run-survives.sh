# needs: ../shared/models/bad-bunny-two-self-intersections.off
# A mesh that intersects itself: a warning names the faces, there is no volume, but distances are
# measured.
bad=$root/../shared/models/bad-bunny-two-self-intersections.off
printf 'frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw\n0,0,0.2,0,0,0,0,0,1\n1,0.001,0.3,0,0,0,0,0,1\n' >t.csv
# A small mesh for the volume: two cubes, a corner of each inside the other.
box one.off 0 0 0 1
box two.off 0.5 0.4 0.3 1
awk 'BEGIN { print "OFF\n16 24 0" } NF == 3 && FNR > 2 { vertex[n++] = $0 }
    NF == 4 { triangle[m++] = $1 " " $2 + n - 8 " " $3 + n - 8 " " $4 + n - 8 }
    END { for (i = 0; i < n; i++) print vertex[i]; for (i = 0; i < m; i++) print triangle[i] }' one.off two.off >cubes.off
for quantity in distance volume; do
    algorithms=brute,ist
    [ $quantity = distance ] || algorithms=ist bad=cubes.off
    "$proxbench" run --a "$bad" --b sphere:triangles=80 --trajectory t.csv --quantity $quantity \
        --algorithm $algorithms --mode smoke --quiet --cache cache --out $quantity 2>&1 |
        sed -E "s|$root/||; s/ +[0-9.]+ (ns|us|ms|s)\b/ TIME/g" | tr -s ' '
done
