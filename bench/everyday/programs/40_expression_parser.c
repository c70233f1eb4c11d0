// sley: reach=true race=true deadlock=true memory=true overflow=true
// A calculator with parentheses, by recursive descent.
#include <assert.h>
#include <ctype.h>
#include <stdbool.h>

static const char *at;
static bool failed;

static int sum(void);

static int primary(void)
{
    if (*at == '(') {
        at++;
        int value = sum();
        if (*at == ')')
            at++;
        else
            failed = true;
        return value;
    }
    if (!isdigit((unsigned char)*at)) {
        failed = true;
        return 0;
    }
    int value = 0;
    while (isdigit((unsigned char)*at))
        value = value * 10 + (*at++ - '0');
    return value;
}

static int product(void)
{
    int value = primary();
    while (*at == '*') {
        at++;
        value *= primary();
    }
    return value;
}

static int sum(void)
{
    int value = product();
    while (*at == '+' || *at == '-')
        value = *at++ == '+' ? value + product() : value - product();
    return value;
}

int main(void)
{
    at = "2*(3+4*(5-2))-12";
    assert(sum() == 18 && !failed && *at == '\0');
    at = "(1+";
    sum();
    assert(failed);
    return 0;
}
