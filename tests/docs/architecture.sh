#!/usr/bin/env bash
# docs/architecture.md and docs/glossary.md speak of what is there: the rooms of tools/rooms, files and records that
# exist, the phases of the step in their order. Called with the command, the build folder and the source folder.
set -euo pipefail
cd "$3"
python3 - <<'PY'
import glob, os, re, subprocess, sys

bad = []
text = open('docs/architecture.md').read()
rooms = subprocess.run(['tools/rooms-table'], capture_output=True, text=True)
if rooms.returncode:
    bad.append(rooms.stderr)
if rooms.stdout not in text:
    bad.append('the rooms are not those of tools/rooms (run tools/manual)')
files = {os.path.basename(f) for f in glob.glob('src/*/*.[ch]') + glob.glob('cli/*.c')}
sources = '\n'.join(open(f).read() for f in glob.glob('src/*/*.[ch]') + glob.glob('include/carom/*.h'))
count = 0
for name in ('docs/architecture.md', 'docs/glossary.md'):
    for word in re.findall(r'`([^`\n]+)`', open(name).read()):
        path = re.fullmatch(r'(?:src/)?((?:\w+/)?)(\w+\.[ch])', word)
        if path and '/' in word: # src/room/file, room/file or cli/file
            count += 1
            found = os.path.exists(word) or os.path.exists('src/' + path.group(1) + path.group(2))
        elif path:
            count += 1
            found = path.group(2) in files or word.startswith('_')
        elif re.fullmatch(r'(carom|wave)_\w+', word):
            count += 1
            found = re.search(r'\b' + word + r'\b', sources)
        else:
            continue
        if not found:
            bad.append(f'{name}: {word} is not there')
phases = re.findall(r'\[[A-Z]+\] = \{ "(\w+)"', open('src/world/world_step.c').read())
said = re.findall(r'^- \*\*(\w+)\*\*:', text.split('## The step')[1].split('\n## ')[0], re.M)
if said != phases or len(phases) < 5:
    bad.append(f'the step has {phases}, the document {said}')
if count < 60:
    bad.append(f'only {count} names were looked up')
print('\n'.join(bad) if bad else f'{count} names, {len(phases)} phases and the rooms are there')
sys.exit(len(bad) > 0)
PY
