/// The viewer: a film in the browser, served on this machine only.
///
/// The page and its scripts are part of the library; nothing is read from the disk or the network
/// while it is served, but the films that were named at the start. A build without Node has no page
/// (carom_view_available tells), everything else of the library works.
#ifndef CAROM_VIEW_H
#define CAROM_VIEW_H

#include <stdint.h>
#include "carom/export.h"
#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// 1 where this build carries the page.
CAROM_API int carom_view_available(void);

typedef struct carom_view_options {
    const char *listen; ///< address; null (default): 127.0.0.1 only
    int port;           ///< 0 (default): a free one
} carom_view_options;

typedef struct carom_view carom_view;

/// Serves `count` films side by side until it is closed. The films must outlive the viewer and may
/// not change. Any number of pages may be open.
CAROM_API carom_status carom_view_open(carom_export *const *films, int count,
                                       const carom_view_options *options, carom_view **out,
                                       carom_error *err);
/// Where to point the browser. On an address other than the loopback the link carries a token,
/// without which every request is refused.
CAROM_API const char *carom_view_link(const carom_view *view);
CAROM_API void carom_view_close(carom_view *view);

/// One HTML file with the same page and the films inside, to be kept or sent. The caller frees the
/// text with free().
CAROM_API carom_status carom_view_page(carom_export *const *films, int count, char **html,
                                       size_t *size, carom_error *err);

#ifdef __cplusplus
}
#endif
#endif
