// sley: reach=true race=true deadlock=true memory=true overflow=true division=false
// A calculator divides by what stands in parentheses, which may be zero.
#include <stdio.h>

static const char *at;

static int expression(void);

static int factor(void)
{
    int value;
    if (*at == '(') {
        at++;
        value = expression();
        at++;
    } else {
        value = *at++ - '0';
    }
    return value;
}

static int term(void)
{
    int value = factor();
    while (*at == '*' || *at == '/')
        value = *at++ == '*' ? value * factor() : value / factor();
    return value;
}

static int expression(void)
{
    int value = term();
    while (*at == '+' || *at == '-')
        value = *at++ == '+' ? value + term() : value - term();
    return value;
}

int main(void)
{
    static const char *const lines[] = {"8/(3-1)", "7-2*3", "6/(2*2-4)"};
    for (int i = 0; i < 3; i++) {
        at = lines[i];
        printf("%s = %d\n", lines[i], expression());
    }
    return 0;
}
