// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// What is pushed back is read once, then comes what the stream has.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    if (getchar() != EOF) {
        ungetc('8', stdin);
        getchar();
        assert(getchar() == '8');
    }
    return 0;
}
