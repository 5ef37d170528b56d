#!/usr/bin/env bash
# carom-lammps: the same hashes and books on 1, 2 and 3 ranks, bricks and RCB with balancing, with walls and periodic; those
# of a program without LAMMPS; a run that goes on with another number of ranks; messages. Usage: lammps.sh CAROM BUILD
set -euo pipefail
carom=$(realpath "$1") build=$(realpath "$2")
program=$build/carom-lammps alone=$build/lammps/lammps_alone
if [ ! -x "$program" ] || ! command -v mpirun > /dev/null; then
    echo "carom-lammps is not built or mpirun is missing (tools/setup lammps): left out"
    exit 0
fi
fail() { echo "FAILED: $*"; exit 1; }
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
cd "$work"
export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl=self,vader # ranks of one machine that give way to each other

cat > scene.json <<'END'
{ "carom": 1, "kind": "world", "step": 0.0005, "duration": 1,
  "generators": [ { "grid": { "count": [4, 4, 8], "spacing": [0.0055, 0.0055, 0.0055], "jitter": 2e-4, "seed": 3,
    "body": { "shape": { "sphere": 0.0025 }, "density": 2500, "position": [0.00275, 0.00275, 0.0028], "velocity": [0.1, 0, -0.2] } } } ] }
END
"$carom" export scene.json --out grains.data > log 2>&1 || fail "$(cat log)"
surface='law fixed-point restitution 0.4 fade 0.5 0.2 0.75 friction 0.5 rolling 1e-5 gravity 0 0 -9.81'
floor='wall 0 0 1 0 0 0 drive 0 0 1e-4 30 0'
sides='wall 1 0 0 0 0 0 wall -1 0 0 0.022 0 0 wall 0 1 0 0 0 0 friction 0.1 wall 0 -1 0 0 0.022 0'

# script NAME BOUNDARY FIRST WORDS...: a run of 60 steps
script() {
    cat > "$1.in" <<END
units si
atom_style sphere
boundary $2
read_data grains.data
change_box all x final 0 0.022 y final 0 0.022 z final -0.004 0.1
$3
timestep 0.0005
fix hit all carom ${*:4} hash 20
thermo_style custom step f_hit f_hit[1] f_hit[4] f_hit[5] f_hit[6] f_hit[9] f_hit[16] f_hit[17] f_hit[18] f_hit[19]
thermo_modify format float %.17g
thermo 20
run 60
END
}
# ranks N NAME: hashes and books
ranks() {
    mpirun --allow-run-as-root --oversubscribe -n "$1" "$program" -in "$2.in" -log none > "out.$2.$1" 2>&1 ||
        fail "$2 on $1 ranks: $(tail -3 "out.$2.$1")"
    grep -E '^(carom: step| +[0-9]+ )' "out.$2.$1" | grep -v MPI | grep -v atoms | grep -v veloc > "said.$2.$1"
    [ "$(grep -c hash "said.$2.$1")" = 3 ] || fail "three hashes: $(cat "out.$2.$1")"
}
balance=$'comm_style tiled\nfix lb all balance 10 1.01 rcb'
script box "f f f" "" $surface $floor $sides
script rcb "f f f" "$balance" $surface $floor $sides
script periodic "p p f" "" $surface $floor
for name in box periodic; do
    for n in 1 2 3 4; do # 4: a grain of the corner comes by way of another rank
        ranks "$n" "$name"
        cmp "said.$name.1" "said.$name.$n" || fail "$name: $n ranks differ from one"
    done
done
for n in 2 3; do
    ranks "$n" rcb
    cmp said.box.1 "said.rcb.$n" || fail "balanced by RCB on $n ranks: another run"
done
"$alone" grains.data 0.0005 60 $surface $floor $sides hash 20 > said.alone
grep hash said.box.1 | cmp - said.alone || fail "without LAMMPS: another run"
tail -1 said.box.1 | awk '$10 > 300 && $11 > 100 {good = 1} END {exit !good}' || fail "nothing happens: $(tail -1 said.box.1)"

