# The JSON Schema says the same as the reader: all scenes satisfy both, and what breaks a table breaks both.
# Called with the command, the build folder and the source folder.
set -euo pipefail
carom=$1 source=$3
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
python=python3 # another Python may come first in the path than the one whose packages Debian installs
$python -c 'import jsonschema' 2> /dev/null || python=/usr/bin/python3
CAROM=$carom PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$source/tests/docs $python -W ignore - impact "$work" "$source"/scenes/impact/*.json <<'PY'
import copy, json, os, subprocess
from schema_judge import carom, check, judge, report, scenes, schema, work

cases = []

def agree(claim, problem, good):
    check(claim + ': schema', judge.is_valid(problem) == good)
    json.dump(problem, open(f'{work}/{len(cases)}.json', 'w'))
    cases.append((claim, good))

# All cases in one call: `check` names the sound files.
def ask_reader():
    files = [f'{work}/{i}.json' for i in range(len(cases))]
    answer = subprocess.run([carom, 'check', *files], capture_output=True, text=True)
    sound = {line.split(': sound:')[0] for line in answer.stdout.splitlines()}
    refused = {line.split(':')[0] for line in answer.stderr.splitlines() if line.startswith(work)}
    for (claim, good), file in zip(cases, files):
        check(claim + ': reader', (file in sound) == good and (file in refused) != good)

for path in scenes:
    agree(os.path.basename(path), json.load(open(path)), True)

listed = json.load(open([s for s in scenes if s.endswith('/sphere-friction.json')][0]))
places = {'chain': {'chain': {'masses': [1, 2], 'velocities': [1, 0]}}}
for name in ('row', 'rack', 'ring', 'wedge', 'cluster'):
    places[name] = {name: {}}

# Every number of every table: at its bounds, just outside, and of the wrong kind.
def probe(claim, problem, target, name, rule):
    def put(value):
        changed = copy.deepcopy(problem)
        target(changed)[name] = value
        return changed
    kind = rule.get('type')
    number = rule if kind in ('number', 'integer') else rule.get('items', {})
    if kind in ('number', 'integer', 'boolean', 'string', 'array'):
        agree(f'{claim}.{name} of another kind', put({}), False)
    size = rule.get('minItems', 2 if kind == 'array' else 0)
    wrap = (lambda x: [x] * size) if kind == 'array' else (lambda x: x)
    if kind == 'integer':
        agree(f'{claim}.{name} broken', put(rule.get('minimum', 0) + 0.5), False)
    for bound, step in (('minimum', -1), ('exclusiveMinimum', -1), ('maximum', 1)):
        if bound in number:
            value = number[bound]
            outside = value if bound == 'exclusiveMinimum' else value + step * max(1, abs(value) * 1e-3)
            agree(f'{claim}.{name} outside', put(wrap(outside)), False)
    if kind in ('number', 'integer') and 'default' in rule:
        agree(f'{claim}.{name} at its default', put(rule['default']), True)
    if 'enum' in rule:
        for word in rule['enum']:
            agree(f'{claim}.{name} = {word}', put(word), True)
        agree(f'{claim}.{name} = nonsense', put('nonsense'), False)

def probe_table(claim, problem, target, table):
    assert table['additionalProperties'] is False
    for name, rule in table['properties'].items():
        probe(claim, problem, target, name, rule)
    for name in table['required']:
        less = copy.deepcopy(problem)
        del target(less)[name]
        agree(f'{claim} without {name}', less, False)
    more = copy.deepcopy(problem)
    target(more)['unknown_key'] = 1
    agree(f'{claim} with an unknown key', more, False)

properties = schema['properties']
probe_table('file', listed, lambda p: p, {**schema, 'properties': {k: v for k, v in properties.items()
            if v.get('type') in ('number', 'string', 'boolean')}})
probe_table('body', listed, lambda p: p['bodies'][0], properties['bodies']['items'])
probe_table('contact', listed, lambda p: p['contacts'][0], properties['contacts']['items'])
for name, generator in places.items():
    problem = {'carom': 1, 'kind': 'impact', **generator}
    agree(name, problem, True)
    probe_table(name, problem, lambda p, name=name: p[name], properties[name])
ask_reader()
report()
PY
