# The viewer in a real browser. Called with the command, the build folder and the source folder; a fourth argument names
# other flows than those of view.mjs, further ones what they look at. Pictures of what was seen stay in BUILD/web.
set -euo pipefail
carom=$1 build=$2 source=$3 flows=${4:-view}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
words=$("$carom" view "$source/scenes/tower/diamond4.json" --page "$work/page.html" 2>&1 || true)
if grep -q 'has no viewer' <<< "$words"; then
    echo "this build has no viewer: nothing to look at"
    exit 0
fi
if [ "$flows" = view ]; then
    (cd "$source/viewer" && node node_modules/typescript/bin/tsc --noEmit) || { echo "the page has type errors"; exit 1; }
fi
mkdir -p "$build/web"
limit=600 # busy machines
[ "$flows" = scenes ] && [ $# -lt 5 ] && limit=3600
timeout -k 5 $limit node "$source/tests/web/$flows.mjs" "$carom" "$source" "$build/web" "$work" "${@:5}"