# laws of islands
for law in wave gr qce; do
    script "$law" "f f f" "$balance" ${surface/law fixed-point/law $law} $floor $sides
    for n in 1 2 3; do
        ranks "$n" "$law"
        cmp "said.$law.1" "said.$law.$n" || fail "$law: $n ranks differ from one"
    done
    "$alone" grains.data 0.0005 60 ${surface/law fixed-point/law $law} $floor $sides hash 20 > said.alone
    grep hash "said.$law.1" | cmp - said.alone || fail "$law without LAMMPS: another run"
    [ "$(grep hash "said.$law.1" | tail -1)" != "$(grep hash said.box.1 | tail -1)" ] || fail "$law is not another law"
done

# from 2 ranks on with 3
sed 's/^run 60/run 40\nwrite_restart mid.restart/' rcb.in > first.in
{ sed -n '1,2p' rcb.in; printf 'comm_style tiled\nread_restart mid.restart\n'; grep -E '^(timestep|fix|thermo)' rcb.in; echo "run 20"; } > second.in
mpirun --allow-run-as-root --oversubscribe -n 2 "$program" -in first.in -log none > first.out 2>&1 || fail "$(tail -3 first.out)"
mpirun --allow-run-as-root --oversubscribe -n 3 "$program" -in second.in -log none > second.out 2>&1 || fail "$(tail -3 second.out)"
grep -A 1 'step 60 hash' out.box.1 | cmp - <(grep -A 1 'step 60 hash' second.out) || fail "a run that goes on differs"

# out of LAMMPS with all digits, and into a world
{ grep -v '^run' box.in; echo "run 20"; echo "write_data last.data nocoeff"; } > data.in
"$program" -in data.in -log none > data.out 2>&1 || fail "$(tail -3 data.out)"
"$carom" import last.data --out last.json 2> log || fail "$(cat log)"
"$carom" export last.json --out again.data 2> log || fail "$(cat log)"
states() { # without IDs: a world numbers its bodies as they come
    awk '/^Atoms/ {part = "x"} /^Velocities/ {part = "v"} part && NF > 6 {
        printf part; for (k = part == "x" ? 5 : 2; k <= 7; ++k) printf " %.17g", $k; print ""}' "$1" | sort
}
[ "$(states last.data | wc -l)" = 256 ] || fail "states of 128 grains: $(states last.data | wc -l)"
cmp <(states last.data) <(states again.data) || fail "LAMMPS's data through Carom: other states"
"$carom" run last.json --no-file --set step=0.0005 --steps 20 > log 2>&1 || fail "a world from LAMMPS's data: $(cat log)"

# messages
refused() { # words of the fix, what the message has
    script bad "f f f" "" "$1"
    "$program" -in bad.in -log none > bad.out 2>&1 && fail "accepted: $1"
    grep -q "$2" bad.out || fail "no \"$2\" in: $(tail -3 bad.out)"
}
refused "restitution 1.5" 'restitution is 1.5, outside \[0, 1\]'
refused "bounce 1" 'bounce is not known. Fix: carom-lammps --help'
refused "drive 0 0 1 30 0" 'drive belongs to a wall'
refused "friction" 'friction: "hash" is no number'
sed 's/^boundary.*/boundary p p f/; s/law fixed-point/law wave/' periodic.in > across.in
"$program" -in across.in -log none > bad.out 2>&1 && fail "an island across a periodic border is accepted"
grep -q 'is struck across a periodic border, which the law wave does not know. Fix: use the law fixed-point' bad.out ||
    fail "no word of the periodic border: $(tail -3 bad.out)"
refused "law waves" 'no impact law "waves". Fix: did you mean "wave"'
refused "skin 1e-5" 'more than half of the skin'
"$program" --help | grep -q 'rolling LENGTH' || fail "help"
echo "carom-lammps: one hash on 1, 2, 3 ranks by pairs, wave, gr and qce, with RCB, periodic, after a restart, and" \
    "without LAMMPS; data files there and back"
