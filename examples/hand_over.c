/* Numbers are handed from one thread to the other, forever: no bound on the runs, and a proof all the same. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int is_full;
unsigned number; /* belongs to the writer while is_full is 0, to the reader while it is 1 */

void *writer(void *unused)
{
    for (unsigned next = 0;; next++) {
        while (is_full)
            ;
        number = next;
        is_full = 1;
    }
    return 0;
}

void *reader(void *unused)
{
    for (unsigned expected = 0;; expected++) {
        while (!is_full)
            ;
        assert(number == expected);
        is_full = 0;
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
