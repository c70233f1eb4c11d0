// sley: reach=true race=true deadlock=true memory=true overflow=true uninitialised=false
// A local variable that one of two ways leaves as it is.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x;
    if (__VERIFIER_nondet_int())
        x = 1;
    return x;
}
