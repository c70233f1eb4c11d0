// sley: reach=true race=true deadlock=true memory=true overflow=true
// A thread gets a name; the program does not notice.
#include <assert.h>
#include <sys/prctl.h>

int main(void)
{
    char name[] = "main";
    assert(prctl(PR_SET_NAME, name, 0, 0, 0) == 0);
    return 0;
}
