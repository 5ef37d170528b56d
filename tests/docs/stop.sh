#!/usr/bin/env bash
# A step that would take hours hears SIGTERM and SIGINT: exit code 130 and a file that can be read and continued.
# The bound is a minute, for machines under load. Usage: stop.sh CAROM BUILD SOURCE
set -u
carom=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# A block of balls that falls on the floor, by a law that is asked for more than it can do in a day.
scene() { # LAW OPTIONS -> the file
    cat > "$work/$1.json" << END
{ "carom": 1, "kind": "world", "law": "$1", "options": $2, "step": 0.01, "duration": 1, "gravity": [0, 0, 0],
  "bodies": [ { "name": "floor", "shape": { "plane": [0, 0, 1] }, "kind": "fixed" } ],
  "generators": [ { "grid": { "count": [12, 12, 12], "spacing": [0.2, 0.2, 0.2], "scatter": 3,
    "body": { "name": "ball", "shape": { "sphere": 0.1 }, "position": [0, 0, 0.1], "velocity": [0, 0, -5] } } } ] }
END
}

try() { # LAW SIGNAL OPTIONS
    scene "$1" "$3"
    timeout 120 "$carom" run "$work/$1.json" --out "$work/$1.carom" > "$work/$1.txt" 2>&1 &
    local run=$!
    for _ in $(seq 600); do # the file is there before the first step
        [ -s "$work/$1.carom" ] && break
        sleep 0.1
    done
    local child
    child=$(pgrep -P $run) || { wait $run; echo "FAILED: $1 ends by itself"; cat "$work/$1.txt"; failed=1; return; }
    while [ "$(cut -d ' ' -f 14 "/proc/$child/stat" 2> /dev/null || echo 50)" -lt 50 ]; do # well within the step: after
        sleep 0.05                                                                         # half a second of its work
    done
    kill "-$2" "$child"
    for _ in $(seq 600); do
        kill -0 $run 2> /dev/null || break
        sleep 0.1
    done
    kill -0 $run 2> /dev/null && { echo "FAILED: $1 does not hear SIG$2"; kill -9 "$child"; failed=1; }
    wait $run
    local code=$?
    [ $code -eq 130 ] || { echo "FAILED: $1, SIG$2: exit code $code, not 130"; cat "$work/$1.txt"; failed=1; }
    "$carom" check "$work/$1.carom" > /dev/null || { echo "FAILED: $1: the file is not sound"; failed=1; }
    rm -f "$work/$1.carom"
}

try springs TERM '{}'
try wave INT '{ "steps": 1000 }'
[ $failed -eq 0 ] && echo "stopped in the middle of a step"
# a law that would need 10^14 steps of its springs ends at the limit of its work and says how to go on
echo '{ "carom": 1, "kind": "impact", "chain": { "masses": [1, 1e13], "velocities": [0, -1], "wall": "left" } }' > "$work/heavy.json"
timeout 100 "$carom" impact "$work/heavy.json" --law springs --limit 1e6 --verdicts quick > "$work/out" 2> "$work/err"
code=$?
{ [ $code -eq 1 ] && grep -q 'limit of work.*--limit' "$work/err"; } ||
    { echo "FAILED: impact --limit: exit code $code"; cat "$work/err"; failed=1; }
# the conjugate gradients of a large island of `smm` count as work, too
printf '{"carom":1,"kind":"impact","rack":{"rows":60,"cue":true,"offset":0.2,"speed":1},"law":"smm"}' > "$work/rack.json"
"$carom" impact "$work/rack.json" --limit 1e6 > "$work/rack.txt" 2>&1
grep -q "the limit of work, 1e+06, is reached" "$work/rack.txt" || { echo "FAILED: smm knows no limit"; failed=1; }
# 60,000 spheres, each inside all others: the overlap is found, in bounded memory (14 GB before), and moving them apart
# hears SIGINT
printf '{"carom":1,"kind":"world","step":0.001,"duration":0.01,"generators":[{"grid":{"count":[60,50,20],
    "spacing":[0.001,0.001,0.001],"body":{"name":"s","shape":{"sphere":0.5}}}}]}' > "$work/crowd.json"
limit=4000000 # kB; the address sanitizer needs more than any machine has
{ (ulimit -v $limit; "$carom" --version) > /dev/null 2>&1; } 2> /dev/null || limit=unlimited
(ulimit -v $limit; "$carom" check "$work/crowd.json" > "$work/crowd.txt" 2>&1)
[ $? -eq 2 ] && grep -q 'at least .* pairs of bodies overlap' "$work/crowd.txt" && grep -q 'Fix: .*--separate' "$work/crowd.txt" ||
    { echo "FAILED: check of 60,000 spheres inside each other"; cat "$work/crowd.txt"; failed=1; }
timeout -s INT -k 300 5 "$carom" run "$work/crowd.json" --separate --no-file > "$work/crowd.txt" 2>&1
code=$?
grep -q 'stopped' "$work/crowd.txt" || { echo "FAILED: --separate does not hear SIGINT: $code"; cat "$work/crowd.txt"; failed=1; }
exit $failed
