// sley: reach=true race=true deadlock=true memory=true overflow=true
// An address is known wherever it is used, and each time its variable lives.
static void set(int *place) { *place = 1; }

int main(void)
{
    int *place;
    {
        int local;
        place = &local;
        set(place);
        set(place);
    }
}
