// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Numbers, words, sets, widths and counts, read from known texts.
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    int a, b, used;
    unsigned int hexadecimal;
    double x;
    char word[8], value[8], sign;
    assert(sscanf("12 -7 abc", "%d %d %7s", &a, &b, word) == 3 && a == 12 && b == -7 && strcmp(word, "abc") == 0);
    assert(sscanf("key=val;", "%7[a-z]=%3s%n", word, value, &used) == 2 && used == 7 && strcmp(value, "val") == 0);
    assert(sscanf("12345 x", "%2d%*d %c", &a, &sign) == 2 && a == 12 && sign == 'x');
    assert(sscanf(" 2.5e1,0x1f", "%lf,%x", &x, &hexadecimal) == 2 && x == 25 && hexadecimal == 31);
    assert(sscanf("  ", "%d", &a) == EOF && sscanf("x", "%d", &a) == 0 && sscanf("3 x", "%d %d", &a, &b) == 1);
    return 0;
}
