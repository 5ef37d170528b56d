# The command needs no more than 256 KB of stack, its threads included (they get what `ulimit -s` says): vibration
# modes, whose factorisation has the largest buffers, a world that computes some, a rope of many bodies that strikes the
# floor (nothing calls itself body by body), a tower, a chain, an impact.
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
rope() { # _ stands for the quotation mark
    awk 'BEGIN {
        print "{_carom_: 1, _kind_: _world_, _step_: 0.001, _duration_: 0.01,"
        print "_shapes_: {_ball_: {_sphere_: 0.1}, _floor_: {_plane_: [0, 0, 1]}},"
        print "_bodies_: [{_name_: _floor_, _shape_: _floor_, _kind_: _fixed_}"
        for (i = 0; i < 6000; ++i) {
            printf ", {_name_: _b%d_, _shape_: _ball_, _mass_: 1, _velocity_: [0, 0, -1],", i
            printf " _position_: [%.1f, 0, 0.1]}\n", i * 0.3
        }
        print "], _joints_: ["
        for (i = 0; i < 5999; ++i) {
            printf "%s{_kind_: _ball_, _a_: _b%d_, _b_: _b%d_,", i ? ", " : "", i, i + 1
            printf " _anchor_: [%.2f, 0, 0.1]}\n", i * 0.3 + 0.15
        }
        print "]}"
    }' | tr _ '"'
}
works run - --no-file --steps 1 < <(rope)
works tower "$3/scenes/tower/diamond4.json" --steps 5
works chain "$3/scenes/chain/wall.json"
works compare "$3/scenes/impact/cradle.json" --verdicts quick
[ $failed = 1 ] || echo "six commands work with 256 KB of stack"
exit $failed
