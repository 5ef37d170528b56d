# An installed copy serves a stranger: the README's C program compiles against it through pkg-config
# (shared and static) and through the CMake package, runs, prints what the README says, and needs the core alone;
# a program that reads a scene gets the other libraries the same three ways. Scenes, schemas, manual pages and shell
# completion are there.
set -euo pipefail
build=$2 source=$3
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
compiler=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")
cmake --install "$build" --prefix "$work/usr" > "$work/install.log"
awk '/^```c$/ {on = 1; next} /^```$/ {on = 0} on' "$source/README.md" > "$work/program.c"
test -s "$work/program.c"

export PKG_CONFIG_PATH=$(dirname "$(find "$work/usr" -name carom.pc)")
libdir=$(dirname "$PKG_CONFIG_PATH")
mv "$work/usr" "$work/elsewhere" # a tree that is moved stays whole
export PKG_CONFIG_PATH=${PKG_CONFIG_PATH/$work\/usr/$work\/elsewhere} libdir=${libdir/$work\/usr/$work\/elsewhere}
cat > "$work/reader.c" <<'C'
#include <carom/carom.h>
#include <stdio.h>

int main(int count, char **names)
{
    carom_error err = { 0 };
    carom_scene_impact *scene = NULL;
    if (count < 2 || carom_scene_impact_open(names[1], &scene, &err) != CAROM_OK)
        return printf("%s\n", err.what), 1;
    carom_tower *tower = carom_tower_create(9.81);
    printf("%d bodies\n", carom_scene_impact_problem(scene)->body_count);
    carom_tower_destroy(tower);
    carom_scene_impact_close(scene);
    return 0;
}
C
# with what pkg-config says: shared; static, the archives of ours in place of the shared libraries
link() { # program, package
    "$compiler" -std=c17 -Wall -Werror "$work/$1.c" $(pkg-config --cflags --libs "$2") -o "$work/$1.shared"
    "$compiler" -std=c17 -Wall -Werror "$work/$1.c" $(pkg-config --cflags "$2") \
        $(pkg-config --static --libs "$2" | sed -E 's/-l(carom[a-z-]*)/-l:lib\1.a/g') -o "$work/$1.static"
}
link program carom
link reader carom-io
# the line that the README says, as it stands there
line=$(sed -n 's/^Compile with `\(cc program.c [^`]*\)`.*/\1/p' "$source/README.md")
[ -n "$line" ] || { echo "the README says no line to compile with"; exit 1; }
(cd "$work" && eval "$line" && LD_LIBRARY_PATH=$libdir ./a.out > /dev/null) || { echo "the README's own line fails: $line"; exit 1; }
needs() { readelf -d "$1" | sed -n 's/.*NEEDED.*\[\(lib[a-zA-Z_-]*\)\..*/\1/p' | sort | tr '\n' ' '; }
fail() { echo "$1"; exit 1; }
[ "$(needs "$work/program.shared")" = "libc libcarom " ] || fail "the program needs $(needs "$work/program.shared")"
readelf -d "$work/program.shared" | grep -q 'NEEDED.*libcarom.so.0' || fail "no SONAME libcarom.so.0"
for part in jansson gmp assimp z microhttpd stdc++; do
    case " $(needs "$libdir/libcarom.so") $(needs "$work/program.static")" in *" lib$part "*) fail "the core needs $part" ;; esac
done
for part in assimp microhttpd stdc++; do # loaded when a mesh or a server needs them: they take longer than most commands
    case " $(needs "$libdir/libcarom-io.so") $(needs "$build/carom")" in *" lib$part "*) fail "every start loads $part" ;; esac
done
case " $(needs "$libdir/libcarom-models.so")" in *" libjansson "* | *" libassimp "*) fail "the models need file formats" ;; esac

mkdir "$work/project"
cp "$work/program.c" "$work/reader.c" "$work/project/"
cat > "$work/project/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(stranger LANGUAGES C)
find_package(carom REQUIRED)
add_executable(program program.c)
target_link_libraries(program PRIVATE carom::core)
add_executable(program-static program.c)
target_link_libraries(program-static PRIVATE carom::core-static)
add_executable(reader reader.c)
target_link_libraries(reader PRIVATE carom::io)
add_executable(reader-static reader.c)
target_link_libraries(reader-static PRIVATE carom::io-static)
CMAKE
cmake -S "$work/project" -B "$work/project/build" -DCMAKE_C_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$work/elsewhere" > "$work/cmake.log" 2>&1 || { cat "$work/cmake.log"; exit 1; }
cmake --build "$work/project/build" > "$work/cmake.log" 2>&1 || { cat "$work/cmake.log"; exit 1; }

awk '/^```text$/ {on = 1; next} /^```$/ {on = 0} on' "$source/README.md" > "$work/expected"
export LD_LIBRARY_PATH=$libdir
for program in "$work"/program.{shared,static} "$work"/project/build/program{,-static}; do
    "$program" > "$work/found"
    diff "$work/expected" "$work/found" || fail "$program prints something else than the README says"
done
share=$work/elsewhere/share
for program in "$work"/reader.{shared,static} "$work"/project/build/reader{,-static}; do
    [ "$("$program" "$share/carom/scenes/impact/cradle.json")" = "5 bodies" ] || fail "$program does not read a scene"
done

# what comes from the command's tables: schemas, manual pages, and completion that completes
python3 -m json.tool "$share/carom/schemas/world.schema.json" > /dev/null || fail "the schema of worlds is not JSON"
test -s "$share/man/man1/carom-bounce-probe.1" || fail "no manual page of carom bounce probe"
complete_bash() { # words: what bash offers for the last one
    bash -c 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _carom; echo "${COMPREPLY[*]}"' \
        "$share/bash-completion/completions/carom" "$@"
}
offers() { # expected, words
    local expected=$1; shift
    [ "$(complete_bash "$@")" = "$expected" ] || fail "$* offers \"$(complete_bash "$@")\", not \"$expected\""
}
offers impact carom impa
offers springs carom impact FILE --law spr
offers "probe pair" carom bounce p
offers --modes carom bounce probe --mod
offers "" carom run FILE # bash goes on with names of files
if command -v zsh > /dev/null; then
    zsh -n "$share/zsh/site-functions/_carom" || fail "zsh cannot read its completion"
fi
if command -v fish > /dev/null; then
    found=$(fish -c "source $share/fish/vendor_completions.d/carom.fish; complete -C 'carom impact --law spr'" | cut -f 1 | sort | xargs)
    [ "$found" = springs ] || fail "fish offers \"$found\" for --law spr"
fi
echo "15 passed, 0 failed"
