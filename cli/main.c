#include "carom/status.h"
#include <stdio.h>
int main(void)
{
    printf("carom %s\n", carom_version());
    return 0;
}
