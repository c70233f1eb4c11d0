// sley: reach=true race=true deadlock=true memory=false overflow=true
// An address is known wherever it is used, but the last time its variable is gone.
static void set(int *place) { *place = 1; }

int main(void)
{
    int *place;
    {
        int local;
        place = &local;
        set(place);
    }
    set(place);
}
