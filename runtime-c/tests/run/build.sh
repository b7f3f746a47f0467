# Jobs: libraries, headers, the code of hot loops.

# units FOLDER SOURCES...: prints what is compiled, as the driver does (units of src/driver/runtime.rs): a file in FOLDER for each folder of
# sources, which includes them, and the sources of src/separate.list by themselves
units() {
    made=$1
    shift
    rm -rf "$made"
    mkdir -p "$made"
    for source; do
        inner=${source#"$root"/src/}
        if grep -qxF "$inner" "$root/src/separate.list"; then
            echo "$source"
            continue
        fi
        case $inner in
        */*) name=$(echo "${inner%/*}" | tr / _) ;;
        *) name=upcr ;;
        esac
        echo "#include \"$inner\"" >>"$made/$name.c"
    done
    ls -d "$made"/*.c
}

# objects NAME COMPILER SOURCES FLAGS...: compiles into the folder of the library NAME
objects() {
    name=$1 compiler=$2 sources=$3
    shift 3
    for unit in $(units "$libraries/$name/units" $sources); do
        object=$libraries/$name/$(basename "$unit").o
        $compiler -O2 -std=gnu11 -fvisibility=hidden $warnings "$@" -I"$root/include" -I"$root/src" -c "$unit" -o "$object" || { fail "$compiler $unit"; return 1; }
    done
}

# from_upcc NAME CC OPTIONS...: the library NAME is the one that $UPCC builds into its cache, where the suites that compile UPC programs use it
# as well. UPCC_VALIDATE lets no warning of the C compiler pass there.
from_upcc() {
    name=$1 cc=$2
    shift 2
    mkdir -p "$libraries/$name"
    echo 'int main(void) { return 0; }' >"$libraries/$name/main.upc"
    UPCC_CC=$cc UPCC_NORC=1 UPCC_VALIDATE=1 "$UPCC" -v "$@" "$libraries/$name/main.upc" -o "$libraries/$name/main" >"$libraries/$name/log" 2>&1 ||
        { fail "$cc $*"; cat "$libraries/$name/log" >&2; return 1; }
    ln -sf "$(grep -o '[^ ]*/libupcr\.a' "$libraries/$name/log" | head -1)" "$libraries/$name/libupcr.a"
}

# library CC NAME FLAGS...: $libraries/NAME/libupcr.a with the transport smp, and without the sources for memory that is not mapped if the
# flags lack UPCR_REMOTE
library() {
    cc=$1 name=$2 orders=
    shift 2
    if [ -n "${UPCC-}" ]; then
        options=
        case $* in *UPCR_REMOTE*) options="$options -pshm-width=1" ;; esac
        case $* in *UPCR_PTS_STRUCT*) options="$options -fupc-pts=struct" ;; esac
        from_upcc "$name" "$cc" $options
        return
    fi
    # Operators on atomic objects are sequentially consistent without saying so.
    [ "$cc" != clang ] || orders=-Watomic-implicit-seq-cst
    sources=$(find "$root/src" -name '*.c' -not -path "*/transport/messages/*" -not -path "*/transport/mpi/*" -not -path "*/transport/ucx/*" | sort)
    case "$*" in
    *UPCR_REMOTE*) ;;
    *) sources=$(echo "$sources" | grep -v "^$root/src/\(cache\|remote\)/") ;;
    esac
    rm -rf "${libraries:?}/$name"
    objects "$name" "$cc" "$sources" $orders "$@" && ar rcs "$libraries/$name/libupcr.a" "$libraries/$name"/*.o
}

# transport_mpi NAME OTHER FLAGS...: the library OTHER of gcc, which has the transport smp and the same flags, with the transport mpi in its place.
# The sources outside of transports are the same for all of them, so their objects are, too.
transport_mpi() {
    name=$1 other=$2
    shift 2
    if [ -n "${UPCC-}" ]; then
        options=-network=mpi
        case $* in *UPCR_PTS_STRUCT*) options="$options -fupc-pts=struct" ;; esac
        from_upcc "$name" gcc $options
        return
    fi
    rm -rf "${libraries:?}/$name"
    objects "$name" mpicc "$(find "$root/src/transport/messages" "$root/src/transport/mpi" -name '*.c' | sort)" "$@" || return
    ar rcs "$libraries/$name/libupcr.a" "$libraries/$name"/*.o $(ls "$libraries/$other"/*.o | grep -v /transport_smp.c.o)
}

# Every atomic operation names its memory order; what operators do, only clang finds (see library).
memory_orders() {
    grep -rnE '\<atomic_(load|store|exchange|fetch_[a-z]+|compare_exchange_[a-z]+|flag_[a-z_]+)\(' "$root/src" "$root/include" &&
        fail "atomic operations without a memory order"
    command -v mpicc >/dev/null && command -v clang >/dev/null || return 0
    for source in "$root"/src/transport/messages/*.c "$root"/src/transport/mpi/*.c; do
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
    languages="c c++"
    if ! echo | $cc -x c++ -fsyntax-only - 2>/dev/null; then
        echo "$cc: C++ is not installed, so the headers of tools are compiled as C only"
        languages=c
    fi
    for header in gasp.h gasp_upc.h pupc.h; do
        for language in $languages; do
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
