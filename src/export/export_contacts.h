// The contacts of a recording frame by frame, with forces. Inside of the exporters.
#ifndef CAROM_EXPORT_EXPORT_CONTACTS_H
#define CAROM_EXPORT_EXPORT_CONTACTS_H

#include "export/recording.h"

// Zero-initialise; free with carom_export_contacts_free.
typedef struct carom_export_contacts {
    carom_world_contact *list;
    int count, room;
    double interval; // s since the frame before; 0: the first one
    double step;     // s
} carom_export_contacts;

// Those of a frame.
carom_status carom_export_contacts_load(carom_export_contacts *contacts,
                                        const carom_recording *recording, int64_t frame,
                                        carom_error *err);
// N on b, the mean over the time it acted: of an impact since the frame before.
vec3 carom_export_contacts_force(const carom_export_contacts *contacts,
                                 const carom_world_contact *contact);
void carom_export_contacts_free(carom_export_contacts *contacts);

#endif
