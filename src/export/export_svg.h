// Shared by the SVG exporters.
#ifndef CAROM_EXPORT_EXPORT_SVG_H
#define CAROM_EXPORT_EXPORT_SVG_H

#include "carom/export.h"
#include "draw/svg.h"

// One plot (energy, momentum, overlap: 0, 1, 2) into a box of a picture, px.
carom_status carom_export_plot_draw(carom_recording *recording, carom_svg *svg, int which,
                                    const double corner[2], const double size[2], carom_error *err);

#endif
