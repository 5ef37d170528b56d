# The law of CONTRIBUTING.md as it is printed there: compiles with the library's own flags, warnings as errors, is found
# in the list once its line is added, resolves an impact, and keeps exactly what it promises.
set -euo pipefail
build=$2 source=$3
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
# The two files of the recipe: the block between ```c and ```, and the list with one more line.
awk '/^ *```c$/ && !seen++ {on = 1; next} /^ *```$/ {on = 0} on {sub(/^   /, ""); print}' \
    "$source/CONTRIBUTING.md" > "$work/mine.c"
grep -q carom_mine_law "$work/mine.c"
awk '/^#define LAW_LIST/ {print; print "    X(mine) \\"; next} {print}' "$source/src/impact/law.c" > "$work/law.c"
cat > "$work/main.c" << 'C'
#include <carom/carom.h>
#include <stdio.h>

int main(void)
{
    carom_impact_body balls[3];
    carom_impact_contact touches[2];
    double velocities[3][3], spins[3][3], impulses[2][3];
    for (int i = 0; i < 3; ++i) {
        balls[i] = carom_impact_body_default();
        balls[i].position[0] = i;
    }
    balls[0].velocity[0] = 1;
    for (int i = 0; i < 2; ++i) {
        touches[i] = carom_impact_contact_default();
        touches[i].a = i, touches[i].b = i + 1, touches[i].point[0] = i + 0.5;
    }
    carom_impact impact = { 3, 2, balls, touches };
    carom_impact_outcome out = { velocities, spins, impulses, carom_impact_report_default() };
    carom_workspace *workspace = carom_workspace_create();
    carom_error err = { 0 };
    const carom_law *mine = carom_law_find("mine", &err);
    if (carom_impact_resolve(workspace, &impact, mine, NULL, &out, &err) != CAROM_OK)
        return printf("%s\n", err.what), 1;
    for (int i = 0; i < 3; ++i)
        printf("%g ", velocities[i][0]);
    carom_desiderata *desiderata = carom_desiderata_create(&impact, &err);
    carom_desiderata_figures figures;
    carom_desiderata_select(desiderata, carom_law_promises(mine));
    if (carom_desiderata_measure(desiderata, mine, NULL, &figures, &err) != CAROM_OK)
        return printf("%s\n", err.what), 1;
    for (int i = 0; i < CAROM_PROMISE_COUNT; ++i)
        if (carom_law_promises(mine) >> i & 1)
            printf("%s %s ", carom_law_promise_name(i), carom_desiderata_word(figures.of[i].verdict));
    printf("\n");
    carom_desiderata_destroy(desiderata);
    carom_workspace_destroy(workspace);
    return 0;
}
C
# What the build says about a law of the library and about a test program.
rule() { awk -v object="$1" -v key="  $2 = " '$1 == "build" && index($2, object) {on = 1} on && index($0, key) == 1 {
    print substr($0, length(key) + 1); exit}' "$build/build.ninja"; }
flags=$(rule src/impact/newton.c.o FLAGS) includes=$(rule src/impact/newton.c.o INCLUDES)
defines=$(rule src/impact/newton.c.o DEFINES) libraries=$(rule tests/test_unit_impact LINK_LIBRARIES)
compiler=$(awk -F= '/^CMAKE_C_COMPILER:/ {print $2}' "$build/CMakeCache.txt")
test -n "$flags" -a -n "$libraries"
cd "$build"
# shellcheck disable=SC2086
for file in mine law main; do
    "$compiler" $defines $includes $flags -Werror -c "$work/$file.c" -o "$work/$file.o"
done
# shellcheck disable=SC2086
"$compiler" $flags "$work/main.o" "$work/mine.o" "$work/law.o" $libraries -o "$work/program"
# One pass over the row: each contact stops its own approach. 1, 0, 0 becomes 1/2, 1/4, 1/4.
"$work/program" > "$work/found"
diff - "$work/found" << 'TEXT'
0.5 0.25 0.25 MOM holds ONE holds 
TEXT
echo "2 passed, 0 failed"
