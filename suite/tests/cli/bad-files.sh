# Invalid mesh and trajectory files: one line gives the position of the error, and the status is 3.
printf '' >empty.off
printf 'nonsense\n' >garbage.off
printf 'OFF\n3 1 0\n0 0 0\n1 0 0\n' >short.off
printf 'OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n' >index.off
printf 'OFF\n3 1 0\n0 0 0\n1 0 nan\n0 1 0\n3 0 1 2\n' >nan.off
printf 'OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n2 0 1\n' >two.off
printf 'OFF\n3 0 0\n0 0 0\n1 0 0\n0 1 0\n' >faceless.off
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n' >index.obj
printf 'solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n' >short.stl
printf 'ply\nformat ascii 1.0\nelement vertex 3\n' >short.ply
printf 'OFF\n' >known.xyz
mkdir folder.off
for mesh in missing.off empty.off garbage.off short.off index.off nan.off two.off faceless.off \
    index.obj short.stl short.ply known.xyz folder.off; do
    run mesh check $mesh
done
printf 'nonsense\n' | "$proxbench" mesh info - 2>&1
echo "[$?]"

box a.off 0 0 0 1
header=frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw
printf '' >empty.csv
printf '%s\n' $header >headers.csv
printf 'frame,t_s,x_m,y_m,z_m,qx,qy,qz\n0,0,0,0,0,0,0,0\n' >column.csv
printf '%s\n0,0,0,0,zero,0,0,0,1\n' $header >number.csv
printf '%s\n0,0,0,0,0,0,0,0,2\n' $header >length.csv
printf '%s\n0,0,0,0,0,0,0,0,1\n1,0,0,0,0,0,0,0,1\n' $header >time.csv
printf '%s\n0,0,0,0\n' $header >ragged.csv
printf '%s\n0,0,0,0,0,0,0,0,"1\n' $header >quote.csv
for trajectory in missing.csv empty.csv headers.csv column.csv number.csv length.csv time.csv \
    ragged.csv quote.csv; do
    run truth --a a.off --b a.off --trajectory $trajectory --quantity distance --no-cache
done
ls -d groundtruth 2>/dev/null
run truth --a a.off --b missing.off --trajectory missing.csv
run query --algorithm brute --a missing.off --b a.off --pose 3,0,0,0,0,0,1
