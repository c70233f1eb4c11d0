// sley: reach=true race=true deadlock=true memory=true overflow=true
// Constant members are initialised, copied with their struct, and read; in a block of the heap they may be set.
#include <assert.h>
#include <stdlib.h>

struct account {
    const int number;
    int balance;
    const char name[4];
};

static struct account make(int number)
{
    struct account made = {number, 0, "abc"};
    return made;
}

static int sum(struct account account)
{
    account.balance += account.number;
    return account.balance;
}

int main(void)
{
    struct account accounts[2] = {{1, 10, "x"}, {.number = 2}};
    struct account copy = accounts[0];
    struct account made = make(7);
    accounts[1].balance = 5;
    assert(copy.number == 1 && copy.name[0] == 'x' && made.number == 7 && made.name[2] == 'c');
    assert(sum(accounts[1]) == 7 && sum((struct account){3, 4, ""}) == 7);
    struct account *block = malloc(sizeof *block);
    if (block) {
        *(int *)&block->number = 9;
        block->balance = 1;
        assert(block->number == 9);
    }
    free(block);
    return 0;
}
