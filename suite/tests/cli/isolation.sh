# needs-command: cc setpriv
# A contestant leaves no process behind and cannot write into the memory of the supervisor. If it
# moves the folder of the results, that is an error.
cube_poses
# build NAME STATEMENT: bounding spheres that execute the statement in each query
build() {
    sed 's,<proxbench/algorithms.h>,"algorithms/algorithms.h",
        s,^    answer->outcome = .*,&\n    STATEMENT;,' "$root/examples/plugin.c" >"$1.c"
    cc -std=gnu99 -shared -fPIC -O2 -I"$root" -include fcntl.h -include stdio.h -include unistd.h \
        -DSTATEMENT="$(echo "$2" | tr -d '\n')" "$1.c" -o "$1.so" -lm
}
# told FOLDER [PREFIX...]: runs the plug-in of this name, and prints how the run ended
told() {
    name=$1
    shift
    "$@" "$proxbench" run --a a.off --b a.off --trajectory t.csv --quantity distance --algorithm spheres \
        --plugin "./$name.so" --no-cache --mode smoke --quiet --out "$name" >table 2>errors
    echo "$name [$?]"
    sed -n 's/.*spheres .* \(ok\|crash.*\|wrong.*\)$/\1/p' table
    sed "s|$PWD/||" errors
}
# left: counts the processes of workers that still exist
left() {
    for process in /proc/[0-9]*; do
        [ "$(readlink "$process/cwd")" != "$PWD" ] || tr '\0' ' ' <"$process/cmdline"
    done 2>/dev/null | grep -c 'proxbench [w]orker'
}
build session 'if (fork() == 0) { setsid(); if (fork() == 0) { for (;;) pause(); } _exit(0); }'
told session
left
build group 'if (fork() == 0) { setpgid(0, 0); for (;;) pause(); }'
told group
left
echo '# an ordinary user cannot write into the memory of the supervisor'
# If a user may not read the environment of a process, the user may not write into its memory, either.
# Some kernels allow the first and not the second; some forbid the second to children in any case.
build memory 'char path[64]; snprintf(path, sizeof path, "/proc/%d/mem", (int)getppid());
    if (open(path, O_RDWR) >= 0) _exit(7);
    snprintf(path, sizeof path, "/proc/%d/environ", (int)getppid());
    if (open(path, O_RDONLY) >= 0) _exit(8)'
if [ "$(id -u)" = 0 ]; then
    chmod 777 .
    told memory setpriv --reuid=65534 --regid=65534 --clear-groups
else
    told memory
fi
echo '# the results folder is moved during the run'
build folder '(void)!rename("folder", "elsewhere")'
told folder
