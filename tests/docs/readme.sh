# The README's table of laws is what `carom laws` prints: same laws, same order, same promises.
set -euo pipefail
carom=$1 source=$3
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
"$carom" laws | awk '$1 == "law" && !seen++ {on = 1; next} on && NF == 0 {on = 0} on {
    sub(/\(default\)/, ""); printf "%s", $1; for (i = 2; i <= 10; i++) printf " %s", $i; print ""}' > "$work/code"
awk -F'|' '/^\| `/ && NF == 13 {gsub(/[` ]/, "", $2); printf "%s", $2; for (i = 3; i <= 11; i++) {gsub(/ /, "", $i); printf " %s", $i}; print ""}' \
    "$source/README.md" > "$work/readme"
test -s "$work/code"
diff "$work/code" "$work/readme" || { echo "the README's table of laws differs from \`carom laws\`"; exit 1; }
echo "$(wc -l < "$work/code") passed, 0 failed"
