// sley: reach=false race=true deadlock=true memory=false overflow=true
// A failed assertion of CBMC does not end the run: what comes after it counts too.
void __CPROVER_assert(_Bool condition, const char *description);
unsigned char nondet_uchar(void);

int main(void)
{
    int *nowhere = 0;
    unsigned char input = nondet_uchar();
    __CPROVER_assert(input < 200, "a small number");
    if (input >= 200)
        *nowhere = 1;
    return 0;
}
