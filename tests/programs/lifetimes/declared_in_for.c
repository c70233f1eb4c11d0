// sley: reach=true race=true deadlock=true memory=true overflow=true
// What the head of a `for` declares lives through all rounds.
#include <assert.h>

int main(void)
{
    int rounds = 0;
    for (int i = 0, *first = 0; i < 3; i++) {
        if (!first)
            first = &i;
        assert(*first == i && first == &i);
        rounds++;
    }
    assert(rounds == 3);
    return 0;
}
