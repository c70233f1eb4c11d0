// sley: reach=true race=true deadlock=true memory=true overflow=true
// Results with arrays, one inside the other's arguments, each read before the expression is complete.
#include <assert.h>

struct word {
    struct {
        int letters[2];
    } inner;
};

static struct word make(int letter)
{
    struct word word = {{{letter, letter + 1}}};
    return word;
}

static int sum(const int *one, const int *two)
{
    return one[0] + two[1];
}

int main(void)
{
    for (int round = 0; round < 2; round++) {
        int total = sum(make(round).inner.letters, make(({ make(7); 5; })).inner.letters);
        assert(total == round + 6);
        while (sum(make(round).inner.letters, make(2).inner.letters) != round + 3)
            round++;
    }
    struct word kept = make(1);
    assert(kept.inner.letters[1] == 2);
    return 0;
}
