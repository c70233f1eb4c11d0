// sley: reach=true race=true deadlock=true memory=false overflow=true
// Between the check and the use another thread takes the pointer away.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct session {
    int user;
};

struct session session;
_Atomic(struct session *) current = &session;

void *logout(void *unused)
{
    current = NULL;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, logout, 0);
    if (current)
        current->user = 1;
    pthread_join(thread, 0);
    return 0;
}
