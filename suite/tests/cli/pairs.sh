# Intersecting pairs of triangles: all pairs for a small cube in the upper face of a large one, and
# some of them from inner spheres, limited by the room.
for variant in exact-pairs ist-exact:voxels=16 ist-triangles:voxels=16 ist:voxels=16; do
    "$proxbench" query --algorithm $variant --a cube --b cube:scale=0.4 --quantity contact \
        --pairs 100 -- 0.011 0.007 0.041 0 0 0 1 >rows || echo "[$?]"
    grep '^pairs_found' rows | sed "s/^/$variant /"
    grep '_face_[ab]' rows | cut -d, -f2 | paste -d, - - | LC_ALL=C sort >"of-${variant%%:*}"
done
cat of-exact-pairs
cmp of-exact-pairs of-ist-exact
cmp of-exact-pairs of-ist-triangles
comm -13 of-exact-pairs of-ist
"$proxbench" query --algorithm ist:voxels=16 --a cube --b cube:scale=0.4 --quantity contact \
    --pairs 1 -- 0.011 0.007 0.041 0 0 0 1 | grep pair
