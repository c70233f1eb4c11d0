// sley: reach=true race=true deadlock=true memory=true overflow=false
// The squares of many samples are added up in an int.
#include <stdio.h>

static int energy(int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++) {
        int sample = (i * 7) % 401 - 200;
        sum += sample * sample;
    }
    return sum;
}

int main(void)
{
    printf("%d\n", energy(1000));
    printf("%d\n", energy(200000));
    return 0;
}
