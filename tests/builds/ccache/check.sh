# Compiles UPC through ccache: what must hit does, and what must not hit does not.
set -e
export CCACHE_DIR="$PWD/cache" CCACHE_COMPILERCHECK="%compiler% -print-settings"
unset CC

compile() { # EXPECTED COMMAND...
    expected=$1
    shift
    ccache -z > /dev/null
    rm -f count.o
    "$@"
    test -f count.o
    # ccache prints its counters as lines of a name and a number.
    hits=$(ccache --print-stats | awk '$1 == "direct_cache_hit" || $1 == "preprocessed_cache_hit" { n += $2 } END { print n }')
    misses=$(ccache --print-stats | awk '$1 == "cache_miss" { print $2 }')
    case $expected in
        hit) test "$hits $misses" = "1 0" ;;
        miss) test "$hits $misses" = "0 1" ;;
    esac || { echo "$*: expected a $expected, got $hits hits and $misses misses"; exit 1; }
}

object="-x c -c count.upc -o count.o"
compile miss ccache upcc -O $object
compile hit ccache upcc -O $object
upcc count.o -o count
test "$(upcrun -n 3 ./count)" = 5
compile hit env CCACHE_NODIRECT=1 ccache upcc -O $object
compile miss ccache upcc -O -T=4 $object
compile miss ccache upcc -O -fupc-checks $object
compile miss ccache upcc -O --inst $object
compile hit ccache upcc -O --inst $object
# Options that do not stand on the command line.
compile miss env UPCC_FLAGS=-T=2 ccache upcc -O $object
compile hit env UPCC_FLAGS=-T=2 ccache upcc -O $object
upcc count.o -o count
test "$(./count)" = 5
compile miss env UPCC_CC="$UPCC_CC -fno-plt" ccache upcc -O $object
compile hit ccache upcc -O $object
echo '#define WORD 6' > word.h
compile miss ccache upcc -O $object
compile miss ccache upcc -O -MD -MF count.d $object
rm count.d
compile hit ccache upcc -O -MD -MF count.d $object
grep -q word.h count.d
