// The functions of entries of [EC] that have files of their own.
#ifndef CAROM_GALLERY_CHAIN_H
#define CAROM_GALLERY_CHAIN_H

#include "gallery/gallery_result.h"

// gallery_chain_space.c: time stepping without times of impact in three dimensions
carom_status carom_gallery_chain_space(carom_gallery_result *result, carom_error *err);

#endif
