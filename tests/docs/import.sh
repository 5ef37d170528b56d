# Scenes of other programs (docs/import.md). Called with the command, the build folder and the source folder. The samples
# are those that the fuzzer starts from; their first byte names the form.
set -uo pipefail
carom=$(realpath "$1") source=$(realpath "$3")
work=$(mktemp -d) && cd "$work" || exit 1
trap 'rm -rf "$work"' EXIT
. "$source/tests/support/claims.sh"
sample() { tail -c +2 "$source/tests/fuzz/corpus/scene_import/$1" > "$2"; }
sample scisim-balls bernoulli.xml
if "$carom" import bernoulli.xml 2>&1 | grep -q 'reads no XML'; then
    echo "this build has no expat: nothing to read"
    exit 0
fi
for pair in scisim-space:space.xml scisim-plane:plane.xml mjcf:model.xml urdf:arm.urdf lammps:grains.data table:bodies.csv archive:bodies.npz gltf:scene.gltf scisim-balls:bernoulli.xml; do
    file=${pair#*:}
    sample "${pair%:*}" "$file"
    ends 0 "$file is read" "$carom" import "$file" --out "$file.json"
    ends 0 "$file becomes a sound scene" "$carom" check "$file.json"
done
printf 'step;x;y;z;sx;sy;sz;mass\n1;0;0;1;1;1;1;2\n2;0;0;0.5;1;2;3;2\n' > boxes.csv
ends 0 "of several steps the last counts" "$carom" import boxes.csv --out boxes.json
is "one box" test "$(grep -c '"mass"' boxes.json)" = 1
is "of its size" grep -q '"box": \[1, 2, 3\]' boxes.json
printf 'PK' > cut.npz
ends 2 "an archive that was cut" "$carom" import cut.npz
is "is called one" grep -q 'no NumPy archive' err
for wrong in 'x,y,radius:no column z' 'x,y,z:how large' 'x,y,z,radius\n0,0,1:3 fields' 'x,y,z,radius\n0,0,1,-1:without a size' \
    'x,y,z,radius\n0,0,1,q:radius is "q"' 'x,y,z,radius,x\n:twice' 'x,y,z,radius\n:no bodies'; do
    printf "${wrong%:*}" > wrong.csv
    ends 2 "${wrong%:*} is refused" "$carom" import wrong.csv
    is "with the reason" grep -q "${wrong#*:}" err
done
ends 4 "a scene that is there stays" "$carom" import bernoulli.xml --out bernoulli.xml.json
sample scisim-portal portal.xml
ends 2 "periodic boundaries are refused" "$carom" import portal.xml
is "with the reason" grep -q 'periodic boundaries (portals) are not read' err
is "and the place" grep -q 'portal.xml:5: <planar_portal>' err
# LAMMPS's data, as it may not be
box='0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\n' atoms='Atoms # sphere\n\n1 1 0.1 2500 0.5 0.5 0.5'
for wrong in "$box\n$atoms 99999999999999 0 0:boxes away" "$box\n$atoms 0 0.5 0:boxes away" \
    "$box""0.1 0 0 xy xz yz\n\n$atoms:the box is tilted" "\nVelocities\n\n1 1 1 1 0 0 0\n\n$atoms:before Atoms"; do
    printf "grains\n\n1 atoms\n${wrong%:*}\n" > wrong.data
    ends 2 "${wrong#*:}" "$carom" import wrong.data
    is "is said" grep -q "${wrong#*:}" err
done
printf "grains\n\n2 atoms\n$box\n$atoms\n1 1 0.1 2500 0.2 0.2 0.2\n\nVelocities\n\n1 1 0 0 0 0 0\n1 0 0 0 0 0 0\n" > wrong.data
ends 2 "one atom twice" "$carom" import wrong.data
is "is said" grep -q "atom 1 stands in the file twice" err
printf "grains\n\n1 atoms\n0 1 zlo zhi\n0 2 ylo yhi\n0 3 xlo xhi\n\n$atoms\n" > order.data
ends 0 "a box in another order" "$carom" import order.data --out order.json
is "has six walls" test "$(grep -c '"plane"' order.json)" = 6
printf "grains\n\n1 atoms\n0 1 zlo zhi\n\n$atoms\n" > half.data
ends 0 "half a box" "$carom" import half.data --out half.json
is "has no walls" test "$(grep -c '"plane"' half.json)" = 0
echo '<robot name="a"><link name="b">' > cut.urdf
ends 2 "a file that was cut" "$carom" import cut.urdf
is "says where" grep -q 'cut.urdf:2:1' err
echo 'x' > a.xyz
ends 2 "an ending nobody knows" "$carom" import a.xyz
is "says what is read" grep -q 'urdf' err

# GR on Bernoulli's problem: the ball comes back with a fifth of its speed [Smith et al. 2012].
ends 0 "the scene runs" "$carom" run bernoulli.xml.json --duration 1 --out b.carom --quiet
"$carom" export b.carom --to csv --out b.csv 2> /dev/null
# SCISim's pool_break_standard.xml, a rack of 15 with a ball that comes head-on, under its own program (below).
awk 'BEGIN {
    print "<ball2d_scene><integrator type=\"verlet\" dt=\"0.1\"/><impact_operator type=\"gr\" CoR=\"1.0\" v_tol=\"1.0e-9\"/>"
    ball = "<ball x=\"%.17g\" y=\"%.1f\" vx=\"%d\" vy=\"0\" m=\"1.0\" r=\"0.500001\" fixed=\"0\"/>\n"
    printf ball, -4, 0, 1
    for (row = 0; row < 5; ++row)
        for (k = 0; k <= row; ++k)
            printf ball, row * sqrt(.75), .5 * row - k, 0
    print "</ball2d_scene>"
}' > rack.xml
ends 0 "a rack is read" "$carom" import rack.xml --out rack.json
ends 0 "and runs" "$carom" run rack.json --duration 4 --out rack.carom --quiet
"$carom" export rack.carom --to csv --out rack.csv 2> /dev/null
python3 - << 'PYTHON' || exit 1
import csv, json, math, sys
def scene(name):
    return json.loads("\n".join(l for l in open(name) if not l.strip().startswith("//")))
