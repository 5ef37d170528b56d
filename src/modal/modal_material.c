// Materials: presets, and numbers no solid can have.
#include "base/error.h"

#include <math.h>
#include <string.h>
#include "base/suggest.h"
#include "carom/modal.h"

typedef struct preset {
    const char *name;
    carom_modal_material material;
} preset;

#define PRESET(name, young, poisson, density) { name, { young, poisson, density } },
static const preset PRESETS[] = { CAROM_MODAL_MATERIAL_LIST(PRESET) };
#undef PRESET
enum { COUNT = sizeof PRESETS / sizeof *PRESETS };

int carom_modal_material_count(void)
{
    return COUNT;
}

const char *carom_modal_material_name(int index)
{
    return index >= 0 && index < COUNT ? PRESETS[index].name : NULL;
}

carom_status carom_modal_material_named(const char *name, carom_modal_material *material,
                                        carom_error *err)
{
    NEED(err, name);
    for (int i = 0; i < COUNT; ++i)
        if (strcmp(PRESETS[i].name, name) == 0) {
            *material = PRESETS[i].material;
            return CAROM_OK;
        }
    carom_error_set(err, CAROM_BAD_INPUT, "there is no material \"%.60s\"", name);
    const char *names[COUNT];
    for (int i = 0; i < COUNT; ++i)
        names[i] = PRESETS[i].name;
    const char *near = carom_suggest_nearest(name, names, COUNT);
    if (near)
        return carom_error_fix(err, "did you mean \"%s\"?", near);
    return carom_error_fix(err, "use steel, aluminium, glass, wood, ceramic or plastic, or give "
                                "Young's modulus, Poisson's ratio and density");
}

carom_status carom_modal_material_check(const carom_modal_material *m, carom_error *err)
{
    NEED(err, m);
    if (!(m->young > 0 && m->young < HUGE_VAL)) {
        carom_error_set(err, CAROM_BAD_INPUT, "Young's modulus is %g Pa, not a positive number",
                        m->young);
        return carom_error_fix(err, "give pascals, for instance 2e11 for steel");
    }
    if (!(m->poisson > -1 && m->poisson < 0.5)) {
        carom_error_set(err, CAROM_BAD_INPUT, "Poisson's ratio is %g, outside (-1, 0.5)",
                        m->poisson);
        return carom_error_fix(err, "use at most 0.49: at 0.5 a solid keeps its volume exactly");
    }
    if (!(m->density > 0 && m->density < HUGE_VAL)) {
        carom_error_set(err, CAROM_BAD_INPUT, "the density is %g kg/m^3, not a positive number",
                        m->density);
        return carom_error_fix(err, "give kg/m^3, for instance 7850 for steel");
    }
    return CAROM_OK;
}
