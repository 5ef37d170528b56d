# The chain command: every scene runs, prints JSON that parses, draws pictures that parse; bad input
# ends with exit code 2 and says where; the manual's example compiles.
set -euo pipefail
carom=$1 build=$2 source=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "chain.sh: $*"; exit 1; }

for scene in "$source"/scenes/chain/*.json; do
    name=$(basename "$scene" .json)
    [ "$name" = bead-shock ] && continue # a thousand beads take a minute: tests/scenes/bead_shock
    pictures=(--html "$work/$name.html")
    case $name in two_walls | frame) ;; *) pictures+=(--svg "$work/$name.svg") ;; esac
    "$carom" chain "$scene" --json "${pictures[@]}" > "$work/$name.out" 2> /dev/null || fail "$name fails"
done
"$carom" chain "$source/scenes/chain/fig2_three_spheres.json" --space "$work/space.svg" > "$work/table" 2> /dev/null
for name in fig8_cylinder_cradle fig11_unequal; do
    "$carom" chain "$source/scenes/chain/$name.json" --exact --waves "$work/$name-waves.svg" > /dev/null 2>&1 || fail "waves of $name"
done
grep -q "fixed-point" "$work/table" || fail "the table names the rules"

# work is bounded: what surely takes more is refused before it starts, what turns out to take more ends there
limited() { # exit code, words, then arguments and a file on standard input
    local code=$1 words=$2 got=0
    shift 2
    "$carom" chain - "$@" > "$work/limit" 2>&1 || got=$?
    [ "$got" = "$code" ] && grep -q -- "$words" "$work/limit" || fail "exit $got, wanted $code and $words: $(head -3 "$work/limit")"
}
row='{"carom": 1, "kind": "chain", "contact": {"exponent": 1.5, "stiffness": 1000}, "bodies": [{"mass": 1, "velocity": 1}, {"mass": 1, "count": 3000}]}'
bars='{"carom": 1, "kind": "chain", "duration": 1e6, "bodies": [{"cylinder": {"length": 2, "radius": 1, "young": 30, "density": 1, "slices": 80}, "velocity": 1, "count": 2}]}'
step='{"carom": 1, "kind": "chain", "bodies": [{"mass": 1, "velocity": 1}, {"mass": 1, "count": 3}], "stepping": {"step": 0.001, "steps": 1000000}}'
limited 1 "--limit 1e+07 goes on" --limit 1e6 <<< "$row"
limited 2 "--limit .* to go on" <<< "$bars"
limited 2 "beyond the limit of 1e+03" --limit 1000 <<< "$step"
limited 0 "fixed-point" --limit 1e7 <<< "${step/1000000/100}"

python3 - "$work" << 'PYTHON'
import glob, json, os, re, sys
import xml.etree.ElementTree as xml
work = sys.argv[1]
result = {os.path.basename(f)[:-4]: json.load(open(f)) for f in glob.glob(work + "/*.out")}
def near(found, wanted, most, what):
    worst = max(abs(a - b) for a, b in zip(found, wanted))
    assert len(found) == len(wanted) and worst <= most, f"{what}: {found}, wanted {wanted}, off by {worst}"
# Independent reference computation; mass and stiffness do not matter.
near(result["fig3_hooke"]["velocities"], [-.1708997483, -.0492007861, .3820272143, .6609949957, 1.1770783244], 1e-7, "Hooke")
near(result["fig5_hertz"]["velocities"], [-.1126149790, -.0419595005, .2144857762, .8003666717, 1.1397220317], 1e-7, "Hertz")
near(result["fig6_fifth_power"]["velocities"], [-.0017138491, -.0000261170, .0017499397, .9973542772, 1.0026357491], 1e-7, "power 5")
near(result["fig8_cylinder_cradle"]["waves"]["velocities"], [0, 0, 0, 1, 1], 1e-12, "cylinder cradle")
near(result["fig11_unequal"]["waves"]["velocities"], [0, .5], 1e-12, "unequal cylinders")
near(result["gaps"]["sweep"][-1]["velocities"], [0, 0, 0, 1, 1], 1e-9, "a cradle with gaps of a diameter")
for name in "two_walls", "frame":
    assert result[name]["stepping"]["fixed-point"]["converged"] is False, name + " is flagged"
assert result["fig5_hertz"]["stepping"]["fixed-point"]["converged"] is True
for name, r in result.items():
    if "energy" in r:
        assert r["energy"]["error"] <= 1e-9 and r["accurate"], name + " keeps its energy"
        assert r["ended"] == ("duration" if name == "mass_on_bar" else "separated"), name + " ends"
for f in glob.glob(work + "/*.svg"):
    text = open(f).read()
    xml.fromstring(text)
    assert "nan" not in text and "inf" not in text.replace("info", ""), f + " draws numbers only"
for f in glob.glob(work + "/*.html"):
    text = open(f).read()
    assert not re.search(r'(src|href)\s*=|url\(|@import', text), f + " refers to nothing outside"
    assert "<script" not in text, f + " is a report"
PYTHON

expect() { # exit code, words in the message, file text
    printf '%s' "$3" > "$work/bad.json"
    local code=0
    "$carom" chain "$work/bad.json" > "$work/said" 2>&1 || code=$?
    [ $code = "$1" ] || fail "exit $code instead of $1 for: $3"
    grep -q -- "$2" "$work/said" || fail "\"$2\" is not in: $(cat "$work/said")"
}
head='{ "carom": 1, "kind": "chain", '
expect 2 'length is -1' "$head"'"bodies": [ { "cylinder": { "length": -1, "radius": 1, "young": 1, "density": 1 } }, { "wall": true } ] }'
expect 2 'stiffness is 0' "$head"'"contact": { "stiffness": 0 }, "bodies": [ { "mass": 1 }, { "mass": 1 } ] }'
expect 2 'overlap' "$head"'"contact": { "stiffness": 1 }, "gaps": [ -1 ], "bodies": [ { "mass": 1 }, { "mass": 1 } ] }'
expect 2 'slices is 0' "$head"'"bodies": [ { "sphere": { "slices": 0, "radius": 1, "young": 1, "density": 1 } }, { "wall": true } ] }'
expect 2 'bad.json:1:.*' "$head"'"contact": { "stiffness": 1, "exponent": 0.99 }, "bodies": [ { "mass": 1 }, { "mass": 1 } ] }'
expect 0 'still closed' "$head"'"contact": { "stiffness": 1 }, "duration": 0.1, "bodies": [ { "mass": 1, "velocity": 1 }, { "mass": 1 } ] }'
expect 1 'step budget' "$head"'"contact": { "stiffness": 1 }, "max_steps": 50, "gaps": 1, "bodies": [ { "wall": true }, { "mass": 1, "velocity": 1 }, { "wall": true } ] }'
code=0; "$carom" chain > /dev/null 2>&1 || code=$?
[ $code = 2 ] || fail "no file is a misuse"
code=0; "$carom" chain "$source/scenes/chain/fig3_hooke.json" --svg "$work/space.svg" > /dev/null 2>&1 || code=$?
[ $code != 0 ] || fail "an existing picture is replaced without being asked"
code=0; "$carom" chain "$source/scenes/chain/fig5_hertz.json" --exact > /dev/null 2>&1 || code=$?
[ $code != 0 ] || fail "rigid masses have no exact waves"
"$carom" chain --schema | python3 -c 'import json, sys; s = json.load(sys.stdin); assert "bodies" in s["required"]'

# The example of the manual, as it is printed.
python3 - "$source/docs/chain.md" > "$work/example.c" << 'PYTHON'
import re, sys
print(re.search(r"```c\n(.*?)```", open(sys.argv[1]).read(), re.S).group(1))
PYTHON
compiler=$(sed -n 's/^CMAKE_C_COMPILER:[^=]*=//p' "$build/CMakeCache.txt")
flags=$(sed -n 's/^CAROM_SANITIZE:STRING=\(..*\)/-fsanitize=\1/p' "$build/CMakeCache.txt")
"$compiler" -std=c17 $flags -I"$source/include" "$work/example.c" \
    -Wl,--start-group "$build/libcarom-models.a" "$build/libcarom.a" "$build/libcarom_common_static.a" -Wl,--end-group \
    -lgmp -lqhull_r -lm -pthread -o "$work/example"
[ "$("$work/example" | tail -1)" = 0.994549 ] || fail "the example prints $("$work/example")"
echo "every chain scene runs"
