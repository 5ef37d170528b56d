"""Runs the code of the documentation: blocks.py CAROM BUILD SOURCE WORK [PAGE ...]

The blocks of a page run in the order in which they stand, in one folder that has the project's scenes. What a `text` block
says right after another is what that one prints; "..." stands for any lines.

- sh: by bash, with `carom` as built. `make TARGET` has to be a target and `tools/setup NEED` a need; `pip` and `mpirun` are
  tested elsewhere (tests/slow/python.sh, tools/ranks); `carom view` of a server answers with its help, ffmpeg keeps what
  it gets.
- python: in one interpreter per page.
- c: compiled with warnings as errors; run where it has a main.
- json: a file of Carom's passes `carom check`; others, and parts, are JSON. "Save this as `NAME`" before it keeps it.
- js: run by Node where `make web` has built the package, else its syntax is checked (`make web-test` runs it).

A block after `<!-- takes minutes -->` runs its first steps only (CAROM_EFFORT=full runs it whole: make test-slow), one after
`<!-- takes hours -->` or `<!-- your own files -->` always.
"""

import json
import os
import pathlib
import re
import subprocess
import sys

CAROM, BUILD, SOURCE, WORK = (pathlib.Path(path) for path in sys.argv[1:5])
FULL = os.environ.get("CAROM_EFFORT") == "full"
# What readers have of their own; the first byte of these inputs chooses the reader.
OWN = {"robot.urdf": "tests/fuzz/corpus/scene_import/urdf"}
PRELUDE = r"""
make() { command make -n -C "$SOURCE" "$@" > /dev/null; }
pip() { :; }
mpirun() { :; }
tools/setup() { grep -q "^$1)" "$SOURCE/tools/setup"; }
carom() {
    if [ "$1" = view ] && [[ " $* " != *" --page "* ]]; then command carom view --help > /dev/null; return; fi
    if [ -n "$FIRST_STEPS" ]; then
        case $1 in
        run) command carom "$@" --steps 3 ;;
        measure | pattern | sweep | validate | gallery | repose | outcomes | bounce) command carom "$1" --help > /dev/null ;;
        *) command carom "$@" ;;
        esac
    else
        command carom "$@"
    fi
}
"""
failures = []


def blocks(text):
    """(language, code, the lines before it) of every fenced block."""
    found = []
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        opened = re.match(r"( *)```(\w*)\s*$", lines[at])
        if not opened:
            at += 1
            continue
        end = next(i for i in range(at + 1, len(lines)) if lines[i].strip() == "```")
        indent = len(opened.group(1))
        found.append((opened.group(2), "\n".join(line[indent:] for line in lines[at + 1:end]) + "\n", "\n".join(lines[max(0, at - 3):at])))
        at = end + 1
    return found


def run(command, folder, text=None):
    environment = {**os.environ, "PATH": f"{WORK / 'bin'}:{os.environ['PATH']}", "SOURCE": str(SOURCE)}
    return subprocess.run(command, cwd=folder, input=text, capture_output=True, text=True, env=environment)


def same(found, wanted):
    """Whether the output is what the page shows."""
    pattern = "".join(r"(?:.*\n)*" if line.strip() == "..." else re.escape(line.rstrip()) + r"[ ]*\n" for line in wanted.rstrip("\n").split("\n"))
    return re.fullmatch(pattern, found.rstrip("\n") + "\n") is not None


def shell(code, folder, before):
    mark = re.search(r"<!-- (takes minutes|takes hours|your own files) -->\s*$", before)
    first = "1" if mark and not (FULL and mark.group(1) == "takes minutes") else ""
    return run(["bash", "-euo", "pipefail", "-c", f"FIRST_STEPS={first}\n{PRELUDE}\n{code}"], folder)


def c_program(code, folder):
    source = folder / "block.c"
    source.write_text(code)
    flags = ["-std=c17", "-Wall", "-Wextra", "-Werror", f"-I{SOURCE}/include", f"-I{SOURCE}"]
    if not re.search(r"\bmain\(", code):
        return run(["cc", *flags, "-Wno-unused-function", "-fsyntax-only", str(source)], folder)
    made = run(["cc", *flags, str(source), f"-L{BUILD}", f"-Wl,-rpath,{BUILD}", "-lcarom-io", "-lcarom-models", "-lcarom", "-lm", "-o", "block"], folder)
    return made if made.returncode else run(["./block"], folder)


