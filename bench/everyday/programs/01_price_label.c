// sley: reach=true race=true deadlock=true memory=true overflow=true
// Prices in cents are formatted with two decimals, and cut where the label is short.
#include <assert.h>
#include <stdio.h>
#include <string.h>

static int price_label(char *out, size_t size, long cents)
{
    return snprintf(out, size, "%.2f EUR", cents / 100.0);
}

int main(void)
{
    char label[16];
    int length = price_label(label, sizeof label, 1250);
    assert(length == 9);
    assert(strcmp(label, "12.50 EUR") == 0);
    length = price_label(label, 4, 99900);
    assert(length == 10);
    assert(strcmp(label, "999") == 0);
    return 0;
}
