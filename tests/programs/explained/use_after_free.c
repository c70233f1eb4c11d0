// sley: reach=true race=false deadlock=true memory=false overflow=true misuse=false
// Who is last to finish frees the session, but "last" is decided too early.
// why: allocated by main in step \d+ \(line 37\), and freed by main in step \d+ \(line 20\)\. client still uses it
#include <pthread.h>
#include <stdlib.h>

struct session {
    pthread_mutex_t lock;
    int users;
    int requests;
};

static void close_session(struct session *s)
{
    pthread_mutex_lock(&s->lock);
    int left = --s->users;
    pthread_mutex_unlock(&s->lock);
    if (left == 0) {
        pthread_mutex_destroy(&s->lock);
        free(s);  // decisive
    }
}

static void *client(void *argument)
{
    struct session *s = argument;
    pthread_mutex_lock(&s->lock);  // decisive
    s->requests++;
    pthread_mutex_unlock(&s->lock);
    close_session(s);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    struct session *s = malloc(sizeof *s);  // decisive
    if (!s)
        return 1;
    pthread_mutex_init(&s->lock, NULL);
    s->users = 1;
    s->requests = 0;
    pthread_create(&thread, NULL, client, s);
    close_session(s);
    pthread_join(thread, NULL);
    return 0;
}
