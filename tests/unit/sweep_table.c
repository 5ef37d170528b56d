// A sweep too large for a NumPy archive is refused before anything is computed or written, with
// what and how to go on: offsets of 32 bits once went round, and the archive was damaged.
#include "support/check.h"
#include "sweep/sweep.h"

#include <stdio.h>
#include <string.h>

int main(void)
{
    static carom_sweep sweep = { .jobs = 100000000, .axis_count = 6 };
    carom_error err = { 0 };
    FILE *file = tmpfile();
    for (int i = 0; i < 6; ++i)
        sweep.axes[i].numeric = true;
    CHECK(carom_sweep_npz(&sweep, file, &err) == CAROM_BAD_INPUT, "4.8 GB: %s", err.what);
    CHECK(strstr(err.what, "100000000 jobs") && strstr(err.what, "4 GB"), "what: %s", err.what);
    CHECK(strstr(err.fix, "CSV"), "fix: %s", err.fix);
    CHECK(ftell(file) == 0, "nothing is written");
    fclose(file);
    return check_report();
}
