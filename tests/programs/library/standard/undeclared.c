// sley: unmodelled=true
// A function that returns a pointer and is not declared: the compiler would take its result for an int.
#include <assert.h>

int main(void)
{
    char text[] = "ab";
    assert(memrchr(text, 'b', 2) == text + 1);
    return 0;
}
