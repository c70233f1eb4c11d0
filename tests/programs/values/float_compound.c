// sley: reach=true race=true deadlock=true memory=true overflow=false
// A compound assignment computes in double and converts back: the third time it does not fit.
int main(void)
{
    int salary = 1000000;
    for (int year = 0; year < 3; year++)
        salary *= 40.5;
    return 0;
}
