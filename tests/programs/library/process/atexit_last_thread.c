// sley: unmodelled=true
// Main ends before the other thread, which then runs the handlers: this has no model.
#include <pthread.h>
#include <stdlib.h>

void handler(void)
{
}

int main(void)
{
    atexit(handler);
    pthread_exit(0);
}
