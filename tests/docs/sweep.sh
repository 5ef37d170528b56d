#!/usr/bin/env bash
# `carom sweep`: tables, shards, merge, audit, kills, failures, messages, driver files. Usage: sweep.sh CAROM
set -euo pipefail
carom=$(realpath "$1") scenes=$(cd "$(dirname "$0")/../../scenes" && pwd)
fail() { echo "FAILED: $*"; exit 1; }
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
. "$(dirname "$0")/../support/sweep.sh"

# every row of the table is what `carom impact` says of the same values
"$carom" sweep "$scenes/sweep/rod.json" --out "$work/rod" > "$work/log" 2>&1 || fail "$(cat "$work/log")"
wanted=$("$carom" impact "$scenes/impact/rod-friction.json" --set contacts.0.friction=0.35 \
    --set contacts.0.restitution=0.4 --json | sed -n '/"energy"/,/}/s/.*"after": *\([-0-9.e]*\).*/\1/p' | awk '{print $1 + 0}')
found=$(awk -F , '$2 == 0.35 && $3 == 0.4 {print $5 + 0}' "$work/rod.csv")
[ -n "$found" ] && [ "$wanted" = "$found" ] || fail "energy after: table $found, carom impact $wanted"
head -1 "$work/rod.csv" | grep -q '^job,friction,restitution,energy_before \[J\],' || fail "columns and units"
grep -q '<svg' "$work/rod.html" || fail "a page with plots"

# nothing is computed twice, and shards are the same table
"$carom" sweep "$scenes/sweep/rod.json" --out "$work/rod" > "$work/log" 2>&1
[ "$(wc -l < "$work/rod.journal")" = 231 ] || fail "jobs in the journal are not run again"
for i in 1 2 3; do "$carom" sweep "$scenes/sweep/rod.json" --out "$work/parts" --shard "$i/3" > "$work/log"; done
"$carom" sweep "$scenes/sweep/rod.json" --out "$work/parts" --merge > "$work/log" 2>&1 || fail "$(cat "$work/log")"
cmp "$work/rod.csv" "$work/parts.csv" || fail "shards give another table"
"$carom" sweep "$scenes/sweep/rod.json" --out "$work/rod" --audit 1 | grep -q '^231 jobs run again, 0 differ' || fail "audit"
# a damaged line is not used: its job is run again, and the table is what it was
cp "$work/rod.csv" "$work/before.csv"
cp "$work/rod.journal" "$work/sound.journal"
sed -i '100,109s/energy_after \[J\]=0/energy_after [J]=1/' "$work/rod.journal"
cmp -s "$work/rod.journal" "$work/sound.journal" && fail "nothing was damaged"
"$carom" sweep "$scenes/sweep/rod.json" --out "$work/rod" --merge > "$work/log" 2>&1 && fail "damaged lines count as missing"
"$carom" sweep "$scenes/sweep/rod.json" --out "$work/rod" > "$work/log" 2>&1 || fail "$(cat "$work/log")"
cmp "$work/rod.csv" "$work/before.csv" || fail "damaged lines change the table"
# one that another machine made otherwise is found by the audit
python3 - "$work/sound.journal" > "$work/rod.journal" <<'PY'
import re, sys
for line in open(sys.argv[1]):
    key, _, words = line.rstrip("\n").split("\t", 2)
    words = re.sub(r"energy_after \[J\]=0", "energy_after [J]=1", words)
    sum = 0xcbf29ce484222325
    for byte in int(key, 16).to_bytes(8, "little") + words.encode():
        sum = (sum ^ byte) * 0x100000001b3 % 2**64
    print(f"{key}\t{sum:016x}\t{words}")
PY
"$carom" sweep "$scenes/sweep/rod.json" --out "$work/rod" --audit 1 > "$work/log" && fail "an audit that finds differences"
grep -q '^231 jobs run again, 0 differ' "$work/log" && fail "differences are counted"

