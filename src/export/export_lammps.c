// One frame as a data file of LAMMPS (read_data, atom_style sphere): moving spheres with their
// velocities, numbers with all their digits. Atom IDs are the numbers of the bodies, from 1 on. Of
// a periodic box its ends are written, and behind each grain how many boxes it is away.
//
// LAMMPS makes the mass of a grain from its density: 4 pi/3 r^3 of it, which may differ from the
// scene's in the last digit. Other bodies, materials and gravity have no place in the format; walls
// and surfaces are words of `fix carom` (docs/scaling.md).
#include "export/export_columns.h"
#include "export/recording.h"
#include "math/constants.h"
#include "shape/shape.h"

static bool is_grain(const carom_recording *recording, const carom_frame *frame, int i)
{
    return recording->forms[recording->form[i]].shape->kind == CAROM_SHAPE_SPHERE &&
           recording->kind[i] == CAROM_BODY_MOVING && !carom_recording_gone(recording, frame, i);
}

static double radius_of(const carom_recording *recording, int i)
{
    return recording->forms[recording->form[i]].shape->radius;
}

static void add_number(carom_text *text, double value)
{
    char digits[32];
    carom_text_digits(value, digits);
    carom_text_add(text, " %s", digits);
}

static void add_vector(carom_text *text, vec3 v)
{
    add_number(text, v.x);
    add_number(text, v.y);
    add_number(text, v.z);
}

// Around all grains, with room: a script may change it, or shrink it to them (boundary s).
static void add_box(const carom_recording *recording, const carom_frame *frame, carom_text *text)
{
    static const char *const names[3] = { "xlo xhi", "ylo yhi", "zlo zhi" };
    for (int k = 0; k < 3; ++k) {
        double low = HUGE_VAL, high = -HUGE_VAL, length = recording->period.length[k];
        for (int i = 0; i < recording->count; ++i) {
            if (!is_grain(recording, frame, i))
                continue;
            double x[3], r = radius_of(recording, i);
            vec3_store(carom_recording_state(recording, frame, i).position, x);
            low = fmin(low, x[k] - r);
            high = fmax(high, x[k] + r);
        }
        char digits[32];
        double room = length > 0 ? 0 : 0.1 * (high - low);
        if (length > 0) {
            low = recording->period.low[k];
            high = low + length;
        }
        carom_text_digits(low - room, digits);
        carom_text_add(text, "%s", digits);
        add_number(text, high + room);
        carom_text_add(text, " %s\n", names[k]);
    }
}

// How many boxes a grain is away from where it is written.
static void add_images(const carom_recording *recording, const carom_frame *frame, int i,
                       carom_text *text)
{
    double written[3];
    vec3_store(carom_recording_state(recording, frame, i).position, written);
    for (int k = 0; k < 3; ++k) {
        double length = recording->period.length[k],
               x = frame->bodies[CAROM_FRAME_STRIDE * (size_t)i + CAROM_FRAME_POSITION + (size_t)k];
        carom_text_add(text, " %d", length > 0 ? (int)round((x - written[k]) / length) : 0);
    }
}

static void add_atom(const carom_recording *recording, const carom_frame *frame, int i,
                     carom_text *text)
{
    double r = radius_of(recording, i);
    carom_text_add(text, "%d 1", i + 1);
    add_number(text, 2 * r);
    add_number(text, recording->mass[i] / (4 * CAROM_PI / 3 * r * r * r));
    add_vector(text, carom_recording_state(recording, frame, i).position);
    if (recording->leader)
        add_images(recording, frame, i, text);
    carom_text_add(text, "\n");
}

static void add_velocity(const carom_recording *recording, const carom_frame *frame, int i,
                         carom_text *text)
{
    carom_recording_body state = carom_recording_state(recording, frame, i);
    (void)recording;
    carom_text_add(text, "%d", i + 1);
    add_vector(text, state.velocity);
    add_vector(text, state.spin);
    carom_text_add(text, "\n");
}

typedef void line_writer(const carom_recording *recording, const carom_frame *frame, int i,
                         carom_text *text);

static carom_status write_section(const carom_recording *recording, const carom_frame *frame,
                                  line_writer *write, carom_text *text, FILE *file,
                                  carom_error *err)
{
    for (int i = 0; i < recording->count; ++i) {
        if (is_grain(recording, frame, i))
            write(recording, frame, i, text);
        TRY(carom_export_columns_flush(text, file, false, err));
    }
    return CAROM_OK;
}

// As LAMMPS's command `boundary` has it: periodic, or fixed.
static char letter(const carom_recording *recording, int axis)
{
    return recording->period.length[axis] > 0 ? 'p' : 'f';
}

static carom_status write_file(const carom_recording *recording, const carom_frame *frame,
                               carom_text *text, FILE *file, carom_error *err)
{
    int grains = 0;
    for (int i = 0; i < recording->count; ++i)
        grains += is_grain(recording, frame, i);
    if (grains == 0) {
        carom_error_set(err, CAROM_BAD_INPUT, "there are no moving spheres");
        return carom_error_fix(err, "LAMMPS's grains are spheres: write another format");
    }
    carom_text_add(text, "grains of Carom in SI units, %d other bodies left out",
                   recording->count - grains);
    if (recording->leader)
        carom_text_add(text, ", boundary %c %c %c", letter(recording, 0), letter(recording, 1),
                       letter(recording, 2));
    carom_text_add(text, "\n\n");
    carom_text_add(text, "%d atoms\n1 atom types\n\n", grains);
    add_box(recording, frame, text);
    carom_text_add(text, "\nAtoms # sphere\n\n");
    TRY(write_section(recording, frame, add_atom, text, file, err));
    carom_text_add(text, "\nVelocities\n\n");
    TRY(write_section(recording, frame, add_velocity, text, file, err));
    return carom_export_columns_flush(text, file, true, err);
}

carom_status carom_export_lammps(const carom_recording *recording, int64_t frame, FILE *file,
                                 carom_error *err)
{
    NEED(err, recording, file);
    carom_text text = { 0 };
    carom_frame now;
    TRY(carom_recording_frame(recording, frame, &now, err));
    carom_status status = write_file(recording, &now, &text, file, err);
    carom_text_free(&text);
    return status;
}
