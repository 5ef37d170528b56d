// Runs a fuzz target over files without the fuzzer: the corpus as an ordinary test.
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static int replay(const char *path)
{
    FILE *file = fopen(path, "rb");
    size_t size = 0, room = 1 << 20;
    unsigned char *data = malloc(room);
    if (!file || !data) {
        printf("cannot read %s\n", path);
        free(data);
        if (file)
            fclose(file);
        return 1;
    }
    size = fread(data, 1, room, file);
    fclose(file);
    // Every prefix of the first bytes, then the whole: an unfinished file is the commonest
    // accident.
    for (size_t i = 0; i < size && i < 400; ++i)
        LLVMFuzzerTestOneInput(data, i);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    return 0;
}

int main(int count, char **paths)
{
    int failed = 0;
    for (int i = 1; i < count; ++i)
        failed += replay(paths[i]);
    printf("%d passed, %d failed\n", count - 1 - failed, failed);
    return failed || count < 2;
}
