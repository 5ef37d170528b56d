# Python at length: a wheel of at most 2.5 MB that installs offline and works beside numpy alone, a million calls without
# growing memory, and the notebooks by Jupyter's own runner, as pages that need no network. Called with the command, the
# build folder and the source folder.
set -euo pipefail
source=$3 python=/usr/bin/python3
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
fail() { echo "$1"; exit 1; }
cd "$source"
tools/wheel > "$work/wheel.log" 2>&1 || { cat "$work/wheel.log"; exit 1; }
wheel=$(ls build/wheel/carom-*.whl)
size=$(stat -c %s "$wheel")
[ "$size" -le 2500000 ] || fail "the wheel has $size bytes, more than 2,500,000"
"$python" -m venv --system-site-packages "$work/venv" # numpy is Debian's
"$work/venv/bin/pip" install -q --no-index --no-deps "$wheel"
export CAROM_CACHE='' PYTHONDONTWRITEBYTECODE=1
unset CAROM_LIBRARY_PATH PYTHONPATH
(cd "$work" && venv/bin/python -c 'import carom, pathlib
folder = pathlib.Path(carom.__file__).parent
assert "site-packages" in str(folder), folder
mapped = open("/proc/self/maps").read()
assert all(str(folder) in line for line in mapped.splitlines() if "libcarom" in line), "a library from elsewhere"')

# a strictly typed program of a user's
cp python/tests/typed_program.py "$work/"
(cd "$work" && mypy --strict --cache-dir "$work/mypy" --python-executable venv/bin/python typed_program.py > mypy.log 2>&1 &&
    venv/bin/python typed_program.py > typed.log 2>&1) || { cat "$work"/mypy.log "$work"/typed.log; fail "a typed program"; }

# a million calls of each kind that allocates: memory at the end is what it was after the first tenth
"$work/venv/bin/python" - <<'PYTHON' || fail "memory grows"
import gc
import resource
import carom

def resident():  # kB, now
    gc.collect()
    return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize() // 1024

bodies, contacts = carom.chain([1, 0])
world = carom.World()
world.add(carom.plane(), "fixed")
world.add(carom.sphere(0.1), position=(0, 0, 0.1))
world.record_contacts()

def some(n):
    for i in range(n):
        carom.resolve(bodies, contacts, law="qce")
        world.step(1e-3)
        kept = world.positions, world.contacts, world.ledger
        world.clear_contacts()
        if i % 100 == 0:
            tower = carom.Tower("single:0.3")
            tower.start()
            carom.World(gravity=(0, 0, 0)).add(carom.box(1, 1, 1))
            try:
                carom.resolve(bodies, contacts, law="none")
            except carom.CaromError:
                pass

some(20_000)
before = resident()
some(200_000)  # five calls each: a million
grown = resident() - before
print(f"a million calls: {grown} kB more")
assert grown < 2048, grown
PYTHON

cp -r python/notebooks data "$work/" # the notebooks look for ../../data
mkdir -p "$work/a/b" && mv "$work/notebooks"/* "$work/a/b/"
for notebook in "$work"/a/b/*.ipynb; do
    JUPYTER_PLATFORM_DIRS=1 PYTHONPATH=$(ls -d "$work"/venv/lib/python3*/site-packages) "$python" -m nbconvert --to html --execute \
        --ExecutePreprocessor.kernel_name=python3 "$notebook" > "$work/nbconvert.log" 2>&1 || { tail -n 30 "$work/nbconvert.log"; exit 1; }
    grep -q '<iframe srcdoc=\|<svg' "${notebook%.ipynb}.html" || fail "$(basename "$notebook") shows no page after nbconvert"
done
echo "5 passed, 0 failed"
