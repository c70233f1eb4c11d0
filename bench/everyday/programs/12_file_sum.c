// sley: reach=true race=true deadlock=true memory=true overflow=true
// Numbers of at most five characters are summed up from a file, and its end is told from an error.
#include <assert.h>
#include <stdio.h>

enum result { OK, UNREADABLE, NO_NUMBER };

static enum result sum_of(const char *path, long *sum)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return UNREADABLE;
    int value, got = 0;
    *sum = 0;
    for (int i = 0; i < 1000 && (got = fscanf(file, "%5d", &value)) == 1; i++)
        *sum += value;
    enum result result = ferror(file) ? UNREADABLE : got == 0 ? NO_NUMBER : OK;
    fclose(file);
    return result;
}

int main(void)
{
    long sum = 0;
    if (sum_of("numbers.txt", &sum) != OK) {
        fprintf(stderr, "numbers.txt: no good\n");
        return 1;
    }
    assert(sum <= 1000 * 99999L);
    assert(sum >= 1000 * -9999L);
    printf("%ld\n", sum);
    return 0;
}
