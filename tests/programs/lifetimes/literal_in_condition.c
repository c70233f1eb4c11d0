// sley: reach=true race=true deadlock=true memory=true overflow=true
// A compound literal in the condition of an `if` lives in both of its branches.
#include <assert.h>

int main(int count, char **arguments)
{
    int *number;
    if (*(number = &(int){3}) > count)
        assert(*number == 3);
    else
        *number += 1;
    for (int *each = (int[]){1, 2, 0}; *each; each++)
        assert(*each < 3);
    switch (*(number = (int[]){1, 2})) {
    case 1:
        assert(number[1] == 2);
    }
    return 0;
}
