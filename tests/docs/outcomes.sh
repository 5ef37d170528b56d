# `carom outcomes`: the sets of the examples, any number of threads, files and pages, wrong calls. Called with the
# command, the build folder and the source folder.
set -uo pipefail
carom=$(realpath "$1") source=$(realpath "$3")
work=$(mktemp -d) && cd "$work" || exit 1
trap 'rm -rf "$work"' EXIT
. "$source/tests/support/claims.sh"
says() { is "$1" grep -qF -- "$2" err; }
box=$source/scenes/outcomes/box-wall.json

ends 0 "a box against a wall" "$carom" outcomes "$box" --samples 4000 --json --threads 1
cp out one
is "goes back or up, and has no energy of its own" python3 - <<'PY'
import json
whole = json.load(open("one"))
box = next(b for b in whole["bodies"] if b["name"] == "box")
assert whole["samples"] == 4000 and whole["energy"]["max"] <= 1, whole["energy"]
assert abs(sum(p["probability"] for p in whole["patterns"]) - 1) < 1e-9, whole["patterns"]
low, mean, high = (box["velocity"][key][0] for key in ("min", "mean", "max"))
assert low < mean < high <= 1e-12, box  # a wall pushes back
assert len(box["hull"]["points"]) >= 4, box
PY
ends 0 "three threads" "$carom" outcomes "$box" --samples 4000 --json --threads 3
is "give the same bits" cmp out one
ends 0 "another seed" "$carom" outcomes "$box" --samples 4000 --json --seed 2
is "gives others" bash -c '! cmp -s out one'
for example in phone compass-gait ramone-foot ball-stack; do
    ends 0 "$example" "$carom" outcomes "$source/scenes/outcomes/$example.json" --samples 500 --vary share,friction
    is "$example moves" grep -q "who moves where" out
done
ends 0 "files" "$carom" outcomes "$box" --samples 500 --svg box.svg --html box.html
is "a picture" grep -q "<svg" box.svg
is "a page that needs nothing else" bash -c 'grep -q "<svg" box.html && ! grep -qE "src=|href=.http" box.html'
ends 4 "nothing is overwritten" "$carom" outcomes "$box" --samples 500 --svg box.svg
if "$carom" outcomes "$box" --samples 50 --view view.html > out 2> err; then
    is "nine samples to look at" grep -qF "box, sample 9" view.html
else
    is "without a viewer it says so" grep -qF "viewer" err
fi
ends 2 "two rules of order" "$carom" outcomes "$box" --vary order,gap
ends 2 "what cannot be varied" "$carom" outcomes "$box" --vary colour
says "is named" '"colour" cannot be varied'
ends 4 "no such file" "$carom" outcomes nothere.json
echo "$passed passed, $failed failed"
[ $failed = 0 ]
