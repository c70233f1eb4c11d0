// sley: reach=true race=true deadlock=true memory=true overflow=true
// A variable may be declared again and again; without an initialiser it is zero.
#include <assert.h>

int counter;
int counter;
extern int counter;
static int hidden;
static int hidden = 4;
int later[];
struct forward;
extern struct forward object;

int main(void)
{
    extern int last;
    assert(counter == 0 && hidden == 4 && later[2] == 3 && last == 9);
    assert(&object != 0);
    return 0;
}

int counter;
int later[3] = { 1, 2, 3 };
int last = 9;
struct forward { int x; } object;
