// sley: reach=true race=true deadlock=true memory=true overflow=true
// A pointer may walk over an array inside a struct, and back.
#include <assert.h>

struct record {
    int head;
    int items[3];
    int tail;
};

struct record record = {1, {2, 3, 4}, 5};

int main(void)
{
    int sum = 0;
    for (int *p = record.items; p < record.items + 3; p++)
        sum += *p;
    assert(sum == 9);
    int *p = &record.items[2];
    p -= 2;
    assert(*p == 2);
    return 0;
}
