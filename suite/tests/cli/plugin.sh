# needs-command: pkg-config
# Shared libraries with algorithms of their own, built outside the tree with the installed header.
install_to "$PWD/root"
install_to /opt/bench "$PWD/package"
(cd root && find bin/proxbench include lib/pkgconfig -type f | sort)
proxbench=$PWD/root/bin/proxbench
PKG_CONFIG_PATH=$PWD/root/lib/pkgconfig
export PKG_CONFIG_PATH
[ "proxbench $(pkg-config --modversion proxbench)" = "$("$proxbench" --version | cut -d ' ' -f 1-2)" ] ||
    echo 'the version of the package is not that of the program'
cflags=$(pkg-config --cflags proxbench)
cp "$root/examples/plugin.c" .
cc -std=c99 -Wall -Wextra -Wpedantic -Werror -shared -fPIC -O2 plugin.c $cflags \
    -o libspheres.so -lm

echo '# a package is made under DESTDIR, and its files have the final paths'
(cd package && find . -path '*/share' -prune -o -path '*/lib/proxbench' -prune -o -type f -print | sort)
packaged=$PWD/package/opt/bench/lib/pkgconfig
echo $(PKG_CONFIG_PATH=$packaged pkg-config --cflags proxbench)
echo $(PKG_CONFIG_PATH=$packaged PKG_CONFIG_SYSROOT_DIR=$PWD/package \
    pkg-config --cflags proxbench) | sed "s,$PWD,HERE,"

echo '# the plug-in is listed beside the others'
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

echo '# an experiment may name an optional plug-in'
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

echo '# each plug-in that cannot be loaded prints one line'
run list algorithms --plugin nowhere.so
echo 'no library' >text.so
run list algorithms --plugin text.so 2>&1 | sed 's/: invalid ELF.*/: REASON/; s/: file too.*/: REASON/'
run list algorithms --plugin libspheres.so --plugin libspheres.so
run list algorithms --plugin =libspheres.so
run list algorithms --plugin A=libspheres.so
# build NAME "EXPRESSION": a library whose proxbench_plugin returns a changed copy of the example
# plug-in.
build() {
    printf '#define proxbench_plugin whole\n#include "%s"\n#undef proxbench_plugin\n%s\n' \
        plugin.c "$2" >"$1.c"
    cc -shared -fPIC -O1 $cflags "$1.c" -o "$1.so" -lm
}
build empty 'int nothing;'
run list algorithms --plugin empty.so
build none 'ALG_EXPORT const alg_plugin *proxbench_plugin(void) { return NULL; }'
run list algorithms --plugin none.so
# The header has another version number; nothing else may be assumed unchanged.
mkdir -p next/proxbench/geometry
sed 's/^#define ALG_ABI_VERSION .*/#define ALG_ABI_VERSION 6/' \
    root/include/proxbench/algorithms.h >next/proxbench/algorithms.h
cp root/include/proxbench/geometry/types.h next/proxbench/geometry
cc -shared -fPIC -O1 -Inext plugin.c -o later.so -lm
run list algorithms --plugin later.so
build before 'ALG_EXPORT const alg_plugin *proxbench_plugin(void)
{ static alg_plugin p; p = *whole(); p.abi_version = 1; return &p; }'
run list algorithms --plugin before.so
build four 'ALG_EXPORT const alg_plugin *proxbench_plugin(void)
{ static alg_plugin p; p = *whole(); p.abi_version = 4; return &p; }'
run list algorithms --plugin four.so
build mixed 'static alg_algorithm a; static const alg_algorithm *const all[] = {&a, NULL};
ALG_EXPORT const alg_plugin *proxbench_plugin(void)
{ static alg_plugin p; p = *whole(); p.algorithms = all; a = spheres; a.abi_version = 7; return &p; }'
run list algorithms --plugin mixed.so
build open 'double missing(void); ALG_EXPORT const alg_plugin *proxbench_plugin(void)
{ return missing() > 0 ? whole() : NULL; }'
run list algorithms --plugin open.so
build short 'ALG_EXPORT const alg_plugin *proxbench_plugin(void)
{ static alg_plugin p; p = *whole(); p.alg_size = 8; return &p; }'
run list algorithms --plugin short.so
# One library leaves out the function that the variable LEFT_OUT names.
build no '#include <string.h>
static alg_algorithm a; static const alg_algorithm *const all[] = {&a, NULL};
#define LEAVE_OUT(function) if (strcmp(getenv("LEFT_OUT"), #function) == 0) a.function = NULL
ALG_EXPORT const alg_plugin *proxbench_plugin(void)
{ static alg_plugin p; p = *whole(); p.algorithms = all; a = spheres; LEAVE_OUT(contract); LEAVE_OUT(prepare);
  LEAVE_OUT(dispose); LEAVE_OUT(bind); LEAVE_OUT(release); LEAVE_OUT(query); return &p; }'
