#!/usr/bin/env bash
# The comments of carom_world_options name every option's default as the table has it, and docs/world.md lists the
# phases of a step as the step runs them. Called with the command, the build folder and the source folder.
set -euo pipefail
carom=$(realpath "$1") source=$(realpath "$3")
"$carom" check --keys world | python3 <(cat <<'PY'
import re, sys

source = sys.argv[1]
header = open(source + '/include/carom/world.h').read()
body = header[header.index('typedef struct carom_world_options {'):header.index('} carom_world_options;')]
fields = {}
for line in body.split('\n')[1:]:
    start = re.match(r'    (?:const )?\w+ \*?(\w+)(?:\[3\])?;(.*)', line)
    if start:
        name = start.group(1)
        fields[name] = start.group(2)
    elif line.strip():
        fields[name] += line
table = {}
for line in sys.stdin: # the keys of the file itself: until those of a part begin
    row = re.match(r'- `(\w+)` \((.*?); default (.*?)\): ', line)
    if row and row.group(1) not in table:
        table[row.group(1)] = row.group(3)
bad = 0
for name, comment in fields.items():
    if name in ('law', 'law_options'):
        continue
    words = re.search(r'default ([-+\w.]+(?: [-+\d.]+)*)', comment)
    said = words.group(1) if words else None
    chosen = re.match(r'chosen: ([\d.,]+\d)', table.get(name, ''))
    if chosen: # from the scene: the comment has the same number
        good = '(default): ' + chosen.group(1) in comment
    elif said is None or name not in table:
        good = False
    elif table[name].startswith('['):
        good = [float(x) for x in said.split()] == [float(x) for x in table[name].strip('[]').split(',')]
    elif re.match(r'[-\d]', said):
        good = float(said) == float(table[name])
    else:
        good = said.lower() == table[name]
    if not good:
        print(f'{name}: the comment says {said}, the table {table.get(name)}')
        bad += 1
if len(fields) < 13:
    print(f'only {len(fields)} options found in the header')
    bad += 1
step = open(source + '/src/world/world_step.c').read()
phases = re.findall(r'\[[A-Z]+\] = \{ "(\w+)"', step)
manual = open(source + '/docs/world.md').read().split('## One step')[1].split('\n## ')[0]
said = re.findall(r'^\d+\. \*\*(\w+)\.\*\*', manual, re.M)
if len(phases) < 5 or [word.lower() for word in said] != phases:
    print(f'docs/world.md lists the phases {said}, the step runs {phases}')
    bad += 1
print(f'{len(fields)} options and {len(phases)} phases as documented' if not bad else f'{bad} differ')
sys.exit(bad > 0)
PY
) "$source"
