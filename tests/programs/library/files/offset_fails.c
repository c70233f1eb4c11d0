// sley: reach=false race=true deadlock=true memory=true overflow=true
// Standard input may be a pipe, in which nobody can go back.
#include <assert.h>
#include <unistd.h>

int main(void)
{
    assert(lseek(0, 0, SEEK_SET) == 0);
    return 0;
}
