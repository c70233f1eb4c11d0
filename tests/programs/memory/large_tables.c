// sley: reach=true race=true deadlock=true memory=true overflow=true
// Tables with more elements than are moved one by one: each scalar is moved, and filled, in one piece, pointers too.
#include <assert.h>
#include <string.h>

struct entry {
    int number;
    char letter;
    void *place;
};
static struct entry entries[150], copies[150];
static void *places[300];

int main(void)
{
    int local;
    places[299] = &local;
    entries[149].number = 5;
    entries[149].place = &local;
    memcpy(copies, entries, sizeof copies);
    assert(copies[149].number == 5 && copies[149].place == &local && copies[3].place == 0);
    memset(places, 0, sizeof places);
    assert(places[299] == 0);
    memset(copies, 0xff, sizeof copies);
    assert(copies[149].number == -1 && entries[149].number == 5);
    return 0;
}
