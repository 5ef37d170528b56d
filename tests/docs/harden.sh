# A sample of `make harden`: damaged files, a kill, scenes that ask too much, and calls that fail. Called with the command,
# the build folder and the source folder.
if grep -q 'CAROM_SANITIZE:STRING=.\+' "$2/CMakeCache.txt"; then
    echo "skipped: a sanitizer has its own memory"
    exit 0
fi
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
build=$(cd "$2" && pwd)
"$3/tools/harden" damage --share 0.0006 --state "$work/state" --build "$build" > "$work/out" &&
    "$3/tools/harden" kill --share 0.002 --state "$work/state" --build "$build" > "$work/out" &&
    "$3/tools/harden" scenes --share 0.1 --only world --state "$work/state" --build "$build" > "$work/out" &&
    "$3/tools/harden" scenes --share 0.05 --only mesh --state "$work/state" --build "$build" > "$work/out" &&
    "$3/tools/harden" fault --share 0.003 --state "$work/state" --build "$build" > "$work/out" &&
    "$3/tools/harden" fault --share 0.05 --only laws --only info --state "$work/said" --build "$build" > "$work/out" &&
    "$3/tools/harden" fault --share 0.0556 --only check-run --state "$work/once" --build "$build" > "$work/out" &&
    "$3/tools/harden" fault --share 0.0476 --only pieces --state "$work/folder" --build "$build" > "$work/out" &&
    "$3/tools/harden" fault --share 0.0213 --only space --state "$work/proof" --build "$build" > "$work/out" &&
    "$3/tools/harden" fault --share 0.34 --only resume --only export-glb --state "$work/all" --build "$build" > "$work/out"
code=$?
[ $code = 0 ] || for words in "$work"/*/found/*/words; do echo "== $words"; cat "$words"; done
tail -n 1 "$work/out"
exit $code
