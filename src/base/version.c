// What this library is and what built it.
#include "carom/status.h"
#include "version.h"

const char *carom_version(void)
{
    return CAROM_VERSION;
}

const char *carom_version_compiler(void)
{
    return CAROM_COMPILER;
}
