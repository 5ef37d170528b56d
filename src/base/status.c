// Names and sentences of the statuses, from the one list in carom/status.h.
#include "carom/status.h"

#include <stdbool.h>

static bool known(carom_status status)
{
#define ONE(name, sentence) +1
    return (unsigned)status < 0 CAROM_STATUS_LIST(ONE);
#undef ONE
}

const char *carom_status_name(carom_status status)
{
    static const char *const names[] = {
#define NAME(name, sentence) #name,
        CAROM_STATUS_LIST(NAME)
#undef NAME
    };
    return known(status) ? names[status] : "UNKNOWN";
}

const char *carom_status_sentence(carom_status status)
{
    static const char *const sentences[] = {
#define SENTENCE(name, sentence) sentence,
        CAROM_STATUS_LIST(SENTENCE)
#undef SENTENCE
    };
    return known(status) ? sentences[status] : "no status of this library";
}
