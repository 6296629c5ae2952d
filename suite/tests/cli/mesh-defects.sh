# Each defect of a mesh is found, with its position; only a solid is valid.
box solid.off 0 0 0 1
run mesh check solid.off
run mesh check solid.off --format csv

# The cube without its last face.
sed -e '2s/12/11/' -e '$d' solid.off >open.off
# The last face with reversed orientation.
sed '$s/.*/3 7 3 5/' solid.off >turned.off
# All faces with reversed orientation.
awk 'NF == 4 {print 3, $2, $4, $3; next} {print}' solid.off >inside-out.off
# The last face twice.
sed -e '2s/12/13/' solid.off >twice.off && tail -n 1 solid.off >>twice.off
# A face with a repeated vertex, and one with collinear vertices.
sed -e '2s/12/13/' solid.off >repeated.off && echo '3 0 0 1' >>repeated.off
printf 'OFF\n3 1 0\n0 0 0\n1 1 1\n2 2 2\n3 0 1 2\n' >line.off
# Two tetrahedra that share an edge, and two that share a vertex.
printf 'OFF\n6 8 0\n0 0 0\n0 0 1\n1 0 0\n0 1 0\n-1 0 0\n0 -1 0\n' >edge.off
printf '3 0 3 2\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 5 4\n3 0 4 1\n3 0 1 5\n3 1 4 5\n' >>edge.off
printf 'OFF\n7 8 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n-1 0 0\n0 -1 0\n0 0 -1\n' >vertex.off
printf '3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n3 0 4 5\n3 0 6 4\n3 0 5 6\n3 4 6 5\n' >>vertex.off
# Two cubes as one mesh; a corner of each is inside the other.
{
    printf 'OFF\n16 24 0\n'
    sed -n '3,10p' solid.off
    box moved.off 0.5 0.5 0.5 1
    sed -n '3,10p' moved.off
    sed -n '11,22p' solid.off
    sed -n '11,22p' moved.off | awk '{print 3, $2 + 8, $3 + 8, $4 + 8}'
} >crossing.off
for mesh in open turned inside-out twice repeated line edge vertex crossing; do
    run mesh check $mesh.off --limit 3
done
run mesh info open.off --limit 1
run mesh info crossing.off --limit 0