for LEFT_OUT in contract prepare dispose bind release query; do
    export LEFT_OUT
    ln no.so "no_$LEFT_OUT.so"
    run list algorithms --plugin "no_$LEFT_OUT.so"
done
build stuck 'static alg_algorithm a; static const alg_algorithm *const all[] = {&a, NULL};
ALG_EXPORT const alg_plugin *proxbench_plugin(void)
{ static alg_plugin p; p = *whole(); p.algorithms = all; a = spheres; a.flags = ALG_KEEPS_STATE; return &p; }'
run list algorithms --plugin stuck.so
build crash 'ALG_EXPORT const alg_plugin *proxbench_plugin(void) { abort(); }'
run list algorithms --plugin crash.so
build leave '__attribute__((constructor)) static void leave(void) { exit(0); }
ALG_EXPORT const alg_plugin *proxbench_plugin(void) { return whole(); }'
run list algorithms --plugin leave.so
build blind 'static alg_algorithm a; static const alg_algorithm *const all[] = {&a, NULL};
static alg_contract bad(const alg_settings *s, alg_quantity q) { (void)s; (void)q; abort(); }
ALG_EXPORT const alg_plugin *proxbench_plugin(void)
{ static alg_plugin p; p = *whole(); p.algorithms = all; a = spheres; a.contract = bad; return &p; }'
run list algorithms --plugin blind.so
build exit83 '#include <unistd.h>
ALG_EXPORT const alg_plugin *proxbench_plugin(void) { _exit(83); }'
run list algorithms --plugin exit83.so
build group '#define _POSIX_C_SOURCE 200809L
#include <signal.h>
ALG_EXPORT const alg_plugin *proxbench_plugin(void) { kill(0, SIGTERM); return whole(); }'
run list algorithms --plugin group.so
echo '# the plug-in was built before tolerance_ulp existed: it counts as 0'
build before 'ALG_EXPORT const alg_plugin *proxbench_plugin(void)
{ static alg_plugin p; p = *whole(); p.alg_size = offsetof(alg_algorithm, tolerance_ulp); return &p; }'
run list algorithms --plugin before.so --format csv | grep '^spheres'
echo '# the plug-in was built with a longer header: the known fields are taken'
build after 'ALG_EXPORT const alg_plugin *proxbench_plugin(void)
{ static struct { alg_algorithm known; char more[64]; } a; static const alg_algorithm *const all[] = {&a.known, NULL};
  static alg_plugin p; p = *whole(); a.known = spheres; p.algorithms = all;
  p.alg_size = sizeof a; return &p; }'
run list algorithms --plugin after.so --format csv | grep '^spheres'
echo '# a library that sets flush-to-zero when it is loaded does not change the mode of the program'
cc -std=c99 -shared -fPIC -O2 -ffast-math plugin.c $cflags -o fast.so -lm
run run --plugin fast.so --a a.off --b b.off --trajectory t.csv --quantity contact \
    --algorithm spheres --mode smoke --out fast --quiet | sed 's/ [0-9][0-9.]* [num]*s / T /g; s/  */ /g'
echo '# a peer that cannot be loaded gives a warning'
mkdir peers
cp exit83.so libspheres.so later.so peers
PROXBENCH_PEERS=peers
export PROXBENCH_PEERS
run list algorithms --format csv | grep -E '^(proxbench|spheres|\[)'
