# Builds and tests the project in each way that CMake finds upcc, then changes a header.
set -e
export CC="$UPCC_CC" CXX=
modules=$(upcc --print-cmake-dir)

configure() { # FOLDER OPTIONS...
    folder=$1
    shift
    cmake -S . -B "$folder" "$@"
    cmake --build "$folder"
    (cd "$folder" && ctest --output-on-failure)
}

prints() { # TEXT COMMAND...
    text=$1
    shift
    "$@" | grep -q "$text" || { echo "$*: does not print $text"; exit 1; }
}

configure make -G "Unix Makefiles" -DCMAKE_MODULE_PATH="$modules"
prints "2 threads, 7 stars each, dynamic" upcrun -n 2 make/stars
cmake --install make --prefix installed
prints "2 threads, 7 stars each, dynamic" upcrun -n 2 installed/bin/stars

configure ninja -G Ninja -DUPC_DIR="$modules" -DCMAKE_BUILD_TYPE=Debug
prints "3 threads, 7 stars each, static" ninja/fixed

# The header is a dependency of two .upc files and of nothing else.
sed -i 's/STARS 7/STARS 9/' sky.h
for folder in make ninja; do
    cmake --build $folder > log
    for file in stars.upc sky.upc; do
        grep -q "Building UPC object.*$file" log || { echo "$folder: $file is not compiled again"; exit 1; }
    done
    ! grep "scale.c" log || { echo "$folder: scale.c is compiled again"; exit 1; }
    prints "3 threads, 9 stars each, static" $folder/fixed
    cmake --build $folder > log
    ! grep Building log || { echo "$folder: a second build compiles again"; exit 1; }
done

# UPC as a language of project(), from the build's module path.
sed -i 's/project(stars C)/project(stars LANGUAGES C UPC)/; /enable_language/d' CMakeLists.txt
cmake -S . -B project -G "Unix Makefiles" -DCMAKE_MODULE_PATH="$modules" -DUPC_THREADS=4
cmake --build project
prints "4 threads, 9 stars each, static" project/stars
prints "3 threads, 9 stars each, static" project/fixed

# A program in front of the compiler, as ccache is: for .upc files, and with -x c, without which ccache does not know them.
cat > launch <<'END'
#!/bin/sh
echo "$@" >> "$LAUNCHED"
exec "$@"
END
chmod +x launch
export LAUNCHED="$PWD/launched"
cmake -S . -B launched-build -DCMAKE_MODULE_PATH="$modules" -DCMAKE_UPC_COMPILER_LAUNCHER="$PWD/launch"
cmake --build launched-build
for file in stars.upc sky.upc; do
    grep -q "upcc .*-x c .*-c .*$file" launched || { echo "$file: compiled without the launcher"; exit 1; }
done
! grep "scale.c" launched || { echo "scale.c: compiled with the launcher of UPC"; exit 1; }
