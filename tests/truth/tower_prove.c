// Proofs in rational arithmetic, their certificates, and a checker that is not easily fooled.
#include "carom/tower.h"
#include "support/check.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static carom_error err;
static char path[64];

static carom_tower_verdict read_back(const char *text)
{
    carom_tower_verdict verdict;
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
    CHECK(carom_tower_checker_check(path, &verdict, &err) == CAROM_OK, "certificate is read: %s",
          err.what);
    return verdict;
}

static carom_tower_proof prove(const char *spec)
{
    carom_tower *tower = 0;
    carom_tower_proof proof = { 0 };
    CHECK(carom_tower_build(spec, &tower, &err) == CAROM_OK, "%s: %s", spec, err.what);
    CHECK(carom_tower_prove(tower, &proof, &err) == CAROM_OK, "%s: %s", spec, err.what);
    carom_tower_destroy(tower);
    return proof;
}

static void check(const char *spec, bool stable, const char *sum, const char *support)
{
    carom_tower_proof proof = prove(spec);
    CHECK(proof.stable == stable, "%s is proved %s", spec, stable ? "stable" : "unstable");
    CHECK(proof.tolerance == 0, "%s touches exactly", spec);
    if (sum)
        CHECK_TEXT(proof.sum_m_a2, sum, "%s: sum m a^2", spec);
    if (support)
        CHECK_TEXT(proof.support, support, "%s: support force", spec);
    carom_tower_verdict verdict = read_back(proof.certificate);
    CHECK(verdict.valid && verdict.stable == stable, "%s: the checker agrees: %s", spec,
          verdict.reason);
    carom_tower_prove_free(&proof);
}

// The certificate with the first `from` after `anchor` replaced.
static char *forge(const char *text, const char *anchor, const char *from, const char *to)
{
    const char *start = strstr(text, anchor), *at = start ? strstr(start, from) : 0;
    char *forged = at ? malloc(strlen(text) + strlen(to) + 1) : 0;
    if (!CHECK(forged != 0, "\"%s\" is in the certificate", from))
        return 0;
    sprintf(forged, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return forged;
}

static void refuse(const char *spec, const char *anchor, const char *from, const char *to)
{
    carom_tower_proof proof = prove(spec);
    char *forged = forge(proof.certificate, anchor, from, to);
    if (forged) {
        carom_tower_verdict verdict = read_back(forged);
        CHECK(!verdict.valid && verdict.reason[0], "%s with %s for %s is refused: %s", spec, to,
              from, verdict.reason);
    }
    free(forged);
    carom_tower_prove_free(&proof);
}

int main(void)
{
    snprintf(path, sizeof path, "/tmp/carom_certificate_%ld.json", (long)getpid());
    check("single:0.5", true, "0", "1");
    check("single:0.75", false, "12/29", "17/29");
    check("diamond:4", true, "0", "16");
    check("diamond:5", false, "216/989", "24509/989");
    check("triangle:3", false, "3/14", "81/14");
    check("parabolic:4", true, "0", "29");
    // Both sides of the boundary at 1e-12: far below what floating point can tell.
    const int bricks[] = { 1, 2, 5, 10 };
    for (int n = 0; n < 4; ++n) {
        char spec[40];
        snprintf(spec, sizeof spec, "harmonic:%d,-1e-12", bricks[n]);
        check(spec, true, "0", 0);
        snprintf(spec, sizeof spec, "harmonic:%d,1e-12", bricks[n]);
        check(spec, false, 0, 0);
    }
    // Through the sparse solver and hundreds of rows.
    check("diamond:9", false, 0, 0);
    // Forgeries.
    refuse("diamond:4", "\"forces\"", "\"force\": \"", "\"force\": \"1");
    refuse("diamond:4", "\"forces\"", "\"force\": \"", "\"force\": \"-");
    refuse("diamond:4", "\"forces\"", "\"a\": -1", "\"a\": 3");
    refuse("diamond:4", "\"claim\"", "\"stable\"", "\"unstable\"");
    refuse("diamond:5", "\"claim\"", "\"unstable\"", "\"stable\"");
    refuse("diamond:5", "\"motion\"", "\"-9/989\"", "\"9/989\"");
    refuse("diamond:5", "\"motion\"", "\"36/989\"", "\"35/989\"");
    refuse("single:0.75", "\"motion\"", "\"-12/29\"", "\"12/29\"");
    refuse("triangle:2", "\"tolerance\"", "\"0\"", "\"-1\"");
    unlink(path);
    return check_report();
}
