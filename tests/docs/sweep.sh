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
sed -i 's/energy_after \[J\]=0/energy_after [J]=1/' "$work/rod.journal"
"$carom" sweep "$scenes/sweep/rod.json" --out "$work/rod" --audit 1 > "$work/log" && fail "an audit that finds differences"

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
refused "$front], \"keep\": [\"ledger\"] }" '1 to 32 axes'
"$carom" sweep "$scenes/sweep/rod.json" --out "$work/rod" --shard 4/3 > "$work/log" 2>&1 && fail "shard 4/3"

# driver files: only the file, and never over one that is there
for what in parallel:sh slurm:sbatch snakemake:smk; do
    "$carom" sweep "$scenes/sweep/rod.json" --emit "${what%:*}" --shards 4 --out "$work/drive" > "$work/log" 2>&1 ||
        fail "$(cat "$work/log")"
    "$carom" sweep "$scenes/sweep/rod.json" --emit "${what%:*}" --out "$work/drive" > "$work/log" 2>&1 && fail "overwritten"
    [ -s "$work/drive.${what#*:}" ] || fail "a driver file for ${what%:*}"
done
[ ! -e "$work/drive.journal" ] || fail "a driver file runs nothing"
echo "sweep: tables, shards, audit, three kills, failures, messages, driver files"
