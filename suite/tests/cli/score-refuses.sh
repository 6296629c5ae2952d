# Files of answers that are refused, with file and line, and arguments that are.
cube_poses
cat >own.cfg <<'END'
name = "own"; mode = "smoke"; variants = ( "brute" );
scenarios = ( { name = "cubes"; a = "a.off"; b = "a.off"; quantities = "distance"; trajectory = "t.csv"; } );
END
# refused TEXT: the file is the text, in which \n ends a line.
refused() {
    printf "$1" >answers.csv
    run score own.cfg/cubes answers.csv --name mine --quiet --no-cache
}
refused 'frame,distance_m\n0,1\n1,2.5\n1,2.5\n'
refused 'frame,distance_m\n0,1\n3,2.5\n'
refused 'frame,distance_m\n0,1\n-1,2.5\n'
refused 'frame,distance_m\n0,1\n1.5,2.5\n'
refused 'frame,distance_m\n0,1\n,2.5\n'
refused 'frame,distance_m\n0,1\n1,nan\n'
refused 'frame,distance_m\n0,inf\n'
refused 'frame,distance_m\n0,1e999\n'
refused 'frame,distance_m\n0,one\n'
refused 'frame,distance\n0,1\n'
refused 'frame,distance_m,distance_m\n0,1,1\n'
refused 'distance_m\n1\n'
refused 'frame,time_ns\n0,1\n'
refused 'frame,distance_m\n0,\n'
refused 'frame,distance_m\n0\n'
refused 'frame,distance_m,witness_ax_m\n0,1,0\n'
refused 'frame,depth_m\n0,1\n'
refused 'frame,depth_m,nx,ny,nz\n0,1,0,0,\n'
refused 'frame,fx_m2,fy_m2,fz_m2,tx_m2_m,ty_m2_m\n0,0,0,0,0,0\n'
refused 'frame,fx_m2,fy_m2,fz_m2,tx_m2_m,ty_m2_m,tz_m2_m,fx_N\n0,0,0,0,0,0,0,0\n'
refused 'frame,colliding\n0,2\n'
refused 'frame,distance_m,time_ns\n0,1,-5\n'
refused 'frame,intersecting_pairs_count\n0,99999999999\n'
refused '"frame,distance_m\n0,1\n'
refused ''
rm answers.csv
run score own.cfg/cubes answers.csv --name mine
printf 'frame,distance_m\n0,1\n1,2.5\n2,0\n' >answers.csv
echo '# other arguments'
run score own.cfg/cubes answers.csv
run score own.cfg/cubes --name mine
run score own.cfg/other answers.csv --name mine
run score cubes answers.csv --name mine
run score own.cfg/cubes answers.csv --name Mine
run score own.cfg/cubes answers.csv --name ../mine
run score own.cfg/cubes answers.csv --name mine --rounding 0.1
run score own.cfg/cubes answers.csv --name mine --contract distance=best
run score own.cfg/cubes answers.csv --name mine --contract speed=exact
run score own.cfg/cubes answers.csv --name mine --law gravity
run score own.cfg/cubes answers.csv --name mine --run nowhere
printf 'frame,depth_m,nx,ny,nz\n0,0,,,\n1,0,,,\n2,0.5,1,0,0\n' >depths.csv
run score own.cfg/cubes depths.csv --name mine --contract depth=lower-bound
echo '# rows in another order, no answer in a frame, a CR at each line, and a byte-order mark are read'
printf '\357\273\277frame,distance_m\r\n2,0\r\n0,1\r\n' >answers.csv
run score own.cfg/cubes answers.csv --name mine --quiet --no-cache
run score own.cfg/cubes depths.csv --name mine --quiet --no-cache
