# Every declaration of include/carom is documented: Doxygen has nothing to warn about, and has seen what is there.
set -euo pipefail
source=$3
if ! command -v doxygen > /dev/null; then
    echo "skipped: doxygen is not installed (tools/setup test)"
    exit 0
fi
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
"$source/tools/api" "$work" || { echo "the public interface is not documented in full"; exit 1; }
for page in world_8h impact_8h tower_8h structcarom__world__options; do
    test -s "$work/html/$page.html" || { echo "no page $page"; exit 1; }
done
grep -q 'carom_world_step' "$work/html/world_8h.html"
echo "5 passed, 0 failed"