failed = 0
def near(what, found, wanted, allowed=1e-12):
    global failed
    found, wanted = ([x] if isinstance(x, (int, float)) else list(x) for x in (found, wanted))
    if len(found) != len(wanted) or max(abs(a - b) for a, b in zip(found, wanted)) > allowed:
        print(f"FAILED: {what}: {found}, not {wanted}")
        failed = 1
rows = [r for r in csv.DictReader(open("b.csv"))]
last = rows[-3:]
v = [[float(r[k]) for k in ("vx_m_per_s", "vy_m_per_s", "vz_m_per_s")] for r in last]
near("the striker", v[0], [-0.4, 0, 0], 1e-9)
near("the upper ball", v[1], [1.2, 0, 1.2 / math.sqrt(3)], 1e-9)
near("the lower ball", v[2], [1.2, 0, -1.2 / math.sqrt(3)], 1e-9)

# Computed by SCISim f9990a7, its GR with Ipopt 3.11.9 and MUMPS to 1e-12, from that scene: velocities after the instant,
# of the ball that came and the upper half of the rack. The other half mirrors it.
scisim = {
    0: (-0.20000000000045182, 0), 1: (-0.0505263157938054, 0), 2: (-0.09251297257528962, 0.09244452049155535),
    4: (-0.08600081122613966, 0.08593270521132955), 5: (-0.0035581912533888815, 0),
    7: (-0.060897100569919815, 0.09089118122773092), 8: (-0.0034239198853703856, 0.00011628241573652387),
    11: (0.5117753192443241, 0.2954736183303171), 12: (0.23886876372549132, 0.011860806403263771), 13: (0.23846594962145434, 0) }
mirror = { 2: 3, 4: 6, 7: 10, 8: 9, 11: 15, 12: 14 }
rack = [[float(r[k]) for k in ("vx_m_per_s", "vz_m_per_s")] for r in list(csv.DictReader(open("rack.csv")))[-16:]]
for ball, wanted in scisim.items():
    near(f"ball {ball} of the rack beside SCISim", rack[ball], wanted, 1e-9)
    near(f"and its mirror image", rack[mirror.get(ball, ball)], (wanted[0], -wanted[1]), 1e-9)

s = scene("space.xml.json")
floor, ball, box = s["bodies"]
near("y up becomes z up", s["gravity"], [0, 0, -9.81])
near("the plane", floor["shape"]["plane"], [0, 0, 1])
near("its place", floor["position"], [0, 0, -1])
near("the ball", ball["position"] + ball["velocity"] + ball["spin"], [1, -3, 2, 4, -6, 5, 7, -9, 8])
near("half sizes become sizes", box["shape"]["box"], [0.2, 0.6, 0.4])
near("a turn about what is up", box["turn"], [0, 0, 1, 90])
near("the end", s["duration"], 2)

s = scene("plane.xml.json")
disc, box = s["bodies"][1], s["bodies"][2]
near("mass of a disc", disc["mass"], 2 * math.pi / 4)
near("moment of a disc", disc["inertia"][1], 0.5 * disc["mass"] * 0.25)
near("spin about y, backwards", disc["spin"], [0, -5, 0])
near("a rectangle", box["shape"]["box"], [0.5, 1, 1])

