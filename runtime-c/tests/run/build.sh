# Jobs: libraries, headers, the code of hot loops.

# library CC NAME LEFT-OUT FLAGS...: $libraries/NAME/libupcr.a, without the transport LEFT-OUT, and without the sources for memory
# that is not mapped if the flags lack UPCR_REMOTE
library() {
    cc=$1 name=$2 left_out=$3
    shift 3
    mkdir -p "$libraries/$name"
    objects= orders=
    # Operators on atomic objects are sequentially consistent without saying so.
    [ "$cc" != clang ] || orders=-Watomic-implicit-seq-cst
    case "$*" in
    *UPCR_REMOTE*) sources=$(find "$root/src" -name '*.c' -not -path "*/transport/$left_out/*") ;;
    *) sources=$(find "$root/src" -name '*.c' -not -path "*/transport/$left_out/*" -not -path "$root/src/cache/*" -not -path "$root/src/remote/*") ;;
    esac
    for source in $sources; do
        object=$(object_of $name "$source")
        $cc -O2 -std=gnu11 -fvisibility=hidden $warnings $orders "$@" -I"$root/include" -I"$root/src" -c "$source" -o "$object" || { fail "$cc $source"; return; }
        objects="$objects $object"
    done
    archive $name $objects
}

# object_of NAME SOURCE: the object of that library
object_of() {
    echo "$libraries/$1/$(echo "${2#"$root"/src/}" | tr / _).o"
}

# archive NAME OBJECTS...
archive() {
    name=$1
    shift
    # An archive of an earlier run may have members whose sources are gone.
    rm -f "$libraries/$name/libupcr.a"
    ar rcs "$libraries/$name/libupcr.a" "$@"
}

# transport_mpi NAME OTHER FLAGS...: the library OTHER of gcc, which has the transport smp and the same flags, with the transport mpi in its place.
# The sources outside of transports are the same for all of them, so their objects are, too.
transport_mpi() {
    name=$1 other=$2
    shift 2
    mkdir -p "$libraries/$name"
    objects=
    for source in $(find "$root/src" -name '*.c' -not -path "*/transport/smp/*" -not -path "*/transport/mpi/*"); do
        objects="$objects $(object_of $other "$source")"
    done
    for source in "$root"/src/transport/mpi/*.c; do
        object=$(object_of $name "$source")
        mpicc -O2 -std=gnu11 -fvisibility=hidden $warnings "$@" -I"$root/include" -I"$root/src" -c "$source" -o "$object" || { fail "mpicc $source"; return; }
        objects="$objects $object"
    done
    archive $name $objects
}

# Every atomic operation names its memory order; what operators do, only clang finds (see library).
memory_orders() {
    grep -rnE '\<atomic_(load|store|exchange|fetch_[a-z]+|compare_exchange_[a-z]+|flag_[a-z_]+)\(' "$root/src" "$root/include" &&
        fail "atomic operations without a memory order"
    command -v mpicc >/dev/null && command -v clang >/dev/null || return 0
    for source in "$root"/src/transport/mpi/*.c; do
        OMPI_CC=clang MPICH_CC=clang mpicc -std=gnu11 -Qunused-arguments -Werror=atomic-implicit-seq-cst -DUPCR_REMOTE \
            -I"$root/include" -I"$root/src" -fsyntax-only "$source" || fail "clang: $source"
    done
}

header_modes() {
    cc=$1
    for std in gnu89 gnu99 gnu11 gnu17; do
        for flags in "" -DUPCR_REMOTE "-DUPCR_REMOTE -DUPCR_INST" -DUPCR_PTS_STRUCT -DUPCR_STATIC_THREADS=8 "-DUPCR_PHASE_BITS=8 -DUPCR_THREAD_BITS=16" -DUPCR_INST \
            "-DUPCR_INST -DUPCR_CHECKS -DUPCR_PTS_STRUCT" "-DUPCR_CHECKS -DUPCR_RACES" "-DUPCR_CHECKS -DUPCR_RACES -DUPCR_REMOTE -DUPCR_INST"; do
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
