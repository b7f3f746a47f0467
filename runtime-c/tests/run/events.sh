# Jobs: instrumented programs, and the tool measure.

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
    # What a thread could not write any more its launcher writes, each event of it.
    recorded 137 '^thread 2: how 2 status 9, trace 2001 starts 2000 ends 0 atomics 1 open.* salvaged 1,' env $b "$m" -n 3 dies 2
    recorded 137 '^thread 2: how 2 status 9, .* profile 3 nodes 2001 events 8000 bytes,.* salvaged 1,' env $p "$m" -n 3 dies 2
    recorded 7 '^thread 2: how 4 status 7, trace 2001 starts 2000 ends 0 atomics 1 open.* salvaged 1,' env $b "$m" -n 3 dies 4
    # Nor is written twice what was in the file when its thread died, whether or not it could note so.
    for block in 1 2 3 4 5; do
        recorded 137 '^thread 1: .* trace 2001 starts 2001 ends 1 atomics 0 open 2 deep, profile 4 nodes 2002 events 8000 bytes' \
            env $b "$m" -n 2 dies_behind_block $block
    done
    # Events keep all their arguments.
    recorded 0 'trace 102 starts 102 ends 100 atomics .* columns 330500,' env $t "$m" wide
    recorded 0 'trace 102 starts 102 ends 100 atomics .* columns 330500,' env $b UPC_MEASURE_BUFFER=1K "$m" wide
    for mode in "$t" "$b" "$b UPC_MEASURE_BUFFER=1K"; do
        # shellcheck disable=SC2086
        recorded 0 'trace 52 starts 52 ends 50 atomics .* columns 27600,' env $mode "$m" arguments
    done
    recorded 139 '^thread 2: how 2 status 11, trace 2001 starts 2000 ends 0 atomics 1 open' env $b "$m" -n 3 dies 3
    # A full disk: what was written can be read, what is missing is reported, and the smaller blocks still fit.
    for mode in "$t full" "$b full" "$t pthread_full" "$b pthread_full"; do
        # shellcheck disable=SC2086
        recorded 0 '^thread 1: how 0 status 0, ' env ${mode% *} "$m" -n 2 ${mode#* }
        grep -Eq '^upc thread [01] of 2: the recording is incomplete: File too large; for this thread it lacks [0-9]+ events of the trace$' "$build/err" ||
            fail "$mode without room: $(cat "$build/err")"
    done
    grep -q 'profile 4 nodes 400002 events' "$build/out" || fail "no profile without room for the trace: $(cat "$build/out")"
    mkfifo "$build/pipe"
    ends 0 "cannot write $build/pipe: it is neither a regular file nor /dev/null; nothing is measured" \
        env UPC_TOOL=measure UPC_MEASURE_FILE="$build/pipe" "$m" -n 2 locks
    ends 0 '' env UPC_TOOL=measure UPC_MEASURE_FILE=/dev/null "$m" -n 2 locks
    ends 1 'cannot be measured: give profile' env UPC_TOOL=measure UPC_MEASURE=all "$m" locks
    ends 1 'there is no counter .x.; the counters are task-clock' env UPC_TOOL=measure UPC_MEASURE_COUNTERS=x "$m" locks
    ends 0 'cannot write /no/where: No such file or directory; nothing is measured' env UPC_TOOL=measure UPC_MEASURE_FILE=/no/where "$m" -n 2 locks
    env UPC_TOOL=measure UPC_MEASURE_FILE="$build/own%" "$m" -n 2 locks && "$build/recording" "$build/own1" | grep -q '^thread 1: how 0' || fail "a file for each thread"
}

# pthreads_of PROGRAM: what several pthreads of a thread raise is counted exactly, whether they live on, come and go or are there at the end
pthreads_of() {
    m=$1
    t='UPC_MEASURE=trace' p='UPC_MEASURE=profile' b='UPC_MEASURE=both'
    hot='UPC_MEASURE_HOT=100 UPC_MEASURE_SAMPLE=10'
    for mode in $t $b "$b UPC_MEASURE_BUFFER=4K"; do
        recorded 0 '^thread 1: how 0 status 0, trace 45359 starts 45359 ends 15000 atomics 0 open 5 deep.* 12 pthreads,.* raised 105712,' \
            env $mode "$m" -n 2 pthreads 4 3
        recorded 0 'trace 16002 starts 16002 ends .* 3 pthreads,.* control 16000$' env $mode "$m" -n 2 pool 3
    done
    for mode in $p $b "$p $hot" "$b $hot"; do
        recorded 0 '^thread 1: how 0 status 0, .* profile 22 nodes 60359 events 121200 bytes,.* raised 105712,' env $mode "$m" -n 2 pthreads 4 3
        recorded 0 'profile 6 nodes 24002 events 96000 bytes,.* raised 72004,.* control 24000$' env $mode "$m" pool 5
    done
    # More than there is room for at a time, one after the other.
    recorded 0 'profile 22 nodes 1810652 events .* 300 pthreads,.* raised 3171154,' env $p "$m" pthreads 2 150
    # In whatever moment the program ends.
    for mode in $t $p $b; do
        recorded 0 '^thread 1: how 0 ' env $mode "$m" -n 2 interrupted 0
        recorded 139 ': how 2 status 11,' env $mode "$m" -n 2 interrupted 1
        recorded 137 ': how 2 status 9, .* salvaged 1,' env $mode "$m" -n 2 interrupted 2
        recorded 6 '^thread 1: how 1 status 6,' env $mode "$m" -n 2 interrupted 3
    done
}