def json_text(code, folder, before):
    name = re.search(r"[Ss]ave this as `([\w.-]+)`", before)
    body = code.strip()
    try:
        value = json.loads(body if body[0] in "{[" else "{" + body + "}")
    except ValueError as wrong:
        return subprocess.CompletedProcess([], 1, "", str(wrong))
    place = folder / (name.group(1) if name else "block.json")
    if not isinstance(value, dict) or "kind" not in value:
        return subprocess.CompletedProcess([], 0, "", "")
    if value["kind"] == "sweep":  # names its scene from the folder of sweeps
        (folder / "study").mkdir(exist_ok=True)
        (folder / "impact").exists() or (folder / "impact").symlink_to(SOURCE / "scenes/impact")
        place = folder / "study" / place.name
    place.write_text(code)
    return run(["carom", "sweep", str(place), "--emit", "parallel"] if value["kind"] == "sweep" else ["carom", "check", str(place)], folder)


def script(code, folder):
    package = SOURCE / "build/web/package"
    (folder / "block.mjs").write_text(code)
    if not (package / "index.js").exists():
        return run(["node", "--check", "block.mjs"], folder)
    (folder / "node_modules").mkdir(exist_ok=True)
    (folder / "node_modules/carom").exists() or (folder / "node_modules/carom").symlink_to(package)
    return run(["node", "block.mjs"], folder)


def python(parts, folder):
    """All of a page in one interpreter; its output in pieces."""
    mark = "\x1e"
    program = "\n".join(f"{code}\nprint({mark!r}, flush=True)" for code in parts)
    return run(["/usr/bin/python3", "-c", program], folder), mark + "\n"


def check(page, number, language, result, wanted=None):
    if result.returncode:
        failures.append(f"{page}, block {number} ({language}): exit code {result.returncode}\n{result.stdout[-500:]}{result.stderr[-1500:]}")
    elif wanted is not None and not same(result.stdout, wanted):
        failures.append(f"{page}, block {number} ({language}) prints\n{result.stdout}the page says\n{wanted}")


def visit(page):
    found = blocks((SOURCE / page).read_text())
    folder = WORK / page.replace("/", "-")
    folder.mkdir()
    for name in ("scenes", "data", "tools", "examples"):
        (folder / name).symlink_to(SOURCE / name)
    for name, path in OWN.items():
        (folder / name).write_bytes((SOURCE / path).read_bytes()[1:])
    told = {i: found[i + 1][1] for i in range(len(found) - 1) if found[i + 1][0] == "text"}
    pieces = [i for i, (language, *_) in enumerate(found) if language == "python"]
    for i, (language, code, before) in enumerate(found):
        if language == "sh":
            check(page, i + 1, language, shell(code, folder, before), told.get(i))
        elif language == "c":
            check(page, i + 1, language, c_program(code, folder), told.get(i))
        elif language == "json":
            check(page, i + 1, language, json_text(code, folder, before))
        elif language == "js":
            check(page, i + 1, language, script(code, folder))
        elif language == "python" and i == pieces[-1]:
            result, mark = python([found[k][1] for k in pieces], folder)
            parts = result.stdout.split(mark)
            for k, part in zip(pieces, parts[:-1]):  # those that ended
                check(page, k + 1, language, subprocess.CompletedProcess([], 0, part, ""), told.get(k))
            if result.returncode:
                check(page, pieces[len(parts) - 1] + 1, language, result)
        elif language not in ("python", "text", ""):
            failures.append(f"{page}, block {i + 1}: nobody runs {language}")
    return sum(language not in ("text", "") for language, *_ in found)


(WORK / "bin").mkdir()
(WORK / "bin/carom").symlink_to(CAROM)
(WORK / "bin/ffmpeg").write_text('#!/usr/bin/env bash\nfor last; do :; done\ncat > "$last"\n')  # not on every machine
(WORK / "bin/ffmpeg").chmod(0o755)
pages = sys.argv[5:] or ["README.md", "web/package/README.md", *sorted(str(path.relative_to(SOURCE)) for path in (SOURCE / "docs").rglob("*.md"))]
total = sum(visit(page) for page in pages)
print("\n".join(failures))
print(f"{total - len(failures)} passed, {len(failures)} failed")
sys.exit(bool(failures))
