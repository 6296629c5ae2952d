_proxbench_reply() { # KIND...: adds what fits
    local kind=$1
    local -a names
    shift
    case $kind in
    words) names=($@) ;;
    folders) _files -/ ;;
    files) _files ;;
    meshes) _files; names=(${(f)"$(_proxbench_list $program models)"}) ;;
    *) names=(${(f)"$(_proxbench_list $program $kind)"}) ;;
    esac
    case $kind in
    algorithms | scenario-names) compset -P '*,'; compadd -q -S , -a names ;;
    *) compadd -a names ;;
    esac
}
_proxbench() {
    local program=$words[1] command=$words[2] previous=$words[CURRENT-1] kind word
    local -i place=1 i
    local -a described valued
    if (( CURRENT == 2 )); then
        described=(${(f)"$(_proxbench_summaries)"})
        _describe command described
        return
    fi
    if [[ $command == help ]]; then
        _proxbench_reply words ${=_proxbench_commands} --man
        return
    fi
    if [[ $words[CURRENT] == --*=* ]]; then
        previous=${words[CURRENT]%%=*}
        compset -P '*='
    fi
    valued=(${="$(_proxbench_valued $command)"})
    if (( ${valued[(Ie)$previous]} )); then
        kind=$(_proxbench_value $command $previous)
        [[ -z $kind ]] || _proxbench_reply ${=kind}
        return
    fi
    if [[ $words[CURRENT] == -* ]]; then
        described=(${(f)"$(_proxbench_described $command)"})
        _describe option described
        return
    fi
    for (( i = 3; i < CURRENT; i++ )); do
        word=$words[i]
        if (( ${valued[(Ie)$word]} )); then
            (( i++ ))
        elif [[ $word != -* ]]; then
            (( place++ ))
        fi
    done
    for kind in ${(f)"$(_proxbench_operand $command $place)"}; do
        _proxbench_reply ${=kind}
    done
}
_proxbench "$@"
