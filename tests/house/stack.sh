# The command needs no more than 256 KB of stack, its threads included (they get what `ulimit -s` says): vibration
# modes, whose factorisation has the largest buffers, a world that computes some, a tower, a chain, an impact.
carom=$1
if grep -q 'CAROM_SANITIZE:STRING=.\+' "$2/CMakeCache.txt"; then
    echo "skipped: sanitizers need more stack"
    exit 0
fi
export CAROM_CACHE= # so that modes are computed, not read
ulimit -s 256 || exit 1
failed=0
works() { # arguments of the command
    local printed code
    printed=$("$carom" "$@" --json 2> /dev/null)
    code=$?
    [ $code = 0 ] && [ -n "$printed" ] && return
    echo "FAILED: with 256 KB of stack \`carom $*\` ends with exit code $code and ${#printed} bytes of output"
    failed=1
}
works bounce modes shape:cube:10cm@5cm --modes 10 --across 3
works run "$3/scenes/world/springs.json" --no-file --steps 2 --threads 2
works tower "$3/scenes/tower/diamond4.json" --steps 5
works chain "$3/scenes/chain/wall.json"
works compare "$3/scenes/impact/cradle.json" --verdicts quick
[ $failed = 1 ] || echo "five commands work with 256 KB of stack"
exit $failed
