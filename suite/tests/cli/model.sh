# A generated model is a solid, both through a pipe and through a file.
"$proxbench" model bolt --triangles 5000 | "$proxbench" mesh check - --format csv >piped || echo "[$?]"
grep -E '^(closed|solid|open_edges),' piped
run model bolt --triangles 5000 --out made/bolt.off
"$proxbench" mesh check made/bolt.off --format csv | cmp - piped
"$proxbench" model bolt:triangles=5000 | cmp - made/bolt.off
"$proxbench" model made/bolt.off | cmp - made/bolt.off
ls made
echo '# each listed model at its coarsest resolution'
"$proxbench" list models --format csv | sed 1d | cut -d, -f1,3,4 | tr , ' ' >models
while read -r model triangles solid; do
    "$proxbench" model "$model" --triangles "$triangles" |
        "$proxbench" mesh check - --format csv >checked
    grep -q "^solid,$solid\$" checked || echo "$model: not $solid"
done <models
[ "$(wc -l <models)" -ge 5 ] || echo 'too few models'
echo '# a file name of another format'
run model box --out A.OBJ
[ ! -e A.OBJ ] || echo 'A.OBJ was written'
