// sley: race=true deadlock=true memory=true overflow=false
// Not a number converts to no integer.
#include <pthread.h>

static double ratio;

static void *divide(void *zero)
{
    ratio = *(double *)zero / *(double *)zero;
    return 0;
}

int main(void)
{
    double zero = 0.0;
    pthread_t thread;
    pthread_create(&thread, 0, divide, &zero);
    pthread_join(thread, 0);
    return (int)ratio == 3;
}
