# needs: ../shared/models/bad-bunny-two-self-intersections.off
# A mesh that intersects itself: said which faces, no volume, distances all the same.
bad=$root/../shared/models/bad-bunny-two-self-intersections.off
printf 'frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw\n0,0,0.2,0,0,0,0,0,1\n1,0.001,0.3,0,0,0,0,0,1\n' >t.csv
for quantity in distance volume; do
    algorithms=brute,ist
    [ $quantity = distance ] || algorithms=ist
    "$proxbench" run --a "$bad" --b sphere:triangles=80 --trajectory t.csv --quantity $quantity \
        --algorithm $algorithms --mode smoke --quiet --cache cache --out $quantity 2>&1 |
        sed -E "s|$root/||; s/ +[0-9.]+ (ns|us|ms|s)\b/ TIME/g" | tr -s ' '
done
