/// @file
/// The viewer: anything that can be looked at, in the browser, served on this machine only.
///
/// The page and its scripts are part of the library; nothing is read from the disk or the network
/// while it is served, but the files that were named at the start. A build that had neither Node
/// nor a built page has none (carom_view_available tells), one without libmicrohttpd writes pages
/// and serves none; everything else of the library works.
#ifndef CAROM_VIEW_H
#define CAROM_VIEW_H

#include <stddef.h>
#include <stdint.h>
#include "carom/bounce_map.h"
#include "carom/export.h"
#include "carom/status.h"
#include "carom/tower.h"

#ifdef __cplusplus
extern "C" {
#endif

/// 1 where this build carries the page.
CAROM_API int carom_view_available(void);

/// Something that can be shown: bodies, their forms, and frames.
typedef struct carom_view_source carom_view_source;

/// Opens a file: a trajectory, a bounce map, or a scene of kind world (which runs while one
/// watches), impact (sweep by sweep), tower or chain. `law` replaces the law of a scene of kind
/// world or impact; null: its own. A file that changes later is read again.
CAROM_API carom_status carom_view_source_open(const char *path, const char *law,
                                              carom_view_source **out, carom_error *err);
/// A recording as it is; it must outlive the source and may not change.
CAROM_API carom_status carom_view_source_recording(carom_recording *recording,
                                                   carom_view_source **out, carom_error *err);
/// A tower with what was computed of it; nothing is kept of the parts, which the caller frees.
typedef struct carom_view_tower {
    const carom_tower *tower;               ///< as it stands at the start
    const carom_tower_instant *instant;     ///< its first instant
    const carom_tower_recording *recording; ///< null: the tower as it stands
    const char *title;                      ///< of the page
} carom_view_tower;
/// A tower that falls.
CAROM_API carom_status carom_view_source_tower(const carom_view_tower *tower,
                                               carom_view_source **out, carom_error *err);
/// A bounce map over its surface; nothing is kept of it.
CAROM_API carom_status carom_view_source_bounce(const carom_bounce_map *map, const char *title,
                                                carom_view_source **out, carom_error *err);
/// Frees the source; null is allowed.
CAROM_API void carom_view_source_close(carom_view_source *source);

/// How pages are served.
typedef struct carom_view_options {
    const char *listen; ///< address; null (default): 127.0.0.1 only
    int port;           ///< 0 (default): a free one
} carom_view_options;

/// A server at work.
typedef struct carom_view carom_view;

/// Serves `count` sources side by side until it is closed; they must outlive it. Any number of
/// pages may be open.
CAROM_API carom_status carom_view_open(carom_view_source *const *sources, int count,
                                       const carom_view_options *options, carom_view **out,
                                       carom_error *err);
/// Where to point the browser. On an address other than the loopback the link carries a token,
/// without which every request is refused.
CAROM_API const char *carom_view_link(const carom_view *view);
/// Ends the server and frees it; null is allowed.
CAROM_API void carom_view_close(carom_view *view);

/// One HTML file with the same page and the sources inside, to be kept or sent. A scene that runs
/// is run to its end first. `start` is how it opens, as in the address of the page behind the #
/// ("dark=1&colour=speed"); null: as usual. The caller frees the text with free().
CAROM_API carom_status carom_view_page(carom_view_source *const *sources, int count,
                                       const char *start, char **html, size_t *size,
                                       carom_error *err);

#ifdef __cplusplus
}
#endif
#endif
