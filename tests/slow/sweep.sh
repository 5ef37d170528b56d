#!/usr/bin/env bash
# `carom sweep` with 10,000 jobs, one per cent failing, and three kills; then by the schedulers that are installed: GNU
# parallel, Snakemake, Slurm with this machine as its one node. Usage: sweep.sh CAROM
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

# A cluster of one node on loopback, with ports, keys and state of its own.
start_slurm() {
    local home=$work/cluster
    mkdir -p "$home/state" "$home/spool" "$home/munge" && chmod 700 "$home/munge"
    mungekey --create --keyfile="$home/munge/key"
    munged --force --key-file="$home/munge/key" --socket="$home/munge/socket" --pid-file="$home/munge/pid" \
        --log-file="$home/munge/log" --seed-file="$home/munge/seed" > "$work/log" 2>&1
    cat > "$home/slurm.conf" <<CONF
ClusterName=one
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmctldPort=46817
SlurmdPort=46818
AuthInfo=socket=$home/munge/socket
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
StateSaveLocation=$home/state
SlurmdSpoolDir=$home/spool
SlurmctldPidFile=$home/controller.pid
SlurmdPidFile=$home/node.pid
SlurmctldLogFile=$home/controller.log
SlurmdLogFile=$home/node.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
ReturnToService=2
NodeName=$(hostname) NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
CONF
    export SLURM_CONF=$home/slurm.conf
    slurmctld > "$work/log" 2>&1 && slurmd > "$work/log" 2>&1
    for _ in $(seq 30); do
        sinfo --noheader --format=%T 2> "$work/log" | grep -q idle && return
        sleep 1
    done
    return 1
}
stop_slurm() {
    local file
    for file in node.pid controller.pid munge/pid; do
        [ ! -e "$work/cluster/$file" ] || kill "$(cat "$work/cluster/$file")" || true
    done
}
if [ "$(id -u)" = 0 ] && command -v sbatch slurmctld slurmd munged > /dev/null; then
    trap 'stop_slurm; sleep 1; rm -rf "$work"' EXIT
    start_slurm || fail "a cluster of one node: $(cat "$work/log")"
    "$carom" sweep "$sweep" --emit slurm --shards 3 --out "$work/slurm" > "$work/log" 2>&1
    sbatch --wait --chdir "$work" "$work/slurm.sbatch" > "$work/log" 2>&1 || fail "$(cat "$work/log" "$work"/slurm-*.out)"
    sbatch --wait --chdir "$work" --array=0 "$work/slurm.sbatch" > "$work/log" 2>&1 || fail "$(cat "$work/log")"
    same slurm
else
    echo "Slurm is not installed, or this is not root: left out"
fi
