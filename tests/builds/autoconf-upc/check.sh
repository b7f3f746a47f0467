# Configures with AC_PROG_UPC, builds and runs; then with a compiler that is none.
set -e
export CC="$UPCC_CC"
autoreconf -fi -I "$(upcc --print-aclocal-dir)"
./configure UPCFLAGS=-O
make check
if ./configure UPC=true > log 2>&1; then
    echo "configure accepts UPC=true"
    exit 1
fi
grep -q "true does not make UPC programs; see config.log" log
