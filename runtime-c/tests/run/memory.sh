# Jobs: pointers-to-shared, shared data and heap, synchronization; in shared memory, apart, cached, over messages.

# The arithmetic: constants of static THREADS and the reciprocal of dynamic ones.
pointers() {
    cc=$1
    for form in $(forms); do
        flag=
        [ $form = packed ] || flag=-DUPCR_PTS_STRUCT
        program "$cc" "$cc-$form" pointers pointers.c -O1 $flag
        for n in 1 2 3 4 5 8 13; do good "$build/pointers" -n $n; done
    done
    for n in 3 8; do
        program "$cc" "$cc-packed" pointers pointers.c -O2 -DUPCR_STATIC_THREADS=$n
        good "$build/pointers"
    done
    program "$cc" "$cc-packed" pointers pointers.c -O0 -DUPCR_STATIC_THREADS=4
    good "$build/pointers"
}

data() {
    cc=$1
    for flags in -O0 "-O3 -no-pie" "-O2 -fPIE -DUPCR_STATIC_THREADS=4" "-O2 -DUPCR_PTS_STRUCT"; do
        form=packed
        case $flags in *STRUCT*) form=struct ;; esac
        forms | grep -qw $form || continue
        program "$cc" "$cc-$form" data "data.c data_other.c" $flags
        case $flags in
        *STATIC*) good "$build/data" ;;
        *) for n in 1 3 8; do good "$build/data" -n $n; done ;;
        esac
    done
    [ "$(wc -c <"$build/data")" -lt 1000000 ] || fail "large shared arrays make a large executable"
}

heap_and_sync() {
    cc=$1
    for form in $(forms); do
        flag=
        [ $form = packed ] || flag=-DUPCR_PTS_STRUCT
        program "$cc" "$cc-$form" heap heap.c -O2 $flag
        program "$cc" "$cc-$form" sync sync.c -O2 $flag
        case $cc in
        gcc) few="1 2 3 4 8" more= ;;
        *) few="3 8" more="1 2 4" ;;
        esac
        for n in $(shapes "$few" "$more"); do
            heap_run=$(timeout $patience "$build/heap" -n $n -heap 64M 64 2>&1 >/dev/null) || fail "heap -n $n: $heap_run"
            good "$build/sync" -n $n
        done
    done
    [ "$cc" != gcc ] && [ -z "${UPCR_TESTS_LONG-}" ] || good "$build/sync" -n 256
}

# What needs nothing but the contract of a transport, when only groups of threads, or none, have their memory mapped.
apart() {
    cc=$1
    for form in $(forms); do
        flag=-DUPCR_REMOTE
        [ $form = packed ] || flag="$flag -DUPCR_PTS_STRUCT"
        program "$cc" "$cc-$form-remote" data "data.c data_other.c" -O2 $flag
        program "$cc" "$cc-$form-remote" heap heap.c -O2 $flag
        program "$cc" "$cc-$form-remote" sync sync.c -O2 $flag
        for width in 1 2 8; do
            for n in 1 3 4; do
                for test in data sync heap; do good env UPC_PSHM_WIDTH=$width "$build/$test" -n $n -heap 64M 64; done
            done
        done
    done
    program "$cc" "$cc-packed" together "data.c data_other.c"
    ends 1 'assumes that all memory is mapped' env UPC_PSHM_WIDTH=1 "$build/together" -n 2
    program "$cc" "$cc-packed-remote" mixed "data.c data_other.c"
    ends 1 'another transport' "$build/mixed" -n 2
}

