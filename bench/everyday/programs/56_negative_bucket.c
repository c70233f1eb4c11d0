// sley: reach=true race=true deadlock=true memory=false overflow=true
// The hash of a name with letters beyond ASCII is negative, and so is its bucket.
#include <stdio.h>

static unsigned used[16];

static int hash(const char *name)
{
    int h = 0;
    while (*name)
        h = (h * 3 + (signed char)*name++) % 1009;
    return h;
}

int main(void)
{
    static const char *const names[] = {"lima", "oslo", "\xc3\x85rhus"};
    for (int i = 0; i < 3; i++)
        used[hash(names[i]) % 16]++;
    for (int i = 0; i < 16; i++)
        if (used[i] > 1)
            printf("bucket %d: %u\n", i, used[i]);
    return 0;
}
