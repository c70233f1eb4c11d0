// sley: reach=false race=true deadlock=true memory=true overflow=true
// Two elevators are sent to the same call, as each looks before the other has marked it.
// why: elevator #\d reads `taken` .* In between, elevator #\d writes it
#include <pthread.h>
#include <stdatomic.h>

void reach_error(void) {}

static atomic_int taken, sent;

static void *elevator(void *unused)
{
    if (!atomic_load(&taken)) {  // decisive
        atomic_store(&taken, 1);  // decisive
        if (atomic_fetch_add(&sent, 1) > 0)
            reach_error();
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, elevator, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
