# `carom bounce` from the outside: maps, probes, pairs, kernels, modes, pictures, and bad input.
set -uo pipefail
carom=$1 source=$3
export OMP_NUM_THREADS=1
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
passed=0 failed=0
claim() { # words, then a command that must succeed
    local words=$1; shift
    if "$@" > "$work/out" 2>&1; then passed=$((passed + 1)); else
        failed=$((failed + 1)); echo "FAILED: $words: $*"; head -5 "$work/out"; fi
}
fails_with() { # exit code, text, then a command; nothing may be written
    local code=$1 text=$2; shift 2
    "$@" > "$work/out" 2>&1
    local got=$?
    if [ $got -eq "$code" ] && grep -qF -- "$text" "$work/out" && [ ! -e "$work/new" ]; then passed=$((passed + 1)); else
        failed=$((failed + 1)); echo "FAILED: exit $got, wanted $code and \"$text\": $*"; head -5 "$work/out"; fi
}
json() { # file, python expression over r
    python3 -c "import json,sys; r=json.load(open(sys.argv[1])); sys.exit(not ($2))" "$1"
}
b() { "$carom" bounce "$@" 2> "$work/err"; }
quick="--modes 10 --across 1"

# the bare scalar problem
claim "kernel" b kernel "$source/scenes/bounce/kernel.json" --json
cp "$work/out" "$work/k.json"
claim "closed forms" json "$work/k.json" "abs(r['eps'][0] - .625) < 1e-12 and abs(r['eps'][1] - .625) < 1e-12 and r['eps'][2] == 0 and abs(r['eps'][3] - .5808131) < 1e-6"
claim "its keys" json "$work/k.json" "all(len(r[k]) == 4 for k in ('eps', 'tau', 'micro', 'steps'))"
kernel() { printf '{"carom":1,"kind":"bounce-kernel",%s}' "$1" > "$work/p.json"; }
for solver in event production literal; do
    kernel "\"solver\":\"$solver\",\"cases\":[{\"w\":3,\"a\":[],\"omega\":[]},{\"w\":3,\"a\":[0,0],\"omega\":[1,2]},{\"w\":3,\"a\":[2.2360679774997896],\"omega\":[100]}]"
    claim "$solver" b kernel "$work/p.json" --json
    cp "$work/out" "$work/k.json"
    claim "no modes are epsilon 0, one mode W/(w+W), by $solver" json "$work/k.json" "r['eps'][:2] == [0, 0] and abs(r['eps'][2] - .625) < 5e-3 and r['solver'] == '$solver'"
done
# a file that asks for 1e12 steps of a mode that never ends is cut off by --limit
kernel '"budget":1000000000000,"cases":[{"w":3,"a":[2,1],"omega":[100,1e-20]}]'
fails_with 1 "ended by the budget" "$carom" bounce kernel "$work/p.json" --limit 1e4
kernel '"cases":[{"w":0,"a":[1],"omega":[1]}]'; fails_with 2 "w is 0" "$carom" bounce kernel "$work/p.json"
kernel '"cases":[{"w":1,"a":[NaN],"omega":[1]}]'; fails_with 2 "NaN" "$carom" bounce kernel "$work/p.json"
kernel '"cases":[{"w":1,"a":[1],"omega":[0]}]'; fails_with 2 "rigid modes" "$carom" bounce kernel "$work/p.json"
kernel '"cases":[{"w":1,"a":[1,2],"omega":[1]}]'; fails_with 2 "2 participations for 1" "$carom" bounce kernel "$work/p.json"
kernel '"cases":[{"w":1e300,"a":[1],"omega":[1]}]'; fails_with 2 "1e+300" "$carom" bounce kernel "$work/p.json"
kernel '"damping":-1,"cases":[{"w":1,"a":[1],"omega":[1]}]'; fails_with 2 "pump" "$carom" bounce kernel "$work/p.json"
kernel '"damping":1,"solver":"event","cases":[{"w":1,"a":[1],"omega":[1]}]'; fails_with 2 "event solver" "$carom" bounce kernel "$work/p.json"
kernel '"cases":[{"w":1,"a":[1],"omega":[1]}],"solvr":"event"'; fails_with 2 "solver" "$carom" bounce kernel "$work/p.json"

