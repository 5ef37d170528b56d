# Containers show what they hold, in a real browser. Called with the command, the build folder and the source folder;
# pictures of what was seen stay in BUILD/web.
set -euo pipefail
carom=$1 build=$2 source=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
words=$("$carom" view "$source/scenes/tower/diamond4.json" --page "$work/page.html" 2>&1 || true)
if grep -q 'has no viewer' <<< "$words"; then
    echo "this build has no viewer: nothing to look at"
    exit 0
fi
mkdir -p "$build/web"
exec timeout -k 5 240 node "$source/tests/web/walls.mjs" "$carom" "$source" "$build/web" "$work"
