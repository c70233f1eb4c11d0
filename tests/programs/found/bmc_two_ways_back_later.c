// sley: reach=false race=true deadlock=true memory=true overflow=true
// Two ways lead back to the head of a loop; one of them was lost, and with it all that follows.
#include <assert.h>

static const char text[] = "42";

static int value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    return 99;
}

int main(void)
{
    unsigned number = 0;
    int at = 0;
    for (int digit = value(text[at]); digit < 10; digit = value(text[at])) {
        number = number * 10 + digit;
        at++;
    }
    assert(number != 42);
    return 0;
}
