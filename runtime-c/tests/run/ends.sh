# Jobs: a job's options and ends, and what is said of them.

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
    nm "$e" | grep -i 'gasp\|pupc\|upcr_inst' && fail "a program without instrumentation has symbols of events"
    ends 139 '^upc thread 2 of 3: [^ ]*ends\.c:[0-9]+ \(end_null\): killed by SIGSEGV at address 0x[0-9a-f]+ \(a null pointer-to-shared plus an index or member: thread 0, address 0x190\)$' "$e" -n 3 null
    ends 139 'SIGSEGV at address 0x[0-9a-f]+ \(a null pointer-to-shared plus a negative index: thread 2, address -0x4\)$' "$e" -n 3 null_below
    ends 139 'SIGSEGV at address 0x[0-9a-f]+ \(in front of shared array `blocked`, where a negative index leads\)$' "$e" -n 3 negative_index
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
    ends 1 'upc_free: .* does not point to allocated space' "$e" -n 3 bad_free
    ends 1 'upc thread 2 .*already holds' "$e" -n 3 relock
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
    timeout 20 "$e" -n 3 deadlock 2>"$build/err"
    [ $? -eq 1 ] || fail "deadlock: the job does not end by itself"
    shows '^no thread can continue: .*the job is ended'
    UPC_FREEZE_ON_ERROR=1 UPC_TIMEOUT=4 timeout 20 "$e" -n 3 deadlock 2>"$build/err"
    [ $? -eq 124 ] || fail "deadlock: the job does not stay for a debugger"
    shows '^no thread can continue: .*the job waits for a debugger .gdb -p [0-9]* is thread 0.'
    lock="waits in upc_lock for the lock allocated at $at \(end_deadlock\), held by thread 1, which took it at $at \(end_deadlock\)$"
    shows '^no thread can continue' "^upc thread 0 of 3: $at \(end_deadlock\): $lock" \
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
    command -v gdb >/dev/null || return 0
    e=$build/ends
    thaws '^upc thread 1 of 3: process [0-9]* waits for a debugger' env UPC_FREEZE=1 "$e" -n 3 count || fail "UPC_FREEZE: status"
    [ "$(wc -l <"$build/out")" -eq 3 ] || fail "UPC_FREEZE: the program does not go on"
    thaws 'waits for a debugger before it starts' env UPC_FREEZE_EARLY=1 "$e" -n 3 count || fail "UPC_FREEZE_EARLY: status"
    thaws 'SIGSEGV.*waits for a debugger at this error' env UPC_FREEZE_ON_ERROR=1 "$e" -n 3 segv
    [ $? -eq 139 ] || fail "UPC_FREEZE_ON_ERROR: status of a crash"
    thaws 'waits for a debugger at this error' env UPC_FREEZE_ON_ERROR=1 "$e" -n 3 double_free
    [ $? -eq 1 ] || fail "UPC_FREEZE_ON_ERROR: status of an error"
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
    program "$cc" "$cc-packed" placement placement.c -O1 -I"$root/src"
    good "$build/placement"
    program "$cc" "$cc-packed" cgroup cgroup.c -O1 -I"$root/src"
    good "$build/cgroup"
    program "$cc" "$cc-packed" launchers launchers.c -O1 -I"$root/src"
    good "$build/launchers"
    program "$cc" "$cc-packed" wire_files wire_files.c -O1 -I"$root/src"
    good "$build/wire_files"
    ends 0 '' env UPC_BIND_THREADS=1 "$e" -n 1 bound
    ends 0 'bind-threads: 256 threads on [0-9]+ processors?: some share one' env UPC_BIND_THREADS=1 "$e" -n 256 -heap 1M bound
    ends 0 '' env UPC_BIND_THREADS=1 UPC_QUIET=1 "$e" -n 256 -heap 1M bound
    counts 3 env UPC_BIND_THREADS=domain "$e" -n 3 count
    ends 0 '^ends: thread 0 of 1: on .*, processors? [0-9]' env UPC_SHOW_PLACEMENT=only "$e" -n 1 segv
    ends 0 '' env UPC_STACK_SIZE=256M "$e" -n 2 deep
    ends 0 '' env UPC_QUIET=1 "$e" -n 3 -heap 64M exhausted
    ends 0 '' env UPC_NO_WARN=1 "$e" -n 3 -heap 64M exhausted
    ends 134 'was freed before' env -C "$build" UPC_ABORT=1 "$e" -n 3 double_free
    # A core file, where the system writes it here, has no shared memory in it that nobody uses.
    for core in "$build"/core*; do
        [ ! -f "$core" ] || [ "$(du -k "$core" | cut -f1)" -lt 100000 ] || fail "$core: $(du -k "$core" | cut -f1) KB"
        rm -f "$core"
    done
    ends 1 "is not a thread" env UPC_FREEZE=some "$e" count
    ends 1 "is not a number of seconds" env UPC_TIMEOUT=-1 "$e" count
    ends 1 "is not a number of threads" "$e" -n x count
    ends 1 "is not a size" "$e" -heap 10Q count
    ends 1 "is not a size" env UPC_SHARED_HEAP_SIZE=lots "$e" count
    ends 1 'more than pointers-to-shared can represent \(1024\)' "$e" -n 2000 count
    ends 1 'do not fit packed pointers-to-shared' "$e" -heap 20G count
    program "$cc" "$cc-packed" ends4 ends.c -O1 -Wno-infinite-recursion -Wno-unknown-warning-option -DUPCR_STATIC_THREADS=4
    counts 4 "$build/ends4" count
    counts 4 "$build/ends4" -n 4 count
    ends 1 'compiled for 4 threads and cannot run with 3' "$build/ends4" -n 3 count
    echo '#include "upcr/upcr.h"
