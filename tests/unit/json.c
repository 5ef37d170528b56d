// The JSON writer: what it writes reads back, whatever it is given.
#include "carom/json.h"
#include "support/check.h"

#include <math.h>
#include <stdlib.h>

int main(void)
{
    carom_json *json = carom_json_create();
    double numbers[] = { 0.1, -0.0, 1e300, (double)NAN };
    carom_json_object(json, NULL);
    carom_json_string(json, "a\"b", "line\n\\ \x01 \xC3\xA4");
    carom_json_numbers(json, "n", numbers, 4);
    carom_json_array(json, "empty");
    carom_json_end(json);
    carom_json_array(json, "list");
    carom_json_integer(json, NULL, -9007199254740993);
    carom_json_bool(json, NULL, 1);
    carom_json_string(json, NULL, NULL);
    carom_json_end(json);
    carom_json_end(json);
    CHECK_TEXT(
        carom_json_text(json),
        "{\n  \"a\\\"b\": \"line\\u000a\\\\ \\u0001 \xC3\xA4\",\n  \"n\": [0.1, -0, 1e+300, "
        "null],\n"
        "  \"empty\": [],\n  \"list\": [\n    -9007199254740993,\n    true,\n    null\n  ]\n}\n",
        "everything in one");
    carom_json_destroy(json);
    carom_json_object(NULL, NULL);
    CHECK(carom_json_text(NULL) == NULL, "a writer without memory does nothing");
    json = carom_json_create();
    for (int i = 0; i < 100; ++i)
        carom_json_array(json, NULL);
    CHECK(carom_json_text(json) == NULL, "too deep is a failure, not a crash");
    carom_json_destroy(json);
    return check_report();
}
