#!/bin/sh
# pages.sh PROGRAM tree|installed PAGE...: executes the commands of the pages, in their order, as a
# reader would: from a copy of the source tree, or in an empty folder with an installed program.
#
# The content of each fence ```sh is executed. One shell executes all commands of a page, and no
# command may fail. To take only seconds, experiments are reduced to small bodies, few frames and
# one pass. `make bench` runs its steps without building again; other targets of make are tested by
# `make check` itself. If a page shows the output of a command (docs/refresh.sh), the command must
# print the same heading.
set -eu
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
where=$2
shift 2
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
unset PROXBENCH_DATA MAKEFLAGS MFLAGS MAKELEVEL
export PROXBENCH_PEERS= HOME="$folder/home" XDG_CACHE_HOME="$folder/cache"
mkdir "$HOME"

# cut_down FOLDER: makes experiments smaller under their own names (`ci` is small already): each
# model gets few triangles, but at least its minimum.
cut_down() {
    "$program" list models --format csv |
        awk -F, 'NR > 1 { least = $3 > 400 ? $3 : 400; print "s/([^a-z-])" $1 ":triangles=[0-9]{4,}/\\1" $1 ":triangles=" least "/" }' >"$folder/cut.sed"
    cat >>"$folder/cut.sed" <<'END'
s/frames = ([0-9]{3,}|[2-9][0-9])/frames = 12/
/kind = "press"/s/step = [0-9.]+/step = 1.0/
s/voxels = \[[^]]*\]/voxels = [8, 12, 16]/
s/voxels = [0-9]+/voxels = 12/
s/cells = [0-9]+/cells = 16/
s/^mode = .*/mode = "smoke";/
/^(launches|rounds) = /d
END
    find "$1" -name '*.cfg' ! -name ci.cfg -exec sed -E -i -f "$folder/cut.sed" {} +
}

mkdir "$folder/place"
make -s -C "$root" install "PREFIX=$folder/prefix" "config=$(basename "$(dirname "$program")")"
export PKG_CONFIG_PATH="$folder/prefix/lib/pkgconfig"
case $where in
tree)
    (cd "$root" && git ls-files -z | xargs -0 tar -cf -) | tar -C "$folder/place" -xf -
    mkdir -p "$folder/place/build/release"
    cp "$program" "$folder/place/build/release"
    cut_down "$folder"/place/scenarios/experiments
    PATH=$folder/place/build/release:$PATH
    ;;
installed)
    cut_down "$folder/prefix/share/proxbench/experiments"
    PATH=$folder/prefix/bin:$PATH
    ;;
*)
    echo "usage: pages.sh PROGRAM tree|installed PAGE..." >&2
    exit 2
    ;;
esac
export PATH

# The folder is a git repository with an origin, like the library of a user.
export GIT_AUTHOR_NAME=page GIT_AUTHOR_EMAIL=page@localhost
export GIT_COMMITTER_NAME=page GIT_COMMITTER_EMAIL=page@localhost
(cd "$folder/place" && git init -q -b main && git commit -q --allow-empty -m 'a library' &&
    git remote add origin . && git fetch -q origin)

# Replacement of `make`: the steps of `make bench` and `make page`, and the rule of a user for a
# plug-in.
cat >"$folder/make.sh" <<'END'
make() {
    case $1 in
    page)
        page=${2#PAGE=}
        if [ -e docs/page.sh ]; then
            PLOT_FLAGS='--format svg' docs/page.sh "$page" --mode smoke || echo "make $*" >>"$failures"
            return
        fi
        for run in $(grep '^<!-- ' "$docs/$page.md" | grep -o 'results/[a-z0-9-]*' | sort -u); do
            proxbench run "${run#results/}" && proxbench compare "$run" && proxbench plot "$run"
        done
        ;;
    bench) proxbench run bench && proxbench plot results/bench && proxbench report results/bench ;;
    libmine.so) make -C . libmine.so ;;
    -C) cc -shared -fPIC -O2 $(pkg-config --cflags proxbench) "$plugin" -o "$2/$3" -lm ;;
    esac
}
# Also records failures within a loop or before an &&.
proxbench() {
    case "$*" in
    *--against*) set -- "$@" --time-limit 5 ;;
    *--mode*) ;;
    'run --a '* | 'run ci '*) set -- "$@" --mode smoke ;;
    'plot '*) set -- "$@" --format svg ;;
    esac
    command proxbench "$@" || {
        echo "proxbench $*: status $?" | tee -a "$failures" >&2
        return 1
    }
}
END
export plugin="$root/examples/plugin.c" docs="$root/docs" failures="$folder/failures"

# commands PAGE: prints the commands that a reader types.
commands() {
    awk '/^```/ { inside = !inside && $0 == "```sh"; next } inside' "$1"
}

# shown PAGE: prints "COMMAND<tab>HEADING" for each output that the page shows; scripts of docs/ are
# not installed. Runs that have a command of their own (made by) take minutes and are not made here.
shown() {
    awk -v where="$where" '
        /^<!-- made by: / { made[$(NF - 1)] = 1; next }
        /^<!-- printed by: / {
            command = substr($0, 18, length($0) - 21)
            for (i = 1; i <= NF; i++)
                if ($i in made)
                    command = ""
            next
        }
        where == "installed" && command ~ /^docs\// { command = "" }
        command && /^```/ { getline; print command "\t" $0; command = "" }' "$1"
}

# squeeze: removes the blanks that align columns, whose widths depend on the rows.
squeeze() {
    sed 's/  */ /g; s/ $//'
}

status=0
for page in "$@"; do
    name=$(basename "$page" .md)
    cd "$folder/place"
    {
        echo 'set -eu'
        cat "$folder/make.sh"
        commands "$root/$page"
    } >"$folder/$name.sh"
    count=$(commands "$root/$page" | grep -c '[^ ]' || true)
    rm -f "$failures"
    if ! bash "$folder/$name.sh" >"$folder/$name.log" 2>&1 </dev/null || [ -e "$failures" ]; then
        echo "$page ($where): a command fails; the last lines:"
        cat "$failures" 2>/dev/null
        tail -n 15 "$folder/$name.log"
        status=1
        continue
    fi
    shown "$root/$page" >"$folder/$name.shown"
    while IFS="$(printf '\t')" read -r command heading; do
        printed=$(bash -c "$command" 2>>"$folder/$name.log" | head -n 1 | squeeze)
        case $printed in
        '') fault='prints nothing' ;;
        *) [ "$(printf '%s' "$printed" | sed 's/[0-9.]\{1,\}/N/g')" = "$(printf '%s\n' "$heading" | squeeze | sed 's/[0-9.]\{1,\}/N/g')" ] &&
            continue
            fault="prints '$printed', and the page shows '$heading'" ;;
        esac
        echo "$page ($where): '$command' $fault"
        status=1
    done <"$folder/$name.shown"
    echo "$page ($where): $count lines typed, $(wc -l <"$folder/$name.shown") outputs held against the page"
done
exit $status
