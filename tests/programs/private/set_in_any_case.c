// sley: reach=true race=true deadlock=true memory=true overflow=true uninitialised=true
// A function sets the local of its caller in any case.
extern int __VERIFIER_nondet_int(void);

static void set(int *place)
{
    if (__VERIFIER_nondet_int() > 3)
        *place = 1;
    else
        *place = 2;
}

int main(void)
{
    int local;
    set(&local);
    return local;
}
