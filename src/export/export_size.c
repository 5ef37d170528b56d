// How large a file will be, from counts alone: within a factor of two.
#include "export/export_film.h"

static double pictures(const carom_export *film, const carom_export_pace *pace)
{
    carom_frame first = { 0 }, last = { 0 };
    carom_export_moment(film, 0, &first, NULL);
    carom_export_moment(film, carom_export_moment_count(film) - 1, &last, NULL);
    return pace ? (last.time - first.time) * pace->rate / pace->speed + 1 : 1;
}

double carom_export_size(const carom_export *film, carom_export_format format,
                         const carom_export_view *view, const carom_export_pace *pace)
{
    double moments = (double)carom_export_moment_count(film), bodies = film->count, moving = 0;
    double vertices = 0, triangles = 0, pixels = (double)view->width * view->height;
    for (int i = 0; i < film->count; ++i)
        moving += film->kind[i] != CAROM_BODY_FIXED;
    for (int f = 0; f < film->form_count; ++f) {
        vertices += film->forms[f].mesh.vertex_count;
        triangles += film->forms[f].mesh.triangle_count;
    }
    switch (format) {
    case CAROM_EXPORT_PNG:
        return 0.6 * pixels;
    case CAROM_EXPORT_CSV:
        return moments * (bodies * 240 + 300);
    case CAROM_EXPORT_NPZ:
        return moments * (bodies * 104 + 216) + bodies * 40;
    case CAROM_EXPORT_GLB:
        return (moments > 1 ? moments * moving * 28 : 0) + bodies * 700 + vertices * 48 +
               triangles * 12;
    case CAROM_EXPORT_VTP:
        return moments * (bodies * 225 + 1500);
    case CAROM_EXPORT_HTML:
        return (moments * moving * 28 + vertices * 48 + triangles * 12 + bodies * 60) * 4 / 3 +
               20000;
    case CAROM_EXPORT_SVG:
        return bodies * 300 + 20000 + 3e5;
    case CAROM_EXPORT_MP4:
        return 0.05 * pixels * pictures(film, pace);
    }
    return 0;
}
