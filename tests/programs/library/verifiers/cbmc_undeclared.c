// sley: reach=false race=true deadlock=true memory=true overflow=true
// CBMC's functions are often called without a declaration.
int main(void)
{
    _Bool input = nondet_bool();
    int number = nondet_int();
    __CPROVER_assume(number > 3 && number < 6);
    __CPROVER_assert(input || number == 4, "is not always so");
    return 0;
}
