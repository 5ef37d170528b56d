#!/usr/bin/env bash
# Shaken layers: the scenes are those that tools/patterns writes, and `carom pattern` reads their runs. Called with the
# command, the build folder and the source folder.
set -uo pipefail
carom=$(realpath "$1") source=$(realpath "$3")
work=$(mktemp -d) && cd "$work" || exit 1
trap 'rm -rf "$work"' EXIT
. "$source/tests/support/claims.sh"

while read -r kind side file steps; do
    "$source/tools/patterns" "$kind" "$side" ${steps:-} > scene.json
    is "$file is what tools/patterns $kind $side writes" cmp scene.json "$source/scenes/world/$file.json"
done <<< "stripes 100 patterns
squares 100 patterns-squares-full
hexagons 100 patterns-hexagons-full
squares 60 patterns-squares 352
stripes 60 patterns-stripes
hexagons 60 patterns-hexagons 250"
ends 2 "an unknown kind is refused" "$source/tools/patterns" circles 10

CYCLES=3 "$source/tools/patterns" stripes 10 54 > small.json
ends 0 "600 grains over three cycles" "$carom" run small.json --out small.carom --quiet
ends 0 "the last frame" "$carom" pattern small.carom
is "is the third cycle" grep -q "^frame 3 of 4, 0.0648 s" out
ends 0 "a line per frame" "$carom" pattern small.carom --list --last 2
is "and a heading" test "$(wc -l < out)" = 5
ends 0 "JSON and a picture" "$carom" pattern small.carom --last 3 --json --svg small.svg
is "with numbers" grep -q '"wavelength"' out
is "with both parts" grep -q "spectrum" small.svg
BIZON=1 CYCLES=1 "$source/tools/patterns" stripes 6 54 > bizon.json
ends 0 "the set-up of Bizon et al." "$carom" run bizon.json --no-file --quiet
is "four walls at rest" test "$(grep -c '"kind": "fixed"' bizon.json)" = 4
is "tangential restitution and a spread" grep -q '"tangential_restitution": 0.35' bizon.json
is "of one per cent" grep -q '"spread": 0.01' bizon.json
ends 0 "the wavelength by a plain transform" "$carom" pattern small.carom --last 3 --json
is "in JSON" grep -q '"box_wavelength"' out
ends 2 "a frame that is not there" "$carom" pattern small.carom --frame 4
ends 2 "nor one before the first" "$carom" pattern small.carom --frame -5
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
