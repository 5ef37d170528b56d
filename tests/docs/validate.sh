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
assert laws["qce"]["bound"] < laws["qce"]["mean"] <= 0.325, laws
assert laws["wave"]["bound"] < laws["wave"]["mean"] <= 0.327, laws
assert 0.55 < laws["qce"]["restitution"] < 0.65 and 0 < laws["qce"]["friction"] < 0.1, laws
PY
cp out plain
gzip -c "$data" > data.csv.gz
ends 0 "a gzipped file" "$carom" validate impacts --data data.csv.gz --law qce --law wave --json
is "has the same result" cmp out plain
ends 0 "more threads" "$carom" validate impacts --data "$data" --law qce --law wave --json --threads 3
is "have the same result" cmp out plain

# The same table with its columns in another order, and one of a stranger.
python3 - "$data" <<'PY'
import csv, sys
rows = list(csv.reader(open(sys.argv[1])))
with open("turned.csv", "w") as out:
    csv.writer(out, lineterminator="\n").writerows([row[::-1] + ["7" if i else "more"] for i, row in enumerate(rows)])
PY
ends 0 "columns in any order" "$carom" validate impacts --data turned.csv --law qce --law wave --json
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
