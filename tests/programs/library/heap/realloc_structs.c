// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Structs with pointers and padding move as they are; so does a block behind a flexible array member.
#include <assert.h>
#include <stdlib.h>

struct pair {
    char tag;
    const char *text;
};

struct list {
    int length;
    short items[];
};

int main(void)
{
    struct pair *pairs = malloc(sizeof *pairs);
    pairs->tag = 'a';
    pairs->text = "first";
    pairs = reallocarray(pairs, 2, sizeof *pairs);
    pairs[1] = pairs[0];
    assert(pairs[1].tag == 'a' && pairs[0].text[0] == 'f');
    free(pairs);

    struct list *list = malloc(sizeof *list + 2 * sizeof(short));
    list->length = 2;
    list->items[0] = 5;
    list->items[1] = 6;
    list = realloc(list, sizeof *list + 4 * sizeof(short));
    list->items[3] = 7;
    assert(list->length == 2 && list->items[0] == 5 && list->items[1] == 6);
    free(list);
    return 0;
}