s = scene("bodies.npz.json")
post, grain = s["bodies"]
near("a grain of the archive's last frame", grain["position"] + grain["velocity"] + [grain["density"]], [0.25, 0, 1.5, 1, 0, -4, 2500])
if post["kind"] != "fixed" or "velocity" in post:
    print("FAILED: what is fixed:", post)
    failed = 1

s = scene("bodies.csv.json")
post, grain, other = s["bodies"]
near("a grain of the table", grain["position"] + grain["velocity"] + [grain["density"]], [1, 0, 0.5, -2, 0, 0, 2500])
if post["kind"] != "fixed" or other["colour"] != "#ff8000" or grain["shape"] != other["shape"] or other["name"] != "other grain":
    print("FAILED: the table's words:", post, grain, other)
    failed = 1

s = scene("model.xml.json")
arm = next(b for b in s["bodies"] if b.get("name") == "arm")
# a capsule of density 500 and a ball of 2000, as one body
r, l = 0.03, 0.6
tube, ends = 500 * math.pi * r * r * l, 500 * 4 / 3 * math.pi * r**3
rod, bob = tube + ends, 2000 * 4 / 3 * math.pi * 0.001
centre = (-0.3 * rod - 0.7 * bob) / (rod + bob)
across = tube * (r * r / 4 + l * l / 12) + ends * (0.4 * r * r + l * l / 4 + 0.375 * r * l)
moment = across + rod * (-0.3 - centre)**2 + 0.4 * bob * 0.01 + bob * (-0.7 - centre)**2
near("mass of two geoms", arm["mass"], rod + bob)
near("their centre", arm["centre"], [0, 0, centre])
near("their moment", arm["inertia"][0], moment)
near("degrees", [s["joints"][0]["lower"], s["joints"][0]["upper"]], [-80, 80])
near("the rougher surface counts", s["pairs"][0]["friction"], 1)

s = scene("arm.urdf.json")
near("links that are fixed together", s["bodies"][2]["mass"], 1.3)
near("the elbow", s["joints"][1]["anchor"], [0, -0.5 * math.sin(0.3), 0.1 + 0.5 * math.cos(0.3)])
near("a link along its parents", [s["bodies"][0]["position"][2]], [0.05])

s = scene("grains.data.json")
near("radius, not diameter", s["shapes"]["ball"]["sphere"], 0.1)
near("velocities by number of the atom", s["bodies"][2]["velocity"], [0, 0, -1])

s = scene("scene.gltf.json")
by = {b["name"]: b for b in s["bodies"]}
near("glTF: y up becomes z up", by["ball"]["position"] + by["ball"]["velocity"], [1, -3, 2, 0, 0, 1])
near("glTF: boxes", by["ground"]["shape"]["box"], [1, 3, 2])
near("glTF: scale", by["post"]["shape"]["sphere"], 0.4)
near("glTF: a collider below", by["ball"]["shape"]["compound"][1]["position"], [0, 0, 0.5])
near("glTF: a hinge", s["joints"][0]["axis"] + s["joints"][0]["anchor"], [1, 0, 0, 1, -3, 3])
near("glTF: its stops", [s["joints"][0]["lower"], s["joints"][0]["upper"]], [math.degrees(-0.5), math.degrees(1)], 1e-9)
sys.exit(failed)
PYTHON
# Out and in again: spheres and boxes of a run as glTF.
"$carom" export "$source/scenes/world/pool-break.json" --out break.glb 2> /dev/null
ends 0 "our own glTF is read" "$carom" import break.glb --out break.json
is "with the speed of the cue ball" grep -q '"name": "cue".*"velocity": \[5, 0, 0\]' break.json
is "and its restitution" grep -q '"restitution": 1, ' break.json
# Grains as LAMMPS's data, in again and out again: every digit; and run from there.
cat > pile.json <<'END'
{ "carom": 1, "kind": "world", "step": 0.0005, "duration": 0.02,
  "generators": [ { "grid": { "count": [3, 3, 4], "spacing": [0.0055, 0.0055, 0.0055], "jitter": 2e-4, "seed": 3,
    "body": { "name": "grain", "shape": { "sphere": 0.0025 }, "density": 2500, "position": [0, 0, 0.004],
      "velocity": [0.1, 0, -0.3], "spin": [1, 2, 3] } } } ] }
END
ends 0 "a pile as LAMMPS's data" "$carom" export pile.json --out pile.data
ends 0 "is read" "$carom" import pile.data --out again.json
ends 0 "and written again" "$carom" export again.json --out again.data
is "with the same digits" cmp <(tail -n +2 pile.data) <(tail -n +2 again.data)
ends 0 "and runs" bash -c '"$1" import pile.data | "$1" run - --no-file --set step=0.0005 --steps 20' run "$carom"
is "within its promises" grep -q "promises .* MOM kept" out
echo "$passed passed, $failed failed"
[ $failed = 0 ]