# Caches of every shape, against a model.
cached() {
    cc=$1
    for form in $(forms); do
        flag=-DUPCR_REMOTE
        [ $form = packed ] || flag="$flag -DUPCR_PTS_STRUCT"
        program "$cc" "$cc-$form-remote" cache cache.c -O2 $flag
        for shape in "64 16" "128 1024" "1024 64" "8192 16"; do
            set -- $shape
            for n in 2 3; do
                good env UPC_PSHM_WIDTH=1 UPC_CACHE=all UPC_CACHE_LINE=$1 UPC_CACHE_LINES=$2 "$build/cache" -n $n -heap 64M
                good env UPC_PSHM_WIDTH=1 UPC_PSHM_DELAY=1 UPC_CACHE_LINE=$1 UPC_CACHE_LINES=$2 "$build/cache" -n $n -heap 64M
            done
        done
        good env UPC_PSHM_WIDTH=2 UPC_CACHE=all "$build/cache" -n 3 -heap 64M
        # What is written leaves all the time, also where the two threads of the process that take turns have no help of the system's.
        $cc -O1 $warnings "$tests/no_membarrier.c" -o "$build/no_membarrier" || fail "$cc no_membarrier.c"
        for shape in "64 16" "1024 64" "8192 16"; do
            set -- $shape
            for without in env "$build/no_membarrier"; do
                export UPC_PSHM_WIDTH=1 UPC_CACHE=all UPC_CACHE_LINE=$1 UPC_CACHE_LINES=$2 UPC_SEND_AFTER=1
                good "$without" "$build/cache" -n 3 -heap 64M
                unset UPC_PSHM_WIDTH UPC_CACHE UPC_CACHE_LINE UPC_CACHE_LINES UPC_SEND_AFTER
            done
        done
        program "$cc" "$cc-$form-remote" adapts adapts.c -O2 -I"$root/src" $flag
        good env UPC_PSHM_WIDTH=1 UPC_CACHE=all UPC_CACHE_LINE=1024 UPC_CACHE_LINES=1024 "$build/adapts" -n 2 -heap 64M streams
        good env UPC_PSHM_WIDTH=1 UPC_PSHM_DELAY=1 UPC_CACHE_LINE=1024 UPC_CACHE_LINES=1024 "$build/adapts" -n 2 -heap 64M writes
        good env UPC_PSHM_WIDTH=1 UPC_CACHE=on UPC_CACHE_LINE=1024 UPC_CACHE_LINES=1024 "$build/adapts" -n 2 -heap 64M writes
        good env UPC_PSHM_WIDTH=1 UPC_CACHE=on UPC_CACHE_LINE=1024 UPC_CACHE_LINES=1024 "$build/adapts" -n 2 -heap 64M joined
        good env UPC_PSHM_WIDTH=1 UPC_CACHE=on "$build/adapts" -n 2 -heap 64M grows
        good env UPC_PSHM_WIDTH=1 UPC_PSHM_DELAY=1 UPC_CACHE_LINE=8192 UPC_CACHE_LINES=16 "$build/adapts" -n 2 -heap 64M wide
        good env UPC_PSHM_WIDTH=1 UPC_CACHE=on UPC_CACHE_LINE=1024 UPC_CACHE_LINES=1024 "$build/adapts" -n 2 -heap 64M updates
    done
    ends 1 "UPC_CACHE: 'some' is neither on, off, auto nor all" env UPC_CACHE=some "$build/cache" -n 2
    ends 1 'UPC_CACHE_LINE \(-cache-line\): 32 is not among the powers of two from 64 to 8192' env UPC_CACHE_LINE=32 "$build/cache" -n 2
    ends 1 'UPC_CACHE_LINES .*: 100 is not among' env UPC_CACHE_LINES=100 "$build/cache" -n 2
}

# kilobytes THREADS CACHE: of private memory
kilobytes() {
    UPC_PSHM_WIDTH=1 UPC_CACHE=$2 timeout $patience "$build/budget" -n $1 -heap 64M || fail "budget on $1 threads"
}

# A cache takes as much memory among many threads as among two: little more than its budget of 1 MB.
budget() {
    cc=$1
    program "$cc" "$cc-packed-remote" budget budget.c -O2 -DUPCR_REMOTE
    few=$(($(kilobytes 2 on) - $(kilobytes 2 off)))
    many=$(($(kilobytes 64 on) - $(kilobytes 64 off)))
    [ $few -ge 1024 ] && [ $few -le 1600 ] || fail "a cache takes $few KB"
    [ $many -le $((few + 64)) ] || fail "a cache takes $few KB with 2 threads, $many KB with 64"
}

# credits_of_docs: the rows of the table in docs/scale.md, a line each: the least and the most senders, the credits of each, all messages
credits_of_docs() {
    sed -n '/^### Credits/,/^### Elements/p' "$root/../docs/scale.md" |
        awk -F'|' 'NF > 4 && $2 ~ /[0-9]/ {gsub(/,|up to/, ""); n = split($2, senders, " to "); print senders[1], senders[n], $3, $4}'
}

# Messages take a bounded amount of memory, at their target and in their sender.
message_memory() {
    cc=$1
    program "$cc" "$cc-packed" credits credits.c -O1 -I"$root/src"
    credits_of_docs >"$build/credits_of_docs"
    good "$build/credits" <"$build/credits_of_docs"
    program "$cc" "$cc-packed-remote" buffers buffers.c -O1 -I"$root/src" -DUPCR_REMOTE
    good "$build/buffers"
}

# messages FORM: the same over messages, on one machine, and as if it were several.
messages() {
    form=$1
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    # Open MPI's launchers share a folder that the last of them removes: one that starts then fails. These have their own.
    OMPI_MCA_orte_tmpdir_base=$(mktemp -d "${TMPDIR:-/tmp}/upcr-mpi.XXXXXX")
    export OMPI_MCA_orte_tmpdir_base
    quiet="--oversubscribe --bind-to none -q"
    mpirun --version | grep -q 'Open MPI' || quiet=
    flag="-DUPCR_REMOTE -DTEST_MESSAGES"
    [ $form = packed ] || flag="$flag -DUPCR_PTS_STRUCT"
    program mpicc mpi-$form mpi-data "data.c data_other.c" -O2 $flag
    program mpicc mpi-$form mpi-heap heap.c -O2 $flag
    program mpicc mpi-$form mpi-sync sync.c -O2 $flag
    for width in 1 2 8; do
        for n in 1 2 5; do
            for test in data sync heap; do
                good env UPC_PSHM_WIDTH=$width UPCR_THREADS=$n UPC_SHARED_HEAP_SIZE=64 mpirun $quiet -n $n "$build/mpi-$test" 64
            done
        done
    done
    rm -rf "$OMPI_MCA_orte_tmpdir_base"
}