# zipped, logarithmic and random axes; measures as columns; chains, towers and bounces: values that closed forms and the
# other commands give
one() { # NAME, scene, axes, the rest of the file: runs it
    printf '{ "carom": 1, "kind": "sweep", "scene": "%s", "axes": [%s]%s }' "$scenes/$2" "$3" "$4" > "$work/$1.json"
    "$carom" sweep "$work/$1.json" --out "$work/$1" > "$work/log" 2>&1 || fail "$1: $(cat "$work/log")"
}
column() { # NAME, heading: the numbers below it, in one line
    awk -F , -v name="$2" 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == name) at = i; next} at {printf "%s ", $at}' "$work/$1.csv"
}
is() { [ "$1" = "$2" ] || fail "\"$1\" instead of \"$2\""; }
one zip impact/rod-friction.json '{ "path": "contacts.0.friction", "from": 0.01, "to": 1, "count": 3, "scale": "log" },
    { "path": "contacts.0.restitution", "values": [0.2, 0.5, 0.9] }' ', "combine": "zipped"'
is "$(sed -n 's/.*>\([0-9]* jobs* over [^<]*\)<.*/\1/p' "$work/zip.html")" '3 jobs over 2 axes.'
is "$(column zip contacts.0.friction)" '0.01 0.1 1 '
is "$(column zip contacts.0.restitution)" '0.2 0.5 0.9 '
drawn='{ "path": "contacts.0.friction", "from": 0.01, "to": 1, "scale": "log", "draw": "random" },
    { "path": "law", "values": ["wave", "qce"] }'
one random impact/rod-friction.json "$drawn" ', "samples": 50, "seed": 7'
is "$(column random contacts.0.friction | tr ' ' '\n' | awk '$1 {++n; low += ($1 < 0.1); bad += ($1 < 0.01 || $1 > 1); if (!seen[$1]++) ++distinct}
    END {print n, distinct, (low > 30 && low < 70), bad + 0}')" '100 50 1 0' # each sample with both laws
one again impact/rod-friction.json "$drawn" ', "samples": 50, "seed": 8'
[ "$(column random contacts.0.friction)" != "$(column again contacts.0.friction)" ] || fail "another seed, the same samples"
one sobol impact/rod-friction.json '{ "path": "contacts.0.friction", "from": 0, "to": 1, "draw": "sobol" },
    { "path": "contacts.0.restitution", "from": 0, "to": 1, "draw": "sobol" }, { "path": "law", "values": ["wave", "qce"] }' ', "samples": 4'
is "$(column sobol contacts.0.friction)" '0 0.5 0.75 0.25 0 0.5 0.75 0.25 ' # the first points of Sobol's net
is "$(column sobol contacts.0.restitution)" '0 0.5 0.25 0.75 0 0.5 0.25 0.75 '
grep -q '>wave</text>' "$work/sobol.html" && grep -q '>qce</text>' "$work/sobol.html" || fail "words of an axis on the page"
one measured world/pool-break.json '{ "path": "duration", "values": [0.05, 0.1] }' ', "keep": ["temperature"]'
wanted=$("$carom" run "$scenes/world/pool-break.json" --set duration=0.05 --out "$work/pool.carom" > "$work/log" 2>&1 &&
    "$carom" measure "$work/pool.carom" --of temperature --json | sed -n 's/.*"temperature at the start": *\([-0-9.e]*\),/\1/p')