UPCR_PROGRAM_THREADS(8);' >"$build/other.c"
    $cc -I"$root/include" -DUPCR_STATIC_THREADS=4 "$tests/ends.c" "$build/other.c" -w -Wl,--wrap=main "$libraries/$cc-packed/libupcr.a" -o "$build/mixed"
    ends 1 'compiled for 4 threads, others for 8|compiled for 8 threads, others for 4' "$build/mixed" count
    echo 'const char upcr_linked_heap[] = "80";' >"$build/other.c"
    $cc -I"$root/include" "$tests/ends.c" "$build/other.c" -w -Wl,--wrap=main "$libraries/$cc-packed/libupcr.a" -o "$build/heap80"
    ends 0 'of the 80 MB' "$build/heap80" exhausted
    ends 0 'of the 64 MB' "$build/heap80" -heap 64M exhausted
    $cc -I"$root/include" -DUPCR_PTS_STRUCT "$tests/ends.c" -w -Wl,--wrap=main "$libraries/$cc-packed/libupcr.a" -o "$build/mixed"
    ends 1 'another form of pointers-to-shared' "$build/mixed" count
}

# limited LIMIT COMMAND...: the same under a limit of the shell's
limited() {
    limit=$1
    shift
    (ulimit $limit && exec "$@")
}

# Under limits of addresses and of files a default heap is as large as fits, and one that does not fit is refused with the way out.
limits() {
    e=$build/ends
    for limit in "-v 8000000" "-v 1000000" "-v 100000" "-f 100000" "-f 20000"; do
        [ "$(limited "$limit" "$e" -n 4 count)" = "$(printf '4\n4\n4\n4')" ] || fail "ulimit $limit: a default heap does not fit"
    done
    [ "$(limited "-v 4000000" "$e" -n 4 -heap 16M count | head -1)" = 4 ] || fail "ulimit -v: 64 MB of heaps do not fit"
    (ulimit -v 4000000 && ends 1 'the address space of a process is limited to 4000000 KB \(ulimit -v\).*raise that limit.*smaller shared heap' "$e" -n 4 -heap 2G count
        exit $failures) || failures=$((failures + 1))
    (ulimit -f 100000 && ends 1 'a file is limited to [0-9]+ KB \(ulimit -f\).*raise that limit.*smaller shared heap' "$e" -n 4 -heap 64M count
        exit $failures) || failures=$((failures + 1))
    # Null pointers-to-shared stay without access where the addresses between segments are not reserved.
    (ulimit -v 4000000 && ends 139 'a null pointer-to-shared plus an index or member: .*\)$' "$e" -n 3 -heap 64M null
        exit $failures) || failures=$((failures + 1))
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

# All about one program.
ends_of_jobs() {
    all_ends "$1"
    places
    options "$1"
    limits
    no_orphans
    debugger
}
