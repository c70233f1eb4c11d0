// sley: reach=true race=true deadlock=true memory=true overflow=true progress=true
// A loop that goes on until the right character is read: it can be.
#include <stdio.h>

int main(void)
{
    int c;
    do
        c = getchar();
    while (c != 'q' && c != EOF);
    return 0;
}
