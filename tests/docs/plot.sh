# Plots for papers, and pictures as PDF. Called with the command, the build folder and the source folder.
set -uo pipefail
carom=$(realpath "$1") source=$(realpath "$3")
work=$(mktemp -d) && cd "$work" || exit 1
trap 'rm -rf "$work"' EXIT
. "$source/tests/support/claims.sh"
"$carom" run "$source/scenes/world/dropped-ball.json" --duration 0.4 --out drop.carom --quiet 2> /dev/null
ends 0 "a plot as SVG" "$carom" plot drop.carom --of z --body ball --out z.svg
is "with units" grep -q 'z (m)' z.svg
is "in millimetres" grep -q 'width="120mm"' z.svg
ends 0 "as PDF, of a size on paper" "$carom" plot drop.carom --of kinetic,potential --size 85x60 --font Times --out e.pdf
ends 0 "its numbers" "$carom" plot drop.carom --of z --body ball --out z.csv
ends 0 "a range, logarithmic" "$carom" plot drop.carom --of speed --body ball --log y --x-range 0.1,0.3 --out l.svg
ends 0 "over another quantity" "$carom" plot drop.carom --of vz --over z --body ball --out p.svg
is "whose name is at the axis" grep -q '>z (m)<' p.svg
ends 0 "any picture as PDF" "$carom" compare "$source/scenes/impact/cradle.json" --laws wave,qce --svg c.pdf
ends 2 "an unknown quantity" "$carom" plot drop.carom --of height --out x.svg
is "says what there is" grep -q 'momentum_x' err
ends 2 "two units in one plot" "$carom" plot drop.carom --of kinetic,momentum_x --out x.svg
is "says which" grep -q 'is in kg m/s' err
ends 2 "a quantity of a body without one" "$carom" plot drop.carom --of z --out x.svg
ends 2 "a body that is not there" "$carom" plot drop.carom --of z --body bell --out x.svg
ends 2 "an ending that says nothing" "$carom" plot drop.carom --out x.jpg
ends 4 "a file that is there" "$carom" plot drop.carom --of z --body ball --out z.svg
python3 - << 'PYTHON' || failed=$((failed + 1))
import csv, re, sys, zlib
rows = [[float(x) for x in r] for r in list(csv.reader(open("z.csv")))[1:]]
fall = [r for r in rows if r[0] < 0.3]
worst = max(abs(z - (fall[0][1] - 4.905 * t * t)) for t, z in fall)
assert len(fall) > 5 and worst < 1e-9, ("free fall", worst)
data = open("e.pdf", "rb").read()
box = re.search(rb"/MediaBox \[0 0 ([0-9.]+) ([0-9.]+)\]", data)
size = [float(x) / 72 * 25.4 for x in box.groups()]
assert abs(size[0] - 85) < 0.02 and abs(size[1] - 60) < 0.02, size
assert b"/Times-Roman" in data
page = zlib.decompress(re.search(rb"stream\n(.*?)\nendstream", data, re.S).group(1))
assert b"(time \\(s\\)) Tj" in page and page.count(b" l\n") > 20, page[:400]
for at, number in re.findall(rb"^(\d{10}) 00000 n", data, re.M) and zip(re.findall(rb"^(\d{10}) 00000 n", data, re.M), range(1, 99)):
    assert data[int(at):].startswith(b"%d 0 obj" % number), number
PYTHON
echo "$passed passed, $failed failed"
[ $failed = 0 ]
