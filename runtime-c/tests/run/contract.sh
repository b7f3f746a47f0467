# Job: the contract of a transport.

# way THREADS WIDTH PROGRAM NAME STATUS SAID TEXT: a line of transport/table.txt, which says what the words mean
way() {
    n=$1 width=$2 program=$3 name=$4 status=$5 said=$6 text=$7
    UPC_PSHM_WIDTH=$width timeout 30 "$program" -n $n -heap 64M end $name >"$build/out" 2>"$build/err" </dev/null
    got=$?
    [ $got -eq $status ] || fail "contract: $name on $n threads, $width together: status $got, not $status"
    case $said in N) said=$n ;; N-1) said=$((n - 1)) ;; esac
    [ "$said" = - ] || [ "$(grep -o 'said;' "$build/out" | wc -l)" -eq $said ] || fail "contract: $name on $n threads: $(cat "$build/out")"
    if [ "$text" = - ]; then
        [ ! -s "$build/err" ] || { fail "contract: $name on $n threads says:"; cat "$build/err" >&2; }
    elif [ "$(wc -l <"$build/err")" -ne 1 ] || ! grep -qF -- "$text" "$build/err"; then
        fail "contract: $name on $n threads: message is not '$text'"
        cat "$build/err" >&2
    fi
}

# shapes FEW MORE: the numbers of threads, or THREADS/WIDTH, of a run, a line each; only a long run takes those in MORE
shapes() {
    printf '%s\n' $1
    [ -z "${UPCR_TESTS_LONG-}" ] || printf '%s\n' $2
}

# The transport's contract (transport/), by its operations themselves. The suite mpi has the same over messages. gcc and packed pointers take
# the shapes that differ in kind; the second form and the second compiler take one of each kind.
contract() {
    cc=$1
    for operation in $(grep -o 'upcr_tp_[a-z_]*(' "$root/src/transport/transport.h" | sort -u); do
        grep -qF "$operation" "$tests"/transport/*.c || fail "contract: no case for $operation)"
    done
    suite=$(cd "$tests" && echo transport/*.c)
    for form in $(forms); do
        flag=-DUPCR_REMOTE
        [ $form = packed ] || flag="$flag -DUPCR_PTS_STRUCT"
        case $cc-$form in
        gcc-packed) few="1/1 2/1 3/1 8/1 5/2 8/3 2/8" more="4/1 5/1 3/2 5/8" ;;
        *) few="3/1 5/2 2/8" more="1/1 2/1 4/1 5/1 8/1 3/2 8/3 5/8" ;;
        esac
        program "$cc" "$cc-$form-remote" contract "$suite" -O2 -g1 -I"$root/src" $flag
        for shape in $(shapes "$few" "$more"); do
            good env UPC_PSHM_WIDTH=${shape#*/} "$build/contract" -n ${shape%/*} -heap 64M
        done
    done
    good env UPC_PSHM_WIDTH=1 UPC_PSHM_DELAY=2000 "$build/contract" -n 3 -heap 64M
    few="1/1 3/1 5/2 2/8" more=
    [ "$cc" = gcc ] || few=5/2 more="1/1 3/1 2/8"
    for shape in $(shapes "$few" "$more"); do
        grep -v '^#' "$tests/transport/table.txt" >"$build/table"
        while read -r name status said text; do
            way ${shape%/*} ${shape#*/} "$build/contract" "$name" "$status" "$said" "$text"
        done <"$build/table"
    done
    program "$cc" "$cc-packed" contract "$suite" -O2 -g1 -I"$root/src"
    for n in $(shapes "1 3 8" "2 4 5"); do good "$build/contract" -n $n -heap 64M; done
}
