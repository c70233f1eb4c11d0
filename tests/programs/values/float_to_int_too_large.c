// sley: reach=true race=true deadlock=true memory=true overflow=false
// A temperature from outside does not fit the integer it is converted to (C11 6.3.1.4p1).
_Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    double temperature = 36.6;
    if (__VERIFIER_nondet_bool())
        temperature *= 1e8;
    int whole = (int)temperature;
    return whole != 0;
}
