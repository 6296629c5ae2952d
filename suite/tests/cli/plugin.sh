# Shared libraries with algorithms of their own, built outside the tree with the installed header.
unset MAKEFLAGS MFLAGS MAKELEVEL
config=$(basename "$(dirname "$proxbench")")
make -s -C "$root" install "config=$config" "DESTDIR=$PWD/root" PREFIX=/usr >install.log 2>&1 ||
    cat install.log
(cd root/usr && find bin/proxbench include lib/pkgconfig -type f | sort)
cflags=$(sed -n 's/^Cflags: //p' root/usr/lib/pkgconfig/proxbench.pc |
    sed "s,\${includedir},$PWD/root/usr/include,")
cc -std=c99 -Wall -Wextra -Wpedantic -Werror -shared -fPIC -O2 $cflags \
    "$root/examples/plugin.c" -o libspheres.so -lm
run list algorithms --plugin libspheres.so --format csv | grep -E '^(algorithm|spheres)'
box a.off 0 0 0 1
box b.off 0 0 0 1
cat >t.csv <<'END'
frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw
0,0,4,0,0,0,0,0,1
1,1,0.5,0.25,0,0,0,0,1
END
run query --plugin libspheres.so --algorithm spheres --a a.off --b b.off --pose 4,0,0,0,0,0,1
run run --plugin ./libspheres.so --plugin old=libspheres.so --a a.off --b b.off --trajectory t.csv \
    --quantity contact --algorithm 'old-*,spheres,brute' --mode smoke --out run --quiet |
    sed 's/ [0-9][0-9.]* [num]*s / T /g; s/  */ /g'
grep '^plugin' run/manifest.csv | grep -v ',hash,' | sed 's/,sse.*\|,avx.*\|,none/,SIMD/'
cut -d, -f1,2 run/pair/old-spheres.csv

echo '# an experiment may name what is not there everywhere'
cat >some.cfg <<'END'
name = "some";
mode = "smoke";
variants = ( "spheres", { algorithm = "speres"; optional = true; },
             { algorithm = "old-spheres"; optional = true; } );
scenarios = ( { name = "touch"; a = "a.off"; b = "b.off"; quantities = "contact";
                trajectory = "t.csv"; } );
END
run run ./some.cfg --plugin libspheres.so --cache cache --out some --quiet |
    sed 's/ [0-9][0-9.]* [num]*s / T /g; s/  */ /g'
run run ./some.cfg --plugin old=libspheres.so --cache cache --out none --quiet

echo '# what cannot be loaded: one line each'
run list algorithms --plugin nowhere.so
echo 'no library' >text.so
run list algorithms --plugin text.so 2>&1 | sed 's/: invalid ELF.*/: REASON/; s/: file too.*/: REASON/'
run list algorithms --plugin libspheres.so --plugin libspheres.so
run list algorithms --plugin =libspheres.so
run list algorithms --plugin A=libspheres.so
# build NAME 'EXPRESSION': a library whose proxbench_plugin returns a changed copy of a whole one.
build() {
    printf '#define proxbench_plugin whole\n#include "%s"\n#undef proxbench_plugin\n%s\n' \
        "$root/examples/plugin.c" "$2" >"$1.c"
    cc -shared -fPIC -O1 $cflags "$1.c" -o "$1.so" -lm
}
build empty 'int nothing;'
run list algorithms --plugin empty.so
build none 'ALG_EXPORT const alg_plugin *proxbench_plugin(void) { return NULL; }'
run list algorithms --plugin none.so
build later 'ALG_EXPORT const alg_plugin *proxbench_plugin(void)
{ static alg_plugin p; p = *whole(); p.abi_version++; return &p; }'
run list algorithms --plugin later.so
build short 'ALG_EXPORT const alg_plugin *proxbench_plugin(void)
{ static alg_plugin p; p = *whole(); p.alg_size = 8; return &p; }'
run list algorithms --plugin short.so
build mute 'static alg a; static const alg *const all[] = {&a, NULL};
ALG_EXPORT const alg_plugin *proxbench_plugin(void)
{ static alg_plugin p; p = *whole(); p.algorithms = all; a = spheres; a.query = NULL; return &p; }'
run list algorithms --plugin mute.so
echo '# built before tolerance_ulp was there: it counts as 0'
build before 'ALG_EXPORT const alg_plugin *proxbench_plugin(void)
{ static alg_plugin p; p = *whole(); p.alg_size = offsetof(alg, tolerance_ulp); return &p; }'
run list algorithms --plugin before.so --format csv | grep '^spheres'
echo '# a peer that cannot be loaded is a warning'
mkdir peers
cp libspheres.so later.so peers
PROXBENCH_PEERS=peers
export PROXBENCH_PEERS
run list algorithms --format csv | grep -E '^(proxbench|spheres|\[)'
