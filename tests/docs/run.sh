#!/usr/bin/env bash
# Running scenes from the command line: files are never lost, whatever stops a run, and every refusal says what,
# where and how to fix it. Called with the command, the build folder and the source folder.
set -uo pipefail
carom=$(realpath "$1") source=$(realpath "$3")
work=$(mktemp -d) && cd "$work" || exit 1
trap 'rm -rf "$work"' EXIT
. "$source/tests/support/claims.sh"
says() { is "$1" grep -q -- "$2" err; }
ball=$source/scenes/world/dropped-ball.json

# a run, its file and what it says
ends 0 "a run" "$carom" run "$ball"
is "the file is called after the scene" test -s dropped-ball.carom
is "losses are named" grep -q "J lost in 4 impacts by the law" out
is "promises are judged" grep -q "KIN kept MOM kept ONE kept NOP kept" out
ends 4 "an existing file is kept" "$carom" run "$ball"
says "and the fix is said" "--force"
ends 0 "unless asked" "$carom" run "$ball" --force --quiet
is "quiet says nothing" test ! -s out
ends 0 "JSON" "$carom" run "$ball" --no-file --json
is "with the ledger" grep -q '"lost_in_impacts": 5.58711' out
is "and the overlap judged" grep -q '"GAP": "kept"' out
echo precious > notes.txt
ends 2 "other files are never replaced" "$carom" run "$ball" --out notes.txt --force
is "as promised" grep -q precious notes.txt
ends 2 "unknown option" "$carom" run "$ball" --no-file --set stepp=1
ends 2 "bad value" "$carom" run "$ball" --no-file --set step=-1
says "with its range" "outside (0"
ends 2 "a run of 1e29 steps" "$carom" run "$ball" --no-file --set step=1e-20 --set duration=1e9
says "and how many" "1e+29 steps"
ends 2 "unknown law" "$carom" run "$ball" --no-file --law qcd
ends 0 "threads and law" "$carom" run "$ball" --out gr.carom --law gr --threads 2 --duration 1

# bodies inside each other are a broken promise of every run: a ball between the floor and a press that goes on
cat > press.json <<'END'
{ "carom": 1, "kind": "world", "step": 0.001, "duration": 0.02, "events": 0, "bodies": [
  { "name": "floor", "shape": { "plane": [0, 0, 1] }, "kind": "fixed" },
  { "name": "press", "shape": { "box": [1, 1, 0.1] }, "position": [0, 0, 0.2501], "kind": "driven", "velocity": [0, 0, -3] },
  { "name": "ball", "shape": { "sphere": 0.1 }, "position": [0, 0, 0.1] } ] }
END
ends 1 "a ball is pressed into the floor" "$carom" run press.json --no-file
is "which says who" grep -q 'GAP BROKEN: "[a-z]*" and "ball" were inside each other' out
ends 1 "in JSON" "$carom" run press.json --no-file --json
is "too" grep -q '"GAP": "broken"' out