is "$(column measured 'temperature.temperature_at_the_start [J]' | cut -d ' ' -f 1)" "$wanted"
is "$(column measured 'temperature.Haff_time [s]')" '  ' # nothing cools: no number
is "$(sed -n 's/.*>\([0-9]* jobs* over [^<]*\)<.*/\1/p' "$work/measured.html")" '2 jobs over 1 axis.'
one chain chain/fig5_hertz.json '{ "path": "contact.stiffness", "from": 100, "to": 10000, "count": 3, "scale": "log" }' ''
is "$(column chain '5.v [m/s]' | awk '{printf "%.9f %.9f %.9f", $1, $2, $3}')" '1.139722032 1.139722032 1.139722032' # no scale
is "$(column chain 'poisson.5.v [m/s]')" '0.8 0.8 0.8 '
one tower tower/parabolic3.json '{ "path": "bricks.10.0", "values": [1, 1.8] }' ''
is "$(column tower stable)$(column tower body11.ay)" '1 0 0 -1 ' # it stands; beside the others it falls freely
one bounce bounce/kernel.json '{ "path": "cases.0.w", "values": [1, 3, 5] }' '' # W / (w + W), W = 5
is "$(column bounce case1.epsilon)" '0.8333333333333334 0.625 0.5 '

# kills and failures
disturbed 1000
grep -q 'job 0 (contacts.0.friction=0 contacts.0.normal=\[0, 0, 0\]) failed: normal has length 0' "$work/log" ||
    fail "failed jobs are named: $(cat "$work/log")"

# messages
refused() { # what the file says, what the message has
    printf '%s' "$1" > "$work/bad.json"
    "$carom" sweep "$work/bad.json" --out "$work/bad" > "$work/log" 2>&1 && fail "accepted: $1"
    grep -q "$2" "$work/log" || fail "no \"$2\" in: $(cat "$work/log")"
}
front="{ \"carom\": 1, \"kind\": \"sweep\", \"scene\": \"$scenes/impact/rod-friction.json\", \"axes\": ["
refused "$front{ \"path\": \"contacts.0.frction\", \"values\": [1] }] }" 'friction'
refused "$front{ \"pth\": \"law\", \"values\": [1] }] }" 'bad.json:1:.*"pth"'
refused "$front{ \"path\": \"law\" }] }" 'neither values nor a range'
refused "$front{ \"path\": \"contacts.0.friction\", \"from\": 0, \"to\": 1, \"count\": 3, \"scale\": \"log\" }] }" 'logarithmic'
refused "$front{ \"path\": \"law\", \"values\": [\"qce\"] }], \"keep\": [\"trajectories\"] }" 'has no trajectory'
refused "$front{ \"path\": \"law\", \"values\": [\"qce\"] }, { \"path\": \"contacts.0.friction\", \"values\": [0, 1] }],
    \"combine\": \"zipped\" }" 'zipped axes have 1 and 2 values'
refused "$front], \"keep\": [\"ledger\"] }" '1 to 32 axes'
# the number of jobs has a bound that is known before the first of them; shards have their part of it
"$carom" sweep "$scenes/sweep/rod.json" --out "$work/many" --limit 230 > "$work/log" 2>&1 && fail "231 jobs for 230"
grep -q '231 jobs are more than the limit of 230' "$work/log" && grep -q -e '--limit' "$work/log" || fail "$(cat "$work/log")"
[ ! -e "$work/many.journal" ] || fail "a job was run"
"$carom" sweep "$scenes/sweep/rod.json" --out "$work/many" --limit 116 --shard 1/2 > "$work/log" 2>&1 || fail "$(cat "$work/log")"
"$carom" sweep "$scenes/sweep/rod.json" --out "$work/rod" --shard 4/3 > "$work/log" 2>&1 && fail "shard 4/3"

# driver files: only the file, and never over one that is there
for what in parallel:sh slurm:sbatch snakemake:smk; do
    "$carom" sweep "$scenes/sweep/rod.json" --emit "${what%:*}" --shards 4 --out "$work/drive" > "$work/log" 2>&1 ||
        fail "$(cat "$work/log")"
    "$carom" sweep "$scenes/sweep/rod.json" --emit "${what%:*}" --out "$work/drive" > "$work/log" 2>&1 && fail "overwritten"
    [ -s "$work/drive.${what#*:}" ] || fail "a driver file for ${what%:*}"
done
[ ! -e "$work/drive.journal" ] || fail "a driver file runs nothing"
echo "sweep: tables, axes, measures, models, shards, audit, three kills, failures, messages, driver files"
