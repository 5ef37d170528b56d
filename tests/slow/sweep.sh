#!/usr/bin/env bash
# `carom sweep` with 10,000 jobs, one per cent failing, and three kills; then by the schedulers that are installed: GNU
# parallel, Snakemake, Slurm on this machine alone. Usage: sweep.sh CAROM
set -euo pipefail
carom=$(realpath "$1") scenes=$(cd "$(dirname "$0")/../../scenes" && pwd)
fail() { echo "FAILED: $*"; exit 1; }
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
. "$(dirname "$0")/../support/sweep.sh"
disturbed 10000
echo "10,000 jobs, 100 failing, three kills: the same table"

sweep=$scenes/sweep/rod.json
"$carom" sweep "$sweep" --out "$work/here" > "$work/log" 2>&1
same() { cmp "$work/here.csv" "$work/$1.csv" && echo "$1: the same table"; }
cd "$work"
if command -v parallel > /dev/null; then
    "$carom" sweep "$sweep" --emit parallel --shards 5 --out "$work/parallel" > "$work/log" 2>&1
    sh "$work/parallel.sh" -j 2 > "$work/log" 2>&1 || fail "$(cat "$work/log")"
    same parallel
else
    echo "GNU parallel is not installed: left out"
fi
if command -v snakemake > /dev/null; then
    "$carom" sweep "$sweep" --emit snakemake --shards 3 --out "$work/snakemake" > "$work/log" 2>&1
    snakemake --snakefile "$work/snakemake.smk" --cores 2 --directory "$work" > "$work/log" 2>&1 || fail "$(cat "$work/log")"
    same snakemake
else
    echo "Snakemake is not installed: left out"
fi
if command -v sbatch > /dev/null && sinfo > "$work/log" 2>&1; then
    "$carom" sweep "$sweep" --emit slurm --shards 3 --out "$work/slurm" > "$work/log" 2>&1
    sbatch --wait --chdir "$work" "$work/slurm.sbatch" > "$work/log" 2>&1 || fail "$(cat "$work/log")"
    sbatch --wait --chdir "$work" --array=0 "$work/slurm.sbatch" > "$work/log" 2>&1 || fail "$(cat "$work/log")"
    same slurm
else
    echo "there is no Slurm that answers here: left out"
fi
