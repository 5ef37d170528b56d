# What is wrong with a mesh: every fault ends with exit code 2 and says what, how often, one place of it,
# where in the file, and what to do; what repair mends runs with "repair": true.
# Called with the command, the build folder and the source folder.
set -uo pipefail
export LC_ALL=C
carom=$1
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0 failed=0
corners='[[0,0,0],[1,0,0],[0,1,0],[0,0,1]]'
sound='[0,2,1],[0,1,3],[0,3,2],[1,2,3]'

# scene VERTICES TRIANGLES MORE: a body of that mesh.
scene() {
    printf '{ "carom": 1, "kind": "world", "step": 0.01, "duration": 0.1,\n  "shapes": { "thing": { "mesh": { "vertices": %s,\n    "triangles": [%s]%s } } },\n  "bodies": [ { "name": "b", "shape": "thing" } ] }\n' "$1" "$2" "${3:-}"
}
# refuse NAME VERTICES TRIANGLES WHAT FIX
refuse() {
    local message code
    scene "$2" "$3" > "$1.json"
    message=$(timeout 200 "$carom" check "$1.json" 2>&1 >/dev/null)
    code=$?
    if [ $code = 2 ] && [[ $message == "$1.json:"*": $4"*"Fix: $5"* ]]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $1: wanted exit code 2, \"$4\", fix \"$5\"; exit code $code, message:"
        echo "$message"
    fi
}
# accept NAME VERTICES TRIANGLES MORE
accept() {
    scene "$2" "$3" "${4:-}" > "$1.json"
    if timeout 200 "$carom" check "$1.json" > out 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $1 is sound, but:"
        cat out
    fi
}

accept sound "$corners" "$sound"
refuse open '[[0,0,0],[1,0,0],[0,1,0],[0,0,1],[1,1,1]]' '[0,2,1],[0,1,3],[0,3,2],[1,4,3]' \
    'the mesh is open: 4 edges with only one triangle, as at (' 'close the holes'
refuse crowded '[[0,0,0],[1,0,0],[0,1,0],[0,0,1],[0,-1,0],[0,0,-1]]' "$sound,[0,1,4],[0,5,1],[0,4,5],[1,5,4]" \
    'the mesh has 1 edge with more than two triangles, as at (0.5, 0, 0)' 'separate the solids'
refuse touching '[[0,0,0],[1,0,0],[0,1,0],[0,0,1],[0.2,0.2,0.2],[1.2,0.2,0.2],[0.2,1.2,0.2],[0.2,0.2,1.2]]' \
    "$sound,[4,6,5],[4,5,7],[4,7,6],[5,6,7]" 'the mesh meets itself: 3 pairs of triangles, as at (' 'unite overlapping solids'
refuse flat '[[0,0,0],[1,0,0],[1,1,0],[0,1,0]]' '[0,1,2],[0,2,3],[0,2,1],[0,3,2]' 'the mesh has 2 triangles with an area' 'a closed surface'
refuse number "$corners" '[0,2,1],[0,1,3],[0,3,2],[1,2,7]' 'triangle 3 names the vertex 7 of 4' 'use vertex numbers from 0'
for fault in 'inverted piece|[0,1,2],[0,3,1],[0,2,3],[1,3,2]' 'flipped triangle|[0,2,1],[0,1,3],[0,3,2],[1,3,2]' \
    "degenerate triangle|$sound,[1,1,3]" "duplicate triangle|$sound,[1,2,3]"; do
    name=${fault%% *} what=${fault%%|*} triangles=${fault#*|}
    refuse "$name" "$corners" "$triangles" "the mesh has 1 $what, as at (" 'add "repair": true'
    accept "$name-repaired" "$corners" "$triangles" ', "repair": true'
done
accept simplified "$corners" "$sound" ', "simplify": 4'
# files that end, or hold up, assimp itself: found by tools/harden
broken() { # NAME BYTES WHAT CODE
    printf "$2" > "$1.ply"
    printf '{ "carom": 1, "kind": "world", "step": 0.01, "duration": 0.1, "bodies": [ { "name": "b", "shape": { "mesh": { "file": "%s.ply" } } } ] }' "$1" > "$1.json"
    message=$(timeout 200 "$carom" check "$1.json" 2>&1 > /dev/null)
    code=$?
    if [ $code = "$4" ] && [[ $message == *"$3"* ]]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $1: wanted exit code $4 and \"$3\"; exit code $code, message: $message"
    fi
}
header='ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 2\nproperty list uchar int vertex_indices\n'
broken endless "$header" "the file ends inside its header" 2
broken cornerless "${header}end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n0\n" "bounds no solid" 2
echo "$passed passed, $failed failed"
[ $failed = 0 ]
