// sley: reach=true race=true deadlock=true memory=true overflow=true
// Words are counted in a hash table with lists.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 8 };

struct entry {
    struct entry *next;
    unsigned count;
    char word[];
};

static struct entry *table[BUCKETS];

static unsigned hash(const char *s)
{
    unsigned h = 5381;
    while (*s)
        h = h * 33 + (unsigned char)*s++;
    return h % BUCKETS;
}

static struct entry *lookup(const char *word, int create)
{
    struct entry **head = &table[hash(word)];
    for (struct entry *e = *head; e; e = e->next)
        if (strcmp(e->word, word) == 0)
            return e;
    if (!create)
        return NULL;
    struct entry *e = malloc(sizeof *e + strlen(word) + 1);
    if (!e)
        exit(1);
    strcpy(e->word, word);
    e->count = 0;
    e->next = *head;
    return *head = e;
}

int main(void)
{
    char text[] = "the cat and the dog and the bird";
    for (char *save, *w = strtok_r(text, " ", &save); w; w = strtok_r(NULL, " ", &save))
        lookup(w, 1)->count++;
    assert(lookup("the", 0)->count == 3);
    assert(lookup("and", 0)->count == 2);
    assert(lookup("cow", 0) == NULL);
    for (int i = 0; i < BUCKETS; i++)
        while (table[i]) {
            struct entry *dead = table[i];
            table[i] = dead->next;
            free(dead);
        }
    return 0;
}
