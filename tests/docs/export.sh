# `carom export`: every format is read back by a reader of its own kind (NumPy, VTK, Khronos' validator, an XML
# parser, Node), all formats agree on the same positions, and bad input leaves no half file.
# Called with the command, the build folder and the source folder.
set -uo pipefail
export LC_ALL=C
carom=$1 source=$3
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
python=python3
$python -c 'import numpy, vtkmodules' 2> /dev/null || python=/usr/bin/python3
passed=0 failed=0
is() {
    local claim=$1
    shift
    "$@" > out 2> err
    local got=$?
    if [ $got = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $claim (exit code $got): $*"; head -n 20 out err; fi
}
# ends CODE WORDS COMMAND...: exit code and words on the standard error.
ends() {
    local code=$1 words=$2 got
    shift 2
    timeout -k 5 300 "$@" > out 2> err
    got=$?
    if [ $got = "$code" ] && grep -qF -- "$words" err; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: wanted exit code $code and \"$words\", got $got: $*"; head -n 20 err; fi
}

# begun FILE: waits until its temporary file is there.
begun() {
    for _ in $(seq 2000); do
        compgen -G "$1.part*" > /dev/null && break
        sleep 0.1
    done
}

cat > scene.json <<'JSON'
{ "carom": 1, "kind": "world", "title": "export \"test\" <&>", "duration": 0.5, "step": 0.005,
  "output": { "every": 0.05 }, "shapes": { "ball": { "sphere": 0.1 } },
  "bodies": [
    { "name": "floor", "kind": "fixed", "shape": { "plane": [0, 0, 1] } },
    { "name": "red ball", "shape": "ball", "position": [0, 0, 0.5], "spin": [0, 4, 0], "colour": "#d04020" },
    { "name": "other", "shape": "ball", "position": [0.05, 0, 0.9] },
    { "name": "box", "shape": { "box": [0.3, 0.2, 0.1] }, "position": [0.6, 0, 0.3], "turn": [1, 1, 0, 30] },
    { "name": "pill", "shape": { "capsule": { "radius": 0.05, "length": 0.2 } }, "position": [-0.5, 0, 0.4] } ] }
JSON
is "the scene runs" "$carom" run scene.json --set output.contacts=true --out run.carom
for format in png csv npz glb vtp html svg; do
    is "$format of a run" "$carom" export run.carom --to $format --size 320x180
    is "$format of a scene" "$carom" export scene.json --to $format --size 160x90 --out start.$format
done
is "a sheet" "$carom" export run.carom --frames 6 --out sheet.png --size 480x300
is "plots" "$carom" export run.carom --to svg --plot all --out plots.svg
for view in front side top; do
    is "drawing from $view" "$carom" export run.carom --to svg --view $view --out $view.svg
done
is "one thread" "$carom" export run.carom --threads 1 --size 320x180 --out one.png
is "the same picture with any number of threads" cmp run.png one.png

# -- what other programs read ---------------------------------------------------------------------
is "every reader finds the same numbers" $python - <<'PY'
import base64, csv, json, re, struct, zlib
import numpy as np
import xml.etree.ElementTree as tree
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
from vtkmodules.util.numpy_support import vtk_to_numpy

z = np.load("run.npz")
frames, bodies, _ = z["position"].shape
assert (frames, bodies) == (11, 5), (frames, bodies)
assert abs(z["time"] - 0.05 * np.arange(11)).max() < 1e-12, z["time"]
names = [n.decode() for n in z["name"]]
assert names[1] == "red ball", names
assert z["mass"][0] == 0 and z["mass"][1] > 0 and list(z["kind"]) == [1, 0, 0, 0, 0]
drop = z["position"][:, 1, 2]
assert abs(drop[4] - (0.5 - 0.5 * 9.81 * 0.2**2)) < 1e-3, drop  # free fall before it lands
assert abs(np.linalg.norm(z["rotation"], axis=2) - 1).max() < 1e-12

# CSV: every digit of every number
rows = list(csv.DictReader(open("run.csv", newline="")))
assert len(rows) == frames * bodies
for i, row in enumerate(rows):
    m, b = divmod(i, bodies)
    assert row["name"] == names[b] and int(row["body"]) == b
    assert [float(row[k]) for k in ("x_m", "y_m", "z_m")] == list(z["position"][m, b])
    assert [float(row[k]) for k in ("qw", "qx", "qy", "qz")] == list(z["rotation"][m, b])
    assert [float(row[k]) for k in ("wx_rad_per_s", "wy_rad_per_s", "wz_rad_per_s")] == list(z["spin"][m, b])
ledger = list(csv.DictReader(open("run-ledger.csv", newline="")))
assert [float(r["kinetic_J"]) for r in ledger] == list(z["ledger_kinetic"])
assert [float(r["momentum_z_kg_m_per_s"]) for r in ledger] == list(z["ledger_momentum_z"])
assert [int(r["impacts"]) for r in ledger] == list(z["ledger_impacts"])

# contacts, in single precision: their losses are the ledger's
c = z["contacts"]
assert list(z["shape"]) == [b"plane", b"sphere", b"sphere", b"box", b"capsule"], z["shape"]
assert np.isinf(z["radius"][0]) and abs(z["radius"][1] - 0.1) < 1e-12
assert abs((c["normal"]**2).sum(axis=1) - 1).max() < 1e-6 and (c["gap"] < 1e-3).all()
assert set(c["impact"]) == {0, 1} and abs((c["slip"] * c["normal"]).sum(axis=1)).max() < 1e-5
assert abs(c[c["impact"] == 1]["loss"].sum() / z["ledger_law"][-1] - 1) < 1e-6
table = list(csv.DictReader(open("run-contacts.csv", newline="")))
assert len(table) == len(c)
for row, k in zip(table, c):
    assert [float(row[n]) for n in ("fx_N", "fy_N", "fz_N")] == list(k["force"])
    assert (int(row["a"]), int(row["b"]), float(row["gap_m"])) == (k["a"], k["b"], k["gap"])

# VTK itself reads the ParaView files
def load(step):
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(step.get("file"))
    reader.Update()
    return reader.GetOutput()

parts = tree.parse("run.pvd").getroot().findall(".//DataSet")
steps, surfaces, lines = ([s for s in parts if s.get("part") == k] for k in "012")
for m in range(frames):
    data, of_frame = load(lines[m]), c[c["frame"] == m]
    assert data.GetNumberOfLines() == len(of_frame), (m, data.GetNumberOfLines(), len(of_frame))
    if len(of_frame):
        assert (vtk_to_numpy(data.GetCellData().GetArray("force")) == of_frame["force"]).all()
        ends = vtk_to_numpy(data.GetPoints().GetData())[1::2]
        assert abs(ends - z["position"][m, of_frame["b"]]).max() < 1e-12
    data = load(surfaces[m])
    body = vtk_to_numpy(data.GetCellData().GetArray("body"))
    assert set(body) == {1, 2, 3, 4} and (body == 3).sum() == 12, "a box has 12 triangles"
    low, high = data.GetBounds()[4:]
    assert low > -0.01 and abs(high - (z["position"][m, 2, 2] + 0.1)) < 2e-3, (low, high)
assert [float(s.get("timestep")) for s in steps] == list(z["time"])
for m, step in enumerate(steps):
    data = load(step)
    ids = vtk_to_numpy(data.GetPointData().GetArray("body"))
    assert list(ids) == [1, 2, 3, 4], ids  # a plane is no point
    assert (vtk_to_numpy(data.GetPoints().GetData()) == z["position"][m, ids]).all()
    assert (vtk_to_numpy(data.GetPointData().GetArray("velocity")) == z["velocity"][m, ids]).all()
    assert data.GetNumberOfVerts() == 4
    assert abs(vtk_to_numpy(data.GetPointData().GetArray("radius"))[0] - 0.1) < 1e-12

# GLB: the animation moves every body where it was, to single precision
raw = open("run.glb", "rb").read()
assert struct.unpack("<4sII", raw[:12]) == (b"glTF", 2, len(raw))
size = struct.unpack("<I", raw[12:16])[0]
gltf = json.loads(raw[20:20 + size])
binary = raw[20 + size + 8:]
def array(index):
    a = gltf["accessors"][index]
    v = gltf["bufferViews"][a["bufferView"]]
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[a["type"]]
    kind = {5126: "<f4", 5125: "<u4"}[a["componentType"]]
    return np.frombuffer(binary, kind, a["count"] * width, v["byteOffset"]).reshape(-1, width)
run = gltf["animations"][0]
moved = set()
for channel in run["channels"]:
    sampler = run["samplers"][channel["sampler"]]
    body = channel["target"]["node"]
    assert gltf["nodes"][body]["name"] == names[body]
    assert abs(array(sampler["input"])[:, 0] - z["time"]).max() < 1e-6
    values = array(sampler["output"])
    if channel["target"]["path"] == "translation":
        moved.add(body)
        assert abs(values - z["position"][:, body]).max() < 1e-6
    else:
        q = z["rotation"][:, body][:, [1, 2, 3, 0]]
        assert abs(abs((values * q).sum(axis=1)) - 1).max() < 1e-6
assert moved == {1, 2, 3, 4}, moved
assert gltf["nodes"][1]["mesh"] != gltf["nodes"][2]["mesh"]  # other colours,
meshes = [gltf["meshes"][gltf["nodes"][b]["mesh"]]["primitives"][0] for b in (1, 2)]
assert meshes[0]["attributes"] == meshes[1]["attributes"]  # the same surface

# PNG: size, and that the balls are where they should be is for those who look
for name, wanted in (("run.png", (320, 180)), ("sheet.png", (480, 300))):
    head = open(name, "rb").read(33)
    assert head[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", head[16:24]) == wanted

# SVG: well-formed, with units
for name in ("run.svg", "start.svg", "plots.svg", "front.svg", "side.svg", "top.svg"):
    words = " ".join(tree.parse(name).getroot().itertext())
    assert 'export "test" <&>' in words, name
    if name in ("run.svg", "plots.svg"):
        assert all(w in words for w in ("energy (J)", "momentum (kg m/s)", "overlap (m)", "time (s)")), name

# HTML: one file that loads nothing; its numbers are those of the run
page = open("run.html").read()
if "source-0-frames" in page: # the viewer
    head = page[:page.index("<style>")]
    assert "default-src 'none'" in head and "connect-src" not in head
    assert all(mark.startswith('<link rel="icon" href="data:') for mark in re.findall(r"<link[^>]*>", page[:page.index("</head>")]))
    assert not re.search(r"<script[^>]* src", page)
    text = re.search(r'id="source-0-frames">([^<]*)<', page).group(1)
    packed = base64.b64decode(text) # by kind, significance, body and time, deflated
    sorted_bytes = np.frombuffer(zlib.decompress(packed[12:]), np.uint8).reshape(13, 4, 5, frames)
    motion = np.ascontiguousarray(sorted_bytes.transpose(3, 2, 0, 1)).view("<f4").reshape(frames, 5, 13)[:, 1:]
    assert abs(motion[:, :, 7:10] - z["velocity"][:, 1:]).max() < 2.0**-12 * abs(z["velocity"]).max()
    script = re.search(r'<script type="module">(.*?)</script>', page, re.S).group(1)
else: # the plain player of a build without the viewer
    assert not re.search(r'(src|href)\s*=|https?://(?!www\.w3\.org/2000/svg)', page)
    text = re.search(r'motion:"([^"]*)"', page).group(1)
    motion = np.frombuffer(base64.b64decode(text), "<f4").reshape(frames, 4, 7)
    script = re.search(r"<script>(.*?)</script>", page, re.S).group(1)
assert abs(motion[:, :, :3] - z["position"][:, 1:]).max() < 2.0**-20 * abs(z["position"]).max()
open("script.mjs", "w").write(script)
PY
is "the page's script parses" node --check script.mjs
"$carom" run "$source/scenes/world/cradle-strings.json" --duration 0.3 --out strings.carom --quiet
"$carom" export strings.carom --to glb --out strings.glb
"$carom" export strings.carom --to npz --out strings.npz
is "strings are rods: one end stays, the other keeps its place on a ball" $python - <<'PY'
import json, struct
import numpy as np
raw = open("strings.glb", "rb").read()
size = struct.unpack("<I", raw[12:16])[0]
gltf, binary = json.loads(raw[20:20 + size]), raw[20 + size + 8:]
def array(index):
    a = gltf["accessors"][index]
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[a["type"]]
    return np.frombuffer(binary, "<f4", a["count"] * width, gltf["bufferViews"][a["bufferView"]]["byteOffset"]).reshape(-1, width)
run, rods = gltf["animations"][0], {}
for channel in run["channels"]:
    if gltf["nodes"][channel["target"]["node"]]["name"].startswith("rod"):
        rods.setdefault(channel["target"]["node"], {})[channel["target"]["path"]] = array(run["samplers"][channel["sampler"]]["output"])
balls = np.load("strings.npz")["position"]
assert len(rods) >= 5, len(rods)
still = lambda path: np.ptp(path, axis=0).max() < 2e-6  # single precision of about a metre
for rod in rods.values():
    x, y, z, w = rod["rotation"].T
    up = np.stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], axis=1)
    ends = [rod["translation"] + sign * rod["scale"][:, 2:] * up / 2 for sign in (-1, 1)]
    if still(ends[1]):
        ends.reverse()
    assert still(ends[0]) # hangs from the world
    assert min(np.ptp(np.linalg.norm(ends[1] - balls[:, b], axis=1)) for b in range(balls.shape[1])) < 2e-6
