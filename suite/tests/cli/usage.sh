# A misspelt argument stops the program at once with status 2 and similar names.
run
run trut
run nonsense
run help nonsense
run -V extra | sed 's/proxbench [0-9].*/proxbench VERSION/'
run --frames
run help trajektory
run mesh check a.off --limt 3
run mesh check a.off --limit
run mesh check a.off --limit x
run mesh check a.off --limit=-1
run mesh check a.off --format jsno
run mesh chek a.off
run mesh nothing a.off
run run smoke --rounds=-1
run run smoke --rounds 0
run run smoke --rounds 101
run run smoke --launches many
run run smoke --launches 1001
run list algoritms
run mesh check
run list models --fromat csv
run list model
run list models algorithms
run list --format csv
run model
run model blot
run model ./x.off --triangles 3
run truth --a a.off --b b.off
run truth somewhere --a a.off
run truth nowhere
run truth --a a.off --b b.off --trajectory t.csv --quantity colour
run truth --a a.off --b b.off --trajectory t.csv --format xml
run trajectory
run trajectory spher --a a --b b --lo 0 --hi 1
run trajectory impotr tum file
run trajectory nothing
run trajectory sphere --a a.off --lo 0 --hi 1
run trajectory sphere --a a.off --b b.off --lo 1
run trajectory sphere more --a a.off --b b.off
run trajectory sphere --a a.off --b b.off --lo 0 --hi 1 --target depth
run trajectory import tum
run trajectory import tmu file
box a.off 0 0 0 1
run query --algorithm brut --a a.off --b a.off --pose 3,0,0,0,0,0,1
run query --algorithm brute:voxels=3 --a a.off --b a.off --pose 3,0,0,0,0,0,1
run query --algorithm brute --a a.off --pose 3,0,0,0,0,0,1
run query --algorithm brute --a a.off --b a.off
run query --algorithm brute --a a.off --b a.off --pose 3,0,0,0,0,0
run query --algorithm brute --a a.off --b a.off --pose 3,0,0,0,0,0,1,5
run query --algorithm brute --a a.off --b a.off --pose 3,0,0,0,0,0,2
run query --algorithm brute --a a.off --b a.off 3 0 0 0 0 0 nan
run query --algorithm brute --a a.off --b a.off --pose 3,0,0,0,0,0,1 --quantity volume
run plot
run plot nowhere
