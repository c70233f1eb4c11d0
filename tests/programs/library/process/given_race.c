// sley: reach=true race=false deadlock=true memory=true overflow=true args="-- ab"
// Two threads write the same argument, another program would give each of them its own character.
#include <pthread.h>
#include <stddef.h>

static void *upper(void *argument)
{
    char *text = argument;
    for (; *text != 0; text++)
        *text = (char)(*text - 'a' + 'A');
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t one, other;
    if (argc < 2)
        return 1;
    pthread_create(&one, NULL, upper, argv[1]);
    pthread_create(&other, NULL, upper, argv[1]);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
