// A recording in the form the page reads, for recordings and for runs that go on.
#ifndef CAROM_VIEW_VIEW_RECORDING_H
#define CAROM_VIEW_VIEW_RECORDING_H

#include "export/recording.h"
#include "view/view_source.h"

// A source of a recording that somebody else owns.
carom_status carom_view_recording_of(carom_recording *recording, const carom_view_source_ops **ops,
                                     void **self, carom_error *err);

// Members of an open object: title, bodies, joints, forms, and the rows of all frames.
carom_status carom_view_recording_write(const carom_recording *recording, carom_json *json,
                                        carom_error *err);
// Members "frames" (the number of frames), "times" and "ledger" from a frame on.
carom_status carom_view_recording_rows(const carom_recording *recording, int64_t first,
                                       carom_json *json, carom_error *err);
// Ends the object, adds it to the text and destroys the JSON.
carom_status carom_view_recording_finish(carom_json *json, carom_status status, carom_text *text,
                                         carom_error *err);
// As in carom_view_source_ops.
carom_status carom_view_recording_surfaces(carom_recording *recording, carom_text *bytes,
                                           carom_error *err);
carom_status carom_view_recording_frames(const carom_recording *recording, int64_t first,
                                         int64_t count, carom_text *bytes, carom_error *err);
carom_status carom_view_recording_contacts(const carom_recording *recording, int64_t index,
                                           carom_text *bytes, carom_error *err);
// How deep every body overlaps another at a frame, m.
carom_status carom_view_recording_depths(const carom_recording *recording, int64_t index,
                                         carom_text *bytes, carom_error *err);

#endif
