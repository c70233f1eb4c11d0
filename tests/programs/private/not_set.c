// sley: reach=true race=true deadlock=true memory=true overflow=true uninitialised=false
// A function sets the local of its caller in some cases only.
extern int __VERIFIER_nondet_int(void);

static void set(int *place)
{
    if (__VERIFIER_nondet_int() > 3)
        *place = 1;
}

int main(void)
{
    int local;
    set(&local);
    return local;
}
