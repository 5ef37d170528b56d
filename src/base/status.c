// Names and sentences of the statuses, from the one list in carom/status.h.
#include "carom/status.h"

const char *carom_status_name(carom_status status)
{
    static const char *const names[] = {
#define NAME(name, sentence) #name,
        CAROM_STATUS_LIST(NAME)
#undef NAME
    };
    return names[status];
}

const char *carom_status_sentence(carom_status status)
{
    static const char *const sentences[] = {
#define SENTENCE(name, sentence) sentence,
        CAROM_STATUS_LIST(SENTENCE)
#undef SENTENCE
    };
    return sentences[status];
}
