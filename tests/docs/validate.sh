# `carom validate`: figures on the project's own data, files of strangers, wrong ones. Called with the command, the build
# folder and the source folder.
set -uo pipefail
carom=$(realpath "$1") source=$(realpath "$3")
work=$(mktemp -d) && cd "$work" || exit 1
trap 'rm -rf "$work"' EXIT
. "$source/tests/support/claims.sh"
says() { is "$1" grep -qF -- "$2" err; }
data=$source/data/ellipse-impacts.csv

# Better than every prediction published with the data (0.330), and not below what any impulse at the point can reach.
ends 0 "impacts" "$carom" validate impacts --data "$data" --law qce --law wave --json
is "the errors of qce and wave" python3 - <<'PY'
import json
laws = {row["law"]: row for row in json.load(open("out"))["laws"]}
assert laws["qce"]["bound"] < laws["qce"]["mean"] <= 0.321, laws
assert laws["wave"]["bound"] < laws["wave"]["mean"] <= 0.324, laws
assert 0.55 < laws["qce"]["restitution"] < 0.65 and 0 < laws["qce"]["friction"] < 0.1, laws
PY
ends 0 "one law" "$carom" validate impacts --data "$data" --law qce --json
cp out plain
gzip -c "$data" > data.csv.gz
ends 0 "a gzipped file" "$carom" validate impacts --data data.csv.gz --law qce --json
is "has the same result" cmp out plain
ends 0 "more threads" "$carom" validate impacts --data "$data" --law qce --json --threads 3
is "have the same result" cmp out plain

# The same table with its columns in another order, and one of a stranger.
python3 - "$data" <<'PY'
import csv, sys
rows = list(csv.reader(open(sys.argv[1])))
with open("turned.csv", "w") as out:
    csv.writer(out, lineterminator="\n").writerows([row[::-1] + ["7" if i else "more"] for i, row in enumerate(rows)])
PY
ends 0 "columns in any order" "$carom" validate impacts --data turned.csv --law qce --json
is "have the same result" cmp out plain

# An exact law of a made-up material is found again: what is fitted on is what was put in.
python3 - <<'PY'
import random
random.seed(3)
e, m, k = 0.5, 1, 0.0192
with open("made.csv", "w") as out:
    print("vx,vy,spin,vx_after,vy_after,spin_after,n_x,n_y,n_angle,d_x,d_y,d_angle", file=out)
    for i in range(60): # central impacts: friction 0.2 slides throughout
        vx, vy, r = 2 + random.random(), -1 - random.random(), 0.02
        p = (1 + e) * -vy
        print(vx, vy, 0, vx - 0.2 * p, -e * vy, -0.2 * p * r / (k * k), 0, 1, 0, 1, 0, r, sep=",", file=out)
PY
ends 0 "made-up impacts" "$carom" validate impacts --data made.csv --law newton --json
is "give restitution and friction back" python3 - <<'PY'
import json
row = json.load(open("out"))["laws"][0]
assert abs(row["restitution"] - 0.5) < 1e-3 and abs(row["friction"] - 0.2) < 1e-3 and row["mean"] < 2e-3, row
PY

# A few tosses, each from its own first frame.
zcat "$source/data/cube-tosses.csv.gz" | awk -F, 'NR == 1 || $1 != last {n += NR > 1; last = $1} n <= 8' > few.csv
ends 0 "tosses" "$carom" validate tosses --data few.csv --fit few.csv --law qce --json
is "have small errors" python3 - <<'PY'
import json
row = json.load(open("out"))["laws"][0]
assert 0 < row["position"] < 0.2 and 0 < row["angle"] < 40, row
PY

# Spin that counts the other way round in the tangential rows: said, and with --reverse-spin the bound is a tenth.
ends 0 "impacts as a table" "$carom" validate impacts --data "$data" --law wave
is "name the contradiction" grep -qF -- "--reverse-spin" out
ends 0 "the other sense" "$carom" validate impacts --data "$data" --law wave --law newton --reverse-spin --material fading --json --html page.html
is "errors below a third, friction of steel, restitution that falls" python3 - <<'PY'
import json
whole = json.load(open("out"))
laws = {row["law"]: row for row in whole["laws"]}
assert laws["wave"]["bound"] < 0.03 < 10 * laws["wave"]["bound"] < whole["bound_if_reversed"] + 0.01, whole
assert laws["wave"]["mean"] < 0.095 < laws["newton"]["mean"] < 0.11, laws
assert 0.15 < laws["wave"]["friction"] < 0.22 and laws["wave"]["fade"] > 0.3, laws
PY
is "the page has its figures" grep -qF "Friction by slip" page.html
is "and needs nothing else" bash -c '! grep -qE "src=|href=.http" page.html'
ends 4 "nothing is overwritten" "$carom" validate impacts --data "$data" --law newton --html page.html

