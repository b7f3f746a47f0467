#!/bin/sh
# Builds the runtime and its tests with every C compiler that is there and runs them: static and dynamic THREADS, both
# forms of pointers-to-shared, 1 to 256 threads. Usage: run.sh [BUILD-FOLDER]; exit status 0 if all is well.
set -u

tests=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$tests")
build=${1:-$(mktemp -d "${TMPDIR:-/tmp}/upcr-tests.XXXXXX")}
mkdir -p "$build"
[ $# -gt 0 ] || trap 'rm -rf "$build"' EXIT
include="-I$root/include -I$root/src"
warnings="-Wall -Wextra -Werror"
failures=0
# Of the left_out the one that libraries leave out.
left_out=mpi

fail() {
    echo "FAILED: $*" >&2
    failures=$((failures + 1))
}

# library CC NAME FLAGS...: $build/NAME/libupcr.a
library() {
    cc=$1 name=$2
    shift 2
    mkdir -p "$build/$name"
    objects=
    for source in $(find "$root/src" -name '*.c' -not -path "*/transport/$left_out/*"); do
        object=$build/$name/$(echo "${source#"$root"/src/}" | tr / _).o
        $cc -O2 -std=gnu11 $warnings "$@" $include -c "$source" -o "$object" || { fail "$cc $source"; exit 1; }
        objects="$objects $object"
    done
    ar rcs "$build/$name/libupcr.a" $objects
}

# program CC LIBRARY OUTPUT SOURCES FLAGS...
program() {
    cc=$1 library=$2 output=$build/$3 sources=
    for source in $4; do sources="$sources $tests/$source"; done
    shift 4
    $cc -std=gnu11 $warnings "$@" -I"$root/include" $sources -Wl,--wrap=main "$build/$library/libupcr.a" -o "$output" ||
        fail "$cc $*: $sources"
}

# good COMMAND...: must end with status 0 within a minute
good() {
    timeout 60 "$@" >"$build/out" 2>&1 || { fail "$*: status $?"; cat "$build/out" >&2; }
}

# ends STATUS PATTERN COMMAND...: must end so, with exactly one line on stderr that matches (none if PATTERN is empty)
ends() {
    status=$1 pattern=$2
    shift 2
    timeout 20 "$@" >"$build/out" 2>"$build/err"
    got=$?
    [ $got -eq "$status" ] || fail "$*: status $got, not $status"
    if [ -z "$pattern" ]; then
        [ ! -s "$build/err" ] || { fail "$*: unexpected message"; cat "$build/err" >&2; }
    elif [ "$(wc -l <"$build/err")" -ne 1 ] || ! grep -Eq "$pattern" "$build/err"; then
        fail "$*: message is not '$pattern'"
        cat "$build/err" >&2
    fi
}

header_modes() {
    cc=$1
    for std in gnu89 gnu99 gnu11 gnu17; do
        for flags in "" -DUPCR_REMOTE "-DUPCR_REMOTE -DUPCR_INST" -DUPCR_PTS_STRUCT -DUPCR_STATIC_THREADS=8 "-DUPCR_PHASE_BITS=8 -DUPCR_THREAD_BITS=16" -DUPCR_INST \
            "-DUPCR_INST -DUPCR_CHECKS -DUPCR_PTS_STRUCT"; do
            echo '#include "upcr/upcr.h"' | $cc -std=$std $warnings $flags -I"$root/include" -x c -fsyntax-only - || fail "upcr.h: $cc $std $flags"
        done
    done
    for header in gasp.h gasp_upc.h pupc.h; do
        for language in c c++; do
            for flags in "" -D__UPC_PUPC_INST__; do
                echo "#include <$header>" | $cc $flags $warnings -I"$root/include" -x $language -fsyntax-only - || fail "$header: $cc $language"
            done
        done
    done
    echo '#include <upc_types.h>' | $cc -std=c99 -pedantic-errors -Wsystem-headers $warnings -I"$root/include" -x c -fsyntax-only - || fail "upc_types.h"
}

# The arithmetic: constants of static THREADS and the reciprocal of dynamic ones.
pointers() {
    cc=$1
    for form in packed struct; do
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
    for form in packed struct; do
        flag=
        [ $form = packed ] || flag=-DUPCR_PTS_STRUCT
        program "$cc" "$cc-$form" heap heap.c -O2 $flag
        program "$cc" "$cc-$form" sync sync.c -O2 $flag
        for n in 1 2 3 4 8; do
            heap_run=$(timeout 60 "$build/heap" -n $n -heap 64M 64 2>&1 >/dev/null) || fail "heap -n $n: $heap_run"
            good "$build/sync" -n $n
        done
    done
    good "$build/sync" -n 256
}

# What needs nothing but the contract of a transport, when only groups of threads, or none, have their memory mapped.
apart() {
    cc=$1
    for form in packed struct; do
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
    ends 1 'takes all memory for mapped' env UPC_PSHM_WIDTH=1 "$build/together" -n 2
    program "$cc" "$cc-packed-remote" mixed "data.c data_other.c"
    ends 1 'another transport' "$build/mixed" -n 2
}

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

# The transport's contract (transport/), by its operations themselves. The suite mpi has the same over messages.
contract() {
    cc=$1
    for operation in $(grep -o 'upcr_tp_[a-z_]*(' "$root/src/transport/transport.h" | sort -u); do
        grep -qF "$operation" "$tests"/transport/*.c || fail "contract: no case for $operation)"
    done
    suite=$(cd "$tests" && echo transport/*.c)
    for form in packed struct; do
        flag=-DUPCR_REMOTE
        [ $form = packed ] || flag="$flag -DUPCR_PTS_STRUCT"
        program "$cc" "$cc-$form-remote" contract "$suite" -O2 -g1 -I"$root/src" $flag
        for shape in "1 1" "2 1" "3 1" "4 1" "5 1" "8 1" "3 2" "5 2" "8 3" "2 8" "5 8"; do
            set -- $shape
            good env UPC_PSHM_WIDTH=$2 "$build/contract" -n $1 -heap 64M
        done
    done
    good env UPC_PSHM_WIDTH=1 UPC_PSHM_DELAY=2000 "$build/contract" -n 3 -heap 64M
    for shape in "1 1" "3 1" "5 2" "2 8"; do
        set -- $shape
        grep -v '^#' "$tests/transport/table.txt" >"$build/table"
        while read -r name status said text; do
            way $1 $2 "$build/contract" "$name" "$status" "$said" "$text"
        done <"$build/table"
    done
    program "$cc" "$cc-packed" contract "$suite" -O2 -g1 -I"$root/src"
    for n in 1 2 3 4 5 8; do good "$build/contract" -n $n -heap 64M; done
}

# Caches of every shape, against a model.
cached() {
    cc=$1
    for form in packed struct; do
        flag=-DUPCR_REMOTE
        [ $form = packed ] || flag="$flag -DUPCR_PTS_STRUCT"
        program "$cc" "$cc-$form-remote" cache cache.c -O2 $flag
        for shape in "64 16" "128 1024" "1024 64" "8192 16"; do
            set -- $shape
            for n in 2 3; do
                good env UPC_PSHM_WIDTH=1 UPC_CACHE=on UPC_CACHE_LINE=$1 UPC_CACHE_LINES=$2 "$build/cache" -n $n -heap 64M
                good env UPC_PSHM_WIDTH=1 UPC_PSHM_DELAY=1 UPC_CACHE_LINE=$1 UPC_CACHE_LINES=$2 "$build/cache" -n $n -heap 64M
            done
        done
        good env UPC_PSHM_WIDTH=2 UPC_CACHE=on "$build/cache" -n 3 -heap 64M
        program "$cc" "$cc-$form-remote" adapts adapts.c -O2 -I"$root/src" $flag
        good env UPC_PSHM_WIDTH=1 UPC_CACHE=on UPC_CACHE_LINE=1024 UPC_CACHE_LINES=1024 "$build/adapts" -n 2 -heap 64M streams
        good env UPC_PSHM_WIDTH=1 UPC_PSHM_DELAY=1 UPC_CACHE_LINE=1024 UPC_CACHE_LINES=1024 "$build/adapts" -n 2 -heap 64M writes
    done
    ends 1 "UPC_CACHE: 'some' is neither on, off nor auto" env UPC_CACHE=some "$build/cache" -n 2
    ends 1 'UPC_CACHE_LINE \(-cache-line\): 32 is not among the powers of two from 64 to 8192' env UPC_CACHE_LINE=32 "$build/cache" -n 2
    ends 1 'UPC_CACHE_LINES .*: 100 is not among' env UPC_CACHE_LINES=100 "$build/cache" -n 2
}

# kilobytes THREADS CACHE: of private memory
kilobytes() {
    UPC_PSHM_WIDTH=1 UPC_CACHE=$2 timeout 60 "$build/budget" -n $1 -heap 64M || fail "budget on $1 threads"
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

# The same over messages: on one machine, and as if it were several.
messages() {
    command -v mpicc >/dev/null && command -v mpirun >/dev/null || { echo "no MPI: transport mpi is not tested"; return 0; }
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    quiet="--oversubscribe --bind-to none -q"
    mpirun --version | grep -q 'Open MPI' || quiet=
    left_out=smp
    for form in packed struct; do
        flag=-DUPCR_REMOTE
        [ $form = packed ] || flag="$flag -DUPCR_PTS_STRUCT"
        library mpicc mpi-$form $flag
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
    done
    left_out=mpi
}

# Lines of addresses, with every form of debugging information that the compiler writes.
trace() {
    cc=$1
    for flags in "-O0 -g1" "-O2 -g1" "-O3 -g" "-O2 -g1 -gdwarf-4 -no-pie" "-O1 -g -gdwarf-3" "-O0 -g -gdwarf-2 -no-pie"; do
        program "$cc" "$cc-packed" trace trace.c $flags -I"$root/src"
        good "$build/trace"
    done
}

all_ends() {
    cc=$1
    program "$cc" "$cc-packed" ends ends.c -O1 -g1 -Wno-infinite-recursion -Wno-unknown-warning-option
    e=$build/ends
    ends 139 '^upc thread 2 of 3: [^ ]*ends\.c:[0-9]+ \(end_null\): killed by SIGSEGV at address 0x[0-9a-f]+ \(a null pointer-to-shared\)$' "$e" -n 3 null
    ends 139 '^upc thread 2 of 3: [^ ]*ends\.c:[0-9]+ \(end_segv\): killed by SIGSEGV at address 0x11 \(a null pointer\)$' "$e" -n 3 segv
    ends 139 'SIGSEGV at address 0x[0-9a-f]+ \(beyond the shared memory of thread 0\)$' "$e" -n 3 -heap 64M beyond
    ends 139 '\(deeper\): killed by SIGSEGV at address 0x[0-9a-f]+ \(stack overflow\)$' "$e" -n 3 stack
    ends 136 'ends\.c:[0-9]+ \(divide\): killed by SIGFPE$' "$e" -n 3 divide
    ends 134 '^upc thread 2 of 3: [^ ]*ends\.c:[0-9]+ \(end_abort\): killed by SIGABRT \(abort\)$' "$e" -n 3 abort
    ends 137 '^upc thread 2 of 3: killed by SIGKILL' "$e" -n 3 killed
    ends 3 '^upc thread 2 of 3: its process ended with status 3' "$e" -n 3 _exit
    ends 1 'waits in upc_barrier, but thread 2 has ended .exit status 3.' "$e" -n 3 exit_alone
    ends 1 'waits in upc_barrier, but thread 2 has ended .exit status 0.' "$e" -n 3 exit_busy
    ends 3 '' "$e" -n 3 exit_all
    ends 7 '' "$e" -n 3 global_exit
    grep -q 'partial 0;' "$build/out" && grep -q 'partial 1;' "$build/out" && grep -q 'partial 2;' "$build/out" || fail "upc_global_exit does not flush"
    ends 0 '' "$e" -n 3 global_exit_busy
    ends 1 'barrier mismatch in upc_barrier: .*value [78], .*value [78]' "$e" -n 3 mismatch
    ends 1 'upc thread 2 .*mismatch in upc_wait: .*value 22, thread 0 notified the value 21' "$e" -n 3 wait_mismatch
    ends 1 'upc_notify executed twice' "$e" -n 3 notify_twice
    ends 1 'upc_wait executed without a upc_notify' "$e" -n 3 wait_first
    ends 1 'left main between upc_notify and upc_wait' "$e" -n 3 notified
    ends 1 'upc_all_alloc called between' "$e" -n 3 collective
    ends 1 'thread 0 called it with \(1, 1\)' "$e" -n 3 arguments
    ends 1 'upc_free: .* was freed before' "$e" -n 3 double_free
    ends 1 'upc_free: .* does not point at allocated space' "$e" -n 3 bad_free
    ends 1 'upc thread 2 .*holds already' "$e" -n 3 relock
    ends 1 'does not hold' "$e" -n 3 unlock
    ends 0 'out of shared memory: asked for 1 TB .* of the 64 MB .*UPC_SHARED_HEAP_SIZE' "$e" -n 3 -heap 64M exhausted
    ends 0 '' "$e" -n 3 fork
    echo i >"$build/in"
    ends 0 '' "$e" -n 3 input <"$build/in"
    "$e" -n 2 lines 2>"$build/err" | head -1 >"$build/out"
    [ ! -s "$build/err" ] || fail "a closed pipe is reported"
    ends 0 '' "$e" -n 4 lines
    [ "$(grep -cE '^thread [0-3] writes a line of some length, in pieces, number [0-9]+ end$' "$build/out")" -eq 2000 ] || fail "lines are mixed"
}

# shows PATTERN...: each matches a line of $build/err
shows() {
    for pattern in "$@"; do
        grep -Eq "$pattern" "$build/err" || { fail "no line '$pattern' in:"; cat "$build/err" >&2; }
    done
}

# What is said about threads that wait, and the stacks of all threads.
places() {
    e=$build/ends
    at='[^ ]*ends\.c:[0-9]+'
    UPC_TIMEOUT=3 timeout 20 "$e" -n 3 deadlock 2>"$build/err"
    [ $? -eq 124 ] || fail "deadlock: the time-out does not show in the status"
    lock="waits in upc_lock for the lock allocated at $at \(end_deadlock\), held by thread 1, which took it at $at \(end_deadlock\)$"
    shows '^no thread can go on' "^upc thread 0 of 3: $at \(end_deadlock\): $lock" \
        "^upc thread 1 of 3: $at \(end_deadlock\): waits in upc_barrier 7 \(threads 0, 2 have not arrived\)$"
    "$e" -n 4 late 2>"$build/err" &
    launcher=$!
    sleep 1
    kill -USR1 $launcher
    sleep 1
    kill -TERM $launcher
    wait $launcher 2>/dev/null
    shows "^upc thread 0 of 4: $at \(end_late\): computes$" '^upc thread 1 of 4: .*: is in pause, between upc_notify and upc_wait$' \
        "^upc thread 3 of 4: $at \(end_late\): waits in upc_wait 3 \(thread 0 has not arrived\)$"
    [ "$(wc -l <"$build/err")" -eq 4 ] || { fail "SIGUSR1 shows something else:"; cat "$build/err" >&2; }
    UPC_BACKTRACE=1 timeout 20 "$e" -n 3 abort 2>"$build/err"
    shows '^upc thread 2 of 3: .*SIGABRT' '^upc thread 0 of 3: its stack:' "^  #1 forever at $at$" '^  #0 in abort$' "^  #[0-9] main at $at$"
    grep -q 'wrap_main\|libc' "$build/err" && fail "stacks show what is around main"
}

# recorded STATUS PATTERN COMMAND...: must end so, and leave a recording that is whole and of which lines match
recorded() {
    status=$1 pattern=$2
    shift 2
    rm -f "$build/recording.upcprof"
    env UPC_TOOL=measure UPC_MEASURE_FILE="$build/recording.upcprof" timeout 60 "$@" >"$build/out" 2>"$build/err"
    got=$?
    [ $got -eq "$status" ] || { fail "$*: status $got, not $status"; cat "$build/err" >&2; }
    "$build/recording" "$build/recording.upcprof" >"$build/out" 2>&1 || { fail "$*: $(cat "$build/out")"; return; }
    grep -Eq "$pattern" "$build/out" || { fail "$*: no line '$pattern' in:"; cat "$build/out" >&2; }
}

# The tool measure: what its file says of programs that raise a known number of events.
measure() {
    cc=$1
    program "$cc" "$cc-packed" measure measure.c -O1 -g1
    $cc -std=gnu11 -O1 $warnings -I"$root/src" "$tests/recording.c" "$root/src/tools/measure/crc.c" -o "$build/recording" || fail "recording.c"
    m=$build/measure
    t='UPC_MEASURE=trace' p='UPC_MEASURE=profile' b='UPC_MEASURE=both'
    for mode in $t $b "$b UPC_MEASURE_BUFFER=4K" "$b UPC_MEASURE_COUNTERS=page-faults,task-clock"; do
        recorded 0 '^thread 1: how 0 status 0, trace 2002 starts 2002 ends 0 atomics 0 open 2 deep.* raised 4004,' env $mode "$m" -n 2 accesses 1000
        recorded 0 'trace 277 starts 277 ends .* 257 deep.* depth 90 ' env $mode "$m" call 300
        recorded 0 'trace 202 starts 202 ends 100 atomics 0 open' env $mode "$m" users
        recorded 0 'trace 222 starts 222 ends .* control 4002$' env $mode "$m" control
    done
    for mode in $p $b; do
        recorded 0 'profile 4 nodes 2002 events 8000 bytes' env $mode "$m" -n 3 accesses 1000
        recorded 0 'profile 38 nodes 12287 events' env $mode "$m" tree 12
        recorded 0 'profile 5 nodes 12287 events' env $mode UPC_MEASURE_FLAT=1 "$m" tree 12
        recorded 0 'profile 3 nodes ' env $mode UPC_MEASURE_NODES=3 "$m" tree 12
    done
    # Counts are exact, for each path of calls.
    for mode in $p $b; do
        recorded 0 'profile 4 nodes 42002 events 168000 bytes.* sampling 7[0-9]{4} ' \
            env $mode UPC_MEASURE_SAMPLE=10 UPC_MEASURE_HOT=1000 "$m" -n 2 accesses 21000
        recorded 0 'profile 38 nodes 12287 events.* sampling [0-9]{4}' env $mode UPC_MEASURE_SAMPLE=10 UPC_MEASURE_HOT=10 "$m" tree 12
        recorded 0 'profile .* control 40[0-9]{2}$' env $mode UPC_MEASURE_SAMPLE=10 UPC_MEASURE_HOT=10 "$m" control
    done
    recorded 0 'trace [56][0-9]{3} starts .* sampling 7[0-9]{4} ' env $t UPC_MEASURE_SAMPLE=10 UPC_MEASURE_HOT=1000 "$m" accesses 21000
    recorded 0 'profile 4 nodes 800002 events 3200000 bytes.* sampling 15[0-9]{5} ' env $p "$m" accesses 400000
    recorded 0 'trace [0-9]{1,4} starts .*profile 4 nodes 400002 events.* rate [0-9]{6} ' env $b UPC_MEASURE_RATE=1000 "$m" accesses 200000
    recorded 0 'profile 4 nodes 400002 events.* size [0-9]{6} ' env $b UPC_MEASURE_MAX_FILE=300K "$m" -n 2 accesses 200000
    recorded 0 'trace 8703 starts 8703 ends 0 atomics 0 open 11 deep.* depth 7168 ' env $b UPC_MEASURE_DEPTH=10 "$m" tree 12
    recorded 0 'trace 203 starts 203 ends' env $b "$m" -n 2 locks
    recorded 0 'trace 22002 starts 22002 ends' env $t "$m" signals
    recorded 5 '^thread 2: how 1 status 5' env $b "$m" -n 3 dies 0
    recorded 139 '^thread 2: how 2 status 11, trace 2001 starts 2000 ends 0 atomics 1 open' env $b "$m" -n 3 dies 1
    recorded 137 '^thread 1: how 3 status 0' env $b "$m" -n 3 dies 2
    recorded 139 '^thread 2: how 2 status 11, trace 2001 starts 2000 ends 0 atomics 1 open' env $b "$m" -n 3 dies 3
    # No room: what there is can be read, what is missing is told, and the smaller blocks still fit.
    for mode in $t $b; do
        recorded 0 '^thread 1: how 0 status 0, ' env $mode "$m" -n 2 full
        grep -Eq '^upc thread [01] of 2: the recording is not whole: File too large; of this thread it lacks [0-9]+ events of the trace$' "$build/err" ||
            fail "$mode without room: $(cat "$build/err")"
    done
    grep -q 'profile 4 nodes 400002 events' "$build/out" || fail "no profile without room for the trace: $(cat "$build/out")"
    ends 1 'cannot be measured: give profile' env UPC_TOOL=measure UPC_MEASURE=all "$m" locks
    ends 1 'there is no counter .x.; there are task-clock' env UPC_TOOL=measure UPC_MEASURE_COUNTERS=x "$m" locks
    ends 0 'cannot write /no/where: No such file or directory; nothing is measured' env UPC_TOOL=measure UPC_MEASURE_FILE=/no/where "$m" -n 2 locks
    env UPC_TOOL=measure UPC_MEASURE_FILE="$build/own%" "$m" -n 2 locks && "$build/recording" "$build/own1" | grep -q '^thread 1: how 0' || fail "a file for each thread"
}

# thaws PATTERN COMMAND...: must wait for a debugger, say how to let it go on, and then go on; its status is the function's
thaws() {
    pattern=$1
    shift
    timeout 60 "$@" >"$build/out" 2>"$build/err" &
    frozen=$!
    for attempt in $(seq 100); do
        grep -q "$pattern" "$build/err" && break
        sleep 0.1
    done
    pid=$(sed -n 's/.*gdb -p \([0-9]*\).*/\1/p' "$build/err")
    timeout 30 gdb -p "$pid" -batch -ex 'set var *(int *)&upcr_freeze = 0' >"$build/gdb" 2>&1 || fail "$*: gdb"
    wait $frozen
}

debugger() {
    command -v gdb >/dev/null || { echo "no gdb: waiting for a debugger is not tested"; return 0; }
    e=$build/ends
    thaws '^upc thread 1 of 3: process [0-9]* waits for a debugger' env UPC_FREEZE=1 "$e" -n 3 count || fail "UPC_FREEZE: status"
    [ "$(wc -l <"$build/out")" -eq 3 ] || fail "UPC_FREEZE: the program does not go on"
    thaws 'waits for a debugger before it starts' env UPC_FREEZE_EARLY=1 "$e" -n 3 count || fail "UPC_FREEZE_EARLY: status"
    thaws 'SIGSEGV.*waits for a debugger at this error' env UPC_FREEZE_ON_ERROR=1 "$e" -n 3 segv
    [ $? -eq 139 ] || fail "UPC_FREEZE_ON_ERROR: status of a crash"
    thaws 'waits for a debugger at this error' env UPC_FREEZE_ON_ERROR=1 "$e" -n 3 double_free
    [ $? -eq 1 ] || fail "UPC_FREEZE_ON_ERROR: status of an error"
}

# tells THREADS PROGRAM [EXPECTED]: the tool in it prints on thread 0 what tests/events.expected has, or that file of tests
tells() {
    timeout 20 "$2" -n "$1" 2>&1 | sed 's|^/[^ ]*/||' >"$build/out"
    diff "$tests/${3:-events.expected}" "$build/out" >"$build/diff" || { fail "$2: other events"; cat "$build/diff" >&2; }
}

# says LINES COMMAND...: prints those lines, in any order
says() {
    lines=$1
    shift
    timeout 20 "$@" 2>"$build/err" | sort >"$build/out"
    printf '%b' "$lines" | sort | diff - "$build/out" >"$build/diff" || { fail "$*: says something else"; cat "$build/diff" >&2; }
}

# Instrumented programs: with a tool of the user's, whole or not, in an object or in a library; with one of the runtime's; with none.
events() {
    cc=$1
    for form in packed struct; do
        flag=
        [ $form = packed ] || flag=-DUPCR_PTS_STRUCT
        for optimize in -O0 "-O2 -fPIE"; do
            program "$cc" "$cc-$form" events "events.c events_tool.c" $optimize $flag -I"$root/src"
            tells 2 "$build/events"
        done
    done
    good "$build/events" -n 1 +fork
    program "$cc" "$cc-packed-remote" events "events.c events_tool.c" -O1 -DUPCR_REMOTE -I"$root/src"
    UPC_PSHM_WIDTH=1
    export UPC_PSHM_WIDTH
    # Transfers between threads apart are under way for a while, and known by their handles.
    tells 2 "$build/events" events_apart.expected
    unset UPC_PSHM_WIDTH
    program "$cc" "$cc-packed" events "events.c events_tool.c" -O1 -I"$root/src" -DNO_VA
    tells 2 "$build/events"
    nm "$build/events" | grep -q upcr_gasp_dummies || fail "a tool that is not whole gets no help"

    common="-std=gnu11 $warnings -g1 -O1 -I$root/include -I$root/src"
    $cc $common -c "$tests/events.c" -o "$build/events.o" || fail "$cc events.c"
    $cc $common -c "$tests/events_tool.c" -o "$build/tool.o" || fail "$cc events_tool.c"
    rm -f "$build/libtool.a"
    ar rcs "$build/libtool.a" "$build/tool.o"
    $cc "$build/events.o" "$build/libtool.a" -Wl,--wrap=main "$build/$cc-packed/libupcr.a" -o "$build/events" || fail "a tool in a library"
    tells 2 "$build/events"
    nm "$build/events" | grep -q upcr_gasp_dummies && fail "dummies are linked beside a whole tool"

    $cc "$build/events.o" -Wl,--wrap=main "$build/$cc-packed/libupcr.a" -o "$build/events" || fail "no tool"
    timeout 20 "$build/events" -n 2
    [ $? -eq 6 ] || fail "events without a tool"
    ends 1 "UPC_TOOL: there is no tool 'some'" env UPC_TOOL=some "$build/events" -n 2

    $cc $common -c "$tests/events_bundled.c" -o "$build/bundled.o" || fail "$cc events_bundled.c"
    $cc "$build/events.o" "$build/bundled.o" -Wl,--wrap=main "$build/$cc-packed/libupcr.a" -o "$build/events" || fail "a bundled tool"
    opened='thread 0: S\nthread 0: S\nthread 1: S\nthread 1: S\n' closed='thread 1: E\nthread 1: E\n'
    left='thread %d: E\nthread %d: E\nthread %d: exit S %d at 0\nthread %d: exit E %d at 0\nthread %d: finished %d\n'
    says "$opened$(printf "$left" 0 0 0 3 0 3 0 3)\n$(printf "$left" 1 1 1 3 1 3 1 3)\n" "$build/events" -n 2 exit
    says "$opened$(printf "$left" 0 0 0 0 0 0 0 0)\n$(printf "$left" 1 1 1 0 1 0 1 0)\n" "$build/events" -n 2 fork
    says "$opened${closed}thread 0: rescued\nthread 1: exit A 4 at 5\nthread 1: finished 4\n" "$build/events" -n 2 global
    says "$opened${closed}thread 0: rescued\nthread 1: exit A 5 at 0\nthread 1: finished 5\n" "$build/events" -n 2 plain
    rescued='thread 0: rescued\nthread 1: rescued\n'
    for how in segv die events; do
        says "$opened$rescued" "$build/events" -n 2 $how
    done
    says "$opened$rescued" timeout -s INT 1 "$build/events" -n 2 wait
    says "$opened$rescued" env UPC_TIMEOUT=1 "$build/events" -n 2 wait
    nm "$build/ends" | grep -i 'gasp\|pupc\|upcr_inst' && fail "a program without instrumentation has symbols of events"
}

# counts N COMMAND...: the program must run with N threads
counts() {
    expected=$1
    shift
    [ "$("$@" | tail -1)" = "$expected" ] || fail "$*: not $expected threads"
}

options() {
    cc=$1
    e=$build/ends
    counts 1 "$e" count
    counts 3 "$e" -n 3 -- count
    counts 5 "$e" -n5 count
    counts 2 "$e" -fupc-threads-2 -fupc-heap-64M count
    counts 2 env UPCR_THREADS=2 UPC_SHARED_HEAP_SIZE=100 "$e" count
    counts 2 "$e" -shared-heap=10% -n 2 count
    ends 100 'no such end' env UPCR_THREADS=1 "$e" -n 3 count
    counts 2 "$e" -sched-policy=cpu -mem-policy strict -n 2 -sched-cpu-avoid 0,1 -- count
    ends 0 '' env UPC_BIND_THREADS=1 "$e" -n 1 bound
    ends 0 'bind-threads: 256 threads on [0-9]+ processors?: some share one' env UPC_BIND_THREADS=1 "$e" -n 256 -heap 1M bound
    ends 0 '' env UPC_BIND_THREADS=1 UPC_QUIET=1 "$e" -n 256 -heap 1M bound
    ends 0 '' env UPC_STACK_SIZE=256M "$e" -n 2 deep
    ends 0 '' env UPC_QUIET=1 "$e" -n 3 -heap 64M exhausted
    ends 0 '' env UPC_NO_WARN=1 "$e" -n 3 -heap 64M exhausted
    ends 134 'was freed before' env -C "$build" UPC_ABORT=1 "$e" -n 3 double_free
    # A core file, where the system writes it here, has no shared memory in it that nobody uses.
    for core in "$build"/core*; do
        [ ! -f "$core" ] || [ "$(du -k "$core" | cut -f1)" -lt 100000 ] || fail "$core: $(du -k "$core" | cut -f1) KB"
        rm -f "$core"
    done
    ends 1 "no thread" env UPC_FREEZE=some "$e" count
    ends 1 "no number of seconds" env UPC_TIMEOUT=-1 "$e" count
    ends 1 "no number of threads" "$e" -n x count
    ends 1 "is no size" "$e" -heap 10Q count
    ends 1 "is no size" env UPC_SHARED_HEAP_SIZE=lots "$e" count
    ends 1 'more than pointers-to-shared can name \(1024\)' "$e" -n 2000 count
    ends 1 'do not fit packed pointers-to-shared' "$e" -heap 20G count
    program "$cc" "$cc-packed" ends4 ends.c -O1 -Wno-infinite-recursion -Wno-unknown-warning-option -DUPCR_STATIC_THREADS=4
    counts 4 "$build/ends4" count
    counts 4 "$build/ends4" -n 4 count
    ends 1 'compiled for 4 threads and cannot run with 3' "$build/ends4" -n 3 count
    echo '#include "upcr/upcr.h"
UPCR_PROGRAM_THREADS(8);' >"$build/other.c"
    $cc -I"$root/include" -DUPCR_STATIC_THREADS=4 "$tests/ends.c" "$build/other.c" -w -Wl,--wrap=main "$build/$cc-packed/libupcr.a" -o "$build/mixed"
    ends 1 'compiled for 4 threads, others for 8|compiled for 8 threads, others for 4' "$build/mixed" count
    echo 'const char upcr_linked_heap[] = "80";' >"$build/other.c"
    $cc -I"$root/include" "$tests/ends.c" "$build/other.c" -w -Wl,--wrap=main "$build/$cc-packed/libupcr.a" -o "$build/heap80"
    ends 0 'of the 80 MB' "$build/heap80" exhausted
    ends 0 'of the 64 MB' "$build/heap80" -heap 64M exhausted
    $cc -I"$root/include" -DUPCR_PTS_STRUCT "$tests/ends.c" -w -Wl,--wrap=main "$build/$cc-packed/libupcr.a" -o "$build/mixed"
    ends 1 'another form of pointers-to-shared' "$build/mixed" count
}

# gone PID...: none of the processes is left after a moment
gone() {
    for attempt in 1 2 3 4 5 6 7 8 9 10; do
        left=
        for pid in "$@"; do
            # A process that has ended and whose new parent has not looked yet counts as gone.
            grep -q '^State:[[:space:]]*[A-Yt]' "/proc/$pid/status" 2>/dev/null && left="$left $pid"
        done
        [ -n "$left" ] || return 0
        sleep 0.1
    done
    fail "processes are left:$left"
}

# A launcher that is killed or interrupted leaves no process behind.
no_orphans() {
    for signal in KILL TERM HUP INT; do
        : >"$build/pids"
        # What this shell ignores (nohup, a shell in the background) would be ignored by its children, too.
        env --default-signal=HUP,INT "$build/ends" -n 4 pids >"$build/pids" 2>"$build/err" &
        launcher=$!
        while [ "$(wc -l <"$build/pids")" -lt 4 ]; do sleep 0.05; done
        kill -$signal $launcher
        wait $launcher 2>/dev/null
        [ $? -gt 128 ] || fail "SIG$signal does not show in the status"
        gone $(cat "$build/pids")
        [ ! -s "$build/err" ] || fail "SIG$signal: unexpected message: $(cat "$build/err")"
    done
    # A parent that ignores the end of its children must not make the launcher wait for ever.
    [ "$(trap '' CHLD; timeout 10 "$build/ends" -n 2 count | tail -1)" = 2 ] || fail "ignored SIGCHLD"
}

# body FUNCTION: its instructions
body() {
    objdump -d --no-show-raw-insn "$build/loops.o" | awk -v f="<$1>:" '$2 == f {on = 1; next} on && /^$/ {exit} on'
}

instructions() {
    cc=$1
    [ "$(uname -m)" = x86_64 ] && command -v objdump >/dev/null || return 0
    $cc -O3 -std=gnu89 $warnings -DUPCR_STATIC_THREADS=4 -I"$root/include" -c "$tests/loops.c" -o "$build/loops.o" || fail "loops.c"
    for f in loop_cyclic loop_blocked loop_walk loop_stride vector_copy vector_sum; do
        [ -n "$(body $f)" ] || fail "$cc: $f not found"
        body $f | grep -Ew 'callq?|i?div[lq]?' && fail "$cc: $f has a call or a division"
    done
    body vector_copy | grep -q 'addpd' || fail "$cc: vector_copy is not vectorised"
    body vector_sum | grep -q 'paddq' || fail "$cc: vector_sum is not vectorised"
}

for cc in gcc clang; do
    command -v $cc >/dev/null || continue
    header_modes $cc
    library $cc $cc-packed
    library $cc $cc-struct -DUPCR_PTS_STRUCT
    library $cc $cc-packed-remote -DUPCR_REMOTE
    library $cc $cc-struct-remote -DUPCR_REMOTE -DUPCR_PTS_STRUCT
    pointers $cc
    data $cc
    heap_and_sync $cc
    apart $cc
    contract $cc
    cached $cc
    budget $cc
    trace $cc
    all_ends $cc
    places $cc
    measure $cc
    options $cc
    events $cc
    no_orphans
    debugger
    instructions $cc
done

messages

[ $failures -eq 0 ] && echo "runtime: all tests passed" || echo "runtime: $failures failures" >&2
[ $failures -eq 0 ]
