#!/usr/bin/env bash
# The JSON Schema of world scenes says the same as the reader: all scenes satisfy both, and what breaks a table breaks
# both. Called with the command, the build folder and the source folder.
set -euo pipefail
carom=$(realpath "$1") source=$(realpath "$3")
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
python=python3 # another Python may come first in the path than the one whose packages Debian installs
$python -c 'import jsonschema' 2> /dev/null || python=/usr/bin/python3
CAROM=$carom PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$source/tests/docs $python -W ignore - world "$work" "$source"/scenes/world/*.json <<'PY'
import copy, json, subprocess
from schema_judge import carom, check, judge, report, scenes, work

for path in scenes:
    errors = list(judge.iter_errors(json.load(open(path))))
    check(f'{path} satisfies the schema: {errors[:1]}', not errors)

whole = {
    'carom': 1, 'kind': 'world', 'title': 't', 'note': 'n', 'step': 0.01, 'duration': 1, 'gravity': [0, 0, -1],
    'law': 'qce', 'options': {}, 'resting_speed': 0.1, 'touch': 1e-9, 'events': 10, 'rest_tolerance': 1e-6,
    'rest_sweeps': 10, 'impact_residual': 1e-3, 'slop': 1e-4, 'threads': 2,
    'materials': {'m': {'restitution': 1, 'friction': 0, 'stiffness': 2, 'exponent': 1.5, 'fade': 0.1,
                        'fade_speed': 2, 'fade_power': 0.2, 'fade_slip': 2}},
    'pairs': [{'a': 'm', 'b': 'default', 'restitution': 0.5, 'friction': 0.1}],
    'shapes': {'s': {'sphere': 1}, 'c': {'capsule': {'radius': 1, 'length': 2}}, 'p': {'plane': [0, 0, 1]},
               'x': {'compound': [{'shape': 's', 'position': [1, 0, 0], 'turn': [0, 0, 1, 90]}]}},
    'bodies': [{'name': 'a', 'shape': 's', 'mass': 1, 'position': [0, 0, 50], 'rotation': [1, 0, 0, 0],
                'velocity': [0, 0, 0], 'spin': [0, 0, 0], 'material': 'm', 'group': 1, 'colour': '#123456'},
               {'name': 'd', 'shape': 'p', 'kind': 'driven', 'drive': {'amplitude': [0, 0, 1], 'frequency': 1, 'phase': 90}}],
    'generators': [{'grid': {'count': [2, 2, 2], 'spacing': [6, 6, 6], 'jitter': 0.1, 'seed': 3, 'tumble': True,
                             'body': {'name': 'g', 'shape': 'c', 'position': [0, 20, 20], 'density': 10}}}],
    'joints': [{'kind': 'string', 'a': 'a', 'b': 'world', 'anchor_b': [0, 0, 60], 'length': 12}],
    'changes': [{'at': 1, 'remove': ['g']}, {'at': 2, 'push': 'a', 'velocity': [1, 0, 0]}],
    'output': {'every': 0.1, 'checkpoint': 5, 'checkpoint_steps': 100, 'contacts': True},
}
cases = [('everything at once', whole, True)]

def broken(claim, *path_and_value):
    *path, last, value = path_and_value
    scene = copy.deepcopy(whole)
    at = scene
    for key in path:
        at = at[key]
    if value is None:
        del at[last]
    else:
        at[last] = value
    cases.append((claim, scene, False))

broken('no kind', 'kind', None)
broken('a step of zero', 'step', 0)
broken('a list for a number', 'step', [1])
broken('unknown key', 'setp', 1)
broken('half a thread', 'threads', 1.5)
broken('gravity in two dimensions', 'gravity', [0, -9.81])
broken('restitution above 1', 'materials', 'm', 'restitution', 1.1)
broken('unknown key of a material', 'materials', 'm', 'bounce', 1)
broken('a sphere without size', 'shapes', 's', 'sphere', 0)
broken('a capsule without length', 'shapes', 'c', 'capsule', 'length', None)
broken('an unknown kind of shape', 'shapes', 'q', {'cube': 1})
broken('a body without shape', 'bodies', 0, 'shape', None)
broken('an unknown kind of body', 'bodies', 0, 'kind', 'flying')
broken('a mass of zero', 'bodies', 0, 'mass', 0)
broken('a generator without count', 'generators', 0, 'grid', 'count', None)
broken('an unknown generator', 'generators', 0, {'gird': {}})
broken('an unknown joint', 'joints', 0, 'kind', 'glue')
broken('a change without time', 'changes', 0, 'at', None)
broken('frames never', 'output', 'every', 0)
broken('a pair without friction', 'pairs', 0, 'friction', None)

for i, (claim, scene, good) in enumerate(cases):
    check(claim + ': schema', judge.is_valid(scene) == good)
    json.dump(scene, open(f'{work}/{i}.json', 'w'))
    run = subprocess.run([carom, 'check', f'{work}/{i}.json'], capture_output=True, text=True)
    check(f'{claim}: reader: {run.stderr}', (run.returncode == 0) == good)
report()
PY
