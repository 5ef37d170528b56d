#!/usr/bin/env bash
# The scenes by which other engines are compared, at full size with all defaults: each ends by itself within half an hour
# of processor time, keeps the promises of the law (exit code 0) and leaves a file that can be read. One is known to break
# GAP (docs/world.md) and has to say so. Usage: bench_scenes.sh CAROM BUILD SOURCE
set -u
carom=$1 source=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
for scene in "$source"/scenes/world/bench-*.json; do
    name=$(basename "$scene" .json)
    (ulimit -t 1800 && exec "$carom" run "$scene" --out "$work/$name.carom" --profile) > "$work/$name.txt" 2>&1
    code=$?
    if [ "$name" = bench-spinner ]; then
        if [ $code -ne 1 ] || ! grep -q '^GAP BROKEN' "$work/$name.txt"; then
            echo "FAILED: $name ends with exit code $code: docs/world.md says that it breaks GAP"
            failed=1
        fi
    elif [ $code -ne 0 ] || ! "$carom" check "$work/$name.carom" > /dev/null; then
        echo "FAILED: $name ends with exit code $code"
        cat "$work/$name.txt"
        failed=1
    else
        echo "$name: $(grep '^profile' "$work/$name.txt")"
    fi
    rm -f "$work/$name.carom"
done
exit $failed
