// How large a file will be, from counts alone: within a factor of two.
#include "export/recording.h"

static double pictures(const carom_recording *recording, const carom_export_pace *pace)
{
    carom_frame first = { 0 }, last = { 0 };
    carom_recording_frame(recording, 0, &first, NULL);
    carom_recording_frame(recording, carom_recording_frame_count(recording) - 1, &last, NULL);
    return pace ? (last.time - first.time) * pace->rate / pace->speed + 1 : 1;
}

double carom_export_size(const carom_recording *recording, carom_export_format format,
                         const carom_export_view *view, const carom_export_pace *pace)
{
    if (!recording || !view)
        return 0;
    double frames = (double)carom_recording_frame_count(recording), bodies = recording->count,
           moving = 0;
    double contacts = (double)carom_export_contacts_total(recording), used = 0;
    double vertices = 0, triangles = 0, pixels = (double)view->width * view->height;
    for (int i = 0; i < recording->count; ++i)
        moving += recording->kind[i] != CAROM_BODY_FIXED;
    for (int f = 0; f < recording->form_count; ++f) {
        vertices += recording->forms[f].mesh.vertex_count;
        triangles += recording->forms[f].mesh.triangle_count;
        bool points = recording->forms[f].users > 100 &&
                      carom_shape_kind_of(recording->forms[f].shape) == CAROM_SHAPE_SPHERE;
        if (!points)
            used += (double)recording->forms[f].mesh.triangle_count * recording->forms[f].users;
    }
    switch (format) {
    case CAROM_EXPORT_PNG:
        return 0.6 * pixels;
    case CAROM_EXPORT_CSV:
        return frames * (bodies * 240 + 300) + contacts * 400;
    case CAROM_EXPORT_NPZ:
        return frames * (bodies * 104 + 216) + bodies * 60 + contacts * 168;
    case CAROM_EXPORT_USDA:
    case CAROM_EXPORT_GLB:
        return (frames > 1 ? frames * moving * 28 : 0) + bodies * 700 + vertices * 48 +
               triangles * 12;
    case CAROM_EXPORT_VTP: // a triangle has about half a vertex
        return frames * (bodies * 225 + used * 80 + 4000) + contacts * 260;
    case CAROM_EXPORT_HTML:
        // the page itself; 13 numbers and a depth per body and frame, coded in letters
        return 1e6 + (frames * bodies * 56 + vertices * 24 + triangles * 12) * 4 / 3 +
               frames * 300 + bodies * 100;
    case CAROM_EXPORT_LAMMPS:
        return moving * 240 + 300;
    case CAROM_EXPORT_SVG:
        return bodies * 300 + 20000 + 3e5;
    case CAROM_EXPORT_MP4:
    case CAROM_EXPORT_WEBM:
        return 0.05 * pixels * pictures(recording, pace);
    case CAROM_EXPORT_GIF:
        return 0.2 * pixels * pictures(recording, pace);
    }
    return 0;
}
