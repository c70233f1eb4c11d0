// sley: reach=true race=true deadlock=true memory=true overflow=true division=false
// The remainder by zero is as wrong as the quotient, unsigned too.
unsigned modulus;

int main(void)
{
    return 5 % modulus == 0;
}
