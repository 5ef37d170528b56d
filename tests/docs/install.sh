# An installed copy serves a stranger: the README's C program compiles against it through pkg-config
# (shared and static) and through the CMake package, runs, and prints what the README says.
set -euo pipefail
build=$2 source=$3
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
if grep -q 'CAROM_SANITIZE:STRING=.\+' "$build/CMakeCache.txt"; then
    echo "skipped: a sanitizer build is not installed; 1 passed, 0 failed"
    exit 0
fi
compiler=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")
cmake --install "$build" --prefix "$work/usr" > "$work/install.log"
awk '/^```c$/ {on = 1; next} /^```$/ {on = 0} on' "$source/README.md" > "$work/program.c"
test -s "$work/program.c"

export PKG_CONFIG_PATH=$(dirname "$(find "$work/usr" -name carom.pc)")
libdir=$(dirname "$PKG_CONFIG_PATH")
mv "$work/usr" "$work/elsewhere" # a tree that is moved stays whole
export PKG_CONFIG_PATH=${PKG_CONFIG_PATH/$work\/usr/$work\/elsewhere} libdir=${libdir/$work\/usr/$work\/elsewhere}
"$compiler" -std=c17 -Wall -Werror "$work/program.c" $(pkg-config --cflags --libs carom) -o "$work/shared"
"$compiler" -std=c17 -Wall -Werror "$work/program.c" $(pkg-config --cflags carom) "$libdir/libcarom.a" \
    $(pkg-config --static --libs carom | sed 's/-lcarom//') -o "$work/static"
readelf -d "$work/shared" | grep -q 'NEEDED.*libcarom.so.0' || { echo "no SONAME libcarom.so.0"; exit 1; }

mkdir "$work/project"
cp "$work/program.c" "$work/project/"
cat > "$work/project/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(stranger LANGUAGES C)
find_package(carom REQUIRED)
add_executable(program program.c)
target_link_libraries(program PRIVATE carom::shared)
CMAKE
cmake -S "$work/project" -B "$work/project/build" -DCMAKE_C_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$work/elsewhere" > "$work/cmake.log" 2>&1 || { cat "$work/cmake.log"; exit 1; }
cmake --build "$work/project/build" > "$work/cmake.log" 2>&1 || { cat "$work/cmake.log"; exit 1; }

awk '/^```text$/ {on = 1; next} /^```$/ {on = 0} on' "$source/README.md" > "$work/expected"
export LD_LIBRARY_PATH=$libdir
for program in "$work/shared" "$work/static" "$work/project/build/program"; do
    "$program" > "$work/found"
    diff "$work/expected" "$work/found" || { echo "$program prints something else than the README says"; exit 1; }
done
echo "3 passed, 0 failed"
