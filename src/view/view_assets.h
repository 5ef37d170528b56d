// The page's parts, generated at build time from viewer/ (viewer/build.mjs).
#ifndef CAROM_VIEW_VIEW_ASSETS_H
#define CAROM_VIEW_VIEW_ASSETS_H

#include <stddef.h>

typedef struct carom_view_asset {
    const char *path; // "/viewer.js"
    const char *type; // "text/javascript; charset=utf-8"
    const unsigned char *bytes;
    size_t size;
} carom_view_asset;

// Index, script, style; in this order.
enum { CAROM_VIEW_ASSET_INDEX, CAROM_VIEW_ASSET_SCRIPT, CAROM_VIEW_ASSET_STYLE, CAROM_VIEW_ASSETS };
extern const carom_view_asset carom_view_assets[CAROM_VIEW_ASSETS];

#endif
