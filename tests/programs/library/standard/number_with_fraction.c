// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Where the number in a text ends is inside of the text.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    const char text[] = "1.5x";
    char *end;
    double number = strtod(text, &end);
    assert(text <= end && end <= text + 4);
    return number > 1.0;
}
