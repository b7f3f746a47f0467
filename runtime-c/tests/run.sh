#!/bin/sh
# Builds the runtime and its tests with every C compiler that is there and runs them: static and dynamic THREADS, both
# forms of pointers-to-shared (in a long run), 1 to 256 threads. Exit status 0 if all is well.
#
# The work is jobs, functions of run/*.sh with their arguments; each has a folder of its own.
#   run.sh [BUILD-FOLDER]                              all jobs, as many at a time as there are processors
#   run.sh -list                                       prints the jobs that test, a line each
#   run.sh -libraries BUILD-FOLDER                     builds what they link
#   run.sh -job BUILD-FOLDER FUNCTION ARGUMENTS...     does one, once the libraries are there
# Without UPCR_TESTS_LONG, only the first form of pointers-to-shared. UPCC, if it is set, is the upcc whose compiled runtime is tested; without it
# the script compiles the runtime itself.
set -u

tests=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$tests")
warnings="-Wall -Wextra -Werror"
failures=0
for part in common build memory contract ends events; do . "$tests/run/$part.sh"; done

if [ "${1-}" = -job ]; then
    libraries=$2/libraries
    shift 2
    build=$(dirname "$libraries")/$(echo "$*" | tr -c '[:alnum:]\n' _)
    mkdir -p "$build"
    # What jobs say does not mix.
    "$@" >"$build/log" 2>&1
    [ $failures -eq 0 ] || cat "$build/log" >&2
    [ $failures -eq 0 ]
    exit
fi

compilers=$(for cc in gcc clang; do command -v $cc >/dev/null && echo $cc; done)
mpi=
if command -v gcc >/dev/null && command -v mpicc >/dev/null && command -v mpirun >/dev/null; then
    mpi=yes
else
    echo "no gcc with MPI: transport mpi is not tested" >&2
fi
command -v gdb >/dev/null || echo "no gdb: waiting for a debugger is not tested" >&2

# What the others link.
builds() {
    for cc in $compilers; do
        for form in $(forms); do
            flag=
            [ $form = packed ] || flag=" -DUPCR_PTS_STRUCT"
            echo "library $cc $cc-$form$flag"
            echo "library $cc $cc-$form-remote -DUPCR_REMOTE$flag"
        done
    done
}

# Libraries of which most is in those.
over_messages() {
    [ -n "$mpi" ] || return 0
    for form in $(forms); do
        flag=
        [ $form = packed ] || flag=" -DUPCR_PTS_STRUCT"
        echo "transport_mpi mpi-$form gcc-$form-remote -DUPCR_REMOTE$flag"
    done
}

libraries() {
    builds | all && over_messages | all
}

# What takes long stands before what does not.
runs() {
    for job in contract heap_and_sync apart; do
        for cc in $compilers; do echo "$job $cc"; done
    done
    [ -z "$mpi" ] || for form in $(forms); do echo "messages $form"; done
    echo memory_orders
    for job in ends_of_jobs events cached pointers measure measured_pthreads budget message_memory data trace header_modes instructions; do
        for cc in $compilers; do echo "$job $cc"; done
    done
}

# all: the jobs on standard input, a line each, side by side
all() {
    xargs -P "$(nproc)" -L 1 sh "$tests/run.sh" -job "$build"
}

what=all
case ${1-} in
-list) runs; exit ;;
-libraries) what=libraries; shift ;;
esac

build=${1:-$(mktemp -d "${TMPDIR:-/tmp}/upcr-tests.XXXXXX")}
[ $# -gt 0 ] || trap 'rm -rf "$build"' EXIT
mkdir -p "$build"
build=$(cd "$build" && pwd)

if [ $what = libraries ]; then
    libraries
elif libraries && runs | all; then
    echo "runtime: all tests passed"
else
    echo "runtime: there are failures" >&2
    exit 1
fi
