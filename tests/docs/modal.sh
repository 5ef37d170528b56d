# Vibration modes: the manual's example compiles and prints what it should.
set -euo pipefail
build=$2 source=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "modal.sh: $*"; exit 1; }

awk '/^```c$/ {on = 1; next} /^```$/ {on = 0} on' "$source/docs/modal.md" > "$work/example.c"
compiler=$(sed -n 's/^CMAKE_C_COMPILER:[^=]*=//p' "$build/CMakeCache.txt")
flags=$(sed -n 's/^CAROM_SANITIZE:STRING=\(..*\)/-fsanitize=\1/p' "$build/CMakeCache.txt")
"$compiler" -std=c17 $flags -I"$source/include" "$work/example.c" \
    -Wl,--start-group "$build/libcarom-models.a" "$build/libcarom.a" "$build/libcarom_common_static.a" -Wl,--end-group \
    -lgmp -lqhull_r -lm -pthread -o "$work/example"
"$work/example" > "$work/printed"
# a steel bar of 200 x 10 x 10 mm hit on its axis: w is 1/m, m = 7850 * 2e-5 kg
grep -q "w = 6.3694 /kg" "$work/printed" || fail "the example prints $(cat "$work/printed")"
echo "the example of docs/modal.md runs"
