# `carom tower` from the outside: build, ask, prove, check, recording, pictures, and bad input.
set -uo pipefail
carom=$1 source=$3
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
passed=0 failed=0
claim() { # words, then a command that must succeed
    local words=$1; shift
    if "$@" > "$work/out" 2>&1; then passed=$((passed + 1)); else
        failed=$((failed + 1)); echo "FAILED: $words: $*"; head -5 "$work/out"; fi
}
fails_with() { # exit code, text, then a command
    local code=$1 text=$2; shift 2
    "$@" > "$work/out" 2>&1
    local got=$?
    if [ $got -eq "$code" ] && grep -qF -- "$text" "$work/out"; then passed=$((passed + 1)); else
        failed=$((failed + 1)); echo "FAILED: exit $got, wanted $code and \"$text\": $*"; head -5 "$work/out"; fi
}
json() { # file, python expression over r
    python3 -c "import json,sys; r=json.load(open(sys.argv[1])); sys.exit(not ($2))" "$1"
}
t() { "$carom" tower "$@"; }

claim "build" t --build diamond:5 --out "$work/5.json"
claim "json" t "$work/5.json" --json
cp "$work/out" "$work/r.json"
claim "216/989" json "$work/r.json" "abs(r['sum_m_a2'] - 216/989) < 1e-12 and r['stable'] is False and r['kkt'] < 1e-13"
claim "forces" json "$work/r.json" "len(r['forces']) == 114 and len(r['accelerations']) == 25 and all(set(('a','b','point','normal','force')) <= set(f) for f in r['forces'])"
claim "support force" json "$work/r.json" "abs(sum(f['force'] for f in r['forces'] if f['a'] == -1) - 24509/989) < 1e-12"
claim "motion" t "$work/5.json" --steps 1000 --every 100 --json
cp "$work/out" "$work/m.json"
claim "audit" json "$work/m.json" "r['bitwise_symmetric'] and r['penetration'] <= 2e-5 and r['energy_gain'] <= 2e-4 and abs(r['first_support_contact'] - 2.199) <= 0.005 and len(r['states']) == 11 and len(r['energy']) == 11 and r['asymmetry'] < 1e-12 and r['qp_ms'] > 0"
claim "prove" t "$work/5.json" --prove --certificate "$work/c.json"
cp "$work/out" "$work/words"
claim "exact sum in words" grep -q "216/989" "$work/words"
claim "check" t --check "$work/c.json"
claim "certificate in the result" t "$work/5.json" --prove --json
cp "$work/out" "$work/p.json"
claim "proof fields" json "$work/p.json" "r['proof']['sum_m_a2'] == '216/989' and r['certificate']['claim'] == 'unstable'"
sed 's/"unstable"/"stable"/' "$work/c.json" > "$work/forged.json"
fails_with 1 "NOT valid" t --check "$work/forged.json"
fails_with 1 "Fix: " t --check "$work/forged.json"
claim "certificate of the scene" t --check "$work/c.json" --scene "$work/5.json"
sed 's/"gravity": "1"/"gravity": "2"/' "$work/c.json" > "$work/forged.json"
fails_with 1 "NOT valid" t --check "$work/forged.json" --scene "$work/5.json"
sed 's/"gravity": 1/"gravity": 2/' "$work/5.json" > "$work/other.json"
fails_with 1 "gravity" t --check "$work/c.json" --scene "$work/other.json"
fails_with 2 "--check" t "$work/5.json" --scene "$work/5.json"
claim "a space scene" t "$source/scenes/tower_space/tripod_tips.json" --prove --certificate "$work/s.json"
cp "$work/out" "$work/words"
claim "exactly" grep -q "162/607" "$work/words"
claim "its certificate" t --check "$work/s.json" --scene "$source/scenes/tower_space/tripod_tips.json"
fails_with 1 "NOT valid" t --check "$work/s.json" --scene "$source/scenes/tower_space/tripod.json"
fails_with 1 "in space" t --check "$work/c.json" --scene "$source/scenes/tower_space/tripod.json"
claim "space, JSON" t "$source/scenes/tower_space/diamond5.json" --json
cp "$work/out" "$work/r3.json"
claim "the plane's sum" json "$work/r3.json" "abs(r['sum_m_a2'] - 216/989) < 1e-9 and r['dimension'] == 3 and len(r['accelerations'][1]) == 6"
fails_with 2 "carom run" t "$source/scenes/tower_space/tripod.json" --steps 5
claim "penalty" t "$work/5.json" --penalty 1e9 --json
cp "$work/out" "$work/pen.json"
claim "tends to Gauss" json "$work/pen.json" "abs(r['sum_m_a2'] - 216/989) < 1e-6 and len(r['accelerations']) == 25"
claim "a recording of a penalty, stopped early" t "$work/5.json" --penalty 100 --stop-early 1e-4 --steps 20
echo '{"carom":1,"kind":"tower","brick":[5e-324,0.25],"supports":[{"table":{"right":0}}],"bricks":[[0.1,0.125]]}' > "$work/thin.json"
fails_with 2 "a brick is 4.94066e-324 x 0.25" t "$work/thin.json" --prove
claim "pictures" t "$work/5.json" --steps 60 --svg "$work/5.svg"
claim "svg is XML" python3 -c "import xml.dom.minidom,sys; xml.dom.minidom.parse(sys.argv[1])" "$work/5.svg"
if "$carom" view "$work/5.json" --page "$work/v.html" 2>&1 | grep -q 'has no viewer'; then
    fails_with 2 "npm ci" t "$work/5.json" --html "$work/5.html"
