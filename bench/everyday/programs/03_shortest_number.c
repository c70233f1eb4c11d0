// sley: reach=false race=true deadlock=true memory=true overflow=true
// A table printer takes for granted that %g never uses an exponent.
#include <assert.h>
#include <stdio.h>
#include <string.h>

static void cell(char *out, size_t size, double value)
{
    snprintf(out, size, "%g", value);
}

int main(void)
{
    static const double values[] = {0.5, 100000.0, 1000000.0};
    char text[32];
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        cell(text, sizeof text, values[i]);
        printf("%10s\n", text);
        assert(strchr(text, 'e') == NULL);
    }
    return 0;
}
