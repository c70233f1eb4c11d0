// sley: reach=true race=true deadlock=true memory=false overflow=true
// The buffer for a number has no room for the longest one.
#include <limits.h>
#include <stdio.h>

static void print_id(int id)
{
    char text[11];
    sprintf(text, "%d", id);
    printf("id %s\n", text);
}

int main(void)
{
    static const int ids[] = {1, -20, INT_MAX, INT_MIN};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        print_id(ids[i]);
    return 0;
}
