// sley: reach=true race=true deadlock=true memory=true overflow=true
// Every thread passes the address of a local to a function; nobody else ever knows it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int owner;
static int inside;

static void try_to_take(int *taken)
{
    int expected = 0;
    int is_taken = atomic_compare_exchange_strong(&owner, &expected, 1);
    if (taken != NULL)
        *taken = is_taken;
}

static void *worker(void *unused)
{
    int taken;
    do {
        try_to_take(&taken);
    } while (!taken);
    inside = inside + 1;
    assert(inside == 1);
    inside = inside - 1;
    atomic_store(&owner, 0);
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, worker, NULL);
    pthread_create(&second, NULL, worker, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(inside == 0);
}
