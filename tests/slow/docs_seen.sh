# The documentation site in Chromium, every page at 360 and 1440 px. Called with the command, the build folder and the
# source folder.
set -euo pipefail
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
"$3/tools/docs" "$1" "$work/docs" > "$work/log" 2>&1 || { cat "$work/log"; exit 1; }
node "$3/tests/web/docs.mjs" "$work/docs/html"
