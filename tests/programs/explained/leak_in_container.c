// sley: reach=true race=true deadlock=true memory=false overflow=true
// The clean-up of a message queue frees the messages, but not their texts.
// why: allocated by producer with strdup in step \d+ \(line 21\).* went with the block that main freed
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct message {
    char *text;
    struct message *next;
};

static struct message *head;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *producer(void *unused)
{
    struct message *m = malloc(sizeof *m);
    if (!m)
        return NULL;
    m->text = strdup("hi");  // decisive
    pthread_mutex_lock(&lock);
    m->next = head;
    head = m;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, producer, NULL);
    pthread_join(thread, NULL);
    while (head) {
        struct message *next = head->next;
        free(head);  // decisive
        head = next;
    }
    return 0;
}
