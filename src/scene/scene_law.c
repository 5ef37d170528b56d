// The law of a file and its options, for every kind that has them.
#include "scene/scene_law.h"
#include "base/text.h"

carom_status carom_scene_law_read(const carom_value *root, const char *name, const carom_law **law,
                                  carom_law_options *options, carom_error *err)
{
    carom_value named, list;
    *law = carom_law_default();
    if (name && !(*law = carom_law_find(name, err))) {
        carom_value_member(root, "law", &named);
        return carom_value_place(&named, err);
    }
    *options = carom_law_defaults(*law);
    if (!carom_value_member(root, "options", &list))
        return CAROM_OK;
    TRY(carom_value_object(&list, err));
    for (const char *key = NULL; (key = carom_value_next_key(&list, key));) {
        carom_value value;
        const char *text;
        char digits[32];
        double number;
        carom_value_member(&list, key, &value);
        if (carom_value_is_text(&value)) {
            TRY(carom_value_text(&value, &text, err));
        } else {
            TRY(carom_value_number(&value, NULL, &number, err));
            carom_text_digits(number, digits);
            text = digits;
        }
        if (carom_law_set(*law, options, key, text, err) != CAROM_OK)
            return carom_value_place(&value, err);
    }
    return CAROM_OK;
}
