# The command and the shared libraries are built with the usual hardening (cmake/hardening.cmake).
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
[ $failed = 1 ] || echo "4 files are hardened"
exit $failed
