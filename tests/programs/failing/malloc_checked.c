// sley: reach=true race=true deadlock=true memory=true overflow=true args="--malloc-may-fail"
// Every function that allocates is asked whether it did.
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int *p = calloc(2, sizeof *p);
    char *text = strdup("ab");
    char *printed = 0;
    void *aligned = 0;
    if (p)
        assert(p[1] == 0);
    if (text)
        assert(text[1] == 'b');
    if (asprintf(&printed, "%d", 7) >= 0) {
        assert(printed[0] == '7');
        free(printed);
    }
    if (posix_memalign(&aligned, 64, 4) == 0)
        free(aligned);
    else
        assert(!aligned);
    free(text);
    free(p);
    return 0;
}
