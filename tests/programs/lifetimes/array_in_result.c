// sley: reach=true race=true deadlock=true memory=true overflow=true
// A structure that a call returns can be read until the expression is complete.
#include <assert.h>

struct word {
    int letters[2];
};

static struct word make(int letter)
{
    struct word word = {{letter, letter + 1}};
    return word;
}

static int second(const int *letters)
{
    return letters[1];
}

int main(void)
{
    for (int round = 0; round < 2; round++) {
        assert(make(round).letters[1] == round + 1);
        int found = second(make(3).letters);
        assert(found == 4);
    }
    return 0;
}
