// sley: reach=true race=true deadlock=true memory=true overflow=true
// A text that grows by doubling its block.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct builder {
    char *text;
    size_t length, capacity;
};

static int append(struct builder *b, const char *piece)
{
    size_t more = strlen(piece);
    if (b->length + more + 1 > b->capacity) {
        size_t capacity = b->capacity ? b->capacity : 8;
        while (b->length + more + 1 > capacity)
            capacity *= 2;
        char *text = realloc(b->text, capacity);
        if (!text)
            return -1;
        b->text = text;
        b->capacity = capacity;
    }
    memcpy(b->text + b->length, piece, more + 1);
    b->length += more;
    return 0;
}

int main(void)
{
    struct builder b = {0};
    for (int i = 0; i < 5; i++)
        if (append(&b, i % 2 ? ", " : "word") != 0) {
            free(b.text);
            return 1;
        }
    assert(b.length == 16);
    assert(strcmp(b.text, "word, word, word") == 0);
    free(b.text);
    return 0;
}
