// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=false
// Whoever draws the last number never ends. If that is the third thread, main joins the first one for a second time, which breaks a rule.
#include <pthread.h>
#include <stdatomic.h>

atomic_int numbers, stop;

void *draws(void *unused)
{
    if (numbers++ == 2)
        while (!stop)
            ;
    return 0;
}

int main(void)
{
    pthread_t first, second, third;
    pthread_create(&first, 0, draws, 0);
    pthread_create(&second, 0, draws, 0);
    pthread_create(&third, 0, draws, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    pthread_join(first, 0);
    pthread_join(third, 0);
    return 0;
}
