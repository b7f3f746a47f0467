# Finds the compiler, the launcher and the headers for C by pkg-config.
set -e
mkdir pkgconfig
upcc --print-pkg-config > pkgconfig/upcc.pc
export PKG_CONFIG_PATH="$PWD/pkgconfig"
pkg-config --validate upcc
pkg-config --atleast-version=0.1 upcc
upc=$(pkg-config --variable=upcc upcc)
run=$(pkg-config --variable=upcrun upcc)
$UPCC_CC $(pkg-config --cflags upcc) -c spin.c
"$upc" main.upc spin.o $(pkg-config --libs upcc) -o main
"$run" -n 3 ./main
