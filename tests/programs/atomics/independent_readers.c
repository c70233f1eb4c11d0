// sley: reach=true race=true deadlock=true memory=true overflow=true
// Two readers never see two independent stores in opposite orders.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int x_then_y[2], y_then_x[2];

void *write_x(void *unused)
{
    x = 1;
    return 0;
}

void *write_y(void *unused)
{
    y = 1;
    return 0;
}

void *read_x_then_y(void *unused)
{
    x_then_y[0] = x;
    x_then_y[1] = y;
    return 0;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, 0, write_x, 0);
    pthread_create(&b, 0, write_y, 0);
    pthread_create(&c, 0, read_x_then_y, 0);
    y_then_x[0] = y;
    y_then_x[1] = x;
    pthread_join(c, 0);
    assert(!(x_then_y[0] && !x_then_y[1] && y_then_x[0] && !y_then_x[1]));
    return 0;
}
