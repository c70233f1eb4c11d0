// sley: reach=false race=true deadlock=true memory=true overflow=true
// Two readers may see two acquired and released stores in different orders.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int first_x, then_y, first_y, then_x;

void *write_x(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_release);
    return 0;
}

void *write_y(void *unused)
{
    atomic_store_explicit(&y, 1, memory_order_release);
    return 0;
}

void *read_x(void *unused)
{
    first_x = atomic_load_explicit(&x, memory_order_acquire);
    then_y = atomic_load_explicit(&y, memory_order_acquire);
    return 0;
}

int main(void)
{
    pthread_t one, two, three;
    pthread_create(&one, 0, write_x, 0);
    pthread_create(&two, 0, write_y, 0);
    pthread_create(&three, 0, read_x, 0);
    first_y = atomic_load_explicit(&y, memory_order_acquire);
    then_x = atomic_load_explicit(&x, memory_order_acquire);
    pthread_join(one, 0);
    pthread_join(two, 0);
    pthread_join(three, 0);
    assert(!(first_x && !then_y && first_y && !then_x));
    return 0;
}
