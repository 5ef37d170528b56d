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
ends 0 "by its ending" "$carom" outcomes "$box" --samples 500 --out ending.svg
is "the same picture" cmp -s ending.svg box.svg
ends 2 "an ending that says nothing" "$carom" outcomes "$box" --samples 500 --out ending.csv
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

# Shards: the same bytes, whoever does them, also after one was cut short.
most="--samples 5000 --vary order,friction"
ends 0 "all at once" "$carom" outcomes "$box" $most --json --svg whole.svg
cp out whole
for i in 1 2 3; do ends 0 "shard $i" "$carom" outcomes "$box" $most --shard $i/3 --pieces some --threads $i; done
ends 0 "merged" "$carom" outcomes "$box" $most --merge --pieces some --json --svg merged.svg
is "the same figures" cmp out whole
is "the same picture" cmp merged.svg whole.svg
size=$(stat -c %s some.2-of-3.pieces)
head -c $((size - 100)) some.2-of-3.pieces > cut && mv cut some.2-of-3.pieces
ends 2 "a shard that was cut" "$carom" outcomes "$box" $most --merge --pieces some
says "is missed" "is in none of 3 files"
ends 0 "goes on" "$carom" outcomes "$box" $most --shard 2/3 --pieces some
is "to the same length" [ "$(stat -c %s some.2-of-3.pieces)" = "$size" ]
ends 0 "merged again" "$carom" outcomes "$box" $most --merge --pieces some --json
is "the same figures again" cmp out whole
ends 2 "another seed" "$carom" outcomes "$box" $most --seed 2 --merge --pieces some
says "is another work" "these pieces are of another work"
ends 2 "nothing to merge" "$carom" outcomes "$box" --merge --pieces none
says "is said" "there is no none.*-of-*.pieces to merge"
for wrong in 4/3 0/3 1/ /3 1/3x 4294967297/4294967297 1/99999999999999999999; do
    ends 2 "no shard $wrong" "$carom" outcomes "$box" --shard "$wrong"
done
name='a*[b]?\c' # nothing that a pattern would take for its own
ends 0 "a shard of an odd name" "$carom" outcomes "$box" --samples 50 --shard 1/1 --pieces "$name"
ends 0 "is found" "$carom" outcomes "$box" --samples 50 --merge --pieces "$name"
ends 2 "too long a name" "$carom" outcomes "$box" --shard 1/2 --pieces "$(printf '%05000d' 0)"
says "is called one" "is too long"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
