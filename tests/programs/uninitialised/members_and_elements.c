// sley: reach=true race=true deadlock=true memory=true overflow=true uninitialised=true
// All that is read was written, member by member and element by element; zeroed memory is written, too.
#include <stdlib.h>

struct pair {
    int a, b;
};

int main(void)
{
    struct pair p, *q = calloc(1, sizeof *q);
    int elements[3], sum = 0;
    p.a = 1;
    p.b = 2;
    struct pair copied = p;
    for (int i = 0; i < 3; i++)
        elements[i] = i;
    for (int i = 0; i < 3; i++)
        sum += elements[i];
    static int kept;
    sum += copied.b + q->a + kept;
    free(q);
    return sum;
}
