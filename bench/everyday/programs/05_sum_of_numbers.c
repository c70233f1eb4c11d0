// sley: reach=true race=true deadlock=true memory=true overflow=true
// Numbers with fractions and exponents are read from a line with strtod.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static double sum_line(const char *line, int *count)
{
    double sum = 0;
    const char *p = line;
    *count = 0;
    for (;;) {
        char *end;
        double value = strtod(p, &end);
        if (end == p)
            return sum;
        sum += value;
        ++*count;
        p = end;
    }
}

int main(void)
{
    int count;
    double sum = sum_line("3.25 1e3 -0.5 .75x", &count);
    assert(count == 4);
    assert(sum == 1003.5);
    printf("%d numbers, sum %f\n", count, sum);
    return 0;
}