# The same plain, and with the parts that know of pthreads under ThreadSanitizer.
measured_pthreads() {
    cc=$1
    $cc -std=gnu11 -O1 $warnings -I"$root/src" "$tests/recording.c" "$root/src/tools/measure/crc.c" -o "$build/recording" || fail "recording.c"
    program "$cc" "$cc-packed" measure measure.c -O1 -g1
    pthreads_of "$build/measure"
    # Compilers come without the library of the sanitizer on some systems.
    echo 'int main(void) { return 0; }' >"$build/sanitizes.c"
    $cc -fsanitize=thread "$build/sanitizes.c" -o "$build/sanitizes" 2>"$build/err" || { echo "not run: $cc has no ThreadSanitizer here"; return; }
    parts=
    for source in "$root"/src/gasp/*.c "$root"/src/tools/*.c "$root"/src/tools/measure/*.c "$root"/src/tools/dump/*.c; do
        part=$build/$(basename "$(dirname "$source")")-$(basename "$source" .c).o
        $cc -std=gnu11 -O1 -g1 -fsanitize=thread -I"$root/src" -I"$root/include" -c "$source" -o "$part" || fail "$cc -fsanitize=thread $source"
        parts="$parts $part"
    done
    # shellcheck disable=SC2086
    $cc -std=gnu11 -O1 -g1 -fsanitize=thread -I"$root/include" "$tests/measure.c" $parts -Wl,--wrap=main "$libraries/$cc-packed/libupcr.a" \
        -o "$build/sanitized" || fail "a program under ThreadSanitizer"
    # Where the system's addresses are not to its liking it cannot run.
    timeout 60 "$build/sanitized" -n 1 -shared-heap 64MB locks 2>"$build/err" || { echo "no ThreadSanitizer here: $(head -1 "$build/err")"; return; }
    for mode in trace profile both; do
        for what in "pthreads 4 2" "pool 3"; do
            # shellcheck disable=SC2086
            good env UPC_TOOL=measure UPC_MEASURE=$mode UPC_MEASURE_HOT=100 UPC_MEASURE_FILE="$build/s" "$build/sanitized" -n 1 -shared-heap 64MB $what
        done
    done
    good env UPC_TOOL=dump GASP_DUMPFILE="$build/dump.%" "$build/sanitized" -n 1 -shared-heap 64MB pthreads 4 2
    grep -Evq '^0/1 [0-9.]+> \[.*\] .* \{.* \}$' "$build/dump.0" && fail "dump: torn lines: $(grep -Ev '^0/1 .*\}$' "$build/dump.0" | head -3)"
    lines=$(grep -c ' tick ATOMIC' "$build/dump.0")
    [ "$lines" -eq 10000 ] || fail "dump: $lines lines of 10000"
}

# prints THREADS PROGRAM [EXPECTED]: the tool in it prints on thread 0 what tests/events.expected has, or that file of tests
prints() {
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
    for form in $(forms); do
        flag=
        [ $form = packed ] || flag=-DUPCR_PTS_STRUCT
        for optimize in -O0 "-O2 -fPIE"; do
            program "$cc" "$cc-$form" events "events.c events_tool.c" $optimize $flag -I"$root/src"
            prints 2 "$build/events"
        done
    done
    good "$build/events" -n 1 +fork
    program "$cc" "$cc-packed-remote" events "events.c events_tool.c" -O1 -DUPCR_REMOTE -I"$root/src"
    UPC_PSHM_WIDTH=1
    export UPC_PSHM_WIDTH
    # Transfers between threads apart are under way for a while, and known by their handles.
    prints 2 "$build/events" events_apart.expected
    unset UPC_PSHM_WIDTH
    program "$cc" "$cc-packed" events "events.c events_tool.c" -O1 -I"$root/src" -DNO_VA
    prints 2 "$build/events"
    nm "$build/events" | grep -q upcr_gasp_dummies || fail "a tool that is not whole gets no help"

    common="-std=gnu11 $warnings -g1 -O1 -I$root/include -I$root/src"
    $cc $common -c "$tests/events.c" -o "$build/events.o" || fail "$cc events.c"
    $cc $common -c "$tests/events_tool.c" -o "$build/tool.o" || fail "$cc events_tool.c"
    rm -f "$build/libtool.a"
    ar rcs "$build/libtool.a" "$build/tool.o"
    $cc "$build/events.o" "$build/libtool.a" -Wl,--wrap=main "$libraries/$cc-packed/libupcr.a" -o "$build/events" || fail "a tool in a library"
    prints 2 "$build/events"
    nm "$build/events" | grep -q upcr_gasp_dummies && fail "dummies are linked beside a whole tool"

    $cc "$build/events.o" -Wl,--wrap=main "$libraries/$cc-packed/libupcr.a" -o "$build/events" || fail "no tool"
    timeout 20 "$build/events" -n 2
    [ $? -eq 6 ] || fail "events without a tool"
    ends 1 "UPC_TOOL: there is no tool 'some'" env UPC_TOOL=some "$build/events" -n 2

    $cc $common -c "$tests/events_bundled.c" -o "$build/bundled.o" || fail "$cc events_bundled.c"
    $cc "$build/events.o" "$build/bundled.o" -Wl,--wrap=main "$libraries/$cc-packed/libupcr.a" -o "$build/events" || fail "a bundled tool"
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
}
