// sley: reach=true race=true deadlock=true memory=false overflow=true
// A local constant is written through a pointer.
static void set(int *place) { *place = 1; }

int main(void)
{
    const int local = 0;
    set((int *)&local);
    return local;
}
