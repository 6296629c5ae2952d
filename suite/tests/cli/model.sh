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
echo '# a picture: PNG of the given width, the same bytes twice, another one from another side'
run model bolt --picture made/bolt.png --width 200
run model bolt --picture made/again.png --width 200 --view 35,25
run model bolt --picture made/below.png --width 200 --view -60,-80 --out made/too.off
"$proxbench" model bolt | cmp - made/too.off
cmp made/bolt.png made/again.png
cmp -s made/bolt.png made/below.png && echo 'the view does not matter'
od -An -tx1 -N24 made/bolt.png
for wrong in '--picture a.svg' '--picture a.png --view 1' '--picture a.png --view 0,100' '--picture a.png --width 5000'; do
    run model bolt $wrong
done
[ ! -e a.png ] || echo 'a.png was written'
