# Every bad input ends with exit code 2 and a message that has file, line and column, the value and the
# fix; nothing crashes, hangs or takes more memory than it says.
# Called with the command, the build folder and the source folder.
set -uo pipefail
export LC_ALL=C
carom=$1 build=$2
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0 failed=0
# Address sanitizers reserve terabytes of address space: the memory bound is checked in other builds.
limited=1
grep -q 'CAROM_SANITIZE:STRING=.\+' "$build/CMakeCache.txt" && limited=0

# refuse NAME WHAT FIX < text: `carom impact` refuses the text at the place marked by @ and says all of
# it. The place is found here on its own: lines and columns of the mark, which is then removed.
refuse() {
    local name=$1 what=$2 fix=$3 place code message first second
    cat > marked
    place=$(awk 'i = index($0, "@") {print NR ":" i; exit}' marked)
    tr -d '@' < marked > "$name.json"
    message=$([ $limited = 1 ] && ulimit -v 1000000; timeout 200 "$carom" impact "$name.json" 2>&1 >/dev/null)
    code=$?
    first=${message%%$'\n'*} second=${message#*$'\n'}
    if [ $code = 2 ] && [[ $first == "$name.json:$place: "* ]] && [[ $first == *"$what"* ]] && [[ $second == *"Fix: "*"$fix"* ]]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $name: wanted exit code 2, $name.json:$place, \"$what\", fix \"$fix\"; exit code $code, message:"
        echo "$message"
    fi
}
# file KEYS-OF-A KEYS-OF-CONTACT: a sound file but for what is given.
file() {
    printf '{ "carom": 1, "kind": "impact",\n  "bodies": [ { "name": "a", %s },\n    { "name": "floor", "fixed": true } ],\n  "contacts": [ { "a": "a", "b": "floor", "point": [0,0,0], %s } ] }\n' "$1" "$2"
}
# whole KEYS: a file with a row of balls and more keys.
whole() {
    printf '{ "carom": 1, "kind": "impact",\n  "row": {},\n  %s }\n' "$1"
}
made() {
    printf '{ "carom": 1, "kind": "impact",\n  %s }\n' "$1"
}
ok='"normal": [0,0,-1]'

# numbers
refuse mass-zero 'mass is 0 kg, not above 0' 'above 0 (kg)' < <(file '"mass": @0' "$ok")
refuse mass-negative 'mass is -2.5 kg, not above 0' 'above 0 (kg)' < <(file '"mass": @-2.5' "$ok")
refuse mass-nan 'NaN' 'finite number' < <(file '"mass": @NaN' "$ok")
refuse mass-overflow '1e999 is too large' 'finite' < <(file '"mass": @1e999' "$ok")
refuse mass-tiny 'mass is 1e-200 kg' 'units' < <(file '"mass": @1e-200' "$ok")
refuse mass-text 'mass is the text "1 kg", not a number' 'write 1 (kg), without the unit' < <(file '"mass": @"1 kg"' "$ok")
refuse mass-missing 'the key "mass" is missing' '"fixed": true' < <(file '"spin": [0,0,1]' "$ok" | sed 's/{ "name": "a"/@&/')
refuse mass-fixed 'a fixed body has no mass' 'leave out' < <(file '@"mass": 1, "fixed": true' "$ok")
refuse inertia-two 'inertia has 2 entries' 'six' < <(file '"mass": 1, "inertia": @[1, 2]' "$ok")
refuse inertia-zero 'not positive definite' 'above 0' < <(file '"mass": 1, "inertia": @[1, 0, 1]' "$ok")
refuse inertia-indefinite 'not positive definite' 'above 0' < <(file '"mass": 1, "inertia": @[1, 1, 1, 2, 0, 0]' "$ok")
refuse velocity-huge 'velocity[2] is 1e+80 m/s' '(m/s)' < <(file '"mass": 1, "velocity": [1, 2, @1e80]' "$ok")
refuse normal-long 'normal has length 2, not 1' '[0, 0, -1]' < <(file '"mass": 1' '"normal": @[0,0,-2]')
refuse normal-zero 'normal has length 0' 'unit vector' < <(file '"mass": 1' '"normal": @[0,0,0]')
refuse normal-short 'normal is a list of 2' '[x, y, z]' < <(file '"mass": 1' '"normal": @[0,-1]')
refuse normal-missing 'the key "normal" is missing' 'from a to b' < <(file '"mass": 1' '"gap": 0' | sed 's/{ "a": "a"/@&/')
refuse restitution 'restitution is 1.2, outside [0, 1]' '0 (no bounce) to 1 (no loss)' < <(file '"mass": 1' "$ok, \"restitution\": @1.2")
refuse friction 'friction is -1' 'from 0' < <(file '"mass": 1' "$ok, \"friction\": @-1")
refuse exponent 'exponent is 0.5' 'from 1' < <(file '"mass": 1' "$ok, \"exponent\": @0.5")
refuse stiffness 'stiffness is 0' 'number from' < <(file '"mass": 1' "$ok, \"stiffness\": @0")
# names
refuse key-unknown 'the key "veloctiy" is unknown' '"velocity"' < <(file '"mass": 1, @"veloctiy": [0,0,1]' "$ok")
refuse law-unknown 'no impact law "qcee"' '"qce"' < <(whole '"law": @"qcee"')
refuse option-unknown 'no option "thetta"' '"theta"' < <(whole '"law": "qce", "options": { "thetta": @1 }')
refuse option-range 'theta is "7"' 'from 0 to 1' < <(whole '"law": "qce", "options": { "theta": @7 }')
refuse option-word '"lpc"' 'lcp' < <(whole '"law": "qce", "options": { "reading": @"lpc" }')
refuse option-kind 'theta is null' 'number' < <(whole '"law": "qce", "options": { "theta": @null }')
refuse kind-unknown 'kind is "impcat"' '"impact"' < <(printf '{ "carom": 1, "kind": @"impcat" }')
refuse kind-other 'this is a scene of kind tower' '`carom tower`' < <(printf '{ "carom": 1, "kind": @"tower" }')
refuse version-missing 'the key "carom" is missing' '"carom": 1' < <(printf '@{ "kind": "impact" }')
refuse version 'carom is 9' 'form 1' < <(printf '{ "carom": @9, "kind": "impact" }')
refuse empty 'no bodies' 'generator' < <(printf '@{ "carom": 1, "kind": "impact" }')
refuse body-unknown 'no body "flor"' '"floor"' < <(file '"mass": 1' "$ok" | sed 's/"b": "floor"/"b": @"flor"/')
refuse body-itself 'body "a" touches itself' 'two different' < <(file '"mass": 1' "$ok" | sed 's/"b": "floor"/@"b": "a"/')
refuse both-fixed 'bodies "a" and "floor" are both fixed' 'give one of the two a mass' < <(file '"fixed": true' "$ok" | sed 's/{ "a": "a"/@&/')
refuse name-twice 'two bodies are called "a"' 'its own name' < <(file '"mass": 1' "$ok" | sed 's/"name": "floor"/"name": @"a"/')
# generators: what they would need is known before anything is made
refuse many '10000000 bodies and 9999999 contacts need' 'fewer' < <(made '"row": @{ "count": 10000000 }')
refuse many-rack 'more than the limit of 1024 MB' 'fewer' < <(made '"rack": @{ "rows": 4500 }')
refuse many-ring 'more than the limit of 1024 MB' 'fewer' < <(made '"ring": @{ "count": 1e9 }')
refuse count-broken 'count is the number 2.5, not a whole number' 'whole number' < <(made '"row": { "count": @2.5 }')
refuse striking 'striking is 3, but there are 2 balls' 'at most' < <(made '"row": { "count": 2, "striking": @3 }')
refuse two-generators 'two generators' 'one generator' < <(made '"row": {}, @"ring": {}')
refuse offset 'offset is 1.5 m' 'diameter' < <(made '"rack": { "offset": @1.5 }')
refuse chain-lengths '1 velocities for 2 masses' 'one velocity per mass' < <(made '"chain": { "masses": [1,2], "velocities": @[1] }')
refuse chain-mass 'masses[1] is 0 kg' 'from 1e-20' < <(made '"chain": { "masses": [1,@0], "velocities": [1,0] }')
refuse wedge-angle 'angle is 100 degrees, outside [0, 90]' 'from 0 to 90' < <(made '"wedge": { "angle": @100 }')
# the text itself
refuse utf8 '0xFF is not valid UTF-8' 'UTF-8' < <(made $'"note": "a@\xff"')
refuse utf8-overlong '0xC0 is not valid UTF-8' 'UTF-8' < <(made $'"note": "@\xc0\xaf"')
refuse nesting 'nested more than 32 deep' 'bracket' < <(printf '{ "carom": 1,\n "note": %s@' "$(printf '[%.0s' {1..31})"; printf '[%.0s' {1..100000})
refuse twice '"carom" stands here twice' 'keep one' < <(printf '{ "carom": 1, @"carom": 1 }')
refuse unfinished 'ends too early' 'close' < <(printf '{ "carom": 1, "kind": "impact"@')
refuse comma 'not JSON' 'comma' < <(printf '{ "carom": 1, @}')
refuse comment 'not JSON' 'comments begin with //' < <(printf '{ "carom": 1, @/* form */ "kind": "impact" }')
refuse nothing 'the file is empty' 'starts with' < <(printf '@')
refuse binary 'zero byte' 'binary' < <(printf '@\0\0\0')

# A file that is not there, and a folder: exit code 4.
for name in missing.json "$work"; do
    "$carom" impact "$name" > /dev/null 2> message
    if [ $? = 4 ] && grep -q 'Fix:' message; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $name"; cat message; fi
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
