# Builds and tests the project, then changes a header.
set -e
export CC="$UPCC_CC"
meson setup build
ninja -C build
meson test -C build
ninja -C build | grep -q "no work to do"
sed -i 's/morning/evening/' greeting.h
ninja -C build | grep -q "Generating hello"
upcrun -n 2 build/hello | grep -qx "good evening, 2 threads"