# maps
page=(--html "$work/c.html")
"$carom" view "$source/scenes/tower/diamond4.json" --page "$work/v.html" > "$work/view" 2>&1
grep -q 'has no viewer' "$work/view" && page=()
claim "map" b shape:cube:10cm@1cm $quick --edges --vertices --json --out "$work/c.bounce" "${page[@]}" --svg "$work/c.svg" --samples "$work/c.csv"
cp "$work/out" "$work/m.json"
claim "its figures" json "$work/m.json" "r['faces']['count'] == 1200 and r['vertices']['count'] > 2000 and r['edges']['count'] > 1000 and 0 < r['faces']['min'] <= r['faces']['mean'] <= r['faces']['max'] < 1 and r['symmetry'] == '48 operations' and r['computed'] < 800 and r['capped'] == 0"
claim "the samples" test "$(wc -l < "$work/c.csv")" = "$(($(python3 -c "import json; print(json.load(open('$work/m.json'))['all']['count'])") + 1))"
claim "the map starts with its name" test "$(head -c 8 "$work/c.bounce")" = CAROMBNC
[ ${#page[@]} = 0 ] || claim "the viewer's page with the map" python3 "$source/tests/docs/page.py" "$work/c.html" "bounce map" 1 1
claim "the picture is XML" python3 -c "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])" "$work/c.svg"
fails_with 4 "already a file" "$carom" bounce shape:cube $quick --out "$work/c.bounce"

# probe and modes
claim "probe" b probe shape:cube:10cm@5cm --point 0,0,0.05 --normal 0,0,1 $quick --json --trace "$work/t.csv"
cp "$work/out" "$work/p1.json"
claim "its keys" json "$work/p1.json" "0 < r['eps'] < 1 and r['tau'] > 0 and r['micro'] >= 1 and abs(r['impulse'] * r['w'] - 1 - r['eps']) < 1e-9"
claim "the time series" test "$(wc -l < "$work/t.csv")" -gt 20
claim "other size and material" b probe shape:cube:1m@50cm --material plastic --poisson 0.29 --point 0,0,0.5 --normal 0,0,1 $quick --json
cp "$work/out" "$work/p2.json"
claim "restitution has no scale" python3 -c "import json; a, b = (json.load(open('$work/p%d.json' % k)) for k in (1, 2)); assert abs(a['eps'] - b['eps']) < 1e-6"
claim "modes" b modes shape:cube:10cm@5cm $quick --json
cp "$work/out" "$work/f.json"
claim "their keys" json "$work/f.json" "len(r['freq_hz']) >= 10 and abs(r['mass'] - 7.85) < 1e-9 and len(r['inertia']) == 6 and r['dof'] > 1000"
python3 - "$work/cube.obj" <<'PY'
import sys
# a cube of 100 mm with its corner at the origin
v = [(100*x, 100*y, 100*z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
quads = [(0,1,3,2), (4,6,7,5), (0,4,5,1), (2,3,7,6), (0,2,6,4), (1,5,7,3)]
open(sys.argv[1], 'w').write(''.join('v %g %g %g\n' % p for p in v) + ''.join('f %d %d %d\nf %d %d %d\n' % (a+1, b+1, c+1, a+1, c+1, d+1) for a, b, c, d in quads))
PY
claim "a file in mm, point in its coordinates" b probe "$work/cube.obj" --unit mm --point 50,50,100 --normal 0,0,1 $quick --json
cp "$work/out" "$work/p3.json"
claim "the same as the shape by name" python3 -c "import json; a, b = (json.load(open('$work/p%d.json' % k)) for k in (1, 3)); assert abs(a['eps'] - b['eps']) < 1e-9"

# pairs
claim "pair" b pair shape:cube:10cm@5cm shape:cube:10cm@5cm $quick --point-a 0,0,0.05 --normal-a 0,0,1 --point-b 0,0.05,0 --normal-b 0,1,0 --solver event --json
cp "$work/out" "$work/q.json"
claim "a body against its mirror image" json "$work/q.json" "abs(r['eps'] - r['eps_one'][0]) < 1e-6 and len(r['rules']) == 8"
claim "all against all" b pair shape:cube:10cm@2cm shape:cube:10cm@2cm $quick --samples 5 --json
cp "$work/out" "$work/q.json"
claim "pairs" json "$work/q.json" "r['pairs'] == 25 and 0 < r['error']['weighted'] < .5"

# work is bounded, and known before it starts
fails_with 2 "--limit" "$carom" bounce shape:cube:10cm@1cm $quick --limit 100 --out "$work/new"
claim "within the limit" b shape:cube:10cm@1cm $quick --limit 1e5 --json

# two materials: exchanged bodies give the same, a partner a million times as dense and as stiff is a wall, the same
# material said twice changes nothing
at="--point-a 0,0,0.05 --normal-a 0,0,1 --point-b 0,0.05,0.05 --normal-b 0,1,1 --solver event --json"
ta="--point-a 0,0.05,0.05 --normal-a 0,1,1 --point-b 0,0,0.05 --normal-b 0,0,1 --solver event --json"
cubes="shape:cube:10cm@5cm shape:cube:10cm@5cm"
for k in "1 $at" "2 $at --material-b steel" "3 $at --material-b wood" "4 $ta --material wood --material-b steel" \
    "5 $at --young-b 2.1e17 --density-b 7.8e9" "6 $at --poisson 0.2" "7 $at --poisson-b 0.2" "8 $at --material wood"; do
    claim "pair $k" b pair $cubes $quick ${k#* }
    cp "$work/out" "$work/m${k%% *}.json"
done
claim "two materials" python3 -c "
import json
e = {k: json.load(open('$work/m%d.json' % k)) for k in range(1, 9)}
both = {k: e[k]['eps'] for k in e}
assert both[1] == both[2], 'the same material twice'
assert abs(both[3] - both[4]) < 1e-9, 'bodies exchanged'
assert abs(both[5] - e[1]['eps_one'][0]) < 1e-5, 'a partner like a wall'
assert e[7]['eps_one'][0] == e[1]['eps_one'][0] and e[7]['eps_one'][1] == e[6]['eps_one'][1], 'nu of B alone'
assert len({round(both[k], 6) for k in (1, 3, 5, 6, 7, 8)}) == 6, 'each is another pair'"
fails_with 2 "outside" "$carom" bounce pair $cubes $quick --poisson-b 0.7

# bad input: a clear message, and nothing written
sed '$d' "$work/cube.obj" > "$work/open.obj"
fails_with 2 "open" "$carom" bounce "$work/open.obj" $quick --out "$work/new"
fails_with 2 "no shape" "$carom" bounce shape:brr --out "$work/new"
fails_with 2 "has 3 sizes" "$carom" bounce shape:bar:10mm --out "$work/new"
fails_with 2 "Poisson" "$carom" bounce shape:cube --poisson 0.5 --out "$work/new"
fails_with 2 "Young" "$carom" bounce shape:cube --young -1 --out "$work/new"
fails_with 2 "not a number" "$carom" bounce shape:cube --density nan --out "$work/new"
fails_with 2 "off the surface" "$carom" bounce probe shape:cube:10cm@5cm --point 0,0,9 --normal 0,0,1 $quick
fails_with 2 "--normal" "$carom" bounce probe shape:cube:10cm@5cm --point 0,0,0.05 --normal 0,0,0 $quick
fails_with 2 "three numbers" "$carom" bounce probe shape:cube:10cm@5cm --point 0,0 --normal 0,0,1 $quick
fails_with 2 "a point and a normal" "$carom" bounce probe shape:cube
fails_with 2 "points and normals" "$carom" bounce pair shape:cube shape:cube --point-a 0,0,1

# Shards: three pieces of contacts, done by two, put together to the same bytes
cube="shape:cube:10cm@5cm --modes 10 --symmetry none --faces 5000 --edges --pieces $work/cube"
claim "a map at once" "$carom" bounce $cube --out "$work/whole.bounce"
for i in 1 2; do claim "shard $i of 2" "$carom" bounce $cube --shard $i/2; done
claim "merged" "$carom" bounce $cube --merge --out "$work/merged.bounce"
claim "the same bytes" cmp "$work/whole.bounce" "$work/merged.bounce"
rm "$work/cube.2-of-2.pieces"
fails_with 2 "piece 1 is in none of 1 files" "$carom" bounce $cube --merge --out "$work/new"
fails_with 2 "another work" "$carom" bounce $cube --damping 1e-7 --merge --out "$work/new"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
