# The index of all scenes is what tools/scenes writes, and every scene that can be seen has a picture.
set -euo pipefail
source=$(realpath "$3")
if ! command -v node > /dev/null; then
    echo "no Node: nothing to compare"
    exit 0
fi
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
"$source/tools/scenes" "$work/scenes.md"
diff "$source/docs/scenes.md" "$work/scenes.md" || { echo "run tools/scenes"; exit 1; }
scenes=$(ls "$source"/scenes/*/*.json | wc -l) pictures=$(grep -c '^!\[' "$work/scenes.md")
echo "$scenes scenes, $pictures with a picture"
[ "$pictures" -ge $((scenes - 3)) ] # numbers without a body: bounce/kernel, chain/frame, chain/two_walls
