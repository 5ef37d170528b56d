# The gallery at small sizes: every entry of the papers is there, no verdict is worse than in the list (of entries that take
# up to 3 s; a fourth argument sets other options: tests/slow/gallery_quick.sh computes all),
# links lead somewhere, nothing comes from the network, plots name their units, commands exist; what is there
# is kept, a stop leaves a site, and nothing else is overwritten.
set -euo pipefail
carom=$1 build=$2 source=$3 which=${4---within 3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "gallery.sh: $*"; exit 1; }
cd "$source"

# -- stopping and going on
mkdir "$work/mine" && echo precious > "$work/mine/notes"
"$carom" gallery --quick --out "$work/mine" > /dev/null 2> "$work/words" && fail "a folder with other things is refused"
grep -q "is no gallery" "$work/words" || fail "it says why: $(cat "$work/words")"
[ "$(ls "$work/mine")" = notes ] || fail "nothing was added to it"
"$carom" gallery --only nonsense --out "$work/none" 2> "$work/words" && fail "an unknown entry is refused"
"$carom" gallery --quick --only ec-tabel --out "$work/none" 2> "$work/words" && fail "a misspelt entry is refused"
grep -q "ec-table" "$work/words" || fail "the nearest entry is suggested"
"$carom" gallery --quick --only ec-table --out "$work/site" > /dev/null 2>&1
"$carom" gallery --quick --out "$work/site" > /dev/null 2>&1 & job=$! # all of it: longer than it takes to stop it
for _ in $(seq 2000); do [ "$(ls "$work/site" | grep -c -e '-.*json')" -gt 1 ] && break; sleep 0.05; done
kill -INT $job
code=0; wait $job || code=$?
[ $code = 130 ] || fail "a stop ends with 130, not $code"
grep -q "not yet computed" "$work/site/index.html" || fail "the index of a stopped gallery says what is missing"
! ls "$work"/site/*.part > /dev/null 2>&1 || fail "no half-written file is left"

"$carom" gallery --quick $which --out "$work/site" --against tests/gallery/verdicts-quick.txt > "$work/out" 2>&1 ||
    { cat "$work/out"; fail "a verdict got worse"; }
grep -q " [1-9][0-9]* kept" "$work/out" || fail "what was done before the stop is kept: $(tail -2 "$work/out")"
"$carom" gallery --quick $which --out "$work/site" > "$work/out" 2>&1
grep -q " 0 computed now" "$work/out" || fail "the second time everything is kept: $(tail -2 "$work/out")"
"$carom" gallery --out "$work/site" > /dev/null 2> "$work/words" && fail "a quick gallery is not mixed with a full one"
sed 's/differs\|paper in error/agrees/' tests/gallery/verdicts-quick.txt > "$work/strict"
"$carom" gallery --quick $which --out "$work/site" --against "$work/strict" > "$work/out" 2>&1 && fail "a worse verdict is noticed"
grep -q "is worse: was agrees" "$work/out" || fail "and named"

# -- the site
python3 - "$carom" "$work/site" "$which" << 'PYTHON'
import glob, html.parser, json, os, re, shlex, subprocess, sys
carom, site, which = sys.argv[1:]
bad = []
wanted = ["qce-fig-%d" % n for n in (2, 4, 5, 6, 7, 8, 9, 10, 11, 12)] + ["qce-table-1", "qce-table-2", "qce-section-5-4", "qce-restitution"]
wanted += ["etm-fig-%d" % n for n in (4, 6, 7, 8, 9, 11, 12, 13, 14, 15)] + ["etm-lambda"]
wanted += ["ec-fig-%d" % n for n in range(2, 12)] + ["ec-table"]
wanted += ["collapse-fig-%d" % n for n in (1, 2, 4, 5, 6, 7, 8, 10, 11)] + ["collapse-theorem-5-1", "collapse-theorem-7-1", "collapse-footnote-3"]
wanted += ["bounce-fig-%d" % n for n in [1, 3, 4] + list(range(8, 13)) + list(range(14, 25))] + ["bounce-table-1", "bounce-table-2"]
index = open(site + "/index.html").read()
listed = subprocess.run([carom, "gallery", "--list"], capture_output=True, text=True).stdout.split()
bad += [f"{e} is not listed" for e in wanted if e not in listed]
made = [e for e in wanted if os.path.exists(f"{site}/{e}.json")]
if len(made) < (2 * len(wanted) // 3 if which else len(wanted)):
    bad.append(f"only {len(made)} of {len(wanted)} entries were computed")
bad += [f"no card for {e}" for e in made if f'href="{e}.html"' not in index]

class page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.links = []
    def handle_starttag(self, tag, attributes):
        self.links += [value for name, value in attributes if name in ("href", "src")]
for file in glob.glob(site + "/*.html"):
    text, reader = open(file).read(), page()
    reader.feed(text)
    name = os.path.basename(file)
    for link in reader.links:
        if re.match(r"[a-z]+:|//", link):
            bad.append(f"{name} reaches outside: {link}")
        elif not os.path.exists(os.path.join(site, link)):
            bad.append(f"{name}: {link} leads nowhere")
    if name != "index.html":
        for part in "What the paper shows", "What Carom computes", "Criterion.", "Verdict:", "Make it", "Scene":
            if part not in text:
                bad.append(f"{name} lacks \"{part}\"")
        if "<img" not in text:
            bad.append(f"{name} has no picture")
for file in glob.glob(site + "/*.svg"):
    text, name = open(file).read(), os.path.basename(file)
    bad += [f"{name} reaches outside: {u}" for u in re.findall(r"(?:https?:)?//[^\s\"'<>]+", text) if "www.w3.org/2000/svg" not in u]
    upright = re.findall(r"rotate\(-90[^>]*>([^<]*)<", text)
    lying = re.findall(r"<text(?![^>]*rotate)[^>]*>([^<]*\([^()<]*\))</text>", text)
    bad += [f"{name}: axis \"{label}\" has no unit" for label in upright if not label.rstrip().endswith(")")]
    if len(lying) < len(upright):
        bad.append(f"{name}: {len(upright)} upright axes with units, {len(lying)} lying ones")
# every option of every command on the pages is one that the command has
helps = {}
for file in glob.glob(site + "/*.html"):
    lines = re.findall(r"<pre>(carom [^<]*)</pre>", open(file).read())
    for line in [part for line in lines for part in line.replace("&amp;", "&").split("&&")]:
        words = shlex.split(line)
        command = " ".join(words[1:3]) if words[1] == "bounce" and words[2] in ("probe", "pair", "table", "modes", "kernel") else words[1]
        if command not in helps:
            helps[command] = subprocess.run([carom, *command.split(), "--help"], capture_output=True, text=True).stdout
        for word in words:
            if word.startswith("--") and not re.search(re.escape(word) + r"\b", helps[command]):
                bad.append(f"{os.path.basename(file)}: {command} has no {word}")
            if word.startswith("scenes/") and not os.path.exists(word):
                bad.append(f"{os.path.basename(file)}: there is no {word}")
results = [json.load(open(f)) for f in glob.glob(site + "/*-*.json")]
for r in results: # a verdict follows from its lines
    judged = [l for l in r["lines"] if l["kind"] not in ("number", "refutes")]
    refuted = any(l["holds"] for l in r["lines"] if l["kind"] == "refutes")
    follows = "differs" if not all(l["holds"] for l in judged) else "paper in error" if refuted else "agrees"
    if r["verdict"] != follows:
        bad.append(f"{r['id']}: verdict {r['verdict']}, the lines say {follows}")
print("\n".join(bad) or f"{len(results)} entries, {sum(r['seconds'] for r in results):.0f} s")
sys.exit(bool(bad))
PYTHON
