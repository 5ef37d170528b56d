# What the command says where something is not as it should be, and what it prints in its summaries: the same flags,
# exit codes and words in every command. Called with the command, the build folder and the source folder.
set -uo pipefail
carom=$(realpath "$1") source=$(realpath "$3")
work=$(mktemp -d) && cd "$work" || exit 1
trap 'rm -rf "$work"' EXIT
. "$source/tests/support/claims.sh"
says() { is "$1" grep -qF -- "$2" err; }
prints() { is "$1" grep -qF -- "$2" out; }
ball=$source/scenes/world/dropped-ball.json cradle=$source/scenes/impact/cradle.json
old=$source/tests/data/version-2.carom

# files of the wrong kind, or of none
: > empty.json
ends 2 "an empty file" "$carom" check empty.json
says "is called empty" "empty.json:1:1: the file is empty"
for command in run impact compare chain tower; do
    ends 2 "a trajectory as a scene of $command" "$carom" $command "$old"
    says "$command says what it is" "this is a trajectory, not a file of text"
    says "$command says what to do with it" "carom info"
done
cp "$source/tests/fuzz/corpus/bounce_map/cube.bounce" .
ends 0 "a bounce map is known to info" "$carom" info cube.bounce
prints "by its kind" "a bounce map of a body of"
ends 0 "as JSON" "$carom" info cube.bounce --json
prints "too" '"kind": "bounce map"'
ends 0 "and to check" "$carom" check cube.bounce
prints "as sound" "sound: bounce map"
ends 2 "but is no scene" "$carom" run cube.bounce
says "it says so" "this is a bounce map"
ends 4 "a mesh that is not there" "$carom" bounce nothere.obj
says "names the reason" "No such file"
says "and a fix" "Fix: check the name"

# settings
ends 2 "a key of the scene misspelt" "$carom" run "$ball" --no-file --set stepp=0.1
says "suggests the scene's" '"step"'
ends 2 "no value" "$carom" run "$ball" --no-file --set gravity=
says "says what one looks like" "[x, y, z]"
ends 2 "no number" "$carom" run "$ball" --no-file --set step=abc
says "says so" "not a number"

# one flag to replace, one for the output, one exit code
ends 0 "a run" "$carom" run "$ball" --duration 0.1 --out run.carom --quiet
ends 4 "its file stays" "$carom" run "$ball" --duration 0.1 --out run.carom --quiet
says "how to replace it" "--force"
ends 0 "with --force" "$carom" run "$ball" --duration 0.1 --out run.carom --force --quiet
ends 0 "with its old name" "$carom" run "$ball" --duration 0.1 --out run.carom --overwrite --quiet
says "which says the new one" "--overwrite is called --force now"
ends 0 "the old name of --out" "$carom" tower --build diamond:2 --output two.json
says "says the new one" "--output is called --out now"
ends 4 "a tower's file stays" "$carom" tower --build diamond:2 --out two.json
ends 4 "a folder is no file" "$carom" run "$ball" --duration 0.1 --out . --quiet

# the ending of a file says what it is
ends 0 "a table" "$carom" export run.carom --out table.csv
is "is one" grep -q '^step,time_s' table.csv
ends 0 "a drawing" "$carom" export run.carom --out drawing.svg
is "is one" grep -q '<svg' drawing.svg
ends 2 "two formats" "$carom" export run.carom --to png --out film.mp4
says "do not fit" '--to is png, but --out is "film.mp4"'
ends 2 "an ending without a format" "$carom" export run.carom --out x.jpg
says "lists those that have one" ".png .csv .npz .glb .usda .pvd .data .html .svg .mp4 .webm or .gif"
is "nothing was written" test ! -e film.mp4 -a ! -e x.jpg
ends 0 "a picture of laws by its ending" "$carom" compare "$cradle" --laws qce --out laws.svg
is "is one" grep -q '<svg' laws.svg
ends 2 "a picture that ends like a table" "$carom" compare "$cradle" --laws qce --svg laws.csv
says "is refused" "ends like another kind of file"
ends 2 "a file of no kind" "$carom" compare "$cradle" --laws qce --out laws.mp4
says "is refused, too" "use one of: .csv .svg .pdf .html"
ends 0 "a tower's picture" "$carom" tower two.json --out two.svg
is "is one" grep -q '<svg' two.svg
ends 2 "a time after the run" "$carom" export run.carom --at 99 --out late.svg
says "is refused with the times there are" "give a time from 0 to 0.1 (s)"
ends 0 "the last one is there" "$carom" export run.carom --at 0.1 --out last.svg

# summaries: one of a thing, and round-off is 0
ends 0 "a break" "$carom" run "$source/scenes/world/pool-break.json" --duration 0.2 --no-file
prints "one impact" " J lost in 1 impact by the law"
prints "one step" "of 1 elastic step:"
is "no round-off" bash -c '! grep -E "e-(1[4-9]|2[0-9]) (J|m)" out'
ends 0 "what is in a run" "$carom" info "$old"
is "no round-off there, either" bash -c '! grep -E "e-(1[4-9]|2[0-9]) (J|m)" out'

# commands of two words keep the column
"$carom" help > out
is "one column" bash -c '[ "$(sed -n "/^Commands/,/^Try/p" out | grep -E "^  (run|bounce kernel) " | grep -oE "^  (run|bounce kernel) +" | awk "{print length}" | sort -u | wc -l)" = 1 ]'
echo "$passed passed, $failed failed"
[ $failed = 0 ]
