// sley: reach=true race=false deadlock=true memory=true overflow=true
// Two threads take lines apart with strtok, which has one memory for all.
#include <pthread.h>
#include <string.h>

struct line {
    char text[16];
    unsigned words;
};

static struct line lines[2] = {{"one two", 0}, {"a b", 0}};

static void *split(void *arg)
{
    struct line *line = arg;
    for (char *word = strtok(line->text, " "); word; word = strtok(NULL, " "))
        line->words++;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, split, &lines[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