# Made-up impacts of a material whose restitution falls: the third number is found again.
python3 - <<'PY'
import random
random.seed(4)
with open("fades.csv", "w") as out:
    print("vx,vy,spin,vx_after,vy_after,spin_after,n_x,n_y,n_angle,d_x,d_y,d_angle", file=out)
    for i in range(60):
        u = 0.5 + 3 * random.random()
        e = 1 - 0.3 * (u / 2.5) ** 0.4
        print(0, -u, 0, 0, e * u, 0, 0, 1, 0, 1, 0, 0.02, sep=",", file=out)
PY
ends 0 "a fading restitution" "$carom" validate impacts --data fades.csv --law newton --material fading --json
is "is given back" python3 - <<'PY'
import json
row = json.load(open("out"))["laws"][0]
assert abs(row["restitution"] - 0.7) < 0.01 and abs(row["fade"] - 0.4) < 0.03 and row["mean"] < 5e-3, row
PY

# The same where slip counts twice: what fading alone cannot find.
python3 - <<'PY'
import random
random.seed(5)
with open("slips.csv", "w") as out:
    print("vx,vy,spin,vx_after,vy_after,spin_after,n_x,n_y,n_angle,d_x,d_y,d_angle", file=out)
    for i in range(80):
        u, s = 1 + 2 * random.random(), 2 * random.random()
        e = max(1 - 0.3 * ((u * u + 4 * s * s) ** 0.5 / 2.5) ** 0.8, 0)
        print(s, -u, 0, s, e * u, 0, 0, 1, 0, 1, 0, 0.02, sep=",", file=out)
PY
ends 0 "restitution that falls with the slip" "$carom" validate impacts --data slips.csv --law newton --json
cp out slipping
ends 0 "and by approach alone" "$carom" validate impacts --data slips.csv --law newton --material fading --json
is "is given back" python3 - <<'PY'
import json
row, other = (json.load(open(name))["laws"][0] for name in ("slipping", "out"))
assert abs(row["restitution"] - 0.7) < 0.01 and abs(row["fade"] - 0.8) < 0.03 and row["mean"] < 5e-3, row
assert row["slip"] == 2 and other["slip"] == 0 and other["mean"] > 0.03, (row, other)
PY

# Engines by the protocol of docs/engines.md: one written here, by Newton's law; one that refuses; one that is none.
cat > newton.py <<'PY'
#!/usr/bin/env python3
import json, sys
print("Newton 1", flush=True)
for line in sys.stdin:
    for s in json.loads(line):
        plane, ball = s["bodies"]
        v, w, r, k = ball["velocity"], ball["spin"], ball["offset"], ball["inertia"][1]
        x, z = r[0], r[2] - ball["size"][0]
        # central impacts only: x = 0, sliding
        p = -(1 + s["restitution"]) * v[2]
        q = -s["friction"] * p
        state = [0, 0, 0, 1, 0, 0, 0, v[0] + q, 0, v[2] + p, 0, w[1] + z * q / k, 0]
        print("0,0" + ",0" * 13)
        print("0,1," + ",".join(map(repr, state)))
        print("seconds 0\n", flush=True)
PY
cat > refuses.py <<'PY'
#!/usr/bin/env python3
import json, sys
print("Refuser", flush=True)
for line in sys.stdin:
    print("error no thanks\n\n" * len(json.loads(line)), flush=True)
PY

chmod +x newton.py refuses.py
ends 0 "an engine of one file" "$carom" validate impacts --data made.csv --law newton --engine ./newton.py --engine ./refuses.py --engine ./nothere --json
is "is fitted and judged like a law; others say why not" python3 - <<'PY'
import json
law, engine, refuses, nothere = json.load(open("out"))["laws"]
assert engine["law"] == engine["engine"] == "Newton 1" and abs(engine["restitution"] - 0.5) < 5e-3 and abs(engine["friction"] - 0.2) < 5e-3, engine
assert engine["mean"] < 5e-3, engine
assert "no thanks" in refuses["failed"] and "cannot be started" in nothere["failed"], (refuses, nothere)
PY

# Tosses to look at: a page with ours and the measured ones.
ends 2 "impacts have no motion" "$carom" validate impacts --view view.html
if "$carom" validate tosses --data few.csv --fit few.csv --law newton --view view.html > out 2> err; then
    is "the viewer's page has ghosts" grep -qF '"ghost":' view.html
else
    is "without a viewer it says so" grep -qF "viewer" err
fi

# What cannot be used says where and how.
ends 4 "no such file" "$carom" validate impacts --data nothere.csv
says "names it" "nothere.csv"
printf 'vx,vy\n1,2\n' > short.csv
ends 2 "a missing column" "$carom" validate impacts --data short.csv
says "is named" 'there is no column "spin"'
sed '5s/,[^,]*,/,nought,/' "$data" > words.csv
ends 2 "a word among the numbers" "$carom" validate impacts --data words.csv
says "with its line" "words.csv:5"
head -c 30000 data.csv.gz > cut.csv.gz
ends 4 "a file that is cut off" "$carom" validate impacts --data cut.csv.gz
says "is called damaged" "damaged or cut off"
sed 2d few.csv > gap.csv
ends 2 "a missing frame" "$carom" validate tosses --data gap.csv
says "is said" "not the next frame"
ends 2 "a law that is none" "$carom" validate impacts --law qcee
says "suggests one" "qce"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
