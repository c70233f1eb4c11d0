// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Only what the result of scanf promises has been read; the rest is as before.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int number = 5, other = 6;
    char word[4] = "abc";
    int count = scanf("%d, %i: %3s", &number, &other, word);
    assert(-1 <= count && count <= 3);
    if (count < 1)
        assert(number == 5);
    if (count < 2)
        assert(other == 6);
    if (count < 3)
        assert(word[0] == 'a');
    assert(word[0] == 0 || word[1] == 0 || word[2] == 0 || word[3] == 0);
    return 0;
}
