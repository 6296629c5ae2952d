# check-all: it compiles a dozen plug-ins
# A plug-in that changes the program that loads it is refused by name. Interruptions do not wait for
# a plug-in, nor for functions that it registers for the end of the program.
mkdir -p include/proxbench
ln -s "$root/algorithms/algorithms.h" include/proxbench/
ln -s "$root/geometry" include/proxbench/geometry
cat >plugin.c <<'END'
#define _GNU_SOURCE
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#define proxbench_plugin whole
#include EXAMPLE
#undef proxbench_plugin
static inline void wait_for_ever(void)
{
    for (;;) {
        pause();
    }
}
ALG_EXPORT const alg_plugin *proxbench_plugin(void)
{
    DO;
    return whole();
}
END
# build NAME "STATEMENTS": the example plug-in, which executes the statements first
build() {
    cc -shared -fPIC -O1 -Iinclude "-DEXAMPLE=\"$root/examples/plugin.c\"" "-DDO=$2" plugin.c -o "$1.so" -lm
}
build closes 'close(1); close(2)'
build moves '(void)!chdir("/")'
build masks 'umask(077)'
build limits 'struct rlimit l; getrlimit(RLIMIT_NOFILE, &l); l.rlim_cur = 64; setrlimit(RLIMIT_NOFILE, &l)'
build speaks 'setenv("LC_ALL", "C.UTF-8", 1); setlocale(LC_ALL, "")'
build listens 'signal(SIGTERM, SIG_IGN)'
build hangs 'signal(SIGALRM, SIG_IGN); wait_for_ever()' # no time limit ends it
build stays 'atexit(wait_for_ever)'
for name in closes moves masks limits speaks listens; do
    run list algorithms spheres --plugin $name.so
done

echo '# SIGINT while the plug-in is loaded'
# setsid: in a shell, a background job ignores SIGINT
setsid "$proxbench" list algorithms --plugin hangs.so >out 2>err &
wait_for_handler $!
kill -INT $!
wait $!
echo "[$?]"
# is_left: true if a process of this case still loads the plug-in
is_left() {
    for process in /proc/[0-9]*; do
        [ "$(readlink "$process/cwd")" != "$PWD" ] || tr '\0' ' ' <"$process/cmdline"
    done 2>/dev/null | grep -q 'hangs[.]so'
}
tries=0
while is_left && [ $tries -lt 100 ]; do # it is killed after its parent has ended
    sleep 0.1
    tries=$((tries + 1))
done
! is_left || echo 'a process is left that loads the plug-in'
box a.off 0 0 0 1
box b.off 3 0 0 4
printf 'frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw\n0,0,2,0,0,0,0,0,1\n' >t.csv
setsid "$proxbench" run --plugin hangs.so --a a.off --b b.off --trajectory t.csv --quantity distance --quiet --out no \
    >out 2>err &
wait_for_handler $!
kill -INT $!
wait $!
echo "[$?]"
cat err

echo '# the plug-in waits when the program ends'
run list algorithms spheres --plugin stays.so
