// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// A word has no white space, a set only its characters, and a field no more than its width.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    char word[3], digits[3];
    int number;
    unsigned char byte;
    if (scanf("%2s%2[0-9]%3d%2hhx", word, digits, &number, &byte) != 4)
        return 1;
    assert(word[0] != ' ' && word[0] != '\n' && word[0] != '\v');
    assert(digits[0] >= '0' && digits[0] <= '9' && (digits[1] == 0 || digits[2] == 0));
    assert(number >= -99 && number <= 999);
    return 0;
}
