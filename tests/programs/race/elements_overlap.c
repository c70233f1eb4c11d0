// sley: reach=true race=false deadlock=true memory=true overflow=true
// Each thread fills its part of the array, but the parts share one element.
#include <pthread.h>

int cells[3];

void *worker(void *first)
{
    int from = *(int *)first;
    for (int i = from; i <= from + 1; i++)
        cells[i] = from;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    int low = 0, high = 1;
    pthread_create(&a, 0, worker, &low);
    pthread_create(&b, 0, worker, &high);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
