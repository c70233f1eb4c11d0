// sley: misuse=false
// A mutex on the stack that nobody has initialised is locked.
#include <pthread.h>

int main(void)
{
    pthread_mutex_t m;
    pthread_mutex_lock(&m);
    return 0;
}
