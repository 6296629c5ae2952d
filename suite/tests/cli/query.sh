# Brute force on two unit cubes: the answers are known.
box a.off 1 1 1 1
box b.off 0 0 0 1
run query --algorithm brute --a a.off --b b.off --pose 4,1.25,1.5,0,0,0,1
run query --algorithm brute --a a.off --b b.off --pose '3, 3, 1, 0, 0, 0, 1' --quantity distance
run query --algorithm brute --a a.off --b b.off -- -1 -1 -1 0 0 0 1
run query --algorithm brute --a a.off --b b.off 1.5 1 1 0 0 0 1
echo '# a bracket has its own rows'
run query --algorithm faulty:fault=bracket-wide --a a.off --b b.off --pose 4,1.25,1.5,0,0,0,1
echo '# a depth, a force, and a depth without a direction'
run query --algorithm faulty --a a.off --b b.off --pose 1.75,1.25,1.5,0,0,0,1 --quantity depth
run query --algorithm faulty --a a.off --b b.off --pose 1.75,1.25,1.5,0,0,0,1 --quantity force
run query --algorithm faulty:fault=depth-not-unit --a a.off --b b.off --pose 1.75,1.25,1.5,0,0,0,1 \
    --quantity depth | grep -v witness
