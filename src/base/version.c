// What this library is and what built it.
#include "carom/version.h"

#include <string.h>
#include "built.h"
#include "carom/desiderata.h"
#include "carom/impact.h"
#include "carom/world.h"
#include "carom/world_event.h"

#define TEXT(number) #number
#define DOTTED(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)

const char *carom_version(void)
{
    return DOTTED(CAROM_VERSION_MAJOR, CAROM_VERSION_MINOR, CAROM_VERSION_PATCH);
}

const char *carom_version_compiler(void)
{
    return CAROM_COMPILER;
}

#define STRUCTS(X)                                                                                 \
    X(carom_audit)                                                                                 \
    X(carom_body)                                                                                  \
    X(carom_contact_event)                                                                         \
    X(carom_desiderata_figures)                                                                    \
    X(carom_error)                                                                                 \
    X(carom_impact)                                                                                \
    X(carom_impact_body)                                                                           \
    X(carom_impact_contact)                                                                        \
    X(carom_impact_outcome)                                                                        \
    X(carom_impact_report)                                                                         \
    X(carom_joint)                                                                                 \
    X(carom_law_options)                                                                           \
    X(carom_ledger)                                                                                \
    X(carom_mass)                                                                                  \
    X(carom_material)                                                                              \
    X(carom_option)                                                                                \
    X(carom_profile)                                                                               \
    X(carom_world_contact)                                                                         \
    X(carom_world_options)

size_t carom_version_size(const char *type)
{
    static const struct {
        const char *name;
        size_t size;
    } known[] = {
#define ENTRY(type) { #type, sizeof(type) },
        STRUCTS(ENTRY)
#undef ENTRY
    };
    for (size_t i = 0; type && i < sizeof known / sizeof *known; ++i)
        if (strcmp(type, known[i].name) == 0)
            return known[i].size;
    return 0;
}