PY
for scene in "$source"/scenes/world/*.json; do
    case $scene in */settled.json | */patterns.json | */patterns-*-full.json) continue ;; esac # only more of the same grains
    is "GLB of $(basename "$scene")" "$carom" export "$scene" --to glb --out "scene-$(basename "$scene" .json).glb"
done
is "Khronos' validator finds no error and no warning" node "$source/tests/web/validate-glb.mjs" ./*.glb
is "the lock file names no server" bash -c "! grep -q '://' '$source/tests/web/package-lock.json'"

# -- bad input --------------------------------------------------------------------------------------
size=$(stat -c %s run.carom)
head -c $((size - 100)) run.carom > cut.carom
ends 0 "everything before it is whole" "$carom" export cut.carom --to csv
is "a cut file is used up to its last whole record" test "$(wc -l < cut.csv)" -gt 10 -a "$(wc -l < cut.csv)" -le "$(wc -l < run.csv)"
: > empty.carom
ends 2 "it is empty" "$carom" export empty.carom
is "the end of the file's first frame" $python - <<'PY'
import struct
data = open("run.carom", "rb").read()
at = 16
while True:  # up to the first frame
    kind, _, size, _ = struct.unpack("<IIQQ", data[at:at + 24])
    if kind == 3:
        break
    at += 24 + (size + 7) // 8 * 8
open("none.carom", "wb").write(data[:at])
PY
ends 2 "no frame" "$carom" export none.carom
printf 'CAROMTRJ' > short.carom
ends 2 "cut before its first record" "$carom" export short.carom
printf 'something else entirely' > text.carom
ends 2 "not a trajectory" "$carom" export text.carom
ends 4 "cannot open" "$carom" export nowhere.carom
ends 2 "--size" "$carom" export run.carom --size 12 --out x.png
ends 2 "pixels" "$carom" export run.carom --size 2x2 --out x.png
ends 2 "--from" "$carom" export run.carom --from 1,2 --out x.png
ends 4 "already" "$carom" export run.carom --to csv
ends 4 "run" "$carom" export run.carom --to vtp
ends 0 "written" "$carom" export run.carom --to vtp --force --decimate 2
is "a replaced folder holds the new files only" test "$(ls run | wc -l)" = 18
ends 2 "or --force" "$carom" export run.carom --to mp4 --rate 240 --speed 0.001 --out large.mp4
ends 2 "8192" "$carom" export run.carom --to mp4 --size 16384x16384 --out large.mp4
ends 2 "standard output" "$carom" export run.carom --to mp4 --out -
is "to the standard output" bash -c "'$carom' export run.carom --to npz --out - | cmp - run.npz"
# -- videos -------------------------------------------------------------------------------------------
mkdir bare stub broken
for tool in bash cat; do ln -s "$(command -v $tool)" stub/$tool; ln -s "$(command -v $tool)" broken/$tool; done
printf '#!/usr/bin/env bash\nfor last; do :; done\ncat > "$last"\n' | sed "1s|.*|#!$(command -v bash)|" > stub/ffmpeg
printf '#!%s\necho "no such codec" >&2\nexit 1\n' "$(command -v bash)" > broken/ffmpeg
chmod +x stub/ffmpeg broken/ffmpeg
ends 2 "key 2 of the camera is at 0 s" env PATH="$work/stub:$PATH" "$carom" export run.carom --key 1,1,2,3,0,0,0 --key 0,1,2,3,0,0,0 --out key.mp4
ends 2 "give seven numbers" env PATH="$work/stub:$PATH" "$carom" export run.carom --key 0,1,2 --out key.mp4
ends 0 "written: run.usda" "$carom" export run.carom --out run.usda
is "z up" grep -q 'upAxis = "Z"' run.usda
is "with motion" grep -q 'xformOp:translate.timeSamples' run.usda
ends 4 "install ffmpeg" env PATH="$work/bare" "$carom" export run.carom --to mp4
ends 4 "no such codec" env PATH="$work/broken" "$carom" export run.carom --to mp4 --size 64x36
ends 0 "written" env PATH="$work/stub" "$carom" export run.carom --to mp4 --size 64x36 --rate 20
is "eleven pictures reach the encoder" test "$(stat -c %s run.mp4)" = $((64 * 36 * 3 * 11))
is "no video without success" test ! -e large.mp4
# A picture of 17 million pixels stops within a band of them.
"$carom" export run.carom --size 4096x4096 --out stopped.png 2> err &
begun stopped.png
kill -TERM $!
wait $!
is "a stopped picture ends with exit code 130" test $? = 130
is "and leaves nothing behind" bash -c "! ls | grep -q 'stopped'"
# Ctrl-C in the middle: exit code 130, nothing left.
before=$(ls -A | grep -v '^\(out\|err\)$' | sort)
PATH="$work/stub" "$carom" export run.carom --to mp4 --size 640x360 --rate 240 --out stopped.mp4 2> err &
begun stopped.mp4
kill -INT $!
wait $!
is "a stopped video ends with exit code 130" test $? = 130
is "and leaves nothing behind" test "$(ls -A | grep -v '^\(out\|err\)$' | sort)" = "$before"

# -- the manual (its blocks are run by docs/blocks) ----------------------------------------------------
is "every picture of the docs is there" bash -c "cd '$source' && ! grep -ohE '\]\((docs/)?pictures/[^)]+' README.md docs/*.md | sed 's/.*(//; s|^docs/||' | while read -r f; do [ -s docs/\$f ] || echo \$f; done | grep ."

echo "$passed passed, $failed failed"
[ $failed = 0 ]
