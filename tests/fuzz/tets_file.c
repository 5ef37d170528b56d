// Fuzz target: the readers of tetrahedra. For any bytes they must come back, a refusal must say
// what and where, and an accepted mesh must hold together. The first byte chooses the format: 'n'
// is a TetGen pair cut at the first zero byte or bar, anything else a msh file.
#include "carom/modal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "support/claim.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void check_mesh(const carom_tets *t, const carom_error *err)
{
    claim(t->tet_count > 0 && t->node_count >= 10, "tetrahedra and nodes", err);
    for (int i = 0; i < 10 * t->tet_count; ++i)
        claim(t->tets[i] >= 0 && t->tets[i] < t->node_count, "node numbers in range", err);
    for (int i = 0; i < 3 * t->node_count; ++i)
        claim(isfinite(t->nodes[i]), "finite coordinates", err);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    carom_error err = { 0 };
    carom_tets *tets = NULL;
    int pair = size > 0 && data[0] == 'n';
    const char *bytes[2] = { (const char *)data, "" };
    size_t sizes[2] = { size, 0 };
    if (pair) {
        const unsigned char *cut = data;
        while (cut < data + size && *cut && *cut != '|')
            ++cut;
        bytes[0] = (const char *)data + 1;
        sizes[0] = (size_t)(cut - data) - 1;
        bytes[1] = cut < data + size ? (const char *)cut + 1 : "";
        sizes[1] = cut < data + size ? (size_t)(data + size - cut) - 1 : 0;
    }
    carom_status status = carom_tets_parse(pair ? "node" : "msh", bytes, sizes, 0.001, &tets, &err);
    claim((status == CAROM_OK) == (tets != NULL), "a mesh exactly on success", &err);
    if (tets)
        check_mesh(tets, &err);
    else
        claim(err.what[0] && err.where[0], "a refusal says what and where", &err);
    carom_tets_destroy(tets);
    return 0;
}
