// sley: reach=false race=true deadlock=true memory=true overflow=true
// Sums with parentheses by recursive descent: that of a product is taken for a sum.
#include <assert.h>

static const char *at;

static int sum(void);

static int number(void)
{
    if (*at != '(')
        return *at++ - '0';
    at++;
    int value = sum();
    at++;
    return value;
}

static int product(void)
{
    int value = number();
    while (*at == '*') {
        at++;
        value += number();
    }
    return value;
}

static int sum(void)
{
    int value = product();
    while (*at == '+') {
        at++;
        value += product();
    }
    return value;
}

int main(void)
{
    at = "(2+(1+3))*2";
    assert(sum() == 12);
    return 0;
}