else
    claim "page" t "$work/5.json" --steps 60 --html "$work/5.html"
    claim "60 steps in the viewer's page" python3 "$source/tests/docs/page.py" "$work/5.html" tower 61 25
    claim "a page of a tower as it stands" t "$work/5.json" --html "$work/still.html"
    claim "one frame" python3 "$source/tests/docs/page.py" "$work/still.html" tower 1 25
fi
fails_with 4 "already a file" t "$work/5.json" --svg "$work/5.svg"
claim "overhang" t --overhang 3 --json
cp "$work/out" "$work/o.json"
claim "reaches one" json "$work/o.json" "abs(r['overhang'] - 1) < 1e-9 and r['proved']"
claim "harmonic, exactly below the boundary" sh -c "'$carom' tower --build harmonic:10,-1e-12 | '$carom' tower - --prove | grep -q 'proved stable'"
claim "harmonic, exactly above" sh -c "'$carom' tower --build harmonic:10,1e-12 | '$carom' tower - --prove | grep -q 'proved unstable'"
for scene in "$source"/scenes/tower/*.json; do
    claim "scene $(basename "$scene")" t "$scene" --stable --steps 20
done
claim "stable: the edge under the 3-stack" sh -c "'$carom' tower '$source/scenes/tower/parabolic3_edge.json' --prove | grep -q 'proved stable'"
sed 's/"right": 0/"right": -1e-6/' "$source/scenes/tower/parabolic3_edge.json" > "$work/edge.json"
claim "unstable: the edge a millionth away" sh -c "'$carom' tower '$work/edge.json' | grep -q '^unstable'"
fails_with 2 "names no tower" t --build pyramid:3
fails_with 2 "diamond:1000000" t --build diamond:1000000
fails_with 2 "not clear" t
echo '{"carom":1,"kind":"tower","bricks":[[0,0.125],[0.1,0.125]]}' > "$work/bad.json"
fails_with 2 "overlap" t "$work/bad.json"
echo '{"carom":1,"kind":"tower","brick":[1,0.25],"brics":[[0,0.125]]}' > "$work/bad.json"
fails_with 2 "did you mean" t "$work/bad.json"
fails_with 4 "" t "$work/none.json"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
