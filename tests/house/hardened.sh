# The command and the shared libraries are built with the usual hardening (cmake/hardening.cmake), and npm installs what
# the lock files say.
if grep -q 'CAROM_SANITIZE:STRING=.\+' "$2/CMakeCache.txt"; then
    echo "skipped: sanitizers take its place"
    exit 0
fi
failed=0
need() { # what, pattern, file, options of readelf
    readelf -W "${@:4}" "$3" | grep -q "$2" || { echo "FAILED: $3 has no $1"; failed=1; }
}
for file in "$1" "$2"/libcarom.so "$2"/libcarom-models.so "$2"/libcarom-io.so; do
    need "read-only relocations" GNU_RELRO "$file" -l
    need "immediate binding" 'BIND_NOW\|FLAGS.*NOW' "$file" -d
    need "stack without code" 'GNU_STACK.* RW ' "$file" -l
    need "canaries" __stack_chk_fail "$file" --dyn-syms
    need "checked copies" '__[a-z]*_chk@' "$file" --dyn-syms
done
need "random address" 'Type: *DYN' "$1" -h
# packages of npm come by lock files with a checksum each, from no host that is written down
for lock in "$3"/viewer "$3"/tests/web "$3"/engines/node; do
    python3 - "$lock/package-lock.json" <<'PYTHON' || failed=1
import json, sys
packages = {name: one for name, one in json.load(open(sys.argv[1]))["packages"].items() if name}
bare = [name for name, one in packages.items() if not one.get("integrity", "").startswith("sha512-")]
hosts = [name for name, one in packages.items() if "resolved" in one]
for name in bare + hosts:
    print(f"FAILED: {name} in {sys.argv[1]} has no checksum, or names a host")
sys.exit(bool(bare or hosts or not packages))
PYTHON
done
grep -q 'npm ci --ignore-scripts' "$3/tools/setup" || { echo "FAILED: tools/setup runs scripts of packages"; failed=1; }
[ $failed = 1 ] || echo "4 files are hardened, 3 lock files whole"
exit $failed
