// The same bits from every compiler and optimisation: one golden hash per scene over results and
// history.
//
// A hash may change only with a deliberate change of the method; say so in the commit.
#include "base/hash.h"
#include "carom/chain.h"
#include "support/check.h"

#include <inttypes.h>
#include <stdio.h>

static uint64_t hash_of(const carom_chain_result *r)
{
    const carom_chain_history *h = &r->history;
    uint64_t hash = carom_hash_doubles(CAROM_HASH_START, r->velocity, r->bodies);
    hash = carom_hash_doubles(hash, r->vibration, r->bodies);
    hash = carom_hash_doubles(hash, h->time, h->samples);
    hash = carom_hash_doubles(hash, h->force, h->samples * h->contacts);
    return carom_hash_doubles(hash, h->point_position, h->samples * h->points);
}

static const struct {
    const char *scene;
    bool exact;
    uint64_t hash;
} golden[] = {
    { "fig3_hooke", false, UINT64_C(0xcc644649d959fd85) },
    { "fig5_hertz", false, UINT64_C(0x88624f18e013695c) },
    { "fig6_fifth_power", false, UINT64_C(0x35b08ce9f16313f9) },
    { "fig4_sliced_spheres", false, UINT64_C(0xd29e4435bbce1da9) },
    { "fig7_cylinders", false, UINT64_C(0x0f757368d6813e03) },
    { "fig7_cylinders", true, UINT64_C(0x1fae354b38208547) },
    { "fig11_unequal", true, UINT64_C(0xd283c335f4f1a167) },
    { "bar_on_wall", true, UINT64_C(0x9adcd4736d99fc41) },
    { "mass_on_bar", false, UINT64_C(0x5aa85840fa79afda) },
    { "tapered", false, UINT64_C(0xbd80bdee9fb2f31e) },
};

int main(void)
{
    for (size_t i = 0; i < sizeof golden / sizeof *golden; i++) {
        char path[512];
        carom_chain_file *file = NULL;
        carom_chain_result *result = NULL;
        carom_error err = { 0 };
        snprintf(path, sizeof path, CAROM_SOURCE_DIR "/scenes/chain/%s.json", golden[i].scene);
        carom_status status = carom_chain_file_open(path, &file, &err);
        if (status == CAROM_OK)
            status = (golden[i].exact ? carom_chain_waves : carom_chain_run)(
                carom_chain_file_chain(file), &result, &err);
        if (CHECK(status == CAROM_OK, "%s: %s", golden[i].scene, err.what))
            CHECK(hash_of(result) == golden[i].hash, "%s%s has the hash 0x%016" PRIx64,
                  golden[i].scene, golden[i].exact ? " (waves)" : "", hash_of(result));
        carom_chain_result_destroy(result);
        carom_chain_file_close(file);
    }
    return check_report();
}
