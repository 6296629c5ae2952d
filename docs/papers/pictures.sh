#!/bin/sh
# pictures.sh: makes the pictures that docs/papers.md links from the runs in results/papers: from the
# full run of an experiment or, if there is none, from its reduced run. `make papers-keep` calls it in the
# root of the tree, with the program on the PATH. A picture whose run is missing stays as it is.
#
# A line of the list: name of the picture here, experiment, name of the picture in the run. Every
# picture is drawn again for a column of print (84 mm).
set -eu
drawn=$(mktemp -d)
trap 'rm -rf "$drawn"' EXIT
while read -r id experiment picture; do
    for run in "results/papers/$experiment" "results/papers/quick/$experiment"; do
        if [ -e "$run/figures/$picture.png" ]; then
            [ -e "$drawn/$experiment" ] ||
                proxbench plot "$run" --width 84 --format png --out "$drawn/$experiment" >/dev/null
            cp "$drawn/$experiment/$picture.png" "docs/papers/$id.png"
            continue 2
        fi
    done
    echo "docs/papers/$id.png stays as it is: no picture '$picture' of '$experiment'" >&2
done <<'END_OF_LIST'
ist-f1 ist-f1 ist-f1
ist-f3 ist-f3 ist-f3
ist-f6 ist-f6 organic_glide_volume-volume-ist-f6
ist-f7 ist-f7 pump_sphere-distance-ist-f7
ist-f7-spheres ist-f7 ist-f7-scene
ist-f8 ist-f8 bolt_glide-volume-ist-f8
ist-f8-spheres ist-f8 ist-f8-scene
ist-f9 ist-f9 pump_glide-distance-ist-f9
ist-t1 ist-t1 bolts_press-6-volume-ist-t1
ist-t2 ist-t2 bolt_glide-volume-ist-t2
ist-t3 ist-t3 pump_sphere-distance-ist-t3
ist-t4 ist-t4 pump_20k-distance-ist-t4
vps-f4 vps-f4 vps-f4
vps-f5 vps-f5 brake-contact-vps-f5
vps-f6 vps-f6 brake-contact-vps-f6
vps-f7 vps-f7 brake-contact-vps-f7
pst-f1 pst-f1 pst-f1
pst-t1 pst-t1 pin_tight-force-pst-t1
pst-t2 pst-t2 slide-force-spectrogram
lpd-f1 lpd-f1 lpd-f1
lpd-f2 lpd-f2 lpd-f2
lpd-f3 lpd-f3 lpd-f3
lpd-f3-poses lpd-f3 light_organic-depth-lpd-f3
lpd-f4 lpd-f4 bunnies-depth-lpd-f4
lpd-f5 lpd-t bunnies-depth-lpd-f5
lpd-f6 lpd-f6 cylinder-depth-lpd-f6
lpd-x1 lpd-x1 bunnies-depth-lpd-x1
lpd-x2 lpd-x2 organic-depth-lpd-x2
imp-f2 imp-f2 imp-f2
imp-f3 imp-f3 organic-force-imp-f3
imp-f4 imp-f4 organic-128-force-imp-f4
imp-f5 imp-f5 organic-force-imp-f5
imp-f6 imp-f6 organic-force-imp-f6
imp-x1 imp-x1 organic-force-imp-x1
END_OF_LIST