# info, check, diff
ends 0 "info of a trajectory" "$carom" info dropped-ball.carom
is "its span" grep -q "178, from 0 s to 3 s" out
ends 0 "info of a scene" "$carom" info "$ball" --json
ends 0 "info of another kind" "$carom" info "$source/scenes/impact/cradle.json"
# scenes with bounce maps compute them first: tests/slow/bounce_scenes.sh
ends 0 "check" "$carom" check dropped-ball.carom gr.carom $(grep -L '"bounce"' "$source"/scenes/world/*.json)
ends 0 "a file equals itself" "$carom" diff dropped-ball.carom dropped-ball.carom
ends 1 "another law differs" "$carom" diff dropped-ball.carom gr.carom
is "body and quantity are named" grep -qE '(position|velocity) z of "ball"|one has' out
ends 0 "within a tolerance" bash -c "'$carom' run '$ball' --law gr --out gr3.carom --quiet && '$carom' diff dropped-ball.carom gr3.carom --tolerance 1e-9"
head -c 9000 dropped-ball.carom > cut.carom
ends 2 "a cut file is noticed" "$carom" check cut.carom
says "with the place" "at byte"
ends 0 "info of a cut file" "$carom" info cut.carom
ends 0 "a cut file is continued" "$carom" run --resume cut.carom --quiet
ends 0 "to the same file" "$carom" diff dropped-ball.carom cut.carom
ends 0 "resuming a finished run changes nothing" "$carom" run --resume cut.carom --quiet
ends 0 "nothing" "$carom" diff dropped-ball.carom cut.carom
ends 2 "a scene is no trajectory" "$carom" run --resume "$ball"
ends 4 "a missing file" "$carom" run --resume nowhere.carom

# the number of threads has no effect on the result
printf '{"carom": 1, "kind": "world", "step": 0.005, "duration": 0.15, "bodies": [{"name": "floor", "shape": {"plane": [0, 0, 1]}, "kind": "fixed"}], "generators": [{"grid": {"count": [7, 7, 6], "jitter": 0.02, "spacing": [0.25, 0.25, 0.25], "body": {"name": "grain", "shape": {"sphere": 0.1}, "position": [0, 0, 0.15]}}}]}' > grains.json
ends 0 "one thread" "$carom" run grains.json --out one.carom --quiet
ends 0 "three threads" "$carom" run grains.json --out three.carom --threads 3 --quiet
ends 0 "give the same bits" "$carom" diff one.carom three.carom

# work is bounded: what surely takes more is refused before there is a file, what turns out to take more can be continued
ends 2 "more steps than the limit allows" "$carom" run "$ball" --duration 1e9 --out bounded.carom --quiet
says "and what to do" "--limit"
is "no file is left" test ! -e bounded.carom
ends 1 "more contacts than were foreseen" "$carom" run grains.json --limit 1.2e4 --out bounded.carom --quiet
says "how far it came" "is reached after"
ends 2 "the rest is refused as a whole" "$carom" run --resume bounded.carom --limit 300 --quiet
ends 0 "but goes on" "$carom" run --resume bounded.carom --quiet
ends 0 "to the same bits" "$carom" diff one.carom bounded.carom

# Ctrl-C: a usable file, and the run goes on to the same bits
"$carom" run "$ball" --out long.carom --duration 1e5 --quiet 2> err &
long=$!
for _ in $(seq 5000); do [ "$(stat -c %s long.carom 2> /dev/null || echo 0)" -gt 60000 ] && break; sleep 0.02; done
ends 4 "one writer per file" "$carom" run "$ball" --out long.carom --force --quiet
says "and the second is told" "another run"
ends 4 "nor is it resumed" "$carom" run --resume long.carom --quiet
kill -INT $long; wait $long; code=$?
is "Ctrl-C ends with 130 (not $code)" test $code = 130
ends 0 "the file is sound" "$carom" check long.carom
"$carom" run --resume long.carom --steps 5000 --json > out 2> err
steps=$(sed -n 's/^ *"steps": \([0-9]*\),/\1/p' out) hash=$(grep -o '"hash": "[0-9a-f]*"' out)
"$carom" run "$ball" --no-file --duration 1e5 --steps "$steps" --json > out 2> err
is "resumed and uninterrupted runs agree after $steps steps" test "$hash" = "$(grep -o '"hash": "[0-9a-f]*"' out)"

# a full disk: exit 4, valid up to the last record, and it goes on from there
ends 4 "a file at its limit" bash -c "ulimit -f 40; '$carom' run '$ball' --out full.carom --set duration=3 --quiet"
says "what is whole is said" "whole up to byte"
ends 0 "the file is sound" "$carom" check full.carom
ends 0 "and goes on" "$carom" run --resume full.carom --quiet
ends 0 "to the same frames" "$carom" diff dropped-ball.carom full.carom

# bad scenes
scene() { printf '{"carom": 1, "kind": "world", "duration": 0.1, %s}' "$1" > bad.json; }
refused() { # claim, words, keys [, code]
    scene "$3"
    ends "${4:-2}" "$1" "$carom" run bad.json --no-file
    says "$1: \"$2\" in $(head -c 300 err)" "$2"
    is "$1: place" grep -qE "^bad.json:[0-9]+:[0-9]+:" err
    is "$1: fix" grep -q "Fix: ." err
}
floor='{"name": "floor", "shape": {"plane": [0, 0, 1]}, "kind": "fixed"}'
refused "overlap" '"floor" and "ball" overlap by 0.25 m' "\"bodies\": [$floor, {\"name\": \"ball\", \"shape\": {\"sphere\": 0.5}, \"position\": [0, 0, 0.25]}]"
ends 0 "which --separate resolves" "$carom" run bad.json --no-file --separate
refused "a thousand million bodies" "MB of memory" '"generators": [{"grid": {"count": [1000, 1000, 1000], "body": {"shape": {"sphere": 1}}}}]'
printf '{"carom": 1, "kind": "world", "step": 1e-9, "duration": 1e12, "bodies": [{"shape": {"sphere": 1}}]}' > bad.json
ends 2 "more steps than can be counted" "$carom" run bad.json --no-file --limit 1e18
says "and how many" "1e+21 steps, 1e15 at most"
refused "a fill that cannot be" "bodies found a place" '"generators": [{"fill": {"count": 100, "from": [0,0,0], "to": [1,1,1], "bodies": [{"shape": {"sphere": 0.2}}]}}]'
refused "zero thickness" "box\[2\] is 0 m" '"bodies": [{"shape": {"box": [1, 1, 0]}}]'
refused "a flat hull" "plane" '"bodies": [{"shape": {"hull": [[0,0,0],[1,0,0],[0,1,0],[1,1,0]]}}]'
corners='"vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]]'
refused "an open mesh" "open" '"bodies": [{"shape": {"mesh": {"vertices": [[0,0,0],[1,0,0],[1,1,0],[0,1,0],[0.5,0.5,1]], "triangles": [[0,2,1],[0,3,2],[0,1,4],[1,2,4],[2,3,4]]}}}]'
refused "an inverted mesh" "1 inverted" "\"bodies\": [{\"shape\": {\"mesh\": {$corners, \"triangles\": [[0,1,2],[0,3,1],[0,2,3],[1,3,2]]}}}]"
says "an inverted mesh: repair is offered" "repair"
scene "\"bodies\": [{\"shape\": {\"mesh\": {\"repair\": true, $corners, \"triangles\": [[0,1,2],[0,3,1],[0,2,3],[1,3,2]]}}}]"
ends 0 "which repair turns" "$carom" run bad.json --no-file
refused "a plane that moves" "cannot move by itself" '"bodies": [{"shape": {"plane": [0, 0, 1]}}]'
refused "two names" "two bodies are called" '"bodies": [{"name": "a", "shape": {"sphere": 1}}, {"name": "a", "shape": {"sphere": 1}, "position": [5, 0, 0]}]'
refused "unknown shape" 'did you mean "ball"' '"shapes": {"ball": {"sphere": 1}}, "bodies": [{"shape": "bal"}]'
refused "unknown key" 'did you mean "position"' '"bodies": [{"shape": {"sphere": 1}, "positon": [0, 0, 0]}]'
refused "unknown body of a joint" 'no body "b"' '"bodies": [{"name": "a", "shape": {"sphere": 1}}], "joints": [{"kind": "ball", "a": "b"}]'
refused "two kinds of shape" "both a sphere and a box" '"bodies": [{"shape": {"sphere": 1, "box": [1, 1, 1]}}]'
refused "a missing mesh file" "cannot be read" '"bodies": [{"shape": {"mesh": {"file": "nowhere.obj"}}}]' 4
refused "a half quaternion" "length 0.5" '"bodies": [{"shape": {"sphere": 1}, "rotation": [0.5, 0, 0, 0]}]'

# not a number: stops at that step, with names, and the file keeps its checkpoint
printf '{"carom": 1, "kind": "world", "duration": 10, "step": 1, "gravity": [0, 0, -1e307], "bodies": [%s, {"name": "low", "shape": {"sphere": 1}, "position": [0, 0, 1]}, {"name": "high", "shape": {"sphere": 1}, "position": [0, 0, 3]}]}' "$floor" > nan.json
ends 1 "numbers that overflow" "$carom" run nan.json --out nan.carom
says "name the step and the body" 'step [0-9]*.*body "\(low\|high\)" in contact with'
says "and the checkpoint" "keeps the checkpoint of step"
ends 0 "which is there" "$carom" check nan.carom

ends 4 "a folder is no file" "$carom" run "$ball" --out .
says "and is called one" "it is a folder"
ends 2 "a file and none" "$carom" run "$ball" --out both.carom --no-file

# a law asked for less than it promises: the report says which promise broke, and the exit code is that of broken promises
ends 1 "a broken promise" "$carom" run "$source/scenes/world/pool-break.json" --law qce --set tolerance=0.01 --duration 0.5 --out broken.carom
is "which one" grep -q "KIN kept MOM kept ONE kept NOP BROKEN" out
ends 1 "the same in JSON" "$carom" run "$source/scenes/world/pool-break.json" --law qce --set tolerance=0.01 --duration 0.5 --no-file --json
is "with its name" grep -q '"NOP": "broken"' out
ends 0 "the trajectory is whole" "$carom" check broken.carom
ends 0 "the law as it is keeps all" "$carom" run "$source/scenes/world/pool-break.json" --law qce --duration 0.5 --no-file

# runs with other steps are compared at equal times
for step in 0.002 0.004; do
    ends 0 "a ball with the step $step" "$carom" run "$ball" --set step=$step --duration 1 --out by$step.carom
done
ends 0 "equal but for round-off" "$carom" diff by0.002.carom by0.004.carom --tolerance 1e-9
ends 0 "a shorter run" "$carom" run "$ball" --set step=0.004 --duration 0.5 --out short.carom
ends 1 "has frames missing" "$carom" diff by0.002.carom short.carom --tolerance 1e-9
is "and says so" grep -q "one has .* frames, the other" out

echo "$passed passed, $failed failed"
[ $failed = 0 ]
