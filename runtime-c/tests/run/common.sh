# What all jobs use. Of run.sh: $tests, $root; of the job: $libraries, its own folder $build.

fail() {
    echo "FAILED: $*" >&2
    failures=$((failures + 1))
}

# forms: the forms of pointers-to-shared that are tested. Only a long run takes the second form, because its libraries and programs
# double the time of a job; the suites that compile UPC programs have it as well.
forms() {
    echo packed
    [ -z "${UPCR_TESTS_LONG-}" ] || echo struct
}

# program CC LIBRARY OUTPUT SOURCES FLAGS...
program() {
    cc=$1 library=$2 output=$build/$3 sources=
    for source in $4; do sources="$sources $tests/$source"; done
    shift 4
    $cc -std=gnu11 $warnings "$@" -I"$root/include" $sources -Wl,--wrap=main "$libraries/$library/libupcr.a" -o "$output" ||
        fail "$cc $*: $sources"
}

# Seconds after which a program hangs: on a machine that others use as well, messages take a hundred times as long as alone.
patience=240

# good COMMAND...: must end with status 0 within that time
good() {
    timeout $patience "$@" >"$build/out" 2>&1 || { fail "$*: status $?"; cat "$build/out" >&2; }
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
