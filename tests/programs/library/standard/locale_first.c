// sley: reach=true race=true deadlock=true memory=true overflow=true
// A locale that is chosen before there are threads races with none.
#include <assert.h>
#include <ctype.h>
#include <locale.h>
#include <pthread.h>

static void *thread(void *unused)
{
    assert(isalpha('x') && !isspace('x'));
    return unused;
}

int main(void)
{
    pthread_t t, u;
    setlocale(LC_ALL, "");
    pthread_create(&t, 0, thread, 0);
    pthread_create(&u, 0, thread, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
