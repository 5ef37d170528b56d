// Reads contacts of frames and tells their forces.
#include "export/export_contacts.h"

#include <stdlib.h>

int64_t carom_export_contacts_total(const carom_recording *recording)
{
    int64_t total = 0;
    if (!recording)
        return 0;
    for (int64_t m = 0; m < carom_recording_frame_count(recording); ++m)
        total += carom_recording_contact_count(recording, m);
    return total;
}

static carom_status reserve(carom_export_contacts *c, carom_error *err)
{
    if (c->count < c->room)
        return CAROM_OK;
    void *list = realloc(c->list, ((size_t)c->count + 1) * sizeof *c->list);
    if (!list)
        return carom_error_no_memory(err, "%d contacts", c->count);
    c->list = list;
    c->room = c->count + 1;
    return CAROM_OK;
}

carom_status carom_export_contacts_load(carom_export_contacts *c, const carom_recording *recording,
                                        int64_t frame, carom_error *err)
{
    carom_frame now, before = { 0 };
    c->count = carom_recording_contact_count(recording, frame);
    TRY(reserve(c, err));
    TRY(carom_recording_frame(recording, frame, &now, err));
    if (frame > 0)
        TRY(carom_recording_frame(recording, frame - 1, &before, err));
    int64_t steps = now.step - before.step;
    // where frames are left out, contacts are those since the last frame of the file
    c->interval = (now.time - before.time) / (double)recording->stride;
    c->step = steps > 0 ? (now.time - before.time) / (double)steps : 0;
    return carom_recording_contacts(recording, frame, c->list, err);
}

vec3 carom_export_contacts_force(const carom_export_contacts *c, const carom_world_contact *contact)
{
    double time = contact->impact         ? c->interval
                  : contact->duration > 0 ? contact->duration
                                          : c->step;
    return vec3_scale(time > 0 ? 1 / time : 0, vec3_from(contact->impulse));
}

void carom_export_contacts_free(carom_export_contacts *c)
{
    free(c->list);
    *c = (carom_export_contacts){ 0 };
}
