// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// Arguments that fit formats behind a variable: lengths, pointers of any kind for %p, characters of either sign.
#include <stddef.h>
#include <stdio.h>
#include <wchar.h>

static const char *const formats[] = {"%hhd %c %ld %zu\n", "%d %i %ld %zx\n"};

int main(void)
{
    const char *address = "%p %p %s %.3s\n", *wide = "%ls %Lf %f\n";
    unsigned char bytes[4] = "abc";
    char letter = 'x';
    for (int i = 0; i < 2; i++)
        printf(formats[i], letter, 'c', 5L, sizeof bytes);
    printf(address, (void *)formats, &letter, bytes, "text");
    if (letter == 'y')
        printf(wide, L"wide", 1.0L, 1.0f);
    return 0;
}
