// sley: reach=true race=true deadlock=true memory=false overflow=true
// A long is read into an int.
#include <stdio.h>

struct volume {
    int blocks;
};

int main(void)
{
    struct volume v = {0};
    char text[] = "4096";
    if (sscanf(text, "%4ld", &v.blocks) != 1)
        return 1;
    printf("%d\n", v.blocks);
    return 0;
}
