# No line of the documents is wider than 120 columns, tables and blocks of code included.
cd "$3" || exit 1
if git ls-files '*.md' | LC_ALL=C.UTF-8 xargs grep -nE '^.{121}'; then
    echo "the lines above are wider than 120 columns"
    exit 1
fi
echo "$(git ls-files '*.md' | wc -l) documents have no line beyond 120 columns"
