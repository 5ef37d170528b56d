// The keys in docs/chain.md are those of the reader's table, word for word.
#include "scene/chain_file.h"
#include "scene/schema.h"
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    FILE *file = fopen(CAROM_SOURCE_DIR "/docs/chain.md", "r");
    if (!CHECK(file != NULL, "the manual page is there"))
        return check_report();
    static char page[1 << 16];
    size_t size = fread(page, 1, sizeof page - 1, file);
    fclose(file);
    page[size] = 0;
    carom_text keys = { 0 };
    carom_schema_manual(&keys, carom_chain_file_table());
    CHECK(strstr(page, keys.bytes), "docs/chain.md holds the table of keys as it is:\n%s",
          keys.bytes);
    carom_text_free(&keys);
    return check_report();
}
