# `carom referee`: the tests against engines whose result is known, rows of those that cannot take part. Called with the
# command, the build folder and the source folder.
set -uo pipefail
carom=$(realpath "$1") build=$(realpath "$2") source=$(realpath "$3")
work=$(mktemp -d) && cd "$work" || exit 1
trap 'rm -rf "$work"' EXIT
. "$source/tests/support/claims.sh"

# An engine that leaves everything as it is: off by what should have happened.
cat > still.py <<'PY'
#!/usr/bin/env python3
import json, sys
print("Still 1", flush=True)
for line in sys.stdin:
    for s in json.loads(line):
        if len(s["bodies"]) > 220:
            print("error too many\n", flush=True)
            continue
        for frame in range(s["steps"] // s["every"]):
            for i, b in enumerate(s["bodies"]):
                print(",".join(map(repr, [0, i] + b["position"] + b["rotation"] + b["velocity"] + b["spin"])))
        print("seconds 0.001\n", flush=True)
PY
chmod +x still.py
# One toss of a file of the same layout: it stays for two frames and is then one and three widths off.
printf 'toss,frame,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n' > mine.csv
for toss in 1 2; do
    n=0
    for x in 0 0 0.1048 0.3144; do
        echo "$toss,$n,$x,0,1,1,0,0,0,0,0,0,0,0,0" >> mine.csv
        n=$((n + 1))
    done
done
ends 0 "engines of one file" "$carom" referee --engine ./still.py --engine ./nothere --tosses mine.csv --json
is "have the errors that their answers have" python3 - <<'PY'
import json
still, nothere = json.load(open("out"))["contestants"]
got = {t["test"]: t for t in still["tests"]}
assert still["name"] == "Still 1"
# n of five move at the wrong end: 2 n errors of 1, or those that are not in both sets
for n in (1, 2, 3, 4):
    wrong = 2 * min(n, 5 - n)
    assert abs(got[f"cradle-{n}"]["error"] - (wrong / n) ** 0.5) < 1e-12, got
# (1, 0) before instead of the outcome of 31 bounces; a ball that hangs at 1 m instead of 0.7^4; 20 rad/s instead of 40/7
assert abs(got["bouncing"]["error"] - (1 / 0.7 ** 4 - 1)) < 1e-9, got
assert abs(got["spinning"]["error"] - (1 + 0.4 * 2.5 ** 2) ** 0.5) < 1e-9, got
assert got["stack"]["error"] == 0 and got["rack"]["error"] == 0, got
assert 1.9 < got["wall"]["error"] < 2.1, got
assert got["elastic-666"]["failed"].endswith("too many"), got
# nothing is lost: what Haff's law would have taken after 4 s, its rate by hand; what a chain has it keeps
assert got["energy"]["error"] == 0 and got["articulated"]["error"] < 1e-12, got
haff = got["haff"]
assert len(haff["course"]) == 20 and haff["interval"] == 0.2 and haff["error"] == max(haff["course"]), haff
from math import log, pi, sqrt
n = 196 / 11 ** 2
nu = n * pi * 0.01
rate = (1 - 0.81) * sqrt(pi) * n * 0.2 * (1 - 7 * nu / 16) / (1 - nu) ** 2
for k, error in enumerate(haff["course"]):  # 2.5 m/s, as far as 392 draws have it
    assert abs(error - 2 * log(1 + rate * 2.5 * 0.2 * (k + 1) / 2)) < 0.1 * error, haff
assert abs(got["tosses"]["error"] - (0 + 1 + 3) / 4) < 1e-9, got
assert all("cannot be started" in t["failed"] for t in nothere["tests"])
PY
# Measured tosses are asked for by their own test alone, and where no file of them is found that one has no figure.
mkdir alone && cp "$carom" alone/carom
ends 0 "a command without the project's data" alone/carom referee --engine ./still.py --test cradle-1 --test tosses --json
is "judges all but the tosses" python3 - <<'PY'
import json
cradle, tosses = json.load(open("out"))["contestants"][0]["tests"]
assert cradle["error"] > 1 and tosses["failed"] == "no file of measured tosses was found", (cradle, tosses)
PY
ends 0 "nobody to judge" alone/carom referee --engine none
ends 0 "a file that no test asks for" "$carom" referee --engine ./still.py --test cradle-1 --tosses nothere.csv
ends 4 "a file that is not there" "$carom" referee --engine ./still.py --test tosses --tosses nothere.csv
# An engine that does not do the same twice: the cell shows its spread.
sed -e 's/Still 1/Waver 1/' -e 's/^for line/turn = 0\nfor line/' -e 's/for s in json.loads(line):/for s in json.loads(line):\n        turn += 1/' \
    -e 's/b\["velocity"\] +/[v * (1 + turn % 2) for v in b["velocity"]] +/' still.py > waver.py && chmod +x waver.py
ends 0 "an engine that wavers" "$carom" referee --engine ./waver.py --test cradle-1
is "shows both ends" grep -qE "Waver 1 \| 1.4 to 2.2 \|" out
if [ -x "$build/engines/carom" ]; then
    some="--test cradle-2 --test wall --test rack --test bouncing --test spinning --test rolling --test energy --test tosses"
    ends 0 "a law" "$carom" referee --law qce $some --json --svg plot.svg --plot wall
    is "is exact where something is exact" python3 - <<'PY'
import json
tests = {t["test"]: t["error"] for t in json.load(open("out"))["contestants"][0]["tests"]}
assert len(tests) == 8 and 0.05 < tests.pop("tosses") < 0.12, tests
assert all(error < 1e-9 for error in tests.values()), tests
PY
    is "and is drawn" grep -q "<svg" plot.svg
    ends 0 "over time" "$carom" referee --law qce --test energy --course course.svg
    is "it is drawn, too" grep -q "simulated time" course.svg
fi
# An interrupt, heard by the engine as well: the tables have what was done, and say what was not.
cat > slow.py <<'PY'
#!/usr/bin/env python3
import json, os, signal, sys
print("Slow 1", flush=True)
for n, line in enumerate(sys.stdin):
    if n == 9:  # in the first run of the second test: six of the grid and three for the time are the first
        os.kill(os.getppid(), signal.SIGINT)
        sys.exit(130)
    for s in json.loads(line):
        for i, b in enumerate(s["bodies"]):
            print(",".join(map(repr, [0, i] + b["position"] + b["rotation"] + b["velocity"] + b["spin"])))
        print("seconds 0.001\n", flush=True)
PY
chmod +x slow.py
ends 130 "an interrupt" "$carom" referee --engine ./slow.py --engine ./still.py --test cradle-1 --test cradle-2 --json
is "keeps what was done" python3 - <<'PY'
import json
slow, still = json.load(open("out"))["contestants"]
assert slow["name"] == "Slow 1" and still["name"] == "still.py", (slow, still)
first, second = slow["tests"]
assert abs(first["error"] - 2 ** 0.5) < 1e-12 and first["seconds"] == 0.001, first
assert all(t["failed"] == "not run: stopped before" for t in [second] + still["tests"]), (second, still)
PY
ends 130 "an interrupt, as tables" "$carom" referee --engine ./slow.py --test cradle-1 --test cradle-2 --md slow.md
is "with the figure of the first test" grep -qE "Slow 1 \| 1.4 \| - \|" slow.md

ends 4 "nothing is overwritten" bash -c "touch x.md; '$carom' referee --law qce --md x.md"
ends 2 "no such test" "$carom" referee --plot cradle-9
ends 2 "no such test to run" "$carom" referee --law qce --test cradle-9
ends 2 "a test without a course" "$carom" referee --law qce --plot rack --course x.svg
ends 2 "no such law" "$carom" referee --law qcee
# The page has a row for every usual engine.
for name in Bullet ODE MuJoCo simbody siconos Rapier Jolt cannon Planck Matter; do
    is "docs/referee.md has $name" grep -qi "^| $name" "$source/docs/referee.md"
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
