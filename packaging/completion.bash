# Lists of words are split on purpose; the tables that `proxbench completion` prints come first.
# shellcheck disable=SC2046,SC2086,SC2154
_proxbench_reply() { # PROGRAM KIND...: appends what fits to COMPREPLY
    local program=$1 kind=$2 before='' flag=-f names=''
    shift 2
    case $kind in
    words) names=$* ;;
    folders) flag=-d ;;
    files) ;;
    meshes) names=$(_proxbench_list "$program" models) ;;
    *) names=$(_proxbench_list "$program" "$kind") ;;
    esac
    case $kind in
    algorithms | scenario-names)
        [[ $cur == *,* ]] && before=${cur%,*},
        compopt -o nospace ;; # a comma may follow
    folders | files | meshes)
        compopt -o filenames
        mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen $flag -- "$cur") ;;
    esac
    mapfile -t -O ${#COMPREPLY[@]} COMPREPLY \
        < <(compgen -P "$before" -W "$names" -- "${cur#"$before"}")
}
_proxbench() {
    local program=${COMP_WORDS[0]} command=${COMP_WORDS[1]} cur=${COMP_WORDS[COMP_CWORD]}
    local previous=${COMP_WORDS[COMP_CWORD - 1]} place=1 i word valued kind
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        _proxbench_reply "$program" words $_proxbench_commands --help --version
        return
    fi
    if [ "$command" = help ]; then
        _proxbench_reply "$program" words $_proxbench_commands --man
        return
    fi
    # bash parts '--name=value' at '='
    if [ "$cur" = = ]; then
        cur=''
    elif [ "$previous" = = ]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    valued=" $(_proxbench_valued "$command") "
    if [[ $valued == *" $previous "* ]]; then
        kind=$(_proxbench_value "$command" "$previous")
        [ -z "$kind" ] || _proxbench_reply "$program" $kind
        return
    fi
    if [[ $cur == -* ]]; then
        _proxbench_reply "$program" words $(_proxbench_options "$command")
        return
    fi
    for ((i = 2; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [[ $valued == *" $word "* ]]; then
            i=$((i + 1))
            [ "${COMP_WORDS[i]}" != = ] || i=$((i + 1))
        elif [[ $word != -* ]]; then
            place=$((place + 1))
        fi
    done
    while read -r kind; do
        [ -z "$kind" ] || _proxbench_reply "$program" $kind
    done < <(_proxbench_operand "$command" $place)
}
complete -F _proxbench proxbench
