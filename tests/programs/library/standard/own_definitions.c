// sley: reach=true race=true deadlock=true memory=true overflow=true
// Functions of the program's own under the names of library functions are what counts.
#include <assert.h>

int count;

int read(void)
{
    return 7;
}

void send(int message)
{
    count += message;
}

int main(void)
{
    send(read());
    assert(count == 7);
    return 0;
}
