// Contacts of a body whose restitutions spread evenly over what occurs.
#ifndef CAROM_CLI_BOUNCE_PICK_H
#define CAROM_CLI_BOUNCE_PICK_H

#include "bounce_body.h"

// Fills a batch with `count` contacts at face centroids; prints a failure and returns an exit code.
int carom_bounce_pick_contacts(const carom_bounce_body *body, int count, int seed,
                               carom_bounce_batch *out);
void carom_bounce_pick_free(carom_bounce_batch *batch);

#endif
