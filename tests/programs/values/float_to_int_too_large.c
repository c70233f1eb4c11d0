// sley: reach=true race=true deadlock=true memory=true overflow=false
// A temperature from outside does not fit the integer it is converted to (C11 6.3.1.4p1).
double __VERIFIER_nondet_double(void);

int main(void)
{
    double temperature = __VERIFIER_nondet_double();
    if (!(temperature >= 0.0))
        return 0;
    int whole = (int)temperature;
    return whole != 0;
}
