// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// One character that is pushed back is read again (C11 7.21.7.10p3); EOF is not pushed.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int digit = getchar();
    if (digit == '7') {
        ungetc('8', stdin);
        assert(ungetc(EOF, stdin) == EOF);
        assert(fgetc(stdin) == '8');
    }
    return 0;
}
