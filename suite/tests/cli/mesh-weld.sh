# A part whose triangles share no vertices becomes the solid again.
"$proxbench" model gear --out gear.off
"$proxbench" model gear:soup=yes --out soup.off
"$proxbench" mesh check soup.off --limit 0 | grep -E '^(triangles|vertices|closed|open_edges|components)' || echo "[$?]"
run mesh weld soup.off --out welded.off
"$proxbench" mesh check welded.off --format csv >welded
"$proxbench" mesh check gear.off --format csv | cmp - welded
echo '# the input is OFF on standard input, or a model'
run mesh weld box:soup=yes --out box.off --format csv
"$proxbench" model box:soup=yes | "$proxbench" mesh weld - --out piped.off >/dev/null || echo "[$?]"
cmp box.off piped.off
echo '# vertices of equal coordinates are not enough; a sliver collapses'
cat >loose.off <<'EOF'
OFF 13 5 0
0 0 0
1 1e-7 0
0 1 0
0 0 -1e-7
0 0 1
1 0 0
0 1 1e-7
1 0 1e-7
0 1e-7 1
0 1 0
0 0 1
0 1e-7 0
0 0 1.0000001
3 0 2 1
3 3 5 4
3 11 8 6
3 7 9 10
3 10 8 12
EOF
run mesh weld loose.off --out loose-0.off --limit 3
run mesh weld loose.off --out loose-1.off --tolerance 1e-6
cat loose-1.off
run mesh weld loose.off:scale=1000 --out loose-2.off --tolerance 1e-6 --limit 0
echo '# usage and errors'
run mesh weld loose.off
run mesh weld loose.off --out -
run mesh weld loose.off --out loose.stl
run mesh weld loose.off --out x.off --tolerance -1
run mesh weld loose.off --out x.off --tolerance nan
run mesh check loose.off --tolerance 1
run mesh info loose.off --out x.off
run mesh weld loose.off --out x.off --tolerance 2
run mesh wled loose.off --out x.off
run mesh weld missing.off --out x.off
ls
