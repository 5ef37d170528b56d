// What this library is and what built it.
#include "carom/version.h"

#include "built.h"

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
