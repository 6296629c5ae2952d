# shellcheck shell=sh
# Names that the program lists when it is asked, with those of plug-ins and of own experiments.
_proxbench_list() { # PROGRAM KIND
    case $2 in
    scenario-names)
        "$1" list scenarios --format csv | sed '1d; s/,.*//; s,.*/,,' | sort -u ;;
    *) "$1" list "$2" --format csv | sed '1d; s/,.*//' ;;
    esac 2>/dev/null
}
