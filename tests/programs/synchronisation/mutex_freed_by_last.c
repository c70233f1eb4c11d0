// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// The last owner of a counted object destroys its mutex and frees it right after the other one has unlocked it.
#include <pthread.h>
#include <stdlib.h>

struct counted {
    pthread_mutex_t m;
    int owners;
};

void *release(void *argument)
{
    struct counted *object = argument;
    pthread_mutex_lock(&object->m);
    int left = --object->owners;
    pthread_mutex_unlock(&object->m);
    if (left == 0) {
        pthread_mutex_destroy(&object->m);
        free(object);
    }
    return 0;
}

int main(void)
{
    pthread_t one;
    struct counted *object = malloc(sizeof *object);
    pthread_mutex_init(&object->m, 0);
    object->owners = 2;
    pthread_create(&one, 0, release, object);
    release(object);
    pthread_join(one, 0);
    return 0;
}
