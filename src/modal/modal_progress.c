// Reports one piece of a longer work as its share of the whole.
#include "modal/modal_progress.h"

static int report(void *context, double done, double total, const char *what)
{
    const carom_modal_progress *s = context;
    double part = total > 0 ? done / total : 0;
    part = part < 0 ? 0 : part > 1 ? 1 : part;
    if (!s->outer || !s->outer->report)
        return 0;
    return s->outer->report(s->outer->context, 100 * (s->from + part * (s->to - s->from)), 100,
                            what);
}

carom_progress carom_modal_progress_part(carom_modal_progress *part)
{
    return (carom_progress){ report, part };
}
