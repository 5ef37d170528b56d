# What the tests of JSON Schemas share: the schema of a kind from the command, its judge, and checks that count.
import json, os, subprocess, sys
import jsonschema

work, scenes, carom = sys.argv[2], sys.argv[3:], os.environ['CAROM']
schema = json.loads(subprocess.run([carom, 'check', '--schema', sys.argv[1]], capture_output=True, check=True).stdout)
jsonschema.Draft202012Validator.check_schema(schema)
judge = jsonschema.Draft202012Validator(schema)
passed = failed = 0

def check(claim, truth):
    global passed, failed
    passed, failed = passed + bool(truth), failed + (not truth)
    if not truth:
        print('FAILED:', claim)

def report():
    print(f'{passed} passed, {failed} failed')
    sys.exit(failed > 0 or passed == 0)
