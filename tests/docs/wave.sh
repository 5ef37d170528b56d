# docs/wave.md against the code: options and their defaults as `carom laws` says them, and every constant of
# src/impact/wave* with its value, none missing on either side.
set -euo pipefail
carom=$1 source=$3
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
page=$source/docs/wave.md
# `| `name`, ... | value, ... |` of a table that begins with the given heading, one "name value" per line
table() { awk -F'|' -v head="$1" '$2 == head {on = 1; next} on && NF < 4 {on = 0} on && $2 ~ /`/ {
    gsub(/[` ]/, "", $2); gsub(/ /, "", $3); n = split($2, name, ","); if (split($3, value, ",") != n) exit 1
    for (i = 1; i <= n; i++) print name[i], value[i]}' "$page" | LC_ALL=C sort; }
table ' option ' > "$work/options"
"$carom" laws --json | python3 -c '
import json, sys
law = [l for l in json.load(sys.stdin)["laws"] if l["name"] == "wave"][0]
for option in law["options"]:
    print(option["name"], option["default"])' | LC_ALL=C sort > "$work/defaults"
test -s "$work/options"
diff "$work/defaults" "$work/options" || { echo "options of docs/wave.md differ from \`carom laws\`"; exit 1; }
table ' name ' > "$work/page"
# #define NAME number, and members NAME = number of an enum
cat "$source"/src/impact/wave*.[ch] | awk '
    /^#define [A-Z0-9_]+ [0-9]/ {print $2, $3}
    /^enum \{/ {gsub(/[{};,]/, " "); for (i = 2; i < NF; i++) if ($(i + 1) == "=" && $(i + 2) ~ /^[0-9.e-]+$/ && $(i + 3) != "*") print $i, $(i + 2)}' |
    LC_ALL=C sort > "$work/code"
test "$(wc -l < "$work/code")" -gt 30
diff "$work/code" "$work/page" || { echo "constants of docs/wave.md differ from src/impact/wave*"; exit 1; }
echo "$(cat "$work/options" "$work/page" | wc -l) passed, 0 failed"
